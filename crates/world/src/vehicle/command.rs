//! What somebody wants a vehicle to do.

/// What a vehicle shall do from now on, until the next command of the same kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Speeds of the wheels on the left and on the right, in metres per second on their rims; differential drives only.
    Wheels {
        /// Forward is positive.
        left: f64,
        /// Forward is positive.
        right: f64,
    },
    /// Speed of the middle of the rear axle in metres per second, and the angle of the steering in radians, positive to the left:
    /// that of a wheel in the middle of the front axle; vehicles with Ackermann steering only.
    Steer {
        /// Forward is positive.
        speed: f64,
        /// To the left is positive.
        angle: f64,
    },
    /// Every vehicle, as well as it can: metres per second forward, and radians per second to the left.
    Drive {
        /// Forward is positive.
        speed: f64,
        /// To the left is positive.
        turn: f64,
    },
    /// A joint that is named to a position, in radians or metres.
    Joint {
        /// As the model names it.
        name: String,
        /// Within its limits, else at the nearer one.
        position: f64,
    },
    /// Something for the gripper; vehicles with one only.
    Gripper(GripperCommand),
}

/// What a gripper shall do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GripperCommand {
    /// Hands apart: what was held is let go.
    Open,
    /// Hands together: what is between them and fits is held.
    Close,
    /// Up.
    Raise,
    /// Down.
    Lower,
}
