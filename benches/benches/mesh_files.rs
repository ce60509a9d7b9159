//! Loading and saving mesh files: Freiraum beside peer crates on the same bytes, from memory and from disk.
//!
//! `cargo bench --bench mesh_files [-- TRIANGLES]`; 1 000 000 triangles by default. Answers are compared: triangles,
//! vertices and a hash over the corner coordinates of all triangles in order, as f32.

use freiraum_benches::{contender, side_by_side};
use freiraum_geometry::{Mesh, Vec3};
use freiraum_mesh_io::{MeshFormat, ReadOptions, Weld, WriteOptions, read, read_bytes, write_bytes};
use std::io::{BufReader, Cursor};

fn main() {
    let wanted = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(1_000_000usize);
    let mesh = torus(wanted);
    let plain = WriteOptions::default();
    let stl = write_bytes(&mesh, MeshFormat::StlBinary, &plain).expect("a writable mesh");
    let obj = write_bytes(&rounded(&mesh), MeshFormat::Obj, &plain).expect("a writable mesh");
    let obj_17_digits = write_bytes(&mesh, MeshFormat::Obj, &plain).expect("a writable mesh");
    let stl_ascii = write_bytes(&mesh, MeshFormat::StlAscii, &plain).expect("a writable mesh");
    let triangles = mesh.faces().len();

    let rounds = 5;

    stl_welded(&format!("binary STL, {triangles} triangles, welded"), rounds, &stl);
    stl_soup(&format!("binary STL, {triangles} triangles, not welded"), rounds, &stl);
    stl_from_disk(&format!("binary STL, {triangles} triangles, file to welded mesh"), rounds, &stl);
    stl_welded(&format!("ASCII STL, {triangles} triangles, welded"), rounds, &stl_ascii);
    stl_soup(&format!("ASCII STL, {triangles} triangles, not welded"), rounds, &stl_ascii);
    obj_files(&format!("OBJ, {triangles} triangles, 6 decimals"), rounds, &obj);
    obj_files(&format!("OBJ, {triangles} triangles, all digits"), rounds, &obj_17_digits);
    writers(&format!("writing {triangles} triangles"), rounds, &mesh);
}

/// A closed surface with about `triangles` triangles whose vertices lie in no special order in space.
fn torus(triangles: usize) -> Mesh {
    let rings = ((triangles / 2) as f64).sqrt().max(3.0) as usize;
    let steps = rings;
    let angle = |i: usize, n: usize| (i % n) as f64 / n as f64 * std::f64::consts::TAU;
    let vertices = (0..rings * steps)
        .map(|i| {
            let ((s, c), (u, v)) = (angle(i / steps, rings).sin_cos(), angle(i % steps, steps).sin_cos());
            Vec3::new((1.0 + 0.3 * v) * c, (1.0 + 0.3 * v) * s, 0.3 * u)
        })
        .collect();
    let number = |ring: usize, step: usize| ((ring % rings) * steps + step % steps) as u32;
    let faces = (0..rings * steps)
        .flat_map(|i| {
            let (r, s) = (i / steps, i % steps);
            let [a, b, c, d] = [number(r, s), number(r + 1, s), number(r + 1, s + 1), number(r, s + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    Mesh::new(vertices, faces).expect("a proper torus")
}

/// Six decimals, as most programs write them.
fn rounded(mesh: &Mesh) -> Mesh {
    let vertices = mesh.vertices().iter().map(|p| p.map(|x| (x * 1e6).round() / 1e6)).collect();
    Mesh::new(vertices, mesh.faces().to_vec()).expect("a proper torus")
}

/// Triangles, vertices and a hash of every 97th triangle's corners: enough to notice a wrong answer, cheap beside the work.
fn digest(triangles: usize, vertices: usize, corner: impl Fn(usize, usize) -> [f32; 3]) -> String {
    let corners = (0..triangles).step_by(97).flat_map(|t| [0, 1, 2].map(|c| corner(t, c)));
    // Adding zero turns -0.0 into 0.0.
    let mix = |h: u64, x: f32| (h ^ u64::from((x + 0.0).to_bits())).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    format!("{triangles} {vertices} {:016x}", corners.flatten().fold(0, mix))
}

fn digest_of(mesh: &Mesh) -> String {
    digest(mesh.faces().len(), mesh.vertices().len(), |t, c| {
        mesh.vertices()[mesh.faces()[t][c] as usize].to_array().map(|x| x as f32)
    })
}

fn digest_of_scene(scene: mesh_loader::Scene) -> String {
    let mesh = mesh_loader::Mesh::merge(scene.meshes);
    digest(mesh.faces.len(), mesh.vertices.len(), |t, c| mesh.vertices[mesh.faces[t][c] as usize])
}

fn options(weld: Weld) -> ReadOptions {
    ReadOptions { weld, ..ReadOptions::default() }
}

fn digest_of_indexed(mesh: &stl_io::IndexedMesh) -> String {
    digest(mesh.faces.len(), mesh.vertices.len(), |t, c| mesh.vertices[mesh.faces[t].vertices[c]].0)
}

fn stl_welded(title: &str, rounds: usize, bytes: &[u8]) {
    let ours = || digest_of(&read_bytes(bytes, "x.stl", &options(Weld::Exact)).expect("a proper file"));
    let stl_io = || digest_of_indexed(&stl_io::read_stl(&mut Cursor::new(bytes)).expect("a proper file"));
    let nom_stl = || {
        let mesh =
            nom_stl::IndexMesh::from(nom_stl::parse_stl(&mut Cursor::new(bytes)).expect("a proper file"));
        let triangles = mesh.triangles();
        digest(triangles.len(), mesh.vertices().len(), |t, c| {
            mesh.vertices()[triangles[t].vertices_indices()[c]]
        })
    };
    side_by_side(
        title,
        rounds,
        vec![contender("freiraum", ours), contender("stl_io", stl_io), contender("nom_stl", nom_stl)],
    );
}

fn stl_soup(title: &str, rounds: usize, bytes: &[u8]) {
    let ours = || digest_of(&read_bytes(bytes, "x.stl", &options(Weld::Off)).expect("a proper file"));
    let mesh_loader = || digest_of_scene(mesh_loader::stl::from_slice(bytes).expect("a proper file"));
    let stl_io = || {
        let mut cursor = Cursor::new(bytes);
        let reader = stl_io::create_stl_reader(&mut cursor).expect("a proper file");
        let triangles: Vec<stl_io::Triangle> = reader.collect::<Result<_, _>>().expect("a proper file");
        digest(triangles.len(), 3 * triangles.len(), |t, c| triangles[t].vertices[c].0)
    };
    let nom_stl = || {
        let mesh = nom_stl::parse_stl(&mut Cursor::new(bytes)).expect("a proper file");
        digest(mesh.triangles().len(), 3 * mesh.triangles().len(), |t, c| mesh.triangles()[t].vertices()[c])
    };
    let contenders = vec![
        contender("freiraum", ours),
        contender("mesh-loader", mesh_loader),
        contender("stl_io", stl_io),
        contender("nom_stl", nom_stl),
    ];
    side_by_side(title, rounds, contenders);
}

fn stl_from_disk(title: &str, rounds: usize, bytes: &[u8]) {
    let path = std::env::temp_dir().join(format!("freiraum-bench-{}.stl", std::process::id()));
    std::fs::write(&path, bytes).expect("a writable folder for temporary files");
    let ours = || digest_of(&read(&path, &options(Weld::Exact)).expect("a proper file"));
    let stl_io = || {
        let mut file = BufReader::new(std::fs::File::open(&path).expect("the file"));
        digest_of_indexed(&stl_io::read_stl(&mut file).expect("a proper file"))
    };
    side_by_side(title, rounds, vec![contender("freiraum", ours), contender("stl_io", stl_io)]);
    std::fs::remove_file(&path).expect("the file");
}

fn obj_files(title: &str, rounds: usize, bytes: &[u8]) {
    let ours = || digest_of(&read_bytes(bytes, "x.obj", &options(Weld::Off)).expect("a proper file"));
    let ours_welded =
        || digest_of(&read_bytes(bytes, "x.obj", &options(Weld::Exact)).expect("a proper file"));
    let mesh_loader = || {
        let no_materials = |_: &std::path::Path| -> std::io::Result<Vec<u8>> { Ok(Vec::new()) };
        digest_of_scene(mesh_loader::obj::from_slice(bytes, None, no_materials).expect("a proper file"))
    };
    let tobj = || {
        let no_materials = |_: &std::path::Path| Ok(Default::default());
        let loaded = tobj::load_obj_buf(&mut &bytes[..], &tobj::LoadOptions::default(), no_materials);
        let mesh = &loaded.expect("a proper file").0[0].mesh;
        digest(mesh.indices.len() / 3, mesh.positions.len() / 3, |t, c| {
            let at = 3 * mesh.indices[3 * t + c] as usize;
            [mesh.positions[at], mesh.positions[at + 1], mesh.positions[at + 2]]
        })
    };
    let obj_rs = || {
        let raw = obj::raw::parse_obj(bytes).expect("a proper file");
        digest(raw.polygons.len(), raw.positions.len(), |t, c| match &raw.polygons[t] {
            obj::raw::object::Polygon::P(corners) => {
                let (x, y, z, _) = raw.positions[corners[c]];
                [x, y, z]
            }
            _ => [0.0; 3],
        })
    };
    let contenders = vec![
        contender("freiraum", ours),
        contender("freiraum, welded", ours_welded),
        contender("mesh-loader", mesh_loader),
        contender("tobj", tobj),
        contender("obj-rs (raw)", obj_rs),
    ];
    side_by_side(title, rounds, contenders);
}

fn writers(title: &str, rounds: usize, mesh: &Mesh) {
    let plain = WriteOptions::default();
    let ours = |format: MeshFormat| {
        move || format!("{} bytes", write_bytes(mesh, format, &plain).expect("a writable mesh").len())
    };
    let stl_io = || {
        let corner = |p: Vec3| stl_io::Vertex::new(p.to_array().map(|x| x as f32));
        let triangle = |[a, b, c]: [Vec3; 3]| stl_io::Triangle {
            normal: stl_io::Normal::new([0.0; 3]),
            vertices: [corner(a), corner(b), corner(c)],
        };
        let mut bytes = Vec::new();
        stl_io::write_stl(&mut bytes, mesh.triangles().map(triangle)).expect("a writable mesh");
        format!("{} bytes", bytes.len())
    };
    let mut contenders: Vec<_> = MeshFormat::ALL.into_iter().map(|f| contender(f.name(), ours(f))).collect();
    contenders.insert(1, contender("stl by stl_io (no normals)", stl_io));
    side_by_side(title, rounds, contenders);
}
