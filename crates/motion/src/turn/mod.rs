//! Can a body turn completely about an axis next to another, or slide along an infinite line?
//!
//! A full turn takes every point of space round a circle, which is known by two numbers: its distance from the axis and
//! its height along it. Two bodies meet during a full turn exactly if their images in the half plane of (distance, height)
//! have points in common. Sliding along a line does the same with the plane across it. The time plays no part any more: what is
//! left is a question in a plane.
//!
//! - [`full_turn`], [`slide`]: free or not, how much room is left, and where it is not free
//! - [`contour`]: the outline of an image for plots: nearest and farthest distance as functions of the height
//!
//! **Method.** The image of a surface is the union of the images of its faces. Pairs of faces are found through the trees by boxes
//! in (distance, height) and decided in closed form. This holds for convex and other bodies alike. The surfaces alone are
//! not enough: a body around the axis that holds the other one in its inside has a surface that is never met. If the surfaces
//! do not meet during the turn, nothing changes between the bodies while it lasts, so one look at the start decides.
//! Spheres and capsules are points and segments with a radius around them, in space as in the plane. Cylinders, cones and
//! half spaces are asked for their [`clearance`](crate::clearance()) in a rotation by a full turn.

mod contour;
mod gap;
mod nested;
mod profile;
mod round;
mod screwed;
mod skin;
mod symmetry;

pub(crate) use contour::Outline;
pub use contour::{Contour, ContourPiece, contour};
pub(crate) use nested::nested_gap;
pub(crate) use screwed::Screwed;

use crate::MotionWorkspace;
use crate::chart::{Chart, ChartBox, RotationChart, TranslationChart};
use crate::containment::is_excluded_at;
use crate::descend::{Side, best_first};
use crate::movable::{Form, Movable};
use crate::sides;
use crate::verdict::MotionError;
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::{Axis, Uniform, UniformMotion};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::elementary::triangle_triangle;
use freiraum_query::intersects;
use std::f64::consts::TAU;
use symmetry::{Blur, Representatives, representatives};

/// Whether a body can turn completely.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct TurnAnswer {
    /// True if the bodies have no point in common at any angle: proven, up to the rounding of coordinates.
    pub free: bool,
    /// A lower bound in metres of the distance at all angles; 0 if it is not free. Within 1/64 of the
    /// smallest distance.
    pub clearance_lower: f64,
    /// Where surfaces meet first found, if it is not free. `None` then means that one body lies inside the other at all angles, or may do so.
    pub contact: Option<TurnContact>,
    /// True if surfaces never meet and it cannot be excluded that one body is inside the other, because a surface bounds no solid
    /// ([`containment`](crate::containment)): not free, and not proven to collide.
    pub inside_unknown: bool,
}

/// Where two bodies meet in the course of a full turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnContact {
    /// Distance from the axis in metres.
    pub distance: f64,
    /// Height along the axis in metres, from its point on.
    pub height: f64,
    /// The faces that meet, of a and of b, numbered as in [`Feature`](crate::Feature); those of compounds within their part.
    /// `None` if one of them is round.
    pub faces: Option<[u32; 2]>,
    /// False if the search ended undecided: then contact is assumed, not found.
    pub decided: bool,
}

/// Whether a body can slide along a line without end.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct SlideAnswer {
    /// True if the bodies have no point in common wherever on the line: proven, up to the rounding of coordinates.
    pub free: bool,
    /// A lower bound in metres of the distance wherever on the line; 0 if it is not free. Up to rounding the smallest
    /// distance for bodies with plane faces, spheres and capsules, within a thousandth of it for others.
    pub clearance_lower: f64,
    /// Where surfaces meet, if it is not free.
    pub contact: Option<SlideContact>,
}

/// Where two bodies meet in the course of a slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlideContact {
    /// A point of the line, along the direction of the slide, that both bodies reach; in the frame of a.
    pub point: Vec3,
    /// As in [`TurnContact`].
    pub faces: Option<[u32; 2]>,
    /// As in [`TurnContact`].
    pub decided: bool,
}

/// Whether b can turn completely about the axis without meeting a.
///
/// **Frames.** The axis and the pose of b are in the frame of a. **Guarantee.** Free is proven, up to the rounding of
/// coordinates; touching is not free. **Degenerate input.** An axis through corners, along edges or in the planes of faces, and
/// faces across the axis, are like any other. Surfaces that bound no solid leave it unknown what is inside of them ([`TurnAnswer::inside_unknown`]).
/// **Errors.** A pose that is not finite. **Cost.** Faces with the same image, up to single precision, are looked at once; those whose
/// boxes in (distance, height) overlap are compared in pairs, some 0.2 microseconds each.
pub fn full_turn(
    a: &Movable,
    b: &Movable,
    a_from_b: &Pose,
    axis: &Axis,
    memory: &mut MotionWorkspace,
) -> Result<TurnAnswer, MotionError> {
    let round = UniformMotion::rotation(*a_from_b, *axis, TAU);
    let sided = sides::during([a, b], [&UniformMotion::still(Pose::IDENTITY), &round])?;
    let [a, b] = sided.bodies([a, b]);
    let axes = RotationChart::axes(axis);
    let mut lower = f64::INFINITY;
    let mut contact = None;
    for p in a.pieces() {
        for q in b.pieces().iter().filter(|q| p.may_meet(q)) {
            let (Form::Faces(tree_a), Form::Faces(tree_b)) = (&p.form, &q.form) else { continue };
            let a_from_q = *a_from_b * q.body_from_piece;
            // The point of the axis next to the bodies: coordinates stay small.
            let middle = p.body_from_piece.transform_point(tree_a.mesh().aabb().center());
            let shift = axis.direction.dot(middle - axis.point);
            let origin = axis.point + axis.direction * shift;
            let reach = reach(&p.body_from_piece, tree_a) + reach(&a_from_q, tree_b) + q.offset();
            let slack = rounding::coordinate(2.0 * (reach + origin.abs().max_element()));
            let chart_a = RotationChart::new(axes, origin, &p.body_from_piece, slack);
            let chart_b = RotationChart::new(axes, origin, &a_from_q, slack);
            let square = |height: f64| 2.0 * height * (reach + origin.length());
            let blur = |height: f64| Blur { height, square: square(height) };
            // Cells wide enough for rounding, so that faces with the same image fall into the same one. Coordinates from files are
            // often rounded to single precision: what is free with cells as wide as that needs no closer look.
            for (blur, is_last) in [(blur(SINGLE * reach), false), (blur(4.0 * slack), true)] {
                let (few_a, few_b) =
                    (representatives(tree_a, &chart_a, &blur), representatives(tree_b, &chart_b, &blur));
                let is_coarse = few_a.is_some() || few_b.is_some();
                if !is_coarse && !is_last {
                    continue;
                }
                let (slack, square) =
                    if is_coarse { (slack + 2.0 * blur.height, 2.0 * blur.square) } else { (slack, 0.0) };
                let side_a = Side { tree: few_a.as_ref().map_or(&**tree_a, |few| &few.tree), chart: chart_a };
                let side_b = Side { tree: few_b.as_ref().map_or(&**tree_b, |few| &few.tree), chart: chart_b };
                let face = |side: &Side<RotationChart>, few: &Option<Representatives>, i: u32| {
                    let face = side.tree.faces()[i as usize];
                    few.as_ref().map_or(face, |few| few.faces[face as usize])
                };
                // How much of the room is lost to the width of the cells.
                let (mut room, mut lost) = (lower, 0.0);
                // Boxes hold the faces that are looked at, not those they stand for.
                let wide = |a: &ChartBox, b: &ChartBox| (apart(a, b) - blurred(a, b, slack, square)).max(0.0);
                best_first(&side_a, &side_b, lower, &mut memory.search, wide, |i, j, bound| {
                    let (on_a, on_b) =
                        (side_a.tree.triangles()[i as usize], side_b.tree.triangles()[j as usize]);
                    let boxes = (side_a.chart.triangle_box(on_a), side_b.chart.triangle_box(on_b));
                    let on_a = on_a.map(|p| side_a.chart.point(p));
                    let on_b = on_b.map(|p| side_b.chart.point(p));
                    if let Some(point) = profile::common_point(&on_a, &on_b, slack, square) {
                        contact = Some(TurnContact {
                            distance: point.distance,
                            height: point.height + shift,
                            faces: Some([face(&side_a, &few_a, i), face(&side_b, &few_b, j)]),
                            decided: true,
                        });
                        room = 0.0;
                    } else {
                        let off = blurred(&boxes.0, &boxes.1, slack, square);
                        let gap = gap::gap(&on_a, &on_b, off, room);
                        // Never zero without contact: that would end the search.
                        let gap = gap.max(bound).max(f64::MIN_POSITIVE);
                        if gap < room {
                            (room, lost) = (gap, off);
                        }
                    }
                    room
                });
                if contact.is_none() && (is_last || lost <= room / 64.0) {
                    lower = room;
                    break;
                }
                if is_last {
                    return Ok(TurnAnswer {
                        free: false,
                        clearance_lower: 0.0,
                        contact,
                        inside_unknown: false,
                    });
                }
                contact = None;
            }
        }
    }
    if let Some(contact) = skin::turn(a, b, a_from_b, axis, &mut lower) {
        return Ok(TurnAnswer {
            free: false,
            clearance_lower: 0.0,
            contact: Some(contact),
            inside_unknown: false,
        });
    }
    let rounds = round::turn(a, b, a_from_b, axis, lower, memory)?;
    if let round::Rounds::Met { point, decided } = rounds {
        let height = axis.direction.dot(point - axis.point);
        let contact = Some(TurnContact { distance: axis.distance(point), height, faces: None, decided });
        return Ok(TurnAnswer { free: false, clearance_lower: 0.0, contact, inside_unknown: false });
    }
    if intersects(a.prepared(), b.prepared(), a_from_b)? {
        return Ok(TurnAnswer { free: false, clearance_lower: 0.0, contact: None, inside_unknown: false });
    }
    // Surfaces never meet: containment that is excluded at one angle is excluded at all of them.
    let turn = Uniform::Screw { axis: *axis, angle: TAU, advance: 0.0 };
    let mut is_excluded = false;
    for k in 0..ANGLES {
        let pose = turn.at(f64::from(k) / f64::from(ANGLES)) * *a_from_b;
        is_excluded = is_excluded || is_excluded_at(a.prepared(), b.prepared(), &pose)?;
    }
    if !is_excluded {
        return Ok(TurnAnswer { free: false, clearance_lower: 0.0, contact: None, inside_unknown: true });
    }
    Ok(TurnAnswer {
        free: true,
        clearance_lower: rounds.lower().min(lower),
        contact: None,
        inside_unknown: false,
    })
}

/// At how many angles it is looked whether containment is excluded.
const ANGLES: u32 = 16;

/// Whether b can slide along the direction, to both sides without end, without meeting a; see [`full_turn`].
///
/// `direction`: of any length but zero, in the frame of a. A direction of no length is a question about one place.
pub fn slide(
    a: &Movable,
    b: &Movable,
    a_from_b: &Pose,
    direction: Vec3,
    memory: &mut MotionWorkspace,
) -> Result<SlideAnswer, MotionError> {
    let mut lower = f64::INFINITY;
    let mut contact = None;
    let Some(direction) = freiraum_geometry::math::unit(direction) else {
        let closest = freiraum_query::distance(a.prepared(), b.prepared(), a_from_b)?;
        let free = is_excluded_at(a.prepared(), b.prepared(), a_from_b)?;
        let contact =
            (!free).then_some(SlideContact { point: closest.point_on_a, faces: None, decided: true });
        return Ok(SlideAnswer { free, clearance_lower: closest.distance.max(0.0), contact });
    };
    let sided = sides::along([a, b], a_from_b, direction)?;
    let [a, b] = sided.bodies([a, b]);
    let axes = TranslationChart::axes(direction);
    for p in a.pieces() {
        for q in b.pieces().iter().filter(|q| p.may_meet(q)) {
            let (Form::Faces(tree_a), Form::Faces(tree_b)) = (&p.form, &q.form) else { continue };
            let a_from_q = *a_from_b * q.body_from_piece;
            let reach = reach(&p.body_from_piece, tree_a) + reach(&a_from_q, tree_b) + q.offset();
            let slack = rounding::coordinate(reach);
            let side_a = Side { tree: tree_a, chart: TranslationChart::new(axes, &p.body_from_piece, slack) };
            let side_b = Side { tree: tree_b, chart: TranslationChart::new(axes, &a_from_q, slack) };
            let flat = |p: Vec3| {
                let p = axes.transpose() * p;
                Vec3::new(p.y, p.z, 0.0)
            };
            best_first(&side_a, &side_b, lower, &mut memory.search, apart, |i, j, bound| {
                let on_a = tree_a.triangles()[i as usize].map(|v| flat(p.body_from_piece.transform_point(v)));
                let on_b = tree_b.triangles()[j as usize].map(|v| flat(a_from_q.transform_point(v)));
                let nearest = triangle_triangle(on_a, on_b);
                let distance = nearest.distance();
                if distance <= 2.0 * slack {
                    let across = nearest.point_on_a;
                    contact = Some(SlideContact {
                        point: axes * Vec3::new(0.0, across.x, across.y),
                        faces: Some([tree_a.faces()[i as usize], tree_b.faces()[j as usize]]),
                        decided: true,
                    });
                    lower = 0.0;
                } else {
                    lower = lower.min((distance - 2.0 * slack).max(bound));
                }
                lower
            });
            if contact.is_some() {
                return Ok(SlideAnswer { free: false, clearance_lower: 0.0, contact });
            }
        }
    }
    if let Some(contact) = skin::slide(a, b, a_from_b, direction, &mut lower) {
        return Ok(SlideAnswer { free: false, clearance_lower: 0.0, contact: Some(contact) });
    }
    match round::slide(a, b, a_from_b, direction, lower, memory)? {
        round::Rounds::Met { point, decided } => {
            let contact = Some(SlideContact { point, faces: None, decided });
            Ok(SlideAnswer { free: false, clearance_lower: 0.0, contact })
        }
        // Whoever lies inside the other shares the lines through it with its surface.
        rounds @ round::Rounds::Apart(_) => {
            Ok(SlideAnswer { free: true, clearance_lower: rounds.lower().min(lower), contact: None })
        }
    }
}

/// Rounding of coordinates to single precision, as a share of the largest: two units in the last place.
const SINGLE: f64 = 2.0 * f32::EPSILON as f64;

/// How much nearer images may be than they look.
fn blurred(a: &ChartBox, b: &ChartBox, slack: f64, square: f64) -> f64 {
    // Off by `square` in the square of a distance is off by its root at most, and by less the farther out it is.
    let off = |near: f64| if square > 0.0 { square / near.max(square.sqrt()) } else { 0.0 };
    2.0 * slack + off(a.min[1]) + off(b.min[1])
}

/// Distance of two boxes in the plane of the coordinates that the motion does not change.
fn apart(a: &ChartBox, b: &ChartBox) -> f64 {
    let gap = |k: usize| (a.min[k] - b.max[k]).max(b.min[k] - a.max[k]).max(0.0);
    let (u, v) = (gap(1), gap(2));
    (u * u + v * v).sqrt() * (1.0 - 4.0 * f64::EPSILON)
}

/// The largest coordinate of a body in frame a, about; not less.
fn reach(a_from_body: &Pose, tree: &freiraum_query::mesh_tree::MeshTree) -> f64 {
    2.0 * tree.mesh().aabb().reach() + a_from_body.translation().abs().max_element()
}
