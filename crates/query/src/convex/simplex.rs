//! The point of a segment, triangle or tetrahedron that is nearest to the origin.
//!
//! Shares are weights of the corners that add up to one; a corner with share zero does not take part. Every formula works
//! with differences of the corners, so that small simplices far from the origin keep their digits.

use freiraum_geometry::Vec3;

/// A point of the difference of two bodies, a - b, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// The difference in the frame of a.
    pub(super) at: Vec3,
    /// The point of body a.
    pub(super) on_a: Vec3,
    /// Numbers of the vertices of a and b.
    pub(super) numbers: [u32; 2],
}

impl Corner {
    pub(super) const NONE: Corner = Corner { at: Vec3::ZERO, on_a: Vec3::ZERO, numbers: [u32::MAX; 2] };
}

/// Up to four corners with the shares of the point nearest to the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simplex {
    pub(super) corners: [Corner; 4],
    pub(super) shares: [f64; 4],
    pub(super) count: usize,
}

/// Where the origin is.
pub(super) enum Nearest {
    /// Outside: the nearest point and the shares of the corners.
    Point(Vec3, [f64; 4]),
    /// In the tetrahedron.
    Inside,
}

impl Simplex {
    pub(super) const EMPTY: Simplex = Simplex { corners: [Corner::NONE; 4], shares: [0.0; 4], count: 0 };

    /// The point nearest to the origin. The simplex is not empty.
    pub(super) fn nearest(&self) -> Nearest {
        let [a, b, c, d] = self.corners.map(|corner| corner.at);
        match self.count {
            1 => Nearest::Point(a, [1.0, 0.0, 0.0, 0.0]),
            2 => {
                let (v, [s, t]) = segment(a, b);
                Nearest::Point(v, [s, t, 0.0, 0.0])
            }
            3 => {
                let (v, [s, t, u]) = triangle(a, b, c);
                Nearest::Point(v, [s, t, u, 0.0])
            }
            _ => tetrahedron([a, b, c, d]),
        }
    }

    /// Keeps the corners that take part.
    pub(super) fn keep(&mut self, shares: [f64; 4]) {
        let mut count = 0;
        for (i, share) in shares.into_iter().enumerate().take(self.count) {
            if share > 0.0 {
                self.corners[count] = self.corners[i];
                self.shares[count] = share;
                count += 1;
            }
        }
        self.count = count;
    }

    pub(super) fn push(&mut self, corner: Corner) {
        self.corners[self.count] = corner;
        self.count += 1;
    }

    pub(super) fn contains(&self, numbers: [u32; 2]) -> bool {
        self.corners[..self.count].iter().any(|corner| corner.numbers == numbers)
    }

    /// The weighted sum of what belongs to the corners.
    pub(super) fn sum(&self, value: impl Fn(&Corner) -> Vec3) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for i in 0..self.count {
            sum += self.shares[i] * value(&self.corners[i]);
        }
        sum
    }

    /// One step of iterative refinement for a triangle that has the nearest point inside: what is left of `v` along its
    /// plane is taken off. Slivers lose digits in their shares and get them back here.
    pub(super) fn refined(&mut self, v: Vec3) -> Vec3 {
        let [a, b, c, _] = self.corners.map(|corner| corner.at);
        let (e, f) = (b - a, c - a);
        let normal = e.cross(f);
        let square = normal.length_squared();
        if self.count != 3 || !(square > 0.0) {
            return v;
        }
        let more = [-normal.dot(v.cross(f)) / square, normal.dot(v.cross(e)) / square];
        let shares = [self.shares[1] + more[0], self.shares[2] + more[1]];
        let shares = [1.0 - shares[0] - shares[1], shares[0], shares[1]];
        let w = shares[0] * a + shares[1] * b + shares[2] * c;
        if shares.iter().all(|&s| s >= 0.0) && w.length_squared() < v.length_squared() {
            self.shares[..3].copy_from_slice(&shares);
            return w;
        }
        v
    }
}

fn segment(a: Vec3, b: Vec3) -> (Vec3, [f64; 2]) {
    let e = b - a;
    let along = -a.dot(e);
    if !(along > 0.0) {
        return (a, [1.0, 0.0]);
    }
    let square = e.length_squared();
    if along >= square {
        return (b, [0.0, 1.0]);
    }
    let t = along / square;
    (a + t * e, [1.0 - t, t])
}

fn triangle(a: Vec3, b: Vec3, c: Vec3) -> (Vec3, [f64; 3]) {
    let (e, f) = (b - a, c - a);
    let normal = e.cross(f);
    let square = normal.length_squared();
    // Corners that are in line up to rounding have no plane: four units for the products of the cross product.
    let is_flat = square <= (4.0 * f64::EPSILON).powi(2) * e.length_squared() * f.length_squared();
    let mut outside = [true; 3];
    if !is_flat {
        let (t, u) = (normal.dot(f.cross(a)), normal.dot(a.cross(e)));
        let s = square - t - u;
        if s >= 0.0 && t >= 0.0 && u >= 0.0 {
            let (t, u) = (t / square, u / square);
            return (a + t * e + u * f, [(1.0 - t - u).max(0.0), t, u]);
        }
        outside = [s < 0.0, t < 0.0, u < 0.0];
    }
    // The nearest point lies on an edge that faces the origin: opposite to a corner with a negative share.
    let mut best = (Vec3::ZERO, [0.0; 3]);
    let mut least = f64::INFINITY;
    for (i, ends) in [(0, [1, 2]), (1, [2, 0]), (2, [0, 1])] {
        if outside[i] {
            let corners = [a, b, c];
            let (v, [p, q]) = segment(corners[ends[0]], corners[ends[1]]);
            let length = v.length_squared();
            if length < least {
                least = length;
                best = (v, [0.0; 3]);
                best.1[ends[0]] = p;
                best.1[ends[1]] = q;
            }
        }
    }
    best
}

fn tetrahedron(corners: [Vec3; 4]) -> Nearest {
    let [a, b, c, d] = corners;
    let (e, f, g) = (b - a, c - a, d - a);
    let volume = e.cross(f).dot(g);
    // Every term of the determinant carries some eight roundings; a volume below that has no sign.
    let noise = 8.0 * f64::EPSILON * e.length() * f.length() * g.length();
    let mut outside = [true; 4];
    if volume.abs() > noise {
        // Volumes of the origin with each face, positive if it is on the side of the fourth corner.
        let sign = volume.signum();
        let shares = [
            (c - b).cross(d - b).dot(b) * sign,
            -f.cross(g).dot(a) * sign,
            -g.cross(e).dot(a) * sign,
            -e.cross(f).dot(a) * sign,
        ];
        if shares.iter().all(|&s| s >= 0.0) {
            return Nearest::Inside;
        }
        outside = shares.map(|s| s < 0.0);
    }
    let mut best = (Vec3::ZERO, [0.0; 4]);
    let mut least = f64::INFINITY;
    for (i, [p, q, r]) in [(0, [1, 2, 3]), (1, [0, 2, 3]), (2, [0, 1, 3]), (3, [0, 1, 2])] {
        if outside[i] {
            let (v, shares) = triangle(corners[p], corners[q], corners[r]);
            let length = v.length_squared();
            if length < least {
                least = length;
                best = (v, [0.0; 4]);
                [best.1[p], best.1[q], best.1[r]] = shares;
            }
        }
    }
    Nearest::Point(best.0, best.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    fn simplex(points: &[Vec3]) -> Simplex {
        let mut s = Simplex::EMPTY;
        points.iter().for_each(|&at| s.push(Corner { at, ..Corner::NONE }));
        s
    }

    /// Optimality: no corner lies nearer to the origin along the way to the found point.
    fn check(points: &[Vec3]) {
        let s = simplex(points);
        let size = points.iter().fold(0.0, |size: f64, p| size.max(p.length()));
        match s.nearest() {
            Nearest::Point(v, shares) => {
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{points:?}");
                assert!(shares.iter().all(|&x| x >= 0.0), "{points:?}");
                let sum: Vec3 = points.iter().zip(shares).map(|(p, x)| *p * x).sum();
                assert!((sum - v).length() <= 1e-12 * size, "{points:?}");
                for p in points {
                    assert!(v.dot(*p) >= v.length_squared() - 1e-9 * size * size, "{points:?}: {v}");
                }
            }
            Nearest::Inside => assert_eq!(points.len(), 4),
        }
    }

    #[test]
    fn random_simplices_are_optimal() {
        let mut random = Random::new(1);
        for count in 1..=4 {
            for _ in 0..3000 {
                let shift = random.in_cube(1.5);
                let points: Vec<Vec3> = (0..count).map(|_| shift + random.in_cube(1.0)).collect();
                check(&points);
                let flat: Vec<Vec3> =
                    points.iter().map(|p| Vec3::new(p.x.round(), p.y.round(), (p.z * 2.0).round())).collect();
                check(&flat);
            }
        }
    }

    #[test]
    fn tetrahedra_know_what_is_inside() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        for (shift, inside) in [(0.1, true), (0.3, true), (0.34, false), (-0.01, false), (0.0, true)] {
            for order in [[0, 1, 2, 3], [1, 0, 2, 3], [3, 2, 0, 1], [2, 3, 0, 1]] {
                let s = simplex(&order.map(|i: usize| corners[i] - Vec3::splat(shift)));
                assert_eq!(matches!(s.nearest(), Nearest::Inside), inside, "{shift} {order:?}");
            }
        }
    }
}
