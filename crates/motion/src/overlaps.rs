//! All times at which two moving bodies touch or overlap.
//!
//! Surfaces touch while two faces of them do. In between, bodies are either apart or one is inside the other for the whole time:
//! one look per gap decides.

use crate::contact_time::{breaks, reach_of};
use crate::movable::{Core, Movable};
use crate::path::Motion;
use crate::relative::{Relative, RelativeMotion};
use crate::sweep::{FaceContact, MotionWorkspace, RotatingPair, TranslatingPair};
use crate::verdict::MotionError;
use std::f64::consts::TAU;

/// The intervals of t in [0, 1], ascending and apart from each other, in which two bodies touch or overlap.
///
/// **Guarantee.** Exact up to rounding, full containment included. A contact of one instant is an interval without length; during
/// rotations, such contacts that rounding alone decides may be missing, while [`time_of_contact`](crate::time_of_contact()) finds the first.
/// **Unsupported.** Stretches in which the relative motion is neither a translation nor a rotation, and bodies with round or
/// endless pieces. **Cost.** Near-linear in the number of pairs of faces that touch at some time.
pub fn overlap_intervals(
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    motion_b: &dyn Motion,
    memory: &mut MotionWorkspace,
) -> Result<Vec<[f64; 2]>, MotionError> {
    let mut spans = Vec::new();
    let mut from = 0.0;
    for to in breaks(motion_a, motion_b) {
        let relative = Relative::between(motion_a, motion_b, from, to);
        for span in touching_spans(a, b, &relative, reach_of([motion_a, motion_b], [from, to]), memory)? {
            spans.push(span.map(|share| (from + (to - from) * share).min(to)));
        }
        from = to;
    }
    let touching = united(spans);
    // Whether one is inside the other can change only while surfaces touch.
    let mut all = touching.clone();
    let starts = std::iter::once(0.0).chain(touching.iter().map(|span| span[1]));
    let ends = touching.iter().map(|span| span[0]).chain(std::iter::once(1.0));
    for (start, end) in starts.zip(ends).filter(|(start, end)| start < end) {
        let middle = 0.5 * (start + end);
        let a_from_b = motion_a.pose(middle).inverse() * motion_b.pose(middle);
        if freiraum_query::intersects(a.prepared(), b.prepared(), &a_from_b)? {
            all.push([start, end]);
        }
    }
    Ok(united(all))
}

/// When surfaces touch in one stretch, as shares of it. `reach`: of the coordinates that the poses come from.
fn touching_spans(
    a: &Movable,
    b: &Movable,
    relative: &Relative,
    reach: f64,
    memory: &mut MotionWorkspace,
) -> Result<Vec<[f64; 2]>, MotionError> {
    let mut contacts = Vec::new();
    let mut turn = f64::INFINITY;
    for piece_a in a.pieces() {
        for piece_b in b.pieces() {
            let (Some(Core { tree: tree_a, radius: 0.0 }), Some(Core { tree: tree_b, radius: 0.0 })) =
                (&piece_a.core, &piece_b.core)
            else {
                return Err(MotionError::Unsupported("overlap intervals of round or endless shapes"));
            };
            let core_from_a = piece_a.body_from_piece.inverse();
            let place = core_from_a * relative.a_from_b * piece_b.body_from_piece;
            match relative.motion.placed(&core_from_a) {
                RelativeMotion::Still => {}
                RelativeMotion::General => {
                    return Err(MotionError::Unsupported("overlap intervals of a general motion"));
                }
                RelativeMotion::Translation(by) => {
                    TranslatingPair::new(tree_a, tree_b, &place, 0.0, by)
                        .seen_from(reach)
                        .all_contacts(memory, &mut contacts);
                }
                RelativeMotion::Rotation { axis, angle } => {
                    RotatingPair::new(tree_a, tree_b, &place, 0.0, &axis, angle)
                        .seen_from(reach)
                        .all_contacts(memory, &mut contacts);
                    turn = TAU / angle;
                }
            }
        }
    }
    repeated(united(contacts.iter().map(|contact: &FaceContact| contact.time).collect()), turn)
}

/// Turns at most: all intervals of all of them are listed.
const TURNS: f64 = 1_048_576.0;

/// Repeats what happens in the first turn for all others. `turn`: the share of the motion that a full turn takes.
fn repeated(mut spans: Vec<[f64; 2]>, turn: f64) -> Result<Vec<[f64; 2]>, MotionError> {
    if turn * TURNS < 1.0 {
        return Err(MotionError::Unsupported("overlap intervals of more than a million turns"));
    }
    let first = spans.len();
    let starts = (1..).map(|number: u32| f64::from(number) * turn).take_while(|start| *start < 1.0);
    for start in starts {
        for k in 0..first {
            let [from, to] = spans[k].map(|time| time + start);
            if from <= 1.0 {
                spans.push([from, to.min(1.0)]);
            }
        }
    }
    Ok(spans)
}

/// The union of intervals, ascending. Gaps that rounding alone makes are closed.
fn united(mut spans: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    spans.sort_by(|x, y| x[0].total_cmp(&y[0]).then(x[1].total_cmp(&y[1])));
    let mut out: Vec<[f64; 2]> = Vec::new();
    for span in spans {
        match out.last_mut() {
            Some(last) if span[0] <= last[1] + ROUNDING => last[1] = last[1].max(span[1]),
            _ => out.push(span),
        }
    }
    out
}

/// Times of contact between neighbouring faces differ by a few dozen units in the last place.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::{Axis, UniformMotion};
    use freiraum_geometry::shape::{Cuboid, Shape};
    use freiraum_geometry::{Pose, Vec3};
    use std::f64::consts::PI;

    fn cuboid(x: f64, y: f64, z: f64) -> Movable {
        Movable::new(Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap()))
    }

    fn check(a: &Movable, b: &Movable, motion: UniformMotion, expected: &[[f64; 2]]) {
        let still = UniformMotion::still(Pose::IDENTITY);
        let found = overlap_intervals(a, &still, b, &motion, &mut MotionWorkspace::default()).unwrap();
        let near = |x: &[f64; 2], y: &[f64; 2]| (x[0] - y[0]).abs() < 1e-12 && (x[1] - y[1]).abs() < 1e-12;
        assert!(
            found.len() == expected.len() && found.iter().zip(expected).all(|(x, y)| near(x, y)),
            "{found:?} instead of {expected:?}"
        );
    }

    fn at(x: f64, y: f64, z: f64) -> Pose {
        Pose::from_translation(Vec3::new(x, y, z))
    }

    #[test]
    fn a_box_that_passes_through_another_is_inside_for_a_while() {
        // It enters at x = -1.5 and leaves at 1.5; between -0.5 and 0.5 it is all inside.
        let pass = UniformMotion::translation(at(-5.0, 0.0, 0.0), Vec3::new(10.0, 0.0, 0.0));
        check(&cuboid(2.0, 2.0, 2.0), &cuboid(1.0, 1.0, 1.0), pass, &[[0.35, 0.65]]);
        check(&cuboid(1.0, 1.0, 1.0), &cuboid(2.0, 2.0, 2.0), pass, &[[0.35, 0.65]]);
        let beside = UniformMotion::translation(at(-5.0, 1.6, 0.0), Vec3::new(10.0, 0.0, 0.0));
        check(&cuboid(2.0, 2.0, 2.0), &cuboid(1.0, 1.0, 1.0), beside, &[]);
        // Sliding along the side touches.
        let along = UniformMotion::translation(at(-5.0, 1.5, 0.0), Vec3::new(10.0, 0.0, 0.0));
        check(&cuboid(2.0, 2.0, 2.0), &cuboid(1.0, 1.0, 1.0), along, &[[0.35, 0.65]]);
    }

    #[test]
    fn a_turning_bar_meets_a_post_twice_in_a_turn() {
        let bar = cuboid(4.0, 0.2, 0.2);
        let post = cuboid(0.2, 0.2, 1.0);
        let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
        let start = Pose::from_axis_angle(Vec3::Z, PI / 2.0).unwrap();
        // The post is at x = 1.5: a corner (1.4, ±0.1) is met by the side of the bar at height 0.1.
        let post_motion = UniformMotion::still(at(1.5, 0.0, 0.0));
        let turn = UniformMotion::rotation(start, axis, 2.0 * PI);
        let found =
            overlap_intervals(&post, &post_motion, &bar, &turn, &mut MotionWorkspace::default()).unwrap();
        let reach = 2.0 * (0.1f64 / 1.4).atan();
        let quarter = 0.25;
        let half = reach / (2.0 * PI);
        assert_eq!(found.len(), 2, "{found:?}");
        for (span, middle) in found.iter().zip([quarter, 3.0 * quarter]) {
            assert!(
                (span[0] - (middle - half)).abs() < 1e-12 && (span[1] - (middle + half)).abs() < 1e-12,
                "{found:?}"
            );
        }
        // Three turns: six times.
        let turns = UniformMotion::rotation(start, axis, 6.0 * PI);
        let found =
            overlap_intervals(&post, &post_motion, &bar, &turns, &mut MotionWorkspace::default()).unwrap();
        assert_eq!(found.len(), 6, "{found:?}");
    }
}
