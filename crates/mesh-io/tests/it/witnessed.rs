//! The digest of a mesh file that is read piece by piece.

use freiraum_files::{Digests, witnessed};
use freiraum_testkit::folder::Folder;

#[test]
fn the_digest_of_a_streamed_file_is_of_all_of_it() {
    let folder = Folder::new("witnessed-mesh");
    let at = |name: &str| folder.path().join(name);
    let hash = |bytes: &[u8]| *blake3::hash(bytes).as_bytes();
    // A binary STL is read piece by piece, with what is behind its triangles.
    let mut stl = vec![0; 80];
    stl.extend(1u32.to_le_bytes());
    stl.extend([0.0f32; 3].iter().flat_map(|x| x.to_le_bytes()));
    stl.extend([0.0f32, 0., 0., 1., 0., 0., 0., 1., 0.].iter().flat_map(|x| x.to_le_bytes()));
    stl.extend([0; 2 + 7]);
    std::fs::write(at("a.stl"), &stl).unwrap();
    let (mesh, seen) = witnessed(|| freiraum_mesh_io::read(at("a.stl"), &Default::default()));
    assert_eq!(mesh.unwrap().faces().len(), 1);
    assert_eq!(seen, Digests::from([(at("a.stl"), hash(&stl))]));
}
