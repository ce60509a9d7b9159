//! Planner 1: bodies that translate in a plane, exactly.
//!
//! The translations that are forbidden are a union of convex polygons, one for every pair of convex pieces of a moving body and an obstacle
//! that come to the same height above the plane (`slice`); of two solids that are not convex only the contacts of a vertex with a face and of two
//! edges count that can be on the border, which are segments. Whether they part the goal from the start is decided without
//! constructing their arrangement; the shortest way runs along the visibility graph of their corners.
//!
//! **A path** keeps a small margin from what it goes round, beside the required clearance: a ten-thousandth of the size of what moves
//! ([`ROUTE_MARGIN_RELATIVE`]); a hundredth of that where it does not get through, and so on down to rounding. Its last digits do
//! not count: every path is proven by the exact motion queries before it is returned. It is the shortest one round obstacles grown by that margin.
//!
//! **No path** is said only if polygons that hold forbidden translations alone, rounding included, part the goal from the start: then
//! there is none, whatever the margin. Polygons are not made smaller for rounding where there was none, so that a gap
//! exactly as wide as the body is known to be closed where numbers allow it. Round bodies count as polyhedra around them for paths and within
//! them for this proof. In between, the planner gives up and says so.

mod boxes;
mod obstacles;
mod pairs;
mod piece;
mod polygon;
mod separation;
mod slice;
mod visibility;

use super::{Outcome, Task};
use freiraum_geometry::tolerance::{ROUTE_MARGIN_RELATIVE, SAME_POSE};
use freiraum_geometry::{Vec2, Vec3, math};
use freiraum_motion::CancelToken;
use freiraum_motion::fit::ErosionCache;
use freiraum_scene::Travel;
use obstacles::Pieces;
use pairs::{Pair, Refusal, coordinate_error, first_blocked};
use piece::Frame;
use polygon::Border;

/// The plane in which bodies translate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    axes: [Vec3; 2],
}

impl Plane {
    /// The horizontal plane.
    pub const GROUND: Plane = Plane { axes: [Vec3::X, Vec3::Y] };

    /// The plane that two directions of the world span; `None` if they are parallel, zero or not finite.
    pub fn new(u: Vec3, v: Vec3) -> Option<Plane> {
        let first = math::unit(u)?;
        let v = math::unit(v)?;
        let across = v - v.dot(first) * first;
        // Nearly parallel directions leave rounding only.
        (across.length() > SAME_POSE).then_some(())?;
        Some(Plane { axes: [first, math::unit(across)?] })
    }

    /// Two orthogonal unit vectors that span it, in the frame of the world.
    pub fn axes(&self) -> [Vec3; 2] {
        self.axes
    }

    /// The unit normal, in the frame of the world.
    pub fn normal(&self) -> Vec3 {
        self.axes[0].cross(self.axes[1])
    }
}

/// When to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneLimits {
    /// How many pairs of faces, or of convex bodies, may come to the same height.
    pub pairs: usize,
    /// How many pairs of them, and of their corners, may be looked at per search.
    pub tests: u64,
}

impl Default for PlaneLimits {
    fn default() -> PlaneLimits {
        PlaneLimits { pairs: 2_000_000, tests: 100_000_000 }
    }
}

/// The planes in which a task can be planned, the most likely first: coordinate planes that hold the way from start to goal, the horizontal
/// one first, then those that the way spans with a coordinate axis. None if start and goal are not oriented alike.
pub fn planes(task: &Task) -> Vec<Plane> {
    if !is_oriented_alike(task) {
        return Vec::new();
    }
    let travel = task.goal.translation() - task.start.translation();
    let slack = SAME_POSE * size(task).max(travel.length());
    let (x, y, z) = (Vec3::X, Vec3::Y, Vec3::Z);
    let mut found: Vec<Plane> = Vec::new();
    let coordinate = [[x, y], [x, z], [y, z]].map(|axes| Plane { axes });
    found.extend(coordinate.iter().filter(|plane| plane.normal().dot(travel).abs() <= slack));
    for axis in [z, x, y] {
        let new = Plane::new(travel, axis);
        let is_known =
            |new: &Plane| found.iter().any(|old| old.normal().cross(new.normal()).length() <= SAME_POSE);
        found.extend(new.filter(|new| !is_known(new)));
    }
    found
}

fn is_oriented_alike(task: &Task) -> bool {
    let turn = task.start.rotation().inverse() * task.goal.rotation();
    // The sine of half the angle.
    2.0 * turn.xyz().length() <= SAME_POSE
}

/// The size of what moves, in metres.
fn size(task: &Task) -> f64 {
    let boxes =
        task.moving.iter().filter_map(|placed| placed.body.prepared().shape().aabb_placed(&placed.pose));
    boxes.reduce(|a, b| a.union(&b)).map_or(0.0, |bounds| (bounds.max - bounds.min).length())
}

/// Finds the shortest way from start to goal by translations in a plane, or proves that there is none.
///
/// **Guarantee.** A path is proven free by the exact motion queries, with the allowances and clearances of the task; it consists
/// of [`Travel::Translate`] alone, none if start and goal are the same. [`Outcome::NoPath`] is proven too: see the [module](self).
/// **Degenerate input.** Start or goal that are forbidden themselves: [`Outcome::NoPath`] with the pair that overlaps. Pairs that touch at the start or
/// at the goal are fits, as in checks. Start and goal that differ in orientation, or do not lie in the plane: [`Outcome::GaveUp`].
/// **Cost.** For n polygons, each of which meets m others, O(n m) to decide, and the square of the number of free corners at worst for the way.
pub fn plan(task: &Task, plane: &Plane, limits: &PlaneLimits) -> Outcome {
    plan_until(task, plane, limits, &ErosionCache::default(), &CancelToken::default())
}

/// As [`plan`], with bodies that were eroded before; gives up when the token is cancelled.
pub(crate) fn plan_until(
    task: &Task,
    plane: &Plane,
    limits: &PlaneLimits,
    cache: &ErosionCache,
    cancel: &CancelToken,
) -> Outcome {
    let travel = task.goal.translation() - task.start.translation();
    if !is_oriented_alike(task) {
        return Outcome::GaveUp("start and goal differ in orientation: translations alone do not do".into());
    }
    let size = size(task);
    if plane.normal().dot(travel).abs() > SAME_POSE * size.max(travel.length()) {
        return Outcome::GaveUp("the goal does not lie in the plane of the start".into());
    }
    let pairs = match pairs::pairs(task, travel, cache, cancel) {
        Ok(pairs) => pairs,
        Err(Refusal::Forbidden(reason)) => return Outcome::NoPath(reason),
        Err(Refusal::Unknown(reason)) => return Outcome::GaveUp(reason),
    };
    if travel == Vec3::ZERO {
        return Outcome::Path(Vec::new());
    }
    if let Ok(None) = first_blocked(&pairs, &[Vec3::ZERO, travel], cancel) {
        return Outcome::Path(vec![Travel::Translate(travel)]);
    }
    let [u, v] = plane.axes;
    let search = Search {
        frame: Frame { axes: [u, v, plane.normal()] },
        travel,
        goal: Vec2::new(u.dot(travel), v.dot(travel)),
        rounding: coordinate_error(&pairs, task),
        pairs,
        limits: *limits,
        cancel: cancel.clone(),
    };
    search.run(ROUTE_MARGIN_RELATIVE * size).unwrap_or_else(Outcome::GaveUp)
}

struct Search {
    frame: Frame,
    travel: Vec3,
    goal: Vec2,
    /// Coordinates may be off by that much, in metres.
    rounding: f64,
    pairs: Vec<Pair>,
    limits: PlaneLimits,
    cancel: CancelToken,
}

/// How far the polyhedra in place of round bodies may deviate, as a share of their size: one after the other.
const FINENESS: [f64; 3] = [1.0 / 64.0, 1.0 / 512.0, 1.0 / 4096.0];

/// By how much the margin becomes smaller when there is no way.
const MARGIN_RATIO: f64 = 0.01;

impl Search {
    /// Tries smaller and smaller margins; in words why nothing is known.
    fn run(&self, largest_margin: f64) -> Result<Outcome, String> {
        let ends = [Vec2::ZERO, self.goal];
        let mut why = String::new();
        for (level, fineness) in FINENESS.into_iter().enumerate() {
            let around = self.pieces(Border::Around, fineness)?;
            let obstacles = around.outer(&self.pairs, &self.limits, &self.cancel)?;
            let mut margin = largest_margin;
            let mut is_last = false;
            let mut is_proof_due = true;
            while !is_last {
                is_last = margin <= self.rounding;
                let kept = margin.max(self.rounding);
                let cover = around.outer_cover(&obstacles, kept, ends, &self.cancel)?;
                margin *= MARGIN_RATIO;
                let names = ["start", "goal"];
                if let Some(end) = (0..2).find(|&i| cover.contains(ends[i])) {
                    let name = names[end];
                    why = format!("the {name} is too close to an obstacle for what is known of its surface");
                    break;
                }
                if cover.separates(ends[0], ends[1], self.limits.tests, &self.cancel).ok_or_else(too_many)? {
                    why = "if there is a way, it is too narrow for what is known of the surfaces".into();
                    if std::mem::take(&mut is_proof_due) && self.is_closed(fineness, ends)? {
                        return Ok(Outcome::NoPath(format!(
                            "obstacles close all ways from the start to the goal in this plane: {} polygons of forbidden translations",
                            obstacles.len()
                        )));
                    }
                    continue;
                }
                let way = visibility::shortest(&cover, ends[0], ends[1], self.limits.tests, &self.cancel)
                    .ok_or_else(too_many)?;
                if way.is_empty() {
                    continue;
                }
                // Places where it hardly bends are left out if that can be proven, too.
                let ways = [visibility::straightened(&way, 0.5 * kept), way].map(|way| self.in_world(&way));
                let mut blocked = None;
                for way in ways {
                    blocked = first_blocked(&self.pairs, &way, &self.cancel).map_err(|e| e.to_string())?;
                    if blocked.is_none() {
                        let travels = way.windows(2).map(|ends| Travel::Translate(ends[1] - ends[0]));
                        return Ok(Outcome::Path(travels.collect()));
                    }
                }
                if blocked.is_some() {
                    why = "a way was found, but not proven to be free".into();
                }
            }
            if !around.is_round || level + 1 == FINENESS.len() {
                break;
            }
        }
        Err(why)
    }

    fn pieces(&self, border: Border, fineness: f64) -> Result<Pieces, String> {
        Pieces::of(&self.pairs, self.frame, border, fineness, self.rounding, &self.cancel)
    }

    /// Whether there is no way, for certain.
    fn is_closed(&self, fineness: f64, ends: [Vec2; 2]) -> Result<bool, String> {
        let within = self.pieces(Border::Within, fineness)?;
        // Pairs of two surfaces are many and small; mostly the others are enough.
        for is_whole in [false, true] {
            let cover = within.inner_cover(&self.pairs, ends, is_whole, &self.limits, &self.cancel)?;
            if cover.separates(ends[0], ends[1], self.limits.tests, &self.cancel).ok_or_else(too_many)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Translations from the start in the frame of the world; the last one leads to the goal exactly.
    fn in_world(&self, way: &[Vec2]) -> Vec<Vec3> {
        let [u, v, _] = self.frame.axes;
        let mut way: Vec<Vec3> = way.iter().map(|p| p.x * u + p.y * v).collect();
        if let Some(last) = way.last_mut() {
            *last = self.travel;
        }
        way
    }
}

fn too_many() -> String {
    "there are too many forbidden translations to look at in the given limits".into()
}
