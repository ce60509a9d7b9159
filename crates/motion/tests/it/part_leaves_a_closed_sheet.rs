//! A part that starts inside a closed mesh declared a sheet left through its wall and was free: faces that
//! look away from a motion were passed over, which
//! only a solid allows.

use freiraum_geometry::path::{Axis, Motion, Straight, UniformMotion};
use freiraum_geometry::shape::{Capsule, Compound, Cone, Cuboid, Cylinder, Part, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_motion::fit::time_of_contact_with_allowance;
use freiraum_motion::{
    ClearanceRequest, Limits, MotionWorkspace, Movable, OverlapRequest, Verdict, clearance,
    overlap_intervals, time_of_contact,
};
use freiraum_query::Prepared;
use freiraum_testkit::puzzles::block;
use std::sync::Arc;

fn cube(half: f64) -> Shape {
    let (vertices, faces) = block([-half; 3], [half; 3]);
    Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap()))
}

/// Cages of 2 m, all of them sheets: a mesh, and a mesh as a part of a compound.
fn cages() -> [Movable; 2] {
    let compound = Shape::Compound(
        Compound::new(vec![
            Part { compound_from_part: Pose::IDENTITY, shape: cube(1.0) },
            Part { compound_from_part: Pose::from_translation(9.0 * Vec3::Z), shape: cube(0.1) },
        ])
        .unwrap(),
    );
    [cube(1.0), compound].map(|shape| Movable::from_prepared(Prepared::new(shape).as_sheet()))
}

/// Parts that reach 0.1 m from their origin in every direction of the axes.
fn parts() -> [Movable; 7] {
    let solid = [
        Shape::Sphere(Sphere::new(0.1).unwrap()),
        Shape::Cuboid(Cuboid::new(Vec3::splat(0.2)).unwrap()),
        Shape::Cylinder(Cylinder::new(0.1, 0.2).unwrap()),
        Shape::Capsule(Capsule::new(0.05, 0.1).unwrap()),
        Shape::Cone(Cone::new(0.1, 0.2).unwrap()),
        cube(0.1),
    ];
    let [a, b, c, d, e, f] = solid.map(Movable::new);
    [a, b, c, d, e, f, Movable::from_prepared(Prepared::new(cube(0.1)).as_sheet())]
}

#[test]
fn parts_touch_the_wall_that_they_leave_through() {
    let still = UniformMotion::still(Pose::IDENTITY);
    let start = Pose::IDENTITY;
    let about = |axis: Vec3| Axis::new(5.0 * Vec3::Y, axis).unwrap();
    let motions: [(&str, Box<dyn Motion>); 5] = [
        ("along x", Box::new(UniformMotion::translation(start, 3.0 * Vec3::X))),
        ("askew", Box::new(UniformMotion::translation(start, Vec3::new(3.0, 1.0, -0.5)))),
        ("about an axis", Box::new(UniformMotion::rotation(start, about(Vec3::Z), 1.0))),
        ("on a screw", Box::new(UniformMotion::screw(start, about(Vec3::Z), 1.0, 0.3))),
        (
            "turning",
            Box::new(Straight::new(start, Pose::new(Quat::from_rotation_z(0.5), 3.0 * Vec3::X).unwrap())),
        ),
    ];
    let (limits, mut memory) = (Limits::default(), MotionWorkspace::default());
    for cage in cages() {
        for (number, part) in parts().iter().enumerate() {
            for (name, motion) in &motions {
                let name = format!("part {number} {name}");
                for is_turned in [false, true] {
                    let (a, of_a, b, of_b): (_, &dyn Motion, _, &dyn Motion) = if is_turned {
                        (part, &**motion, &cage, &still)
                    } else {
                        (&cage, &still, part, &**motion)
                    };
                    let first = time_of_contact(a, of_a, b, of_b, &limits, &mut memory).unwrap();
                    let Verdict::Contact(first) = first else { panic!("{name}: {first:?}") };
                    assert!(first.time > 0.1 && first.time < 0.9, "{name}: {first:?}");
                    let fit = time_of_contact_with_allowance(a, of_a, b, of_b, 0.0, &limits, &mut memory);
                    assert!(matches!(fit, Ok(Verdict::Contact(_))), "{name}: {fit:?}");
                    let all = overlap_intervals(a, of_a, b, of_b, &OverlapRequest::default(), &mut memory);
                    let intervals = all.unwrap();
                    assert!(
                        intervals.first().is_some_and(|one| (one.time[0] - first.time).abs() < 1e-6),
                        "{name}: {first:?} {intervals:?}"
                    );
                    let request = ClearanceRequest::default();
                    let closest = clearance(a, of_a, b, of_b, &request, &mut memory).unwrap();
                    assert_eq!(closest.distance, 0.0, "{name}");
                }
            }
        }
    }
}

/// What stays inside is free, and so is what stays outside; the cage is no solid.
#[test]
fn parts_that_stay_inside_are_free() {
    let still = UniformMotion::still(Pose::IDENTITY);
    let (limits, mut memory) = (Limits::default(), MotionWorkspace::default());
    for cage in cages() {
        for part in parts() {
            for from in [Vec3::ZERO, 5.0 * Vec3::Y] {
                let motion = UniformMotion::translation(Pose::from_translation(from), 0.8 * Vec3::X);
                let found = time_of_contact(&cage, &still, &part, &motion, &limits, &mut memory);
                assert_eq!(found.unwrap(), Verdict::Free);
            }
        }
    }
}
