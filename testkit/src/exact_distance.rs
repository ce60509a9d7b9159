//! The distance of two convex hulls of a few points, by whole numbers: right to the last place but two, whatever the
//! points are. Tries every simplex that the differences of the points span; no more than some twenty differences are
//! reasonable.

use crate::exact::whole;
use glam::DVec3;
use num_bigint::{BigInt, Sign};

type Vector = [BigInt; 3];

/// The distance of the convex hulls of two sets of points; 0 exactly if they have a point in common.
pub fn hull_distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    let all: Vec<f64> = a.iter().chain(b).flat_map(|p| p.to_array()).collect();
    let numbers = whole(&all);
    // What the common power of two is: seen at any number that is not zero.
    let Some(i) = all.iter().position(|&x| x != 0.0) else { return 0.0 };
    let points: Vec<Vector> = numbers.chunks(3).map(|c| [c[0].clone(), c[1].clone(), c[2].clone()]).collect();
    let (a, b) = points.split_at(a.len());
    let differences: Vec<Vector> = a.iter().flat_map(|p| b.iter().map(move |q| minus(p, q))).collect();
    let (num, den) = from_origin(&differences);
    // The root of num / den with bits to spare, then back to the unit of the input.
    let square: BigInt = (num << 1024) / den;
    let (m, e) = short(&square.sqrt());
    let (n, f) = short(&numbers[i]);
    // all[i] = n 2^f units, and the root is in units of 2^-512.
    m * (all[i] / n) * 2f64.powi(e - 512 - f)
}

/// The leading bits as f64 and the power of two left out.
fn short(x: &BigInt) -> (f64, i32) {
    let shift = x.bits().saturating_sub(64);
    let top: BigInt = x >> shift;
    let (sign, digits) = top.to_u64_digits();
    let value = digits.first().map_or(0.0, |&d| d as f64);
    (if sign == Sign::Minus { -value } else { value }, shift as i32)
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| &a[k] - &b[k])
}

fn dot(a: &Vector, b: &Vector) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

/// Square of the distance of the origin from the hull of the points, as a fraction.
fn from_origin(d: &[Vector]) -> (BigInt, BigInt) {
    let zero = BigInt::ZERO;
    let one = BigInt::from(1);
    let mut best: Option<(BigInt, BigInt)> = None;
    let mut offer = |num: BigInt, den: BigInt| {
        if best.as_ref().is_none_or(|(n, d)| &num * d < n * &den) {
            best = Some((num, den));
        }
    };
    for i in 0..d.len() {
        offer(dot(&d[i], &d[i]), one.clone());
        for j in 0..i {
            let u = minus(&d[j], &d[i]);
            let uu = dot(&u, &u);
            let s = -dot(&u, &d[i]);
            if s >= zero && s <= uu && uu > zero {
                let c = cross(&u, &d[i]);
                offer(dot(&c, &c), uu);
            }
            for k in 0..j {
                let n = cross(&u, &minus(&d[k], &d[i]));
                let nn = dot(&n, &n);
                let inside = |a: &Vector, b: &Vector| dot(&n, &cross(a, b)) >= zero;
                if nn > zero && inside(&d[i], &d[j]) && inside(&d[j], &d[k]) && inside(&d[k], &d[i]) {
                    let h = dot(&n, &d[i]);
                    offer(&h * &h, nn);
                }
                for m in 0..k {
                    let side = |a: &Vector, b: &Vector, c: &Vector| {
                        let n = cross(&minus(b, a), &minus(c, a));
                        (-dot(&n, a), n)
                    };
                    let holds = |a: usize, b: usize, c: usize, apex: usize| {
                        let (of_origin, n) = side(&d[a], &d[b], &d[c]);
                        let of_apex = dot(&n, &minus(&d[apex], &d[a]));
                        of_apex != zero && (of_origin == zero || of_origin.sign() == of_apex.sign())
                    };
                    if holds(i, j, k, m) && holds(i, j, m, k) && holds(i, k, m, j) && holds(j, k, m, i) {
                        return (zero, one);
                    }
                }
            }
        }
    }
    best.unwrap_or((zero, one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &[[f64; 3]], b: &[[f64; 3]], expected: f64) {
        let vectors = |p: &[[f64; 3]]| p.iter().map(|&p| DVec3::from(p)).collect::<Vec<_>>();
        for scale in [1.0, f64::powi(2.0, -70), f64::powi(2.0, 90)] {
            let scaled = |p: &[[f64; 3]]| vectors(p).iter().map(|&p| p * scale).collect::<Vec<_>>();
            let found = hull_distance(&scaled(a), &scaled(b)) / scale;
            assert!((found - expected).abs() <= 4e-16 * expected, "{a:?} {b:?}: {found}");
        }
    }

    #[test]
    fn every_kind_of_closest_features() {
        let t = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        check(&t, &[[1.0, 1.0, 0.1]], 0.1);
        check(&t, &[[-3.0, -4.0, 12.0]], 13.0);
        check(&t, &[[2.0, -3.0, 4.0]], 5.0);
        check(&t, &[[3.0, 3.0, 0.0]], 2f64.sqrt());
        check(&t, &[[1.0, 1.0, -1.0], [1.0, 1.0, 2.0]], 0.0);
        check(&t, &[[1.0, 1.0, 0.0], [1.0, 1.0, 2.0]], 0.0);
        check(&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], &[[0.0, -1.0, 0.3], [0.0, 1.0, 0.3]], 0.3);
        check(&[[0.0, 0.0, 0.0]], &[[0.0, 0.0, 0.0]], 0.0);
    }
}
