//! Smallest enclosing sphere, box and cylinder against parry3d and CGAL, on the same clouds in one run.
//!
//! CGAL answers through `peers/cgal/enclose.cpp`, which is compiled here when g++ and CGAL are installed
//! (Debian: `apt install g++ libcgal-dev libeigen3-dev`); without them the other contenders run alone.

use freiraum_benches::{Contender, contender, self_timed, side_by_side};
use freiraum_geometry::Vec3;
use freiraum_geometry::enclose::smallest_sphere;
use freiraum_testkit::points;
use std::cell::RefCell;
use std::hint::black_box;

mod cgal;

fn main() {
    let cgal = cgal::Peer::start().map(RefCell::new);
    for n in [1000, 100_000] {
        for (shape, cloud) in
            [("gauss", points::gauss(n, 1)), ("cube", points::cube(n, 2)), ("sphere", points::sphere(n, 3))]
        {
            if let Some(peer) = &cgal {
                peer.borrow_mut().load(&cloud);
            }
            sphere(&format!("smallest sphere, {n} points, {shape}"), &cloud, cgal.as_ref());
        }
    }
}

fn sphere(title: &str, cloud: &[Vec3], cgal: Option<&RefCell<cgal::Peer>>) {
    let theirs = parry_points(cloud);
    let best = smallest_sphere(cloud).expect("points").radius;
    let digest = move |radius: f64| format!("radius {radius:.9}, {:.6} of ours", radius / best);
    let mut contenders: Vec<Contender> = vec![
        contender("Freiraum", || digest(smallest_sphere(black_box(cloud)).expect("points").radius)),
        contender("parry3d-f64, centroid sphere", || {
            digest(
                parry3d_f64::bounding_volume::details::point_cloud_bounding_sphere(black_box(&theirs)).radius,
            )
        }),
    ];
    if let Some(peer) = cgal {
        contenders.push(self_timed("CGAL Min_sphere", move || {
            let (time, radius) = peer.borrow_mut().ask("sphere");
            (time, digest(radius))
        }));
    }
    side_by_side(title, 25, contenders);
}

/// The same points in the vector type of the peer.
fn parry_points(cloud: &[Vec3]) -> Vec<parry3d_f64::math::Vector> {
    cloud.iter().map(|p| parry3d_f64::math::Vector::new(p.x, p.y, p.z)).collect()
}
