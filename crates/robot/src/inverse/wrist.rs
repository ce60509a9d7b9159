//! Six turning axes, the last three of which meet in one point: first the place of that point, then the orientation.

use super::Singularity;
use super::angles::{angle_between, angle_of, angles_on_sphere, is_far};
use super::arm::turned;
use super::form::{Candidate, Form, Found};
use super::three_axes::three_axes;
use freiraum_geometry::{Pose, Quat};

/// Joint values whose product of motions is `product`; `None` if the form does not decide.
pub(super) fn candidates(form: &Form, product: &Pose, current: &[f64; 6]) -> Option<Found> {
    let first = [form.axes[0], form.axes[1], form.axes[2]];
    let goal = product.transform_point(form.centre);
    let mut found = Found::default();
    for three in three_axes(&first, form.centre, goal, [current[0], current[1], current[2]])? {
        found.missed(three.miss);
        found.kept.extend(three.kept);
        if is_far(three.miss) {
            continue;
        }
        let [q1, q2, q3] = three.values;
        let carried =
            first[0].turn(q1).rotation() * first[1].turn(q2).rotation() * first[2].turn(q3).rotation();
        let because = |axis| (axis, if axis == 0 { Singularity::Shoulder } else { Singularity::Elbow });
        let rest = carried.conjugate() * product.rotation();
        orientation(form, rest, current, &mut found, |wrist| {
            let kept = wrist.1.map(|axis| (axis, Singularity::Wrist)).or(three.kept.map(because));
            Candidate { values: [q1, q2, q3, wrist.0[0], wrist.0[1], wrist.0[2]], kept }
        });
    }
    Some(found)
}

/// The last three angles for the rotation that they have to make.
fn orientation(
    form: &Form,
    rest: Quat,
    current: &[f64; 6],
    found: &mut Found,
    candidate: impl Fn(([f64; 3], Option<usize>)) -> Candidate,
) {
    let [a4, a5, a6] = [3, 4, 5].map(|k| form.axes[k].direction);
    // The fourth axis keeps the angle to itself of where the sixth axis is to point, so the fifth has to make it.
    let to = rest * a6;
    let (q5s, count, tilt) = angles_on_sphere(a4, a5, a6, to);
    if is_far(tilt) {
        return found.tilted(tilt);
    }
    for q5 in &q5s[..count] {
        let (q4, arm) = angle_between(a4, turned(a5, a6, *q5), to);
        let [sure, perhaps] = form.undetermined();
        for (is_asked, q4, kept) in [(arm > sure, q4, None), (arm <= perhaps, current[3], Some(3))] {
            if is_asked {
                let before = Quat::from_axis_angle(a4, q4) * Quat::from_axis_angle(a5, *q5);
                let q6 = angle_of(before.conjugate() * rest, a6);
                found.candidates.push(candidate(([q4, *q5, q6], kept)));
            }
        }
    }
}
