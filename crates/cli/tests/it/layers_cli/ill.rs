//! Meshes that are no closed surfaces, and arguments that make no sense.

use super::{answer, ball, cube, layers, put};
use freiraum::deform::shapes::{Cuboid, Solid};
use freiraum::geometry::Vec3;
use freiraum_testkit::folder::Folder;
use serde_json::Value;

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
    // With its places, on the small part that is inside out.
    let faults = document["faults"].as_array().unwrap();
    assert!(!faults.is_empty());
    for fault in faults {
        assert_eq!((&fault["mesh"], &fault["kind"]), (&"large.obj".into(), &"inverted".into()));
        assert!(fault["face"].as_u64().unwrap() >= 12, "{fault}");
        let point = [0, 1, 2].map(|k| fault["point"][k].as_f64().unwrap());
        assert!((Vec3::from_array(point) - at).abs().max_element() < 0.201, "{fault}");
    }
    let text =
        String::from_utf8(layers(&folder, "large.obj beside.obj --axis x --resolution 64").stdout).unwrap();
    assert!(text.contains("inside out at face"), "{text}");
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
        (
            "ball.stl --inflate 1e308",
            "the deformation is too strong: it moves vertex 0 farther out than 1e50",
        ),
        ("ball.stl --inflate 1e300 --bend 90", "the deformation is too strong"),
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

#[test]
fn faces_twice_with_opposite_winding_bound_nothing() {
    let folder = Folder::new("layers-doubled");
    // Every edge is passed as often one way as the other.
    let mut doubled = cube(Vec3::ZERO);
    let back: Vec<[u32; 3]> = doubled.faces.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    doubled.faces.extend(back);
    put(&folder, "doubled.obj", &doubled);
    let (code, document) = answer(&folder, "doubled.obj");
    assert_eq!((code, &document["sound"], &document["verdict"]), (2, &false.into(), &"unsound".into()));
    assert!(document["volume"].is_null() && document["self_collision"].is_null(), "{document}");
    let faults = document["faults"].as_array().unwrap();
    assert!(faults.iter().any(|fault| fault["kind"] == "doubled_faces"), "{document}");
    let people = String::from_utf8(layers(&folder, "doubled.obj").stdout).unwrap();
    assert!(people.contains("no closed surface: faces twice with opposite winding"), "{people}");
}
