//! The smallest circle around points in a plane: the inner question of cylinders and capsules.
//!
//! The same exchange of supports as for the sphere, in two dimensions; see there.

use crate::math::Vec2;

/// Centre, squared radius and the at most three carrying points of a smallest circle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circle {
    pub(super) center: Vec2,
    /// Largest computed squared distance of any point from the centre.
    pub(super) radius_squared: f64,
    support: [u32; 3],
}

impl Circle {
    /// Where a search without a better guess begins.
    pub(super) const START: [u32; 3] = [0, NONE, NONE];

    /// The support, a good first guess for nearly the same points.
    pub(super) fn support(&self) -> [u32; 3] {
        self.support
    }

    /// Indices of the carrying points.
    pub(super) fn carriers(&self) -> impl Iterator<Item = u32> {
        self.support.into_iter().filter(|&i| i != NONE)
    }
}

/// The smallest circle around the points (at least one), starting from the support of a similar problem.
///
/// Up to rounding (8 ε) the radius is the smallest possible; it is the distance of the farthest point.
pub(super) fn smallest_circle(points: &[Vec2], guess: [u32; 3]) -> Circle {
    let mut circle =
        Circle { center: points[guess[0] as usize], radius_squared: 0.0, support: Circle::START };
    circle.support[0] = guess[0];
    for i in guess.into_iter().skip(1).filter(|&i| i != NONE) {
        if circle.misses(points[i as usize].distance_squared(circle.center)) {
            circle.exchange(points, i);
        }
    }
    // Rounding could bring an old support back; the count of exchanges is far below this in every real case.
    for _ in 0..points.len() + 64 {
        let (mut largest, mut farthest) = (-1.0, 0);
        for (i, p) in points.iter().enumerate() {
            let distance_squared = p.distance_squared(circle.center);
            if distance_squared > largest {
                (largest, farthest) = (distance_squared, i as u32);
            }
        }
        if !circle.misses(largest) || circle.support.contains(&farthest) {
            circle.radius_squared = largest;
            break;
        }
        circle.exchange(points, farthest);
    }
    circle.radius_squared =
        points.iter().map(|p| p.distance_squared(circle.center)).fold(circle.radius_squared, f64::max);
    circle
}

const NONE: u32 = u32::MAX;

impl Circle {
    fn misses(&self, distance_squared: f64) -> bool {
        distance_squared > self.radius_squared * (1.0 + 8.0 * f64::EPSILON)
    }

    /// Replaces the circle by the smallest one around its support and the point `new`, which lies outside.
    fn exchange(&mut self, points: &[Vec2], new: u32) {
        let base = points[new as usize];
        let old = self.support;
        let count = old.iter().take_while(|&&i| i != NONE).count();
        let mut offsets = [Vec2::ZERO; 3];
        for (offset, &i) in offsets.iter_mut().zip(&old[..count]) {
            *offset = points[i as usize] - base;
        }
        let offsets = &offsets[..count];
        let mut best = (f64::INFINITY, Vec2::ZERO, Circle::START);
        let mut judge = |center: Vec2, support: [u32; 3]| {
            let radius_squared =
                offsets.iter().map(|p| p.distance_squared(center)).fold(center.length_squared(), f64::max);
            if radius_squared < best.0 * (1.0 - 2.0 * f64::EPSILON) && center.is_finite() {
                best = (radius_squared, center, support);
            }
        };
        for i in 0..count {
            judge(0.5 * offsets[i], [new, old[i], NONE]);
        }
        for i in 0..count {
            for j in 0..i {
                judge(circumcenter_with_origin(offsets[i], offsets[j]), [new, old[i], old[j]]);
            }
        }
        *self = Circle { center: base + best.1, radius_squared: best.0, support: best.2 };
    }
}

/// Centre of the circle through the origin, `a` and `b`; not finite if they are collinear.
fn circumcenter_with_origin(a: Vec2, b: Vec2) -> Vec2 {
    (b.length_squared() * a - a.length_squared() * b).perp() / (2.0 * a.perp_dot(b))
}
