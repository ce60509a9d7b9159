//! A ball in an open box was free, with exit code 0, and the report said "Free means proven". Whether it is in the material or in a hollow cannot be told.

use crate::doors::{as_checked, ask, checked, findings, freiraum};
use freiraum::geometry::Vec3;
use freiraum_testkit::encounter::Encounter;
use freiraum_testkit::folder::Folder;
use freiraum_testkit::puzzles::block;
use freiraum_testkit::solid::Solid;
use freiraum_testkit::way::{Place, Way};
use serde_json::Value;

/// A box of 40 mm without its top.
fn open_box() -> Solid {
    let meant = block([-0.02; 3], [0.02; 3]);
    let (vertices, mut faces) = meant.clone();
    faces.retain(|face| face.iter().any(|i| vertices[*i as usize].z < 0.0));
    assert_eq!(faces.len(), 10);
    Solid::Mesh { written: (vertices, faces), meant }
}

/// A ball of 10 mm at z that moves by `by`.
fn ball(z: f64, by: Vec3) -> Encounter {
    Encounter {
        bodies: [Solid::Sphere { radius: 0.005 }, open_box()],
        places: [Place::at(z * Vec3::Z), Place::ORIGIN],
        ways: [Way::Translate(by), Way::Still],
    }
}

#[test]
fn a_ball_that_stays_inside_is_undecided() {
    let case = ball(0.0, 0.005 * Vec3::X);
    let toc = ask(&case.question(1, "toc", ""));
    assert_eq!((&toc["verdict"], &toc["reason"]), (&"undecided".into(), &"inside_unknown".into()), "{toc}");
    let intersect = ask(&case.standing().question(1, "intersect", ""));
    assert_eq!(intersect["intersects"], Value::Null, "{intersect}");
    let folder = Folder::new("open-box");
    folder.file("scene.toml", case.scene("mm", 1000.0));
    let (code, found) = freiraum(&folder, &["check", "scene.toml", "--report", "report"]);
    assert_eq!((code, &found["verdict"]), (3, &"undecided".into()), "{found}");
    let all = findings(&found);
    let unknown = all.iter().find(|finding| finding["kind"] == "inside_unknown");
    let message = unknown.unwrap_or_else(|| panic!("{found}"))["message"].as_str().unwrap();
    assert!(message.contains('b') && message.contains("solid = false"), "{message}");
    let report: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("report/report.json")).unwrap()).unwrap();
    assert_eq!(report["verdict"], "undecided");
    let html = std::fs::read_to_string(folder.path().join("report/report.html")).unwrap();
    assert!(html.to_lowercase().contains("undecided"), "the report does not say so");
}

/// What comes in from outside without meeting the surface is in no material: the surface is all there is.
#[test]
fn a_ball_that_comes_in_through_the_opening_is_free() {
    let case = ball(0.1, -0.1 * Vec3::Z);
    let toc = ask(&case.question(1, "toc", ""));
    assert_eq!(as_checked(&toc), "free", "{toc}");
    assert_eq!(checked(&case.scene("mm", 1000.0)), "free");
    // And what leaves that way never was.
    let case = ball(0.0, 0.1 * Vec3::Z);
    let toc = ask(&case.question(1, "toc", ""));
    assert_eq!(as_checked(&toc), "free", "{toc}");
    assert_eq!(checked(&case.scene("mm", 1000.0)), "free");
}

#[test]
fn a_ball_that_meets_a_wall_collides_and_one_far_away_is_free() {
    for (z, by, expected) in [
        (0.1, Vec3::X, "free"),
        (0.0, 0.1 * Vec3::X, "collision"),
        (0.1, Vec3::new(0.0, 0.0, -0.2), "collision"),
        (0.0, -0.1 * Vec3::Z, "collision"),
    ] {
        let case = ball(z, by);
        let toc = ask(&case.question(1, "toc", ""));
        assert_eq!(as_checked(&toc), expected, "{z} {by}: {toc}");
        assert_eq!(checked(&case.scene("mm", 1000.0)), expected, "{z} {by}");
    }
}
