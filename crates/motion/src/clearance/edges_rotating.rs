//! How far a turning triangle stays away from another one across the plane that follows an edge of each.
//!
//! With the edges u of a and v of b, that plane has the normal `u × R v`, and the corners q of b and p of a are more than `level`
//! apart across it as long as `N = (u × R v) · (R q - p) > level |u × R v|`. N is a wave of the angle; the length is the root of
//! `W - w²` with `W = |u|² |v|²` and the wave `w = u · R v`. For any S > 0 that root is at most `((W - w²)/S + S) / 2`, and nearly
//! that if S is close to it; so `2 N S > level (W - w² + S²)` is enough. With S the first two terms of the root, as a wave, this is a
//! trigonometric equation of second order, and what is lost is of the fourth order in the angle.

use crate::triangles::Wave;
use freiraum_geometry::Vec3;
use freiraum_geometry::math::power_of_two;
use freiraum_geometry::math::roots::{Solutions, trig2};
use std::f64::consts::TAU;

/// By how much b may turn back and ahead about z while it is proven to be more than `level` away from a by the plane that
/// follows two edges; zero if there are none whose product is the given unit normal from a to b, nearly.
pub(super) fn reach_along_edges(a: &[Vec3; 3], b: &[Vec3; 3], normal: Vec3, level: f64) -> [f64; 2] {
    let mut best = (ALIGNED, 0, 0);
    for i in 0..3 {
        let u = a[(i + 1) % 3] - a[i];
        for j in 0..3 {
            let product = u.cross(b[(j + 1) % 3] - b[j]);
            let aligned = product.dot(normal).abs() / product.length();
            if aligned > best.0 {
                best = (aligned, i, j);
            }
        }
    }
    let (aligned, i, j) = best;
    if aligned == ALIGNED {
        return [0.0; 2];
    }
    let (u, v) = (a[(i + 1) % 3] - a[i], b[(j + 1) % 3] - b[j]);
    let product = u.cross(v);
    let u = if product.dot(normal) < 0.0 { -u } else { u };
    let (whole, w) = (u.length_squared() * v.length_squared(), Wave::turning(u, v));
    let s0 = product.length();
    let s1 = -(w.middle + w.along) * w.across / s0;
    // S must be positive.
    let far = if s1.abs() > s0 * POSITIVE { (s0 * POSITIVE / s1.abs()).asin() } else { f64::INFINITY };
    let mut reach = [far; 2];
    // The ends of an edge are equally high.
    for q in [b[j], b[(j + 2) % 3]] {
        let of_b = Wave::turning(u, v.cross(q));
        for p in [a[i], a[(i + 2) % 3]] {
            let n = of_b.plus(Wave::turning(u.cross(p), v));
            if !(n.middle + n.along > level * s0) {
                return [0.0; 2];
            }
            let solutions = trig2([
                2.0 * n.middle * s0 - level * (whole + s0 * s0 - w.middle * w.middle),
                2.0 * n.along * s0 + 2.0 * level * w.middle * w.along,
                2.0 * (n.across * s0 + n.middle * s1) - 2.0 * level * (s0 * s1 - w.middle * w.across),
                level * w.along * w.along,
                2.0 * n.along * s1 + 2.0 * level * w.along * w.across,
                2.0 * n.across * s1 - level * (s1 * s1 - w.across * w.across),
            ]);
            match solutions {
                Solutions::At(angles) => {
                    if let (Some(first), Some(last)) = (angles.first(), angles.last()) {
                        reach = [reach[0].min(TAU - last), reach[1].min(*first)];
                    }
                }
                Solutions::Always | Solutions::NotFinite => return [0.0; 2],
            }
        }
    }
    reach
}

/// The cosine of the angle between the product of two edges and the normal, from which they are taken for those next to each
/// other. Any two edges are right; these promise most.
const ALIGNED: f64 = 1.0 - power_of_two(-16);

/// How much of itself S may lose.
const POSITIVE: f64 = 0.75;
