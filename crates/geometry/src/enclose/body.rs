//! What the searches start from: the outer points, their scaling, and the true dimension of their hull.

use super::cull::outer_points;
use super::polytope::{Polytope, Scaling};
use crate::hull::{Hull, convex_hull};
use crate::math::{AxisBox, Vec3};

/// Points prepared for a search over directions.
pub(super) struct Body {
    /// All points that may be corners of the hull, in the frame and unit of the caller. What encloses these encloses
    /// all points: those left out lie inside by far more than rounding.
    pub(super) outer: Vec<Vec3>,
    pub(super) scaling: Scaling,
    pub(super) form: Form,
}

/// The form of the hull, in scaled coordinates. "Thin by rounding only" counts as flat and as a line: the thickness of
/// a turned flat part is noise and says nothing about a good volume.
pub(super) enum Form {
    Point,
    /// Unit direction.
    Line(Vec3),
    /// Unit normal and (at least) the corners.
    Plane(Vec3, Vec<Vec3>),
    Solid(Polytope),
}

impl Body {
    /// `None` if there are no points or a coordinate is not finite or too large.
    pub(super) fn of(points: &[Vec3]) -> Option<Body> {
        let outer = outer_points(points);
        let hull = convex_hull(&outer).ok()?;
        let scaling = Scaling::of(&AxisBox::of_points(&outer));
        let scaled = |i: &u32| scaling.apply(outer[*i as usize]);
        let form = match hull {
            Hull::Point(_) => Form::Point,
            Hull::Segment(ends) => line(&ends.each_ref().map(scaled)),
            Hull::Flat(flat) => Form::Plane(flat.normal, flat.outline.iter().map(scaled).collect()),
            Hull::Solid(solid) => of_solid(Polytope::of(&outer, &solid, &scaling)),
        };
        Some(Body { outer, scaling, form })
    }

    /// Some of the corners, in scaled coordinates, that stand for all in a first search.
    pub(super) fn core(&self, count: usize) -> Vec<Vec3> {
        match &self.form {
            Form::Solid(polytope) => {
                polytope.core(count).into_iter().map(|i| polytope.points[i as usize]).collect()
            }
            Form::Plane(_, corners) => {
                let step = corners.len().div_ceil(count).max(1);
                corners.iter().step_by(step).copied().collect()
            }
            Form::Line(_) | Form::Point => self.outer.iter().map(|&p| self.scaling.apply(p)).collect(),
        }
    }
}

fn line(ends: &[Vec3; 2]) -> Form {
    (ends[1] - ends[0]).try_normalize().map_or(Form::Point, Form::Line)
}

/// Sixty-four units in the last place of the largest coordinate: what turning and shifting a flat part leaves.
const NOISE: f64 = 64.0 * f64::EPSILON;

fn of_solid(polytope: Polytope) -> Form {
    let farthest_from = |origin: Vec3| {
        let distance = |p: &&Vec3| p.distance_squared(origin);
        polytope.points.iter().max_by(|p, q| distance(p).total_cmp(&distance(q))).copied().unwrap_or(origin)
    };
    let first = farthest_from(polytope.points[0]);
    let last = farthest_from(first);
    if let Form::Line(along) = line(&[first, last])
        && polytope.points.iter().all(|&p| (p - first).reject_from_normalized(along).length() <= NOISE)
    {
        return Form::Line(along);
    }
    let thinnest = polytope.large_facets(4).into_iter().map(|(normal, corner)| {
        (normal, polytope.support(normal, corner).1 + polytope.support(-normal, corner).1)
    });
    match thinnest.min_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((normal, thickness)) if thickness <= NOISE => Form::Plane(normal, polytope.points),
        _ => Form::Solid(polytope),
    }
}
