//! Writes small files of every format into `fuzz/corpus/<target>`, from which the fuzzer starts.

use freiraum_formats::mesh::{MeshFormat, WriteOptions, write_bytes};
use freiraum_geometry::{Mesh, Vec3};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let vertices = vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.5, -2.0), Vec3::Y];
    let mesh = Mesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]])?;
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for format in MeshFormat::ALL {
        let target = match format {
            MeshFormat::StlBinary => "stl",
            MeshFormat::StlAscii => "stl_ascii",
            MeshFormat::Obj => "obj",
            MeshFormat::Off => "off",
            MeshFormat::PlyAscii | MeshFormat::PlyLittleEndian | MeshFormat::PlyBigEndian => "ply",
            MeshFormat::Gltf => "gltf",
            MeshFormat::Glb => "glb",
        };
        let bytes = write_bytes(&mesh, format, &WriteOptions::default())?;
        for folder in [target, "any_format"] {
            std::fs::create_dir_all(corpus.join(folder))?;
            std::fs::write(corpus.join(folder).join(format.name()), &bytes)?;
        }
    }
    Ok(())
}
