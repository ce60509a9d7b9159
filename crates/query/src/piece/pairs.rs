//! Two pieces in one frame: every pair of kinds.

use super::Piece;
use super::arc::arc_arc;
use crate::elementary::{
    Arc, Nearest, Rectangle, Straight, point_arc, point_rectangle, point_segment, point_straight,
    point_triangle, rectangle_rectangle, segment_arc, segment_segment, segment_triangle, straight_arc,
    straight_rectangle, straight_straight, straight_triangle, triangle_arc, triangle_rectangle,
    triangle_triangle,
};
use freiraum_geometry::Vec3;

/// The nearest points of two pieces in one frame.
pub(super) fn nearest(a: &Piece, b: &Piece) -> Nearest {
    match (a, b) {
        (Piece::Point(a), b) => of_point(*a, b),
        (a, Piece::Point(b)) => of_point(*b, a).swapped(),
        (Piece::Segment(a), Piece::Segment(b)) => segment_segment(*a, *b),
        (Piece::Segment(a), Piece::Triangle(b)) => segment_triangle(*a, *b),
        (Piece::Triangle(a), Piece::Segment(b)) => segment_triangle(*b, *a).swapped(),
        (Piece::Segment(a), Piece::Arc(b)) => segment_arc(*a, b),
        (Piece::Arc(a), Piece::Segment(b)) => segment_arc(*b, a).swapped(),
        (Piece::Segment(a), b) => of_straight(*a, b),
        (Piece::Line(a), b) => of_straight(*a, b),
        (Piece::Ray(a), b) => of_straight(*a, b),
        (a, Piece::Segment(b)) => of_straight(*b, a).swapped(),
        (a, Piece::Line(b)) => of_straight(*b, a).swapped(),
        (a, Piece::Ray(b)) => of_straight(*b, a).swapped(),
        (Piece::Triangle(a), Piece::Triangle(b)) => triangle_triangle(*a, *b),
        (Piece::Triangle(a), Piece::Rectangle(b)) => triangle_rectangle(*a, b),
        (Piece::Rectangle(a), Piece::Triangle(b)) => triangle_rectangle(*b, a).swapped(),
        (Piece::Rectangle(a), Piece::Rectangle(b)) => rectangle_rectangle(a, b),
        (Piece::Triangle(a), Piece::Arc(b)) => triangle_arc(*a, b),
        (Piece::Arc(a), Piece::Triangle(b)) => triangle_arc(*b, a).swapped(),
        (Piece::Rectangle(a), Piece::Arc(b)) => rectangle_arc(a, b),
        (Piece::Arc(a), Piece::Rectangle(b)) => rectangle_arc(b, a).swapped(),
        (Piece::Arc(a), Piece::Arc(b)) => arc_arc(a, b),
    }
}

fn of_point(a: Vec3, b: &Piece) -> Nearest {
    match b {
        Piece::Point(b) => point_segment(a, [*b, *b]),
        Piece::Segment(b) => point_segment(a, *b),
        Piece::Line(b) => point_straight(a, *b),
        Piece::Ray(b) => point_straight(a, *b),
        Piece::Triangle(b) => point_triangle(a, *b),
        Piece::Rectangle(b) => point_rectangle(a, b),
        Piece::Arc(b) => point_arc(a, b),
    }
}

fn of_straight(a: impl Straight, b: &Piece) -> Nearest {
    match b {
        Piece::Point(b) => point_straight(*b, a).swapped(),
        Piece::Segment(b) => straight_straight(a, *b),
        Piece::Line(b) => straight_straight(a, *b),
        Piece::Ray(b) => straight_straight(a, *b),
        Piece::Triangle(b) => straight_triangle(a, *b),
        Piece::Rectangle(b) => straight_rectangle(a, b),
        Piece::Arc(b) => straight_arc(a, b),
    }
}

/// Both halves of the rectangle.
fn rectangle_arc(a: &Rectangle, b: &Arc) -> Nearest {
    let [p, q, r, s] = a.corners();
    let (first, second) = (triangle_arc([p, q, r], b), triangle_arc([p, r, s], b));
    if second.distance_squared < first.distance_squared { second } else { first }
}
