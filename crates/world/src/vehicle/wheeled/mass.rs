//! Masses of several parts as that of one body.

use crate::dynamics::Mass;
use crate::vehicle::model::{Model, Part};
use freiraum_geometry::mass::point_mass_inertia;
use freiraum_geometry::{Mat3, Vec3};

/// The mass of parts of a model when all joints are at 0, in the frame of the main part.
pub(super) fn gathered(model: &Model, parts: impl Iterator<Item = usize>) -> Mass {
    let main_from_vehicle = model.parts[0].pose.inverse();
    let of = |part: &Part| {
        let solid = part.shape.mass_properties()?.placed(&(main_from_vehicle * part.pose));
        let density = part.mass / solid.volume;
        Some((part.mass, solid.centroid, density * solid.inertia))
    };
    let all: Vec<(f64, Vec3, Mat3)> = parts.filter_map(|part| of(&model.parts[part])).collect();
    let mass: f64 = all.iter().map(|(mass, ..)| mass).sum();
    let center = all.iter().map(|(mass, center, _)| *mass * *center).sum::<Vec3>() / mass;
    let inertia = all.iter().fold(Mat3::ZERO, |sum, (mass, at, inertia)| {
        sum + *inertia + point_mass_inertia(*mass, *at - center)
    });
    Mass::Given { mass, center, inertia }
}
