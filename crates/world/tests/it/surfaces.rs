//! Bodies on meshes and height fields.

#![expect(clippy::print_stdout, reason = "measured errors and orders of convergence are shown")]

use crate::common::*;
use freiraum_geometry::shape::{Capsule, Cone, Convex, Cylinder, HeightField, Shape};
use freiraum_geometry::{Pose, Vec3};
use freiraum_testkit::random::Random;
use freiraum_world::dynamics::{BodyDescription, ColliderDescription, Kind};
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

fn flat(columns: usize) -> Shape {
    let rows = vec![vec![0.0; columns]; columns];
    Shape::HeightField(HeightField::new([8.0, 8.0], &rows).unwrap())
}

fn shapes() -> Vec<(&'static str, Shape, f64)> {
    let points: Vec<Vec3> = (0..8)
        .map(|k| {
            let s = |b: usize| if k & b == 0 { -0.2 } else { 0.2 };
            Vec3::new(s(1), s(2), s(4))
        })
        .collect();
    vec![
        ("ball", ball(0.2), 0.2),
        ("box", cuboid(Vec3::new(0.6, 0.4, 0.3)), 0.15),
        ("cylinder", Shape::Cylinder(Cylinder::new(0.3, 0.2).unwrap()), 0.1),
        ("cone", Shape::Cone(Cone::new(0.3, 0.4).unwrap()), 0.2),
        ("convex", Shape::Convex(Convex::from_points(&points).unwrap()), 0.2),
    ]
}

/// On a fine flat height field, and on a flat box as a mesh, everything rests as it does on a plane: on its whole base, not turned.
#[test]
fn everything_rests_on_a_flat_surface() {
    let mesh = cuboid(Vec3::new(8.0, 8.0, 1.0)).tessellate(1.0).unwrap();
    let slab = cuboid(Vec3::new(8.0, 8.0, 1.0));
    for (ground, level) in
        [(flat(41), 0.0), (Shape::Mesh(Arc::new(mesh)), 0.5), (slab, 0.5), (plane(Vec3::Z), 0.0)]
    {
        for (name, shape, height) in shapes() {
            let mut world = engine();
            fixed(&mut world, ground.clone(), Pose::IDENTITY, material(0.5, 0.0));
            let place = Vec3::new(0.07, 0.11, level + height + 0.05);
            let thing = dynamic(&mut world, shape, at(place), material(0.5, 0.0));
            run(&mut world, 2.0, 0.005);
            let found = world.center(thing);
            let up = world.pose(thing).rotate(Vec3::Z).z;
            let points: usize = world.contacts().map(|c| c.points.len()).sum();
            println!(
                "{name} on {:?}: height {:.6}, upright {up:.9}, {points} points",
                ground.kind(),
                world.pose(thing).translation().z - level
            );
            assert!((world.pose(thing).translation().z - level - height).abs() < 0.001, "{name}: {found}");
            assert!(up > 0.999_999 || name == "ball", "{name}: {up}");
            assert!(world.linear_velocity(thing).length() < 1e-6, "{name}: {}", world.linear_velocity(thing));
        }
    }
}

/// A box slides over all the edges of a flat height field as over a plane: nothing catches.
#[test]
fn nothing_catches_on_inner_edges() {
    for (name, shape, height) in shapes() {
        let mut world = engine();
        fixed(&mut world, flat(81), Pose::IDENTITY, material(0.0, 0.0));
        let thing = dynamic(&mut world, shape, at(Vec3::new(-2.0, 0.13, height)), material(0.0, 0.0));
        world.set_velocity(thing, Vec3::new(2.0, 0.3, 0.0), Vec3::ZERO);
        run(&mut world, 1.5, 0.002);
        let v = world.linear_velocity(thing);
        println!("{name}: {v}");
        assert!((v - Vec3::new(2.0, 0.3, 0.0)).length() < 1e-3, "{name}: {v}");
    }
}

/// A wheel on its rim rolls down a tilted height field with 2/3 g sin(angle).
#[test]
fn wheel_rolls_down_a_slope() {
    let angle = 0.2f64;
    let mut world = engine();
    world.settings_mut().gravity = GRAVITY * Vec3::new(angle.sin(), 0.0, -angle.cos());
    fixed(&mut world, flat(41), Pose::IDENTITY, material(0.9, 0.0));
    let on_side = Pose::from_axis_angle(Vec3::X, FRAC_PI_2).unwrap();
    let wheel = Shape::Cylinder(Cylinder::new(0.25, 0.15).unwrap());
    let wheel = dynamic(&mut world, wheel, at(Vec3::new(-3.0, 0.03, 0.25)) * on_side, material(0.9, 0.0));
    run(&mut world, 2.0, 0.001);
    let expected = -3.0 + 0.5 * 2.0 / 3.0 * GRAVITY * angle.sin() * 4.0;
    let found = world.center(wheel);
    println!("wheel at {found}, expected {expected}");
    assert!(
        (found.x - expected).abs() < 0.01 && (found.z - 0.25).abs() < 0.001 && (found.y - 0.03).abs() < 0.01
    );
}

/// In a bowl everything ends up near the middle and nothing falls through.
#[test]
fn bowl_holds_everything() {
    let n = 61;
    let rows: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            (0..n)
                .map(|j| {
                    let (x, y) = (6.0 * (j as f64 / 60.0 - 0.5), 6.0 * (i as f64 / 60.0 - 0.5));
                    0.25 * (x * x + y * y)
                })
                .collect()
        })
        .collect();
    let mut random = Random::new(4);
    let mut world = engine();
    fixed(
        &mut world,
        Shape::HeightField(HeightField::new([6.0, 6.0], &rows).unwrap()),
        Pose::IDENTITY,
        material(0.4, 0.0),
    );
    let mut things = Vec::new();
    for (k, (_, shape, _)) in shapes().into_iter().chain(shapes()).enumerate() {
        let angle = 2.0 * PI * k as f64 / 10.0;
        let place = Vec3::new(1.5 * angle.cos(), 1.5 * angle.sin(), 1.5);
        things.push(dynamic(
            &mut world,
            shape,
            Pose::new(random.rotation(), place).unwrap(),
            material(0.4, 0.0),
        ));
    }
    let capsule = Shape::Capsule(Capsule::new(0.1, 0.5).unwrap());
    things.push(dynamic(&mut world, capsule, at(Vec3::new(0.0, 0.0, 2.0)), material(0.4, 0.0)));
    run(&mut world, 6.0, 0.004);
    for thing in things {
        let p = world.center(thing);
        assert!(p.z > 0.25 * p.with_z(0.0).length_squared() && p.z < 1.5, "{p}");
        assert!(world.linear_velocity(thing).length() < 0.5, "{p}: {}", world.linear_velocity(thing));
    }
}

/// A mesh as a moving body: a cube of triangles falls on a plane and rests on four corners.
#[test]
fn mesh_cube_rests_on_a_plane() {
    let mut world = engine();
    fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.5, 0.0));
    let mesh = cuboid(Vec3::splat(0.4)).tessellate(1.0).unwrap();
    let shape = ColliderDescription::new(Shape::Mesh(Arc::new(mesh)));
    let thing =
        world.add(BodyDescription::new(Kind::Dynamic, at(Vec3::new(0.0, 0.0, 0.3)), vec![shape])).unwrap();
    let other =
        dynamic(&mut world, cuboid(Vec3::splat(0.4)), at(Vec3::new(0.05, 0.0, 0.8)), material(0.5, 0.0));
    run(&mut world, 2.0, 0.002);
    println!("mesh at {}, box on it at {}", world.center(thing), world.center(other));
    assert!((world.center(thing).z - 0.2).abs() < 0.001);
    assert!((world.center(other).z - 0.6).abs() < 0.002);
}
