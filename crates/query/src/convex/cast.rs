//! When a convex polyhedron that moves along a straight line reaches another one.
//!
//! Method: the bodies touch at the time t at which t times the motion lies in the Minkowski difference a - b.
//! The facet through which that line enters the difference is found by portal refinement (G. Snethen,
//! Xenocollide: complex collision made simple, Game Programming Gems 7, 2008; as a ray cast of the
//! difference: G. van den Bergen, Ray casting against general convex objects with application to continuous
//! collision detection, 2004). First a triangle of points of the difference which, seen along the motion,
//! holds the origin; or a plane along the motion that parts the bodies. Then the farthest point beyond the
//! triangle takes the place of one corner, until there is none beyond. Farthest points come from the vertex
//! graphs, their tables of directions and the hierarchy of Dobkin and Kirkpatrick.
//!
//! Guarantee: nothing of that search is trusted. Its result is a plane, and the plane is proven on its own:
//! the farthest vertices of both bodies along its normal are certain ([`top`](super::top)), their gap is
//! linear in time. Where rounding could decide, the answer is none, and the caller needs another method.
//!
//! Cost: fourteen farthest points of the difference for bodies of 100 vertices, 26 for bodies of 100 000
//! (measured on ellipsoids); never more than 200. Each takes a step or two from the table of directions, and
//! at most some dozen before the levels of the hierarchy, O(log n) of them. A step reads the neighbours of
//! one vertex: a corner of a facet of k corners may have k of them. No allocation.

use super::body::ConvexBody;
use super::gjk::Pair;
use super::graph::{ConvexGraph, SearchCost};
use super::top::Top;
use freiraum_geometry::{Pose, Vec2, Vec3};

/// Steps of either search, before it is given up. Bodies of 100 000 vertices take some twenty.
const MOST_STEPS: usize = 64;

/// The gap that counts as proven and the height of a neighbour that counts as lower, in units of the slack:
/// room for the rounding of the method that answers what this one leaves.
const CERTAIN: f64 = 4.0;

/// A corner of the difference that is beyond a plane by no more than this share of its distance from a corner
/// of the plane is on it.
const LEVEL: f64 = 16.0 * f64::EPSILON;

/// The outcome for a moving convex polyhedron and one that stands still.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConvexCast {
    /// A plane parts them at all times asked for: proven.
    Apart,
    /// They meet, in one point.
    Contact(CastContact),
}

/// The first contact of two convex polyhedra in one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastContact {
    /// Proven apart before this time, as a share of the motion.
    pub not_before: f64,
    /// When the planes through both features coincide.
    pub time: f64,
    /// The normal of that plane, from a to b, in the frame of a; of any length.
    pub normal: Vec3,
    /// Where, in the frame of a; off by rounding and by what the time is off.
    pub point: Vec3,
    /// What meets: a vertex and a face, a face and a vertex, or two edges, by the numbers of [`ConvexGraph`].
    pub features: [CastFeature; 2],
}

/// A feature at a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastFeature {
    /// A vertex.
    Vertex(u32),
    /// An edge between two vertices.
    Edge([u32; 2]),
    /// A triangle of the surface.
    Face(u32),
}

/// Follows b on its straight way `by` (the frame of a, metres) from `a_from_b`, up to the share `until` of
/// it.
///
/// `slack`: how far off a coordinate may be by rounding, in metres; at least
/// [`coordinate`](freiraum_geometry::math::rounding::coordinate) of the reach of both bodies, their distance
/// and the motion together. **Guarantee.** [`ConvexCast::Apart`] is proven with a few times the slack to
/// spare. A contact is proven not to come before `not_before`; that the features meet is for the caller to
/// prove. `None`: rounding decides, or the bodies overlap at the start, or they meet in more than one point;
/// nothing is known then. **Cost.** See the head of this module; `cost` is added to.
pub fn cast_convex(
    a: &ConvexGraph,
    b: &ConvexGraph,
    a_from_b: &Pose,
    by: Vec3,
    until: f64,
    slack: f64,
    cost: &mut SearchCost,
) -> Option<ConvexCast> {
    let along = by.try_normalize()?;
    let (u, v) = along.any_orthonormal_pair();
    // Right-handed with the motion.
    let v = if u.cross(v).dot(along) < 0.0 { -v } else { v };
    let pair = Pair::new(a, b, a_from_b);
    let mut cast = Cast { pair, along, by, across: [u, v], until, slack, cost };
    let first = match cast.line_of_sight()? {
        Sight::Beside(normal) => {
            return cast.plane(normal)?.is_apart(slack, until).then_some(ConvexCast::Apart);
        }
        Sight::Through(portal) => portal,
    };
    let entry = cast.refine(first, Way::In)?;
    let normal = cast.normal_of(&entry, Way::In)?;
    let plane = cast.plane(normal)?;
    if plane.is_apart(slack, until) {
        return Some(ConvexCast::Apart);
    }
    if plane.gap < 0.0 {
        // The origin is past the entry: apart if it is past the exit too, and so b moves away.
        let exit = cast.refine(first, Way::Out)?;
        let normal = cast.normal_of(&exit, Way::Out)?;
        return cast.plane(normal)?.is_apart(slack, until).then_some(ConvexCast::Apart);
    }
    cast.contact(&entry, &plane).map(ConvexCast::Contact)
}

/// A point of the difference.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// The difference without the place of b, so that small bodies far apart keep their digits.
    at: Vec3,
    /// Where it is seen along the motion; the origin of the difference at the origin.
    seen: Vec2,
    /// The vertices of a and b.
    numbers: [u32; 2],
}

/// Three points around the line of the motion, counterclockwise as seen against it.
type Portal = [Point; 3];

/// What is seen along the motion.
enum Sight {
    /// The difference is beside the line: a normal across it, of a plane that parts them.
    Beside(Vec3),
    /// The line goes through the difference.
    Through(Portal),
}

/// Which side of the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

/// A plane between the bodies, proven.
struct Plane {
    /// From a to b.
    normal: Vec3,
    /// The sum of the sizes of the coordinates of the normal.
    size: f64,
    /// How far the bodies are apart along the normal at the start, in metres times the length of the normal;
    /// negative if they are not.
    gap: f64,
    /// How much the gap grows over the motion.
    growth: f64,
    /// The farthest vertices.
    tops: [Top; 2],
}

impl Plane {
    /// True if the gap is certain from the start to the share `until`.
    fn is_apart(&self, slack: f64, until: f64) -> bool {
        let least = CERTAIN * slack * self.size;
        self.gap > least && self.gap + until * self.growth > least
    }
}

struct Cast<'c> {
    pair: Pair<'c, ConvexGraph, ConvexGraph>,
    /// The direction of the motion, of unit length.
    along: Vec3,
    by: Vec3,
    /// Two directions across it.
    across: [Vec3; 2],
    until: f64,
    slack: f64,
    cost: &'c mut SearchCost,
}

impl Cast<'_> {
    /// A difference as it is seen along the motion.
    fn seen(&self, difference: Vec3) -> Vec2 {
        Vec2::new(self.across[0].dot(difference), self.across[1].dot(difference))
    }

    fn point(&self, numbers: [u32; 2]) -> Point {
        let at = self.pair.a.at(numbers[0]) - self.pair.rotation * self.pair.b.at(numbers[1]);
        let from_here = at - self.pair.translation;
        Point { at, seen: self.seen(from_here), numbers }
    }

    /// The farthest point of the difference in a direction.
    fn farthest(&mut self, direction: Vec3) -> Point {
        let on_a = self.pair.a.peak(direction, self.cost);
        let on_b = self.pair.b.peak(-(self.pair.rotation.transpose() * direction), self.cost);
        self.point([on_a.number, on_b.number])
    }

    /// A triangle around the line of the motion, or a direction across it in which the whole difference is on
    /// the far side.
    ///
    /// The method of Gilbert, Johnson and Keerthi in the plane across the motion. `None` if rounding decides.
    fn line_of_sight(&mut self) -> Option<Sight> {
        let Pair { a, b, rotation, translation, .. } = self.pair;
        let center = self.seen(a.center() - (rotation * b.center() + translation));
        let mut toward = if center == Vec2::ZERO { Vec2::X } else { -center };
        let mut edge: Option<[Point; 2]> = None;
        let mut first: Option<Point> = None;
        for _ in 0..MOST_STEPS {
            let direction = toward.x * self.across[0] + toward.y * self.across[1];
            let point = self.farthest(direction);
            if point.seen.dot(toward) < 0.0 {
                return Some(Sight::Beside(direction));
            }
            let next = match (first, edge) {
                (None, _) => {
                    first = Some(point);
                    toward = -point.seen;
                    continue;
                }
                (Some(first), None) => [first, point],
                (_, Some([p, q])) => {
                    // Counterclockwise p, q, point, with the origin on the inner side of the way from p to q.
                    let is_left = (q.seen - p.seen).perp_dot(point.seen - p.seen) > 0.0;
                    let [p, q] = if is_left { [p, q] } else { [q, p] };
                    if q.seen.perp_dot(point.seen) < 0.0 {
                        [q, point]
                    } else if point.seen.perp_dot(p.seen) < 0.0 {
                        [point, p]
                    } else {
                        return Some(Sight::Through([p, q, point]));
                    }
                }
            };
            // Across the edge, to the side of the origin.
            let across = (next[1].seen - next[0].seen).perp();
            toward = if across.dot(next[0].seen) < 0.0 { across } else { -across };
            edge = Some(next);
        }
        None
    }

    /// Moves the triangle outwards along the line, against or along with the motion, until it lies on the
    /// surface of the difference.
    fn refine(&mut self, mut portal: Portal, way: Way) -> Option<Portal> {
        for _ in 0..MOST_STEPS {
            let [p, q, r] = portal;
            let up = (q.at - p.at).cross(r.at - p.at);
            // Counterclockwise about the motion, the normal goes along with it.
            if !(up.dot(self.along) > 0.0) {
                return None;
            }
            let normal = if way == Way::In { -up } else { up };
            let point = self.farthest(normal);
            let beyond = point.at - p.at;
            let is_level = normal.dot(beyond) <= LEVEL * normal.length() * beyond.length();
            if is_level || portal.iter().any(|corner| corner.numbers == point.numbers) {
                return Some(portal);
            }
            let sides = portal.map(|corner| point.seen.perp_dot(corner.seen));
            let side = (0..3).find(|&i| sides[i] >= 0.0 && sides[(i + 1) % 3] <= 0.0)?;
            portal = [point, portal[side], portal[(side + 1) % 3]];
        }
        None
    }

    /// The outward normal of a facet of the difference, of any length, from the features it comes from, which
    /// keeps the digits of the bodies.
    fn normal_of(&self, portal: &Portal, way: Way) -> Option<Vec3> {
        let Pair { a, b, rotation, .. } = self.pair;
        let up = (portal[1].at - portal[0].at).cross(portal[2].at - portal[0].at);
        let edge = |graph: &ConvexGraph, i: u32, k: u32| graph.at(k) - graph.at(i);
        let [on_a, on_b] = corners_of(portal);
        let normal = match (on_a.all(), on_b.all()) {
            (&[i, j, k], &[_]) => edge(a, i, j).cross(edge(a, i, k)),
            (&[_], &[i, j, k]) => rotation * edge(b, i, j).cross(edge(b, i, k)),
            (&[i, j], &[k, l]) => edge(a, i, j).cross(rotation * edge(b, k, l)),
            _ => up,
        };
        let is_along = (up.dot(normal) > 0.0) == (way == Way::Out);
        (normal.is_finite() && normal != Vec3::ZERO).then_some(if is_along { normal } else { -normal })
    }

    /// The gap along a normal, from the farthest vertices of both bodies.
    fn plane(&mut self, normal: Vec3) -> Option<Plane> {
        let Pair { a, b, rotation, translation, .. } = self.pair;
        let back = -(rotation.transpose() * normal);
        let size = normal.abs().element_sum();
        let threshold = CERTAIN * self.slack * size;
        let tops = [a.top(normal, threshold, self.cost)?, b.top(back, threshold, self.cost)?];
        let most = tops[0].numbers().iter().map(|&i| normal.dot(a.at(i))).fold(f64::NEG_INFINITY, f64::max);
        let placed = tops[1].numbers().iter().map(|&i| normal.dot(rotation * b.at(i) + translation));
        let gap = placed.fold(f64::INFINITY, f64::min) - most;
        // Folds pass over what is not a number: a gap that overflows is none.
        gap.is_finite().then_some(Plane { normal, size, gap, growth: normal.dot(self.by), tops })
    }

    /// The contact at the plane through which the line enters, if it comes in time and is one of a vertex and
    /// a face or of two edges.
    fn contact(&self, portal: &Portal, plane: &Plane) -> Option<CastContact> {
        let least = CERTAIN * self.slack * plane.size;
        let is_in_time = plane.gap > least && plane.gap + self.until * plane.growth < -least;
        if !is_in_time {
            return None;
        }
        let speed = -plane.growth;
        let time = plane.gap / speed;
        // Twice: for the coordinates, and for their products with the normal.
        let not_before = (plane.gap - 2.0 * self.slack * plane.size) / speed;
        let [on_a, on_b] = corners_of(portal);
        let Pair { a, b, rotation, translation, .. } = self.pair;
        let [top_a, top_b] = plane.tops.each_ref().map(Top::numbers);
        let moved = |i: u32| rotation * b.at(i) + translation + time * self.by;
        // Room on the features: their place is off by rounding, and by as far as b comes while the time is
        // open.
        let margin = CERTAIN * CERTAIN * (self.slack + (time - not_before) * self.by.length());
        let (features, point) = match (on_a.all(), on_b.all()) {
            (&[_, _, _], &[i]) if top_b.len() == 1 => {
                let face = face_at(a, top_a, moved(i), margin)?;
                ([CastFeature::Face(face), CastFeature::Vertex(i)], moved(i))
            }
            (&[i], &[_, _, _]) if top_a.len() == 1 => {
                let in_b = rotation.transpose() * (a.at(i) - translation - time * self.by);
                let face = face_at(b, top_b, in_b, margin)?;
                ([CastFeature::Vertex(i), CastFeature::Face(face)], a.at(i))
            }
            (&[i, j], &[k, l]) => {
                let is_alone = |top: &[u32], ends: [u32; 2]| top.iter().all(|n| ends.contains(n));
                let is_joined = |graph: &ConvexGraph, i: u32, j: u32| graph.neighbours(i).any(|n| n == j);
                let are_edges = is_alone(top_a, [i, j])
                    && is_alone(top_b, [k, l])
                    && is_joined(a, i, j)
                    && is_joined(b, k, l);
                if !are_edges {
                    return None;
                }
                let point = crossing([a.at(i), a.at(j)], [moved(k), moved(l)], margin)?;
                ([CastFeature::Edge([i, j]), CastFeature::Edge([k, l])], point)
            }
            _ => return None,
        };
        Some(CastContact { not_before, time, normal: plane.normal, point, features })
    }
}

/// The different vertices of one body among the corners of a portal.
struct Corners {
    numbers: [u32; 3],
    count: usize,
}

impl Corners {
    fn all(&self) -> &[u32] {
        &self.numbers[..self.count]
    }
}

/// The different vertices of a and of b.
fn corners_of(portal: &Portal) -> [Corners; 2] {
    [0, 1].map(|body| {
        let mut corners = Corners { numbers: [0; 3], count: 0 };
        for corner in portal {
            let number = corner.numbers[body];
            if !corners.all().contains(&number) {
                corners.numbers[corners.count] = number;
                corners.count += 1;
            }
        }
        corners
    })
}

/// The triangle of the facet with these corners that has a point of its plane inside, by more than the margin
/// (metres) from its edges.
fn face_at(graph: &ConvexGraph, top: &[u32], point: Vec3, margin: f64) -> Option<u32> {
    let around = top.iter().flat_map(|&vertex| graph.faces_around(vertex).iter().copied());
    let mut of_facet = around.filter(|&face| graph.face(face).iter().all(|corner| top.contains(corner)));
    of_facet.find(|&face| {
        let corners = graph.face(face).map(|i| graph.at(i));
        (0..3).all(|i| {
            let edge = corners[(i + 1) % 3] - corners[i];
            // Inward, across the edge.
            let inward = graph.normal(face).cross(edge);
            inward.dot(point - corners[i]) > margin * inward.length()
        })
    })
}

/// Where two segments in one plane cross, on the first; `None` unless that is more than the margin (metres)
/// from all ends.
fn crossing([p, q]: [Vec3; 2], [r, s]: [Vec3; 2], margin: f64) -> Option<Vec3> {
    let (first, second, between) = (q - p, s - r, r - p);
    let normal = first.cross(second);
    let square = normal.length_squared();
    let sine = normal.length() / (first.length() * second.length());
    let share_on_first = between.cross(second).dot(normal) / square;
    let share_on_second = between.cross(first).dot(normal) / square;
    // A place across an edge shifts the crossing along it by as much over the sine.
    let is_within = |share: f64, along: Vec3| share.min(1.0 - share) * along.length() * sine > margin;
    let is_inside = is_within(share_on_first, first) && is_within(share_on_second, second);
    is_inside.then(|| p + share_on_first * first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::math::rounding;
    use freiraum_geometry::shape::Convex;
    use freiraum_testkit::points;
    use freiraum_testkit::random::Random;

    /// Mean vertices visited per cast, over motions of which most end in a contact, and how many were not
    /// decided.
    fn visited(cloud: impl Fn(usize, u64) -> Vec<Vec3>, count: usize) -> (u64, usize) {
        let [a, b] = [1, 2].map(|seed| ConvexGraph::new(Convex::from_points(&cloud(count, seed)).unwrap()));
        let mut random = Random::new(5);
        let (mut cost, mut open) = (SearchCost::default(), 0);
        for _ in 0..100 {
            let away = random.direction();
            let start = Pose::new(random.rotation(), 3.0 * away).unwrap();
            let by = -3.0 * away + random.in_cube(1.0);
            let slack = rounding::coordinate(10.0);
            open += usize::from(cast_convex(&a, &b, &start, by, 1.0, slack, &mut cost).is_none());
        }
        (cost.vertices / 100, open)
    }

    #[test]
    fn a_hundred_times_the_points_cost_less_than_twice_as_much() {
        let counts = [100, 1000, 10_000].map(|count| visited(points::sphere, count));
        assert!(counts.iter().all(|(_, open)| *open == 0), "{counts:?}");
        let [first, .., last] = counts.map(|(vertices, _)| vertices);
        assert!(last < 2 * first, "{counts:?}");
        assert!(last < 1000, "{counts:?}");
    }

    #[test]
    fn vertices_that_share_a_few_directions_do_not_cost_a_long_climb() {
        // A lens: nearly all vertices are in the few squares of the table around its axis.
        let lens = |count: usize, seed: u64| {
            points::sphere(count, seed).into_iter().map(|p| p * Vec3::new(1.0, 1.0, 1e-3)).collect()
        };
        let counts = [100, 1000, 10_000].map(|count| visited(lens, count));
        let [first, .., last] = counts.map(|(vertices, _)| vertices);
        assert!(last < 6 * first, "{counts:?}");
    }
}
