//! Smallest enclosing sphere, box and cylinder against parry3d, CGAL and exhaustive search, on the same clouds in one
//! run. Answers are compared with the best of the run.
//!
//! CGAL answers through `peers/cgal/enclose.cpp`, which is compiled here when g++ and CGAL are installed
//! (Debian: `apt install g++ libcgal-dev libeigen3-dev`); without them the other contenders run alone.

mod cgal;
mod exhaustive;

use freiraum_benches::{Contender, contender, self_timed, side_by_side};
use freiraum_geometry::Vec3;
use freiraum_geometry::enclose::{
    enclosing_capsule, enclosing_swept_rectangle, largest_sphere_in_hull, smallest_box, smallest_cylinder,
    smallest_sphere,
};
use freiraum_mesh_io::ReadOptions;
use freiraum_testkit::{data, points};
use std::cell::RefCell;
use std::hint::black_box;

type Cgal<'p> = Option<&'p RefCell<cgal::Peer>>;

fn main() {
    let cgal = cgal::Peer::start().map(RefCell::new);
    models(cgal.as_ref());
    for n in [1000, 100_000] {
        for (shape, cloud) in
            [("gauss", points::gauss(n, 1)), ("cube", points::cube(n, 2)), ("sphere", points::sphere(n, 3))]
        {
            if let Some(peer) = &cgal {
                peer.borrow_mut().load(&cloud);
            }
            let is_slow = n > 1000 && shape == "sphere";
            sphere(&format!("smallest sphere, {n} points, {shape}"), &cloud, cgal.as_ref());
            smallest_boxes(&format!("smallest box, {n} points, {shape}"), &cloud, cgal.as_ref(), is_slow);
            others(&format!("other volumes, {n} points, {shape}"), &cloud, is_slow);
        }
    }
}

/// Third-party models, where they are at hand.
fn models(cgal: Cgal) {
    let Some(folder) = data::folder("trimesh-models") else { return };
    for name in ["fixed_top.ply", "bunny.ply", "Duck.glb", "torus.STL"] {
        // A model that is not there, or is refused, is not what is measured here.
        let Ok(mesh) = freiraum_mesh_io::read(folder.join(name), &ReadOptions::default()) else {
            continue;
        };
        if let Some(peer) = cgal {
            peer.borrow_mut().load(mesh.vertices());
        }
        smallest_boxes(&format!("smallest box, {name}"), mesh.vertices(), cgal, false);
    }
}

fn sphere(title: &str, cloud: &[Vec3], cgal: Cgal) {
    let theirs = parry_points(cloud);
    let exact = smallest_sphere(cloud).expect("points").radius;
    let digest = move |radius: f64| format!("radius {radius:.9}, {:.6} of ours", radius / exact);
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

fn smallest_boxes(title: &str, cloud: &[Vec3], cgal: Cgal, is_slow: bool) {
    let theirs = parry_points(cloud);
    let ours = || smallest_box(black_box(cloud)).expect("points").volume();
    let principal = || {
        let half = parry3d_f64::utils::obb(black_box(&theirs)).1.half_extents;
        8.0 * half.x * half.y * half.z
    };
    // The best known volume: of everybody, and of CGAL's randomised search the best of three.
    let mut best = ours().min(principal());
    let facets = (!is_slow).then(|| exhaustive::flush_with_a_facet(cloud));
    best = facets.map_or(best, |v| best.min(v));
    if let Some(peer) = cgal {
        for _ in 0..if is_slow { 1 } else { 3 } {
            best = best.min(peer.borrow_mut().ask("box").1);
        }
    }
    let digest = move |v: f64| format!("volume {v:.7}, {:.6} of the best", v / best);
    let mut contenders: Vec<Contender> = vec![
        contender("Freiraum", || digest(ours())),
        contender("parry3d-f64, principal axes", || digest(principal())),
    ];
    if !is_slow {
        contenders.push(contender("all hull facets, calipers on each", || {
            digest(exhaustive::flush_with_a_facet(black_box(cloud)))
        }));
    }
    if let Some(peer) = cgal {
        contenders.push(self_timed("CGAL optimal_bounding_box", move || {
            let (time, volume) = peer.borrow_mut().ask("box");
            (time, digest(volume))
        }));
    }
    side_by_side(title, if is_slow { 1 } else { 7 }, contenders);
}

/// What no peer offers: for the record.
fn others(title: &str, cloud: &[Vec3], is_slow: bool) {
    let volume = |v: f64| format!("volume {v:.7}");
    let contenders = vec![
        contender("cylinder", || volume(smallest_cylinder(black_box(cloud)).expect("points").volume())),
        contender("capsule", || volume(enclosing_capsule(black_box(cloud)).expect("points").volume())),
        contender("rectangle swept sphere", || {
            volume(enclosing_swept_rectangle(black_box(cloud)).expect("points").volume())
        }),
        contender("largest sphere in the hull", || {
            format!("radius {:.7}", largest_sphere_in_hull(black_box(cloud)).expect("points").radius)
        }),
    ];
    side_by_side(title, if is_slow { 1 } else { 5 }, contenders);
}

/// The same points in the vector type of the peer.
fn parry_points(cloud: &[Vec3]) -> Vec<parry3d_f64::math::Vector> {
    cloud.iter().map(|p| parry3d_f64::math::Vector::new(p.x, p.y, p.z)).collect()
}
