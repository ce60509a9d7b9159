//! Robot files: any text is a robot or a list of problems, as URDF and as SRDF for a small robot; what a robot is can be placed.
#![cfg_attr(feature = "for_libfuzzer", no_main)]

use freiraum_formats::robot::{RobotOptions, parse, srdf};
use freiraum_formats::scene::SceneErrors;
use freiraum_geometry::Pose;
use std::path::Path;

/// The robot that SRDF files speak of.
const ROBOT: &str = r#"<robot name="arm"><link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="prismatic"><parent link="b"/><child link="c"/><limit lower="0" upper="1"/></joint></robot>"#;

fn told(errors: &SceneErrors, text: &str) {
    assert!(!errors.problems().is_empty() && !errors.render(false).is_empty());
    for problem in errors.problems() {
        assert!(problem.place.start <= problem.place.end && problem.place.end <= text.len());
    }
}

freiraum_fuzz::target!(|text: &str| {
    let (folder, options) = (Path::new("/nonexistent"), RobotOptions::default());
    match parse("input", text, folder, &options) {
        Err(errors) => told(&errors, text),
        Ok(found) => {
            let robot = found.robot;
            let values = vec![0.5; robot.freedoms().len()];
            assert_eq!(robot.place(&Pose::IDENTITY, &values).links.len(), robot.links().len());
            robot.outside_limits(&values);
        }
    }
    let robot = parse("robot", ROBOT, folder, &options).expect("a robot").robot;
    match srdf::parse("input", text, &robot) {
        Err(errors) => told(&errors, text),
        Ok(found) => {
            let entry = |pair: &srdf::DisabledPair| srdf::Entry::Disabled(pair.clone(), String::new());
            let entries: Vec<_> = found.disabled.iter().map(entry).collect();
            let again = srdf::parse("again", &srdf::write(&robot, &entries), &robot).expect("SRDF");
            assert_eq!(again.disabled.len(), found.disabled.len());
        }
    }
});
