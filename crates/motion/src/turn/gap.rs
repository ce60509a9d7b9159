//! How far the images of two triangles under a full turn are apart.
//!
//! Images that are apart are nearest at their borders: the curves of the edges, and of the line on which a face is nearest to
//! the axis. Such a curve differs from its chord by a sagitta that falls with the square of its length, so that halving curves
//! brackets the distance quickly.

use super::profile::to_segment;
use freiraum_geometry::{Vec2, Vec3};

/// Share of the distance that the lower bound may stay below it.
const SHARE: f64 = 1.0 / 64.0;

/// Halvings at most, per pair of curves. What is left then counts with its lower bound.
const BUDGET: usize = 4000;

/// A lower bound of the distance between the images of two triangles that are known to be apart, less a radius around
/// them; within 1/64 of it, and something not below `enough` if it is not. Zero or less if there is no room left.
pub(super) fn gap(a: &[Vec3; 3], b: &[Vec3; 3], radius: f64, enough: f64) -> f64 {
    let (mut curves_a, mut curves_b) = ([Curve::default(); 4], [Curve::default(); 4]);
    let (curves_a, curves_b) = (borders(a, &mut curves_a), borders(b, &mut curves_b));
    let mut least = enough;
    for a in curves_a {
        for b in curves_b {
            least = least.min(between(a, b, radius, least));
        }
    }
    least
}

/// About where the images of two triangles that are apart come closest: half way between, as (distance, height).
pub(super) fn between_nearest(a: &[Vec3; 3], b: &[Vec3; 3]) -> [f64; 2] {
    let (mut curves_a, mut curves_b) = ([Curve::default(); 4], [Curve::default(); 4]);
    let points = |curves: &[Curve]| -> Vec<Vec2> {
        let shares = || (0..=SAMPLES).map(|k| f64::from(k) / f64::from(SAMPLES));
        let on = |curve: &Curve, s: f64| Curve { ends: [curve.ends[0].lerp(curve.ends[1], s); 2] }.chord()[0];
        curves.iter().flat_map(|curve| shares().map(|s| on(curve, s))).collect()
    };
    let (on_a, on_b) = (points(borders(a, &mut curves_a)), points(borders(b, &mut curves_b)));
    let mut best = (f64::INFINITY, Vec2::ZERO);
    for p in &on_a {
        for q in &on_b {
            let distance = p.distance_squared(*q);
            if distance < best.0 {
                best = (distance, 0.5 * (*p + *q));
            }
        }
    }
    best.1.to_array()
}

/// Points looked at on each curve to say where images come closest.
const SAMPLES: i32 = 32;

/// The image of a segment: a straight line of space, seen by its distance and height.
#[derive(Clone, Copy, Default)]
struct Curve {
    ends: [Vec3; 2],
}

impl Curve {
    fn halves(&self) -> [Curve; 2] {
        let [p, q] = self.ends;
        let middle = 0.5 * (p + q);
        [Curve { ends: [p, middle] }, Curve { ends: [middle, q] }]
    }

    /// Images of the ends.
    fn chord(&self) -> [Vec2; 2] {
        self.ends.map(|p| Vec2::new(p.x.hypot(p.y), p.z))
    }

    /// By how much the curve leaves its chord at most.
    fn sagitta(&self) -> f64 {
        let [p, q] = self.ends.map(|p| Vec2::new(p.x, p.y));
        // The second derivative of |p + s (q - p)| is (p × q)² / |..|³.
        // A line through the axis has a kink there, which rounding must not hide.
        let size = p.length() + q.length();
        let cross = p.perp_dot(q).abs() + 4.0 * f64::EPSILON * size * size;
        let least = (to_segment(p, q) - 4.0 * f64::EPSILON * size).max(0.0);
        let bent = cross * cross / (8.0 * least * least * least);
        let most = 0.5 * (q - p).length();
        if bent < most { bent } else { most }
    }
}

/// The curves around the image of a triangle: its edges, and where it is nearest to the axis at each height.
fn borders<'c>(t: &[Vec3; 3], curves: &'c mut [Curve; 4]) -> &'c [Curve] {
    for k in 0..3 {
        curves[k].ends = [t[k], t[(k + 1) % 3]];
    }
    // Slices at constant height run along z × normal.
    let normal = (t[1] - t[0]).cross(t[2] - t[0]);
    let along = Vec3::new(-normal.y, normal.x, 0.0);
    let heights = t.map(|p| along.dot(p));
    let mut found = 0;
    for k in 0..3 {
        let (p, q) = (heights[k], heights[(k + 1) % 3]);
        if p * q < 0.0 && found < 2 {
            let share = p / (p - q);
            curves[3].ends[found] = t[k] + share * (t[(k + 1) % 3] - t[k]);
            found += 1;
        }
    }
    // Through a corner: from there to the edge across.
    if found == 1
        && let Some(k) = heights.iter().position(|h| *h == 0.0)
    {
        curves[3].ends[1] = t[k];
        found += 1;
    }
    &curves[..if found == 2 { 4 } else { 3 }]
}

/// As [`gap`], for two curves.
fn between(a: &Curve, b: &Curve, radius: f64, enough: f64) -> f64 {
    let mut stack = [(Curve::default(), Curve::default()); 64];
    stack[0] = (*a, *b);
    let mut open = 1;
    let mut least = enough;
    let mut work = 0;
    // Halving goes depth first, one half waits: as deep as the stack allows.
    let mut seen = f64::INFINITY;
    while open > 0 {
        open -= 1;
        let (a, b) = stack[open];
        let (chord_a, chord_b) = (a.chord(), b.chord());
        let lift = |p: Vec2| Vec3::new(p.x, p.y, 0.0);
        let nearest =
            freiraum_query::elementary::segment_segment(chord_a.map(lift), chord_b.map(lift)).distance();
        let (sagitta_a, sagitta_b) = (a.sagitta(), b.sagitta());
        let lower = nearest - sagitta_a - sagitta_b - radius;
        for p in chord_a {
            for q in chord_b {
                seen = seen.min(p.distance(q) - radius);
            }
        }
        if seen <= 0.0 {
            return seen;
        }
        if lower >= least {
            continue;
        }
        work += 1;
        let is_close = lower >= (1.0 - SHARE) * seen || sagitta_a + sagitta_b <= SHARE * lower;
        if is_close || work > BUDGET || open + 2 > stack.len() {
            least = lower;
            continue;
        }
        let by_a = sagitta_a > sagitta_b;
        let halves = if by_a { a.halves().map(|a| (a, b)) } else { b.halves().map(|b| (a, b)) };
        stack[open] = halves[0];
        stack[open + 1] = halves[1];
        open += 2;
    }
    least
}
