//! A mesh of a shell and an inside-out shell that overlap winds round the places in both 1 - 1 = 0 times: a pin there was free, 3 mm from everything, and
//! nothing was said.

use crate::doors::{as_checked, ask, checked, findings, freiraum};
use freiraum::geometry::Vec3;
use freiraum_testkit::encounter::Encounter;
use freiraum_testkit::folder::Folder;
use freiraum_testkit::puzzles::block;
use freiraum_testkit::solid::Solid;
use freiraum_testkit::way::{Place, Way};

/// A block of 40 mm, and an inside-out one that reaches from its middle to 20 mm beyond it; both are 40 mm deep and high.
fn shells() -> Solid {
    let (mut vertices, mut faces) = block([-0.02; 3], [0.02; 3]);
    let first = vertices.len() as u32;
    let (more, others) = block([0.0, -0.02, -0.02], [0.04, 0.02, 0.02]);
    vertices.extend(more);
    faces.extend(others.iter().map(|[a, b, c]| [a + first, c + first, b + first]));
    let meant = block([-0.02, -0.02, -0.02], [0.04, 0.02, 0.02]);
    Solid::Mesh { written: (vertices, faces), meant }
}

/// A ball of 14 mm at x, 3 mm from the faces where it is in the overlap, and on its way up by `up`.
fn pin(x: f64, up: f64) -> Encounter {
    Encounter {
        bodies: [Solid::Sphere { radius: 0.007 }, shells()],
        places: [Place::at(Vec3::new(x, 0.0, 0.0)), Place::ORIGIN],
        ways: [Way::Translate(up * Vec3::Z), Way::Still],
    }
}

#[test]
fn what_is_in_both_shells_is_never_free() {
    let case = pin(0.01, 0.002);
    let toc = ask(&case.question(1, "toc", ""));
    assert!(["collision", "undecided"].contains(&as_checked(&toc)), "{toc}");
    let verdict = checked(&case.scene("mm", 1000.0));
    assert!(verdict == as_checked(&toc), "{verdict}, but {toc}");
    let intersect = ask(&case.standing().question(1, "intersect", ""));
    assert_ne!(intersect["intersects"], false, "{intersect}");
    let folder = Folder::new("shells-both");
    folder.file("scene.toml", case.scene("mm", 1000.0));
    let (code, found) = freiraum(&folder, &["check", "scene.toml"]);
    assert!(code == 1 || code == 3, "{code}: {found}");
    assert!(!findings(&found).is_empty(), "{found}");
}

#[test]
fn what_is_in_one_shell_is_never_free() {
    for x in [-0.01, 0.03] {
        let case = pin(x, 0.002);
        let toc = ask(&case.question(1, "toc", ""));
        assert!(["collision", "undecided"].contains(&as_checked(&toc)), "{x}: {toc}");
        assert_eq!(checked(&case.scene("mm", 1000.0)), as_checked(&toc), "{x}");
    }
}

#[test]
fn what_is_outside_of_both_is_decided() {
    for (x, up, expected) in [(0.06, 0.1, "free"), (-0.06, 0.1, "free"), (0.01, 0.1, "collision")] {
        let case = pin(x, up);
        let toc = ask(&case.question(1, "toc", ""));
        // What starts in there is found by its surface on the way out, unless it is known to overlap before.
        let is_right =
            as_checked(&toc) == expected || (expected == "collision" && as_checked(&toc) == "undecided");
        assert!(is_right, "{x}: {toc}");
    }
}
