//! The content of a shape as bytes: what digests and keys of caches are made from.

use super::Shape;
use crate::{Mesh, Pose, Vec3};

/// The version of the bytes that [`Shape::write_content`] writes. Keys that are kept in files contain it.
pub const CONTENT_VERSION: u32 = 1;

impl Shape {
    /// Hands the content of the shape to `sink`, piece by piece: a tag for every kind, counts, and all numbers bit for bit.
    ///
    /// **Guarantee.** Two shapes write the same bytes exactly if they are of the same kind and have the same
    /// numbers in the same order; 0 and -0 differ. The bytes depend neither on names in the source nor on the
    /// machine. **Cost.** Linear in the size of the shape, no allocation.
    pub fn write_content(&self, sink: &mut dyn FnMut(&[u8])) {
        match self {
            Shape::Sphere(s) => numbers(sink, 1, &[s.radius()]),
            Shape::Cuboid(s) => numbers(sink, 2, &s.size().to_array()),
            Shape::Cylinder(s) => numbers(sink, 3, &[s.radius(), s.height()]),
            Shape::Capsule(s) => numbers(sink, 4, &[s.radius(), s.height()]),
            Shape::Cone(s) => numbers(sink, 5, &[s.radius(), s.height()]),
            Shape::HalfSpace(s) => {
                let Vec3 { x, y, z } = s.normal();
                numbers(sink, 6, &[x, y, z, s.offset()]);
            }
            Shape::Convex(s) => mesh(sink, 7, s.surface()),
            Shape::Mesh(s) => mesh(sink, 8, s),
            Shape::HeightField(s) => {
                let [width, depth] = s.size();
                numbers(sink, 9, &[width, depth]);
                count(sink, s.rows());
                count(sink, s.columns());
                for row in 0..s.rows() {
                    for column in 0..s.columns() {
                        sink(&s.vertex(row, column).z.to_bits().to_le_bytes());
                    }
                }
            }
            Shape::Compound(s) => {
                sink(&[10]);
                count(sink, s.parts().len());
                for part in s.parts() {
                    pose(sink, &part.compound_from_part);
                    part.shape.write_content(sink);
                }
            }
        }
    }
}

fn numbers(sink: &mut dyn FnMut(&[u8]), tag: u8, numbers: &[f64]) {
    sink(&[tag]);
    numbers.iter().for_each(|number| sink(&number.to_bits().to_le_bytes()));
}

fn count(sink: &mut dyn FnMut(&[u8]), count: usize) {
    sink(&(count as u64).to_le_bytes());
}

fn pose(sink: &mut dyn FnMut(&[u8]), pose: &Pose) {
    let rotation = pose.rotation().to_array();
    let translation = pose.translation().to_array();
    rotation.iter().chain(&translation).for_each(|number| sink(&number.to_bits().to_le_bytes()));
}

fn mesh(sink: &mut dyn FnMut(&[u8]), tag: u8, mesh: &Mesh) {
    sink(&[tag]);
    count(sink, mesh.vertices().len());
    count(sink, mesh.faces().len());
    // One call per vertex and face: hashing is far slower than the calls.
    for vertex in mesh.vertices() {
        let mut bytes = [0; 24];
        for (place, number) in bytes.chunks_exact_mut(8).zip(vertex.to_array()) {
            place.copy_from_slice(&number.to_bits().to_le_bytes());
        }
        sink(&bytes);
    }
    for face in mesh.faces() {
        let mut bytes = [0; 12];
        for (place, index) in bytes.chunks_exact_mut(4).zip(face) {
            place.copy_from_slice(&index.to_le_bytes());
        }
        sink(&bytes);
    }
}

#[cfg(test)]
mod tests {
    use crate::shape::{
        Capsule, Compound, Cone, Convex, Cuboid, Cylinder, HalfSpace, HeightField, Part, Shape, Sphere,
    };
    use crate::{Mesh, Pose, Vec3};
    use std::sync::Arc;

    fn content(shape: &Shape) -> Vec<u8> {
        let mut bytes = Vec::new();
        shape.write_content(&mut |piece| bytes.extend_from_slice(piece));
        bytes
    }

    fn corners(size: f64) -> Vec<Vec3> {
        vec![Vec3::ZERO, size * Vec3::X, size * Vec3::Y, size * Vec3::Z]
    }

    fn mesh(vertices: Vec<Vec3>, faces: Vec<[u32; 3]>) -> Shape {
        Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap()))
    }

    /// Shapes that differ in a kind, in one number, or in the order of what they are made of.
    fn all_different() -> Vec<Shape> {
        let next = 1.0f64.next_up();
        let compound = |parts: &[(f64, f64)]| {
            let part = |&(radius, x): &(f64, f64)| Part {
                compound_from_part: Pose::from_translation(x * Vec3::X),
                shape: Shape::Sphere(Sphere::new(radius).unwrap()),
            };
            Shape::Compound(Compound::new(parts.iter().map(part).collect()).unwrap())
        };
        let nested =
            Compound::new(vec![Part { compound_from_part: Pose::IDENTITY, shape: compound(&[(1.0, 0.0)]) }]);
        let field = |rows: &[[f64; 2]]| Shape::HeightField(HeightField::new([1.0, 1.0], rows).unwrap());
        vec![
            Shape::Sphere(Sphere::new(1.0).unwrap()),
            Shape::Sphere(Sphere::new(next).unwrap()),
            Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap()),
            Shape::Cuboid(Cuboid::new(Vec3::new(1.0, 1.0, next)).unwrap()),
            Shape::Cylinder(Cylinder::new(1.0, 2.0).unwrap()),
            Shape::Cylinder(Cylinder::new(2.0, 1.0).unwrap()),
            Shape::Capsule(Capsule::new(1.0, 2.0).unwrap()),
            Shape::Cone(Cone::new(1.0, 2.0).unwrap()),
            Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()),
            Shape::HalfSpace(HalfSpace::new(Vec3::Z, -0.0).unwrap()),
            Shape::HalfSpace(HalfSpace::new(Vec3::X, 0.0).unwrap()),
            Shape::Convex(Convex::from_points(&corners(1.0)).unwrap()),
            Shape::Convex(Convex::from_points(&corners(next)).unwrap()),
            mesh(corners(1.0), vec![[0, 1, 2]]),
            mesh(corners(1.0), vec![[1, 2, 0]]),
            mesh(corners(1.0), vec![[0, 1, 2], [0, 1, 2]]),
            mesh(corners(next), vec![[0, 1, 2]]),
            field(&[[0.0, 1.0], [2.0, 3.0]]),
            field(&[[0.0, 2.0], [1.0, 3.0]]),
            field(&[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]),
            compound(&[(1.0, 0.0)]),
            compound(&[(1.0, 0.0), (1.0, 0.0)]),
            compound(&[(1.0, 1.0), (2.0, 0.0)]),
            compound(&[(2.0, 0.0), (1.0, 1.0)]),
            Shape::Compound(nested.unwrap()),
        ]
    }

    #[test]
    fn equal_shapes_and_only_those_have_equal_content() {
        let shapes = all_different();
        for (i, a) in shapes.iter().enumerate() {
            assert_eq!(content(a), content(&a.clone()));
            for b in &shapes[..i] {
                assert_ne!(content(a), content(b), "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn the_bytes_are_those_of_this_version() {
        let sphere = Shape::Sphere(Sphere::new(1.5).unwrap());
        assert_eq!(content(&sphere), [1, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f]);
    }
}
