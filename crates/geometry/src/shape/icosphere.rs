//! The unit sphere as a subdivided icosahedron with two vertices at the poles, row by row from north to south.
//!
//! Each face of the icosahedron is cut into n² equal triangles and its points are pushed out to the sphere. The
//! centre of a small triangle is at most b / n from its corners, where b is the circumradius of a face, and all of the
//! face is at least d from the origin, where d is the distance of its plane. Pushing out stretches no path by
//! more than 1 / d, so the corners are seen from the centre of the sphere within the angle b / (d n) of the
//! direction of the small triangle's centre: that is the angle of the proof in `tessellation`. For the icosahedron
//! b / d is 3 - √5. In the middle of a face nothing is lost by this estimate.
//!
//! With an even n the row in the middle lies in the plane z = 0, where capsules are cut apart.

use super::tessellation::{Builder, half_angle};
use crate::Vec3;
use std::f64::consts::TAU;

/// The number n of parts that the edges of the icosahedron are cut into to stay within `deviation` of a sphere of
/// radius `radius`; a whole number. 20 n² triangles are the result.
pub(super) fn frequency(radius: f64, deviation: f64) -> f64 {
    ((3.0 - 5f64.sqrt()) / half_angle(radius, deviation)).ceil().max(1.0)
}

/// Number of rows of vertices, poles included.
pub(super) fn row_count(n: usize) -> usize {
    3 * n + 1
}

/// Number of vertices in a row.
pub(super) fn row_length(n: usize, row: usize) -> usize {
    let steps_from_pole = row.min(3 * n - row);
    if steps_from_pole == 0 { 1 } else { 5 * steps_from_pole.min(n) }
}

/// Appends the unit vectors of a row, counter-clockwise seen from the north.
pub(super) fn push_row(out: &mut Vec<Vec3>, n: usize, row: usize) {
    let (pole, ring) = (1.0, 1.0 / 5f64.sqrt()); // heights of the icosahedron's vertices
    let upper: [Vec3; 6] = std::array::from_fn(|sector| on_ring(sector as f64));
    let lower: [Vec3; 6] = std::array::from_fn(|sector| on_ring(sector as f64 + 0.5));
    // Heights come from whole numbers alone, so that a row is level and the middle row is exactly at zero.
    let mut push = |x_y: Vec3, z: f64| {
        let p = Vec3::new(x_y.x, x_y.y, z);
        out.push(p / p.length());
    };
    let (n_, f) = (n as f64, |i: usize| i as f64);
    if row == 0 || row == 3 * n {
        push(Vec3::ZERO, if row == 0 { pole } else { -pole });
        return;
    }
    for sector in 0..5 {
        if row < n {
            let z = f(n - row) * pole + f(row) * ring;
            for j in 0..row {
                push(f(row - j) * upper[sector] + f(j) * upper[sector + 1], z);
            }
        } else if row <= 2 * n {
            let k = row - n;
            let z = (n_ - 2.0 * f(k)) * ring;
            for j in 0..n - k {
                push(f(n - k - j) * upper[sector] + f(j) * upper[sector + 1] + f(k) * lower[sector], z);
            }
            for j in 0..k {
                push(f(n - k) * upper[sector + 1] + f(k - j) * lower[sector] + f(j) * lower[sector + 1], z);
            }
        } else {
            let k = 3 * n - row;
            let z = -(f(n - k) * pole + f(k) * ring);
            for j in 0..k {
                push(f(k - j) * lower[sector] + f(j) * lower[sector + 1], z);
            }
        }
    }
}

/// A vertex of the icosahedron's upper (whole sector) or lower (half sector) ring, seen from above.
fn on_ring(sector: f64) -> Vec3 {
    let (sin, cos) = (TAU * (sector % 5.0) / 5.0).sin_cos();
    2.0 / 5f64.sqrt() * Vec3::new(cos, sin, 0.0)
}

/// Joins a row, whose vertices start at `a`, with the next row to the south, whose vertices start at `b`.
pub(super) fn join_rows(mesh: &mut Builder, n: usize, row: usize, a: usize, b: usize) {
    let (count_a, count_b) = (row_length(n, row), row_length(n, row + 1));
    if row < n {
        let k = row;
        for sector in 0..5 {
            let a = |j: usize| a + (sector * k + j) % count_a;
            let b = |j: usize| b + (sector * (k + 1) + j) % count_b;
            for j in 0..=k {
                mesh.face([a(j), b(j), b(j + 1)]);
            }
            for j in 0..k {
                mesh.face([a(j), b(j + 1), a(j + 1)]);
            }
        }
    } else if row < 2 * n {
        mesh.band(a, b, count_a);
    } else {
        let k = 3 * n - row - 1;
        for sector in 0..5 {
            let a = |j: usize| a + (sector * (k + 1) + j) % count_a;
            let b = |j: usize| b + (sector * k + j) % count_b;
            for j in 0..=k {
                mesh.face([a(j), b(j), a(j + 1)]);
            }
            for j in 0..k {
                mesh.face([b(j), b(j + 1), a(j + 1)]);
            }
        }
    }
}
