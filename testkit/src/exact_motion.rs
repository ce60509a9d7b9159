//! The first contact of two surfaces, one of them translating: feature by feature, decided in whole numbers.

use crate::bumpy::Surface;
use crate::exact::whole;
use glam::DVec3;
use num_bigint::{BigInt, Sign};

/// A fraction with a positive denominator.
#[derive(Clone, Debug)]
struct Fraction(BigInt, BigInt);

impl Fraction {
    fn new(n: BigInt, d: BigInt) -> Option<Fraction> {
        match d.sign() {
            Sign::NoSign => None,
            Sign::Plus => Some(Fraction(n, d)),
            Sign::Minus => Some(Fraction(-n, -d)),
        }
    }

    fn is_below(&self, other: &Fraction) -> bool {
        &self.0 * &other.1 < &other.0 * &self.1
    }
}

type Exact = [BigInt; 3];

fn minus(a: &Exact, b: &Exact) -> Exact {
    std::array::from_fn(|i| &a[i] - &b[i])
}

fn dot(a: &Exact, b: &Exact) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Exact, b: &Exact) -> Exact {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[k] - &a[k] * &b[j]
    })
}

fn is_between(x: &BigInt, zero: &BigInt, end: &BigInt) -> bool {
    (zero <= x && x <= end) || (end <= x && x <= zero)
}

/// The first time t >= 0, as a lower and an upper bound with nothing but rounding between them, at which a vertex of one of two surfaces
/// is on a face of the other, or two edges cross, while b moves by `t by`; `None` if it never is. `b_at`: where b starts.
///
/// Motions in the plane of a face and parallel edges are left out: on closed surfaces that are apart at the start another
/// feature meets at the same time.
pub fn first_translating_contact(a: &Surface, b: &Surface, b_at: DVec3, by: DVec3) -> Option<[f64; 2]> {
    let count = a.0.len();
    let mut numbers: Vec<f64> = a.0.iter().chain(&b.0).flat_map(|p| p.to_array()).collect();
    numbers.extend(b_at.to_array());
    numbers.extend(by.to_array());
    let numbers = whole(&numbers);
    let vectors: Vec<Exact> =
        numbers.chunks_exact(3).map(|c| [c[0].clone(), c[1].clone(), c[2].clone()]).collect();
    let (points, rest) = vectors.split_at(vectors.len() - 2);
    let by = &rest[1];
    let at = |p: &Exact| -> Exact { std::array::from_fn(|i| &p[i] + &rest[0][i]) };
    let on_a = points[..count].to_vec();
    let on_b: Vec<Exact> = points[count..].iter().map(at).collect();
    let backwards: Exact = std::array::from_fn(|i| -&by[i]);
    let mut best: Option<Fraction> = None;
    let mut take = |found: Option<Fraction>| {
        if let Some(found) = found
            && found.0.sign() != Sign::Minus
            && best.as_ref().is_none_or(|best| found.is_below(best))
        {
            best = Some(found);
        }
    };
    let corners = |points: &[Exact], face: &[u32; 3]| face.map(|i| points[i as usize].clone());
    for face in &a.1 {
        let corners = corners(&on_a, face);
        on_b.iter().for_each(|p| take(point_meets_face(p, by, &corners)));
    }
    for face in &b.1 {
        let corners = corners(&on_b, face);
        on_a.iter().for_each(|p| take(point_meets_face(p, &backwards, &corners)));
    }
    let (edges_a, edges_b) = (edges(&a.1), edges(&b.1));
    for [i, j] in &edges_b {
        let moving = [&on_b[*i as usize], &on_b[*j as usize]];
        for [k, l] in &edges_a {
            take(edge_meets_edge(moving, [&on_a[*k as usize], &on_a[*l as usize]], by));
        }
    }
    best.map(|Fraction(n, d)| quotient(&n, &d))
}

fn edges(faces: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let all = faces.iter().flat_map(|f| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]]);
    let mut all: Vec<[u32; 2]> = all.map(|[i, j]| [i.min(j), i.max(j)]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// When `p + t by` is on the face.
fn point_meets_face(p: &Exact, by: &Exact, [a, b, c]: &[Exact; 3]) -> Option<Fraction> {
    let (u, v, w) = (minus(b, a), minus(c, a), minus(p, a));
    let normal = cross(&u, &v);
    // w + t by = x u + y v.
    let fall = -dot(&normal, by);
    let t = dot(&normal, &w);
    if fall.sign() == Sign::NoSign {
        return None;
    }
    let across = cross(&w, by);
    // Cramer: with the determinant of (u, v, -by), which is `fall`.
    let (x, y) = (dot(&across, &v), -dot(&across, &u));
    let zero = BigInt::ZERO;
    let is_inside =
        is_between(&x, &zero, &fall) && is_between(&y, &zero, &fall) && is_between(&(x + y), &zero, &fall);
    if is_inside { Fraction::new(t, fall) } else { None }
}

/// When the edge from p to q, moved by `t by`, crosses the one from r to s.
fn edge_meets_edge([p, q]: [&Exact; 2], [r, s]: [&Exact; 2], by: &Exact) -> Option<Fraction> {
    let (u, v, w) = (minus(q, p), minus(s, r), minus(r, p));
    // x u - y v + t by = w.
    let normal = cross(&u, &v);
    let whole = dot(&normal, by);
    if whole.sign() == Sign::NoSign {
        return None;
    }
    let t = dot(&normal, &w);
    let across = cross(&w, by);
    // Cramer again: the determinant of (u, -v, by) is `-whole`.
    let (x, y) = (-dot(&across, &v), -dot(&across, &u));
    let zero = BigInt::ZERO;
    if is_between(&x, &zero, &whole) && is_between(&y, &zero, &whole) {
        Fraction::new(t, whole)
    } else {
        None
    }
}

/// Bounds of a fraction that is not negative.
fn quotient(n: &BigInt, d: &BigInt) -> [f64; 2] {
    // Sixty-odd binary digits of the quotient.
    let shift = 64 + d.bits() as i64 - n.bits() as i64;
    let q = if shift >= 0 { (n << shift as u64) / d } else { n / (d << (-shift) as u64) };
    let (digits, exponent) = (q.to_u64_digits().1, -shift);
    let mut value = 0.0;
    for digit in digits.iter().rev() {
        value = value * 2f64.powi(64) + *digit as f64;
    }
    let value = value * 2f64.powi(exponent as i32);
    [value.next_down().next_down().max(0.0), value.next_up().next_up()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nasty::{needle, plate};

    fn check(a: &Surface, b: &Surface, b_at: DVec3, by: DVec3, expected: Option<f64>) {
        match (first_translating_contact(a, b, b_at, by), expected) {
            (Some([low, high]), Some(t)) => {
                assert!(low <= t && t <= high && high - low < 1e-14, "{low} {high} {t}")
            }
            (found, expected) => assert_eq!(found.map(|f| f[0]), expected),
        }
    }

    #[test]
    fn plates_and_needles_meet_when_they_must() {
        let (square, thin) = (plate(1.0, 1.0, 0.25), needle(1.0, 0.125));
        check(&square, &square, DVec3::new(0.0, 0.0, 2.0), -DVec3::Z, Some(1.75));
        check(&square, &square, DVec3::new(0.0, 0.0, 2.0), DVec3::Z, None);
        check(&square, &square, DVec3::new(3.0, 0.5, 0.125), -4.0 * DVec3::X, Some(0.5));
        check(&square, &square, DVec3::new(3.0, 0.5, 0.3), -4.0 * DVec3::X, None);
        // Edges: one plate turned on its side and by a quarter of a turn comes from above.
        check(&square, &thin, DVec3::new(0.1, 0.1, 2.0), -DVec3::Z, Some(1.375));
        let tilted = |(vertices, faces): &Surface, turn: glam::DQuat| -> Surface {
            (vertices.iter().map(|p| turn * *p).collect(), faces.clone())
        };
        let on_edge = tilted(&square, glam::DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4));
        let across = tilted(&square, glam::DQuat::from_rotation_y(std::f64::consts::FRAC_PI_4));
        let reach = 0.625 / 2f64.sqrt();
        let [low, high] =
            first_translating_contact(&on_edge, &across, DVec3::new(0.0, 0.0, 3.0), -DVec3::Z).unwrap();
        assert!((low - (3.0 - 2.0 * reach)).abs() < 1e-14 && high - low < 1e-14, "{low}");
    }
}
