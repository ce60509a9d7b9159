//! Self-collision of random deformations against the exact intersection of the mesh, and against winding numbers.
//!
//! A case is wide when a ball with a diameter above a pixel's diagonal lies where the surface winds around at least twice:
//! such an overlap must be seen. Where no two faces intersect, none may be seen. In between is the grey zone.

use freiraum_deform::deformation::{Deformation, Frame};
use freiraum_deform::shapes::{Cuboid, Cylinder, Solid, Spring, Torus};
use freiraum_deform::{Fault, FaultKind, Layers, Surface, View};
use freiraum_geometry::{Aabb, Vec3};
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, closest_point, self_intersections};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::{PI, TAU};

const RESOLUTION: u32 = 96;

/// How often the surface winds around a point, from the solid angles of its faces (Van Oosterom and Strackee).
fn winding(solid: &Solid, p: Vec3) -> f64 {
    let sum: f64 = solid
        .faces
        .iter()
        .map(|face| {
            let [a, b, c] = face.map(|v| solid.vertices[v as usize] - p);
            let [la, lb, lc] = [a, b, c].map(Vec3::length);
            let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            a.dot(b.cross(c)).atan2(below)
        })
        .sum();
    sum / TAU
}

fn random_part(random: &mut Random) -> Solid {
    let vertices = 300 + random.below(700) as u32;
    let solid = match random.below(4) {
        0 => Cylinder::by_vertices(random.range(0.03, 0.12), random.range(1.0, 2.0), vertices).solid(),
        1 => Torus::by_vertices(random.range(0.4, 0.6), random.range(0.05, 0.3), vertices).solid(),
        2 => {
            let (wire, windings) = (random.range(0.03, 0.09), random.range(1.0, 4.0));
            let pitch = random.range(1.6, 4.0) * wire;
            Spring::by_vertices(random.range(0.25, 0.4), wire, pitch, windings, vertices).solid()
        }
        _ => {
            let size = Vec3::new(random.range(0.1, 0.3), random.range(0.1, 0.3), random.range(1.0, 2.0));
            Cuboid::by_vertices(size, vertices).solid()
        }
    };
    solid.expect("good sizes")
}

/// One body, or two that may lie in each other, any way round.
fn random_solid(random: &mut Random) -> Solid {
    let mut solid = random_part(random);
    if random.below(2) == 0 {
        let mut other = random_part(random);
        let turn = random.rotation();
        other.vertices.iter_mut().for_each(|p| *p = turn * *p);
        solid.append(&other, random.in_cube(0.6));
    }
    let turn = random.rotation();
    solid.vertices.iter_mut().for_each(|p| *p = turn * *p);
    solid
}

/// A deformation that turns little inside out: curvatures go up to what the body's width allows, and a little further.
fn random_deformation(frame: &Frame, bounds: &Aabb, random: &mut Random) -> Deformation {
    let wide = 0.5 * bounds.size()[(frame.axis + 1) % 3];
    let most = random.range(0.5, 1.3) * frame.half_length / wide;
    match random.below(5) {
        0 => Deformation::Twist { angle: random.range(-2.0, 2.0) },
        1 | 2 => {
            let sign = if random.below(2) == 0 { -1.0 } else { 1.0 };
            Deformation::Bend { angle: sign * random.range(0.3, 1.0) * (2.0 * most).min(9.0) }
        }
        3 => {
            let waves = random.range(0.5, 2.0);
            let angle = (most / (PI * waves)).min(2.5) * random.range(0.2, 1.0);
            Deformation::Wobble { angle, waves, phase: random.range(0.0, TAU) }
        }
        _ => Deformation::Inflate { distance: random.range(-0.01, 0.06) },
    }
}

#[derive(Default, Debug)]
struct Tally {
    /// No faces intersect, and none are seen to.
    free: usize,
    /// Wide, and seen.
    wide: usize,
    /// Not wide, and seen all the same.
    narrow_seen: usize,
    /// Faces intersect, not wide, not seen: the grey zone.
    grey: usize,
    /// Parts are inside out, which is reported; nothing is counted there.
    inverted: usize,
    /// Of these, those where winding numbers show it; the others are narrower than a pixel.
    inverted_shown: usize,
}

/// The middle of the longest stretch inside out of all faults, if it is longer than a pixel.
fn widest_fault(layers: &Layers) -> Option<Vec3> {
    let image = &layers.image;
    let stretch = |fault: &Fault| {
        assert_eq!(fault.kind, FaultKind::Inverted, "nothing is open");
        let at = fault.fragment as usize;
        (image.fragments[at].depth(), image.fragments[at + 1].depth())
    };
    let widest = layers.occupancy.faults.iter().max_by_key(|f| stretch(f).1 - stretch(f).0)?;
    let (from, to) = stretch(widest);
    let length = f64::from(to - from) * image.grid.step();
    (length > image.grid.pixel[0].max(image.grid.pixel[1]))
        .then(|| image.grid.point(widest.pixel as usize, u32::midpoint(from, to)))
}

/// Whether a ball with a diameter above `width` lies where the surface winds around twice, as far as points find one.
fn is_wide(
    solid: &Solid,
    tree: &MeshTree,
    workspace: &mut MeshWorkspace,
    pairs: &[[u32; 2]],
    width: f64,
    random: &mut Random,
) -> bool {
    let corners = |face: u32| solid.faces[face as usize].map(|v| solid.vertices[v as usize]);
    for k in 0..300 {
        // Around faces that intersect: inwards of the one or of the other by random steps.
        let face = pairs[random.below(pairs.len())][k % 2];
        let [a, b, c] = corners(face);
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
        let p = (a + b + c) / 3.0 - normal * random.range(0.5, 6.0) * width + random.in_cube(2.0 * width);
        let apart = closest_point(tree, p, workspace).map_or(0.0, |found| found.distance);
        if 2.0 * apart > width && winding(solid, p) > 1.5 {
            return true;
        }
    }
    false
}

#[test]
fn self_collision_agrees_with_the_mesh() {
    let mut random = Random::new(9201);
    let (mut layers, mut workspace, mut pairs) = (Layers::default(), MeshWorkspace::default(), Vec::new());
    let mut tally = Tally::default();
    for case in 0..cases(500) {
        let mut solid = random_solid(&mut random);
        for _ in 0..1 + random.below(2) {
            let frame = Frame::of(&solid.vertices, None).expect("a frame");
            let bounds = Aabb::of_points(&solid.vertices);
            let deformation = random_deformation(&frame, &bounds, &mut random);
            let mut moved = solid.vertices.clone();
            deformation.apply(&frame, &solid.vertices, &solid.faces, &mut moved);
            solid.vertices = moved;
        }
        let surface = Surface { vertices: &solid.vertices, faces: &solid.faces };
        let answer = layers.self_collision(surface, &View::new(RESOLUTION)).expect("a good surface");
        let diagonal = layers.image.grid.pixel[0].hypot(layers.image.grid.pixel[1]);

        let tree = MeshTree::build(solid.clone().into_mesh().expect("a good mesh"));
        self_intersections(&tree, &mut workspace, &mut pairs);
        let bounds = Aabb::of_points(&solid.vertices);
        if pairs.is_empty() {
            assert_eq!(answer.faults, 0, "case {case}: a body without intersections is sound");
            assert!(
                !answer.self_collision,
                "case {case}: {} seen where no faces intersect, in {:?}",
                answer.volume.volume,
                bounds.size()
            );
            assert_eq!(answer.volume.volume, 0.0);
            tally.free += 1;
        } else if answer.faults > 0 {
            if let Some(p) = widest_fault(&layers) {
                assert!(winding(&solid, p) < -0.5, "case {case}: nothing is inside out at {p}");
                tally.inverted_shown += 1;
            }
            tally.inverted += 1;
        } else if answer.self_collision {
            if is_wide(&solid, &tree, &mut workspace, &pairs, diagonal, &mut random) {
                tally.wide += 1;
            } else {
                tally.narrow_seen += 1;
            }
        } else {
            assert!(
                !is_wide(&solid, &tree, &mut workspace, &pairs, diagonal, &mut random),
                "case {case}: an overlap wider than {diagonal} was missed"
            );
            tally.grey += 1;
        }
    }
    eprintln!("{tally:?}");
    let all = tally.free + tally.wide + tally.narrow_seen + tally.grey + tally.inverted;
    // The generator must ask both questions often enough for the answers to mean something.
    assert!(8 * tally.free >= all && 8 * tally.wide >= all, "{tally:?}");
    assert!(20 * tally.grey <= all, "{tally:?}");
}

#[test]
fn volumes_agree_with_winding_numbers() {
    // A spring with windings in each other: points at random, wound around twice or not.
    let coil = Spring::by_vertices(0.3, 0.09, 0.12, 3.0, 900).solid().expect("good");
    let surface = Surface { vertices: &coil.vertices, faces: &coil.faces };
    let answer = Layers::default().self_collision(surface, &View::new(256)).expect("good");
    let bounds = Aabb::of_points(&coil.vertices);
    let size = bounds.size();
    let mut random = Random::new(9202);
    let count = cases(20_000);
    let inside = (0..count)
        .filter(|_| {
            let p = bounds.min + size * Vec3::new(random.unit(), random.unit(), random.unit());
            winding(&coil, p) > 1.5
        })
        .count();
    let share = inside as f64 / count as f64;
    let estimate = share * size.x * size.y * size.z;
    let deviation = (share * (1.0 - share) / count as f64).sqrt() * size.x * size.y * size.z;
    eprintln!("volume {:.6}, by points {estimate:.6} +- {deviation:.6}", answer.volume.volume);
    assert!((answer.volume.volume - estimate).abs() < 4.0 * deviation + answer.volume.error);
    assert!(answer.volume.volume > 8.0 * deviation, "the test could not tell it from nothing");
    // The oracle itself: nothing winds around a point far away, and once around the middle of the first winding's wire.
    assert!(winding(&coil, Vec3::new(0.0, 0.0, 5.0)).abs() < 1e-12);
}
