//! What a driver knows about the vehicle.

use super::Seen;
use crate::vehicle::Command;
use freiraum_scene::VehicleModel;

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

    pub(super) fn of_model(model: VehicleModel) -> OwnBody {
        let differential = |reach, half_width, height, top_speed, track: f64| OwnBody {
            reach,
            half_width,
            height,
            top_speed,
            fastest_turn: top_speed / (0.5 * track),
            steering: None,
            gripper: None,
        };
        let car = |reach, half_width, height, top_speed: f64, base: f64, angle: f64| OwnBody {
            reach,
            half_width,
            height,
            top_speed,
            fastest_turn: top_speed * angle.tan() / base,
            steering: Some([base, angle]),
            gripper: None,
        };
        match model {
            VehicleModel::Pioneer => {
                let gripper = Some([0.27, 0.21]);
                OwnBody { gripper, ..differential([0.31, 0.27], 0.18, 0.29, 1.6, 0.32) }
            }
            VehicleModel::Volksbot => differential([0.3, 0.3], 0.25, 0.3, 2.0, 0.4),
            VehicleModel::MonsterTruck => car([0.25, 0.25], 0.21, 0.29, 6.0, 0.34, 0.7),
            VehicleModel::StretchLimousine => car([0.49, 0.49], 0.15, 0.2, 4.0, 0.66, 0.6),
            VehicleModel::Hr18 => differential([0.15, 0.15], 0.2, 0.6, 0.3, 0.4),
            VehicleModel::Khepera => differential([0.028, 0.028], 0.028, 0.03, 1.0, 0.053),
            VehicleModel::KheperaGripper => {
                let gripper = Some([0.047, 0.044]);
                OwnBody { gripper, ..differential([0.058, 0.028], 0.028, 0.03, 1.0, 0.053) }
            }
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

    /// For shares of the top speed and of the fastest turn; cars turn their wheels even if they stand.
    pub(super) fn shares(&self, speed: f64, turn: f64) -> Command {
        match self.steering {
            Some([_, angle]) => Command::Steer { speed: speed * self.top_speed, angle: turn * angle },
            None => Command::Drive { speed: speed * self.top_speed, turn: turn * self.fastest_turn },
        }
    }
}
