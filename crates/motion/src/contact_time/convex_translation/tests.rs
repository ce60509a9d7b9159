//! Answers through the vertex graphs against those of the search through all faces, which knows nothing of
//! them.

use super::*;
use crate::relative::{Relative, RelativeMotion};
use crate::verdict::{Feature, FirstContact, Limits, Verdict};
use crate::{MotionWorkspace, Movable, time_of_contact};
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::UniformMotion;
use freiraum_geometry::shape::{Convex, Cuboid, Shape};
use freiraum_geometry::{Quat, tolerance};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use freiraum_testkit::{nasty, points};
use std::f64::consts::TAU;

/// How the pairs were answered.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// Through the graphs: contacts, and proven free.
    met: usize,
    apart: usize,
    /// By the search through all faces.
    open: usize,
    /// Of all pairs: contacts, free, and overlaps at the start.
    contacts: usize,
    free: usize,
    overlaps: usize,
    /// Contacts whose features have other names on the two routes.
    renamed: usize,
}

impl Tally {
    /// Both routes for b, which starts at a pose as seen from the world and moves on, beside a.
    fn compare(&mut self, [a, b]: [&Movable; 2], [at_a, at_b]: [Pose; 2], by: Vec3, say: &str) {
        let (still, motion) = (UniformMotion::still(at_a), UniformMotion::translation(at_b, by));
        let mut memory = MotionWorkspace::default();
        let mut ask = |a: &Movable, b: &Movable| {
            time_of_contact(a, &still, b, &motion, &Limits::default(), &mut memory).unwrap()
        };
        let now = ask(a, b);
        let former = ask(&a.without_outlines(), &b.without_outlines());
        let how = match former {
            Verdict::OverlapAtStart => None,
            _ => Some(follow(a, b, &Relative::between(&still, &motion, 0.0, 1.0))),
        };
        match how {
            Some(Followed::Contact(_)) => self.met += 1,
            Some(Followed::Apart) => self.apart += 1,
            Some(Followed::Open) => self.open += 1,
            None => {}
        }
        match (&now, &former) {
            (Verdict::Contact(x), Verdict::Contact(y)) => {
                self.contacts += 1;
                let size = [a, b].map(|body| body.prepared().bounds().unwrap().size().length());
                let reach = at_a.translation().length() + at_b.translation().length() + size[0] + size[1];
                same_contact(x, y, reach, by.length(), say);
                // The points are equal up to rounding, and so both features are at both. The search through
                // all faces reads features off a point of two faces that overlap by the rounding of the time,
                // and may take a vertex for an edge.
                self.renamed += usize::from([x.feature_a, x.feature_b] != [y.feature_a, y.feature_b]);
            }
            (Verdict::Free, Verdict::Free) => self.free += 1,
            (Verdict::OverlapAtStart, Verdict::OverlapAtStart) => self.overlaps += 1,
            _ => panic!("{say}: {now:?} {former:?}"),
        }
    }
}

/// What follows from the graphs of the only pieces of two bodies.
fn follow(a: &Movable, b: &Movable, relative: &Relative) -> Followed {
    let RelativeMotion::Translation(by) = relative.motion else { return Followed::Open };
    let pieces = [&a.pieces()[0], &b.pieces()[0]];
    let [Some(core_a), Some(core_b)] = pieces.map(|piece| piece.core.as_ref()) else { panic!("plane faces") };
    let pair = TranslatingPair::new(&core_a.tree, &core_b.tree, &relative.a_from_b, 0.0, by);
    first_contact(pieces, &pair, &relative.a_from_b, by, 1.0)
}

fn same_contact(x: &FirstContact, y: &FirstContact, reach: f64, length: f64, say: &str) {
    let error = x.time_error + y.time_error;
    assert!((x.time - y.time).abs() <= error, "{say}: {x:?} {y:?}");
    assert!(x.time_error <= 4.0 * y.time_error + 4.0 * f64::EPSILON, "{say}: {x:?} {y:?}");
    let near = 8.0 * (rounding::coordinate(reach) + length * error);
    assert!((x.point - y.point).length() <= near, "{say}: {x:?} {y:?}");
    assert!((x.normal - y.normal).length() <= tolerance::NEAREST_RELATIVE, "{say}: {x:?} {y:?}");
}

fn convex(points: &[Vec3], size: f64) -> Movable {
    let scaled: Vec<Vec3> = points.iter().map(|p| size * *p).collect();
    Movable::new(Shape::Convex(Convex::from_points(&scaled).unwrap()))
}

fn prism(sides: usize) -> Vec<Vec3> {
    let angle = |k: usize| TAU * k as f64 / sides as f64;
    (0..sides)
        .flat_map(|k| [-0.5, 0.5].map(|z| Vec3::new(0.6 * angle(k).cos(), 0.6 * angle(k).sin(), z)))
        .collect()
}

/// A polyhedron of about unit size times `size`; the kind by a number.
fn body(kind: usize, size: f64, random: &mut Random) -> Movable {
    let seed = random.bits();
    match kind % 9 {
        0 => convex(&points::sphere(4 + random.below(40), seed), size),
        1 => convex(&points::sphere(100 + random.below(400), seed), size),
        2 => convex(&points::gauss(60, seed), 0.4 * size),
        // All facets in the planes of the lattice; many points in one plane, on one edge.
        3 => convex(&points::grid(2 + random.below(3), 0.5), size),
        4 => convex(&prism(3 + random.below(40)), size),
        5 => convex(&nasty::needle(1.8, 1e-3).0, size),
        6 => convex(&nasty::plate(1.5, 1.0, 1e-3).0, size),
        // Facets that are nearly, but not quite, in one plane.
        7 => {
            let bent = |p: &Vec3| *p * (1.0 - 1e-7 * p.length_squared());
            let grid: Vec<Vec3> = points::grid(4, 0.4).iter().map(|p| *p - Vec3::splat(0.6)).collect();
            convex(&grid.iter().map(bent).collect::<Vec<_>>(), size)
        }
        _ => {
            let half = size * (0.2 * Vec3::ONE + 0.5 * random.in_cube(1.0).abs());
            Movable::new(Shape::Cuboid(Cuboid::new(2.0 * half).unwrap()))
        }
    }
}

#[test]
fn random_pairs_meet_as_all_faces_say() {
    let mut random = Random::new(41);
    let mut tally = Tally::default();
    for case in 0..cases(4000) {
        let size = [1e-3, 1.0, 1.0, 1e4][random.below(4)];
        let other = if case % 5 == 0 { 50.0 * size } else { size };
        let [kind_a, kind_b] = [random.below(9), random.below(9)];
        let (a, b) = (body(kind_a, size, &mut random), body(kind_b, other, &mut random));
        let away = random.direction();
        let at_b = (1.0 + random.unit()) * (size + other) * away;
        let by = (at_b.length() * -away + size * random.in_cube(1.5)) * random.range(0.3, 2.0);
        let origin = if case % 4 == 0 { 1e6 * random.in_cube(1.0) } else { Vec3::ZERO };
        let poses = [origin, origin + at_b].map(|p| Pose::new(random.rotation(), p).unwrap());
        tally.compare([&a, &b], poses, by, &format!("{case}: {kind_a} {kind_b} {size}"));
    }
    eprintln!("{tally:?}");
    assert!(20 * tally.renamed <= tally.contacts, "{tally:?}");
    // Hardly any pair needs all faces, and all kinds of answers are there.
    assert!(20 * tally.open < cases(4000), "{tally:?}");
    assert!(tally.met > cases(4000) / 4 && tally.apart > cases(4000) / 10, "{tally:?}");
}

#[test]
fn pairs_on_a_lattice_meet_as_all_faces_say() {
    // Parallel faces and edges, corners on edges, motions along faces, touching and overlapping at the start,
    // no motion at all.
    let mut random = Random::new(42);
    let mut tally = Tally::default();
    for case in 0..cases(3000) {
        let size = [1.0 / 1024.0, 1.0, 4096.0][random.below(3)];
        let kinds = [3, 3, 4, 6, 8, 2];
        let mut some = || {
            let kind = kinds[random.below(6)];
            body(kind, size, &mut random)
        };
        let (mut a, b) = (some(), some());
        if case % 6 == 0 {
            a = b.clone();
        }
        let mut step = |reach: f64| size * 0.25 * (4.0 * random.in_cube(reach)).round();
        let (at_b, by) = (step(2.5), step(4.0));
        let quarter = Quat::from_rotation_z(0.25 * TAU * random.below(4) as f64);
        let turn = if case % 3 == 0 { quarter } else { Quat::IDENTITY };
        let origin = if case % 7 == 0 { 1024.0 * 1024.0 * Vec3::ONE } else { Vec3::ZERO };
        let poses = [Pose::from_translation(origin), Pose::new(turn, origin + at_b).unwrap()];
        tally.compare([&a, &b], poses, by, &format!("{case} {size}"));
    }
    eprintln!("{tally:?}");
    assert!(tally.contacts > cases(3000) / 10 && tally.free > cases(3000) / 10, "{tally:?}");
    assert_eq!(tally.renamed, 0, "{tally:?}");
    assert!(tally.overlaps > cases(3000) / 100 && tally.open > cases(3000) / 100, "{tally:?}");
}

#[test]
fn grazing_pairs_are_left_to_all_faces() {
    // A vertex slides along the plane of a face, an edge passes another one: higher or lower by some units in
    // the last place.
    let cube = convex(&points::grid(2, 1.0).iter().map(|p| *p - Vec3::splat(0.5)).collect::<Vec<_>>(), 1.0);
    let tip = convex(
        &[Vec3::ZERO, Vec3::new(0.3, 0.1, 1.0), Vec3::new(-0.2, 0.3, 1.0), Vec3::new(0.0, -0.4, 1.0)],
        1.0,
    );
    let on_edge = Pose::new(Quat::from_rotation_y(0.125 * TAU), Vec3::ZERO).unwrap();
    let diagonal = 0.5f64.sqrt();
    let mut tally = Tally::default();
    let mut random = Random::new(43);
    for case in 0..cases(600) {
        let off = match case % 3 {
            0 => f64::EPSILON * (random.below(33) as f64 - 16.0),
            1 => f64::EPSILON * random.range(-1e3, 1e3),
            _ => tolerance::NEAREST_RELATIVE * random.range(-1.0, 1.0),
        };
        let tilt = if case % 2 == 0 { 0.0 } else { f64::EPSILON * random.range(-1e4, 1e4) };
        let origin = if case % 5 == 0 { 1e6 * random.in_cube(1.0) } else { Vec3::ZERO };
        let start = Vec3::new(-3.0, random.range(-0.2, 0.2), 0.5 + off);
        let by = Vec3::new(6.0, 0.0, tilt);
        let at = Pose::from_translation;
        tally.compare([&cube, &tip], [at(origin), at(origin + start)], by, &format!("vertex {case}"));
        tally.compare(
            [&cube, &cube],
            [at(origin), at(origin + start + 0.5 * Vec3::Z)],
            by,
            &format!("face {case}"),
        );
        // Two cubes that stand on edges, crosswise.
        let lower = at(origin) * on_edge;
        let upper = Pose::new(
            Quat::from_rotation_x(0.125 * TAU),
            origin + Vec3::new(-3.0, 0.0, 2.0 * diagonal + off),
        )
        .unwrap();
        tally.compare([&cube, &cube], [lower, upper], by, &format!("edge {case}"));
    }
    eprintln!("{tally:?}");
    assert!(tally.open > cases(600) / 2, "{tally:?}");
    assert!(tally.free > cases(600) / 8 && tally.contacts > cases(600) / 8, "{tally:?}");
}

#[test]
fn a_vertex_meets_the_middle_of_a_subdivided_face() {
    // Known: from a height of 2 to the top of the cube at 1/2, on a way of 4.
    let cube = convex(&points::grid(5, 0.25).iter().map(|p| *p - Vec3::splat(0.5)).collect::<Vec<_>>(), 1.0);
    let tip = convex(
        &[Vec3::ZERO, Vec3::new(0.3, 0.1, 1.0), Vec3::new(-0.2, 0.3, 1.0), Vec3::new(0.0, -0.4, 1.0)],
        1.0,
    );
    let start = Pose::from_translation(Vec3::new(0.1, 0.25, 2.0));
    let motion = UniformMotion::translation(start, Vec3::new(0.0, 0.0, -4.0));
    let still = UniformMotion::still(Pose::IDENTITY);
    let relative = Relative::between(&still, &motion, 0.0, 1.0);
    let Followed::Contact(contact) = follow(&cube, &tip, &relative) else { panic!("decided by the graphs") };
    assert!((contact.share - 0.375).abs() <= contact.error, "{contact:?}");
    assert!((contact.normal - Vec3::Z).length() < f64::EPSILON, "{contact:?}");
    let mut memory = MotionWorkspace::default();
    let verdict = time_of_contact(&cube, &still, &tip, &motion, &Limits::default(), &mut memory).unwrap();
    let Verdict::Contact(contact) = verdict else { panic!("{verdict:?}") };
    assert!(matches!([contact.feature_a, contact.feature_b], [Feature::Face(_), Feature::Vertex(_)]));
}

#[test]
fn what_starts_inside_or_overlaps_is_not_decided() {
    let outer = convex(&points::sphere(200, 1), 1.0);
    let inner = convex(&points::sphere(200, 2), 0.1);
    for by in [Vec3::X, 3.0 * Vec3::Y, 0.1 * Vec3::Z] {
        for x in [0.0, 0.95] {
            let motion = UniformMotion::translation(Pose::from_translation(x * Vec3::X), by);
            let relative = Relative::between(&UniformMotion::still(Pose::IDENTITY), &motion, 0.0, 1.0);
            assert!(matches!(follow(&outer, &inner, &relative), Followed::Open));
        }
    }
}
