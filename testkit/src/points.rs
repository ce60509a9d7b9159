//! Point clouds for hulls and enclosing volumes.

use crate::random::Random;
use glam::DVec3;

/// Standard normal cloud.
pub fn gauss(n: usize, seed: u64) -> Vec<DVec3> {
    let mut r = Random::new(seed);
    (0..n).map(|_| DVec3::new(r.normal(), r.normal(), r.normal())).collect()
}

/// Uniform in the cube of half edge 1.
pub fn cube(n: usize, seed: u64) -> Vec<DVec3> {
    let mut r = Random::new(seed);
    (0..n).map(|_| r.in_cube(1.0)).collect()
}

/// Uniform on the unit sphere: every point is (nearly always) a hull vertex.
pub fn sphere(n: usize, seed: u64) -> Vec<DVec3> {
    let mut r = Random::new(seed);
    (0..n).map(|_| r.direction()).collect()
}

/// Integer grid 0..k cubed, scaled by `step`: as degenerate as CAD gets.
pub fn grid(k: usize, step: f64) -> Vec<DVec3> {
    (0..k * k * k)
        .map(|i| step * DVec3::new((i % k) as f64, (i / k % k) as f64, (i / (k * k)) as f64))
        .collect()
}
