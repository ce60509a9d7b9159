//! Small inputs for every target, from which fuzzers start: right ones, and many that are known to be wrong.

use freiraum_geometry::{Mesh, Vec3};
use freiraum_mesh_io::{MeshFormat, WriteOptions, write_bytes};
use std::io::{Error, Result};
use std::path::{Path, PathBuf};

/// All targets that have seeds.
pub const TARGETS: [&str; 15] = [
    "stl",
    "stl_ascii",
    "obj",
    "off",
    "ply",
    "gltf",
    "glb",
    "any_format",
    "mesh_new",
    "batch_line",
    "scene",
    "confined_scene",
    "robot",
    "controller_answer",
    "world_files",
];

/// The seeds of a target, always in the same order; none for what is no target. **Errors.** Files of the repository that cannot be read.
pub fn of(target: &str) -> Result<Vec<Vec<u8>>> {
    match target {
        "scene" | "confined_scene" => scenes(),
        "robot" => broken(&["urdf", "srdf"]),
        "controller_answer" => Ok(answers()),
        "batch_line" => Ok(questions()),
        "mesh_new" => Ok(numbers()),
        "world_files" => worlds(),
        _ => meshes(target),
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files below a folder with one of these extensions, by name.
fn files(folder: &Path, extensions: &[&str]) -> Result<Vec<Vec<u8>>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| extensions.iter().any(|wanted| e == *wanted)) {
            paths.push(path);
        }
    }
    paths.sort();
    paths.into_iter().map(std::fs::read).collect()
}

/// What the tests of readers know to be wrong.
fn broken(extensions: &[&str]) -> Result<Vec<Vec<u8>>> {
    files(&root().join("crates/formats/tests/broken_scenes"), extensions)
}

/// A small mesh in each format of a target.
fn meshes(target: &str) -> Result<Vec<Vec<u8>>> {
    let vertices = vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.5, -2.0), Vec3::Y];
    let mesh = Mesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]]).map_err(Error::other)?;
    let is_wanted = |format: &MeshFormat| {
        let own = match format {
            MeshFormat::StlBinary => "stl",
            MeshFormat::StlAscii => "stl_ascii",
            MeshFormat::Obj => "obj",
            MeshFormat::Off => "off",
            MeshFormat::PlyAscii | MeshFormat::PlyLittleEndian | MeshFormat::PlyBigEndian => "ply",
            MeshFormat::Gltf => "gltf",
            MeshFormat::Glb => "glb",
            // Without a target of its own.
            _ => "any_format",
        };
        target == own || target == "any_format"
    };
    let written = |format| write_bytes(&mesh, format, &WriteOptions::default()).map_err(Error::other);
    MeshFormat::ALL.into_iter().filter(is_wanted).map(written).collect()
}

/// A tetrahedron as `mesh_new` reads it: the number of vertices, their coordinates, the corners of faces.
fn numbers() -> Vec<Vec<u8>> {
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1e300_f64]];
    let mut bytes = vec![points.len() as u8];
    bytes.extend(points.iter().flatten().flat_map(|x| x.to_le_bytes()));
    bytes.extend([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
    let mut small = bytes.clone();
    small[1 + 11 * 8..1 + 12 * 8].copy_from_slice(&1.0_f64.to_le_bytes());
    vec![bytes, small]
}

/// The examples of the documentation and all that is known to be wrong.
fn scenes() -> Result<Vec<Vec<u8>>> {
    let page = std::fs::read_to_string(root().join("docs/scene-file.md"))?;
    let example = |text: &str| text.split("```").next().unwrap_or_default().as_bytes().to_vec();
    let mut all: Vec<Vec<u8>> = page.split("```toml\n").skip(1).map(example).collect();
    all.extend(broken(&["toml"])?);
    Ok(all)
}

/// What lies beside the example worlds, and a table of lasers in both of its forms.
fn worlds() -> Result<Vec<Vec<u8>>> {
    let mut all = files(&root().join("examples/worlds/city"), &["cfg", "txt"])?;
    // Files of the field are long; their beginnings say most.
    all.iter_mut().for_each(|text| text.truncate(4096));
    let block = "lasers:\n- laser_id: 0\n  vert_correction: -0.26\n  rot_correction: 0.01\nnum_lasers: 1\ndistance_resolution: 0.002\n";
    let braces = "lasers:\n- {laser_id: 0, vert_correction: -0.26, rot_correction: 0.0,\n  vert_offset_correction: 0.01}\nnum_lasers: 1\n";
    all.extend([block, braces].map(|text| text.as_bytes().to_vec()));
    Ok(all)
}

/// Every kind of shape in every question.
fn questions() -> Vec<Vec<u8>> {
    let shapes = [
        r#"{"sphere":{"radius":1}}"#,
        r#"{"box":{"size":[1,2,3]}}"#,
        r#"{"cylinder":{"radius":1,"height":2}}"#,
        r#"{"capsule":{"radius":1,"height":2}}"#,
        r#"{"cone":{"radius":1,"height":2}}"#,
        r#"{"plane":{"normal":[0,0,1],"offset":0}}"#,
        r#"{"convex":{"points":[[1,0,0],[-1,1,0],[-1,-1,0],[0,0,1]]}}"#,
        r#"{"mesh":{"vertices":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],"faces":[[0,2,1],[0,1,3],[0,3,2],[1,2,3]]}}"#,
        r#"{"heightfield":{"size":[2,2],"heights":[[0,1],[1,0]]}}"#,
        r#"{"compound":[{"shape":{"sphere":{"radius":1}},"pose":[1,0,0]},{"shape":{"box":{"size":[1,1,1]}}}]}"#,
    ];
    let motions = [
        r#"{"still":{}}"#,
        r#"{"translate":[0,0,3]}"#,
        r#"{"rotate":{"point":[0,2,0],"axis":[0,0,1],"degrees":90}}"#,
        r#"{"screw":{"point":[0,2,0],"axis":[0,0,1],"degrees":90,"advance":0.5}}"#,
        r#"{"to":[1,2,3,0,0,90]}"#,
        r#"{"path":[{"translate":[1,0,0],"share":0.3},{"path":[{"to":[0,0,1]}]},{"still":{}}]}"#,
    ];
    let mut all = Vec::new();
    for (i, a) in shapes.iter().enumerate() {
        for (k, b) in shapes.iter().enumerate() {
            let query = ["intersect", "distance", "contact"][(i + k) % 3];
            all.push(format!(r#"{{"id":1,"query":"{query}","a":{a},"b":{b},"pose_b":[0.5,0,{k},0,90,5]}}"#));
        }
        for (k, b) in shapes.iter().enumerate() {
            let motion = motions[(i + k) % motions.len()];
            let query = ["toc", "clearance"][(i / 2 + k) % 2];
            all.push(format!(
                r#"{{"query":"{query}","a":{a},"b":{b},"pose_b":[0.5,0,{k}],"motion_a":{motion},"budget":1000}}"#
            ));
        }
        all.push(format!(r#"{{"query":"turn","a":{a},"b":{a},"pose_b":[5,0,0],"axis":[0,0.1,0,0,0,1]}}"#));
        all.push(format!(r#"{{"query":"ray","a":{a},"origin":[0,0,5],"direction":[0,0.1,-1],"max":9}}"#));
    }
    all.into_iter().map(String::into_bytes).collect()
}

/// Every command that a program may answer, and some that it may not.
fn answers() -> Vec<Vec<u8>> {
    let lines = [
        r#"{"n":1,"drive":{"speed":0.3,"turn":-0.1}}"#,
        r#"{"wheels":{"left":1,"right":2.5}}"#,
        r#"{"steer":{"speed":1,"angle_deg":20}}"#,
        r#"[{"joint":{"name":"neck","position":0.5}},{"gripper":"close"},{"log":"found it"}]"#,
        r#"{"drve":{"speed":1e300,"turn":NaN}}"#,
        "{}",
    ];
    lines.map(|line| line.as_bytes().to_vec()).to_vec()
}
