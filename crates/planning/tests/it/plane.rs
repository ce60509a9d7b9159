//! Translations in a plane against closed forms, and against a flood fill over a grid of placements.

use freiraum_geometry::path::UniformMotion;
use freiraum_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, HalfSpace, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_motion::{ClearanceRequest, MotionWorkspace, Movable, clearance};
use freiraum_planning::path::plane::{Plane, PlaneLimits, plan, planes};
use freiraum_planning::path::{Outcome, Placed, Rule, Task};
use freiraum_scene::Travel;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::sync::Arc;

fn v(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

fn placed(shape: Shape, at: Vec3) -> Placed {
    Placed { body: Movable::new(shape), pose: Pose::from_translation(at) }
}

fn cuboid(size: Vec3) -> Shape {
    Shape::Cuboid(Cuboid::new(size).unwrap())
}

/// A box from corner to corner.
fn block(min: [f64; 3], max: [f64; 3]) -> Placed {
    let (min, max) = (Vec3::from(min), Vec3::from(max));
    placed(cuboid(max - min), 0.5 * (min + max))
}

/// An upright prism over an L of arms `arm` long and `width` wide.
fn angle(arm: f64, width: f64, [low, high]: [f64; 2]) -> Shape {
    let outline = [[0.0, 0.0], [arm, 0.0], [arm, width], [width, width], [width, arm], [0.0, arm]];
    let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let ring = |z: f64| outline.iter().map(move |p| v(p[0], p[1], z));
    let mut faces: Vec<[u32; 3]> = triangles.iter().map(|t| [t[0], t[2], t[1]]).collect();
    faces.extend(triangles.iter().map(|t| t.map(|i| i + 6)));
    for i in 0..6 {
        let next = (i + 1) % 6;
        faces.extend([[i, next, next + 6], [i, next + 6, i + 6]]);
    }
    Shape::Mesh(Arc::new(Mesh::new(ring(low).chain(ring(high)).collect(), faces).unwrap()))
}

fn task(moving: Vec<Placed>, obstacles: Vec<Placed>, start: Vec3, goal: Vec3, rule: Rule) -> Task {
    let rules = vec![vec![rule; obstacles.len()]; moving.len()];
    let [start, goal] = [start, goal].map(Pose::from_translation);
    Task { moving, obstacles, rules, start, goal }
}

fn unit_box() -> Vec<Placed> {
    vec![placed(cuboid(Vec3::ONE), Vec3::ZERO)]
}

/// The way, checked: it ends at the goal, and nothing overlaps at many places on it.
fn path(task: &Task, plane: &Plane) -> Vec<Vec3> {
    let travels = match plan(task, plane, &PlaneLimits::default()) {
        Outcome::Path(travels) => travels,
        other => panic!("{other:?}"),
    };
    let mut way = vec![task.start.translation()];
    for travel in travels {
        let Travel::Translate(by) = travel else { panic!("{travel:?}") };
        way.push(*way.last().unwrap() + by);
    }
    let scale = task.goal.translation().length() + task.start.translation().length();
    assert!(way.last().unwrap().distance(task.goal.translation()) <= 1e-12 * (scale + 1e-6));
    for ends in way.windows(2) {
        for k in 0..=40 {
            assert!(is_free(task, ends[0].lerp(ends[1], f64::from(k) / 40.0)), "{way:?}");
        }
    }
    way
}

/// Whether the lead can be at a place; bodies that rest on something may be in it by a little.
fn is_free(task: &Task, lead: Vec3) -> bool {
    let world_from_lead = Pose::new(task.start.rotation(), lead).unwrap();
    task.moving.iter().zip(&task.rules).all(|(a, rules)| {
        task.obstacles.iter().zip(rules).all(|(b, rule)| {
            let a_from_b = (world_from_lead * a.pose).inverse() * b.pose;
            let [first, second] = [a.body.prepared(), b.body.prepared()];
            let depth = || freiraum_query::contact(first, second, &a_from_b).unwrap().depth;
            let touches = freiraum_query::intersects(first, second, &a_from_b).unwrap();
            let is_in = || touches && depth() > rule.allowance + 1e-7;
            rule.is_ignored || !is_in()
        })
    })
}

fn length(way: &[Vec3]) -> f64 {
    way.windows(2).map(|ends| ends[0].distance(ends[1])).sum()
}

fn no_path(task: &Task, plane: &Plane) -> String {
    match plan(task, plane, &PlaneLimits::default()) {
        Outcome::NoPath(reason) => reason,
        other => panic!("{other:?}"),
    }
}

/// Four walls round a square room of 8 m, and one through its middle with a gap about y = 0.
fn two_rooms(gap: f64) -> Vec<Placed> {
    vec![
        block([-5.0, -5.0, -1.0], [5.0, -4.0, 1.0]),
        block([-5.0, 4.0, -1.0], [5.0, 5.0, 1.0]),
        block([-5.0, -5.0, -1.0], [-4.0, 5.0, 1.0]),
        block([4.0, -5.0, -1.0], [5.0, 5.0, 1.0]),
        block([-0.5, -4.5, -1.0], [0.5, -0.5 * gap, 1.0]),
        block([-0.5, 0.5 * gap, -1.0], [0.5, 4.5, 1.0]),
    ]
}

/// The task with all bodies turned about the vertical by an angle that no number holds exactly.
fn turned(mut task: Task) -> Task {
    let turn = Pose::from_axis_angle(Vec3::Z, 0.3).unwrap();
    for obstacle in &mut task.obstacles {
        obstacle.pose = turn * obstacle.pose;
    }
    (task.start, task.goal) = (turn * task.start, turn * task.goal);
    task
}

#[test]
fn the_way_round_a_box_is_the_shortest() {
    // A unit box round a box of 2 m by 2 m: its centre goes round the corners of a square of 3 m.
    for rotation in [Quat::IDENTITY, Quat::from_scaled_axis(v(0.2, 0.4, 0.6))] {
        for scale in [1.0, 1e-6, 1e6] {
            let turn = Pose::new(rotation, scale * v(0.3, -0.1, 0.2)).unwrap();
            let body = placed(cuboid(Vec3::splat(scale)), Vec3::ZERO);
            let obstacle = Placed { body: Movable::new(cuboid(Vec3::splat(2.0 * scale))), pose: turn };
            let mut task = task(vec![body], vec![obstacle], Vec3::ZERO, Vec3::ZERO, Rule::default());
            task.start = turn * Pose::from_translation(scale * v(-4.0, 0.1, 0.0));
            task.goal = turn * Pose::from_translation(scale * v(4.0, 0.1, 0.0));
            let plane = Plane::new(turn.rotate(Vec3::X), turn.rotate(v(1.0, 1.0, 0.0))).unwrap();
            let way = path(&task, &plane);
            assert_eq!(way.len(), 4);
            let expected = 3.0 + 2.0 * v(2.5, 1.4, 0.0).length();
            let found = length(&way) / scale;
            // The margin is a ten-thousandth of the diagonal of the box.
            assert!(found >= expected - 1e-12 && found < expected + 1e-3, "{found} {expected}");
        }
    }
}

#[test]
fn gaps_are_measured_exactly() {
    let between = |gap: f64, allowance: f64| {
        let rule = Rule { allowance, ..Rule::default() };
        task(unit_box(), two_rooms(gap), v(-2.5, 1.0, 0.0), v(2.5, -1.0, 0.0), rule)
    };
    no_path(&between(0.75, 0.0), &Plane::GROUND);
    no_path(&between(1.0, 0.0), &Plane::GROUND);
    no_path(&between(1.0 - 1e-5, 1e-6), &Plane::GROUND);
    path(&between(1.0, 1e-6), &Plane::GROUND);
    path(&between(1.0 + 1e-9 * 3f64.sqrt(), 0.0), &Plane::GROUND);
    path(&between(1.5, 0.0), &Plane::GROUND);
    // Where rounding cannot tell a gap from none, nothing is claimed.
    let outcome = plan(&turned(between(1.0, 0.0)), &Plane::GROUND, &PlaneLimits::default());
    assert!(matches!(&outcome, Outcome::GaveUp(why) if why.contains("narrow")), "{outcome:?}");
    path(&turned(between(1.0 + 1e-9 * 3f64.sqrt(), 0.0)), &Plane::GROUND);
    no_path(&turned(between(1.0 - 1e-9, 0.0)), &Plane::GROUND);
}

#[test]
fn nothing_leaves_a_closed_room() {
    let outside = task(unit_box(), two_rooms(2.0), v(-2.5, 1.0, 0.0), v(0.0, 8.0, 0.0), Rule::default());
    let reason = no_path(&outside, &Plane::GROUND);
    assert!(reason.starts_with("obstacles close all ways"), "{reason}");
    no_path(&turned(outside.clone()), &Plane::GROUND);
    // In an upright plane it does: over the wall.
    let mut over = outside;
    over.goal = Pose::from_translation(v(-2.5, 8.0, 0.0));
    no_path(&over, &Plane::GROUND);
    assert_eq!(path(&over, &Plane::new(Vec3::Y, Vec3::Z).unwrap()).len(), 4);
}

#[test]
fn walls_of_triangles_close_a_room_as_well() {
    // A hollow box as one mesh: two shells.
    let shell = |half: f64, is_out: bool| {
        let (vertices, mut faces) = cuboid(Vec3::splat(2.0 * half)).tessellate(1.0).unwrap().into_parts();
        if !is_out {
            faces.iter_mut().for_each(|face| face.swap(0, 1));
        }
        (vertices, faces)
    };
    let (mut vertices, mut faces) = shell(4.0, true);
    let (inner, inner_faces) = shell(3.0, false);
    faces.extend(inner_faces.iter().map(|face| face.map(|i| i + vertices.len() as u32)));
    vertices.extend(inner);
    // And each triangle cut at its middle, with a copy of the whole: coplanar neighbours and duplicates.
    let mut cut = Vec::new();
    let mut more = vertices.clone();
    for [a, b, c] in faces.clone() {
        let middle = more.len() as u32;
        more.push((more[a as usize] + more[b as usize] + more[c as usize]) / 3.0);
        cut.extend([[a, b, middle], [b, c, middle], [c, a, middle]]);
    }
    cut.extend(faces.clone());
    for mesh in [Mesh::new(vertices, faces).unwrap(), Mesh::new(more, cut).unwrap()] {
        let room = placed(Shape::Mesh(Arc::new(mesh)), Vec3::ZERO);
        let at = |start: Vec3, goal: Vec3| task(unit_box(), vec![room.clone()], start, goal, Rule::default());
        no_path(&at(Vec3::ZERO, v(6.0, 1.0, 0.0)), &Plane::GROUND);
        assert_eq!(path(&at(Vec3::ZERO, v(2.0, 1.0, 0.0)), &Plane::GROUND).len(), 2);
        assert_eq!(path(&at(v(-6.0, 0.0, 0.0), v(6.0, 1.0, 0.0)), &Plane::GROUND).len(), 4);
    }
}

#[test]
fn an_angled_body_gets_round_an_angle() {
    // An L of arms 3 m long and 1 m wide stands on a floor, in a room of 8 m with a wall from above that ends within it.
    let body = || vec![placed(angle(3.0, 1.0, [0.0, 1.0]), Vec3::ZERO)];
    let walls = |end: f64| {
        vec![
            block([-10.0, -10.0, -1.0], [20.0, 20.0, 0.0]),
            block([-6.0, -1.0, 0.0], [14.0, -0.5, 2.0]),
            block([-6.0, 7.0, 0.0], [14.0, 7.5, 2.0]),
            block([-6.5, -1.0, 0.0], [-6.0, 7.5, 2.0]),
            block([13.5, -1.0, 0.0], [14.0, 7.5, 2.0]),
            block([4.0, end, 0.0], [4.5, 7.2, 2.0]),
        ]
    };
    let at = |end: f64| task(body(), walls(end), v(-4.0, 2.0, 0.0), v(8.0, 2.0, 0.0), Rule::default());
    // It is 3 m high as a whole, and 3 m are below the wall only if that ends above 2.5 m.
    no_path(&at(1.5), &Plane::GROUND);
    no_path(&at(2.25), &Plane::GROUND);
    assert!(path(&at(2.75), &Plane::GROUND).len() >= 4);
    // The wall can be within the angle: a place that the hull of the L has not.
    let mut hooked = at(1.5);
    hooked.start = Pose::from_translation(v(-4.0, 3.75, 0.0));
    hooked.goal = Pose::from_translation(v(2.5, -0.25, 0.0));
    assert!(path(&hooked, &Plane::GROUND).len() >= 3);
}

#[test]
fn what_overlaps_before_it_moves_is_named() {
    let check = |start: Vec3, goal: Vec3, rule: Rule, expected: &str| {
        let task = task(unit_box(), two_rooms(2.0), start, goal, rule);
        assert_eq!(no_path(&task, &Plane::GROUND), expected);
    };
    let (inside, fine) = (v(-3.75, 0.0, 0.0), v(-2.5, 0.0, 0.0));
    check(inside, fine, Rule::default(), "at the start, moving body 0 and obstacle 2 overlap");
    check(fine, inside, Rule::default(), "at the goal, moving body 0 and obstacle 2 overlap");
    let allowance = Rule { allowance: 0.1, ..Rule::default() };
    check(
        inside,
        fine,
        allowance,
        "at the start, moving body 0 and obstacle 2 overlap by more than is allowed",
    );
    let clearance = Rule { clearance: 0.25, ..Rule::default() };
    let message =
        "at the start, moving body 0 and obstacle 2 are 0.125 m apart, less than the 0.25 m required";
    check(v(-3.375, 0.0, 0.0), fine, clearance, message);
    let mut ignored = task(unit_box(), two_rooms(2.0), inside, fine, Rule::default());
    ignored.rules[0][2].is_ignored = true;
    path(&ignored, &Plane::GROUND);
}

#[test]
fn a_body_in_contact_slides() {
    // On a floor, along a wall, past a pillar that stands at the wall.
    let obstacles = vec![
        block([-10.0, -10.0, -2.0], [10.0, 10.0, -0.5]),
        block([-10.0, 0.5, -0.5], [10.0, 1.5, 1.0]),
        block([-0.25, -0.25, -0.5], [0.25, 0.5, 1.0]),
    ];
    let along = task(unit_box(), obstacles, v(-3.0, 0.0, 0.0), v(3.0, 0.0, 0.0), Rule::default());
    let way = path(&along, &Plane::GROUND);
    let expected = 1.5 + 2.0 * v(2.25, 0.75, 0.0).length();
    assert!((length(&way) - expected).abs() < 1e-3, "{way:?}");
}

#[test]
fn a_required_clearance_is_kept() {
    let rule = Rule { clearance: 0.25, ..Rule::default() };
    let at = |gap: f64| task(unit_box(), two_rooms(gap), v(-2.5, 1.0, 0.0), v(2.5, -1.0, 0.0), rule);
    no_path(&at(1.375), &Plane::GROUND);
    let task = at(1.625);
    let way = path(&task, &Plane::GROUND);
    let mut memory = MotionWorkspace::default();
    for ends in way.windows(2) {
        let motion = UniformMotion::translation(Pose::from_translation(ends[0]), ends[1] - ends[0]);
        for obstacle in &task.obstacles {
            let still = UniformMotion::still(obstacle.pose);
            let (body, request) = (&task.moving[0].body, ClearanceRequest::default());
            let found = clearance(body, &motion, &obstacle.body, &still, &request, &mut memory).unwrap();
            assert!(found.distance > 0.25, "{found:?}");
        }
    }
    // The way bends in a circle of the clearance about the corner of the obstacle grown by half the box.
    let corner = vec![block([-5.0, -5.0, -1.0], [0.0, 0.0, 1.0])];
    let small = vec![placed(cuboid(Vec3::splat(0.0625)), Vec3::ZERO)];
    let rule = Rule { clearance: 1.0, ..Rule::default() };
    let round = self::task(small, corner, v(-3.0, 1.25, 0.0), v(1.25, -3.0, 0.0), rule);
    let way = path(&round, &Plane::GROUND);
    let from_corner = v(-3.0, 1.25, 0.0) - v(0.03125, 0.03125, 0.0);
    let tangent = (from_corner.length_squared() - 1.0).sqrt();
    // What is left of the angle between start and goal, seen from the corner, between the two points of tangency.
    let between = 2.0 * (f64::atan2(from_corner.y, from_corner.x) - std::f64::consts::FRAC_PI_4);
    let arc = between - 2.0 * (1.0 / from_corner.length()).acos();
    let expected = 2.0 * tangent + arc;
    assert!(
        arc > 0.1 && length(&way) > expected && length(&way) < 1.005 * expected,
        "{} {expected}",
        length(&way)
    );
}

#[test]
fn round_bodies_pass_and_are_held() {
    let cylinder = || vec![placed(Shape::Cylinder(Cylinder::new(0.5, 1.0).unwrap()), Vec3::ZERO)];
    let sphere = || vec![placed(Shape::Sphere(Sphere::new(0.5).unwrap()), Vec3::ZERO)];
    for body in [cylinder, sphere] {
        let at =
            |gap: f64| task(body(), two_rooms(gap), v(-2.5, 1.0, 0.0), v(2.5, -1.0, 0.0), Rule::default());
        path(&at(1.25), &Plane::GROUND);
        path(&at(1.01), &Plane::GROUND);
        no_path(&at(0.9), &Plane::GROUND);
        let outcome = plan(&at(1.0), &Plane::GROUND, &PlaneLimits::default());
        assert!(matches!(outcome, Outcome::GaveUp(_)), "{outcome:?}");
    }
}

#[test]
fn half_spaces_are_walls_without_end() {
    let wall = |normal: Vec3, offset: f64| {
        placed(Shape::HalfSpace(HalfSpace::new(normal, offset).unwrap()), Vec3::ZERO)
    };
    let corridor = |end: f64| {
        vec![
            wall(Vec3::Z, -0.5),
            wall(Vec3::Y, -2.0),
            wall(Vec3::NEG_Y, -2.0),
            block([-0.5, -3.0, -0.5], [0.5, end, 1.0]),
        ]
    };
    let at = |end: f64| task(unit_box(), corridor(end), v(-3.0, 0.0, 0.0), v(3.0, 0.0, 0.0), Rule::default());
    assert_eq!(path(&at(0.75), &Plane::GROUND).len(), 4);
    no_path(&at(1.25), &Plane::GROUND);
}

#[test]
fn planes_hold_the_way() {
    let check = |goal: Vec3, normals: &[Vec3]| {
        let found = planes(&task(unit_box(), Vec::new(), Vec3::ZERO, goal, Rule::default()));
        let is_same = |(plane, normal): (&Plane, &Vec3)| plane.normal().cross(*normal).length() < 1e-12;
        assert!(found.len() == normals.len() && found.iter().zip(normals).all(is_same), "{goal}: {found:?}");
    };
    check(v(1.0, 0.0, 0.0), &[Vec3::Z, Vec3::Y]);
    check(v(1.0, 1.0, 0.0), &[Vec3::Z, v(1.0, -1.0, 0.0)]);
    check(v(0.0, 0.0, 1.0), &[Vec3::Y, Vec3::X]);
    check(v(0.0, 1.0, 1.0), &[Vec3::X, v(0.0, 1.0, -1.0)]);
    check(v(1.0, 1.0, 1.0), &[v(1.0, -1.0, 0.0), v(0.0, 1.0, -1.0), v(1.0, 0.0, -1.0)]);
    let mut turned = task(unit_box(), Vec::new(), Vec3::ZERO, Vec3::X, Rule::default());
    turned.goal = Pose::new(Quat::from_rotation_z(0.1), Vec3::X).unwrap();
    assert!(planes(&turned).is_empty());
    assert!(matches!(plan(&turned, &Plane::GROUND, &PlaneLimits::default()), Outcome::GaveUp(_)));
    let up = task(unit_box(), Vec::new(), Vec3::ZERO, Vec3::Z, Rule::default());
    assert!(matches!(plan(&up, &Plane::GROUND, &PlaneLimits::default()), Outcome::GaveUp(_)));
}

/// Random bars among which an L or a bar moves; where a flood fill over a grid of placements gets to the goal there is a way.
#[test]
fn a_flood_fill_agrees() {
    const N: i32 = 36;
    let step = 0.25;
    let mut random = Random::new(7);
    let (mut ways, mut none) = (0, 0);
    let rounds = cases(60);
    for round in 0..rounds {
        let turn = Quat::from_rotation_z(random.range(0.0, 6.0));
        let lead = if round % 3 == 0 { cuboid(v(1.2, 0.4, 1.0)) } else { angle(1.6, 0.5, [-0.5, 0.5]) };
        let mut obstacles: Vec<Placed> = (0..26)
            .map(|_| {
                let at = v(random.range(-4.5, 4.5), random.range(-4.5, 4.5), random.range(-0.6, 0.6));
                let lean = if random.below(2) == 0 { 0.0 } else { random.range(-0.5, 0.5) };
                let turn = Quat::from_rotation_z(random.range(0.0, 6.3)) * Quat::from_rotation_x(lean);
                let pose = Pose::new(turn, at).unwrap();
                let shape = match random.below(2) {
                    0 => cuboid(v(random.range(1.0, 4.5), 0.5, random.range(0.3, 1.5))),
                    _ => angle(random.range(1.0, 3.0), 0.5, [-0.6, random.range(-0.2, 0.6)]),
                };
                Placed { body: Movable::new(shape), pose }
            })
            .collect();
        for (x, y) in [(5.0, 0.0), (-5.0, 0.0), (0.0, 5.0), (0.0, -5.0)] {
            let size = if x == 0.0 { v(11.0, 0.5, 2.0) } else { v(0.5, 11.0, 2.0) };
            obstacles.push(placed(cuboid(size), v(x, y, 0.0)));
        }
        let mut task =
            task(vec![placed(lead, Vec3::ZERO)], obstacles, Vec3::ZERO, Vec3::ZERO, Rule::default());
        task.start = Pose::new(turn, Vec3::ZERO).unwrap();
        let place = |i: i32| step * v(f64::from(i / N - N / 2), f64::from(i % N - N / 2), 0.0);
        let hits = |at: Vec3, obstacle: &Placed| {
            let a_from_b = Pose::new(turn, at).unwrap().inverse() * obstacle.pose;
            let [a, b] = [&task.moving[0], obstacle].map(|placed| placed.body.prepared());
            freiraum_query::intersects(a, b, &a_from_b).unwrap()
        };
        let is_free: Vec<bool> =
            (0..N * N).map(|i| !task.obstacles.iter().any(|obstacle| hits(place(i), obstacle))).collect();
        let free: Vec<i32> = (0..N * N).filter(|&i| is_free[i as usize]).collect();
        if free.len() < 2 {
            continue;
        }
        let [from, to] = [free[random.below(free.len())], free[random.below(free.len())]];
        let mut is_reached = vec![false; is_free.len()];
        let mut open = vec![from];
        while let Some(i) = open.pop() {
            if is_free[i as usize] && !std::mem::replace(&mut is_reached[i as usize], true) {
                let [x, y] = [i / N, i % N];
                let beside = [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]];
                let is_in = |c: &&[i32; 2]| c.iter().all(|k| (0..N).contains(k));
                open.extend(beside.iter().filter(is_in).map(|c| c[0] * N + c[1]));
            }
        }
        task.start = Pose::new(turn, place(from)).unwrap();
        task.goal = Pose::new(turn, place(to)).unwrap();
        match plan(&task, &Plane::GROUND, &PlaneLimits::default()) {
            Outcome::Path(_) => {
                path(&task, &Plane::GROUND);
                ways += 1;
            }
            Outcome::NoPath(reason) => {
                assert!(!is_reached[to as usize], "{round}: {reason}");
                none += 1;
            }
            other => panic!("{round}: {other:?}"),
        }
    }
    assert!(rounds < 60 || (ways > 8 && none > 4), "{ways} {none}");
}

/// Round bodies, groups, half spaces, clearances and allowances. From one place of a grid to the next it is certainly free where the distances at both are
/// together more than the step.
#[test]
fn where_distances_prove_a_way_none_is_denied() {
    const N: i32 = 44;
    let step = 0.2;
    let mut random = Random::new(23);
    let (mut ways, mut none, mut unknown) = (0, 0, 0);
    let rounds = cases(24);
    for round in 0..rounds {
        let shape = |random: &mut Random, large: f64| {
            let (a, b) = (random.range(0.3, large), random.range(0.3, large));
            match random.below(7) {
                0 => Shape::Sphere(Sphere::new(0.5 * a).unwrap()),
                1 => Shape::Cylinder(Cylinder::new(0.5 * a, b).unwrap()),
                2 => Shape::Capsule(Capsule::new(0.4 * a, b).unwrap()),
                3 => Shape::Cone(Cone::new(0.5 * a, b).unwrap()),
                4 => angle(a, 0.3 * a, [-0.5, 0.5]),
                _ => cuboid(v(a, b, random.range(0.3, 1.5))),
            }
        };
        let turn = |random: &mut Random| match random.below(3) {
            0 => random.rotation(),
            1 => Quat::from_rotation_z(random.range(0.0, 6.3)),
            _ => Quat::IDENTITY,
        };
        let mut moving = vec![placed(shape(&mut random, 1.2), Vec3::ZERO)];
        if random.below(3) == 0 {
            let pose = Pose::new(turn(&mut random), random.in_cube(0.8)).unwrap();
            moving.push(Placed { body: Movable::new(shape(&mut random, 1.0)), pose });
        }
        let mut obstacles: Vec<Placed> = (0..12 + random.below(16))
            .map(|_| {
                let at = v(random.range(-4.5, 4.5), random.range(-4.5, 4.5), random.range(-0.5, 0.5));
                let pose = Pose::new(turn(&mut random), at).unwrap();
                Placed { body: Movable::new(shape(&mut random, 3.0)), pose }
            })
            .collect();
        let are_endless = random.below(2) == 0;
        for normal in [Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y] {
            obstacles.push(if are_endless {
                placed(Shape::HalfSpace(HalfSpace::new(normal, -4.5).unwrap()), Vec3::ZERO)
            } else {
                placed(cuboid(Vec3::splat(0.5) + 10.0 * (Vec3::ONE - normal.abs())), -4.75 * normal)
            });
        }
        let rule = Rule {
            clearance: [0.0, 0.0, 0.15][random.below(3)],
            allowance: [0.0, 0.0, 0.05][random.below(3)],
            ..Rule::default()
        };
        let mut task = task(moving, obstacles, Vec3::ZERO, Vec3::ZERO, rule);
        let turn = turn(&mut random);
        let place = |i: i32| step * v(f64::from(i / N - N / 2), f64::from(i % N - N / 2), 0.0);
        let room: Vec<f64> = (0..N * N)
            .map(|i| {
                let lead = Pose::new(turn, place(i)).unwrap();
                let pairs = task.moving.iter().flat_map(|a| task.obstacles.iter().map(move |b| (a, b)));
                let mut least = f64::INFINITY;
                for (a, b) in pairs {
                    let a_from_b = (lead * a.pose).inverse() * b.pose;
                    let [first, second] = [a, b].map(|placed| placed.body.prepared());
                    let found = freiraum_query::distance(first, second, &a_from_b).unwrap();
                    least = least.min(found.distance - rule.clearance);
                    if least <= 0.0 {
                        break;
                    }
                }
                least
            })
            .collect();
        let free: Vec<i32> = (0..N * N).filter(|&i| room[i as usize] > 0.001).collect();
        if free.len() < 2 {
            continue;
        }
        let [from, to] = [free[random.below(free.len())], free[random.below(free.len())]];
        let mut is_reached = vec![false; room.len()];
        let mut open = vec![from];
        while let Some(i) = open.pop() {
            if std::mem::replace(&mut is_reached[i as usize], true) {
                continue;
            }
            let [x, y] = [i / N, i % N];
            for [x, y] in [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]] {
                if (0..N).contains(&x) && (0..N).contains(&y) {
                    let next = x * N + y;
                    if room[i as usize].min(room[next as usize]) > 0.0
                        && room[i as usize] + room[next as usize] > step + 1e-5
                    {
                        open.push(next);
                    }
                }
            }
        }
        task.start = Pose::new(turn, place(from)).unwrap();
        task.goal = Pose::new(turn, place(to)).unwrap();
        match plan(&task, &Plane::GROUND, &PlaneLimits::default()) {
            Outcome::Path(_) => {
                // At sharp corners bodies made smaller leave more than the allowance.
                if rule.allowance == 0.0 {
                    path(&task, &Plane::GROUND);
                }
                ways += 1;
            }
            Outcome::NoPath(reason) => {
                assert!(!is_reached[to as usize], "{round}: {reason}");
                none += 1;
            }
            Outcome::GaveUp(reason) => {
                eprintln!("{round}: {reason}, is reached: {}", is_reached[to as usize]);
                unknown += 1;
            }
        }
    }
    eprintln!("{ways} ways, {none} none, {unknown} unknown");
    assert!(rounds < 24 || (ways > 5 && none > 3 && unknown < 3), "{ways} {none} {unknown}");
}

/// Two stars on a floor, with many faces that are not convex together, coplanar caps and equal heights.
#[test]
fn many_faces() {
    let star = |radius: f64, count: u32| {
        let place = |k: u32| {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(count);
            let r = radius * (1.0 + 0.2 * (5.0 * angle).cos());
            v(r * angle.cos(), r * angle.sin(), 0.0)
        };
        let mut vertices: Vec<Vec3> = (0..count).map(place).collect();
        vertices.extend((0..count).map(|k| place(k) * 0.8 + Vec3::Z));
        vertices.extend([Vec3::ZERO, Vec3::Z]);
        let mut faces = Vec::new();
        for k in 0..count {
            let next = (k + 1) % count;
            faces.extend([[k, next, next + count], [k, next + count, k + count]]);
            faces.extend([[2 * count, next, k], [2 * count + 1, k + count, next + count]]);
        }
        Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap()))
    };
    let obstacles = vec![placed(star(1.0, 60), Vec3::ZERO), placed(star(1.0, 60), v(3.0, 1.0, 0.1))];
    let body = vec![placed(star(0.5, 40), Vec3::ZERO)];
    let mut task = task(body, obstacles, v(-4.0, 0.5, 0.0), v(6.0, 0.5, 0.0), Rule::default());
    let way = path(&task, &Plane::GROUND);
    assert!(way.len() > 4 && length(&way) < 11.1, "{} {way:?}", length(&way));
    // Between two stars that are too close for it.
    task.obstacles[1].pose = Pose::from_translation(v(2.2, 0.0, 0.0));
    let walls = [block([0.0, -6.0, 0.0], [0.2, -0.5, 2.0]), block([2.2, 0.5, 0.0], [2.4, 6.0, 2.0])];
    let ends = [block([0.0, -6.2, 0.0], [9.0, -6.0, 2.0]), block([0.0, 0.5, 0.0], [0.2, 6.0, 2.0])];
    let closing = [block([0.0, 6.0, 0.0], [9.0, 6.2, 2.0]), block([8.8, -6.0, 0.0], [9.0, 6.0, 2.0])];
    task.obstacles.extend(walls.into_iter().chain(ends).chain(closing));
    task.rules = vec![vec![Rule::default(); task.obstacles.len()]];
    no_path(&task, &Plane::GROUND);
}
