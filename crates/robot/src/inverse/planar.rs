//! Three parallel turning axes move in a plane: the arms of SCARA robots, and axes 2, 3 and 4 of many light arms.

use super::Singularity;
use super::angles::{angle_between, angle_of, angles, angles_on_sphere, is_far};
use super::arm::{Axis, turned};
use super::form::{Candidate, Form, Found};
use freiraum_geometry::tolerance::UNDETERMINED;
use freiraum_geometry::{Pose, Vec3};
use std::f64::consts::PI;

/// How many angles on either side of the current one are tried for a joint that can take any.
const TRIES: i32 = 90;

/// The angles about three parallel axes whose product is the planar motion `product`: the values, and true if the first was left as it is because
/// the third axis is to be where the first is. Nothing and by how much it is missed if there are none.
fn three_parallel(axes: [&Axis; 3], product: &Pose, current: f64) -> (Vec<([f64; 3], bool)>, f64) {
    let [a, b, c] = axes;
    let plane = |v: Vec3| v - a.direction * a.direction.dot(v);
    let goal = plane(product.transform_point(c.point) - a.point);
    let (upper, fore) = (plane(b.point - a.point), plane(c.point - b.point));
    // |upper + turned fore| = |goal|.
    let whole = 0.5 * (goal.length_squared() - upper.length_squared() - fore.length_squared());
    let (q_bs, count, miss) = angles(upper.dot(fore), upper.dot(b.direction.cross(fore)), -whole).or(current);
    let missed = if miss > 0.0 {
        let reached = (upper + turned(b.direction, fore, q_bs[0])).length();
        (reached - goal.length()).abs()
    } else {
        0.0
    };
    if is_far(missed) {
        return (Vec::new(), missed);
    }
    let whole = angle_of(product.rotation(), a.direction);
    let sign = |axis: &Axis| axis.direction.dot(a.direction).signum();
    let one = |q_b: &f64| {
        let (q_a, arm) = angle_between(a.direction, upper + turned(b.direction, fore, *q_b), goal);
        let is_kept = arm <= UNDETERMINED;
        let q_a = if is_kept { current } else { q_a };
        ([q_a, *q_b, sign(c) * (whole - q_a - sign(b) * q_b)], is_kept)
    };
    (q_bs[..count].iter().map(one).collect(), missed)
}

/// Three turning axes and a slide, all parallel, in any order.
pub(super) fn scara(form: &Form, product: &Pose, current: &[f64; 6]) -> Found {
    let mut found = Found::default();
    let along = form.axes[form.slide].direction;
    let tilt = along.angle_between(product.rotate(along));
    if is_far(tilt) {
        found.tilted(tilt);
        return found;
    }
    // All motions keep heights but that of the slide, which commutes with them.
    let height = along.dot(product.translation());
    let flat = Pose::from_translation(-height * along) * *product;
    let turning: Vec<usize> = (0..4).filter(|axis| *axis != form.slide).collect();
    let axes = [&form.axes[turning[0]], &form.axes[turning[1]], &form.axes[turning[2]]];
    let (all, miss) = three_parallel(axes, &flat, current[turning[0]]);
    if all.is_empty() {
        found.missed(miss);
    }
    for (three, is_kept) in all {
        let mut values = [0.0; 6];
        values[form.slide] = height;
        for (axis, value) in turning.iter().zip(three) {
            values[*axis] = value;
        }
        let kept = is_kept.then_some((turning[0], Singularity::Shoulder));
        found.candidates.push(Candidate { values, kept });
    }
    found
}

/// Six turning axes, the second to fourth parallel, the last two meeting.
pub(super) fn candidates(form: &Form, product: &Pose, current: &[f64; 6]) -> Found {
    let mut found = Found::default();
    let axes = &form.axes;
    let (first, parallel) = (axes[0].direction, axes[1].direction);
    // The parallel axes keep the height along them of the point where the last two meet, so the first axis has to make it.
    let goal = product.transform_point(form.centre) - axes[0].point;
    let along = first * first.dot(parallel);
    let height = parallel.dot(form.centre - axes[0].point);
    let (q1s, count, miss) =
        angles((parallel - along).dot(goal), first.cross(parallel).dot(goal), along.dot(goal) - height)
            .or(current[0]);
    if is_far(miss) {
        found.missed(miss);
        return found;
    }
    if goal.reject_from(first).length() <= UNDETERMINED {
        found.kept.push(0);
    }
    for q1 in &q1s[..count] {
        let rest = axes[0].turn(*q1).inverse() * *product;
        // They also keep the angle to themselves of where the last axis points, so the fifth has to make it.
        let (a5, a6) = (axes[4].direction, axes[5].direction);
        let (q5s, count, tilt) = angles_on_sphere(parallel, a5, a6, rest.rotate(a6));
        if is_far(tilt) {
            found.tilted(tilt);
            continue;
        }
        for q5 in &q5s[..count] {
            // Seen from the tool, the parallel axes are where the last two put them.
            let (is, should) = (turned(a5, parallel, -q5), rest.inverse().rotate(parallel));
            let (q6, arm) = angle_between(a6, should, is);
            let [sure, perhaps] = form.undetermined();
            let planar = |q6: f64| {
                let flat = rest * axes[5].turn(-q6) * axes[4].turn(-q5);
                three_parallel([&axes[1], &axes[2], &axes[3]], &flat, current[1])
            };
            if arm > sure {
                let (all, miss) = planar(q6);
                if all.is_empty() {
                    found.missed(miss);
                }
                found.candidates.extend(all.into_iter().map(|([q2, q3, q4], is_kept)| {
                    let kept = is_kept.then_some((1, Singularity::Elbow));
                    Candidate { values: [*q1, q2, q3, q4, *q5, q6], kept }
                }));
            }
            if arm <= perhaps {
                found.kept.push(5);
                // The last axis is parallel to the three, and any angle will do with which they reach what is left: the nearest to the current one.
                let tries = (0..=TRIES)
                    .flat_map(|k| [k, -k])
                    .map(|k| current[5] + PI * f64::from(k) / f64::from(TRIES));
                let mut tries = tries.map(|q6| (q6, planar(q6)));
                match tries.find(|(_, (all, _))| !all.is_empty()) {
                    Some((q6, (all, _))) => {
                        found.candidates.extend(all.into_iter().map(|([q2, q3, q4], _)| Candidate {
                            values: [*q1, q2, q3, q4, *q5, q6],
                            kept: Some((5, Singularity::Wrist)),
                        }));
                    }
                    None => found.missed(planar(current[5]).1),
                }
            }
        }
    }
    found
}
