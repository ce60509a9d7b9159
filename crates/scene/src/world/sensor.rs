//! What measures in a world.

use crate::Place;
use freiraum_geometry::Pose;

/// A sensor. Its frame: x looks forward, y left, z up.
#[derive(Clone, Debug)]
pub struct Sensor {
    /// Unique among sensors of the same mount.
    pub name: String,
    /// What it moves with.
    pub mount: Mount,
    /// Where it is on that.
    pub mount_from_sensor: Pose,
    /// What it is.
    pub kind: SensorKind,
    /// Measurements per second; 0 for one every step.
    pub rate: f64,
    /// What it does not see: numbers of bodies. It never sees what it is mounted on, unless `sees_itself`.
    pub blind_to: Vec<usize>,
    /// Vehicles that it does not see, with all their parts.
    pub blind_to_vehicles: Vec<usize>,
    /// True if it sees the vehicle or body that it is mounted on.
    pub sees_itself: bool,
    /// What is added to what it measures.
    pub noise: Noise,
    /// Where the file says so.
    pub place: Place,
}

/// What a sensor moves with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mount {
    /// It stands in the world.
    World,
    /// The body with this number.
    Body(usize),
    /// The vehicle with this number: its main body.
    Vehicle(usize),
}

/// What a sensor is. Ranges are in metres, angles in radians.
#[derive(Clone, Debug, PartialEq)]
pub enum SensorKind {
    /// Distances in many directions.
    Laser {
        /// Where the beams go.
        beams: Beams,
        /// Farthest distance; beyond it there is no return.
        range: f64,
        /// True to read them off a depth buffer, false to shoot rays.
        by_depth_buffer: bool,
    },
    /// The distance straight ahead.
    Infrared {
        /// Farthest distance.
        range: f64,
    },
    /// Whether anything is between here and the end.
    LightBarrier {
        /// Length of the beam.
        range: f64,
    },
    /// Whether anything touches what it is mounted on, from these directions.
    Bumper {
        /// Half of the angle about x from which touches count; a half turn for all.
        half_angle: f64,
    },
    /// A picture with depth.
    Camera {
        /// Pixels.
        size: [u32; 2],
        /// Angle over the width.
        field: f64,
        /// Farthest distance.
        range: f64,
    },
    /// The nearest distance within a cone.
    Ultrasonic {
        /// Half of the angle of the cone.
        half_angle: f64,
        /// Farthest distance.
        range: f64,
    },
    /// How far the wheels say that it went.
    Odometry,
}

impl SensorKind {
    /// True if it looks at a picture that is drawn of the world.
    pub fn is_drawn(&self) -> bool {
        matches!(self, SensorKind::Laser { by_depth_buffer: true, .. } | SensorKind::Camera { .. })
    }

    /// What files call it.
    pub fn name(&self) -> &'static str {
        match self {
            SensorKind::Laser { .. } => "laser",
            SensorKind::Infrared { .. } => "infrared",
            SensorKind::LightBarrier { .. } => "light barrier",
            SensorKind::Bumper { .. } => "bumper",
            SensorKind::Camera { .. } => "camera",
            SensorKind::Ultrasonic { .. } => "ultrasonic",
            SensorKind::Odometry => "odometry",
        }
    }
}

/// Where the beams of a laser scanner go, in the frame of the sensor.
#[derive(Clone, Debug, PartialEq)]
pub enum Beams {
    /// A grid as a camera sees it.
    Grid {
        /// Columns and rows.
        size: [u32; 2],
        /// Angle over the width and over the height.
        field: [f64; 2],
    },
    /// Rows at given heights, turned about z in even steps.
    Rows {
        /// Angle above the horizon of each row.
        elevations: Vec<f64>,
        /// Columns over a full turn or less.
        columns: u32,
        /// Angle that the columns cover, about straight ahead.
        field: f64,
    },
    /// The lasers of a real scanner, turned about z in even steps.
    Lasers {
        /// Where they start and go, in the order of their rows.
        lasers: Vec<Laser>,
        /// Columns over a full turn or less.
        columns: u32,
        /// Angle that the columns cover, about straight ahead.
        field: f64,
    },
}

/// One laser of a turning scanner, as its head points straight ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Laser {
    /// Angle above the horizon.
    pub elevation: f64,
    /// Angle to the left.
    pub azimuth: f64,
    /// How far the beam starts above the middle, square to the beam, in metres.
    pub up: f64,
    /// How far it starts to the left, in metres.
    pub left: f64,
}

/// What is added to a measurement; all of it follows from the seed of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// Standard deviation that does not depend on the distance, in the unit of the measurement.
    pub constant: f64,
    /// Standard deviation as a share of the measurement.
    pub relative: f64,
    /// Share of measurements that are lost.
    pub dropout: f64,
}
