//! The point of a segment, triangle or tetrahedron that is nearest to the origin.
//!
//! Shares are weights of the corners that add up to one; a corner with share zero does not take part. Every formula works
//! with differences of the corners, so that small simplices far from the origin keep their digits.

use freiraum_geometry::Vec3;
use freiraum_geometry::math::power_of_two;
use freiraum_geometry::math::predicates::side_of_plane;
use std::cmp::Ordering;

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

    /// Takes back the last corner; the shares are those from before.
    pub(super) fn pop(&mut self) {
        self.count -= 1;
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
    (across(a + t * e, e, square), [1.0 - t, t])
}

/// Takes off what rounding left along an edge. A short vector between far points needs it to be square to the edge.
fn across(v: Vec3, e: Vec3, square: f64) -> Vec3 {
    v - (v.dot(e) / square) * e
}

fn triangle(a: Vec3, b: Vec3, c: Vec3) -> (Vec3, [f64; 3]) {
    let (e, f) = (b - a, c - a);
    let normal = e.cross(f);
    let square = normal.length_squared();
    if square <= THIN * e.length_squared() * f.length_squared() {
        return thin_triangle([a, b, c]);
    }
    let (t, u) = (normal.dot(f.cross(a)), normal.dot(a.cross(e)));
    let s = square - t - u;
    if s >= 0.0 && t >= 0.0 && u >= 0.0 {
        let (t, u) = (t / square, u / square);
        // Along the normal, and not the sum of the shares: what rounding leaves along the plane would hide a gain.
        return ((normal.dot(a) / square) * normal, [(1.0 - t - u).max(0.0), t, u]);
    }
    nearest_edge([a, b, c], [s < 0.0, t < 0.0, u < 0.0])
}

/// The nearest point lies on an edge that faces the origin: opposite to a corner that is told.
fn nearest_edge(corners: [Vec3; 3], opposite_to: [bool; 3]) -> (Vec3, [f64; 3]) {
    let mut best = (Vec3::ZERO, [0.0; 3]);
    let mut least = f64::INFINITY;
    for (i, ends) in [(0, [1, 2]), (1, [2, 0]), (2, [0, 1])] {
        if opposite_to[i] {
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

/// The square of the sine of the angle between two edges below which the plane of a triangle costs digits: 2^-12.
const THIN: f64 = power_of_two(-12);

/// The same for corners that are nearly in line: first along the longest edge, then across it. Rounding of the direction
/// across moves the point by less than the triangle is wide, and never along it.
fn thin_triangle(corners: [Vec3; 3]) -> (Vec3, [f64; 3]) {
    let edges = [(1, 2, 0), (2, 0, 1), (0, 1, 2)];
    let length = |&(i, k, _): &(usize, usize, usize)| (corners[k] - corners[i]).length_squared();
    let (i, k, apex) = edges.into_iter().max_by(|x, y| length(x).total_cmp(&length(y))).unwrap_or(edges[0]);
    let (base, e, f) = (corners[i], corners[k] - corners[i], corners[apex] - corners[i]);
    let square = e.length_squared();
    let split = |v: Vec3| (v.dot(e) / square, across(v - (v.dot(e) / square) * e, e, square));
    let ((along, from_line), (foot, height)) = (split(base), split(f));
    let t = -from_line.dot(height) / height.length_squared();
    let s = -along - t * foot;
    // Not so for NaN, where the edge or the height is zero.
    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
        let mut shares = [0.0; 3];
        (shares[i], shares[k], shares[apex]) = (1.0 - s - t, s, t);
        let v = across(from_line + t * height, height, height.length_squared());
        return (across(v, e, square), shares);
    }
    nearest_edge(corners, [true; 3])
}

/// Which faces the origin is behind is decided exactly: in a flat tetrahedron rounding could say anything.
fn tetrahedron(corners: [Vec3; 4]) -> Nearest {
    let [a, b, c, d] = corners;
    let volume = side_of_plane(a, b, c, d);
    let mut outside = [true; 4];
    if volume != Ordering::Equal {
        let faces = [[b, d, c], [a, c, d], [a, d, b], [a, b, c]];
        outside = faces.map(|[p, q, r]| side_of_plane(p, q, r, Vec3::ZERO) == volume.reverse());
        if outside == [false; 4] {
            return Nearest::Inside;
        }
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
