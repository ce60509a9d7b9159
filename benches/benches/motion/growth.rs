//! How the time of a first contact grows with the number of triangles, in cases that are bad for trees of boxes.

use freiraum_benches::{Goal, Stopwatch, is_quick};
use freiraum_geometry::path::Axis;
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_motion::MotionWorkspace;
use freiraum_motion::sweep::{RotatingPair, TranslatingPair};
use freiraum_query::mesh_tree::MeshTree;
use freiraum_testkit::bumpy::Surface;
use freiraum_testkit::nasty;
use freiraum_testkit::random::Random;
use std::f64::consts::PI;

const GROWTH: Goal = Goal::at_most("motion: exponent of the growth", 1.3);

/// A family of pairs: two bodies of about `n` triangles each, scaled to a size of one or two metres, and a few motions.
struct Family {
    name: &'static str,
    pair: fn(usize) -> [Surface; 2],
    start: fn(usize) -> Option<Pose>,
    by: Vec3,
}

/// The families, by how many triangles they get.
#[expect(clippy::print_stdout, reason = "a bench prints its table")]
pub(crate) fn measure() {
    println!("\ngrowth of the time of a first contact with the number of triangles");
    let families = [
        // Two grids of rods, crossed and a little tilted against each other: a crossing in a corner meets first.
        Family {
            name: "crossed rod grids",
            pair: |n| [unit(nasty::rods(n / 16, 0.3)), unit(nasty::rods(n / 16, 0.3))],
            start: |_| Pose::new(Quat::from_rotation_x(0.1) * Quat::from_rotation_z(1.3), Vec3::ZERO),
            by: Vec3::new(0.2, 0.1, -1.0),
        },
        // Small enough that most triangles of one pass between those of the other.
        Family {
            name: "soups of triangles",
            pair: |n| {
                let size = 0.7 / (n as f64).sqrt();
                [nasty::soup(&mut Random::new(1), n, size), nasty::soup(&mut Random::new(2), n, size)]
            },
            start: |_| Some(Pose::IDENTITY),
            by: Vec3::new(0.3, 0.2, -2.0),
        },
        // Teeth that move between each other without touching, until they reach the back.
        Family {
            name: "two combs",
            pair: |n| [unit(nasty::comb(n / 16, 0.4)), unit(nasty::comb(n / 16, 0.4))],
            start: |n| Pose::new(Quat::from_rotation_z(PI), Vec3::new(8.0 / n as f64, 0.0, 0.0)),
            by: Vec3::new(0.0, -1.2, 0.0),
        },
    ];
    let most = if is_quick() { 3 } else { 4 };
    for family in families {
        for is_turn in [false, true] {
            let mut points = Vec::new();
            for k in 0..most {
                let n = 800 * 3usize.pow(k);
                let (count, seconds) = family.measure(n, is_turn);
                points.push((count, seconds));
            }
            let exponent = slope(&points);
            let kind = if is_turn { "turning" } else { "sliding" };
            let times: Vec<String> = points.iter().map(|(n, s)| format!("{n}: {:.0} us", 1e6 * s)).collect();
            println!("  {}, {kind}: {}", family.name, times.join(", "));
            GROWTH.judge(&format!("{}, {kind}", family.name), "ourselves", exponent);
        }
    }
}

impl Family {
    /// Triangles of both bodies and the mean time of a few motions.
    fn measure(&self, n: usize, is_turn: bool) -> (usize, f64) {
        let [a, b] = (self.pair)(n)
            .map(|(vertices, faces)| MeshTree::build(Mesh::new(vertices, faces).expect("a proper surface")));
        let mut memory = MotionWorkspace::default();
        let mut random = Random::new(3);
        let count = 4usize;
        let mut total = 0.0;
        // The first one warms up and does not count.
        for i in 0..=count {
            // Off the box of a, against the motion, and a tenth of the smallest feature aside.
            let scatter = random.in_cube(1.0) / n as f64;
            let Some(place) = (self.start)(n) else { continue };
            let start = Pose::from_translation(scatter - 0.9 * self.by.normalize_or_zero()) * place;
            let across = self.by.cross(Vec3::new(0.3, 0.4, 1.0));
            let axis = Axis::new(across.normalize_or_zero().cross(self.by) * 5.0, across);
            let clock = Stopwatch::start();
            let found = match axis.filter(|_| is_turn) {
                Some(axis) => {
                    RotatingPair::new(&a, &b, &start, 0.0, &axis, 0.5).first_contact(1.0, &mut memory)
                }
                None => TranslatingPair::new(&a, &b, &start, 0.0, self.by).first_contact(1.0, &mut memory),
            };
            let time = clock.elapsed().as_secs_f64();
            std::hint::black_box(found);
            if i > 0 {
                total += time;
            }
        }
        (a.faces().len() + b.faces().len(), total / count as f64)
    }
}

/// The surface, moved to the origin and stretched to one metre along x and y; as thick as its rods or teeth.
fn unit((vertices, faces): Surface) -> Surface {
    let low = vertices.iter().copied().reduce(Vec3::min).unwrap_or(Vec3::ZERO);
    let high = vertices.iter().copied().reduce(Vec3::max).unwrap_or(Vec3::ONE);
    let size = high - low;
    let scale = Vec3::new(1.0 / size.x, 1.0 / size.y, 1.0 / size.x);
    (vertices.into_iter().map(|p| scale * (p - 0.5 * (low + high))).collect(), faces)
}

/// The exponent of a power law through the points, by least squares of the logarithms.
fn slope(points: &[(usize, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(n, s)| ((*n as f64).ln(), s.ln())).collect();
    let count = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / count, y + p.1 / count));
    let (mut xx, mut xy) = (0.0, 0.0);
    for p in &logs {
        xx += (p.0 - x) * (p.0 - x);
        xy += (p.0 - x) * (p.1 - y);
    }
    xy / xx
}
