//! Parts of the robot and obstacles, cut into pieces with cheap bounds of their distance.

use freiraum_geometry::enclose::smallest_sphere;
use freiraum_geometry::math::{Mat3, unit};
use freiraum_geometry::{Aabb, Pose, Shape, Vec3};
use freiraum_query::{Prepared, distance};

/// A piece of a part of the robot; everything in the frame of the link.
pub(super) struct Piece {
    /// A ball that holds it.
    pub(super) center: Vec3,
    pub(super) radius: f64,
    /// True if it is that ball.
    pub(super) is_ball: bool,
    pub(super) link_from_piece: Pose,
    pub(super) body: Prepared,
}

/// A piece of an obstacle, in the world.
pub(super) struct Block {
    /// The number of the obstacle.
    pub(super) obstacle: usize,
    bound: Bound,
    /// True if it is its bound.
    is_bound: bool,
    world_from_piece: Pose,
    body: Prepared,
}

/// What holds a piece of an obstacle.
enum Bound {
    /// A box: the rotation into its frame, its middle in the world, and half its edges.
    Box { box_from_world: Mat3, center: Vec3, half: Vec3 },
    /// Everything below a plane.
    Below { normal: Vec3, offset: f64 },
}

/// Adds the pieces of a body to a list; false if one has no end.
pub(super) fn pieces(body: &Prepared, link_from_body: &Pose, out: &mut Vec<Piece>) -> bool {
    if let Shape::Compound(_) = body.shape() {
        return body
            .parts()
            .all(|(body_from_part, part)| pieces(part, &(*link_from_body * *body_from_part), out));
    }
    let Some(bounds) = body.filled_bounds() else { return false };
    let corners = bounds.corners();
    let (points, is_ball) = match body.shape() {
        Shape::Sphere(_) => (&[][..], true),
        Shape::Mesh(mesh) => (mesh.vertices(), false),
        Shape::Convex(convex) => (convex.vertices(), false),
        _ => (&corners[..], false),
    };
    let (center, radius) = match (body.shape(), smallest_sphere(points)) {
        (Shape::Sphere(sphere), _) => (Vec3::ZERO, sphere.radius()),
        (_, Some(ball)) => (ball.center, ball.radius),
        (_, None) => {
            let ball = bounds.bounding_sphere();
            (ball.center, ball.radius)
        }
    };
    out.push(Piece {
        center: link_from_body.transform_point(center),
        radius,
        is_ball,
        link_from_piece: *link_from_body,
        body: body.clone(),
    });
    true
}

/// Adds the pieces of an obstacle to a list.
pub(super) fn blocks(obstacle: usize, body: &Prepared, world_from_body: &Pose, out: &mut Vec<Block>) {
    if let Shape::Compound(_) = body.shape() {
        for (body_from_part, part) in body.parts() {
            blocks(obstacle, part, &(*world_from_body * *body_from_part), out);
        }
        return;
    }
    let bound = match (body.shape(), body.bounds()) {
        (Shape::HalfSpace(plane), _) => {
            let normal = world_from_body.rotate(plane.normal());
            Bound::Below { normal, offset: plane.offset() + normal.dot(world_from_body.translation()) }
        }
        // A height field is solid below: all of it is below its highest point.
        (_, Some(bounds)) if body.fills_beyond_bounds() => {
            let normal = world_from_body.rotate(Vec3::Z);
            Bound::Below { normal, offset: bounds.max.z + normal.dot(world_from_body.translation()) }
        }
        (_, bounds) => {
            // Only half spaces have no end.
            let bounds = bounds.unwrap_or(Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY });
            Bound::Box {
                box_from_world: world_from_body.rotation_matrix().transpose(),
                center: world_from_body.transform_point(bounds.center()),
                half: 0.5 * bounds.size(),
            }
        }
    };
    let is_bound = matches!(body.shape(), Shape::HalfSpace(_) | Shape::Cuboid(_));
    out.push(Block { obstacle, bound, is_bound, world_from_piece: *world_from_body, body: body.clone() });
}

impl Piece {
    /// True if its distances are iterated.
    pub(super) fn is_round(&self) -> bool {
        is_round(&self.body)
    }
}

fn is_round(body: &Prepared) -> bool {
    matches!(body.shape(), Shape::Cylinder(_) | Shape::Cone(_))
}

impl Block {
    /// True if its distances are iterated.
    pub(super) fn is_round(&self) -> bool {
        is_round(&self.body)
    }

    /// No coordinate of it is larger than this, in metres; that of the plane for a half space.
    pub(super) fn reach(&self) -> f64 {
        let own = match (self.body.shape(), self.body.bounds()) {
            (Shape::HalfSpace(plane), _) => plane.offset().abs(),
            (_, bounds) => bounds.map_or(0.0, |bounds| 2.0 * bounds.reach()),
        };
        own + self.world_from_piece.translation().length()
    }

    /// The direction from it to a piece that is no farther from it than `most`, in the world.
    pub(super) fn way_out(&self, piece: &Piece, world_from_link: &Pose, most: f64) -> Option<Vec3> {
        let world_from_piece = *world_from_link * piece.link_from_piece;
        let found = distance(&piece.body, &self.body, &(world_from_piece.inverse() * self.world_from_piece));
        let found = found.ok().filter(|found| found.distance > 0.0 && found.distance <= most)?;
        Some(world_from_piece.rotate(unit(found.point_on_a - found.point_on_b)?))
    }

    /// How far a point is from what holds the block; at most 0 inside.
    #[inline]
    pub(super) fn gap(&self, point: Vec3) -> f64 {
        match &self.bound {
            Bound::Box { box_from_world, center, half } => {
                let beyond = (*box_from_world * (point - *center)).abs() - *half;
                beyond.max(Vec3::ZERO).length()
            }
            Bound::Below { normal, offset } => normal.dot(point) - offset,
        }
    }

    /// The distance of a piece, given that of its ball to what holds the block; at most 0 if they touch.
    pub(super) fn distance(&self, piece: &Piece, world_from_link: &Pose, gap_of_balls: f64) -> f64 {
        if piece.is_ball && self.is_bound {
            return gap_of_balls;
        }
        let world_from_piece = *world_from_link * piece.link_from_piece;
        gap(&piece.body, &self.body, &(world_from_piece.inverse() * self.world_from_piece))
    }
}

/// The distance of two pieces of the robot, given that of their balls; at most 0 if they touch.
pub(super) fn distance_of_pieces(a: &Piece, b: &Piece, links: [&Pose; 2], gap_of_balls: f64) -> f64 {
    if a.is_ball && b.is_ball {
        return gap_of_balls;
    }
    let [world_from_a, world_from_b] = [*links[0] * a.link_from_piece, *links[1] * b.link_from_piece];
    gap(&a.body, &b.body, &(world_from_a.inverse() * world_from_b))
}

fn gap(a: &Prepared, b: &Prepared, a_from_b: &Pose) -> f64 {
    // What cannot be asked may be anything.
    distance(a, b, a_from_b).map_or(0.0, |found| found.distance)
}
