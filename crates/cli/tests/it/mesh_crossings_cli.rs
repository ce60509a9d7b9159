//! `mesh info` and `mesh repair` against meshes whose faces cross, fold or touch, and against what files do to coordinates.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("freiraum-crossings-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_freiraum"));
        command.args(arguments).current_dir(&self.0).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> (Value, Option<i32>) {
        let output = self.run(arguments);
        let text = String::from_utf8(output.stdout).unwrap();
        (
            serde_json::from_str(&text).unwrap_or_else(|e| panic!("{arguments:?}: {e}: {text}")),
            output.status.code(),
        )
    }

    fn write(&self, name: &str, model: &Model) {
        let mut text = String::new();
        for [x, y, z] in &model.vertices {
            text += &format!("v {x:?} {y:?} {z:?}\n");
        }
        for [a, b, c] in &model.faces {
            text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
        }
        std::fs::write(self.0.join(name), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(Path::new(&self.0));
    }
}

#[derive(Clone, Default)]
struct Model {
    vertices: Vec<[f64; 3]>,
    faces: Vec<[usize; 3]>,
}

impl Model {
    fn and(mut self, other: &Model, by: [f64; 3]) -> Model {
        let first = self.vertices.len();
        self.vertices.extend(other.vertices.iter().map(|p| [p[0] + by[0], p[1] + by[1], p[2] + by[2]]));
        self.faces.extend(other.faces.iter().map(|f| f.map(|v| v + first)));
        self
    }
}

/// A cube with a vertex in the middle of its top, at the height `top`.
fn cube(top: f64) -> Model {
    let corner = |k: usize| [k & 1, k >> 1 & 1, k >> 2 & 1].map(|bit| bit as f64);
    let mut vertices: Vec<[f64; 3]> = (0..8).map(corner).collect();
    vertices.push([0.5, 0.4, top]);
    let mut faces = Vec::new();
    for [a, b, c, d] in [[0, 2, 3, 1], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
        faces.extend([[a, b, c], [a, c, d]]);
    }
    for [a, b] in [[4, 5], [5, 7], [7, 6], [6, 4]] {
        faces.push([a, b, 8]);
    }
    Model { vertices, faces }
}

/// A torus by its two radii; a spindle if the tube is larger than the ring.
fn torus(ring: f64, tube: f64) -> Model {
    let (around, across) = (16, 12);
    let mut model = Model::default();
    for i in 0..around {
        for j in 0..across {
            let [u, v] = [i as f64 / around as f64, (j as f64 + 0.5) / across as f64]
                .map(|t| t * std::f64::consts::TAU);
            let r = ring + tube * v.cos();
            model.vertices.push([r * u.cos(), r * u.sin(), tube * v.sin()]);
            let at = |i: usize, j: usize| i % around * across + j % across;
            let (p, q, r, s) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            model.faces.extend([[p, q, r], [p, r, s]]);
        }
    }
    model
}

fn sphere() -> Model {
    let (around, across) = (12, 8);
    let mut model = Model { vertices: vec![[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]], faces: Vec::new() };
    for j in 1..across {
        for i in 0..around {
            let [u, v] =
                [2.0 * i as f64 / around as f64, j as f64 / across as f64].map(|t| t * std::f64::consts::PI);
            model.vertices.push([v.sin() * u.cos(), v.sin() * u.sin(), -v.cos()]);
        }
    }
    let at = |j: usize, i: usize| 2 + (j - 1) * around + i % around;
    for i in 0..around {
        model.faces.push([0, at(1, i + 1), at(1, i)]);
        model.faces.push([1, at(across - 1, i), at(across - 1, i + 1)]);
        for j in 1..across - 1 {
            let (p, q, r, s) = (at(j, i), at(j, i + 1), at(j + 1, i + 1), at(j + 1, i));
            model.faces.extend([[p, q, r], [p, r, s]]);
        }
    }
    model
}

/// A cube whose top is folded: its middle is pulled over the edge, in the plane of the top.
fn fold() -> Model {
    let mut model = cube(1.0);
    model.vertices[8] = [1.5, 0.4, 1.0];
    model
}

#[test]
fn faces_that_cross_or_fold_are_no_valid_mesh() {
    let folder = Folder::new("bad");
    for (name, model, is_valid) in [
        ("cube", cube(1.0), true),
        ("roof", cube(1.5), true),
        ("torus", torus(1.0, 0.3), true),
        ("sphere", sphere(), true),
        ("apart", sphere().and(&sphere(), [3.0, 0.0, 0.0]), true),
        ("poked cube", cube(-0.5), false),
        ("spindle torus", torus(0.5, 1.0), false),
        ("fold", fold(), false),
        ("overlapping spheres", sphere().and(&sphere(), [0.5, 0.3, 0.1]), false),
        ("touching cubes", cube(1.0).and(&cube(1.0), [1.0, 0.25, 0.0]), false),
    ] {
        let file = format!("{}.obj", name.replace(' ', "-"));
        folder.write(&file, &model);
        let (found, code) = folder.json(&["mesh", "info", &file, "--json"]);
        assert_eq!(
            (&found["valid"], code),
            (&Value::Bool(is_valid), Some(i32::from(!is_valid))),
            "{name}: {found}"
        );
        let count = found["self_intersections"].as_u64().unwrap();
        assert_eq!(count == 0, is_valid, "{name}: {found}");
        let (fast, code) = folder.json(&["mesh", "info", &file, "--json", "--fast"]);
        assert!(fast["self_intersections"].is_null(), "{fast}");
        let has_others = fast["defects"].as_array().is_some_and(|d| !d.is_empty());
        assert_eq!(
            (fast["valid"].is_null(), code),
            (!has_others, Some(if has_others { 1 } else { 3 })),
            "{name}: {fast}"
        );
        let text = String::from_utf8(folder.run(&["mesh", "info", &file]).stdout).unwrap();
        assert_eq!(text.contains("no faces cross"), is_valid, "{text}");
        assert_eq!(text.contains("of faces that cross"), !is_valid, "{text}");
    }
}

/// What repair calls sound is sound when it is read again, in every format; else it says why and names a format that keeps it.
/// Before, a plate that is thinner than a crack was sound here, and bounded no solid in a check.
#[test]
fn what_is_valid_is_nothing_that_a_check_warns_of() {
    let folder = Folder::new("as-check");
    let scaled = |z: f64| {
        let mut model = cube(1.0);
        model.vertices.iter_mut().for_each(|p| p[2] *= z);
        model
    };
    let turned = |mut model: Model| {
        model.faces.iter_mut().for_each(|face| face.swap(0, 1));
        model
    };
    let shrunk = |by: f64| {
        let mut model = cube(1.0);
        model.vertices.iter_mut().flatten().for_each(|x| *x = by + (1.0 - 2.0 * by) * *x);
        model
    };
    let hollow = |wall: f64| cube(1.0).and(&turned(shrunk(wall)), [0.0; 3]);
    for (name, model, is_valid) in [
        ("cube", cube(1.0), true),
        ("plate", scaled(1e-2), true),
        ("foil", scaled(1e-6), false),
        ("hollow", hollow(0.1), true),
        ("skin", hollow(1e-6), false),
        ("turned", turned(cube(1.0)), false),
    ] {
        let file = format!("{name}.obj");
        folder.write(&file, &model);
        let scene = format!(
            "[[body]]\nname = \"a\"\nmesh = \"{file}\"\n[[step]]\nmove = \"a\"\ntranslate = [3, 0, 0]\n"
        );
        std::fs::write(folder.0.join("scene.toml"), scene).unwrap();
        let (checked, _) = folder.json(&["check", "scene.toml", "--no-cache", "--json"]);
        let warns = |code: &str| checked["warnings"].as_array().unwrap().iter().any(|w| w["code"] == code);
        assert_eq!(!warns("no_solid") && !warns("mended"), is_valid, "{name}: {checked}");
        let (info, code) = folder.json(&["mesh", "info", &file, "--json"]);
        assert_eq!((&info["valid"], code), (&is_valid.into(), Some(i32::from(!is_valid))), "{name}: {info}");
        if warns("no_solid") {
            assert_eq!(info["open_pieces"][0]["fault"], "doubled", "{name}: {info}");
            let said = String::from_utf8(folder.run(&["mesh", "info", &file]).stdout).unwrap();
            assert!(said.contains("bounds no solid") && said.contains("make the wall thicker"), "{said}");
            assert!(!said.contains("unite the bodies"), "{said}");
            let (repaired, code) = folder.json(&["mesh", "repair", &file, "out.obj", "--json"]);
            assert_eq!((&repaired["valid"], code), (&false.into(), Some(1)), "{name}: {repaired}");
            let said = String::from_utf8(folder.run(&["mesh", "repair", &file, "out.obj"]).stdout).unwrap();
            assert!(said.contains("thinner than a crack"), "{said}");
        }
    }
}

#[test]
fn what_is_called_sound_is_sound_in_the_file() {
    let folder = Folder::new("files");
    // Thinner than the rounding of f32 at this distance from the origin; a fine roof that f32 turns over.
    let mut thin = cube(1.0);
    thin.vertices.iter_mut().for_each(|p| *p = [p[0] + 1e4, p[1] + 1e4, 1e4 + 1e-4 * p[2]]);
    let mut far = sphere();
    far.vertices.iter_mut().for_each(|p| *p = [0.1 * p[0] + 1e5 / 3.0, 0.1 * p[1], 0.1 * p[2] + 1e5]);
    let mut twice = cube(1.0);
    twice.faces.push(twice.faces[0]);
    let models =
        [("thin", thin), ("far", far), ("twice", twice), ("sphere", sphere()), ("poked", cube(-0.5))];
    let (mut sound, mut lost) = (0, 0);
    for (name, model) in &models {
        folder.write("in.obj", model);
        for format in ["stl", "stl-ascii", "obj", "off", "ply", "ply-ascii", "gltf", "glb"] {
            let extension = format.split('-').next().unwrap();
            let out = format!("out.{extension}");
            let arguments = ["mesh", "repair", "in.obj", &out, "--to-format", format, "--json"];
            let (found, code) = folder.json(&arguments);
            let (read, _) = folder.json(&["mesh", "info", &out, "--json"]);
            assert_eq!(found["valid"], read["valid"], "{name} {format}: {found}\n{read}");
            assert_eq!(code, Some(i32::from(found["valid"] == false)), "{name} {format}");
            if found["lost_in_file"].is_string() {
                lost += 1;
                assert_eq!(found["format_that_keeps_it"], "ply", "{name} {format}: {found}");
                let (kept, code) = folder.json(&["mesh", "repair", "in.obj", "kept.ply", "--json"]);
                assert_eq!((&kept["valid"], code), (&Value::Bool(true), Some(0)), "{kept}");
                let text = String::from_utf8(folder.run(&arguments[..6]).stdout).unwrap();
                assert!(text.contains("not in this file") && text.contains("write .ply"), "{text}");
            }
            sound += usize::from(found["valid"] == true);
        }
    }
    assert!(sound >= 20 && lost >= 3, "{sound} sound, {lost} lost");
}
