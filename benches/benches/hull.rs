//! Convex hulls of point clouds, against parry3d in f32 and in f64.
//!
//! Beside the times stand the answers: vertices, faces, volume, and the number of input points that lie outside
//! a face of the answer by the exact predicate. The peer in f32 is judged on the points it was given, rounded to f32.

use freiraum_benches::{contender, side_by_side};
use freiraum_geometry::Vec3;
use freiraum_geometry::hull::{Hull, convex_hull};
use freiraum_geometry::math::predicates::side_of_plane;
use freiraum_testkit::points;

/// Most pairs of points and faces that are tested for points outside.
const MOST_PAIRS: usize = 100_000_000;

type Surface = (Vec<Vec3>, Vec<[u32; 3]>);

fn main() {
    // `cargo bench --bench hull -- gauss` runs the clouds with that word in their name.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    for (size, n, rounds) in [("1k", 1_000, 51), ("10k", 10_000, 21), ("100k", 100_000, 9)] {
        for (name, cloud) in
            [("gauss", points::gauss(n, 1)), ("cube", points::cube(n, 1)), ("sphere", points::sphere(n, 1))]
        {
            let title = format!("{name} {size}");
            if wanted.is_empty() || wanted.iter().any(|w| title.contains(w.as_str())) {
                compare(&title, rounds, &cloud);
            }
        }
    }
}

fn compare(title: &str, rounds: usize, cloud: &[Vec3]) {
    use parry3d::transformation::try_convex_hull as f32_hull;
    use parry3d_f64::transformation::try_convex_hull as f64_hull;
    let narrow: Vec<parry3d::math::Vector> = cloud.iter().map(|p| p.as_vec3().to_array().into()).collect();
    let wide: Vec<parry3d_f64::math::Vector> = cloud.iter().map(|p| p.to_array().into()).collect();
    let rounded: Vec<Vec3> = narrow.iter().map(|p| from_f32(*p)).collect();

    let counts = |vertices: usize, faces: usize| format!("{vertices} vertices, {faces} faces");
    side_by_side(
        title,
        rounds,
        vec![
            contender("freiraum", || match convex_hull(cloud) {
                Ok(Hull::Solid(hull)) => counts(hull.vertices.len(), hull.faces.len()),
                other => format!("{other:?}"),
            }),
            contender("parry3d f32", || match f32_hull(&narrow) {
                Ok((vertices, faces)) => counts(vertices.len(), faces.len()),
                Err(error) => format!("{error}"),
            }),
            contender("parry3d f64", || match f64_hull(&wide) {
                Ok((vertices, faces)) => counts(vertices.len(), faces.len()),
                Err(error) => format!("{error}"),
            }),
        ],
    );
    if let Ok(Hull::Solid(hull)) = convex_hull(cloud) {
        judge("freiraum", cloud, (hull.points(cloud), hull.faces));
    }
    if let Ok((vertices, faces)) = f32_hull(&narrow) {
        judge("parry3d f32", &rounded, (vertices.into_iter().map(from_f32).collect(), faces));
    }
    if let Ok((vertices, faces)) = f64_hull(&wide) {
        judge("parry3d f64", cloud, (vertices.iter().map(|p| p.to_array().into()).collect(), faces));
    }
}

fn from_f32(p: parry3d::math::Vector) -> Vec3 {
    Vec3::from(p.to_array().map(f64::from))
}

/// Prints volume and number of points outside, all of them or, where that takes too long, each so many-th one.
#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn judge(name: &str, input: &[Vec3], (vertices, faces): Surface) {
    let faces: Vec<[Vec3; 3]> = faces.iter().map(|f| f.map(|i| vertices[i as usize])).collect();
    let volume: f64 = faces.iter().map(|[a, b, c]| a.dot(b.cross(*c)) / 6.0).sum();
    let every = (input.len() * faces.len()).div_ceil(MOST_PAIRS);
    let tested = input.iter().step_by(every);
    let is_outside = |&&p: &&Vec3| faces.iter().any(|&[a, b, c]| side_of_plane(a, b, c, p).is_gt());
    let outside = tested.clone().filter(is_outside).count();
    println!("  {name:<34} volume {volume:.12}, {outside} of {} tested points outside", tested.len());
}
