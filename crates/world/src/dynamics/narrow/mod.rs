//! Where two shapes touch or nearly do: up to four points with one normal.
//!
//! Balls, boxes, half spaces, and cylinders on the latter two have closed forms here; all other pairs ask `freiraum_query`.

mod clearance;
mod clip;
mod cuboid_cuboid;
mod cylinder;
mod general;
mod half_space;
mod probe;
mod ridge;
mod sphere;
mod surface;

pub use clearance::Clearance;
pub(crate) use clearance::clearance;
use ridge::Ridges;
pub(crate) use ridge::ridges;
pub(crate) use surface::{Surfaces, convex_surface, surface_any};

use freiraum_geometry::{Mat3, Pose, Quat, Shape, Vec3};
use freiraum_query::{Prepared, QueryError};

/// How many points a contact has at most. Four hold a face in place; more only cost.
pub(crate) const MOST_POINTS: usize = 4;

/// What a shape is for the narrow phase; the order is that of the pair functions.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Sphere {
        radius: f64,
    },
    Cuboid {
        half: Vec3,
    },
    /// Any other convex shape.
    Convex,
    /// A mesh or a height field.
    Surface {
        ridges: Ridges,
    },
    HalfSpace {
        normal: Vec3,
        offset: f64,
    },
}

impl Form {
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Form::Sphere { .. } => 0,
            Form::Cuboid { .. } => 1,
            Form::Convex => 2,
            Form::Surface { .. } => 3,
            Form::HalfSpace { .. } => 4,
        }
    }
}

/// A shape in its place in the world.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Placed {
    pub(crate) axes: Mat3,
    pub(crate) position: Vec3,
    pub(crate) rotation: Quat,
}

impl Placed {
    pub(crate) fn pose(&self) -> Pose {
        Pose::new(self.rotation, self.position).unwrap_or(Pose::IDENTITY)
    }
}

/// A point of contact, half way between the two surfaces along the normal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Found {
    pub(crate) at: Vec3,
    /// Signed distance of the surfaces, negative in overlap.
    pub(crate) separation: f64,
    /// Which features meet; 0 where that is not known, and the nearest old point is taken for the same.
    pub(crate) feature: u32,
}

/// All points of contact of two shapes, with one normal from a to b.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Touch {
    pub(crate) normal: Vec3,
    pub(crate) count: usize,
    pub(crate) points: [Found; MOST_POINTS],
    /// Found for so little that the points are not worth to be kept for a while.
    pub(crate) is_cheap: bool,
}

impl Touch {
    pub(crate) const NONE: Touch = Touch {
        normal: Vec3::ZERO,
        count: 0,
        points: [Found { at: Vec3::ZERO, separation: 0.0, feature: 0 }; MOST_POINTS],
        is_cheap: false,
    };

    fn single(normal: Vec3, at: Vec3, separation: f64, feature: u32) -> Touch {
        let mut touch = Touch { normal, count: 1, ..Touch::NONE };
        touch.points[0] = Found { at, separation, feature };
        touch
    }

    /// The same seen from the other side.
    fn swapped(mut self) -> Touch {
        self.normal = -self.normal;
        self
    }

    /// The least separation.
    pub(crate) fn nearest(&self) -> f64 {
        self.points[..self.count].iter().map(|p| p.separation).fold(f64::INFINITY, f64::min)
    }
}

/// One side of a pair.
pub(crate) struct Side<'s> {
    pub(crate) form: &'s Form,
    pub(crate) shape: &'s Prepared,
    pub(crate) placed: &'s Placed,
}

/// What is remembered of a pair between two evaluations, to be faster the next time. It never changes the answer but for which of two equally
/// good reference faces is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hint(pub(crate) u8);

/// What was found of a pair.
pub(crate) enum Outcome {
    /// Points that are at most the margin apart; at least one.
    Touching(Touch),
    /// Farther apart than the margin: by at least this much.
    Apart(f64),
    /// It could not be found.
    Failed(QueryError),
}

/// Evaluates one pair without a mesh or height field, a of no higher rank than b.
///
/// **Guarantee.** Deepest or nearest points within `margin` are among the answer.
pub(crate) fn evaluate(a: &Side, b: &Side, margin: f64, hint: &mut Hint) -> Outcome {
    match (a.form, b.form) {
        (Form::Sphere { radius: ra }, Form::Sphere { radius: rb }) => {
            sphere::sphere_sphere(a.placed.position, *ra, b.placed.position, *rb, margin)
        }
        (Form::Sphere { radius }, Form::Cuboid { half }) => {
            sphere::sphere_cuboid(a.placed.position, *radius, b.placed, *half, margin)
        }
        (Form::Sphere { radius }, Form::HalfSpace { normal, offset }) => {
            half_space::sphere_half_space(a.placed.position, *radius, b.placed, *normal, *offset, margin)
        }
        (Form::Cuboid { half: ha }, Form::Cuboid { half: hb }) => {
            cuboid_cuboid::cuboid_cuboid(a.placed, *ha, b.placed, *hb, margin, hint)
        }
        (Form::Cuboid { half }, Form::HalfSpace { normal, offset }) => {
            half_space::cuboid_half_space(a.placed, *half, b.placed, *normal, *offset, margin)
        }
        (Form::Cuboid { half }, Form::Convex) => match b.shape.shape() {
            Shape::Cylinder(it) => cylinder::cylinder_cuboid(a.placed, *half, b.placed, it, margin),
            _ => None,
        }
        .unwrap_or_else(|| general::convex_any(a, b, margin)),
        (Form::HalfSpace { .. }, Form::HalfSpace { .. }) => Outcome::Apart(f64::INFINITY),
        (Form::Convex, Form::HalfSpace { normal, offset }) => match a.shape.shape() {
            Shape::Cylinder(it) => {
                cylinder::cylinder_half_space(a.placed, it, b.placed, *normal, *offset, margin)
            }
            _ => general::convex_any(a, b, margin),
        },
        _ => general::convex_any(a, b, margin),
    }
}

/// Whether a pair costs so little to evaluate that points are not worth to be kept for a while.
pub(crate) fn is_cheap(a: &Form, b: &Form, shape_of_a: &Shape) -> bool {
    match (a, b) {
        (Form::Sphere { .. }, Form::Sphere { .. } | Form::Cuboid { .. } | Form::HalfSpace { .. }) => true,
        (Form::Convex, Form::HalfSpace { .. }) => matches!(shape_of_a, Shape::Cylinder(_)),
        _ => false,
    }
}
