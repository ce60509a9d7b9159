//! When does a robot tip over that holds something in front of it?

use crate::vehicle::model::Model;
use freiraum_geometry::Vec3;

/// The mass of a body between the hands, in kilograms, that lifts the rear of a robot from the ground: its lever about the foremost point that stands on
/// the ground is that of the whole robot.
///
/// **Guarantee.** Exact for a robot that stands still on a plane, as long as the body is held in the middle of the hands. 0 if there is no gripper, or it would tip over
/// by itself; infinite if the hands are not ahead of what it stands on.
#[must_use]
pub fn tipping_mass(model: &Model) -> f64 {
    let [Some(left), Some(right)] = ["left hand", "right hand"].map(|name| model.part(name)) else {
        return 0.0;
    };
    let at = |part: usize| model.parts[part].pose.translation();
    let front = model.parts.iter().filter(|part| part.is_ground).map(|part| part.pose.translation().x);
    let front = front.fold(f64::NEG_INFINITY, f64::max);
    let center =
        model.parts.iter().map(|part| part.mass * part.pose.translation()).sum::<Vec3>() / model.mass();
    let ahead = 0.5 * (at(left).x + at(right).x) - front;
    if ahead <= 0.0 {
        return f64::INFINITY;
    }
    (model.mass() * (front - center.x) / ahead).max(0.0)
}
