//! Normals at vertices.

use freiraum_geometry::Vec3;

/// Writes the unit normal of every vertex to `out`: the sum of its faces' cross products, each divided by the squares of the two
/// edges at the vertex (N. Max, 1999). That is right on a sphere however its faces are cut, and halves the
/// angle between the sides of a box.
///
/// **Frames.** As the vertices. **Degenerate input.** A vertex without faces, or in flat ones only, has the normal 0.
///
/// # Panics
/// If `out` is not as long as `vertices`, or a face names a vertex that is not there.
pub fn vertex_normals(vertices: &[Vec3], faces: &[[u32; 3]], out: &mut [Vec3]) {
    assert_eq!(vertices.len(), out.len(), "one place per vertex");
    out.fill(Vec3::ZERO);
    for face in faces {
        let [a, b, c] = face.map(|v| vertices[v as usize]);
        let (ab, bc, ca) = (b - a, c - b, a - c);
        let cross = ab.cross(-ca);
        let squares = [ab, bc, ca].map(Vec3::length_squared);
        for (corner, &vertex) in face.iter().enumerate() {
            // The edges at corner k are the k-th and the one before it.
            let weight = squares[corner] * squares[(corner + 2) % 3];
            if weight > 0.0 {
                out[vertex as usize] += cross / weight;
            }
        }
    }
    for normal in out {
        *normal = normal.try_normalize().unwrap_or(Vec3::ZERO);
    }
}
