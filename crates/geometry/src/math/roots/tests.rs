//! Known answers and degenerate input; the bounds are tested by `tests/it/props_roots`.

use super::*;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

fn at(solutions: Solutions) -> Roots {
    solutions.roots().unwrap_or_else(|| panic!("no list of roots: {solutions:?}"))
}

/// Compares with known values to within 4 eps, relative.
fn check(solutions: Solutions, expected: &[f64]) {
    let roots = at(solutions);
    let is_close = |(x, e): (&f64, &f64)| (x - e).abs() <= 4.0 * f64::EPSILON * e.abs();
    let is_right = roots.len() == expected.len() && roots.iter().zip(expected).all(is_close);
    assert!(is_right, "{roots:?} instead of {expected:?}");
}

#[test]
fn quadratics() {
    check(quadratic(1.0, -3.0, 2.0), &[1.0, 2.0]);
    check(quadratic(-2.0, 0.0, 8.0), &[-2.0, 2.0]);
    check(quadratic(1.0, 0.0, 1.0), &[]);
    check(quadratic(1.0, -2.0, 1.0), &[1.0]);
    check(quadratic(1.0, 1e9, 1.0), &[-1e9, -1e-9]);
    check(quadratic(0.0, 2.0, -3.0), &[1.5]);
    check(quadratic(3.0, 0.0, 0.0), &[0.0]);
    check(quadratic(3.0, -6.0, 0.0), &[0.0, 2.0]);
    check(quadratic(0.0, 0.0, 7.0), &[]);
}

#[test]
fn double_roots_pushed_off_the_axis_are_returned() {
    check(quadratic(1.0, -2.0, 1.0f64.next_up()), &[1.0]);
    check(quadratic(1.0, -2.0, 1.0 + 1e-13), &[]);
    // (x - 1)² (x - 2) with the maximum at 1 lowered below the axis: its root is not lost.
    check(cubic(1.0, -4.0, 5.0f64.next_down(), -2.0), &[1.0, 2.0 + 8.0 * f64::EPSILON]);
    assert_eq!(at(quartic(1.0, -6.0, 13.0, -12.0, 4.0f64.next_up())).len(), 2);
    check(quartic(1.0, -6.0, 13.0, -12.0, 4.0 + 1e-12), &[]);
}

#[test]
fn cubics_and_quartics() {
    check(cubic(1.0, -6.0, 11.0, -6.0), &[1.0, 2.0, 3.0]);
    check(cubic(1.0, 0.0, 0.0, -8.0), &[2.0]);
    check(cubic(1.0, 0.0, 1.0, -10.0), &[2.0]);
    check(cubic(-1.0, 3.0, -3.0, 1.0), &[1.0]);
    check(cubic(2.0, -8.0, 10.0, -4.0), &[1.0, 2.0]);
    check(cubic(0.0, 1.0, -3.0, 2.0), &[1.0, 2.0]);
    check(quartic(1.0, -10.0, 35.0, -50.0, 24.0), &[1.0, 2.0, 3.0, 4.0]);
    check(quartic(1.0, 4.0, 6.0, 4.0, 1.0), &[-1.0]);
    check(quartic(1.0, -6.0, 13.0, -12.0, 4.0), &[1.0, 2.0]);
    check(quartic(1.0, 0.0, 0.0, 0.0, -16.0), &[-2.0, 2.0]);
    check(quartic(1.0, 0.0, 2.0, 0.0, 1.0), &[]);
    check(quartic(1.0, 0.0, -5.0, 0.0, 4.0), &[-2.0, -1.0, 1.0, 2.0]);
    check(quartic(1.0, -1.0, 0.0, 0.0, 0.0), &[0.0, 1.0]);
    check(quartic(1.0, 0.0, 0.0, 0.0, -0.0), &[0.0]);
    assert!(at(quartic(1.0, 1.0, -0.0, 0.0, -0.0))[1].is_sign_positive(), "zero has no sign");
}

#[test]
fn nothing_over_or_underflows() {
    let tiny = f64::from_bits(1);
    check(quadratic(tiny, 0.0, -tiny), &[-1.0, 1.0]);
    check(quadratic(f64::MAX, 0.0, -f64::MAX), &[-1.0, 1.0]);
    check(cubic(f64::MAX, -f64::MAX, f64::MAX, -f64::MAX), &[1.0]);
    check(quadratic(1e-300, 1.0, 1.0), &[-1e300, -1.0]);
    check(quadratic(1e-300, 1e-300, -1e300), &[-1e300, 1e300]);
    check(quartic(1e-300, 0.0, 0.0, 1.0, -1.0), &[-1e100, 1.0]);
    check(cubic(1e200, -1e250, 0.0, -1e-280), &[1e50]);
    check(quartic(1e-250, -1e-50, 1.0, 0.0, -1e-200), &[-1e-100, 1e-100, 1e50, 1e200]);
    // The second root, -1e318, is not representable.
    check(quadratic(1e-308, 1e10, 1e10), &[-1.0]);
    check(quadratic(0.0, tiny, f64::MAX), &[]);
    check(quadratic(0.0, f64::MAX, tiny), &[0.0]);
}

#[test]
fn all_zero_is_always_and_nonsense_is_refused() {
    assert_eq!(quadratic(0.0, -0.0, 0.0), Solutions::Always);
    assert_eq!(cubic(0.0, 0.0, 0.0, 0.0), Solutions::Always);
    assert_eq!(quartic(0.0, 0.0, 0.0, 0.0, 0.0), Solutions::Always);
    assert_eq!(trig1(0.0, 0.0, 0.0), Solutions::Always);
    assert_eq!(trig2([0.0; 6]), Solutions::Always);
    assert_eq!(trig2([1.0, 0.0, 0.0, -1.0, 0.0, -1.0]), Solutions::Always);
    assert_eq!(trig2([0.3, 0.0, 1e-17, -0.3, 0.0, -0.3f64.next_up()]), Solutions::Always);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for i in 0..6 {
            for others in [0.0, 1.0, 1e300] {
                let mut k = [others; 6];
                k[i] = bad;
                assert_eq!(trig2(k), Solutions::NotFinite);
                let [a, b, c, d, e, _] = k;
                if i < 5 {
                    assert_eq!(quartic(a, b, c, d, e), Solutions::NotFinite);
                }
                if i < 4 {
                    assert_eq!(cubic(a, b, c, d), Solutions::NotFinite);
                }
                if i < 3 {
                    assert_eq!(quadratic(a, b, c), Solutions::NotFinite);
                    assert_eq!(trig1(a, b, c), Solutions::NotFinite);
                }
            }
        }
    }
}

/// Compares with digits that were computed elsewhere.
fn check_angles(solutions: Solutions, expected: &[f64]) {
    let roots = at(solutions);
    for &e in expected {
        assert!(roots.iter().any(|t| (t - e).abs() < 1e-12), "{e} is not in {roots:?}");
    }
}

#[test]
fn test_vectors() {
    check_angles(trig1(3.0, 4.0, -2.0), &[2.0865746987290, 6.0512010444538]);
    check_angles(trig1(27.0, -76.0, -9.0), &[3.5947697792527]);
    check_angles(trig1(-21.0, 45.0, -1.0), &[0.45676592417615]);
    check_angles(trig1(0.0, 12.0, -11.75), &[1.3663161278264, 1.7752765257634]);
    check_angles(trig2([5.5, -8.0, 0.0, 0.0, 0.0, -4.0]), &[1.3598037324418, 4.9233815747378]);
    let (a1, b1, g1, a2, b2, g2, de, q) = (-4.0, -2.0, 5.0, 2.0, 2.0, 1.0, 18.0, 0.25);
    let k = [
        g1 * g1 + q * (g2 * g2 - de),
        2.0 * (a1 * g1 + q * a2 * g2),
        2.0 * (b1 * g1 + q * b2 * g2),
        a1 * a1 + q * a2 * a2,
        2.0 * (a1 * b1 + q * a2 * b2),
        b1 * b1 + q * b2 * b2,
    ];
    check_angles(trig2(k), &[0.89130334485584, 5.9803415959812]);
    // A fourfold root: 4 (1 - cos t)².
    check(trig2([8.0, -8.0, 0.0, 0.0, 0.0, -4.0]), &[0.0]);
}

#[test]
fn angles_all_round() {
    check(trig1(1.0, 0.0, 0.0), &[FRAC_PI_2, 3.0 * FRAC_PI_2]);
    check(trig1(0.0, 1.0, 0.0), &[0.0, PI]);
    check(trig1(1.0, 0.0, -1.0), &[0.0]);
    check(trig1(1.0, 0.0, 1.0), &[PI]);
    check(trig1(3.0, 4.0, -5.0), &[4f64.atan2(3.0)]);
    check(trig1(3.0, 4.0, 5.1), &[]);
    check(trig1(0.0, 0.0, 1e-300), &[]);
    check(trig1(1e-300, 0.0, -1e-300), &[0.0]);
    check(trig1(3e307, 4e307, -5e307), &[4f64.atan2(3.0)]);
    // Twice cos t sin t.
    check(trig2([0.0, 0.0, 0.0, 0.0, 1.0, 0.0]), &[0.0, FRAC_PI_2, PI, 3.0 * FRAC_PI_2]);
    // (1 + cos t)²: a fourfold root where one of the two charts has its end.
    check(trig2([1.0, 2.0, 0.0, 1.0, 0.0, 0.0]), &[PI]);
    // sin² t = 1: double roots on the seams of the charts.
    check(trig2([-1.0, 0.0, 0.0, 0.0, 0.0, 1.0]), &[FRAC_PI_2, 3.0 * FRAC_PI_2]);
    check(trig2([1e300, 0.0, 0.0, 0.0, 0.0, 1e300]), &[]);
}

#[test]
fn an_angle_just_before_the_start_is_the_start() {
    assert_eq!(wrap_angle(-1e-17), 0.0);
    assert_eq!(wrap_angle(-1e-13), 0.0);
    assert_eq!(wrap_angle(TAU), 0.0);
    assert_eq!(wrap_angle(1e-17), 1e-17);
    assert_eq!(wrap_angle(-FRAC_PI_2), 3.0 * FRAC_PI_2);
    assert_eq!(wrap_angle(5.0 * PI), PI);
    assert!(wrap_angle(-1e-11) > 6.0);
    assert!(wrap_angle(-0.0).is_sign_positive());
    assert!(wrap_angle(f64::NAN).is_nan() && wrap_angle(f64::INFINITY).is_nan());
    // sin t = -1e-14 has a root just before a full turn.
    check(trig1(0.0, 1.0, 1e-14), &[0.0, PI + 1e-14]);
}
