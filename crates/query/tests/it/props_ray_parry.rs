//! Rays beside `parry3d-f64`, at random and grazing. Where the two differ, stepping along the ray decides.

use freiraum_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::ray::{Ray, ray_cast};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use parry3d_f64::math::Vector;
use parry3d_f64::query::Ray as PeerRay;
use parry3d_f64::shape::SharedShape;
use std::f64::consts::FRAC_PI_2;

/// The same shape there, and its place in the frame of ours: round bodies stand along y there.
fn theirs(shape: &Shape) -> (SharedShape, Pose) {
    let upright = Pose::from_axis_angle(Vec3::X, FRAC_PI_2).unwrap();
    match shape {
        Shape::Sphere(s) => (SharedShape::ball(s.radius()), Pose::IDENTITY),
        Shape::Cuboid(s) => (SharedShape::cuboid(s.half().x, s.half().y, s.half().z), Pose::IDENTITY),
        Shape::Cylinder(s) => (SharedShape::cylinder(0.5 * s.height(), s.radius()), upright),
        Shape::Cone(s) => (SharedShape::cone(0.5 * s.height(), s.radius()), upright),
        Shape::Capsule(s) => (SharedShape::capsule_z(0.5 * s.height(), s.radius()), Pose::IDENTITY),
        _ => {
            let mesh = shape.tessellate(1.0).unwrap();
            let points = mesh.vertices().iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
            (SharedShape::trimesh(points, mesh.faces().to_vec()).unwrap(), Pose::IDENTITY)
        }
    }
}

#[test]
fn parry_agrees_except_where_it_is_wrong() {
    let mut random = Random::new(1);
    let (mut hits, mut differences) = (0, [0, 0]);
    for case in 0..cases(400) {
        let mut size = || random.range(0.2, 2.0);
        let solids = [
            Shape::Sphere(Sphere::new(size()).unwrap()),
            Shape::Cuboid(Cuboid::new(Vec3::new(size(), size(), size())).unwrap()),
            Shape::Cylinder(Cylinder::new(size(), size()).unwrap()),
            Shape::Capsule(Capsule::new(size(), size()).unwrap()),
            Shape::Cone(Cone::new(size(), size()).unwrap()),
            Shape::Mesh(Shape::Sphere(Sphere::new(size()).unwrap()).tessellate(0.05).unwrap().into()),
        ];
        for shape in solids {
            let (peer, ours_from_theirs) = theirs(&shape);
            // Past a point of the surface: through it, or grazing it.
            let direction = random.direction();
            let around = shape.aabb().unwrap();
            let on_surface = match shape.support(random.direction()) {
                Some(point) if case % 2 == 0 => point,
                _ => around.center() + 0.5 * around.size() * random.in_cube(1.0),
            };
            let origin = on_surface - direction * random.range(4.0, 20.0);
            let ray = Ray::new(origin, direction, f64::INFINITY).unwrap();
            let ours = ray_cast(&shape, &ray).map(|h| h.distance);
            let seen = ray.seen_from(&ours_from_theirs.inverse()).unwrap();
            let vector = |v: Vec3| Vector::new(v.x, v.y, v.z);
            let peer_ray = PeerRay::new(vector(seen.origin()), vector(seen.direction()));
            let theirs = peer.cast_local_ray(&peer_ray, f64::MAX, true);
            hits += usize::from(ours.is_some());
            let is_same = match (ours, theirs) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-6,
                (a, b) => a.is_none() && b.is_none(),
            };
            if is_same {
                continue;
            }
            differences[usize::from(matches!(shape, Shape::Cylinder(_) | Shape::Cone(_)))] += 1;
            // Ours must lie on the surface, and theirs not before it, unless the ray grazes.
            let first =
                (0..30000).map(|k| 1e-3 * f64::from(k)).find(|t| shape.contains(ray.at(*t)) == Some(true));
            match (ours, first) {
                (Some(distance), Some(first)) => {
                    assert!(distance <= first + 1e-9, "{shape:?} {ray:?}: {ours:?}, inside at {first}");
                    assert!(first - distance < 0.3, "{shape:?} {ray:?}: {ours:?}, inside from {first} on");
                }
                (None, Some(first)) => panic!("{shape:?} {ray:?}: missed, inside at {first}"),
                // A graze within the steps: nothing to be seen from inside.
                (_, None) => {}
            }
        }
    }
    assert!(hits > cases(400), "{hits}");
    // Cylinders and cones are found step by step there, to about 1e-5, and grazes of their rims count as hits.
    let [formulas, steps] = differences;
    assert!(formulas * 100 < cases(400) && steps < cases(400), "{differences:?} are too many to be grazing");
}
