//! Points, segments, lines, rays, triangles, rectangles and arcs: pieces without volume, and how far they are from each
//! other and from shapes.
//!
//! - a piece and a piece: the closed forms of [`elementary`](crate::elementary); two arcs by branch and bound
//! - a piece and a shape: the closed form or GJK for convex shapes, the elementary pair with every near triangle for
//!   surfaces, the nearest part of compounds
//!
//! Lines and rays are cut to the part that can be nearest to what is bounded, which changes no answer.

mod arc;
mod pairs;
mod solid;

use crate::dispatch::check_pose;
use crate::elementary::{Arc, Line, Nearest, Ray, Rectangle};
use crate::{Closest, Prepared, QueryError};
use freiraum_geometry::math::{rounding, unit};
use freiraum_geometry::{Pose, Vec3};

/// What has no volume: a connected set of points in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Piece {
    /// One point.
    Point(Vec3),
    /// All points between two.
    Segment([Vec3; 2]),
    /// Without ends.
    Line(Line),
    /// With one end.
    Ray(Ray),
    /// The face, not only its border.
    Triangle([Vec3; 3]),
    /// The face, not only its border.
    Rectangle(Rectangle),
    /// A part of a circle, or all of it; without the disc.
    Arc(Arc),
}

/// How far a piece is from something else.
///
/// **Frames.** The frame of the first of the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieceDistance {
    /// Nearest points; the distance is 0, and the points the same, where they meet.
    pub closest: Closest,
    /// True if they have a point in common, up to the rounding of their coordinates. `None` if the piece is where it is unknown whether
    /// that is inside; the distance is that from the surface then.
    pub intersects: Option<bool>,
}

impl Piece {
    /// The same piece in another frame.
    #[must_use]
    pub fn placed(&self, other_from_piece: &Pose) -> Piece {
        let point = |p: Vec3| other_from_piece.transform_point(p);
        let turned = |v: Vec3| other_from_piece.rotate(v);
        match *self {
            Piece::Point(p) => Piece::Point(point(p)),
            Piece::Segment(ends) => Piece::Segment(ends.map(point)),
            Piece::Line(line) => {
                Piece::Line(Line { point: point(line.point), direction: turned(line.direction) })
            }
            Piece::Ray(ray) => {
                Piece::Ray(Ray { origin: point(ray.origin), direction: turned(ray.direction) })
            }
            Piece::Triangle(corners) => Piece::Triangle(corners.map(point)),
            Piece::Rectangle(of) => {
                Piece::Rectangle(Rectangle { center: point(of.center), half: of.half.map(turned) })
            }
            Piece::Arc(arc) => Piece::Arc(arc.placed(other_from_piece)),
        }
    }

    /// What it is called: `point`, `segment`, `line`, `ray`, `triangle`, `rectangle` or `arc`.
    pub fn name(&self) -> &'static str {
        match self {
            Piece::Point(_) => "point",
            Piece::Segment(_) => "segment",
            Piece::Line(_) => "line",
            Piece::Ray(_) => "ray",
            Piece::Triangle(_) => "triangle",
            Piece::Rectangle(_) => "rectangle",
            Piece::Arc(_) => "arc",
        }
    }

    /// One of its points.
    fn point(&self) -> Vec3 {
        match self {
            Piece::Point(p) => *p,
            Piece::Segment([p, _]) | Piece::Triangle([p, ..]) => *p,
            Piece::Line(line) => line.point,
            Piece::Ray(ray) => ray.origin,
            Piece::Rectangle(of) => of.corners()[0],
            Piece::Arc(arc) => arc.at(0.0),
        }
    }

    /// The points whose hull it is; `None` for arcs, lines and rays.
    fn corners(&self) -> Option<Corners> {
        Some(match self {
            Piece::Point(p) => Corners { points: [*p; 4], count: 1 },
            Piece::Segment([p, q]) => Corners { points: [*p, *q, *q, *q], count: 2 },
            Piece::Triangle([p, q, r]) => Corners { points: [*p, *q, *r, *r], count: 3 },
            Piece::Rectangle(of) => Corners { points: of.corners(), count: 4 },
            Piece::Line(_) | Piece::Ray(_) | Piece::Arc(_) => return None,
        })
    }

    /// The largest coordinate of the points that it is written with.
    fn reach(&self) -> f64 {
        let largest = |points: &[Vec3]| points.iter().fold(0.0, |reach, p| p.abs().max_element().max(reach));
        match self {
            Piece::Line(_) | Piece::Ray(_) => largest(&[self.point()]),
            Piece::Arc(arc) => largest(&[arc.center()]) + arc.radius(),
            _ => self.corners().map_or(0.0, |corners| largest(corners.points())),
        }
    }
}

/// Up to four points.
#[derive(Clone, Copy)]
struct Corners {
    points: [Vec3; 4],
    count: usize,
}

impl Corners {
    fn points(&self) -> &[Vec3] {
        &self.points[..self.count]
    }
}

/// The distance of two pieces.
///
/// **Guarantee.** That of the pairs in [`elementary`](crate::elementary), for b rounded into the frame of a. Of two arcs: no points of the two
/// are nearer by more than 1e-8 of the radius of b, and by more than rounding unless the arcs keep nearly the same
/// distance along a stretch. Pieces no farther apart than the rounding of their coordinates meet.
/// **Errors.** A pose that is not finite, or beyond the largest coordinate.
pub fn distance_of_pieces(a: &Piece, b: &Piece, a_from_b: &Pose) -> Result<PieceDistance, QueryError> {
    check_pose(a_from_b)?;
    let nearest = pairs::nearest(a, &b.placed(a_from_b));
    let slack = slack(a.reach() + b.reach() + a_from_b.translation().abs().max_element(), &nearest);
    Ok(found(nearest, slack))
}

/// The distance of the piece a from the shape b; 0 where they meet, and where the piece is inside.
///
/// **Guarantee.** As for [`distance`](crate::distance()) with a shape in place of the piece. For arcs as for two arcs.
/// **Errors.** A pose that is not finite, or beyond the largest coordinate.
///
/// ```
/// use freiraum_geometry::{Pose, Shape, Vec3, shape::Cylinder};
/// use freiraum_query::{Piece, Prepared, distance_of_piece, elementary::Line};
///
/// let line = Piece::Line(Line { point: Vec3::new(0.0, 3.0, 0.0), direction: Vec3::X });
/// let post = Prepared::new(Shape::Cylinder(Cylinder::new(1.0, 5.0)?));
/// let found = distance_of_piece(&line, &post, &Pose::IDENTITY)?;
/// assert!((found.closest.distance - 2.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance_of_piece(a: &Piece, b: &Prepared, a_from_b: &Pose) -> Result<PieceDistance, QueryError> {
    check_pose(a_from_b)?;
    let in_b = solid::distance(&a.placed(&a_from_b.inverse()), b, solid::turns(a_from_b));
    Ok(PieceDistance { closest: in_b.closest.placed(a_from_b), ..in_b })
}

/// How far apart two points may be found although the pieces meet, for coordinates up to this.
fn slack(reach: f64, nearest: &Nearest) -> f64 {
    let points = nearest.point_on_a.abs().max(nearest.point_on_b.abs()).max_element();
    rounding::coordinate(reach + points)
}

/// The answer from nearest points; within the slack they are one.
fn found(nearest: Nearest, slack: f64) -> PieceDistance {
    let distance = nearest.distance();
    let normal = unit(nearest.point_on_b - nearest.point_on_a);
    match normal.filter(|_| distance > slack) {
        Some(normal) => {
            let Nearest { point_on_a, point_on_b, .. } = nearest;
            let closest = Closest { distance, point_on_a, point_on_b, normal };
            PieceDistance { closest, intersects: Some(false) }
        }
        None => met(nearest.point_on_a, normal.unwrap_or(Vec3::X)),
    }
}

/// The answer for what meets in a point.
fn met(point: Vec3, normal: Vec3) -> PieceDistance {
    let closest = Closest { distance: 0.0, point_on_a: point, point_on_b: point, normal };
    PieceDistance { closest, intersects: Some(true) }
}
