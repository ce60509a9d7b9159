//! How fast points of a robot can move at most, whatever the joints do: lemma 4.5 of the thesis.

use crate::model::Robot;

/// An upper bound of the derivative of order `order` (1: speed, 2: acceleration) of the path of any point of a link within `reach` of its origin, when every freedom moves with a constant speed of at
/// most that in `speeds`, whatever the joint values are.
///
/// The sum over the links of how long they are times the power of the sum of the angular speeds up to them; sliding joints add their speed and, with what turns them, to
/// the higher derivatives. **Units.** `speeds` in radians or metres per second, `reach` in metres; metres per second to the power of the order. A sliding joint counts with the farther
/// of its limits; the bound is infinite if it has none. Panics unless there is one speed per freedom.
pub fn derivative_bound(robot: &Robot, link: usize, reach: f64, speeds: &[f64], order: u32) -> f64 {
    assert_eq!(speeds.len(), robot.freedoms().len(), "one speed per freedom");
    let (mut sum, mut turning) = (0.0, 0.0_f64);
    for number in robot.way_to(link) {
        let joint = &robot.joints()[number];
        // The shift of this joint is carried by what turns before it.
        sum += turning.powi(order as i32) * joint.parent_from_child.translation().length();
        let Some((freedom, factor)) = robot.rate(number) else { continue };
        let speed = (factor * speeds[freedom]).abs();
        if joint.kind.turns() {
            turning += speed;
        } else {
            let farthest = joint.limits.lower.abs().max(joint.limits.upper.abs());
            let held = turning.powi(order as i32);
            if held > 0.0 {
                sum += held * farthest;
            }
            // The product of a turning and a linearly growing vector: order times the derivative of one less of the first.
            sum += f64::from(order) * turning.powi(order as i32 - 1) * speed;
        }
    }
    sum + turning.powi(order as i32) * reach
}
