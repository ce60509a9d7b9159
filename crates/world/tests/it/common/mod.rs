//! Bodies that many tests use.

use freiraum_geometry::shape::{Cuboid, HalfSpace, Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_world::dynamics::{
    BodyDescription, BodyId, ColliderDescription, Engine, Kind, Material, Settings,
};

pub(crate) const GRAVITY: f64 = 9.81;

pub(crate) fn engine() -> Engine {
    Engine::new(Settings::default())
}

pub(crate) fn weightless() -> Engine {
    Engine::new(Settings { gravity: Vec3::ZERO, ..Settings::default() })
}

pub(crate) fn ball(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap())
}

pub(crate) fn cuboid(size: Vec3) -> Shape {
    Shape::Cuboid(Cuboid::new(size).unwrap())
}

pub(crate) fn plane(normal: Vec3) -> Shape {
    Shape::HalfSpace(HalfSpace::new(normal, 0.0).unwrap())
}

pub(crate) fn at(place: Vec3) -> Pose {
    Pose::from_translation(place)
}

pub(crate) fn material(friction: f64, restitution: f64) -> Material {
    Material { friction, restitution, ..Material::default() }
}

pub(crate) fn describe(kind: Kind, shape: Shape, pose: Pose, material: Material) -> BodyDescription {
    BodyDescription::new(kind, pose, vec![ColliderDescription::new(shape).of(material)])
}

pub(crate) fn fixed(engine: &mut Engine, shape: Shape, pose: Pose, material: Material) -> BodyId {
    engine.add(describe(Kind::Fixed, shape, pose, material)).unwrap()
}

pub(crate) fn dynamic(engine: &mut Engine, shape: Shape, pose: Pose, material: Material) -> BodyId {
    engine.add(describe(Kind::Dynamic, shape, pose, material)).unwrap()
}

/// Lets time pass in equal steps.
pub(crate) fn run(engine: &mut Engine, seconds: f64, step: f64) {
    for _ in 0..(seconds / step).round() as usize {
        engine.step(step);
    }
}

/// The order of convergence from errors at steps that halve: the last one that is not rounding.
pub(crate) fn order(errors: &[f64]) -> f64 {
    let last = errors.len() - 1;
    (errors[last - 1] / errors[last]).log2()
}
