//! Nearest features of two polyhedra, walked to from the last ones (Lin and Canny, with the clipping of Mirtich).
//!
//! Two features are nearest when each holds the nearest point of the other in its Voronoi region: the points of space that
//! are nearer to it than to its neighbours. A region that does not hold it names the neighbour to go on with, so a walk
//! after a small motion takes a step or none.

use super::body::ConvexBody;
use super::gjk::{ConvexCache, ConvexDistance, Pair, distance_convex};
use super::graph::ConvexGraph;
use super::regions::{Frame, Step, step};
use crate::Closest;
use freiraum_geometry::{Pose, Vec3};

/// Steps of a walk at most, before the distance is asked from scratch. Walks after small motions take three or
/// four; longer ones cost more than starting again.
const MOST_STEPS: usize = 40;

/// A part of the surface of a polyhedron, by the numbers of vertices and faces of its mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A vertex.
    Vertex(u32),
    /// The edge between two vertices, in either order.
    Edge([u32; 2]),
    /// A triangle; facets with more corners have several, any of them stands for the facet.
    Face(u32),
}

/// The features the last walk ended with.
#[derive(Clone, Copy, Debug, Default)]
pub struct FeatureCache {
    features: Option<[Feature; 2]>,
    restart: ConvexCache,
}

impl FeatureCache {
    /// Nothing is known yet.
    pub const fn new() -> FeatureCache {
        FeatureCache { features: None, restart: ConvexCache::new() }
    }
}

/// What [`track_features`] finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tracked {
    /// How far the bodies are apart.
    pub distance: ConvexDistance,
    /// The nearest features of a and b; `None` while the bodies overlap, or where rounding keeps from telling which.
    pub features: Option<[Feature; 2]>,
    /// How many pairs of features were looked at.
    pub steps: usize,
    /// True if the walk from the last features did not end at a proven answer, which was then found from scratch.
    pub is_restarted: bool,
}

/// The distance of two polyhedra with their nearest features, from the features of the last question.
///
/// **Guarantee.** As [`distance_convex`]: every answer is proven by a plane between the bodies, or else found from
/// scratch; the number of steps is bounded. Overlapping bodies are told as such. A cache of other bodies does no harm.
/// **Degenerate input.** Where several pairs of features are nearest (parallel edges and faces), one of them.
/// **Cost.** Almost constant for small motions, whatever the number of vertices. No allocation.
pub fn track_features(
    a: &ConvexGraph,
    b: &ConvexGraph,
    a_from_b: &Pose,
    cache: &mut FeatureCache,
) -> Tracked {
    let pair = Pair::new(a, b, a_from_b);
    let frame = Frame::new(pair.rotation, pair.translation);
    let mut steps = 0;
    if let Some(last) = cache.features.filter(|[x, y]| a.has(*x) && b.has(*y))
        && let Some((closest, features)) = follow(&pair, &frame, last, &mut steps)
    {
        cache.features = Some(features);
        let distance = ConvexDistance::Separated(closest);
        return Tracked { distance, features: Some(features), steps, is_restarted: false };
    }
    let mut distance = distance_convex(a, b, a_from_b, &mut cache.restart);
    cache.features = None;
    let mut features = None;
    if matches!(distance, ConvexDistance::Separated(_)) {
        let [on_a, on_b] = cache.restart.vertices();
        let guess = [a.feature_of(on_a), b.feature_of(on_b)];
        cache.features = Some(guess);
        // The points of the walk are those of its features; where several are nearest, others are as good.
        if let Some((closest, found)) = follow(&pair, &frame, guess, &mut steps) {
            distance = ConvexDistance::Separated(closest);
            features = Some(found);
            cache.features = features;
        }
    }
    Tracked { distance, features, steps, is_restarted: true }
}

/// Walks to the nearest features; `None` if the end is no proven answer.
fn follow(
    pair: &Pair<'_, ConvexGraph, ConvexGraph>,
    frame: &Frame,
    mut features: [Feature; 2],
    steps: &mut usize,
) -> Option<(Closest, [Feature; 2])> {
    for _ in 0..MOST_STEPS {
        *steps += 1;
        match step(pair.a, features[0], pair.b, features[1], frame) {
            Step::First(feature) => features[0] = feature,
            Step::Second(feature) => features[1] = feature,
            Step::Stuck => return None,
            Step::Nearest(on_a, on_b) => {
                return proven(pair, features, on_a, on_b).map(|closest| (closest, features));
            }
        }
    }
    None
}

/// The answer if the plane between two points separates the bodies by as much as the points are apart.
fn proven(
    pair: &Pair<'_, ConvexGraph, ConvexGraph>,
    features: [Feature; 2],
    on_a: Vec3,
    on_b: Vec3,
) -> Option<Closest> {
    let v = on_a - on_b;
    let length = v.length();
    if !(length > pair.slack()) {
        return None;
    }
    let near = [pair.a.vertex_of(features[0]), pair.b.vertex_of(features[1])];
    let far = pair.farthest(-v, near);
    let gap = length * length - v.dot(far.at);
    // Rounding tilts v and makes a gap as wide as the features; then nothing but the features may lie beyond.
    let is_own =
        pair.a.is_corner(far.numbers[0], features[0]) && pair.b.is_corner(far.numbers[1], features[1]);
    if gap > pair.slack() * length && !is_own {
        return None;
    }
    let normal = -v / length;
    Some(Closest { distance: length, point_on_a: on_a, point_on_b: on_b, normal })
}

impl ConvexGraph {
    /// True if there is such a feature.
    fn has(&self, feature: Feature) -> bool {
        match feature {
            Feature::Vertex(i) => self.vertex(i).is_some(),
            Feature::Edge([i, k]) => self.vertex(i).is_some() && self.neighbours(i).any(|n| n == k),
            Feature::Face(i) => (i as usize) < self.body().surface().faces().len(),
        }
    }

    /// Some vertex of a feature.
    fn vertex_of(&self, feature: Feature) -> u32 {
        match feature {
            Feature::Vertex(i) | Feature::Edge([i, _]) => i,
            Feature::Face(i) => self.body().surface().faces()[i as usize][0],
        }
    }

    fn is_corner(&self, vertex: u32, feature: Feature) -> bool {
        match feature {
            Feature::Vertex(i) => i == vertex,
            Feature::Edge(ends) => ends.contains(&vertex),
            Feature::Face(i) => self.face(i).contains(&vertex),
        }
    }

    /// The feature that has these corners, or one of them where there is none: corners of a facet with more than three.
    fn feature_of(&self, corners: [u32; 3]) -> Feature {
        let [i, j, k] = corners;
        let edge = |i: u32, k: u32| i != k && self.neighbours(i).any(|n| n == k);
        if i != j
            && j != k
            && k != i
            && let Some(face) = self.face_with(corners)
        {
            return Feature::Face(face);
        }
        for (i, k) in [(i, j), (j, k), (k, i)] {
            if edge(i, k) {
                return Feature::Edge([i, k]);
            }
        }
        Feature::Vertex(i)
    }
}
