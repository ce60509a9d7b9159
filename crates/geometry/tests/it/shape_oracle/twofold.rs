//! Numbers with twice the digits of f64, to see what rounding hides.

use freiraum_geometry::{Pose, Vec3};
use std::ops::{Add, Mul, Sub};

/// An unevaluated sum of two f64, the second below the last digit of the first.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Twofold(f64, f64);

impl From<f64> for Twofold {
    fn from(x: f64) -> Twofold {
        Twofold(x, 0.0)
    }
}

impl Add for Twofold {
    type Output = Twofold;
    fn add(self, b: Twofold) -> Twofold {
        let sum = self.0 + b.0;
        let from_b = sum - self.0;
        let error = (self.0 - (sum - from_b)) + (b.0 - from_b);
        renormalised(sum, error + (self.1 + b.1))
    }
}

impl Sub for Twofold {
    type Output = Twofold;
    fn sub(self, b: Twofold) -> Twofold {
        self + Twofold(-b.0, -b.1)
    }
}

impl Mul for Twofold {
    type Output = Twofold;
    fn mul(self, b: Twofold) -> Twofold {
        let product = self.0 * b.0;
        let error = self.0.mul_add(b.0, -product);
        renormalised(product, error + (self.0 * b.1 + self.1 * b.0))
    }
}

fn renormalised(large: f64, small: f64) -> Twofold {
    let sum = large + small;
    Twofold(sum, small - (sum - large))
}

type Point = [Twofold; 3];

/// A point with exactly these coordinates.
pub(crate) fn point(p: Vec3) -> Point {
    p.to_array().map(Twofold::from)
}

/// Places a point without the rounding of f64: the quaternion is taken as the rotation it stands for, whatever the last
/// digit of its length.
pub(crate) fn place(pose: &Pose, p: Point) -> Point {
    let q = pose.rotation();
    let [x, y, z, w] = [q.x, q.y, q.z, q.w].map(Twofold::from);
    let cross = |a: Point, b: Point| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let length_squared = x * x + y * y + z * z + w * w;
    // 1 / s = 2 - s up to the square of what s is off from one.
    let recip = Twofold(2.0, 0.0) - length_squared;
    let v = [x, y, z];
    let c = cross(v, p);
    let d = cross(v, c);
    let t = pose.translation().to_array().map(Twofold::from);
    std::array::from_fn(|i| p[i] + Twofold(2.0, 0.0) * recip * (w * c[i] + d[i]) + t[i])
}
