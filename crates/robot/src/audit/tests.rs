use super::*;
use crate::dh::{Convention, Row};
use crate::model::{Joint, JointKind, Limits, Link, LinkShape};
use freiraum_geometry::shape::{Capsule, Cuboid, Shape};
use freiraum_geometry::{Pose, Vec3};

/// A planar arm with links of length 1, thick 0.1, each a box along x that reaches 0.05 beyond both joints; joints turn by at most `limit` either way.
fn planar(count: usize, limit: f64) -> Robot {
    let limits = Limits { lower: -limit, upper: limit };
    let rows: Vec<Row> =
        (0..count).map(|k| Row { l: if k == 0 { 0.0 } else { 1.0 }, limits, ..Row::default() }).collect();
    let arm = crate::dh::robot("arm", &rows, Convention::Modified).unwrap();
    let links = arm.links().iter().enumerate().map(|(number, link)| {
        let shape = Shape::Cuboid(Cuboid::new(Vec3::new(1.1, 0.1, 0.1)).unwrap());
        let part = LinkShape { link_from_shape: Pose::from_translation(Vec3::new(0.5, 0.0, 0.0)), shape };
        Link { collision: if number == 0 { vec![] } else { vec![part] }, ..link.clone() }
    });
    Robot::new("arm", links.collect(), arm.joints().to_vec()).unwrap()
}

fn meeting(found: &[PairAudit], links: [usize; 2]) -> &Meeting {
    &found.iter().find(|pair| pair.links == links).unwrap().meeting
}

#[test]
fn links_of_a_planar_arm() {
    // Neighbours overlap at the joint; the first and the third touch only when folded by more than 2 pi / 3 or so.
    let found = audit(&planar(3, 1.0), &AuditOptions::default());
    assert_eq!(meeting(&found, [1, 2]), &Meeting::Always);
    assert_eq!(meeting(&found, [2, 3]), &Meeting::Always);
    let Meeting::Never { at_least, closest, ref at } = *meeting(&found, [1, 3]) else { panic!("{found:?}") };
    // The nearest: the second link turned by 1 rad and the third by another one; the end of the first box to the beginning of the third.
    assert!(at_least > 0.0 && at_least <= closest, "{at_least} {closest}");
    assert!(at_least >= 0.9 * closest);
    let mut truth = f64::INFINITY;
    let robot = planar(3, 1.0);
    let bodies: Vec<_> = robot.links().iter().map(LinkBody::of).collect();
    for i in -50..=50 {
        for k in -50..=50 {
            let placed = robot.place(&Pose::IDENTITY, &[0.0, f64::from(i) / 50.0, f64::from(k) / 50.0]).links;
            let pose = placed[1].inverse() * placed[3];
            truth = truth.min(bodies[1].as_ref().unwrap().distance(bodies[3].as_ref().unwrap(), &pose));
        }
    }
    assert!(
        at_least <= truth && closest >= truth - 1e-3 && closest <= truth * 1.1,
        "{at_least} {closest} {truth}"
    );
    assert_eq!(at.len(), 3);
    // With more freedom they do.
    let robot = planar(3, 3.0);
    let found = audit(&robot, &AuditOptions::default());
    let Meeting::Sometimes { touching, free, .. } = meeting(&found, [1, 3]) else { panic!("{found:?}") };
    for (values, expected) in [(touching, true), (free, false)] {
        let placed = robot.place(&Pose::IDENTITY, values).links;
        let pose = placed[1].inverse() * placed[3];
        let bodies: Vec<_> = robot.links().iter().map(LinkBody::of).collect();
        assert_eq!(bodies[1].as_ref().unwrap().touches(bodies[3].as_ref().unwrap(), &pose), expected);
    }
}

#[test]
fn what_nothing_moves_is_always_or_never() {
    let part = |x: f64| LinkShape {
        link_from_shape: Pose::from_translation(Vec3::new(x, 0.0, 0.0)),
        shape: Shape::Capsule(Capsule::new(0.5, 1.0).unwrap()),
    };
    let link = |name: &str, x: f64| Link { name: name.to_owned(), collision: vec![part(x)], visual: vec![] };
    let joint = |name: &str, child: usize| Joint {
        name: name.to_owned(),
        parent: 0,
        child,
        parent_from_child: Pose::IDENTITY,
        axis: Vec3::Z,
        kind: JointKind::Fixed,
        limits: Limits::NONE,
        velocity: None,
        mimic: None,
    };
    let links = vec![link("a", 0.0), link("b", 0.9), link("c", 3.0)];
    let robot = Robot::new("rigid", links, vec![joint("ab", 1), joint("ac", 2)]).unwrap();
    let found = audit(&robot, &AuditOptions::default());
    assert_eq!(meeting(&found, [0, 1]), &Meeting::Always);
    let Meeting::Never { at_least, closest, .. } = *meeting(&found, [0, 2]) else { panic!("{found:?}") };
    assert!((closest - 2.0).abs() < 1e-12 && at_least > 1.99);
}

#[test]
fn budgets_are_kept_and_told() {
    let found = audit(&planar(3, 1.0), &AuditOptions { cells: 10, samples: 10, ..AuditOptions::default() });
    let Meeting::Undecided { touched: false, open, closest, .. } = *meeting(&found, [1, 3]) else {
        panic!("{found:?}")
    };
    assert!(open > 0.0 && open <= 1.0 && closest.unwrap() > 0.0);
    assert!(found.iter().all(|pair| pair.cells <= 12));
}
