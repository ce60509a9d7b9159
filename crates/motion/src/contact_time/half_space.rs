//! When a moving core reaches a half space: the first of its corners does.

use super::features::on_face;
use super::pieces::Touch;
use crate::chart::RotationChart;
use crate::movable::{Core, bounds};
use crate::relative::RelativeMotion;
use crate::triangles::Wave;
use crate::verdict::Feature;
use freiraum_geometry::math::rounding;
use freiraum_geometry::shape::HalfSpace;
use freiraum_geometry::{Pose, Vec3};

/// The plane of a half space: solid where `normal · x <= offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    normal: Vec3,
    offset: f64,
}

impl Plane {
    /// In the frame of the body that the half space is a piece of.
    pub(super) fn of(half_space: &HalfSpace, body_from_piece: &Pose) -> Plane {
        let normal = body_from_piece.rotate(half_space.normal());
        Plane { normal, offset: half_space.offset() + normal.dot(body_from_piece.translation()) }
    }

    /// True if the normals are opposite up to the rounding of poses.
    fn faces(&self, other: &Plane) -> bool {
        (self.normal + other.normal).length() <= rounding::coordinate(1.0)
    }
}

/// The first contact in the share `until` of the motion; the plane stands still. `reach`: of the coordinates
/// that the plane and the pose come from, in metres.
///
/// **Frames.** That of the plane; `a_from_core` at the start. **Guarantee.** Exact up to rounding: a corner moves along a line or on
/// a circle, and its height is linear in time or a wave of the angle. **Cost.** O(n) in the corners.
pub(super) fn reach_half_space(
    plane: &Plane,
    core: &Core,
    a_from_core: &Pose,
    motion: &RelativeMotion,
    reach: f64,
    until: f64,
) -> Option<Touch> {
    let corners = core.tree.mesh().vertices();
    let level = plane.offset + core.radius;
    let reach = reach + bounds(&core.tree).reach() + a_from_core.translation().abs().max_element();
    let slack = rounding::coordinate(2.0 * reach + level.abs());
    // When, how much earlier or later it may be, and which corner.
    let (share, error, corner) = match motion {
        RelativeMotion::Translation(by) => {
            let fall = -plane.normal.dot(*by);
            let height = |p: &Vec3| plane.normal.dot(a_from_core.transform_point(*p)) - level;
            let (corner, lowest) = least(corners.iter().map(height))?;
            let (share, error) = linear(lowest, fall, slack + rounding::coordinate(by.length()), until);
            (share, error, corner)
        }
        RelativeMotion::Rotation { axis, angle } => {
            let axes = RotationChart::axes(axis);
            let chart = RotationChart::new(axes, axis.point, a_from_core, 0.0);
            let normal = axes.transpose() * plane.normal;
            let level = level - plane.normal.dot(axis.point);
            // A corner that comes within rounding of the plane touches it, as one that just grazes it does.
            let height = |p: &Vec3, level: f64| Wave::turning(normal, chart.point(*p)).minus(level);
            let (corner, early) = least(corners.iter().map(|p| height(p, level + slack).first_zero()))?;
            let wave = height(&corners[corner], level);
            let exact = wave.first_zero();
            let contact = if exact / angle <= until { exact } else { early };
            // As deep in it as rounding is high it is there for certain; one that just grazes it comes closest at the lowest point.
            let late = wave.minus(-slack).first_zero().min(wave.lowest(slack)).min(*angle).max(contact);
            (contact / angle, (contact - early).max(late - contact) / angle, corner)
        }
        RelativeMotion::Still | RelativeMotion::General => return None,
    };
    if !(share <= until) {
        return None;
    }
    let point = motion.apply(share, a_from_core).transform_point(corners[corner]);
    let face = core.tree.mesh().faces().iter().position(|face| face.contains(&(corner as u32)));
    let feature = match face {
        Some(face) if core.radius == 0.0 => on_face(&core.tree, face as u32, corners[corner]),
        _ => Feature::Face(0),
    };
    Some(Touch {
        share,
        error,
        point: point - core.radius * plane.normal,
        normal: plane.normal,
        features: [Feature::Face(0), feature],
        is_proven: true,
        is_met: true,
    })
}

/// When a height that falls by `fall` during the motion is 0, and how much earlier or later it may be; infinite if it does not fall. If only
/// rounding is left at the end, it is 0 there.
fn linear(height: f64, fall: f64, slack: f64, until: f64) -> (f64, f64) {
    // What moves away or along never gets there.
    if !(fall > 0.0) {
        return (f64::INFINITY, 0.0);
    }
    let (exact, early) = (height.max(0.0) / fall, (height - slack).max(0.0) / fall);
    let share = if exact <= until || early > until { exact } else { until };
    (share, slack / fall)
}

/// The first contact of two half spaces that are apart at the start, in the share `until` of the motion; a stands still.
/// `reach`: of the coordinates that the planes come from, in metres.
///
/// **Frames.** That of a; b as it is at the start. **Guarantee.** Exact up to rounding. Only half spaces that face each other are apart; as soon
/// as one of them tilts, they meet, far out.
pub(super) fn half_spaces_meet(
    a: &Plane,
    b: &Plane,
    motion: &RelativeMotion,
    reach: f64,
    until: f64,
) -> Option<Touch> {
    let (share, error) = if !a.faces(b) {
        (0.0, 0.0)
    } else {
        match motion {
            RelativeMotion::Translation(by) => {
                let slack = rounding::coordinate(reach + a.offset.abs() + b.offset.abs() + by.length());
                linear(-a.offset - b.offset, b.normal.dot(*by), slack, until)
            }
            RelativeMotion::Rotation { axis, .. } => {
                let tilt = axis.direction.cross(a.normal).length();
                (if tilt <= rounding::coordinate(1.0) { f64::INFINITY } else { 0.0 }, 0.0)
            }
            RelativeMotion::Still | RelativeMotion::General => return None,
        }
    };
    (share <= until).then(|| Touch {
        share,
        error,
        point: a.offset * a.normal,
        normal: a.normal,
        features: [Feature::Face(0); 2],
        is_proven: true,
        is_met: true,
    })
}

/// The first of the least values, with its index.
fn least(values: impl Iterator<Item = f64>) -> Option<(usize, f64)> {
    values.enumerate().reduce(|best, next| if next.1 < best.1 { next } else { best })
}
