//! What the audit says of real robots, against random joint values.

use freiraum_check::audit::{AuditOptions, Meeting, audit};
use freiraum_formats::robot::{RobotOptions, read};
use freiraum_geometry::Pose;
use freiraum_query::{Prepared, intersects};
use freiraum_robot::Robot;
use freiraum_testkit::random::Random;
use freiraum_testkit::{data, scale};

/// Random joint values within the limits, one turn of joints without end.
fn random_values(robot: &Robot, random: &mut Random) -> Vec<f64> {
    let value = |freedom: usize| {
        let range = robot.range(freedom);
        random
            .range(range.lower.max(-std::f64::consts::PI * 2.0), range.upper.min(std::f64::consts::PI * 2.0))
    };
    (0..robot.freedoms().len()).map(value).collect()
}

type Shapes = Vec<Vec<(Pose, Prepared)>>;

/// Whether two links touch, asked shape by shape in the world.
fn touch(shapes: &Shapes, placed: &[Pose], [a, b]: [usize; 2]) -> bool {
    shapes[a].iter().any(|(at_a, shape_a)| {
        shapes[b].iter().any(|(at_b, shape_b)| {
            let pose = (placed[a] * *at_a).inverse() * (placed[b] * *at_b);
            intersects(shape_a, shape_b, &pose).unwrap()
        })
    })
}

#[test]
fn fanuc_agrees_with_random_poses() {
    agrees_with_random_poses("moveit-resources", "fanuc_description/urdf/fanuc.urdf");
}

#[test]
fn ur5_agrees_with_random_poses() {
    agrees_with_random_poses("example-robot-data", "robots/ur_description/urdf/ur5_robot.urdf");
}

#[test]
fn panda_agrees_with_random_poses() {
    agrees_with_random_poses("moveit-resources", "panda_description/urdf/panda.urdf");
}

/// Every answer against random poses: those that never touch are never found touching, those that always do always.
fn agrees_with_random_poses(folder: &str, file: &str) {
    let mut random = Random::new(91);
    let Some(folder) = data::folder(folder) else { return };
    let robot = read(folder.join(file), &RobotOptions::default()).unwrap_or_else(|e| panic!("{e}")).robot;
    let cells = scale::cases(2000).min(AuditOptions::default().cells);
    let options = AuditOptions { cells, samples: scale::cases(200).min(1000), ..AuditOptions::default() };
    let found = audit(&robot, &options);
    let mut counts = [0; 5];
    for pair in &found {
        let kind = match &pair.meeting {
            Meeting::Never { .. } => 0,
            Meeting::Always => 1,
            Meeting::Sometimes { .. } => 2,
            Meeting::Undecided { .. } => 3,
            Meeting::InsideUnknown { .. } => 4,
        };
        counts[kind] += 1;
    }
    // Few are left open with a small budget, none with that of the default.
    let most = if cells < AuditOptions::default().cells { found.len() / 5 } else { 0 };
    assert!(counts[3] <= most, "{counts:?}");
    let shapes: Shapes = robot
        .links()
        .iter()
        .map(|link| {
            link.collision.iter().map(|s| (s.link_from_shape, Prepared::new(s.shape.clone()))).collect()
        })
        .collect();
    let place = |values: &[f64]| robot.place(&Pose::IDENTITY, values).links;
    for pair in &found {
        match &pair.meeting {
            Meeting::Sometimes { touching, free, .. } => {
                assert!(robot.outside_limits(touching).is_empty() && robot.outside_limits(free).is_empty());
                assert!(touch(&shapes, &place(touching), pair.links), "{pair:?}");
                assert!(!touch(&shapes, &place(free), pair.links), "{pair:?}");
            }
            Meeting::Never { at_least, closest, at } => {
                let is_sound = *at_least > 0.0 && at_least <= closest;
                assert!(is_sound && robot.outside_limits(at).is_empty(), "{file} {pair:?}");
                assert!(!touch(&shapes, &place(at), pair.links), "{pair:?}");
            }
            Meeting::InsideUnknown { unbounded, at, .. } => {
                assert!(unbounded.contains(&true) && robot.outside_limits(at).is_empty(), "{file} {pair:?}");
                assert!(!touch(&shapes, &place(at), pair.links), "{pair:?}");
            }
            Meeting::Always | Meeting::Undecided { .. } => {}
        }
    }
    let poses = scale::cases(300);
    eprintln!(
        "{file}: never, always, sometimes, undecided, inside unknown: {counts:?}; {poses} random poses"
    );
    for _ in 0..poses {
        let values = random_values(&robot, &mut random);
        let placed = place(&values);
        for pair in &found {
            if matches!(pair.meeting, Meeting::Never { .. } | Meeting::Always) {
                let touches = touch(&shapes, &placed, pair.links);
                assert_eq!(touches, pair.meeting == Meeting::Always, "{:?} {values:?}", pair.links);
            }
        }
    }
}
