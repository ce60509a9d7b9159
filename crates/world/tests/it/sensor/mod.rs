//! Sensors against closed forms, each other and brute force.

mod camera;
mod cone;
mod depth;
#[cfg(feature = "gpu")]
mod gpu;
mod laser;

use freiraum_geometry::shape::{Capsule, Cuboid, Cylinder, HalfSpace, Sphere};
use freiraum_geometry::{Pose, Quat, Shape, Vec3};
use freiraum_testkit::random::Random;
use freiraum_world::sensors::{Surroundings, Thing};

fn ball(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap())
}

fn cuboid(size: Vec3) -> Shape {
    Shape::Cuboid(Cuboid::new(size).unwrap())
}

fn cylinder(radius: f64, height: f64) -> Shape {
    Shape::Cylinder(Cylinder::new(radius, height).unwrap())
}

fn capsule(radius: f64, height: f64) -> Shape {
    Shape::Capsule(Capsule::new(radius, height).unwrap())
}

fn ground() -> Shape {
    Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

/// Things with one body each.
fn surroundings(items: impl IntoIterator<Item = (Pose, Shape)>) -> Surroundings {
    let things = items.into_iter().zip(0..);
    Surroundings::new(
        things.map(|((world_from_thing, shape), body)| Thing { body, world_from_thing, shape }).collect(),
    )
}

fn pose(random: &mut Random, half: f64) -> Pose {
    Pose::new(random.rotation(), random.in_cube(half)).unwrap()
}

/// A sensor that looks in a random direction, but is upright.
fn upright(random: &mut Random, at: Vec3) -> Pose {
    Pose::new(Quat::from_rotation_z(random.range(0.0, 6.3)), at).unwrap()
}
