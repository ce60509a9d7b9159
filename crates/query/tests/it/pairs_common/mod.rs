//! Sample shapes of every kind and slow, independent answers about them.
#![allow(dead_code, unreachable_pub)]

pub mod exact;

use freiraum_geometry::shape::{
    Capsule, Compound, Cone, Convex, Cuboid, Cylinder, HalfSpace, HeightField, Kind, Part, Shape, Sphere,
};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_testkit::random::Random;
use std::sync::Arc;

/// How far the tessellations of the oracle are off.
pub const DEVIATION: f64 = 0.02;

/// A shape of each kind about one metre large, times `scale`.
pub fn sample(kind: Kind, scale: f64) -> Shape {
    let s = |x: f64| x * scale;
    let v = |x: f64, y: f64, z: f64| scale * Vec3::new(x, y, z);
    match kind {
        Kind::Sphere => Shape::Sphere(Sphere::new(s(0.6)).unwrap()),
        Kind::Cuboid => Shape::Cuboid(Cuboid::new(v(1.0, 0.7, 1.4)).unwrap()),
        Kind::Cylinder => Shape::Cylinder(Cylinder::new(s(0.5), s(1.1)).unwrap()),
        Kind::Capsule => Shape::Capsule(Capsule::new(s(0.35), s(0.9)).unwrap()),
        Kind::Cone => Shape::Cone(Cone::new(s(0.7), s(1.2)).unwrap()),
        Kind::Convex => Shape::Convex(
            Convex::from_points(&[
                v(0.6, 0.1, 0.0),
                v(-0.5, 0.6, 0.1),
                v(-0.4, -0.7, 0.2),
                v(0.1, 0.0, 0.8),
                v(0.0, 0.2, -0.7),
                v(0.5, 0.5, 0.5),
            ])
            .unwrap(),
        ),
        Kind::HalfSpace => Shape::HalfSpace(HalfSpace::new(Vec3::new(1.0, 2.0, -2.0), s(0.1)).unwrap()),
        Kind::Mesh => Shape::Mesh(Arc::new(notched_block(scale))),
        Kind::HeightField => {
            let heights = [[0.0, 0.2, -0.1, 0.1], [0.1, 0.4, 0.0, -0.2], [0.0, -0.1, 0.3, 0.0]];
            let rows: Vec<Vec<f64>> = heights.iter().map(|r| r.iter().map(|&h| s(h)).collect()).collect();
            Shape::HeightField(HeightField::new([s(1.6), s(1.2)], &rows).unwrap())
        }
        Kind::Compound => Shape::Compound(
            Compound::new(vec![
                Part {
                    compound_from_part: Pose::from_translation(v(0.5, 0.0, 0.0)),
                    shape: Shape::Sphere(Sphere::new(s(0.3)).unwrap()),
                },
                Part {
                    compound_from_part: Pose::new(
                        freiraum_geometry::Quat::from_xyzw(0.1, 0.2, 0.3, 0.9),
                        v(-0.4, 0.1, 0.2),
                    )
                    .unwrap(),
                    shape: Shape::Cuboid(Cuboid::new(v(0.5, 0.4, 0.6)).unwrap()),
                },
            ])
            .unwrap(),
        ),
    }
}

/// A closed L-shaped block, not convex: the unit square minus its upper right quarter, 0.8 high, centred.
pub fn notched_block(scale: f64) -> Mesh {
    let outline = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.5, 0.5), (0.5, 1.0), (0.0, 1.0)];
    let ring = |z: f64| outline.map(|(x, y)| scale * Vec3::new(x - 0.5, y - 0.5, z));
    let vertices = [ring(-0.4), ring(0.4)].concat();
    let mut faces = Vec::new();
    for i in 0..6u32 {
        let j = (i + 1) % 6;
        faces.extend([[i, j, j + 6], [i, j + 6, i + 6]]);
    }
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        faces.extend([[a + 6, b + 6, c + 6], [a, c, b]]);
    }
    Mesh::new(vertices, faces).unwrap()
}

/// A box as a closed mesh.
pub fn box_mesh(size: Vec3) -> Mesh {
    Shape::Cuboid(Cuboid::new(size).unwrap()).tessellate(1.0).unwrap()
}

/// A random pose within reach of the other shape.
pub fn random_pose(random: &mut Random, half: f64) -> Pose {
    Pose::new(random.rotation(), random.in_cube(half)).unwrap()
}

/// True if a point is in the closed solid; for surfaces always false. By winding number for meshes.
pub fn contains(shape: &Shape, p: Vec3) -> bool {
    match shape {
        Shape::Mesh(mesh) => {
            let winding: f64 = mesh
                .triangles()
                .map(|t| {
                    let [a, b, c] = t.map(|q| q - p);
                    let (la, lb, lc) = (a.length(), b.length(), c.length());
                    2.0 * a
                        .dot(b.cross(c))
                        .atan2(la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
                })
                .sum();
            winding.abs() > std::f64::consts::TAU
        }
        Shape::HeightField(_) => false,
        Shape::Compound(s) => s
            .parts()
            .iter()
            .any(|part| contains(&part.shape, part.compound_from_part.inverse().transform_point(p))),
        other => other.contains(p).unwrap(),
    }
}

/// The triangles of a shape in the frame of a, within [`DEVIATION`] times `scale` of it.
pub fn triangles(shape: &Shape, a_from_shape: &Pose, scale: f64) -> Vec<[Vec3; 3]> {
    let mesh = shape.tessellate(DEVIATION * scale).unwrap();
    mesh.triangles().map(|t| t.map(|p| a_from_shape.transform_point(p))).collect()
}

/// The distance of two shapes by brute force over tessellations: 0 where they overlap. Off by at most twice the deviation.
pub fn brute_distance(a: &Shape, b: &Shape, a_from_b: &Pose, scale: f64) -> f64 {
    let b_from_a = a_from_b.inverse();
    if let Shape::HalfSpace(plane) = b {
        return above(plane, &triangles(a, &b_from_a, scale));
    }
    if let Shape::HalfSpace(plane) = a {
        return above(plane, &triangles(b, a_from_b, scale));
    }
    let (ta, tb) = (triangles(a, &Pose::IDENTITY, scale), triangles(b, a_from_b, scale));
    let inside = |shape: &Shape, shape_from_a: &Pose, list: &[[Vec3; 3]]| {
        list.iter().flatten().any(|&p| contains(shape, shape_from_a.transform_point(p)))
    };
    if inside(b, &b_from_a, &ta) || inside(a, &Pose::IDENTITY, &tb) {
        return 0.0;
    }
    let mut best = f64::INFINITY;
    for s in &ta {
        for t in &tb {
            best = best.min(triangle_distance(s, t, best));
        }
    }
    best
}

fn above(plane: &HalfSpace, list: &[[Vec3; 3]]) -> f64 {
    let heights = list.iter().flatten().map(|p| plane.normal().dot(*p) - plane.offset());
    heights.fold(f64::INFINITY, f64::min).max(0.0)
}

/// The distance of two triangles from the edges and corners of both, or something above `enough`.
pub fn triangle_distance(s: &[Vec3; 3], t: &[Vec3; 3], enough: f64) -> f64 {
    let middle = |t: &[Vec3; 3]| (t[0] + t[1] + t[2]) / 3.0;
    let size = |t: &[Vec3; 3]| t.iter().map(|p| p.distance(middle(t))).fold(0.0, f64::max);
    let least = middle(s).distance(middle(t)) - size(s) - size(t);
    if least > enough {
        return f64::INFINITY;
    }
    let mut best = f64::INFINITY;
    for i in 0..3 {
        for j in 0..3 {
            best = best.min(segment_distance(s[i], s[(i + 1) % 3], t[j], t[(j + 1) % 3]));
        }
        best = best.min(over_triangle(s[i], t)).min(over_triangle(t[i], s));
        if pierces(s[i], s[(i + 1) % 3], t) || pierces(t[i], t[(i + 1) % 3], s) {
            return 0.0;
        }
    }
    best
}

fn segment_distance(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f64 {
    let foot = |p: Vec3, from: Vec3, to: Vec3| {
        let t = ((p - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
        // Segments may be points.
        if t.is_finite() { p.distance(from + t * (to - from)) } else { p.distance(from) }
    };
    let ends = foot(a, c, d).min(foot(b, c, d)).min(foot(c, a, b)).min(foot(d, a, b));
    let (u, v, w) = (b - a, d - c, c - a);
    let n = u.cross(v);
    let square = n.length_squared();
    if square > 1e-20 * u.length_squared() * v.length_squared() {
        let (s, t) = (w.cross(v).dot(n) / square, w.cross(u).dot(n) / square);
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            return ends.min(w.dot(n).abs() / square.sqrt());
        }
    }
    ends
}

/// The height of a point over a triangle if its foot lies in it, else infinity.
fn over_triangle(p: Vec3, [a, b, c]: &[Vec3; 3]) -> f64 {
    let n = (*b - *a).cross(*c - *a);
    let is_over = [(a, b), (b, c), (c, a)].iter().all(|(s, e)| (**e - **s).cross(p - **s).dot(n) >= 0.0);
    if is_over { (p - *a).dot(n).abs() / n.length() } else { f64::INFINITY }
}

fn pierces(p: Vec3, q: Vec3, t: &[Vec3; 3]) -> bool {
    let n = (t[1] - t[0]).cross(t[2] - t[0]);
    let (h, k) = ((p - t[0]).dot(n), (q - t[0]).dot(n));
    h * k < 0.0 && over_triangle(p + h / (h - k) * (q - p), t).is_finite()
}
