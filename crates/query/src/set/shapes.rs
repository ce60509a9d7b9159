//! The usual test of two bodies: their shapes.

use super::body::BodyId;
use super::front::Finding;
use crate::contact::{Contact, contact};
use crate::distance::distance;
use crate::{Prepared, QueryError, intersects};
use freiraum_geometry::Pose;

/// A test for [`ObjectSet::step`](super::ObjectSet::step) that asks the shapes of the bodies: their distance where
/// they are apart, their contact where they touch as [`intersects`] says it, tolerance included.
///
/// `shapes[i]` is the shape of the body with the number i ([`BodyId::index`]).
///
/// ```
/// use freiraum_geometry::{Aabb, Pose, Shape, Vec3, shape::{Cuboid, Sphere}};
/// use freiraum_query::Prepared;
/// use freiraum_query::set::{Body, Group, ObjectSet, Settings, contacts_of};
///
/// let (table, ball) = (Shape::Cuboid(Cuboid::new(Vec3::ONE)?), Shape::Sphere(Sphere::new(0.1)?));
/// let mut set: ObjectSet<Aabb, _> = ObjectSet::new(Settings::default());
/// set.add(&Group::fixed(vec![Body::of_shape(&table, Pose::IDENTITY)]))?;
/// let above = |z: f64| Pose::from_translation(Vec3::new(0.0, 0.0, z));
/// let group = set.add(&Group::movable(vec![Body::of_shape(&ball, above(2.0))]))?;
/// let ball_id = set.bodies(group).next().expect("just added");
/// let shapes = [Prepared::new(table), Prepared::new(ball)];
///
/// assert!(set.step(contacts_of(&shapes))?.is_empty());
/// set.place(ball_id, above(0.55))?;
/// let touching = set.step(contacts_of(&shapes))?;
/// assert!((touching[0].contact.depth - 0.05).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts_of(
    shapes: &[Prepared],
) -> impl FnMut(BodyId, BodyId, &Pose) -> Result<Finding<Contact>, QueryError> {
    |a, b, a_from_b| {
        let (a, b) = (&shapes[a.index()], &shapes[b.index()]);
        if intersects(a, b, a_from_b)? {
            return Ok(Finding::Touching(contact(a, b, a_from_b)?));
        }
        Ok(Finding::Apart { distance: distance(a, b, a_from_b)?.distance })
    }
}
