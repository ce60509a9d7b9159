//! The nearest distance within a cone: ultrasonic sensors.

use super::depth::{Model, Models};
use super::{BeamError, Mask, Surroundings};
use freiraum_geometry::math::roots::{Solutions, quadratic};
use freiraum_geometry::shape::HalfSpace;
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_query::elementary::point_triangle;
use freiraum_query::ray::RayError;
use std::f64::consts::FRAC_PI_2;

/// What came back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Echo {
    /// Metres to the nearest point within the cone; infinity if there is none within range.
    pub distance: f64,
    /// The body that it belongs to.
    pub body: Option<u32>,
}

/// Why nothing can be measured.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConeError {
    /// The angle of the cone.
    #[error(transparent)]
    Cone(#[from] BeamError),
    /// The place of the sensor, or its range.
    #[error(transparent)]
    Ray(#[from] RayError),
}

/// The nearest point of the seen bodies within `half_angle` radians of straight ahead (x), no farther than `range`. `models` are those of the
/// surroundings.
///
/// **Guarantee.** Exact to rounding for balls, boxes, half spaces, convex bodies, meshes and height fields. Of cylinders, capsules and
/// cones the triangles of the models are measured, which lie inside: never nearer than the true distance, and never farther than that of
/// the body made thinner by [`Models::deviation`]. **Degenerate input.** 0 inside of a solid; an angle of 0 is a single ray.
/// **Errors.** An angle beyond a right one; a range below 0. **Cost.** Linear in the triangles of the bodies that the cone may reach.
/// **Panics** if there are more or fewer models than things.
pub fn ultrasonic(
    surroundings: &Surroundings,
    models: &Models,
    half_angle: f64,
    range: f64,
    mask: &Mask,
    world_from_sensor: &Pose,
) -> Result<Echo, ConeError> {
    if !(0.0..=FRAC_PI_2).contains(&half_angle) {
        return Err(BeamError::BadField(half_angle, "at most a right angle to either side").into());
    }
    if !(range >= 0.0) {
        return Err(RayError::BadRange(range).into());
    }
    if let Some(body) = surroundings.body_at(world_from_sensor.translation(), mask)? {
        return Ok(Echo { distance: 0.0, body: Some(body) });
    }
    assert_eq!(surroundings.things().len(), models.models.len(), "models are those of the surroundings");
    let cone = Cone { cosine: half_angle.cos(), sine: half_angle.sin() };
    let sensor_from_world = world_from_sensor.inverse();
    let mut echo = Echo { distance: f64::INFINITY, body: None };
    let mut limit = range;
    for (thing, model) in surroundings.things().iter().zip(&models.models).filter(|(t, _)| mask.sees(t.body))
    {
        let found = cone.model(model, &(sensor_from_world * thing.world_from_thing), limit);
        if let Some(distance) = found.filter(|d| *d < echo.distance) {
            echo = Echo { distance, body: Some(thing.body) };
            limit = distance;
        }
    }
    Ok(echo)
}

/// About x, from the origin.
#[derive(Clone, Copy)]
struct Cone {
    cosine: f64,
    sine: f64,
}

impl Cone {
    /// The nearest point of a model within the cone, no farther than `limit`.
    fn model(&self, model: &Model, sensor_from_thing: &Pose, limit: f64) -> Option<f64> {
        let mut best = None;
        let mut limit = limit;
        for part in model.parts.iter() {
            let sensor_from_part = *sensor_from_thing * part.thing_from_part;
            let found = match (&part.shape, &part.triangles) {
                (Shape::Sphere(s), _) => self.sphere(sensor_from_part.translation(), s.radius()),
                (Shape::HalfSpace(s), _) => self.half_space(s, &sensor_from_part),
                (_, Some(triangles)) => {
                    let center = sensor_from_part.transform_point(triangles.center);
                    // The sphere around them is as near as they can be; its radius is rounded.
                    let around = self.sphere(center, triangles.radius * (1.0 + f64::from(f32::EPSILON)));
                    if around.is_none_or(|d| d > limit) {
                        continue;
                    }
                    let mut nearest: Option<f64> = None;
                    for corners in triangles.mesh.triangles() {
                        let corners = corners.map(|p| sensor_from_part.transform_point(p));
                        let most = nearest.unwrap_or(limit);
                        if let Some(distance) = self.triangle(corners, most).filter(|d| *d <= most) {
                            nearest = Some(distance);
                        }
                    }
                    nearest
                }
                (_, None) => None,
            };
            if let Some(distance) = found.filter(|d| *d <= limit) {
                (best, limit) = (Some(distance), distance);
            }
        }
        best
    }

    /// The distance grows with the angle to the centre: the nearest line is the one to it, or the line of the cone next to it.
    fn sphere(&self, center: Vec3, radius: f64) -> Option<f64> {
        let off = f64::hypot(center.y, center.z);
        let across = off * self.cosine - center.x * self.sine;
        if across <= 0.0 {
            return Some((center.length() - radius).max(0.0));
        }
        let along = center.x * self.cosine + off * self.sine;
        let rest = (radius - across) * (radius + across);
        // From inside (spheres around triangles): 0.
        let inside = center.length_squared() <= radius * radius;
        if inside {
            return Some(0.0);
        }
        (rest >= 0.0 && along > 0.0).then(|| (along - rest.sqrt()).max(0.0))
    }

    /// The nearest line is the steepest.
    fn half_space(&self, half_space: &HalfSpace, sensor_from_part: &Pose) -> Option<f64> {
        let down = -sensor_from_part.rotate(half_space.normal());
        let height = down.dot(sensor_from_part.translation()) - half_space.offset();
        let steepest = self.steepest(down);
        (steepest.dot(down) > 0.0).then(|| (height / steepest.dot(down)).max(0.0))
    }

    /// The unit vector within the cone that goes farthest along a unit vector.
    fn steepest(&self, along: Vec3) -> Vec3 {
        if self.contains(along) { along } else { self.border(along) }
    }

    /// The line of the border of the cone that goes farthest along a vector.
    fn border(&self, along: Vec3) -> Vec3 {
        let off = f64::hypot(along.y, along.z);
        let (y, z) = if off > 0.0 { (along.y / off, along.z / off) } else { (1.0, 0.0) };
        Vec3::new(self.cosine, self.sine * y, self.sine * z)
    }

    fn contains(&self, point: Vec3) -> bool {
        f64::hypot(point.y, point.z) * self.cosine <= point.x * self.sine
    }

    /// The part of a triangle in the cone is convex, and so is the distance: if the nearest point of the triangle is not in the cone, the
    /// nearest point of the part is on the border of the cone: on an edge of the triangle, or where the plane of the triangle is nearest
    /// on the border.
    fn triangle(&self, corners: [Vec3; 3], limit: f64) -> Option<f64> {
        let nearest = point_triangle(Vec3::ZERO, corners);
        let distance = nearest.distance();
        if distance > limit {
            return None;
        }
        if self.contains(nearest.point_on_b) {
            return Some(distance);
        }
        let mut best: Option<f64> = None;
        let mut offer = |point: Vec3| best = Some(best.map_or(point.length(), |b| b.min(point.length())));
        let [a, b, c] = corners;
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let along = to - from;
            let square = self.cosine * self.cosine;
            // x² = cos² |p|²
            let quadratic = quadratic(
                along.x * along.x - square * along.length_squared(),
                2.0 * (from.x * along.x - square * from.dot(along)),
                from.x * from.x - square * from.length_squared(),
            );
            if let Solutions::At(roots) = quadratic {
                for s in roots.iter().filter(|s| (0.0..=1.0).contains(*s)) {
                    let point = from + *s * along;
                    if point.x >= 0.0 {
                        offer(point);
                    }
                }
            }
        }
        let normal = (b - a).cross(c - a);
        let height = normal.dot(a);
        let border = self.border(if height < 0.0 { -normal } else { normal });
        let rise = normal.dot(border);
        if rise != 0.0 && height / rise > 0.0 {
            let point = height / rise * border;
            let side = |p: Vec3, q: Vec3| normal.dot((q - p).cross(point - p)) >= 0.0;
            if side(a, b) && side(b, c) && side(c, a) {
                offer(point);
            }
        }
        best
    }
}
