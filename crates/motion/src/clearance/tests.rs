use super::triangles_rotating::{Least, Wanted, least_rotating};
use super::triangles_translating::least_translating;
use super::*;
use crate::triangles::turn;
use freiraum_geometry::Mesh;
use freiraum_geometry::path::{Axis, Sequence, Straight, UniformMotion};
use freiraum_geometry::shape::{Capsule, Compound, Cuboid, Cylinder, HalfSpace, Part, Shape, Sphere};
use freiraum_query::elementary::triangle_triangle;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// The least value of a function over [0, last], by samples and the golden section around the lowest of them.
fn sampled(last: f64, samples: usize, f: impl Fn(f64) -> f64) -> f64 {
    let values: Vec<f64> = (0..=samples).map(|i| f(last * i as f64 / samples as f64)).collect();
    let mut order: Vec<usize> = (0..=samples).collect();
    order.sort_by(|i, j| values[*i].total_cmp(&values[*j]));
    let mut least = f64::INFINITY;
    for i in order.into_iter().take(6) {
        let mut low = last * i.saturating_sub(1) as f64 / samples as f64;
        let mut high = last * (i + 1).min(samples) as f64 / samples as f64;
        for _ in 0..60 {
            let (x, y) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
            let (fx, fy) = (f(x), f(y));
            least = least.min(fx).min(fy);
            if fx < fy { high = y } else { low = x }
        }
    }
    least.min(f(0.0)).min(f(last))
}

fn random_triangle(random: &mut Random, kind: usize) -> [Vec3; 3] {
    let p: [Vec3; 3] = std::array::from_fn(|_| random.in_cube(1.0));
    match kind % 5 {
        0 => [p[0], p[0], p[1]],
        1 => [p[0]; 3],
        2 => p.map(|p| Vec3::new(p.x, p.y, 0.25)),
        3 => [p[0], p[1], p[0] + 0.01 * p[2]],
        _ => p,
    }
}

fn turning(a: [Vec3; 3], b: [Vec3; 3], last: f64) -> Least {
    let wanted = Wanted { below: f64::INFINITY, relative: 1e-9, slack: 1e-15, contact: 0.0 };
    least_rotating(&a, &b, [0.0, last], &Wanted { below: 1e9, ..wanted }, &mut Vec::new()).unwrap()
}

#[test]
fn translating_triangles_agree_with_samples() {
    let mut random = Random::new(1);
    for case in 0..cases(1000) {
        let a = random_triangle(&mut random, case);
        let shift = 2.0 * random.direction();
        let b = random_triangle(&mut random, case / 5).map(|p| p + shift);
        let by = random.in_cube(3.0);
        let at = |t: f64| triangle_triangle(a, b.map(|p| p + t * by)).distance();
        let found = least_translating(a, b, by, [0.0, 1.0], f64::INFINITY, 1e-15).unwrap();
        let expected = sampled(1.0, 40, at);
        assert!(found.distance <= expected + 1e-13, "{case} {found:?} {expected}");
        // Where it is zero it is so for an instant, perhaps.
        assert!((at(found.at) - found.distance).abs() < 1e-13, "{case} {found:?} {expected}");
        let none = least_translating(a, b, by, [0.0, 1.0], found.distance * (1.0 - 1e-12), 1e-15);
        assert!(none.is_none() || found.distance == 0.0, "{case} {none:?}");
    }
}

#[test]
fn rotating_triangles_agree_with_samples() {
    let mut random = Random::new(2);
    let mut contacts = 0;
    for case in 0..cases(600) {
        let a = random_triangle(&mut random, case);
        let shift = random.range(0.0, 2.0) * random.direction();
        let b = random_triangle(&mut random, case / 5).map(|p| p + shift);
        let last = if case % 2 == 0 { TAU } else { random.range(0.01, 3.0) };
        let at = |t: f64| triangle_triangle(a, turn(&b, t)).distance();
        let found = turning(a, b, last);
        let expected = sampled(last, 300, at);
        assert!(found.distance <= expected * (1.0 + 1e-9) + 1e-14, "{case} {found:?} {expected}");
        assert!((at(found.at) - found.distance).abs() < 1e-13, "{case} {found:?}");
        assert!(
            found.lower <= found.distance && found.lower >= found.distance * (1.0 - 1.001e-9),
            "{case} {found:?} {a:?} {b:?} {last}"
        );
        contacts += usize::from(found.distance == 0.0);
    }
    assert!(contacts > 10);
}

/// No bound of the search is above the distance: what is just below the limit is found.
#[test]
fn bounds_hide_nothing() {
    let core = |triangle: [Vec3; 3]| {
        let mesh = Mesh::new(triangle.to_vec(), vec![[0, 1, 2]]).unwrap();
        crate::movable::Core { tree: Arc::new(freiraum_query::mesh_tree::MeshTree::build(mesh)), radius: 0.0 }
    };
    let mut random = Random::new(3);
    let mut memory = MotionWorkspace::default();
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    for case in 0..cases(3000) {
        let size = [0.1, 1.0, 2.0][case % 3];
        let place = 1.5 * random.direction();
        let a = random_triangle(&mut random, case).map(|p| size * p + place);
        let b = random_triangle(&mut random, case / 5).map(|p| size * p - 0.3 * place);
        let angle = random.range(0.01, if case % 2 == 0 { 3.0 } else { TAU });
        let (a_core, b_core) = (core(a), core(b));
        let mut ask = |motion: RelativeMotion, exact: f64| {
            let below = exact * (1.0 + 1e-6) + 1e-12;
            let goal = Goal { below, relative: 1e-9, any: false };
            let found = cores::cores_approach(&a_core, &b_core, &Pose::IDENTITY, &motion, &goal, &mut memory);
            let found = found.unwrap_or_else(|| panic!("{case} {motion:?} {exact} {a:?} {b:?}"));
            assert!((found.distance - exact).abs() <= 2e-9 * exact + 1e-13, "{case} {found:?} {exact}");
        };
        ask(RelativeMotion::Rotation { axis, angle }, turning(a, b, angle).distance);
        let by = random.in_cube(3.0);
        let exact = least_translating(a, b, by, [0.0, 1.0], f64::INFINITY, 1e-15).unwrap();
        ask(RelativeMotion::Translation(by), exact.distance);
    }
}

#[test]
fn known_distances_of_arcs_and_strips() {
    let p = Vec3::new;
    let close = |a: [Vec3; 3], b: [Vec3; 3], last: f64, expected: f64| {
        let found = turning(a, b, last);
        assert!((found.distance - expected).abs() < 1e-12 * 10.0, "{found:?} {expected}");
    };
    let quarter = PI / 2.0;
    let arc = [p(2.0, 0.0, 0.0); 3];
    close([p(1.0, 1.0, 1.0); 3], arc, quarter, 1.1589416510367);
    close([p(-1.0, -1.0, 1.0); 3], arc, quarter, 3.3166247903554);
    let segment = [p(3.0, -1.0, 1.0), p(0.0, 4.0, -1.0), p(0.0, 4.0, -1.0)];
    close(segment, arc, quarter, 0.10358251960493);
    let triangle = [p(1.0, 0.0, 0.5), p(4.0, 1.0, 2.0), p(1.0, 3.0, 1.5)];
    close(triangle, arc, quarter, 0.88892831272494);
    let strip = |a: Vec3, b: Vec3, c: Vec3, d: Vec3, expected: f64| {
        close([c, d, d], [a, b, b], TAU, expected);
        // The other way round, the other one turns.
        close([a, b, b], [c, d, d], TAU, expected);
    };
    strip(p(1.0, 0.0, 0.0), p(2.0, 1.0, 1.0), p(0.0, 3.0, -1.0), p(3.0, 3.0, 2.0), 1.2247448713916);
    strip(p(0.0, 3.0, -2.0), p(0.0, -2.0, 3.0), p(-3.0, 1.0, 3.0), p(-1.0, -2.0, 2.0), 0.39427791687007);
    let at = turning(
        [p(-3.0, 1.0, 3.0), p(-1.0, -2.0, 2.0), p(-1.0, -2.0, 2.0)],
        [p(0.0, 3.0, -2.0), p(0.0, -2.0, 3.0), p(0.0, -2.0, 3.0)],
        TAU,
    );
    assert!((at.at - 5.01935668).abs() < 1e-7, "{at:?}");
    strip(p(1.0, -2.0, 0.0), p(1.0, 2.0, 0.0), p(0.2, 0.0, 1.0), p(0.5, 0.3, 2.0), 1.2806248474866);
}

fn cuboid(x: f64, y: f64, z: f64) -> Movable {
    Movable::new(Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap()))
}

fn ball(radius: f64) -> Movable {
    Movable::new(Shape::Sphere(Sphere::new(radius).unwrap()))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn still(pose: Pose) -> UniformMotion {
    UniformMotion::still(pose)
}

fn ask(a: &Movable, motion_a: &dyn Motion, b: &Movable, motion_b: &dyn Motion) -> Clearance {
    let mut memory = MotionWorkspace::default();
    let found = clearance(a, motion_a, b, motion_b, &ClearanceRequest::default(), &mut memory).unwrap();
    // The other way round, and with a bound, the answer is the same.
    let swapped = clearance(b, motion_b, a, motion_a, &ClearanceRequest::default(), &mut memory).unwrap();
    let slack = found.error + swapped.error + 1e-12;
    assert!((found.distance - swapped.distance).abs() <= slack, "{found:?} {swapped:?}");
    for (factor, kept) in [(0.99, true), (1.01, false)] {
        let request = ClearanceRequest::at_least(factor * found.distance);
        let bound = clearance(a, motion_a, b, motion_b, &request, &mut memory).unwrap();
        if found.distance > 0.0 {
            assert_eq!(bound.is_kept, Some(kept), "{factor} {found:?} {bound:?}");
        }
        assert!(
            bound.lower() <= found.distance + slack && bound.distance >= found.lower(),
            "{found:?} {bound:?}"
        );
    }
    let (p, q) = (found.point_on_a, found.point_on_b);
    assert!((p.distance(q) - found.distance).abs() <= found.error + 1e-9, "{found:?}");
    found
}

fn check(a: &Movable, motion_a: &dyn Motion, b: &Movable, motion_b: &dyn Motion, distance: f64, time: f64) {
    let found = ask(a, motion_a, b, motion_b);
    assert!((found.distance - distance).abs() <= found.error + 1e-12, "{found:?} instead of {distance}");
    assert!(found.error <= 1e-8 * (1.0 + distance), "{found:?}");
    if time >= 0.0 {
        assert!((found.time - time).abs() < 1e-6, "{found:?} instead of {time}");
    }
}

#[test]
fn balls_and_capsules_pass_each_other() {
    let pass = UniformMotion::translation(at(-5.0, 2.0, 0.0), Vec3::new(10.0, 0.0, 0.0));
    check(&ball(0.5), &still(Pose::IDENTITY), &ball(0.75), &pass, 0.75, 0.5);
    let short = UniformMotion::translation(at(-5.0, 3.0, 0.0), Vec3::new(1.0, 0.0, 0.0));
    check(&ball(0.5), &still(Pose::IDENTITY), &ball(0.5), &short, 4.0, 1.0);
    let capsule = Movable::new(Shape::Capsule(Capsule::new(0.25, 2.0).unwrap()));
    let over = UniformMotion::translation(at(-5.0, 0.0, 2.0), Vec3::new(10.0, 0.0, 0.0));
    check(&capsule, &still(Pose::IDENTITY), &ball(0.5), &over, 0.25, 0.5);
    // Around the z axis at distance 3.
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    let turn = UniformMotion::rotation(at(3.0, 0.0, 0.0), axis, PI);
    check(&ball(0.5), &still(at(0.0, 4.0, 0.0)), &ball(0.25), &turn, 0.25, 0.5);
    check(&ball(0.5), &still(Pose::IDENTITY), &ball(0.25), &turn, 2.25, -1.0);
    check(&ball(0.5), &still(at(0.0, 3.5, 0.0)), &ball(0.25), &turn, 0.0, -1.0);
}

#[test]
fn boxes_pass_each_other() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let pass = UniformMotion::translation(at(-5.0, 1.5, 0.0), Vec3::new(10.0, 0.0, 0.0));
    check(&cube, &still(Pose::IDENTITY), &cube, &pass, 0.5, -1.0);
    let diagonal = UniformMotion::translation(at(-5.0, 1.5, 1.75), Vec3::new(10.0, 0.0, 0.0));
    check(&cube, &still(Pose::IDENTITY), &cube, &diagonal, 0.5f64.hypot(0.75), -1.0);
    let through = UniformMotion::translation(at(-5.0, 0.5, 0.0), Vec3::new(10.0, 0.0, 0.0));
    check(&cube, &still(Pose::IDENTITY), &cube, &through, 0.0, 0.4);
    let touching = UniformMotion::translation(at(-5.0, 1.0, 0.0), Vec3::new(10.0, 0.0, 0.0));
    check(&cube, &still(Pose::IDENTITY), &cube, &touching, 0.0, 0.4);
    // Inside from the start.
    check(&cuboid(9.0, 9.0, 9.0), &still(Pose::IDENTITY), &cube, &still(Pose::IDENTITY), 0.0, 0.0);
    // Both move alike.
    let other = UniformMotion::translation(at(2.0, 0.0, 0.0), Vec3::new(0.0, 4.0, 0.0));
    let along = UniformMotion::translation(Pose::IDENTITY, Vec3::new(0.0, 4.0, 0.0));
    check(&cube, &along, &cube, &other, 1.0, -1.0);
}

#[test]
fn a_bar_turns_next_to_a_post() {
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    let bar = cuboid(4.0, 0.2, 0.2);
    let post = cuboid(0.2, 0.2, 1.0);
    // The tip of the bar, a corner at (2, 0.1), passes the face of the post.
    let radius = 2.0f64.hypot(0.1);
    for turns in [PI, TAU, 3.0 * TAU, -PI] {
        let turn = UniformMotion::rotation(Pose::IDENTITY, axis, turns);
        check(&post, &still(at(0.0, 2.5, 0.0)), &bar, &turn, 2.4 - radius, -1.0);
        check(&post, &still(at(0.0, 1.5, 0.0)), &bar, &turn, 0.0, -1.0);
        // Above it the distance is that of two planes while they overlap.
        check(&post, &still(at(0.0, 1.5, 1.0)), &bar, &turn, 0.4, -1.0);
    }
    // The axis passes through the post, and through the bar.
    let turn = UniformMotion::rotation(at(0.0, 1.0, 0.0), axis, TAU);
    check(&post, &still(Pose::IDENTITY), &bar, &turn, 0.9 - 0.1f64.hypot(0.1), -1.0);
    // It only swings a little and never gets there: the end of the swing is the closest.
    let swing = UniformMotion::rotation(Pose::IDENTITY, axis, 0.25 * PI);
    let found = ask(&post, &still(at(0.0, 3.0, 0.0)), &bar, &swing);
    assert_eq!(found.time, 1.0);
}

#[test]
fn grazing_is_told_from_touching() {
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    let (cube, bar, post) = (cuboid(1.0, 1.0, 1.0), cuboid(4.0, 0.2, 0.2), cuboid(0.2, 0.2, 1.0));
    let turn = UniformMotion::rotation(Pose::IDENTITY, axis, TAU);
    for gap in [1e-3, 1e-6, 1e-9] {
        let pass = UniformMotion::translation(at(-5.0, 1.0 + gap, 0.3), Vec3::new(10.0, 0.0, 0.0));
        let found = ask(&cube, &still(Pose::IDENTITY), &cube, &pass);
        assert!((found.distance - gap).abs() <= 1e-15, "{gap} {found:?}");
        let found = ask(&post, &still(at(0.0, 2.0f64.hypot(0.1) + 0.1 + gap, 0.0)), &bar, &turn);
        assert!((found.distance - gap).abs() <= 1e-15 + 1e-9 * gap, "{gap} {found:?}");
        let touching = at(0.0, 2.0f64.hypot(0.1) + 0.1 - gap, 0.0);
        assert_eq!(ask(&post, &still(touching), &bar, &turn).distance, 0.0);
    }
}

#[test]
fn bodies_above_a_plane() {
    let ground = Movable::new(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()));
    let bar = cuboid(4.0, 0.2, 0.2);
    let fall = UniformMotion::translation(at(0.0, 0.0, 3.0), Vec3::new(1.0, 0.0, -2.0));
    check(&ground, &still(Pose::IDENTITY), &bar, &fall, 0.9, 1.0);
    check(&ground, &still(Pose::IDENTITY), &ball(0.25), &fall, 0.75, 1.0);
    let axis = Axis::new(Vec3::new(0.0, 0.0, 3.0), Vec3::Y).unwrap();
    let turn = UniformMotion::rotation(at(0.0, 0.0, 3.0), axis, TAU);
    check(&ground, &still(Pose::IDENTITY), &bar, &turn, 3.0 - 2.0f64.hypot(0.1), -1.0);
    let low = UniformMotion::rotation(at(0.0, 0.0, 1.5), Axis { point: Vec3::Z, ..axis }, TAU);
    check(&ground, &still(Pose::IDENTITY), &bar, &low, 0.0, -1.0);
}

#[test]
fn sequences_and_compounds() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let first = UniformMotion::translation(at(5.0, 0.0, 0.0), Vec3::new(-2.0, 0.0, 0.0));
    let axis = Axis::new(Vec3::new(4.0, 0.0, 0.0), Vec3::Z).unwrap();
    let second = UniformMotion::rotation(at(3.0, 0.0, 0.0), axis, PI);
    let path = Sequence::new(vec![(1.0, Arc::new(first)), (1.0, Arc::new(second))]).unwrap();
    let expected = 2.5 - 0.5;
    let found = ask(&cube, &still(Pose::IDENTITY), &cube, &path);
    assert!(found.distance <= expected + 1e-12 && found.distance > 1.7, "{found:?}");
    let part = |x: f64| Part {
        compound_from_part: at(x, 0.0, 0.0),
        shape: Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap()),
    };
    let pair = Movable::new(Shape::Compound(Compound::new(vec![part(-2.0), part(2.0)]).unwrap()));
    let between = UniformMotion::translation(at(0.0, -5.0, 0.0), Vec3::new(0.0, 10.0, 0.0));
    check(&pair, &still(Pose::IDENTITY), &cube, &between, 1.0, -1.0);
}

#[test]
fn other_motions_and_shapes_keep_what_they_state() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let cylinder = Movable::new(Shape::Cylinder(Cylinder::new(0.5, 1.0).unwrap()));
    let pass = UniformMotion::translation(at(-5.0, 2.0, 0.0), Vec3::new(10.0, 0.0, 0.0));
    let found = ask(&cube, &still(Pose::IDENTITY), &cylinder, &pass);
    assert!((found.distance - 1.0).abs() <= 1e-5 && found.error <= 1e-4, "{found:?}");
    let end = Pose::new(Random::new(3).rotation(), Vec3::new(5.0, 3.0, 0.0)).unwrap();
    let straight = Straight::new(at(-5.0, 3.0, 0.0), end);
    let found = ask(&cube, &still(Pose::IDENTITY), &cube, &straight);
    let least = sampled(1.0, 500, |t| {
        freiraum_query::distance(cube.prepared(), cube.prepared(), &straight.pose(t)).unwrap().distance
    });
    assert!(found.distance <= least + found.error && found.lower() <= least, "{found:?} {least}");
    assert!(found.error <= 1e-4, "{found:?}");
}

#[test]
fn curves_stay_within_their_accuracy() {
    let other = freiraum_testkit::bumpy::sphere(4);
    let mesh = |(vertices, faces)| Movable::new(Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap())));
    let bodies = [mesh(freiraum_testkit::bumpy::torus(24, 12)), mesh(other)];
    let axis = Axis::new(Vec3::new(0.0, 3.0, 0.0), Vec3::new(1.0, 0.2, 0.3)).unwrap();
    let turn = UniformMotion::rotation(at(2.8, 0.0, 0.0), axis, 2.0);
    let rest = still(Pose::IDENTITY);
    let curve = distance_curve(&bodies[0], &rest, &bodies[1], &turn, 0.01, 10_000).unwrap();
    assert!(curve.error <= 0.011, "{}", curve.error);
    let distance = |t: f64| {
        let pose = turn.pose(t);
        freiraum_query::distance(bodies[0].prepared(), bodies[1].prepared(), &pose).unwrap().distance
    };
    for pair in curve.points.windows(2) {
        let t = 0.5 * (pair[0][0] + pair[1][0]);
        assert!((distance(t) - 0.5 * (pair[0][1] + pair[1][1])).abs() <= curve.error);
        assert!((distance(pair[0][0]) - pair[0][1]).abs() <= 1e-12);
    }
    let few = distance_curve(&bodies[0], &rest, &bodies[1], &turn, 0.0, 10).unwrap();
    assert!(few.points.len() < 20 && few.error > 0.01);
    let mut memory = MotionWorkspace::default();
    let samples = distance_samples(&bodies[0], &rest, &bodies[1], &turn, 10, &mut memory).unwrap();
    assert!(samples.len() == 11 || samples.len() == 12);
    assert!(samples.is_sorted_by(|x, y| x[0] < y[0]));
}

#[test]
fn bodies_that_overlap_at_the_start_have_a_point_in_common() {
    let cube = |size: f64| Shape::Cuboid(Cuboid::new(Vec3::splat(size)).unwrap());
    let part = |shape: Shape, x: f64| Part {
        compound_from_part: Pose::from_translation(Vec3::new(x, 0.0, 0.0)),
        shape,
    };
    let compound = |parts: Vec<Part>| Shape::Compound(Compound::new(parts).unwrap());
    let mesh = |shape: &Shape| Shape::Mesh(Arc::new(shape.tessellate(0.01).unwrap()));
    let big = cube(2.0);
    let mut random = Random::new(9);
    let mut shapes = vec![
        cube(0.2),
        big.clone(),
        mesh(&cube(0.3)),
        mesh(&big),
        Shape::Sphere(Sphere::new(0.1).unwrap()),
        Shape::Capsule(Capsule::new(0.1, 0.4).unwrap()),
        Shape::Cylinder(Cylinder::new(0.1, 0.4).unwrap()),
        compound(vec![part(cube(0.1), -0.3), part(cube(0.1), 0.3)]),
        compound(vec![part(big.clone(), 5.0), part(big, 0.1)]),
        Shape::HalfSpace(HalfSpace::new(Vec3::Y, 3.0).unwrap()),
    ];
    for _ in 0..6 {
        let points: Vec<Vec3> = (0..8).map(|_| random.in_cube(0.7) * Vec3::new(1.0, 0.3, 1.5)).collect();
        shapes.push(Shape::Convex(freiraum_geometry::shape::Convex::from_points(&points).unwrap()));
    }
    let bodies: Vec<Movable> = shapes.into_iter().map(Movable::new).collect();
    let mut memory = MotionWorkspace::default();
    let mut overlapping = 0;
    for (i, a) in bodies.iter().enumerate() {
        for (j, b) in bodies.iter().enumerate() {
            for _ in 0..cases(8) {
                let place = |random: &mut Random| Pose::new(random.rotation(), random.in_cube(0.5)).unwrap();
                let (at_a, at_b) = (place(&mut random), place(&mut random));
                if !freiraum_query::intersects(a.prepared(), b.prepared(), &(at_a.inverse() * at_b)).unwrap()
                    || (i == 9 && j == 9)
                {
                    continue;
                }
                overlapping += 1;
                let (still, turn) = (
                    UniformMotion::still(at_a),
                    UniformMotion::rotation(at_b, Axis::new(Vec3::X, Vec3::Z).unwrap(), 0.2),
                );
                let found =
                    clearance(a, &still, b, &turn, &ClearanceRequest::default(), &mut memory).unwrap();
                assert_eq!((found.distance, found.time, found.point_on_a), (0.0, 0.0, found.point_on_b));
                let point = freiraum_query::Prepared::new(Shape::Sphere(Sphere::new(1e-6).unwrap()));
                for (body, at) in [(a, at_a), (b, at_b)] {
                    let place = at.inverse() * Pose::from_translation(found.point_on_a);
                    let is_in = freiraum_query::intersects(body.prepared(), &point, &place).unwrap();
                    // Where a cylinder crosses something, it may be a guess.
                    assert!(is_in || i == 6 || j == 6, "{i} {j}: {found:?}");
                }
            }
        }
    }
    assert!(overlapping > 500);
}

/// A ball, capsule or cylinder that turns about its own axis, or about one that is off by a bit, beside a cylinder: the distance hardly changes, and is told with what it changes.
#[test]
fn what_turns_about_its_own_axis_beside_a_cylinder() {
    let mut random = Random::new(31);
    let mut memory = MotionWorkspace::default();
    let still_shape = Movable::new(Shape::Cylinder(Cylinder::new(0.3, 0.8).unwrap()));
    for case in 0..cases(120) {
        let shape = match case % 3 {
            0 => Shape::Sphere(Sphere::new(0.2).unwrap()),
            1 => Shape::Capsule(Capsule::new(0.15, 0.4).unwrap()),
            _ => Shape::Cylinder(Cylinder::new(0.15, 0.4).unwrap()),
        };
        let off = [0.0, 1e-15, 1e-13, 1e-11, 1e-9, 1e-6, 1e-2][case % 7];
        let moving = Movable::new(shape);
        let at = Pose::new(random.rotation(), random.direction() * 1.2).unwrap();
        let own = at.rotate(Vec3::Z);
        // A ball has no axis of its own.
        let direction = if case % 3 == 0 { random.direction() } else { own + off * random.direction() };
        let axis = Axis::new(at.translation() + off * random.direction(), direction).unwrap();
        let (still, turn) = (UniformMotion::still(Pose::IDENTITY), UniformMotion::rotation(at, axis, 2.5));
        let looks: Vec<f64> = (0..=200)
            .map(|k| {
                let pose = turn.pose(f64::from(k) / 200.0);
                freiraum_query::distance(still_shape.prepared(), moving.prepared(), &pose).unwrap().distance
            })
            .collect();
        let least = looks.iter().copied().fold(f64::INFINITY, f64::min);
        if least <= 0.0 {
            continue;
        }
        let request = ClearanceRequest::default();
        let found = clearance(&still_shape, &still, &moving, &turn, &request, &mut memory).unwrap();
        assert!(found.lower() <= least + 1e-14, "{case}: {found:?}, seen {least}");
        assert!(found.distance <= least + 2.0 * off + 1e-13, "{case}: {found:?}, seen {least}");
        assert!(found.error <= 1e-8 * least, "{case}: {found:?}");
        // What is kept is kept.
        for (share, kept) in [(0.999, true), (1.001, false)] {
            let request = ClearanceRequest::at_least(share * (least - 2.0 * off).max(0.0));
            let found = clearance(&still_shape, &still, &moving, &turn, &request, &mut memory).unwrap();
            assert!(found.is_kept == Some(kept) || (!kept && off >= 1e-6), "{case} {share}: {found:?}");
        }
    }
}
