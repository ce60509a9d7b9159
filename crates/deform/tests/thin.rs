//! Overlaps that are as wide as promised are never missed, in any place and direction; narrower ones are.

mod common;

use common::{ball, cuboid, together};
use freiraum_deform::thin::{ThreeAxes, least_ball, sizes_for_width};
use freiraum_deform::{Layers, Surface, View};
use freiraum_geometry::{AxisBox, Vec3};
use freiraum_testkit::bumpy;
use freiraum_testkit::random::Random;

fn seen(surface: &bumpy::Surface) -> Surface<'_> {
    Surface { vertices: &surface.0, faces: &surface.1 }
}

/// Two small balls at opposite corners, so that the box is known, and a body that is there twice.
fn twice(body: bumpy::Surface) -> bumpy::Surface {
    let corners = [Vec3::splat(-1.0), Vec3::splat(1.0)].map(|c| ball(c, 0.001, 1));
    together(&[corners[0].clone(), corners[1].clone(), body.clone(), body])
}

/// A disc with so many corners, in a random place and direction.
fn disc(random: &mut Random, diameter: f64, thickness: f64) -> bumpy::Surface {
    let n = 40;
    let turn = random.rotation();
    let place = random.in_cube(0.4);
    // Around the disc, so that it holds a round one of that diameter.
    let radius = 0.5 * diameter / (std::f64::consts::PI / f64::from(n)).cos();
    let outline: Vec<(f64, f64)> = (0..n)
        .map(|k| (f64::from(k) * std::f64::consts::TAU / f64::from(n)).sin_cos())
        .map(|(s, c)| (radius * c, radius * s))
        .collect();
    let mut surface = freiraum_testkit::models::prism(&outline, thickness);
    surface.0.iter_mut().for_each(|v| *v = place + turn * *v);
    surface
}

#[test]
fn three_views_miss_no_plate_as_wide_as_promised() {
    let mut random = Random::new(51);
    let mut three = ThreeAxes::default();
    let (mut missed_by_one, mut missed_by_three) = (0, 0);
    for _ in 0..300 {
        // What is promised depends on the box only, and that is the same each time.
        let promised =
            three.look(seen(&twice(cuboid(-Vec3::ONE, Vec3::ONE))), [24, 24], false).unwrap().plate;
        assert!(promised.diameter < 0.25 && promised.thickness < 0.0005);
        let surface = twice(disc(&mut random, 1.001 * promised.diameter, 1.001 * promised.thickness));
        let answer = three.look(seen(&surface), [24, 24], false).unwrap();
        assert_eq!(answer.faults, 0);
        assert!(answer.self_collision);
        missed_by_one += answer.answers.iter().filter(|a| !a.self_collision).count();
        // Half as wide is not promised.
        let surface = twice(disc(&mut random, 0.5 * promised.diameter, promised.thickness));
        missed_by_three += usize::from(!three.look(seen(&surface), [24, 24], false).unwrap().self_collision);
    }
    assert!(missed_by_one > 20 && missed_by_three > 2, "{missed_by_one} {missed_by_three}");
}

#[test]
fn conservative_finds_what_is_as_wide_as_asked() {
    let mut random = Random::new(52);
    let mut three = ThreeAxes::default();
    for _ in 0..20 {
        let width = random.range(0.05, 0.2);
        let surface = twice(disc(&mut random, width, 0.0001));
        let answer = three.conservative(seen(&surface), width, false).unwrap();
        assert!(answer.plate.diameter <= width && answer.plate.thickness <= 0.0001, "{:?}", answer.plate);
        assert!(answer.self_collision);
    }
    let bounds = AxisBox { min: Vec3::ZERO, max: Vec3::ONE };
    assert!(sizes_for_width(&bounds, 0.0001).is_err());
    assert!(sizes_for_width(&bounds, 0.0).is_err());
    assert!(sizes_for_width(&bounds, f64::NAN).is_err());
}

#[test]
fn one_view_misses_no_ball() {
    let mut random = Random::new(53);
    let mut layers = Layers::default();
    let mut missed = 0;
    for _ in 0..300 {
        layers.self_collision(seen(&twice(cuboid(-Vec3::ONE, Vec3::ONE))), &View::new(20)).unwrap();
        let diameter = least_ball(&layers.image.grid);
        let place = random.in_cube(0.7);
        // Icosahedra cut once hold a ball of 0.93 of their radius.
        let around = |d: f64| twice(ball(place, 0.5 * d / 0.93, 2));
        let answer = layers.self_collision(seen(&around(diameter)), &View::new(20)).unwrap();
        assert!(answer.self_collision && answer.faults == 0);
        missed += usize::from(
            !layers.self_collision(seen(&around(0.6 * diameter)), &View::new(20)).unwrap().self_collision,
        );
    }
    assert!(missed > 10, "{missed}");
}

#[test]
fn three_views_agree_on_volumes() {
    let mut three = ThreeAxes::default();
    let surface = together(&[ball(Vec3::ZERO, 1.0, 10), ball(Vec3::new(0.9, 0.4, 0.2), 1.0, 10)]);
    let answer = three.look(seen(&surface), [100, 100], false).unwrap();
    assert!(answer.self_collision && answer.max_overlap == 2 && answer.faults == 0);
    for a in answer.answers {
        assert!((a.volume.volume - answer.volume.volume).abs() <= a.volume.error + answer.volume.error);
        assert!(answer.volume.error <= a.volume.error);
    }
}
