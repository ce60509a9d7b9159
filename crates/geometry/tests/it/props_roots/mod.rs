//! A million random and adversarial equations, judged by exact arithmetic: no root is missed, none invented.
//!
//! `FREIRAUM_TEST_SCALE` multiplies the number of cases.

mod families;

use families::{POLYNOMIALS, SECOND_ORDER, TRIGONOMETRIC};
use freiraum_geometry::math::roots::{Solutions, cubic, quadratic, quartic, trig1, trig2};
use freiraum_geometry::tolerance::FULL_TURN_SLACK;
use freiraum_testkit::exact_roots::{Findings, Promise, judge_angles, judge_polynomial};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

/// Runs `n` cases, taking the families in turn, and fails if one is missed or invented.
fn run<const N: usize>(
    name: &str,
    n: usize,
    families: [&str; N],
    mut one: impl FnMut(usize, &mut Random) -> (String, Findings),
) {
    let mut random = Random::new(0x5EED ^ n as u64);
    let mut totals = [Findings::default(); N];
    let mut wrong = Vec::new();
    for i in 0..cases(n) {
        let (case, findings) = one(i % N, &mut random);
        totals[i % N] = totals[i % N].plus(findings);
        if findings.missed + findings.invented > 0 && wrong.len() < 10 {
            wrong.push(format!("{}: {case}: {findings:?}", families[i % N]));
        }
    }
    for (family, t) in families.iter().zip(&totals) {
        eprintln!(
            "{name:<10} {family:<44} {:>8} roots {:>4} missed {:>4} invented {:>6} clustered {:>7} near",
            t.roots, t.missed, t.invented, t.clustered, t.near_roots
        );
    }
    assert!(wrong.is_empty(), "{name}: roots missed or invented:\n{}", wrong.join("\n"));
}

fn polynomials(name: &str, degree: usize, n: usize, cluster: u32, solve: impl Fn(&[f64]) -> Solutions) {
    let promise = Promise { near: 3.0, near_angle: 0.0, cluster, near_root: 17 };
    run(name, n, POLYNOMIALS, |family, random| {
        let p = families::polynomial(family, degree, random);
        let Solutions::At(roots) = solve(&p) else { panic!("{p:?} has a list of roots") };
        assert!(roots.is_sorted_by(|a, b| a < b), "{p:?}: {roots:?} ascend");
        (format!("{p:?} gives {roots:?}"), judge_polynomial(&p, &roots, &promise))
    });
}

#[test]
fn quadratics() {
    polynomials("quadratic", 2, 200_000, 0, |p| quadratic(p[0], p[1], p[2]));
}

#[test]
fn cubics() {
    polynomials("cubic", 3, 250_000, 64, |p| cubic(p[0], p[1], p[2], p[3]));
}

#[test]
fn quartics() {
    polynomials("quartic", 4, 300_000, 64, |p| quartic(p[0], p[1], p[2], p[3], p[4]));
}

#[test]
fn first_order_trigonometric() {
    let promise = Promise { near: 3.0, near_angle: 0.0, cluster: 0, near_root: 64 };
    run("trig1", 100_000, TRIGONOMETRIC, |family, random| {
        let [a, b, c] = families::trigonometric(family, random);
        let Solutions::At(roots) = trig1(a, b, c) else { panic!("{a:?} {b:?} {c:?} has a list of roots") };
        let k = [c, a, b, 0.0, 0.0, 0.0];
        (format!("{a:?} {b:?} {c:?} gives {roots:?}"), judge_angles(k, &roots, FULL_TURN_SLACK, &promise))
    });
}

#[test]
fn second_order_trigonometric() {
    let promise = Promise { near: 3.0, near_angle: 1.0, cluster: 64, near_root: 64 };
    run("trig2", 150_000, SECOND_ORDER, |family, random| {
        let k = families::second_order(family, random);
        match trig2(k) {
            Solutions::At(roots) => {
                let findings = judge_angles(k, &roots, FULL_TURN_SLACK, &promise);
                (format!("{k:?} gives {roots:?}"), findings)
            }
            Solutions::Always => {
                // Then any angles must do as near-roots.
                let some: Vec<f64> = (0..50).map(|i| f64::from(i) * 0.125).collect();
                let findings = judge_angles(k, &some, FULL_TURN_SLACK, &promise);
                (format!("{k:?} always"), Findings { missed: 0, ..findings })
            }
            Solutions::NotFinite => panic!("{k:?} is finite"),
        }
    });
}

#[test]
fn every_sampled_sign_change_has_an_angle() {
    let mut random = Random::new(7);
    for i in 0..cases(2_000) {
        let k = families::second_order(i % SECOND_ORDER.len(), &mut random);
        let Solutions::At(roots) = trig2(k) else { continue };
        let size: f64 = k.iter().map(|k| k.abs()).sum();
        let value = |t: f64| {
            let (s, c) = t.sin_cos();
            (k[0] + k[1] * c + k[2] * s + k[3] * c * c + k[4] * c * s + k[5] * s * s) / size
        };
        let step = std::f64::consts::TAU / 500.0;
        for j in 0..500 {
            let (from, to) = (step * f64::from(j), step * f64::from(j + 1));
            let (a, b) = (value(from), value(to));
            // Signs that the sampling itself is sure of; just before a full turn the root is given as 0.
            if a.abs().min(b.abs()) > 1e-14 && (a < 0.0) != (b < 0.0) {
                let is_there =
                    roots.iter().any(|t| (from..=to).contains(t)) || (j == 499 && roots.contains(&0.0));
                assert!(is_there, "{k:?}: none of {roots:?} in {from}..{to}");
            }
        }
    }
}

/// A double root survives when every coefficient is moved by a unit in the last place, whichever way.
#[test]
fn rounding_of_the_coefficients_loses_no_double_root() {
    let mut random = Random::new(11);
    for i in 0..cases(30_000) {
        let degree = 2 + i % 3;
        let double = random.below(80) as f64 / 8.0 - 5.0;
        let others: Vec<f64> = (0..degree - 2)
            .map(|_| double + (1 + random.below(40)) as f64 / 8.0)
            .map(|x| x - 2.0625)
            .collect();
        let exact = families::expand(&[&[double, double], &others[..]].concat());
        let p: Vec<f64> = exact.iter().map(|&a| families::moved_by_an_ulp(a, &mut random)).collect();
        let Solutions::At(roots) = (match p[..] {
            [a, b, c] => quadratic(a, b, c),
            [a, b, c, d] => cubic(a, b, c, d),
            [a, b, c, d, e] => quartic(a, b, c, d, e),
            _ => unreachable!("degrees 2 to 4"),
        }) else {
            panic!("{p:?} has a list of roots")
        };
        // Where half the second derivative times the square of the distance reaches 32 eps times the terms.
        let terms = p.iter().fold(0.0, |sum, a| sum * double.abs() + a.abs());
        let bend: f64 = others.iter().map(|r| (double - r).abs()).product();
        let reach = (32.0 * f64::EPSILON * terms / bend).sqrt();
        assert!(roots.iter().any(|x| (x - double).abs() <= reach), "{p:?}: no {double} in {roots:?}");
    }
}

/// The same for a tangential solution of the first order, alone and as a factor of one of the second order.
#[test]
fn rounding_of_the_coefficients_loses_no_tangential_angle() {
    let mut random = Random::new(13);
    for _ in 0..cases(30_000) {
        let [a, b, c] = families::trigonometric(5, &mut random);
        let tangent = (-c * b).atan2(-c * a);
        let [x, y, z] = [a, b, c].map(|k| families::moved_by_an_ulp(k, &mut random));
        let Solutions::At(roots) = trig1(x, y, z) else { panic!("{x:?} {y:?} {z:?} has a list of roots") };
        let is_close = |t: &f64| (0.5 * (t - tangent)).sin().abs() < 2e-7;
        assert!(roots.iter().any(is_close), "{x:?} {y:?} {z:?}: no {tangent} in {roots:?}");
        // Times 2 + cos t, which is never zero.
        let k = [2.0 * c, c + 2.0 * a, 2.0 * b, a, b, 0.0].map(|k| families::moved_by_an_ulp(k, &mut random));
        let Solutions::At(roots) = trig2(k) else { panic!("{k:?} has a list of roots") };
        assert!(roots.iter().any(is_close), "{k:?}: no {tangent} in {roots:?}");
    }
}
