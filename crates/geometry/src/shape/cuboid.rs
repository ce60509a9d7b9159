//! The box, called cuboid here because `Box` is taken.

use super::error::check_length;
use super::tessellation::Builder;
use super::{ShapeError, Support};
use crate::{Aabb, MassProperties, Mat3, Mesh, Vec3};

/// A solid box with edges along the axes of its frame, centred at the origin. Files call it `box`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    half: Vec3,
}

impl Cuboid {
    /// A box with the given full edge lengths in metres, all positive.
    pub fn new(size: Vec3) -> Result<Cuboid, ShapeError> {
        check_length("box size along x", size.x)?;
        check_length("box size along y", size.y)?;
        check_length("box size along z", size.z)?;
        Ok(Cuboid { half: 0.5 * size })
    }

    /// The full edge lengths in metres.
    pub fn size(&self) -> Vec3 {
        2.0 * self.half
    }

    /// Half the edge lengths in metres: the corner with positive coordinates.
    pub fn half(&self) -> Vec3 {
        self.half
    }

    /// The box itself, exact.
    pub fn aabb(&self) -> Aabb {
        Aabb { min: -self.half, max: self.half }
    }

    /// True if `point` lies in the closed box; exact.
    pub fn contains(&self, point: Vec3) -> bool {
        point.abs().cmple(self.half).all()
    }

    /// Surface area in square metres.
    pub fn area(&self) -> f64 {
        let h = self.half;
        8.0 * (h.x * h.y + h.y * h.z + h.z * h.x)
    }

    /// Volume, centre and inertia in closed form.
    pub fn mass_properties(&self) -> MassProperties {
        let h = self.half;
        let volume = 8.0 * h.x * h.y * h.z;
        let square = h * h;
        let moments = Vec3::new(square.y + square.z, square.z + square.x, square.x + square.y);
        MassProperties { volume, centroid: Vec3::ZERO, inertia: Mat3::from_diagonal(volume / 3.0 * moments) }
    }

    /// Twelve triangles, exact.
    pub(super) fn mesh(&self) -> Mesh {
        // Bit 0, 1, 2 of a corner's number: the positive side of x, y, z.
        let sign = |bit: usize| if bit != 0 { 1.0 } else { -1.0 };
        let corner = |i: usize| self.half * Vec3::new(sign(i & 1), sign(i & 2), sign(i & 4));
        let mut mesh = Builder { vertices: (0..8).map(corner).collect(), ..Builder::default() };
        for [a, b, c, d] in
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
        {
            mesh.face([a, b, c]);
            mesh.face([a, c, d]);
        }
        mesh.finish()
    }
}

impl Support for Cuboid {
    fn support(&self, direction: Vec3) -> Vec3 {
        Vec3::select(direction.cmplt(Vec3::ZERO), -self.half, self.half)
    }
}
