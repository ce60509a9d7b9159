//! One mesh: known volumes, widths, threads.

use super::{answer, ball, cube, is_near, layers, put};
use freiraum::deform::shapes::{Cuboid, PlaneStack};
use freiraum::geometry::Vec3;
use freiraum_testkit::folder::Folder;
use serde_json::Value;
use std::f64::consts::TAU;

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
