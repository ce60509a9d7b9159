//! The smallest box of any orientation around points, and the box around two boxes.

use super::body::{Body, Form};
use super::box_search::smallest_orientation;
use super::directions::x_to;
use super::rectangle::on_plane;
use crate::math::{Aabb, Mat3, Pose, Quat, Vec3, rounding};

/// A box of any orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    /// `frame_from_box`: the box is centred on its own origin, its edges are parallel to its own axes.
    pub pose: Pose,
    /// Half the edge lengths along its own x, y and z, in metres.
    pub half: Vec3,
}

impl OrientedBox {
    /// True if `point` (in the outer frame) lies in the closed box.
    pub fn contains(&self, point: Vec3) -> bool {
        self.local(point).abs().cmple(self.half).all()
    }

    /// Volume in cubic metres.
    pub fn volume(&self) -> f64 {
        8.0 * self.half.element_product()
    }

    /// The eight corners in the outer frame.
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|i| {
            let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
            self.pose.transform_point(self.half * Vec3::new(sign(1), sign(2), sign(4)))
        })
    }

    /// The point in the frame of the box. The difference is formed first: it is exact or nearly so for points near
    /// the box, however far both are from the origin.
    fn local(&self, point: Vec3) -> Vec3 {
        self.pose.rotation().conjugate() * (point - self.pose.translation())
    }
}

/// The smallest box (by volume, in any orientation) around all points, its longest edges along x, its shortest along z.
///
/// `None` if there are no points, a coordinate is not finite or beyond the limit of
/// [`convex_hull`](crate::hull::convex_hull).
///
/// **Guarantee.** Every point is inside, by [`OrientedBox::contains`] and in real numbers: the halves are rounded up
/// by 32 ε times the diagonal. The orientation is the best of a global search (even spread of orientations, largest
/// facets, descent to contact with whole edges); it is a local minimum, and on the test sets no larger than what the
/// search over all hull facets, principal axes or a dense search of all rotations found. That it is the global one is not
/// proven. The same points give the same box; moved or scaled points the moved or scaled box up to rounding. Turned
/// points are searched from other starts, and may in rare cases end in another minimum.
/// **Degenerate input.** Points in a plane get the rectangle of smallest area, points on a line their segment, with
/// volume 0 (up to rounding, where the plane or line is itself only met up to rounding).
/// **Cost.** The convex hull and about a millisecond; more for hulls with thousands of corners.
pub fn smallest_box(points: &[Vec3]) -> Option<OrientedBox> {
    let body = Body::of(points)?;
    Some(around(body.decisive(points), best_orientation(&body), body.scaling.middle))
}

/// The orientation of the smallest box found around a prepared body; its axes are in no particular order.
pub(super) fn best_orientation(body: &Body) -> Quat {
    match &body.form {
        Form::Point => Quat::IDENTITY,
        Form::Line(along) => x_to(*along),
        Form::Plane(normal, corners) => on_plane(corners, *normal),
        Form::Solid(polytope) => smallest_orientation(polytope),
    }
}

/// A small box around two boxes: the smallest box of their sixteen corners.
///
/// **Guarantee.** Both boxes are inside up to the rounding of their corners
/// ([`rounding::coordinate`] of the largest coordinate), which the halves are
/// rounded up by.
pub fn box_of_two_boxes(a: &OrientedBox, b: &OrientedBox) -> OrientedBox {
    let corners = [a.corners(), b.corners()].concat();
    let reach = Aabb::of_points(&corners).reach();
    // Corners that are not finite cannot come from finite boxes; the first box then is as good an answer as any.
    let Some(mut union) = smallest_box(&corners) else { return *a };
    union.half += rounding::coordinate(reach);
    union
}

/// The tightest box of that orientation around all points (at least one), edges sorted by length.
fn around(points: &[Vec3], rotation: Quat, middle: Vec3) -> OrientedBox {
    let box_from_frame = Mat3::from_quat(rotation.conjugate());
    let extent = points.iter().fold(Aabb::EMPTY, |b, &p| b.grown(box_from_frame * (p - middle)));
    let center = middle + rotation * extent.center();
    let rotation = rotation * longest_first(extent.size());
    let pose = Pose::new(rotation, center).unwrap_or(Pose::from_translation(middle));
    let mut tight = OrientedBox { pose, half: Vec3::ZERO };
    let largest = points.iter().fold(Vec3::ZERO, |most, &p| most.max(tight.local(p).abs()));
    // Turning a point into the frame of the box takes some ten rounded operations on numbers no larger than its
    // distance; twice that for points that are no corners. A computed half of exactly zero stays: such points are
    // flat as far as can be told.
    let rounding = 32.0 * f64::EPSILON * largest.length();
    tight.half = Vec3::select(largest.cmpgt(Vec3::ZERO), largest + rounding, largest);
    tight
}

/// The exact quarter turns that take the box with its edges in order of length to the box with edges of those sizes.
fn longest_first(sizes: Vec3) -> Quat {
    let mut order = [0, 1, 2];
    order.sort_by(|&i: &usize, &j| sizes[j].total_cmp(&sizes[i]));
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let (x, y) = (axes[order[0]], axes[order[1]]);
    Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y)))
}
