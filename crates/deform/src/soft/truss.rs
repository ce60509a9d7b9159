//! The springs that make a closed surface a body.

use super::Link;
use crate::deformation::vertex_normals;
use crate::shapes::Solid;
use freiraum_geometry::Vec3;
use rayon::prelude::*;

/// Springs along all edges of the surface, and from every vertex across the inside: straight in, and three ways at 45 degrees
/// to that, each to the vertex next to where the ray leaves the body.
///
/// Each gets the same share of the volume: k = 6 E V / (n L²). Springs that point all ways evenly then give a body with
/// Young's modulus E, however finely it is divided.
/// **Degenerate input.** Where a ray finds no way out (the surface is open), there is no spring. **Cost.** Vertices x faces, over all threads.
#[must_use]
pub fn links(solid: &Solid, stiffness: f64) -> Vec<Link> {
    let mut ends: Vec<[u32; 2]> = solid
        .faces
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .chain(struts(solid))
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    ends.sort_unstable();
    ends.dedup();
    let volume_each = solid.volume() / ends.len().max(1) as f64;
    ends.into_iter()
        .filter_map(|ends| {
            let [a, b] = ends.map(|v| solid.vertices[v as usize]);
            let length = a.distance(b);
            (length > 0.0).then(|| Link {
                ends,
                length,
                stiffness: 6.0 * stiffness * volume_each / (length * length),
            })
        })
        .collect()
}

/// Pairs of vertices across the inside.
fn struts(solid: &Solid) -> Vec<[u32; 2]> {
    let mut normals = vec![Vec3::ZERO; solid.vertices.len()];
    vertex_normals(&solid.vertices, &solid.faces, &mut normals);
    let across = |(vertex, &normal): (usize, &Vec3)| {
        // A vertex of flat faces has no inside.
        let inwards = if normal == Vec3::ZERO { Vec::new() } else { directions(-normal).to_vec() };
        inwards.into_iter().filter_map(move |direction| {
            let other = way_out(solid, vertex as u32, direction)?;
            Some([vertex as u32, other])
        })
    };
    normals.par_iter().enumerate().flat_map_iter(across).collect()
}

/// A unit direction, and three that are 45 degrees off it.
fn directions(inwards: Vec3) -> [Vec3; 4] {
    let (first, second) = inwards.any_orthonormal_pair();
    let tilted = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        (inwards + cos * first + sin * second) * std::f64::consts::FRAC_1_SQRT_2
    };
    let third = std::f64::consts::TAU / 3.0;
    [inwards, tilted(0.0), tilted(third), tilted(2.0 * third)]
}

/// The nearest corner of the first face that the ray from a vertex hits; faces at the vertex do not count.
fn way_out(solid: &Solid, vertex: u32, direction: Vec3) -> Option<u32> {
    let start = solid.vertices[vertex as usize];
    let mut best: Option<(f64, [u32; 3])> = None;
    for face in &solid.faces {
        if face.contains(&vertex) {
            continue;
        }
        let [a, b, c] = face.map(|v| solid.vertices[v as usize] - start);
        // Signed volumes with the ray: all of one sign when it passes through the triangle from inside.
        let (u, v, w) = (direction.dot(c.cross(b)), direction.dot(a.cross(c)), direction.dot(b.cross(a)));
        if u <= 0.0 && v <= 0.0 && w <= 0.0 && u + v + w < 0.0 {
            let normal = (b - a).cross(c - a);
            let time = a.dot(normal) / direction.dot(normal);
            if time > 0.0 && best.is_none_or(|(t, _)| time < t) {
                best = Some((time, *face));
            }
        }
    }
    let (time, face) = best?;
    let hit = start + time * direction;
    let distance = |v: &u32| solid.vertices[*v as usize].distance_squared(hit);
    face.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}
