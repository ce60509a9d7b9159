//! The origin against a triangle or parallelogram whose corners move on straight lines.

use super::VertexContact;
use super::cubic::Cubic;
use freiraum_geometry::Vec3;
use freiraum_geometry::math::power_of_two;

/// Steps at most. Before a contact they get shorter quickly, by half where the features only graze each other: 52 halvings
/// reach the last place of the time.
const STEPS: usize = 200;

/// Share of a separation by which its contact may be told too early: without planes that follow, steps towards it get shorter
/// by a constant factor only.
const EARLY: f64 = power_of_two(-16);

/// A triangle (N = 3) or parallelogram (N = 4), corners in order around it, at both ends of the time.
pub(super) struct MovingPolygon<const N: usize> {
    start: [Vec3; N],
    end: [Vec3; N],
    /// Power of two by which coordinates were multiplied to get the largest one near 1.
    scale: f64,
}

impl<const N: usize> MovingPolygon<N> {
    /// The corners are differences of given points, rounded once.
    pub(super) fn new(start: [Vec3; N], end: [Vec3; N]) -> MovingPolygon<N> {
        let largest = start.iter().chain(&end).fold(Vec3::ZERO, |most, p| most.max(p.abs())).max_element();
        // Products of three must neither overflow nor vanish. Powers of two change no digit.
        let exponent = if largest > 0.0 { largest.log2().floor().clamp(-1000.0, 1000.0) } else { 0.0 };
        let scale = 2f64.powi(-exponent as i32);
        MovingPolygon { start: start.map(|p| scale * p), end: end.map(|p| scale * p), scale }
    }

    /// The first time at which the origin is no farther than `separation` from the polygon.
    pub(super) fn first_contact(&self, separation: f64) -> Option<VertexContact> {
        let separation = self.scale * separation;
        let contact = |time: f64, now: &Shape<N>, decided: bool| {
            Some(VertexContact { time, gap: now.distance() / self.scale, decided })
        };
        let mut time = 0.0;
        let mut plane = None;
        for step in 0..STEPS {
            let now = Shape::new(self.at(time));
            let mut until = self.apart_until(&now, time, separation);
            // Most are done by now. Where the polygon turns, its plane must be followed, or its edges.
            if step >= 1 && until < 1.0 && separation == 0.0 {
                until = until.max(plane.get_or_insert_with(|| self.plane()).off_until(until.max(time)));
                if step >= 2 && until < 1.0 {
                    let beside = now.edge(now.nearest).cross(now.to_edge(now.nearest));
                    for normal in [now.normal, beside] {
                        until = until.max(self.edge_until(normal, now.nearest, time));
                    }
                }
            }
            if until >= 1.0 {
                return None;
            }
            // A gap no larger than the rounding of coordinates: further steps would creep along it. The more steps it took to
            // get here, the less rounding leaves of the steps to come.
            let close = separation * (1.0 + EARLY) + 4.0 * f64::EPSILON * step as f64;
            if !(until > time) || step >= 4 && now.distance() <= close {
                return contact(time, &now, true);
            }
            time = until;
        }
        contact(time, &Shape::new(self.at(time)), false)
    }

    fn at(&self, time: f64) -> [Vec3; N] {
        std::array::from_fn(|k| self.start[k] + time * (self.end[k] - self.start[k]))
    }

    /// A time up to which the origin is proven away from the polygon, from `time` on, where it looks like `now`; not above
    /// `time` if nothing can be proven.
    fn apart_until(&self, now: &Shape<N>, time: f64, separation: f64) -> f64 {
        let try_out = |direction: Vec3| self.side_until(direction, time, separation);
        // Over the inside of the polygon its normal is best, elsewhere the direction to the nearest edge.
        let over = try_out(now.normal);
        if over >= 1.0 {
            return over;
        }
        let beside = try_out(now.to_edge(now.nearest));
        let mut best = over.max(beside);
        if best > time {
            return best;
        }
        // Close to contact the nearest edge is a matter of rounding.
        for k in 0..N {
            let across = now.normal.cross(now.edge(k));
            let inside = across.dot(now.corners[k]);
            for direction in [now.to_edge(k), now.corners[k], if inside > 0.0 { across } else { -across }] {
                best = best.max(try_out(direction));
            }
        }
        best
    }

    /// A time up to which all corners are proven farther than `separation` from the origin along `direction`, from `time`
    /// on; negative if that is not proven at `time`. Directions may be of any length and need not be accurate.
    fn side_until(&self, direction: Vec3, time: f64, separation: f64) -> f64 {
        let n = direction / direction.abs().max_element();
        let size = n.abs();
        // The smallest number stands for what underflows.
        let level = separation * n.length() * (1.0 + 4.0 * f64::EPSILON) + f64::MIN_POSITIVE;
        // One rounding of the difference, one of the product, two of the sum make a little more than two epsilon.
        let above = |p: Vec3| n.dot(p) - (3.0 * f64::EPSILON * size.dot(p.abs()) + level);
        let mut until = f64::INFINITY;
        for k in 0..N {
            // True heights are above the line from `low` to `high`.
            let low = above(self.start[k]);
            let high = above(self.end[k]);
            // Numbers that are not are on neither side.
            if low > 0.0 {
                if !(high > 0.0) {
                    // Rounding of the three operations, and of both heights.
                    until = until.min(low / (low - high) * (1.0 - 4.0 * f64::EPSILON));
                }
            } else if !(high > 0.0 && low / (low - high) * (1.0 + 4.0 * f64::EPSILON) <= time) {
                return -1.0;
            }
        }
        if until < time { -1.0 } else { until }
    }
}

impl<const N: usize> MovingPolygon<N> {
    fn corner(&self, k: usize, at_end: bool) -> Vec3 {
        if at_end { self.end[k % N] } else { self.start[k % N] }
    }

    /// How high the origin is over the plane of the polygon, times twice its area.
    fn plane(&self) -> Cubic {
        let mut size: f64 = 0.0;
        let mut height = |end: [bool; 3]| {
            let (p, q, r) = (self.corner(0, end[0]), self.corner(1, end[1]), self.corner(N - 1, end[2]));
            size = size.max(permanent(p, q, r));
            p.dot(q.cross(r))
        };
        let [o, x] = [false, true];
        let coefficients = [
            height([o, o, o]),
            (height([x, o, o]) + height([o, x, o]) + height([o, o, x])) / 3.0,
            (height([o, x, x]) + height([x, o, x]) + height([x, x, o])) / 3.0,
            height([x, x, x]),
        ];
        // Three differences, two products and three sums are rounded, then the mean, then six rows of interpolations.
        Cubic { coefficients, error: 24.0 * f64::EPSILON * size + f64::MIN_POSITIVE }
    }

    /// A time up to which the origin is proven beside the edge k in the direction `normal` × edge, which follows the edge, from
    /// `time` on; not above `time` if nothing can be proven.
    fn edge_until(&self, normal: Vec3, k: usize, time: f64) -> f64 {
        let normal = normal / normal.abs().max_element();
        let mut until = f64::INFINITY;
        let mut side = 0.0;
        for j in 0..N {
            let mut size: f64 = 0.0;
            // normal × edge is linear in t, its product with the corner j a quadratic.
            let mut height = |edge_end: bool, corner_end: bool| {
                let corner = self.corner(j, corner_end);
                let mut across = |i: usize| {
                    // A corner is not across from itself.
                    if i % N == j {
                        return 0.0;
                    }
                    let end = self.corner(i, edge_end);
                    size = size.max(permanent(normal, end, corner));
                    normal.dot(end.cross(corner))
                };
                across(k + 1) - across(k)
            };
            let (first, last) = (height(false, false), height(true, true));
            let middle = 0.5 * (height(false, true) + height(true, false));
            let cubic = Cubic {
                coefficients: [first, (first + 2.0 * middle) / 3.0, (2.0 * middle + last) / 3.0, last],
                // Twice that of a single product, and one step more.
                error: 48.0 * f64::EPSILON * size + f64::MIN_POSITIVE,
            };
            let sign = cubic.sign(time);
            if sign == 0.0 || sign * side < 0.0 {
                return time;
            }
            side = sign;
            until = until.min(cubic.off_until(time));
        }
        until
    }
}

/// Six products of three, without their signs.
fn permanent(p: Vec3, q: Vec3, r: Vec3) -> f64 {
    let (p, q, r) = (p.abs(), q.abs(), r.abs());
    p.dot(Vec3::new(q.y * r.z + q.z * r.y, q.z * r.x + q.x * r.z, q.x * r.y + q.y * r.x))
}

/// A polygon at one time, seen from the origin.
struct Shape<const N: usize> {
    corners: [Vec3; N],
    /// Towards the side where the polygon is, as seen from the origin; of any length, zero if the polygon has no area.
    normal: Vec3,
    /// The number of the nearest edge.
    nearest: usize,
}

impl<const N: usize> Shape<N> {
    fn new(corners: [Vec3; N]) -> Shape<N> {
        let normal = (corners[1] - corners[0]).cross(corners[N - 1] - corners[0]);
        let height: f64 = corners.iter().map(|p| normal.dot(*p)).sum();
        let mut shape = Shape { corners, normal: if height < 0.0 { -normal } else { normal }, nearest: 0 };
        let distance = |k: usize| shape.nearest_on(k).0.length_squared();
        let nearest = (0..N).min_by(|&i, &j| distance(i).total_cmp(&distance(j)));
        shape.nearest = nearest.unwrap_or(0);
        shape
    }

    fn edge(&self, k: usize) -> Vec3 {
        self.corners[(k + 1) % N] - self.corners[k]
    }

    /// The nearest point of an edge, and whether it is inside of it.
    fn nearest_on(&self, k: usize) -> (Vec3, bool) {
        let (from, edge) = (self.corners[k], self.edge(k));
        let share = -from.dot(edge) / edge.length_squared();
        if share >= 1.0 {
            (self.corners[(k + 1) % N], false)
        } else if share > 0.0 {
            (from + share * edge, true)
        } else {
            (from, false)
        }
    }

    /// The direction to the nearest point of an edge.
    fn to_edge(&self, k: usize) -> Vec3 {
        let (point, inside) = self.nearest_on(k);
        if !inside {
            return point;
        }
        // What rounding left along the edge would matter more than the gap itself.
        let edge = self.edge(k);
        point - point.dot(edge) / edge.length_squared() * edge
    }

    /// Distance of the origin, up to rounding.
    fn distance(&self) -> f64 {
        let is_over = (0..N)
            .map(|k| self.normal.dot(self.corners[k].cross(self.edge(k))))
            .fold([true; 2], |over, side| [over[0] && side >= 0.0, over[1] && side <= 0.0]);
        if (is_over[0] || is_over[1])
            && let Some(normal) = self.normal.try_normalize()
        {
            return normal.dot(self.corners[0]).abs();
        }
        self.nearest_on(self.nearest).0.length()
    }
}
