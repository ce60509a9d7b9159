//! Distances and surface checks written from the definitions, sharing no code with what they judge.

pub(crate) mod twofold;

use freiraum_geometry::shape::{Capsule, Cone, Convex, Cuboid, Cylinder, Sphere};
use freiraum_geometry::{Mesh, Shape, Vec2, Vec3};
use freiraum_testkit::random::Random;

/// A primitive with sizes between 1e-6 and 1e6 m and proportions up to 1000.
pub(crate) fn random_primitive(random: &mut Random, kind: usize) -> Shape {
    let size = 10f64.powf(random.range(-6.0, 6.0));
    random_primitive_of_size(random, kind, size, 1.5)
}

/// A primitive of about the given size, the logarithm of its proportions up to `spread`.
pub(crate) fn random_primitive_of_size(random: &mut Random, kind: usize, size: f64, spread: f64) -> Shape {
    let mut length = || size * 10f64.powf(random.range(-spread, spread));
    let (a, b, c) = (length(), length(), length());
    match kind % 5 {
        0 => Shape::Sphere(Sphere::new(a).unwrap()),
        1 => Shape::Cuboid(Cuboid::new(Vec3::new(a, b, c)).unwrap()),
        2 => Shape::Cylinder(Cylinder::new(a, b).unwrap()),
        3 => Shape::Capsule(Capsule::new(a, b).unwrap()),
        _ => Shape::Cone(Cone::new(a, b).unwrap()),
    }
}

/// A convex polyhedron of random points.
pub(crate) fn random_convex(random: &mut Random, size: f64) -> Shape {
    let points: Vec<Vec3> = (0..4 + random.below(30)).map(|_| random.in_cube(size)).collect();
    Shape::Convex(Convex::from_points(&points).unwrap())
}

/// The largest radius of curvature that matters for tessellation: the radius, or the size of a box.
pub(crate) fn radius(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere(s) => s.radius(),
        Shape::Cylinder(s) => s.radius(),
        Shape::Capsule(s) => s.radius(),
        Shape::Cone(s) => s.radius(),
        other => other.aabb().unwrap().reach(),
    }
}

/// Signed distance of a point to the surface of a primitive, negative inside.
pub(crate) fn signed_distance(shape: &Shape, p: Vec3) -> f64 {
    // Solids of revolution in the half plane (distance from the axis, height).
    let q = Vec2::new(p.x.hypot(p.y), p.z);
    match shape {
        Shape::Sphere(s) => q.x.hypot(q.y) - s.radius(),
        Shape::Capsule(s) => {
            let half = 0.5 * s.height();
            q.x.hypot(q.y - q.y.clamp(-half, half)) - s.radius()
        }
        Shape::Cuboid(s) => {
            let d = p.abs() - 0.5 * s.size();
            d.max(Vec3::ZERO).length() + d.max_element().min(0.0)
        }
        Shape::Cylinder(s) => {
            let d = Vec2::new(q.x - s.radius(), q.y.abs() - 0.5 * s.height());
            d.max(Vec2::ZERO).length() + d.max_element().min(0.0)
        }
        Shape::Cone(s) => {
            let (tip, rim) = (Vec2::new(0.0, 0.5 * s.height()), Vec2::new(s.radius(), -0.5 * s.height()));
            let base = Vec2::new(0.0, -0.5 * s.height());
            let distance = segment_distance(q, tip, rim).min(segment_distance(q, base, rim));
            let is_under_side = (rim - tip).perp_dot(q - tip) <= 0.0;
            if is_under_side && q.y >= base.y { -distance } else { distance }
        }
        _ => panic!("no oracle for {}", shape.kind()),
    }
}

fn segment_distance(p: Vec2, a: Vec2, b: Vec2) -> f64 {
    let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    (p - a - t * (b - a)).length()
}

/// A random point on the surface of a primitive; edges, rims and tips have their share.
pub(crate) fn surface_point(shape: &Shape, random: &mut Random) -> Vec3 {
    let around = |random: &mut Random, radius: f64, z: f64| {
        let (sin, cos) = random.range(0.0, std::f64::consts::TAU).sin_cos();
        Vec3::new(radius * cos, radius * sin, z)
    };
    // In a third of all cases an end of the range, so that rims and corners occur.
    let share = |random: &mut Random| match random.below(6) {
        0 => 0.0,
        1 => 1.0,
        _ => random.unit(),
    };
    match shape {
        Shape::Sphere(s) => s.radius() * random.direction(),
        Shape::Capsule(s) => {
            let half = 0.5 * s.height();
            if random.below(2) == 0 {
                let z = half * (2.0 * share(random) - 1.0);
                return around(random, s.radius(), z);
            }
            let d = random.direction();
            s.radius() * d + Vec3::new(0.0, 0.0, half.copysign(d.z))
        }
        Shape::Cuboid(s) => {
            let mut p = s.size() * (Vec3::new(share(random), share(random), share(random)) - 0.5);
            let axis = random.below(3);
            p[axis] = 0.5 * s.size()[axis] * if random.below(2) == 0 { 1.0 } else { -1.0 };
            p
        }
        Shape::Cylinder(s) => {
            let half = 0.5 * s.height();
            let (t, end) = (share(random), if random.below(2) == 0 { half } else { -half });
            if random.below(2) == 0 {
                around(random, s.radius(), half * (2.0 * t - 1.0))
            } else {
                around(random, t * s.radius(), end)
            }
        }
        Shape::Cone(s) => {
            let (t, half) = (share(random), 0.5 * s.height());
            let z = if random.below(2) == 0 { half - t * s.height() } else { -half };
            around(random, t * s.radius(), z)
        }
        _ => panic!("no oracle for {}", shape.kind()),
    }
}

/// Distance of a point to a triangle: the plane where the foot is inside, else the nearest edge.
pub(crate) fn triangle_distance(p: Vec3, [a, b, c]: [Vec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    let inside = |a: Vec3, b: Vec3| normal.cross(b - a).dot(p - a) >= 0.0;
    if normal.length_squared() > 0.0 && inside(a, b) && inside(b, c) && inside(c, a) {
        return (normal.dot(p - a) / normal.length()).abs();
    }
    let edge = |a: Vec3, b: Vec3| {
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        (p - a - t * (b - a)).length()
    };
    edge(a, b).min(edge(b, c)).min(edge(c, a))
}

/// Distance of a point to the nearest triangle of a mesh, all of them tried.
pub(crate) fn mesh_distance(p: Vec3, mesh: &Mesh) -> f64 {
    mesh.triangles().map(|t| triangle_distance(p, t)).fold(f64::INFINITY, f64::min)
}

/// Panics unless the mesh is one closed surface like a sphere, wound consistently, with every vertex in use once and
/// every face of some area.
pub(crate) fn check_closed(mesh: &Mesh, name: &str) {
    let mut edges = Vec::with_capacity(3 * mesh.faces().len());
    let mut used = vec![false; mesh.vertices().len()];
    for face in mesh.faces() {
        for i in 0..3 {
            edges.push((face[i], face[(i + 1) % 3]));
            used[face[i] as usize] = true;
        }
    }
    edges.sort_unstable();
    for pair in edges.windows(2) {
        assert!(pair[0] != pair[1], "{name}: edge {:?} is used twice in one direction", pair[0]);
    }
    for &(a, b) in &edges {
        assert!(edges.binary_search(&(b, a)).is_ok(), "{name}: edge {a}-{b} is open");
    }
    assert!(used.iter().all(|&u| u), "{name}: a vertex is not in use");
    let euler = mesh.vertices().len() as i64 - edges.len() as i64 / 2 + mesh.faces().len() as i64;
    assert_eq!(euler, 2, "{name}: not a sphere topologically");
    let mut places: Vec<_> =
        mesh.vertices().iter().map(|p| p.to_array().map(|x| (x + 0.0).to_bits())).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), mesh.vertices().len(), "{name}: two vertices in one place");
    for [a, b, c] in mesh.triangles() {
        assert!((b - a).cross(c - a).length() > 0.0, "{name}: a face without area at {a}");
    }
}
