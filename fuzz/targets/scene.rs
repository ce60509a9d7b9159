//! Scene files: any text is a scene or a list of problems, and a scene survives being changed and read again.
#![cfg_attr(feature = "for_libfuzzer", no_main)]

use freiraum_formats::scene::{SceneFile, program};
use std::path::Path;

freiraum_fuzz::target!(|text: &str| {
    let mut file = match SceneFile::parse(text, Path::new("/nonexistent"), "input") {
        Ok(file) => file,
        Err(errors) => {
            assert!(!errors.problems().is_empty() && !errors.render(false).is_empty());
            for problem in errors.problems() {
                assert!(problem.place.start <= problem.place.end && problem.place.end <= text.len());
            }
            return;
        }
    };
    let same = |file: &SceneFile| {
        let again = SceneFile::parse(file.text(), Path::new("/nonexistent"), "again").expect("a scene");
        assert_eq!(format!("{:?}", again.scene()), format!("{:?}", file.scene()));
    };
    same(&file);
    let scene = file.scene().clone();
    for (i, step) in scene.steps.iter().enumerate().take(4) {
        for (k, one) in step.moves.iter().enumerate() {
            file.set_travel(i, k, &one.travel).expect("what was there already");
        }
        for (k, task) in step.tasks.iter().enumerate() {
            file.set_task(i, k, task).expect("what was there already");
        }
        file.rename_step(i, &step.name).expect("what was there already");
    }
    if let Some(step) = scene.steps.first() {
        file.push_step(step).expect("a step like the first");
        file.move_step(scene.steps.len(), 0).expect("a place");
        file.remove_step(0).expect("a step");
    }
    let is_link = |body: &usize| scene.link_of(*body).is_some();
    for i in (0..scene.bodies.len()).filter(|body| !is_link(body)).take(4) {
        file.set_pose(i, &scene.bodies[i].pose).expect("what was there already");
    }
    for (i, robot) in scene.robots.iter().enumerate().take(4) {
        file.set_robot_pose(i, &robot.base).expect("what was there already");
        file.set_start_joints(i, &robot.start).expect("what was there already");
    }
    same(&file);
    let json = program::to_json(&scene);
    assert_eq!(program::from_json(&mut file, &json).expect("a program"), scene.steps.len());
    same(&file);
    program::listing(&scene);
});
