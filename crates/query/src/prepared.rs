//! A shape together with what its queries need, made once.

use crate::surface::Surface;
use freiraum_geometry::math::rounding;
use freiraum_geometry::shape::{HalfSpace, Shape, Support};
use freiraum_geometry::{AxisBox, Pose, Vec3};
use std::sync::Arc;

/// A shape that questions can be asked of: bounding trees and neighbour tables are built here, once.
///
/// **Cost.** O(n log n) for meshes and height fields, O(n) for convex bodies, constant for primitives. Copies share
/// their data; sharing one `Prepared` between many placements is the intended use.
#[derive(Clone, Debug)]
pub struct Prepared {
    shape: Shape,
    bounds: Option<AxisBox>,
    extra: Extra,
}

/// What the shape itself does not hold.
#[derive(Clone, Debug)]
enum Extra {
    None,
    Surface(Arc<Surface>),
    Parts(Arc<[PreparedPart]>),
}

/// A prepared shape in its place within a compound.
#[derive(Clone, Debug)]
pub(crate) struct PreparedPart {
    pub(crate) compound_from_part: Pose,
    pub(crate) part: Prepared,
    /// In the frame of the compound; `None` for parts without end.
    pub(crate) bounds: Option<AxisBox>,
}

/// How a shape is treated when it meets another one.
pub(crate) enum Class<'s> {
    Convex(ConvexBody<'s>),
    HalfSpace(&'s HalfSpace),
    Surface(&'s Surface),
    Compound(&'s [PreparedPart]),
}

/// A convex body as a core, grown by a radius: spheres are points and capsules segments, which keeps their round
/// surface out of iterations.
#[derive(Clone, Copy)]
pub(crate) struct ConvexBody<'s> {
    pub(crate) shape: &'s Shape,
    pub(crate) core: Core<'s>,
    pub(crate) radius: f64,
    pub(crate) bounds: AxisBox,
}

/// The core of a [`ConvexBody`].
#[derive(Clone, Copy)]
pub(crate) enum Core<'s> {
    /// The origin.
    Point,
    /// A segment on the z axis, from minus to plus this z.
    Segment(f64),
    /// The body itself.
    Body(&'s dyn Support),
}

impl Support for Core<'_> {
    fn support(&self, direction: Vec3) -> Vec3 {
        match self {
            Core::Point => Vec3::ZERO,
            Core::Segment(half) => Vec3::new(0.0, 0.0, if direction.z < 0.0 { -half } else { *half }),
            Core::Body(body) => body.support(direction),
        }
    }
}

impl ConvexBody<'_> {
    /// The farthest point of the whole body, radius included, in a unit direction.
    pub(crate) fn support(&self, direction: Vec3) -> Vec3 {
        self.core.support(direction) + self.radius * direction
    }

    /// The largest absolute coordinate of the body in its own frame.
    pub(crate) fn reach(&self) -> f64 {
        self.bounds.reach()
    }
}

impl Prepared {
    /// Prepares a shape.
    pub fn new(shape: Shape) -> Prepared {
        let extra = match &shape {
            Shape::Mesh(mesh) => Extra::Surface(Arc::new(Surface::of_mesh(mesh))),
            Shape::HeightField(field) => Extra::Surface(Arc::new(Surface::of_height_field(field))),
            Shape::Compound(compound) => Extra::Parts(
                compound
                    .parts()
                    .iter()
                    .map(|p| PreparedPart {
                        compound_from_part: p.compound_from_part,
                        part: Prepared::new(p.shape.clone()),
                        bounds: p.shape.axis_box_placed(&p.compound_from_part),
                    })
                    .collect(),
            ),
            _ => Extra::None,
        };
        Prepared { bounds: shape.axis_box(), shape, extra }
    }

    /// The shape itself.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The box of the shape in its own frame; `None` if it has no end.
    pub fn bounds(&self) -> Option<AxisBox> {
        self.bounds
    }

    /// True if the shape, or a part of it, is a surface without inside: an open mesh or a height field. Bodies behind such
    /// a surface do not touch it.
    pub fn has_open_surface(&self) -> bool {
        match self.class() {
            Class::Surface(surface) => !surface.is_solid(),
            Class::Compound(parts) => parts.iter().any(|p| p.part.has_open_surface()),
            Class::Convex(_) | Class::HalfSpace(_) => false,
        }
    }

    pub(crate) fn class(&self) -> Class<'_> {
        match (&self.shape, &self.extra) {
            (Shape::HalfSpace(s), _) => Class::HalfSpace(s),
            (_, Extra::Surface(surface)) => Class::Surface(surface),
            (_, Extra::Parts(parts)) => Class::Compound(parts),
            (shape, Extra::None) => Class::Convex(ConvexBody {
                shape,
                core: match shape {
                    Shape::Sphere(_) => Core::Point,
                    Shape::Capsule(s) => Core::Segment(0.5 * s.height()),
                    Shape::Cuboid(s) => Core::Body(s),
                    Shape::Cylinder(s) => Core::Body(s),
                    Shape::Cone(s) => Core::Body(s),
                    Shape::Convex(s) => Core::Body(s),
                    Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => {
                        unreachable!("has extra data or is a half space")
                    }
                },
                radius: match shape {
                    Shape::Sphere(s) => s.radius(),
                    Shape::Capsule(s) => s.radius(),
                    _ => 0.0,
                },
                bounds: self.bounds.unwrap_or(AxisBox::EMPTY),
            }),
        }
    }

    /// The largest absolute coordinate of the shape in its own frame; zero for one without end.
    pub(crate) fn reach(&self) -> f64 {
        self.bounds.map_or(0.0, |b| b.reach())
    }
}

/// How far apart two bodies may be found although they touch: the rounding of their coordinates, when b is placed in
/// the frame of a. `reach_a`, `reach_b`: the largest absolute coordinate of each body in its own frame.
pub(crate) fn touch_slack(reach_a: f64, reach_b: f64, a_from_b: &Pose) -> f64 {
    // Rotation makes a coordinate at most √3 times as large.
    rounding::coordinate(reach_a + 2.0 * reach_b + a_from_b.translation().abs().max_element())
}
