//! A soft spiral spring is pressed together, bent to and fro and let go, for ten seconds: it does not pass through itself.
//!
//! The oracle does not look at layers. The middle line of the wire runs through the middles of its rings; parts of it that are
//! no neighbours must never meet. Between two samples no point of it goes farther than the sum of its steps, so that the
//! distances at both ends bound the distance in between.

use freiraum_deform::shapes::{Solid, Spring};
use freiraum_deform::soft::{Material, Resistance, SelfContact, SoftBody, Surroundings};
use freiraum_geometry::Vec3;
use freiraum_query::elementary::segment_segment;
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, self_intersections};

const COIL: Spring =
    Spring { radius: 0.1, end_radius: 0.1, wire: 0.03, pitch: 0.08, windings: 4.0, along: 64, around: 8 };
const STEP: f64 = 1.0 / 4096.0;
/// Steps from one sample to the next.
const SAMPLE: u32 = 8;
/// Pieces of the middle line that are neighbours: 0.16 m of wire.
const NEIGHBOURS: usize = 4;

fn body() -> SoftBody {
    let material = Material { density: 100.0, stiffness: 1e6, relaxation: 0.005, pressure: 1e6 };
    let mut body = SoftBody::of_solid(&COIL.solid().expect("good"), &material).expect("a body");
    // A quarter of a winding stands on the floor.
    for vertex in 0..COIL.first_of_ring(COIL.along / 16 + 1) {
        body.fix(vertex);
    }
    body
}

/// What pulls at the highest winding, in newtons; the spring weighs 6.
fn load(time: f64) -> Vec3 {
    let press = if time < 6.0 { -3.0 } else { 0.0 };
    let bend = if (3.0..8.0).contains(&time) { (4.0 * time).sin() } else { 0.0 };
    Vec3::new(bend, 0.0, press)
}

fn middles(body: &SoftBody, out: &mut Vec<Vec3>) {
    out.clear();
    out.extend((0..=COIL.along).map(|k| {
        let first = COIL.first_of_ring(k) as usize;
        body.positions()[first..first + COIL.around as usize].iter().sum::<Vec3>() / f64::from(COIL.around)
    }));
}

/// The least distance of parts of the middle line that are no neighbours.
fn least_distance(line: &[Vec3]) -> f64 {
    let mut least = f64::INFINITY;
    for i in 0..line.len() - 1 {
        for j in i + NEIGHBOURS..line.len() - 1 {
            least = least.min(segment_segment([line[i], line[i + 1]], [line[j], line[j + 1]]).distance());
        }
    }
    least
}

/// Pairs of faces that intersect, of rings that are no neighbours: exactly.
fn intersecting_faces(body: &SoftBody, workspace: &mut MeshWorkspace, pairs: &mut Vec<[u32; 2]>) -> usize {
    let solid = Solid { vertices: body.positions().to_vec(), faces: body.faces().to_vec() };
    let tree = MeshTree::build(solid.into_mesh().expect("a good mesh"));
    self_intersections(&tree, workspace, pairs);
    let ring = |face: u32| body.faces()[face as usize][0] / COIL.around;
    pairs.iter().filter(|[a, b]| ring(*a).abs_diff(ring(*b)) as usize > NEIGHBOURS).count()
}

#[derive(Debug)]
struct Course {
    /// Least distance of the middle line from itself, over all times, proven for the times between samples too.
    least: f64,
    /// The same at the samples only.
    least_sampled: f64,
    /// How far vertices were from the middle of their ring, least and most.
    sections: [f64; 2],
    /// Frames of 1/16 s with faces of different windings in each other.
    pressed_frames: usize,
    /// Lowest place of the upper end, and its highest from 6.5 seconds on.
    heights: [f64; 2],
    fastest: f64,
}

fn simulate(seconds: f64, resists: bool) -> Course {
    let mut body = body();
    let around = Surroundings { drag: 1.0, floor: Some(-0.195), ..Surroundings::default() };
    let mut contact =
        SelfContact::new(Resistance { steps: 3, deepest: COIL.wire / 3.0, ..Resistance::default() });
    let (mut line, mut before) = (Vec::new(), Vec::new());
    middles(&body, &mut line);
    let (mut workspace, mut pairs) = (MeshWorkspace::default(), Vec::new());
    let mut last = least_distance(&line);
    let mut course = Course {
        least: last,
        least_sampled: last,
        sections: [f64::INFINITY, 0.0],
        pressed_frames: 0,
        heights: [f64::INFINITY, f64::NEG_INFINITY],
        fastest: 0.0,
    };
    let winding = (f64::from(COIL.along) / COIL.windings) as usize;
    let mut way = 0.0;
    for step in 1..=(seconds / STEP) as u32 {
        let force = load(f64::from(step) * STEP) / f64::from(COIL.around * (winding as u32 + 1));
        for vertex in COIL.first_of_ring(COIL.along - winding as u32)..COIL.first_of_ring(COIL.along + 1) {
            body.push(vertex, force);
        }
        if resists {
            contact.step(&mut body, STEP, &around).expect("a good surface");
        } else {
            body.step(STEP, &around);
        }
        std::mem::swap(&mut line, &mut before);
        middles(&body, &mut line);
        way += line.iter().zip(&before).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        if step % SAMPLE != 0 {
            continue;
        }
        let now = least_distance(&line);
        // After a share s of the way two points are at least last - 2 s way apart, and now - 2 (1 - s) way.
        course.least = course.least.min(0.5 * (last + now) - way).min(now);
        course.least_sampled = course.least_sampled.min(now);
        (last, way) = (now, 0.0);
        for (k, middle) in (0..).zip(&line) {
            let first = COIL.first_of_ring(k) as usize;
            for p in &body.positions()[first..first + COIL.around as usize] {
                let off = p.distance(*middle);
                course.sections = [course.sections[0].min(off), course.sections[1].max(off)];
            }
        }
        let end = line[line.len() - 1].z;
        course.heights[0] = course.heights[0].min(end);
        if f64::from(step) * STEP > 6.5 {
            course.heights[1] = course.heights[1].max(end);
        }
        course.fastest = body.velocities().iter().map(|v| v.length()).fold(course.fastest, f64::max);
        if step % 256 == 0 {
            course.pressed_frames += usize::from(intersecting_faces(&body, &mut workspace, &mut pairs) > 0);
        }
    }
    course
}

#[test]
fn without_resistance_the_spring_passes_through_itself() {
    let course = simulate(1.0, false);
    eprintln!("{course:?}");
    // The middle lines meet, and windings lie in each other on the floor.
    assert!(course.least_sampled < 0.05 * COIL.wire, "the test would show nothing");
    assert!(course.pressed_frames > 8);
}

#[test]
fn a_soft_spring_does_not_pass_through_itself_in_ten_seconds() {
    let course = simulate(10.0, true);
    eprintln!("{course:?}");
    let overlap = |least: f64| (2.0 * COIL.wire - least) / COIL.wire;
    eprintln!(
        "largest overlap of windings: {:.2} of the wire's radius at samples, below {:.2} at all times; pressed together in {} of 160 frames",
        overlap(course.least_sampled),
        overlap(course.least),
        course.pressed_frames
    );
    // The middle lines never meet: no part of the wire has passed another.
    assert!(course.least > 0.0, "{course:?}");
    assert!(overlap(course.least_sampled) < 0.8, "{course:?}");
    // They stand for the wire, as its sections stay round enough.
    assert!(course.sections[0] > 0.5 * COIL.wire && course.sections[1] < 1.5 * COIL.wire, "{course:?}");
    // And it was tried hard: windings pressed on each other, the end went down and, let go, up again.
    assert!(course.pressed_frames > 40, "{course:?}");
    assert!(course.heights[0] < -0.05 && course.heights[1] > 0.1, "{course:?}");
}
