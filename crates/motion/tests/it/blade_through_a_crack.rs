//! A bracket with a crack of 0.1 µm was eroded with the crack in it: it became a slit as wide as the
//! allowance, and a blade went through solid material
//! and was free.

use freiraum_geometry::path::UniformMotion;
use freiraum_geometry::shape::{Cuboid, Shape};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::fit::time_of_contact_with_allowance;
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict};
use std::sync::Arc;

/// An L of 2 by 2 m with legs of 1 m, 1 m deep, whose inner edge is split on one side at a corner that is
/// `off` beside the edge.
fn bracket(off: f64) -> Movable {
    let corners = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [2.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [2.0, 0.0, 1.0],
        [2.0, 1.0, 1.0],
        [1.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [1.0, 0.0, 2.0],
        [1.0, 0.5, 1.0 + off],
        [1.0, 1.0, 2.0],
        [0.0, 0.0, 2.0],
        [0.0, 1.0, 2.0],
    ];
    let faces: [[u32; 3]; 23] = [
        [0, 2, 1],
        [0, 3, 2],
        [1, 5, 4],
        [1, 2, 5],
        [4, 7, 6],
        [4, 5, 7],
        [6, 9, 8],
        [9, 10, 8],
        [9, 7, 10],
        [8, 12, 11],
        [8, 10, 12],
        [11, 3, 0],
        [11, 12, 3],
        [0, 1, 6],
        [7, 2, 3],
        [1, 4, 6],
        [7, 5, 2],
        [0, 6, 11],
        [12, 7, 3],
        [6, 8, 11],
        [12, 10, 7],
        // Two that have no area, as exporters write them.
        [0, 0, 1],
        [4, 4, 4],
    ];
    let mesh = Mesh::new(corners.map(Vec3::from).to_vec(), faces.to_vec()).unwrap();
    Movable::new(Shape::Mesh(Arc::new(mesh)))
}

#[test]
fn blades_never_go_through_a_cracked_bracket() {
    let still = UniformMotion::still(Pose::IDENTITY);
    let (limits, mut memory) = (Limits::default(), MotionWorkspace::default());
    let mut collisions = 0;
    for off in [0.0, 1e-9, 1e-7, -1e-7, 1e-6, 1e-5, 5e-5] {
        let bracket = bracket(off);
        for allowance in [0.0, 1e-6, 1e-4, 1e-3] {
            for thickness in [1.2e-3, 1.01e-3, 1.5e-4, 0.01] {
                let blade =
                    Movable::new(Shape::Cuboid(Cuboid::new(Vec3::new(1.0, 0.05, thickness)).unwrap()));
                // In the plane of the inner face of the lower leg, from outside into the upright.
                for z in [1.0 - 0.25 * thickness, 1.0, 1.0 + 0.1 * thickness] {
                    let start = Pose::from_translation(Vec3::new(2.6, 0.5, z));
                    let motion = UniformMotion::translation(start, -2.0 * Vec3::X);
                    let ask = |is_turned: bool, memory: &mut MotionWorkspace| {
                        if is_turned {
                            return time_of_contact_with_allowance(
                                &blade, &motion, &bracket, &still, allowance, &limits, memory,
                            );
                        }
                        time_of_contact_with_allowance(
                            &bracket, &still, &blade, &motion, allowance, &limits, memory,
                        )
                    };
                    for is_turned in [false, true] {
                        let verdict = ask(is_turned, &mut memory);
                        let name = format!("crack {off}, allowance {allowance}, blade {thickness} at {z}");
                        // What cannot be eroded is an error, which is no "free".
                        if let Ok(verdict) = &verdict {
                            assert!(matches!(verdict, Verdict::Contact(_)), "{name}: {verdict:?}");
                            collisions += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(collisions > 200, "{collisions}");
}
