//! Is one body inside another?
//!
//! A convex container is the set where a convex function is not positive: how far a point sticks out of it. That
//! function is largest over a body at one of the body's extreme points, so those decide: corners, the two centres
//! of a capsule, the rims of cylinders and cones.

use crate::distance::half_space::placed;
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::{HalfSpace, Shape, Support};
use freiraum_geometry::{Pose, Vec3};
use std::f64::consts::TAU;

/// By how many metres a point sticks out of a solid at most, measured along outward normals of its faces or sides:
/// zero on the surface, negative inside. Always a convex function of the point.
pub(crate) struct Sticking<'s> {
    container: &'s Shape,
}

impl<'s> Sticking<'s> {
    /// `None` for what is not convex.
    pub(crate) fn out_of(container: &'s Shape) -> Option<Sticking<'s>> {
        match container {
            Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => None,
            _ => Some(Sticking { container }),
        }
    }

    fn of_point(&self, p: Vec3) -> f64 {
        match self.container {
            Shape::Sphere(s) => p.length() - s.radius(),
            Shape::Capsule(s) => {
                let beyond = (p.z.abs() - 0.5 * s.height()).max(0.0);
                p.with_z(beyond).length() - s.radius()
            }
            Shape::Cuboid(s) => (p.abs() - s.half()).max_element(),
            Shape::Cylinder(s) => (p.truncate().length() - s.radius()).max(p.z.abs() - 0.5 * s.height()),
            Shape::Cone(s) => {
                let slant = s.height().hypot(s.radius());
                let over = p.z - 0.5 * s.height();
                let side = (s.height() * p.truncate().length() + s.radius() * over) / slant;
                side.max(-0.5 * s.height() - p.z)
            }
            Shape::HalfSpace(s) => s.normal().dot(p) - s.offset(),
            Shape::Convex(s) => s
                .surface()
                .triangles()
                .filter_map(|[a, b, c]| Some(unit((b - a).cross(c - a))?.dot(p - a)))
                .fold(f64::NEG_INFINITY, f64::max),
            Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => f64::INFINITY,
        }
    }

    /// The largest value over points.
    pub(crate) fn of_points(&self, points: impl Iterator<Item = Vec3>, container_from_points: &Pose) -> f64 {
        points
            .map(|p| self.of_point(container_from_points.transform_point(p)))
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// The largest value over a body, placed in the frame of the container. Infinite for a body without end, which fits
    /// only into a half space; that case is not decided here.
    pub(crate) fn of_body(&self, body: &Shape, container_from_body: &Pose) -> f64 {
        let at = |p: Vec3| self.of_point(container_from_body.transform_point(p));
        let most = |points: &mut dyn Iterator<Item = Vec3>| self.of_points(points, container_from_body);
        if let (Shape::Convex(container), Some(convex)) = (self.container, body.as_convex()) {
            // Face by face with the support of the body: fewer points than all faces times all corners.
            let body_from_container = container_from_body.inverse();
            return container
                .surface()
                .triangles()
                .filter_map(|[a, b, c]| {
                    let normal = unit((b - a).cross(c - a))?;
                    let farthest = convex.support(body_from_container.rotate(normal));
                    Some(normal.dot(container_from_body.transform_point(farthest) - a))
                })
                .fold(f64::NEG_INFINITY, f64::max);
        }
        match body {
            Shape::Sphere(s) => at(Vec3::ZERO) + s.radius(),
            Shape::Capsule(s) => {
                let half = 0.5 * s.height();
                at(Vec3::new(0.0, 0.0, half)).max(at(Vec3::new(0.0, 0.0, -half))) + s.radius()
            }
            Shape::Cuboid(s) => most(&mut (0..8).map(|code| {
                let sign = |bit: u32| if code >> bit & 1 == 1 { 1.0 } else { -1.0 };
                s.half() * Vec3::new(sign(0), sign(1), sign(2))
            })),
            Shape::Cylinder(s) => {
                let rim = |z: f64| self.of_rim(s.radius(), z, container_from_body);
                rim(0.5 * s.height()).max(rim(-0.5 * s.height()))
            }
            Shape::Cone(s) => {
                let tip = at(Vec3::new(0.0, 0.0, 0.5 * s.height()));
                tip.max(self.of_rim(s.radius(), -0.5 * s.height(), container_from_body))
            }
            Shape::Convex(s) => most(&mut s.vertices().iter().copied()),
            Shape::Mesh(s) => most(&mut s.triangles().flatten()),
            // Without end, or answered part by part.
            Shape::HalfSpace(_) | Shape::HeightField(_) | Shape::Compound(_) => f64::INFINITY,
        }
    }

    /// The largest value on a circle about z. Against flat sides in closed form; otherwise by search: round the circle
    /// the function has few waves, each of which is bracketed and narrowed down.
    fn of_rim(&self, radius: f64, z: f64, container_from_body: &Pose) -> f64 {
        let rim = Rim { radius, z };
        let farthest = |normal: Vec3, offset: f64| {
            let direction = container_from_body.inverse().rotate(normal);
            normal.dot(container_from_body.transform_point(rim.support(direction))) - offset
        };
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        match self.container {
            Shape::Cuboid(s) => axes
                .iter()
                .flat_map(|&e| [farthest(e, s.half().dot(e)), farthest(-e, s.half().dot(e))])
                .fold(f64::NEG_INFINITY, f64::max),
            Shape::HalfSpace(s) => farthest(s.normal(), s.offset()),
            _ => largest_round(|angle| {
                let p = Vec3::new(radius * angle.cos(), radius * angle.sin(), z);
                self.of_point(container_from_body.transform_point(p))
            }),
        }
    }
}

/// A circle about the z axis.
struct Rim {
    radius: f64,
    z: f64,
}

impl Support for Rim {
    fn support(&self, direction: Vec3) -> Vec3 {
        (self.radius * unit(direction.with_z(0.0)).unwrap_or(Vec3::X)).with_z(self.z)
    }
}

/// The largest value of a function of an angle with few waves: samples, then golden sections around the best of them.
fn largest_round(f: impl Fn(f64) -> f64) -> f64 {
    const SAMPLES: usize = 48;
    let step = TAU / SAMPLES as f64;
    let values: [f64; SAMPLES] = std::array::from_fn(|i| f(i as f64 * step));
    let mut largest = f64::NEG_INFINITY;
    for i in 0..SAMPLES {
        let (before, here, after) =
            (values[(i + SAMPLES - 1) % SAMPLES], values[i], values[(i + 1) % SAMPLES]);
        if here >= before && here >= after {
            let (mut low, mut high) = ((i as f64 - 1.0) * step, (i as f64 + 1.0) * step);
            // Forty sections bring the bracket to 1e-9 of its width, and the value, flat at the top, to rounding.
            for _ in 0..40 {
                const GOLDEN: f64 = 0.381_966_011_250_105_1;
                let (p, q) = (low + GOLDEN * (high - low), high - GOLDEN * (high - low));
                if f(p) >= f(q) {
                    high = q;
                } else {
                    low = p;
                }
            }
            largest = largest.max(here).max(f(0.5 * (low + high)));
        }
    }
    largest
}

/// True if the inner half space lies in the outer one: only if they look the same way, up to the rounding of a rotation.
pub(crate) fn half_space_inside(
    inner: &HalfSpace,
    outer: &HalfSpace,
    outer_from_inner: &Pose,
    slack: f64,
) -> bool {
    let (up, offset) = placed(inner, outer_from_inner);
    (up - outer.normal()).length() <= 8.0 * f64::EPSILON && offset <= outer.offset() + slack
}
