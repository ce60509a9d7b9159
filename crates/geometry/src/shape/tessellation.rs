//! Triangles for round shapes, and the proof that they stay close.
//!
//! All vertices lie on the true surface, so that the triangles of a convex body lie inside it and its volume is never
//! overstated. How close they come:
//!
//! - *Circles.* A chord that spans the angle 2a stays within r (1 - cos a) of its arc, and the arc of the chord.
//! - *Spheres.* If the three corners of a triangle are seen from the centre of the sphere within an angle a of one
//!   direction c, then every point p of the triangle has |p| >= p.c >= r cos a, so that triangle and sphere are
//!   within r (1 - cos a) of each other along every ray from the centre. See `icosphere` for the angle a.

use crate::math::rounding;
use crate::{Mesh, Vec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The largest number of triangles that tessellation makes; what would need more is refused.
pub const MAX_TRIANGLES: usize = 10_000_000;

/// Why a shape has no tessellation with the wanted deviation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TessellationError {
    /// The deviation is not a length.
    #[error("maximal deviation is {0} m; expected a positive finite length")]
    BadDeviation(f64),
    /// A half space goes on for ever.
    #[error("a plane (half space) has no end and cannot be made of triangles")]
    Unbounded,
    /// The deviation is smaller than the rounding of coordinates of this size.
    #[error(
        "maximal deviation is {max_deviation:e} m, but coordinates of this size are rounded by {rounding:e} m"
    )]
    BelowRounding {
        /// What was asked for, in metres.
        max_deviation: f64,
        /// What coordinates of this size can be off, in metres.
        rounding: f64,
    },
    /// The deviation needs more triangles than [`MAX_TRIANGLES`].
    #[error(
        "maximal deviation of {max_deviation:e} m needs more than {MAX_TRIANGLES} triangles; allow a larger one"
    )]
    TooManyTriangles {
        /// What was asked for, in metres.
        max_deviation: f64,
    },
}

/// How fine: passed down to every part of a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fineness {
    /// Maximal deviation that the caller asked for, in metres; for messages.
    pub(super) asked: f64,
    /// What is left of it, in metres, positive.
    pub(super) left: f64,
}

impl Fineness {
    /// What is left for the geometry when coordinates up to `reach` are rounded.
    pub(super) fn without_rounding(&self, reach: f64) -> Result<Fineness, TessellationError> {
        let rounding = rounding::coordinate(reach);
        let left = self.left - rounding;
        let error = TessellationError::BelowRounding { max_deviation: self.asked, rounding };
        if left > 0.0 { Ok(Fineness { left, ..*self }) } else { Err(error) }
    }
}

/// Half the angle of an arc that is `deviation` away from its chord, on a circle of radius `radius`; pi/2 at most.
pub(super) fn half_angle(radius: f64, deviation: f64) -> f64 {
    // deviation = r (1 - cos a) = 2 r sin²(a / 2); the arc cosine would lose half of the digits.
    let a = 2.0 * (0.5 * deviation / radius).min(1.0).sqrt().asin();
    a.min(FRAC_PI_2)
}

/// The number of chords, at least three, that keeps a circle within `deviation`; a whole number.
pub(super) fn circle_segments(radius: f64, deviation: f64) -> f64 {
    (PI / half_angle(radius, deviation)).ceil().max(3.0)
}

/// A mesh in the making.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) vertices: Vec<Vec3>,
    pub(super) faces: Vec<[u32; 3]>,
}

impl Builder {
    /// Appends a ring of `count` points about the z axis at height `z`, counter-clockwise seen from above.
    pub(super) fn ring(&mut self, radius: f64, z: f64, count: usize) {
        self.vertices.extend((0..count).map(|i| {
            let (sin, cos) = (TAU * i as f64 / count as f64).sin_cos();
            Vec3::new(radius * cos, radius * sin, z)
        }));
    }

    /// Closes the ring of `count` vertices from `first` on, its outside being above.
    pub(super) fn polygon(&mut self, first: usize, count: usize) {
        // Halving arcs gives fewer slivers than a fan, and as few triangles.
        let (a, b) = (count / 3, 2 * count / 3);
        self.face([first, first + a, first + b]);
        let mut arcs = vec![(0, a), (a, b), (b, count)];
        while let Some((from, to)) = arcs.pop() {
            if to - from > 1 {
                let middle = (from + to) / 2;
                self.face([first + from, first + middle, first + to % count]);
                arcs.push((from, middle));
                arcs.push((middle, to));
            }
        }
    }

    /// Closes the ring of `count` vertices from `first` on, its outside being below.
    pub(super) fn polygon_from_below(&mut self, first: usize, count: usize) {
        let start = self.faces.len();
        self.polygon(first, count);
        self.faces[start..].iter_mut().for_each(|face| face.swap(1, 2));
    }

    /// Joins an upper and a lower ring of `count` vertices each, the outside being away from the axis.
    pub(super) fn band(&mut self, upper: usize, lower: usize, count: usize) {
        for i in 0..count {
            let next = (i + 1) % count;
            self.face([upper + i, lower + i, upper + next]);
            self.face([lower + i, lower + next, upper + next]);
        }
    }

    /// Appends one triangle.
    pub(super) fn face(&mut self, corners: [usize; 3]) {
        // Indices fit: triangles are counted before they are made, and limited far below 32 bits.
        self.faces.push(corners.map(|i| i as u32));
    }

    /// The finished mesh.
    pub(super) fn finish(self) -> Mesh {
        Mesh::new(self.vertices, self.faces).expect("shapes hold only sizes whose vertices make a mesh")
    }
}
