//! How the time of a first contact grows with the number of triangles, in cases that are bad for trees of boxes.

use freiraum_benches::{Goal, Stopwatch, is_quick};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::MotionWorkspace;
use freiraum_motion::path::Axis;
use freiraum_motion::sweep::{RotatingPair, TranslatingPair};
use freiraum_query::mesh_tree::MeshTree;
use freiraum_testkit::bumpy::Surface;
use freiraum_testkit::nasty;
use freiraum_testkit::random::Random;

const GROWTH: Goal = Goal::at_most("motion: exponent of the growth", 1.3);

/// A family of pairs: two bodies of about `n` triangles each, scaled to a size of one or two metres, and a few motions.
struct Family {
    name: &'static str,
    pair: fn(usize) -> [Surface; 2],
    start: fn() -> Pose,
    by: Vec3,
}

/// The families, by how many triangles they get.
#[expect(clippy::print_stdout, reason = "a bench prints its table")]
pub(crate) fn measure() {
    println!("\ngrowth of the time of a first contact with the number of triangles");
    let families = [
        // Two grids of rods, crossed, on top of each other; they meet after a while everywhere at once, or slide by.
        Family {
            name: "crossed rod grids",
            pair: |n| [unit(nasty::rods(n / 16, 0.3)), unit(nasty::rods(n / 16, 0.3))],
            start: || Pose::from_axis_angle(Vec3::Z, 1.3).unwrap_or(Pose::IDENTITY),
            by: Vec3::new(0.2, 0.1, -1.0),
        },
        // Small enough that most triangles of one pass between those of the other.
        Family {
            name: "soups of triangles",
            pair: |n| {
                let size = 0.7 / (n as f64).sqrt();
                [nasty::soup(&mut Random::new(1), n, size), nasty::soup(&mut Random::new(2), n, size)]
            },
            start: || Pose::IDENTITY,
            by: Vec3::new(0.3, 0.2, -2.0),
        },
        // Teeth that move between each other and meet at their tips last.
        Family {
            name: "two combs",
            pair: |n| [unit(nasty::comb(n / 16, 0.4)), unit(nasty::comb(n / 16, 0.4))],
            start: || Pose::from_axis_angle(Vec3::Z, std::f64::consts::PI).unwrap_or(Pose::IDENTITY),
            by: Vec3::new(0.0, -0.4, 0.0),
        },
    ];
    let most = if is_quick() { 3 } else { 4 };
    for family in families {
        for is_turn in [false, true] {
            let mut points = Vec::new();
            for k in 0..most {
                let n = 1000 * 4usize.pow(k);
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
        let count = 6;
        let mut total = 0.0;
        for round in 0..2 {
            total = 0.0;
            for _ in 0..count {
                // Apart at the start: b lies just off the box of a, against the motion.
                let scatter = 0.02 * random.in_cube(1.0);
                let place = (self.start)();
                let off = -0.6 * self.by.normalize_or_zero() + scatter;
                let start = Pose::from_translation(off) * place;
                let axis = Axis::new(
                    Vec3::new(-1.0, 0.3, 0.1) + scatter,
                    self.by.cross(Vec3::X).cross(self.by) + scatter,
                );
                let clock = Stopwatch::start();
                let found = match axis.filter(|_| is_turn) {
                    Some(axis) => {
                        RotatingPair::new(&a, &b, &start, 0.0, &axis, 2.0).first_contact(1.0, &mut memory)
                    }
                    None => {
                        TranslatingPair::new(&a, &b, &start, 0.0, self.by).first_contact(1.0, &mut memory)
                    }
                };
                total += clock.elapsed().as_secs_f64();
                std::hint::black_box(found);
            }
            let _ = round;
        }
        (a.faces().len() + b.faces().len(), total / f64::from(count))
    }
}

/// The surface, moved and scaled into a cube of one metre about the origin.
fn unit((vertices, faces): Surface) -> Surface {
    let low = vertices.iter().copied().reduce(Vec3::min).unwrap_or(Vec3::ZERO);
    let high = vertices.iter().copied().reduce(Vec3::max).unwrap_or(Vec3::ONE);
    let scale = 1.0 / (high - low).max_element();
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
