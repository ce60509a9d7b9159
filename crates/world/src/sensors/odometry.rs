//! Where do the wheels say that a vehicle went? Dead reckoning on a plane, exact for constant speeds in a step.

/// A place on the plane. **Frames.** That of the start: x forward, y left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Track {
    /// Metres.
    pub x: f64,
    /// Metres.
    pub y: f64,
    /// Radians to the left, all turns added up.
    pub heading: f64,
}

impl Track {
    /// After the reference point moved by `length` metres on an arc and turned by `turn` radians to the left.
    ///
    /// **Guarantee.** Exact for arcs, to rounding, for any turn, however small: the chord is `length * sin(turn/2) / (turn/2)`
    /// long and points half way through the turn.
    pub fn after_arc(&self, length: f64, turn: f64) -> Track {
        let half = 0.5 * turn;
        let square = half * half;
        // sin(h)/h by its series: below this limit what is left out is less than half an ulp of 1.
        let chord = if square < SMALL * SMALL {
            length * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0)))
        } else {
            length * half.sin() / half
        };
        let (sine, cosine) = (self.heading + half).sin_cos();
        Track { x: self.x + chord * cosine, y: self.y + chord * sine, heading: self.heading + turn }
    }

    /// After the wheels of a differential drive rolled by these angles; the reference point is the middle between the wheels.
    ///
    /// **Units.** Radians, and metres for the radius of the wheels and the distance between them.
    pub fn after_differential(&self, wheels: &DifferentialWheels, left: f64, right: f64) -> Track {
        let [left, right] = [left, right].map(|angle| angle * wheels.radius);
        self.after_arc(0.5 * (left + right), (right - left) / wheels.track)
    }

    /// After the rear wheels of a steered vehicle rolled by these angles while the left front wheel pointed `steering` radians to
    /// the left; the reference point is the middle of the rear axle.
    pub fn after_ackermann(&self, wheels: &AckermannWheels, steering: f64, left: f64, right: f64) -> Track {
        let length = 0.5 * wheels.radius * (left + right);
        self.after_arc(length, length * wheels.curvature(steering))
    }
}

/// Half of a turn, in radians, that is small for [`Track::after_arc`].
const SMALL: f64 = 1.0 / 128.0;

/// Two driven wheels on one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferentialWheels {
    /// Radius of the wheels, in metres.
    pub radius: f64,
    /// Distance between them, in metres.
    pub track: f64,
}

/// Four wheels, the front ones steered so that all axes meet in one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AckermannWheels {
    /// Radius of the rear wheels, in metres.
    pub radius: f64,
    /// Distance of left and right wheels, in metres.
    pub track: f64,
    /// Distance of front and rear axle, in metres.
    pub base: f64,
}

impl AckermannWheels {
    /// Turns per metre of the middle of the rear axle, positive to the left, when the left front wheel points `steering` radians to the
    /// left: the centre of the turn is `base / tan(steering)` to the left of the left rear wheel.
    pub fn curvature(&self, steering: f64) -> f64 {
        let (sine, cosine) = steering.sin_cos();
        sine / (self.base * cosine + 0.5 * self.track * sine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, TAU};

    const WHEELS: DifferentialWheels = DifferentialWheels { radius: 0.1, track: 0.4 };
    const CAR: AckermannWheels = AckermannWheels { radius: 0.3, track: 1.6, base: 2.5 };

    #[track_caller]
    fn check(found: Track, x: f64, y: f64, heading: f64) {
        let worst = (found.x - x).abs().max((found.y - y).abs()).max((found.heading - heading).abs());
        assert!(worst < 1e-12, "{found:?}, expected {x} {y} {heading}");
    }

    #[test]
    fn a_differential_drive_goes_in_circles() {
        // Left wheel on radius 0.8, right one on 1.2: the middle on 1 about (0, 1).
        for steps in [1, 7, 1000] {
            for angle in [TAU, 0.5 * PI, 1.0] {
                let n = f64::from(steps);
                let mut track = Track::default();
                for _ in 0..steps {
                    track = track.after_differential(&WHEELS, 8.0 * angle / n, 12.0 * angle / n);
                }
                check(track, angle.sin(), 1.0 - angle.cos(), angle);
            }
        }
        check(Track::default().after_differential(&WHEELS, 10.0, 10.0), 1.0, 0.0, 0.0);
        // On the spot.
        check(Track::default().after_differential(&WHEELS, -2.0 * PI, 2.0 * PI), 0.0, 0.0, PI);
        // A turn too small for sines.
        check(Track::default().after_differential(&WHEELS, 10.0, 10.0 + 1e-11), 1.0, 1.25e-12, 2.5e-12);
    }

    #[test]
    fn a_car_goes_in_circles_with_either_turn() {
        for steering in [0.5f64, -0.5, 0.05, -1.2] {
            // From the centre of the turn: left and right rear wheels, both to the left of themselves.
            let left = CAR.base / steering.tan();
            let (radius, right) = (left + 0.5 * CAR.track, left + CAR.track);
            assert!((CAR.curvature(steering) * radius - 1.0).abs() < 1e-12);
            let angle = 1.3;
            let [roll_left, roll_right] = [left, right].map(|r| r * angle / CAR.radius);
            let mut track = Track::default();
            for _ in 0..50 {
                track = track.after_ackermann(&CAR, steering, roll_left / 50.0, roll_right / 50.0);
            }
            check(track, radius * angle.sin(), radius * (1.0 - angle.cos()), angle);
        }
        check(Track::default().after_ackermann(&CAR, 0.0, 10.0, 10.0), 3.0, 0.0, 0.0);
    }
}
