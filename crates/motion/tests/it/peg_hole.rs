//! Foreign parts: 8 mm pegs and holes of the factory set, in metres.

use freiraum_geometry::path::{Axis, UniformMotion};
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_mesh_io::{ReadOptions, read};
use freiraum_motion::turn::full_turn;
use freiraum_motion::{
    ClearanceRequest, Limits, MotionWorkspace, Movable, Verdict, clearance, time_of_contact,
};
use freiraum_testkit::data::folder;
use std::f64::consts::TAU;
use std::path::Path;
use std::sync::Arc;

fn part(folder: &Path, name: &str) -> Mesh {
    read(folder.join(name), &ReadOptions::default()).unwrap()
}

/// The outlines of edges within a band of distances from the z axis, seen along it.
fn outlines(mesh: &Mesh, near: f64, far: f64) -> Vec<[Vec3; 2]> {
    let flat = |i: u32| mesh.vertices()[i as usize] * Vec3::new(1.0, 1.0, 0.0);
    let is_in = |p: Vec3| p.length() > near && p.length() < far;
    let edges = mesh.faces().iter().flat_map(|f| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]]);
    edges.map(|ends| ends.map(flat)).filter(|ends| ends.iter().all(|p| is_in(*p))).collect()
}

/// The distance of two outlines, corner by edge: what a peg that stands straight in its hole keeps.
fn outline_distance(a: &[[Vec3; 2]], b: &[[Vec3; 2]]) -> f64 {
    let from = |corners: &[[Vec3; 2]], edges: &[[Vec3; 2]]| {
        let pairs = corners.iter().flat_map(|c| edges.iter().map(move |e| (c[0], e)));
        let distance = pairs.map(|(p, [q, r])| {
            let along = *r - *q;
            let t = (p - *q).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
            p.distance(*q + t.clamp(0.0, 1.0) * along)
        });
        distance.fold(f64::INFINITY, f64::min)
    };
    from(a, b).min(from(b, a))
}

struct Fit {
    hole: Movable,
    peg: Movable,
    /// As they are.
    straight: f64,
    /// At the worst angle between them: the inner radius of the hole less the radius of the peg.
    radial: f64,
}

/// The tight and the loose fit, with the clearance the set tells in micrometres.
fn fits() -> Option<Vec<(Fit, f64)>> {
    let folder = folder("factory-peg-hole")?;
    let movable = |mesh: Mesh| Movable::new(Shape::Mesh(Arc::new(mesh)));
    let hole = part(&folder, "factory_round_hole_8mm_subdiv_3x.obj");
    let inner = outlines(&hole, 0.0, 0.0045);
    let hole = movable(hole);
    let fits = [("tight", 51.1), ("loose", 55.6)].map(|(name, told)| {
        let peg = part(&folder, &format!("factory_round_peg_8mm_{name}.obj"));
        let outer = outlines(&peg, 0.0039, 1.0);
        let widest = outer.iter().map(|edge| edge[0].length()).fold(0.0, f64::max);
        let fit = Fit {
            hole: hole.clone(),
            peg: movable(peg),
            straight: outline_distance(&inner, &outer),
            radial: outline_distance(&inner, &[[Vec3::ZERO; 2]]) - widest,
        };
        (fit, told)
    });
    Some(fits.into())
}

/// From 50 mm above the ground of the hole down into it.
fn insertion(x: f64, y: f64) -> UniformMotion {
    UniformMotion::translation(Pose::from_translation(Vec3::new(x, y, 0.05)), Vec3::new(0.0, 0.0, -0.05))
}

#[test]
fn insertion_along_the_axis_is_proven_free_with_the_right_clearance() {
    let Some(fits) = fits() else { return };
    let still = UniformMotion::still(Pose::IDENTITY);
    for (fit, told) in fits {
        assert!((fit.radial * 1e6 - told).abs() < 0.05, "{}", fit.radial);
        let memory = &mut MotionWorkspace::default();
        {
            let free = time_of_contact(
                &fit.hole,
                &still,
                &fit.peg,
                &insertion(0.0, 0.0),
                &Limits::default(),
                memory,
            );
            assert_eq!(free, Ok(Verdict::Free));
            let request = ClearanceRequest::default();
            let found =
                clearance(&fit.hole, &still, &fit.peg, &insertion(0.0, 0.0), &request, memory).unwrap();
            assert!(
                (found.distance - fit.straight).abs() < 1e-9 * fit.straight,
                "{found:?} {}",
                fit.straight
            );
            assert!(found.error <= 2e-9 * fit.straight && found.lower() >= fit.radial, "{found:?}");
        }
        // Turning it in the hole meets the worst angle.
        let spin = Axis::new(Vec3::ZERO, Vec3::Z).unwrap();
        {
            let found = full_turn(&fit.hole, &fit.peg, &Pose::IDENTITY, &spin, memory).unwrap();
            assert!(found.free && found.clearance_lower <= fit.straight, "{found:?}");
            assert!(found.clearance_lower > 0.98 * fit.radial, "{found:?} {}", fit.radial);
            let turn = UniformMotion::rotation(Pose::IDENTITY, spin, TAU);
            let request = ClearanceRequest::default();
            let found = clearance(&fit.hole, &still, &fit.peg, &turn, &request, memory).unwrap();
            assert!(found.distance < fit.straight && found.distance > fit.radial * (1.0 - 1e-9), "{found:?}");
        }
    }
}

#[test]
fn shifted_by_more_than_the_clearance_it_touches() {
    let Some(fits) = fits() else { return };
    let still = UniformMotion::still(Pose::IDENTITY);
    for (fit, _) in fits {
        let memory = &mut MotionWorkspace::default();
        for k in 0..12 {
            let (sin, cos) = (k as f64 * TAU / 12.0).sin_cos();
            let mut at = |share: f64| {
                let motion = insertion(share * fit.radial * cos, share * fit.radial * sin);
                time_of_contact(&fit.hole, &still, &fit.peg, &motion, &Limits::default(), memory).unwrap()
            };
            {
                // The peg ends where the hole begins.
                let Verdict::Contact(contact) = at(1.2) else { panic!("direction {k}") };
                let top = fit.hole.prepared().bounds().unwrap().max.z;
                let lower = 0.05 - 0.05 * contact.time;
                assert!(lower <= top + 1e-12, "{contact:?}");
                assert_eq!(at(0.98), Verdict::Free);
            }
        }
    }
}
