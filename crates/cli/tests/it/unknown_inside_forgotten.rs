//! Bodies inside of meshes of which inside and outside cannot be told were called free, because that was forgotten on the way: when an allowance eroded the
//! mesh, when a shell that is inside out was eroded as it is written, and when a shell inside of another one was taken for a cavity.

use crate::doors::{as_checked, ask, checked};
use freiraum::geometry::Vec3;
use freiraum_testkit::bumpy::{Surface, geodesic};
use freiraum_testkit::encounter::Encounter;
use freiraum_testkit::models::torus;
use freiraum_testkit::puzzles::block;
use freiraum_testkit::solid::Solid;
use freiraum_testkit::way::{Place, Way};
use serde_json::Value;

fn turned(surface: &Surface) -> Surface {
    (surface.0.clone(), surface.1.iter().map(|[a, b, c]| [*a, *c, *b]).collect())
}

fn together(one: &Surface, other: &Surface) -> Surface {
    let first = one.0.len() as u32;
    let vertices = [one.0.as_slice(), other.0.as_slice()].concat();
    let faces = one.1.iter().copied().chain(other.1.iter().map(|face| face.map(|i| i + first)));
    (vertices, faces.collect())
}

fn scaled(surface: &Surface, by: f64) -> Surface {
    (surface.0.iter().map(|p| by * *p).collect(), surface.1.clone())
}

fn cube(half: f64) -> Surface {
    block([-half; 3], [half; 3])
}

fn mesh(written: Surface) -> Solid {
    Solid::Mesh { meant: written.clone(), written }
}

/// The first body at `at` moves a tenth of a millimetre.
fn case(first: Solid, second: Solid, at: Vec3) -> Encounter {
    Encounter {
        bodies: [first, second],
        places: [Place::at(at), Place::ORIGIN],
        ways: [Way::Translate(1e-4 * Vec3::X), Way::Still],
    }
}

/// Not free through any door, whatever is allowed.
fn is_never_free(name: &str, case: &Encounter) {
    for allowance in [0.0, 1e-12, 1e-9, 1e-6, 1e-4] {
        let toc = ask(&case.question(1, "toc", &format!(r#","allowance":{allowance}"#)));
        // An allowance that cannot be used is an error.
        let is_refused = allowance > 0.0 && toc["error"].is_object();
        assert!(
            is_refused || ["collision", "undecided"].contains(&as_checked(&toc)),
            "{name} {allowance}: {toc}"
        );
        let scene = case.scene("m", 1.0);
        let scene =
            if allowance > 0.0 { format!("check = {{ allowance = {allowance} }}\n{scene}") } else { scene };
        let verdict = checked(&scene);
        assert!(
            ["collision", "undecided"].contains(&verdict.as_str()),
            "{name} {allowance}: {verdict}\n{scene}"
        );
    }
    let intersect = ask(&case.standing().question(1, "intersect", ""));
    assert_ne!(intersect["intersects"], Value::Bool(false), "{name}: {intersect}");
}

fn ball() -> Solid {
    Solid::Sphere { radius: 0.005 }
}

/// Two balls of triangles that overlap: a body of two shells, which cannot be eroded without opening the joint between them.
fn two_shells() -> Solid {
    let (vertices, faces) = geodesic(1);
    let at =
        |x: f64| -> Surface { (vertices.iter().map(|p| 0.003 * *p + x * Vec3::X).collect(), faces.clone()) };
    mesh(together(&at(-0.001), &at(0.001)))
}

#[test]
fn an_allowance_does_not_tell_what_is_inside_of_a_mesh_that_crosses_itself() {
    // The tube is thicker than its distance from the axis: the middle is wound round twice, or not at all.
    let spindle = torus(0.03, 0.05, 24, 24);
    is_never_free("spindle", &case(ball(), mesh(spindle), Vec3::ZERO));
}

#[test]
fn a_block_that_is_doubled_by_another_tessellation_is_not_hollow() {
    let fine = {
        // Every face in four.
        let (mut vertices, mut faces) = (cube(0.05).0, Vec::new());
        for [a, b, c] in cube(0.05).1 {
            let mut middle = |i: u32, k: u32| {
                vertices.push(0.5 * (vertices[i as usize] + vertices[k as usize]));
                vertices.len() as u32 - 1
            };
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            faces.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        (vertices, faces)
    };
    let doubled = together(&fine, &turned(&cube(0.05)));
    is_never_free("doubled, ball", &case(ball(), mesh(doubled.clone()), Vec3::ZERO));
    is_never_free("doubled, two shells", &case(two_shells(), mesh(doubled), Vec3::ZERO));
}

#[test]
fn a_ball_that_is_doubled_by_another_tessellation_is_not_hollow() {
    let (fine, coarse) = (scaled(&geodesic(4), 0.05), scaled(&geodesic(2), 0.05));
    is_never_free("coarse inside", &case(ball(), mesh(together(&coarse, &turned(&fine))), Vec3::ZERO));
    is_never_free(
        "both inwards",
        &case(ball(), mesh(together(&turned(&coarse), &turned(&fine))), Vec3::ZERO),
    );
}

#[test]
fn a_block_whose_sides_differ_by_rounding_is_not_hollow() {
    for gap in [1e-12, 1e-9, 1e-7, 1e-6] {
        for sign in [-1.0, 1.0] {
            let doubled = together(&cube(0.05), &turned(&cube(0.05 + sign * gap)));
            is_never_free(&format!("{gap} {sign}"), &case(ball(), mesh(doubled), Vec3::ZERO));
        }
    }
    // A wall of a tenth of a millimetre is one.
    let hollow = together(&cube(0.05), &turned(&cube(0.0499)));
    assert_eq!(checked(&case(ball(), mesh(hollow), Vec3::ZERO).scene("m", 1.0)), "free");
}

#[test]
fn a_solid_inside_of_a_solid_stays_one_when_both_are_inside_out() {
    let nested = together(&cube(0.05), &cube(0.02));
    is_never_free("both outwards", &case(ball(), mesh(nested.clone()), Vec3::ZERO));
    is_never_free("both inwards", &case(ball(), mesh(turned(&nested)), Vec3::ZERO));
    // A hollow block. The same inside out may as well be a solid in a solid that alone is inside out.
    let hollow = together(&cube(0.05), &turned(&cube(0.02)));
    for (name, body, expected) in
        [("hollow", hollow.clone(), "free"), ("hollow, inside out", turned(&hollow), "undecided")]
    {
        assert_eq!(checked(&case(ball(), mesh(body), Vec3::ZERO).scene("m", 1.0)), expected, "{name}");
    }
}

/// What closes a crack, and what is left out to tell what is inside, is in the way all the same.
#[test]
fn what_sticks_out_of_a_mended_mesh_collides_where_it_is_written() {
    // A cube of 1 m whose top is 15 µm above its sides, on a frame of two parts, slides 10 µm too high under a beam of the frame.
    let (mut vertices, mut faces) = cube(0.5);
    for face in &mut faces {
        if face.iter().all(|i| vertices[*i as usize].z > 0.0) {
            for i in face {
                vertices.push(vertices[*i as usize] + 1.5e-5 * Vec3::Z);
                *i = vertices.len() as u32 - 1;
            }
        }
    }
    let frame = Solid::Compound(vec![
        (Place::at(Vec3::new(0.0, 0.0, -0.6)), Solid::Box { size: Vec3::new(10.0, 2.0, 0.2) }),
        (Place::at(Vec3::new(0.0, 0.9, 0.0)), Solid::Box { size: Vec3::new(10.0, 0.2, 1.2) }),
        (Place::at(Vec3::new(3.0, 0.0, 0.500_005 + 0.1)), Solid::Box { size: Vec3::new(1.0, 2.0, 0.2) }),
    ]);
    let case = Encounter {
        bodies: [mesh((vertices, faces)), frame],
        places: [Place::at(Vec3::new(0.0, 0.25, 0.0)), Place::ORIGIN],
        ways: [Way::Translate(3.0 * Vec3::X), Way::Still],
    };
    let toc = ask(&case.question(1, "toc", ""));
    assert_ne!(toc["verdict"], "free", "{toc}");
    assert_ne!(checked(&case.scene("m", 1.0)), "free");
}

#[test]
fn a_doubled_piece_that_sticks_out_is_not_inside_of_a_solid() {
    // A thin pyramid, every face twice, with its foot in a block and its tip 0.4 m out of it; the ball is in the tip.
    let tip = Vec3::new(1.0, 0.0, 0.0);
    let foot = [Vec3::new(-0.4, -0.2, -0.2), Vec3::new(-0.4, 0.2, -0.2), Vec3::new(-0.4, 0.0, 0.25)];
    let vertices = vec![foot[0], foot[1], foot[2], tip];
    let faces = vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
    let pyramid = (vertices, faces);
    for other in [turned(&pyramid), turned(&scaled(&pyramid, 1.0 + 1e-9))] {
        let body = together(&together(&cube(0.5), &pyramid), &other);
        is_never_free("tip", &case(Solid::Sphere { radius: 0.002 }, mesh(body), Vec3::new(0.6, 0.0, 0.0)));
    }
}
