//! Parts for tests: rings, pegs, gears, and boxes.
#![allow(unreachable_pub)]

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

/// A closed surface about z from rings of `n` points, each with a radius and a height; the first and the last ring are closed by a
/// point on the axis. `radius(angle share, height)` in turns and metres.
pub fn turned(n: usize, heights: &[f64], radius: impl Fn(f64, f64) -> f64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let at = |i: usize, z: f64| {
        let share = i as f64 / n as f64;
        let r = radius(share, z);
        Vec3::new(r * (TAU * share).cos(), r * (TAU * share).sin(), z)
    };
    let vertices: Vec<Vec3> = heights.iter().flat_map(|z| (0..n).map(move |i| at(i, *z))).collect();
    let index = |i: usize, j: usize| (j * n + i % n) as u32;
    let mut faces = Vec::new();
    for j in 0..heights.len() - 1 {
        for i in 0..n {
            faces.push([index(i, j), index(i + 1, j), index(i + 1, j + 1)]);
            faces.push([index(i, j), index(i + 1, j + 1), index(i, j + 1)]);
        }
    }
    (vertices, faces)
}

/// The radius of a triangular thread: up by `depth` and down again in a pitch.
pub fn thread(root: f64, depth: f64, pitch: f64) -> impl Fn(f64, f64) -> f64 {
    move |share, z| {
        let phase = (z / pitch - share).rem_euclid(1.0);
        root + depth * (1.0 - (2.0 * phase - 1.0).abs())
    }
}

/// A bolt with a thread, as a solid.
pub fn bolt(n: usize, heights: &[f64], radius: impl Fn(f64, f64) -> f64) -> Mesh {
    let (mut vertices, mut faces) = turned(n, heights, radius);
    let (low, high) = (vertices.len() as u32, vertices.len() as u32 + 1);
    let top = ((heights.len() - 1) * n) as u32;
    vertices.extend([Vec3::Z * heights[0], Vec3::Z * heights[heights.len() - 1]]);
    for i in 0..n as u32 {
        let j = (i + 1) % n as u32;
        faces.extend([[low, j, i], [high, top + i, top + j]]);
    }
    Mesh::new(vertices, faces).unwrap()
}

/// A nut with a thread inside and a round outside, as a solid.
pub fn nut(n: usize, heights: &[f64], radius: impl Fn(f64, f64) -> f64, outer: f64) -> Mesh {
    let (mut vertices, mut faces) = turned(n, heights, radius);
    faces.iter_mut().for_each(|face| face.swap(1, 2));
    let inner = vertices.len() as u32;
    let ends = [heights[0], heights[heights.len() - 1]];
    let (outside, wall) = turned(n, &ends, |_, _| outer);
    vertices.extend(outside);
    faces.extend(wall.iter().map(|face| face.map(|i| i + inner)));
    let (top, n) = (inner - n as u32, n as u32);
    for i in 0..n {
        let j = (i + 1) % n;
        // Below, then above.
        faces.extend([[i, j, inner + j], [i, inner + j, inner + i]]);
        let (p, q) = (inner + n + i, inner + n + j);
        faces.extend([[top + i, q, top + j], [top + i, p, q]]);
    }
    Mesh::new(vertices, faces).unwrap()
}
