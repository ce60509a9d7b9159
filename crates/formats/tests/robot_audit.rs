//! What the audit says of real robots, against random joint values.

use freiraum_formats::robot::{RobotOptions, read};
use freiraum_geometry::Pose;
use freiraum_query::{Prepared, intersects};
use freiraum_robot::Robot;
use freiraum_robot::audit::{AuditOptions, Meeting, audit};
use freiraum_testkit::random::Random;
use freiraum_testkit::{data, scale};

const ROBOTS: [(&str, &str); 3] = [
    ("moveit-resources", "fanuc_description/urdf/fanuc.urdf"),
    ("example-robot-data", "robots/ur_description/urdf/ur5_robot.urdf"),
    ("moveit-resources", "panda_description/urdf/panda.urdf"),
];

/// Random joint values within the limits, one turn of joints without end.
fn random_values(robot: &Robot, random: &mut Random) -> Vec<f64> {
    let value = |freedom: usize| {
        let range = robot.range(freedom);
        random
            .range(range.lower.max(-std::f64::consts::PI * 2.0), range.upper.min(std::f64::consts::PI * 2.0))
    };
    (0..robot.freedoms().len()).map(value).collect()
}

#[test]
fn audits_agree_with_random_poses() {
    let mut random = Random::new(91);
    for (folder, file) in ROBOTS {
        let Some(folder) = data::folder(folder) else { return };
        let robot = read(folder.join(file), &RobotOptions::default()).unwrap_or_else(|e| panic!("{e}")).robot;
        let options = AuditOptions { cells: scale::cases(2000), samples: 200, ..AuditOptions::default() };
        let start = std::time::Instant::now();
        let found = audit(&robot, &options);
        let mut counts = [0; 4];
        for pair in &found {
            let kind = match &pair.meeting {
                Meeting::Never { .. } => 0,
                Meeting::Always => 1,
                Meeting::Sometimes { .. } => 2,
                Meeting::Undecided { .. } => 3,
            };
            counts[kind] += 1;
            let [a, b] = pair.links.map(|link| robot.links()[link].name.as_str());
            println!("{a} {b}: {:?} ({} cells)", pair.meeting, pair.cells);
        }
        println!(
            "{}: {:.1} s; never, always, sometimes, undecided: {counts:?}",
            robot.name(),
            start.elapsed().as_secs_f64()
        );
        let shapes: Vec<Vec<(Pose, Prepared)>> = robot
            .links()
            .iter()
            .map(|link| {
                link.collision.iter().map(|s| (s.link_from_shape, Prepared::new(s.shape.clone()))).collect()
            })
            .collect();
        for _ in 0..scale::cases(300) {
            let values = random_values(&robot, &mut random);
            let placed = robot.place(&Pose::IDENTITY, &values).links;
            for pair in &found {
                if !matches!(pair.meeting, Meeting::Never { .. } | Meeting::Always) {
                    continue;
                }
                let [a, b] = pair.links;
                let touches = shapes[a].iter().any(|(at_a, shape_a)| {
                    shapes[b].iter().any(|(at_b, shape_b)| {
                        let pose = (placed[a] * *at_a).inverse() * (placed[b] * *at_b);
                        intersects(shape_a, shape_b, &pose).unwrap()
                    })
                });
                assert_eq!(touches, pair.meeting == Meeting::Always, "{:?} {values:?}", pair.links);
            }
        }
    }
}
