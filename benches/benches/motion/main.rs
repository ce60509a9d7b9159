//! When does it touch: translations, rotations and screws of two meshes, beside parry3d and, with `--all-peers`, an
//! advancement loop over Coal's distances.
//!
//! A bumpy torus and a bumpy sphere of about 5 000 and 70 000 faces each, and two thin plates. A times table for every kind of motion;
//! then who misses or mistimes how many contacts, on random, thin and grazing motions; then how the time grows with
//! the number of triangles in bad cases. Times are per question, answers are the times of contact (2: none). Coal is
//! stopped at a gap of a millionth of a metre and is early by as much. parry3d's nonlinear cast takes seconds and is asked a few
//! questions of the small sets only.
//!
//! `cargo bench --bench motion -- 5k` runs the tables with that word in their title.

mod contest;
mod growth;
mod inputs;

use freiraum_benches::is_quick;
use freiraum_benches::peer::Peer;
use freiraum_geometry::Mesh;
use freiraum_testkit::{bumpy, nasty};
use inputs::Kind;

fn main() {
    // `cargo bench` passes flags of its own.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let is_wanted = |title: &str| wanted.is_empty() || wanted.iter().any(|w| title.contains(w.as_str()));
    let coal = Peer::coal_motion();
    let thin = [nasty::plate(2.0, 2.0, 2e-3), nasty::plate(1.2, 1.2, 2e-3)];
    let sets = [
        ("thin plates", thin),
        ("5k", [bumpy::torus(50, 50), bumpy::sphere(16)]),
        ("70k", [bumpy::torus(264, 132), bumpy::sphere(59)]),
    ];
    for (name, surfaces) in sets {
        let [a, b] = surfaces.map(mesh);
        for kind in [Kind::Translation, Kind::Rotation, Kind::Screw] {
            let title = format!("{kind:?}, {name}");
            if is_wanted(&title) && !(is_quick() && name == "70k") {
                contest::compare(&title, kind, &a, &b, coal.as_ref(), name != "70k");
            }
        }
    }
    if is_wanted("growth") {
        growth::measure();
    }
}

fn mesh((vertices, faces): bumpy::Surface) -> Mesh {
    Mesh::new(vertices, faces).expect("a proper surface")
}
