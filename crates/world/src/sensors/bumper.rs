//! Contacts that a bumper feels.

use freiraum_geometry::{Pose, Vec3};

/// A contact of the body that a bumper is mounted on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The other body.
    pub body: u32,
    /// Where they touch, in the frame of the world.
    pub point: Vec3,
    /// How hard, in newton seconds; bumpers do not look at it.
    pub impulse: f64,
}

/// The contacts that lie, seen from the sensor, no more than `half_angle` radians off straight ahead (x), in the order given.
///
/// **Degenerate input.** Half a turn or more takes all; a touch exactly at the sensor counts from every direction; a negative angle
/// or one that is not a number takes none but that.
pub fn bumper<'t>(
    touches: &'t [Touch],
    world_from_sensor: &Pose,
    half_angle: f64,
) -> impl Iterator<Item = &'t Touch> + use<'t> {
    let sensor_from_world = world_from_sensor.inverse();
    touches.iter().filter(move |touch| {
        let seen = sensor_from_world.transform_point(touch.point);
        // The angle to x, well conditioned everywhere; 0 for the sensor itself.
        let off = f64::hypot(seen.y, seen.z).atan2(seen.x);
        off <= half_angle || seen == Vec3::ZERO
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

    #[test]
    fn only_touches_within_the_angle_count() {
        let at =
            |x, y, z| Touch { body: 7, point: Vec3::new(x, y, z) + Vec3::new(5.0, 0.0, 0.0), impulse: 1.0 };
        let touches =
            [at(1.0, 0.0, 0.0), at(1.0, 0.9, 0.0), at(0.0, 0.0, 1.0), at(-1.0, 0.1, 0.0), at(0.0, 0.0, 0.0)];
        // Looks along y of the world.
        let pose = Pose::from_axis_angle(Vec3::Z, FRAC_PI_2).unwrap();
        let left = Pose::from_translation(Vec3::new(5.0, 0.0, 0.0)) * pose;
        let check = |pose: &Pose, angle: f64, expected: &[usize]| {
            let found: Vec<Touch> = bumper(&touches, pose, angle).copied().collect();
            assert_eq!(found, expected.iter().map(|i| touches[*i]).collect::<Vec<_>>(), "{angle}");
        };
        let ahead = Pose::from_translation(Vec3::new(5.0, 0.0, 0.0));
        check(&ahead, 0.1, &[0, 4]);
        check(&ahead, FRAC_PI_4, &[0, 1, 4]);
        check(&ahead, FRAC_PI_2, &[0, 1, 2, 4]);
        check(&ahead, PI, &[0, 1, 2, 3, 4]);
        check(&left, FRAC_PI_4, &[4]);
        check(&left, 0.84, &[1, 4]);
        check(&ahead, f64::NAN, &[4]);
    }
}
