//! How far the fastest point of one body travels relative to another one.

use crate::contact_time::breaks;
use crate::movable::{Below, Form, Movable, Piece, bounds};
use crate::relative::Relative;
use freiraum_geometry::path::{Ball, Motion, Uniform, UniformMotion};
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Pose, Vec3};

/// Two bodies on their way, the time cut into cells.
///
/// If one body stands still, the points of the other one are looked at; if both move, those of each as seen from the other, and the larger of the two
/// travels counts. Half spaces and height fields, solid below, have no fastest point: then the points of the other body are.
/// The velocity of a point is affine in its place, so that the length of its path is convex in it: no point of a body travels farther than the farthest of the balls
/// whose hull has the body in it.
pub(super) struct Travels<'m> {
    /// Balls whose hull has the body in it; none for half spaces and height fields.
    hulls: [Option<Hull>; 2],
    motions: [&'m dyn Motion; 2],
    /// In the order of time, from 0 to 1.
    cells: Vec<Cell>,
}

/// Balls whose hull has a body in it.
struct Hull {
    /// As tight as the shape is known: all corners of meshes.
    fine: Vec<Ball>,
    /// Few, for motions whose travel is asked often.
    coarse: Vec<Ball>,
}

struct Cell {
    time: [f64; 2],
    /// The travel from its beginning to its end.
    whole: f64,
    /// The travel grows evenly with the time.
    is_even: bool,
}

/// Cells that a motion without constant speed is cut into: bounds over short stretches are tighter.
const CELLS: usize = 64;

impl<'m> Travels<'m> {
    pub(super) fn new(bodies: [&'m Movable; 2], motions: [&'m dyn Motion; 2]) -> Travels<'m> {
        let mut travels = Travels { hulls: bodies.map(hull), motions, cells: Vec::new() };
        let mut from = 0.0;
        for to in breaks(motions[0], motions[1]) {
            let is_even = travels.is_even(from, to);
            let count = if is_even { 1 } else { CELLS };
            let time = |k: usize| if k == count { to } else { from + (to - from) * k as f64 / count as f64 };
            for k in 0..count {
                let time = [time(k), time(k + 1)];
                let whole = travels.part(time[0], time[1]);
                travels.cells.push(Cell { time, whole, is_even });
            }
            from = to;
        }
        travels
    }

    fn is_even(&self, from: f64, to: f64) -> bool {
        let [a, b] = self.motions;
        Relative::uniform_between(a, b, from, to).is_some()
    }

    /// An upper bound of the travel from one time to a later one, in metres.
    pub(super) fn between(&self, from: f64, to: f64) -> f64 {
        let first = self.cells.partition_point(|cell| cell.time[1] <= from);
        let inside = self.cells[first..].iter().take_while(|cell| cell.time[0] < to);
        inside.map(|cell| self.in_cell(cell, from.max(cell.time[0]), to.min(cell.time[1]))).sum()
    }

    /// The time farthest from `from` towards `until`, which may be before it, up to which the travel is at most `most`.
    pub(super) fn reach(&self, from: f64, most: f64, until: f64) -> f64 {
        if !(most > 0.0) {
            return from;
        }
        let mut left = most;
        let is_later = until >= from;
        let span = [from.min(until), from.max(until)];
        let mut cells: Vec<&Cell> =
            self.cells.iter().filter(|cell| cell.time[1] > span[0] && cell.time[0] < span[1]).collect();
        if !is_later {
            cells.reverse();
        }
        for cell in cells {
            let part = [cell.time[0].max(span[0]), cell.time[1].min(span[1])];
            let travel = self.in_cell(cell, part[0], part[1]);
            if travel <= left {
                left -= travel;
                continue;
            }
            let time = |share: f64| {
                if is_later {
                    part[0] + share * (part[1] - part[0])
                } else {
                    part[1] - share * (part[1] - part[0])
                }
            };
            if cell.is_even {
                return time(left / travel);
            }
            let [mut low, mut high] = [0.0, 1.0];
            for _ in 0..HALVINGS {
                let middle: f64 = 0.5 * (low + high);
                let at = time(middle);
                let travel = if is_later { self.part(part[0], at) } else { self.part(at, part[1]) };
                if travel <= left { low = middle } else { high = middle }
            }
            return time(low);
        }
        until
    }

    fn in_cell(&self, cell: &Cell, from: f64, to: f64) -> f64 {
        if from == cell.time[0] && to == cell.time[1] {
            cell.whole
        } else if cell.is_even {
            cell.whole * ((to - from) / (cell.time[1] - cell.time[0]))
        } else {
            self.part(from, to)
        }
    }

    /// The travel within one stretch without breaks.
    fn part(&self, from: f64, to: f64) -> f64 {
        if to <= from {
            return 0.0;
        }
        let is_still =
            self.motions.map(|motion| motion.uniform(from, to) == Some(Uniform::Translation(Vec3::ZERO)));
        let of = |k: usize| self.of_points(k, is_still[1 - k], from, to);
        let travel = match is_still {
            [true, true] => return 0.0,
            [false, true] => of(0).unwrap_or_else(|| of(1).unwrap_or(f64::INFINITY)),
            [true, false] => of(1).unwrap_or_else(|| of(0).unwrap_or(f64::INFINITY)),
            [false, false] => match [of(0), of(1)] {
                [Some(x), Some(y)] => x.max(y),
                [x, y] => x.or(y).unwrap_or(f64::INFINITY),
            },
        };
        travel * (1.0 + 8.0 * f64::EPSILON)
    }

    /// How far the points of body `k` travel as seen from the other one; `None` if it is endless.
    fn of_points(&self, k: usize, is_other_still: bool, from: f64, to: f64) -> Option<f64> {
        let (own, other) = (self.motions[k], self.motions[1 - k]);
        let Hull { fine, coarse } = self.hulls[k].as_ref()?;
        let largest =
            |balls: &[Ball], travel: &dyn Fn(&Ball) -> f64| balls.iter().map(travel).fold(0.0, f64::max);
        if let Some((other_from_own, by)) = Relative::uniform_between(other, own, from, to) {
            if let Uniform::Translation(by) = by {
                return Some(by.length());
            }
            let seen = UniformMotion::new(other_from_own, by);
            return Some(largest(fine, &|ball| seen.travel(ball, 0.0, 1.0)));
        }
        if is_other_still {
            return Some(largest(coarse, &|ball| own.travel(ball, from, to)));
        }
        let other_from_own = other.pose(from).inverse() * own.pose(from);
        Some(largest(coarse, &|ball| seen_travel(ball, own, other, &other_from_own, from, to)))
    }
}

/// Balls whose hull has all of a body in it; `None` if it is endless.
fn hull(body: &Movable) -> Option<Hull> {
    let (mut fine, mut coarse) = (Vec::new(), Vec::new());
    for piece in body.pieces() {
        add_hull(piece, &mut fine, &mut coarse)?;
    }
    Some(Hull { fine, coarse })
}

fn add_hull(piece: &Piece, fine: &mut Vec<Ball>, coarse: &mut Vec<Ball>) -> Option<()> {
    if matches!(piece.below, Below::Field(_)) {
        // Solid below, without end.
        return None;
    }
    let ball = |p: Vec3, radius: f64| Ball { center: piece.body_from_piece.transform_point(p), radius };
    match &piece.form {
        Form::HalfSpace(_) => return None,
        Form::Faces(tree) => {
            let corners = tree.mesh().vertices();
            fine.extend(corners.iter().map(|p| ball(*p, 0.0)));
            if corners.len() <= FEW {
                coarse.extend(corners.iter().map(|p| ball(*p, 0.0)));
            } else {
                coarse.extend(bounds(tree).corners().map(|p| ball(p, 0.0)));
            }
        }
        Form::Round(shape) => {
            let balls: Vec<Ball> = match shape {
                Shape::Sphere(sphere) => vec![ball(Vec3::ZERO, sphere.radius())],
                Shape::Capsule(capsule) => {
                    [-0.5, 0.5].map(|end| ball(end * capsule.height() * Vec3::Z, capsule.radius())).to_vec()
                }
                Shape::Cylinder(cylinder) => {
                    let ends = [-0.5, 0.5].map(|end| end * cylinder.height());
                    ends.iter().flat_map(|z| ring(cylinder.radius(), *z)).map(|p| ball(p, 0.0)).collect()
                }
                Shape::Cone(cone) => {
                    let tip = std::iter::once(0.5 * cone.height() * Vec3::Z);
                    ring(cone.radius(), -0.5 * cone.height()).chain(tip).map(|p| ball(p, 0.0)).collect()
                }
                _ => vec![piece.ball?],
            };
            fine.extend(&balls);
            coarse.extend(&balls);
        }
    }
    Some(())
}

/// The corners of a polygon around a circle about the z axis.
fn ring(radius: f64, z: f64) -> impl Iterator<Item = Vec3> {
    let step = std::f64::consts::TAU / RING as f64;
    let around = radius / (0.5 * step).cos() * (1.0 + 8.0 * f64::EPSILON);
    (0..RING).map(move |k| {
        let (sin, cos) = (k as f64 * step).sin_cos();
        Vec3::new(around * cos, around * sin, z)
    })
}

/// Corners of the polygon around a circle, which reach beyond it by half a per cent.
const RING: usize = 32;

/// Corners of a mesh that are all looked at, whatever the motion.
const FEW: usize = 32;

/// An upper bound of how far the points of a ball travel as seen from another body.
///
/// A point is seen to move by its own motion and by that of the place where it is in the other body. As long as it is no more than `most` from where it was, that place is in
/// a ball wider by `most`; if both together travel no farther than `most`, it never leaves it.
fn seen_travel(
    ball: &Ball,
    own: &dyn Motion,
    other: &dyn Motion,
    other_from_own: &Pose,
    from: f64,
    to: f64,
) -> f64 {
    let travel = own.travel(ball, from, to);
    let center = other_from_own.transform_point(ball.center);
    let with = |most: f64| travel + other.travel(&Ball { center, radius: ball.radius + most }, from, to);
    let mut most = 2.0 * with(0.0);
    for _ in 0..WIDER {
        let bound = with(most);
        if bound <= most {
            return bound;
        }
        most = 2.0 * bound;
    }
    f64::INFINITY
}

/// Attempts to find a wider ball.
const WIDER: usize = 8;

/// Halvings that end at rounding.
const HALVINGS: usize = 60;
