//! Planner 2: three translations, by detours.
//!
//! The straight line from start to goal is cut into free and forbidden stretches. Through the middle of the first forbidden one goes the plane
//! perpendicular to it; on lines in that plane, in random directions, the middles of free stretches are tried as places to go
//! through, nearest first, and both halves of the way are sought in the same manner, down to a depth. Where start or goal are in contact the way out
//! by sliding is sought first. It finds many ways fast, and proves nothing when it finds none.

use super::slides::{Slide, Wanted, slides, way_to};
use super::space::Probe;
use super::way::{self, Leg};
use freiraum_geometry::math::random::Random;
use freiraum_geometry::math::unit;
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::Travel;

/// How deep detours of detours go.
const DEPTH: usize = 4;

/// Places that are tried in each plane, the nearest.
const PLACES_EACH: usize = 8;

/// Random lines that are tried in each plane.
const RANDOM_LINES: usize = 2;

/// A way by translations alone, if one is found; start and goal have the same orientation.
pub(crate) fn plan(probe: &mut Probe, directions: &[Vec3], back: &[Vec3], seed: u64) -> Option<Vec<Leg>> {
    let space = probe.space;
    let mut random = Random::new(seed);
    let reach = space.size();
    let (start, goal) = (space.start, space.goal);
    let depth = if directions.is_empty() { 0 } else { 2 };
    let from = slides(probe, &start, directions, reach, depth, PLACES, Wanted::All);
    let to = slides(probe, &goal, back, reach, depth, PLACES, Wanted::All);
    let mut ends: Vec<(f64, usize, usize)> = Vec::new();
    for (i, a) in from.iter().enumerate() {
        for (k, b) in to.iter().enumerate() {
            let between = a.pose.translation().distance(b.pose.translation());
            let length = |place: &Slide| place.leg.as_ref().map_or(0.0, |leg| leg.length(Vec3::ZERO, 0.0));
            ends.push((between + length(a) + length(b), i, k));
        }
    }
    ends.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    // Again and again, until the budget ends: chance may be kinder.
    let mut round = 0;
    loop {
        for depth in round.min(1)..=DEPTH {
            // Deeper searches cost more: fewer ends, the shortest ways first.
            let most = if depth == 0 { ends.len() } else { (ENDS >> (2 * depth)).max(1) };
            for (_, i, k) in ends.iter().take(most) {
                if probe.is_spent() {
                    return None;
                }
                let (a, b) = (from[*i].pose, to[*k].pose);
                let mut detours = Detours { probe, random: &mut random, reach, rotation: start };
                let found = detours.way(a.translation(), b.translation(), depth);
                if let Some(points) = found {
                    let mut legs = way_to(&from, *i);
                    legs.extend(legs_through(&a, &points));
                    legs.extend(way::reversed(&way_to(&to, *k)));
                    return Some(legs);
                }
            }
        }
        round += 1;
    }
}

/// Places that are reached by sliding, at most.
const PLACES: usize = 48;

/// Pairs of ends that are tried with detours.
const ENDS: usize = 64;

fn legs_through(from: &Pose, points: &[Vec3]) -> Vec<Leg> {
    let mut legs: Vec<Leg> = Vec::new();
    for point in points {
        let here = legs.last().map_or(*from, |leg| leg.to);
        legs.push(Leg::new(here, Travel::Translate(*point - here.translation())));
    }
    legs
}

struct Detours<'p, 's> {
    probe: &'p mut Probe<'s>,
    random: &'p mut Random,
    reach: f64,
    /// Any pose with the orientation of all.
    rotation: Pose,
}

impl Detours<'_, '_> {
    fn at(&self, position: Vec3) -> Pose {
        Pose::new(self.rotation.rotation(), position).unwrap_or(self.rotation)
    }

    /// The points after `from` on a free way to `to`, that last; with so many checks as the depth is worth.
    fn way(&mut self, from: Vec3, to: Vec3, depth: usize) -> Option<Vec<Vec3>> {
        let until = (self.probe.checks + (8 << (2 * depth))).min(self.probe.budget);
        let budget = std::mem::replace(&mut self.probe.budget, until);
        let found = self.detour(from, to, depth);
        self.probe.budget = budget;
        found
    }

    fn detour(&mut self, from: Vec3, to: Vec3, depth: usize) -> Option<Vec<Vec3>> {
        let by = to - from;
        let start = self.at(from);
        if by == Vec3::ZERO || self.probe.is_free(&Leg::new(start, Travel::Translate(by))) {
            return Some(vec![to]);
        }
        if depth == 0 || self.probe.is_spent() {
            return None;
        }
        let free = self.probe.free_stretches(&start, by);
        let forbidden = match &free[..] {
            [] => [0.0, 1.0],
            [first, rest @ ..] if first[0] <= 0.0 => [first[1], rest.first().map_or(1.0, |next| next[0])],
            [first, ..] => [0.0, first[0]],
        };
        let middle = from + 0.5 * (forbidden[0] + forbidden[1]) * by;
        let along = unit(by)?;
        let (u, v) = along.any_orthonormal_pair();
        // What people build has sides along the axes; the other lines are random.
        let mut lines: Vec<Vec3> =
            Vec3::AXES.iter().filter_map(|axis| unit(axis.reject_from_normalized(along))).collect();
        for _ in 0..RANDOM_LINES {
            let (sine, cosine) = self.random.range(0.0, std::f64::consts::PI).sin_cos();
            lines.push(cosine * u + sine * v);
        }
        let mut places: Vec<Vec3> = Vec::new();
        for direction in lines {
            let begin = middle - self.reach * direction;
            let along = 2.0 * self.reach * direction;
            for [a, b] in self.probe.free_stretches(&self.at(begin), along) {
                // A stretch without end has no middle: a place not far from the obstacle will do, too.
                let near = if a <= 0.0 { b } else { a };
                let short = (0.5 * (b - a)).min(self.probe.space.radius / (2.0 * self.reach));
                let beside = if a <= 0.0 { near - short } else { near + short };
                places.push(begin + beside * along);
                if a > 0.0 && b < 1.0 {
                    places.push(begin + 0.5 * (a + b) * along);
                } else {
                    places.push(begin + 0.5 * (near + beside) * along);
                }
            }
        }
        places.sort_by(|x, y| x.distance(middle).total_cmp(&y.distance(middle)));
        places.truncate(PLACES_EACH);
        for place in places {
            if self.probe.is_spent() {
                return None;
            }
            let pose = self.at(place);
            if !self.probe.is_free_at(&pose) {
                continue;
            }
            let Some(mut points) = self.way(from, place, depth - 1) else { continue };
            let Some(rest) = self.way(place, to, depth - 1) else { continue };
            points.extend(rest);
            return Some(points);
        }
        None
    }
}
