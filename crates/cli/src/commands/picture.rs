//! A shaded picture of a mesh in plain characters: enough to see whether the right part was loaded.

use crate::commands::output::counted;
use freiraum::geometry::{Aabb, Mesh, Vec3};

/// From dark to bright.
const RAMP: &[u8] = b".:-=+*#%@";
/// A character cell is about twice as high as it is wide.
const CELL_ASPECT: f64 = 2.0;

/// The isometric view of a mesh from the front right above, `columns` characters wide at most, light from the eye's
/// left. Lines have no trailing blanks. A caption is added when triangles were too small to be seen.
pub(super) fn isometric(mesh: &Mesh, columns: usize, rows: usize) -> String {
    // Orthonormal view frame: x right, y up, z towards the eye: the isometric view.
    let to_eye = Vec3::new(1.0, -1.0, 1.0) / 3f64.sqrt();
    let right = Vec3::new(1.0, 1.0, 0.0) / 2f64.sqrt();
    let up = to_eye.cross(right);
    let light = (to_eye + 0.6 * up - 0.7 * right).try_normalize().unwrap_or(to_eye);

    let seen: Vec<Vec3> =
        mesh.vertices().iter().map(|p| Vec3::new(p.dot(right), p.dot(up), p.dot(to_eye))).collect();
    let frame = Aabb::of_points(&seen);
    let size = frame.size();
    let cell = (size.x / columns as f64).max(size.y / (rows as f64 * CELL_ASPECT));
    if !(cell > 0.0 && cell.is_finite()) {
        return format!("(nothing to see: {} without extent)\n", counted(mesh.faces().len(), "triangle"));
    }
    let width = ((size.x / cell).ceil() as usize).clamp(1, columns);
    let height = ((size.y / (cell * CELL_ASPECT)).ceil() as usize).clamp(1, rows);
    let mut depth = vec![f64::NEG_INFINITY; width * height];
    let mut shade = vec![b' '; width * height];
    for (face, [a, b, c]) in mesh.faces().iter().zip(mesh.triangles()) {
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
        // Both sides are lit: a hole in the mesh shows its inside, not nothing.
        let facing = if normal.dot(to_eye) < 0.0 { -normal } else { normal };
        let brightness = 0.15 + 0.85 * facing.dot(light).max(0.0);
        let ink = RAMP[((brightness * RAMP.len() as f64) as usize).min(RAMP.len() - 1)];
        let corners = face.map(|i| {
            let p = seen[i as usize];
            Vec3::new((p.x - frame.min.x) / cell, (frame.max.y - p.y) / (cell * CELL_ASPECT), p.z)
        });
        fill(corners, width, height, |pixel, z| {
            if z > depth[pixel] {
                depth[pixel] = z;
                shade[pixel] = ink;
            }
        });
    }
    shade.chunks(width).map(|row| format!("{}\n", String::from_utf8_lossy(row).trim_end())).collect()
}

/// Calls `plot` with every cell whose centre lies in the triangle (x right, y down, in cells) and its depth.
fn fill([a, b, c]: [Vec3; 3], width: usize, height: usize, mut plot: impl FnMut(usize, f64)) {
    let area = (b - a).truncate().perp_dot((c - a).truncate());
    if area == 0.0 {
        return;
    }
    let range = |lo: f64, hi: f64, n: usize| {
        let first = (lo - 0.5).ceil().max(0.0) as usize;
        first..((hi - 0.5).floor() + 1.0).clamp(0.0, n as f64) as usize
    };
    for row in range(a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y), height) {
        for column in range(a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x), width) {
            let p = Vec3::new(column as f64 + 0.5, row as f64 + 0.5, 0.0);
            let weight = |q: Vec3, r: Vec3| (r - q).truncate().perp_dot((p - q).truncate()) / area;
            let (wa, wb, wc) = (weight(b, c), weight(c, a), weight(a, b));
            if wa >= 0.0 && wb >= 0.0 && wc >= 0.0 {
                plot(row * width + column, wa * a.z + wb * b.z + wc * c.z);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_shows_three_faces_in_three_shades() {
        let corner = |i: u32| Vec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64);
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        let mesh = Mesh::new((0..8).map(corner).collect(), faces).unwrap();
        let picture = isometric(&mesh, 40, 20);
        let mut inks: Vec<char> = picture.chars().filter(|c| !c.is_whitespace()).collect();
        inks.sort();
        inks.dedup();
        assert_eq!(inks.len(), 3, "{picture}");
        assert!(picture.lines().count() <= 20 && picture.lines().all(|l| l.len() <= 40), "{picture}");
    }

    #[test]
    fn a_point_like_mesh_is_no_trouble() {
        let mesh = Mesh::new(vec![Vec3::ONE; 3], vec![[0, 1, 2]]).unwrap();
        assert!(isometric(&mesh, 40, 20).contains("nothing to see"));
    }
}
