//! Volumes of overlap against formulas: they converge with the resolution, and the order is printed.

use freiraum_deform::bodies::Bodies;
use freiraum_deform::shapes::{Ball, Cuboid, Cylinder, PlaneStack, Solid};
use freiraum_deform::{Answer, Axis, Layers, Surface, View};
use freiraum_geometry::{Quat, Vec3};
use freiraum_testkit::random::Random;
use std::f64::consts::{FRAC_PI_2, PI};

fn look(layers: &mut Layers, solid: &Solid, view: &View) -> Answer {
    let surface = Surface { vertices: &solid.vertices, faces: &solid.faces };
    let answer = layers.self_collision(surface, view).expect("a good surface");
    assert_eq!(answer.faults, 0, "closed surfaces have no faults");
    answer
}

fn turned(mut solid: Solid, turn: Quat) -> Solid {
    solid.vertices.iter_mut().for_each(|p| *p = turn * *p);
    solid
}

fn moved(mut solid: Solid, shift: Vec3) -> Solid {
    solid.vertices.iter_mut().for_each(|p| *p += shift);
    solid
}

/// Two surfaces as one, the second moved.
fn both(a: Solid, b: &Solid, shift: Vec3) -> Solid {
    let mut all = a;
    all.append(b, shift);
    all
}

/// Least-squares slope of -log2(error) over log2(n).
fn order(levels: &[u32], errors: &[f64]) -> f64 {
    let (x, y): (Vec<f64>, Vec<f64>) = levels
        .iter()
        .zip(errors)
        .map(|(&n, &e)| (f64::from(n).log2(), -e.max(f64::MIN_POSITIVE).log2()))
        .unzip();
    let count = x.len() as f64;
    let (mx, my) = (x.iter().sum::<f64>() / count, y.iter().sum::<f64>() / count);
    let above: f64 = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum();
    above / x.iter().map(|x| (x - mx) * (x - mx)).sum::<f64>()
}

const LEVELS: [u32; 4] = [32, 64, 128, 256];
/// Placements over which errors are averaged (root of the mean square): a single one may hit by chance.
const PLACEMENTS: usize = 6;

/// Prints errors and their order, of two bodies as one surface that overlaps itself and as a pair, and asks for the order.
fn converges(name: &str, exact: f64, least_order: f64, make: impl Fn(u32) -> [Solid; 2]) {
    let mut random = Random::new(9101);
    let turns: Vec<Quat> = (0..PLACEMENTS).map(|_| random.rotation()).collect();
    let (mut layers, mut bodies) = (Layers::default(), Bodies::default());
    let (mut errors, mut pair_errors, mut told) = (Vec::new(), Vec::new(), Vec::new());
    for n in LEVELS {
        let (mut sum, mut pair_sum, mut estimate) = (0.0, 0.0, 0.0);
        for &turn in &turns {
            let [a, b] = make(n).map(|solid| turned(solid, turn));
            let view = View::new(n);
            let surfaces = [&a, &b].map(|s| Surface { vertices: &s.vertices, faces: &s.faces });
            let pairs = bodies.pairs(&surfaces, &view).expect("good surfaces");
            assert!(pairs.len() == 1 && pairs[0].collides() && pairs[0].faults.iter().all(Vec::is_empty));
            pair_sum += (pairs[0].volume.volume / exact - 1.0).powi(2) / PLACEMENTS as f64;
            let answer = look(&mut layers, &both(a, &b, Vec3::ZERO), &view);
            assert!(answer.self_collision && answer.max_overlap == 2);
            sum += (answer.volume.volume / exact - 1.0).powi(2) / PLACEMENTS as f64;
            estimate += answer.volume.error / exact / PLACEMENTS as f64;
        }
        errors.push(sum.sqrt());
        pair_errors.push(pair_sum.sqrt());
        told.push(estimate);
    }
    let text = |list: &[f64]| list.iter().map(|e| format!("{e:.1e}")).collect::<Vec<_>>().join(" ");
    for (what, errors) in [("with itself", &errors), ("as a pair", &pair_errors)] {
        let rate = order(&LEVELS, errors);
        eprintln!("{name:<22} {what:<11} errors {}; order {rate:.2}", text(errors));
        assert!(rate > least_order, "{name} {what}: order {rate}");
        assert!(errors[LEVELS.len() - 1] < 2e-3, "{name} {what}: {errors:?}");
    }
    eprintln!("{name:<22} {:<11} errors {}", "estimated", text(&told));
}

#[test]
fn the_lens_of_two_balls() {
    let (radius, apart) = (0.5, 0.6);
    let exact = PI * (4.0 * radius + apart) * (2.0 * radius - apart) * (2.0 * radius - apart) / 12.0;
    converges("lens of two balls", exact, 1.7, |n| {
        // The mesh is refined with the image: its own error falls with the square of the cells.
        let ball = Ball { radius, cells: n / 4 }.solid().expect("good");
        [ball.clone(), moved(ball, Vec3::new(0.0, 0.0, apart))]
    });
}

#[test]
fn the_common_part_of_two_boxes() {
    let (size_a, size_b) = (Vec3::new(0.5, 0.7, 0.9), Vec3::new(0.6, 0.4, 0.5));
    let a = Cuboid { size: size_a, cells: [2, 3, 4] }.solid().expect("good");
    let b = Cuboid { size: size_b, cells: [4, 2, 1] }.solid().expect("good");
    let common = |shift: Vec3| {
        let edges = (0.5 * size_a).min(shift + 0.5 * size_b) - (-0.5 * size_a).max(shift - 0.5 * size_b);
        edges.x * edges.y * edges.z
    };
    let shift = Vec3::new(0.31, 0.23, -0.41);
    converges("two boxes, turned", common(shift), 1.5, |_| [a.clone(), moved(b.clone(), shift)]);
    // Parallel to the rays, a column is in or out as a whole: one order less. Errors are averaged over places.
    let mut layers = Layers::default();
    for axis in [Axis::X, Axis::Y, Axis::Z] {
        let errors = LEVELS.map(|n| {
            let mut random = Random::new(9102);
            let squares = (0..24).map(|_| {
                let shift = random.in_cube(0.35);
                let solid = both(a.clone(), &b, shift);
                let volume = look(&mut layers, &solid, &View { axis: Some(axis), ..View::new(n) }).volume;
                let off = (volume.volume - common(shift)).abs();
                assert!(off <= volume.error, "{axis:?}, {n}: {volume:?}, off by {off}");
                (off / common(shift)).powi(2)
            });
            (squares.sum::<f64>() / 24.0).sqrt()
        });
        let rate = order(&LEVELS, &errors);
        eprintln!(
            "two boxes along {axis:?}          errors {:.1e} to {:.1e}; order {rate:.2}",
            errors[0], errors[3]
        );
        assert!(rate > 0.75 && errors[3] < 0.01);
    }
}

#[test]
fn steinmetz_and_his_two_cylinders() {
    let radius = 0.25;
    converges("lens of two cylinders", 16.0 / 3.0 * radius * radius * radius, 1.7, |n| {
        let bar = Cylinder { radius, length: 1.0, around: n / 2, along: 2 }.solid().expect("good");
        let across = turned(bar.clone(), Quat::from_rotation_y(FRAC_PI_2));
        [bar, across]
    });
}

#[test]
fn stacks_of_planes_have_half_as_many_volumes_in_each_other() {
    let mut layers = Layers::default();
    for planes in [2, 4, 6, 8, 14, 20] {
        let stack = PlaneStack::by_vertices(planes, 2000);
        let solid = stack.solid().expect("good");
        for resolution in [16, 64, 128] {
            let answer = look(&mut layers, &solid, &View::new(resolution));
            assert_eq!(layers.image.grid.axis, Axis::Z, "seen from the side that matters");
            assert_eq!(answer.max_overlap, planes / 2);
            assert_eq!(answer.layers_max, planes);
            assert_eq!(answer.self_collision, planes > 2);
            // Full to the rim: every ray sees all planes.
            assert_eq!(layers.image.fragments.len() as u32, resolution * resolution * planes);
            assert!((answer.volume.volume - stack.overlap()).abs() < 1e-5);
        }
    }
}

#[test]
fn bodies_that_are_apart_or_touch_do_not_collide() {
    let mut layers = Layers::default();
    let cube = Cuboid { size: Vec3::ONE, cells: [3; 3] }.solid().expect("good");
    let ball = Ball { radius: 0.5, cells: 8 }.solid().expect("good");
    for solid in [
        cube.clone(),
        ball.clone(),
        both(cube.clone(), &cube, Vec3::new(1.5, 0.0, 0.0)),
        both(cube.clone(), &cube, Vec3::new(0.0, 1.0, 0.0)),
        both(cube, &ball, Vec3::new(0.0, 0.0, 1.0)),
    ] {
        for axis in [Axis::X, Axis::Y, Axis::Z] {
            let answer = look(&mut layers, &solid, &View { axis: Some(axis), ..View::new(64) });
            assert!(!answer.self_collision && answer.max_overlap == 1, "{answer:?}");
            assert_eq!(answer.volume.volume, 0.0);
        }
    }
}
