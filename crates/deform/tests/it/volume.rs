//! Volumes against closed forms and against the exact volume of the mesh; errors that are neither too small nor useless.

use crate::common::{ball, crumpled, cuboid, grid_of, together};
use freiraum_deform::{Axis, Grid, Layers, Sums, Surface, View};
use freiraum_geometry::{Mesh, Vec3};
use freiraum_testkit::random::Random;
use freiraum_testkit::{bumpy, models};
use std::f64::consts::PI;

/// The lens of two balls of radius 1 at this distance.
fn lens(distance: f64) -> f64 {
    PI * (2.0 - distance).powi(2) * (distance + 4.0) / 12.0
}

#[test]
fn boxes_overlap_by_their_product() {
    let mut random = Random::new(21);
    let mut layers = Layers::default();
    for _ in 0..100 {
        let a = [random.in_cube(1.0), random.in_cube(1.0)];
        let a = [a[0].min(a[1]) - Vec3::splat(0.2), a[0].max(a[1])];
        let b = [random.in_cube(1.0), random.in_cube(1.0)];
        let b = [b[0].min(b[1]) - Vec3::splat(0.2), b[0].max(b[1])];
        let exact = (a[1].min(b[1]) - a[0].max(b[0])).max(Vec3::ZERO).element_product();
        let surface = together(&[cuboid(a[0], a[1]), cuboid(b[0], b[1])]);
        let seen = Surface { vertices: &surface.0, faces: &surface.1 };
        let size = [20 + random.below(100) as u32, 20 + random.below(100) as u32];
        let view = View { size, axis: Some(Axis::ALL[random.below(3)]), threaded: false };
        let answer = layers.self_collision(seen, &view).unwrap();
        assert_eq!(answer.faults, 0);
        let off = (answer.volume.volume - exact).abs();
        if answer.self_collision {
            assert!(off <= answer.volume.error, "{off} {:?} {exact}", answer.volume);
            assert!(answer.volume.error > 0.0);
        } else {
            // Missed only if narrower than a pixel one way.
            let common = a[1].min(b[1]) - a[0].max(b[0]);
            let order = layers.image.grid.axis.order();
            assert!(
                common.min_element() <= 0.0 || (0..2).any(|k| common[order[k]] < layers.image.grid.pixel[k])
            );
        }
    }
}

#[test]
fn the_lens_of_two_balls_converges() {
    let exact = lens(1.2);
    let mut layers = Layers::default();
    let mut previous: Option<(f64, f64)> = None;
    let mut orders = Vec::new();
    // Directions that have nothing to do with the rays.
    let mut random = Random::new(22);
    let along = random.direction();
    let surface = together(&[ball(Vec3::ZERO, 1.0, 64), ball(1.2 * along, 1.0, 64)]);
    let seen = Surface { vertices: &surface.0, faces: &surface.1 };
    for resolution in [16, 32, 64, 128, 256] {
        let answer = layers.self_collision(seen, &View::new(resolution)).unwrap();
        assert_eq!((answer.faults, answer.max_overlap), (0, 2));
        // The mesh is smaller than the balls, by a share of 1 / 64² or so.
        let off = (answer.volume.volume - exact).abs();
        assert!(off <= answer.volume.error + 0.0005 * exact, "{resolution}: {off} {:?}", answer.volume);
        if let Some((_, error)) = previous {
            orders.push((error / answer.volume.error).log2());
        }
        eprintln!("{resolution}: {} off {off} estimate {}", answer.volume.volume, answer.volume.error);
        previous = Some((off, answer.volume.error));
    }
    eprintln!("orders of the estimate: {orders:?}");
    assert!(orders.iter().all(|o| (1.0..2.5).contains(o)), "{orders:?}");
    assert!(previous.unwrap().0 < 0.001 * exact);
}

#[test]
fn inside_is_the_volume_of_the_mesh() {
    let mut layers = Layers::default();
    for surface in [bumpy::torus(60, 40), bumpy::sphere(12), models::cup(1.0, 2.5, 0.2, 50)] {
        let exact =
            Mesh::new(surface.0.clone(), surface.1.clone()).unwrap().mass_properties().unwrap().volume;
        let seen = Surface { vertices: &surface.0, faces: &surface.1 };
        let mut errors = Vec::new();
        for resolution in [32, 64, 128, 256] {
            layers.look(seen, &grid_of(&surface, [resolution, resolution]), 1, false).unwrap();
            assert!(layers.occupancy.is_sound());
            let volume = layers.occupancy.sums.volume(&layers.image.grid);
            let off = (volume.volume - exact).abs();
            eprintln!("{resolution}: {} of {exact}, off {off}, estimate {}", volume.volume, volume.error);
            assert!(off <= volume.error);
            errors.push(volume.error / exact);
        }
        assert!(errors.windows(2).all(|e| e[1] < 0.6 * e[0]), "{errors:?}");
        assert!(errors[3] < 0.05, "{errors:?}");
    }
}

#[test]
fn the_counter_integrates_to_the_signed_volume() {
    // Also of surfaces that are crumpled and inside out: every ray's backs less fronts, without any rule.
    let mut random = Random::new(23);
    for _ in 0..10 {
        let surface = crumpled(&mut random, 4, 0.3);
        let exact: f64 = surface
            .1
            .iter()
            .map(|f| {
                let [a, b, c] = f.map(|v| surface.0[v as usize]);
                a.dot(b.cross(c)) / 6.0
            })
            .sum();
        let grid = grid_of(&surface, [400, 400]);
        let mut layers = Layers::default();
        layers.look(Surface { vertices: &surface.0, faces: &surface.1 }, &grid, 1, false).unwrap();
        let sum: i64 = layers
            .image
            .fragments
            .iter()
            .map(|f| if f.is_front() { -i64::from(f.depth()) } else { i64::from(f.depth()) })
            .sum();
        let volume = sum as f64 * grid.step() * grid.pixel_area();
        assert!((volume - exact).abs() < 0.01 * exact.abs().max(1.0), "{volume} {exact}");
    }
}

#[test]
fn sums_match_the_plain_differences() {
    let mut random = Random::new(24);
    for _ in 0..50 {
        let size = [1 + random.below(20), 1 + random.below(20)];
        let bounds = freiraum_geometry::Aabb { min: Vec3::ZERO, max: Vec3::ONE };
        let grid = Grid::around(&bounds, Axis::X, size.map(|n| n as u32)).unwrap();
        let lengths: Vec<u32> =
            (0..size[0] * size[1]).map(|_| random.below(1 << 23) as u32 * (random.below(2) as u32)).collect();
        // With a border of zeros all around.
        let width = size[0] + 4;
        let mut padded = vec![0_i128; width * (size[1] + 4)];
        for row in 0..size[1] {
            for column in 0..size[0] {
                padded[(row + 2) * width + column + 2] = i128::from(lengths[row * size[0] + column]);
            }
        }
        let (mut first, mut second) = (0, 0);
        for step in [1, width] {
            for k in width..padded.len() - width {
                first += (padded[k] - padded[k - step]).abs();
                second += (padded[k - step] - 2 * padded[k] + padded[k + step]).abs();
            }
        }
        let sums = Sums::of(&grid, &lengths, 7);
        assert_eq!(u128::from(sums.length), lengths.iter().map(|&l| u128::from(l)).sum());
        assert_eq!((i128::from(sums.first), i128::from(sums.second)), (first, second));
        assert_eq!(sums.intervals, 7);
    }
}
