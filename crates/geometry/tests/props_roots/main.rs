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
    let promise = Promise { near: 4.0, near_angle: 0.0, cluster, near_root: 17 };
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
    let promise = Promise { near: 4.0, near_angle: 4.0, cluster: 0, near_root: 64 };
    run("trig1", 100_000, TRIGONOMETRIC, |family, random| {
        let [a, b, c] = families::trigonometric(family, random);
        let Solutions::At(roots) = trig1(a, b, c) else { panic!("{a:?} {b:?} {c:?} has a list of roots") };
        let k = [c, a, b, 0.0, 0.0, 0.0];
        (format!("{a:?} {b:?} {c:?} gives {roots:?}"), judge_angles(k, &roots, FULL_TURN_SLACK, &promise))
    });
}

#[test]
fn second_order_trigonometric() {
    let promise = Promise { near: 4.0, near_angle: 4.0, cluster: 64, near_root: 64 };
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
