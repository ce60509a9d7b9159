//! The first contact of two meshes, one of them moving.

use crate::chart::{ChartBox, RotationChart, TranslationChart};
use crate::descend::{SearchMemory, Side, best_first};
use crate::path::Axis;
use crate::triangles::{Turned, meet_rotating, meet_translating};
use freiraum_geometry::math::rounding;
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::mesh_tree::MeshTree;
use std::f64::consts::TAU;

/// The first contact of two surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceContact {
    /// When, as a share of the motion in [0, 1].
    pub time: f64,
    /// How much earlier it may be because of rounding.
    pub error: f64,
    /// The faces that meet, of a and of b.
    pub faces: [u32; 2],
    /// The direction from a to b in which they were last apart, in the frame of a; zero if they met at the start.
    pub normal: Vec3,
}

/// Memory that searches for contacts use again.
#[derive(Debug, Default)]
pub struct MotionWorkspace {
    pub(crate) search: SearchMemory,
}

/// The first contact of the surface of b with that of a while b moves by `by`; `None` if they stay apart.
///
/// **Frames.** The frame of a; `a_from_b` is the pose at the start. **Guarantee.** `None` is proven, up to the rounding of
/// coordinates. **Degenerate input.** Surfaces that touch or cross at the start meet at time 0.
pub fn first_contact_translating(
    a: &MeshTree,
    b: &MeshTree,
    a_from_b: &Pose,
    by: Vec3,
    memory: &mut MotionWorkspace,
) -> Option<SurfaceContact> {
    let length = by.length();
    let slack = rounding::coordinate(reach(a, b, a_from_b) + length);
    let axes = TranslationChart::axes(by);
    let side_a = Side { tree: a, chart: TranslationChart::new(axes, &Pose::IDENTITY, slack) };
    let side_b = Side { tree: b, chart: TranslationChart::new(axes, a_from_b, slack) };
    let turn = a_from_b.rotation_matrix();
    let shift = a_from_b.translation();
    let mut best: Option<SurfaceContact> = None;
    let earliest = |a: &ChartBox, b: &ChartBox| {
        let apart = a.min[1] > b.max[1] || b.min[1] > a.max[1] || a.min[2] > b.max[2] || b.min[2] > a.max[2];
        if apart || b.min[0] > a.max[0] {
            return f64::INFINITY;
        }
        ((a.min[0] - b.max[0]) / length).max(0.0)
    };
    // Contacts at the very end count.
    let limit = 1.0f64.next_up();
    best_first(&side_a, &side_b, limit, &mut memory.search, earliest, |i, j, _| {
        let on_a = a.triangles()[i as usize];
        let on_b = b.triangles()[j as usize].map(|p| turn * p + shift);
        let so_far = best.map_or(limit, |contact| contact.time);
        if let Some(meeting) = meet_translating(on_a, on_b, by, slack)
            && meeting.exit >= 0.0
            && meeting.enter.max(0.0) < so_far
        {
            best = Some(SurfaceContact {
                time: meeting.enter.max(0.0),
                error: meeting.error.min(meeting.enter.max(0.0)),
                faces: [a.faces()[i as usize], b.faces()[j as usize]],
                normal: if meeting.enter > 0.0 {
                    meeting.normal.try_normalize().unwrap_or(Vec3::ZERO)
                } else {
                    Vec3::ZERO
                },
            });
        }
        best.map_or(limit, |contact| contact.time)
    });
    best
}

/// The first contact of the surface of b with that of a while b turns about the axis by a positive angle in radians; see
/// [`first_contact_translating`].
pub fn first_contact_rotating(
    a: &MeshTree,
    b: &MeshTree,
    a_from_b: &Pose,
    axis: &Axis,
    angle: f64,
    memory: &mut MotionWorkspace,
) -> Option<SurfaceContact> {
    // The point of the axis next to the bodies: coordinates stay small.
    let middle = a.mesh().axis_box().center();
    let origin = axis.point + axis.direction * axis.direction.dot(middle - axis.point);
    let slack = rounding::coordinate(2.0 * (reach(a, b, a_from_b) + origin.abs().max_element()));
    let axes = RotationChart::axes(axis);
    let side_a = Side { tree: a, chart: RotationChart::new(axes, origin, &Pose::IDENTITY, slack) };
    let side_b = Side { tree: b, chart: RotationChart::new(axes, origin, a_from_b, slack) };
    let last = angle.min(TAU);
    let mut best: Option<SurfaceContact> = None;
    let earliest = |a: &ChartBox, b: &ChartBox| {
        let apart = a.min[1] > b.max[1] || b.min[1] > a.max[1] || a.min[2] > b.max[2] || b.min[2] > a.max[2];
        if apart {
            return f64::INFINITY;
        }
        let gap = angle_gap(a, b);
        if gap > last { f64::INFINITY } else { gap }
    };
    let limit = last.next_up();
    best_first(&side_a, &side_b, limit, &mut memory.search, earliest, |i, j, bound| {
        let on_a = a.triangles()[i as usize].map(|p| side_a.chart.point(p));
        let on_b = b.triangles()[j as usize].map(|p| side_b.chart.point(p));
        let so_far = best.map_or(limit, |contact| contact.time);
        if let Turned::Met(turn) = meet_rotating(on_a, on_b, bound, so_far.min(last), slack)
            && turn.angle < so_far
        {
            best = Some(SurfaceContact {
                time: turn.angle,
                error: turn.error,
                faces: [a.faces()[i as usize], b.faces()[j as usize]],
                normal: axes * turn.normal,
            });
        }
        best.map_or(limit, |contact| contact.time)
    });
    best.map(|contact| SurfaceContact { time: contact.time / angle, error: contact.error / angle, ..contact })
}

/// The angle by which the interval of b has to turn until it reaches that of a.
fn angle_gap(a: &ChartBox, b: &ChartBox) -> f64 {
    let between = (a.min[0] - b.min[0]).rem_euclid(TAU);
    let (wide_a, wide_b) = (a.max[0] - a.min[0], b.max[0] - b.min[0]);
    // They overlap if either starts inside the other.
    if between <= wide_b || TAU - between <= wide_a { 0.0 } else { between - wide_b }
}

/// The largest coordinate of either body in the frame of a, about.
fn reach(a: &MeshTree, b: &MeshTree, a_from_b: &Pose) -> f64 {
    a.mesh().axis_box().reach()
        + 2.0 * b.mesh().axis_box().reach()
        + a_from_b.translation().abs().max_element()
}
