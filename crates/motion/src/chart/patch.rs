//! A part of a surface that is thin across, and when another one can reach it at the earliest.
//!
//! Boxes in the coordinates of the motion are thick where a surface is tilted against them. The plane along a patch is not: how long
//! another patch takes to get there is a far better bound, and as quickly found.

use freiraum_geometry::Vec3;

/// Points no farther from a centre than a box of any direction, or a triangle, reaches; in the frame of the coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patch {
    center: Vec3,
    /// Unit vector across it.
    normal: Vec3,
    /// From the centre to the three kinds of sides of a box, or to the corners of a triangle.
    spread: [Vec3; 3],
    /// By how much the patch is taken to be larger.
    slack: f64,
    /// For rotations: how far from the axis its points are at most, and how long the normal is across it.
    far: f64,
    tilt: f64,
    is_triangle: bool,
}

/// The length of a vector across z.
#[inline]
fn level(v: Vec3) -> f64 {
    (v.x * v.x + v.y * v.y).sqrt()
}

impl Patch {
    #[inline]
    pub(super) fn new(center: Vec3, normal: Vec3, spread: [Vec3; 3], slack: f64) -> Patch {
        let [x, y, z] = spread.map(level);
        let far = level(center) + x + y + z;
        Patch { center, normal, spread, slack, far, tilt: level(normal), is_triangle: false }
    }

    #[inline]
    pub(super) fn of_triangle([p, q, r]: [Vec3; 3], slack: f64) -> Patch {
        let center = (p + q + r) * (1.0 / 3.0);
        let normal = (q - p).cross(r - p).try_normalize().unwrap_or(Vec3::X);
        let spread = [p - center, q - center, r - center];
        let [x, y, z] = spread.map(level);
        let far = level(center) + x.max(y).max(z);
        Patch { center, normal, spread, slack, far, tilt: level(normal), is_triangle: true }
    }

    /// How far it reaches from its centre in a direction and against it, without the slack.
    #[inline]
    fn reach(&self, n: Vec3) -> f64 {
        let [x, y, z] = self.spread.map(|v| n.dot(v).abs());
        if self.is_triangle { x.max(y).max(z) } else { x + y + z }
    }

    /// The least and largest coordinates of its points.
    #[inline]
    pub(super) fn bounds(&self) -> [Vec3; 2] {
        let [x, y, z] = self.spread;
        if self.is_triangle {
            let (low, high) = (x.min(y).min(z), x.max(y).max(z));
            [self.center + low - self.slack, self.center + high + self.slack]
        } else {
            let half = x.abs() + y.abs() + z.abs() + self.slack;
            [self.center - half, self.center + half]
        }
    }

    /// A lower bound of the time at which `other` meets this one, when it moves by `length` per unit of time along x; infinite if it
    /// never does.
    #[inline]
    pub(crate) fn earliest_along(&self, other: &Patch, length: f64) -> f64 {
        let between = other.center - self.center;
        let slack = self.slack + other.slack;
        let across = |n: Vec3| {
            let distance = n.dot(between);
            let gap = distance.abs() - self.reach(n) - other.reach(n) - slack;
            if gap <= 0.0 {
                return 0.0;
            }
            let speed = -distance.signum() * n.x * length;
            if speed > 0.0 { gap / speed } else { f64::INFINITY }
        };
        across(self.normal).max(across(other.normal))
    }

    /// A lower bound, at least `from`, of the angle at which `other`, turned about z, meets this one, if it does not before `from`. With the
    /// sine and cosine of that.
    #[inline]
    pub(crate) fn earliest_around(&self, other: &Patch, from: f64, (sin, cos): (f64, f64)) -> f64 {
        let turned = other.turned(sin, cos);
        // Seen from the other one, this one turns back.
        let standing = self.reached_by(&turned, 1.0);
        let turning = turned.reached_by(self, -1.0);
        from + standing.max(turning)
    }

    #[inline]
    fn turned(&self, sin: f64, cos: f64) -> Patch {
        let turn = |v: Vec3| Vec3::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y, v.z);
        Patch { center: turn(self.center), normal: turn(self.normal), spread: self.spread.map(turn), ..*self }
    }

    /// By how much `other` may turn about z, in the sense of `sense`, before its gap across this one is closed.
    ///
    /// The gap after an angle is at least its value now, less its rate, less half of the largest second derivative times the square of it.
    #[inline]
    fn reached_by(&self, other: &Patch, sense: f64) -> f64 {
        let n = self.normal;
        let distance = n.dot(other.center - self.center);
        let gap = distance.abs() - self.reach(n) - other.reach(n) - self.slack - other.slack;
        if gap <= 0.0 {
            return 0.0;
        }
        // n · (z × v) = (n × z) · v
        let moving = Vec3::new(n.y, -n.x, 0.0);
        let rate = -distance.signum() * sense * moving.dot(other.center) + other.reach(moving);
        let curve = self.tilt * other.far;
        let root = (rate * rate + 2.0 * curve * gap).sqrt();
        // Two forms of the same root, each without differences of what is almost equal; a millionth less for rounding.
        let step = if rate > 0.0 { 2.0 * gap / (rate + root) } else { (root - rate) / curve };
        if step.is_nan() { 0.0 } else { step * (1.0 - ROUNDING) }
    }
}

/// Share of a step that is given up because of rounding: far more than it can be.
const ROUNDING: f64 = f64::EPSILON * 4_294_967_296.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triangles::{Turned, meet_rotating, meet_translating};
    use freiraum_testkit::random::Random;

    const SLACK: f64 = 1e-14;

    /// A box of any direction that holds the triangle, with room.
    fn boxed(t: [Vec3; 3], random: &mut Random) -> Patch {
        let axes = freiraum_geometry::Mat3::from_quat(random.rotation());
        let center = (t[0] + t[1] + t[2]) / 3.0;
        let most = |axis: Vec3| t.iter().map(|p| axis.dot(*p - center).abs()).fold(0.0, f64::max);
        let spread = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| axis * most(axis));
        Patch::new(center, axes.x_axis, spread, SLACK)
    }

    #[test]
    fn bounds_are_never_late() {
        let mut random = Random::new(7);
        let (mut met, mut useful) = (0, 0);
        for _ in 0..20_000 {
            let triangle = |random: &mut Random| {
                let middle = random.in_cube(1.0);
                std::array::from_fn(|_| middle + random.in_cube(0.2))
            };
            let (a, b): ([Vec3; 3], [Vec3; 3]) = (triangle(&mut random), triangle(&mut random));
            let patches = [
                [Patch::of_triangle(a, SLACK), Patch::of_triangle(b, SLACK)],
                [boxed(a, &mut random), boxed(b, &mut random)],
            ];
            let along = meet_translating(a, b, 3.0 * Vec3::X, SLACK).filter(|m| m.enter > 0.0);
            let around = match meet_rotating(a, b, 0.0, [0.0, 6.0], SLACK) {
                Turned::Met(turn) => Some(turn.angle),
                _ => None,
            };
            for [p, q] in &patches {
                if let Some(meeting) = along {
                    assert!(p.earliest_along(q, 3.0) <= meeting.enter + 1e-12);
                }
                if let Some(angle) = around {
                    // From any angle before the contact, too.
                    for from in [0.0, 0.3 * angle, 0.99 * angle] {
                        let bound = p.earliest_around(q, from, from.sin_cos());
                        assert!(bound <= angle + 1e-12, "{bound} {angle}");
                        useful += usize::from(bound > from + 0.5 * (angle - from));
                    }
                    met += 1;
                }
            }
        }
        assert!(met > 1000 && useful > met / 2, "{met} {useful}");
    }
}
