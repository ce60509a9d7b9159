//! Writing PLY: coordinates as f64, so that nothing is lost.

use super::header::Encoding;
use crate::format::MeshFormat;
use crate::options::WriteOptions;
use crate::print::Printer;
use freiraum_geometry::Mesh;
use std::io::Write;

/// Writes a mesh in the encoding of `format`, which has to be one of the PLY formats.
pub(crate) fn write(
    out: &mut dyn Write,
    mesh: &Mesh,
    format: MeshFormat,
    options: &WriteOptions,
) -> std::io::Result<()> {
    let (encoding, name) = match format {
        MeshFormat::PlyAscii => (Encoding::Text, "ascii"),
        MeshFormat::PlyBigEndian => (Encoding::BigEndian, "binary_big_endian"),
        _ => (Encoding::LittleEndian, "binary_little_endian"),
    };
    write!(
        out,
        "ply\nformat {name} 1.0\ncomment by Freiraum, unit {}\nelement vertex {}\n\
         property double x\nproperty double y\nproperty double z\nelement face {}\n\
         property list uchar uint vertex_indices\nend_header\n",
        options.units,
        mesh.vertices().len(),
        mesh.faces().len(),
    )?;
    match encoding {
        Encoding::Text => write_text(out, mesh, options),
        Encoding::LittleEndian => write_binary(out, mesh, options, f64::to_le_bytes, u32::to_le_bytes),
        Encoding::BigEndian => write_binary(out, mesh, options, f64::to_be_bytes, u32::to_be_bytes),
    }
}

fn write_text(out: &mut dyn Write, mesh: &Mesh, options: &WriteOptions) -> std::io::Result<()> {
    let mut printer = Printer::new(out);
    for p in mesh.vertices() {
        printer.point("", p.to_array().map(|x| options.number(x)))?;
    }
    for face in mesh.faces() {
        printer.face("3 ", face.map(u64::from))?;
    }
    printer.flush()
}

fn write_binary(
    out: &mut dyn Write,
    mesh: &Mesh,
    options: &WriteOptions,
    real: impl Fn(f64) -> [u8; 8],
    whole: impl Fn(u32) -> [u8; 4],
) -> std::io::Result<()> {
    for p in mesh.vertices() {
        let mut bytes = [0; 24];
        for (eight, x) in bytes.chunks_exact_mut(8).zip(p.to_array()) {
            eight.copy_from_slice(&real(options.number(x)));
        }
        out.write_all(&bytes)?;
    }
    for face in mesh.faces() {
        // The first byte says that three corners follow.
        let mut bytes = [3; 13];
        for (four, &i) in bytes[1..].chunks_exact_mut(4).zip(face) {
            four.copy_from_slice(&whole(i));
        }
        out.write_all(&bytes)?;
    }
    Ok(())
}
