//! What a driver knows about the vehicle.

use super::Seen;
use crate::vehicle::Command;
use crate::vehicle::model::Model;
use crate::vehicle::steering::Running;
use freiraum_geometry::Aabb;
use freiraum_geometry::math::power_of_two;
use freiraum_scene::VehicleModel;
use std::sync::OnceLock;

/// A humanoid, about.
const WALKER: OwnBody = OwnBody {
    reach: [0.15, 0.15],
    half_width: 0.2,
    height: 0.6,
    top_speed: 0.2,
    fastest_turn: 0.6,
    steering: None,
    gripper: None,
};

/// A vehicle as its driver sees it. Metres, seconds, radians; x is forward and 0 in its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OwnBody {
    /// How far it reaches forward and backward.
    pub(super) reach: [f64; 2],
    /// Half of its width.
    pub(super) half_width: f64,
    /// What is higher does not stop it.
    pub(super) height: f64,
    pub(super) top_speed: f64,
    pub(super) fastest_turn: f64,
    /// Of those that cannot turn on the spot: the distance of the axles, and the largest angle of the steering.
    pub(super) steering: Option<[f64; 2]>,
    /// Of those with a gripper: where its hands meet, and how far they open.
    pub(super) gripper: Option<[f64; 2]>,
}

impl OwnBody {
    pub(super) fn of(seen: &Seen) -> OwnBody {
        OwnBody::of_model(seen.scene.world.vehicles[seen.vehicle].model)
    }

    /// What models are does not change, and drivers are asked often.
    pub(super) fn of_model(model: VehicleModel) -> OwnBody {
        static KNOWN: [OnceLock<OwnBody>; VehicleModel::NAMES.len()] =
            [const { OnceLock::new() }; VehicleModel::NAMES.len()];
        let number = VehicleModel::NAMES.iter().position(|(_, named)| *named == model).unwrap_or(0);
        *KNOWN[number].get_or_init(|| Model::of(model).map_or(WALKER, |model| OwnBody::measured(&model)))
    }

    fn measured(model: &Model) -> OwnBody {
        let mut around = Aabb::EMPTY;
        for part in &model.parts {
            if let Some(part) = part.shape.aabb_placed(&part.pose) {
                around = around.union(&part);
            }
        }
        let (top_speed, fastest_turn, steering) = match &model.running {
            Running::Sides(sides) => (sides.most_speed, sides.most_speed / (0.5 * sides.track), None),
            Running::Cars(axles) => {
                let curvature = axles.reachable(f64::INFINITY);
                // That of a wheel in the middle: the inner one turns more.
                let angle = (axles.base * curvature).atan();
                (axles.most_speed, axles.most_speed * curvature, Some([axles.base, angle]))
            }
            Running::Legs => (WALKER.top_speed, WALKER.fastest_turn, None),
        };
        let hand = model.parts.iter().find(|part| part.name == "left hand");
        let hand = hand.and_then(|part| part.shape.aabb_placed(&part.pose));
        OwnBody {
            reach: [around.max.x, -around.min.x],
            half_width: around.max.y.max(-around.min.y),
            height: around.max.z,
            top_speed,
            fastest_turn,
            steering,
            gripper: hand.map(|hand| [hand.center().x, 2.0 * hand.min.y]),
        }
    }

    /// About the middle, everything of it.
    pub(super) fn radius(&self) -> f64 {
        self.reach[0].max(self.reach[1]).hypot(self.half_width)
    }

    /// A speed to travel with: no faster than half of the top speed, and than six times its size in a second.
    pub(super) fn cruise(&self) -> f64 {
        (0.5 * self.top_speed).min(6.0 * self.radius())
    }

    /// How fast it gets slower without effort, in m/s²: from its speed of travel to rest over twice its size.
    pub(super) fn braking(&self) -> f64 {
        self.cruise() * self.cruise() / (4.0 * self.radius())
    }

    /// Whether something at this height above the ground is in its way.
    pub(super) fn is_stopped_by(&self, height: f64) -> bool {
        height > 0.1 * self.half_width && height < 1.1 * self.height
    }

    /// Whether something between these heights above the ground is in its way.
    pub(super) fn is_stopped_between(&self, low: f64, high: f64) -> bool {
        (high > 0.1 * self.half_width) & (low < 1.1 * self.height)
    }

    /// A distance from which on nothing is in its way along a beam that starts at this height and rises by so much per metre; a little more than needed.
    pub(super) fn stop_end(&self, height: f64, rise: f64) -> f64 {
        let room = if rise > 0.0 { 1.1 * self.height - height } else { height - 0.1 * self.half_width };
        if rise == 0.0 { f64::INFINITY } else { (1.0 + STOP_SLACK) * (room / rise.abs()).max(0.0) }
    }

    /// For shares of the top speed and of the fastest turn; cars turn their wheels even if they stand.
    pub(super) fn shares(&self, speed: f64, turn: f64) -> Command {
        match self.steering {
            Some([_, angle]) => Command::Steer { speed: speed * self.top_speed, angle: turn * angle },
            None => Command::Drive { speed: speed * self.top_speed, turn: turn * self.fastest_turn },
        }
    }
}

/// More than the rounding of a height, as a share.
const STOP_SLACK: f64 = power_of_two(-30);

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    /// Nothing that stops it lies beyond the end of a beam; half as far there often is something.
    #[test]
    fn beams_end_behind_all_that_stops() {
        let mut random = Random::new(3);
        let mut early = 0;
        for _ in 0..10_000 {
            let own = [WALKER, OwnBody::of_model(VehicleModel::MonsterTruck)][random.below(2)];
            let (height, rise) = (random.range(-0.2, 1.0), random.range(-1.0, 1.0));
            let end = own.stop_end(height, rise);
            let distance = random.range(0.0, 3.0);
            assert!(
                !own.is_stopped_by(height + rise * distance) || distance < end,
                "{height} {rise} {distance}"
            );
            early += usize::from(own.is_stopped_by(height + rise * (0.999 * end)));
        }
        assert!(early > 5_000, "{early}");
        assert_eq!(WALKER.stop_end(0.3, 0.0), f64::INFINITY);
    }
}
