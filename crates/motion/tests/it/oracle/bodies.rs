//! Bodies of all kinds, about a metre in size.

use freiraum_geometry::shape::{Capsule, Convex, Cuboid, HalfSpace, Shape, Sphere};
use freiraum_geometry::{Mesh, Vec3};
use freiraum_testkit::bumpy::Surface;
use freiraum_testkit::random::Random;
use freiraum_testkit::{models, nasty};
use std::sync::Arc;

/// What there is; the first ones are surfaces of triangles, and the half space is the last one more.
pub const KINDS: usize = 12;
pub const SURFACES: usize = 8;

pub fn surface(kind: usize, random: &mut Random) -> Surface {
    match kind {
        0 => {
            let split = 1 + random.below(3);
            nasty::star(random, split, 0.3)
        }
        1 => models::torus(0.7, 0.25, 12, 8),
        2 => models::prism(&models::gear_outline(8, 0.7, 1.0, 0.02), 0.3),
        3 => nasty::plate(1.5, 1.0, if random.unit() < 0.5 { 1e-5 } else { 1e-2 }),
        4 => nasty::needle(1.8, if random.unit() < 0.5 { 1e-4 } else { 2e-2 }),
        5 => nasty::hoop(0.6, 0.75, 0.4, 12),
        6 => models::ring(&models::gear_outline(6, 0.6, 0.8, 0.02), 1.0, 0.3),
        _ => models::cells([3, 3, 3], Vec3::splat(0.4), |[x, y, z]| (x + 2 * y + z) % 3 != 1 || z == 0),
    }
}

pub fn mesh((vertices, faces): Surface) -> Shape {
    Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap()))
}

pub fn body(kind: usize, random: &mut Random) -> Shape {
    match kind {
        8 => Shape::Cuboid(Cuboid::new(Vec3::new(0.8, 0.6, random.range(0.01, 1.0))).unwrap()),
        9 => {
            let points: Vec<Vec3> = (0..14).map(|_| 0.8 * random.direction()).collect();
            Shape::Convex(Convex::from_points(&points).unwrap())
        }
        10 => Shape::Sphere(Sphere::new(random.range(0.05, 0.6)).unwrap()),
        11 => Shape::Capsule(Capsule::new(random.range(0.02, 0.4), random.range(0.0, 1.2)).unwrap()),
        KINDS => {
            let normal = if random.unit() < 0.5 { Vec3::Y } else { random.direction() };
            Shape::HalfSpace(HalfSpace::new(normal, random.range(-0.5, 0.5)).unwrap())
        }
        _ => mesh(surface(kind, random)),
    }
}

/// The farthest point of a body in a direction.
pub fn extreme(shape: &Shape, direction: Vec3) -> Vec3 {
    let farthest = |points: &[Vec3]| {
        let along = |p: &&Vec3| direction.dot(**p);
        *points.iter().max_by(|p, q| along(p).total_cmp(&along(q))).unwrap()
    };
    match shape {
        Shape::Mesh(mesh) => farthest(mesh.vertices()),
        Shape::HalfSpace(plane) => plane.offset() * plane.normal(),
        other => other.support(direction).unwrap(),
    }
}
