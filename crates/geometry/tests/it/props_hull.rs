//! Convex hulls against a brute-force hull and against their own promises, mostly on degenerate points.

use crate::hull_oracle::{Whole, check_against_brute_force, checked_solid, place};
use freiraum_geometry::Vec3;
use freiraum_geometry::hull::{Hull, convex_hull};
use freiraum_testkit::{points, random::Random, scale::cases};
use std::collections::BTreeSet;

#[test]
fn small_whole_points_agree_with_brute_force() {
    let mut random = Random::new(7);
    let mut seen = [0; 4];
    for _ in 0..cases(1500) {
        let n = 1 + random.below(24);
        let reach = [0, 1, 2].map(|_| 1 + random.below(5));
        let set: Vec<Whole> = (0..n).map(|_| reach.map(|k| random.below(k) as i64)).collect();
        seen[check_against_brute_force(&set)] += 1;
    }
    assert!(seen.iter().all(|&n| n > 0), "every dimension occurs: {seen:?}");
}

#[test]
fn whole_points_in_planes_and_on_lines_agree_with_brute_force() {
    let mut random = Random::new(8);
    let mut seen = [0; 4];
    for _ in 0..cases(1000) {
        let mut vector = || [0, 1, 2].map(|_| random.below(7) as i64 - 3);
        let (origin, u, v) = (vector(), vector(), vector());
        let steps = if random.below(4) == 0 { 1 } else { 6 };
        let mut set: Vec<Whole> = Vec::new();
        for _ in 0..1 + random.below(25) {
            let (s, t) = (random.below(6) as i64, random.below(steps) as i64);
            set.push([0, 1, 2].map(|k| 100 * origin[k] + s * u[k] + t * v[k]));
        }
        if random.below(3) == 0 {
            set.push([random.below(9) as i64, 0, 1]);
        }
        seen[check_against_brute_force(&set)] += 1;
    }
    assert!(seen.iter().all(|&n| n > 0), "every dimension occurs: {seen:?}");
}

#[test]
fn clouds_of_all_sizes() {
    for n in [4, 5, 6, 10, 100, 199, 200, 201, 1000, 5000] {
        for seed in 0..cases(3) as u64 {
            for cloud in [points::gauss(n, seed), points::cube(n, seed)] {
                checked_solid(&cloud);
            }
            assert_eq!(checked_solid(&points::sphere(n, seed)).vertices.len(), n);
        }
    }
}

#[test]
fn one_unit_in_the_last_place_off_a_plane() {
    let mut random = Random::new(9);
    for _ in 0..cases(200) {
        let rotation = random.rotation();
        let shift = random.in_cube(random.clone().range(0.0, 1000.0));
        let n = 5 + random.below(60);
        // Rounding takes the points off the plane by at most an ulp each; some are then nudged on purpose.
        let mut set: Vec<Vec3> = (0..n)
            .map(|_| rotation * Vec3::new(random.below(9) as f64, random.below(9) as f64, 0.0) + shift)
            .collect();
        for p in &mut set {
            if random.below(4) == 0 {
                let k = random.below(3);
                p[k] = if random.below(2) == 0 { p[k].next_up() } else { p[k].next_down() };
            }
        }
        if let Ok(Hull::Solid(_)) = convex_hull(&set) {
            checked_solid(&set);
        }
    }
    // A square grid with a single point one ulp up, in every place.
    for lifted in 0..25 {
        let mut grid: Vec<Vec3> = points::grid(5, 0.25)[..25].iter().map(|p| *p + Vec3::Z).collect();
        grid[lifted].z = grid[lifted].z.next_up();
        let hull = checked_solid(&grid);
        let corners = [0, 4, 20, 24];
        let expected: BTreeSet<u32> = corners.into_iter().chain([lifted as u32]).collect();
        // A lifted corner leaves its two neighbours on the rim as corners of the square below.
        assert!(expected.iter().all(|i| hull.vertices.contains(i)));
        assert_eq!(hull.vertices.len(), if corners.contains(&(lifted as u32)) { 6 } else { 5 });
    }
}

#[test]
fn nearly_straight_points() {
    let mut random = Random::new(10);
    for _ in 0..cases(200) {
        let axis = random.direction();
        let n = 4 + random.below(40);
        let set: Vec<Vec3> = (0..n).map(|_| random.unit() * axis).collect();
        if let Ok(Hull::Solid(_)) = convex_hull(&set) {
            checked_solid(&set);
        }
    }
}

/// Bodies as drawn: grids, cylinders, points on the faces and edges of a cube.
fn machined(random: &mut Random, n: usize) -> Vec<Vec<Vec3>> {
    let ring = |i: usize, sides: usize| {
        let (s, c) = (std::f64::consts::TAU * i as f64 / sides as f64).sin_cos();
        Vec3::new(c, s, 0.0)
    };
    let mut on_face = || {
        let mut p = random.in_cube(1.0);
        p[random.below(3)] = if random.below(2) == 0 { -1.0 } else { 1.0 };
        p
    };
    let faces: Vec<Vec3> = (0..n).map(|_| on_face()).collect();
    let edges: Vec<Vec3> = faces
        .iter()
        .enumerate()
        .map(|(i, p)| if i % 2 == 0 { p.round() } else { p.with_x(1.0).with_y(-1.0) })
        .collect();
    vec![
        points::grid((n as f64).cbrt() as usize, 0.1),
        (0..n).map(|i| ring(i / 2, n / 2) + (i % 2) as f64 * Vec3::Z).collect(),
        (0..n).map(|i| ring(i / 10, n / 10) + 0.1 * (i % 10) as f64 * Vec3::Z).collect(),
        (0..n).map(|i| if i == 0 { Vec3::Z } else { ring(i, n) }).collect(),
        faces,
        edges,
    ]
}

#[test]
fn machined_bodies_straight_turned_and_shifted() {
    let mut random = Random::new(11);
    for n in [64, 300, 3000] {
        for body in machined(&mut random, n) {
            checked_solid(&body);
            let rotation = random.rotation();
            checked_solid(&body.iter().map(|&p| rotation * p).collect::<Vec<_>>());
            for far in [1e3, 1e6, 1e12] {
                checked_solid(&body.iter().map(|&p| p + far * Vec3::new(1.0, -0.3, 0.7)).collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn powers_of_two_change_nothing() {
    for cloud in [points::gauss(300, 4), points::sphere(100, 4), points::grid(7, 1.0)] {
        let expected = convex_hull(&cloud);
        // Far below and above the range where products of coordinates are f64. Below 2^-1000 digits would be lost.
        for power in [-960, -700, -400, -200, -20, 20, 150] {
            let scale = f64::powi(2.0, power);
            let scaled: Vec<Vec3> = cloud.iter().map(|&p| p * scale).collect();
            assert_eq!(
                vertices_and_planes(&convex_hull(&scaled)),
                vertices_and_planes(&expected),
                "2^{power}"
            );
        }
        let uneven = Vec3::new(f64::powi(2.0, -500), 1.0, f64::powi(2.0, 120));
        let scaled: Vec<Vec3> = cloud.iter().map(|&p| p * uneven).collect();
        assert_eq!(vertices_and_planes(&convex_hull(&scaled)), vertices_and_planes(&expected));
    }
}

fn vertices_and_planes(hull: &Result<Hull, freiraum_geometry::hull::HullError>) -> (Vec<u32>, usize) {
    match hull {
        Ok(Hull::Solid(hull)) => (hull.vertices.clone(), hull.faces.len()),
        other => panic!("not a solid: {other:?}"),
    }
}

#[test]
fn order_and_repetition_change_no_corner() {
    let mut random = Random::new(12);
    let mut sets = machined(&mut random, 500);
    sets.extend([points::gauss(2000, 1), points::sphere(500, 1), points::cube(2500, 1)]);
    for set in sets {
        let corners = |set: &[Vec3]| {
            let hull = checked_solid(set);
            let at: BTreeSet<_> = hull.points(set).into_iter().map(place).collect();
            assert_eq!(at.len(), hull.vertices.len());
            (at, hull.faces.len())
        };
        let expected = corners(&set);
        for _ in 0..cases(3) {
            let mut other = set.clone();
            for _ in 0..random.below(set.len()) {
                other.push(set[random.below(set.len())]);
            }
            for i in 0..other.len() {
                let k = random.below(i + 1);
                other.swap(i, k);
            }
            assert_eq!(corners(&other), expected);
        }
    }
}

#[test]
fn many_degenerate_points() {
    let n = cases(20_000);
    let mut random = Random::new(13);
    let tilted = |random: &mut Random| {
        let (a, b) = (random.below(1000) as f64, random.below(1000) as f64);
        Vec3::new(a, b, 3.0 * a - 7.0 * b)
    };
    assert_eq!(convex_hull(&vec![Vec3::splat(0.1); n]), Ok(Hull::Point(0)));
    let line: Vec<Vec3> = (0..n).map(|i| (i as f64 - 3.0) * Vec3::new(1.0, -2.0, 0.5)).collect();
    assert_eq!(convex_hull(&line), Ok(Hull::Segment([0, n as u32 - 1])));
    let plane: Vec<Vec3> = (0..n).map(|_| tilted(&mut random)).collect();
    assert!(matches!(convex_hull(&plane), Ok(Hull::Flat(_))));
    let few: Vec<Vec3> = (0..n).map(|_| Vec3::from([0, 1, 2].map(|_: i32| random.below(3) as f64))).collect();
    assert_eq!(checked_solid(&few).vertices.len(), 8);
    for body in machined(&mut random, n) {
        checked_solid(&body);
    }
    // All on one sphere, many of them coplanar.
    let mut cospherical = Vec::new();
    for x in -57..=57i32 {
        for y in -57..=57i32 {
            let rest = 3250 - x * x - y * y;
            let z = f64::from(rest).max(0.0).sqrt().round();
            if f64::from(rest) == z * z {
                let (x, y) = (f64::from(x), f64::from(y));
                cospherical.extend([Vec3::new(x, y, z), Vec3::new(x, y, -z)]);
            }
        }
    }
    let distinct: BTreeSet<_> = cospherical.iter().map(|&p| place(p)).collect();
    assert!(distinct.len() > 200);
    assert_eq!(checked_solid(&cospherical).vertices.len(), distinct.len());
}
