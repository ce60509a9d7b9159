use super::srdf::DisabledPair;
use super::*;
use freiraum_geometry::{Pose, Vec3};
use freiraum_robot::trajectory::{Mode, point_to_point};
use freiraum_robot::{JointKind, Limits, Robot};
use freiraum_testkit::data;
use std::path::Path;

const ARM: &str = r#"<?xml version="1.0"?>
<robot name="arm">
  <link name="base">
    <collision><geometry><box size="1 2 3"/></geometry></collision>
  </link>
  <link name="upper">
    <collision>
      <origin xyz="0 0 0.5" rpy="0 1.5707963267948966 0"/>
      <geometry><cylinder radius="0.1" length="1"/></geometry>
    </collision>
    <collision><geometry><sphere radius="0.2"/></geometry></collision>
  </link>
  <link name="finger"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0 0 1"/><axis xyz="0 0 2"/>
    <limit lower="-1" upper="2" velocity="3" effort="1"/>
  </joint>
  <joint name="grip" type="prismatic">
    <parent link="upper"/><child link="finger"/>
    <limit lower="0" upper="0.5"/>
    <mimic joint="shoulder" multiplier="0.25" offset="0.1"/>
  </joint>
</robot>"#;

fn robot(text: &str) -> Result<Robot, String> {
    let found = parse("arm.urdf", text, Path::new(""), &RobotOptions::default());
    found.map(|found| found.robot).map_err(|errors| errors.to_string())
}

#[test]
fn links_and_joints_are_read() {
    let arm = robot(ARM).unwrap();
    assert_eq!((arm.name(), arm.links().len(), arm.freedoms()), ("arm", 3, &[0][..]));
    let shoulder = &arm.joints()[0];
    assert_eq!((shoulder.kind, shoulder.velocity), (JointKind::Revolute, Some(3.0)));
    assert_eq!((shoulder.axis, shoulder.limits), (Vec3::Z, Limits { lower: -1.0, upper: 2.0 }));
    assert_eq!(arm.joints()[1].axis, Vec3::X);
    assert_eq!(arm.links()[1].collision.len(), 2);
    let placed = arm.place(&Pose::IDENTITY, &[0.8]);
    let finger = placed.links[2].transform_point(Vec3::ZERO);
    assert!(finger.distance(Vec3::new(0.3 * 0.8_f64.cos(), 0.3 * 0.8_f64.sin(), 1.0)) < 1e-15);
}

/// The text with something replaced gives this message.
fn check(from: &str, to: &str, expected: &str) {
    assert!(ARM.contains(from), "{from}");
    let message = robot(&ARM.replacen(from, to, 1)).unwrap_err();
    assert!(message.contains(expected), "{message}\nexpected {expected}");
}

/// A speed at which nothing would ever arrive is passed over, and told.
#[test]
fn speeds_that_are_slips() {
    for speed in ["1e-320", "1e-17"] {
        let text = ARM.replace("velocity=\"3\"", &format!("velocity=\"{speed}\""));
        let found = parse("arm.urdf", &text, Path::new(""), &RobotOptions::default()).unwrap();
        assert_eq!(found.robot.joints()[0].velocity, None);
        assert!(found.notes.iter().any(|note| note.contains("'shoulder'") && note.contains("never arrive")));
        for mode in [Mode::Synchronous, Mode::Simultaneous, Mode::Sequential] {
            let timed = point_to_point(&found.robot, &[-1.0], &[2.0], mode, 1.0);
            assert!(timed.seconds.is_finite() && timed.seconds > 0.0);
        }
    }
    let zero = ARM.replace("velocity=\"3\"", "velocity=\"0\"");
    let found = parse("arm.urdf", &zero, Path::new(""), &RobotOptions::default()).unwrap();
    assert_eq!((found.robot.joints()[0].velocity, found.notes.len()), (None, 0), "0 says nothing");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    check("</robot>", "", "was opened but never closed");
    check("<robot name=\"arm\">", "<model>", "this is no XML");
    check(
        "<link name=\"finger\"/>",
        "<link name=\"upper\"/>",
        "two links named 'upper'; the first is in line 6",
    );
    check("<link name=\"finger\"/>", "", "arm.urdf:20:40: there is no link named 'finger'");
    check("child link=\"upper\"", "child link=\"uper\"", "did you mean 'upper'?");
    check("type=\"revolute\"", "type=\"rotary\"", "'rotary' is no type of joint; use one of revolute");
    check("type=\"revolute\"", "type=\"revolut\"", "did you mean 'revolute'?");
    check("type=\"revolute\"", "type=\"floating\"", "floating joints are not supported");
    check("<limit lower=\"0\" upper=\"0.5\"/>", "", "a prismatic joint needs <limit");
    check("lower=\"-1\"", "lower=\"5\"", "the lower limit 5 is above the upper limit 2");
    check("lower=\"-1\"", "lower=\"-1 rad\"", "lower is '-1 rad'; expected a finite number");
    check("size=\"1 2 3\"", "size=\"1 2\"", "size is '1 2'; expected three numbers");
    check("size=\"1 2 3\"", "size=\"1 2 -3\"", "arm.urdf:4:26: ");
    check("<sphere radius", "<ball radius", "<ball> is no shape; use one of box");
    check("<sphere radius=\"0.2\"/>", "", "<geometry> is empty");
    check(
        "<collision><geometry><box size=\"1 2 3\"/></geometry></collision>",
        "<colision><geometry><box size=\"1 2 3\"/></geometry></colision>",
        "arm.urdf:4:5: <colision> is not known in <link>; did you mean <collision>?",
    );
    check("axis xyz=\"0 0 2\"", "axis xyz=\"0 0 0\"", "the axis has no direction");
    check("mimic joint=\"shoulder\"", "mimic joint=\"sholder\"", "did you mean 'shoulder'?");
    check("mimic joint=\"shoulder\"", "mimic joint=\"grip\"", "follows itself");
    check("<parent link=\"upper\"/>", "<parent link=\"finger\"/>", "carried by itself");
    check("<parent link=\"base\"/>", "", "this joint has no <parent link=…>");
    check(
        "<box size=\"1 2 3\"/>",
        "<mesh filename=\"package://none/a.stl\"/>",
        "package 'none' is in none of the folders above this file; say where it is: --package none=FOLDER",
    );
    check("<box size=\"1 2 3\"/>", "<mesh filename=\"no.stl\"/>", "mesh file 'no.stl' does not exist");
    // Several at once.
    let both = ARM.replace("1 2 3", "1 2").replace("type=\"revolute\"", "type=\"x\"");
    assert_eq!(robot(&both).unwrap_err().lines().count(), 2);
    // Entities could make a small file large.
    let bomb = format!("<!DOCTYPE r [<!ENTITY a \"aa\">]>\n{}", ARM.split_once('\n').unwrap().1);
    assert!(robot(&bomb).unwrap_err().contains("no XML"));
}

#[test]
fn real_robots_are_read() {
    let cases = [
        (
            "moveit-resources",
            "panda_description/urdf/panda.urdf",
            Some("panda_description/panda.srdf"),
            8,
            11,
        ),
        ("moveit-resources", "fanuc_description/urdf/fanuc.urdf", Some("fanuc_description/fanuc.srdf"), 6, 7),
        (
            "example-robot-data",
            "robots/ur_description/urdf/ur5_robot.urdf",
            Some("robots/ur_description/srdf/ur5.srdf"),
            6,
            8,
        ),
        ("example-robot-data", "robots/pr2_description/urdf/pr2.urdf", None, 0, 0),
        ("motion-bench-panda", "panda_spherized.urdf", None, 7, 11),
    ];
    for (folder, file, srdf, freedoms, with_shapes) in cases {
        let Some(folder) = data::folder(folder) else { return };
        let found = read(folder.join(file), &RobotOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        let robot = &found.robot;
        let shaped = robot.links().iter().filter(|link| !link.collision.is_empty()).count();
        if freedoms > 0 {
            assert_eq!((robot.freedoms().len(), shaped), (freedoms, with_shapes), "{file}");
        }
        if let Some(srdf) = srdf {
            let srdf = srdf::read(folder.join(srdf), robot).unwrap_or_else(|e| panic!("{e}"));
            assert!(!srdf.disabled.is_empty() || !srdf.states.is_empty());
            let entry = |pair: &DisabledPair| srdf::Entry::Disabled(pair.clone(), "a -- b --- ".to_owned());
            let entries: Vec<srdf::Entry> = srdf.disabled.iter().map(entry).collect();
            let written = srdf::write(robot, &entries);
            assert_eq!(srdf::parse("again", &written, robot).unwrap().disabled, srdf.disabled);
        }
    }
}

#[test]
fn links_that_are_only_seen_have_the_shape_that_is_seen() {
    let text = ARM.replace("collision>", "visual>");
    let found = parse("arm.urdf", &text, Path::new(""), &RobotOptions::default()).unwrap();
    let counts: Vec<usize> = found.robot.links().iter().map(|link| link.collision.len()).collect();
    assert_eq!((counts, found.notes.len()), (vec![1, 2, 0], 2));
    assert!(found.notes[0].contains("link 'base' has no <collision>"), "{:?}", found.notes);
    // Beside a collision shape it does not matter, and is not read.
    let both = ARM.replace(
        "<link name=\"base\">",
        "<link name=\"base\"><visual><geometry><mesh filename=\"no.stl\"/></geometry></visual>",
    );
    assert_eq!(robot(&both).unwrap().links()[0].collision.len(), 1);
    let wrong = text.replace("<box size=\"1 2 3\"/>", "<mesh filename=\"no.stl\"/>");
    assert!(robot(&wrong).unwrap_err().contains("no.stl"));
}

#[test]
fn too_large_is_told() {
    check("xyz=\"0 0 1\"", "xyz=\"0 0 1e300\"", "a coordinate beyond");
    check("xyz=\"0 0 0.5\"", "xyz=\"0 -1e300 0.5\"", "a coordinate beyond");
    check("<box size=\"1 2 3\"/>", "<box size=\"1 2 1e300\"/>", "expected a length from");
    check("radius=\"0.2\"", "radius=\"1e300\"", "expected a length from");
    let links: String = (0..10_001).map(|k| format!("<link name=\"l{k}\"/>")).collect();
    let message = robot(&format!("<robot name=\"r\">{links}</robot>")).unwrap_err();
    assert!(message.contains("found 10001 links, expected at most 10000"), "{message}");
}

#[test]
fn groups_of_groups() {
    let arm = robot(ARM).unwrap();
    let own = "<group name=\"own\"><joint name=\"shoulder\"/></group>";
    let all = "<group name=\"all\"><group name=\"own\"/></group>";
    let read =
        |inside: String| srdf::parse("arm.srdf", &format!("<robot name=\"arm\">{inside}</robot>"), &arm);
    assert_eq!(read(format!("{own}{all}")).unwrap().groups[1].freedoms, [0]);
    let message = read(format!("{all}{own}")).unwrap_err().to_string();
    assert!(message.contains("no group named 'own' above"), "{message}");
}
