//! A short translation that separates two bodies of any kind, by asking for their distance again and again.
//!
//! Along a direction, a shift by the extents of both bodies surely separates them; bodies that hold each other, like links of
//! a chain, come apart by less, which the depths of their contacts tell. From there the shift is shortened as far as the
//! gap allows, then moved along the plane of the gap, and shortened again. Every translation that is kept was
//! found to separate the bodies; that it is the shortest is not proven.

use crate::prepared::{Class, PreparedPart};
use crate::{Closest, Prepared};
use freiraum_geometry::math::{power_of_two, unit};
use freiraum_geometry::{Pose, Vec3};

/// How many start directions are followed, the most promising ones.
const FOLLOWED: usize = 8;
/// How many start directions are looked at.
const TRIED: usize = 32;
/// How often a shift is turned.
const MOST_TURNS: usize = 12;
/// How often the way between two shifts is halved.
const MOST_HALVINGS: usize = 16;
/// How often a shift is shortened between two turns.
const MOST_STEPS: usize = 60;
/// The gap that is left, relative to the first shift: a thousand times the rounding of the distances it is measured by,
/// 2^-40.
const LEFT_OVER: f64 = power_of_two(-40);

/// The gap that is left where ways are only compared, relative to their length: 2^-7.
const ROUGHLY: f64 = 1.0 / 128.0;
/// How often a shift is shortened to compare ways.
const ROUGH_STEPS: usize = 8;

/// By how much hints are lengthened until they separate the bodies.
const LONGER: [f64; 4] = [1.0 + power_of_two(-20), 1.25, 2.0, 4.0];

/// How far both bodies reach: the largest product of their points with a unit direction in the frame of a. Infinite
/// where a body has no end.
pub(super) struct Extents<'x> {
    /// How the frame of b is turned: directions are tried in both frames, so that either order of the bodies finds the same.
    pub(super) a_from_b: &'x Pose,
    pub(super) of_a: &'x dyn Fn(Vec3) -> f64,
    pub(super) of_b: &'x dyn Fn(Vec3) -> f64,
}

/// The shortest translation of a found that separates the bodies, or `None` if both have no end in all directions tried.
///
/// `hints`: shifts that may separate the bodies at one of their contacts, worth trying as they are, a little longer, and as
/// directions. `gap`: the distance of the bodies with a shifted, 0 where they meet;
/// in a frame that does not turn with the shift.
pub(super) fn search(
    extents: &Extents,
    hints: impl Iterator<Item = Vec3> + Clone,
    gap: impl Fn(Vec3) -> Closest,
) -> Option<Vec3> {
    let mut starts = Starts::default();
    let mut least = f64::INFINITY;
    let in_b = all_round().map(|d| extents.a_from_b.rotate(d));
    for d in hints.clone().filter_map(unit).chain(all_round()).chain(in_b) {
        let shift = d * ((extents.of_b)(d) + (extents.of_a)(-d));
        if shift.is_finite() {
            least = least.min(shift.length());
            starts.add_if_short(shift);
        }
    }
    if starts.count == 0 {
        return None;
    }
    let left_over = |start: Vec3| LEFT_OVER * least.max(start.length());
    // What bodies reach says little about bodies that hold each other: look how far each way leads.
    let found = std::mem::take(&mut starts);
    for &shift in &found.shifts[..found.count] {
        starts.add_if_short(shorten(shift, ROUGHLY * shift.length(), ROUGH_STEPS, &gap).0);
    }
    starts.count = starts.count.min(FOLLOWED);
    let all: Vec3 = hints.clone().sum();
    for hint in hints.take(FOLLOWED).chain([all]) {
        let mut longer = LONGER.iter().map(|factor| factor * hint);
        if let Some(shift) = longer.find(|&shift| gap(shift).distance > 0.0) {
            starts.add(shift);
        }
    }
    // A way that ends wedged between two parts, so that going on would hit one of them, is only taken if there is no other.
    let mut best: Option<(bool, Vec3)> = None;
    for &start in &starts.shifts[..starts.count] {
        let found = follow(start, left_over(start), &gap);
        let is_wedged = gap(LONGER[0] * found).distance <= 0.0;
        if best.is_none_or(|b| (is_wedged, found.length()) < (b.0, b.1.length())) {
            best = Some((is_wedged, found));
        }
    }
    // Along round sides shortening creeps: the best is worth more steps.
    best.map(|(_, b)| shorten(b, left_over(b), 8 * MOST_STEPS, &gap).0)
}

/// The directions from the middle of a cube to those of its sides, edges and corners.
fn all_round() -> impl Iterator<Item = Vec3> {
    let digit = |code: u32, place: u32| f64::from(code / place % 3) - 1.0;
    (0..27).filter_map(move |code| unit(Vec3::new(digit(code, 1), digit(code, 3), digit(code, 9))))
}

/// Shifts to start from.
#[derive(Default)]
struct Starts {
    shifts: [Vec3; TRIED],
    count: usize,
}

impl Starts {
    fn add(&mut self, shift: Vec3) {
        self.shifts[self.count] = shift;
        self.count += 1;
    }

    /// Keeps the shortest, in order.
    fn add_if_short(&mut self, shift: Vec3) {
        let length = |s: &Vec3| s.length_squared();
        let at = self.shifts[..self.count].partition_point(|s| length(s) <= length(&shift));
        if at < TRIED {
            self.count = (self.count + 1).min(TRIED);
            self.shifts[at..self.count].rotate_right(1);
            self.shifts[at] = shift;
        }
    }
}

/// Shortens a shift that separates, along itself and then sideways, along the planes of the gaps it leaves.
fn follow(start: Vec3, left_over: f64, gap: &impl Fn(Vec3) -> Closest) -> Vec3 {
    let (mut shift, mut closest) = shorten(start, left_over, MOST_STEPS, gap);
    let mut held_by: Option<Vec3> = None;
    for _ in 0..MOST_TURNS {
        if closest.distance <= 0.0 {
            break;
        }
        // The least shift that keeps the plane of the gap is one along its normal; between two planes, along both normals.
        let n = -closest.normal;
        let in_plane = n * (shift.dot(n) + left_over);
        let along = held_by.and_then(|m| unit(n.cross(m)));
        let in_both = along.map(|e| shift - shift.dot(e) * e);
        held_by = Some(n);
        let sideways = |target: Vec3| towards(shift, target, left_over, gap);
        let Some(turned) = sideways(in_plane).or_else(|| in_both.and_then(sideways)) else { break };
        (shift, closest) = shorten(turned, left_over, MOST_STEPS, gap);
    }
    shift
}

/// The point nearest to `target` on the way there at which the bodies are still apart, if that makes the shift shorter.
fn towards(shift: Vec3, target: Vec3, left_over: f64, gap: &impl Fn(Vec3) -> Closest) -> Option<Vec3> {
    let is_shorter = |s: Vec3| s.length() < shift.length() - left_over;
    if !is_shorter(target) {
        return None;
    }
    if gap(target).distance > 0.0 {
        return Some(target);
    }
    let (mut good, mut bad) = (0.0, 1.0);
    for _ in 0..MOST_HALVINGS {
        let middle = 0.5 * (good + bad);
        if gap(shift.lerp(target, middle)).distance > 0.0 {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(shift.lerp(target, good)).filter(|&s| is_shorter(s))
}

/// The shift made shorter as far as the bodies stay apart, and the gap it leaves.
fn shorten(
    start: Vec3,
    left_over: f64,
    most_steps: usize,
    gap: &impl Fn(Vec3) -> Closest,
) -> (Vec3, Closest) {
    let mut shift = start;
    let mut closest = gap(shift);
    let Some(direction) = unit(start) else { return (shift, closest) };
    for _ in 0..most_steps {
        let length = shift.length();
        if closest.distance <= left_over || length <= left_over {
            break;
        }
        // Against a flat side the gap closes by this share of the step; leave a little.
        let rate = direction.dot(-closest.normal);
        let bold = if rate > 0.0 { (closest.distance - 0.5 * left_over) / rate } else { 0.0 };
        let tried = direction * (length - bold).max(0.0);
        let found = gap(tried);
        if bold > closest.distance && found.distance > 0.0 {
            (shift, closest) = (tried, found);
            continue;
        }
        // A step as long as the gap cannot close it.
        let careful = closest.distance - 0.5 * left_over;
        shift = direction * (length - careful).max(0.0);
        closest = gap(shift);
    }
    (shift, closest)
}

/// The largest product of the points of a body with a unit direction, both in the frame of the body.
pub(super) fn extent(body: &Prepared, direction: Vec3) -> f64 {
    match body.class() {
        Class::Convex(solid) => solid.support(direction).dot(direction),
        Class::HalfSpace(half_space) => {
            let is_out = (half_space.normal() - direction).length() <= 8.0 * f64::EPSILON;
            if is_out { half_space.offset() } else { f64::INFINITY }
        }
        Class::Surface(surface) => surface.farthest(direction).1,
        Class::Compound(parts) => extent_of_parts(parts, direction),
    }
}

pub(super) fn extent_of_parts(parts: &[PreparedPart], direction: Vec3) -> f64 {
    let of_part = |p: &PreparedPart| placed_extent(&p.compound_from_part, direction, |d| extent(&p.part, d));
    parts.iter().map(of_part).fold(f64::NEG_INFINITY, f64::max)
}

/// The extent of a placed body: `of_body` answers in the frame of the body.
pub(super) fn placed_extent(a_from_body: &Pose, direction: Vec3, of_body: impl Fn(Vec3) -> f64) -> f64 {
    of_body(a_from_body.inverse().rotate(direction)) + a_from_body.translation().dot(direction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance;
    use freiraum_geometry::Shape;
    use freiraum_geometry::shape::Cuboid;
    use freiraum_testkit::random::Random;

    /// Against the exact depth of boxes: the search separates, and with the contact normal as hint it finds the depth.
    #[test]
    fn boxes_are_separated_by_the_exact_depth() {
        let mut random = Random::new(5);
        let (mut exact, mut tried) = (0, 0);
        for _ in 0..60 {
            let mut cuboid = || {
                let size = Vec3::new(random.range(0.3, 2.0), random.range(0.3, 2.0), random.range(0.3, 2.0));
                Prepared::new(Shape::Cuboid(Cuboid::new(size).unwrap()))
            };
            let (a, b) = (cuboid(), cuboid());
            let a_from_b = Pose::new(random.rotation(), random.in_cube(0.6)).unwrap();
            let known = distance(&a, &b, &a_from_b).unwrap();
            if known.distance > -1e-3 {
                continue;
            }
            let of_a = |d: Vec3| extent(&a, d);
            let of_b = |d: Vec3| placed_extent(&a_from_b, d, |d| extent(&b, d));
            let gap = |shift: Vec3| {
                let closest = distance(&a, &b, &(Pose::from_translation(-shift) * a_from_b)).unwrap();
                Closest { distance: closest.distance.max(0.0), ..closest }
            };
            let found = search(
                &Extents { a_from_b: &a_from_b, of_a: &of_a, of_b: &of_b },
                [-known.normal].into_iter(),
                gap,
            )
            .unwrap();
            let moved = distance(&a, &b, &(Pose::from_translation(-found) * a_from_b)).unwrap();
            assert!(moved.distance >= -1e-12, "{moved:?}");
            assert!(found.length() >= -known.distance - 1e-12);
            tried += 1;
            exact += usize::from(found.length() < -known.distance + 1e-9);
        }
        assert!(tried > 30 && exact == tried, "{exact} of {tried}");
    }
}
