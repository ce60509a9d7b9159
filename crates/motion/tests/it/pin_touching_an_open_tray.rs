//! A thin pin on the floor of a tray without a lid, or at its inner wall, was free: the gap that the resting allowance leaves is smaller than what the
//! distance of a cylinder counts as touching, and such a touch was taken for separate, although the pin may be inside of what the tray was meant to be.

use freiraum_geometry::path::UniformMotion;
use freiraum_geometry::shape::{Cone, Cylinder, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::fit::time_of_contact_with_allowance;
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict};
use freiraum_testkit::puzzles::block;
use std::sync::Arc;

/// A box of this size about the origin without its upper side.
fn tray(size: f64) -> Movable {
    let half = 0.5 * size;
    let (vertices, faces) = block([-half; 3], [half; 3]);
    let is_lid = |face: &[u32; 3]| face.iter().all(|v| vertices[*v as usize].z == half);
    let faces: Vec<[u32; 3]> = faces.into_iter().filter(|face| !is_lid(face)).collect();
    assert_eq!(faces.len(), 10);
    Movable::new(Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap())))
}

fn slid(pin: &Shape, from: Vec3, by: Vec3, tray: &Movable) -> Verdict {
    let motion = UniformMotion::translation(Pose::from_translation(from), by);
    let still = UniformMotion::still(Pose::IDENTITY);
    let (limits, mut memory) = (Limits::default(), MotionWorkspace::default());
    let pin = Movable::new(pin.clone());
    time_of_contact_with_allowance(&pin, &motion, tray, &still, 0.0, &limits, &mut memory).unwrap()
}

/// All pins are as high as they are wide.
fn pins(radius: f64) -> [Shape; 3] {
    [
        Shape::Cylinder(Cylinder::new(radius, 2.0 * radius).unwrap()),
        Shape::Cone(Cone::new(radius, 2.0 * radius).unwrap()),
        Shape::Sphere(Sphere::new(radius).unwrap()),
    ]
}

#[test]
fn pins_in_a_tray_may_be_inside_wherever_they_touch_it() {
    for size in [0.1, 0.5, 1.0, 2.0, 10.0] {
        let tray = tray(size);
        for radius in [0.002 * size, 0.01 * size, 0.05 * size] {
            for pin in pins(radius) {
                let floor = Vec3::new(0.1 * size, 0.2 * size, -0.5 * size + radius);
                let wall = Vec3::new(0.5 * size - radius, 0.1 * size, 0.1 * size);
                for from in [floor, wall, Vec3::ZERO] {
                    let verdict = slid(&pin, from, 0.01 * size * Vec3::Y, &tray);
                    let is_unknown = matches!(verdict, Verdict::InsideUnknown { .. });
                    assert!(is_unknown, "tray of {size} m, pin of {radius} m at {from}: {verdict:?}");
                }
            }
        }
    }
}

#[test]
fn pins_that_touch_it_from_outside_are_free() {
    for size in [0.1, 0.5, 1.0, 2.0, 10.0] {
        let tray = tray(size);
        for radius in [0.002 * size, 0.01 * size, 0.05 * size] {
            for pin in pins(radius) {
                let below = Vec3::new(0.1 * size, 0.2 * size, -0.5 * size - radius);
                let beside = Vec3::new(0.5 * size + radius, 0.1 * size, 0.1 * size);
                for from in [below, beside] {
                    let verdict = slid(&pin, from, 0.01 * size * Vec3::Y, &tray);
                    assert_eq!(verdict, Verdict::Free, "tray of {size} m, pin of {radius} m at {from}");
                }
            }
        }
    }
}
