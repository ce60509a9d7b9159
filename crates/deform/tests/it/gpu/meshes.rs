//! Random closed surfaces, deformed at random.

use super::{agree, with_renderer};
use crate::common::crumpled;
use freiraum_deform::deformation::{Deformation, Frame};
use freiraum_deform::shapes::{Ball, Cuboid, Cylinder, PlaneStack, Solid, Spring, Torus};
use freiraum_deform::{Axis, Grid};
use freiraum_geometry::{Aabb, Vec3};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

fn solid(random: &mut Random) -> Solid {
    let vertices = 8 + random.below(300) as u32;
    let solid = match random.below(6) {
        0 => Ball::by_vertices(random.range(0.5, 2.0), vertices).solid(),
        1 => Torus::by_vertices(1.0, random.range(0.1, 0.9), vertices).solid(),
        2 => Cylinder::by_vertices(random.range(0.1, 0.5), random.range(1.0, 4.0), vertices).solid(),
        3 => Spring::by_vertices(1.0, 0.3, random.range(0.4, 1.0), 2.5, vertices.max(60)).solid(),
        4 => PlaneStack::by_vertices(2 + 2 * random.below(8) as u32, vertices).solid(),
        _ => Cuboid::by_vertices(Vec3::new(1.0, 1.0, random.range(1.0, 5.0)), vertices).solid(),
    };
    solid.unwrap()
}

fn deformation(random: &mut Random) -> Deformation {
    match random.below(4) {
        0 => Deformation::Twist { angle: random.range(-7.0, 7.0) },
        1 => Deformation::Bend { angle: random.range(-8.0, 8.0) },
        2 => Deformation::Wobble {
            angle: random.range(0.0, 3.0),
            waves: random.range(0.5, 2.5),
            phase: random.range(0.0, 6.0),
        },
        _ => Deformation::Inflate { distance: random.range(-0.5, 1.0) },
    }
}

fn deformed(random: &mut Random) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let solid = solid(random);
    let mut vertices = solid.vertices;
    for _ in 0..=random.below(2) {
        let rest = vertices.clone();
        let Some(frame) = Frame::of(&rest, Some(random.below(3))) else { continue };
        deformation(random).apply(&frame, &rest, &solid.faces, &mut vertices);
    }
    (vertices, solid.faces)
}

#[test]
fn a_thousand_random_deformed_meshes() {
    with_renderer(|gpu| {
        let mut random = Random::new(9);
        let (mut collisions, mut faults, mut layers) = (0, 0, 0);
        let number = cases(1000);
        for case in 0..number {
            let surface = deformed(&mut random);
            let axis = Axis::ALL[random.below(3)];
            let size = [1 + random.below(34) as u32, 1 + random.below(34) as u32];
            let bounds = Aabb::of_points(&surface.0);
            let grid = Grid::around(&bounds, axis, size).unwrap();
            let level = if case % 8 == 0 { 1 + random.below(3) as u32 } else { 2 };
            let found = agree(gpu, &surface, &grid, level);
            collisions += usize::from(found.sums.length > 0);
            faults += usize::from(!found.faults.is_empty());
            layers = layers.max(found.layers_max);
        }
        // It was no test of empty images.
        if number >= 1000 {
            assert!(
                collisions > number / 4 && faults > number / 20 && layers > 20,
                "{collisions} {faults} {layers}"
            );
        }
    });
}

#[test]
fn vertices_on_pixel_centres() {
    with_renderer(|gpu| {
        let mut random = Random::new(10);
        for _ in 0..cases(60) {
            let size = 4 + random.below(20) as u32;
            let (mut vertices, faces) = crumpled(&mut random, 2, 1.0);
            let bounds = Aabb { min: Vec3::ZERO, max: Vec3::splat(f64::from(size)) };
            for v in &mut vertices {
                let place = (*v + Vec3::splat(2.0)) * (0.25 * f64::from(size));
                // Centres and borders of pixels.
                *v = (2.0 * place).round() * 0.5;
            }
            let grid = Grid::region(&bounds, &bounds.union(&Aabb::of_points(&vertices)), Axis::Z, [size; 2])
                .unwrap();
            agree(gpu, &(vertices, faces), &grid, 2);
        }
    });
}

#[test]
fn only_a_part_of_it() {
    with_renderer(|gpu| {
        let mut random = Random::new(11);
        for _ in 0..cases(60) {
            let surface = deformed(&mut random);
            let bounds = Aabb::of_points(&surface.0);
            let corner = |random: &mut Random| {
                let share = Vec3::new(random.unit(), random.unit(), random.unit());
                bounds.min + share * bounds.size()
            };
            let region = Aabb::of_points(&[corner(&mut random), corner(&mut random)]);
            let axis = Axis::ALL[random.below(3)];
            // A region of a sliver of it may be too small for whole numbers.
            let Ok(grid) = Grid::region(&region, &bounds, axis, [20, 13]) else { continue };
            agree(gpu, &surface, &grid, 2);
        }
    });
}

#[test]
fn slivers_points_open_and_inverted_ones() {
    with_renderer(|gpu| {
        let mut random = Random::new(12);
        let mut ill = 0;
        for case in 0..cases(100) {
            let (mut vertices, mut faces) = crumpled(&mut random, 2, 0.8);
            match case % 4 {
                // Open.
                0 => faces.retain(|_| random.below(10) > 0),
                // Inside out, all or some.
                1 => faces.iter_mut().for_each(|f| f.swap(0, 1)),
                // Slivers: two lines of vertices, and some at one place.
                2 => {
                    for (k, v) in vertices.iter_mut().enumerate() {
                        v.x = if k % 7 == 0 { 0.3 } else { -0.2 } + 0.001 * random.unit();
                    }
                }
                _ => {
                    faces.iter_mut().for_each(|f| f[random.below(3)] = f[random.below(3)]);
                    vertices.iter_mut().for_each(|v| v.y = (4.0 * v.y).round());
                }
            }
            let bounds = Aabb::of_points(&vertices);
            let grid = Grid::around(&bounds, Axis::ALL[case % 3], [17, 23]).unwrap();
            let found = agree(gpu, &(vertices, faces), &grid, 2);
            ill += usize::from(!found.faults.is_empty());
        }
        assert!(ill > cases(100) / 4, "{ill}");
    });
}
