//! Writes small files of every format, questions of every kind and scenes, into `fuzz/corpus/<target>`, from which the fuzzer starts.

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
    scenes(&corpus.join("scene"))?;
    robots(&corpus.join("robot"))?;
    answers(&corpus.join("controller_answer"))?;
    questions(&corpus.join("batch_line"))
}

/// The examples of the documentation and all that is known to be wrong.
fn scenes(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    std::fs::create_dir_all(folder)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("docs/scene-file.md"))?;
    for (i, example) in page.split("```toml\n").skip(1).enumerate() {
        std::fs::write(folder.join(format!("example-{i}")), example.split("```").next().unwrap_or(""))?;
    }
    for entry in std::fs::read_dir(root.join("crates/formats/tests/broken_scenes"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "toml") {
            std::fs::copy(&path, folder.join(path.file_stem().unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// Robot files of the tests, right and wrong.
fn robots(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    std::fs::create_dir_all(folder)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for entry in std::fs::read_dir(root.join("crates/formats/tests/broken_scenes"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "urdf" || e == "srdf") {
            std::fs::copy(&path, folder.join(path.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// Every kind of shape in every question.
fn questions(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
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
    std::fs::create_dir_all(folder)?;
    for (i, a) in shapes.iter().enumerate() {
        for (k, b) in shapes.iter().enumerate() {
            let query = ["intersect", "distance", "contact"][(i + k) % 3];
            let line = format!(r#"{{"id":1,"query":"{query}","a":{a},"b":{b},"pose_b":[0.5,0,{k},0,90,5]}}"#);
            std::fs::write(folder.join(format!("{query}-{i}-{k}")), line)?;
        }
        for (k, b) in shapes.iter().enumerate() {
            let motion = motions[(i + k) % motions.len()];
            let query = ["toc", "clearance"][(i / 2 + k) % 2];
            let line = format!(
                r#"{{"query":"{query}","a":{a},"b":{b},"pose_b":[0.5,0,{k}],"motion_a":{motion},"budget":1000}}"#
            );
            std::fs::write(folder.join(format!("{query}-{i}-{k}")), line)?;
        }
        let line = format!(r#"{{"query":"turn","a":{a},"b":{a},"pose_b":[5,0,0],"axis":[0,0.1,0,0,0,1]}}"#);
        std::fs::write(folder.join(format!("turn-{i}")), line)?;
        let line = format!(r#"{{"query":"ray","a":{a},"origin":[0,0,5],"direction":[0,0.1,-1],"max":9}}"#);
        std::fs::write(folder.join(format!("ray-{i}")), line)?;
    }
    Ok(())
}

/// Every command that a program may answer, and some that it may not.
fn answers(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let lines = [
        r#"{"n":1,"drive":{"speed":0.3,"turn":-0.1}}"#,
        r#"{"wheels":{"left":1,"right":2.5}}"#,
        r#"{"steer":{"speed":1,"angle_deg":20}}"#,
        r#"[{"joint":{"name":"neck","position":0.5}},{"gripper":"close"},{"log":"found it"}]"#,
        r#"{"drve":{"speed":1e300,"turn":NaN}}"#,
        "{}",
    ];
    std::fs::create_dir_all(folder)?;
    for (i, line) in lines.iter().enumerate() {
        std::fs::write(folder.join(i.to_string()), line)?;
    }
    Ok(())
}
