//! A mesh that turns about an axis, and one that stands still.

use super::{FaceContact, MotionWorkspace, SurfaceContact, reach};
use crate::chart::{ChartBox, RotationChart};
use crate::descend::{Facing, Side, best_first, best_first_by};
use crate::movable::bounds;
use crate::triangles::{Turned, gap_rotating, latest, meet_rotating, spans_rotating};
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::Axis;
use freiraum_geometry::{Mat3, Pose, Vec3};
use freiraum_query::mesh_tree::MeshTree;
use std::cell::Cell;
use std::f64::consts::TAU;

/// Mesh b turns about an axis, mesh a stands still; both may reach a radius beyond their faces.
pub struct RotatingPair<'t> {
    a: Side<'t, RotationChart>,
    b: Side<'t, RotationChart>,
    /// Columns: the frame in which the rotation is about z, in the frame of a.
    axes: Mat3,
    angle: f64,
    radius: f64,
    slack: f64,
    facing: [Facing; 2],
}

impl<'t> RotatingPair<'t> {
    /// b starts at `a_from_b` and turns about the axis (frame of a) by a positive angle in radians; `radius` is the sum of
    /// both radii, in metres.
    pub fn new(
        a: &'t MeshTree,
        b: &'t MeshTree,
        a_from_b: &Pose,
        radius: f64,
        axis: &Axis,
        angle: f64,
    ) -> RotatingPair<'t> {
        // The point of the axis next to the bodies: coordinates stay small.
        let middle = bounds(a).center();
        let origin = axis.point + axis.direction * axis.direction.dot(middle - axis.point);
        let slack = rounding::coordinate(2.0 * (reach(a, b, a_from_b) + origin.abs().max_element() + radius));
        let axes = RotationChart::axes(axis);
        RotatingPair {
            a: Side { tree: a, chart: RotationChart::new(axes, origin, &Pose::IDENTITY, slack + radius) },
            b: Side { tree: b, chart: RotationChart::new(axes, origin, a_from_b, slack) },
            axes,
            angle,
            radius,
            slack,
            facing: [Facing::Any; 2],
        }
    }

    /// For a pose of b that comes from coordinates as large as `reach`, in metres: it is no better than they are, and what is apart
    /// by no more than their rounding meets.
    #[must_use]
    pub fn seen_from(mut self, reach: f64) -> RotatingPair<'t> {
        let more = rounding::coordinate(reach);
        (self.a.chart, self.b.chart) = (self.a.chart.coarser(more), self.b.chart.coarser(more));
        self.slack += more;
        self
    }

    /// For bodies that are apart at the start. Which of a and b are solids whose faces are known to look outwards: those of their faces that move
    /// away are not looked at for the first contact, which others make.
    #[must_use]
    pub(crate) fn of_solids(mut self, [a, b]: [bool; 2]) -> RotatingPair<'t> {
        let only = |is_outward: bool, facing: Facing| if is_outward { facing } else { Facing::Any };
        self.facing = [only(a, Facing::Against), only(b, Facing::Along)];
        self
    }

    /// The first contact; see [`TranslatingPair::first_contact`](super::TranslatingPair::first_contact).
    pub fn first_contact(&self, until: f64, memory: &mut MotionWorkspace) -> Option<SurfaceContact> {
        self.contact(until, false, memory)
    }

    /// Any contact; see [`TranslatingPair::any_contact`](super::TranslatingPair::any_contact).
    pub fn any_contact(&self, until: f64, memory: &mut MotionWorkspace) -> Option<SurfaceContact> {
        self.contact(until, true, memory)
    }

    fn contact(&self, until: f64, is_any: bool, memory: &mut MotionWorkspace) -> Option<SurfaceContact> {
        let last = (self.angle * until).min(TAU);
        let mut best: Option<SurfaceContact> = None;
        // Of all pairs of faces; and the faces that meet first.
        let mut soonest = f64::INFINITY;
        let mut first = (0, 0, 0.0);
        let limit = last.next_up();
        // Parts of a part mostly have its bound.
        let known = Cell::new((0.0, (0.0, 1.0)));
        best_first_by(
            [&self.a, &self.b],
            self.facing,
            limit,
            &mut memory.search,
            earliest,
            |a, b, bound| {
                let from = bound.max(0.0);
                if known.get().0 != from {
                    known.set((from, from.sin_cos()));
                }
                a.earliest_around(b, from, known.get().1)
            },
            |i, j, bound| {
                let (on_a, on_b) = self.triangles(i, j);
                let so_far = best.map_or(limit, |contact| contact.time);
                let (turn, is_proven) = match meet_rotating(
                    on_a,
                    on_b,
                    self.radius,
                    [bound.max(0.0), so_far.min(last)],
                    self.slack,
                ) {
                    Turned::Apart => return so_far,
                    Turned::Met(turn) => (turn, true),
                    Turned::Stuck(turn) => (turn, false),
                };
                soonest = soonest.min(turn.angle - turn.error);
                if turn.angle < so_far {
                    first = (i, j, turn.error);
                    best = Some(SurfaceContact {
                        time: turn.angle,
                        error: 0.0,
                        faces: [self.a.tree.faces()[i as usize], self.b.tree.faces()[j as usize]],
                        normal: self.axes * turn.normal,
                        is_proven,
                    });
                }
                best.map_or(limit, |contact| if is_any { f64::NEG_INFINITY } else { contact.time })
            },
        );
        let share = |angle: f64| angle / self.angle;
        let contact = best?;
        let (angle, (i, j, step)) = (contact.time, first);
        let late = if is_any {
            0.0
        } else {
            let (on_a, on_b) = self.triangles(i, j);
            let gap = |angle: f64| gap_rotating(&on_a, &on_b, self.radius, angle);
            latest(gap, [angle, self.angle], step, 2.0 * self.slack) - angle
        };
        let error = (angle - soonest.clamp(0.0, angle)).max(late);
        Some(SurfaceContact { time: share(angle), error: share(error), ..contact })
    }

    /// Appends all pairs of faces that touch during the motion, or during the first full turn, with when they do, in no
    /// particular order. For pairs without a radius.
    pub fn all_contacts(&self, memory: &mut MotionWorkspace, out: &mut Vec<FaceContact>) {
        let last = self.angle.min(TAU);
        let limit = last.next_up();
        let mut spans = Vec::new();
        best_first(&self.a, &self.b, limit, &mut memory.search, earliest, |i, j, _| {
            let (on_a, on_b) = self.triangles(i, j);
            spans.clear();
            spans_rotating(on_a, on_b, last, self.slack, &mut spans);
            out.extend(spans.iter().map(|span| FaceContact {
                time: span.map(|angle| angle / self.angle),
                faces: [self.a.tree.faces()[i as usize], self.b.tree.faces()[j as usize]],
            }));
            limit
        });
    }

    /// Two triangles in the frame in which the rotation is about z.
    fn triangles(&self, i: u32, j: u32) -> ([Vec3; 3], [Vec3; 3]) {
        let on_a = self.a.tree.triangles()[i as usize].map(|p| self.a.chart.point(p));
        let on_b = self.b.tree.triangles()[j as usize].map(|p| self.b.chart.point(p));
        (on_a, on_b)
    }
}

/// A lower bound of the angle at which parts in these boxes meet; infinite if they never do.
#[inline]
fn earliest(a: &ChartBox, b: &ChartBox) -> f64 {
    if !a.overlaps_across(b) {
        return f64::INFINITY;
    }
    let between = (a.min[0] - b.min[0]).rem_euclid(TAU);
    let (wide_a, wide_b) = (a.max[0] - a.min[0], b.max[0] - b.min[0]);
    // The intervals of angles overlap if either starts inside the other.
    if between <= wide_b || TAU - between <= wide_a { 0.0 } else { between - wide_b }
}
