//! The ray question of the contract.

use super::super::{Answer, Failure};
use super::question::{Found, Placed, vector};
use freiraum::geometry::Vec3;
use freiraum::query::ray::Ray;
use serde_json::{Value, json};

/// A ray in world coordinates as it was written.
pub(super) struct RayText {
    pub(super) origin: Vec3,
    /// Of any length.
    pub(super) direction: Vec3,
    /// In metres; `None`: without end.
    pub(super) max: Option<f64>,
}

/// Where a ray hits a placed shape first.
pub(super) fn ask_ray(a: &Placed, text: &RayText) -> Result<Found, Failure> {
    let max = text.max.unwrap_or(f64::INFINITY);
    let ray = Ray::new(text.origin, text.direction, max).map_err(|e| Failure::new("ray", e))?;
    let hit = a.shape.ray_cast(&ray.seen_from(&a.world_from_shape.inverse()));
    let keys = match hit {
        Some(hit) => json!({
            "hit": true, "distance": hit.distance, "point": vector(ray.at(hit.distance)),
            "normal": vector(a.world_from_shape.rotate(hit.normal)), "face": hit.face, "from_inside": hit.from_inside,
        }),
        None => json!({ "hit": false, "distance": null, "point": null, "normal": null, "face": null }),
    };
    let Value::Object(keys) = keys else { return Err(Failure::new("internal", "an answer without keys")) };
    Ok(Found { keys, verdict: Answer::Good })
}
