//! What the counter says along rays, and what it says of surfaces that are open or inside out.

use crate::common::{ball, crumpled, cuboid, grid_of, plain_image, together};
use freiraum_deform::occupancy::{NOISE, walk};
use freiraum_deform::{FaultKind, Fragment, LayerError, Layers, Surface, View};
use freiraum_geometry::Vec3;
use freiraum_testkit::random::Random;

/// Depths with the counter on both sides of them, counted anew for every place: fragments before it, fronts less backs.
fn intervals_by_counting(layers: &[Fragment], level: i32) -> Option<(Vec<[u32; 2]>, i32)> {
    let mut depths: Vec<u32> = layers.iter().map(|f| f.depth()).collect();
    depths.sort();
    depths.dedup();
    let between = |low: u32| -> i32 {
        layers.iter().filter(|f| f.depth() <= low).map(|f| if f.is_front() { 1 } else { -1 }).sum()
    };
    let mut found: Vec<[u32; 2]> = Vec::new();
    let mut below: Vec<[u32; 2]> = Vec::new();
    let mut largest = 0;
    for pair in depths.windows(2) {
        let counter = between(pair[0]);
        if pair[1] - pair[0] > NOISE {
            largest = largest.max(counter);
        }
        for (list, is_in) in [(&mut found, counter >= level), (&mut below, counter < 0)] {
            match list.last_mut() {
                Some(last) if is_in && last[1] == pair[0] => last[1] = pair[1],
                _ if is_in => list.push([pair[0], pair[1]]),
                _ => {}
            }
        }
    }
    let long = |r: &[u32; 2]| r[1] - r[0] > NOISE;
    if depths.last().is_some_and(|&last| between(last) != 0) || below.iter().any(&long) {
        return None;
    }
    found.retain(long);
    Some((found.clone(), if found.is_empty() { largest } else { largest.max(level) }))
}

#[test]
fn rays_match_counting_at_every_place() {
    let mut random = Random::new(11);
    let (mut kept, mut ill, mut joined) = (0, 0, 0);
    for _ in 0..30_000 {
        let pairs = random.below(6);
        let mut layers = Vec::new();
        // Few depths, so that many are equal or within noise.
        let step = [1, 7, 11, 1000][random.below(4)];
        for face in 0..pairs as u32 {
            let a = random.below(8) as u32 * step;
            let b = a + random.below(8) as u32 * step;
            let flip = random.below(12) == 0;
            layers.push(Fragment::at(a, !flip, 2 * face));
            if random.below(60) != 0 {
                layers.push(Fragment::at(b, flip, 2 * face + 1));
            }
        }
        layers.sort();
        for level in [1, 2, 3] {
            let mut out = Vec::new();
            let ray = walk(&layers, level, 5, 100, &mut out);
            let expected = intervals_by_counting(&layers, level as i32);
            assert_eq!(ray.fault.is_none(), expected.is_some(), "{layers:?}");
            let Some((expected, largest)) = expected else {
                assert!(out.is_empty());
                let fault = ray.fault.unwrap();
                let f = layers[fault.fragment as usize - 100];
                assert!(fault.kind == FaultKind::Open || !f.is_front());
                ill += 1;
                continue;
            };
            let found: Vec<[u32; 2]> = out.iter().map(|i| [i.start, i.end]).collect();
            assert_eq!(found, expected, "{layers:?}");
            assert_eq!(ray.length, expected.iter().map(|r| r[1] - r[0]).sum::<u32>());
            assert_eq!(ray.largest, largest as u32, "{layers:?}");
            kept += found.len();
            for i in &out {
                let (first, last) = (layers[i.first as usize - 100], layers[i.last as usize - 100]);
                assert!(first.is_front() && !last.is_front());
                assert_eq!([first.depth(), last.depth()], [i.start, i.end]);
                assert!(i.overlap + 1 >= level && i.pixel == 5);
                joined += usize::from((i.last - i.first) > 3 && i.overlap == 1);
            }
        }
    }
    assert!(kept > 10_000 && ill > 1000 && joined > 10, "{kept} {ill} {joined}");
}

#[test]
fn the_renderer_draws_the_plain_image_with_any_number_of_threads() {
    let mut random = Random::new(12);
    let mut layers = Layers::default();
    for round in 0..40 {
        // The first has so many vertices that threads share them, too.
        let split = if round == 0 { 45 } else { 1 + random.below(8) };
        let surface = crumpled(&mut random, split, 0.3);
        let size = [1 + random.below(70) as u32, 1 + random.below(70) as u32];
        let grid = grid_of(&surface, size);
        let expected = plain_image(grid, &surface.0, &surface.1);
        let seen = Surface { vertices: &surface.0, faces: &surface.1 };
        let mut occupancy = None;
        for threads in [0, 1, 2, 3, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build().unwrap();
            pool.install(|| layers.look(seen, &grid, 2, threads > 0)).unwrap();
            assert_eq!(layers.image, expected, "round {round}");
            assert_eq!(occupancy.get_or_insert_with(|| layers.occupancy.clone()), &layers.occupancy);
        }
    }
}

#[test]
fn two_balls_overlap_and_their_faces_are_known() {
    let surface = together(&[ball(Vec3::ZERO, 1.0, 8), ball(Vec3::new(1.2, 0.0, 0.0), 1.0, 8)]);
    let seen = Surface { vertices: &surface.0, faces: &surface.1 };
    let mut layers = Layers::default();
    let answer = layers.self_collision(seen, &View::new(100)).unwrap();
    assert!(answer.self_collision && answer.faults == 0 && answer.max_overlap == 2 && answer.layers_max == 4);
    let (faces, vertices) = layers.involved(seen);
    // A face is involved if and only if some of it lies in the other ball, up to the width of the rays.
    let center = |v: u32| if v < surface.0.len() as u32 / 2 { Vec3::new(1.2, 0.0, 0.0) } else { Vec3::ZERO };
    let (mut inside, mut outside) = (0, 0);
    for (face, &marked) in surface.1.iter().zip(faces) {
        let distances = face.map(|v| surface.0[v as usize].distance(center(v)));
        let nearest = distances.into_iter().fold(f64::INFINITY, f64::min);
        if nearest > 1.0 {
            assert!(!marked);
            outside += 1;
        } else if nearest < 0.9 {
            assert!(marked);
            inside += 1;
        }
    }
    assert!(inside > 100 && outside > 1000);
    let count = vertices.iter().filter(|v| **v).count();
    assert!(count > inside / 2 && count < 3 * inside + 200);
}

#[test]
fn touching_boxes_do_not_collide() {
    let parts = [
        cuboid(Vec3::ZERO, Vec3::ONE),
        cuboid(Vec3::new(0.0, 0.0, 1.0), Vec3::new(1.0, 1.0, 3.0)),
        cuboid(Vec3::new(0.25, 0.25, 3.0), Vec3::new(0.75, 0.75, 4.0)),
    ];
    let mut surface = together(&parts);
    let mut layers = Layers::default();
    let seen = Surface { vertices: &surface.0, faces: &surface.1 };
    let answer = layers.self_collision(seen, &View::new(64)).unwrap();
    assert!(!answer.self_collision && answer.faults == 0 && answer.max_overlap == 1);
    assert_eq!(answer.volume.volume, 0.0);
    // The same, sheared: touching faces are divided differently and rounded on their own.
    for v in &mut surface.0 {
        v.z += 0.37 * v.x + 0.11 * v.y;
    }
    let seen = Surface { vertices: &surface.0, faces: &surface.1 };
    let answer = layers.self_collision(seen, &View::new(64)).unwrap();
    assert!(!answer.self_collision && answer.faults == 0 && answer.max_overlap == 1);
}

#[test]
fn holes_and_inside_out_are_reported_with_their_places() {
    let mut layers = Layers::default();
    let (vertices, mut faces) = ball(Vec3::ZERO, 1.0, 6);
    let view = View::new(80);
    let sound = layers.self_collision(Surface { vertices: &vertices, faces: &faces }, &view).unwrap();
    assert_eq!((sound.faults, sound.self_collision), (0, false));
    // A hole: every fault lies over the face that is missing.
    let gone = faces.swap_remove(100);
    let open = layers.self_collision(Surface { vertices: &vertices, faces: &faces }, &view).unwrap();
    assert!(open.faults > 0 && !open.self_collision);
    let hole = gone.map(|v| vertices[v as usize]);
    let order = layers.image.grid.axis.order();
    for fault in &layers.occupancy.faults {
        assert_eq!(fault.kind, FaultKind::Open);
        let p = fault.point(&layers.image);
        let low = hole.iter().fold(Vec3::INFINITY, |a, &b| a.min(b));
        let high = hole.iter().fold(Vec3::NEG_INFINITY, |a, &b| a.max(b));
        for k in 0..2 {
            assert!(low[order[k]] <= p[order[k]] && p[order[k]] <= high[order[k]]);
        }
    }
    // All of it inside out.
    faces.push(gone);
    let turned: Vec<_> = faces.iter().map(|f| [f[0], f[2], f[1]]).collect();
    let inverted = layers.self_collision(Surface { vertices: &vertices, faces: &turned }, &view).unwrap();
    assert!(inverted.faults > 3000 && !inverted.self_collision && inverted.volume.volume == 0.0);
    assert!(layers.occupancy.faults.iter().all(|f| f.kind == FaultKind::Inverted));
    // A cavity is no fault.
    let mut hollow = together(&[ball(Vec3::ZERO, 2.0, 6), (vertices.clone(), turned)]);
    let seen = Surface { vertices: &hollow.0, faces: &hollow.1 };
    let answer = layers.self_collision(seen, &view).unwrap();
    assert_eq!((answer.faults, answer.self_collision, answer.max_overlap), (0, false, 1));
    // One that comes out of the body is.
    let half = hollow.0.len() / 2;
    hollow.0[half..].iter_mut().for_each(|v| *v += Vec3::splat(1.2));
    let seen = Surface { vertices: &hollow.0, faces: &hollow.1 };
    assert!(layers.self_collision(seen, &view).unwrap().faults > 50);
}

#[test]
fn odd_input_has_an_answer() {
    let mut layers = Layers::default();
    let mut ask = |vertices: &[Vec3], faces: &[[u32; 3]]| {
        layers.self_collision(Surface { vertices, faces }, &View::new(16))
    };
    assert_eq!(ask(&[], &[]), Err(LayerError::Empty));
    assert_eq!(ask(&[Vec3::ZERO], &[[0, 0, 1]]), Err(LayerError::NoSuchVertex(0)));
    assert_eq!(ask(&[], &[[0, 0, 0]]), Err(LayerError::NoSuchVertex(0)));
    for bad in [f64::NAN, f64::INFINITY] {
        let vertices = [Vec3::ZERO, Vec3::new(0.0, bad, 1.0), Vec3::ONE];
        assert_eq!(ask(&vertices, &[[0, 1, 2]]), Err(LayerError::NotFinite(1)));
    }
    let all_bad = [Vec3::NAN; 3];
    assert_eq!(ask(&all_bad, &[[0, 1, 2]]), Err(LayerError::NotFinite(0)));
    // Points, lines and single triangles: nothing, nothing, and open.
    assert_eq!(ask(&[Vec3::ONE], &[[0, 0, 0]]).unwrap().faults, 0);
    assert_eq!(ask(&[Vec3::ONE, Vec3::X], &[[0, 1, 0]]).unwrap().layers_max, 0);
    assert!(ask(&[Vec3::ZERO, Vec3::X, Vec3::Y], &[[0, 1, 2]]).unwrap().layers_max <= 1);
    let mut random = Random::new(13);
    for _ in 0..200 {
        let vertices: Vec<Vec3> = (0..20).map(|_| random.in_cube(1.0)).collect();
        let faces: Vec<[u32; 3]> = (0..30).map(|_| [0; 3].map(|_| random.below(20) as u32)).collect();
        let answer = ask(&vertices, &faces).unwrap();
        assert!(answer.faults > 0, "a heap of triangles is not closed");
    }
}
