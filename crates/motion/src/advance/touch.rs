//! The first contact of two pieces as all methods tell it.

use super::{Advanced, advance_pair};
use crate::contact_time::{Stretch, Touch, on_round};
use crate::movable::{Form, Piece};
use crate::sweep::MotionWorkspace;
use crate::verdict::{Feature, Limits};
use freiraum_geometry::Vec3;

/// The first contact in the share `until` of the stretch, its end included; `None` if there is none.
///
/// **Guarantee.** `None` is proven. A gap of at most the tolerance counts as contact.
pub(crate) fn first_touch(
    a: &Piece,
    b: &Piece,
    stretch: &Stretch,
    until: f64,
    limits: &Limits,
    memory: &mut MotionWorkspace,
) -> Option<Touch> {
    let [from, to] = stretch.time;
    let length = to - from;
    let span = [from, if until < 1.0 { from + until * length } else { to }];
    let motions = stretch.motions;
    match advance_pair(a, motions[0], b, motions[1], span, 0.0, limits, &mut memory.advance) {
        Advanced::Free { .. } => None,
        Advanced::Contact(contact) => {
            let first = contact.time - contact.error;
            let a_from_world = motions[0].pose(first).inverse();
            let b_from_world = motions[1].pose(first).inverse();
            let point = a_from_world.transform_point(contact.point_on_a);
            let in_b = b_from_world.transform_point(contact.point_on_b);
            Some(Touch {
                share: (contact.time - from) / length,
                error: contact.error / length,
                point,
                normal: a_from_world.rotate(contact.normal),
                features: [feature(a, contact.faces[0], point), feature(b, contact.faces[1], in_b)],
                is_proven: true,
                is_met: contact.is_crossing || contact.error > 0.0,
            })
        }
        Advanced::Undecided { open } => Some(Touch {
            share: (open[0] - from) / length,
            error: 0.0,
            point: Vec3::ZERO,
            normal: Vec3::ZERO,
            features: [Feature::Face(0); 2],
            is_proven: false,
            is_met: false,
        }),
    }
}

/// The feature of a piece at a point in the frame of its body.
fn feature(piece: &Piece, face: u32, point: Vec3) -> Feature {
    let point = piece.body_from_piece.inverse().transform_point(point);
    match &piece.form {
        Form::Faces(tree) => piece.feature(tree, face, point),
        Form::Round(shape) => on_round(shape, point),
        Form::HalfSpace(_) => Feature::Face(0),
    }
}
