//! When a triangle that moves along a straight line meets another one.
//!
//! Convex bodies meet exactly if their projections to every direction do, and for two triangles finitely many directions
//! are enough: the normals of both planes (a vertex meets a face) and the products of their edges (edge meets edge); in one
//! plane also the directions across the edges. A projection moves linearly, so every direction allows one interval of t,
//! and the triangles meet at the times in all of them.

use super::edges;
use freiraum_geometry::Vec3;

/// The times at which two triangles have points in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    /// First such time, perhaps negative.
    pub(crate) enter: f64,
    /// How much earlier it may be because of rounding.
    pub(crate) error: f64,
    /// By when they have met for certain, or have come as close as they do; infinite if not known.
    pub(crate) latest: f64,
    /// Last such time.
    pub(crate) exit: f64,
    /// The direction, of any length, in which the triangles are last apart before `enter`, from a to b. Zero if they are
    /// together for all times before `exit`.
    pub(crate) normal: Vec3,
}

/// The times of any sign at which `b + t by` has points in common with `a`; `None` if there are none.
///
/// `slack`: how far off a coordinate, moved or not, may be by rounding. **Guarantee.** Triangles that meet within the slack
/// are found; the times are those of the given numbers, the first up to `error`.
#[inline]
pub(crate) fn meet_translating(a: [Vec3; 3], b: [Vec3; 3], by: Vec3, slack: f64) -> Option<Meeting> {
    // Differences are small and exact where the triangles are close.
    let origin = a[0];
    let (a, b) = (a.map(|p| p - origin), b.map(|p| p - origin));
    let (ea, eb) = (edges(&a), edges(&b));
    let (na, nb) = (ea[0].cross(ea[1]), eb[0].cross(eb[1]));
    let mut clip = Clip::new(slack, by);
    if !(clip.with(na, &a, &b) && clip.with(nb, &a, &b)) {
        return None;
    }
    for u in ea {
        for v in eb {
            if !clip.with(u.cross(v), &a, &b) {
                return None;
            }
        }
    }
    // Planes that are parallel, nearly so, or none at all: products of edges are all normal to them. The limit only saves
    // time, more directions never do harm.
    let sine_squared = na.cross(nb).length_squared();
    if !(sine_squared > NEARLY_PARALLEL * na.length_squared() * nb.length_squared()) {
        let all = [ea[0], ea[1], ea[2], eb[0], eb[1], eb[2]];
        if !flat_directions(&all).into_iter().flatten().all(|n| clip.with(n, &a, &b)) {
            return None;
        }
    }
    clip.meeting()
}

/// Directions that tell apart what lies in one plane, on one line or at one point: across the plane that the edges span and
/// across every edge within it; along and across the line; or any three.
fn flat_directions(edges: &[Vec3; 6]) -> [Option<Vec3>; 7] {
    let longer = |u: Vec3, v: Vec3| if v.length_squared() > u.length_squared() { v } else { u };
    let longest = edges.iter().copied().reduce(longer).unwrap_or(Vec3::ZERO);
    let normal = edges.iter().map(|e| longest.cross(*e)).reduce(longer).unwrap_or(Vec3::ZERO);
    let size = longest.length_squared();
    let mut out = [None; 7];
    if normal.length() > PARALLEL * size {
        for (out, edge) in out.iter_mut().zip(edges) {
            *out = Some(normal.cross(*edge));
        }
        out[6] = Some(normal);
        return out;
    }
    let along = longest.try_normalize().unwrap_or(Vec3::X);
    let (u, v) = along.any_orthonormal_pair();
    out[0] = Some(along);
    out[1] = Some(u);
    out[2] = Some(v);
    out
}

/// Sine of the angle between edges below which they are taken for parallel.
const PARALLEL: f64 = 64.0 * f64::EPSILON;

/// Square of the sine of the angle between planes that still count as nearly parallel.
const NEARLY_PARALLEL: f64 = 1.0 / 4096.0;

/// The times that the directions so far allow.
struct Clip {
    by: Vec3,
    length: f64,
    slack: f64,
    /// With the slack: what is decided upon.
    wide: [f64; 2],
    /// The other way round: when they are together for certain.
    narrow: [f64; 2],
    /// Without it: what is reported.
    enter: f64,
    exit: f64,
    normal: Vec3,
}

impl Clip {
    #[inline]
    fn new(slack: f64, by: Vec3) -> Clip {
        let everything = [f64::NEG_INFINITY, f64::INFINITY];
        let [enter, exit] = everything;
        Clip {
            by,
            length: by.length(),
            slack,
            wide: everything,
            narrow: everything,
            enter,
            exit,
            normal: Vec3::ZERO,
        }
    }

    /// Clips with the direction n; false if nothing is left.
    #[inline]
    fn with(&mut self, n: Vec3, a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
        let (on_a, on_b) = (a.map(|p| n.dot(p)), b.map(|p| n.dot(p)));
        let [a_min, a_max] = range(on_a);
        let [b_min, b_max] = range(on_b);
        let speed = n.dot(self.by);
        let size = n.x.abs() + n.y.abs() + n.z.abs();
        let slack = size * self.slack;
        let (before, after) = (a_min - b_max, a_max - b_min);
        // Across the motion: the slack has room for what rounding leaves of the speed.
        if speed.abs() <= 4.0 * f64::EPSILON * size * self.length {
            return before <= slack && after >= -slack;
        }
        let (first, last) = if speed > 0.0 { (before, after) } else { (after, before) };
        let slow = slack / speed.abs();
        let (first, last) = (first / speed, last / speed);
        self.wide = [self.wide[0].max(first - slow), self.wide[1].min(last + slow)];
        self.narrow = [self.narrow[0].max(first + slow), self.narrow[1].min(last - slow)];
        if first > self.enter {
            self.enter = first;
            self.normal = if speed > 0.0 { -n } else { n };
        }
        self.exit = self.exit.min(last);
        self.wide[0] <= self.wide[1]
    }

    fn meeting(self) -> Option<Meeting> {
        let error = (self.enter - self.wide[0]).max(0.0);
        // Those that only graze may come closest at any time at which they are together up to rounding.
        let is_certain = self.narrow[0] <= self.narrow[1];
        let latest = if is_certain { self.narrow[0] } else { self.wide[1] };
        Some(Meeting {
            enter: self.enter,
            error,
            latest,
            exit: self.exit.max(self.enter),
            normal: self.normal,
        })
    }
}

#[inline]
fn range([p, q, r]: [f64; 3]) -> [f64; 2] {
    [p.min(q).min(r), p.max(q).max(r)]
}
