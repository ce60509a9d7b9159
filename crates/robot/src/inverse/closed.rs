//! From the candidates of a closed form to solutions: made exact, merged, brought within the limits.

use super::answer::{Configuration, Method, Note, Reason, Residual, Singularity};
use super::arm::{Arm, residual};
use super::descent::{Descent, Rules};
use super::form::{Form, Found};
use super::singular::sides;
use super::three_axes::{NEARLY, POOR};
use super::{planar, wrist};
use crate::model::{Limits, Robot};
use freiraum_geometry::Pose;
use freiraum_geometry::tolerance::{REACHED_RELATIVE, SAME_JOINTS};
use std::f64::consts::TAU;

/// A solution in the order and units of the arm.
pub(super) struct Local {
    pub(super) values: Vec<f64>,
    pub(super) configuration: Option<Configuration>,
    pub(super) singular: Vec<Singularity>,
    pub(super) notes: Vec<Note>,
}

/// Solutions, the numbers of freedoms of the arm outside of their limits in each of those that are left out, and why there are none.
pub(super) struct Locals {
    pub(super) solutions: Vec<Local>,
    pub(super) outside: Vec<Vec<usize>>,
    pub(super) reason: Option<Reason>,
}

/// How far off is still there: metres, radians.
#[derive(Clone, Copy)]
pub(super) struct Allowed {
    pub(super) position: f64,
    pub(super) angle: f64,
}

impl Allowed {
    /// Where a joint was kept, what the axes are off by cannot be made up for.
    fn at(&self, form: &Form, is_kept: bool, arm: &Arm) -> Allowed {
        let more = if is_kept { 8.0 * form.deviation } else { 0.0 };
        Allowed { position: self.position + more * arm.size, angle: self.angle + more }
    }

    pub(super) fn contains(&self, residual: &Residual) -> bool {
        residual.position <= self.position && residual.angle <= self.angle
    }
}

/// `None` if the form does not decide: infinitely many solutions of a kind that has no name.
pub(super) fn solutions(
    arm: &Arm,
    form: &Form,
    target: &Pose,
    current: &[f64],
    allowed: Allowed,
    keep_limits: bool,
) -> Option<Locals> {
    let product = form.product(arm, target);
    // A joint that any value will do for keeps its current one, or the limit nearest to it.
    let kept = current.iter().zip(&arm.ranges).map(|(value, range)| value.max(range.lower).min(range.upper));
    let current_in_form = form.values_of(arm, &kept.collect::<Vec<f64>>());
    let found = match form.method {
        Method::SphericalWrist | Method::SphericalShoulder => {
            wrist::candidates(form, &product, &current_in_form)?
        }
        Method::ThreeParallel | Method::ThreeParallelReversed => {
            planar::candidates(form, &product, &current_in_form)
        }
        Method::Scara | Method::Numeric => planar::scara(form, &product, &current_in_form),
    };
    let mut descent = Descent::default();
    let mut axes = Vec::new();
    let mut exact: Vec<Exact> = Vec::new();
    let mut best: Option<Residual> = None;
    for candidate in &found.candidates {
        let mut values = form.arm_values(arm, &candidate.values);
        let mut left = residual(&arm.place(&values, &mut axes), target);
        if left.position > 32.0 * f64::EPSILON * arm.size || left.angle > 32.0 * f64::EPSILON {
            left = descent.run(arm, target, &mut values, &Rules { steps: 20, keep_ranges: false });
        }
        if !allowed.at(form, candidate.kept.is_some(), arm).contains(&left) {
            if best.is_none_or(|best| {
                left.position + arm.size * left.angle < best.position + arm.size * best.angle
            }) {
                best = Some(left);
            }
            continue;
        }
        let weight = left.position / arm.size + left.angle;
        let this = Exact { values, kept: candidate.kept, weight };
        // Where two solutions fall together, what is left grows with the square of the distance from them: a poor one nearby is the same.
        let is_same = |other: &&mut Exact| {
            let worse = this.weight.max(other.weight);
            let slack = if worse > POOR { (512.0 * worse.sqrt()).min(NEARLY) } else { SAME_JOINTS };
            are_same(arm, &other.values, &this.values, slack)
        };
        match exact.iter_mut().find(is_same) {
            Some(other) if this.weight < other.weight => *other = this,
            Some(_) => {}
            None => exact.push(this),
        }
    }
    let reason = exact.is_empty().then(|| why_none(arm, &found, best));
    let (mut solutions, mut outside) = (Vec::new(), Vec::new());
    for one in exact {
        match one.within_limits(arm, form, current, keep_limits) {
            Ok(local) => solutions.push(local),
            Err(freedoms) => outside.push(freedoms),
        }
    }
    Some(Locals { solutions, outside, reason })
}

fn why_none(arm: &Arm, found: &Found, best: Option<Residual>) -> Reason {
    let far = found
        .miss
        .filter(|miss| *miss > REACHED_RELATIVE)
        .map(|miss| Reason::OutOfReach { by: miss * arm.size });
    match (best, found.tilt) {
        (None, Some(by)) => Reason::Orientation { by },
        (Some(best), _) => far.unwrap_or(Reason::NotReached { best, starts: found.candidates.len() }),
        (None, None) => far.unwrap_or(Reason::NotFinite),
    }
}

/// A solution without regard to limits.
struct Exact {
    values: Vec<f64>,
    kept: Option<(usize, Singularity)>,
    weight: f64,
}

impl Exact {
    /// The same with every turning joint turned by full turns into its limits, as near to the current values as possible; or the freedoms of the arm that
    /// cannot be.
    fn within_limits(
        mut self,
        arm: &Arm,
        form: &Form,
        current: &[f64],
        keep_limits: bool,
    ) -> Result<Local, Vec<usize>> {
        let sides = sides(form, &form.values_of(arm, &self.values));
        let mut brought = bring(arm, &self.values, current);
        // Two axes in line share one turn: what one cannot do the other may.
        if let (Err(_), Some((axis, Singularity::Wrist))) = (&brought, self.kept)
            && form.axes.len() == 6
            && axis == 3
        {
            let fitting = self.shared_turn(arm, form, current);
            if let Some(values) = fitting {
                brought = bring(arm, &values, current);
                self.values = values;
            }
        }
        let mut notes = Vec::new();
        if let Some((axis, because)) = self.kept {
            notes.push(Note::Kept { freedom: arm.freedoms[form.number(axis)], because });
        }
        let (values, others) = match brought {
            Ok(brought) => brought,
            Err(outside) if keep_limits => return Err(outside),
            Err(outside) => {
                notes.push(Note::OutsideLimits(outside.iter().map(|k| arm.freedoms[*k]).collect()));
                (self.values, Vec::new())
            }
        };
        if !others.is_empty() {
            notes.push(Note::OtherTurns(others.iter().map(|k| arm.freedoms[*k]).collect()));
        }
        Ok(Local { values, configuration: Some(sides.configuration), singular: sides.singular, notes })
    }

    /// With the wrist in line: the partner of the kept joint at an end of its range, if that brings both into their limits.
    fn shared_turn(&self, arm: &Arm, form: &Form, current: &[f64]) -> Option<Vec<f64>> {
        let (kept, partner) = (form.number(3), form.number(5));
        let mut axes = Vec::new();
        arm.place(&self.values, &mut axes);
        let sign = axes[kept].direction.dot(axes[partner].direction).signum();
        let range = arm.ranges[partner];
        let at_end = |end: f64| {
            let shift = nearest_turn(end - self.values[partner], 0.0);
            let mut values = self.values.clone();
            values[partner] = end;
            values[kept] = nearest_turn(values[kept] - sign * shift, current[kept]);
            values
        };
        let fitting = [range.lower, range.upper].into_iter().filter(|end| end.is_finite()).map(at_end);
        let fitting = fitting.filter(|values| bring(arm, values, current).is_ok());
        fitting.min_by(|a, b| (a[kept] - current[kept]).abs().total_cmp(&(b[kept] - current[kept]).abs()))
    }
}

/// The angle equal to `angle` up to full turns that is nearest to another one.
pub(super) fn nearest_turn(angle: f64, to: f64) -> f64 {
    angle + TAU * ((to - angle) / TAU).round()
}

/// Values within limits and the numbers of those that have other turns there; or the numbers of those that do not fit.
type Brought = Result<(Vec<f64>, Vec<usize>), Vec<usize>>;

fn bring(arm: &Arm, values: &[f64], current: &[f64]) -> Brought {
    let (mut brought, mut others, mut outside) = (Vec::new(), Vec::new(), Vec::new());
    for (number, value) in values.iter().enumerate() {
        let Limits { lower, upper } = arm.ranges[number];
        let slack = if arm.turns[number] { REACHED_RELATIVE } else { REACHED_RELATIVE * arm.size };
        let (mut value, mut is_inside) = (*value, lower - slack <= *value && *value <= upper + slack);
        if arm.turns[number] {
            let first = ((lower - slack - value) / TAU).ceil();
            let last = ((upper + slack - value) / TAU).floor();
            is_inside = first <= last;
            if is_inside {
                value += TAU * ((current[number] - value) / TAU).round().max(first).min(last);
            }
            if first < last {
                others.push(number);
            }
        }
        if is_inside {
            brought.push(value.max(lower).min(upper));
        } else {
            outside.push(number);
        }
    }
    if outside.is_empty() { Ok((brought, others)) } else { Err(outside) }
}

/// True if no joint differs by more than `slack`, full turns aside.
pub(super) fn are_same(arm: &Arm, a: &[f64], b: &[f64], slack: f64) -> bool {
    a.iter().zip(b).zip(&arm.turns).all(|((a, b), turns)| {
        if *turns { nearest_turn(a - b, 0.0).abs() <= slack } else { (a - b).abs() <= slack * arm.size }
    })
}

/// The names of the joints that are outside of their limits, and how often.
pub(super) fn outside_by_joint(robot: &Robot, arm: &Arm, outside: &[Vec<usize>]) -> Vec<(String, usize)> {
    let mut joints: Vec<(String, usize)> = Vec::new();
    for (number, freedom) in arm.freedoms.iter().enumerate() {
        let times = outside.iter().filter(|freedoms| freedoms.contains(&number)).count();
        if times > 0 {
            joints.push((robot.joints()[robot.freedoms()[*freedom]].name.clone(), times));
        }
    }
    joints.sort_by_key(|joint| std::cmp::Reverse(joint.1));
    joints
}
