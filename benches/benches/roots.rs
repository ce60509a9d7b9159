//! Root solvers: time per equation (each row is 10 000 equations), and the number of roots found.

use freiraum_benches::{contender, side_by_side};
use freiraum_geometry::math::roots::{Solutions, cubic, quadratic, quartic, trig1, trig2};
use freiraum_testkit::random::Random;
use std::hint::black_box;

const EQUATIONS: usize = 10_000;

fn total(equations: &[[f64; 6]], solve: impl Fn(&[f64; 6]) -> Solutions) -> String {
    let count = |k| solve(black_box(k)).roots().map_or(0, |r| r.len());
    format!("{} roots", equations.iter().map(count).sum::<usize>())
}

fn main() {
    let mut random = Random::new(1);
    let normal: Vec<[f64; 6]> = (0..EQUATIONS).map(|_| std::array::from_fn(|_| random.normal())).collect();
    // Coefficients of (x - a)² (x - b)², rounded: the pairs of roots are neither quite double nor quite real.
    let double: Vec<[f64; 6]> = (0..EQUATIONS)
        .map(|_| {
            let (a, b) = (random.normal(), random.normal());
            let (s, p) = (a + b, a * b);
            [1.0, -2.0 * s, s * s + 2.0 * p, -2.0 * s * p, p * p, 0.0]
        })
        .collect();
    side_by_side(
        "Roots of 10 000 equations",
        21,
        vec![
            contender("quadratic", || total(&normal, |k| quadratic(k[0], k[1], k[2]))),
            contender("cubic", || total(&normal, |k| cubic(k[0], k[1], k[2], k[3]))),
            contender("quartic", || total(&normal, |k| quartic(k[0], k[1], k[2], k[3], k[4]))),
            contender("quartic, nearly double roots", || {
                total(&double, |k| quartic(k[0], k[1], k[2], k[3], k[4]))
            }),
            contender("trig1", || total(&normal, |k| trig1(k[0], k[1], k[2]))),
            contender("trig2", || total(&normal, |k| trig2(*k))),
        ],
    );
}
