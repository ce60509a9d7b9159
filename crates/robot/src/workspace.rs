//! Where can the tool get? An estimate of the region that a robot reaches, for pictures and first answers.
//!
//! Random joint values within the limits, and where they put the tool. Whether a given pose can be reached is a question for [`crate::inverse()`]; collisions are not looked at.

use crate::model::{Limits, Robot};
use freiraum_geometry::math::power_of_two;
use freiraum_geometry::math::random::SplitMix64;
use freiraum_geometry::{Aabb, Pose, Vec3};
use std::f64::consts::PI;

/// How closely to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkspaceOptions {
    /// How many joint values are tried.
    pub samples: usize,
    /// Seed of the random joint values.
    pub seed: u64,
    /// Number of cells along the longest side of the box in which the volume is counted, 1 to 256.
    pub cells: usize,
}

impl Default for WorkspaceOptions {
    fn default() -> WorkspaceOptions {
        WorkspaceOptions { samples: 100_000, seed: 1, cells: 24 }
    }
}

/// What was reached. **Frames.** That in which the base was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Workspace {
    /// Tool points, one per sample, in the order in which they were drawn.
    pub points: Vec<Vec3>,
    /// The box of the points.
    pub region: Aabb,
    /// The largest distance of a point from the origin of the root link, in metres.
    pub reach: f64,
    /// The cells that hold a point, in cubic metres: too large by what cells at the border stick out, too small by what no sample hit. 0 for points in a plane.
    pub volume: f64,
    /// Side of a cell in metres.
    pub cell: f64,
}

/// Where the tool, a point of a link, can get when the joints that carry it take any values within their limits.
///
/// **Frames.** `base` is `world_from_root`, answers are in the world. **Degenerate input.** Joints that turn without limits take one turn; slides without limits
/// are left at 0 or at the limit they have, because their reach is infinite. **Guarantee.** Every point is reached; none is said to be unreachable. The same seed gives the same points.
/// **Cost.** About 0.3 µs per sample and joint.
pub fn workspace(
    robot: &Robot,
    link: usize,
    tool: Vec3,
    base: &Pose,
    options: &WorkspaceOptions,
) -> Workspace {
    let mut random = SplitMix64::new(options.seed);
    let way = robot.way_to(link);
    let freedoms = robot.freedoms_between(0, link);
    let ranges: Vec<Limits> = freedoms.iter().map(|freedom| window(robot, *freedom)).collect();
    let mut values = vec![0.0; robot.freedoms().len()];
    let mut points = Vec::with_capacity(options.samples);
    for _ in 0..options.samples {
        for (freedom, range) in freedoms.iter().zip(&ranges) {
            values[*freedom] = random.range(range.lower, range.upper);
        }
        let place = way.iter().fold(*base, |at, joint| at * robot.parent_from_child(*joint, &values));
        points.push(place.transform_point(tool));
    }
    let region = Aabb::of_points(&points);
    let reach = points.iter().map(|p| p.distance(base.translation())).fold(0.0, f64::max);
    let (volume, cell) = counted(&points, &region, options.cells.clamp(1, 256));
    Workspace { points, region, reach, volume, cell }
}

fn window(robot: &Robot, freedom: usize) -> Limits {
    let range = robot.range(freedom);
    let turns = robot.joints()[robot.freedoms()[freedom]].kind.turns();
    match (range.lower.is_finite(), range.upper.is_finite()) {
        (true, true) => range,
        (true, false) => {
            Limits { lower: range.lower, upper: range.lower + if turns { 2.0 * PI } else { 0.0 } }
        }
        (false, true) => {
            Limits { lower: range.upper - if turns { 2.0 * PI } else { 0.0 }, upper: range.upper }
        }
        (false, false) if turns => Limits { lower: -PI, upper: PI },
        (false, false) => Limits { lower: 0.0, upper: 0.0 },
    }
}

/// What is thinner than this share of a cell, a millionth, is a surface or a line, which rounding alone gives a thickness.
const FLAT: f64 = power_of_two(-20);

/// The volume of the cells of a grid that hold a point, and the side of a cell.
fn counted(points: &[Vec3], region: &Aabb, cells: usize) -> (f64, f64) {
    if points.is_empty() {
        return (0.0, 0.0);
    }
    let size = region.size();
    let cell = size.max_element() / cells as f64;
    if !(size.min_element() > cell * FLAT) {
        return (0.0, cell);
    }
    let last = size.to_array().map(|side| ((side / cell) as usize).min(cells - 1));
    let mut hit = vec![false; (last[0] + 1) * (last[1] + 1) * (last[2] + 1)];
    for point in points {
        let from = ((*point - region.min) / cell).to_array();
        let [x, y, z] = [0, 1, 2].map(|k| (from[k] as usize).min(last[k]));
        hit[(x * (last[1] + 1) + y) * (last[2] + 1) + z] = true;
    }
    (hit.iter().filter(|hit| **hit).count() as f64 * cell.powi(3), cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dh::{Convention, Row, robot};
    use crate::model::JointKind;

    fn thesis() -> Robot {
        let row = |alpha: f64, l, d| Row { alpha: alpha.to_radians(), l, d, ..Row::default() };
        let rows = [row(0.0, 0.0, 0.0), row(-90.0, 0.0, 0.0), row(0.0, 0.7, 0.0), row(90.0, 0.0, 0.49)];
        robot("arm", &rows, Convention::Modified).unwrap()
    }

    #[test]
    fn an_arm_with_two_links_reaches_a_hollow_ball() {
        let base = Pose::from_translation(Vec3::new(5.0, -3.0, 1.0));
        let found = workspace(&thesis(), 4, Vec3::ZERO, &base, &WorkspaceOptions::default());
        let exact = 4.0 / 3.0 * PI * (1.19f64.powi(3) - 0.21f64.powi(3));
        assert!((found.volume / exact - 1.0).abs() < 0.15, "{} {exact}", found.volume);
        assert!(found.reach <= 1.19 * (1.0 + 1e-12) && found.reach > 1.18);
        let least = found.points.iter().map(|p| p.distance(base.translation())).fold(f64::INFINITY, f64::min);
        assert!((0.21 - 1e-12..0.22).contains(&least));
        assert!(found.region.center().distance(base.translation()) < 0.05);
        let again = workspace(&thesis(), 4, Vec3::ZERO, &base, &WorkspaceOptions::default());
        assert_eq!(found, again);
    }

    #[test]
    fn slides_and_planes() {
        let slide = |limits| Row { kind: JointKind::Prismatic, limits, ..Row::default() };
        let limits = Limits { lower: 0.0, upper: 2.0 };
        let turned = |alpha: f64| Row { alpha, ..slide(limits) };
        let gantry = robot("gantry", &[slide(limits), turned(PI / 2.0)], Convention::Modified).unwrap();
        let options = WorkspaceOptions { samples: 1000, ..WorkspaceOptions::default() };
        let flat = workspace(&gantry, 2, Vec3::ZERO, &Pose::IDENTITY, &options);
        assert_eq!(flat.volume, 0.0);
        assert!(flat.reach > 2.7 && flat.reach < 8f64.sqrt());
        let endless = robot("endless", &[slide(Limits::NONE)], Convention::Modified).unwrap();
        let still = workspace(&endless, 1, Vec3::X, &Pose::IDENTITY, &options);
        assert_eq!((still.reach, still.volume), (1.0, 0.0));
        assert_eq!(workspace(&gantry, 0, Vec3::ZERO, &Pose::IDENTITY, &options).reach, 0.0);
        let none =
            workspace(&gantry, 2, Vec3::ZERO, &Pose::IDENTITY, &WorkspaceOptions { samples: 0, ..options });
        assert!(none.points.is_empty() && none.region.is_empty() && none.volume == 0.0);
    }
}
