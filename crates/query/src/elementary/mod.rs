//! Closest points of the elementary pieces that bodies are made of, and exact tests whether two of them meet.
//!
//! One file per pair, in the order point, line, ray, segment, plane, triangle, rectangle, box, arc. Segments and
//! triangles are arrays of their corners; all pieces are closed and given in one common frame.
//!
//! **Guarantee.** Distances are off by a few units of rounding of the largest difference of two coordinates involved,
//! also next to the borders of the regions where another feature becomes the closest, for parallel and nearly parallel
//! pieces and for those without length or area. The points lie on their pieces, to that rounding. Boolean tests named
//! `..._intersect` are exact for the coordinates given. **Input.** Finite, and differences below the root of the
//! largest f64.

mod arc;
mod box_box;
mod closest_edges;
mod plane;
mod point_segment;
mod point_straight;
mod point_triangle;
mod rectangle;
mod segment_segment;
mod segment_triangle;
mod straight;
mod straight_box;
mod straight_straight;
mod straight_triangle;
mod triangle_box;
mod triangle_triangle;
mod triangles_intersect;

pub use arc::{Arc, point_arc, segment_arc, straight_arc, triangle_arc};
pub use box_box::box_box;
pub use plane::{Plane, plane_arc, plane_box, plane_rectangle, plane_triangle, point_plane, straight_plane};
pub use point_segment::point_segment;
pub use point_straight::point_straight;
pub use point_triangle::point_triangle;
pub use rectangle::{
    Rectangle, point_rectangle, rectangle_box, rectangle_rectangle, straight_rectangle, triangle_rectangle,
};
pub use segment_segment::segment_segment;
pub use segment_triangle::{segment_triangle, segment_triangle_intersect};
pub use straight::{Line, Ray, Span, Straight};
pub use straight_box::{point_box, straight_box};
pub use straight_straight::straight_straight;
pub use straight_triangle::straight_triangle;
pub use triangle_box::{triangle_box, triangle_box_intersect};
pub use triangle_triangle::{triangle_triangle, triangle_triangle_below};
pub use triangles_intersect::triangles_intersect;

use freiraum_geometry::Vec3;

/// The closest points of two pieces.
///
/// **Frames.** Both points are in the common frame of the pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Square of the distance in square metres; 0 where they meet.
    pub distance_squared: f64,
    /// The point on the first piece.
    pub point_on_a: Vec3,
    /// The point on the second piece.
    pub point_on_b: Vec3,
}

impl Nearest {
    /// The distance of two points.
    fn of_points(point_on_a: Vec3, point_on_b: Vec3) -> Nearest {
        Nearest { distance_squared: point_on_a.distance_squared(point_on_b), point_on_a, point_on_b }
    }

    /// Two pieces that have a point in common.
    fn common(point: Vec3) -> Nearest {
        Nearest { distance_squared: 0.0, point_on_a: point, point_on_b: point }
    }

    /// The distance in metres.
    pub fn distance(&self) -> f64 {
        self.distance_squared.sqrt()
    }

    /// The same answer with the pieces exchanged.
    #[must_use]
    pub fn swapped(&self) -> Nearest {
        Nearest { point_on_a: self.point_on_b, point_on_b: self.point_on_a, ..*self }
    }

    /// The smaller of two distances; the first where they are equal.
    #[must_use]
    fn or_nearer(self, other: Nearest) -> Nearest {
        if other.distance_squared < self.distance_squared { other } else { self }
    }
}
