//! Two meshes: tree build, any intersection, distance, and one mesh against itself; beside parry3d and, with
//! `--all-peers`, Coal and FCL.
//!
//! A bumpy torus and a bumpy sphere of about 5 000, 70 000 and 500 000 faces each, in four classes of poses: far (0.5 to
//! 1.5 sizes apart), near (1 % of the size), touching (pushed 1 % past first contact) and deep; and a path on which the
//! sphere moves along the torus in small steps. Times are per question, the mean over all poses of a class. Beside the
//! times stand the answers. parry3d's own distance is a thousand times slower than the others and runs on the smallest
//! meshes and three poses only; its boolean is a loop over the pairs of leaves that its trees give. Coal and FCL have
//! nothing that carries over from one mesh distance to the next: on the path they run as always.
//!
//! `cargo bench --bench meshes -- 5k` runs the tables with that word in their title.

mod pair;
mod placing;
mod with_itself;

use freiraum_benches::peer::Peer;
use freiraum_benches::{Goal, is_quick};
use freiraum_geometry::Mesh;
use freiraum_testkit::bumpy;
use std::time::Duration;

/// From 5 000 to 500 000 faces, a hundred times as many.
const GROWTH: Goal = Goal::at_most("mesh queries, near, growth from 5k to 500k", 3.0);

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn main() {
    // `cargo bench` passes flags of its own.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let is_wanted = |title: &str| wanted.is_empty() || wanted.iter().any(|w| title.contains(w.as_str()));
    let peers = Peer::all();
    let mut near: Vec<(&str, [Duration; 3])> = Vec::new();
    for (size, [around, across], split) in
        [("5k", [50, 50], 16), ("70k", [264, 132], 59), ("500k", [500, 500], 158)]
    {
        if is_wanted(size) && !(is_quick() && size == "500k") {
            let (a, b) = (mesh(bumpy::torus(around, across)), mesh(bumpy::sphere(split)));
            near.push((size, pair::compare(size, &a, &b, &peers)));
        }
    }
    if let [("5k", small), .., ("500k", large)] = near.as_slice() {
        println!("\ngrowth of our times in the near class, from 5k to 500k faces");
        for (k, question) in ["any intersection", "distance, cold", "distance on the path"].iter().enumerate()
        {
            let growth = large[k].as_secs_f64() / small[k].as_secs_f64();
            println!("  {question}: {:.3?} to {:.3?}, {growth:.2} times", small[k], large[k]);
            if k < 2 {
                GROWTH.judge(question, "ourselves", growth);
            }
        }
    }
    for (size, along, around) in [("2k", 50, 20), ("20k", 200, 50), ("200k", 800, 125)] {
        let title = format!("self-intersections, tube of {size} faces");
        if is_wanted(&title) {
            with_itself::compare(&title, &mesh(bumpy::twisted_tube(along, around)));
        }
    }
}

fn mesh((vertices, faces): bumpy::Surface) -> Mesh {
    Mesh::new(vertices, faces).expect("a proper surface")
}
