//! One decision about bodies and pairs, compared with closed forms.

use crate::common::{cuboid, together};
use freiraum_deform::examine::{Body, EdgeKind, Subject};
use freiraum_deform::looker::Looker;
use freiraum_deform::thin::{Directions, Look, Rays};
use freiraum_deform::{Axis, Examination, ExamineError, LayerError, Verdict, examine};
use freiraum_geometry::{Mesh, Vec3};
use freiraum_testkit::bumpy::Surface;

fn body(surface: Surface) -> Body {
    Body::of(Mesh::new(surface.0, surface.1).unwrap())
}

fn cube_at(min: Vec3) -> Surface {
    cuboid(min, min + Vec3::ONE)
}

/// Many rays along z: the lengths are steps of the faces along x and y.
fn along_z(rays: u32) -> Look {
    Look { directions: Directions::One(Axis::Z), rays: Rays::Count([rays; 2]), threaded: false }
}

fn found(bodies: &[Body], look: &Look) -> Examination {
    let subjects: Vec<Subject> = bodies.iter().map(Subject::from).collect();
    examine(&subjects, look, &mut Looker::default()).unwrap()
}

fn is_near(volume: Option<freiraum_deform::Volume>, expected: f64, least_error: f64) {
    let volume = volume.expect("the bodies are sound");
    assert!((volume.volume - expected).abs() <= volume.error, "{volume:?} for {expected}");
    assert!(volume.error < least_error, "{volume:?}");
}

#[test]
fn boxes_share_the_product_of_what_their_edges_share() {
    let shift = Vec3::new(0.25, 0.5, 0.125);
    // A body of two cubes, a cube that shares a part with each of the two, and one that is apart.
    let bodies = [
        body(together(&[cube_at(Vec3::ZERO), cube_at(shift)])),
        body(cube_at(Vec3::new(-0.75, 0.0, 0.0))),
        body(cube_at(Vec3::splat(5.0))),
    ];
    for look in [along_z(200), Look::all_around(Rays::Count([200; 2]))] {
        let found = found(&bodies, &look);
        let findings = &found.findings;
        assert_eq!(findings.verdict(), Verdict::Collision);
        assert_eq!(findings.self_collision(), Some(true));
        let own: Vec<_> = findings.own().iter().map(|own| (own.known_collision(), own.max_overlap)).collect();
        assert_eq!(own, [(Some(true), 2), (Some(false), 1), (Some(false), 1)]);
        is_near(findings.own()[0].known_volume(), 0.75 * 0.5 * 0.875, 0.02);
        is_near(findings.self_volume(), 0.75 * 0.5 * 0.875, 0.02);
        let collisions: Vec<_> = findings.pairs().iter().map(|pair| findings.known_collision(pair)).collect();
        assert_eq!(collisions, [Some(true), Some(false), Some(false)]);
        assert_eq!(
            findings.pairs().iter().map(|pair| pair.bodies).collect::<Vec<_>>(),
            [[0, 1], [0, 2], [1, 2]]
        );
        // The second cube of the first body begins where the other body ends.
        is_near(findings.known_volume(&findings.pairs()[0]), 0.25, 0.02);
        assert!(findings.pairs()[1].grids.is_empty(), "boxes that are apart need no view");
        // Faces that bound an overlap with another body are marked as well, and those of the third body are
        // not.
        let marked = |k: usize| {
            let marks = &found.marks[k];
            (
                marks.faces.iter().filter(|&&one| one).count(),
                marks.vertices.iter().filter(|&&one| one).count(),
            )
        };
        assert!(marked(0).0 > 0 && marked(1).0 > 0 && marked(1).1 >= 3);
        assert_eq!(marked(2), (0, 0));
    }
}

#[test]
fn bodies_that_touch_are_free_and_it_is_said_what_is_certain() {
    let bodies = [body(cube_at(Vec3::ZERO)), body(cube_at(Vec3::X)), body(cube_at(Vec3::splat(3.0)))];
    let one_side = found(&bodies, &along_z(64)).findings;
    assert_eq!(one_side.verdict(), Verdict::Free);
    assert_eq!((one_side.self_collision(), one_side.self_volume().unwrap().volume), (Some(false), 0.0));
    // A ball must hold the centre of a pixel: it is as wide as the diagonal, and a little more for rounding.
    let diagonal = 2_f64.sqrt() / 64.0;
    let ball = one_side.certain_ball().unwrap();
    assert!(diagonal < ball && ball < 1.1 * diagonal, "{ball} and {diagonal}");
    assert_eq!(one_side.certain_plate(), None, "a plate that is seen edge-on may be missed");
    // Of three views one sees a plate at an angle whose cosine is 1 / √3 at least.
    let all_sides = found(&bodies, &Look::all_around(Rays::Count([64; 2]))).findings;
    let plate = all_sides.certain_plate().unwrap();
    let disc = 3_f64.sqrt() * diagonal;
    assert!(disc < plate.diameter && plate.diameter < 1.1 * disc, "{plate:?} and {disc}");
    // The certain width is that of the coarsest view: a body ten times as large.
    let large = [body(cube_at(Vec3::ZERO)), body(cuboid(Vec3::splat(20.0), Vec3::splat(30.0)))];
    let ball = found(&large, &along_z(64)).findings.certain_ball().unwrap();
    assert!(10.0 * diagonal < ball && ball < 11.0 * diagonal, "{ball}");
}

#[test]
fn of_an_open_body_only_what_was_found_is_told() {
    let (vertices, mut faces) = together(&[cube_at(Vec3::ZERO), cube_at(Vec3::splat(0.5))]);
    // A face along the rays: no ray finds the hole, the edges do.
    let wall = faces.iter().position(|face| face.iter().all(|&v| vertices[v as usize].x == 0.0)).unwrap();
    faces.remove(wall);
    let bodies = [body((vertices, faces)), body(cube_at(Vec3::splat(1.25))), body(cube_at(Vec3::splat(7.0)))];
    assert!(!bodies[0].is_closed && bodies[1].is_closed);
    assert_eq!((bodies[0].count(EdgeKind::Open), bodies[0].count(EdgeKind::OppositeWinding)), (3, 0));
    let found = found(&bodies, &along_z(50)).findings;
    assert_eq!(found.verdict(), Verdict::Unsound);
    assert!(!found.own()[0].is_sound && found.own()[1].is_sound && found.own()[2].is_sound);
    assert_eq!(found.own()[0].fault_count, 0);
    assert_eq!((found.own()[0].known_collision(), found.own()[0].known_volume()), (Some(true), None));
    assert_eq!((found.self_collision(), found.self_volume()), (Some(true), None));
    assert_eq!((found.certain_ball(), found.certain_plate()), (None, None));
    let pairs: Vec<_> = found.pairs().iter().map(|pair| found.known_collision(pair)).collect();
    assert_eq!(pairs, [Some(true), None, Some(false)]);
    assert_eq!(found.known_volume(&found.pairs()[0]), None);
    assert_eq!(found.known_volume(&found.pairs()[2]).unwrap().volume, 0.0);
}

#[test]
fn a_body_that_only_the_rays_of_a_pair_find_ill_is_ill_in_all_pairs() {
    let (low, high) = (Vec3::splat(14.003), Vec3::splat(14.013));
    let mut first = body(together(&[cuboid(Vec3::ZERO, Vec3::splat(10.0)), cuboid(low, high)]));
    // A deformation turned the small box inside out: its faces are as they were.
    for vertex in &mut first.vertices[8..] {
        vertex.z = low.z + high.z - vertex.z;
    }
    let around = body(cuboid(low - Vec3::splat(0.01), high + Vec3::splat(0.01)));
    let other = body(cuboid(Vec3::splat(9.0), Vec3::splat(13.0)));
    // The 8 x 8 rays of the first body by itself pass the small box by.
    let alone = found(std::slice::from_ref(&first), &along_z(8)).findings;
    assert_eq!(alone.verdict(), Verdict::Free);
    let both = found(&[first.clone(), other.clone()], &along_z(8)).findings;
    assert_eq!(both.verdict(), Verdict::Collision);
    is_near(both.known_volume(&both.pairs()[0]), 1.0, 1.0);
    // Those of the pair, over what the boxes share, do not.
    let all = found(&[first, other, around], &along_z(8)).findings;
    assert_eq!(all.verdict(), Verdict::Unsound);
    let own = &all.own()[0];
    assert!(!own.is_sound && own.fault_count > 0 && own.open_count == 0);
    assert_eq!(own.faults.len(), own.fault_count);
    assert!(own.faults.iter().all(|place| (place.point - low).abs().max_element() < 0.02));
    assert!(all.own()[1].is_sound && all.own()[2].is_sound);
    // Also the pair whose own rays found nothing: its volume was known before.
    assert_eq!(all.known_volume(&all.pairs()[0]), None);
    assert_eq!(all.known_collision(&all.pairs()[0]), Some(true));
}

#[test]
fn faces_that_come_twice_are_named_where_no_edge_is_ill() {
    // Every face and its reverse: each edge is passed as often one way as the other, and nothing is bounded.
    let (vertices, mut faces) = cube_at(Vec3::ZERO);
    let back: Vec<[u32; 3]> = faces.iter().map(|&[a, b, c]| [a, c, b]).collect();
    faces.extend(back);
    let body = body((vertices, faces));
    assert!(body.ill_edges.is_empty() && !body.is_closed);
    assert!(body.doubled.count > 0 && !body.doubled.places.is_empty());
    // They lie in the middle of edges of the cube or of diagonals of its faces.
    let is_half = |x: f64| x == 0.0 || x == 0.5 || x == 1.0;
    assert!(body.doubled.places.iter().all(|place| place.to_array().into_iter().all(is_half)));
    let found = found(std::slice::from_ref(&body), &along_z(20)).findings;
    assert_eq!((found.verdict(), found.own()[0].known_collision()), (Verdict::Unsound, None));
    assert_eq!(found.self_volume(), None);
}

#[test]
fn vertices_without_faces_do_not_widen_the_box() {
    let (mut vertices, faces) = cube_at(Vec3::ZERO);
    vertices.push(Vec3::splat(1000.0));
    let body = body((vertices, faces));
    assert_eq!(body.vertices.len(), 9);
    let bounds = body.surface().bounds().unwrap();
    assert_eq!((bounds.min, bounds.max), (Vec3::ZERO, Vec3::ONE));
}

#[test]
fn an_error_names_the_body_or_the_pair() {
    let [a, b] = [body(cube_at(Vec3::ZERO)), body(cube_at(Vec3::splat(0.5)))];
    let empty = Body::default();
    let none = |bodies: &[&Body], look: &Look| {
        let subjects: Vec<Subject> = bodies.iter().map(|body| Subject::from(*body)).collect();
        examine(&subjects, look, &mut Looker::default()).unwrap_err()
    };
    let error = none(&[&a, &empty], &along_z(8));
    assert_eq!(error, ExamineError::Body(1, LayerError::Empty));
    assert!(error.to_string().starts_with("body 1: "));
    let narrow = Look { rays: Rays::Width(0.0), ..along_z(8) };
    assert!(matches!(none(&[&a, &b], &narrow), ExamineError::Body(0, LayerError::Size(..))));
}
