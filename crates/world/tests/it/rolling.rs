//! Round bodies that roll go on rolling, on every kind of ground and at every step.

#![expect(clippy::print_stdout, reason = "measured speeds are shown")]

use crate::common;
use crate::common::{at, ball, cuboid, dynamic, engine, fixed, material, plane};
use freiraum_geometry::shape::{Capsule, Convex, Cylinder, HeightField, Shape};
use freiraum_geometry::{Pose, Quat, Vec3};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// Flat grounds, and where they are.
fn grounds() -> Vec<(&'static str, Shape, Vec3)> {
    let slab = cuboid(Vec3::new(20.0, 20.0, 0.1));
    let mesh = slab.tessellate(1.0).unwrap();
    let hull = Convex::from_points(mesh.vertices()).unwrap();
    let field = HeightField::new([4.0, 4.0], &vec![vec![0.0; 41]; 41]).unwrap();
    let below = Vec3::new(0.0, 0.0, -0.05);
    vec![
        ("plane", plane(Vec3::Z), Vec3::ZERO),
        ("box", slab, below),
        ("hull", Shape::Convex(hull), below),
        ("mesh", Shape::Mesh(Arc::new(mesh)), below),
        ("height field", Shape::HeightField(field), Vec3::ZERO),
    ]
}

/// Small and thin wheels at a metre per second for a second: at most 0.3 % of the speed is lost, nothing is held, and nothing jumps. Between two looks at its contacts
/// a wheel turns by up to 76 degrees.
#[test]
fn round_bodies_roll_on() {
    let radius = 0.0075;
    let cylinder = |height: f64| Shape::Cylinder(Cylinder::new(radius, height).unwrap());
    let bodies = [
        ("ball", ball(radius)),
        ("thin cylinder", cylinder(0.002)),
        ("cylinder", cylinder(0.02)),
        ("capsule", Shape::Capsule(Capsule::new(radius, 0.02).unwrap())),
    ];
    for (ground, shape, place) in grounds() {
        for (name, body) in &bodies {
            for step in [0.001, 0.002, 0.005, 0.01, 0.05] {
                let mut engine = engine();
                fixed(&mut engine, shape.clone(), at(place), material(1.0, 0.0));
                let start = Vec3::new(-0.5, 0.3, radius);
                let pose = Pose::new(Quat::from_rotation_x(FRAC_PI_2), start).unwrap();
                let it = dynamic(&mut engine, body.clone(), pose, material(1.0, 0.0));
                engine.set_velocity(it, Vec3::X, Vec3::Y / radius);
                let mut highest = 0.0f64;
                for _ in 0..(1.0f64 / step).round() as usize {
                    engine.step(step);
                    highest = highest.max(engine.center(it).z - radius);
                }
                let (speed, way) = (engine.linear_velocity(it).x, engine.center(it) - start);
                println!(
                    "{name} on a {ground}, step {step}: {speed:.4} m/s, went {way:.4}, rose {highest:.1e}"
                );
                assert!((0.997..1.0001).contains(&speed), "{name} on a {ground}, {step}: {speed}");
                assert!((0.997..1.0001).contains(&way.x), "{name} on a {ground}, {step}: {way}");
                assert!(
                    way.y.abs() < 0.01 && highest < 1e-5,
                    "{name} on a {ground}, {step}: {way} {highest}"
                );
            }
        }
    }
}

/// Thin wheels at almost no height above large meshes: rounding is as much as the height, and they roll on all the same.
#[test]
fn nothing_is_held_close_above_a_large_mesh() {
    let radius = 0.0075;
    for size in [2.0, 20.0, 200.0] {
        let slab = cuboid(Vec3::new(size, size, 0.1)).tessellate(1.0).unwrap();
        let slab = Shape::Mesh(Arc::new(slab));
        for gap in [0.0, 1e-10, 1e-9, 2e-9, 4e-9, 1e-8, 3e-8, 1e-7, 1e-6] {
            for tilt in [0.0, 1e-7, 1e-4] {
                let mut engine = engine();
                fixed(&mut engine, slab.clone(), at(Vec3::new(0.0, 0.0, -0.05)), material(1.0, 0.0));
                let start = Vec3::new(-0.5, 0.3, radius + gap + 0.001 * tilt);
                let pose = Pose::new(Quat::from_rotation_x(FRAC_PI_2 + tilt), start).unwrap();
                let wheel = Shape::Cylinder(Cylinder::new(radius, 0.002).unwrap());
                let it = dynamic(&mut engine, wheel, pose, material(1.0, 0.0));
                engine.set_velocity(it, Vec3::X, Vec3::Y / radius);
                common::run(&mut engine, 0.1, 0.001);
                let way = (engine.center(it) - start).x;
                assert!((0.0997..0.1001).contains(&way), "{size} m, {gap} m above, tilted by {tilt}: {way}");
            }
        }
    }
}

/// Thin wheels beside the outer edges and corners of a mesh, where normals of edges and of faces are hard to tell apart.
#[test]
fn wheels_roll_along_outer_edges_of_a_mesh() {
    let (radius, size) = (0.0075, 20.0);
    let slab = Shape::Mesh(Arc::new(cuboid(Vec3::new(size, size, 0.1)).tessellate(1.0).unwrap()));
    for beside in [0.002, 0.01, 0.1] {
        for from in [-0.5, -0.5 * size + 0.01, 0.5 * size - 0.11] {
            for (side, step) in [(1.0, 0.001), (-1.0, 0.002), (1.0, 0.01), (-1.0, 0.05)] {
                let mut engine = engine();
                fixed(&mut engine, slab.clone(), at(Vec3::new(0.0, 0.0, -0.05)), material(1.0, 0.0));
                let start = Vec3::new(from, side * (0.5 * size - beside), radius);
                let pose = Pose::new(Quat::from_rotation_x(FRAC_PI_2), start).unwrap();
                let wheel = Shape::Cylinder(Cylinder::new(radius, 0.002).unwrap());
                let it = dynamic(&mut engine, wheel, pose, material(1.0, 0.0));
                engine.set_velocity(it, Vec3::X, Vec3::Y / radius);
                common::run(&mut engine, 0.1, step);
                let way = engine.center(it) - start;
                let is_straight =
                    (0.0997..0.1001).contains(&way.x) && way.y.abs() < 0.001 && way.z.abs() < 1e-4;
                assert!(is_straight, "{beside} m from the edge, from {from}, step {step}: {way}");
            }
        }
    }
}
