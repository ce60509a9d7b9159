//! A grain went through a crack into a block and was free: the crack was closed for the question of what is
//! inside of the block, but not for what moves.

use freiraum_geometry::path::{Axis, Motion, Straight, UniformMotion};
use freiraum_geometry::shape::{Capsule, Cuboid, Cylinder, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_motion::fit::time_of_contact_with_allowance;
use freiraum_motion::{ClearanceRequest, Feature, Limits, MotionWorkspace, Movable, Verdict, clearance};
use freiraum_query::intersect;
use freiraum_query::intersect::Relation;
use std::sync::Arc;

/// A cube of 10 m about the origin whose upper side ends `gap` before the side at y = 5, to which it is
/// closed.
fn block(gap: f64) -> Shape {
    let mut corners = Vec::new();
    for z in [-5.0, 5.0] {
        for (x, y) in [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)] {
            corners.push(Vec3::new(x, y, z));
        }
    }
    corners.extend([Vec3::new(5.0, 5.0 - gap, 5.0), Vec3::new(-5.0, 5.0 - gap, 5.0)]);
    let quads = [[0, 3, 2, 1], [4, 5, 8, 9], [0, 1, 5, 4], [2, 3, 7, 6]];
    let mut faces: Vec<[u32; 3]> =
        quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    // The sides at x = 5 and x = -5 have a corner at either end of the slit, which is open above.
    faces.extend([[1, 2, 6], [1, 6, 8], [1, 8, 5], [3, 0, 4], [3, 4, 9], [3, 9, 7]]);
    Shape::Mesh(Arc::new(Mesh::new(corners, faces).unwrap()))
}

#[test]
fn nothing_goes_into_a_block_through_a_crack_that_counts_as_closed() {
    let gap = 1e-4;
    let block = Movable::new(block(gap));
    assert!(!block.prepared().has_open_surface(), "{:?}", block.prepared().mesh_tree().unwrap().solidity());
    let still = UniformMotion::still(Pose::IDENTITY);
    let (limits, mut memory) = (Limits::default(), MotionWorkspace::default());
    let thin = 0.4 * gap;
    let grains = [
        Shape::Sphere(Sphere::new(thin).unwrap()),
        Shape::Capsule(Capsule::new(thin, 0.5).unwrap()),
        Shape::Cylinder(Cylinder::new(thin, 0.5).unwrap()),
        Shape::Cuboid(Cuboid::new(Vec3::new(1.0, thin, 0.5)).unwrap()),
    ];
    for grain in grains {
        let name = format!("{grain:?}");
        let grain = Movable::new(grain);
        let from = Vec3::new(0.5, 5.0 - 0.5 * gap, 9.0);
        let start = Pose::from_translation(from);
        let end = Pose::from_translation(from - 8.0 * Vec3::Z);
        // Far away, so that the way through the slit is as good as straight.
        let axis = Axis::new(from - 8.0 * Vec3::Z + 1e6 * Vec3::X, Vec3::Y).unwrap();
        let motions: [Box<dyn Motion>; 4] = [
            Box::new(UniformMotion::translation(start, -8.0 * Vec3::Z)),
            Box::new(UniformMotion::rotation(start, axis, -8e-6)),
            Box::new(UniformMotion::screw(start, axis, -8e-6, 0.0)),
            Box::new(Straight::new(
                start,
                Pose::new(Quat::from_rotation_z(1e-7), end.translation()).unwrap(),
            )),
        ];
        for (number, motion) in motions.iter().enumerate() {
            let name = format!("{name}, motion {number}");
            let then = intersect(block.prepared(), grain.prepared(), &motion.pose(1.0)).unwrap();
            assert_eq!(then.relation, Relation::BInsideA, "{name}");
            for is_turned in [false, true] {
                let (a, of_a, b, of_b): (_, &dyn Motion, _, &dyn Motion) = if is_turned {
                    (&grain, &**motion, &block, &still)
                } else {
                    (&block, &still, &grain, &**motion)
                };
                let verdict =
                    time_of_contact_with_allowance(a, of_a, b, of_b, 0.0, &limits, &mut memory).unwrap();
                let Verdict::Contact(contact) = verdict else { panic!("{name}: {verdict:?}") };
                assert!(contact.time > 0.4 && contact.time < 0.51, "{name}: {contact:?}");
                let of_block = if is_turned { contact.feature_b } else { contact.feature_a };
                assert!(!matches!(of_block, Feature::Face(face) if face >= 14), "{name}: {contact:?}");
                assert_eq!(contact.parts, [0, 0]);
                let closest = clearance(a, of_a, b, of_b, &ClearanceRequest::default(), &mut memory).unwrap();
                assert_eq!(closest.distance, 0.0, "{name}");
            }
            // Beside the block it is free.
            let beside =
                UniformMotion::translation(Pose::from_translation(from + 2.0 * Vec3::Y), -8.0 * Vec3::Z);
            let verdict =
                time_of_contact_with_allowance(&block, &still, &grain, &beside, 0.0, &limits, &mut memory);
            assert_eq!(verdict.unwrap(), Verdict::Free, "{name}");
        }
    }
}
