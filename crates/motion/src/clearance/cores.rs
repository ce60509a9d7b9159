//! How close two cores come: the search through both trees, most promising parts first.

use super::triangles_rotating::{Least, Wanted, least_rotating};
use super::triangles_translating::least_translating;
use crate::chart::{Chart, ChartBox, RotationChart, TranslationChart};
use crate::descend::{Side, best_first};
use crate::movable::Core;
use crate::path::Axis;
use crate::relative::RelativeMotion;
use crate::sweep::MotionWorkspace;
use freiraum_geometry::math::rounding;
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::elementary::triangle_triangle;
use freiraum_query::mesh_tree::MeshTree;
use std::f64::consts::{PI, TAU};

/// What a search is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// Only distances below this are of interest.
    pub(super) below: f64,
    /// The share of the distance by which the least one may be missed.
    pub(super) relative: f64,
    /// True if the first distance below is enough.
    pub(super) any: bool,
}

/// The least distance of two pieces during a stretch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach {
    /// In metres, 0 where they touch.
    pub(super) distance: f64,
    /// The true least distance is not below this.
    pub(super) lower: f64,
    /// When, as a share of the stretch.
    pub(super) share: f64,
    /// The nearest points then, in the frame of the first.
    pub(super) points: [Vec3; 2],
}

/// The least distance of two cores during a translation or rotation, if it is below the goal.
///
/// **Frames.** Those of the first core. **Guarantee.** As [`Approach`]; `None` is proven up to the wanted share and rounding.
pub(super) fn cores_approach(
    a: &Core,
    b: &Core,
    a_from_b: &Pose,
    motion: &RelativeMotion,
    goal: &Goal,
    memory: &mut MotionWorkspace,
) -> Option<Approach> {
    let radius = a.radius + b.radius;
    let mut best = Best { goal: *goal, radius, slack: 0.0, least: None, lower: f64::INFINITY, pair: [0; 2] };
    match motion {
        RelativeMotion::Still | RelativeMotion::General => return None,
        RelativeMotion::Translation(by) => translating(&a.tree, &b.tree, a_from_b, *by, &mut best, memory),
        RelativeMotion::Rotation { axis, angle } => {
            rotating(&a.tree, &b.tree, a_from_b, axis, *angle, &mut best, memory);
        }
    }
    let least = best.least?;
    let then = motion.apply(least.at, a_from_b);
    let [i, j] = best.pair;
    let on_b = b.tree.triangles()[j as usize].map(|p| then.transform_point(p));
    let near = triangle_triangle(a.tree.triangles()[i as usize], on_b);
    let (p, q) = (near.point_on_a, near.point_on_b);
    // The surfaces are a radius towards the other core.
    let points = match (q - p).try_normalize() {
        Some(n) if least.distance > 0.0 => [p + a.radius * n, q - b.radius * n],
        Some(n) => [p + a.radius.min(near.distance()) * n; 2],
        None => [p; 2],
    };
    Some(Approach { distance: least.distance, lower: best.lower.min(least.lower), share: least.at, points })
}

/// The closest pair so far; distances are those of the surfaces, radius taken off.
struct Best {
    goal: Goal,
    radius: f64,
    slack: f64,
    least: Option<Least>,
    lower: f64,
    pair: [u32; 2],
}

impl Best {
    /// Distances of cores that matter are below this.
    fn below(&self) -> f64 {
        self.least.map_or(self.goal.below, |least| least.distance) + self.radius
    }

    fn wanted(&self) -> Wanted {
        let below = self.below();
        // The share is meant of the distance of the surfaces.
        let relative = self.goal.relative * ((below - self.radius) / below);
        Wanted { below, relative, slack: self.slack, contact: self.radius }
    }

    /// Takes note of a pair, and gives the bound below which parts are still of interest.
    fn offer(&mut self, found: Option<Least>, pair: [u32; 2]) -> f64 {
        if let Some(found) = found {
            let mut distance = found.distance - self.radius;
            if distance <= 2.0 * self.slack {
                distance = 0.0;
            }
            self.lower = self.lower.min((found.lower - self.radius).max(0.0));
            if self.least.is_none_or(|least| distance < least.distance) {
                self.least = Some(Least { distance, lower: found.lower - self.radius, at: found.at });
                self.pair = pair;
            }
        }
        self.limit()
    }

    fn limit(&self) -> f64 {
        match self.least {
            Some(least) if self.goal.any || least.distance == 0.0 => f64::NEG_INFINITY,
            Some(least) => least.distance * (1.0 - self.goal.relative),
            None => self.goal.below,
        }
    }
}

fn translating(
    a: &MeshTree,
    b: &MeshTree,
    a_from_b: &Pose,
    by: Vec3,
    best: &mut Best,
    memory: &mut MotionWorkspace,
) {
    let length = by.length();
    let slack = rounding::coordinate(reach(a, b, a_from_b) + length + best.radius);
    let axes = TranslationChart::axes(by);
    let a = Side { tree: a, chart: TranslationChart::new(axes, &Pose::IDENTITY, slack) };
    let b = Side { tree: b, chart: TranslationChart::new(axes, a_from_b, slack) };
    let (rotation, translation) = (a_from_b.rotation_matrix(), a_from_b.translation());
    best.slack = slack;
    let radius = best.radius;
    let bound = |a: &ChartBox, b: &ChartBox| {
        let along = (a.min[0] - (b.max[0] + length)).max(b.min[0] - a.max[0]).max(0.0);
        let (u, v) = (gap(a, b, 1), gap(a, b, 2));
        (along * along + u * u + v * v).sqrt() - radius
    };
    best_first(&a, &b, best.limit(), &mut memory.search, bound, |i, j, _| {
        let on_a = a.tree.triangles()[i as usize];
        let on_b = b.tree.triangles()[j as usize];
        let (box_a, box_b) = (a.chart.triangle_box(on_a), b.chart.triangle_box(on_b));
        let below = best.below();
        // Only while the triangles are next to each other along the motion.
        let first = ((box_a.min[0] - box_b.max[0] - below) / length).clamp(0.0, 1.0);
        let last = ((box_a.max[0] - box_b.min[0] + below) / length).clamp(first, 1.0);
        let on_b = on_b.map(|p| rotation * p + translation);
        let found = least_translating(on_a, on_b, by, [first, last], below, slack);
        best.offer(found, [i, j])
    });
}

fn rotating(
    a: &MeshTree,
    b: &MeshTree,
    a_from_b: &Pose,
    axis: &Axis,
    angle: f64,
    best: &mut Best,
    memory: &mut MotionWorkspace,
) {
    // The point of the axis next to the bodies: coordinates stay small.
    let middle = a.mesh().axis_box().center();
    let origin = axis.point + axis.direction * axis.direction.dot(middle - axis.point);
    let slack =
        rounding::coordinate(2.0 * (reach(a, b, a_from_b) + origin.abs().max_element() + best.radius));
    let axes = RotationChart::axes(axis);
    let a = Side { tree: a, chart: RotationChart::new(axes, origin, &Pose::IDENTITY, slack) };
    let b = Side { tree: b, chart: RotationChart::new(axes, origin, a_from_b, slack) };
    best.slack = slack;
    let radius = best.radius;
    let last = angle.min(TAU);
    let mut open = Vec::new();
    let bound = |a: &ChartBox, b: &ChartBox| turned_gap(a, b, last) - radius;
    best_first(&a, &b, best.limit(), &mut memory.search, bound, |i, j, _| {
        let on_a = a.tree.triangles()[i as usize];
        let on_b = b.tree.triangles()[j as usize];
        let (box_a, box_b) = (a.chart.triangle_box(on_a), b.chart.triangle_box(on_b));
        let (on_a, on_b) = (on_a.map(|p| a.chart.point(p)), on_b.map(|p| b.chart.point(p)));
        let mut limit = best.limit();
        for window in windows(&box_a, &box_b, last, best.below()) {
            if window[0] <= window[1] {
                let found = least_rotating(&on_a, &on_b, window, &best.wanted(), &mut open);
                let found = found.map(|least| Least { at: (least.at / angle).clamp(0.0, 1.0), ..least });
                limit = best.offer(found, [i, j]);
            }
        }
        limit
    });
}

/// The gap of two intervals of one coordinate, 0 if they overlap.
#[inline]
fn gap(a: &ChartBox, b: &ChartBox, k: usize) -> f64 {
    (a.min[k] - b.max[k]).max(b.min[k] - a.max[k]).max(0.0)
}

/// A lower bound of the distance of points in two boxes of a rotation while the second turns by up to `last`.
#[inline]
fn turned_gap(a: &ChartBox, b: &ChartBox, last: f64) -> f64 {
    let height = gap(a, b, 2);
    let between = least_angle(a, b, last);
    let across = if between == 0.0 {
        gap(a, b, 1)
    } else {
        // Distances from the axis p and q, with c the cosine of the angle between: p² + q² - 2 p q c. Both closer to the axis by
        // the same factor are closer to each other, so one of them is at its least.
        let cos = between.cos();
        let from = |p: f64, low: f64, high: f64| {
            let q = (p * cos).clamp(low, high);
            // In this form nothing cancels.
            (q - p * cos).hypot(p * between.sin())
        };
        from(a.min[1], b.min[1], b.max[1]).min(from(b.min[1], a.min[1], a.max[1]))
    };
    // Rounding of a cosine and a few products.
    (height * height + across * across).sqrt() * (1.0 - 16.0 * f64::EPSILON)
}

/// The least angle between points of two boxes in [0, pi], while the second turns by up to `last`.
#[inline]
fn least_angle(a: &ChartBox, b: &ChartBox, last: f64) -> f64 {
    let (wide_a, wide_b) = (a.max[0] - a.min[0], b.max[0] - b.min[0] + last);
    // From the start of b's angles to the start of a's.
    let between = (a.min[0] - b.min[0]).rem_euclid(TAU);
    if between <= wide_b || TAU - between <= wide_a {
        return 0.0;
    }
    (between - wide_b).min(TAU - between - wide_a).clamp(0.0, PI)
}

/// The turns in [0, last] at which points of two boxes may be closer than `below`: at most two intervals, unused ones empty.
fn windows(a: &ChartBox, b: &ChartBox, last: f64, below: f64) -> [[f64; 2]; 2] {
    const NONE: [f64; 2] = [1.0, 0.0];
    let near = a.min[1].min(b.min[1]);
    // Points at least this far from the axis with an angle φ between them are at least 2 near sin(φ/2) apart.
    if !(below < 2.0 * near) {
        return [[0.0, last], NONE];
    }
    let margin = 2.0 * (below / (2.0 * near)).asin() * (1.0 + 16.0 * f64::EPSILON) + 16.0 * f64::EPSILON;
    let low = a.min[0] - b.max[0] - margin;
    let wide = a.max[0] - b.min[0] + margin - low;
    if wide >= TAU {
        return [[0.0, last], NONE];
    }
    let low = low.rem_euclid(TAU);
    // The interval itself, and what of it is beyond a full turn.
    [[low.min(last.next_up()), (low + wide).min(last)], [0.0, (low + wide - TAU).min(last)]]
}

/// The largest coordinate of either body in the frame of a, about.
fn reach(a: &MeshTree, b: &MeshTree, a_from_b: &Pose) -> f64 {
    a.mesh().axis_box().reach()
        + 2.0 * b.mesh().axis_box().reach()
        + a_from_b.translation().abs().max_element()
}
