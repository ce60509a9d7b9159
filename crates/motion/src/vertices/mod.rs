//! Vertices that move on their own straight lines: when a vertex meets a face, or an edge an edge.
//!
//! For meshes that deform. All points go from their place at t = 0 to their place at t = 1 with constant speed, each on its own
//! line, so that faces turn and stretch on the way. Contacts are never missed: "no contact" is proven, rounding included. The
//! other answer, a contact, holds up to rounding; in rare cases it is a near miss by a few units in the last place.
//!
//! How: the differences between a vertex and the corners of a face span a triangle that moves, those between the ends of two
//! edges a parallelogram; there is contact when the origin lies in it. A direction in which all corners are on one
//! side of the origin at two times is one for all times between, because every corner moves on a straight line. Such directions
//! are chained from t = 0 on; where the chain cannot go on, there is contact.

mod cubic;
mod polygon;

use freiraum_geometry::Vec3;
use polygon::MovingPolygon;

/// The first contact of features whose vertices move on straight lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexContact {
    /// When, in [0, 1]. The features are proven apart, by more than the separation asked for, at all times before.
    pub time: f64,
    /// How far they are apart at that time, in metres, up to rounding.
    pub gap: f64,
    /// False if the budget of steps ended here: contact is then assumed, not found.
    pub decided: bool,
}

/// The first time at which a moving vertex comes as close as `separation` metres to a moving triangle; `None` if it never does.
///
/// `vertex` and `face`: at t = 0 and at t = 1. **Guarantee.** `None` is proven for the given numbers, rounding
/// included, with `separation` 0 as with any other. Contact is found up to rounding: some 16 units in the last place of the
/// differences between the points, up to 800 where they graze each other; a positive separation up to 1/65 536 of it,
/// or with the budget at an end where features turn fast. **Degenerate input.** Triangles that have or get no area, vertices that move in the
/// plane of the face, and points that do not move are like any other. Coordinates that are not finite meet at once.
/// **Cost.** A few steps of some 50 nanoseconds, at most 200; no allocation.
pub fn vertex_face_time(vertex: [Vec3; 2], face: [[Vec3; 3]; 2], separation: f64) -> Option<VertexContact> {
    let differences = |t: usize| face[t].map(|corner| corner - vertex[t]);
    MovingPolygon::new(differences(0), differences(1)).first_contact(separation)
}

/// The first time at which two moving segments come as close as `separation` metres to each other; see [`vertex_face_time`].
///
/// `a` and `b`: both ends at t = 0, both ends at t = 1. Parallel segments and segments without length are like any other.
pub fn edge_edge_time(a: [[Vec3; 2]; 2], b: [[Vec3; 2]; 2], separation: f64) -> Option<VertexContact> {
    let differences = |t: usize| {
        let ([p, q], [r, s]) = (a[t], b[t]);
        [p - r, q - r, q - s, p - s]
    };
    MovingPolygon::new(differences(0), differences(1)).first_contact(separation)
}
