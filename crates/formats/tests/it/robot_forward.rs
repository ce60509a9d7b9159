//! Forward kinematics of real robots against an independent implementation; the numbers are made by `robots/forward.py`.

use freiraum_formats::robot::{RobotOptions, read};
use freiraum_geometry::{Pose, Vec3};
use freiraum_testkit::data;
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn links_are_where_pinocchio_puts_them() {
    let cases: Value = serde_json::from_str(include_str!("../robots/forward.json")).unwrap();
    let mut looked_at = 0;
    for case in cases.as_array().unwrap() {
        let file = case["file"].as_str().unwrap();
        let (folder, rest) = file.split_once('/').unwrap();
        let Some(folder) = data::folder(folder) else { return };
        let robot = read(folder.join(rest), &RobotOptions::default()).unwrap_or_else(|e| panic!("{e}")).robot;
        let value = |joint: &usize| case["joints"][&robot.joints()[*joint].name].as_f64().unwrap();
        let values: Vec<f64> = robot.freedoms().iter().map(value).collect();
        let placed = robot.place(&Pose::IDENTITY, &values);
        for (link, pose) in robot.links().iter().zip(&placed.links) {
            let expected = numbers(&case["links"][&link.name]);
            let rows: Vec<Vec3> = expected[3..].chunks(3).map(Vec3::from_slice).collect();
            for p in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
                let turned = Vec3::new(rows[0].dot(p), rows[1].dot(p), rows[2].dot(p));
                let apart = pose.transform_point(p).distance(turned + Vec3::from_slice(&expected[..3]));
                assert!(apart < 1e-12, "{file} {}: {apart}", link.name);
            }
            looked_at += 1;
        }
    }
    assert!(looked_at > 200);
}
