//! Two triangles that move: for how long they stay apart.

use super::instant::Instant;
use super::step::first_zero;
use freiraum_geometry::Vec3;
use freiraum_geometry::math::power_of_two;
use freiraum_geometry::path::Twist;

/// Sine of the angle between edges below which their product holds no direction.
const PARALLEL: f64 = power_of_two(-20);

/// Two triangles at one instant, in the frame of a, with the velocities of their corners.
pub(super) struct Corners {
    pub(super) a: [Vec3; 3],
    pub(super) b: [Vec3; 3],
    speed_a: [Vec3; 3],
    speed_b: [Vec3; 3],
    omega: [Vec3; 2],
    /// Bound of the relative acceleration.
    acceleration: f64,
    /// What has to be left of the gap.
    margin: f64,
}

impl Corners {
    pub(super) fn new(now: &Instant, a: [Vec3; 3], b: [Vec3; 3], acceleration: f64, margin: f64) -> Corners {
        let b = b.map(|p| now.place(p));
        let [twist_a, twist_b]: &[Twist; 2] = &now.twists;
        // Relative to a corner of a: what is close stays exact.
        let origin = a[0];
        Corners {
            speed_a: a.map(|p| twist_a.velocity(p)),
            speed_b: b.map(|p| twist_b.velocity(p)),
            a: a.map(|p| p - origin),
            b: b.map(|p| p - origin),
            omega: [twist_a.angular, twist_b.angular],
            acceleration,
            margin,
        }
    }

    /// For how long a plane between the triangles stays between them, up to `longest`, by the direction between the nearest
    /// points and, if they are `near`, by the planes of faces and edges.
    pub(super) fn step(&self, between: Vec3, near: bool, longest: f64) -> f64 {
        let mut best = self.follow_bodies(between, longest);
        if best >= longest || (best > 0.0 && !near) {
            return best;
        }
        let (ea, eb) = (edges(&self.a), edges(&self.b));
        let (na, nb) = (ea[0].cross(ea[1]), eb[0].cross(eb[1]));
        for normal in [na, nb] {
            if let Some(n) = normal.try_normalize() {
                best = best.max(self.follow_bodies(n, longest)).max(self.follow_bodies(-n, longest));
            }
        }
        for u in ea {
            for v in eb {
                best = best.max(self.follow_edges(u, v, longest));
            }
        }
        if best > 0.0 {
            return best;
        }
        // In one plane: across the edges.
        for (edges, normal) in [(ea, na), (eb, nb)] {
            for edge in edges {
                if let Some(n) = normal.cross(edge).try_normalize() {
                    best = best.max(self.follow_bodies(n, longest)).max(self.follow_bodies(-n, longest));
                }
            }
        }
        best
    }

    /// The direction from a to b in which the triangles are farthest apart: `between` or across a face or two edges. Next to
    /// a contact the direction between the nearest points is mostly rounding.
    pub(super) fn widest(&self, between: Vec3) -> Vec3 {
        let mut best = (self.gap(between), between);
        let mut with = |n: Option<Vec3>| {
            let Some(n) = n else { return };
            for n in [n, -n] {
                let gap = self.gap(n);
                if gap > best.0 {
                    best = (gap, n);
                }
            }
        };
        let (ea, eb) = (edges(&self.a), edges(&self.b));
        for edges in [ea, eb] {
            let normal = edges[0].cross(edges[1]);
            with(normal.try_normalize());
            for edge in edges {
                with(normal.cross(edge).try_normalize());
            }
        }
        for u in ea {
            for v in eb {
                let product = u.cross(v);
                let is_direction = product.length() > PARALLEL * u.length() * v.length();
                with(if is_direction { product.try_normalize() } else { None });
            }
        }
        best.1
    }

    /// The best of a plane that turns with a and of one that turns with b.
    fn follow_bodies(&self, n: Vec3, longest: f64) -> f64 {
        if self.gap(n) <= self.margin {
            return 0.0;
        }
        let [with_a, with_b] = self.omega.map(|omega| omega.cross(n));
        let step = self.plane(n, with_a, longest);
        if with_a == with_b || step >= longest { step } else { step.max(self.plane(n, with_b, longest)) }
    }

    /// The plane along an edge of a and an edge of b, which follows both.
    fn follow_edges(&self, u: Vec3, v: Vec3, longest: f64) -> f64 {
        let product = u.cross(v);
        let length = product.length();
        if !(length > PARALLEL * u.length() * v.length()) {
            return 0.0;
        }
        let mut n = product / length;
        let mut sign = 1.0;
        if n.dot(self.b[0] - self.a[0]) < 0.0 {
            (n, sign) = (-n, -1.0);
        }
        if self.gap(n) <= self.margin {
            return 0.0;
        }
        let [omega_a, omega_b] = self.omega;
        let change = (omega_a.cross(u).cross(v) + u.cross(omega_b.cross(v))) * (sign / length);
        self.plane(n, change - change.dot(n) * n, longest)
    }

    /// How far apart the triangles are along n.
    #[inline]
    fn gap(&self, n: Vec3) -> f64 {
        let top = self.a.map(|p| n.dot(p));
        let bottom = self.b.map(|p| n.dot(p));
        bottom[0].min(bottom[1]).min(bottom[2]) - top[0].max(top[1]).max(top[2])
    }

    /// For how long the plane with the normal `n + τ m`, m across n, stays between the triangles by more than the margin.
    fn plane(&self, n: Vec3, m: Vec3, longest: f64) -> f64 {
        // Per corner x with velocity v: (n + τ m)·(x + τ v) = n·x + τ (n·v + m·x) + τ² m·v.
        let terms = |p: &[Vec3; 3], v: &[Vec3; 3]| -> [[f64; 3]; 3] {
            std::array::from_fn(|i| [n.dot(p[i]), n.dot(v[i]) + m.dot(p[i]), m.dot(v[i])])
        };
        let (on_a, on_b) = (terms(&self.a, &self.speed_a), terms(&self.b, &self.speed_b));
        let turning = m.length();
        // Within a radian the normal stays shorter than two.
        let longest = if turning * longest > 1.0 { 1.0 / turning } else { longest };
        let first = |length: f64| {
            // |n + τ m| <= 1 + ½ |m|² τ².
            let curve = 0.5 * (self.acceleration * length + self.margin * turning * turning);
            let mut first = longest;
            for x in &on_a {
                for y in &on_b {
                    let step = first_zero(y[0] - x[0] - self.margin, y[1] - x[1], y[2] - x[2] - curve);
                    first = first.min(step);
                }
            }
            first
        };
        // With the length of n alone the time is too long; the length of the normal at that time is enough for all before.
        let guess = first(1.0);
        first((1.0 + turning * turning * guess * guess).sqrt())
    }
}

fn edges(t: &[Vec3; 3]) -> [Vec3; 3] {
    [t[1] - t[0], t[2] - t[1], t[0] - t[2]]
}
