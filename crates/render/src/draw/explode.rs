//! Parts shifted apart along the ways on which they are put together.
//!
//! The steps are gone through from the first to the last, and what they bring to its place is taken back along its way, piece by piece, until it
//! is clear of everything that was there before. Of a scene without steps all parts are taken away from the middle.

use freiraum_check::{Stage, Timeline};
use freiraum_geometry::{Pose, Vec3};

/// What is shifted apart.
pub(super) trait Extents {
    /// Smallest and largest coordinate of a body along a direction, with this pose.
    fn extent(&self, body: usize, pose: &Pose, along: Vec3) -> [f64; 2];

    /// True if nothing may move a body.
    fn is_fixed(&self, body: usize) -> bool;
}

/// For every body the way from where it is after the first `stages` stages to where it is drawn, one translation after the other.
///
/// `factor` 1 leaves a gap of `gap` metres between parts, other values scale all shifts.
pub(super) fn shifts(
    timeline: &Timeline,
    stages: usize,
    extents: &dyn Extents,
    gap: f64,
    factor: f64,
) -> Vec<Vec<Vec3>> {
    let is_without_steps = timeline.stages.is_empty();
    let stages = &timeline.stages[..stages];
    let end: &[Pose] = &match stages.len().checked_sub(1) {
        Some(last) => timeline.after(last),
        None => timeline.start(),
    };
    let mut apart = Apart { end, extents, gap, shift: vec![Vec3::ZERO; end.len()] };
    let mut ways: Vec<Vec<Vec3>> = vec![Vec::new(); end.len()];
    if is_without_steps {
        apart.away_from_the_middle(&mut ways);
    } else {
        apart.back(stages, &mut ways);
    }
    ways.iter_mut().flatten().for_each(|by| *by *= factor);
    ways
}

struct Apart<'a> {
    end: &'a [Pose],
    extents: &'a dyn Extents,
    gap: f64,
    /// What each body is shifted by.
    shift: Vec<Vec3>,
}

impl Apart<'_> {
    fn back(&mut self, stages: &[Stage], ways: &mut [Vec<Vec3>]) {
        // A body is there from the start if nothing moves it, else after the first step that does.
        let mut is_there: Vec<bool> =
            (0..self.end.len()).map(|body| stages.iter().all(|s| s.mover_of(body).is_none())).collect();
        for (number, stage) in stages.iter().enumerate() {
            for mover in 0..stage.movers.len() {
                let bodies = sorted(stage, mover);
                // All that moves the same bodies is one way, which is gone back when it is complete.
                let is_on_way = |stage: &Stage| way_of(stage, &bodies).is_some();
                if !is_on_way(stage) || stages[number + 1..].iter().any(is_on_way) {
                    continue;
                }
                let way: Vec<Vec3> =
                    stages[..=number].iter().rev().filter_map(|s| way_of(s, &bodies)).flatten().collect();
                let others: Vec<usize> = (0..self.end.len())
                    .filter(|b| is_there[*b] && bodies.binary_search(b).is_err())
                    .collect();
                let legs = self.go(&bodies, &others, &straightened(&way));
                // What is taken back first is nearest to the place of the body.
                bodies.iter().for_each(|b| drop(ways[*b].splice(..0, legs.iter().copied())));
            }
            stage.movers.iter().flat_map(|mover| &mover.bodies).for_each(|b| is_there[*b] = true);
        }
    }

    /// Takes bodies along a way, as far as they need it; the last direction goes on.
    fn go(&mut self, bodies: &[usize], others: &[usize], way: &[Vec3]) -> Vec<Vec3> {
        let mut legs = Vec::new();
        for (number, by) in way.iter().enumerate() {
            let Some(outward) = by.try_normalize() else { continue };
            let needed = self.needed(bodies, others, outward);
            let is_enough = needed <= by.length() || number + 1 == way.len();
            let leg = if is_enough { needed * outward } else { *by };
            bodies.iter().for_each(|b| self.shift[*b] += leg);
            legs.push(leg);
            if is_enough {
                break;
            }
        }
        legs
    }

    fn away_from_the_middle(&mut self, ways: &mut [Vec<Vec3>]) {
        let middle = |extent: [f64; 2]| 0.5 * (extent[0] + extent[1]);
        let of_body = |body: usize| {
            let along = |axis: Vec3| middle(self.extents.extent(body, &self.end[body], axis));
            Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z))
        };
        let middles: Vec<Vec3> = (0..self.end.len()).map(of_body).collect();
        let all: Vec<usize> = (0..self.end.len()).filter(|b| middles[*b].is_finite()).collect();
        let whole = |axis: Vec3| {
            let extents = all.iter().map(|b| self.extents.extent(*b, &self.end[*b], axis));
            let empty = [f64::INFINITY, f64::NEG_INFINITY];
            middle(extents.fold(empty, |[lo, hi], next| [lo.min(next[0]), hi.max(next[1])]))
        };
        let center = Vec3::new(whole(Vec3::X), whole(Vec3::Y), whole(Vec3::Z));
        let (mut there, mut rest): (Vec<usize>, Vec<usize>) =
            all.iter().copied().partition(|b| self.extents.is_fixed(*b));
        rest.sort_by(|a, b| middles[*a].distance(center).total_cmp(&middles[*b].distance(center)));
        for body in rest {
            // The innermost one stays if nothing else does.
            if !there.is_empty() {
                let outward = middles[body] - center;
                let outward = if outward.length() > self.gap { outward } else { Vec3::Z };
                ways[body] = self.go(&[body], &there, &[outward]);
            }
            there.push(body);
        }
    }

    /// How far bodies have to go to be clear of others that are in their way.
    fn needed(&self, bodies: &[usize], others: &[usize], outward: Vec3) -> f64 {
        let side = outward.any_orthonormal_vector();
        let across = [side, outward.cross(side)];
        let extent = |body: usize, along: Vec3| {
            let moved = Pose::from_translation(self.shift[body]) * self.end[body];
            self.extents.extent(body, &moved, along)
        };
        let mut by: f64 = 0.0;
        for body in bodies {
            let own = across.map(|axis| extent(*body, axis));
            let rear = extent(*body, outward)[0];
            for other in others {
                let beside = across.map(|axis| extent(*other, axis));
                let is_in_way = own.iter().zip(&beside).all(|(a, b)| a[0] < b[1] && b[0] < a[1]);
                if is_in_way {
                    by = by.max(extent(*other, outward)[1] - rear + self.gap);
                }
            }
        }
        // A body with nothing in its way is shifted by the gap alone, so that it is seen to be a part of its own.
        by.max(self.gap)
    }
}

fn sorted(stage: &Stage, mover: usize) -> Vec<usize> {
    let mut bodies = stage.movers[mover].bodies.clone();
    bodies.sort_unstable();
    bodies
}

/// The way back of exactly these bodies in a stage, from its end to its start; `None` if they do not move as one, or only turn.
fn way_of(stage: &Stage, bodies: &[usize]) -> Option<Vec<Vec3>> {
    let mover = (0..stage.movers.len()).find(|mover| sorted(stage, *mover) == bodies)?;
    let mover = &stage.movers[mover];
    if let Some(freiraum_scene::Travel::Turn { axis, advance, .. }) = mover.travel() {
        return (*advance != 0.0).then(|| vec![-*advance * axis.direction]);
    }
    let mut breaks = vec![0.0];
    mover.lead.breaks(&mut breaks);
    breaks.push(1.0);
    let at = |t: f64| mover.lead.pose(t).translation();
    let legs = breaks.windows(2).rev().map(|pair| at(pair[0]) - at(pair[1]));
    let way: Vec<Vec3> = legs.filter(|leg| leg.length_squared() > 0.0).collect();
    (!way.is_empty()).then_some(way)
}

/// Pieces in one direction as one.
fn straightened(way: &[Vec3]) -> Vec<Vec3> {
    let mut out: Vec<Vec3> = Vec::with_capacity(way.len());
    for leg in way {
        match out.last_mut() {
            Some(last) if is_same_direction(*last, *leg) => *last += *leg,
            _ => out.push(*leg),
        }
    }
    out
}

/// Up to less than a degree.
fn is_same_direction(a: Vec3, b: Vec3) -> bool {
    a.dot(b) > 0.0 && a.cross(b).length() <= SAME_DIRECTION * a.length() * b.length()
}

/// The sine of the angle below which two directions are one.
const SAME_DIRECTION: f64 = 1.0 / 128.0;
