//! A closed block and one loose triangle 20 mm away, a crack of 1e-7, a T-junction, or a second, open shell: the ball inside was apart, with exit code 0.
//! Closed shells stay solid whatever else there is, and cracks within the welding distance are closed.

use crate::doors::{as_checked, ask, checked, freiraum};
use freiraum::geometry::Vec3;
use freiraum_testkit::bad_mesh::{DEFECTS, Defect, Inside};
use freiraum_testkit::bumpy::Surface;
use freiraum_testkit::encounter::Encounter;
use freiraum_testkit::folder::Folder;
use freiraum_testkit::models::torus;
use freiraum_testkit::puzzles::block;
use freiraum_testkit::random::Random;
use freiraum_testkit::solid::Solid;
use freiraum_testkit::way::{Place, Way};

/// A ball of 10 mm at `at`, which moves by 2 mm.
fn ball(body: &Solid, at: Vec3) -> Encounter {
    Encounter {
        bodies: [Solid::Sphere { radius: 0.005 }, body.clone()],
        places: [Place::at(at), Place::ORIGIN],
        ways: [Way::Translate(0.002 * Vec3::Y), Way::Still],
    }
}

fn is_overlap(name: &str, case: &Encounter) {
    let toc = ask(&case.question(1, "toc", ""));
    assert_eq!(toc["verdict"], "overlap_at_start", "{name}: {toc}");
    let intersect = ask(&case.standing().question(1, "intersect", ""));
    assert_eq!(
        (&intersect["intersects"], &intersect["contained"]),
        (&true.into(), &"a_in_b".into()),
        "{name}: {intersect}"
    );
    assert_eq!(checked(&case.scene("mm", 1000.0)), "collision", "{name}");
}

fn with(mut surface: Surface, more: &[[Vec3; 3]]) -> Surface {
    for corners in more {
        let first = surface.0.len() as u32;
        surface.0.extend(corners);
        surface.1.push([first, first + 1, first + 2]);
    }
    surface
}

/// A block of 40 mm.
fn cube() -> Surface {
    block([-0.02; 3], [0.02; 3])
}

#[test]
fn a_loose_triangle_beside_it() {
    let at = Vec3::new(0.04, 0.0, 0.0);
    let loose = [at, at + 0.005 * Vec3::Y, at + 0.005 * Vec3::Z];
    let body = Solid::Mesh { written: with(cube(), &[loose]), meant: cube() };
    is_overlap("loose", &ball(&body, Vec3::ZERO));
    let folder = Folder::new("loose-triangle");
    folder.file("scene.toml", ball(&body, Vec3::ZERO).scene("mm", 1000.0));
    let (code, found) = freiraum(&folder, &["check", "scene.toml"]);
    assert_eq!((code, &found["verdict"]), (1, &"collision".into()), "{found}");
    // The triangle itself is in the way too.
    assert_eq!(checked(&ball(&body, at).scene("mm", 1000.0)), "collision");
    assert_eq!(checked(&ball(&body, 3.0 * at).scene("mm", 1000.0)), "free");
}

#[test]
fn a_crack_of_a_ten_millionth() {
    for crack in [1e-7, 1e-8, 1e-10] {
        // The top has corners of its own, which are off by the crack in metres.
        let (mut vertices, mut faces) = cube();
        for face in &mut faces {
            if face.iter().all(|i| vertices[*i as usize].z > 0.0) {
                for i in face {
                    vertices.push(vertices[*i as usize] - crack * Vec3::Z);
                    *i = vertices.len() as u32 - 1;
                }
            }
        }
        let body = Solid::Mesh { written: (vertices, faces), meant: cube() };
        let name = format!("crack of {crack} m");
        // A ten-millionth of a metre is 1.4e-6 of the size of this block.
        if crack < 1e-7 {
            is_overlap(&name, &ball(&body, Vec3::ZERO));
        } else {
            assert_ne!(checked(&ball(&body, Vec3::ZERO).scene("mm", 1000.0)), "free", "{name}");
        }
    }
}

#[test]
fn a_t_junction() {
    // One face of the top is cut at the middle of an edge, of which its neighbour knows nothing.
    let (mut vertices, mut faces) = cube();
    for k in 0..faces.len() {
        for turn in 0..3 {
            let (old_vertices, old_faces) = (vertices.clone(), faces.clone());
            let [a, b, c] = [faces[k][turn], faces[k][(turn + 1) % 3], faces[k][(turn + 2) % 3]];
            vertices.push(0.5 * (vertices[a as usize] + vertices[b as usize]));
            let m = vertices.len() as u32 - 1;
            faces[k] = [a, m, c];
            faces.push([m, b, c]);
            let body = Solid::Mesh { written: (vertices, faces), meant: cube() };
            is_overlap(&format!("face {k}, edge {turn}"), &ball(&body, Vec3::ZERO));
            (vertices, faces) = (old_vertices, old_faces);
        }
    }
}

#[test]
fn a_second_open_shell() {
    let (mut vertices, mut faces) = cube();
    let first = vertices.len() as u32;
    let (more, others) = block([0.06, -0.01, -0.01], [0.08, 0.01, 0.01]);
    vertices.extend(more);
    faces.extend(others[1..].iter().map(|face| face.map(|i| i + first)));
    let body = Solid::Mesh { written: (vertices, faces), meant: cube() };
    is_overlap("open shell", &ball(&body, Vec3::ZERO));
    // A ball of 10 mm in the open one.
    let inside = ask(&ball(&body, Vec3::new(0.07, -0.001, 0.0)).question(1, "toc", ""));
    assert_eq!(as_checked(&inside), "undecided", "{inside}");
}

/// Every defect that leaves no doubt about the inside, on a block and on a ring.
#[test]
fn what_is_in_a_shell_that_is_plainly_closed_overlaps() {
    let ring = torus(0.03, 0.01, 24, 12);
    for (name, meant, at) in [("block", cube(), Vec3::ZERO), ("ring", ring, Vec3::new(0.03, -0.001, 0.0))] {
        for defect in DEFECTS.into_iter().filter(|defect| defect.inside() == Inside::Plain) {
            let body = defect.applied(&meant, &mut Random::new(1));
            is_overlap(&format!("{defect:?} {name}"), &ball(&body, at));
        }
    }
}

/// Nothing that was meant to be solid lets a ball stay inside and be free.
#[test]
fn what_stays_in_any_bad_mesh_is_never_free() {
    for seed in 0..8 {
        for defect in DEFECTS {
            let body = defect.applied(&cube(), &mut Random::new(seed));
            // Not where a loose triangle is.
            let at = if defect == Defect::LooseInside { Vec3::splat(-0.01) } else { Vec3::ZERO };
            let case = ball(&body, at);
            let toc = ask(&case.question(1, "toc", ""));
            assert!(["collision", "undecided"].contains(&as_checked(&toc)), "{defect:?} {seed}: {toc}");
            let verdict = checked(&case.scene("mm", 1000.0));
            assert_eq!(verdict, as_checked(&toc), "{defect:?} {seed}");
            // What is far away is free of all of them.
            let far = ball(&body, Vec3::new(0.0, 0.0, 0.2));
            assert_eq!(as_checked(&ask(&far.question(1, "toc", ""))), "free", "{defect:?} {seed}");
            assert_eq!(checked(&far.scene("mm", 1000.0)), "free", "{defect:?} {seed}");
        }
    }
}
