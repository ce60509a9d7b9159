use super::*;
use freiraum_geometry::Pose;

fn link(name: &str) -> Link {
    Link { name: name.to_owned(), collision: Vec::new(), visual: Vec::new() }
}

fn joint(name: &str, parent: usize, child: usize) -> Joint {
    Joint {
        name: name.to_owned(),
        parent,
        child,
        parent_from_child: Pose::from_translation(Vec3::X),
        axis: 2.0 * Vec3::Z,
        kind: JointKind::Revolute,
        limits: Limits { lower: -1.0, upper: 2.0 },
        velocity: None,
        mimic: None,
    }
}

fn following(name: &str, parent: usize, child: usize, other: usize, factor: f64, offset: f64) -> Joint {
    Joint { mimic: Some(Mimic { joint: other, factor, offset }), ..joint(name, parent, child) }
}

#[test]
fn links_are_put_in_order() {
    // c - a - {d, b}, given in the wrong order; b carries e.
    let links = ["a", "b", "c", "d", "e"].map(link).to_vec();
    let joints = vec![joint("ab", 0, 1), joint("be", 1, 4), joint("ca", 2, 0), joint("ad", 0, 3)];
    let robot = Robot::new("tree", links, joints).unwrap();
    let names: Vec<&str> = robot.links().iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["c", "a", "b", "e", "d"]);
    let joints: Vec<&str> = robot.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(joints, ["ca", "ab", "be", "ad"]);
    for (number, joint) in robot.joints().iter().enumerate() {
        assert_eq!(joint.child, number + 1);
        assert_eq!(joint.axis, Vec3::Z);
        assert_eq!(robot.carrier(joint.child), Some(number));
    }
    let [c, a, b, e, d] = ["c", "a", "b", "e", "d"].map(|name| robot.link(name).unwrap());
    assert_eq!(robot.way_to(e), [0, 1, 2]);
    assert_eq!(robot.way_to(c), []);
    let meet = |x, y| robot.meeting_link(x, y);
    assert_eq!([meet(e, d), meet(b, e), meet(c, d), meet(a, a)], [a, b, c, a]);
    assert_eq!(robot.freedoms_between(e, d), [1, 2, 3]);
    assert_eq!(robot.freedoms_between(d, d), []);
}

#[test]
fn what_is_no_tree_is_an_error() {
    let links = || ["a", "b", "c"].map(link).to_vec();
    let error = |joints: Vec<Joint>| Robot::new("x", links(), joints).unwrap_err();
    assert_eq!(Robot::new("x", vec![], vec![]).unwrap_err(), RobotError::NoLinks);
    let same = vec![link("a"), link("a")];
    assert_eq!(Robot::new("x", same, vec![joint("j", 0, 1)]).unwrap_err(), RobotError::SameLink("a".into()));
    assert_eq!(error(vec![joint("j", 0, 1), joint("j", 1, 2)]), RobotError::SameJoint("j".into()));
    assert_eq!(error(vec![joint("j", 0, 7)]), RobotError::NoSuchLink { joint: "j".into(), link: 7 });
    assert!(matches!(error(vec![joint("j", 0, 1), joint("k", 2, 1)]), RobotError::TwoParents { .. }));
    assert_eq!(error(vec![joint("j", 0, 1)]), RobotError::TwoRoots("a".into(), "c".into()));
    assert_eq!(error(vec![joint("j", 1, 2), joint("k", 2, 1)]), RobotError::Circle("b".into()));
    let around = vec![joint("j", 0, 1), joint("k", 1, 2), joint("l", 2, 0)];
    assert_eq!(error(around), RobotError::Circle("a".into()));
    let axis = Joint { axis: Vec3::ZERO, ..joint("j", 0, 1) };
    assert_eq!(error(vec![axis, joint("k", 1, 2)]), RobotError::NoAxis("j".into()));
    let limits = Joint { limits: Limits { lower: 1.0, upper: f64::NAN }, ..joint("j", 0, 1) };
    assert!(matches!(error(vec![limits, joint("k", 1, 2)]), RobotError::NoRange { .. }));
    let circle = vec![following("j", 0, 1, 1, 1.0, 0.0), following("k", 1, 2, 0, 1.0, 0.0)];
    let message = error(circle).to_string();
    assert_eq!(
        message,
        "joint 'j' follows itself: it follows 'k', which follows 'j', at once or over others"
    );
    let alone = vec![joint("j", 0, 1), following("k", 1, 2, 1, 1.0, 0.0)];
    assert_eq!(error(alone).to_string(), "joint 'k' follows itself");
    let outside = vec![following("j", 0, 1, 1, 1.0, 0.0), following("k", 1, 2, 1, 1.0, 0.0)];
    assert_eq!(error(outside).to_string(), "joint 'k' follows itself");
    let beyond = vec![following("j", 0, 1, 5, 1.0, 0.0), joint("k", 1, 2)];
    assert!(matches!(error(beyond), RobotError::NothingToFollow { .. }));
}

#[test]
fn joints_follow_each_other() {
    let links = ["a", "b", "c", "d"].map(link).to_vec();
    // k = 2 j + 0.5 and l = -3 k + 1 = -6 j - 0.5, each within -1..2.
    let joints =
        vec![following("l", 2, 3, 1, -3.0, 1.0), following("k", 1, 2, 2, 2.0, 0.5), joint("j", 0, 1)];
    let robot = Robot::new("x", links, joints).unwrap();
    assert_eq!(robot.freedoms(), [0]);
    let values: Vec<f64> = (0..3).map(|joint| robot.joint_value(joint, &[0.25])).collect();
    assert_eq!(values, [0.25, 1.0, -2.0]);
    assert_eq!(robot.rate(2), Some((0, -6.0)));
    assert_eq!(robot.outside_limits(&[0.25]), [(0, 2, -2.0)]);
    // -6 j - 0.5 in -1..2 means j in -2.5/6..0.5/6, which is within what the others allow.
    assert_eq!(robot.range(0), Limits { lower: -2.5 / 6.0, upper: 0.5 / 6.0 });
}

#[test]
fn followers_that_leave_less() {
    let links = ["a", "b", "c", "d", "e"].map(link).to_vec();
    let limits = Limits { lower: 0.0, upper: 0.5 };
    let joints = vec![
        Joint { limits, ..joint("j", 0, 1) },
        Joint { limits, ..following("opposite", 1, 2, 0, -1.0, 0.0) },
        following("wide", 2, 3, 0, 1.0, 0.0),
        Joint { limits, ..following("same", 3, 4, 0, 1.0, 0.0) },
    ];
    let robot = Robot::new("x", links, joints).unwrap();
    assert_eq!((robot.range(0), robot.narrowing(0)), (Limits { lower: 0.0, upper: 0.0 }, vec![1]));
    assert!(robot.outside_limits(&[0.0]).is_empty());
    assert_eq!(robot.outside_limits(&[0.1]), [(0, 1, -0.1)]);
}
