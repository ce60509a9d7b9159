//! Writing PLY: coordinates as f64, so that nothing is lost.

use super::header::Encoding;
use crate::mesh::format::MeshFormat;
use crate::mesh::unit::Unit;
use freiraum_geometry::Mesh;
use std::io::Write;

/// Writes a mesh in the encoding of `format`, which has to be one of the PLY formats.
pub(crate) fn write(
    out: &mut dyn Write,
    mesh: &Mesh,
    format: MeshFormat,
    units: Unit,
) -> std::io::Result<()> {
    let (encoding, name) = match format {
        MeshFormat::PlyAscii => (Encoding::Text, "ascii"),
        MeshFormat::PlyBigEndian => (Encoding::BigEndian, "binary_big_endian"),
        _ => (Encoding::LittleEndian, "binary_little_endian"),
    };
    let (vertices, faces) = (mesh.vertices(), mesh.faces());
    write!(
        out,
        "ply\nformat {name} 1.0\ncomment by Freiraum, unit {units}\nelement vertex {}\n\
         property double x\nproperty double y\nproperty double z\nelement face {}\n\
         property list uchar uint vertex_indices\nend_header\n",
        vertices.len(),
        faces.len(),
    )?;
    let is_little = encoding == Encoding::LittleEndian;
    for p in vertices {
        let point = p.to_array().map(|x| units.from_metres(x));
        if encoding == Encoding::Text {
            let [x, y, z] = point;
            writeln!(out, "{x:?} {y:?} {z:?}")?;
            continue;
        }
        let mut bytes = [0; 24];
        for (eight, x) in bytes.chunks_exact_mut(8).zip(point) {
            eight.copy_from_slice(&if is_little { x.to_le_bytes() } else { x.to_be_bytes() });
        }
        out.write_all(&bytes)?;
    }
    for face in faces {
        if encoding == Encoding::Text {
            let [a, b, c] = face;
            writeln!(out, "3 {a} {b} {c}")?;
            continue;
        }
        let mut bytes = [3; 13];
        for (four, i) in bytes[1..].chunks_exact_mut(4).zip(face) {
            four.copy_from_slice(&if is_little { i.to_le_bytes() } else { i.to_be_bytes() });
        }
        out.write_all(&bytes)?;
    }
    Ok(())
}
