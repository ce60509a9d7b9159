//! The piano in the room: found, checked as a step of the plan, and proven impossible where the door is too narrow.

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, PlanVerdict, Timeline, check};
use freiraum_demo as demo;
use freiraum_geometry::{Pose, Vec3};
use freiraum_planning::path::plane::{Plane, PlaneLimits, plan, planes};
use freiraum_planning::path::{Outcome, Placed, Rule, Task};
use freiraum_scene::{Piece, Scene, Travel};

fn task(scene: &Scene) -> Task {
    let parts = ShapeCache::of(scene);
    let moving = &scene.groups[0].members;
    let start = scene.bodies[moving[0]].pose;
    let goal = scene.bodies[moving[0]].goal.unwrap();
    let placed = |body: usize, frame_from_world: Pose| Placed {
        body: parts.movable(body).unwrap().clone(),
        pose: frame_from_world * scene.bodies[body].pose,
    };
    let others: Vec<usize> = (0..scene.bodies.len()).filter(|body| !moving.contains(body)).collect();
    Task {
        moving: moving.iter().map(|&body| placed(body, start.inverse())).collect(),
        obstacles: others.iter().map(|&body| placed(body, Pose::IDENTITY)).collect(),
        rules: vec![vec![Rule::default(); others.len()]; moving.len()],
        start,
        goal,
    }
}

fn verdict(scene: &Scene) -> PlanVerdict {
    let timeline = Timeline::of(scene).unwrap();
    let memory = CheckMemory::default();
    check(scene, &timeline, &ShapeCache::of(scene), &memory, &CheckOptions::default()).unwrap().verdict
}

#[test]
fn the_piano_gets_to_the_hall() {
    let mut scene = demo::piano();
    let task = task(&scene);
    assert_eq!(planes(&task)[0], Plane::GROUND);
    let Outcome::Path(travels) = plan(&task, &Plane::GROUND, &PlaneLimits::default()) else { panic!() };
    assert!(travels.len() >= 5, "{travels:?}");
    let lengths = travels.iter().map(|travel| match travel {
        Travel::Translate(by) => by.length(),
        other => panic!("{other:?}"),
    });
    let straight = (task.goal.translation() - task.start.translation()).length();
    assert!(lengths.clone().sum::<f64>() > 1.1 * straight);
    let pieces = lengths.zip(&travels).map(|(share, travel)| Piece { travel: travel.clone(), share });
    scene.steps[0].moves[0].travel = Travel::Path(pieces.collect());
    assert_eq!(verdict(&scene), PlanVerdict::Free);
    scene.steps[0].moves[0].travel = Travel::To(task.goal);
    assert_eq!(verdict(&scene), PlanVerdict::Collision);
}

#[test]
fn a_narrower_door_holds_it() {
    let mut scene = demo::piano();
    let wall = scene.body("wall north of the door").unwrap();
    // The door is 1.7 m wide, the piano 1.5 m.
    for (shift, is_open) in [(0.19, true), (0.21, false)] {
        scene.bodies[wall].pose = Pose::from_translation(Vec3::new(0.0, -shift, 0.0));
        match plan(&task(&scene), &Plane::GROUND, &PlaneLimits::default()) {
            Outcome::Path(_) => assert!(is_open, "{shift}"),
            Outcome::NoPath(_) => assert!(!is_open, "{shift}"),
            Outcome::GaveUp(why) => panic!("{shift}: {why}"),
        }
    }
}
