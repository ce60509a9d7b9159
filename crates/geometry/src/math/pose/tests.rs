use super::*;
use std::f64::consts::FRAC_PI_2;

/// How far apart two rotations are, in radians: the angle of the one after undoing the other.
fn angle_between(a: &Pose, b: &Pose) -> f64 {
    axis_angle(a.rotation * b.rotation.conjugate()).1
}

fn check_euler(roll: f64, pitch: f64, yaw: f64) {
    let pose = Pose::from_zyx_euler(roll, pitch, yaw, Vec3::ZERO).unwrap();
    let (r, p, y) = pose.to_zyx_euler();
    let again = Pose::from_zyx_euler(r, p, y, Vec3::ZERO).unwrap();
    let error = angle_between(&pose, &again);
    assert!(error < 16.0 * f64::EPSILON, "({roll}, {pitch}, {yaw}) -> ({r}, {p}, {y}): off by {error}");
    assert!(p.abs() <= FRAC_PI_2 && r.abs() <= PI && y.abs() <= PI, "({r}, {p}, {y}) is out of range");
}

#[test]
fn euler_angles_are_yaw_after_pitch_after_roll() {
    let pose = Pose::from_zyx_euler(0.0, 0.0, FRAC_PI_2, Vec3::ZERO).unwrap();
    assert!((pose.rotate(Vec3::X) - Vec3::Y).length() < 4.0 * f64::EPSILON);
    let pose = Pose::from_zyx_euler(0.0, FRAC_PI_2, 0.0, Vec3::ZERO).unwrap();
    assert!((pose.rotate(Vec3::Z) - Vec3::X).length() < 4.0 * f64::EPSILON);
    // Roll first: y goes to z, then yaw leaves z alone.
    let pose = Pose::from_zyx_euler(FRAC_PI_2, 0.0, FRAC_PI_2, Vec3::ZERO).unwrap();
    assert!((pose.rotate(Vec3::Y) - Vec3::Z).length() < 4.0 * f64::EPSILON);
    let (r, p, y) = Pose::from_zyx_euler(0.3, -0.7, 2.5, Vec3::ZERO).unwrap().to_zyx_euler();
    assert!((Vec3::new(r, p, y) - Vec3::new(0.3, -0.7, 2.5)).length() < 8.0 * f64::EPSILON);
}

#[test]
fn euler_angles_return_at_and_near_the_gimbal() {
    for sign in [-1.0, 1.0] {
        for gap in [0.0, 1e-300, 1e-17, 3e-16, 1e-15, 2e-15, 1e-14, 1e-12, 1e-9, 1e-8, 1e-5, 1e-2] {
            for (roll, yaw) in [(0.0, 0.0), (0.4, 1.1), (-3.0, 3.1), (PI, -PI), (2.0, -2.0), (1e-9, 3.0)] {
                check_euler(roll, sign * (FRAC_PI_2 - gap), yaw);
            }
        }
    }
    // Beyond the gimbal the same rotation has another triple.
    check_euler(0.2, 2.0, 0.3);
    check_euler(7.0, -4.0, 100.0);
}

#[test]
fn roll_is_zero_at_the_gimbal() {
    let (roll, pitch, yaw) = Pose::from_zyx_euler(0.4, FRAC_PI_2, 1.1, Vec3::ZERO).unwrap().to_zyx_euler();
    assert_eq!(roll, 0.0);
    assert!((pitch - FRAC_PI_2).abs() < 1e-15 && (yaw - 0.7).abs() < 1e-15, "{pitch} {yaw}");
    let (roll, pitch, yaw) = Pose::from_zyx_euler(0.4, -FRAC_PI_2, 1.1, Vec3::ZERO).unwrap().to_zyx_euler();
    assert_eq!(roll, 0.0);
    assert!((pitch + FRAC_PI_2).abs() < 1e-15 && (yaw - 1.5).abs() < 1e-15, "{pitch} {yaw}");
}

#[test]
fn small_euler_angles_keep_their_digits() {
    let (r, p, y) = Pose::from_zyx_euler(1e-20, -3e-30, 2e-200, Vec3::ZERO).unwrap().to_zyx_euler();
    assert!((r / 1e-20 - 1.0).abs() < 1e-15 && (p / -3e-30 - 1.0).abs() < 1e-15, "{r} {p}");
    assert!(y.abs() < 1e-35, "{y}");
}

#[test]
fn quaternions_of_any_length_are_normalised() {
    let q = Quat::from_xyzw(0.5, -0.5, 0.5, 0.5);
    for length in [1e-320, 1e-300, 1e-160, 1.0, 1e160, 1e308] {
        let pose = Pose::new(q * length, Vec3::ONE).unwrap();
        assert!((pose.rotation() - q).length() < 4.0 * f64::EPSILON, "{length}: {pose:?}");
    }
    assert_eq!(Pose::new(Quat::IDENTITY, Vec3::ZERO), Some(Pose::IDENTITY));
}

#[test]
fn what_is_not_a_pose_is_refused() {
    let (bad, good) = (Vec3::new(0.0, f64::NAN, 0.0), Vec3::X);
    assert_eq!(Pose::new(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), good), None);
    assert_eq!(Pose::new(Quat::from_xyzw(f64::INFINITY, 0.0, 0.0, 0.0), good), None);
    assert_eq!(Pose::new(Quat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0), good), None);
    assert_eq!(Pose::new(Quat::IDENTITY, bad), None);
    assert_eq!(Pose::from_axis_angle(Vec3::ZERO, 1.0), None);
    assert_eq!(Pose::from_axis_angle(bad, 1.0), None);
    assert_eq!(Pose::from_axis_angle(good, f64::INFINITY), None);
    assert_eq!(Pose::from_rotation_about(bad, good, 1.0), None);
    assert_eq!(Pose::from_zyx_euler(0.0, f64::NAN, 0.0, good), None);
    assert_eq!(Pose::from_zyx_euler(0.0, 0.0, 0.0, bad), None);
}

#[test]
fn axes_of_any_length_turn_alike() {
    let expected = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 2.0), 0.8).unwrap();
    for length in [1e-300, 1e-200, 1e-155, 1e-10, 1e10, 1e160, 1e300] {
        let pose = Pose::from_axis_angle(length * Vec3::new(1.0, 2.0, 2.0), 0.8).unwrap();
        assert!(angle_between(&pose, &expected) < 4.0 * f64::EPSILON, "{length}");
    }
}

/// Goes from the identity by `angle` about an axis and finds it again.
fn check_axis_angle(axis: Vec3, angle: f64, angle_error: f64, axis_error: f64) {
    let unit_axis = unit(axis).unwrap();
    let end = Pose::from_axis_angle(axis, angle).unwrap();
    let Screw::Rotation(found) = Pose::IDENTITY.screw_to(&end) else {
        panic!("no rotation found by {angle}")
    };
    assert!((found.angle - angle).abs() <= angle_error, "{angle}: found {}", found.angle);
    assert!((found.axis - unit_axis).length() <= axis_error, "{angle}: found {}", found.axis);
}

#[test]
fn axis_and_angle_hold_at_both_ends() {
    // A known vector, with the angle pi - 1e-8 = 3.1415926435898 (to 13 digits).
    let axis = Vec3::new(1.0, 2.0, 2.0);
    check_axis_angle(axis, PI - 1e-8, 1e-15, 1e-15);
    check_axis_angle(axis, 3.141_592_643_589_8, 1e-15, 1e-15);
    for angle in [1e-14, 1e-12, 1e-9, 1e-6] {
        check_axis_angle(axis, angle, 4.0 * f64::EPSILON * angle, 1e-15);
        check_axis_angle(axis, PI - angle, 1e-15, 1e-15);
    }
    check_axis_angle(Vec3::NEG_Y, FRAC_PI_2, 1e-15, 1e-15);
}

#[test]
fn more_than_half_a_turn_is_less_the_other_way() {
    let end = Pose::from_axis_angle(Vec3::Z, 1.5 * PI).unwrap();
    let Screw::Rotation(found) = Pose::IDENTITY.screw_to(&end) else { panic!("no rotation found") };
    assert!((found.axis - Vec3::NEG_Z).length() < 1e-15 && (found.angle - FRAC_PI_2).abs() < 1e-15);
}

#[test]
fn equal_orientations_are_a_translation() {
    let start = Pose::from_rotation_about(Vec3::ONE, Vec3::new(1.0, -2.0, 0.5), 2.0).unwrap();
    let end = Pose::from_translation(Vec3::new(0.5, 0.0, -1.0)) * start;
    let Screw::Translation(shift) = start.screw_to(&end) else { panic!("a rotation was found") };
    assert!((shift - Vec3::new(0.5, 0.0, -1.0)).length() < 1e-15);
    assert_eq!(start.screw_to(&start), Screw::Translation(Vec3::ZERO));
}

#[test]
fn the_centre_of_a_quarter_turn() {
    // From (1, 0, 0) to (0, 1, 0.5) by a quarter turn about z: about the z axis itself, rising by 0.5.
    let start = Pose::from_translation(Vec3::X);
    let end = Pose::new(Quat::from_rotation_z(FRAC_PI_2), Vec3::new(0.0, 1.0, 0.5)).unwrap();
    let Screw::Rotation(found) = start.screw_to(&end) else { panic!("no rotation found") };
    assert!((found.center - Vec3::new(0.0, 0.0, 0.25)).length() < 1e-15, "{found:?}");
    assert!((found.advance - 0.5).abs() < 1e-15);
}

#[test]
fn interpolation_keeps_its_ends_and_what_stands_still() {
    let start = Pose::from_zyx_euler(0.1, 0.2, 0.3, Vec3::new(0.1, 0.7, 0.3)).unwrap();
    let end = Pose::from_zyx_euler(-1.0, 0.5, 3.0, Vec3::new(0.1, -2.0, 0.3)).unwrap();
    assert_eq!(start.interpolated(&end, 0.0), start);
    assert_eq!(start.interpolated(&end, -1.0), start);
    assert_eq!(start.interpolated(&end, f64::NAN), start);
    assert_eq!(start.interpolated(&end, 1.0), end);
    assert_eq!(start.interpolated(&end, 2.0), end);
    for i in 1..100 {
        let at = start.interpolated(&end, f64::from(i) / 100.0).translation();
        assert_eq!((at.x, at.z), (0.1, 0.3));
    }
}

#[test]
fn a_far_centre_keeps_the_digits_of_a_slight_rotation() {
    // Turning by 1e-9 about a centre 1e9 m away moves the origin by 1 m to within rounding of 1 m.
    let pose = Pose::from_rotation_about(Vec3::new(-1e9, 0.0, 0.0), Vec3::Z, 1e-9).unwrap();
    assert!((pose.translation() - Vec3::new(-0.5e-9, 1.0, 0.0)).length() < 1e-15, "{pose:?}");
}

#[test]
fn turned_and_shifted_are_products() {
    let pose = Pose::from_zyx_euler(0.3, -0.7, 2.5, Vec3::new(1.0, -2.0, 3.0)).unwrap();
    let axis = Vec3::new(1.0, 2.0, -2.0) / 3.0;
    let (turned, product) = (pose.turned(axis, 1.9), pose * Pose::from_axis_angle(axis, 1.9).unwrap());
    assert!(angle_between(&turned, &product) < 8.0 * f64::EPSILON);
    assert_eq!(turned.translation, pose.translation);
    // The product is renormalised, which may change the last digit of the rotation.
    let (shifted, product) = (pose.shifted(axis), pose * Pose::from_translation(axis));
    assert!(angle_between(&shifted, &product) < 8.0 * f64::EPSILON);
    assert_eq!(shifted.translation, product.translation);
}
