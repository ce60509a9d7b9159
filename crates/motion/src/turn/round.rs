//! Full turns and slides of cylinders, cones and half spaces: by proven steps.
//!
//! Two bodies at a distance stay apart until their surfaces have moved by that much. For a body that is round about an
//! axis of its own only the motion of that axis counts: a shaft that turns about itself does not move at all.

use crate::movable::{Form, Movable, Piece};
use crate::path::{Axis, Ball};
use crate::verdict::MotionError;
use freiraum_geometry::math::rounding;
use freiraum_geometry::shape::Shape;
use freiraum_geometry::{Pose, Vec3, tolerance};
use freiraum_query::{Prepared, distance};
use std::f64::consts::TAU;

/// What the steps ended with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Steps {
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

impl Steps {
    pub(super) fn lower(&self) -> f64 {
        match self {
            Steps::Apart(lower) => *lower,
            Steps::Met { .. } => 0.0,
        }
    }
}

/// Steps at most for a pair.
const BUDGET: usize = 100_000;

/// Places looked at before the first step.
const LOOKS: i32 = 64;

/// Share of the distance that a step uses up; the rest is what the lower bound of the distance keeps.
const STEP: f64 = 0.75;

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
) -> Result<Steps, MotionError> {
    let turned = |angle: f64| {
        Pose::from_rotation_about(axis.point, axis.direction, angle).unwrap_or(Pose::IDENTITY) * *a_from_b
    };
    let speed = |a_from_body: &Pose, piece: &Piece| turning_speed(a_from_body, piece, axis);
    let run = Run { a_from_b, pose: &turned, speed: &speed };
    run.all(a, b, enough, |_, _| Some([0.0, TAU]))
}

/// Slide of b along the unit direction to both sides.
pub(super) fn slide(
    a: &Movable,
    b: &Movable,
    a_from_b: &Pose,
    direction: Vec3,
    enough: f64,
) -> Result<Steps, MotionError> {
    for (body, pose) in [(a, &Pose::IDENTITY), (b, a_from_b)] {
        for piece in body.pieces() {
            let Form::HalfSpace(half_space) = &piece.form else { continue };
            let a_from_piece = *pose * piece.body_from_piece;
            let normal = a_from_piece.rotate(half_space.normal());
            if normal.dot(direction).abs() > rounding::coordinate(1.0) {
                // The line leads into it on one side.
                let point = a_from_piece.transform_point(half_space.offset() * half_space.normal());
                return Ok(Steps::Met { point, decided: true });
            }
        }
    }
    let shifted = |by: f64| Pose::from_translation(by * direction) * *a_from_b;
    let speed = |_: &Pose, piece: &Piece| match &piece.form {
        Form::HalfSpace(_) => 0.0,
        _ => 1.0,
    };
    let run = Run { a_from_b, pose: &shifted, speed: &speed };
    run.all(a, b, enough, |balls_a, balls_b| {
        // Where the bodies are not next to each other along the line, they are nearer elsewhere.
        let [a, b] = [(balls_a, &Pose::IDENTITY), (balls_b, a_from_b)].map(|(balls, pose)| {
            balls.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], ball| {
                let at = direction.dot(pose.transform_point(ball.center));
                [low.min(at - ball.radius), high.max(at + ball.radius)]
            })
        });
        (!balls_a.is_empty() && !balls_b.is_empty()).then_some([a[0] - b[1], a[1] - b[0]])
    })
}

/// How fast the surface of a piece moves at most, in metres per radian, when it turns about the axis.
fn turning_speed(a_from_body: &Pose, piece: &Piece, axis: &Axis) -> f64 {
    let a_from_piece = *a_from_body * piece.body_from_piece;
    let own = a_from_piece.rotate(Vec3::Z);
    // Turning about the own axis changes nothing: only the rest counts.
    let tilt = axis.direction.cross(own).length();
    let ends = |height: f64, radius: f64| {
        [0.5, -0.5]
            .map(|side| axis.distance(a_from_piece.transform_point(side * height * Vec3::Z)))
            .into_iter()
            .fold(0.0, f64::max)
            + tilt * radius
    };
    match &piece.form {
        Form::Round(Shape::Sphere(_)) => ends(0.0, 0.0),
        // The ends of a capsule are balls, whatever the tilt.
        Form::Round(Shape::Capsule(capsule)) => [0.5, -0.5]
            .map(|side| axis.distance(a_from_piece.transform_point(side * capsule.height() * Vec3::Z)))
            .into_iter()
            .fold(0.0, f64::max),
        Form::Round(Shape::Cylinder(cylinder)) => ends(cylinder.height(), cylinder.radius()),
        Form::Round(Shape::Cone(cone)) => ends(cone.height(), cone.radius()),
        Form::HalfSpace(half_space) => {
            let normal = a_from_piece.rotate(half_space.normal());
            let is_across = normal.cross(axis.direction).length() <= rounding::coordinate(1.0);
            if is_across { 0.0 } else { f64::INFINITY }
        }
        _ => piece.ball.map_or(f64::INFINITY, |ball| {
            axis.distance(a_from_body.transform_point(ball.center)) + ball.radius
        }),
    }
}

/// A motion of b with one parameter.
struct Run<'r> {
    a_from_b: &'r Pose,
    /// Pose of b in the frame of a.
    pose: &'r dyn Fn(f64) -> Pose,
    /// How fast a piece moves at most per unit of the parameter.
    speed: &'r dyn Fn(&Pose, &Piece) -> f64,
}

impl Run<'_> {
    /// Looks at all pairs of pieces with one of those kinds among them, in the range of the parameter that matters for the balls
    /// around both bodies; `None`: at one place only.
    fn all(
        &self,
        a: &Movable,
        b: &Movable,
        enough: f64,
        range: impl Fn(&[Ball], &[Ball]) -> Option<[f64; 2]>,
    ) -> Result<Steps, MotionError> {
        let balls = |pieces: &[Piece]| pieces.iter().filter_map(|piece| piece.ball).collect::<Vec<Ball>>();
        let (balls_a, balls_b) = (balls(a.pieces()), balls(b.pieces()));
        let reach =
            |balls: &[Ball]| balls.iter().map(|ball| ball.center.length() + ball.radius).fold(0.0, f64::max);
        let rounding = rounding::coordinate(reach(&balls_a) + reach(&balls_b));
        let fastest = |pieces: &[Piece], pose: &Pose| {
            pieces.iter().map(|piece| (self.speed)(pose, piece)).fold(0.0, f64::max)
        };
        let mut lower = enough;
        for piece in a.pieces().iter().filter(is_here) {
            let part = Prepared::new(shape(piece));
            let speed = (self.speed)(&Pose::IDENTITY, piece).min(fastest(b.pieces(), self.a_from_b));
            let own: Vec<Ball> = piece.ball.into_iter().collect();
            let near = Near { size: size(piece) + rounding, speed, range: range(&own, &balls_b) };
            let steps = self.pair(&near, &|pose| {
                let part_from_b = piece.body_from_piece.inverse() * *pose;
                Ok(distance(&part, b.prepared(), &part_from_b)?.placed(&piece.body_from_piece))
            })?;
            match steps {
                Steps::Apart(gap) => lower = lower.min(gap),
                met @ Steps::Met { .. } => return Ok(met),
            }
        }
        for piece in b.pieces().iter().filter(is_here) {
            let part = Prepared::new(shape(piece));
            let speed = (self.speed)(self.a_from_b, piece).min(fastest(a.pieces(), &Pose::IDENTITY));
            let own: Vec<Ball> = piece.ball.into_iter().collect();
            let near = Near { size: size(piece) + rounding, speed, range: range(&balls_a, &own) };
            let steps = self
                .pair(&near, &|pose| Ok(distance(a.prepared(), &part, &(*pose * piece.body_from_piece))?))?;
            match steps {
                Steps::Apart(gap) => lower = lower.min(gap),
                met @ Steps::Met { .. } => return Ok(met),
            }
        }
        Ok(Steps::Apart(lower))
    }

    /// Steps through one pair; `closest` looks at it with b at a pose.
    fn pair(
        &self,
        near: &Near,
        closest: &dyn Fn(&Pose) -> Result<freiraum_query::Closest, MotionError>,
    ) -> Result<Steps, MotionError> {
        let [mut at, end] = near.range.unwrap_or([0.0, 0.0]);
        let mut lower = f64::INFINITY;
        // Contacts that are easy to see first: steps towards them get shorter and shorter.
        if near.speed > 0.0 {
            for k in 0..LOOKS {
                let share = f64::from(k) / f64::from(LOOKS);
                let found = closest(&(self.pose)(at + share * (end - at)))?;
                if found.distance <= 0.0 {
                    return Ok(Steps::Met { point: found.point_on_a, decided: true });
                }
            }
        }
        for _ in 0..BUDGET {
            let pose = (self.pose)(at);
            let found = closest(&pose)?;
            // Never more than what the search for the distance may be off.
            let gap =
                found.distance - near.size - rounding::coordinate(pose.translation().abs().max_element());
            if !(gap > 0.0) || near.speed == f64::INFINITY {
                return Ok(Steps::Met { point: found.point_on_a, decided: true });
            }
            let left = near.speed * (end - at);
            if left <= STEP * gap {
                return Ok(Steps::Apart(lower.min(gap - left.max(0.0))));
            }
            lower = lower.min((1.0 - STEP) * gap);
            at += STEP * gap / near.speed;
        }
        let found = closest(&(self.pose)(at))?;
        Ok(Steps::Met { point: found.point_on_a, decided: false })
    }
}

/// What the steps of a pair need to know.
struct Near {
    /// How far off distances may be.
    size: f64,
    /// How fast the gap closes at most.
    speed: f64,
    range: Option<[f64; 2]>,
}

fn shape(piece: &Piece) -> Shape {
    match &piece.form {
        Form::Round(shape) => shape.clone(),
        Form::HalfSpace(half_space) => Shape::HalfSpace(*half_space),
        Form::Faces(_) => unreachable!("faces are compared with faces by their images"),
    }
}

/// How far off the distance of a piece from another body may be, besides rounding.
fn size(piece: &Piece) -> f64 {
    match (&piece.form, piece.ball) {
        (Form::Round(Shape::Cylinder(_) | Shape::Cone(_)), Some(ball)) => {
            tolerance::DISTANCE_RELATIVE * ball.radius
        }
        _ => 0.0,
    }
}
