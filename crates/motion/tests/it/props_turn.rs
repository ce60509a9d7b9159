//! Full turns and slides against many poses looked at one by one.

use freiraum_geometry::path::Axis;
use freiraum_geometry::shape::{Capsule, Cone, Convex, Cuboid, Cylinder, HalfSpace, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::turn::{SlideAnswer, TurnAnswer, contour, full_turn, slide};
use freiraum_motion::{MotionWorkspace, Movable};
use freiraum_query::{distance, intersects};
use freiraum_testkit::random::Random;
use freiraum_testkit::{bumpy, scale};
use std::f64::consts::{PI, TAU};

fn turn(a: &Movable, b: &Movable, a_from_b: &Pose, axis: &Axis) -> TurnAnswer {
    full_turn(a, b, a_from_b, axis, &mut MotionWorkspace::default()).expect("finite poses")
}

fn along(a: &Movable, b: &Movable, a_from_b: &Pose, direction: Vec3) -> SlideAnswer {
    slide(a, b, a_from_b, direction, &mut MotionWorkspace::default()).expect("finite poses")
}

/// What looking at poses one by one says: smallest distance, zero if they have points in common.
fn least_distance(a: &Movable, b: &Movable, poses: impl Iterator<Item = Pose>) -> f64 {
    let mut least = f64::INFINITY;
    for pose in poses {
        if intersects(a.prepared(), b.prepared(), &pose).expect("finite") {
            return 0.0;
        }
        least = least.min(distance(a.prepared(), b.prepared(), &pose).expect("finite").distance);
    }
    least
}

fn turned(a_from_b: &Pose, axis: &Axis, angle: f64) -> Pose {
    Pose::from_rotation_about(axis.point, axis.direction, angle).expect("a direction") * *a_from_b
}

/// Largest distance of a body from the axis, about; not less.
fn reach(body: &Movable, a_from_body: &Pose, axis: &Axis) -> f64 {
    let bounds = body.prepared().bounds().expect("bounded");
    axis.distance(a_from_body.transform_point(bounds.center())) + 0.5 * bounds.size().length()
}

/// Checks a full turn against `count` angles.
fn check_turn(a: &Movable, b: &Movable, a_from_b: &Pose, axis: &Axis, count: usize) -> TurnAnswer {
    let answer = turn(a, b, a_from_b, axis);
    let back = turn(b, a, &a_from_b.inverse(), &axis.placed(&a_from_b.inverse()));
    assert_eq!(answer.free, back.free, "{answer:?} {back:?}");
    let angles = (0..count).map(|k| turned(a_from_b, axis, k as f64 * TAU / count as f64));
    let seen = least_distance(a, b, angles);
    // Between two angles nothing moves farther than half a step.
    let between = reach(b, a_from_b, axis) * PI / count as f64;
    if answer.free {
        assert!(seen > 0.0 && answer.contact.is_none(), "{answer:?} {seen}");
        assert!(answer.clearance_lower <= seen * (1.0 + 1e-9), "{answer:?} {seen}");
        assert!(answer.clearance_lower >= (seen - between) * (1.0 - 1.0 / 60.0) - 1e-12, "{answer:?} {seen}");
    } else {
        assert!(seen <= between + 1e-5, "{answer:?} {seen} {between}");
        assert!(answer.clearance_lower == 0.0 && answer.contact.is_none_or(|contact| contact.decided));
    }
    answer
}

fn mesh((vertices, faces): bumpy::Surface) -> Movable {
    Movable::new(Shape::Mesh(std::sync::Arc::new(Mesh::new(vertices, faces).expect("a mesh"))))
}

fn cuboid(size: Vec3) -> Movable {
    Movable::new(Shape::Cuboid(Cuboid::new(size).expect("positive")))
}

fn convex(random: &mut Random, count: usize) -> Movable {
    let points: Vec<Vec3> = (0..count).map(|_| random.in_cube(0.5)).collect();
    Movable::new(Shape::Convex(Convex::from_points(&points).expect("a hull")))
}

/// A closed ring around z between two polygons of distances that alternate (teeth), from z = 0 to z = height.
fn ring(inner: [f64; 2], outer: [f64; 2], height: f64, count: usize) -> Movable {
    let mut vertices = Vec::new();
    for k in 0..count {
        let (sin, cos) = (k as f64 * TAU / count as f64).sin_cos();
        for (radius, z) in
            [(inner[k % 2], 0.0), (outer[k % 2], 0.0), (outer[k % 2], height), (inner[k % 2], height)]
        {
            vertices.push(Vec3::new(radius * cos, radius * sin, z));
        }
    }
    let mut faces = Vec::new();
    for k in 0..count as u32 {
        let next = (k + 1) % count as u32;
        for side in 0..4 {
            let (p, q) = (4 * k + side, 4 * k + (side + 1) % 4);
            let (r, s) = (4 * next + side, 4 * next + (side + 1) % 4);
            faces.extend([[p, r, q], [r, s, q]]);
        }
    }
    mesh((vertices, faces))
}

fn z_axis() -> Axis {
    Axis::new(Vec3::ZERO, Vec3::Z).expect("a direction")
}

fn place(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn check_free(answer: TurnAnswer, clearance: f64) {
    assert!(answer.free, "{answer:?}");
    let lower = answer.clearance_lower;
    assert!(
        lower <= clearance + 1e-13 && lower >= clearance * (1.0 - 1.0 / 60.0) - 3e-13,
        "{answer:?} {clearance}"
    );
}

#[test]
fn a_square_rod_turns_in_a_ring() {
    let (rod, axis) = (cuboid(Vec3::new(1.0, 1.0, 4.0)), z_axis());
    for count in [8, 32, 100] {
        let hole = ring([0.8; 2], [1.0; 2], 1.0, count);
        let room = 0.8 * (PI / count as f64).cos() - 0.5f64.sqrt();
        check_free(check_turn(&hole, &rod, &Pose::IDENTITY, &axis, 90), room);
        check_free(check_turn(&rod, &hole, &Pose::IDENTITY, &axis, 90), room);
    }
    // Corners reach beyond the flats.
    let hole = ring([0.8; 2], [1.0; 2], 1.0, 4);
    assert!(!check_turn(&hole, &rod, &Pose::IDENTITY, &axis, 90).free);
    // Moved off the axis.
    let hole = ring([0.8; 2], [1.0; 2], 1.0, 32);
    assert!(check_turn(&hole, &rod, &place(0.05, 0.0, 0.0), &axis, 90).free);
    assert!(!check_turn(&hole, &rod, &place(0.15, 0.0, 0.0), &axis, 90).free);
}

#[test]
fn a_gear_turns_on_its_shaft_but_not_through_a_block() {
    let (gear, axis) = (ring([0.3; 2], [1.0, 0.8], 0.2, 40), z_axis());
    let shaft = ring([0.1; 2], [0.29; 2], 2.0, 36);
    check_free(check_turn(&shaft, &gear, &place(0.0, 0.0, 0.7), &axis, 60), 0.3 * (PI / 40.0).cos() - 0.29);
    let block = cuboid(Vec3::splat(0.5));
    check_free(
        check_turn(
            &block,
            &gear,
            &place(-1.3, 0.0, 0.0),
            &Axis::new(Vec3::new(-1.3, 0.0, 0.0), Vec3::Z).expect("ok"),
            720,
        ),
        0.05,
    );
    let axis = Axis::new(Vec3::new(-1.24, 0.0, 0.0), Vec3::Z).expect("a direction");
    let answer = check_turn(&block, &gear, &place(-1.24, 0.0, 0.0), &axis, 720);
    let contact = answer.contact.expect("surfaces meet");
    assert!(
        !answer.free
            && contact.distance > 0.98
            && contact.distance < 1.01
            && (0.0..=0.2).contains(&contact.height)
    );
}

#[test]
fn one_inside_the_other_is_not_free() {
    let (large, small) = (cuboid(Vec3::splat(4.0)), cuboid(Vec3::splat(0.5)));
    let answer = check_turn(&large, &small, &place(0.2, 0.1, 0.0), &z_axis(), 12);
    assert_eq!((answer.free, answer.contact), (false, None));
    // The axis does not run through it: surfaces are met.
    let aside = Axis::new(Vec3::new(5.0, 0.0, 0.0), Vec3::Z).expect("a direction");
    assert!(check_turn(&large, &small, &Pose::IDENTITY, &aside, 12).contact.is_some());
    let ball = Movable::new(Shape::Sphere(Sphere::new(0.3).expect("positive")));
    assert!(!turn(&large, &ball, &place(0.2, 0.1, 0.0), &z_axis()).free);
    assert!(!turn(&ball, &large, &place(0.2, 0.1, 0.0), &z_axis()).free);
}

#[test]
fn touching_exactly_is_not_free_and_a_millionth_apart_is() {
    let (cube, axis) = (cuboid(Vec3::splat(2.0)), z_axis());
    let plate = cuboid(Vec3::new(2.0, 6.0, 2.0));
    let corner = 2f64.sqrt() + 1.0;
    assert!(
        !check_turn(&plate, &cube, &Pose::IDENTITY, &Axis::new(Vec3::ZERO, Vec3::Z).expect("ok"), 4).free
    );
    for gap in [1e-6, 1e-9, 1e-11] {
        check_free(turn(&cube, &plate, &place(corner + gap, 0.0, 0.0), &axis), gap);
        assert!(!turn(&cube, &plate, &place(corner - gap, 0.0, 0.0), &axis).free);
        // Faces across the axis, one over the other.
        check_free(turn(&cube, &plate, &place(0.0, 0.0, 2.0 + gap), &axis), gap);
        assert!(!turn(&cube, &plate, &place(0.0, 0.0, 2.0 - gap), &axis).free);
    }
    assert!(!turn(&cube, &plate, &place(corner, 0.0, 0.0), &axis).free);
    assert!(!turn(&cube, &plate, &place(0.0, 0.0, 2.0), &axis).free);
    // Lines only.
    assert!(!turn(&cube, &plate, &place(corner, 0.0, 2.0), &axis).free);
}

/// How far a ball at this distance, half way up the body diagonal, is from the cube of size 2 that turns about that diagonal.
fn reach_at_the_middle(distance: f64) -> f64 {
    // Six edges wind round the middle between the circles of their ends, at a third and at two thirds of the diagonal.
    let axis = Vec3::ONE.normalize_or_zero();
    let (p, q) = (Vec3::new(1.0, 1.0, -1.0), Vec3::new(1.0, -1.0, -1.0));
    (0..=100_000)
        .map(|k| p + f64::from(k) / 1e5 * (q - p))
        .map(|x| (distance - x.cross(axis).length()).hypot(x.dot(axis)))
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn axes_through_corners_edges_and_planes_of_faces() {
    let cube = cuboid(Vec3::splat(2.0));
    let check = |point: Vec3, direction: Vec3, other: Pose, clearance: Option<f64>| {
        let axis = Axis::new(point, direction).expect("a direction");
        let answer = check_turn(&cube, &cuboid(Vec3::splat(2.0)), &other, &axis, 180);
        match clearance {
            Some(clearance) => check_free(answer, clearance),
            None => assert!(!answer.free),
        }
    };
    // Along an edge: reaches out to the diagonal across.
    let edge = Vec3::new(-1.0, -1.0, 0.0);
    check(edge, Vec3::Z, place(3.0, 0.0, 0.0), Some(3.0 - 8f64.sqrt()));
    check(edge, Vec3::Z, place(2.7, 0.0, 0.0), None);
    // In the plane of a face.
    let face = Vec3::new(-1.0, 0.0, 0.0);
    check(face, Vec3::Z, place(3.5, 0.0, 0.0), Some(2.5 + 1.0 - 5f64.sqrt()));
    check(face, Vec3::Z, place(2.1, 0.0, 0.0), None);
    // Through two corners: the others are on circles of this radius.
    let axis = Axis::new(Vec3::ZERO, Vec3::ONE).expect("a direction");
    let radius = Vec3::new(1.0, 1.0, -1.0).cross(axis.direction).length();
    let out = Vec3::new(1.0, -1.0, 0.0).normalize_or_zero();
    let place = |distance: f64| Pose::from_translation(distance * out);
    let ball = Movable::new(Shape::Sphere(Sphere::new(1.0).expect("positive")));
    check_free(
        check_turn(&cube, &ball, &place(radius + 1.5), &axis, 180),
        reach_at_the_middle(radius + 1.5) - 1.0,
    );
}

#[test]
fn random_convex_bodies_agree_with_many_angles_and_with_contours() {
    let mut random = Random::new(3);
    let mut counts = [0; 2];
    for case in 0..scale::cases(60) {
        let (a, b) = (convex(&mut random, 12), convex(&mut random, 12));
        let axis = Axis::new(random.in_cube(0.7), random.direction()).expect("a direction");
        let shift = random.direction() * random.range(0.2, 1.6);
        let pose = Pose::new(random.rotation(), shift).expect("finite");
        let answer = check_turn(&a, &b, &pose, &axis, 90);
        counts[usize::from(answer.free)] += 1;
        let contours =
            [contour(&a, &Pose::IDENTITY, &axis), contour(&b, &pose, &axis)].map(|c| c.expect("faces"));
        assert_eq!(contours[0].is_apart(&contours[1]), answer.free, "{case}");
        // A point inside lies between the contours.
        let bounds = a.prepared().bounds().expect("bounded");
        for _ in 0..20 {
            let p = bounds.center() + random.in_cube(0.5);
            if a.prepared().shape().contains(p) == Some(true) {
                let height = axis.direction.dot(p - axis.point);
                let [near, far] = contours[0].distances(height).expect("inside");
                let distance = axis.distance(p);
                assert!(
                    near <= distance + 1e-12 && distance <= far + 1e-12,
                    "{case} {near} {distance} {far}"
                );
            }
        }
    }
    assert!(counts[0] >= scale::cases(10) && counts[1] >= scale::cases(10), "{counts:?}");
}

#[test]
fn random_bodies_that_are_not_convex_agree_with_many_angles() {
    let mut random = Random::new(4);
    let bodies = [
        mesh(bumpy::torus(16, 8)),
        mesh(bumpy::sphere(3)),
        ring([0.3; 2], [1.0, 0.7], 0.3, 16),
        ring([0.7, 0.8], [1.0; 2], 0.6, 10),
        cuboid(Vec3::new(0.2, 0.3, 3.0)),
    ];
    let mut counts = [0; 2];
    for _ in 0..scale::cases(60) {
        let (a, b) = (&bodies[random.below(5)], &bodies[random.below(5)]);
        let axis = if random.below(2) == 0 {
            z_axis()
        } else {
            Axis::new(random.in_cube(1.0), random.direction()).expect("a direction")
        };
        let shift = random.direction() * random.range(0.0, 3.0);
        let pose = Pose::new(random.rotation(), shift).expect("finite");
        counts[usize::from(check_turn(a, b, &pose, &axis, 90).free)] += 1;
    }
    assert!(counts[0] >= scale::cases(10) && counts[1] >= scale::cases(10), "{counts:?}");
}

fn round_bodies() -> Vec<Movable> {
    vec![
        Movable::new(Shape::Sphere(Sphere::new(0.4).expect("positive"))),
        Movable::new(Shape::Capsule(Capsule::new(0.2, 0.7).expect("positive"))),
        Movable::new(Shape::Cylinder(Cylinder::new(0.3, 0.8).expect("positive"))),
        Movable::new(Shape::Cone(Cone::new(0.4, 0.9).expect("positive"))),
    ]
}

#[test]
fn round_bodies_agree_with_many_angles() {
    let mut random = Random::new(5);
    let round = round_bodies();
    let others = [cuboid(Vec3::new(0.6, 0.5, 0.4)), ring([0.5; 2], [1.0, 0.8], 0.3, 16)];
    let mut counts = [0; 2];
    for case in 0..scale::cases(60) {
        let a = &round[case % 4];
        let b = if random.below(2) == 0 { &round[random.below(4)] } else { &others[random.below(2)] };
        let axis = Axis::new(random.in_cube(0.5), random.direction()).expect("a direction");
        let pose = Pose::new(random.rotation(), random.direction() * random.range(0.2, 2.5)).expect("finite");
        counts[usize::from(check_turn(a, b, &pose, &axis, 90).free)] += 1;
    }
    assert!(counts[0] >= scale::cases(10) && counts[1] >= scale::cases(10), "{counts:?}");
}

#[test]
fn balls_meet_where_they_come_closest() {
    let (ball, plate) = (&round_bodies()[0], cuboid(Vec3::new(2.0, 6.0, 2.0)));
    // On a circle of radius 1, the ball reaches out to 1.4.
    let at = |x: f64| {
        turn(
            &plate,
            ball,
            &place(x - 1.0, 0.0, 0.0),
            &Axis::new(Vec3::new(x, 0.0, 0.0), Vec3::Z).expect("ok"),
        )
    };
    for gap in [0.1, 1e-6, 1e-9] {
        check_free(at(2.4 + gap), gap);
        let contact = at(2.4 - gap).contact.expect("they meet");
        assert!((contact.distance - 1.2).abs() < 0.21 && contact.height.abs() < 0.3, "{contact:?}");
    }
    assert!(!at(2.4).free);
}

#[test]
fn a_round_shaft_turns_about_itself_in_one_step() {
    let shaft = Movable::new(Shape::Cylinder(Cylinder::new(0.29, 2.0).expect("positive")));
    let hole = ring([0.3; 2], [1.0; 2], 0.5, 64);
    let answer = turn(&hole, &shaft, &Pose::IDENTITY, &z_axis());
    let room = 0.3 * (PI / 64.0).cos() - 0.29;
    assert!(answer.free && (answer.clearance_lower - room).abs() < 2e-6, "{answer:?} {room}");
    assert!(!turn(&hole, &shaft, &place(0.02, 0.0, 0.0), &z_axis()).free);
}

/// Cylinders and cones that turn about an axis far away: what is nearest lasts for a moment only.
#[test]
fn round_bodies_far_off_the_axis() {
    let mut random = Random::new(8);
    let round = round_bodies();
    let mut counts = [0; 2];
    for case in 0..scale::cases(60) {
        let (a, b) = (&round[2 + case % 2], &round[random.below(4)]);
        let far = [3.0, 30.0, 300.0][random.below(3)];
        let axis = Axis::new(random.direction() * far, random.direction()).expect("a direction");
        let pose = Pose::new(random.rotation(), random.direction() * random.range(0.6, 1.2)).expect("finite");
        let answer = turn(a, b, &pose, &axis);
        counts[usize::from(answer.free)] += 1;
        // They are near each other only where b comes from.
        let near = 2.5 / axis.distance(Vec3::ZERO).max(1.0);
        let count = 400;
        let angles = (-count..=count).map(|k| turned(&pose, &axis, near * f64::from(k) / f64::from(count)));
        let seen = least_distance(a, b, angles);
        let between = reach(b, &pose, &axis) * 0.5 * near / f64::from(count);
        if answer.free {
            assert!(seen > 0.0 && answer.clearance_lower <= seen * (1.0 + 1e-9), "{answer:?} {seen}");
            assert!(answer.clearance_lower >= (seen - between) * (1.0 - 1.0 / 60.0), "{answer:?} {seen}");
        } else {
            assert!(seen <= between && answer.contact.is_some_and(|c| c.decided), "{answer:?} {seen}");
        }
    }
    assert!(counts[0] >= scale::cases(10) && counts[1] >= scale::cases(10), "{counts:?}");
}

#[test]
fn half_spaces_are_free_only_where_nothing_reaches_them() {
    let floor = Movable::new(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).expect("a normal")));
    let cube = cuboid(Vec3::splat(2.0));
    let level = Axis::new(Vec3::new(0.0, 0.0, 2.0), Vec3::X).expect("a direction");
    let answer = turn(&floor, &cube, &place(0.0, 0.0, 2.0), &level);
    let room = 2.0 - 2f64.sqrt();
    assert!(answer.free && answer.clearance_lower <= room && answer.clearance_lower > 0.99 * room);
    let low = Axis::new(Vec3::new(0.0, 0.0, 1.4), Vec3::X).expect("a direction");
    assert!(!turn(&floor, &cube, &place(0.0, 0.0, 1.4), &low).free);
    assert!(turn(&floor, &cube, &place(0.0, 0.0, 1.1), &z_axis()).free);
    assert!(!turn(&floor, &cube, &place(0.0, 0.0, 1.0), &z_axis()).free);
    let ceiling = Movable::new(Shape::HalfSpace(HalfSpace::new(-Vec3::Z, -3.0).expect("a normal")));
    assert!(turn(&floor, &ceiling, &Pose::IDENTITY, &z_axis()).free);
    assert!(!turn(&floor, &ceiling, &Pose::IDENTITY, &level).free);
    assert!(along(&floor, &ceiling, &Pose::IDENTITY, Vec3::X).free);
    assert!(along(&floor, &cube, &place(0.0, 0.0, 1.1), Vec3::Y).free);
    assert!(!along(&floor, &cube, &place(0.0, 0.0, 1.1), Vec3::new(0.0, 1.0, 0.1)).free);
}

#[test]
fn slides_agree_with_many_places() {
    let mut random = Random::new(6);
    let mut bodies =
        vec![mesh(bumpy::torus(16, 8)), mesh(bumpy::sphere(3)), ring([0.3; 2], [1.0, 0.7], 0.3, 16)];
    bodies.push(cuboid(Vec3::new(0.2, 0.3, 3.0)));
    bodies.extend(round_bodies());
    let mut counts = [0; 2];
    for _ in 0..scale::cases(60) {
        let (i, j) = (random.below(bodies.len()), random.below(bodies.len()));
        let (a, b) = (&bodies[i], &bodies[j]);
        let direction = random.direction();
        let pose = Pose::new(random.rotation(), random.direction() * random.range(0.0, 3.0)).expect("finite");
        let answer = along(a, b, &pose, direction);
        assert_eq!(answer.free, along(b, a, &pose.inverse(), pose.inverse().rotate(direction)).free);
        counts[usize::from(answer.free)] += 1;
        let places = (-100..=100).map(|k| Pose::from_translation(f64::from(k) * 0.06 * direction) * pose);
        let seen = least_distance(a, b, places);
        if answer.free {
            assert!(seen > 0.0 && answer.clearance_lower <= seen * (1.0 + 1e-9), "{answer:?} {seen}");
            assert!(answer.clearance_lower >= seen * (1.0 - 1.0 / 1000.0) - 0.031, "{answer:?} {seen}");
        } else {
            assert!(seen <= 0.031, "{answer:?} {seen}");
        }
    }
    assert!(counts[0] >= scale::cases(10) && counts[1] >= scale::cases(5), "{counts:?}");
}

#[test]
fn a_peg_slides_through_its_hole() {
    let peg = cuboid(Vec3::new(1.0, 1.0, 4.0));
    let hole = ring([0.8; 2], [1.0; 2], 1.0, 4);
    // The hole is a square on its corner, with sides 0.8 √2 apart; the peg lies across it.
    let upright = Pose::from_axis_angle(Vec3::Z, PI / 4.0).expect("a direction");
    let room = 0.8 / 2f64.sqrt() - 0.5;
    for gap in [0.0, 0.01, 1e-9] {
        let shift = (room - gap) / 2f64.sqrt();
        let answer = along(&hole, &peg, &(place(shift, shift, 9.0) * upright), Vec3::Z);
        if gap == 0.0 {
            assert!(!answer.free);
        } else {
            assert!(answer.free && (answer.clearance_lower - gap).abs() < 1e-12, "{answer:?} {gap}");
        }
    }
    assert!(!along(&hole, &peg, &(place(0.1, 0.0, 0.0) * upright), Vec3::X).free);
    assert!(
        along(&hole, &peg, &upright, Vec3::ZERO).free
            != intersects(hole.prepared(), peg.prepared(), &upright).expect("finite")
    );
}

#[test]
fn parts_from_the_lathe_with_many_faces() {
    // Thousands of faces with the same few images; their polygons do not match.
    let (axis, count) = (z_axis(), 1000);
    let hole = ring([0.3; 2], [1.0, 0.9], 0.2, count);
    for gap in [0.01, 1e-6, 1e-9, -1e-9, -0.01] {
        let shaft = ring([0.1; 2], [0.3 * (PI / count as f64).cos() - gap; 2], 2.0, count + 10);
        let answer = turn(&hole, &shaft, &place(0.0, 0.0, -1.0), &axis);
        assert_eq!(answer.free, gap > 0.0, "{gap} {answer:?}");
        if answer.free {
            assert!((0.9 * gap..=gap).contains(&answer.clearance_lower), "{gap} {answer:?}");
        }
    }
    // One face out of thousands is not like the others: a corner farther out, or a longer chord between the same circles.
    let mantle = |radius: &dyn Fn(usize) -> f64, angle: &dyn Fn(usize) -> f64| {
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        for k in 0..count {
            let (sin, cos) = angle(k).sin_cos();
            vertices.extend([0.0, 1.0].map(|z| Vec3::new(radius(k) * cos, radius(k) * sin, z)));
            let (p, q) = (2 * k as u32, 2 * ((k as u32 + 1) % count as u32));
            faces.extend([[p, q, p + 1], [q, q + 1, p + 1]]);
        }
        mesh((vertices, faces))
    };
    let step = TAU / count as f64;
    let even = |k: usize| k as f64 * step;
    let place = place(0.0, 0.0, -0.4);
    assert!(turn(&hole, &mantle(&|_| 0.29, &even), &place, &axis).free);
    let dented = mantle(&|k| if k == 123 { 0.301 } else { 0.29 }, &even);
    assert!(!turn(&hole, &dented, &place, &axis).free);
    // A bar that does not point at the chord before it turns.
    let rod = cuboid(Vec3::new(0.58, 0.02, 0.1));
    let tube = mantle(&|_| 0.3, &even);
    // The rod is all in the hull of the tube, which is open at both ends: it may stand in a solid that nobody closed.
    let answer = turn(&tube, &rod, &place.inverse(), &axis);
    assert!(!answer.free && answer.inside_unknown && answer.contact.is_none(), "{answer:?}");
    let tube = Movable::from_prepared(tube.prepared().as_sheet());
    let answer = turn(&tube, &rod, &place.inverse(), &axis);
    assert!(answer.free && !answer.inside_unknown, "{answer:?}");
    for wide in [30, 300, 700] {
        let gapped = mantle(&|_| 0.3, &|k| even(k) * 0.9 + if k > wide { 0.1 * TAU } else { 0.0 });
        let answer = turn(&gapped, &rod, &place.inverse(), &axis);
        assert!(!answer.free && answer.contact.is_some(), "{wide} {answer:?}");
    }
}
