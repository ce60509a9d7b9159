//! Turning a point about three axes so that it gets to a given place (Pieper 1968).
//!
//! `p = E1 E2 E3 w`, E1 turning about axis 1 and so on. Undoing E1 keeps the height of `p` along axis 1 and its distance from a point of that axis; E2 keeps the height of `v = E3 w`
//! along axis 2 and its length. What is left is one equation of second order in the cosine and sine of the third angle; if axes 1 and 2 meet or are
//! parallel it is the square of one of first order, which is taken instead.

use super::angles::{Angles, angle_between, angles, is_far};
use super::arm::{Axis, turned};
use freiraum_geometry::math::roots::{Solutions, trig2};
use freiraum_geometry::math::{power_of_two, unit};
use freiraum_geometry::tolerance::{AXES_RELATIVE, UNDETERMINED};
use freiraum_geometry::{Mat3, Vec3};
use std::f64::consts::FRAC_PI_2;

/// `k0 + k1 cos t + k2 sin t`.
type Linear = [f64; 3];

/// How far from meeting or parallel two axes may be so that the special equation gives values that Newton's method makes right. Between this and
/// [`IS`] both equations are asked.
pub(super) const NEARLY: f64 = 1.0 / 256.0;

/// Axes that are nearer to parallel than this (in radians), or to meeting (in sizes of the arm), are taken to be so: the square root of it is what
/// solutions near a singularity are off by then, and below that they are told as one anyway.
const IS: f64 = power_of_two(-40);

/// What is left of a solution that Newton's method has not closed, or cannot.
pub(super) const POOR: f64 = IS;

/// Three angles, and whether the first or second was left as it is because the point is on its axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Three {
    pub(super) values: [f64; 3],
    pub(super) kept: Option<usize>,
    /// How far the point is from its goal.
    pub(super) miss: f64,
}

/// All angles that bring `w` to `p`, or, if there are none, some that bring it nearest; lengths in sizes of the arm.
///
/// `None` if there are infinitely many in a way that no axis through the point explains.
pub(super) fn three_axes(axes: &[Axis; 3], w: Vec3, p: Vec3, current: [f64; 3]) -> Option<Vec<Three>> {
    let problem = Problem::new(axes, w, p);
    let mut found: Vec<Three> = Vec::new();
    let mut add = |q3: f64, q2: Option<f64>| {
        let start = problem.with_first(q2.unwrap_or(current[1]), q3, current[0]);
        let (values, miss) = problem.polished(start, false);
        let kept = q2.is_none().then_some(1);
        // Newton's method stops half way between two solutions that nearly fall together: look on both sides.
        let stopped = miss > POOR && miss < NEARLY;
        let (values, miss) = if stopped { problem.polished(values, true) } else { (values, miss) };
        let starts = stopped
            .then(|| problem.unfolded(values).into_iter().chain([problem.off_axis(values, current[0])]));
        let mut is_better = false;
        for start in starts.into_iter().flatten().flatten() {
            let (values, side_miss) = problem.polished(start, false);
            if side_miss < miss {
                insert(&mut found, Three { values, kept, miss: side_miss });
                is_better |= side_miss < miss / 64.0;
            }
        }
        if !is_better {
            insert(&mut found, Three { values, kept, miss });
        }
    };
    let Problem { sine, normal_gap, .. } = problem;
    let is_general = sine > IS && normal_gap.abs() > IS;
    if is_general {
        let equation = problem.equation();
        let Solutions::At(roots) = trig2(equation) else { return None };
        for q3 in &*roots {
            add(*q3, problem.second(*q3));
        }
        // Roots that fall together can be lost by rounding: there the left side turns back just before it vanishes. Where it turns back behind that, both are
        // among the roots.
        let size: f64 = equation.iter().map(|k| k.abs()).sum();
        if let Solutions::At(turns) = trig2(slope(equation)) {
            let bend = slope(slope(equation));
            for q3 in &*turns {
                if value(equation, *q3) * value(bend, *q3) < 0.0 {
                    continue;
                }
                let near = value(equation, *q3).abs() <= AXES_RELATIVE * size;
                if near {
                    add(*q3, problem.second(*q3));
                }
            }
        }
    }
    // The special equations: `first` for parallel axes 1 and 2, `length` for axes that meet.
    let is_parallel = sine < NEARLY;
    let does_meet = normal_gap.abs() < NEARLY && sine > AXES_RELATIVE;
    for (is_asked, equation, from_length) in
        [(is_parallel, problem.first(), true), (does_meet, problem.length(), false)]
    {
        if !is_asked {
            continue;
        }
        let (q3s, count) = match angles(equation[1], equation[2], equation[0]) {
            Angles::At(at, count, _) => (at, count),
            Angles::Any if is_general || (is_parallel && does_meet) => continue,
            Angles::Any => return None,
        };
        for q3 in &q3s[..count] {
            for q2 in problem.seconds(*q3, from_length) {
                add(*q3, q2);
            }
        }
    }
    if found.iter().all(|three| is_far(three.miss)) {
        let (values, miss) = problem.nearest();
        return Some(vec![Three { values, kept: None, miss }]);
    }
    // On axis 1 every first angle will do.
    if axes[0].direction.cross(p - axes[0].point).length() <= UNDETERMINED {
        for three in &mut found {
            three.values[0] = current[0];
            three.kept = Some(0);
        }
    }
    Some(found)
}

/// Adds angles that are not known yet. A poor find near a good one is the same: what is left grows with the square of the distance where two solutions nearly
/// fall together.
fn insert(found: &mut Vec<Three>, new: Three) {
    let apart = |a: &Three, b: &Three| {
        (0..3).map(|k| (0.5 * (a.values[k] - b.values[k])).sin().abs()).fold(0.0, f64::max)
    };
    let slack = |a: &Three, b: &Three| {
        let worse = a.miss.max(b.miss);
        if worse > POOR && worse < NEARLY {
            (512.0 * worse.sqrt()).min(NEARLY)
        } else {
            1024.0 * f64::EPSILON
        }
    };
    match found.iter_mut().find(|other| apart(other, &new) <= slack(other, &new)) {
        Some(other) if new.miss < other.miss => *other = new,
        Some(_) => {}
        None => found.push(new),
    }
}

struct Problem {
    axes: [Axis; 3],
    /// `p` and `w`.
    goal: Vec3,
    start: Vec3,
    /// Points on axes 1 and 2, near each other.
    on: [Vec3; 2],
    /// Cosine and sine of the angle between axes 1 and 2.
    cosine: f64,
    sine: f64,
    /// Frame about axis 2: axis 1 is `cosine * a2 + sine * m`, and `n = a2 x m`.
    m: Vec3,
    n: Vec3,
    /// From axis 1 to axis 2 along m and along n.
    gap: f64,
    normal_gap: f64,
    /// `v = v[0] + v[1] cos + v[2] sin` from the point on axis 2.
    v: [Vec3; 3],
    height: Linear,
    square: Linear,
}

impl Problem {
    fn new(axes: &[Axis; 3], w: Vec3, p: Vec3) -> Problem {
        let [a1, a2, a3] = axes.map(|axis| axis.direction);
        let (cosine, across) = (a1.dot(a2), a1.cross(a2));
        let sine = across.length();
        let between = axes[1].point - axes[0].point;
        // The feet of the common normal; for axes that are nearly parallel these are far away, and any two points that face each other will do.
        let on = if sine > NEARLY {
            let along = |other: Vec3| between.cross(other).dot(across) / (sine * sine);
            [axes[0].point + a1 * along(a2), axes[1].point + a2 * along(a1)]
        } else {
            [axes[0].point, axes[1].point - a2 * a2.dot(between)]
        };
        let gap = on[1] - on[0];
        let facing = gap - a2 * a2.dot(gap);
        let m = if sine > IS { unit(a1 - cosine * a2) } else { unit(facing) };
        let m = m.unwrap_or_else(|| a2.any_orthonormal_vector());
        let n = a2.cross(m);
        let arm = w - axes[2].point;
        let along = a3 * a3.dot(arm);
        let v = [axes[2].point + along - on[1], arm - along, a3.cross(arm)];
        let height = v.map(|v| a2.dot(v));
        let square =
            [v[0].length_squared() + v[1].length_squared(), 2.0 * v[0].dot(v[1]), 2.0 * v[0].dot(v[2])];
        Problem {
            axes: *axes,
            goal: p,
            start: w,
            on,
            cosine,
            sine,
            m,
            n,
            gap: gap.dot(m),
            normal_gap: gap.dot(n),
            v,
            height,
            square,
        }
    }

    /// What is left of the height along axis 1 for what axis 2 can change: `sine * y_m`, y being v turned.
    fn first(&self) -> Linear {
        let whole = self.axes[0].direction.dot(self.goal - self.on[1]);
        [whole - self.cosine * self.height[0], -self.cosine * self.height[1], -self.cosine * self.height[2]]
    }

    /// The same of the distance from the point on axis 1: `gap * y_m + normal_gap * y_n`.
    fn length(&self) -> Linear {
        let gap = self.on[1] - self.on[0];
        let along = gap.dot(self.axes[1].direction);
        let whole = (self.goal - self.on[0]).length_squared() - gap.length_squared();
        let mut left = [0, 1, 2].map(|k| -0.5 * self.square[k] - along * self.height[k]);
        left[0] += 0.5 * whole;
        left
    }

    /// The equation for the third angle, as coefficients for `trig2`.
    fn equation(&self) -> [f64; 6] {
        let (first, length) = (self.first(), self.length());
        let one = first.map(|k| self.normal_gap * k);
        let two = [0, 1, 2].map(|k| self.sine * length[k] - self.gap * first[k]);
        let (one, two, height) = (squared(one), squared(two), squared(self.height));
        let weight = (self.sine * self.normal_gap).powi(2);
        let [s0, s1, s2] = self.square;
        let square = [s0, s1, s2, 0.0, 0.0, 0.0];
        [0, 1, 2, 3, 4, 5].map(|k| one[k] + two[k] - weight * (square[k] - height[k]))
    }

    /// The parts of v across axis 2 at a third angle.
    fn across(&self, q3: f64) -> (f64, f64) {
        let (sin, cos) = q3.sin_cos();
        let v = self.v[0] + cos * self.v[1] + sin * self.v[2];
        (v.dot(self.m), v.dot(self.n))
    }

    /// The second angle that belongs to a root of the equation; `None` if the point is on axis 2.
    fn second(&self, q3: f64) -> Option<f64> {
        let at = |k: Linear| k[0] + k[1] * q3.cos() + k[2] * q3.sin();
        let y_m = at(self.first()) / self.sine;
        let y_n = (at(self.length()) - self.gap * y_m) / self.normal_gap;
        let (v_m, v_n) = self.across(q3);
        (v_m.hypot(v_n) > UNDETERMINED).then(|| (v_m * y_n - v_n * y_m).atan2(v_m * y_m + v_n * y_n))
    }

    /// The second angles of a root of one of the special equations, from the other one.
    fn seconds(&self, q3: f64, from_length: bool) -> Vec<Option<f64>> {
        let at = |k: Linear| k[0] + k[1] * q3.cos() + k[2] * q3.sin();
        let (v_m, v_n) = self.across(q3);
        if v_m.hypot(v_n) <= UNDETERMINED {
            return vec![None];
        }
        // y_m = v_m cos - v_n sin, y_n = v_m sin + v_n cos.
        let (x, y, left) = if from_length {
            (self.gap, self.normal_gap, at(self.length()))
        } else {
            (self.sine, 0.0, at(self.first()))
        };
        let (q2s, count, _) = angles(x * v_m + y * v_n, y * v_m - x * v_n, -left).or(0.0);
        q2s[..count].iter().map(|q2| Some(*q2)).collect()
    }

    /// The first angle for the other two.
    fn with_first(&self, q2: f64, q3: f64, current: f64) -> [f64; 3] {
        let [one, two, three] = &self.axes;
        let at = two.turned(three.turned(self.start, q3), q2);
        let (q1, arm) = angle_between(one.direction, at - one.point, self.goal - one.point);
        [if arm <= UNDETERMINED { current } else { q1 }, q2, q3]
    }

    /// Newton's method on the three angles, damped; the values and how far the point is from the goal. If it `is_far`, the least distance is sought with patience.
    fn polished(&self, start: [f64; 3], is_far: bool) -> ([f64; 3], f64) {
        let (steps, patience, creeping) =
            if is_far { (64, 8, 1.0 - 4.0 * f64::EPSILON) } else { (16, 3, 0.999) };
        let mut values = start;
        let (mut left, mut jacobian) = self.derivative(values);
        let (mut damping, mut stuck) = (1.0, 0);
        for _ in 0..steps {
            let miss = left.length();
            if miss <= 4.0 * f64::EPSILON || stuck > patience {
                break;
            }
            let mut normal = jacobian.transpose() * jacobian;
            let extra = if is_far {
                // What is left stays large, so that the curvature of the ways counts too.
                normal -= self.curvature(values, &jacobian, left);
                damping * (1.0 + miss) / 64.0
            } else {
                damping * miss * miss
            };
            normal += Mat3::from_diagonal(Vec3::splat(extra + f64::EPSILON));
            let step = normal.inverse() * (jacobian.transpose() * left);
            let next = [values[0] + step.x, values[1] + step.y, values[2] + step.z];
            let (next_left, next_jacobian) = self.derivative(next);
            if next_left.length() < miss {
                stuck = if next_left.length() > creeping * miss { stuck + 1 } else { 0 };
                (values, left, jacobian) = (next, next_left, next_jacobian);
                damping = f64::max(damping / 4.0, if is_far { f64::EPSILON } else { 1.0 / 1024.0 });
            } else {
                damping *= 16.0;
                stuck += 1;
            }
        }
        (values, left.length())
    }

    /// Angles that bring the point nearest to a goal that is out of reach: the best from sixteen starts.
    fn nearest(&self) -> ([f64; 3], f64) {
        let quarter = |k: u32| f64::from(k) * FRAC_PI_2;
        let starts = (0..16).map(|k| [0.0, quarter(k / 4), quarter(k % 4)]);
        let found = starts.map(|start| {
            let mut values = start;
            // Each angle in turn to where it is best for the others as they are.
            for axis in [0, 1, 2].into_iter().cycle().take(12) {
                let goal = (0..axis).fold(self.goal, |goal, k| self.axes[k].turned(goal, -values[k]));
                let point = (axis + 1..3).rev().fold(self.start, |at, k| self.axes[k].turned(at, values[k]));
                let Axis { direction, point: on } = self.axes[axis];
                values[axis] = angle_between(direction, point - on, goal - on).0;
            }
            self.polished(values, true)
        });
        found.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(([0.0; 3], f64::INFINITY))
    }

    /// How the way of the point curves towards `left`, for every two angles.
    fn curvature(&self, [q1, q2, _]: [f64; 3], jacobian: &Mat3, left: Vec3) -> Mat3 {
        let [one, two, three] = self.axes.map(|axis| axis.direction);
        let turns = [one, turned(one, two, q1), turned(one, turned(two, three, q2), q1)];
        let by = [jacobian.x_axis, jacobian.y_axis, jacobian.z_axis];
        // An axis carries those after it along: turning about it turns what they do to the point.
        let entry = |i: usize, j: usize| turns[i.min(j)].cross(by[i.max(j)]).dot(left);
        let column = |j: usize| Vec3::new(entry(0, j), entry(1, j), entry(2, j));
        Mat3::from_cols(column(0), column(1), column(2))
    }

    /// Where the two solutions are that nearly fall together here: along the direction in which the angles do not move the point, as far as its curved way
    /// leads to the goal. `None` if it curves away.
    fn unfolded(&self, values: [f64; 3]) -> Option<[[f64; 3]; 2]> {
        let (left, jacobian) = self.derivative(values);
        let across = |m: &Mat3| {
            let [a, b, c] = [m.x_axis, m.y_axis, m.z_axis];
            let all = [a.cross(b), b.cross(c), c.cross(a)];
            let longest = all.into_iter().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
            longest.and_then(unit)
        };
        let (still, normal) = (across(&jacobian.transpose())?, across(&jacobian)?);
        let by =
            |step: f64| [values[0] + step * still.x, values[1] + step * still.y, values[2] + step * still.z];
        let small = NEARLY * NEARLY;
        let [before, after] = [-small, small].map(|step| self.derivative(by(step)).0);
        let curvature = (2.0 * left - before - after).dot(normal) / (small * small);
        let square = 2.0 * left.dot(normal) / curvature;
        let step = square.sqrt();
        (step > 0.0 && step < 0.25).then(|| [by(-step), by(step)])
    }

    /// Where to go on if the point is on axis 1, where no first angle helps, and the goal beside it: the second angle puts the point off the axis on either side.
    fn off_axis(&self, [q1, q2, q3]: [f64; 3], current: f64) -> [[f64; 3]; 2] {
        let (left, jacobian) = self.derivative([q1, q2, q3]);
        let by = left.length() / jacobian.y_axis.length().max(UNDETERMINED);
        [-by, by].map(|by| self.with_first(q2 + by, q3, current))
    }

    /// What is left to the goal, and how each angle moves the point.
    fn derivative(&self, [q1, q2, q3]: [f64; 3]) -> (Vec3, Mat3) {
        let [one, two, three] = &self.axes;
        let in_two = three.turned(self.start, q3);
        let in_one = two.turned(in_two, q2);
        let at = one.turned(in_one, q1);
        let turn = |v: Vec3| turned(one.direction, v, q1);
        let by_one = one.direction.cross(at - one.point);
        let by_two = turn(two.direction.cross(in_one - two.point));
        let by_three = turn(turned(two.direction, three.direction.cross(in_two - three.point), q2));
        (self.goal - at, Mat3::from_cols(by_one, by_two, by_three))
    }
}

/// The square of a linear expression as coefficients for `trig2`.
fn squared(k: Linear) -> [f64; 6] {
    [k[0] * k[0], 2.0 * k[0] * k[1], 2.0 * k[0] * k[2], k[1] * k[1], 2.0 * k[1] * k[2], k[2] * k[2]]
}

/// The derivative of the left side of `trig2`, of the same kind.
fn slope(k: [f64; 6]) -> [f64; 6] {
    [0.0, k[2], -k[1], k[4], 2.0 * (k[5] - k[3]), -k[4]]
}

/// The left side of `trig2`.
fn value(k: [f64; 6], t: f64) -> f64 {
    let (s, c) = t.sin_cos();
    k[0] + k[1] * c + k[2] * s + k[3] * c * c + k[4] * c * s + k[5] * s * s
}
