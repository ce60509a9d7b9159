//! Third-party models: what we read and report, against what trimesh measured and what was judged by hand.
//!
//! `expected/measured.json` comes from `expected/record.py`. `expected/judged.json` holds the files that have to be refused and
//! the values where trimesh is not the last word, each with its reason; a value that agrees after all has to leave it.

use freiraum_geometry::mesh::{DefectKind, MeshReport, RepairOptions, Topology, repair};
use freiraum_geometry::{Mesh, Vec3};
use freiraum_mesh_io::{ReadOptions, read};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

const FOLDERS: [&str; 3] = ["trimesh-models", "ipc-toolkit-tests-data", "spot"];
const EXTENSIONS: [&str; 6] = ["stl", "obj", "off", "ply", "glb", "gltf"];

fn object(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap()
}

fn measured() -> Map<String, Value> {
    object(include_str!("../expected/measured.json"))
}

fn judged() -> Map<String, Value> {
    object(include_str!("../expected/judged.json"))
}

/// The measured values of a file, the judged ones laid over them.
fn expected(name: &str) -> Value {
    let mut values = measured()[name].clone();
    let judged = judged().remove(name).unwrap_or_default();
    for (key, value) in judged["expect"].as_object().into_iter().flatten() {
        assert_ne!(&values[key], value, "{name}: {key} agrees with trimesh, so it need not be judged");
        values[key] = value.clone();
    }
    values
}

/// The models of one folder and all folders in it, with their names relative to the data folder.
fn models(folder: &str) -> Vec<(String, PathBuf)> {
    fn visit(folder: &Path, name: &str, found: &mut Vec<(String, PathBuf)>) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = format!("{name}/{}", entry.file_name().to_str().unwrap());
            let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
            if path.is_dir() {
                visit(&path, &name, found);
            } else if extension.is_some_and(|e| EXTENSIONS.contains(&e.as_str())) {
                found.push((name, path));
            }
        }
    }
    let mut found = Vec::new();
    if let Some(path) = freiraum_testkit::data::folder(folder) {
        visit(&path, folder, &mut found);
    }
    found.sort();
    found
}

fn check_number(name: &str, what: &str, got: f64, expected: &Value) {
    let expected = expected.as_f64().unwrap_or_else(|| panic!("{name}: no {what}"));
    let slack = 1e-11 * expected.abs();
    assert!((got - expected).abs() <= slack, "{name}: {what} is {got}, expected {expected}");
}

fn volume(mesh: &Mesh) -> f64 {
    mesh.mass_properties().map_or(0.0, |mass| mass.volume)
}

fn check_mesh(name: &str, mesh: &Mesh) {
    let expected = expected(name);
    let (topology, report) = (Topology::of(mesh), MeshReport::of(mesh));
    let is_watertight = report.is_watertight();
    assert_eq!(expected["watertight"], is_watertight, "{name}: watertight");
    let counts = [
        ("triangles", mesh.faces().len()),
        ("welded_vertices", mesh.vertices().len() - report.unused_vertices),
        ("shells", topology.shell_count()),
        ("open_edges", report.places(DefectKind::OpenEdges).len()),
        ("edges_of_many_faces", report.places(DefectKind::NonManifoldEdges).len()),
        ("split_vertices", report.places(DefectKind::NonManifoldVertices).len()),
        ("same_direction_edges", report.places(DefectKind::InconsistentWinding).len()),
        ("inside_out_shells", report.places(DefectKind::InsideOut).len()),
        ("duplicate_faces", report.places(DefectKind::DuplicateFaces).len()),
        ("faces_without_area", report.places(DefectKind::DegenerateFaces).len()),
    ];
    for (what, got) in counts {
        assert_eq!(expected[what], got, "{name}: {what}");
    }
    // trimesh's bodies hold together by vertices, our components by edges, its shells by edges of two faces.
    let bodies = expected["bodies"].as_u64().unwrap() as usize;
    assert!((bodies..=topology.shell_count()).contains(&report.components), "{name}: components");

    check_number(name, "area", mesh.area(), &expected["area"]);
    if is_watertight {
        check_number(name, "volume", volume(mesh), &expected["volume"]);
    }
    let point = |key: &str| Vec3::from_array(serde_json::from_value(expected[key].clone()).unwrap());
    let bounds = mesh.aabb();
    let slack = 1e-15 * bounds.reach();
    let is_near = |p: Vec3, q: Vec3| (p - q).abs().max_element() <= slack;
    assert!(
        is_near(bounds.min, point("box_min")) && is_near(bounds.max, point("box_max")),
        "{name}: {bounds:?}"
    );

    let repaired = repair(mesh, &RepairOptions::default()).unwrap();
    let after = &expected["processed"];
    assert_eq!(after["watertight"], repaired.log.remaining.is_watertight(), "{name}: {}", repaired.log);
    if repaired.log.remaining.is_watertight() {
        assert!(repaired.log.remaining.is_sound(), "{name}: {:?}", repaired.log.remaining.defects());
        check_number(name, "repaired volume", volume(&repaired.mesh), &after["volume"]);
    }
}

fn check_folder(folder: &str) {
    for (name, path) in models(folder) {
        let judged = judged().remove(&name).unwrap_or_default();
        let refused = [&judged["refused"], &judged["and"]];
        match read(&path, &ReadOptions::default()) {
            Ok(mesh) => {
                assert!(judged["refused"].is_null(), "{name} has to be refused: {}", judged["why"]);
                check_mesh(&name, &mesh);
            }
            Err(error) => {
                assert!(judged["refused"].is_string(), "{name} is refused: {error}");
                for part in refused.into_iter().filter_map(Value::as_str) {
                    assert!(error.to_string().contains(part), "{name}: {error}");
                }
            }
        }
    }
}

#[test]
fn trimesh_models() {
    check_folder("trimesh-models");
}

#[test]
fn ipc_toolkit_meshes() {
    check_folder("ipc-toolkit-tests-data");
}

#[test]
fn spot() {
    check_folder("spot");
}

#[test]
fn every_model_has_an_expectation() {
    let (measured, judged) = (measured(), judged());
    for folder in FOLDERS {
        for (name, _) in models(folder) {
            assert!(measured.contains_key(&name), "{name} was never measured; run expected/record.py");
        }
    }
    for (name, value) in &judged {
        assert!(measured.contains_key(name), "{name} is judged, but was not measured");
        assert!(value["why"].as_str().is_some_and(|why| why.len() > 8), "{name} is judged without a reason");
        assert!(value["refused"].is_string() != value["expect"].is_object(), "{name}: refused or expected?");
    }
    for (name, value) in &measured {
        let is_empty = value["triangles"] == 0;
        assert!(!is_empty || judged.contains_key(name), "{name} is empty and has to be judged");
    }
}
