//! Writing glTF: one mesh, one node, one scene; f32 positions and u32 indices.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use freiraum_geometry::{Aabb, Mesh};
use std::io::{self, Write};

/// The JSON, with the place of the data given by `uri` (empty for GLB).
fn json(mesh: &Mesh, uri: &str) -> String {
    let (vertices, faces) = (mesh.vertices().len(), mesh.faces().len());
    let (position_bytes, index_bytes) = (12 * vertices, 12 * faces);
    // The bounds have to be those of the rounded positions, used or not.
    let bounds = Aabb::of_points(mesh.vertices());
    let show = |p: freiraum_geometry::Vec3| {
        let [x, y, z] = p.to_array().map(|x| x as f32);
        format!("[{x:?},{y:?},{z:?}]")
    };
    let (min, max) = (show(bounds.min), show(bounds.max));
    format!(
        "{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"Freiraum\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\
         \"nodes\":[{{\"mesh\":0}}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\"indices\":1,\"mode\":4}}]}}],\
         \"accessors\":[\
         {{\"bufferView\":0,\"componentType\":5126,\"count\":{vertices},\"type\":\"VEC3\",\"min\":{min},\"max\":{max}}},\
         {{\"bufferView\":1,\"componentType\":5125,\"count\":{},\"type\":\"SCALAR\"}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteOffset\":0,\"byteLength\":{position_bytes},\"target\":34962}},\
         {{\"buffer\":0,\"byteOffset\":{position_bytes},\"byteLength\":{index_bytes},\"target\":34963}}],\
         \"buffers\":[{{{uri}\"byteLength\":{}}}]}}",
        3 * faces,
        position_bytes + index_bytes,
    )
}

/// Positions, then indices.
fn data(mesh: &Mesh, out: &mut dyn Write) -> io::Result<()> {
    for p in mesh.vertices() {
        let mut bytes = [0; 12];
        for (four, x) in bytes.chunks_exact_mut(4).zip(p.to_array()) {
            four.copy_from_slice(&(x as f32).to_le_bytes());
        }
        out.write_all(&bytes)?;
    }
    for face in mesh.faces() {
        let mut bytes = [0; 12];
        for (four, i) in bytes.chunks_exact_mut(4).zip(face) {
            four.copy_from_slice(&i.to_le_bytes());
        }
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Writes one binary file. The caller has checked that the sizes fit 32 bits.
pub(crate) fn write_glb(out: &mut dyn Write, mesh: &Mesh) -> io::Result<()> {
    let mut json = json(mesh, "").into_bytes();
    // Chunks have lengths divisible by four; the data has it by itself.
    json.resize(json.len().next_multiple_of(4), b' ');
    let data_length = 12 * (mesh.vertices().len() + mesh.faces().len());
    let length = 12 + 8 + json.len() + 8 + data_length;
    out.write_all(b"glTF")?;
    out.write_all(&2u32.to_le_bytes())?;
    out.write_all(&(length as u32).to_le_bytes())?;
    out.write_all(&(json.len() as u32).to_le_bytes())?;
    out.write_all(b"JSON")?;
    out.write_all(&json)?;
    out.write_all(&(data_length as u32).to_le_bytes())?;
    out.write_all(b"BIN\0")?;
    data(mesh, out)
}

/// Writes JSON with the data inside.
pub(crate) fn write_gltf(out: &mut dyn Write, mesh: &Mesh) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(12 * (mesh.vertices().len() + mesh.faces().len()));
    data(mesh, &mut bytes)?;
    let text = STANDARD.encode(&bytes);
    // Everything before the data, the data, everything behind it.
    let json = json(mesh, "\"uri\":\"data:application/octet-stream;base64,\",");
    let (before, behind) = json.split_at(json.rfind("base64,").map_or(0, |i| i + "base64,".len()));
    out.write_all(before.as_bytes())?;
    out.write_all(text.as_bytes())?;
    out.write_all(behind.as_bytes())
}
