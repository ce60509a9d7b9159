//! Polynomials and trigonometric equations that are hard for root solvers.

use freiraum_testkit::random::Random;

/// The names of the polynomial families, for reports.
pub(crate) const POLYNOMIALS: [&str; 23] = [
    "normal coefficients",
    "small whole coefficients",
    "coefficients from 1e-12 to 1e12",
    "coefficients of any size",
    "whole roots",
    "dyadic roots",
    "exact multiple roots",
    "multiple roots, one coefficient an ulp off",
    "clusters 1e-3 to 1e-15 wide",
    "real roots",
    "Wilkinson",
    "Chebyshev",
    "vanishing leading coefficient",
    "palindromic",
    "some coefficients zero",
    "roots at zero",
    "complex pairs near the axis",
    "power of a rounded linear factor",
    "roots of very different size",
    "extreme common scale",
    "neighbouring whole roots far from zero",
    "exact clusters down to 1e-15",
    "exact complex pairs next to real roots",
];

/// Coefficients of the given family and degree, highest power first; not all zero.
pub(crate) fn polynomial(family: usize, degree: usize, r: &mut Random) -> Vec<f64> {
    loop {
        let p = attempt(family, degree, r);
        if p.iter().any(|&a| a != 0.0) && p.iter().all(|a| a.is_finite()) {
            return p;
        }
    }
}

fn attempt(family: usize, degree: usize, r: &mut Random) -> Vec<f64> {
    let mut p: Vec<f64> = match family {
        0 => (0..=degree).map(|_| r.normal()).collect(),
        1 => (0..=degree).map(|_| whole(r, 9)).collect(),
        2 => (0..=degree).map(|_| log_uniform(r, -12.0, 12.0)).collect(),
        3 => (0..=degree).map(|_| log_uniform(r, -320.0, 308.0)).collect(),
        4 => expand(&(0..degree).map(|_| whole(r, 12)).collect::<Vec<_>>()),
        5 => expand(&(0..degree).map(|_| whole(r, 500) / 64.0).collect::<Vec<_>>()),
        6 => multiple(degree, r),
        7 => {
            let mut p = multiple(degree, r);
            let i = r.below(p.len());
            p[i] = nudged(p[i], r);
            p
        }
        8 => {
            let center = r.normal();
            let width = center.abs() * log_uniform(r, -15.0, -3.0);
            expand(&(0..degree).map(|_| center + width * whole(r, 3)).collect::<Vec<_>>())
        }
        9 => expand(&(0..degree).map(|_| log_uniform(r, -3.0, 3.0)).collect::<Vec<_>>()),
        10 => {
            let (unit, first) = (r.range(0.1, 3.0), whole(r, 20));
            expand(&(0..degree).map(|i| unit * (first + i as f64)).collect::<Vec<_>>())
        }
        11 => {
            let (unit, shift) = (r.range(0.5, 2.0), whole(r, 4) * 0.25);
            let angle = |i: usize| (i as f64 + 0.5) * std::f64::consts::PI / degree as f64;
            expand(&(0..degree).map(|i| shift + unit * angle(i).cos()).collect::<Vec<_>>())
        }
        12 => {
            let mut p: Vec<f64> = (0..=degree).map(|_| r.normal()).collect();
            for a in p.iter_mut().take(1 + r.below(degree)) {
                *a *= [0.0, 1e-300, 1e-17, 1e-20, 1e-9, 5e-324][r.below(6)];
            }
            p
        }
        13 => {
            let sign = if r.below(2) == 0 { 1.0 } else { -1.0 };
            let half: Vec<f64> = (0..=degree).map(|_| whole(r, 5) * 0.5).collect();
            (0..=degree).map(|i| if 2 * i <= degree { half[i] } else { sign * half[degree - i] }).collect()
        }
        14 => (0..=degree).map(|_| if r.below(2) == 0 { 0.0 } else { r.normal() }).collect(),
        15 => {
            let zeros = 1 + r.below(degree);
            let mut p = multiple(degree - zeros, r);
            p.resize(degree + 1, 0.0);
            p
        }
        16 => {
            let mut p = vec![1.0];
            while p.len() + 1 < degree + 1 {
                let (a, d) = (r.normal(), log_uniform(r, -10.0, -1.0));
                p = product(&p, &[1.0, -2.0 * a, a * a + d * d]);
            }
            if p.len() < degree + 1 {
                p = product(&p, &[1.0, -r.normal()]);
            }
            p
        }
        17 => expand(&vec![r.normal(); degree]),
        18 => expand(&(0..degree).map(|_| log_uniform(r, -9.0, 9.0)).collect::<Vec<_>>()),
        20 => {
            // As far as the last coefficient is still exact.
            let limit = [0.0, 1e15, 9e7, 2e5, 9e3][degree];
            let first = (r.unit() * limit).round();
            expand(&(0..degree).map(|_| first + whole(r, 2)).collect::<Vec<_>>())
        }
        21 => {
            // (x - 1)^i (x - 1 - d)^j with d a power of two so that all coefficients are exact.
            let moved = 1 + r.below(degree.min(2));
            let d = 2f64.powi(-((r.below(51) / moved) as i32)) * sign(r);
            expand(&(0..degree).map(|i| if i < moved { 1.0 + d } else { 1.0 }).collect::<Vec<_>>())
        }
        22 => {
            let pair = [1.0, -2.0, 1.0 + 2f64.powi(-(r.below(53) as i32))];
            let close = 1.0 + 2f64.powi(-(r.below(30) as i32)) * whole(r, 1);
            product(&pair, &expand(&vec![close; degree - 2]))
        }
        _ => {
            let p = multiple(degree, r);
            let unit = 2f64.powi(r.below(1900) as i32 - 950);
            p.iter().map(|a| a * unit).collect()
        }
    };
    // Common powers of two change nothing but the scale of the coefficients and of the roots.
    let (all, argument) = match r.below(4) {
        0 => (2f64.powi(r.below(80) as i32 - 40), 2f64.powi(r.below(20) as i32 - 10)),
        _ => (1.0, 1.0),
    };
    if family != 19 && family != 3 {
        for (i, a) in p.iter_mut().enumerate() {
            *a *= all * argument.powi(i as i32);
        }
    }
    p
}

/// A product of dyadic linear factors, some of them repeated; exact in f64.
fn multiple(degree: usize, r: &mut Random) -> Vec<f64> {
    let pool = [whole(r, 40) / 8.0, whole(r, 40) / 8.0];
    let share = r.below(3);
    let roots: Vec<f64> =
        (0..degree).map(|_| if r.below(3) < share { whole(r, 40) / 8.0 } else { pool[r.below(2)] }).collect();
    let lead = (1 + r.below(9)) as f64;
    expand(&roots).iter().map(|a| lead * a).collect()
}

/// The coefficients of the product of (x - root), highest power first.
pub(crate) fn expand(roots: &[f64]) -> Vec<f64> {
    roots.iter().fold(vec![1.0], |p, &root| product(&p, &[1.0, -root]))
}

fn product(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut p = vec![0.0; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            p[i + j] += x * y;
        }
    }
    p
}

fn whole(r: &mut Random, limit: usize) -> f64 {
    r.below(2 * limit + 1) as f64 - limit as f64
}

/// A number of either sign whose magnitude has a uniform logarithm between two powers of ten.
fn log_uniform(r: &mut Random, lo: f64, hi: f64) -> f64 {
    let size = 10f64.powf(r.range(lo, hi));
    if r.below(2) == 0 { size } else { -size }
}

/// The number, or one of its two neighbours.
pub(crate) fn moved_by_an_ulp(x: f64, r: &mut Random) -> f64 {
    match r.below(3) {
        _ if x == 0.0 => x,
        0 => x.next_down(),
        1 => x,
        _ => x.next_up(),
    }
}

/// One to three units in the last place up or down.
fn nudged(mut x: f64, r: &mut Random) -> f64 {
    let up = r.below(2) == 0;
    for _ in 0..1 + r.below(3) {
        x = if up { x.next_up() } else { x.next_down() };
    }
    // Next to zero, a step that is not subnormal.
    if x.abs() < 1e-100 { x.signum() * f64::EPSILON } else { x }
}

/// The names of the trigonometric families, for reports.
pub(crate) const TRIGONOMETRIC: [&str; 10] = [
    "normal coefficients",
    "small whole coefficients",
    "coefficients from 1e-12 to 1e12",
    "coefficients of any size",
    "tangential",
    "tangential, exact",
    "tangential, an ulp off",
    "root near a full turn",
    "root near half a turn",
    "some coefficients zero",
];

/// Coefficients of `alpha cos t + beta sin t + gamma`; not all zero.
pub(crate) fn trigonometric(family: usize, r: &mut Random) -> [f64; 3] {
    let k = match family {
        0 => [r.normal(), r.normal(), r.normal()],
        1 => [whole(r, 9), whole(r, 9), whole(r, 9)],
        2 => std::array::from_fn(|_| log_uniform(r, -12.0, 12.0)),
        3 => std::array::from_fn(|_| log_uniform(r, -320.0, 308.0)),
        4 => {
            let (a, b) = (r.normal(), r.normal());
            [a, b, a.hypot(b) * sign(r)]
        }
        5 | 6 => {
            let unit = 2f64.powi(r.below(40) as i32 - 20);
            let [a, b, c] =
                [[3.0, 4.0, 5.0], [5.0, 12.0, 13.0], [8.0, 15.0, 17.0], [1.0, 0.0, 1.0], [20.0, 21.0, 29.0]]
                    [r.below(5)];
            let (a, b) = if r.below(2) == 0 { (a, b) } else { (b, a) };
            let mut k = [unit * a * sign(r), unit * b * sign(r), unit * c * sign(r)];
            if family == 6 {
                let i = r.below(3);
                k[i] = nudged(k[i], r);
            }
            k
        }
        7 | 8 => {
            let (a, b) = (r.normal(), r.normal() * log_uniform(r, -10.0, 0.0));
            let near = -a * (1.0 + f64::EPSILON * whole(r, 3)) * if family == 7 { 1.0 } else { -1.0 };
            [a, b, near]
        }
        _ => std::array::from_fn(|_| if r.below(2) == 0 { 0.0 } else { r.normal() }),
    };
    if k == [0.0; 3] { [1.0, 0.0, 0.0] } else { k }
}

fn sign(r: &mut Random) -> f64 {
    if r.below(2) == 0 { 1.0 } else { -1.0 }
}

/// The names of the second-order families: products of two first-order ones, then others.
pub(crate) const SECOND_ORDER: [&str; 14] = [
    "product: normal",
    "product: whole",
    "product: 1e-12 to 1e12",
    "product: any size",
    "product: tangential",
    "product: tangential, exact",
    "product: tangential, an ulp off",
    "product: near a full turn",
    "product: near half a turn",
    "product: some zero",
    "normal coefficients",
    "small whole coefficients",
    "nearly always satisfied",
    "square of a first-order one",
];

/// Coefficients k0..k5 of the second-order equation; not all zero.
pub(crate) fn second_order(family: usize, r: &mut Random) -> [f64; 6] {
    let of = |[a, b, c]: [f64; 3], [d, e, f]: [f64; 3]| {
        [c * f, a * f + c * d, b * f + c * e, a * d, a * e + b * d, b * e]
    };
    let k = match family {
        0..=9 => of(trigonometric(family, r), trigonometric(family, r)),
        10 => std::array::from_fn(|_| r.normal()),
        11 => std::array::from_fn(|_| whole(r, 4)),
        12 => {
            // k0 (1 - c² - s²) plus something small.
            let (k0, small) = (r.normal(), log_uniform(r, -20.0, -10.0));
            let mut k = [k0, 0.0, 0.0, -k0, 0.0, -k0];
            for k in &mut k {
                *k += small * whole(r, 3);
            }
            k
        }
        _ => {
            let k = trigonometric(r.below(3) + 4, r);
            of(k, k)
        }
    };
    let is_usable = k.iter().any(|&k| k != 0.0) && k.iter().all(|k| k.is_finite());
    if is_usable { k } else { [0.0, 1.0, 0.0, 0.0, 0.0, 0.0] }
}
