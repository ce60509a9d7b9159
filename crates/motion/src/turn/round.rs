//! Full turns and slides of cylinders, cones and half spaces: by the clearance of a rotation by a full turn, and of a translation along as
//! much of the line as brings the bodies next to each other.

use crate::MotionWorkspace;
use crate::clearance::{ClearanceRequest, clearance};
use crate::movable::{Form, Movable, Piece};
use crate::verdict::MotionError;
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::{Axis, Ball, UniformMotion};
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Pose, Vec3};
use std::f64::consts::TAU;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rounds {
    /// They stay apart, at least by this many metres.
    Apart(f64),
    /// They meet.
    Met {
        /// A common point, in the frame of a where a meets b.
        point: Vec3,
        /// False if the budget ended.
        decided: bool,
    },
}

impl Rounds {
    pub(super) fn lower(&self) -> f64 {
        match self {
            Rounds::Apart(lower) => *lower,
            Rounds::Met { .. } => 0.0,
        }
    }
}

/// The share of the smallest distance by which the lower bound may miss it.
const SHARE: f64 = 1.0 / 1024.0;

/// Roundings of a coordinate that bodies which touch may be found apart.
const TOUCHING: f64 = 64.0;

/// Whether a piece is looked at here.
fn is_here(piece: &&Piece) -> bool {
    matches!(piece.form, Form::Round(Shape::Cylinder(_) | Shape::Cone(_)) | Form::HalfSpace(_))
}

/// Full turn of b about the axis, looking at all pairs of pieces with a cylinder, a cone or a half space among them.
pub(super) fn turn(
    a: &Movable,
    b: &Movable,
    a_from_b: &Pose,
    axis: &Axis,
    enough: f64,
    memory: &mut MotionWorkspace,
) -> Result<Rounds, MotionError> {
    let motion = |start: Pose, _: &[Ball], _: &[Ball]| UniformMotion::rotation(start, *axis, TAU);
    all(a, b, a_from_b, enough, &motion, memory)
}

/// Slide of b along the unit direction to both sides.
pub(super) fn slide(
    a: &Movable,
    b: &Movable,
    a_from_b: &Pose,
    direction: Vec3,
    enough: f64,
    memory: &mut MotionWorkspace,
) -> Result<Rounds, MotionError> {
    for (body, pose) in [(a, &Pose::IDENTITY), (b, a_from_b)] {
        for piece in body.pieces() {
            let Form::HalfSpace(half_space) = &piece.form else { continue };
            let a_from_piece = *pose * piece.body_from_piece;
            let normal = a_from_piece.rotate(half_space.normal());
            if normal.dot(direction).abs() > rounding::coordinate(1.0) {
                // The line leads into it on one side.
                let point = a_from_piece.transform_point(half_space.offset() * half_space.normal());
                return Ok(Rounds::Met { point, decided: true });
            }
        }
    }
    let motion = |start: Pose, balls_a: &[Ball], balls_b: &[Ball]| {
        if balls_a.is_empty() || balls_b.is_empty() {
            return UniformMotion::still(start);
        }
        // Where the bodies are not next to each other along the line, they are nearer elsewhere.
        let [a, b] = [(balls_a, &Pose::IDENTITY), (balls_b, a_from_b)].map(|(balls, pose)| {
            balls.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], ball| {
                let at = direction.dot(pose.transform_point(ball.center));
                [low.min(at - ball.radius), high.max(at + ball.radius)]
            })
        });
        let [first, last] = [a[0] - b[1], a[1] - b[0]];
        UniformMotion::translation(
            Pose::from_translation(first * direction) * start,
            (last - first) * direction,
        )
    };
    all(a, b, a_from_b, enough, &motion, memory)
}

/// The motion of a body that starts at a pose in the frame of a, given the balls around the pieces that may meet.
type MotionFrom<'m> = dyn Fn(Pose, &[Ball], &[Ball]) -> UniformMotion + 'm;

fn all(
    a: &Movable,
    b: &Movable,
    a_from_b: &Pose,
    enough: f64,
    motion: &MotionFrom,
    memory: &mut MotionWorkspace,
) -> Result<Rounds, MotionError> {
    let balls = |pieces: &[Piece]| pieces.iter().filter_map(|piece| piece.ball).collect::<Vec<Ball>>();
    let (balls_a, balls_b) = (balls(a.pieces()), balls(b.pieces()));
    let mut lower = enough;
    for piece in a.pieces().iter().filter(is_here) {
        let part = Movable::new(shape(piece));
        let own: Vec<Ball> = piece.ball.into_iter().collect();
        let still = UniformMotion::still(piece.body_from_piece);
        let moving = motion(*a_from_b, &own, &balls_b);
        match pair([&part, b], [&still, &moving], memory)? {
            Rounds::Apart(gap) => lower = lower.min(gap),
            met @ Rounds::Met { .. } => return Ok(met),
        }
    }
    for piece in b.pieces().iter().filter(is_here) {
        let part = Movable::new(shape(piece));
        let own: Vec<Ball> = piece.ball.into_iter().collect();
        let still = UniformMotion::still(Pose::IDENTITY);
        let moving = motion(*a_from_b * piece.body_from_piece, &balls_a, &own);
        match pair([a, &part], [&still, &moving], memory)? {
            Rounds::Apart(gap) => lower = lower.min(gap),
            met @ Rounds::Met { .. } => return Ok(met),
        }
    }
    Ok(Rounds::Apart(lower))
}

/// Two bodies, the first of which stands.
fn pair(
    bodies: [&Movable; 2],
    motions: [&UniformMotion; 2],
    memory: &mut MotionWorkspace,
) -> Result<Rounds, MotionError> {
    use freiraum_geometry::path::Motion;
    let request = ClearanceRequest { accuracy: SHARE, ..ClearanceRequest::default() };
    let found = clearance(bodies[0], motions[0], bodies[1], motions[1], &request, memory)?;
    if found.lower() > 0.0 {
        return Ok(Rounds::Apart(found.lower()));
    }
    let reach = [0, 1].map(|i| {
        let size = bodies[i].prepared().bounds().map_or(0.0, |bounds| bounds.reach());
        size + motions[i].pose(0.0).translation().length() + motions[i].pose(0.5).translation().length()
    });
    let decided = found.distance <= TOUCHING * rounding::coordinate(reach[0] + reach[1]);
    Ok(Rounds::Met { point: found.point_on_a, decided })
}

fn shape(piece: &Piece) -> Shape {
    match &piece.form {
        Form::Round(shape) => shape.clone(),
        Form::HalfSpace(half_space) => Shape::HalfSpace(*half_space),
        Form::Faces(_) => unreachable!("faces are compared with faces by their images"),
    }
}
