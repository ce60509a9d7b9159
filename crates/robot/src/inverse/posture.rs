//! How an arm stands, in words that do not depend on how its axes are modelled.
//!
//! Up is along the first axis, to the side of the z axis of the link that carries it. Forward is across the first two axes: where the second axis is off the first, to that side; otherwise to the side on which the
//! centre of the wrist is at joint values 0; otherwise along x (or y) of the link that carries the arm. Turning the direction of an axis changes none of these.

use super::Singularity;
use super::angles::angle_between;
use super::answer::Method;
use super::arm::{Arm, Axis, turned};
use super::closed::nearest_turn;
use super::form::Form;
use super::singular::placed;
use super::three_axes::NEARLY;
use crate::model::Robot;
use freiraum_geometry::Vec3;
use freiraum_geometry::math::unit;
use freiraum_geometry::tolerance::AXES_RELATIVE;
use std::f64::consts::{FRAC_PI_2, PI};
use std::fmt;

/// How an arm stands; `None` for words that have no meaning for it.
///
/// Arms whose last three axes meet, with a second axis across the first and a third parallel to it, have all words (`right` only with a lateral offset); those with three parallel axes, as UR arms, have `up` alone; others have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Posture {
    /// The centre of the wrist is on the forward side of the first axis, not over the head of the arm.
    pub front: Option<bool>,
    /// The third axis is above the line from the second axis to the wrist, seen along the second axis with the first pointing up.
    pub up: Option<bool>,
    /// With the fourth joint at 0 and the forearm reaching forward, the wrist is bent down.
    pub noflip: Option<bool>,
    /// The arm is on the right of its first axis, seen in the direction in which it reaches.
    pub right: Option<bool>,
}

impl Posture {
    /// True if all three words can be said.
    pub fn is_named(&self) -> bool {
        self.front.is_some() && self.up.is_some() && self.noflip.is_some()
    }

    /// The postures that cannot be told from this one at singularities, itself among them.
    pub(super) fn readings(self, singular: &[Singularity]) -> impl Iterator<Item = Posture> {
        let at =
            [Singularity::Shoulder, Singularity::Elbow, Singularity::Wrist].map(|s| singular.contains(&s));
        (0..8u8).filter_map(move |bits| {
            let turned = [1, 2, 4].map(|bit| bits & bit != 0);
            let possible = turned.iter().zip(at).all(|(turned, at)| at || !turned);
            let flip = |word: Option<bool>, by: bool| word.map(|word| word != by);
            // Over the axis, what is above seen from the front is below seen from the back, and right is left.
            let shoulder = turned[0] && self.front.is_some();
            possible.then(|| Posture {
                front: flip(self.front, shoulder),
                up: flip(self.up, turned[1] != shoulder),
                noflip: flip(self.noflip, turned[2]),
                right: flip(self.right, shoulder),
            })
        })
    }
}

impl fmt::Display for Posture {
    /// `front up noflip`, or those of the words that the arm has.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word =
            |side: Option<bool>, [yes, no]: [&'static str; 2]| side.map(|side| if side { yes } else { no });
        let words = [
            word(self.front, ["front", "back"]),
            word(self.up, ["up", "down"]),
            word(self.noflip, ["noflip", "flip"]),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// The directions of an arm, at joint values 0 in its frame.
pub(super) struct Directions {
    up: Vec3,
    forward: Vec3,
    /// The fifth angle at which the wrist is straight, and the side of the fifth axis that is left of the arm.
    wrist: Option<(f64, f64)>,
}

impl Directions {
    /// `None` if words make no sense for the arm.
    pub(super) fn of(robot: &Robot, link: usize, arm: &Arm, form: &Form) -> Option<Directions> {
        if !matches!(form.method, Method::SphericalWrist | Method::ThreeParallel) {
            return None;
        }
        let [first, second, third] = [0, 1, 2].map(|k| &form.axes[k]);
        let is_upright = first.direction.dot(second.direction).abs() < NEARLY
            && second.direction.cross(third.direction).length() < NEARLY;
        if !is_upright {
            return None;
        }
        let way = robot.way_to(link);
        let mover = way.into_iter().find(|joint| robot.rate(*joint).is_some())?;
        let arm_from_base = robot.joints()[mover].parent_from_child.inverse();
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| arm_from_base.rotate(axis));
        let along = first.direction.dot(z);
        // Half of a right angle and more between the two: neither end of the axis is up.
        let up = (along.abs() > 0.5).then(|| first.direction * along.signum())?;
        let across = unit(second.direction.cross(up))?;
        let sides = [second.point - first.point, form.centre - first.point, x, y];
        let side = sides.into_iter().map(|v| v.dot(across)).find(|side| side.abs() > AXES_RELATIVE)?;
        let forward = across * side.signum();
        let wrist = wrist(arm, form, up.cross(forward));
        Some(Directions { up, forward, wrist })
    }

    /// The words for joint values in the order and units of the form.
    pub(super) fn posture(&self, form: &Form, values: &[f64; 6]) -> Posture {
        let (axes, centre) = placed(form, values);
        let forward = turned(form.axes[0].direction, self.forward, values[0]);
        let flat = |v: Vec3| [v.dot(forward), v.dot(self.up)];
        // Above the line to `to`, if that is in front of the shoulder.
        let bend = |to: Vec3| {
            let ([x, z], [elbow_x, elbow_z]) =
                (flat(to - axes[1].point), flat(axes[2].point - axes[1].point));
            x * elbow_z - z * elbow_x >= 0.0
        };
        if form.method == Method::ThreeParallel {
            let to = axes[3].point;
            let front = flat(to - axes[1].point)[0] >= 0.0;
            return Posture { up: Some(bend(to) == front), ..Posture::default() };
        }
        let reach = centre - axes[0].point;
        let front = reach.dot(forward) >= 0.0;
        let left = reach.dot(self.up.cross(forward));
        Posture {
            front: Some(front),
            up: Some(bend(centre) == front),
            noflip: self.wrist.map(|(straight, left)| left * (values[4] - straight).sin() >= 0.0),
            right: (left.abs() > AXES_RELATIVE).then_some((left < 0.0) == front),
        }
    }
}

/// Where a wrist is straight: of the two fifth angles at which its outer axes are in line, the one in the middle of the range, or else near 0.
fn wrist(arm: &Arm, form: &Form, left: Vec3) -> Option<(f64, f64)> {
    if form.method != Method::SphericalWrist {
        return None;
    }
    let [Axis { direction: fourth, .. }, Axis { direction: fifth, .. }, Axis { direction: sixth, .. }] =
        [3, 4, 5].map(|k| form.axes[k]);
    let side = fifth.dot(left);
    let (straight, _) = angle_between(fifth, sixth, fourth);
    let middle = 0.5 * (arm.ranges[4].lower + arm.ranges[4].upper);
    let mut middles = [middle, 0.0].into_iter().filter(|middle| middle.is_finite());
    let straight = middles.find_map(|middle| {
        let from = nearest_turn(straight - middle, 0.0);
        let is_clear = (from.abs() - FRAC_PI_2).abs() > NEARLY;
        is_clear.then_some(if from.abs() < FRAC_PI_2 { straight } else { straight + PI })
    })?;
    (side.abs() > 0.5).then(|| (straight, side.signum()))
}
