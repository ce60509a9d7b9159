//! `Mesh::new` over arbitrary numbers: it accepts exactly what the documentation says.
#![cfg_attr(feature = "for_libfuzzer", no_main)]

use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_geometry::{Mesh, Vec3};

freiraum_fuzz::target!(|bytes: &[u8]| {
    let Some((&count, rest)) = bytes.split_first() else { return };
    let (points, corners) = rest.split_at(rest.len().min(24 * usize::from(count)));
    let number = |b: &[u8]| f64::from_le_bytes(std::array::from_fn(|i| b[i]));
    let vertices: Vec<Vec3> =
        points.chunks_exact(24).map(|b| Vec3::new(number(b), number(&b[8..]), number(&b[16..]))).collect();
    let faces: Vec<[u32; 3]> = corners.chunks_exact(3).map(|b| [b[0], b[1], b[2]].map(u32::from)).collect();
    let is_proper = !faces.is_empty()
        && vertices.iter().flat_map(|p| p.to_array()).all(|x| x.abs() <= MAX_COORDINATE)
        && faces.iter().flatten().all(|&i| (i as usize) < vertices.len());
    let mesh = Mesh::new(vertices, faces);
    assert_eq!(mesh.is_ok(), is_proper);
    if let Ok(mesh) = mesh {
        assert!(!mesh.aabb().is_empty());
        assert_eq!(mesh.triangles().len(), mesh.faces().len());
    }
});
