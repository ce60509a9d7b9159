//! Parts for tests: rings, pegs, gears, and boxes.
#![allow(dead_code, unreachable_pub)] // every test binary uses some of them

use freiraum_geometry::shape::{Compound, Cuboid, Part, Shape};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::Movable;
use std::f64::consts::TAU;
use std::sync::Arc;

/// A ring about z between `bottom` and `top`; radii per corner, `phase` in radians.
pub fn ring(inner: &[f64], outer: &[f64], [bottom, top]: [f64; 2], phase: f64) -> Mesh {
    let n = inner.len();
    assert_eq!(n, outer.len());
    let at = |radius: f64, i: usize, z: f64| {
        let angle = phase + i as f64 * TAU / n as f64;
        Vec3::new(radius * angle.cos(), radius * angle.sin(), z)
    };
    let mut vertices = Vec::new();
    for i in 0..n {
        vertices.extend([
            at(inner[i], i, bottom),
            at(inner[i], i, top),
            at(outer[i], i, bottom),
            at(outer[i], i, top),
        ]);
    }
    let index = |i: usize, k: u32| (i % n) as u32 * 4 + k;
    let mut faces = Vec::new();
    let mut quad = |[a, b, c, d]: [u32; 4]| faces.extend([[a, b, c], [a, c, d]]);
    for i in 0..n {
        let j = i + 1;
        quad([index(i, 2), index(j, 2), index(j, 3), index(i, 3)]);
        quad([index(i, 0), index(i, 1), index(j, 1), index(j, 0)]);
        quad([index(i, 1), index(i, 3), index(j, 3), index(j, 1)]);
        quad([index(i, 0), index(j, 0), index(j, 2), index(i, 2)]);
    }
    Mesh::new(vertices, faces).unwrap()
}

/// A peg about z with n sides.
pub fn peg(n: usize, radius: f64, [bottom, top]: [f64; 2], phase: f64) -> Mesh {
    let at = |i: usize, z: f64| {
        let angle = phase + i as f64 * TAU / n as f64;
        Vec3::new(radius * angle.cos(), radius * angle.sin(), z)
    };
    let mut vertices: Vec<Vec3> = (0..n).flat_map(|i| [at(i, bottom), at(i, top)]).collect();
    vertices.extend([Vec3::new(0.0, 0.0, bottom), Vec3::new(0.0, 0.0, top)]);
    let (low, high) = (2 * n as u32, 2 * n as u32 + 1);
    let mut faces = Vec::new();
    for i in 0..n {
        let (i, j) = (2 * i as u32, 2 * ((i + 1) % n) as u32);
        faces.extend([[i, j, j + 1], [i, j + 1, i + 1], [low, j, i], [high, i + 1, j + 1]]);
    }
    Mesh::new(vertices, faces).unwrap()
}

/// Radii of a gear with square-cut teeth, four corners a tooth.
pub fn teeth(count: usize, root: f64, tip: f64) -> Vec<f64> {
    (0..4 * count).map(|i| if i % 4 < 2 { root } else { tip }).collect()
}

pub fn movable(mesh: Mesh) -> Movable {
    Movable::new(Shape::Mesh(Arc::new(mesh)))
}

pub fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

/// Boxes with their centres, as one body.
pub fn boxes(parts: &[([f64; 3], [f64; 3])]) -> Movable {
    let parts = parts.iter().map(|(size, center)| Part {
        compound_from_part: Pose::from_translation(Vec3::from_array(*center)),
        shape: cuboid(size[0], size[1], size[2]),
    });
    Movable::new(Shape::Compound(Compound::new(parts.collect()).unwrap()))
}

pub fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}
