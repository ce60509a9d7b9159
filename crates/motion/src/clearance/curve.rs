//! The distance of two moving bodies over time, for plots.

use super::{Bodies, ClearanceRequest, clearance};
use crate::movable::Movable;
use crate::sides;
use crate::sweep::MotionWorkspace;
use crate::verdict::MotionError;
use freiraum_geometry::path::Motion;
use freiraum_query::mesh_tree::{MeshDistanceCache, MeshTree, MeshWorkspace, surface_distance};

/// The distance over time as a line through points.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DistanceCurve {
    /// Times in [0, 1], ascending from 0 to 1, each with the distance then in metres; 0 where the bodies touch or overlap.
    pub points: Vec<[f64; 2]>,
    /// Between the points the true distance is nowhere farther from the line through them than this, in metres.
    pub error: f64,
}

/// The distance over time to an accuracy in metres, with at most about `most` points.
///
/// Points are added where the bound of how far both bodies travel does not prove the line through them to be accurate enough, the
/// least accurate first if there are too many.
/// **Guarantee.** See [`DistanceCurve::error`], which exceeds the accuracy only if more points were needed than allowed.
/// **Cost.** A distance query per point, each about as far from the last as the accuracy, which makes it fast for meshes. **Errors.** As
/// [`clearance`].
pub fn distance_curve(
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    motion_b: &dyn Motion,
    accuracy: f64,
    most: usize,
) -> Result<DistanceCurve, MotionError> {
    let motions = [motion_a, motion_b];
    let sided = sides::during([a, b], motions)?;
    let [a, b] = sided.bodies([a, b]);
    let bodies = Bodies { a, b, motions };
    let mut sampler = Sampler::new(&bodies);
    // Halvings go down evenly, so that running out of points leaves an even curve: what is not accurate enough is halved, all
    // over, in turns.
    let mut points = vec![[0.0, sampler.distance(0.0)?], [1.0, sampler.distance(1.0)?]];
    let mut finer = Vec::new();
    loop {
        finer.clear();
        finer.push(points[0]);
        let mut error: f64 = 0.0;
        for pair in points.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            let deviation = bodies.deviation(from, to);
            error = error.max(deviation);
            let middle = 0.5 * (from[0] + to[0]);
            if deviation > accuracy && middle > from[0] && middle < to[0] {
                finer.push([middle, sampler.distance(middle)?]);
            }
            finer.push(to);
        }
        if finer.len() == points.len() || points.len() >= most {
            return Ok(DistanceCurve { points, error: error + bodies.rounding() });
        }
        std::mem::swap(&mut points, &mut finer);
    }
}

/// The distance at `count + 1` equidistant times, and where it is least: times ascending, each with the distance in metres.
///
/// **Errors.** As [`clearance`].
pub fn distance_samples(
    a: &Movable,
    motion_a: &dyn Motion,
    b: &Movable,
    motion_b: &dyn Motion,
    count: usize,
    memory: &mut MotionWorkspace,
) -> Result<Vec<[f64; 2]>, MotionError> {
    let motions = [motion_a, motion_b];
    let sided = sides::during([a, b], motions)?;
    let [a, b] = sided.bodies([a, b]);
    let bodies = Bodies { a, b, motions };
    let least = clearance(a, motion_a, b, motion_b, &ClearanceRequest::default(), memory)?;
    let mut sampler = Sampler::new(&bodies);
    let count = count.max(1);
    let mut points = Vec::with_capacity(count + 2);
    for k in 0..=count {
        let t = k as f64 / count as f64;
        points.push([t, sampler.distance(t)?]);
    }
    let place = points.partition_point(|point| point[0] < least.time);
    if points.get(place).is_none_or(|point| point[0] != least.time) {
        points.insert(place, [least.time, least.distance]);
    }
    Ok(points)
}

impl Bodies<'_> {
    /// By how much the distance between two times may differ from the straight line between the distances at them.
    fn deviation(&self, from: [f64; 2], to: [f64; 2]) -> f64 {
        let travel = self.travel(from[0], to[0]).max(self.travel(to[0], from[0]));
        let change = (to[1] - from[1]).abs();
        if travel <= change {
            return 0.0;
        }
        // Up from one end as steeply as it may be and down to the other; never below zero.
        let up = (travel - change) * (travel + change) / (2.0 * travel);
        up.min(travel)
    }
}

/// Distances at times that are close to each other.
struct Sampler<'b> {
    bodies: &'b Bodies<'b>,
    trees: Option<[&'b MeshTree; 2]>,
    memory: MeshWorkspace,
    cache: MeshDistanceCache,
    /// The last time at which the bodies were apart, with the distance of their surfaces.
    apart: Option<[f64; 2]>,
}

impl<'b> Sampler<'b> {
    fn new(bodies: &'b Bodies<'b>) -> Sampler<'b> {
        let is_solid_below = |body: &Movable| body.prepared().fills_beyond_bounds();
        let trees = match (bodies.a.prepared().mesh_tree(), bodies.b.prepared().mesh_tree()) {
            // Height fields have sides beside their triangles.
            (Some(a), Some(b)) if !is_solid_below(bodies.a) && !is_solid_below(bodies.b) => {
                Some([&**a, &**b])
            }
            _ => None,
        };
        let (memory, cache) = (MeshWorkspace::default(), MeshDistanceCache::default());
        Sampler { bodies, trees, memory, cache, apart: None }
    }

    fn distance(&mut self, t: f64) -> Result<f64, MotionError> {
        if let (Some([a, b]), Some([before, gap])) = (self.trees, self.apart)
            && self.bodies.travel(before, t) < gap
        {
            // Surfaces that have not met since the bodies were apart leave them apart.
            let found = surface_distance(a, b, &self.bodies.a_from_b(t), &mut self.memory, &mut self.cache);
            self.apart = Some([t, found.closest.distance]);
            return Ok(found.closest.distance);
        }
        let distance = self.bodies.look(t)?.distance;
        self.apart = (distance > 0.0).then_some([t, distance]);
        Ok(distance)
    }
}
