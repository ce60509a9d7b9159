//! What several bodies share, against products, lenses, counting and exact locations.

use crate::common::{ball, crumpled, cuboid, plain_image};
use freiraum_deform::bodies::Bodies;
use freiraum_deform::occupancy::NOISE;
use freiraum_deform::{Axis, LayerError, Surface, View};
use freiraum_geometry::{Mesh, Vec3};
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, PointPlace, locate};
use freiraum_testkit::bumpy;
use freiraum_testkit::random::Random;

fn seen(surface: &bumpy::Surface) -> Surface<'_> {
    Surface { vertices: &surface.0, faces: &surface.1 }
}

#[test]
fn boxes_share_their_product() {
    let mut random = Random::new(31);
    let mut bodies = Bodies::default();
    let mut found = 0;
    for _ in 0..100 {
        let mut one = || {
            let (p, q) = (random.in_cube(1.0), random.in_cube(1.0));
            [p.min(q), p.max(q) + Vec3::splat(0.1)]
        };
        let boxes = [one(), one(), one(), one()];
        let surfaces = boxes.map(|b| cuboid(b[0], b[1]));
        let all: Vec<Surface> = surfaces.iter().map(seen).collect();
        let view = View { axis: [None, Some(Axis::Y)][random.below(2)], ..View::new(32) };
        let pairs = bodies.pairs(&all, &view).unwrap();
        let mut expected = Vec::new();
        for a in 0..4 {
            for b in a + 1..4 {
                let common = boxes[a][1].min(boxes[b][1]) - boxes[a][0].max(boxes[b][0]);
                if common.min_element() > 0.0 {
                    expected.push(([a, b], common.element_product()));
                }
            }
        }
        // The region is the overlap itself: nothing is left to the pixels, but what the units of vertices make of it.
        assert_eq!(
            pairs.iter().map(|p| p.bodies).collect::<Vec<_>>(),
            expected.iter().map(|e| e.0).collect::<Vec<_>>()
        );
        for (pair, (_, volume)) in pairs.iter().zip(expected) {
            assert!(pair.faults.iter().all(Vec::is_empty));
            assert!((pair.volume.volume - volume).abs() < 0.0001 * volume, "{pair:?} {volume}");
            assert!(pair.collides() && pair.volume.error > 0.0);
            found += 1;
        }
    }
    assert!(found > 50);
}

#[test]
fn balls_share_a_lens_and_know_their_vertices() {
    let a = ball(Vec3::ZERO, 1.0, 20);
    let mut bodies = Bodies::default();
    let mut random = Random::new(32);
    for _ in 0..20 {
        let offset = random.range(0.2, 1.8) * random.direction();
        let b = ball(offset, 1.0, 20);
        let pairs = bodies.pairs(&[seen(&a), seen(&b)], &View::new(64)).unwrap();
        let d = offset.length();
        let exact = std::f64::consts::PI * (2.0 - d).powi(2) * (d + 4.0) / 12.0;
        let pair = &pairs[0];
        // The meshes are thinner than the balls by 0.002 of the radius at most.
        let thin = 0.002 * 2.0 * std::f64::consts::PI * (2.0 - d);
        assert!((pair.volume.volume - exact).abs() <= pair.volume.error + thin, "{:?} {exact}", pair.volume);
        let diagonal = 0.5 * pair.grid.pixel[0].hypot(pair.grid.pixel[1]) + 0.003;
        for (k, (surface, center)) in [(&a, offset), (&b, Vec3::ZERO)].into_iter().enumerate() {
            let mut inside = pair.vertices[k].iter().copied().peekable();
            for (number, v) in surface.0.iter().enumerate() {
                let is_in = inside.next_if_eq(&(number as u32)).is_some();
                let distance = v.distance(center);
                if (distance - 1.0).abs() > diagonal {
                    assert_eq!(is_in, distance < 1.0, "{distance}");
                }
            }
            assert!(inside.next().is_none() && !pair.vertices[k].is_empty());
        }
    }
}

#[test]
fn vertices_inside_match_exact_locations() {
    let mut random = Random::new(33);
    let mut bodies = Bodies::default();
    let (mut checked, mut wrong) = (0, 0);
    for _ in 0..10 {
        let a = bumpy::torus(30, 20);
        let mut b = bumpy::sphere(7);
        let (turn, shift) = (random.rotation(), random.in_cube(0.8));
        b.0.iter_mut().for_each(|v| *v = turn * *v + shift);
        let tree = MeshTree::build(Mesh::new(b.0.clone(), b.1.clone()).unwrap());
        let pairs = bodies.pairs(&[seen(&a), seen(&b)], &View::new(256)).unwrap();
        let Some(pair) = pairs.first() else { continue };
        let mut workspace = MeshWorkspace::default();
        for (number, v) in a.0.iter().enumerate() {
            let exact = locate(&tree, *v, &mut workspace) == PointPlace::Inside;
            let is_in = pair.vertices[0].binary_search(&(number as u32)).is_ok();
            checked += usize::from(exact);
            wrong += usize::from(exact != is_in);
        }
    }
    // Only vertices within half a pixel of the other surface may differ.
    assert!(checked > 500 && wrong * 100 < checked, "{wrong} of {checked}");
}

#[test]
fn shared_intervals_match_counting_in_both_columns() {
    let mut random = Random::new(34);
    let mut bodies = Bodies::default();
    let mut total = 0;
    for _ in 0..30 {
        let a = crumpled(&mut random, 3, 0.05);
        let mut b = crumpled(&mut random, 3, 0.05);
        let shift = random.in_cube(0.7);
        b.0.iter_mut().for_each(|v| *v += shift);
        let pairs = bodies.pairs(&[seen(&a), seen(&b)], &View::new(40)).unwrap();
        let Some(pair) = pairs.first() else { continue };
        if pair.faults.iter().any(|faults| !faults.is_empty()) {
            continue;
        }
        let images = [&a, &b].map(|s| plain_image(pair.grid, &s.0, &s.1));
        let mut found = pair.shared.iter().peekable();
        for pixel in 0..pair.grid.pixels() {
            let mut depths: Vec<u32> =
                images.iter().flat_map(|i| i.layers(pixel)).map(|f| f.depth()).collect();
            depths.sort();
            depths.dedup();
            let mut ranges: Vec<[u32; 2]> = Vec::new();
            for pair in depths.windows(2) {
                let is_in = images.iter().all(|i| {
                    let before = i.layers(pixel).iter().filter(|f| f.depth() <= pair[0]);
                    before.map(|f| if f.is_front() { 1 } else { -1 }).sum::<i32>() > 0
                });
                match ranges.last_mut() {
                    Some(last) if is_in && last[1] == pair[0] => last[1] = pair[1],
                    _ if is_in => ranges.push([pair[0], pair[1]]),
                    _ => {}
                }
            }
            for range in ranges.into_iter().filter(|r| r[1] - r[0] > NOISE) {
                let shared = found.next().unwrap();
                assert_eq!((shared.pixel as usize, [shared.start, shared.end]), (pixel, range));
                for (side, depth) in shared.sides.iter().zip(range) {
                    let mut layers = images[side.body].layers(pixel).iter();
                    assert!(layers.any(|f| f.face() == side.face && f.depth() == depth));
                }
                total += 1;
            }
        }
        assert!(found.next().is_none());
    }
    assert!(total > 3000, "{total}");
}

#[test]
fn bodies_apart_or_bad_are_told() {
    let (a, b) = (cuboid(Vec3::ZERO, Vec3::ONE), cuboid(Vec3::new(1.0, 0.0, 0.0), Vec3::new(2.0, 1.0, 1.0)));
    let mut bodies = Bodies::default();
    assert!(bodies.pairs(&[seen(&a), seen(&b)], &View::new(16)).unwrap().is_empty());
    assert!(bodies.pairs(&[seen(&a)], &View::new(16)).unwrap().is_empty());
    let mut bad = b.clone();
    bad.0[3].y = f64::NAN;
    let error = bodies.pairs(&[seen(&a), seen(&bad)], &View::new(16)).unwrap_err();
    assert_eq!((error.body, error.error), (1, LayerError::NotFinite(3)));
    let mut open = cuboid(Vec3::splat(0.5), Vec3::splat(2.0));
    open.1.retain(|f| open.0[f[0] as usize].z + open.0[f[1] as usize].z + open.0[f[2] as usize].z < 6.0);
    let view = View { axis: Some(Axis::Z), ..View::new(16) };
    let pair = &bodies.pairs(&[seen(&a), seen(&open)], &view).unwrap()[0];
    // 14 x 14 pixels are the region; the open box goes on into the rim on its upper sides.
    assert!(pair.faults[1].len() == 15 * 15 && !pair.collides());
}

#[test]
fn a_corner_of_something_huge_is_seen_finely() {
    // A region of a centimetre at the corner of a box of ten metres: its large triangles leave few units to a pixel, and the volume
    // says so; a ball of ten metres with small triangles leaves more.
    let huge = cuboid(Vec3::splat(-10.0), Vec3::ZERO);
    let small = cuboid(Vec3::splat(-0.0073), Vec3::splat(0.01));
    let mut bodies = Bodies::default();
    let pair = &bodies.pairs(&[seen(&huge), seen(&small)], &View::new(64)).unwrap()[0];
    let exact = 0.0073_f64.powi(3);
    assert!((pair.volume.volume - exact).abs() <= pair.volume.error, "{:?} {exact}", pair.volume);
    assert!(pair.volume.error < 0.5 * exact);
}
