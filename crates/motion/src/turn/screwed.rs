//! Screws that turn in what they stand in, proven free without a step.
//!
//! A screw motion keeps the distance of a point from its axis and shifts its height by the advance at most. The image of the body that moves in
//! (distance, height), drawn along the heights by the whole advance, therefore holds all it comes to. If one body is nearer to the axis
//! than the other at all heights even so, they never meet, and contours tell how far apart they stay at least.
//!
//! The outer contour of a body that is drawn along by l is the largest distance at the heights from h - l to h. Its pieces are convex, so that
//! is at one of these two or at the end of a piece between them: the contour itself, the same shifted by l, and a piece of constant distance
//! of length l at each end make up all of it. For the inner contour, which is the least distance, the feet of pieces come in addition.

use super::contour::{ContourPiece, Outline, Source, envelope_with};
use super::nested::nested_gap;
use crate::chart::RotationChart;
use crate::movable::{Core, bounds};
use freiraum_geometry::Pose;
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::Axis;

/// Two bodies of which b moves as a screw.
pub(crate) struct Screwed<'c> {
    pub(crate) cores: [&'c Core; 2],
    /// Where the cores are in the frame of the axis when it begins.
    pub(crate) places: [Pose; 2],
    pub(crate) axis: Axis,
    pub(crate) advance: f64,
    /// Of the coordinates that the places come from.
    pub(crate) reach: f64,
}

impl Screwed<'_> {
    /// True if the surfaces are proven to stay farther apart than `at_least` by more than the tolerance; by twice that it is not missed.
    pub(crate) fn is_apart(&self, at_least: f64, tolerance: f64) -> bool {
        let Screwed { cores, places, axis, advance, .. } = self;
        let boxes = cores.map(|core| bounds(&core.tree));
        let middle = places[0].transform_point(boxes[0].center());
        let origin = axis.point + axis.direction.dot(middle - axis.point) * axis.direction;
        let own: f64 = (0..2).map(|i| 2.0 * boxes[i].reach() + places[i].translation().length()).sum();
        let reach = self.reach + own + origin.length() + advance.abs();
        let slack = rounding::coordinate(2.0 * reach);
        let radius = cores[0].radius + cores[1].radius;
        let needed = at_least + tolerance + radius + 4.0 * slack;
        let share = (0.25 * tolerance / needed).max(f64::EPSILON);
        let axes = RotationChart::axes(axis);
        let [a, b] = [0, 1].map(|i| {
            let chart = RotationChart::new(axes, origin, &places[i], slack);
            Outline::of(&cores[i].tree, &chart)
        });
        let b = b.drawn_along(*advance);
        let below = needed * (1.0 + 2.0 * share) + slack;
        let is_inside = |inner: &Outline, outer: &Outline| {
            nested_gap(inner, outer, below, needed, share).is_some_and(|gap| gap.lower > needed)
        };
        is_inside(&b, &a) || is_inside(&a, &b)
    }
}

impl Outline {
    /// The outline of all that the surface comes to on its way along the axis by `length`, not zero. Sources are where they were.
    fn drawn_along(&self, length: f64) -> Outline {
        let drawn = |pieces: &[(ContourPiece, Source)], wins: fn(&f64, &f64) -> bool, with_feet: bool| {
            let (mut curves, mut sources) = (Vec::new(), Vec::new());
            for (piece, source) in pieces {
                let mut add = |curve: ContourPiece| {
                    curves.push(curve);
                    sources.push(*source);
                };
                let [low, high] = piece.heights;
                if low < high {
                    add(*piece);
                    add(ContourPiece { heights: [low + length, high + length], ..*piece });
                }
                let mut flat = |height: f64, square: f64| {
                    let to = height + length;
                    add(ContourPiece { heights: [height.min(to), height.max(to)], squares: [square; 3] });
                };
                flat(low, piece.squares[0]);
                flat(high, piece.squares[2]);
                if with_feet && let Some((height, square)) = piece.foot() {
                    flat(height, square);
                }
            }
            envelope_with(&curves, &sources, wins)
        };
        Outline { inner: drawn(&self.inner, f64::lt, true), outer: drawn(&self.outer, f64::gt, false) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::{Mesh, Quat, Vec2, Vec3};
    use freiraum_query::mesh_tree::MeshTree;
    use freiraum_testkit::random::Random;
    use freiraum_testkit::scale;
    use std::f64::consts::TAU;
    use std::sync::Arc;

    /// A wall around z with a radius at each of some heights; `radius`: around all of it.
    fn wall(corners: usize, profile: &[[f64; 2]], radius: f64, noise: f64, random: &mut Random) -> Core {
        let mut vertices = Vec::new();
        let phase = random.range(0.0, TAU);
        for [height, r] in profile {
            for i in 0..corners {
                let angle = phase + TAU * i as f64 / corners as f64;
                vertices.push(Vec3::new(r * angle.cos(), r * angle.sin(), *height) + random.in_cube(noise));
            }
        }
        let index = |i: usize, j: usize| (j * corners + i % corners) as u32;
        let mut faces = Vec::new();
        for j in 0..profile.len() - 1 {
            for i in 0..corners {
                faces.push([index(i, j), index(i + 1, j), index(i + 1, j + 1)]);
                faces.push([index(i, j), index(i + 1, j + 1), index(i, j + 1)]);
            }
        }
        Core { tree: Arc::new(MeshTree::build(Mesh::new(vertices, faces).unwrap())), radius }
    }

    /// Images of points of the faces.
    fn samples(core: &Core, place: &Pose, axis: &Axis) -> Vec<Vec2> {
        let steps = 6;
        let mut out = Vec::new();
        for t in core.tree.triangles() {
            for i in 0..=steps {
                for j in 0..=steps - i {
                    let (u, v) = (f64::from(i) / f64::from(steps), f64::from(j) / f64::from(steps));
                    let p = place.transform_point(t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]));
                    out.push(Vec2::new(axis.distance(p), axis.direction.dot(p - axis.point)));
                }
            }
        }
        out
    }

    /// The least distance of images, one of them drawn along the heights.
    fn least(a: &[Vec2], b: &[Vec2], advance: f64) -> f64 {
        let mut least = f64::INFINITY;
        for p in a {
            for q in b {
                // The nearest height on the way.
                let shift = (p.y - q.y).clamp(advance.min(0.0), advance.max(0.0));
                least = least.min(p.distance(*q + Vec2::new(0.0, shift)));
            }
        }
        least
    }

    #[test]
    fn bodies_that_are_apart_stay_so_at_all_heights_on_the_way() {
        let mut random = Random::new(23);
        let mut counts = [0; 2];
        for case in 0..scale::cases(120) {
            let noise = [0.0, 1e-9, 2e-2][case % 3];
            // Waists and bulges, on both.
            let mut profile = |radius: f64, low: f64, high: f64| -> Vec<[f64; 2]> {
                let n = 1 + random.below(4);
                let at = |k: usize| low + (high - low) * k as f64 / n as f64;
                (0..=n).map(|k| [at(k), radius + random.range(-0.2, 0.2)]).collect()
            };
            let wide = [1.3, 1.6][case / 3 % 2];
            let (shaft, hole) = (profile(1.0, -0.7, 0.7), profile(wide, 0.0, 0.6));
            let balls = [0.0, 0.1][case % 2];
            let [n, m] = [5 + random.below(9), 9 + random.below(9)];
            let a = wall(m, &hole, 0.0, noise, &mut random);
            let b = wall(n, &shaft, balls, noise, &mut random);
            let axis = Axis::new(random.in_cube(2.0), random.direction()).unwrap();
            let turn = Quat::from_rotation_arc(Vec3::Z, axis.direction);
            let place = Pose::new(turn, axis.point).unwrap();
            let advance = random.range(0.1, 2.0) * [1.0, -1.0][random.below(2)];
            let is_swapped = random.below(2) == 0;
            let cores = if is_swapped { [&b, &a] } else { [&a, &b] };
            let screwed = Screwed { cores, places: [place; 2], axis, advance, reach: 0.0 };
            let [on_a, on_b] = cores.map(|core| samples(core, &place, &axis));
            let seen = least(&on_a, &on_b, advance) - balls;
            assert!(!screwed.is_apart(seen.max(0.0) + 1e-12, 1e-12), "case {case}: {seen}");
            // Samples miss the nearest points by a little; holes have corners as far out as the shaft may be.
            let is_nested = shaft.iter().all(|[_, r]| hole.iter().all(|[_, s]| r + 0.2 < s * 0.9));
            if is_nested {
                assert!(screwed.is_apart(0.8 * seen, 1e-12), "case {case}: {seen}");
            }
            counts[usize::from(screwed.is_apart(0.0, 1e-12))] += 1;
        }
        assert!(counts[0] > scale::cases(10) && counts[1] > scale::cases(10), "{counts:?}");
    }

    /// The wide end of a cone passes the narrow end of a hole half way.
    #[test]
    fn what_is_widest_counts_wherever_it_passes() {
        let mut random = Random::new(24);
        let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
        for side in [1.0, -1.0] {
            let mut built = |corners: usize, low: [f64; 2], high: [f64; 2]| {
                let mut profile = [low, high].map(|[height, radius]| [side * height, radius]);
                profile.sort_by(|p, q| p[0].total_cmp(&q[0]));
                wall(corners, &profile, 0.0, 0.0, &mut random)
            };
            let shaft = built(12, [-0.7, 1.2], [0.7, 1.0]);
            let hole = built(12, [0.0, 1.35], [0.6, 1.7]);
            let room = 1.35 * (0.5 * TAU / 12.0).cos() - 1.2;
            let is_apart = |cores: [&Core; 2], advance: f64, at_least: f64| {
                let places = [Pose::IDENTITY; 2];
                Screwed { cores, places, axis, advance, reach: 0.0 }.is_apart(at_least, 1e-12)
            };
            for (cores, advance) in [([&hole, &shaft], side), ([&shaft, &hole], -side)] {
                assert!(is_apart(cores, advance, room * (1.0 - 1e-9)), "{side} {advance}");
                assert!(!is_apart(cores, advance, room * (1.0 + 1e-9)), "{side} {advance}");
                // Not far enough.
                assert!(is_apart(cores, 0.6 * advance, room * 1.01), "{side} {advance}");
            }
        }
    }
}
