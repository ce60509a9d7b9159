//! Links as bodies that can be asked.

use crate::model::Link;
use freiraum_geometry::enclose::smallest_sphere;
use freiraum_geometry::shape::Sphere;
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_motion::path::Ball;
use freiraum_query::intersect::Relation;
use freiraum_query::{Prepared, distance, intersect, intersects};

/// What a link touches things with.
pub(super) struct LinkBody {
    shapes: Vec<(Pose, Prepared)>,
    /// Holds all of it.
    pub(super) ball: Ball,
}

impl LinkBody {
    /// `None` for a link without shapes, or with one that has no end.
    pub(super) fn of(link: &Link) -> Option<LinkBody> {
        let mut points = Vec::new();
        for part in &link.collision {
            match &part.shape {
                Shape::Mesh(mesh) => {
                    points.extend(mesh.vertices().iter().map(|v| part.link_from_shape.transform_point(*v)));
                }
                shape => {
                    let bounds = shape.axis_box()?;
                    let corner = |k: usize| {
                        let pick = |bit: usize, lo: f64, hi: f64| if k >> bit & 1 == 0 { lo } else { hi };
                        let (lo, hi) = (bounds.min, bounds.max);
                        Vec3::new(pick(0, lo.x, hi.x), pick(1, lo.y, hi.y), pick(2, lo.z, hi.z))
                    };
                    points.extend((0..8).map(|k| part.link_from_shape.transform_point(corner(k))));
                }
            }
        }
        let sphere = smallest_sphere(&points)?;
        let shapes = link.collision.iter();
        let shapes = shapes.map(|part| (part.link_from_shape, Prepared::new(part.shape.clone()))).collect();
        Some(LinkBody { shapes, ball: Ball { center: sphere.center, radius: sphere.radius } })
    }

    fn pairs<'p>(
        &'p self,
        other: &'p LinkBody,
        a_from_b: &'p Pose,
    ) -> impl Iterator<Item = (&'p Prepared, &'p Prepared, Pose)> {
        self.shapes.iter().flat_map(move |(a_from_shape, a)| {
            let shape_from_a = a_from_shape.inverse();
            let pair = move |(b_from_shape, b): &'p (Pose, Prepared)| {
                (a, b, shape_from_a * *a_from_b * *b_from_shape)
            };
            other.shapes.iter().map(pair)
        })
    }

    /// The distance to another link, 0 if they touch; at least right from below.
    pub(super) fn distance(&self, other: &LinkBody, a_from_b: &Pose) -> f64 {
        // What cannot be asked may be anything.
        let gap = |(a, b, pose): (&Prepared, &Prepared, Pose)| {
            distance(a, b, &pose).map_or(0.0, |found| found.distance)
        };
        self.pairs(other, a_from_b).map(gap).fold(f64::INFINITY, f64::min).max(0.0)
    }

    pub(super) fn touches(&self, other: &LinkBody, a_from_b: &Pose) -> bool {
        self.pairs(other, a_from_b).any(|(a, b, pose)| intersects(a, b, &pose) == Ok(true))
    }

    /// The largest of some radii for which the ball about a point, in the frame of the link, is all inside; 0 if none is.
    pub(super) fn depth(&self, point: Vec3, radii: &[f64]) -> f64 {
        let is_inside = |radius: &f64| {
            let Ok(sphere) = Sphere::new(*radius) else { return false };
            let sphere = Prepared::new(Shape::Sphere(sphere));
            self.shapes.iter().any(|(link_from_shape, shape)| {
                let at = Pose::from_translation(link_from_shape.inverse().transform_point(point));
                let found = intersect(shape, &sphere, &at);
                found.is_ok_and(|found| found.relation == Relation::BInsideA && !found.a_is_open)
            })
        };
        radii.iter().copied().filter(|radius| is_inside(radius)).fold(0.0, f64::max)
    }
}
