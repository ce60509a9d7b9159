//! All forbidden translations of a task: polygons and half planes.

use super::PlaneLimits;
use super::pairs::Pair;
use super::piece::{Cutter, Frame, Piece, Place};
use super::polygon::{Border, Polygon};
use super::separation::Cover;
use super::slice::{FINE_STEP, Obstacle, are_level, border, inner, outer};
use freiraum_geometry::Vec2;
use freiraum_geometry::tolerance::SAME_POSE;
use freiraum_motion::CancelToken;
use rayon::prelude::*;

/// Why nothing is known where nobody waits for it.
const STOPPED: &str = "stopped";

/// The bodies of all pairs in convex pieces.
pub(super) struct Pieces {
    /// Of the moving body and of the obstacle.
    pairs: Vec<[Vec<Piece>; 2]>,
    half_planes: Vec<HalfPlane>,
    /// Coordinates may be off by that much, in metres.
    rounding: f64,
    /// Whether something round was replaced.
    pub(super) is_round: bool,
}

/// Forbidden are translations with `normal · x <= offset`.
#[derive(Clone, Copy, Debug)]
struct HalfPlane {
    normal: Vec2,
    offset: f64,
    /// By how much rounding may have moved it, in metres.
    error: f64,
}

impl Pieces {
    /// Cuts all bodies; says what is wrong if that cannot be done. `fineness`: how far round bodies may deviate, as a share of their size.
    pub(super) fn of(
        pairs: &[Pair],
        frame: Frame,
        border: Border,
        fineness: f64,
        rounding: f64,
        cancel: &CancelToken,
    ) -> Result<Pieces, String> {
        let mut all = Pieces {
            pairs: Vec::with_capacity(pairs.len()),
            half_planes: Vec::new(),
            rounding,
            is_round: false,
        };
        for pair in pairs {
            if cancel.is_cancelled() {
                return Err(STOPPED.to_owned());
            }
            let cut = |side: usize| {
                let mut cutter = Cutter::new(frame, border, fineness);
                cutter.add(pair.looked_at.bodies[side].prepared().shape(), &Place::new(pair.poses[side]))?;
                Ok::<Cutter, String>(cutter)
            };
            let (moving, obstacle) = (cut(0)?, cut(1)?);
            if !moving.half_spaces.is_empty() {
                return Err("a half space cannot be moved".into());
            }
            for (half_space, pose) in &obstacle.half_spaces {
                let normal = frame.coordinates(pose.rotate(half_space.normal()));
                let in_plane = normal.truncate().length();
                if in_plane < SAME_POSE {
                    // Parallel to the plane: as far away on the whole way as at the start.
                    continue;
                }
                let height = half_space.offset() + pose.rotate(half_space.normal()).dot(pose.translation());
                let points = moving.pieces.iter().flat_map(|piece| &piece.points);
                let lowest = points.map(|p| normal.dot(*p)).fold(f64::INFINITY, f64::min);
                all.half_planes.push(HalfPlane {
                    normal: normal.truncate() / in_plane,
                    offset: (height + pair.looked_at.clearance - lowest) / in_plane,
                    error: 8.0 * (rounding + f64::EPSILON * height.abs()) / in_plane,
                });
            }
            all.is_round |= moving.is_round || obstacle.is_round;
            all.pairs.push([moving.pieces, obstacle.pieces]);
        }
        Ok(all)
    }

    /// What `make` makes of all pairs of pieces that come to one height.
    fn each<T: Send>(
        &self,
        pairs: &[Pair],
        limits: &PlaneLimits,
        cancel: &CancelToken,
        make: impl Fn(&Piece, &Piece, f64) -> Vec<T> + Sync,
    ) -> Result<Vec<T>, String> {
        let mut meetings: Vec<(&Piece, &Piece, f64)> = Vec::new();
        for ([moving, obstacle], pair) in self.pairs.iter().zip(pairs) {
            for b in obstacle {
                if cancel.is_cancelled() {
                    return Err(STOPPED.to_owned());
                }
                let level =
                    moving.iter().filter(|a| are_level(b, a, pair.looked_at.clearance + 8.0 * self.rounding));
                meetings.extend(level.map(|a| (b, a, pair.looked_at.clearance)));
                if meetings.len() > limits.pairs {
                    return Err(format!(
                        "more than {} pairs of faces of the moving bodies and of the obstacles come to the same height",
                        limits.pairs
                    ));
                }
            }
        }
        let make = |(b, a, clearance)| if cancel.is_cancelled() { Vec::new() } else { make(b, a, clearance) };
        let made = meetings.into_par_iter().flat_map_iter(make).collect();
        if cancel.is_cancelled() { Err(STOPPED.to_owned()) } else { Ok(made) }
    }

    /// Obstacles none of which is too small, once they are grown by their clearance and by the rounding.
    pub(super) fn outer(
        &self,
        pairs: &[Pair],
        limits: &PlaneLimits,
        cancel: &CancelToken,
    ) -> Result<Vec<Obstacle>, String> {
        self.each(pairs, limits, cancel, |b, a, clearance| match (&b.skin, &a.skin) {
            (Some(skin_b), Some(skin_a)) if clearance == 0.0 => {
                let mut found = Vec::new();
                border(b, a, [skin_b, skin_a], self.rounding, &mut found);
                found
            }
            _ => outer(b, a, clearance, self.rounding).into_iter().collect(),
        })
    }

    /// Covers forbidden translations only, without those of two surfaces unless `is_whole`; polygons that rounding makes hold the start or the goal are left out.
    pub(super) fn inner_cover(
        &self,
        pairs: &[Pair],
        ends: [Vec2; 2],
        is_whole: bool,
        limits: &PlaneLimits,
        cancel: &CancelToken,
    ) -> Result<Cover, String> {
        let mut polygons = self.each(pairs, limits, cancel, |b, a, clearance| {
            let is_left_out = !is_whole && b.skin.is_some() && a.skin.is_some();
            let found = if is_left_out { None } else { inner(b, a, clearance, self.rounding) };
            found.into_iter().collect()
        })?;
        polygons.retain(|polygon| !ends.iter().any(|&end| polygon.contains(end)));
        let is_beside = |plane: &&HalfPlane| ends.iter().all(|end| plane.normal.dot(*end) > plane.offset);
        let planes: Vec<HalfPlane> = self
            .half_planes
            .iter()
            .filter(is_beside)
            .map(|plane| HalfPlane { offset: plane.offset - plane.error, ..*plane })
            .collect();
        cover(polygons, &planes, ends, cancel)
    }

    /// Covers all forbidden translations and what is nearer to them than the margin, but for start and goal, to which half of the way is left.
    pub(super) fn outer_cover(
        &self,
        obstacles: &[Obstacle],
        margin: f64,
        ends: [Vec2; 2],
        cancel: &CancelToken,
    ) -> Result<Cover, String> {
        let grow = |obstacle: &Obstacle| {
            let room = ends.iter().map(|&end| obstacle.polygon.distance(end)).fold(f64::INFINITY, f64::min);
            let least = obstacle.clearance + self.rounding;
            let spare = |step: f64| 0.5 * (room * (0.5 * step).cos() - least);
            let mut step = if obstacle.clearance > 0.0 { FINE_STEP } else { WIDE_STEP };
            if spare(step) < 0.0 {
                step = FINEST_STEP;
            }
            let radius = least + margin.min(spare(step)).max(0.0);
            obstacle.polygon.grown(radius * (1.0 + 64.0 * f64::EPSILON), step, Border::Around)
        };
        let grow =
            |obstacle| if cancel.is_cancelled() { Err(STOPPED.to_owned()) } else { Ok(grow(obstacle)) };
        let polygons = obstacles.par_iter().map(grow).collect::<Result<Vec<Polygon>, String>>()?;
        let planes: Vec<HalfPlane> = self
            .half_planes
            .iter()
            .map(|plane| {
                let room = ends
                    .iter()
                    .map(|end| plane.normal.dot(*end) - plane.offset)
                    .fold(f64::INFINITY, f64::min);
                let more = margin.min(0.5 * (room - plane.error)).max(0.0);
                HalfPlane { offset: plane.offset + plane.error + more, ..*plane }
            })
            .collect();
        cover(polygons, &planes, ends, cancel)
    }
}

/// Where an obstacle is grown by a margin only, its border turns by at most this at a corner, in radians: a right angle stays one.
const WIDE_STEP: f64 = 1.75;

/// The same where start or goal is very near.
const FINEST_STEP: f64 = std::f64::consts::PI / 256.0;

/// Half planes become rectangles that reach far beyond all else.
fn cover(
    polygons: Vec<Polygon>,
    half_planes: &[HalfPlane],
    ends: [Vec2; 2],
    cancel: &CancelToken,
) -> Result<Cover, String> {
    let corners = polygons.iter().flat_map(|polygon| [polygon.min, polygon.max]).chain(ends);
    let planes = half_planes.iter().map(|plane| plane.normal * plane.offset);
    let reach = corners.chain(planes).fold(0.0f64, |reach, p| reach.max(p.abs().max_element()));
    let far = 16.0 * reach;
    let rectangles = half_planes.iter().filter_map(|plane| {
        let (foot, along) = (plane.normal * plane.offset, far * plane.normal.perp());
        let deep = foot - far * plane.normal;
        Polygon::hull(vec![foot + along, foot - along, deep + along, deep - along])
    });
    let mut all: Vec<Polygon> = rectangles.collect();
    let endless = all.len();
    all.extend(polygons);
    Cover::new(all, endless, cancel).ok_or_else(|| STOPPED.to_owned())
}
