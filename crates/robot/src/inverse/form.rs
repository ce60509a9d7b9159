//! Which closed form an arm has, recognised from its axes.

use super::answer::Method;
use super::arm::{Arm, Axis};
use freiraum_geometry::math::unit;
use freiraum_geometry::tolerance::{AXES_RELATIVE, UNDETERMINED};
use freiraum_geometry::{Pose, Vec3};

/// The axes of an arm at joint values 0, in sizes of the arm, in the order in which the form counts them.
pub(super) struct Form {
    pub(super) method: Method,
    /// As lines in the frame of the arm; in reverse order and direction if `reversed`.
    pub(super) axes: Vec<Axis>,
    /// Where the axes of the wrist meet; the origin for [`Method::Scara`].
    pub(super) centre: Vec3,
    /// The place of the slide among the axes of [`Method::Scara`].
    pub(super) slide: usize,
    /// True if the form counts from the tool to the base: the product of the motions is then the inverse one.
    pub(super) reversed: bool,
    /// How far the axes are from meeting or being parallel as the form supposes: sizes of the arm, radians.
    pub(super) deviation: f64,
    /// Where the tool is at joint values 0, in sizes of the arm, the other way round.
    tool_from_arm: Pose,
}

/// One set of joint values, in the order and units of a [`Form`].
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) values: [f64; 6],
    /// The joint that was left as it is because any value will do, and what makes it so.
    pub(super) kept: Option<(usize, super::Singularity)>,
}

/// What the closed forms found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) candidates: Vec<Candidate>,
    /// By how much places were missed that are no candidates: in sizes of the arm, the least.
    pub(super) miss: Option<f64>,
    /// By which angle orientations were missed, the least.
    pub(super) tilt: Option<f64>,
    /// Axes that other values would do for as well, though perhaps not for what comes after them.
    pub(super) kept: Vec<usize>,
}

impl Found {
    pub(super) fn missed(&mut self, by: f64) {
        self.miss = Some(self.miss.map_or(by, |least| least.min(by)));
    }

    pub(super) fn tilted(&mut self, by: f64) {
        self.tilt = Some(self.tilt.map_or(by, |least| least.min(by)));
    }
}

/// The closed form of an arm; `None` if it has none that is known here.
pub(super) fn recognised(arm: &Arm) -> Option<Form> {
    if !arm.is_plain() {
        return None;
    }
    let count = arm.freedoms.len();
    let mut axes = Vec::new();
    let tool = arm.place(&vec![0.0; count], &mut axes);
    for axis in &mut axes {
        axis.point /= arm.size;
    }
    let arm_from_tool = Pose::new(tool.rotation(), tool.translation() / arm.size)?;
    let form = |method, axes: Vec<Axis>, centre, slide, reversed| {
        let tool_from_arm = arm_from_tool.inverse();
        let mut form = Form { method, axes, centre, slide, reversed, deviation: 0.0, tool_from_arm };
        form.deviation = form.measured();
        Some(form)
    };
    let slides = arm.turns.iter().filter(|turns| !**turns).count();
    if count == 4 && slides == 1 && axes.iter().all(|axis| are_parallel(axis, &axes[0])) {
        let slide = arm.turns.iter().position(|turns| !*turns)?;
        return form(Method::Scara, axes, Vec3::ZERO, slide, false);
    }
    if count != 6 || slides != 0 {
        return None;
    }
    let turned_round: Vec<Axis> =
        axes.iter().rev().map(|axis| Axis { direction: -axis.direction, point: axis.point }).collect();
    let ways = [(axes, false), (turned_round, true)];
    for (axes, reversed) in &ways {
        if let Some(centre) = meeting(&axes[3], &axes[4], &axes[5])
            && is_spatial(axes)
        {
            let method = if *reversed { Method::SphericalShoulder } else { Method::SphericalWrist };
            return form(method, axes.clone(), centre, 0, *reversed);
        }
    }
    for (axes, reversed) in &ways {
        let parallel = are_parallel(&axes[1], &axes[2]) && are_parallel(&axes[1], &axes[3]);
        // Two of the three in one line turn alike, and a first axis along them moves in their plane.
        let apart =
            distance(&axes[1], &axes[2]) > AXES_RELATIVE && distance(&axes[2], &axes[3]) > AXES_RELATIVE;
        let crossed = !are_parallel(&axes[0], &axes[1]) && !are_parallel(&axes[4], &axes[1]);
        if !(parallel && apart && crossed) {
            continue;
        }
        if let Some(centre) = crossing(&axes[4], &axes[5]) {
            let method = if *reversed { Method::ThreeParallelReversed } else { Method::ThreeParallel };
            return form(method, axes.clone(), centre, 0, *reversed);
        }
    }
    None
}

impl Form {
    fn measured(&self) -> f64 {
        let axes = &self.axes;
        let tilt = |k: usize| axes[k].direction.cross(axes[1].direction).length();
        let miss = |k: usize| axes[k].direction.cross(self.centre - axes[k].point).length();
        let all = match self.method {
            Method::SphericalWrist | Method::SphericalShoulder => vec![miss(3), miss(4), miss(5)],
            Method::ThreeParallel | Method::ThreeParallelReversed => vec![tilt(2), tilt(3), miss(4), miss(5)],
            Method::Scara | Method::Numeric => vec![tilt(0), tilt(2), tilt(3)],
        };
        all.into_iter().fold(0.0, f64::max)
    }

    /// Below this the sine between two axes of a wrist says nothing about the joint that turns one about the other: sure, or perhaps.
    pub(super) fn undetermined(&self) -> [f64; 2] {
        [UNDETERMINED, UNDETERMINED.max(8.0 * self.deviation)]
    }

    /// The product of the motions about the axes that brings the tool to `target` (frame of the arm), in sizes of the arm.
    pub(super) fn product(&self, arm: &Arm, target: &Pose) -> Pose {
        let scaled = Pose::new(target.rotation(), target.translation() / arm.size).unwrap_or(Pose::IDENTITY);
        let product = scaled * self.tool_from_arm;
        if self.reversed { product.inverse() } else { product }
    }

    /// Joint values in the order and units of the form.
    pub(super) fn values_of(&self, arm: &Arm, values: &[f64]) -> [f64; 6] {
        let mut found = [0.0; 6];
        for (number, value) in values.iter().enumerate() {
            let unit = if arm.turns[number] { 1.0 } else { arm.size };
            found[if self.reversed { values.len() - 1 - number } else { number }] = value / unit;
        }
        found
    }

    /// Joint values in the order and units of the arm.
    pub(super) fn arm_values(&self, arm: &Arm, values: &[f64; 6]) -> Vec<f64> {
        let count = self.axes.len();
        let value = |number: usize| {
            let unit = if arm.turns[number] { 1.0 } else { arm.size };
            unit * values[if self.reversed { count - 1 - number } else { number }]
        };
        (0..count).map(value).collect()
    }

    /// The number in the arm of an axis of the form.
    pub(super) fn number(&self, axis: usize) -> usize {
        if self.reversed { self.axes.len() - 1 - axis } else { axis }
    }
}

fn are_parallel(a: &Axis, b: &Axis) -> bool {
    a.direction.cross(b.direction).length() <= AXES_RELATIVE
}

/// Distance of two lines.
fn distance(a: &Axis, b: &Axis) -> f64 {
    let between = b.point - a.point;
    match unit(a.direction.cross(b.direction)).filter(|_| !are_parallel(a, b)) {
        Some(normal) => between.dot(normal).abs(),
        None => between.reject_from(a.direction).length(),
    }
}

/// Where two lines that are not parallel meet.
fn crossing(a: &Axis, b: &Axis) -> Option<Vec3> {
    let normal = a.direction.cross(b.direction);
    let square = normal.length_squared();
    // Lines that are nearly parallel meet, if anywhere, at a place that their rounding decides.
    if square < 0.0025 || distance(a, b) > AXES_RELATIVE {
        return None;
    }
    let between = b.point - a.point;
    let on_a = a.point + a.direction * (between.cross(b.direction).dot(normal) / square);
    let on_b = b.point + b.direction * (between.cross(a.direction).dot(normal) / square);
    Some(0.5 * (on_a + on_b))
}

/// Where three lines meet of which neighbours are not parallel.
fn meeting(a: &Axis, b: &Axis, c: &Axis) -> Option<Vec3> {
    let (first, second) = (crossing(a, b)?, crossing(b, c)?);
    (first.distance(second) <= AXES_RELATIVE).then_some(0.5 * (first + second))
}

/// True unless the first three axes, all parallel or meeting in one point, cannot move a point in three directions, or the third does not move the wrist.
fn is_spatial(axes: &[Axis]) -> bool {
    let all_parallel = are_parallel(&axes[0], &axes[1]) && are_parallel(&axes[1], &axes[2]);
    let same = |a: &Axis, b: &Axis| are_parallel(a, b) && distance(a, b) <= AXES_RELATIVE;
    !all_parallel && !same(&axes[0], &axes[1]) && !same(&axes[1], &axes[2])
}
