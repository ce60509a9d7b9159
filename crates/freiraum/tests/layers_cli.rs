//! `freiraum layers` from outside: known volumes, exit codes, keys, pictures.

use freiraum::deform::shapes::{Ball, Cuboid, PlaneStack, Solid};
use freiraum::formats::mesh::{WriteOptions, write};
use freiraum::geometry::Vec3;
use freiraum_testkit::folder::Folder;
use serde_json::Value;
use std::f64::consts::{PI, TAU};
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

#[test]
fn a_surface_that_does_not_meet_itself() {
    let folder = Folder::new("layers-free");
    put(&folder, "ball.stl", &ball(0.0));
    let (code, document) = answer(&folder, "ball.stl");
    assert_eq!(code, 0);
    for (key, value) in [
        ("verdict", Value::from("free")),
        ("self_collision", false.into()),
        ("volume", 0.0.into()),
        ("volume_error", 0.0.into()),
        ("max_overlap", 1.into()),
        ("pairs", Value::Array(Vec::new())),
        ("faces", 0.into()),
        ("layers_max", 2.into()),
        ("resolution", 128.into()),
        ("device", "cpu".into()),
        ("sound", true.into()),
        ("units", "m".into()),
    ] {
        assert_eq!(document[key], value, "{key}");
    }
    for stage in ["read", "deform", "snap", "render", "sort", "occupancy", "pairs", "total"] {
        assert!(document["milliseconds"][stage].as_f64().unwrap() >= 0.0, "{stage}");
    }
    // A vertex that no face has changes nothing, however far away.
    let mut stray = ball(0.0);
    stray.vertices.push(Vec3::splat(900.0));
    put(&folder, "stray.off", &stray);
    let far = answer(&folder, "stray.off").1["certain_width"].as_f64().unwrap();
    assert!(far < 0.023, "{far}");
    // The diagonal of a pixel of 2 m / 128, and little more.
    let width = document["certain_width"].as_f64().unwrap();
    assert!((1.0..1.01).contains(&(width / (2.0 / 128.0 * 2f64.sqrt()))), "{width}");
    assert!(document["certain_plate"].is_null());
    let people = layers(&folder, "ball.stl");
    let text = String::from_utf8(people.stdout).unwrap();
    assert!(text.starts_with("ball.stl  none found\n"), "{text}");
    assert!(
        text.contains("no overlap is missed that holds a ball of") && text.contains("see --units"),
        "{text}"
    );
}

#[test]
fn volumes_that_are_known() {
    let folder = Folder::new("layers-known");
    // Two cubes in one file, shifted by 0.6, 0.5, 0.25.
    let mut two = cube(Vec3::ZERO);
    two.append(&cube(Vec3::ZERO), Vec3::new(0.6, 0.5, 0.25));
    put(&folder, "two.ply", &two);
    for axis in ["auto", "x", "y", "z", "all"] {
        let (code, document) = answer(&folder, &format!("two.ply --axis {axis}"));
        assert_eq!((code, &document["self_collision"]), (1, &Value::Bool(true)));
        is_near(&document, 0.4 * 0.5 * 0.75, 0.1);
        assert_eq!((&document["max_overlap"], &document["layers_max"]), (&2.into(), &4.into()));
        assert_eq!(document["axis"], if axis == "auto" { "x" } else { axis });
        assert!(document["faces"].as_u64().unwrap() <= 24);
    }
    // Half of the planes lie in each other.
    let stack = PlaneStack::by_vertices(8, 2000);
    put(&folder, "stack.obj", &stack.solid().unwrap());
    let (code, document) = answer(&folder, "stack.obj --resolution 64");
    assert_eq!((code, &document["max_overlap"], &document["layers_max"]), (1, &4.into(), &8.into()));
    is_near(&document, stack.overlap(), 0.2);
    // Columns and rows of their own.
    let (_, document) = answer(&folder, "stack.obj --resolution 64x32");
    assert_eq!(document["resolution"], serde_json::json!([64, 32]));
}

#[test]
fn two_meshes_and_what_they_share() {
    let folder = Folder::new("layers-pairs");
    put(&folder, "a.stl", &ball(0.0));
    put(&folder, "b.off", &ball(1.2));
    put(&folder, "c.glb", &ball(5.0));
    let (code, document) = answer(&folder, "a.stl b.off c.glb --resolution 256");
    assert_eq!((code, &document["self_collision"]), (1, &Value::Bool(false)));
    assert_eq!(document["verdict"], "collision");
    let pairs = document["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 3);
    // A lens of two balls of radius 1 with centres 1.2 apart; the surfaces are polyhedra and a little smaller.
    let lens = PI * (4.0 + 1.2) * (2.0 - 1.2f64).powi(2) / 12.0;
    let found = pairs[0]["volume"].as_f64().unwrap();
    assert_eq!(pairs[0]["names"], serde_json::json!(["a.stl", "b.off"]));
    assert!((0.985..1.0).contains(&(found / lens)), "{found} of {lens}");
    assert!(pairs[1..].iter().all(|pair| pair["volume"] == 0.0 && pair["collision"] == false));
    let text = String::from_utf8(layers(&folder, "a.stl b.off c.glb").stdout).unwrap();
    assert!(text.contains("a.stl + b.off  overlap: 0.8"), "{text}");
    assert!(text.contains("none found in the other pairs (2 pairs)"), "{text}");
    let (code, document) = answer(&folder, "a.stl c.glb");
    assert_eq!((code, &document["verdict"]), (0, &Value::from("free")));
}

#[test]
fn a_bar_that_is_bent_beyond_a_circle() {
    let folder = Folder::new("layers-bent");
    let bar = Cuboid { size: Vec3::new(10.0, 0.6, 0.8), cells: [400, 3, 3] };
    put(&folder, "bar.stl", &bar.solid().unwrap());
    for (degrees, code) in [("0", 0), ("350", 0), ("400", 1), ("-400", 1)] {
        let (found, document) = answer(&folder, &format!("bar.stl --bend {degrees} --resolution 256"));
        assert_eq!(found, code, "{degrees}");
        if code == 1 {
            // The ends share an angle of 40 degrees of a ring whose middle has radius 10 / θ.
            let theta = 400f64.to_radians();
            is_near(&document, 0.6 * 0.8 * (10.0 / theta) * (theta - TAU), 0.1);
            assert_eq!(document["deformation"]["bend_deg"].as_f64().unwrap().abs(), 400.0);
        }
    }
    // A twist of a straight bar keeps it apart from itself; blown up by more than half the gap, the open ring closes.
    for (arguments, code) in
        [("--twist 720", 0), ("--wobble 30,2", 0), ("--bend 350 --inflate 0.2", 1), ("--wobble 160,2", 1)]
    {
        assert_eq!(answer(&folder, &format!("bar.stl {arguments} --resolution 256")).0, code, "{arguments}");
    }
}

#[test]
fn no_overlap_of_a_width_is_missed() {
    let folder = Folder::new("layers-width");
    put(&folder, "ball.stl", &ball(0.0));
    let (code, document) = answer(&folder, "ball.stl --conservative 0.02");
    let plate = document["certain_plate"]["diameter"].as_f64().unwrap();
    assert!(code == 0 && document["axis"] == "all" && (0.017..=0.02).contains(&plate), "{plate}");
    let (_, document) = answer(&folder, "ball.stl --conservative 0.02 --axis y");
    let ball = document["certain_width"].as_f64().unwrap();
    assert!(document["axis"] == "y" && (0.017..=0.02).contains(&ball), "{ball}");
    // Two boxes that share a plate 0.1 m wide and 1 mm thick, seen edge-on along z: 64 rays may miss it, this may not.
    let mut two = cube(Vec3::ZERO);
    let thin = Cuboid { size: Vec3::new(0.1, 0.101, 0.1), cells: [1; 3] }.solid().unwrap();
    two.append(&thin, Vec3::new(0.013, 0.5 + 0.0495, 0.017));
    put(&folder, "thin.stl", &two);
    assert_eq!(answer(&folder, "thin.stl --resolution 64 --axis z").0, 0);
    let (code, document) = answer(&folder, "thin.stl --conservative 0.09");
    assert_eq!(code, 1);
    is_near(&document, 0.1 * 0.1 * 0.001, 1.0);
    let (code, document) = answer(&folder, "ball.stl --conservative 1e-6");
    assert_eq!(code, 2);
    assert!(document["error"]["message"].as_str().unwrap().contains("8192"), "{document}");
}

#[test]
fn surfaces_that_are_not_closed_are_told_with_places() {
    let folder = Folder::new("layers-open");
    let mut open = cube(Vec3::ZERO);
    let [a, b, c] = open.faces.pop().unwrap();
    put(&folder, "open.off", &open);
    let (code, document) = answer(&folder, "open.off --axis all");
    assert_eq!((code, &document["sound"], &document["verdict"]), (2, &false.into(), &"unsound".into()));
    assert!(document["volume"].is_null() && document["self_collision"].is_null());
    assert_eq!(document["meshes"][0]["open_edges"], 3);
    let faults = document["faults"].as_array().unwrap();
    let edges: Vec<&Value> = faults.iter().filter(|fault| fault["kind"] == "open_edge").collect();
    assert_eq!(edges.len(), 3);
    assert!(edges.iter().all(|fault| fault["edge"].as_array().unwrap().len() == 2));
    // Rays through the hole: they see one of its faces and miss the other.
    let hole = [a, b, c].map(|v| cube(Vec3::ZERO).vertices[v as usize]);
    let normal = (hole[1] - hole[0]).cross(hole[2] - hole[0]);
    let axis = (0..3).find(|&k| normal[k] != 0.0).unwrap();
    let rays: Vec<&Value> = faults.iter().filter(|fault| fault["kind"] != "open_edge").collect();
    assert!(!rays.is_empty());
    for ray in rays {
        // On the side across from the hole.
        let point = ray["point"][axis].as_f64().unwrap();
        assert!((point.abs() - 0.5).abs() < 1e-5, "{ray}");
    }
    let people = layers(&folder, "open.off");
    let text = String::from_utf8(people.stdout).unwrap();
    assert!(text.contains("no closed surface: 3 open edges") && text.contains("open edge "), "{text}");
    // Nothing is certain of it, however fine the rays.
    assert!(!text.contains("certain"), "{text}");
    assert!(document["certain_width"].is_null() && document["certain_plate"].is_null());

    let mut inverted = cube(Vec3::ZERO);
    inverted.faces.iter_mut().for_each(|face| face.swap(0, 1));
    put(&folder, "inverted.stl", &inverted);
    let (code, document) = answer(&folder, "inverted.stl --resolution 16");
    assert_eq!((code, &document["meshes"][0]["faulty_rays"]), (2, &256.into()));
    assert_eq!(document["faults"][0]["kind"], "inverted");
    let text = String::from_utf8(layers(&folder, "inverted.stl --resolution 16").stdout).unwrap();
    assert!(
        text.contains("inside out: it is left before it is entered on 256 rays") && !text.contains("certain"),
        "{text}"
    );
}

#[test]
fn faces_that_are_wound_the_other_way_are_no_holes() {
    let folder = Folder::new("layers-winding");
    // One side of a cube: its four edges have two faces each, which run the same way; the edge within it is well.
    let mut turned = cube(Vec3::ZERO);
    let is_top = |face: &[u32; 3]| face.iter().all(|&v| turned.vertices[v as usize].z > 0.0);
    let top: Vec<usize> = (0..turned.faces.len()).filter(|&k| is_top(&turned.faces[k])).collect();
    assert_eq!(top.len(), 2);
    top.into_iter().for_each(|k| turned.faces[k].swap(0, 1));
    put(&folder, "turned.off", &turned);
    let (code, document) = answer(&folder, "turned.off");
    assert_eq!((code, &document["verdict"]), (2, &"unsound".into()));
    let mesh = &document["meshes"][0];
    assert_eq!((&mesh["open_edges"], &mesh["opposite_winding_edges"]), (&0.into(), &4.into()));
    let faults = document["faults"].as_array().unwrap();
    assert_eq!(faults.iter().filter(|fault| fault["kind"] == "opposite_winding").count(), 4);
    assert!(faults.iter().all(|fault| fault["kind"] != "open_edge"));
    let text = String::from_utf8(layers(&folder, "turned.off").stdout).unwrap();
    assert!(
        text.contains("4 edges between faces of opposite winding") && !text.contains("open edge"),
        "{text}"
    );
}

#[test]
fn a_mesh_twice_is_the_same_twice() {
    let folder = Folder::new("layers-twice");
    put(&folder, "a.off", &cube(Vec3::ZERO));
    for axis in ["x", "all"] {
        let (code, document) = answer(&folder, &format!("a.off a.off --axis {axis}"));
        assert_eq!(code, 1);
        let [a, b] = [0, 1].map(|k| &document["meshes"][k]);
        // Two triangles on each side that is not along the view.
        let faces = if axis == "all" { 12 } else { 4 };
        assert_eq!([&a["faces"], &b["faces"]], [&Value::from(faces); 2]);
        assert_eq!([&a["vertices_involved"], &b["vertices_involved"]], [&Value::from(8); 2]);
        assert_eq!([&a["max_overlap"], &b["max_overlap"]], [&Value::from(1); 2]);
    }
    let text = String::from_utf8(layers(&folder, "a.off a.off").stdout).unwrap();
    assert!(text.contains("a.off 1, a.off 1 (how often each mesh, for itself"), "{text}");
}

#[test]
fn threads_do_not_matter() {
    let folder = Folder::new("layers-threads");
    let bar = Cuboid { size: Vec3::new(10.0, 0.6, 0.8), cells: [200, 9, 9] };
    put(&folder, "bar.stl", &bar.solid().unwrap());
    let without_times = |threads: u32| {
        let arguments = format!("bar.stl --bend 420 --twist 200 --axis all --threads {threads}");
        let (code, mut document) = answer(&folder, &arguments);
        document["milliseconds"] = Value::Null;
        (code, document)
    };
    assert_eq!(without_times(1), without_times(4));
}

/// A small part that is inside out lies between the rays of the whole, not between those of the pair.
#[test]
fn what_is_ill_where_two_meet_is_told() {
    let folder = Folder::new("layers-ill-pair");
    let mut large = Solid::default();
    large.append(&Cuboid { size: Vec3::splat(100.0), cells: [1; 3] }.solid().unwrap(), Vec3::ZERO);
    let small = Cuboid { size: Vec3::splat(0.4), cells: [1; 3] }.solid().unwrap();
    let mut turned = small.clone();
    turned.faces.iter_mut().for_each(|face| face.swap(0, 1));
    let at = Vec3::new(60.0, 20.0, 20.0);
    large.append(&turned, at);
    put(&folder, "large.obj", &large);
    let mut beside = Solid::default();
    beside.append(&small, at + Vec3::splat(0.1));
    put(&folder, "beside.obj", &beside);
    // Rays of the large one are 1.6 apart in y and z.
    assert_eq!(answer(&folder, "large.obj --axis x --resolution 64").0, 0);
    let (code, document) = answer(&folder, "large.obj beside.obj --axis x --resolution 64");
    assert_eq!((code, &document["verdict"]), (2, &"unsound".into()));
    assert!(document["pairs"][0]["collision"].is_null() && document["certain_width"].is_null());
    assert_eq!(
        (&document["meshes"][0]["sound"], &document["meshes"][1]["sound"]),
        (&false.into(), &true.into())
    );
}

/// A common box that is thin in one direction has as many pixels as asked for in the other.
#[test]
fn a_width_is_kept_where_two_share_a_thin_box() {
    let folder = Folder::new("layers-thin-pair");
    let mut floor = Solid::default();
    floor.append(
        &Cuboid { size: Vec3::splat(10.0), cells: [1; 3] }.solid().unwrap(),
        Vec3::new(1.0, 1.0, -5.0),
    );
    put(&folder, "floor.obj", &floor);
    put(&folder, "on.obj", &cube(Vec3::new(0.513, 0.517, 0.5 - 1e-4)));
    let (code, document) = answer(&folder, "floor.obj on.obj --conservative 0.02");
    assert_eq!(code, 1);
    let plate = &document["certain_plate"];
    assert!(plate["diameter"].as_f64().unwrap() <= 0.02, "{plate}");
}

/// A box and a smaller one that shares a part of its side x = 0.5, both turned; the second moved into the first by `depth`.
fn turned_pair(angle: f64, depth: f64) -> [Solid; 2] {
    let mut small = Solid::default();
    let size = Vec3::new(0.7, 0.45, 0.35);
    let at = Vec3::new(0.85 - depth, 0.11, -0.07);
    small.append(&Cuboid { size, cells: [1, 2, 3] }.solid().unwrap(), at);
    [cube(Vec3::ZERO), small].map(|mut solid| {
        for p in &mut solid.vertices {
            let (s, c) = angle.sin_cos();
            *p = Vec3::new(c * p.x - s * p.y, s * p.x + c * p.y, p.z);
            let (s, c) = (1.7 * angle).sin_cos();
            *p = Vec3::new(p.x, c * p.y - s * p.z, s * p.y + c * p.z);
        }
        solid
    })
}

/// Vertices are put onto units, so that sides which touch are in each other by a part of a pixel: that is no overlap.
#[test]
fn what_touches_at_an_angle_does_not_collide() {
    let folder = Folder::new("layers-touching");
    for k in 0..12 {
        for (depth, code) in [(0.0, 0), (0.01, 1)] {
            let [a, b] = turned_pair(0.37 + 0.41 * f64::from(k), depth);
            let mut both = a.clone();
            both.append(&b, Vec3::ZERO);
            put(&folder, "a.obj", &a);
            put(&folder, "b.obj", &b);
            put(&folder, "both.obj", &both);
            for resolution in [64, 200] {
                for files in ["a.obj b.obj", "both.obj"] {
                    let arguments = format!("{files} --axis all --resolution {resolution}");
                    let (found, document) = answer(&folder, &arguments);
                    assert_eq!(found, code, "{k} {arguments}: {document}");
                }
            }
        }
    }
}

/// How many pixels of a picture are red, how many are not paper, and how many are magenta.
fn pixels(path: PathBuf) -> [usize; 3] {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    let colors = bytes.chunks(3);
    let is_red = |c: &&[u8]| i32::from(c[0]) > 90 && i32::from(c[0]) > 2 * i32::from(c[1].max(c[2]));
    let is_magenta = |c: &&[u8]| c[0] > 150 && c[2] > 150 && c[1] < 60;
    let is_drawn = |c: &&[u8]| c.iter().any(|&x| x < 250);
    [
        colors.clone().filter(is_red).count(),
        colors.clone().filter(is_drawn).count(),
        colors.filter(is_magenta).count(),
    ]
}

#[test]
fn pictures_show_the_volume_of_the_collision() {
    let folder = Folder::new("layers-picture");
    put(&folder, "a.stl", &ball(0.0));
    put(&folder, "b.stl", &ball(1.2));
    assert_eq!(answer(&folder, "a.stl b.stl --png both.png").0, 1);
    let [red, drawn, _] = pixels(folder.path().join("both.png"));
    // The lens is a disc of radius 0.8 that is 0.8 thick at most, seen at an angle; both balls cover some 5 m².
    let share = red as f64 / drawn as f64;
    assert!((0.15..0.45).contains(&share), "{red} of {drawn}");
    assert_eq!(answer(&folder, "a.stl --png one.png").0, 0);
    let [red, drawn, magenta] = pixels(folder.path().join("one.png"));
    assert!(red == 0 && magenta == 0 && drawn > 100_000, "{red} of {drawn}");
}

#[test]
fn pictures_show_as_much_as_there_is() {
    let folder = Folder::new("layers-shadow");
    put(&folder, "a.off", &cube(Vec3::ZERO));
    put(&folder, "half.off", &Cuboid { size: Vec3::splat(0.5), cells: [1; 3] }.solid().unwrap());
    // A cube of half the size is all in both: a quarter of the shadow, whatever the resolution of the answer. In
    // one file they are the same.
    let mut nested = cube(Vec3::ZERO);
    nested.append(&Cuboid { size: Vec3::splat(0.5), cells: [1; 3] }.solid().unwrap(), Vec3::ZERO);
    put(&folder, "nested.off", &nested);
    for arguments in ["a.off half.off", "nested.off --resolution 7"] {
        assert_eq!(answer(&folder, &format!("{arguments} --png x.png")).0, 1);
        let [red, drawn, _] = pixels(folder.path().join("x.png"));
        let share = red as f64 / drawn as f64;
        assert!((share - 0.25).abs() < 0.01, "{arguments}: {red} of {drawn}");
    }
    // What touches is not red.
    put(&folder, "beside.off", &cube(Vec3::new(0.3, 1.0, 0.2)));
    assert_eq!(answer(&folder, "a.off beside.off --png x.png").0, 0);
    assert_eq!(pixels(folder.path().join("x.png"))[0], 0);
    // Open edges are drawn from end to end, 5 pixels wide: a triangle with two edges of the cube, some 400 pixels each.
    let mut open = cube(Vec3::ZERO);
    open.faces.pop();
    put(&folder, "open.off", &open);
    assert_eq!(answer(&folder, "open.off --png x.png").0, 2);
    let magenta = pixels(folder.path().join("x.png"))[2];
    assert!((3_000..12_000).contains(&magenta), "{magenta}");
}

#[test]
fn what_is_wrong_is_named() {
    let folder = Folder::new("layers-wrong");
    put(&folder, "ball.stl", &ball(0.0));
    for (arguments, said) in [
        ("none.stl", "none.stl"),
        ("ball.stl --resolution 0", "'0' for '--resolution"),
        ("ball.stl --resolution 9000", "1 to 8192"),
        ("ball.stl --twist far", "'far' for '--twist"),
        ("ball.stl --wobble 1,2,3,4", "120,2,45"),
        ("ball.stl --axis w", "'w' for '--axis"),
        ("ball.stl --conservative -1", "a length above 0"),
        ("ball.stl --png ball.jpg", "--png ball.jpg: expected a name that ends with .png"),
        ("ball.stl --resolution -5", "'-5' for '--resolution"),
        // Before anything is read.
        ("none.stl --png no/such/folder.png", "cannot write no/such/folder.png: there is no folder no/such"),
        ("ball.stl --twist inf", "'inf' for '--twist"),
        ("", "<MESH>"),
    ] {
        let output = layers(&folder, arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {text}");
        assert!(text.contains(said), "{arguments}: {text}");
    }
    let text = String::from_utf8(layers(&folder, "--help").stdout).unwrap();
    assert!(
        ["--twist", "--conservative", "Exit codes", "Examples:"].iter().all(|t| text.contains(t)),
        "{text}"
    );
}
