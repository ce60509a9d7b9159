//! A block whose STL file has every face twice with opposite winding, as two-sided exports have: a pin in the middle of it was free, 5 mm from
//! everything, and nothing was said. Which side of such a surface is inside cannot be told, so that the pair is undecided.

use crate::doors::{findings, freiraum};
use freiraum_testkit::folder::Folder;
use freiraum_testkit::puzzles::block;
use serde_json::Value;

/// All triangles of a block of 20 mm about the origin, wound outwards.
fn faces() -> Vec<[[f64; 3]; 3]> {
    let (vertices, faces) = block([-10.0; 3], [10.0; 3]);
    faces.iter().map(|face| face.map(|i| vertices[i as usize].to_array())).collect()
}

fn stl(faces: &[[[f64; 3]; 3]]) -> String {
    let mut text = "solid export\n".to_owned();
    for face in faces {
        text += " facet normal 0 0 0\n  outer loop\n";
        for [x, y, z] in face {
            text += &format!("   vertex {x} {y} {z}\n");
        }
        text += "  endloop\n endfacet\n";
    }
    text + "endsolid export\n"
}

fn two_sided() -> String {
    let one = faces();
    let other = one.iter().map(|[a, b, c]| [*a, *c, *b]);
    stl(&one.iter().copied().chain(other).collect::<Vec<_>>())
}

/// A pin of 10 mm at `z`, which turns about its axis.
fn scene(z: f64) -> String {
    format!(
        "units = \"mm\"\n\n[[body]]\nname = \"block\"\nmesh = \"block.stl\"\n\n\
         [[body]]\nname = \"pin\"\nshape = {{ cylinder = {{ radius = 5, height = 10 }} }}\npose = [0, 0, {z}]\n\n\
         [[step]]\nname = \"turn\"\nmove = \"pin\"\nrotate = {{ point = [0, 0, 0], axis = [0, 0, 1], deg = 90 }}\n"
    )
}

/// The same with the back of every square cut along the other diagonal, as exporters do that turn round the list of its corners.
fn two_sided_cut_otherwise() -> String {
    let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 1 { 10.0 } else { -10.0 });
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let faces = quads.iter().flat_map(|&[a, b, c, d]| {
        let [a, b, c, d] = [a, b, c, d].map(corner);
        [[a, b, c], [a, c, d], [d, c, b], [d, b, a]]
    });
    stl(&faces.collect::<Vec<_>>())
}

#[test]
fn a_pin_in_a_two_sided_block_cut_along_other_diagonals_is_undecided() {
    let folder = Folder::new("two-sided-diagonals");
    folder.file("block.stl", two_sided_cut_otherwise());
    folder.file("scene.toml", scene(0.0));
    let (code, found) = freiraum(&folder, &["check", "scene.toml"]);
    assert_eq!((code, &found["verdict"]), (3, &"undecided".into()), "{found}");
    assert!(findings(&found).iter().any(|finding| finding["kind"] == "inside_unknown"), "{found}");
    assert!(found["warnings"].as_array().unwrap().iter().any(|w| w["code"] == "no_solid"), "{found}");
    folder.file("scene.toml", scene(100.0));
    let (code, found) = freiraum(&folder, &["check", "scene.toml"]);
    assert_eq!((code, &found["verdict"]), (0, &"free".into()), "{found}");
}

#[test]
fn a_pin_in_the_middle_of_a_two_sided_block_is_undecided() {
    let folder = Folder::new("two-sided-check");
    folder.file("block.stl", two_sided());
    folder.file("scene.toml", scene(0.0));
    let (code, found) = freiraum(&folder, &["check", "scene.toml"]);
    assert_eq!((code, &found["verdict"]), (3, &"undecided".into()), "{found}");
    let unknown: Vec<Value> =
        findings(&found).into_iter().filter(|finding| finding["kind"] == "inside_unknown").collect();
    assert!(!unknown.is_empty(), "{found}");
    for finding in unknown {
        let message = finding["message"].as_str().unwrap();
        assert!(message.contains("block") && message.contains("freiraum mesh repair"), "{message}");
    }
}

#[test]
fn questions_about_a_two_sided_block_are_undecided() {
    let folder = Folder::new("two-sided-query");
    folder.file("block.stl", two_sided());
    let pin = r#"{"cylinder":{"radius":0.005,"height":0.01}}"#;
    let units = ["--units", "mm"];
    let (code, found) = freiraum(&folder, &[&["query", "intersect", pin, "block.stl"], &units[..]].concat());
    assert_eq!((code, &found["intersects"]), (3, &Value::Null), "{found}");
    let (code, found) = freiraum(&folder, &[&["query", "toc", pin, "block.stl"], &units[..]].concat());
    assert_eq!((code, &found["verdict"]), (3, &"undecided".into()), "{found}");
    assert_eq!(found["reason"], "inside_unknown", "{found}");
}

/// What is outside of it is as free as beside any block, and what crosses its surface collides.
#[test]
fn beside_a_two_sided_block_everything_is_decided() {
    let folder = Folder::new("two-sided-beside");
    folder.file("block.stl", two_sided());
    for (z, code, verdict) in
        [(25.0, 0, "free"), (15.0, 0, "free"), (14.0, 1, "collision"), (6.0, 1, "collision")]
    {
        folder.file("scene.toml", scene(z));
        let (found_code, found) = freiraum(&folder, &["check", "scene.toml"]);
        assert_eq!((found_code, &found["verdict"]), (code, &verdict.into()), "{z}: {found}");
    }
}

/// The same faces once are a solid, whichever way they are wound.
#[test]
fn a_pin_in_a_block_with_each_face_once_overlaps() {
    let folder = Folder::new("one-sided-check");
    folder.file("scene.toml", scene(0.0));
    let out: Vec<[[f64; 3]; 3]> = faces();
    let inside_out: Vec<[[f64; 3]; 3]> = out.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    for faces in [out, inside_out] {
        folder.file("block.stl", stl(&faces));
        let (code, found) = freiraum(&folder, &["check", "scene.toml"]);
        assert_eq!((code, &found["verdict"]), (1, &"collision".into()), "{found}");
    }
}
