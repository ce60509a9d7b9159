//! The question of a ray.

use super::{Answer, Placed, QuestionError};
use freiraum_geometry::Vec3;
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_query::ray::{Ray, RayError, RayHit};

/// A ray in world coordinates as it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayText {
    /// Where it starts.
    pub origin: Vec3,
    /// Where it goes; of any length.
    pub direction: Vec3,
    /// How far, in metres; `None`: without end.
    pub max: Option<f64>,
}

/// Where a ray hits a placed shape first; the answer is in world coordinates.
pub fn ask_ray(a: &Placed, text: &RayText) -> Result<Answer, QuestionError> {
    let max = text.max.unwrap_or(f64::INFINITY);
    let ray = Ray::new(text.origin, text.direction, max).map_err(|e| in_words(e, "origin"))?;
    // The pose may take the ray beyond what coordinates may reach.
    let seen = ray
        .seen_from(&a.world_from_shape.inverse())
        .map_err(|e| in_words(e, "origin seen from the shape"))?;
    let placed = |hit: RayHit| RayHit {
        point: ray.at(hit.distance),
        normal: a.world_from_shape.rotate(hit.normal),
        ..hit
    };
    Ok(Answer::Ray(a.shape.ray_cast(&seen).map(placed)))
}

/// Names the part of the question that is wrong.
fn in_words(error: RayError, origin: &str) -> QuestionError {
    let vector = |v: Vec3| format!("{:?}", v.to_array());
    let message = match error {
        RayError::BadOrigin(v) => {
            format!(
                "{origin}: found {}, expected coordinates of magnitude at most {MAX_COORDINATE:e} m",
                vector(v)
            )
        }
        RayError::BadDirection(v) => {
            format!("direction: found {}, expected a vector that is not zero", vector(v))
        }
        RayError::BadRange(max) => format!("max: found {max:?}, expected a length that is not negative"),
        other => other.to_string(),
    };
    QuestionError::new("ray", message)
}
