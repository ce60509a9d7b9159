//! A mesh that moves along a straight line, and one that stands still.

use super::{FaceContact, MotionWorkspace, SurfaceContact, reach};
use crate::chart::{ChartBox, TranslationChart};
use crate::descend::{Facing, Side, best_first, best_first_by};
use crate::triangles::{Meeting, approach_translating, gap_translating, latest, meet_translating};
use freiraum_geometry::math::rounding;
use freiraum_geometry::{Mat3, Pose, Vec3};
use freiraum_query::mesh_tree::MeshTree;

/// Mesh b translates, mesh a stands still; both may reach a radius beyond their faces.
pub struct TranslatingPair<'t> {
    a: Side<'t, TranslationChart>,
    b: Side<'t, TranslationChart>,
    rotation: Mat3,
    translation: Vec3,
    by: Vec3,
    length: f64,
    radius: f64,
    slack: f64,
    facing: [Facing; 2],
}

impl<'t> TranslatingPair<'t> {
    /// b starts at `a_from_b` and moves by `by`, which is not zero; `radius` is the sum of both radii, in metres.
    pub fn new(
        a: &'t MeshTree,
        b: &'t MeshTree,
        a_from_b: &Pose,
        radius: f64,
        by: Vec3,
    ) -> TranslatingPair<'t> {
        let length = by.length();
        let slack = rounding::coordinate(reach(a, b, a_from_b) + length + radius);
        let axes = TranslationChart::axes(by);
        TranslatingPair {
            a: Side { tree: a, chart: TranslationChart::new(axes, &Pose::IDENTITY, slack + radius) },
            b: Side { tree: b, chart: TranslationChart::new(axes, a_from_b, slack) },
            rotation: a_from_b.rotation_matrix(),
            translation: a_from_b.translation(),
            by,
            length,
            radius,
            slack,
            facing: [Facing::Any; 2],
        }
    }

    /// For a pose of b that comes from coordinates as large as `reach`, in metres: it is no better than they are, and what is apart
    /// by no more than their rounding meets.
    #[must_use]
    pub fn seen_from(mut self, reach: f64) -> TranslatingPair<'t> {
        let more = rounding::coordinate(reach);
        (self.a.chart, self.b.chart) = (self.a.chart.coarser(more), self.b.chart.coarser(more));
        self.slack += more;
        self
    }

    /// For bodies that are apart at the start. Which of a and b are solids whose faces are known to look outwards: those of their faces that move
    /// away are not looked at for the first contact, which others make.
    #[must_use]
    pub fn of_solids(mut self, [a, b]: [bool; 2]) -> TranslatingPair<'t> {
        let only = |is_outward: bool, facing: Facing| if is_outward { facing } else { Facing::Any };
        self.facing = [only(a, Facing::Against), only(b, Facing::Along)];
        self
    }

    /// The first time in the share `until` of the motion, its end included, at which the surfaces are within the radius of
    /// each other; `None` if there is none.
    ///
    /// **Guarantee.** `None` is proven, up to the rounding of coordinates. **Degenerate input.** Surfaces that touch or cross at
    /// the start meet at time 0.
    pub fn first_contact(&self, until: f64, memory: &mut MotionWorkspace) -> Option<SurfaceContact> {
        self.contact(until, false, memory)
    }

    /// Any contact in the share `until` of the motion, not always the first: the search ends with it. `None` as in
    /// [`TranslatingPair::first_contact`].
    pub fn any_contact(&self, until: f64, memory: &mut MotionWorkspace) -> Option<SurfaceContact> {
        self.contact(until, true, memory)
    }

    fn contact(&self, until: f64, is_any: bool, memory: &mut MotionWorkspace) -> Option<SurfaceContact> {
        let mut best: Option<SurfaceContact> = None;
        // Of all pairs of faces; and the faces that meet first.
        let mut soonest = f64::INFINITY;
        let mut first = None;
        let limit = until.next_up();
        best_first_by(
            [&self.a, &self.b],
            self.facing,
            limit,
            &mut memory.search,
            |a, b| self.earliest(a, b),
            |a, b, _| a.earliest_along(b, self.length),
            |i, j, _| {
                let so_far = best.map_or(limit, |contact| contact.time);
                if let Some(meeting) = self.meet(i, j, so_far.min(until))
                    && meeting.exit >= 0.0
                    && let time = reached(&meeting, until)
                    && {
                        soonest = soonest.min(meeting.enter - meeting.error);
                        time < so_far
                    }
                {
                    first = Some((i, j, meeting));
                    let normal = if meeting.enter > 0.0 { meeting.normal } else { Vec3::ZERO };
                    best = Some(SurfaceContact {
                        time,
                        error: 0.0,
                        faces: [self.a.tree.faces()[i as usize], self.b.tree.faces()[j as usize]],
                        normal: normal.try_normalize().unwrap_or(Vec3::ZERO),
                        is_proven: true,
                    });
                }
                best.map_or(limit, |contact| if is_any { f64::NEG_INFINITY } else { contact.time })
            },
        );
        let (mut contact, (i, j, meeting)) = (best?, first?);
        let time = contact.time;
        let late = if is_any { 0.0 } else { self.latest(i, j, &meeting, time).min(1.0) - time };
        contact.error = (time - soonest.clamp(0.0, time)).max(late);
        Some(contact)
    }

    /// By when faces that meet at a time have met for certain, or have come as close as they do.
    fn latest(&self, i: u32, j: u32, meeting: &Meeting, time: f64) -> f64 {
        if self.radius == 0.0 {
            return meeting.latest;
        }
        let (on_a, on_b) = self.triangles(i, j);
        let gap = |time: f64| gap_translating(on_a, on_b, self.radius, self.by, time);
        latest(gap, [time, 1.0], meeting.error, 2.0 * self.slack)
    }

    /// Two triangles as they are at the start, in the frame of a.
    fn triangles(&self, i: u32, j: u32) -> ([Vec3; 3], [Vec3; 3]) {
        let on_a = self.a.tree.triangles()[i as usize];
        let on_b = self.b.tree.triangles()[j as usize].map(|p| self.rotation * p + self.translation);
        (on_a, on_b)
    }

    /// Appends all pairs of faces that are within the radius of each other during the motion, with when they are, in no particular
    /// order.
    pub fn all_contacts(&self, memory: &mut MotionWorkspace, out: &mut Vec<FaceContact>) {
        let limit = 1.0f64.next_up();
        best_first(
            &self.a,
            &self.b,
            limit,
            &mut memory.search,
            |a, b| self.earliest(a, b),
            |i, j, _| {
                if let Some(meeting) = self.meet(i, j, 1.0)
                    && meeting.exit >= 0.0
                    && meeting.enter <= 1.0
                {
                    out.push(FaceContact {
                        time: [meeting.enter.max(0.0), self.exit(i, j, &meeting).min(1.0)],
                        faces: [self.a.tree.faces()[i as usize], self.b.tree.faces()[j as usize]],
                    });
                }
                limit
            },
        );
    }

    /// How far off a coordinate may be by rounding, moved or not, in metres.
    pub(crate) fn slack(&self) -> f64 {
        self.slack
    }

    /// When two faces without a radius meet, by their numbers in the meshes.
    pub(crate) fn faces_meet(&self, faces: [u32; 2]) -> Option<Meeting> {
        let on_a = self.a.tree.mesh().triangle(faces[0] as usize);
        let in_b = self.b.tree.mesh().triangle(faces[1] as usize);
        let on_b = in_b.map(|p| self.rotation * p + self.translation);
        meet_translating(on_a, on_b, self.by, self.slack)
    }

    fn meet(&self, i: u32, j: u32, last: f64) -> Option<Meeting> {
        let (on_a, on_b) = self.triangles(i, j);
        if self.radius == 0.0 {
            meet_translating(on_a, on_b, self.by, self.slack)
        } else {
            approach_translating(on_a, on_b, self.radius, self.by, last, self.slack)
        }
    }

    /// When faces that meet part again: with a radius, when they meet on the way back.
    fn exit(&self, i: u32, j: u32, meeting: &Meeting) -> f64 {
        if self.radius == 0.0 {
            return meeting.exit;
        }
        let on_a = self.a.tree.triangles()[i as usize];
        let end = self.translation + self.by;
        let on_b = self.b.tree.triangles()[j as usize].map(|p| self.rotation * p + end);
        let back = approach_translating(on_a, on_b, self.radius, -self.by, 1.0, self.slack);
        back.map_or(meeting.enter, |back| (1.0 - back.enter).max(meeting.enter))
    }

    /// A lower bound of the time at which parts in these boxes meet; infinite if they never do.
    #[inline]
    fn earliest(&self, a: &ChartBox, b: &ChartBox) -> f64 {
        // Behind a, b moves away from it.
        if !a.overlaps_across(b) || b.min[0] > a.max[0] {
            return f64::INFINITY;
        }
        ((a.min[0] - b.max[0]) / self.length).max(0.0)
    }
}

/// The first time of a meeting; what is reached at the end up to rounding is reached there.
fn reached(meeting: &Meeting, until: f64) -> f64 {
    let is_at_the_end = meeting.enter > until && meeting.enter - meeting.error <= until;
    if is_at_the_end { until } else { meeting.enter.max(0.0) }
}
