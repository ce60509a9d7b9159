//! Every pair that `parry3d-f64` answers, side by side. Where the two differ, the exact oracle decides who is right; all such cases are
//! counted, and none of them may be ours.

use crate::pairs_common::exact::exact_distance;
use crate::pairs_common::{random_pose, sample};
use freiraum_geometry::shape::{Kind, Shape};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::{Prepared, distance, intersects};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use parry3d_f64::math::{Pose as ParryPose, Vector};
use parry3d_f64::query;
use parry3d_f64::shape as parry;
use parry3d_f64::shape::SharedShape;

fn vector(p: Vec3) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

fn parry_pose(pose: &Pose) -> ParryPose {
    let q = pose.rotation();
    let mut out = ParryPose::from_translation(vector(pose.translation()));
    (out.rotation.x, out.rotation.y, out.rotation.z, out.rotation.w) = (q.x, q.y, q.z, q.w);
    out
}

/// The same shape there, and its place in the frame of ours: round bodies stand along y there, half spaces begin at the
/// origin.
fn theirs(shape: &Shape) -> (SharedShape, Pose) {
    let upright = Pose::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2).unwrap();
    match shape {
        Shape::Sphere(s) => (SharedShape::ball(s.radius()), Pose::IDENTITY),
        Shape::Cuboid(s) => (SharedShape::cuboid(s.half().x, s.half().y, s.half().z), Pose::IDENTITY),
        Shape::Cylinder(s) => (SharedShape::cylinder(0.5 * s.height(), s.radius()), upright),
        Shape::Cone(s) => (SharedShape::cone(0.5 * s.height(), s.radius()), upright),
        Shape::Capsule(s) => (SharedShape::capsule_z(0.5 * s.height(), s.radius()), Pose::IDENTITY),
        Shape::HalfSpace(s) => {
            let up = s.normal();
            (SharedShape::halfspace(vector(up)), Pose::from_translation(s.offset() * up))
        }
        Shape::Convex(s) => {
            let points: Vec<Vector> = s.vertices().iter().map(|p| vector(*p)).collect();
            (SharedShape::convex_hull(&points).unwrap(), Pose::IDENTITY)
        }
        Shape::Mesh(_) | Shape::HeightField(_) => {
            let mesh = shape.tessellate(1.0).unwrap();
            let points = mesh.vertices().iter().map(|p| vector(*p)).collect();
            (SharedShape::trimesh(points, mesh.faces().to_vec()).unwrap(), Pose::IDENTITY)
        }
        Shape::Compound(s) => {
            let part = |p: &freiraum_geometry::shape::Part| {
                let (shape, part_from_theirs) = theirs(&p.shape);
                (parry_pose(&(p.compound_from_part * part_from_theirs)), shape)
            };
            let parts = s.parts().iter().map(part).collect();
            (SharedShape::new(parry::Compound::new(parts)), Pose::IDENTITY)
        }
    }
}

#[test]
fn every_pair_that_parry_answers() {
    let mut random = Random::new(71);
    let (mut asked, mut unsupported, mut differ, mut ours_wrong, mut theirs_wrong) = (0, 0, 0, 0, 0);
    let mut flags_differ = 0;
    let mut wrong_kinds = std::collections::BTreeMap::new();
    for ka in Kind::ALL {
        for kb in Kind::ALL {
            let (a, b) = (sample(ka, 1.0), sample(kb, 1.0));
            // Height fields are surfaces there.
            let as_theirs = |shape: &Shape, kind: Kind| match kind {
                Kind::HeightField => Prepared::new(shape.clone()).as_sheet(),
                _ => Prepared::new(shape.clone()),
            };
            let (pa, pb) = (as_theirs(&a, ka), as_theirs(&b, kb));
            let ((ta, a_from_theirs), (tb, b_from_theirs)) = (theirs(&a), theirs(&b));
            for case in 0..cases(12) {
                let pose = random_pose(&mut random, [0.5, 1.0, 1.6, 3.0][case % 4]);
                let (at_a, at_b) = (parry_pose(&a_from_theirs), parry_pose(&(pose * b_from_theirs)));
                let Ok(found) = query::distance(&at_a, &*ta, &at_b, &*tb) else {
                    unsupported += 1;
                    continue;
                };
                asked += 1;
                let ours = distance(&pa, &pb, &pose).unwrap().distance.max(0.0);
                if (ours - found.distance).abs() > 1e-7 {
                    differ += 1;
                    let right = exact_distance(&a, &b, &pose);
                    // Meshes are surfaces there: a body inside is at a distance.
                    ours_wrong += usize::from((ours - right).abs() > 1e-8);
                    theirs_wrong += usize::from((found.distance - right).abs() > 1e-7);
                    *wrong_kinds.entry(format!("{ka}-{kb}")).or_insert(0) += 1;
                }
                let Ok(meets) = query::intersection_test(&at_a, &*ta, &at_b, &*tb) else { continue };
                let our_flag = intersects(&pa, &pb, &pose).unwrap();
                if our_flag != meets.intersecting {
                    flags_differ += 1;
                    let right = exact_distance(&a, &b, &pose);
                    assert_eq!(our_flag, right <= 1e-8, "{ka} {kb} {pose:?}: {right}");
                }
            }
        }
    }
    eprintln!(
        "{asked} distances, {unsupported} not answered by parry, {differ} differ: {ours_wrong} wrong here, \
         {theirs_wrong} wrong there {wrong_kinds:?}; {flags_differ} booleans differ, wrong there"
    );
    assert_eq!(ours_wrong, 0);
    assert!(asked > 60 * cases(12), "{asked}");
}
