//! Distances along rays: laser scanner, infrared sensor, light barrier.

use super::{BeamSet, Mask, Surroundings};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::ray::{Ray, RayError};

/// What a laser scanner measured, one entry for each beam, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scan {
    /// Metres from the start of the beam to the first surface; infinity where nothing came back.
    pub ranges: Vec<f64>,
    /// The body that was hit.
    pub bodies: Vec<Option<u32>>,
}

impl Scan {
    /// No return from any of `count` beams.
    pub(super) fn clear(&mut self, count: usize) {
        self.ranges.clear();
        self.ranges.resize(count, f64::INFINITY);
        self.bodies.clear();
        self.bodies.resize(count, None);
    }
}

/// The first surface along each beam, no farther than `range`; `scan` is overwritten.
///
/// **Guarantee.** That of [`RayScene::cast`](freiraum_query::ray::RayScene::cast): right to rounding of coordinates, divided by
/// the sine of the angle between beam and surface. **Errors.** A pose beyond the largest coordinate, a range below 0 or not a
/// number. **Cost.** About 0.1 µs a beam in a city of 80 bodies; no allocation after the first scan.
pub fn scan_rays(
    surroundings: &Surroundings,
    beams: &BeamSet,
    range: f64,
    mask: &Mask,
    world_from_sensor: &Pose,
    scan: &mut Scan,
) -> Result<(), RayError> {
    scan.ranges.clear();
    scan.bodies.clear();
    let turn = world_from_sensor.rotation_matrix();
    let center = world_from_sensor.translation();
    for beam in beams.beams() {
        let ray = Ray::along(center + turn * beam.origin, turn * beam.direction, range)?;
        let hit = cast(surroundings, &ray, mask);
        scan.ranges.push(hit.map_or(f64::INFINITY, |h| h.0));
        scan.bodies.push(hit.map(|h| h.1));
    }
    Ok(())
}

/// The distance to the first surface straight ahead, no farther than `range`, and its body; infinity if there is none.
///
/// **Guarantee**, **Errors.** As [`scan_rays`].
pub fn infrared(
    surroundings: &Surroundings,
    range: f64,
    mask: &Mask,
    world_from_sensor: &Pose,
) -> Result<(f64, Option<u32>), RayError> {
    let ray = Ray::new(world_from_sensor.translation(), world_from_sensor.rotate(Vec3::X), range)?;
    let hit = cast(surroundings, &ray, mask);
    Ok((hit.map_or(f64::INFINITY, |h| h.0), hit.map(|h| h.1)))
}

/// True if anything is on the first `range` metres straight ahead: a light barrier.
///
/// **Guarantee.** True if and only if [`infrared`] has a distance. **Errors.** As [`scan_rays`].
pub fn is_broken(
    surroundings: &Surroundings,
    range: f64,
    mask: &Mask,
    world_from_sensor: &Pose,
) -> Result<bool, RayError> {
    let ray = Ray::new(world_from_sensor.translation(), world_from_sensor.rotate(Vec3::X), range)?;
    Ok(surroundings.rays().any_where(&ray, |thing| mask.sees(surroundings.body(thing))))
}

#[inline]
fn cast(surroundings: &Surroundings, ray: &Ray, mask: &Mask) -> Option<(f64, u32)> {
    let (thing, distance) =
        surroundings.rays().distance_where(ray, |thing| mask.sees(surroundings.body(thing)))?;
    Some((distance, surroundings.body(thing)))
}
