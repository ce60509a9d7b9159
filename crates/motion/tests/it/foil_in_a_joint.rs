//! A table of two boxes side by side: resting contact opened the joint between them by some billionths, and a
//! foil without thickness that came down exactly
//! there went into the table and was free.

use freiraum_geometry::path::UniformMotion;
use freiraum_geometry::shape::{Compound, Cuboid, Part, Shape};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::fit::{Joint, time_of_contact_with_allowance};
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict};
use std::sync::Arc;

/// Two cubes of 1 m, side by side along x, that overlap by `overlap`; as parts of a compound, or as shells of
/// a mesh.
fn tables(overlap: f64) -> [Movable; 2] {
    let sides = [-1.0, 1.0].map(|side| side * (0.5 - 0.5 * overlap));
    let part = |x: f64| Part {
        compound_from_part: Pose::from_translation(x * Vec3::X),
        shape: Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap()),
    };
    let compound = Shape::Compound(Compound::new(sides.map(part).to_vec()).unwrap());
    let (mut corners, mut faces) = (Vec::new(), Vec::new());
    for x in sides {
        let first = corners.len() as u32;
        let cube = Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap()).tessellate(1.0).unwrap();
        corners.extend(cube.vertices().iter().map(|p| *p + x * Vec3::X));
        faces.extend(cube.faces().iter().map(|face| face.map(|i| i + first)));
    }
    let mesh = Shape::Mesh(Arc::new(Mesh::new(corners, faces).unwrap()));
    [compound, mesh].map(Movable::new)
}

/// A triangle in the plane x = 0 whose tip is at the origin.
fn foil() -> Movable {
    let corners = vec![Vec3::ZERO, Vec3::new(0.0, 0.2, 0.3), Vec3::new(0.0, -0.2, 0.3)];
    Movable::new(Shape::Mesh(Arc::new(Mesh::new(corners, vec![[0, 1, 2]]).unwrap())))
}

fn moved(table: &Movable, from: f64, to: f64) -> Verdict {
    let start = Pose::from_translation(from * Vec3::Z);
    let motion = UniformMotion::translation(start, (to - from) * Vec3::Z);
    let still = UniformMotion::still(Pose::IDENTITY);
    let (limits, mut memory) = (Limits::default(), MotionWorkspace::default());
    let foil = foil();
    let mut ask = |is_turned: bool| {
        if is_turned {
            time_of_contact_with_allowance(table, &still, &foil, &motion, 0.0, &limits, &mut memory).unwrap()
        } else {
            time_of_contact_with_allowance(&foil, &motion, table, &still, 0.0, &limits, &mut memory).unwrap()
        }
    };
    let both = [ask(false), ask(true)];
    assert_eq!(both[0] == Verdict::Free, both[1] == Verdict::Free, "{both:?}");
    both[0]
}

#[test]
fn foils_do_not_go_into_the_joint_of_a_table() {
    for overlap in [0.0, 1e-12, 1e-9, 2e-8, 0.1] {
        for table in tables(overlap) {
            for (from, to) in [(0.6, 0.4), (0.5, -0.5), (0.5, 0.4), (0.6, -0.6)] {
                let verdict = moved(&table, from, to);
                assert!(verdict != Verdict::Free, "overlap {overlap}, from {from} to {to}");
            }
            assert_eq!(moved(&table, 0.7, 0.6), Verdict::Free);
        }
    }
    let known = Joint { kind: "parts", parts: [0, 1] };
    assert_eq!(tables(0.0)[0].joint(1e-9), Some(known));
}
