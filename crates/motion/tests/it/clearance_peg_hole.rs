//! The clearance of foreign pegs in their holes: walls that are parallel for the whole motion.

use freiraum_geometry::path::{Axis, Motion, UniformMotion};
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Pose, Vec3};
use freiraum_mesh_io::{ReadOptions, read};
use freiraum_motion::{Clearance, ClearanceRequest, MotionWorkspace, Movable, clearance};
use std::f64::consts::TAU;
use std::sync::Arc;

fn load(name: &str) -> Option<Movable> {
    let folder = freiraum_testkit::data::folder("factory-peg-hole")?;
    let mesh = read(folder.join(format!("factory_{name}.obj")), &ReadOptions::default()).unwrap();
    Some(Movable::new(Shape::Mesh(Arc::new(mesh))))
}

fn ask(hole: &Movable, peg: &Movable, motion: &dyn Motion) -> Clearance {
    let still = UniformMotion::still(Pose::IDENTITY);
    let mut memory = MotionWorkspace::default();
    clearance(hole, &still, peg, motion, &ClearanceRequest::default(), &mut memory).unwrap()
}

/// Inserts the peg along its axis, beside it, and turns it in its hole.
fn check(hole: &str, peg: &str, inserted: f64, turned: f64) {
    let (Some(hole), Some(peg)) = (load(hole), load(peg)) else { return };
    let insert = |x: f64| {
        let start = Pose::from_translation(Vec3::new(x, 0.0, 0.02));
        UniformMotion::translation(start, Vec3::new(0.0, 0.0, -0.018))
    };
    let close = |found: Clearance, expected: f64| {
        assert!((found.distance - expected).abs() < 1e-11, "{found:?} instead of {expected}");
        assert!(found.error <= 2e-9 * expected, "{found:?}");
    };
    let along = ask(&hole, &peg, &insert(0.0));
    close(along, inserted);
    let pose = insert(0.0).pose(along.time);
    let then = freiraum_query::distance(hole.prepared(), peg.prepared(), &pose).unwrap().distance;
    assert!((then - along.distance).abs() < 1e-16);
    assert_eq!(ask(&hole, &peg, &insert(1.2 * inserted)).distance, 0.0);
    let axis = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
    // Corners of a round peg pass the middles of the facets of its hole only when it turns.
    let inside = Pose::from_translation(Vec3::new(0.0, 0.0, 0.002));
    close(ask(&hole, &peg, &UniformMotion::rotation(inside, axis, TAU)), turned);
}

#[test]
fn round_pegs_have_the_clearance_of_their_hole() {
    let hole = "round_hole_8mm_subdiv_3x";
    check(hole, "round_peg_8mm_tight", 5.193728677e-5, 5.106720838e-5);
    check(hole, "round_peg_8mm_loose", 5.642911352e-5, 5.556831181e-5);
}

#[test]
fn rectangular_pegs_have_the_clearance_of_their_hole() {
    let hole = "rectangular_hole_8mm_subdiv_3x";
    check(hole, "rectangular_peg_8mm_tight_subdiv_3x", 6.7e-5, 0.0);
    check(hole, "rectangular_peg_8mm_loose_subdiv_3x", 9.0e-5, 0.0);
}
