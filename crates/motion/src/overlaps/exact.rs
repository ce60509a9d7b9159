//! All times at which surfaces touch, where there are closed forms for them.

use crate::chart::RotationChart;
use crate::contact_time::reach_of;
use crate::movable::{Core, Form, Movable, Piece};
use crate::relative::{Relative, RelativeMotion};
use crate::sweep::{FaceContact, MotionWorkspace, RotatingPair, TranslatingPair};
use crate::triangles::Wave;
use freiraum_geometry::Pose;
use freiraum_geometry::path::Motion;
use freiraum_geometry::shape::HalfSpace;
use std::f64::consts::TAU;

/// When surfaces touch in one stretch that has at most one turn, as shares of it, and whether that is all: false if some pairs of
/// pieces have no exact method, which are left out.
pub(super) fn touching(
    [a, b]: [&Movable; 2],
    motions: [&dyn Motion; 2],
    time: [f64; 2],
    relative: &Relative,
    memory: &mut MotionWorkspace,
) -> (Vec<[f64; 2]>, bool) {
    let reach = reach_of(motions, time);
    let mut spans = Vec::new();
    let mut is_all = true;
    for piece_a in a.pieces() {
        for piece_b in b.pieces().iter().filter(|piece_b| piece_a.may_meet(piece_b)) {
            let pair = Pair { relative: *relative, reach };
            is_all &= pair.add(piece_a, piece_b, memory, &mut spans);
        }
    }
    (united(spans), is_all)
}

struct Pair {
    relative: Relative,
    /// Of the coordinates that the poses come from.
    reach: f64,
}

impl Pair {
    /// Appends the times at which two pieces touch; false if there is no exact method for them.
    fn add(&self, a: &Piece, b: &Piece, memory: &mut MotionWorkspace, out: &mut Vec<[f64; 2]>) -> bool {
        let Relative { a_from_b, motion } = self.relative;
        let piece_from_a = a.body_from_piece.inverse();
        let place = piece_from_a * a_from_b * b.body_from_piece;
        let motion = motion.placed(&piece_from_a);
        match (&a.form, &a.core, &b.form, &b.core) {
            (Form::HalfSpace(plane), _, _, Some(core)) => below_plane(plane, core, &place, &motion, out),
            (_, Some(_), Form::HalfSpace(_), _) => {
                let relative = self.relative.reversed();
                Pair { relative, ..*self }.add(b, a, memory, out)
            }
            (_, Some(core_a), _, Some(core_b)) => {
                let reach = self.reach + a.offset() + b.offset();
                cores([core_a, core_b], &place, &motion, reach, memory, out)
            }
            _ => false,
        }
    }
}

/// Appends the times at which two cores touch; false if there is no exact method for them. `reach`: of the
/// coordinates that the place comes from.
fn cores(
    [a, b]: [&Core; 2],
    place: &Pose,
    motion: &RelativeMotion,
    reach: f64,
    memory: &mut MotionWorkspace,
    out: &mut Vec<[f64; 2]>,
) -> bool {
    let radius = a.radius + b.radius;
    let mut contacts: Vec<FaceContact> = Vec::new();
    match motion {
        RelativeMotion::Translation(by) => {
            TranslatingPair::new(&a.tree, &b.tree, place, radius, *by)
                .seen_from(reach)
                .all_contacts(memory, &mut contacts);
        }
        RelativeMotion::Rotation { axis, angle } if radius == 0.0 => {
            RotatingPair::new(&a.tree, &b.tree, place, 0.0, axis, *angle)
                .seen_from(reach)
                .all_contacts(memory, &mut contacts);
        }
        _ => return false,
    }
    out.extend(contacts.iter().map(|contact| contact.time));
    true
}

/// Appends the times at which a corner of the core, less its radius, is below the plane.
fn below_plane(
    plane: &HalfSpace,
    core: &Core,
    a_from_core: &Pose,
    motion: &RelativeMotion,
    out: &mut Vec<[f64; 2]>,
) -> bool {
    let corners = core.tree.mesh().vertices();
    let (normal, level) = (plane.normal(), plane.offset() + core.radius);
    match motion {
        RelativeMotion::Translation(by) => {
            let rise = normal.dot(*by);
            for p in corners {
                let height = normal.dot(a_from_core.transform_point(*p)) - level;
                let zero = -height / rise;
                let span = match (height <= 0.0, height + rise <= 0.0) {
                    (true, true) => [0.0, 1.0],
                    (true, false) => [0.0, zero.clamp(0.0, 1.0)],
                    (false, true) => [zero.clamp(0.0, 1.0), 1.0],
                    (false, false) => continue,
                };
                out.push(span);
            }
        }
        RelativeMotion::Rotation { axis, angle } => {
            let axes = RotationChart::axes(axis);
            let chart = RotationChart::new(axes, axis.point, a_from_core, 0.0);
            let normal_turned = axes.transpose() * normal;
            let level = level - normal.dot(axis.point);
            for p in corners {
                let wave = Wave::turning(normal_turned, chart.point(*p)).minus(level);
                for span in below_zero(wave, *angle) {
                    if span[0] <= span[1] {
                        out.push(span.map(|at| at / angle));
                    }
                }
            }
        }
        RelativeMotion::Still | RelativeMotion::General => return false,
    }
    true
}

/// The angles in [0, last], last at most a turn, at which a wave is not positive; two intervals, empty ones turned around.
fn below_zero(wave: Wave, last: f64) -> [[f64; 2]; 2] {
    const NONE: [f64; 2] = [1.0, 0.0];
    let height = wave.along.hypot(wave.across);
    if wave.middle > height {
        return [NONE; 2];
    }
    if wave.middle <= -height {
        return [[0.0, last], NONE];
    }
    // Negative from half after the crest to half before the next one.
    let (crest, half) = (wave.across.atan2(wave.along), (-wave.middle / height).acos());
    let first = (crest + half).rem_euclid(TAU);
    let wide = TAU - 2.0 * half;
    let clip = |from: f64, to: f64| [from.max(0.0), to.min(last)];
    [clip(first - TAU, first - TAU + wide), clip(first, first + wide)]
}

/// The union of intervals, ascending. Gaps that rounding alone makes are closed.
pub(super) fn united(mut spans: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    spans.sort_by(|x, y| x[0].total_cmp(&y[0]).then(x[1].total_cmp(&y[1])));
    let mut out: Vec<[f64; 2]> = Vec::new();
    for span in spans {
        match out.last_mut() {
            Some(last) if span[0] <= last[1] + ROUNDING => last[1] = last[1].max(span[1]),
            _ => out.push(span),
        }
    }
    out
}

/// Times of contact between neighbouring faces differ by a few dozen units in the last place.
pub(super) const ROUNDING: f64 = 64.0 * f64::EPSILON;
