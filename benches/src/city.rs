//! A city of primitives, drawn at random: houses, balls, columns and a slab as ground.

use freiraum_geometry::shape::{Cuboid, Cylinder, Shape, Sphere};
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_testkit::random::Random;
use std::f64::consts::TAU;

/// What is there, and how wide the built-up square is.
#[derive(Debug, Clone)]
pub struct City {
    /// Houses first, then balls, then cylinders, the ground last.
    pub items: Vec<(Pose, Shape)>,
    /// In metres.
    pub side: f64,
}

impl City {
    /// So many houses, and a fourth of that number of balls and of cylinders.
    #[must_use]
    pub fn new(houses: usize, random: &mut Random) -> City {
        let side = 6.0 * (houses as f64).sqrt();
        let width = (houses as f64 * 1.5).sqrt().ceil() as usize;
        let cell = side / width as f64;
        let mut cells: Vec<usize> = (0..width * width).collect();
        for k in (1..cells.len()).rev() {
            cells.swap(k, random.below(k + 1));
        }
        let mut items: Vec<(Pose, Shape)> = Vec::new();
        for k in 0..houses + 2 * (houses / 4) {
            let c = cells[k % cells.len()];
            let place = |i: usize, r: &mut Random| (i as f64 + 0.5 + r.range(-0.1, 0.1)) * cell - 0.5 * side;
            let (x, y) = (place(c % width, random), place(c / width, random));
            let (turn, z, shape) = if k < houses {
                let size = Vec3::new(random.range(1.6, 4.4), random.range(1.6, 4.4), random.range(3.0, 18.0));
                let turn = Quat::from_rotation_z(random.range(0.0, 0.5 * TAU));
                (turn, 0.5 * size.z, Shape::Cuboid(Cuboid::new(size).expect("a good box")))
            } else if k < houses + houses / 4 {
                let r = random.range(0.5, 1.8);
                (
                    Quat::IDENTITY,
                    r + random.range(0.0, 6.0),
                    Shape::Sphere(Sphere::new(r).expect("a good ball")),
                )
            } else {
                let (r, h) = (random.range(0.3, 1.2), random.range(2.0, 10.0));
                (Quat::IDENTITY, 0.5 * h, Shape::Cylinder(Cylinder::new(r, h).expect("a good cylinder")))
            };
            items.push((Pose::new(turn, Vec3::new(x, y, z)).expect("a good pose"), shape));
        }
        let ground = Cuboid::new(Vec3::new(2.0 * side, 2.0 * side, 1.0)).expect("a good box");
        let below = Pose::new(Quat::IDENTITY, Vec3::new(0.0, 0.0, -0.5)).expect("a good pose");
        items.push((below, Shape::Cuboid(ground)));
        City { items, side }
    }
}

/// A place that is in no body: from inside, solids are hit at once and triangles only where the ray leaves them.
#[must_use]
pub fn place_outside(items: &[(Pose, Shape)], side: f64, random: &mut Random) -> Vec3 {
    loop {
        let mut at = || random.range(-0.45, 0.45) * side;
        let (x, y) = (at(), at());
        let place = Vec3::new(x, y, random.range(1.5, 14.0));
        let holds = |(pose, shape): &(Pose, Shape)| {
            shape.contains(pose.inverse().transform_point(place)).unwrap_or(false)
        };
        if !items.iter().any(holds) {
            return place;
        }
    }
}
