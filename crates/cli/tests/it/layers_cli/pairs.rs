//! Several meshes.

use super::{answer, ball, cube, layers, put};
use freiraum::deform::shapes::{Cuboid, Solid};
use freiraum::geometry::Vec3;
use freiraum_testkit::folder::Folder;
use serde_json::Value;
use std::f64::consts::PI;

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
