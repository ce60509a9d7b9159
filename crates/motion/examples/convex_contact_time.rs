//! How the cost of a first contact grows with the number of points: two convex polyhedra, one of them
//! translating.
//!
//! ```console
//! cargo run --release -p freiraum-motion --example convex_contact_time
//! ```
//!
//! Points lie on ellipsoids and on flat lenses; all of them are corners. Bodies are prepared before. Counts
//! are exact and the same on every machine: farthest points asked for, and vertices multiplied with a
//! direction on the way. Times are medians; what they were is in `docs/performance/convex.md`. Beside them
//! stands the former route, the search through all faces.

use freiraum_geometry::path::UniformMotion;
use freiraum_geometry::shape::{Convex, Shape};
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::sweep::TranslatingPair;
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict, time_of_contact};
use freiraum_query::convex::{ConvexGraph, SearchCost, cast_convex};
use freiraum_query::mesh_tree::MeshTree;
use freiraum_testkit::points;
use freiraum_testkit::random::Random;
use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

/// Motions per row, of which some three quarters end in a contact.
const MOTIONS: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| bodies | points each | searches | vertices | left open | cast | `time_of_contact` | all faces |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|")?;
    for (name, make) in [("ellipsoids", ellipsoid as fn(usize, u64) -> Vec<Vec3>), ("lenses", lens)] {
        for count in [100, 1000, 10_000, 100_000] {
            let [a, b] = [1, 2].map(|seed| Convex::from_points(&make(count, seed)));
            let row = measure(&a?, &b?)?;
            writeln!(
                out,
                "| {name} | {count} | {:.1} | {:.0} | {} of {MOTIONS} | {:.2} us | {:.2} us | {:.2} us |",
                row.searches, row.vertices, row.open, row.cast, row.whole, row.former
            )?;
        }
    }
    Ok(())
}

/// Points on an ellipsoid with half axes 0.5, 0.35 and 0.25 m.
fn ellipsoid(count: usize, seed: u64) -> Vec<Vec3> {
    points::sphere(count, seed).into_iter().map(|p| p * Vec3::new(0.5, 0.35, 0.25)).collect()
}

/// Points on a lens of radius 0.5 m and 1 mm thick, whose vertices share a few directions.
fn lens(count: usize, seed: u64) -> Vec<Vec3> {
    points::sphere(count, seed).into_iter().map(|p| p * Vec3::new(0.5, 0.5, 0.0005)).collect()
}

/// What a question costs.
struct Row {
    /// Mean of the farthest points asked for.
    searches: f64,
    /// Mean of the vertices visited.
    vertices: f64,
    /// Motions that the cast leaves to the search through all faces.
    open: usize,
    /// Medians of the times, in microseconds: the cast alone, the whole question, the search through all
    /// faces alone.
    cast: f64,
    whole: f64,
    former: f64,
}

fn measure(a: &Convex, b: &Convex) -> Result<Row, Box<dyn Error>> {
    let graphs = [a, b].map(|body| ConvexGraph::new(body.clone()));
    let trees = [a, b].map(|body| MeshTree::build(body.surface().clone()));
    let movables = [a, b].map(|body| Movable::new(Shape::Convex(body.clone())));
    let mut random = Random::new(4);
    let mut memory = MotionWorkspace::default();
    let mut cost = SearchCost::default();
    let mut times = [const { Vec::new() }; 3];
    let mut open = 0;
    for _ in 0..MOTIONS {
        let away = random.direction();
        let start = Pose::new(random.rotation(), 1.5 * away).ok_or("a turn by nothing")?;
        let by = -2.0 * away + random.in_cube(0.6);
        let pair = TranslatingPair::new(&trees[0], &trees[1], &start, 0.0, by).of_solids([true; 2]);
        // A slack of the same size as that of the pair.
        let slack = freiraum_geometry::math::rounding::coordinate(5.0);
        let found = cast_convex(&graphs[0], &graphs[1], &start, by, 1.0, slack, &mut cost);
        open += usize::from(found.is_none());
        let (still, motion) = (UniformMotion::still(Pose::IDENTITY), UniformMotion::translation(start, by));
        let limits = Limits::default();
        times[0].push(least(|| {
            cast_convex(&graphs[0], &graphs[1], &start, by, 1.0, slack, &mut SearchCost::default())
        }));
        let mut whole = || time_of_contact(&movables[0], &still, &movables[1], &motion, &limits, &mut memory);
        let verdict = whole()?;
        times[1].push(least(&mut whole));
        times[2].push(least(|| pair.first_contact(1.0, &mut memory)));
        let former = pair.first_contact(1.0, &mut memory);
        let is_same = match (verdict, former) {
            (Verdict::Contact(now), Some(then)) => {
                (now.time - then.time).abs() <= now.time_error + then.error
            }
            (Verdict::Free, None) => true,
            _ => false,
        };
        if !is_same {
            return Err("the two routes disagree".into());
        }
    }
    let mean = |sum: u64| sum as f64 / MOTIONS as f64;
    let [cast, whole, former] = times.map(median);
    Ok(Row { searches: mean(cost.searches), vertices: mean(cost.vertices), open, cast, whole, former })
}

/// The least of a few times in microseconds.
fn least<T>(mut run: impl FnMut() -> T) -> f64 {
    let once = || {
        let start = Instant::now();
        black_box(run());
        1e6 * start.elapsed().as_secs_f64()
    };
    std::iter::repeat_with(once).take(5).fold(f64::INFINITY, f64::min)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
