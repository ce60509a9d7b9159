//! Damped least squares: Newton's method that also gets along with singular places.

use super::answer::Residual;
use super::arm::{Arm, Axis, error};
use freiraum_geometry::Pose;

/// Memory of the search, used again.
#[derive(Default)]
pub(super) struct Descent {
    axes: Vec<Axis>,
    columns: Vec<[f64; 6]>,
    /// Columns of the joints that are held at their limits count for nothing.
    held: Vec<bool>,
    gradient: Vec<f64>,
    matrix: Vec<f64>,
    next: Vec<f64>,
}

/// When to stop and whether to stay within the ranges.
pub(super) struct Rules {
    pub(super) steps: usize,
    pub(super) keep_ranges: bool,
}

impl Descent {
    /// Moves the values to where the tool is nearest to `target` (frame of the arm); what is left.
    ///
    /// Squares of shifts in sizes of the arm and of angles are added. The damping is the square of what is left (Sugihara 2011), so that the last steps are
    /// Newton's; a step that makes things worse is taken back and damped more.
    pub(super) fn run(&mut self, arm: &Arm, target: &Pose, values: &mut Vec<f64>, rules: &Rules) -> Residual {
        let count = values.len();
        let (mut left, mut rest) = self.look(arm, target, values);
        // Below this, rounding of the forward kinematics is all that is left.
        let fine = 8.0 * f64::EPSILON;
        let mut damping = 1.0;
        let mut taken_back = 0;
        for _ in 0..rules.steps {
            if cost(&rest) <= fine * fine || taken_back > 4 {
                break;
            }
            self.hold(arm, values, &rest, rules.keep_ranges);
            let extra = damping * cost(&rest) + f64::EPSILON;
            if !self.solve(count, extra) {
                damping *= 16.0;
                taken_back += 1;
                continue;
            }
            self.next.clear();
            for (freedom, value) in values.iter().enumerate() {
                // No more than a radian at once: what is linear here is not there.
                let step = self.gradient[freedom];
                let to = value + if arm.turns[freedom] { step.clamp(-1.0, 1.0) } else { arm.size * step };
                let range = &arm.ranges[freedom];
                self.next.push(if rules.keep_ranges { to.max(range.lower).min(range.upper) } else { to });
            }
            let next = std::mem::take(&mut self.next);
            let (next_left, next_rest) = self.look(arm, target, &next);
            if cost(&next_rest) < cost(&rest) {
                // Ends where it only creeps: a local minimum, or rounding.
                let creeps = cost(&next_rest) > 0.999 * cost(&rest);
                self.next = std::mem::replace(values, next);
                (left, rest) = (next_left, next_rest);
                damping = (damping / 4.0).max(1.0 / 1024.0);
                taken_back = if creeps { taken_back + 1 } else { 0 };
            } else {
                self.next = next;
                damping *= 16.0;
                taken_back += 1;
                self.look(arm, target, values);
            }
        }
        left
    }

    /// Places the arm; what is left, as told and in units of the arm.
    fn look(&mut self, arm: &Arm, target: &Pose, values: &[f64]) -> (Residual, [f64; 6]) {
        let tool = arm.place(values, &mut self.axes);
        let (shift, turn) = error(&tool, target);
        arm.columns(tool.translation(), &self.axes, &mut self.columns);
        let scaled = shift / arm.size;
        let residual = Residual { position: shift.length(), angle: turn.length() };
        (residual, [scaled.x, scaled.y, scaled.z, turn.x, turn.y, turn.z])
    }

    /// The gradient, and which joints stay at their limits because it pushes them beyond.
    fn hold(&mut self, arm: &Arm, values: &[f64], rest: &[f64; 6], keep_ranges: bool) {
        self.gradient.clear();
        self.held.clear();
        for (freedom, column) in self.columns.iter().enumerate() {
            let push: f64 = column.iter().zip(rest).map(|(c, r)| c * r).sum();
            let range = &arm.ranges[freedom];
            let at = values[freedom];
            let held =
                keep_ranges && ((push < 0.0 && at <= range.lower) || (push > 0.0 && at >= range.upper));
            self.held.push(held);
            self.gradient.push(if held { 0.0 } else { push });
        }
    }

    /// Replaces the gradient by the step: Cholesky's method. False if the matrix is singular to working precision.
    fn solve(&mut self, count: usize, extra: f64) -> bool {
        self.matrix.clear();
        self.matrix.resize(count * count, 0.0);
        let largest = self.columns.iter().map(|c| c.iter().map(|x| x * x).sum::<f64>()).fold(0.0, f64::max);
        let m = &mut self.matrix;
        for i in 0..count {
            for j in 0..=i {
                let free = !self.held[i] && !self.held[j];
                let dot: f64 = self.columns[i].iter().zip(&self.columns[j]).map(|(a, b)| a * b).sum();
                let mut sum =
                    if free { dot } else { 0.0 } + if i == j { extra * (1.0 + largest) } else { 0.0 };
                for k in 0..j {
                    sum -= m[i * count + k] * m[j * count + k];
                }
                if i != j {
                    m[i * count + j] = sum / m[j * count + j];
                } else if sum > 0.0 {
                    m[i * count + i] = sum.sqrt();
                } else {
                    return false;
                }
            }
        }
        let x = &mut self.gradient;
        for i in 0..count {
            for k in 0..i {
                x[i] -= m[i * count + k] * x[k];
            }
            x[i] /= m[i * count + i];
        }
        for i in (0..count).rev() {
            for k in i + 1..count {
                x[i] -= m[k * count + i] * x[k];
            }
            x[i] /= m[i * count + i];
        }
        x.iter().all(|step| step.is_finite())
    }
}

fn cost(rest: &[f64; 6]) -> f64 {
    rest.iter().map(|r| r * r).sum()
}
