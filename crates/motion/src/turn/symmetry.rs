//! Faces with the same image: gears, shafts and everything else that was turned on a lathe have many.
//!
//! The image of a triangle under a full turn is known by the heights of its corners and by the products of their parts across the
//! axis (three squares, three mixed ones): every distance from the axis is a quadratic in these. Triangles for which they
//! agree to rounding have the same image to rounding, and one of them stands for all.

use crate::chart::RotationChart;
use freiraum_geometry::{Mesh, Vec3};
use freiraum_query::mesh_tree::MeshTree;

/// Faces that stand for all others.
pub(super) struct Representatives {
    pub(super) tree: MeshTree,
    /// The face of the given mesh for each face of the tree.
    pub(super) faces: Vec<u32>,
}

/// How much images of faces may differ from the one that stands for them.
#[derive(Clone, Copy)]
pub(super) struct Blur {
    /// In heights, metres.
    pub(super) height: f64,
    /// In squares of distances, square metres.
    pub(super) square: f64,
}

/// Meshes with fewer faces are left as they are.
const FEW: usize = 32;

/// Finds faces that stand for all others; `None` if that would not be much fewer.
pub(super) fn representatives(
    tree: &MeshTree,
    chart: &RotationChart,
    blur: &Blur,
) -> Option<Representatives> {
    let triangles = tree.triangles();
    if triangles.len() < FEW {
        return None;
    }
    let key_of = |i: u32| key(triangles[i as usize].map(|p| chart.point(p)), blur);
    let mut order: Vec<(u64, u32)> = (0..triangles.len() as u32).map(|i| (mixed(&key_of(i)), i)).collect();
    order.sort_unstable();
    // Different keys may be mixed to the same number: then both stay.
    let mut last = None;
    order.retain(|(_, i)| {
        let key = Some(key_of(*i));
        std::mem::replace(&mut last, key) != key
    });
    if order.len() * 2 > triangles.len() {
        return None;
    }
    let vertices = order.iter().flat_map(|(_, i)| triangles[*i as usize]).collect();
    let faces = (0..order.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let mesh = Mesh::new(vertices, faces).ok()?;
    Some(Representatives {
        tree: MeshTree::build(mesh),
        faces: order.iter().map(|(_, i)| tree.faces()[*i as usize]).collect(),
    })
}

/// A number for a key: the same for the same key, and rarely for another.
fn mixed(key: &[i64; 9]) -> u64 {
    // Odd multiplier with well spread bits, from the golden ratio.
    key.iter().fold(0, |sum: u64, part| {
        (sum ^ part.cast_unsigned()).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
    })
}

/// What the image depends on, rounded to cells.
fn key(t: [Vec3; 3], blur: &Blur) -> [i64; 9] {
    let cell = |x: f64, size: f64| (x / size).round() as i64;
    let flat = |p: Vec3, q: Vec3| cell(p.x * q.x + p.y * q.y, blur.square);
    let mut corners = t.map(|p| (cell(p.z, blur.height), flat(p, p), p));
    // Corners that agree to rounding may come in any order: then faces are told apart, which only costs time.
    corners.sort_by_key(|(height, square, _)| (*height, *square));
    let [(h, s, p), (i, t, q), (j, u, r)] = corners;
    [h, i, j, s, t, u, flat(p, q), flat(q, r), flat(r, p)]
}
