//! `freiraum layers` from outside: known volumes, exit codes, keys, pictures.

mod ill;
mod pairs;
mod pictures;
mod volumes;

use freiraum::deform::shapes::{Ball, Cuboid, Solid};
use freiraum::geometry::Vec3;
use freiraum::mesh_io::{WriteOptions, write};
use freiraum_testkit::folder::Folder;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

fn layers(folder: &Folder, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
    command.current_dir(folder.path()).arg("layers").args(arguments.split_whitespace());
    command.output().unwrap()
}

/// The document, and the exit code that came with it.
fn answer(folder: &Folder, arguments: &str) -> (i32, Value) {
    let output = layers(folder, &format!("{arguments} --device cpu --json"));
    let text = String::from_utf8_lossy(&output.stdout);
    let document = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    (output.status.code().unwrap(), document)
}

fn put(folder: &Folder, name: &str, solid: &Solid) -> PathBuf {
    let path = folder.path().join(name);
    write(&path, &solid.clone().into_mesh().unwrap(), &WriteOptions::default()).unwrap();
    path
}

/// A cube of side 1 about a point.
fn cube(at: Vec3) -> Solid {
    let mut moved = Solid::default();
    moved.append(&Cuboid { size: Vec3::ONE, cells: [1; 3] }.solid().unwrap(), at);
    moved
}

fn ball(x: f64) -> Solid {
    let mut moved = Solid::default();
    moved.append(&Ball { radius: 1.0, cells: 24 }.solid().unwrap(), Vec3::new(x, 0.0, 0.0));
    moved
}

/// Within what is said of the error, and the error is small.
fn is_near(document: &Value, expected: f64, share: f64) {
    let (volume, error) = (document["volume"].as_f64().unwrap(), document["volume_error"].as_f64().unwrap());
    assert!((volume - expected).abs() <= error, "{volume} ± {error}, expected {expected}");
    assert!(error <= share * expected, "{volume} ± {error}");
}
