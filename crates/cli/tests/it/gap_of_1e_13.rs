//! Gaps of 1e-13: `toc` said contact, `check` free with a distance of 0. Plane overlaps of 1e-8: `toc` said free, `check` collision. There is one rule, and
//! the answer is the same through every door.

use crate::doors::{as_checked, ask, batch, checked};
use freiraum::geometry::Vec3;
use freiraum_testkit::encounter::Encounter;
use freiraum_testkit::puzzles::block;
use freiraum_testkit::solid::Solid;
use freiraum_testkit::way::{Place, Way};

/// Bodies of about a metre with a flat or a round lowest place at z = 0.
fn upper() -> Vec<Solid> {
    vec![
        Solid::Box { size: Vec3::ONE },
        Solid::mesh(block([-0.5; 3], [0.5; 3])),
        Solid::Convex(block([-0.5; 3], [0.5; 3])),
        Solid::Sphere { radius: 0.5 },
        Solid::Capsule { radius: 0.5, height: 1.0 },
        Solid::Cylinder { radius: 0.5, height: 1.0 },
        Solid::Cone { radius: 0.5, height: 1.0 },
    ]
}

fn lower() -> Vec<Solid> {
    let mut all = upper();
    all.push(Solid::Plane { normal: Vec3::Z, offset: 0.5 });
    all
}

/// b below z = 0, a above it by `gap`, which goes by `by`.
fn above(a: &Solid, b: &Solid, gap: f64, by: Vec3) -> Encounter {
    let (low, high) = (a.farthest(-Vec3::Z).z, b.farthest(Vec3::Z).z);
    Encounter {
        bodies: [a.clone(), b.clone()],
        places: [Place::at((gap - low) * Vec3::Z), Place::at(-high * Vec3::Z)],
        ways: [Way::Translate(by), Way::Still],
    }
}

fn gaps() -> Vec<f64> {
    let sizes = [1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-3, 0.1];
    sizes.into_iter().flat_map(|x| [x, -x]).chain([0.0]).collect()
}

/// Slides, rises, comes down from above, goes through.
fn ways(gap: f64) -> Vec<(&'static str, f64, Vec3)> {
    vec![
        ("slides", gap, 0.25 * Vec3::X),
        ("rises", gap, Vec3::Z),
        ("comes down", 0.5, (gap - 0.5) * Vec3::Z),
        ("rests", gap, 1e-3 * Vec3::Y),
        ("presses", gap, -0.125 * Vec3::Z),
    ]
}

#[test]
fn the_answer_is_the_same_through_every_door() {
    let mut wrong = Vec::new();
    let mut cases = Vec::new();
    for a in upper() {
        for b in lower() {
            for gap in gaps() {
                for (name, start, by) in ways(gap) {
                    let case = above(&a, &b, start, by);
                    cases.push((format!("{} over {}, {gap:e}, {name}", a.kind(), b.kind()), case));
                }
            }
        }
    }
    let lines: Vec<String> = cases.iter().map(|(_, case)| case.question(1, "toc", "")).collect();
    for ((name, case), from_batch) in cases.iter().zip(batch(&lines)) {
        let toc = ask(&case.question(1, "toc", ""));
        let verdict = checked(&case.scene("m", 1.0));
        if toc != from_batch {
            wrong.push(format!("{name}: the library says {toc}, the batch {from_batch}"));
        }
        if verdict != as_checked(&toc) {
            wrong.push(format!("{name}: check says {verdict}, toc {toc}"));
        }
        let closest = ask(&case.question(1, "clearance", ""));
        let [clearance, error] = ["clearance", "clearance_error"].map(|key| closest[key].as_f64().unwrap());
        if clearance - error > 0.0 && verdict != "free" {
            wrong.push(format!("{name}: apart by {clearance} ± {error}, but {verdict}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// What is deeper than bodies may rest in each other collides, and what is apart by more than rounding is free.
#[test]
fn the_answer_is_right() {
    let mut wrong = Vec::new();
    for a in upper() {
        for b in lower() {
            for gap in gaps() {
                for (name, start, by) in ways(gap) {
                    let case = above(&a, &b, start, by);
                    let verdict = checked(&case.scene("m", 1.0));
                    let ends = [0.0, 1.0].map(|t| case.common(t, 400));
                    let is_deep = ends
                        .iter()
                        .any(|end| end.depth > 0.5 * case.resting(end.piece.min(2.0)) + case.rounding());
                    let expected = match name {
                        _ if is_deep => Some("collision"),
                        // From above to what is below: the plane z = 0 parts them.
                        "slides" | "rises" | "rests" | "comes down" if gap >= 0.0 => Some("free"),
                        _ => None,
                    };
                    if expected.is_some_and(|expected| expected != verdict) {
                        let told = format!("{} over {}, {gap:e}, {name}", a.kind(), b.kind());
                        wrong.push(format!("{told}: {verdict}, expected {expected:?}; {ends:?}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
