//! How close two cores come: the search through both trees, most promising parts first.

use super::search::{Effort, Part, Side, search};
use super::triangles_rotating::{Least, Wanted, least_rotating};
use super::triangles_translating::least_translating;
use super::turned::Turn;
use crate::chart::{ChartBox, RotationChart, TranslationChart};
use crate::movable::Core;
use crate::relative::RelativeMotion;
use crate::sweep::MotionWorkspace;
use crate::turn::{Outline, nested_gap};
use freiraum_geometry::glam::DAffine3 as Affine;
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::Axis;
use freiraum_geometry::{Mat3, Pose, Vec3};
use freiraum_query::elementary::triangle_triangle;
use freiraum_query::mesh_tree::MeshTree;
use std::f64::consts::TAU;

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
    let mut best =
        Best { goal: *goal, radius, slack: 0.0, floor: 0.0, least: None, lower: f64::INFINITY, pair: [0; 2] };
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
    // Pairs that promised less than the wanted share were not looked at.
    let lower = best.lower.min(least.distance * (1.0 - goal.relative));
    Some(Approach { distance: least.distance, lower, share: least.at, points })
}

/// The closest pair so far; distances are those of the surfaces, radius taken off.
struct Best {
    goal: Goal,
    radius: f64,
    slack: f64,
    /// Nothing is closer than this, as is known beforehand.
    floor: f64,
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
        let (below, relative) = (self.below(), self.goal.relative);
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
            Some(least) if least.distance * (1.0 - self.goal.relative) <= self.floor => f64::NEG_INFINITY,
            Some(least) => least.distance * (1.0 - self.goal.relative),
            // What is closer by less than the share that may be missed need not be found.
            None if self.goal.below * (1.0 - self.goal.relative) <= self.floor => f64::NEG_INFINITY,
            None => self.goal.below * (1.0 - self.goal.relative),
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
    let side = |tree, a_from_tree: &Pose| {
        let chart = TranslationChart::new(axes, a_from_tree, slack);
        Side { tree, chart, place: place(axes, Vec3::ZERO, a_from_tree) }
    };
    let (a, b) = (side(a, &Pose::IDENTITY), side(b, a_from_b));
    let by = length * Vec3::X;
    best.slack = slack;
    let radius = best.radius;
    let bound = |a: &Part, b: &Part, best: f64| {
        let (box_a, box_b) = (&a.around, &b.around);
        let along = (box_a.min[0] - (box_b.max[0] + length)).max(box_b.min[0] - box_a.max[0]).max(0.0);
        let (u, v) = (gap(box_a, box_b, 1), gap(box_a, box_b, 2));
        let boxes = (along * along + u * u + v * v).sqrt() - radius;
        if boxes >= best {
            return boxes;
        }
        // Where the middles are next to each other, the direction between them is across the motion, or they part from there
        // on: in this direction nothing gets closer at any time.
        let mut between = b.center - a.center;
        between.x += (-between.x).clamp(0.0, length);
        let distance = between.length();
        let n = between / distance;
        let directed = distance - a.extent(n)[1] - b.extent(n)[0] - slack - radius;
        // Not a number if the middles meet.
        if directed > boxes { directed } else { boxes }
    };
    search(&a, &b, best.limit(), Effort::ALL, &mut memory.clearance, bound, |[i, j], [box_a, box_b], _| {
        let below = best.below();
        // Only while the triangles are next to each other along the motion.
        let first = ((box_a.min[0] - box_b.max[0] - below) / length).clamp(0.0, 1.0);
        let last = ((box_a.max[0] - box_b.min[0] + below) / length).clamp(first, 1.0);
        let found = least_translating(a.triangle(i), b.triangle(j), by, [first, last], below, slack);
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
    let middle = a.grid().center;
    let origin = axis.point + axis.direction * axis.direction.dot(middle - axis.point);
    let slack =
        rounding::coordinate(2.0 * (reach(a, b, a_from_b) + origin.abs().max_element() + best.radius));
    let axes = RotationChart::axes(axis);
    let side = |tree, a_from_tree: &Pose| {
        let chart = RotationChart::new(axes, origin, a_from_tree, slack);
        Side { tree, chart, place: place(axes, origin, a_from_tree) }
    };
    let (a, b) = (side(a, &Pose::IDENTITY), side(b, a_from_b));
    best.slack = slack;
    let radius = best.radius;
    let last = angle.min(TAU);
    let turn = Turn::new(last, slack);
    // Bodies that were turned on a lathe come equally close in most pairs of parts, which takes as many steps: their contours tell.
    for steps in [PATIENCE, u64::MAX] {
        let (floor, enough) = (best.floor, best.floor / (1.0 - best.goal.relative));
        let bound = |a: &Part, b: &Part, best: f64| (turn.distance(a, b, best + radius) - radius).max(floor);
        let is_done = search(
            &a,
            &b,
            best.limit(),
            Effort { steps, enough },
            &mut memory.clearance,
            bound,
            |[i, j], [box_a, box_b], open| {
                let (on_a, on_b) = (a.triangle(i), b.triangle(j));
                let mut limit = best.limit();
                for window in windows(box_a, box_b, last, best.below()) {
                    if window[0] <= window[1] {
                        let found = least_rotating(&on_a, &on_b, window, &best.wanted(), open);
                        let found =
                            found.map(|least| Least { at: (least.at / angle).clamp(0.0, 1.0), ..least });
                        limit = best.offer(found, [i, j]);
                    }
                }
                limit
            },
        );
        if is_done {
            break;
        }
        nested([&a, &b], angle, best);
    }
}

/// Pairs of parts that are looked at before contours are: about as much work.
const PATIENCE: u64 = 100_000;

/// Takes note of how close the bodies come if one is around the other, as their contours tell.
fn nested([a, b]: [&Side<RotationChart>; 2], angle: f64, best: &mut Best) {
    let outlines = [a, b].map(|side| Outline::of(side.tree, &side.chart));
    // Outlines are off by rounding.
    let share = 0.25 * best.goal.relative;
    for k in [0, 1] {
        let Some(gap) = nested_gap(&outlines[k], &outlines[1 - k], best.below(), 0.0, share) else {
            continue;
        };
        best.floor = best.floor.max(gap.lower - best.radius - 4.0 * best.slack);
        if let Some((triangles, points, distance)) = gap.nearest {
            let ([i, j], [p, q]) = if k == 0 {
                (triangles, points)
            } else {
                ([triangles[1], triangles[0]], [points[1], points[0]])
            };
            let turn = (p.y.atan2(p.x) - q.y.atan2(q.x)).rem_euclid(TAU);
            if turn <= angle {
                best.offer(Some(Least { distance, lower: gap.lower, at: (turn / angle).min(1.0) }), [i, j]);
            }
        }
        return;
    }
}

/// From the frame of a tree to that with the given axes and origin in frame a.
fn place(axes: Mat3, origin: Vec3, a_from_tree: &Pose) -> Affine {
    let across = axes.transpose();
    Affine::from_mat3_translation(
        across * a_from_tree.rotation_matrix(),
        across * (a_from_tree.translation() - origin),
    )
}

/// The gap of two intervals of one coordinate, 0 if they overlap.
#[inline]
fn gap(a: &ChartBox, b: &ChartBox, k: usize) -> f64 {
    (a.min[k] - b.max[k]).max(b.min[k] - a.max[k]).max(0.0)
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
    // A mesh fills about [-1, 1] of the coordinates of its tree.
    let of = |tree: &MeshTree| tree.grid().center.length() + 2.0 / tree.grid().scale;
    of(a) + 2.0 * of(b) + a_from_b.translation().length()
}
