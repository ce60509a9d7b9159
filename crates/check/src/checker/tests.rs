//! Small plans whose verdicts are known.

use super::*;
use freiraum_geometry::path::Axis;
use freiraum_geometry::shape::Cuboid;
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_scene::{Body, Geometry, Move, PairRule, Piece, Place, State, Step, Travel};
use std::f64::consts::FRAC_PI_2;

const Z: Vec3 = Vec3::Z;

fn cuboid(name: &str, size: [f64; 3], at: [f64; 3]) -> Body {
    let shape = Shape::Cuboid(Cuboid::new(Vec3::from_array(size)).unwrap());
    Body {
        name: name.to_owned(),
        geometry: Geometry::Shape(shape),
        is_fixed: false,
        color: None,
        pose: Pose::from_translation(Vec3::from_array(at)),
        goal: None,
        place: Place::default(),
    }
}

fn travel(bodies: &[usize], travel: Travel) -> Move {
    Move { subject: "it".to_owned(), bodies: bodies.to_vec(), travel, place: Place::default() }
}

fn step(moves: Vec<Move>) -> Step {
    Step { name: "step".to_owned(), moves, tasks: Vec::new(), seconds: 1.0, place: Place::default() }
}

fn by(x: f64, y: f64, z: f64) -> Travel {
    Travel::Translate(Vec3::new(x, y, z))
}

/// A unit cube beside a wall of 1 x 10 x 10 whose face is at x = 2.
fn cube_and_wall() -> Scene {
    let bodies = vec![cuboid("cube", [1.0; 3], [0.0; 3]), cuboid("wall", [1.0, 10.0, 10.0], [2.5, 0.0, 0.0])];
    Scene { bodies, ..Scene::default() }
}

fn with_step(scene: &Scene, moves: Vec<Move>) -> Scene {
    Scene { steps: vec![step(moves)], ..scene.clone() }
}

fn result(scene: &Scene) -> Report {
    let timeline = Timeline::of(scene).unwrap();
    let memory = CheckMemory::default();
    let first = check(scene, &timeline, &ShapeCache::of(scene), &memory, &CheckOptions::default()).unwrap();
    // From memory, here and written down, the same comes out.
    let written = CheckMemory::from_bytes(&memory.to_bytes());
    let again = check(scene, &timeline, &ShapeCache::of(scene), &written, &CheckOptions::default()).unwrap();
    assert_eq!(Report { pairs_remembered: 0, ..again }, first);
    assert_eq!(again.pairs_remembered, again.pairs_tested);
    first
}

#[track_caller]
fn close_to(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found}, expected {expected}");
}

#[test]
fn a_free_step_has_its_clearance() {
    let scene = with_step(&cube_and_wall(), vec![travel(&[0], by(1.2, 0.0, 0.0))]);
    let found = result(&scene);
    assert_eq!(found.verdict, PlanVerdict::Free);
    let closest = found.steps[0].closest.unwrap();
    close_to(closest.distance, 0.3);
    close_to(closest.time, 1.0);
    assert_eq!((closest.pair, closest.required), ([0, 1], 0.0));
    close_to(closest.points[1].x, 2.0);
}

#[test]
fn a_collision_has_its_time_and_place() {
    let found = result(&with_step(&cube_and_wall(), vec![travel(&[0], by(2.0, 0.0, 0.0))]));
    assert_eq!(found.verdict, PlanVerdict::Collision);
    let step = &found.steps[0];
    assert!(step.closest.is_none() && step.findings.len() == 1);
    close_to(step.findings[0].time, 0.75);
    let FindingKind::Contact { point, normal, .. } = step.findings[0].kind else { panic!("{step:?}") };
    close_to(point.x, 2.0);
    close_to(normal.x, 1.0);
}

#[test]
fn what_comes_too_close_is_told_how_much_is_missing_and_where_to_go() {
    let scene =
        Scene { clearance: 0.5, ..with_step(&cube_and_wall(), vec![travel(&[0], by(1.2, 0.0, 0.0))]) };
    let found = result(&scene);
    assert_eq!(found.verdict, PlanVerdict::TooClose);
    let finding = found.steps[0].findings[0];
    let FindingKind::TooClose { distance, required, give_way, .. } = finding.kind else {
        panic!("{finding:?}")
    };
    close_to(distance, 0.3);
    assert_eq!(required, 0.5);
    close_to(give_way.x, -1.0);
    // Just enough is enough.
    assert_eq!(result(&Scene { clearance: 0.3, ..scene }).verdict, PlanVerdict::Free);
}

#[test]
fn a_pair_has_a_rule_of_its_own() {
    let scene = with_step(&cube_and_wall(), vec![travel(&[0], by(1.2, 0.0, 0.0))]);
    let rule = |clearance, allowance, ignore: Option<&str>| {
        let ignore = ignore.map(str::to_owned);
        let rule = PairRule {
            bodies: [vec![1], vec![0]],
            clearance,
            allowance,
            approach: None,
            ignore,
            place: Place::default(),
        };
        Scene { pairs: vec![rule], clearance: 0.1, ..scene.clone() }
    };
    assert_eq!(result(&rule(Some(0.4), None, None)).verdict, PlanVerdict::TooClose);
    assert_eq!(result(&rule(Some(0.2), None, None)).verdict, PlanVerdict::Free);
    let through =
        |rule: Scene| result(&Scene { steps: vec![step(vec![travel(&[0], by(2.0, 0.0, 0.0))])], ..rule });
    assert_eq!(through(rule(None, None, None)).verdict, PlanVerdict::Collision);
    assert_eq!(through(rule(None, None, Some("a curtain"))).verdict, PlanVerdict::Free);
    // 0.5 deep at the end.
    assert_eq!(through(rule(None, Some(0.6), None)).verdict, PlanVerdict::Free);
    assert_eq!(through(rule(None, Some(0.4), None)).verdict, PlanVerdict::Collision);
}

#[test]
fn what_rests_may_slide_lift_and_settle() {
    let table = cuboid("table", [10.0, 10.0, 1.0], [0.0, 0.0, -1.0]);
    let scene = Scene {
        bodies: vec![cuboid("block", [1.0; 3], [0.0; 3]), table],
        clearance: 0.1,
        ..Scene::default()
    };
    for (travel_by, verdict) in [
        (by(2.0, 1.0, 0.0), PlanVerdict::Free),
        (by(0.0, 0.0, 1.0), PlanVerdict::Free),
        (by(0.0, 0.0, -0.1), PlanVerdict::Collision),
        (
            Travel::Turn { axis: Axis::new(Vec3::ZERO, Z).unwrap(), angle: 1.0, advance: 0.0 },
            PlanVerdict::Free,
        ),
        (
            Travel::Turn { axis: Axis::new(Vec3::ZERO, Vec3::X).unwrap(), angle: 1.0, advance: 0.0 },
            PlanVerdict::Collision,
        ),
    ] {
        let found = result(&with_step(&scene, vec![travel(&[0], travel_by.clone())]));
        assert_eq!(found.verdict, verdict, "{travel_by:?} {found:?}");
        assert!(found.start.is_empty());
        if verdict == PlanVerdict::Free {
            assert_eq!(found.steps[0].fits, [[0, 1]]);
            assert_eq!(found.steps[0].closest.unwrap().distance, 0.0);
        }
    }
    // From above down onto the table and, in the next step, along it.
    let mut above = scene.clone();
    above.bodies[0].pose = Pose::from_translation(Vec3::new(0.1, 0.2, 0.7));
    above.steps =
        vec![step(vec![travel(&[0], by(0.0, 0.0, -0.7))]), step(vec![travel(&[0], by(0.3, 0.0, 0.0))])];
    assert_eq!(result(&above).verdict, PlanVerdict::Free);
    // A clearance that is stated for the pair holds for it outside of contact and approach.
    let rule = |approach: Option<f64>| PairRule {
        bodies: [vec![0], vec![1]],
        clearance: Some(0.05),
        allowance: None,
        approach,
        ignore: None,
        place: Place::default(),
    };
    let stated = |approach| result(&Scene { pairs: vec![rule(approach)], ..above.clone() }).verdict;
    assert_eq!(stated(None), PlanVerdict::Free);
    assert_eq!(stated(Some(0.0496)), PlanVerdict::Free);
    assert_eq!(stated(Some(0.0494)), PlanVerdict::TooClose);
}

#[test]
fn overlaps_at_the_start_are_found_once_and_in_the_steps_that_move_them() {
    let mut scene = cube_and_wall();
    scene.bodies.push(cuboid("other", [1.0; 3], [0.8, 0.0, 0.0]));
    scene.bodies.push(cuboid("far", [1.0; 3], [-30.0, 0.0, 0.0]));
    scene.steps =
        vec![step(vec![travel(&[3], by(1.0, 0.0, 0.0))]), step(vec![travel(&[0], by(-1.0, 0.0, 0.0))])];
    let found = result(&scene);
    assert_eq!((found.verdict, found.start.len()), (PlanVerdict::Collision, 1));
    assert_eq!(found.start[0].pair, [0, 2]);
    let FindingKind::Overlap { depth, .. } = found.start[0].kind else { panic!("{found:?}") };
    close_to(depth.unwrap(), 0.2);
    assert_eq!([found.steps[0].verdict, found.steps[1].verdict], [PlanVerdict::Free, PlanVerdict::Collision]);
    // With enough allowance nothing is wrong.
    assert_eq!(result(&Scene { allowance: 0.25, ..scene }).verdict, PlanVerdict::Free);
}

#[test]
fn groups_and_parallel_moves() {
    let bodies = vec![
        cuboid("a", [1.0; 3], [0.0; 3]),
        cuboid("b", [1.0; 3], [0.0, 0.0, 1.0]),
        cuboid("c", [1.0; 3], [3.0, 0.0, 0.0]),
    ];
    let scene = Scene { bodies, ..Scene::default() };
    // a and b together: they do not move against each other, and b is carried along the arc.
    let turn = Travel::Turn { axis: Axis::new(Vec3::ZERO, Vec3::Y).unwrap(), angle: FRAC_PI_2, advance: 0.0 };
    let found = result(&with_step(&scene, vec![travel(&[0, 1], turn)]));
    assert_eq!(found.verdict, PlanVerdict::Free);
    let closest = found.steps[0].closest.unwrap();
    // The edge of b that is farthest out, at sqrt(1.5² + 0.5²), beside the face of c at x = 2.5.
    close_to(closest.distance, 2.5 - 2.5f64.sqrt());
    assert_eq!(closest.pair, [1, 2]);
    // a follows c at the same speed: they stay apart; alone it would collide.
    let together = vec![travel(&[0], by(3.0, 0.0, 0.0)), travel(&[2], by(3.0, 0.0, 0.0))];
    let found = result(&with_step(&scene, together));
    assert_eq!(found.verdict, PlanVerdict::Free);
    assert_eq!(
        result(&with_step(&scene, vec![travel(&[0], by(3.0, 0.0, 0.0))])).verdict,
        PlanVerdict::Collision
    );
    // A pose for a group is that of its first body.
    let to = Travel::To(Pose::from_translation(Vec3::new(0.0, 0.0, 2.0)));
    let timeline = Timeline::of(&with_step(&scene, vec![travel(&[0, 1], to)])).unwrap();
    close_to(timeline.end[1].translation().z, 3.0);
}

#[test]
fn paths_start_where_the_piece_before_ended() {
    let path = Travel::Path(vec![
        Piece { travel: by(0.0, 0.0, 10.0), share: 1.0 },
        Piece { travel: by(5.0, 0.0, 0.0), share: 1.0 },
        Piece { travel: by(0.0, 0.0, -10.0), share: 2.0 },
    ]);
    let found = result(&with_step(&cube_and_wall(), vec![travel(&[0], path.clone())]));
    assert_eq!(found.verdict, PlanVerdict::Free, "{found:?}");
    let mut low = cube_and_wall();
    low.bodies[1] = cuboid("wall", [1.0, 10.0, 22.0], [2.5, 0.0, 0.0]);
    let found = result(&with_step(&low, vec![travel(&[0], path)]));
    close_to(found.steps[0].findings[0].time, 0.25 + 0.25 * 1.5 / 5.0);
}

#[test]
fn states_become_steps() {
    let state = |name: &str, poses: &[(usize, Pose)]| State {
        name: name.to_owned(),
        poses: poses.to_vec(),
        place: Place::default(),
    };
    let at = |x: f64, z: f64| Pose::from_translation(Vec3::new(x, 0.0, z));
    let quarter = Pose::from_axis_angle(Z, FRAC_PI_2).unwrap();
    let mut scene = cube_and_wall();
    scene.bodies.push(cuboid("lid", [1.0; 3], [0.0, 0.0, 1.0]));
    scene.states = vec![
        state("start", &[]),
        state("up", &[(0, at(0.0, 8.0)), (2, at(0.0, 9.0))]),
        state("over", &[(0, at(5.0, 8.0)), (2, quarter * at(0.0, 9.0))]),
    ];
    let timeline = Timeline::of(&scene).unwrap();
    assert_eq!(timeline.stages.len(), 2);
    assert_eq!(timeline.stages[0].movers.len(), 1, "both move by the same way");
    assert_eq!(timeline.stages[0].movers[0].bodies, [0, 2]);
    let movers = &timeline.stages[1].movers;
    assert!(matches!(movers[0].travel(), Some(Travel::Translate(_))));
    let Some(&Travel::Turn { axis, angle, .. }) = movers[1].travel() else {
        panic!("{:?}", movers[1].course)
    };
    close_to(angle, FRAC_PI_2);
    close_to(axis.distance(Vec3::ZERO), 0.0);
    assert_eq!(result(&scene).verdict, PlanVerdict::Free);
    // Turned and lifted along the axis of the turn at once is neither.
    scene.states[2] = state("over", &[(2, Pose::from_translation(Vec3::Z) * quarter * at(0.0, 9.0))]);
    let problems = Timeline::of(&scene).err().unwrap();
    assert!(problems[0].message.contains("it turns by 90° and also shifts by 1 m"), "{problems:?}");
    assert!(problems[0].help.as_ref().unwrap().contains("[0, 0, 10]"), "{problems:?}");
}

#[test]
fn a_step_that_is_still_to_be_planned_is_undecided() {
    let to = Pose::from_translation(Vec3::new(0.0, 3.0, 0.0));
    let found = result(&with_step(&cube_and_wall(), vec![travel(&[0], Travel::Plan { to, planner: None })]));
    assert_eq!(found.verdict, PlanVerdict::Undecided);
    assert_eq!(found.steps[0].findings[0].kind, FindingKind::NoPath);
}

#[test]
fn after_a_change_only_what_saw_it_is_asked_again() {
    // A row of cubes on a table, lifted one after the other.
    let mut scene =
        Scene { bodies: vec![cuboid("table", [40.0, 4.0, 1.0], [0.0, 0.0, -1.0])], ..Scene::default() };
    for k in 0..10 {
        scene.bodies.push(cuboid(&format!("cube {k}"), [1.0; 3], [1.5 * f64::from(k), 0.0, 0.0]));
        scene.steps.push(step(vec![travel(&[k as usize + 1], by(0.0, 0.0, 2.0))]));
    }
    let memory = CheckMemory::default();
    let run = |scene: &Scene| {
        let timeline = Timeline::of(scene).unwrap();
        check(scene, &timeline, &ShapeCache::of(scene), &memory, &CheckOptions::default()).unwrap()
    };
    let first = run(&scene);
    assert_eq!((first.verdict, first.pairs_remembered), (PlanVerdict::Free, 0));
    scene.steps[4] = step(vec![travel(&[5], by(0.0, 0.0, 3.0))]);
    let second = run(&scene);
    assert_eq!(second.verdict, PlanVerdict::Free);
    assert_eq!(second.pairs_tested - second.pairs_remembered, 1, "{second:?}");
}

#[test]
fn the_start_keeps_distances_too() {
    // Neither cube nor wall moves, alone or against the other.
    let mut scene = Scene { clearance: 2.0, ..cube_and_wall() };
    scene.bodies.push(cuboid("far", [1.0; 3], [0.0, 0.0, 30.0]));
    let found = result(&with_step(&scene, vec![travel(&[2], by(0.0, 0.0, 1.0))]));
    assert_eq!((found.verdict, found.steps[0].verdict), (PlanVerdict::TooClose, PlanVerdict::Free));
    assert_eq!((found.start.len(), found.start[0].pair), (1, [0, 1]));
    let FindingKind::TooClose { distance, required, .. } = found.start[0].kind else { panic!("{found:?}") };
    close_to(distance, 1.5);
    assert_eq!(required, 2.0);
    let words = crate::words::start_sentence(&scene, &found.start[0]);
    assert_eq!(
        words,
        "the cube and the wall are 1.5 m apart before anything has moved; 2 m is required: 0.5 m is missing"
    );
    // What touches by design needs none, also if a rule states one.
    scene.bodies[0].pose = Pose::from_translation(Vec3::X * 1.5);
    assert_eq!(result(&scene).verdict, PlanVerdict::Free);
    scene.pairs.push(PairRule {
        bodies: [vec![0], vec![1]],
        clearance: Some(0.1),
        allowance: None,
        approach: None,
        ignore: None,
        place: Place::default(),
    });
    assert_eq!(result(&scene).verdict, PlanVerdict::Free);
}

#[test]
fn a_bound_within_the_error_of_a_remembered_distance_is_asked_anew() {
    // Towards the wall and turned: no exact method, the least distance is known to a hundredth.
    let to = Pose::from_axis_angle(Vec3::new(0.2, 0.3, 1.0), 0.9).unwrap();
    let to = Travel::To(Pose::new(to.rotation(), Vec3::new(0.7, 0.1, 0.2)).unwrap());
    let scene = with_step(&cube_and_wall(), vec![travel(&[0], to)]);
    let memory = CheckMemory::default();
    let run = |scene: &Scene, memory: &CheckMemory| {
        let timeline = Timeline::of(scene).unwrap();
        check(scene, &timeline, &ShapeCache::of(scene), memory, &CheckOptions::default()).unwrap()
    };
    let closest = run(&scene, &memory).steps[0].closest.unwrap();
    for share in [-0.1, 0.0, 0.1, 0.5, 0.9, 1.0, 1.1] {
        let clearance = closest.distance - share * closest.error;
        let asked = Scene { clearance, ..scene.clone() };
        let (fresh, again) = (run(&asked, &CheckMemory::default()), run(&asked, &memory));
        assert_eq!(fresh.steps, again.steps, "{clearance} of {closest:?}");
        assert_ne!(fresh.verdict, PlanVerdict::Undecided, "{clearance} of {closest:?}");
    }
}

#[test]
fn files_are_known_by_all_of_their_content() {
    let folder = std::env::temp_dir().join(format!("freiraum-parts-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let body = |name: &str| Body {
        geometry: Geometry::File {
            path: folder.join(name),
            written: name.to_owned(),
            units: freiraum_geometry::Unit::Metre,
        },
        ..cuboid(name, [1.0; 3], [0.0; 3])
    };
    let corners =
        |z: f32| -> Vec<u8> { [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, z].map(f32::to_le_bytes).concat() };
    let text = "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\
        \"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\
        \"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\
        \"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\"uri\":\"c.bin\"}]}";
    // As JSON, behind much white space, and in a binary file: the corners are in another file each time.
    let padded = format!("{text}{}", " ".repeat(text.len().next_multiple_of(4) - text.len()));
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((padded.len() as u32 + 20).to_le_bytes());
    glb.extend((padded.len() as u32).to_le_bytes());
    glb.extend(b"JSON");
    glb.extend(padded.as_bytes());
    std::fs::write(folder.join("a.gltf"), text).unwrap();
    std::fs::write(folder.join("b.gltf"), format!("{}{text}", " ".repeat(100))).unwrap();
    std::fs::write(folder.join("c.glb"), glb).unwrap();
    let scene = Scene { bodies: ["a.gltf", "b.gltf", "c.glb"].map(body).to_vec(), ..Scene::default() };
    let digests = |z: f32| {
        std::fs::write(folder.join("c.bin"), corners(z)).unwrap();
        let parts = ShapeCache::of(&scene);
        [0, 1, 2].map(|body| parts.digest(body).unwrap())
    };
    let (one, other) = (digests(0.0), digests(0.5));
    for k in 0..3 {
        assert_ne!(one[k], other[k], "{}", scene.bodies[k].name);
    }
    // A file that is written between its digest and its reading.
    let mesh = |z: f64| format!("v 0 0 0\nv 1 0 0\nv 0 1 {z}\nf 1 2 3\n");
    std::fs::write(folder.join("d.obj"), mesh(0.0)).unwrap();
    let parts = ShapeCache::of(&Scene { bodies: vec![body("d.obj")], ..Scene::default() });
    parts.digest(0).unwrap();
    std::fs::write(folder.join("d.obj"), mesh(0.5)).unwrap();
    assert!(parts.movable(0).is_err_and(|error| error.to_string().contains("changed while it was read")));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn surfaces_without_an_inside_are_told() {
    let mut scene = cube_and_wall();
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let sheet = freiraum_geometry::Mesh::new(corners, vec![[0, 1, 2]]).unwrap();
    scene.bodies[1].geometry = Geometry::Shape(Shape::Mesh(std::sync::Arc::new(sheet)));
    assert_eq!(result(&scene).open, [1]);
}

#[test]
fn no_two_motions_share_an_answer() {
    let turn = |point: Vec3, direction: Vec3, angle: f64, advance: f64| Travel::Turn {
        axis: Axis::new(point, direction).unwrap(),
        angle,
        advance,
    };
    let to = |x: f64, angle: f64| {
        let turned = Pose::from_axis_angle(Z, angle).unwrap();
        Travel::To(Pose::from_translation(Vec3::new(x, 0.0, 0.0)) * turned)
    };
    let path = |share: f64, by_x: f64| {
        Travel::Path(vec![
            Piece { travel: by(by_x, 0.0, 0.0), share },
            Piece { travel: by(-0.5, 0.0, 0.0), share: 1.0 },
        ])
    };
    let travels = [
        by(1.0, 0.0, 0.0),
        by(2.0, 0.0, 0.0),
        turn(Vec3::ZERO, Z, 1.0, 0.0),
        turn(Vec3::ZERO, Z, 0.5, 0.0),
        turn(Vec3::ZERO, Z, 1.0, 0.3),
        turn(Vec3::Y, Z, 1.0, 0.0),
        turn(Vec3::ZERO, Vec3::Y, 1.0, 0.0),
        to(0.7, 0.0),
        to(1.9, 0.0),
        to(0.7, 0.5),
        path(1.0, 1.0),
        path(3.0, 1.0),
        path(1.0, 1.8),
    ];
    let shared = CheckMemory::default();
    let mut seen = Vec::new();
    for travelled in travels {
        let scene = with_step(&cube_and_wall(), vec![travel(&[0], travelled)]);
        let timeline = Timeline::of(&scene).unwrap();
        let run = |memory: &CheckMemory| {
            let found = check(&scene, &timeline, &ShapeCache::of(&scene), memory, &CheckOptions::default());
            Report { pairs_remembered: 0, ..found.unwrap() }
        };
        let found = run(&CheckMemory::default());
        assert_eq!(run(&shared), found, "{scene:?}");
        assert!(!seen.contains(&found), "the cases differ: {found:?}");
        seen.push(found);
    }
}

#[test]
fn what_meets_something_stops_where_it_touches() {
    let mut scene = cube_and_wall();
    scene.allowance = 0.02;
    let poses: Vec<Pose> = scene.bodies.iter().map(|body| body.pose).collect();
    let options = CheckOptions::default();
    let found = reach(&scene, &ShapeCache::of(&scene), &poses, &[0], &by(2.0, 0.0, 0.0), &options).unwrap();
    assert!((2.0 * found.share - 1.5).abs() < 1e-9, "{found:?}");
    // The step that it makes is free.
    let step = with_step(&scene, vec![travel(&[0], by(2.0 * found.share, 0.0, 0.0))]);
    assert_eq!(result(&step).verdict, PlanVerdict::Free);
}
