//! How close a core comes to a half space: its lowest corner at any time. How close two half spaces come.

use super::cores::{Approach, Goal};
use crate::chart::RotationChart;
use crate::movable::Core;
use crate::relative::RelativeMotion;
use crate::triangles::Wave;
use freiraum_geometry::math::rounding;
use freiraum_geometry::shape::HalfSpace;
use freiraum_geometry::{Pose, Vec3};
use std::f64::consts::TAU;

/// The least distance of a core from a half space that stands still, if it is below the goal.
///
/// **Frames.** That of the half space. **Guarantee.** Exact up to rounding: heights of corners are linear in time or waves of the
/// angle. **Cost.** O(n) in the corners.
pub(super) fn half_space_approach(
    plane: &HalfSpace,
    core: &Core,
    plane_from_core: &Pose,
    motion: &RelativeMotion,
    goal: &Goal,
) -> Option<Approach> {
    let corners = core.tree.mesh().vertices();
    let level = plane.offset() + core.radius;
    // The lowest height of a corner, and at which share of the motion.
    let mut lowest = (f64::INFINITY, 0.0, Vec3::ZERO);
    let mut offer = |height: f64, share: f64, corner: Vec3| {
        if height < lowest.0 {
            lowest = (height, share, corner);
        }
    };
    match motion {
        RelativeMotion::Still | RelativeMotion::General => return None,
        RelativeMotion::Translation(by) => {
            let rise = plane.normal().dot(*by);
            for corner in corners {
                let height = plane.normal().dot(plane_from_core.transform_point(*corner)) - level;
                offer(height, 0.0, *corner);
                offer(height + rise, 1.0, *corner);
            }
        }
        RelativeMotion::Rotation { axis, angle } => {
            let axes = RotationChart::axes(axis);
            let chart = RotationChart::new(axes, axis.point, plane_from_core, 0.0);
            let normal = axes.transpose() * plane.normal();
            let level = level - plane.normal().dot(axis.point);
            let (sin, cos) = angle.sin_cos();
            for corner in corners {
                let wave = Wave::turning(normal, chart.point(*corner)).minus(level);
                offer(wave.middle + wave.along, 0.0, *corner);
                offer(wave.middle + cos * wave.along + sin * wave.across, 1.0, *corner);
                // The trough is opposite the crest at atan2(across, along).
                let trough = (-wave.across).atan2(-wave.along).rem_euclid(TAU);
                if trough <= *angle {
                    offer(wave.middle - wave.along.hypot(wave.across), trough / angle, *corner);
                }
            }
        }
    }
    let (height, share, corner) = lowest;
    let reach = core.tree.mesh().aabb().reach() + plane_from_core.translation().abs().max_element();
    let slack = rounding::coordinate(2.0 * reach + level.abs());
    let distance = if height <= 2.0 * slack { 0.0 } else { height };
    if !(distance < goal.below) {
        return None;
    }
    let point = motion.apply(share, plane_from_core).transform_point(corner) - core.radius * plane.normal();
    let on_plane = point - plane.normal() * (plane.normal().dot(point) - plane.offset()).max(0.0);
    Some(Approach { distance, lower: distance, share, points: [on_plane, point] })
}

/// The least distance of two half spaces, a standing still, if it is below the goal.
///
/// **Frames.** That of a. **Guarantee.** Exact up to rounding. Half spaces that do not face each other at all times meet.
pub(super) fn half_spaces_approach(
    a: &HalfSpace,
    b: &HalfSpace,
    a_from_b: &Pose,
    motion: &RelativeMotion,
    goal: &Goal,
) -> Option<Approach> {
    let normal = a_from_b.rotate(b.normal());
    let offset = b.offset() + normal.dot(a_from_b.translation());
    let is_parallel = (a.normal() + normal).length() <= rounding::coordinate(1.0);
    let gap = -a.offset() - offset;
    let (gap, share) = match motion {
        _ if !is_parallel => (0.0, 0.0),
        RelativeMotion::Still | RelativeMotion::General => return None,
        RelativeMotion::Translation(by) => {
            let rise = a.normal().dot(*by);
            if rise < 0.0 { (gap + rise, 1.0) } else { (gap, 0.0) }
        }
        RelativeMotion::Rotation { axis, .. } => {
            let is_same = axis.direction.cross(a.normal()).length() <= rounding::coordinate(1.0);
            (if is_same { gap } else { 0.0 }, 0.0)
        }
    };
    let slack = rounding::coordinate(a.offset().abs() + offset.abs() + gap.abs());
    let distance = if gap <= 2.0 * slack { 0.0 } else { gap };
    let on_a = a.offset() * a.normal();
    (distance < goal.below).then(|| Approach {
        distance,
        lower: distance,
        share,
        points: [on_a, on_a + distance * a.normal()],
    })
}
