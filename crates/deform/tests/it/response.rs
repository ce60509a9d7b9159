//! Ways out of an overlap: nearest points against another search, directions against symmetry, forces against momentum.

use crate::common::{ball, cuboid, grid_of, together};
use freiraum_deform::bodies::Bodies;
use freiraum_deform::response::{Between, Cells, Contact, Regions, Within, penalty_forces};
use freiraum_deform::{Layers, Surface, View};
use freiraum_geometry::{Mesh, Vec3};
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, PointPlace, closest_point, locate};
use freiraum_testkit::bumpy;
use freiraum_testkit::random::Random;

fn seen(surface: &bumpy::Surface) -> Surface<'_> {
    Surface { vertices: &surface.0, faces: &surface.1 }
}

#[test]
fn nearest_points_match_the_tree() {
    let mut random = Random::new(41);
    let mut cells = Cells::default();
    let mut workspace = MeshWorkspace::default();
    let (mut inside, mut outside) = (0, 0);
    for surface in
        [bumpy::torus(30, 20), bumpy::sphere(6), cuboid(Vec3::splat(-1.0), Vec3::new(1.0, 2.0, 0.5))]
    {
        let tree = MeshTree::build(Mesh::new(surface.0.clone(), surface.1.clone()).unwrap());
        cells.fill(seen(&surface), 0..surface.1.len() as u32);
        for _ in 0..1000 {
            let far = if random.below(5) == 0 { 20.0 } else { 1.2 };
            let point = random.in_cube(far);
            let found = cells.nearest(seen(&surface), point, |_| true).unwrap();
            let exact = closest_point(&tree, point, &mut workspace).unwrap();
            assert!((found.distance.abs() - exact.distance.abs()).abs() < 1e-12 * far, "{found:?} {exact:?}");
            assert!((found.point.distance(point) - found.distance.abs()).abs() < 1e-12 * far);
            let corners = seen(&surface).corners(found.face);
            let weighted: Vec3 = corners.iter().zip(found.weights).map(|(c, w)| *c * w).sum();
            assert!(weighted.distance(found.point) < 1e-12 && found.weights.iter().all(|w| *w >= 0.0));
            match locate(&tree, point, &mut workspace) {
                PointPlace::Inside => {
                    assert!(found.distance < 0.0, "{found:?}");
                    inside += 1;
                }
                PointPlace::Outside => {
                    assert!(found.distance > 0.0, "{found:?}");
                    outside += 1;
                }
                _ => {}
            }
        }
        // Some of the faces only.
        let few = |f: u32| f % 7 == 3;
        let point = random.in_cube(1.0);
        let found = cells.nearest(seen(&surface), point, few).unwrap();
        let least = (0..surface.1.len() as u32)
            .filter(|&f| few(f))
            .map(|f| by_sampling(point, seen(&surface).corners(f)))
            .fold(f64::INFINITY, f64::min);
        assert!(few(found.face) && found.distance.abs() <= least + 1e-12);
        assert!(found.distance.abs() > least - 0.02, "{found:?} {least}");
    }
    assert!(inside > 300 && outside > 1000, "{inside} {outside}");
    cells.fill(seen(&ball(Vec3::ZERO, 1.0, 2)), 0..0);
    assert!(cells.nearest(seen(&ball(Vec3::ZERO, 1.0, 2)), Vec3::ZERO, |_| true).is_none());
}

/// Distance to the nearest of many points of a triangle.
fn by_sampling(point: Vec3, [a, b, c]: [Vec3; 3]) -> f64 {
    let n = 60;
    let mut least = f64::INFINITY;
    for i in 0..=n {
        for j in 0..=n - i {
            let (v, w) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
            least = least.min(point.distance(a + v * (b - a) + w * (c - a)));
        }
    }
    least
}

#[test]
fn regions_match_a_flood() {
    let mut random = Random::new(42);
    let mut total = 0;
    for _ in 0..20 {
        let parts: Vec<_> = (0..12).map(|_| ball(random.in_cube(1.0), random.range(0.1, 0.5), 3)).collect();
        let surface = together(&parts);
        let mut layers = Layers::default();
        layers.self_collision(seen(&surface), &View::new(40)).unwrap();
        let intervals = &layers.occupancy.intervals;
        let mut regions = Regions::default();
        regions.connect(&layers.image.grid, intervals);
        let touches = |i: usize, j: usize| {
            let (a, b) = (&intervals[i], &intervals[j]);
            let [p, q] = [a, b].map(|i| layers.image.grid.place(i.pixel as usize));
            let gap = f64::from(a.start.max(b.start)) - f64::from(a.end.min(b.end));
            let [x, y] = layers.image.grid.pixel;
            let is_near = gap * layers.image.grid.step() < x.hypot(y);
            p[0].abs_diff(q[0]) + p[1].abs_diff(q[1]) == 1 && is_near
        };
        let mut flood = vec![u32::MAX; intervals.len()];
        let mut count = 0;
        for first in 0..intervals.len() {
            if flood[first] != u32::MAX {
                continue;
            }
            let mut open = vec![first];
            flood[first] = count;
            while let Some(i) = open.pop() {
                for (j, mark) in flood.iter_mut().enumerate() {
                    if *mark == u32::MAX && touches(i, j) {
                        *mark = count;
                        open.push(j);
                    }
                }
            }
            count += 1;
        }
        assert_eq!((regions.count, &regions.of), (count as usize, &flood));
        total += intervals.len();
    }
    assert!(total > 2000, "{total}");
}

#[test]
fn two_bodies_are_pushed_along_their_centres() {
    let mut random = Random::new(43);
    let a = ball(Vec3::ZERO, 1.0, 16);
    let mut bodies = Bodies::default();
    let mut response = Between::default();
    for _ in 0..20 {
        let offset = random.range(1.2, 1.9) * random.direction();
        let b = ball(offset, 1.0, 16);
        let surfaces = [seen(&a), seen(&b)];
        let pair = &bodies.pairs(&surfaces, &View::new(64)).unwrap()[0];
        response.find(pair, surfaces);
        assert_eq!(response.regions.len(), 1);
        let region = response.regions[0];
        assert!(region.push.dot(-offset.normalize_or_zero()) > 0.995, "{region:?} {offset}");
        assert!((region.volume - pair.volume.volume).abs() < 1e-9);
        assert!(region.center.distance(0.5 * offset) < 0.02);
        assert_eq!(response.contacts.len(), region.contacts);
        assert!(10 * region.contacts >= 8 * (pair.vertices[0].len() + pair.vertices[1].len()));
        for c in &response.contacts {
            let (own, center) = if c.body == 0 { (&a, offset) } else { (&b, Vec3::ZERO) };
            let v = own.0[c.vertex as usize];
            // The mesh is within 0.004 of the ball.
            assert!((c.depth - (1.0 - v.distance(center))).abs() < 0.004);
            assert!(c.normal.dot((v - center).normalize_or_zero()) > 0.98);
            let expected = if c.body == 0 { region.push } else { -region.push };
            assert_eq!(c.push, expected);
        }
    }
}

#[test]
fn boxes_side_by_side_are_pushed_sideways() {
    // The longest edge of what they share, and so the view, is along z; the way out is along x, where all walls are seen edge-on.
    let a = cuboid(Vec3::ZERO, Vec3::new(1.0, 1.0, 2.0));
    let b = cuboid(Vec3::new(0.9, 0.1, 0.1), Vec3::new(2.0, 0.8, 1.7));
    let mut bodies = Bodies::default();
    let surfaces = [seen(&a), seen(&b)];
    let pair = &bodies.pairs(&surfaces, &View::new(50)).unwrap()[0];
    assert_eq!(pair.grid.axis, freiraum_deform::Axis::Z);
    let mut response = Between::default();
    response.find(pair, surfaces);
    assert_eq!(response.regions.len(), 1);
    assert!(response.regions[0].push.distance(-Vec3::X) < 1e-9, "{:?}", response.regions[0]);
    // Four vertices of b are inside a, 0.1 deep; none of a is inside b.
    assert_eq!(response.contacts.len(), 4);
    for c in &response.contacts {
        assert!(c.body == 1 && (c.depth - 0.1).abs() < 1e-12 && c.push.distance(Vec3::X) < 1e-9);
    }
}

/// Two balls as one surface, or a bar bent into itself: every contact is checked against the balls.
#[test]
fn a_body_is_pushed_out_of_itself() {
    let mut random = Random::new(44);
    let (mut layers, mut response) = (Layers::default(), Within::default());
    for split in [4, 10, 40] {
        let offset = random.range(1.3, 1.8) * random.direction();
        let first = ball(Vec3::ZERO, 1.0, split);
        let count = first.0.len() as u32;
        let surface = together(&[first, ball(offset, 1.0, split)]);
        let answer = layers.self_collision(seen(&surface), &View::new(64)).unwrap();
        response.find(seen(&surface), &layers);
        assert_eq!(response.regions.len(), 1);
        let region = response.regions[0];
        assert!((region.volume - answer.volume.volume).abs() < 1e-9);
        let mut found = vec![false; surface.0.len()];
        for c in &response.contacts {
            let is_first = c.vertex < count;
            let center = if is_first { offset } else { Vec3::ZERO };
            let v = surface.0[c.vertex as usize];
            let away = if is_first { -offset } else { offset };
            assert!(c.push.dot(away.normalize_or_zero()) > 0.98, "{c:?}");
            let thin = 0.5 / (split * split) as f64;
            assert!((c.depth - (1.0 - v.distance(center))).abs() < thin, "{split} {c:?}");
            assert!(is_first != (surface.1[c.face as usize][0] < count), "the face is of the other ball");
            found[c.vertex as usize] = true;
        }
        // No vertex is missed that is deeper than rays are apart.
        let deep = 2.0 * layers.image.grid.pixel[0].hypot(layers.image.grid.pixel[1]);
        for (v, found) in surface.0.iter().zip(&found) {
            let depth = 1.0 - v.length().max(v.distance(offset)).min(f64::INFINITY);
            let other = v.length().min(v.distance(offset));
            let depth = if depth.abs() < 1e-9 { 1.0 - other } else { depth };
            if depth > deep {
                assert!(found, "{depth}");
            }
        }
    }
}

/// How much a surface overlaps itself.
fn volume(surface: &bumpy::Surface) -> f64 {
    let mut layers = Layers::default();
    layers.look(seen(surface), &grid_of(surface, [128, 128]), 2, false).unwrap();
    layers.occupancy.sums.volume(&layers.image.grid).volume
}

#[test]
fn forces_balance_and_take_the_overlap_away() {
    let mut surface = together(&[ball(Vec3::ZERO, 1.0, 10), ball(Vec3::new(1.7, 0.2, 0.1), 1.0, 10)]);
    let (mut layers, mut response) = (Layers::default(), Within::default());
    let at_first = volume(&surface);
    let mut before = at_first;
    loop {
        layers.self_collision(seen(&surface), &View::new(64)).unwrap();
        response.find(seen(&surface), &layers);
        assert!(!response.contacts.is_empty());
        let mut forces = vec![Vec3::ZERO; surface.0.len()];
        penalty_forces(&response.contacts, &[seen(&surface)], 0.3, &mut [&mut forces]);
        let total: Vec3 = forces.iter().sum();
        assert!(total.length() < 1e-12, "{total}");
        surface.0.iter_mut().zip(&forces).for_each(|(v, f)| *v += *f);
        let after = volume(&surface);
        assert!(after < 0.8 * before, "{after} {before}");
        before = after;
        if after < 0.01 * at_first {
            break;
        }
    }
}

#[test]
fn corners_of_large_faces_far_from_the_overlap_are_no_contacts() {
    // Two long bars with faces from end to end cross: what they share is a small cube in the middle, and no vertex is in it.
    let bars = [
        cuboid(Vec3::new(-1.0, -0.1, -0.1), Vec3::new(1.0, 0.1, 0.1)),
        cuboid(Vec3::new(-0.08, -1.0, -0.02), Vec3::new(0.08, 1.0, 0.18)),
    ];
    let surface = together(&bars);
    let (mut layers, mut response) = (Layers::default(), Within::default());
    for axis in freiraum_deform::Axis::ALL {
        let view = View { axis: Some(axis), ..View::new(100) };
        assert!(layers.self_collision(seen(&surface), &view).unwrap().self_collision);
        response.find(seen(&surface), &layers);
        assert_eq!((response.regions.len(), response.contacts.len()), (1, 0));
    }
}

#[test]
fn forces_between_bodies_balance() {
    let (a, b) = (ball(Vec3::ZERO, 1.0, 8), ball(Vec3::new(1.1, 1.0, 0.1), 1.0, 9));
    let surfaces = [seen(&a), seen(&b)];
    let mut bodies = Bodies::default();
    let mut response = Between::default();
    let pair = &bodies.pairs(&surfaces, &View::new(64)).unwrap()[0];
    response.find(pair, surfaces);
    let (mut on_a, mut on_b) = (vec![Vec3::ZERO; a.0.len()], vec![Vec3::ZERO; b.0.len()]);
    penalty_forces(&response.contacts, &surfaces, 10.0, &mut [&mut on_a, &mut on_b]);
    let (on_a, on_b): (Vec3, Vec3) = (on_a.iter().sum(), on_b.iter().sum());
    assert!((on_a + on_b).length() < 1e-12 && on_a.length() > 0.1);
    assert!(on_a.dot(Vec3::new(-1.1, -1.0, -0.1)) > 0.99 * on_a.length() * 1.48);
    let by_body = |k: usize| response.contacts.iter().filter(|c: &&Contact| c.body == k).count();
    assert!(by_body(0) > 5 && by_body(1) > 5);
}
