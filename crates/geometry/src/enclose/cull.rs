//! Dropping points that are certainly inside the convex hull, before the hull is computed.

use super::kdop::KDop;
use crate::hull::{Hull, convex_hull};
use crate::math::{AxisBox, Vec3};

/// The points that may be corners of the convex hull; every corner is among them.
///
/// The hull of the extreme points in fourteen directions holds nearly all of most clouds. A point that lies inside it
/// by a margin far above rounding is dropped. **Cost.** One pass, a few nanoseconds a point.
pub(super) fn outer_points(points: &[Vec3]) -> Vec<Vec3> {
    match Core::of(points) {
        Some(core) => points.iter().copied().filter(|&p| !core.holds(p)).collect(),
        None => points.to_vec(),
    }
}

/// Below this many points the hull itself is as fast.
const WORTHWHILE: usize = 200;
/// Extreme points are looked for among about this many points, evenly picked.
const SAMPLE: usize = 4096;
/// Share of the extent by which a point must lie inside: far above rounding, far below what would keep many points.
const MARGIN: f64 = 1.0 / (1 << 20) as f64;

/// A polytope of at most 24 faces spanned by some of the points, with a ball and a box inside it for a first test.
struct Core {
    center: Vec3,
    ball_radius_squared: f64,
    box_half: Vec3,
    /// Normal and offset of each face, relative to the centre, margin included.
    planes: Vec<(Vec3, f64)>,
}

impl Core {
    /// `None` where a core would not pay or would not be safe.
    fn of(points: &[Vec3]) -> Option<Core> {
        if points.len() < WORTHWHILE {
            return None;
        }
        let sample = || points.iter().step_by(points.len().div_ceil(SAMPLE));
        let mut extremes = [(f64::INFINITY, Vec3::ZERO); 14];
        for &p in sample() {
            for (slot, direction) in extremes.chunks_exact_mut(2).zip(KDop::DIRECTIONS) {
                let along = direction.dot(p);
                for (extreme, value) in slot.iter_mut().zip([along, -along]) {
                    if value < extreme.0 {
                        *extreme = (value, p);
                    }
                }
            }
        }
        let corners = extremes.map(|e| e.1);
        let Ok(Hull::Solid(hull)) = convex_hull(&corners) else { return None };
        let size = AxisBox::of_points(&corners).size();
        let center = corners.iter().map(|p| *p / 14.0).sum::<Vec3>();
        let mut core = Core { center, ball_radius_squared: 0.0, box_half: Vec3::ZERO, planes: Vec::new() };
        for face in &hull.faces {
            let [a, b, c] = face.map(|i| corners[hull.vertices[i as usize] as usize]);
            let normal = (b - a).cross(c - a);
            // The normal of a sliver is not known well enough for the margin.
            if normal.length() < MARGIN * (b - a).length() * (c - a).length() {
                return None;
            }
            let normal = normal.try_normalize()?;
            core.planes.push((normal, normal.dot(a - center) - MARGIN * size.max_element()));
        }
        let ball_radius = core.planes.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
        core.ball_radius_squared = if ball_radius > 0.0 { ball_radius * ball_radius } else { return None };
        // The largest box of the shape of the bounds: each plane limits it at one of its corners.
        let share = |(normal, reach): &(Vec3, f64)| reach / normal.abs().dot(size);
        core.box_half = size * core.planes.iter().map(share).fold(f64::INFINITY, f64::min);
        Some(core)
    }

    /// True only if the point is inside by the margin.
    fn holds(&self, point: Vec3) -> bool {
        let offset = point - self.center;
        offset.abs().cmplt(self.box_half).all()
            || offset.length_squared() < self.ball_radius_squared
            || self.planes.iter().all(|(normal, reach)| normal.dot(offset) < *reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::points;

    fn check(cloud: &[Vec3], at_most: usize) {
        let outer = outer_points(cloud);
        assert!(outer.len() <= at_most, "{} of {} left", outer.len(), cloud.len());
        let corners = |points: &[Vec3]| match convex_hull(points) {
            Ok(Hull::Solid(hull)) => hull.points(points),
            other => panic!("{other:?}"),
        };
        assert_eq!(corners(cloud), corners(&outer));
    }

    #[test]
    fn all_corners_of_the_hull_stay_and_few_others() {
        check(&points::gauss(20_000, 1), 2_000);
        check(&points::cube(20_000, 2), 4_000);
        check(&points::sphere(2_000, 3), 2_000);
        check(&points::grid(12, 0.1), 1000);
        let far: Vec<Vec3> = points::gauss(5_000, 4).iter().map(|p| *p + Vec3::splat(1e6)).collect();
        check(&far, 1_000);
    }

    #[test]
    fn flat_clouds_are_left_alone() {
        let flat: Vec<Vec3> = points::cube(500, 5).iter().map(|p| Vec3::new(p.x, p.y, 1.0)).collect();
        assert_eq!(outer_points(&flat), flat);
    }
}
