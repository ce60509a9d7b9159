use super::bodies::Touch;
use super::crossing::Way;
use super::*;
use freiraum_geometry::shape::{Capsule, Cuboid, Shape};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_robot::dh::{Convention, Row};
use freiraum_robot::{Joint, JointKind, Limits, Link, LinkShape};

/// A planar arm with links of length 1, thick 0.1, each a box along x that reaches 0.05 beyond both joints; joints turn by at most `limit` either way.
fn planar(count: usize, limit: f64) -> Robot {
    let limits = Limits { lower: -limit, upper: limit };
    let rows: Vec<Row> =
        (0..count).map(|k| Row { l: if k == 0 { 0.0 } else { 1.0 }, limits, ..Row::default() }).collect();
    let arm = freiraum_robot::dh::robot("arm", &rows, Convention::Modified).unwrap();
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
    let bodies: Vec<_> = robot.links().iter().map(|link| LinkBody::of(link, false)).collect();
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
        let bodies: Vec<_> = robot.links().iter().map(|link| LinkBody::of(link, false)).collect();
        let touch = bodies[1].as_ref().unwrap().touch(bodies[3].as_ref().unwrap(), &pose, &mut []);
        assert_eq!(touch, if expected { Touch::Yes } else { Touch::No });
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

/// A ring of `count` segments about z between two radii and two heights, as a closed mesh.
fn ring(count: u32, radii: [f64; 2], heights: [f64; 2]) -> Mesh {
    let corner = |k: u32, radius: f64, z: f64| {
        let angle = f64::from(k) / f64::from(count) * std::f64::consts::TAU;
        Vec3::new(radius * angle.cos(), radius * angle.sin(), z)
    };
    let mut vertices = Vec::new();
    for k in 0..count {
        vertices.extend([(0, 0), (1, 0), (1, 1), (0, 1)].map(|(r, z)| corner(k, radii[r], heights[z])));
    }
    let mut faces = Vec::new();
    for k in 0..count {
        let next = (k + 1) % count;
        for (i, j) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
            let [a, b, c, d] = [4 * k + i, 4 * k + j, 4 * next + j, 4 * next + i];
            faces.extend([[a, b, c], [a, c, d]]);
        }
    }
    Mesh::new(vertices, faces).unwrap()
}

/// Two links, the second turning about z without end.
fn turntable(below: Shape, above: Shape) -> Robot {
    let link = |name: &str, shape: Shape| Link {
        name: name.to_owned(),
        collision: vec![LinkShape { link_from_shape: Pose::IDENTITY, shape }],
        visual: vec![],
    };
    let joint = Joint {
        name: "turn".to_owned(),
        parent: 0,
        child: 1,
        parent_from_child: Pose::IDENTITY,
        axis: Vec3::Z,
        kind: JointKind::Continuous,
        limits: Limits::NONE,
        velocity: None,
        mimic: None,
    };
    Robot::new("turntable", vec![link("below", below), link("above", above)], vec![joint]).unwrap()
}

#[test]
fn rings_that_overlap_around_the_axis_touch_always() {
    let mesh = |mesh: Mesh| Shape::Mesh(std::sync::Arc::new(mesh));
    let options = AuditOptions { cells: 20_000, samples: 100, ..AuditOptions::default() };
    // No point of either is on the axis.
    let robot = turntable(mesh(ring(24, [0.5, 0.6], [0.0, 0.2])), mesh(ring(31, [0.45, 0.7], [0.1, 0.3])));
    let found = audit(&robot, &options);
    assert_eq!(found[0].meeting, Meeting::Always, "{found:?}");
    // Lifted they are free.
    let above = mesh(ring(31, [0.45, 0.7], [0.21, 0.3]));
    let found = audit(&turntable(mesh(ring(24, [0.5, 0.6], [0.0, 0.2])), above), &options);
    let Meeting::Never { at_least, closest, .. } = found[0].meeting else { panic!("{found:?}") };
    assert!((closest - 0.01).abs() < 1e-9 && at_least > 0.008, "{at_least} {closest}");
    // A cam that touches the ring at few angles only.
    let found = audit(
        &turntable(mesh(ring(4, [0.5, 0.6], [0.0, 0.2])), mesh(ring(4, [0.602, 0.7], [0.1, 0.3]))),
        &AuditOptions { samples: 10, ..options },
    );
    assert!(matches!(found[0].meeting, Meeting::Sometimes { .. }), "{found:?}");
}

#[test]
fn crossings_last_as_long_as_they_say() {
    let mut random = freiraum_testkit::random::Random::new(17);
    let (mut crossed, mut broken) = (0, 0);
    while crossed < 2000 {
        let [p, q, a, b, c] = std::array::from_fn(|_| random.in_cube(1.0));
        let margin = crossing::margin([p, q], [a, b, c], Way::Any);
        if margin <= 0.0 {
            continue;
        }
        crossed += 1;
        for share in [0.999, 3.0] {
            for _ in 0..20 {
                let mut shift = || random.direction() * margin * share;
                let still = crossing::margin([p + shift(), q + shift()], [a, b, c], Way::Any) > 0.0;
                assert!(still || share > 1.0, "{p} {q} {a} {b} {c} {margin}");
                broken += usize::from(!still);
            }
        }
    }
    assert!(broken > 1000, "margins are not needlessly small: {broken}");
}

#[test]
fn crossings_that_turn_last_as_long_as_they_say() {
    let mut random = freiraum_testkit::random::Random::new(18);
    let (mut crossed, mut broken) = (0, 0);
    while crossed < 2000 {
        let [p, q, a, b, mut c] = std::array::from_fn(|_| random.in_cube(1.0));
        // Often nearly a plane across the axis.
        let axis = if random.below(2) == 0 {
            (b - a).cross(c - a).try_normalize().unwrap()
        } else {
            random.direction()
        };
        c += random.range(0.0, 1e-3) * axis;
        let margin = crossing::margin([p, q], [a, b, c], Way::Across(axis));
        let origin = random.in_cube(1.0);
        let arm = [p, q].map(|x| axis.cross(x - origin).length()).into_iter().fold(0.0, f64::max);
        if margin <= 0.0 || margin > arm {
            continue;
        }
        crossed += 1;
        for share in [-0.999, 0.999, -3.0, 3.0_f64] {
            let angle = 2.0 * (share * margin / arm / 2.0).clamp(-1.0, 1.0).asin();
            let turn = Pose::from_rotation_about(origin, axis, angle).unwrap();
            let still = crossing::margin([p, q].map(|x| turn.transform_point(x)), [a, b, c], Way::Any) > 0.0;
            assert!(still || share.abs() > 1.0, "{p} {q} {a} {b} {c} {margin}");
            broken += usize::from(!still);
        }
    }
    assert!(broken > 200, "margins are not needlessly small: {broken}");
}

#[test]
fn slides_without_end_leave_it_open() {
    let mut robot = turntable(
        Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap()),
        Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap()),
    );
    let mut joint = robot.joints()[0].clone();
    (joint.kind, joint.limits) = (JointKind::Prismatic, Limits { lower: 2.0, upper: f64::INFINITY });
    robot = Robot::new("slide", robot.links().to_vec(), vec![joint]).unwrap();
    let found = audit(&robot, &AuditOptions::default());
    assert!(matches!(found[0].meeting, Meeting::Undecided { open: 1.0, .. }), "{found:?}");
}

/// A box without its top, as a mesh.
fn tray(size: f64) -> Mesh {
    let corner = |k: u32| {
        let sign = |bit: u32| if k >> bit & 1 == 1 { 0.5 * size } else { -0.5 * size };
        Vec3::new(sign(0), sign(1), sign(2))
    };
    let quads: [[u32; 4]; 5] = [[0, 2, 3, 1], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6]];
    let faces = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Mesh::new((0..8).map(corner).collect(), faces).unwrap()
}

/// The second link slides along z by -0.2 to `upper`.
fn slide(below: Shape, above: Shape, upper: f64) -> Robot {
    let robot = turntable(below, above);
    let mut joint = robot.joints()[0].clone();
    (joint.kind, joint.limits) = (JointKind::Prismatic, Limits { lower: -0.2, upper });
    Robot::new("slide", robot.links().to_vec(), vec![joint]).unwrap()
}

#[test]
fn what_may_be_inside_of_an_open_mesh_is_not_decided() {
    let mesh = |mesh: Mesh| Shape::Mesh(std::sync::Arc::new(mesh));
    let cube = |size: f64| Shape::Cuboid(Cuboid::new(Vec3::splat(size)).unwrap());
    let options = AuditOptions { cells: 20_000, samples: 100, ..AuditOptions::default() };
    // Within the tray all the time: it may be a solid that nobody closed.
    for (links, unbounded) in
        [([mesh(tray(2.0)), cube(0.2)], [true, false]), ([cube(0.2), mesh(tray(2.0))], [false, true])]
    {
        let [below, above] = links;
        let robot = slide(below, above, 0.2);
        let found = audit(&robot, &options);
        let Meeting::InsideUnknown { unbounded: open, touched: false, closest, .. } = found[0].meeting else {
            panic!("{found:?}")
        };
        assert!(open == unbounded && closest > 0.5, "{found:?}");
        // As a sheet the tray has no inside.
        let sheet = [usize::from(unbounded[1])];
        let found = audit(&robot, &AuditOptions { sheets: &sheet, ..options });
        assert!(matches!(found[0].meeting, Meeting::Never { .. }), "{found:?}");
    }
    // It leaves the hull of the tray on its way: then it never was inside.
    let found = audit(&slide(mesh(tray(2.0)), cube(0.2), 4.0), &options);
    assert!(matches!(found[0].meeting, Meeting::Never { .. }), "{found:?}");
    // It is too wide for the tray at some angles, and at others in it.
    let bar = Shape::Cuboid(Cuboid::new(Vec3::new(2.2, 0.1, 0.1)).unwrap());
    let found = audit(&turntable(mesh(tray(2.0)), bar), &options);
    assert!(
        matches!(found[0].meeting, Meeting::InsideUnknown { unbounded: [true, false], touched: true, .. }),
        "{found:?}"
    );
    // Inside of a closed one they touch always.
    let found = audit(&slide(cube(2.0), cube(0.2), 0.2), &options);
    assert_eq!(found[0].meeting, Meeting::Always);
    // A closed mesh that is declared a sheet has no inside either.
    let ring = mesh(ring(24, [0.5, 3.0], [-1.0, 1.0]));
    let part = |x: f64| LinkShape {
        link_from_shape: Pose::from_translation(Vec3::new(x, 0.0, 0.0)),
        shape: cube(0.2),
    };
    let robot = slide(ring, cube(0.2), 0.2);
    let mut links = robot.links().to_vec();
    links[1].collision = vec![part(1.5)];
    let robot = Robot::new("held", links, robot.joints().to_vec()).unwrap();
    assert_eq!(audit(&robot, &options)[0].meeting, Meeting::Always);
    let found = audit(&robot, &AuditOptions { sheets: &[0], ..options });
    assert!(matches!(found[0].meeting, Meeting::Never { .. }), "{found:?}");
}
