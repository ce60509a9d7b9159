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
    is_triangle: bool,
}

impl Patch {
    #[inline]
    pub(super) fn new(center: Vec3, normal: Vec3, spread: [Vec3; 3], slack: f64) -> Patch {
        Patch { center, normal, spread, slack, is_triangle: false }
    }

    #[inline]
    pub(super) fn of_triangle([p, q, r]: [Vec3; 3], slack: f64) -> Patch {
        let center = (p + q + r) * (1.0 / 3.0);
        let normal = (q - p).cross(r - p).try_normalize().unwrap_or(Vec3::X);
        Patch { center, normal, spread: [p - center, q - center, r - center], slack, is_triangle: true }
    }

    /// How far it reaches from its centre in a direction and against it, without the slack.
    #[inline]
    fn reach(&self, n: Vec3) -> f64 {
        let [x, y, z] = self.spread.map(|v| n.dot(v).abs());
        if self.is_triangle { x.max(y).max(z) } else { x + y + z }
    }

    /// Centre and half sizes of an axis-parallel box around it.
    #[inline]
    pub(super) fn bounds(&self) -> [Vec3; 2] {
        let [x, y, z] = self.spread;
        if self.is_triangle {
            let (low, high) = (x.min(y).min(z), x.max(y).max(z));
            [self.center + 0.5 * (low + high), 0.5 * (high - low) + self.slack]
        } else {
            [self.center, x.abs() + y.abs() + z.abs() + self.slack]
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

    /// A lower bound, at least `from`, of the angle at which `other`, turned about z, meets this one, if it does not before `from`.
    #[inline]
    pub(crate) fn earliest_around(&self, other: &Patch, from: f64) -> f64 {
        let (sin, cos) = from.sin_cos();
        let turned = other.turned(sin, cos);
        // Seen from the other one, this one turns back.
        let standing = self.reached_by(&turned, self.normal, 1.0);
        let turning = turned.reached_by(self, turned.normal, -1.0);
        from + standing.max(turning)
    }

    #[inline]
    fn turned(&self, sin: f64, cos: f64) -> Patch {
        let turn = |v: Vec3| Vec3::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y, v.z);
        Patch {
            center: turn(self.center),
            normal: turn(self.normal),
            spread: self.spread.map(turn),
            ..*self
        }
    }

    /// By how much `other` may turn about z, in the sense of `sense`, before its gap to this one in the direction n is closed.
    ///
    /// The gap after an angle is at least its value now, less its rate, less half of the largest second derivative times the square of it.
    #[inline]
    fn reached_by(&self, other: &Patch, n: Vec3, sense: f64) -> f64 {
        let distance = n.dot(other.center - self.center);
        let gap = distance.abs() - self.reach(n) - other.reach(n) - self.slack - other.slack;
        if gap <= 0.0 {
            return 0.0;
        }
        // n · (z × v) = (n × z) · v
        let moving = Vec3::new(n.y, -n.x, 0.0);
        let rate = -distance.signum() * sense * moving.dot(other.center) + other.reach(moving);
        let level = |v: Vec3| (v.x * v.x + v.y * v.y).sqrt();
        let [x, y, z] = other.spread.map(level);
        let far = level(other.center) + if other.is_triangle { x.max(y).max(z) } else { x + y + z };
        let curve = level(n) * far;
        let root = (rate * rate + 2.0 * curve * gap).sqrt();
        // A millionth less for rounding.
        let step = 2.0 * gap / (rate + root) * (1.0 - ROUNDING);
        if rate + root > 0.0 { step } else { f64::INFINITY }
    }
}

/// Share of a step that is given up because of rounding: far more than it can be.
const ROUNDING: f64 = f64::EPSILON * 4_294_967_296.0;
