//! Poses against plain matrix algebra, and the screw between two poses against what it must reproduce.

use freiraum_geometry::glam::DMat4;
use freiraum_geometry::math::{RotationBetween, Screw};
use freiraum_geometry::{Mat3, Pose, Quat, Vec3};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

/// A pose with a translation of up to `size` metres.
fn random_pose(random: &mut Random, size: f64) -> Pose {
    Pose::new(random.rotation(), random.in_cube(size)).unwrap()
}

/// The pose as a 4x4 matrix, the rotation written out from its definition (the matrix of q p q*).
fn matrix(pose: &Pose) -> DMat4 {
    let Quat { x, y, z, w } = pose.rotation();
    let rotation = Mat3::from_cols(
        Vec3::new(w * w + x * x - y * y - z * z, 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        Vec3::new(2.0 * (x * y - w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z + w * x)),
        Vec3::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), w * w - x * x - y * y + z * z),
    );
    DMat4::from_mat3_translation(rotation, pose.translation())
}

fn largest_difference(a: &DMat4, b: &DMat4) -> f64 {
    a.to_cols_array().iter().zip(b.to_cols_array()).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// How far two poses put the points of a body of one metre apart.
fn apart(a: &Pose, b: &Pose) -> f64 {
    largest_difference(&matrix(a), &matrix(b))
}

#[test]
fn poses_compose_as_matrices_do() {
    let mut random = Random::new(1);
    for _ in 0..cases(20_000) {
        let size = 10f64.powf(random.range(-6.0, 6.0));
        let (a, b) = (random_pose(&mut random, size), random_pose(&mut random, size));
        let error = largest_difference(&matrix(&(a * b)), &(matrix(&a) * matrix(&b)));
        assert!(error <= 2e-15 * (1.0 + 4.0 * size), "{a:?} * {b:?}: {error}");
        let p = random.in_cube(size);
        let error = (a.transform_point(p) - matrix(&a).transform_point3(p)).length();
        assert!(error <= 8e-15 * size, "{a:?} at {p}: {error}");
        let error = (a.rotate(p) - matrix(&a).transform_vector3(p)).length();
        assert!(error <= 4e-15 * size, "{a:?} along {p}: {error}");
        let error = (a.rotation_matrix() - Mat3::from_mat4(matrix(&a))).to_cols_array();
        assert!(error.iter().all(|e| e.abs() <= 1e-15), "{a:?}: {error:?}");
    }
}

#[test]
fn the_inverse_undoes() {
    let mut random = Random::new(2);
    for _ in 0..cases(20_000) {
        let size = 10f64.powf(random.range(-6.0, 6.0));
        let a = random_pose(&mut random, size);
        let allowed = 1e-15 * (1.0 + 8.0 * size);
        assert!(apart(&(a * a.inverse()), &Pose::IDENTITY) <= allowed, "{a:?}");
        assert!(apart(&(a.inverse() * a), &Pose::IDENTITY) <= allowed, "{a:?}");
        let p = random.in_cube(size);
        assert!(
            (a.inverse().transform_point(a.transform_point(p)) - p).length() <= 1e-14 * size,
            "{a:?} {p}"
        );
    }
}

#[test]
fn long_chains_stay_rigid() {
    let mut random = Random::new(3);
    let step = random_pose(&mut random, 1.0);
    let end = (0..100_000).fold(Pose::IDENTITY, |pose, _| step * pose);
    assert!((end.rotation().length() - 1.0).abs() < 4.0 * f64::EPSILON);
}

#[test]
fn euler_angles_make_a_round_trip() {
    let mut random = Random::new(4);
    for i in 0..cases(50_000) {
        // A third near the gimbal, at all distances from it; the rest anywhere.
        let pose = if i % 3 == 0 {
            let gap = 10f64.powf(random.range(-20.0, 0.0));
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            let pitch = sign * (std::f64::consts::FRAC_PI_2 - gap);
            Pose::from_zyx_euler(random.range(-3.2, 3.2), pitch, random.range(-3.2, 3.2), Vec3::ONE).unwrap()
        } else {
            random_pose(&mut random, 1.0)
        };
        let (roll, pitch, yaw) = pose.to_zyx_euler();
        let again = Pose::from_zyx_euler(roll, pitch, yaw, pose.translation()).unwrap();
        assert!(apart(&pose, &again) <= 8e-15, "{pose:?} -> {roll} {pitch} {yaw}: {}", apart(&pose, &again));
    }
}

#[test]
fn euler_angles_are_the_product_of_three_matrices() {
    let mut random = Random::new(5);
    for _ in 0..cases(5_000) {
        let v = random.in_cube(7.0);
        let (sr, cr) = v.x.sin_cos();
        let (sp, cp) = v.y.sin_cos();
        let (sy, cy) = v.z.sin_cos();
        // Columns of Rz Ry Rx, multiplied out by hand.
        let expected = Mat3::from_cols(
            Vec3::new(cy * cp, sy * cp, -sp),
            Vec3::new(cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr),
            Vec3::new(cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr),
        );
        let pose = Pose::from_zyx_euler(v.x, v.y, v.z, Vec3::ZERO).unwrap();
        let error = (pose.rotation_matrix() - expected).to_cols_array();
        assert!(error.iter().all(|e| e.abs() <= 2e-15), "{v}: {error:?}");
    }
}

#[test]
fn interpolation_is_straight_and_turns_evenly() {
    let mut random = Random::new(6);
    for _ in 0..cases(20_000) {
        let (a, b) = (random_pose(&mut random, 10.0), random_pose(&mut random, 10.0));
        let t = random.unit();
        let at = a.interpolated(&b, t);
        let line = (1.0 - t) * a.translation() + t * b.translation();
        assert!((at.translation() - line).length() <= 2e-14, "{a:?} {b:?} {t}");
        // The angle from a grows in proportion to t and never passes half a turn.
        let (whole, part) = (turn_between(&a, &b), turn_between(&a, &at));
        assert!((part - t * whole).abs() <= 4e-15, "{a:?} {b:?} {t}: {part} of {whole}");
        assert!((turn_between(&at, &b) - (1.0 - t) * whole).abs() <= 4e-15);
        // Half way there and half way back meet.
        let (there, back) = (a.interpolated(&b, 0.5), b.interpolated(&a, 0.5));
        if whole < 3.1 {
            assert!(apart(&there, &back) <= 1e-13, "{a:?} {b:?}");
        }
    }
}

/// The angle between two orientations by the chord of the quaternions, a formula the crate does not use.
fn turn_between(a: &Pose, b: &Pose) -> f64 {
    let (p, q) = (a.rotation(), b.rotation());
    let (near, far) = ((p - q).length(), (p + q).length());
    4.0 * near.min(far).atan2(near.max(far))
}

/// The screw from `a` to `b` must lead there, and its centre must only slide along the axis.
fn check_screw(a: &Pose, b: &Pose, size: f64) -> Option<RotationBetween> {
    let screw = a.screw_to(b);
    let reached = screw.at(1.0) * *a;
    let error = apart(&reached, b);
    assert!(error <= 2e-14 * size, "{a:?} -> {b:?} by {screw:?}: off by {error}");
    assert!(apart(&screw.at(0.0), &Pose::IDENTITY) == 0.0);
    let half = screw.at(0.5);
    assert!(apart(&(half * half), &screw.at(1.0)) <= 2e-14 * size, "{screw:?}");
    let Screw::Rotation(found) = screw else { return None };
    assert!((found.axis.length() - 1.0).abs() < 1e-15);
    assert!(found.angle > 0.0 && found.angle <= std::f64::consts::PI);
    let moved = screw.at(1.0).transform_point(found.center);
    let slack = 4e-15 * (size + found.center.length());
    assert!((moved - found.center - found.advance * found.axis).length() <= slack, "{screw:?}");
    Some(found)
}

#[test]
fn screws_lead_from_pose_to_pose() {
    let mut random = Random::new(7);
    for _ in 0..cases(20_000) {
        let size = 10f64.powf(random.range(-6.0, 6.0));
        let (a, b) = (random_pose(&mut random, size), random_pose(&mut random, size));
        check_screw(&a, &b, size.max(1.0)).expect("random orientations differ");
    }
}

#[test]
fn screws_are_found_as_they_were_made() {
    let mut random = Random::new(8);
    for i in 0..cases(20_000) {
        let gap = 10f64.powf(random.range(-9.0, 0.0));
        let angle = if i % 2 == 0 { gap } else { std::f64::consts::PI - gap };
        let (axis, point, advance) = (random.direction(), random.in_cube(1.0), random.range(-1.0, 1.0));
        let motion =
            Pose::from_translation(advance * axis) * Pose::from_rotation_about(point, axis, angle).unwrap();
        let a = random_pose(&mut random, 1.0);
        let found = check_screw(&a, &(motion * a), 4.0).expect("it turns");
        let noise = 1e-15 / angle; // what the last digit of the quaternions leaves of the axis
        assert!((found.angle - angle).abs() <= 2e-15, "{angle}: {}", found.angle - angle);
        assert!((found.axis - axis).length() <= 4.0 * noise, "{angle}: {axis} {}", found.axis);
        assert!(
            (found.advance - advance).abs() <= 1e-14 + 8.0 * noise,
            "{angle}: {advance} {}",
            found.advance
        );
        // The centre lies on the axis that was asked for.
        let off = (found.center - point).reject_from(axis).length();
        assert!(off <= 1e-14 + 64.0 * noise / angle.min(1.0), "{angle}: centre is {off} m off the axis");
    }
}

#[test]
fn slight_rotations_from_the_identity_are_exact() {
    let mut random = Random::new(9);
    for _ in 0..cases(5_000) {
        let (axis, angle) = (random.direction(), 10f64.powf(random.range(-14.0, 0.0)));
        let b = Pose::from_axis_angle(axis, angle).unwrap();
        let found = check_screw(&Pose::IDENTITY, &b, 1.0).expect("it turns");
        assert!((found.angle / angle - 1.0).abs() <= 1e-15, "{angle}: {}", found.angle);
        assert!((found.axis - axis).length() <= 1e-15, "{angle}: {axis} {}", found.axis);
    }
}

#[test]
fn quaternions_of_all_lengths_give_the_same_pose() {
    let mut random = Random::new(10);
    for _ in 0..cases(5_000) {
        let q = random.rotation();
        let length = 10f64.powf(random.range(-290.0, 300.0));
        let pose = Pose::new(q * length, Vec3::ZERO).unwrap();
        assert!((pose.rotation() - q).length() <= 8.0 * f64::EPSILON, "{q} * {length}");
    }
}
