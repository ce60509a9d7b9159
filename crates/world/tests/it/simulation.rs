//! Scenes in time: against closed forms, saved and resumed, events, goals, what is refused.

use crate::scenes::{ball, body, boxes, ground, run, simulation, try_simulation, vehicle};
use freiraum_geometry::shape::Cuboid;
use freiraum_geometry::{Pose, Shape, Unit, Vec3};
use freiraum_scene::{Color, Contacts, Goal, Kind, Mass, Physics, Place, Scene, VehicleModel};
use freiraum_world::event::{Event, EventFilter, EventKind};
use freiraum_world::record::{self, Recording};
use freiraum_world::{ResumeError, dynamics};

#[test]
fn falls_as_galilei_says() {
    let mut scene = Scene::default();
    let ball = ball(&mut scene, "ball", Vec3::new(0.0, 0.0, 50.0), Vec3::new(1.0, 0.0, 2.0));
    let mut world = simulation(&scene);
    run(&mut world, 1500);
    assert_eq!(world.steps(), 1500);
    let (t, at) = (world.time(), world.pose(ball).translation());
    let expected = Vec3::new(t, 0.0, 50.0 + 2.0 * t - 0.5 * 9.81 * t * t);
    assert!((at - expected).length() < 1e-10, "{at} {expected}");
    let energy = 2.0 * (0.5 * 5.0 + 9.81 * 50.0);
    assert!((world.energy() - energy).abs() < 1e-9 * energy);
    // The air: v = v0 exp(-drag t).
    scene.world.settings.drag = 0.5;
    scene.world.settings.gravity = Vec3::ZERO;
    let mut world = simulation(&scene);
    run(&mut world, 1000);
    let speed = world.velocity(ball)[0].x;
    assert!((speed - (-0.5_f64).exp()).abs() < 1e-9, "{speed}");
}

#[test]
fn small_robots_fall_in_their_own_units() {
    // 1 unit = 10 cm, steps of 50 ms, grams: gravity is 0.24525 units per step squared.
    let mut scene = Scene { units: Unit::Decimetre, ..Scene::default() };
    scene.world.settings.step = 0.05;
    let apple = ball(&mut scene, "apple", Vec3::new(0.0, 0.0, Unit::Decimetre.to_metres(100.0)), Vec3::ZERO);
    scene.world.physics[apple].1.mass = Mass::Kilograms(150.0 / 1000.0);
    let per_step = scene.units.from_metres(-scene.world.settings.gravity.z) * 0.05 * 0.05;
    assert!((per_step - 0.24525).abs() < 1e-15, "{per_step}");
    let mut world = simulation(&scene);
    for n in 1..=20 {
        world.step();
        let n = f64::from(n);
        let [linear, _] = world.velocity(apple);
        assert!((scene.units.from_metres(-linear.z) * 0.05 - 0.24525 * n).abs() < 1e-12, "{n}");
        let height = scene.units.from_metres(world.pose(apple).translation().z);
        assert!((height - (100.0 - 0.5 * 0.24525 * n * n)).abs() < 1e-11, "{n} {height}");
    }
    assert!((world.engine().mass(world.body(apple)) - 0.15).abs() < 1e-15);
}

#[test]
fn friction_is_the_product_and_restitution_the_smaller_one() {
    let mut scene = Scene::default();
    ground(&mut scene);
    let cube = Shape::Cuboid(Cuboid::new(Vec3::splat(0.2)).unwrap());
    let physics = Physics { friction: 0.3, velocity: Vec3::X, ..Physics::of_unsaid(false) };
    let sliding = body(&mut scene, "sliding", cube, Vec3::new(0.0, 0.0, 0.1), physics);
    let bouncing = ball(&mut scene, "bouncing", Vec3::new(0.0, 2.0, 1.1), Vec3::ZERO);
    scene.world.physics[bouncing].1.restitution = 0.5;
    let mut world = simulation(&scene);
    let events = run(&mut world, 2000);
    // v²/(2 mu g).
    let way = world.pose(sliding).translation().x;
    assert!((way - 1.0 / (2.0 * 0.3 * 9.81)).abs() < 2e-3, "{way}");
    // It falls for sqrt(2 h / g), and rises to a quarter of the height.
    let first = events.iter().find(|event| event.bodies(&scene).contains(&bouncing)).unwrap();
    assert!((first.time - (2.0_f64 / 9.81).sqrt()).abs() < 3e-3, "{first:?}");
    let EventKind::Collision { bodies, point, normal, impulse } = first.kind.clone() else {
        panic!("{first:?}")
    };
    assert_eq!(bodies, [0, bouncing]);
    assert!((point - Vec3::new(0.0, 2.0, 0.0)).length() < 5e-3 && (normal - Vec3::Z).length() < 1e-9);
    assert!((impulse - 1.5 * 2.0 * (2.0_f64 * 9.81).sqrt()).abs() < 0.1, "{impulse}");
}

#[test]
fn resumed_worlds_go_on_bit_for_bit() {
    let mut scene = Scene::default();
    ground(&mut scene);
    boxes(&mut scene, 12);
    let last = ball(&mut scene, "ball", Vec3::new(-2.0, 0.0, 0.5), Vec3::new(8.0, 0.0, 1.0));
    scene.world.physics[last].1.restitution = 0.6;
    let mut straight = simulation(&scene);
    // In the middle of impacts and of stacks.
    for steps in [130, 377] {
        run(&mut straight, steps);
        let saved = straight.save();
        let mut resumed = simulation(&scene);
        run(&mut resumed, 17);
        resumed.resume(&saved).unwrap();
        assert_eq!((resumed.steps(), resumed.time()), (straight.steps(), straight.time()));
        assert_eq!(resumed.save(), saved);
        for _ in 0..300 {
            let events = [run(&mut straight, 1), run(&mut resumed, 1)];
            assert_eq!(events[0], events[1]);
            assert_eq!(straight.state_hash(), resumed.state_hash(), "step {}", straight.steps());
        }
        assert_eq!(straight.save(), resumed.save());
    }
}

#[test]
fn springs_and_joints_are_saved_too() {
    let mut scene = Scene::default();
    ground(&mut scene);
    boxes(&mut scene, 3);
    for (_, physics) in &mut scene.world.physics {
        physics.contacts = Contacts::Springs { stiffness: 50_000.0, damping: 500.0 };
    }
    let joined = |scene: &Scene| {
        let mut world = simulation(scene);
        let bodies = [world.body(1), world.body(2)];
        let tilted = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.7).unwrap();
        let frames = [tilted * Pose::from_translation(Vec3::new(0.0, 0.0, 0.125)), tilted];
        world.engine_mut().add_joint(dynamics::Joint::ball(bodies, frames)).unwrap();
        world
    };
    let mut straight = joined(&scene);
    run(&mut straight, 200);
    let saved = straight.save();
    let mut resumed = joined(&scene);
    resumed.resume(&saved).unwrap();
    run(&mut straight, 200);
    run(&mut resumed, 200);
    assert_eq!(straight.save(), resumed.save());
}

#[test]
fn other_worlds_are_not_resumed() {
    let mut scene = Scene::default();
    ground(&mut scene);
    boxes(&mut scene, 2);
    let mut world = simulation(&scene);
    run(&mut world, 10);
    let saved = world.save();
    assert_eq!(world.resume(b"PNG"), Err(ResumeError::NotSaved));
    assert_eq!(world.resume(b"freiraum world 99\n"), Err(ResumeError::OtherVersion));
    for at in [20, 60, saved.len() / 2, saved.len() - 1] {
        let mut broken = saved.clone();
        broken[at] ^= 1;
        assert_eq!(world.resume(&broken), Err(ResumeError::Damaged), "{at}");
        assert_eq!(world.resume(&saved[..at]), Err(ResumeError::Damaged), "{at}");
    }
    // Another place in the file is the same scene; another pose is not.
    scene.bodies[1].place = Place { start: 3, end: 7 };
    assert_eq!(simulation(&scene).resume(&saved), Ok(()));
    scene.bodies[1].pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.151));
    assert_eq!(simulation(&scene).resume(&saved), Err(ResumeError::OtherScene));
}

#[test]
fn goals_count_and_put_the_ball_back() {
    let mut scene = Scene::default();
    scene.world.settings.gravity = Vec3::ZERO;
    let net = Shape::Cuboid(Cuboid::new(Vec3::splat(1.0)).unwrap());
    let net = body(&mut scene, "net", net, Vec3::new(2.0, 0.0, 0.0), Physics::of_unsaid(false));
    let ball = ball(&mut scene, "ball", Vec3::ZERO, Vec3::X);
    let goal = |resets| Goal { name: "left".to_owned(), body: net, ball, resets, place: Place::default() };
    scene.world.goals.push(goal(false));
    let mut world = simulation(&scene);
    let events = run(&mut world, 4000);
    // It flies through the net as if it was not there, and scores once.
    assert_eq!((events.len(), world.scores()), (1, &[1][..]));
    assert!((events[0].time - 1.5).abs() < 2e-3, "{events:?}");
    assert!((world.pose(ball).translation() - Vec3::new(4.0, 0.0, 0.0)).length() < 1e-9);
    scene.world.goals[0] = goal(true);
    let mut world = simulation(&scene);
    let events = run(&mut world, 4000);
    assert_eq!(world.scores(), &[2]);
    assert!((events[1].time - 3.0).abs() < 4e-3, "{events:?}");
    let saved = world.save();
    let mut resumed = simulation(&scene);
    resumed.resume(&saved).unwrap();
    assert_eq!(resumed.scores(), &[2]);
}

#[test]
fn events_are_filtered() {
    let mut scene = Scene::default();
    ground(&mut scene);
    let a = ball(&mut scene, "a", Vec3::new(0.0, 0.0, 0.5), Vec3::ZERO);
    let b = ball(&mut scene, "b", Vec3::new(1.0, 0.0, 0.101), Vec3::ZERO);
    let mut world = simulation(&scene);
    let mut events = run(&mut world, 1000);
    events.push(Event { time: 1.0, kind: EventKind::Warning { vehicle: None, message: "late".to_owned() } });
    let passed = |filter: &EventFilter| {
        events
            .iter()
            .filter(|event| filter.passes(event, &scene))
            .flat_map(|e| e.bodies(&scene))
            .collect::<Vec<_>>()
    };
    assert!(passed(&EventFilter::default()).contains(&a) && passed(&EventFilter::default()).contains(&b));
    let only = passed(&EventFilter { of: vec![a], ..EventFilter::default() });
    assert!(only.contains(&a) && !only.contains(&b));
    let hard =
        passed(&EventFilter { least_impulse: 1.0, without: vec!["separation"], ..EventFilter::default() });
    assert!(hard.contains(&a) && !hard.contains(&b), "{hard:?}");
    let none = EventFilter { without: vec!["collision", "separation", "goal"], ..EventFilter::default() };
    assert_eq!(events.iter().filter(|event| none.passes(event, &scene)).count(), 1);
}

/// A separation goes where its collision goes.
#[test]
fn separations_of_soft_contacts_are_filtered() {
    let mut scene = Scene::default();
    ground(&mut scene);
    let hard = ball(&mut scene, "hard", Vec3::new(0.0, 0.0, 2.0), Vec3::ZERO);
    let soft = ball(&mut scene, "soft", Vec3::new(1.0, 0.0, 0.13), Vec3::ZERO);
    for ball in [hard, soft] {
        scene.world.physics[ball].1.restitution = 0.9;
    }
    let mut world = simulation(&scene);
    let events = run(&mut world, 800);
    let passed = |least_impulse: f64| {
        let filter = EventFilter { least_impulse, ..EventFilter::default() };
        let passed = events.iter().filter(|event| filter.passes(event, &scene));
        passed.map(|e| (e.kind.name(), e.bodies(&scene)[1])).collect::<Vec<_>>()
    };
    assert!(passed(0.0).contains(&("separation", hard)) && passed(0.0).contains(&("separation", soft)));
    assert_eq!(passed(6.0), [("collision", hard), ("separation", hard)]);
}

#[test]
fn bodies_that_start_inside_of_each_other_are_told_of() {
    let mut scene = Scene { units: Unit::Centimetre, ..Scene::default() };
    ground(&mut scene);
    ball(&mut scene, "deep", Vec3::new(0.0, 0.0, 0.05), Vec3::ZERO);
    ball(&mut scene, "rests", Vec3::new(1.0, 0.0, 0.099), Vec3::ZERO);
    ball(&mut scene, "left", Vec3::new(2.0, 0.0, 0.1), Vec3::ZERO);
    ball(&mut scene, "right", Vec3::new(2.1625, 0.0, 0.1), Vec3::ZERO);
    let block = |scene: &mut Scene, name: &str, x: f64, physics: Physics| {
        let cube = Shape::Cuboid(Cuboid::new(Vec3::splat(0.2)).unwrap());
        body(scene, name, cube, Vec3::new(x, 0.0, 0.1), physics)
    };
    // What is fixed may be in what is fixed, and everything in what does not collide.
    block(&mut scene, "wall", 3.0, Physics::of_unsaid(true));
    block(&mut scene, "corner", 3.1, Physics::of_unsaid(true));
    block(&mut scene, "box", 2.875, Physics::of_unsaid(false));
    let net = block(&mut scene, "net", 4.0, Physics::of_unsaid(true));
    let inside = ball(&mut scene, "inside", Vec3::new(4.0, 0.0, 0.1), Vec3::ZERO);
    let name = "goal".to_owned();
    scene.world.goals.push(Goal { name, body: net, ball: inside, resets: false, place: Place::default() });
    let said = |scene: &Scene| -> Vec<String> {
        simulation(scene).take_events().iter().map(|e| e.describe(scene, |_| String::new())).collect()
    };
    assert_eq!(
        said(&scene),
        [
            "warning: deep starts inside of ground, 5.00 cm deep",
            "warning: left starts inside of right, 3.75 cm deep",
            "warning: box starts inside of wall, 7.50 cm deep",
        ]
    );
    // A heap of many is not told one by one.
    let mut heap = Scene::default();
    (0..20).for_each(|k| _ = ball(&mut heap, &format!("ball {k}"), Vec3::ZERO, Vec3::ZERO));
    let told = said(&heap);
    assert_eq!(told.len(), 21);
    assert_eq!(told[20], "warning: 170 more pairs of bodies start inside of each other");
}

#[test]
fn vehicles_are_painted() {
    let mut scene = Scene::default();
    let number = vehicle(&mut scene, VehicleModel::Khepera, Pose::IDENTITY, None);
    let colors = |scene: &Scene| -> Vec<Option<Color>> {
        simulation(scene).scene().bodies.iter().map(|body| body.color).collect()
    };
    let plain = colors(&scene);
    scene.world.vehicles[number].color = Some(Color([1, 2, 3]));
    let painted = colors(&scene);
    // The wheels stay black.
    assert_eq!(painted[0], Some(Color([1, 2, 3])));
    assert_eq!((painted.len(), &painted[1..]), (plain.len(), &plain[1..]));
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    let refused = |scene: &Scene| match try_simulation(scene) {
        Ok(_) => panic!("taken"),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    };
    let mut scene = Scene::default();
    ground(&mut scene);
    scene.world.physics[0].1.kind = Kind::Movable;
    assert!(refused(&scene).contains("\"ground\" is endless and cannot move; add fixed = true"));
    scene.world.physics[0].1.is_active = false;
    simulation(&scene);
}

#[test]
fn recordings_read_back() {
    let mut scene = Scene::default();
    ground(&mut scene);
    boxes(&mut scene, 2);
    let mut world = simulation(&scene);
    let mut text = record::header(&world, 100.0);
    let mut poses = Vec::new();
    for _ in 0..50 {
        text.push_str(&record::frame(&world));
        poses.push((world.time(), vec![world.pose(1), world.pose(2)]));
        for event in run(&mut world, 10) {
            text.push_str(&record::event(&event, &scene));
        }
    }
    let cut = text.len() - 9;
    let half = Recording::parse(&text[..cut]).unwrap();
    assert!(!half.is_complete);
    text.push_str(&record::end(&world));
    let found = Recording::parse(&text).unwrap();
    assert!(found.is_complete && found.frames == poses && !found.events.is_empty());
    assert_eq!(found.bodies, [("box 0".to_owned(), 1), ("box 1".to_owned(), 2)]);
    assert_eq!(found.scene_hash, record::hex(&world.scene_hash()));
    for (text, message) in [
        ("", "line 1: the recording is empty"),
        ("{}\n", "line 1: this is no recording"),
        ("{\"recording\":1,\"bodies\":[]}\nx\n", "line 2: found no JSON"),
        ("{\"recording\":1,\"bodies\":[]}\n{\"t\":0}\n", "line 2: found neither poses nor an event"),
        ("{\"recording\":1,\"bodies\":[]}\n{\"t\":0,\"poses\":[[0]]}\n", "line 2: expected 0 poses"),
    ] {
        let error = Recording::parse(text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}
