//! Meshes whose properties are known, and ways to break them.

use freiraum_geometry::{Mesh, Vec3};
use freiraum_testkit::random::Random;
use std::f64::consts::TAU;

pub(crate) fn mesh(vertices: Vec<Vec3>, faces: Vec<[u32; 3]>) -> Mesh {
    Mesh::new(vertices, faces).unwrap()
}

/// A box of 12 faces.
pub(crate) fn cuboid(low: Vec3, high: Vec3) -> Mesh {
    let pick = |i: u32, bit: u32, k: usize| if i & bit != 0 { high[k] } else { low[k] };
    let vertices = (0..8).map(|i| Vec3::new(pick(i, 1, 0), pick(i, 2, 1), pick(i, 4, 2))).collect();
    let quads = [[0u32, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    mesh(vertices, quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

pub(crate) fn cube(center: Vec3, half: f64) -> Mesh {
    cuboid(center - half, center + half)
}

pub(crate) fn tetrahedron() -> Mesh {
    mesh(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
}

/// A grid of n by m quads closed in both directions; `twisted` glues the second direction with a mirror image, which
/// gives a Klein bottle. Both n and m at least 3.
fn closed_grid(n: u32, m: u32, twisted: bool, point: impl Fn(f64, f64) -> Vec3) -> Mesh {
    let vertices = (0..n * m)
        .map(|i| point(TAU * f64::from(i % n) / f64::from(n), TAU * f64::from(i / n) / f64::from(m)))
        .collect();
    let at = |i: u32, j: u32| {
        let i = if twisted && j == m { (2 * n - i) % n } else { i % n };
        j % m * n + i
    };
    let quads = (0..n * m).map(|k| (k % n, k / n));
    let faces = quads.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    mesh(vertices, faces.collect())
}

/// Radii 3 and 1 about the z axis; `n` points round the tube, `m` round the axis.
pub(crate) fn torus(n: u32, m: u32) -> Mesh {
    closed_grid(n, m, false, |tube, axis| {
        let r = 3.0 + tube.cos();
        // The tube runs so that the faces look outwards.
        Vec3::new(r * axis.cos(), -r * axis.sin(), tube.sin())
    })
}

/// A closed surface with one side; it crosses itself, which nobody looks at.
pub(crate) fn klein_bottle(n: u32, m: u32) -> Mesh {
    closed_grid(n, m, true, |u, v| {
        let r = 3.0 + (v / 2.0).cos() * u.sin() - (v / 2.0).sin() * (2.0 * u).sin();
        Vec3::new(r * v.cos(), r * v.sin(), (v / 2.0).sin() * u.sin() + (v / 2.0).cos() * (2.0 * u).sin())
    })
}

pub(crate) fn turned(solid: &Mesh) -> Mesh {
    mesh(solid.vertices().to_vec(), solid.faces().iter().map(|&[a, b, c]| [a, c, b]).collect())
}

/// All meshes in one, nothing welded.
pub(crate) fn joined(parts: &[Mesh]) -> Mesh {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for part in parts {
        let base = vertices.len() as u32;
        vertices.extend_from_slice(part.vertices());
        faces.extend(part.faces().iter().map(|f| f.map(|v| v + base)));
    }
    mesh(vertices, faces)
}

/// Without the faces of these numbers.
pub(crate) fn without(solid: &Mesh, dropped: &[usize]) -> Mesh {
    let kept = solid.faces().iter().enumerate().filter(|(f, _)| !dropped.contains(f));
    mesh(solid.vertices().to_vec(), kept.map(|(_, f)| *f).collect())
}

/// With some more faces over the same vertices.
pub(crate) fn with(solid: &Mesh, more: &[[u32; 3]]) -> Mesh {
    mesh(solid.vertices().to_vec(), [solid.faces(), more].concat())
}

/// With one face turned over.
pub(crate) fn with_turned(solid: &Mesh, face: usize) -> Mesh {
    let mut faces = solid.faces().to_vec();
    faces[face].swap(0, 1);
    mesh(solid.vertices().to_vec(), faces)
}

/// Every triangle with vertices of its own, as STL files have it.
pub(crate) fn soup(solid: &Mesh) -> Mesh {
    let vertices: Vec<Vec3> = solid.triangles().flatten().collect();
    let faces = (0..vertices.len() as u32 / 3).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    mesh(vertices, faces)
}

pub(crate) fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for i in (1..items.len()).rev() {
        items.swap(i, random.below(i + 1));
    }
}

/// A few vertices with small whole coordinates and faces between any of them, repeated indices included.
pub(crate) fn garbage(random: &mut Random) -> Mesh {
    let count = 3 + random.below(8);
    let vertices = (0..count)
        .map(|_| Vec3::new(random.below(3) as f64, random.below(3) as f64, random.below(3) as f64))
        .collect();
    let faces = (0..1 + random.below(14)).map(|_| [0; 3].map(|_| random.below(count) as u32)).collect();
    mesh(vertices, faces)
}

/// Some faces of a closed mesh, a few of them turned or doubled: closer to what files contain than garbage.
pub(crate) fn damaged(random: &mut Random) -> Mesh {
    let parts = [tetrahedron(), cube(Vec3::ZERO, 1.0), torus(3, 4)];
    let solid = &parts[random.below(3)];
    let mut faces: Vec<[u32; 3]> = Vec::new();
    for &[a, b, c] in solid.faces() {
        match random.below(12) {
            0 => {}
            1 => faces.push([a, c, b]),
            2 => faces.extend([[a, b, c], [b, c, a]]),
            3 => faces.extend([[a, b, c], [c, b, a], [a, a, b]]),
            _ => faces.push([a, b, c]),
        }
    }
    // Welding two vertices that are apart makes non-manifold edges and vertices.
    if random.below(2) == 0 {
        let (from, to) = (random.below(solid.vertices().len()), random.below(solid.vertices().len()));
        faces.iter_mut().flatten().filter(|v| **v == from as u32).for_each(|v| *v = to as u32);
    }
    if faces.is_empty() {
        faces.push([0, 1, 2]);
    }
    shuffle(&mut faces, random);
    mesh(solid.vertices().to_vec(), faces)
}
