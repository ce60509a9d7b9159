//! The first contact of two pieces in one stretch of time.

use super::convex_translation::{self, Followed};
use super::half_space::{Plane, half_spaces_meet, reach_half_space};

use crate::movable::{Core, Form, Piece};
use crate::relative::{Relative, RelativeMotion};
use crate::sweep::{MotionWorkspace, RotatingPair, TranslatingPair};
use crate::verdict::{Feature, Limits};
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::{Axis, Motion};
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_query::elementary::triangle_triangle;

/// A stretch of time without breaks.
pub(crate) struct Stretch<'m> {
    /// How b moves as seen from a.
    pub(crate) relative: Relative,
    /// The motions of a and b themselves.
    pub(crate) motions: [&'m dyn Motion; 2],
    /// Where it begins and ends.
    pub(crate) time: [f64; 2],
}

/// The first contact of two pieces in a stretch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// When, as a share of the stretch.
    pub(crate) share: f64,
    /// How much earlier or later it may be, as a share of the stretch.
    pub(crate) error: f64,
    /// Where, in the frame of a.
    pub(crate) point: Vec3,
    /// Unit vector from a to b, in the frame of a.
    pub(crate) normal: Vec3,
    pub(crate) features: [Feature; 2],
    pub(crate) is_proven: bool,
    /// False if the pieces are only known to be within the tolerance of each other.
    pub(crate) is_met: bool,
}

impl Stretch<'_> {
    /// How far from the origin of the world the bodies are: the pose of b as seen from a is as good as the two it comes from.
    fn reach(&self) -> f64 {
        reach_of(self.motions, self.time)
    }

    /// The same stretch with a and b exchanged.
    fn reversed(&self) -> Stretch<'_> {
        Stretch {
            relative: self.relative.reversed(),
            motions: [self.motions[1], self.motions[0]],
            time: self.time,
        }
    }

    /// A contact that was found with a and b exchanged.
    fn exchanged(&self, touch: Touch) -> Touch {
        let a_from_b = self.relative.motion.apply(touch.share, &self.relative.a_from_b);
        Touch {
            point: a_from_b.transform_point(touch.point),
            normal: -a_from_b.rotate(touch.normal),
            features: [touch.features[1], touch.features[0]],
            ..touch
        }
    }
}

/// How far from the origin of the world two bodies are at the ends of a stretch of time, in metres.
pub(crate) fn reach_of(motions: [&dyn Motion; 2], time: [f64; 2]) -> f64 {
    let of = |motion: &dyn Motion| {
        time.into_iter().map(|t| motion.pose(t).translation().length()).fold(0.0, f64::max)
    };
    of(motions[0]) + of(motions[1])
}

/// The first contact in the share `until` of the stretch, its end included; `None` if there is none.
pub(super) fn first_touch(
    a: &Piece,
    b: &Piece,
    stretch: &Stretch,
    until: f64,
    limits: &Limits,
    memory: &mut MotionWorkspace,
) -> Option<Touch> {
    let Relative { a_from_b, motion } = stretch.relative;
    // The pose of one piece as seen from the other is as good as those that it comes from.
    let reach = stretch.reach() + a.offset() + b.offset();
    match (motion, &a.form, &b.form) {
        (RelativeMotion::Still, ..) => return None,
        (RelativeMotion::General, ..) => {}
        (_, Form::HalfSpace(in_a), Form::HalfSpace(in_b)) => {
            let in_a = Plane::of(in_a, &a.body_from_piece);
            let in_b = Plane::of(in_b, &(a_from_b * b.body_from_piece));
            return half_spaces_meet(&in_a, &in_b, &motion, reach, until);
        }
        _ if turns_into_itself(a, b, &stretch.relative) => return None,
        (_, Form::HalfSpace(plane), _) => {
            if let Some(core) = &b.core {
                let a_from_core = a_from_b * b.body_from_piece;
                let plane = Plane::of(plane, &a.body_from_piece);
                return reach_half_space(&plane, core, &a_from_core, &motion, reach, until);
            }
        }
        (_, _, Form::HalfSpace(_)) => {
            if a.core.is_some() {
                let touch = first_touch(b, a, &stretch.reversed(), until, limits, memory)?;
                return Some(stretch.exchanged(touch));
            }
        }
        _ => {
            if let (Some(core_a), Some(core_b)) = (&a.core, &b.core) {
                let core_from_a = a.body_from_piece.inverse();
                let place = core_from_a * a_from_b * b.body_from_piece;
                let motion = motion.placed(&core_from_a);
                let touch = cores_meet([a, b], [core_a, core_b], &place, &motion, reach, until, memory)?;
                return Some(Touch {
                    point: a.body_from_piece.transform_point(touch.point),
                    normal: a.body_from_piece.rotate(touch.normal),
                    ..touch
                });
            }
        }
    }
    crate::advance::first_touch(a, b, stretch, until, limits, memory)
}

/// True if b turns as seen from a without changing anything: about the axis of a cylinder or cone, about the centre of a sphere beside one, or across the
/// plane of a half space beside one.
pub(crate) fn turns_into_itself(a: &Piece, b: &Piece, relative: &Relative) -> bool {
    let RelativeMotion::Rotation { axis, .. } = relative.motion else { return false };
    if a.core.is_some() && b.core.is_some() {
        return false;
    }
    is_round_about(&axis, a, &a.body_from_piece)
        || is_round_about(&axis, b, &(relative.a_from_b * b.body_from_piece))
}

/// How far the distance of two pieces, not both with cores, changes at most while b turns as seen from a, in metres: hardly, where one of them is round about the axis but for the rounding of
/// many poses. `None` if nothing is known.
pub(crate) fn turn_changes(a: &Piece, b: &Piece, relative: &Relative) -> Option<f64> {
    let RelativeMotion::Rotation { axis, .. } = relative.motion else { return None };
    if a.core.is_some() && b.core.is_some() {
        return None;
    }
    let of_a = off_round(&axis, a, &a.body_from_piece);
    let of_b = off_round(&axis, b, &(relative.a_from_b * b.body_from_piece));
    let off = of_a.into_iter().chain(of_b).reduce(f64::min)?;
    // To the other side of the axis, rounded up.
    Some(2.0 * off * (1.0 + rounding::coordinate(1.0)))
}

/// How far a round piece is off the axis, its centre and its own axis together, in metres. `None` for others.
fn off_round(axis: &Axis, piece: &Piece, a_from_piece: &Pose) -> Option<f64> {
    let center = axis.distance(a_from_piece.translation());
    match &piece.form {
        // Whatever its own axes are.
        Form::Round(Shape::Sphere(_)) => Some(center),
        Form::Round(shape) => {
            let bounds = shape.aabb()?;
            let turned = axis.direction.cross(a_from_piece.rotate(Vec3::Z)).length();
            Some(center + turned * bounds.size().length())
        }
        Form::HalfSpace(_) | Form::Faces(_) => None,
    }
}

/// True if turning about the axis does not change a piece, up to rounding.
pub(crate) fn is_round_about(axis: &Axis, piece: &Piece, a_from_piece: &Pose) -> bool {
    let center = a_from_piece.translation();
    let is_along =
        |v: Vec3| axis.direction.cross(a_from_piece.rotate(v)).length() <= rounding::coordinate(1.0);
    let is_on_axis = |reach: f64| {
        axis.distance(center) <= rounding::coordinate(center.length() + axis.point.length() + reach)
    };
    match &piece.form {
        Form::HalfSpace(plane) => is_along(plane.normal()),
        Form::Round(Shape::Sphere(sphere)) => is_on_axis(sphere.radius()),
        Form::Round(shape) => {
            is_along(Vec3::Z) && is_on_axis(shape.aabb().map_or(0.0, |bounds| bounds.reach()))
        }
        Form::Faces(_) => false,
    }
}

/// The first contact of two pieces with cores that are apart at the start, in the frame of the first. `reach`: of the coordinates that the pose comes from.
fn cores_meet(
    pieces: [&Piece; 2],
    [a, b]: [&Core; 2],
    a_from_b: &Pose,
    motion: &RelativeMotion,
    reach: f64,
    until: f64,
    memory: &mut MotionWorkspace,
) -> Option<Touch> {
    let radius = a.radius + b.radius;
    let facing = pieces.map(|piece| piece.is_outward);
    let found = match motion {
        RelativeMotion::Translation(by) => {
            let pair = TranslatingPair::new(&a.tree, &b.tree, a_from_b, radius, *by)
                .seen_from(reach)
                .of_solids(facing);
            match convex_translation::first_contact(pieces, &pair, a_from_b, *by, until) {
                Followed::Apart => return None,
                Followed::Contact(touch) => return Some(touch),
                Followed::Open => pair.first_contact(until, memory)?,
            }
        }
        RelativeMotion::Rotation { axis, angle } => {
            RotatingPair::new(&a.tree, &b.tree, a_from_b, radius, axis, *angle)
                .seen_from(reach)
                .of_solids(facing)
                .first_contact(until, memory)?
        }
        RelativeMotion::Still | RelativeMotion::General => return None,
    };
    let then = motion.apply(found.time, a_from_b);
    let corners = |core: &Core, face: u32| {
        core.tree.mesh().faces()[face as usize].map(|i| core.tree.mesh().vertices()[i as usize])
    };
    let on_b = corners(b, found.faces[1]).map(|p| then.transform_point(p));
    let nearest = triangle_triangle(corners(a, found.faces[0]), on_b);
    let normal = (nearest.point_on_b - nearest.point_on_a).try_normalize().filter(|_| radius > 0.0);
    let normal = normal.unwrap_or(found.normal);
    let feature = |piece: &Piece, core: &Core, face: u32, point: Vec3| match core.radius {
        0.0 => piece.feature(&core.tree, face, point),
        _ => Feature::Face(0),
    };
    Some(Touch {
        share: found.time,
        error: found.error,
        point: nearest.point_on_a + a.radius * normal,
        normal,
        features: [
            feature(pieces[0], a, found.faces[0], nearest.point_on_a),
            feature(pieces[1], b, found.faces[1], then.inverse().transform_point(nearest.point_on_b)),
        ],
        is_proven: found.is_proven,
        is_met: true,
    })
}
