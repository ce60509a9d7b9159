//! The half space under a plane.

use super::ShapeError;
use crate::Vec3;
use crate::math::unit;
use crate::tolerance::MAX_COORDINATE;

/// Everything on and below a plane: the points x with `dot(normal, x) <= offset`. Files call it `plane`.
///
/// It has no end: no box, no volume, no triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    normal: Vec3,
    offset: f64,
}

impl HalfSpace {
    /// The half space below the plane with the given outward normal, of any non-zero length, and the given distance
    /// from the origin along it, in metres (not in lengths of the normal; negative where the origin is outside).
    pub fn new(normal: Vec3, offset: f64) -> Result<HalfSpace, ShapeError> {
        let unit_normal = unit(normal).ok_or(ShapeError::BadNormal(normal))?;
        if !(-MAX_COORDINATE..=MAX_COORDINATE).contains(&offset) {
            return Err(ShapeError::BadCoordinate { what: "plane offset".to_string(), value: offset });
        }
        Ok(HalfSpace { normal: unit_normal, offset })
    }

    /// The unit normal, which points out of the solid.
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// The signed distance of the plane from the origin along the normal, in metres.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// True if `point` lies on or below the plane; within rounding of it it may be either.
    pub fn contains(&self, point: Vec3) -> bool {
        self.normal.dot(point) <= self.offset
    }
}
