//! The chain from the base to the tool, fixed links folded.

use super::answer::Residual;
use crate::model::{Limits, Robot};
use freiraum_geometry::{Pose, Quat, Vec3};

/// One joint that moves, and what is rigid before it.
struct Step {
    /// From the last joint (or, for the first, the frame of the arm) to this one.
    before: Pose,
    axis: Vec3,
    turns: bool,
    /// Number among [`Arm::freedoms`].
    freedom: usize,
    factor: f64,
    offset: f64,
}

/// Chain of joints from the frame of the arm, that of the first joint that moves, to the tool.
pub(super) struct Arm {
    steps: Vec<Step>,
    last_from_tool: Pose,
    /// Where the frame of the arm is on the root link.
    pub(super) root_from_arm: Pose,
    /// The freedoms of the robot that move the tool, in the order in which they come.
    pub(super) freedoms: Vec<usize>,
    /// What they can take.
    pub(super) ranges: Vec<Limits>,
    /// True for those that turn.
    pub(super) turns: Vec<bool>,
    /// Sum of the distances from joint to joint to tool, ranges of slides included; the unit of what is small.
    pub(super) size: f64,
}

/// A joint in the frame of the arm: a line, at some joint values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) direction: Vec3,
    pub(super) point: Vec3,
}

impl Axis {
    /// The motion about this axis.
    pub(super) fn turn(&self, angle: f64) -> Pose {
        let rotation = Quat::from_axis_angle(self.direction, angle);
        let turned = Pose::new(rotation, Vec3::ZERO).unwrap_or(Pose::IDENTITY);
        Pose::from_translation(self.point - turned.rotate(self.point)) * turned
    }

    /// Where a point gets when it turns about this axis.
    pub(super) fn turned(&self, point: Vec3, angle: f64) -> Vec3 {
        self.point + turned(self.direction, point - self.point, angle)
    }
}

/// A vector turned about a unit direction.
pub(super) fn turned(direction: Vec3, v: Vec3, angle: f64) -> Vec3 {
    let (sin, cos) = angle.sin_cos();
    let along = direction * direction.dot(v);
    along + cos * (v - along) + sin * direction.cross(v)
}

impl Arm {
    /// `None` if nothing moves the link.
    pub(super) fn new(robot: &Robot, link: usize, link_from_tool: &Pose) -> Option<Arm> {
        let (mut steps, mut freedoms): (Vec<Step>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut before = Pose::IDENTITY;
        for number in robot.way_to(link) {
            let joint = &robot.joints()[number];
            before = before * joint.parent_from_child;
            let Some((freedom, factor)) = robot.rate(number) else { continue };
            let freedom = freedoms.iter().position(|known| *known == freedom).unwrap_or_else(|| {
                freedoms.push(freedom);
                freedoms.len() - 1
            });
            let offset = robot.offset(number);
            let turns = joint.kind.turns();
            steps.push(Step { before, axis: joint.axis, turns, freedom, factor, offset });
            before = Pose::IDENTITY;
        }
        let last_from_tool = before * *link_from_tool;
        let root_from_arm = std::mem::replace(&mut steps.first_mut()?.before, Pose::IDENTITY);
        let ranges: Vec<Limits> = freedoms.iter().map(|freedom| robot.range(*freedom)).collect();
        let turns = freedoms.iter().map(|freedom| robot.joints()[robot.freedoms()[*freedom]].kind.turns());
        let turns: Vec<bool> = turns.collect();
        let lengths = steps.iter().map(|step| step.before.translation().length());
        let slides = ranges.iter().zip(&turns).filter(|(range, turns)| {
            !**turns && range.lower.is_finite() && range.upper.is_finite() && range.lower <= range.upper
        });
        let size = lengths.sum::<f64>()
            + last_from_tool.translation().length()
            + slides.map(|(range, _)| range.upper - range.lower).sum::<f64>();
        let size = if size > 0.0 { size } else { 1.0 };
        Some(Arm { steps, last_from_tool, root_from_arm, freedoms, ranges, turns, size })
    }

    /// True if every joint takes a value of its own: no joint follows another one.
    pub(super) fn is_plain(&self) -> bool {
        let alone = |(number, step): (usize, &Step)| {
            step.freedom == number && step.factor == 1.0 && step.offset == 0.0
        };
        self.steps.iter().enumerate().all(alone)
    }

    /// The tool in the frame of the arm, and the axes of the joints there.
    pub(super) fn place(&self, values: &[f64], axes: &mut Vec<Axis>) -> Pose {
        axes.clear();
        let mut at = Pose::IDENTITY;
        for step in &self.steps {
            at = at * step.before;
            axes.push(Axis { direction: at.rotate(step.axis), point: at.translation() });
            let value = step.factor * values[step.freedom] + step.offset;
            at = at
                * if step.turns {
                    Pose::new(Quat::from_axis_angle(step.axis, value), Vec3::ZERO).unwrap_or(Pose::IDENTITY)
                } else {
                    Pose::from_translation(value * step.axis)
                };
        }
        at * self.last_from_tool
    }

    /// The velocity of the tool point (in sizes of the arm) and its angular velocity per freedom (radians, or sizes of the arm), columns of 6.
    pub(super) fn columns(&self, tool: Vec3, axes: &[Axis], columns: &mut Vec<[f64; 6]>) {
        columns.clear();
        columns.resize(self.freedoms.len(), [0.0; 6]);
        for (step, axis) in self.steps.iter().zip(axes) {
            let direction = step.factor * axis.direction;
            // A slide of `size` metres moves the tool by one size; a turn that a slide drives turns by `size` per unit, and the other way round.
            let unit = if self.turns[step.freedom] { 1.0 } else { self.size };
            let (linear, angular) = if step.turns {
                (unit / self.size * direction.cross(tool - axis.point), unit * direction)
            } else {
                (unit / self.size * direction, Vec3::ZERO)
            };
            let column = &mut columns[step.freedom];
            for (k, part) in
                [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z].into_iter().enumerate()
            {
                column[k] += part;
            }
        }
    }
}

/// What leads from where the tool is to where it should be: shift in metres, rotation vector in radians.
pub(super) fn error(is: &Pose, should: &Pose) -> (Vec3, Vec3) {
    let turn = should.rotation() * is.rotation().conjugate();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let sine = Vec3::new(turn.x, turn.y, turn.z);
    let length = sine.length();
    let angle = 2.0 * length.atan2(turn.w);
    let vector = if length > 0.0 { sine * (angle / length) } else { Vec3::ZERO };
    (should.translation() - is.translation(), vector)
}

/// The sizes of [`error`].
pub(super) fn residual(is: &Pose, should: &Pose) -> Residual {
    let (shift, turn) = error(is, should);
    Residual { position: shift.length(), angle: turn.length() }
}
