//! How a surface changes its form: twist, bend, wobble, inflate.
//!
//! All refer to a [`Frame`]: the middle of the rest form's box, an axis, and half its length along it. With x along the axis from
//! the middle, h half the length, and (u, v) the other two coordinates so that (u, v, x) is right-handed:
//!
//! - **twist** by θ turns (u, v) by θ x / 2h: the ends are turned by θ against each other. Volumes are kept; it is undone by -θ.
//! - **bend** by θ makes the axis an arc of angle θ towards +u, with k = θ / 2h its curvature and φ = k x:
//!   x' = (1/k - u) sin φ, u' = 1/k - (1/k - u) cos φ. Lengths on the axis are kept; volumes change by 1 - k u.
//! - **wobble** lets the axis meander in the plane of x and u: its direction at x is turned by w = A sin(π n x / h + φ) towards
//!   +u. Lengths on the axis are kept; volumes change by 1 - u dw/dx.
//! - **inflate** by d moves every vertex by d along its normal.
//!
//! Bends beyond a full turn and wobbles with A above some 2 run into themselves; twists and wobbles of a smooth body alone
//! never tear. Where 1 - k u is below 0, the body is turned inside out.

mod normals;
mod wobble;

pub use normals::vertex_normals;

use freiraum_geometry::{Aabb, Vec3};
use std::f64::consts::TAU;

/// A change of form, with its amplitude. At amplitude 0 nothing changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deformation {
    /// Turns the ends against each other.
    Twist {
        /// Radians from end to end.
        angle: f64,
    },
    /// Makes the axis an arc.
    Bend {
        /// Radians from end to end.
        angle: f64,
    },
    /// Makes the axis meander.
    Wobble {
        /// Largest turn of the axis in radians.
        angle: f64,
        /// Waves from end to end.
        waves: f64,
        /// Radians by which the wave has run towards -x.
        phase: f64,
    },
    /// Moves all vertices along their normals.
    Inflate {
        /// Metres; negative shrinks.
        distance: f64,
    },
}

/// What deformations refer to, in the frame of the vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Stays where it is in a twist and a bend.
    pub centre: Vec3,
    /// 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// Metres, above 0.
    pub half_length: f64,
}

impl Frame {
    /// The frame of the box around the vertices, along the given axis or the longest edge of the box; `None` without vertices, or
    /// where they have no extent along it.
    #[must_use]
    pub fn of(vertices: &[Vec3], axis: Option<usize>) -> Option<Frame> {
        let bounds = Aabb::of_points(vertices);
        let size = bounds.size();
        let longest = if size.x >= size.y.max(size.z) {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let axis = axis.filter(|&a| a < 3).unwrap_or(longest);
        let half_length = 0.5 * size[axis];
        (half_length > 0.0 && half_length.is_finite()).then_some(Frame {
            centre: bounds.center(),
            axis,
            half_length,
        })
    }

    /// (u, v, x) of a point.
    fn local(&self, p: Vec3) -> Vec3 {
        let d = p - self.centre;
        Vec3::new(d[(self.axis + 1) % 3], d[(self.axis + 2) % 3], d[self.axis])
    }

    /// The point of (u, v, x).
    fn point(&self, local: Vec3) -> Vec3 {
        let mut d = Vec3::ZERO;
        d[(self.axis + 1) % 3] = local.x;
        d[(self.axis + 2) % 3] = local.y;
        d[self.axis] = local.z;
        self.centre + d
    }
}

impl Deformation {
    /// The same with `share` times the amplitude.
    #[must_use]
    pub fn scaled(self, share: f64) -> Deformation {
        match self {
            Deformation::Twist { angle } => Deformation::Twist { angle: share * angle },
            Deformation::Bend { angle } => Deformation::Bend { angle: share * angle },
            Deformation::Wobble { angle, waves, phase } => {
                Deformation::Wobble { angle: share * angle, waves, phase }
            }
            Deformation::Inflate { distance } => Deformation::Inflate { distance: share * distance },
        }
    }

    /// What it is at a time: the amplitude swings like sin(2π t / period), and a wobble runs by one wave per period at full
    /// amplitude.
    #[must_use]
    pub fn at(self, seconds: f64, period: f64) -> Deformation {
        let turn = TAU * seconds / period;
        match self {
            Deformation::Wobble { angle, waves, phase } => {
                Deformation::Wobble { angle, waves, phase: phase + turn }
            }
            other => other.scaled(turn.sin()),
        }
    }

    /// Writes the deformed vertices of `rest` to `out`; faces are looked at by `Inflate` only.
    ///
    /// **Frames.** As the vertices. **Cost.** One sine and cosine a vertex; no allocation.
    ///
    /// # Panics
    /// If `out` is not as long as `rest`, or a face names a vertex that is not there.
    pub fn apply(&self, frame: &Frame, rest: &[Vec3], faces: &[[u32; 3]], out: &mut [Vec3]) {
        assert_eq!(rest.len(), out.len(), "one place per vertex");
        match *self {
            Deformation::Twist { angle } => {
                each(frame, rest, out, |p| twist(angle / (2.0 * frame.half_length), p))
            }
            Deformation::Bend { angle } => {
                each(frame, rest, out, |p| bend(angle / (2.0 * frame.half_length), p))
            }
            Deformation::Wobble { angle, waves, phase } => {
                let reach = frame.half_length;
                let line = wobble::Meander::new(reach, angle, waves, phase);
                each(frame, rest, out, |p| line.bend(p));
            }
            Deformation::Inflate { distance } => {
                vertex_normals(rest, faces, out);
                for (place, &p) in out.iter_mut().zip(rest) {
                    *place = p + distance * *place;
                }
            }
        }
    }
}

fn each(frame: &Frame, rest: &[Vec3], out: &mut [Vec3], map: impl Fn(Vec3) -> Vec3) {
    for (place, &p) in out.iter_mut().zip(rest) {
        *place = frame.point(map(frame.local(p)));
    }
}

/// `rate` in radians per metre; local coordinates (u, v, x).
fn twist(rate: f64, p: Vec3) -> Vec3 {
    let (sin, cos) = (rate * p.z).sin_cos();
    Vec3::new(cos * p.x - sin * p.y, sin * p.x + cos * p.y, p.z)
}

/// `curvature` per metre; local coordinates (u, v, x).
fn bend(curvature: f64, p: Vec3) -> Vec3 {
    let turn = curvature * p.z;
    let (sin, cos) = turn.sin_cos();
    // sin φ / k = x sinc φ and (1 - cos φ) / k = x φ/2 sinc² φ/2 have no division by a curvature of 0.
    let half = sinc(0.5 * turn);
    Vec3::new(p.x * cos + p.z * 0.5 * turn * half * half, p.y, p.z * sinc(turn) - p.x * sin)
}

/// sin x / x, 1 at 0.
fn sinc(x: f64) -> f64 {
    // Below this x²/6 is less than half a unit in the last place of 1.
    if x.abs() < f64::EPSILON.sqrt() { 1.0 } else { x.sin() / x }
}
