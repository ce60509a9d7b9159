//! A tolerance may turn a near miss into a contact, never a contact into "free".

use freiraum_geometry::path::{Axis, Motion, Straight, UniformMotion};
use freiraum_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::fit::time_of_contact_with_allowance;
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict};
use std::sync::Arc;

/// All kinds, each about as large as a unit cube.
fn kinds() -> Vec<(&'static str, Movable)> {
    let cube = Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap());
    let mesh = Shape::Mesh(Arc::new(cube.tessellate(1e-3).unwrap()));
    vec![
        ("box", Movable::new(cube)),
        ("mesh", Movable::new(mesh)),
        ("sphere", Movable::new(Shape::Sphere(Sphere::new(0.5).unwrap()))),
        ("capsule", Movable::new(Shape::Capsule(Capsule::new(0.3, 0.4).unwrap()))),
        ("cylinder", Movable::new(Shape::Cylinder(Cylinder::new(0.5, 1.0).unwrap()))),
        ("cone", Movable::new(Shape::Cone(Cone::new(0.5, 1.0).unwrap()))),
    ]
}

/// Motions that begin at a pose: still, sliding, leaving, turning, screwing, and from pose to pose.
fn motions(start: Pose) -> Vec<(&'static str, Box<dyn Motion>)> {
    let axis = Axis::new(Vec3::new(0.0, 0.0, 3.0), Vec3::Z).unwrap();
    let end = Pose::from_rotation_about(Vec3::new(0.0, 0.0, 1.0), Vec3::Z, 0.5).unwrap() * start;
    vec![
        ("still", Box::new(UniformMotion::still(start))),
        ("slide", Box::new(UniformMotion::translation(start, Vec3::new(0.2, 0.0, 0.0)))),
        ("leave", Box::new(UniformMotion::translation(start, Vec3::new(0.0, 0.0, 2.0)))),
        ("turn", Box::new(UniformMotion::rotation(start, axis, 6.0))),
        ("screw", Box::new(UniformMotion::screw(start, axis, 6.0, 0.5))),
        ("pose", Box::new(Straight::new(start, Pose::from_translation(Vec3::new(0.1, 0.0, 0.0)) * end))),
    ]
}

const TOLERANCES: [f64; 6] = [0.0, 1e-9, 1e-6, 1e-3, 0.05, 1.0];

fn ask(a: &Movable, motion: &dyn Motion, b: &Movable, tolerance: f64) -> Verdict {
    let still = UniformMotion::still(Pose::IDENTITY);
    let limits = Limits { tolerance, ..Limits::default() };
    let memory = &mut MotionWorkspace::default();
    time_of_contact_with_allowance(a, motion, b, &still, 0.0, &limits, memory).unwrap()
}

/// Along z, a on b, `deep` in it: spheres and cones too, whose highest and lowest points are on the axis.
fn on_top(deep: f64) -> Pose {
    Pose::from_translation(Vec3::new(0.0, 0.0, 1.0 - deep))
}

/// Bodies that are far deeper in each other than rounding: never free, whatever the tolerance.
#[test]
fn what_overlaps_stays_so() {
    let mut wrong = Vec::new();
    for (name_a, a) in &kinds() {
        for (name_b, b) in &kinds() {
            for deep in [1e-4, 0.01, 0.1] {
                for (name, motion) in motions(on_top(deep)) {
                    for tolerance in TOLERANCES {
                        let found = ask(a, &*motion, b, tolerance);
                        if found == Verdict::Free {
                            wrong
                                .push(format!("{name_a} in {name_b}, {deep}, {name}, tolerance {tolerance}"));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} free, such as {:?}", wrong.len(), &wrong[..wrong.len().min(8)]);
}

/// Bodies that start apart and run into each other: a contact, and none later with a larger tolerance.
#[test]
fn what_runs_into_something_stays_a_contact() {
    for (name_a, a) in &kinds() {
        for (name_b, b) in &kinds() {
            let mut last = f64::INFINITY;
            for tolerance in TOLERANCES {
                let down = UniformMotion::translation(on_top(-0.5), Vec3::new(0.0, 0.0, -1.0));
                let found = ask(a, &down, b, tolerance);
                let time = match found {
                    Verdict::Contact(contact) => contact.time + contact.time_error,
                    Verdict::OverlapAtStart => 0.0,
                    other => panic!("{name_a} and {name_b}, tolerance {tolerance}: {other:?}"),
                };
                assert!(
                    time <= last + 1e-6,
                    "{name_a} and {name_b}, tolerance {tolerance}: {time} after {last}"
                );
                last = last.min(time);
            }
        }
    }
}

/// What slides is free with no tolerance; what gets deeper is not, with any.
#[test]
fn what_gets_deeper_is_found() {
    let mut wrong = Vec::new();
    for (name_a, a) in &kinds() {
        for (name_b, b) in &kinds() {
            for tolerance in TOLERANCES {
                let down = UniformMotion::translation(on_top(0.0), Vec3::new(0.0, 0.0, -0.02));
                if ask(a, &down, b, tolerance) == Verdict::Free {
                    wrong.push(format!("{name_a} into {name_b}, tolerance {tolerance}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} free, such as {:?}", wrong.len(), &wrong[..wrong.len().min(8)]);
}
