//! Meshes and files that several tests need.

// Every test crate compiles this on its own and uses a part of it.
#![allow(dead_code)]

use freiraum_geometry::{Mesh, Vec3};
use freiraum_mesh_io::{MeshFormat, WriteOptions, write_bytes};
use freiraum_testkit::random::Random;

/// Two triangles with a common edge.
pub(crate) fn two_triangles() -> Mesh {
    let vertices =
        vec![Vec3::ZERO, Vec3::new(1.0, 0.25, 0.0), Vec3::new(1.0, 1.5, -2.0), Vec3::new(0.0, 1.0, 0.125)];
    Mesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]]).unwrap()
}

/// A mesh without any sense: random faces over random vertices, a few of them equal, some unused. `digits` of the
/// coordinates are f32 or f64, of all magnitudes.
pub(crate) fn random_mesh(random: &mut Random, is_f32: bool) -> Mesh {
    let count = 1 + random.below(40);
    let mut vertices: Vec<Vec3> = (0..count)
        .map(|_| {
            let size = 10f64.powi(random.below(60) as i32 - 30);
            let p = random.in_cube(size);
            if is_f32 { p.map(|x| f64::from(x as f32)) } else { p }
        })
        .collect();
    let twin = random.below(count);
    vertices.push(vertices[twin]);
    vertices.push(Vec3::new(-0.0, 0.0, 1.0));
    let n = vertices.len();
    let faces = (0..1 + random.below(60)).map(|_| [0; 3].map(|_: i32| random.below(n) as u32)).collect();
    Mesh::new(vertices, faces).unwrap()
}

/// One small file of every format, with its name.
pub(crate) fn small_files() -> Vec<(String, Vec<u8>)> {
    let file = |format: MeshFormat| {
        let bytes = write_bytes(&two_triangles(), format, &WriteOptions::default()).unwrap();
        (format!("{}.{}", format.name(), format.extension()), bytes)
    };
    MeshFormat::ALL.map(file).into()
}
