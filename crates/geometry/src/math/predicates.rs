//! Signs that are always right: a fast filter, one with twice the digits, then adaptive arithmetic (crate `robust`),
//! and whole numbers where f64 would overflow or underflow.
//!
//! **Guarantee.** Exact for every finite f64 input, huge and denormal numbers included. Zero means exactly coplanar,
//! collinear and so on. **Cost.** A few nanoseconds where the filter decides, a hundred near zero, some microseconds
//! where in addition the products of the coordinates may leave the range of f64.

use super::double::{Double, UNIT_SQUARED};
use super::wide::{Wide, exponent};
use super::{Vec2, Vec3};
use std::cmp::Ordering;

/// On which side of the plane through `a`, `b`, `c` the point `d` lies.
///
/// `Greater`: on the side from which a, b, c appear counter-clockwise (the side their right-hand normal points
/// to); `Less`: on the other; `Equal`: exactly in the plane.
pub fn side_of_plane(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Ordering {
    let (u, v, w) = (a - d, b - d, c - d);
    let (p, q, r) = (u.abs(), v.abs(), w.abs());
    let det = u.z * (v.x * w.y - v.y * w.x) + v.z * (w.x * u.y - w.y * u.x) + w.z * (u.x * v.y - u.y * v.x);
    let bulk = p.z * (q.x * r.y + q.y * r.x) + q.z * (r.x * p.y + r.y * p.x) + r.z * (p.x * q.y + p.y * q.x);
    // Every term carries at most eight roundings of relative size EPSILON / 2, the bound some more. The last part
    // covers products that underflow; what overflows makes the bound infinite.
    let error = 8.0 * f64::EPSILON * bulk + f64::MIN_POSITIVE * (1.0 + p.z + q.z + r.z);
    if det.abs() > error {
        // Positive when d lies below the plane.
        return if det < 0.0 { Ordering::Greater } else { Ordering::Less };
    }
    near_plane(a, b, c, d)
}

#[cold]
#[inline(never)]
fn near_plane(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Ordering {
    let all = [a, b, c, d].map(|p| p.to_array());
    if is_moderate(all.as_flattened()) {
        let det = fine_determinant(a, b, c, d);
        if det != 0.0 {
            return sign(-det);
        }
        let coord = |p: Vec3| robust::Coord3D { x: p.x, y: p.y, z: p.z };
        return sign(-robust::orient3d(coord(a), coord(b), coord(c), coord(d)));
    }
    let [a, b, c, d] = whole(all);
    let [[ux, uy, uz], [vx, vy, vz], [wx, wy, wz]] =
        [a, b, c].map(|p| std::array::from_fn(|k| p[k].minus(&d[k])));
    let minor = |a: &Wide, b: &Wide, c: &Wide, d: &Wide| a.times(d).minus(&b.times(c));
    let det = uz
        .times(&minor(&vx, &vy, &wx, &wy))
        .plus(&vz.times(&minor(&wx, &wy, &ux, &uy)))
        .plus(&wz.times(&minor(&ux, &uy, &vx, &vy)));
    det.sign().reverse()
}

/// The determinant of a - d, b - d, c - d with twice the digits; zero if its sign is not certain even so.
fn fine_determinant(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f64 {
    let [u, v, w] = [a, b, c].map(|p| [0, 1, 2].map(|k| Double::difference(p[k], d[k])));
    let minor = |a: [Double; 3], b: [Double; 3]| a[0] * b[1] - a[1] * b[0];
    let det = u[2] * minor(v, w) + v[2] * minor(w, u) + w[2] * minor(u, v);
    let [p, q, r] = [u, v, w].map(|x| x.map(|x| x.high.abs()));
    let bulk = |a: [f64; 3], b: [f64; 3]| a[0] * b[1] + a[1] * b[0];
    let bulk = p[2] * bulk(q, r) + q[2] * bulk(r, p) + r[2] * bulk(p, q);
    // Two products and three sums on the way of each term are off by at most 28 units; more than twice that.
    if det.high.abs() > 64.0 * UNIT_SQUARED * bulk { det.high } else { 0.0 }
}

/// On which side of the directed line from `a` to `b` the point `c` lies in the plane: `Greater` is left.
pub fn side_of_line(a: Vec2, b: Vec2, c: Vec2) -> Ordering {
    let (u, v) = (a - c, b - c);
    let (left, right) = (u.x * v.y, u.y * v.x);
    let det = left - right;
    // At most four roundings per term; underflow and overflow as above.
    let error = 4.0 * f64::EPSILON * (left.abs() + right.abs()) + f64::MIN_POSITIVE;
    if det.abs() > error {
        return sign(det);
    }
    near_line(a, b, c)
}

#[cold]
#[inline(never)]
fn near_line(a: Vec2, b: Vec2, c: Vec2) -> Ordering {
    let all = [a, b, c].map(|p| p.to_array());
    if is_moderate(all.as_flattened()) {
        let coord = |p: Vec2| robust::Coord { x: p.x, y: p.y };
        return sign(robust::orient2d(coord(a), coord(b), coord(c)));
    }
    let [a, b, c] = whole(all);
    let [[ux, uy], [vx, vy]]: [[Wide; 2]; 2] = [a, b].map(|p| std::array::from_fn(|k| p[k].minus(&c[k])));
    ux.times(&vy).minus(&uy.times(&vx)).sign()
}

/// True if no product of three differences of these numbers leaves the range of f64, down to its last bit.
fn is_moderate(numbers: &[f64]) -> bool {
    // The last bit of 2^-300 is 2^-352, three of them make 2^-1056, and f64 reaches down to 2^-1074.
    const LEAST: f64 = f64::from_bits((1023 - 300) << 52);
    const MOST: f64 = f64::from_bits((1023 + 300) << 52);
    numbers.iter().all(|x| *x == 0.0 || (LEAST..=MOST).contains(&x.abs()))
}

/// The coordinates as whole numbers of one common unit.
fn whole<const N: usize, const D: usize>(points: [[f64; D]; N]) -> [[Wide; D]; N] {
    let unit = points.as_flattened().iter().filter_map(|&x| exponent(x)).min().unwrap_or(0);
    points.map(|p| p.map(|x| Wide::new(x, unit)))
}

/// True if the three points lie exactly on one line (or coincide).
pub fn are_collinear(a: Vec3, b: Vec3, c: Vec3) -> bool {
    // Collinear in space exactly when the projections on all three coordinate planes are collinear.
    let flat = |f: fn(Vec3) -> Vec2| side_of_line(f(a), f(b), f(c)) == Ordering::Equal;
    flat(|p| Vec2::new(p.x, p.y)) && flat(|p| Vec2::new(p.y, p.z)) && flat(|p| Vec2::new(p.z, p.x))
}

fn sign(x: f64) -> Ordering {
    // partial_cmp, not total_cmp: minus zero is zero. The argument is never NaN for finite input.
    x.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn above_is_where_the_normal_points() {
        let (a, b, c) = (Vec3::ZERO, Vec3::X, Vec3::Y);
        assert_eq!(side_of_plane(a, b, c, Vec3::Z), Ordering::Greater);
        assert_eq!(side_of_plane(a, b, c, -Vec3::Z), Ordering::Less);
        assert_eq!(side_of_plane(a, b, c, Vec3::new(3.0, -7.0, 0.0)), Ordering::Equal);
    }

    #[test]
    fn one_unit_in_the_last_place_decides() {
        let (a, b, c) = (Vec3::new(0.1, 0.1, 0.1), Vec3::new(0.2, 0.3, 0.4), Vec3::new(0.7, 0.5, 0.2));
        let d = a;
        assert_eq!(side_of_plane(a, b, c, d), Ordering::Equal);
        let n = (b - a).cross(c - a);
        let up = Vec3::new(d.x, d.y, if n.z > 0.0 { d.z.next_up() } else { d.z.next_down() });
        assert_eq!(side_of_plane(a, b, c, up), Ordering::Greater);
    }

    #[test]
    fn scaling_by_powers_of_two_changes_nothing() {
        let mut random = Random::new(11);
        let mut seen = [0; 3];
        for _ in 0..3000 {
            let p: [Vec3; 4] =
                std::array::from_fn(|_| Vec3::from(std::array::from_fn(|_| random.below(5) as f64 - 2.0)));
            let expected = side_of_plane(p[0], p[1], p[2], p[3]);
            assert_eq!(expected, determinant_sign(p), "{p:?}");
            seen[(expected as i8 + 1) as usize] += 1;
            for power in [-1070, -1000, -500, -360, -340, -300, 300, 330, 350, 1000] {
                let scale = f64::powi(2.0, power / 2) * f64::powi(2.0, power - power / 2);
                let [a, b, c, d] = p.map(|q| q * scale);
                assert_eq!(side_of_plane(a, b, c, d), expected, "{p:?} times 2^{power}");
                let [a, b, c] = [a, b, c].map(Vec3::truncate);
                let flat = [p[0], p[1], p[2]].map(Vec3::truncate);
                assert_eq!(side_of_line(a, b, c), side_of_line(flat[0], flat[1], flat[2]));
            }
            // Each axis by a power of its own.
            let scale = Vec3::new(f64::powi(2.0, -700), f64::powi(2.0, 600), f64::powi(2.0, -450));
            let [a, b, c, d] = p.map(|q| q * scale);
            assert_eq!(side_of_plane(a, b, c, d), expected, "{p:?} times {scale}");
        }
        assert!(seen.iter().all(|&n| n > 100), "all three answers occur: {seen:?}");
    }

    /// The same by whole numbers.
    fn determinant_sign(p: [Vec3; 4]) -> Ordering {
        let [a, b, c, d] = p.map(|q| q.to_array().map(|x| x as i64));
        let [u, v, w] = [b, c, d].map(|q| [q[0] - a[0], q[1] - a[1], q[2] - a[2]]);
        let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        (cross[0] * w[0] + cross[1] * w[1] + cross[2] * w[2]).cmp(&0)
    }

    #[test]
    fn one_denormal_step_decides() {
        let tiny = f64::from_bits(1);
        let far = 1e300;
        let (a, b, c) = (Vec3::ZERO, Vec3::new(far, 0.0, 0.0), Vec3::new(0.0, far, 0.0));
        for (z, side) in [(tiny, Ordering::Greater), (0.0, Ordering::Equal), (-tiny, Ordering::Less)] {
            assert_eq!(side_of_plane(a, b, c, Vec3::new(1.0, 1.0, z)), side);
            assert_eq!(side_of_plane(tiny * a, tiny * b, tiny * c, Vec3::new(1.0, 1.0, z)), side);
        }
        let diagonal = [Vec2::ZERO, Vec2::splat(f64::MAX), Vec2::splat(tiny)];
        assert_eq!(side_of_line(diagonal[0], diagonal[1], diagonal[2]), Ordering::Equal);
        let above = Vec2::new(tiny, 2.0 * tiny);
        assert_eq!(side_of_line(diagonal[0], diagonal[1], above), Ordering::Greater);
    }

    #[test]
    fn collinear_is_exact() {
        assert!(are_collinear(Vec3::ZERO, Vec3::splat(1.0), Vec3::splat(3.0)));
        assert!(are_collinear(Vec3::ONE, Vec3::ONE, Vec3::ZERO));
        assert!(!are_collinear(Vec3::ZERO, Vec3::splat(1.0), Vec3::new(3.0, 3.0, 3.0f64.next_up())));
    }
}
