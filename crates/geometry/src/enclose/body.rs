//! What the searches start from: the corners of the hull, their scaling, and its true dimension.

use super::is_measurable;
use super::polytope::{Polytope, Scaling};
use crate::hull::{Hull, convex_hull};
use crate::math::{Aabb, Vec3};

/// Points prepared for a search over directions.
pub(super) struct Body {
    /// The corners of the hull, in the frame and unit of the caller. The hull is exact: what holds these in real
    /// numbers holds all points. What holds these as computed needs to be larger by twice the rounding: once for the
    /// corners, and once for the other points.
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
    /// `None` if there are no points or a coordinate is not finite or too large, or they differ too little.
    pub(super) fn of(points: &[Vec3]) -> Option<Body> {
        let hull = convex_hull(points).ok()?;
        if !is_measurable(&Aabb::of_points(points)) {
            return None;
        }
        let corners = match &hull {
            Hull::Point(corner) => std::slice::from_ref(corner),
            Hull::Segment(ends) => ends,
            Hull::Flat(flat) => &flat.outline,
            Hull::Solid(solid) => &solid.vertices,
        };
        let outer: Vec<Vec3> = corners.iter().map(|&i| points[i as usize]).collect();
        let scaling = Scaling::of(&Aabb::of_points(&outer));
        let scaled: Vec<Vec3> = outer.iter().map(|&p| scaling.apply(p)).collect();
        let form = match (thin_form(&scaled), hull) {
            (Some(form), _) => form,
            (None, Hull::Solid(solid)) => Form::Solid(Polytope::of(scaled, &solid)),
            (None, Hull::Flat(flat)) => Form::Plane(flat.normal, scaled),
            (None, Hull::Segment(_) | Hull::Point(_)) => Form::Point,
        };
        Some(Body { outer, scaling, form })
    }

    /// The points that a volume must be measured on: of a solid the corners. Of flat points all, because the volume may
    /// get a thickness of exactly zero, which leaves no room for the rounding of those that are no corners.
    pub(super) fn decisive<'p>(&'p self, points: &'p [Vec3]) -> &'p [Vec3] {
        if matches!(self.form, Form::Solid(_)) { &self.outer } else { points }
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

/// Sixty-four units in the last place of the largest coordinate: what turning and shifting a flat part leaves.
const NOISE: f64 = 64.0 * f64::EPSILON;

/// The form of corners that fill no volume, but for rounding.
fn thin_form(corners: &[Vec3]) -> Option<Form> {
    let farthest = |measure: &dyn Fn(Vec3) -> f64| {
        corners.iter().copied().max_by(|p, q| measure(*p).total_cmp(&measure(*q))).unwrap_or(Vec3::ZERO)
    };
    let first = farthest(&|p| p.distance_squared(corners[0]));
    let last = farthest(&|p| p.distance_squared(first));
    let Some(along) = (last - first).try_normalize() else { return Some(Form::Point) };
    // The corner farthest from the line spans the plane with it. Facet normals would not do: those of slivers may
    // point anywhere, while an error of this one only counts as much as the corners are away from the line.
    let across = |p: Vec3| (p - first).reject_from_normalized(along);
    let widest = across(farthest(&|p| across(p).length_squared()));
    if widest.length() <= NOISE {
        return Some(Form::Line(along));
    }
    let normal = along.cross(widest).try_normalize()?;
    let is_flat = corners.iter().all(|&p| normal.dot(p - first).abs() <= NOISE);
    is_flat.then(|| Form::Plane(normal, corners.to_vec()))
}
