//! What sensors measured.

use crate::sensors::Picture;
use crate::sensors::odometry::Track;

/// A measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// When, in seconds since the start.
    pub time: f64,
    /// What.
    pub value: Measured,
}

/// What a sensor measured; distances in metres, infinity where nothing came back.
#[derive(Clone, Debug, PartialEq)]
pub enum Measured {
    /// A laser scanner: one distance for every beam, in their order.
    Distances(Vec<f64>),
    /// Infrared or ultrasonic.
    Distance(f64),
    /// A light barrier that something is in; `None` if the measurement was lost.
    Broken(Option<bool>),
    /// A bumper: whether something touches; `None` if the measurement was lost.
    Touched(Option<bool>),
    /// A camera.
    Picture(Picture),
    /// Where the wheels say that the vehicle is, from where it stood at the start.
    Odometry(Track),
}
