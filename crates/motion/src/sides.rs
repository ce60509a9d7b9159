//! The vertical sides of height fields, which are solid below their surface.
//!
//! Motions follow surfaces, and whatever comes to be below a field without going through its surface comes through a side. The sides matter only to
//! a body that, at some time, reaches out over the border and below the highest point of it
//! ([`Prepared::sides_near`](freiraum_query::Prepared::sides_near)). For such a pair the field has one more piece: its sides, down to a floor that the other body
//! stays above during the whole motion, by a proven bound of how far it travels as seen from the field. All other pairs are as they were.
//!
//! The surface of another height field is such a body. Half spaces, which are without end themselves, meet
//! the surface only, as in queries about one
//! pose.

use crate::movable::{Below, Core, Form, Movable, Piece};
use crate::verdict::MotionError;
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::{Ball, Motion};
use freiraum_geometry::{Aabb, Pose, Vec3};
use freiraum_query::mesh_tree::MeshTree;
use freiraum_query::{Prepared, QueryError};
use std::sync::Arc;

/// Two bodies with the sides that matter between them.
pub(crate) struct Sided([Option<Movable>; 2]);

impl Sided {
    /// The bodies to go on with, given those that were asked about.
    pub(crate) fn bodies<'m>(&'m self, [a, b]: [&'m Movable; 2]) -> [&'m Movable; 2] {
        [self.0[0].as_ref().unwrap_or(a), self.0[1].as_ref().unwrap_or(b)]
    }
}

/// The sides that matter during a motion; motions give `world_from_a` and `world_from_b`. Bodies that have sides keep them.
///
/// **Cost.** A look at the pieces for bodies without a height field; next to one a bound of the travel, or some of them. Nothing is allocated where no sides matter.
pub(crate) fn during(bodies: [&Movable; 2], motions: [&dyn Motion; 2]) -> Result<Sided, MotionError> {
    let of = |k: usize| {
        let own = extent(bodies, k)?;
        with_sides(bodies[k], |piece, field| {
            let near = |from: f64, to: f64| {
                let near = where_seen(piece, motions[k], &own, motions[1 - k], [from, to]);
                field.sides_matter(&near).then_some(near)
            };
            near(0.0, 1.0)?;
            let stretch = |k: usize| near(k as f64 / STRETCHES as f64, (k + 1) as f64 / STRETCHES as f64);
            (0..STRETCHES).filter_map(stretch).reduce(|all, next| all.union(&next))
        })
    };
    Ok(Sided([of(0), of(1)]))
}

/// The sides that matter while b slides along a line without end, to both sides; the direction, a unit vector, is in the frame of a.
pub(crate) fn along(bodies: [&Movable; 2], a_from_b: &Pose, direction: Vec3) -> Result<Sided, QueryError> {
    let of = |k: usize| {
        let other = extent(bodies, k)?;
        let (own_from_other, a_from_own) =
            if k == 0 { (*a_from_b, Pose::IDENTITY) } else { (a_from_b.inverse(), *a_from_b) };
        with_sides(bodies[k], |piece, field| {
            let piece_from_own = piece.body_from_piece.inverse();
            let direction = piece_from_own.rotate(a_from_own.inverse().rotate(direction));
            let across = direction.truncate().length();
            let there = other.transformed(&(piece_from_own * own_from_other));
            let reach = 2.0 * (there.reach() + field.bounds().map_or(0.0, |bounds| bounds.reach()));
            // Straight down the sides have no width.
            (across > rounding::coordinate(1.0)).then(|| {
                // So deep the image of the sides reaches beyond that of the body.
                let depth = 2.0 * reach / across;
                Aabb { min: Vec3::new(-reach, -reach, -depth), max: Vec3::splat(reach) }
            })
        })
    };
    Ok(Sided([of(0), of(1)]))
}

/// Stretches that a motion is cut into where it may reach the sides.
const STRETCHES: usize = 16;

/// Around all of the other body than number `k` that may meet sides, in its own frame; `None` if `k` has no height field, or has its sides already.
fn extent(bodies: [&Movable; 2], k: usize) -> Option<Aabb> {
    let (own, other) = (bodies[k], bodies[1 - k]);
    let has = |what: fn(&Below) -> bool| own.pieces().iter().any(|piece| what(&piece.below));
    if !has(|below| matches!(below, Below::Field(_))) || has(|below| matches!(below, Below::Sides { .. })) {
        return None;
    }
    let may_meet = |piece: &&Piece| {
        !matches!(piece.form, Form::HalfSpace(_)) && !matches!(piece.below, Below::Sides { .. })
    };
    let pieces = other.pieces();
    if pieces.iter().all(|piece| may_meet(&piece)) {
        return other.prepared().bounds();
    }
    let balls = pieces.iter().filter(may_meet).filter_map(|piece| piece.ball);
    let around = |ball: Ball| Aabb { min: ball.center, max: ball.center }.inflated(ball.radius);
    balls.map(around).reduce(|all, next| all.union(&next))
}

/// The body with the sides of its height fields; `None` if they do not matter. `near`: around the other body in the frame of a field, if that is where they do.
fn with_sides(body: &Movable, near: impl Fn(&Piece, &Prepared) -> Option<Aabb>) -> Option<Movable> {
    let mut more = Vec::new();
    for piece in body.pieces() {
        let Below::Field(field) = &piece.below else { continue };
        let Some(near) = near(piece, field) else { continue };
        let Some(tree) = field.sides_near(&near) else { continue };
        let own = tree.mesh().aabb().bounding_sphere();
        let triangles = field.mesh_tree().map_or(0, |tree| tree.triangles().len() as u32);
        more.push(Piece {
            form: Form::Faces(tree.clone()),
            core: Some(Core { tree: Arc::clone(tree), radius: 0.0 }),
            ball: Some(Ball { center: piece.body_from_piece.transform_point(own.center), ..own }),
            below: Below::Sides { triangles },
            ..piece.clone()
        });
    }
    (!more.is_empty()).then(|| body.with_pieces(more))
}

/// A box in the frame of a piece that a body stays in from one time to another: the body is in a box of its own frame, and both move.
fn where_seen(
    piece: &Piece,
    motion: &dyn Motion,
    own: &Aabb,
    own_motion: &dyn Motion,
    [from, to]: [f64; 2],
) -> Aabb {
    let middle = 0.5 * (from + to);
    let body_from_other = motion.pose(middle).inverse() * own_motion.pose(middle);
    let ball = own.bounding_sphere();
    // As seen from the body a point moves by what it travels itself, and by what the place of the body does at which it was.
    let there = Ball { center: body_from_other.transform_point(ball.center), ..ball };
    let travel = |motion: &dyn Motion, ball: &Ball| {
        motion.travel(ball, from, middle).max(motion.travel(ball, middle, to))
    };
    let travel = travel(own_motion, &ball) + travel(motion, &there);
    let here = own.transformed(&(piece.body_from_piece.inverse() * body_from_other));
    let more = travel * (1.0 + 8.0 * f64::EPSILON) + rounding::coordinate(8.0 * (here.reach() + travel));
    here.inflated(more)
}

/// Which of the four sides a triangle belongs to: that of the least y, the greatest x, the greatest y or the least x.
pub(crate) fn number(tree: &MeshTree, face: u32) -> u32 {
    let [p, q, r] = tree.mesh().triangle(face as usize);
    let out = (q - p).cross(r - p);
    match (out.x.abs() > out.y.abs(), out.x + out.y > 0.0) {
        (false, false) => 0,
        (true, true) => 1,
        (false, true) => 2,
        (true, false) => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::path::{Axis, UniformMotion};
    use freiraum_geometry::shape::{HeightField, Shape, Sphere};
    use freiraum_testkit::random::Random;

    fn field() -> Movable {
        Movable::new(Shape::HeightField(HeightField::new([4.0, 2.0], &[[0.0, 1.0], [0.5, 0.0]]).unwrap()))
    }

    /// No point of a body is ever outside of the box that it is seen in, whatever both do.
    #[test]
    fn bodies_are_seen_where_they_are() {
        let mut random = Random::new(9);
        let field = field();
        for _ in 0..300 {
            let mut motion = || {
                let start = Pose::new(random.rotation(), random.in_cube(3.0)).unwrap();
                let axis = Axis::new(random.in_cube(1.0), random.direction()).unwrap();
                UniformMotion::screw(start, axis, random.range(-7.0, 7.0), random.range(-1.0, 1.0))
            };
            let (of_field, of_other) = (motion(), motion());
            let (p, q) = (random.in_cube(1.0), random.in_cube(1.0));
            let own = Aabb { min: p.min(q), max: p.max(q) };
            let from = random.unit();
            let to = random.range(from, 1.0);
            let seen = where_seen(&field.pieces()[0], &of_field, &own, &of_other, [from, to]);
            for _ in 0..50 {
                let t = random.range(from, to);
                let point = p.lerp(q, random.unit());
                let at = of_field.pose(t).inverse().transform_point(of_other.pose(t).transform_point(point));
                assert!(seen.contains(at), "{seen:?} {at}");
            }
        }
    }

    #[test]
    fn sides_are_there_for_what_they_matter_to() {
        let (field, ball) = (field(), Movable::new(Shape::Sphere(Sphere::new(0.1).unwrap())));
        let still = UniformMotion::still(Pose::IDENTITY);
        let translation = |from: Vec3, by: Vec3| UniformMotion::translation(Pose::from_translation(from), by);
        for (motion, matters) in [
            (translation(Vec3::new(-1.0, 0.0, 2.0), 2.0 * Vec3::X), false),
            (translation(Vec3::new(-5.0, 0.0, 2.0), 10.0 * Vec3::X), false),
            (translation(Vec3::new(-5.0, 0.0, -2.0), 10.0 * Vec3::X), true),
            (translation(Vec3::new(5.0, 0.0, 2.0), -20.0 * Vec3::Z), true),
        ] {
            let [sided, other] = [[&field, &ball], [&ball, &field]].map(|bodies| {
                let motions: [&dyn Motion; 2] =
                    if std::ptr::eq(bodies[0], &field) { [&still, &motion] } else { [&motion, &still] };
                during(bodies, motions).unwrap().0.map(|body| body.map_or(0, |body| body.pieces().len()))
            });
            assert_eq!((sided, other), if matters { ([2, 0], [0, 2]) } else { ([0, 0], [0, 0]) });
        }
    }
}
