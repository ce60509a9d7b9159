//! Overlaps that are as wide as promised are never missed, in any place and direction; narrower ones are.

use crate::common::{ball, cuboid, together};
use freiraum_deform::looker::Looker;
use freiraum_deform::thin::{Directions, Look, Rays, least_ball, least_plate};
use freiraum_deform::{Axis, LayerError, Layers, Surface, View};
use freiraum_geometry::{Aabb, Vec3};
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
    let mut looker = Looker::default();
    let look = Look::all_around(Rays::Count([24, 24]));
    let (mut missed_by_one, mut missed_by_three) = (0, 0);
    for _ in 0..300 {
        // What is promised depends on the box only, and that is the same each time.
        let box_alone = twice(cuboid(-Vec3::ONE, Vec3::ONE));
        let promised = least_plate(&looker.self_collision(seen(&box_alone), &look).unwrap().grids).unwrap();
        assert!(promised.diameter < 0.25 && promised.thickness < 0.0005);
        let surface = twice(disc(&mut random, 1.001 * promised.diameter, 1.001 * promised.thickness));
        let all = looker.self_collision(seen(&surface), &look).unwrap();
        assert_eq!((all.answer.faults, all.faults.len()), (0, 0));
        assert!(all.answer.self_collision && all.faces.contains(&true));
        missed_by_one += all.answers.iter().filter(|a| !a.self_collision).count();
        // Half as wide is not promised.
        let surface = twice(disc(&mut random, 0.5 * promised.diameter, promised.thickness));
        let all = looker.self_collision(seen(&surface), &look).unwrap();
        missed_by_three += usize::from(!all.answer.self_collision);
    }
    assert!(missed_by_one > 20 && missed_by_three > 2, "{missed_by_one} {missed_by_three}");
}

#[test]
fn conservative_finds_what_is_as_wide_as_asked() {
    let mut random = Random::new(52);
    let mut looker = Looker::default();
    for _ in 0..20 {
        let width = random.range(0.05, 0.2);
        let surface = twice(disc(&mut random, width, 0.0001));
        let all = looker.self_collision(seen(&surface), &Look::all_around(Rays::Width(width))).unwrap();
        let plate = least_plate(&all.grids).unwrap();
        assert!(plate.diameter <= width && plate.thickness <= 0.0001, "{plate:?}");
        assert!(all.answer.self_collision);
    }
    let bounds = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
    for bad in [0.0001, 0.0, f64::NAN] {
        assert!(Look::all_around(Rays::Width(bad)).size(&bounds, Axis::X).is_err());
    }
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
    let mut looker = Looker::default();
    let surface = together(&[ball(Vec3::ZERO, 1.0, 10), ball(Vec3::new(0.9, 0.4, 0.2), 1.0, 10)]);
    let all = looker.self_collision(seen(&surface), &Look::all_around(Rays::Count([100, 100]))).unwrap();
    let answer = all.answer;
    assert!(answer.self_collision && answer.max_overlap == 2 && answer.faults == 0);
    for a in &all.answers {
        assert!((a.volume.volume - answer.volume.volume).abs() <= a.volume.error + answer.volume.error);
        assert!(answer.volume.error <= a.volume.error);
    }
}

/// A look of this width promises a plate and a ball of that in what two share, and finds it if it is not too thin.
fn keeps(looker: &mut Looker, bodies: &[bumpy::Surface; 2], width: f64, thin: f64) -> Result<(), LayerError> {
    let surfaces = bodies.each_ref().map(seen);
    let look = Look::all_around(Rays::Width(width));
    let pair = looker.pair(surfaces, &look)?;
    let plate = least_plate(&pair.grids).unwrap();
    assert!(plate.diameter <= width && (pair.collides || thin < plate.thickness), "{plate:?}");
    for axis in Axis::ALL {
        let look = Look { directions: Directions::One(axis), ..look };
        let grids = &looker.pair(surfaces, &look)?.grids;
        let ball = least_ball(&grids[0]);
        assert!(grids.len() == 1 && grids[0].axis == axis && ball <= width, "{ball}");
    }
    Ok(())
}

/// However thin the box that two share, and however large they are beside it, pixels are as small as asked for.
#[test]
fn a_width_is_kept_where_two_share_a_thin_box() {
    let mut looker = Looker::default();
    let mut random = Random::new(54);
    for thin in [0.1, 0.001, 1e-5, 1e-7] {
        for k in 0..3 {
            // A floor with a box that sinks into it, along each axis, each as fine as 8192 pixels allow.
            let cycle = |v: Vec3| [v, Vec3::new(v.z, v.x, v.y), Vec3::new(v.y, v.z, v.x)][k];
            let floor = cuboid(cycle(Vec3::new(-5.0, -5.0, -10.0)), cycle(Vec3::new(5.0, 5.0, 0.0)));
            let at = random.in_cube(3.0);
            let low = Vec3::new(at.x, at.y, -thin);
            let on = cuboid(cycle(low), cycle(low + Vec3::new(1.0, 2.0, 10.0)));
            let width = if k == 0 { 0.0035 } else { random.range(0.02, 1.0) };
            keeps(&mut looker, &[floor, on], width, thin).unwrap();
        }
    }
}

/// A width that cannot be kept is refused, not promised: triangles may be too large beside it.
#[test]
fn a_width_that_is_not_kept_is_an_error() {
    let mut looker = Looker::default();
    for size in [5.0, 10.0, 20.0, 40.0, 80.0] {
        let floor = cuboid(Vec3::new(-size, -size, -1.0), Vec3::new(size, size, 0.0));
        let on = cuboid(Vec3::new(0.0, 0.0, -0.01), Vec3::new(1.0, 1.0, 1.0));
        let kept = keeps(&mut looker, &[floor, on], 0.0035, 0.01);
        let expected = [LayerError::Width, LayerError::TooFarOut];
        let is_good = kept.map_or_else(|error| size > 8.0 && expected.contains(&error), |()| size < 15.0);
        assert!(is_good, "{size} m: {kept:?}");
    }
    let [a, b] = [0.0, 0.5].map(|x| cuboid(Vec3::splat(x), Vec3::splat(x + 1.0)));
    for bad in [0.0, -1.0, f64::NAN] {
        let look = Look::all_around(Rays::Width(bad));
        assert!(looker.pair([seen(&a), seen(&b)], &look).is_err(), "{bad}");
    }
}

/// A plate that only just has the width, in a common box of some times its size, is found.
#[test]
fn plates_between_two_are_found_as_wide_as_asked() {
    let mut random = Random::new(55);
    let mut looker = Looker::default();
    let mut missed = 0;
    for _ in 0..40 {
        let width = random.range(0.05, 0.2);
        let disc = disc(&mut random, width, 0.0002);
        // Small balls beside each other at opposite corners, so that the boxes are known.
        let bodies = [0.0, 0.01].map(|aside| {
            let corners = [-1.0, 1.0].map(|c| ball(Vec3::new(c + aside, c, c), 0.001, 1));
            together(&[disc.clone(), corners[0].clone(), corners[1].clone()])
        });
        let surfaces = bodies.each_ref().map(seen);
        let pair = looker.pair(surfaces, &Look::all_around(Rays::Width(width))).unwrap();
        assert!(pair.collides && pair.faults.iter().all(Vec::is_empty));
        assert!(pair.faces.iter().all(|faces| faces.contains(&true)));
        let one = Look { directions: Directions::Longest, ..Look::all_around(Rays::Count([8, 8])) };
        missed += usize::from(!looker.pair(surfaces, &one).unwrap().collides);
    }
    assert!(missed > 2, "{missed}");
}
