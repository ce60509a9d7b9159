//! How fast and at which angle must wheels turn so that all of them roll?

use freiraum_geometry::Vec3;

/// What a vehicle moves on.
#[derive(Clone, Debug, PartialEq)]
pub enum Running {
    /// Wheels on both sides that turn at different speeds.
    Sides(Sides),
    /// Two axles, the front wheels steered.
    Cars(Axles),
    /// Legs.
    Legs,
}

/// A differential drive. The origin of the vehicle is the middle of its wheels.
#[derive(Clone, Debug, PartialEq)]
pub struct Sides {
    /// Of the driven wheels, in metres.
    pub radius: f64,
    /// Distance of left and right wheels, in metres.
    pub track: f64,
    /// Where the axles are along x.
    pub axles: Vec<f64>,
    /// A wheel that follows.
    pub castor: Option<Castor>,
    /// Largest torque of one wheel, in newton metres.
    pub torque: f64,
    /// Largest speed of the rims, in metres per second.
    pub most_speed: f64,
}

/// A wheel on a swivel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Castor {
    /// In metres.
    pub radius: f64,
    /// How far behind the swivel its axle is, in metres.
    pub trail: f64,
    /// The swivel, on the ground.
    pub at: Vec3,
}

/// Ackermann steering: two axles, the origin of the vehicle in the middle between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axles {
    /// Of the wheels, in metres.
    pub radius: f64,
    /// Distance of left and right wheels, in metres.
    pub track: f64,
    /// Distance of front and rear axle, in metres.
    pub base: f64,
    /// The largest angle of a front wheel, in radians.
    pub most_steering: f64,
    /// How fast the steering turns, in radians per second.
    pub steering_speed: f64,
    /// Largest torque of one wheel, in newton metres.
    pub torque: f64,
    /// Largest speed, in metres per second.
    pub most_speed: f64,
    /// The springs of the wheels that have one.
    pub suspension: Suspension,
}

/// A spring of a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suspension {
    /// In newtons per metre.
    pub stiffness: f64,
    /// In newton seconds per metre.
    pub damping: f64,
    /// Up and down from where it stands, in metres.
    pub travel: f64,
}

impl Sides {
    /// The track of a vehicle with two wheels that turns as this one does. It is [`Sides::track`] for one axle; wheels on several axles slide sideways in every
    /// turn, and the others have to slip forward to push them.
    ///
    /// **Guarantee.** The balance of Coulomb's friction of all wheels, equally loaded, for a vehicle that turns on the spot.
    #[must_use]
    pub fn effective_track(&self) -> f64 {
        let half = 0.5 * self.track;
        // Rims are faster than the ground by s per turn: every wheel pulls with its friction along (s, -x). Where the torques of all are in balance, s is right.
        let torque = |s: f64| -> f64 {
            let of = |x: &f64| (s * half - x * x) / s.hypot(*x).max(f64::MIN_POSITIVE);
            self.axles.iter().map(of).sum()
        };
        let (mut low, mut high) = (0.0, self.axles.iter().map(|x| x * x / half).fold(0.0, f64::max));
        if torque(low) >= 0.0 {
            return self.track;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if torque(middle) < 0.0 { low = middle } else { high = middle }
        }
        self.track + 2.0 * low
    }
}

impl Axles {
    /// The middle of a wheel at rest: front left, front right, rear left, rear right.
    #[must_use]
    pub fn wheel(&self, number: usize) -> Vec3 {
        let x = if number < 2 { 0.5 } else { -0.5 };
        let y = if number.is_multiple_of(2) { 0.5 } else { -0.5 };
        Vec3::new(x * self.base, y * self.track, self.radius)
    }

    /// The turn per metre of the middle of the rear axle, in radians to the left, when a wheel in the middle of the front axle points
    /// `angle` radians to the left.
    #[must_use]
    pub fn curvature(&self, angle: f64) -> f64 {
        angle.tan() / self.base
    }

    /// The angle of a wheel in the middle of the front axle for a turn per metre.
    #[must_use]
    pub fn angle(&self, curvature: f64) -> f64 {
        (curvature * self.base).atan()
    }

    /// Angles of the left and right front wheels to the left, so that all wheels roll on circles about one point.
    ///
    /// **Guarantee.** For any turn, also about a point between the wheels. Angles are in (-pi/2, pi/2].
    #[must_use]
    pub fn front_angles(&self, curvature: f64) -> [f64; 2] {
        // The centre is 1/curvature to the left of the middle: a wheel at y sees it at 1/curvature - y. Times curvature, nothing is infinite.
        [0.5, -0.5].map(|side| {
            let left = 1.0 - curvature * side * self.track;
            let angle = (curvature * self.base).atan2(left);
            // Wheels beyond the centre point the other way and roll backwards.
            if left < 0.0 { angle - std::f64::consts::PI.copysign(angle) } else { angle }
        })
    }

    /// Speeds of the rims of all wheels per speed of the middle of the rear axle, forward as the wheels point: front left, front right, rear left,
    /// rear right.
    #[must_use]
    pub fn rim_speeds(&self, curvature: f64) -> [f64; 4] {
        std::array::from_fn(|number| {
            let wheel = self.wheel(number);
            let left = 1.0 - curvature * wheel.y;
            let ahead = curvature * (wheel.x + 0.5 * self.base);
            left.hypot(ahead).copysign(if left == 0.0 { 1.0 } else { left })
        })
    }

    /// The turn per metre of the middle of the rear axle that comes nearest to a wanted one with front wheels within their limits.
    #[must_use]
    pub fn reachable(&self, curvature: f64) -> f64 {
        // The inner wheel has the larger angle: tan = base / (1 / curvature - track / 2).
        let most = 1.0 / (self.base / self.most_steering.tan() + 0.5 * self.track);
        curvature.clamp(-most, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    fn axles(base: f64, track: f64) -> Axles {
        Axles {
            radius: 0.1,
            track,
            base,
            most_steering: 0.7,
            steering_speed: 1.0,
            torque: 1.0,
            most_speed: 1.0,
            suspension: Suspension { stiffness: 1.0, damping: 1.0, travel: 0.1 },
        }
    }

    /// The curvature for which the left front wheel has an angle (to the left).
    fn of_left(axles: &Axles, left: f64) -> f64 {
        1.0 / (axles.base / left.tan() + 0.5 * axles.track)
    }

    #[test]
    fn angles_of_the_front_wheels() {
        let axles = axles(2.0, 1.0);
        // Formulas 13.3: l = 2, b = 1, left wheel 20 degrees to the right: the right one is the inner one.
        let right = of_left(&axles, -20f64.to_radians());
        let found = axles.front_angles(right).map(f64::to_degrees);
        assert!((found[0] + 20.0).abs() < 1e-12 && (found[1] + 23.986351844913).abs() < 1e-10, "{found:?}");
        // The other way round.
        let found = axles.front_angles(-right).map(f64::to_degrees);
        assert!((found[1] - 20.0).abs() < 1e-12 && (found[0] - 23.986351844913).abs() < 1e-10, "{found:?}");
        assert_eq!(axles.front_angles(0.0), [0.0; 2]);
        assert_eq!(axles.rim_speeds(0.0), [1.0; 4]);
    }

    /// Every wheel must roll: the velocity of its middle is along where it points, with the speed of its rim.
    #[test]
    fn all_wheels_roll() {
        let axles = axles(2.0, 1.0);
        for curvature in [0.0, 0.1, -0.1, 0.7, -0.7, 1.5, -1.5, 2.5, -2.5, 40.0] {
            let [left, right] = axles.front_angles(curvature);
            for (number, rim) in axles.rim_speeds(curvature).into_iter().enumerate() {
                let wheel = axles.wheel(number);
                // About the middle of the rear axle, which moves with speed 1.
                let velocity =
                    Vec3::X + (curvature * Vec3::Z).cross(wheel.with_z(0.0) + 0.5 * axles.base * Vec3::X);
                let angle = [left, right, 0.0, 0.0][number];
                assert!(angle.abs() <= FRAC_PI_2);
                let rolled = rim * Vec3::new(angle.cos(), angle.sin(), 0.0);
                assert!(
                    (rolled - velocity).length() < 1e-12 * (1.0 + velocity.length()),
                    "{curvature} {number}"
                );
            }
        }
    }

    #[test]
    fn a_centre_between_the_wheels() {
        // 13.3: the rear wheel beyond the centre rolls backwards.
        let axles = axles(2.0, 1.0);
        let speeds = axles.rim_speeds(4.0);
        assert!(speeds[2] < 0.0 && speeds[3] > 0.0, "{speeds:?}");
    }

    #[test]
    fn effective_tracks() {
        let sides = |axles: Vec<f64>| Sides {
            radius: 0.1,
            track: 0.42,
            axles,
            castor: None,
            torque: 1.0,
            most_speed: 1.0,
        };
        assert_eq!(sides(vec![0.0]).effective_track(), 0.42);
        // Two axles at a: rims slip by s per turn with s h = a², so that the torques of all wheels vanish.
        let two = sides(vec![0.3, -0.3]).effective_track();
        assert!((two - (0.42 + 2.0 * 0.09 / 0.21)).abs() < 1e-12, "{two}");
        // Three: four corners against two in the middle, which pull with all they have.
        let s = 0.5 * (sides(vec![0.24, 0.0, -0.24]).effective_track() - 0.42);
        let (h, a) = (0.21, 0.24f64);
        let balance = 4.0 * (s * h - a * a) / (s * s + a * a).sqrt() + 2.0 * h;
        assert!(balance.abs() < 1e-12 && s > 0.0, "{s} {balance}");
    }

    #[test]
    fn limits_hold_for_the_inner_wheel() {
        let axles = axles(2.0, 1.0);
        for wanted in [10.0, -10.0] {
            let angles = axles.front_angles(axles.reachable(wanted));
            let most = angles.iter().fold(0.0f64, |most, angle| most.max(angle.abs()));
            assert!((most - axles.most_steering).abs() < 1e-12, "{angles:?}");
        }
        assert_eq!(axles.reachable(0.1), 0.1);
    }
}
