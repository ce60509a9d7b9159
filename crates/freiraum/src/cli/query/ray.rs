//! The ray question of the contract.

use super::super::Failure;
use super::question::{Found, Kind, Placed, not_there};
use freiraum::geometry::Vec3;

/// A ray in world coordinates as it was written.
pub(super) struct RayText {
    pub(super) origin: Vec3,
    pub(super) direction: Vec3,
    /// In metres; `None`: without end.
    pub(super) max: Option<f64>,
}

pub(super) fn ask_ray(_a: &Placed, _ray: &RayText) -> Result<Found, Failure> {
    Err(not_there(Kind::Ray))
}
