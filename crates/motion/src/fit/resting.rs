//! Resting contact: how deep bodies that touch may be in each other without an allowance.
//!
//! Coordinates are rounded, so faces that lie on each other overlap by a little or leave a little gap. Bodies that touch before or after a
//! motion are therefore granted a depth of their own, the *resting allowance*: [`RESTING_RELATIVE`] (2⁻²⁴, six hundred-millionths) of the size of the
//! smaller of the two pieces that touch, and the rounding of the positions of the two bodies. A piece is a
//! part of a compound, or a shell of
//! a mesh; its size is the diagonal of its box. The rounding is 128 units in the last place of the farthest
//! coordinate, eight times [`rounding::coordinate`], as much as the searches count as contact. A pin of
//! 10 mm gets 0.6 nm near the origin, and 60 nm more where it and the other body are a thousand kilometres
//! away. Neither the length of a motion nor other
//! bodies change it, and other pieces only by how far they reach from the origin.

use crate::contact_time::reach_of;
use crate::movable::Movable;
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::Motion;
use freiraum_geometry::tolerance::RESTING_RELATIVE;
use freiraum_geometry::{Aabb, Mesh, Pose, Shape};
use freiraum_query::{Prepared, QueryError};

/// How many times [`rounding::coordinate`] the resting allowance has room for.
const ROUNDINGS: f64 = 8.0;

/// A part of a body that is not a compound, with the boxes of its shells.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    body_from_leaf: Pose,
    prepared: Prepared,
    /// In the frame of the leaf: one for each shell of a mesh, one for any other shape, none for a half space.
    shells: Vec<Aabb>,
}

impl Leaf {
    /// All parts of a body, depth first.
    pub(crate) fn all(body: &Prepared) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        collect(body, &Pose::IDENTITY, &mut leaves);
        leaves
    }

    /// The sizes of the shells that come within `gap` of a box given in the frame of another body; infinite for a half space.
    fn sizes_near(&self, other: Option<&Aabb>, other_from_leaf: &Pose, gap: f64) -> f64 {
        // What is solid below has no end there.
        let is_endless = self.prepared.fills_beyond_bounds();
        let is_near = |shell: &&Aabb| {
            is_endless
                || other.is_none_or(|other| {
                    let placed = shell.transformed(other_from_leaf);
                    (placed.min - other.max).max(other.min - placed.max).max_element() <= gap
                })
        };
        self.shells.iter().filter(is_near).map(|shell| shell.size().length()).fold(f64::INFINITY, f64::min)
    }
}

fn collect(body: &Prepared, body_from_part: &Pose, out: &mut Vec<Leaf>) {
    if let Shape::Compound(_) = body.shape() {
        for (part_from_child, child) in body.parts() {
            collect(child, &(*body_from_part * *part_from_child), out);
        }
        return;
    }
    let shells = match body.shape() {
        Shape::Mesh(mesh) => shell_boxes(mesh),
        _ => body.bounds().into_iter().collect(),
    };
    out.push(Leaf { body_from_leaf: *body_from_part, prepared: body.clone(), shells });
}

/// The box of every shell of a mesh.
fn shell_boxes(mesh: &Mesh) -> Vec<Aabb> {
    let (shell_of, count) = super::joints::shells(mesh);
    if count < 2 {
        return vec![mesh.aabb()];
    }
    let mut boxes = vec![Aabb::EMPTY; count];
    for (face, shell) in mesh.faces().iter().zip(shell_of) {
        let Some(shell) = shell else { continue };
        for corner in face.map(|i| mesh.vertices()[i as usize]) {
            boxes[shell] = boxes[shell].grown(corner);
        }
    }
    boxes
}

/// What the rounding of the positions of two bodies at the beginning and at the end of their motions adds to their resting allowance, in metres.
pub fn position_rounding(bodies: [&Movable; 2], motions: [&dyn Motion; 2]) -> f64 {
    let own = |body: &Movable| body.prepared().bounds().map_or(0.0, |bounds| bounds.reach());
    ROUNDINGS * rounding::coordinate(reach_of(motions, [0.0, 1.0]) + own(bodies[0]) + own(bodies[1]))
}

/// The most that the resting allowance of two bodies can be, in metres, wherever they touch; infinite for two half spaces.
pub fn largest_resting_allowance(bodies: [&Movable; 2], position_rounding: f64) -> f64 {
    let size = |body: &Movable| body.prepared().bounds().map_or(f64::INFINITY, |b| b.size().length());
    let smaller = size(bodies[0]).min(size(bodies[1]));
    let smaller = if smaller.is_finite() { smaller } else { 0.0 };
    RESTING_RELATIVE * smaller + position_rounding
}

/// The [resting allowance](self) of two bodies in one placement, in metres; `None` if they do not touch there, that is, if they are farther apart than it.
///
/// `position_rounding` is what [`position_rounding`] says. **Errors.** A pose that is not finite.
pub fn resting_allowance(
    bodies: [&Movable; 2],
    a_from_b: &Pose,
    position_rounding: f64,
) -> Result<Option<f64>, QueryError> {
    let most = largest_resting_allowance(bodies, position_rounding);
    let [a, b] = bodies.map(Movable::prepared);
    // Most pairs are farther apart by their boxes, which costs next to nothing.
    let apart = |own: &Prepared, other: &Prepared, own_from_other: &Pose| {
        let (Some(own), Some(other)) = (filled(own), other.filled_bounds()) else { return false };
        let other = other.transformed(own_from_other);
        (own.min - other.max).max(other.min - own.max).max_element() > most
    };
    if apart(a, b, a_from_b) || apart(b, a, &a_from_b.inverse()) {
        return Ok(None);
    }
    let whole = freiraum_query::distance(a, b, a_from_b)?.distance;
    if whole > most {
        return Ok(None);
    }
    let [leaves_a, leaves_b] = bodies.map(Movable::leaves);
    let mut least: Option<f64> = None;
    for one in leaves_a {
        for other in leaves_b {
            let one_from_other = one.body_from_leaf.inverse() * *a_from_b * other.body_from_leaf;
            let [of_one, of_other] = [one, other].map(|leaf| filled(&leaf.prepared));
            let size = one
                .sizes_near(of_other.as_ref(), &one_from_other.inverse(), most)
                .min(other.sizes_near(of_one.as_ref(), &one_from_other, most));
            let is_endless = of_one.is_none() && of_other.is_none();
            if size.is_infinite() && !is_endless {
                continue;
            }
            let smaller = if is_endless { 0.0 } else { size };
            let allowed = few_digits(RESTING_RELATIVE * smaller + position_rounding);
            let is_whole = leaves_a.len() == 1 && leaves_b.len() == 1;
            let distance = if is_whole {
                whole
            } else {
                freiraum_query::distance(&one.prepared, &other.prepared, &one_from_other)?.distance
            };
            if distance <= allowed {
                least = Some(least.map_or(allowed, |least| least.min(allowed)));
            }
        }
    }
    Ok(least)
}

/// The box of all that a body fills, in its own frame: that of a height field has no lower end. `None` for half spaces, and for compounds with one or with a field.
fn filled(body: &Prepared) -> Option<Aabb> {
    match body.shape() {
        Shape::HeightField(_) if body.fills_beyond_bounds() => {
            body.bounds().map(|bounds| Aabb { min: bounds.min.with_z(f64::NEG_INFINITY), ..bounds })
        }
        _ => body.filled_bounds(),
    }
}

/// Rounded down to four binary digits: bodies are eroded by few different depths, and each is computed once.
fn few_digits(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !((1 << 49) - 1))
}
