//! Motions as arrows: straight for a translation, round for a rotation, both for a screw, along the way for anything else; dashed from start to goal
//! if the way has still to be planned.

use super::layout::Layout;
use super::sheet::Mark;
use super::style::{self, SIGNAL, WHITE};
use freiraum_check::{Course, Mover, Stage};
use freiraum_geometry::math::Screw;
use freiraum_geometry::path::Axis;
use freiraum_geometry::{Pose, Vec2, Vec3};
use freiraum_scene::{Scene, Travel};
use std::f64::consts::{FRAC_PI_2, PI};

/// Width of the shaft, length and width of the head, in millimetres on paper.
const SHAFT: f64 = 0.9;
const HEAD: [f64; 2] = [4.2, 3.2];
/// White around arrows, so that they stand out from what is under them; on either side.
const CASING: f64 = 0.5;
/// Straight arrows are as long as the motion within these limits.
const LENGTHS: [f64; 2] = [10.0, 34.0];
/// A motion that is shorter on paper goes towards the eye or away from it.
const END_ON: f64 = 1.5;
/// Between a body and the arrow that starts at it.
const GAP: f64 = 1.2;
/// Round arrows show angles within these limits.
const ANGLES: [f64; 2] = [0.7, 5.2];
/// The least sine of the angle between the plane of a round arrow and the view.
const LEAST_TILT: f64 = 0.3;
/// Radius of round arrows on paper at least.
const LEAST_RADIUS: f64 = 7.0;

/// The movers whose motion is shown: of a robot only what carries its tool, if that moves.
pub(crate) fn shown<'s>(scene: &Scene, stage: &'s Stage) -> Vec<&'s Mover> {
    let carrier = |mover: &Mover| {
        let Course::Link(course) = &mover.course else { return None };
        let mut link = scene.robots[course.robot].flange;
        while link != course.link {
            link = course.model.joints()[link.checked_sub(1)?].parent;
        }
        Some((course.robot, link))
    };
    let carriers: Vec<(usize, usize)> = stage.movers.iter().filter_map(carrier).collect();
    let is_shown = |mover: &&Mover| {
        let Course::Link(course) = &mover.course else { return true };
        let last = carriers.iter().filter(|(robot, _)| *robot == course.robot).map(|(_, link)| *link).max();
        last.is_none_or(|last| last == course.link)
    };
    stage.movers.iter().filter(is_shown).collect()
}

/// The arrow of a mover of a stage; `points` are those of its bodies in the world, before.
pub(super) fn of_mover(mover: &Mover, stage: &Stage, points: &[Vec3], layout: &Layout) -> Vec<Mark> {
    let mut marks = Vec::new();
    if points.is_empty() {
        return marks;
    }
    let arrows = Arrows { points, center: center(points), layout };
    match mover.travel() {
        Some(Travel::Translate(by)) => arrows.straight(*by, &mut marks),
        Some(Travel::Turn { axis, angle, advance }) => arrows.screw(axis, *angle, *advance, &mut marks),
        Some(Travel::To(_) | Travel::Plan { .. } | Travel::Path(_)) | None => {
            let start = stage.before[mover.bodies[0]];
            let mut breaks = vec![0.0];
            mover.lead.breaks(&mut breaks);
            breaks.push(1.0);
            let at = |t: f64| {
                let change: Pose = mover.lead.pose(t) * start.inverse();
                change.transform_point(arrows.center)
            };
            let share = |pair: &[f64]| {
                let (lo, hi) = (pair[0], pair[1]);
                (0..STEPS).map(move |k| lo + (hi - lo) * f64::from(k) / f64::from(STEPS))
            };
            let mut way: Vec<Vec3> = breaks.windows(2).flat_map(share).map(at).collect();
            way.push(at(1.0));
            let on_paper: Vec<Vec2> = way.iter().filter_map(|p| layout.point(*p)).collect();
            let length: f64 = on_paper.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            if length > LENGTHS[0] {
                // Where it goes is not known before it is planned.
                arrow_with(&on_paper, if mover.is_open() { OPEN } else { &[] }, &mut marks);
            } else {
                match start.screw_to(&mover.lead.pose(1.0)) {
                    Screw::Translation(by) => arrows.straight(by, &mut marks),
                    Screw::Rotation(turn) => {
                        let axis = Axis { point: turn.center, direction: turn.axis };
                        arrows.screw(&axis, turn.angle, turn.advance, &mut marks);
                    }
                }
            }
        }
    }
    marks
}

/// Points on each piece of a way.
const STEPS: u32 = 24;

fn center(points: &[Vec3]) -> Vec3 {
    freiraum_geometry::Aabb::of_points(points).center()
}

struct Arrows<'a> {
    points: &'a [Vec3],
    center: Vec3,
    layout: &'a Layout,
}

impl Arrows<'_> {
    /// How far the body reaches from `from` along a direction.
    fn reach(&self, from: Vec3, along: Vec3) -> f64 {
        self.points.iter().map(|p| (*p - from).dot(along)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// From the front of the body along a translation.
    fn straight(&self, by: Vec3, marks: &mut Vec<Mark>) {
        self.straight_from(self.center, by, marks);
    }

    fn straight_from(&self, from: Vec3, by: Vec3, marks: &mut Vec<Mark>) {
        let Some(along) = by.try_normalize() else { return };
        let front = from + self.reach(from, along) * along;
        let (Some(start), Some(end)) = (self.layout.point(front), self.layout.point(front + by)) else {
            return;
        };
        let length = start.distance(end);
        if length < END_ON {
            self.end_on(start, along, marks);
            return;
        }
        let direction = (end - start) / length;
        let shown = length.clamp(LENGTHS[0], LENGTHS[1]);
        arrow(&[start + GAP * direction, start + (GAP + shown) * direction], marks);
    }

    /// A circle with the point of an arrow that comes, or the feathers of one that goes.
    fn end_on(&self, at: Vec2, along: Vec3, marks: &mut Vec<Mark>) {
        let radius = 2.2;
        let ring = |radius: f64| -> Vec<Vec2> {
            (0..=32).map(|k| at + radius * Vec2::from_angle(f64::from(k % 32) * PI / 16.0)).collect()
        };
        marks.push(Mark::Area { color: WHITE, hairline: 2.0 * CASING, polygons: vec![ring(radius)] });
        marks.push(line(SIGNAL, 0.6, vec![ring(radius)]));
        if self.layout.camera.turned(along).z > 0.0 {
            marks.push(Mark::Area { color: SIGNAL, hairline: 0.0, polygons: vec![ring(0.7)] });
        } else {
            let d = radius * Vec2::splat(0.5f64.sqrt());
            let cross =
                vec![vec![at - d, at + d], vec![at + Vec2::new(d.x, -d.y), at + Vec2::new(-d.x, d.y)]];
            marks.push(line(SIGNAL, 0.6, cross));
        }
    }

    /// Round the axis, with the axis itself, and along it if the body advances.
    fn screw(&self, axis: &Axis, angle: f64, advance: f64, marks: &mut Vec<Mark>) {
        let d = axis.direction;
        let foot = axis.point + (self.center - axis.point).dot(d) * d;
        let [above, below] = [self.reach(foot, d), self.reach(foot, -d)];
        let view = self.layout.camera.direction_to_eye(foot);
        // At the end of the body that is nearer to the eye, a little beyond it.
        let toward = if view.dot(d) >= 0.0 { d } else { -d };
        let height = if view.dot(d) >= 0.0 { above } else { below };
        let least = LEAST_RADIUS / self.layout.scale;
        let middle = foot + (height + 0.25 * least) * toward;
        let own = self.points.iter().map(|p| axis.distance(*p)).fold(0.0, f64::max);
        let radius = own.max(least);

        let beyond = 0.6 * least + 0.12 * (above + below);
        let ends = [foot + (above + beyond) * d, foot - (below + beyond) * d].map(|p| self.layout.point(p));
        if let [Some(p), Some(q)] = ends {
            marks.push(Mark::Line {
                color: style::PALE_INK,
                width: style::THIN,
                dashes: style::CHAIN,
                lines: vec![vec![p, q]],
            });
        }
        // A circle that is seen from its side becomes an ellipse, or nobody would see which way it turns: its near side is let down a little.
        let view = self.layout.camera.direction_to_eye(middle).try_normalize().unwrap_or(d);
        let tilt = view.dot(d);
        let near = view - tilt * d;
        let near = near.try_normalize().unwrap_or_else(|| d.any_orthonormal_vector());
        let sunk = (LEAST_TILT - tilt.abs()).max(0.0) * radius * if tilt >= 0.0 { d } else { -d };
        let shown = angle.abs().clamp(ANGLES[0], ANGLES[1]) * angle.signum();
        let off_axis = self.center - foot;
        let start = if off_axis.length() > 0.3 * radius {
            off_axis.try_normalize()
        } else {
            // The middle of the arrow is on the near side.
            turned(near, d, -0.5 * shown).try_normalize()
        };
        let Some(start) = start else { return };
        let steps = 12 + (48.0 * shown.abs() / (4.0 * FRAC_PI_2)) as u32;
        let at = |k: u32| {
            let out = turned(start, d, shown * f64::from(k) / f64::from(steps));
            self.layout.point(middle + radius * out - out.dot(near) * sunk)
        };
        let arc: Vec<Vec2> = (0..=steps).filter_map(at).collect();
        arrow(&arc, marks);
        if advance != 0.0 {
            self.straight_from(foot, advance * d, marks);
        }
    }
}

/// A vector across `axis`, turned about it.
fn turned(v: Vec3, axis: Vec3, angle: f64) -> Vec3 {
    angle.cos() * v + angle.sin() * axis.cross(v)
}

fn line(color: freiraum_scene::Color, width: f64, lines: Vec<Vec<Vec2>>) -> Mark {
    Mark::Line { color, width, dashes: &[], lines }
}

/// Dashes of the arrow of a motion that has still to be planned, in millimetres.
const OPEN: &[f64] = &[3.0, 2.0];

/// An arrow along a line, its point at the end, with white round it.
fn arrow(way: &[Vec2], marks: &mut Vec<Mark>) {
    arrow_with(way, &[], marks);
}

fn arrow_with(way: &[Vec2], dashes: &'static [f64], marks: &mut Vec<Mark>) {
    let [.., tip] = way[..] else { return };
    // The head looks along the chord over its own length.
    let back = way.iter().rev().find(|p| p.distance(tip) >= 0.9 * HEAD[0]).or(way.first());
    let Some(along) = back.and_then(|p| (tip - *p).try_normalize()) else { return };
    let base = tip - HEAD[0] * along;
    let across = 0.5 * HEAD[1] * along.perp();
    let head = vec![tip, base + across, base + 0.22 * HEAD[0] * along, base - across];
    // The shaft ends inside the head.
    let mut shaft = way.to_vec();
    while shaft.len() > 1 && shaft[shaft.len() - 1].distance(tip) < 0.6 * HEAD[0] {
        shaft.pop();
    }
    shaft.push(base + 0.4 * HEAD[0] * along);
    marks.push(line(WHITE, SHAFT + 2.0 * CASING, vec![shaft.clone()]));
    marks.push(Mark::Area { color: WHITE, hairline: 2.0 * CASING, polygons: vec![head.clone()] });
    marks.push(Mark::Line { color: SIGNAL, width: SHAFT, dashes, lines: vec![shaft] });
    marks.push(Mark::Area { color: SIGNAL, hairline: 0.0, polygons: vec![head] });
}
