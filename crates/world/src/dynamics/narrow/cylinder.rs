//! Cylinders on a half space or on a side of a box: wheels on the ground.

use super::{Found, Outcome, Placed, Touch};
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::Cylinder;
use freiraum_geometry::{Mat3, Vec3};

/// The half space is b: the normal of the contact points into it.
pub(super) fn cylinder_half_space(
    a: &Placed,
    cylinder: &Cylinder,
    b: &Placed,
    normal: Vec3,
    offset: f64,
    margin: f64,
) -> Outcome {
    let out = b.axes * normal;
    let Mat3 { x_axis, z_axis: axis, .. } = a.axes;
    let (radius, half) = (cylinder.radius(), 0.5 * cylinder.height());
    let center = (a.position - b.position).dot(out) - offset;
    let along = out.dot(axis);
    // Out of the axis, upwards; any direction if it stands upright.
    let up = unit(out - along * axis).unwrap_or(x_axis);
    // The end that is lower.
    let low = -half.copysign(along) * axis;
    let nearest = center - half * along.abs() - radius * up.dot(out);
    if nearest > margin {
        return Outcome::Apart(nearest);
    }
    let side = axis.cross(up);
    let lowest = -radius * up;
    // It lies on its side or stands on an end; in between one point is all.
    let corners = if along.abs() < UPRIGHT {
        [low + lowest, lowest - low, low + lowest, low + lowest]
    } else {
        [low + lowest, low + radius * side, low - radius * side, low - lowest]
    };
    let count = if along.abs() < UPRIGHT { 2 } else { 4 };
    let mut touch = Touch { normal: -out, ..Touch::NONE };
    for (corner, feature) in corners[..count].iter().zip(1..) {
        let separation = center + corner.dot(out);
        // The lowest one is always told.
        if separation > margin && feature > 1 {
            continue;
        }
        let at = a.position + *corner - 0.5 * separation * out;
        let feature = if count == 2 { feature } else { 2 + feature };
        touch.points[touch.count] = Found { at, separation, feature };
        touch.count += 1;
    }
    Outcome::Touching(touch)
}

/// A cylinder of which all points of contact are over one side of a box a, if it is such a one.
///
/// **Guarantee.** Then the nearest points are the same as of the half space below that side.
pub(super) fn cylinder_cuboid(
    a: &Placed,
    half: Vec3,
    b: &Placed,
    cylinder: &Cylinder,
    margin: f64,
) -> Option<Outcome> {
    let a_from_world = a.axes.transpose();
    let center = a_from_world * (b.position - a.position);
    let outside = center.abs() - half;
    let axis = (0..3).max_by(|i, j| outside[*i].total_cmp(&outside[*j]))?;
    if outside[axis] <= 0.0 {
        return None;
    }
    let mut normal = Vec3::ZERO;
    normal[axis] = 1f64.copysign(center[axis]);
    let touch = match cylinder_half_space(b, cylinder, a, normal, half[axis], margin) {
        Outcome::Touching(touch) => Touch { is_cheap: true, ..touch.swapped() },
        other => return Some(other),
    };
    // Nearer to another side than it is deep, or deeper than the middle, the way out may be there.
    let is_over = |point: &Found| {
        let mut inside = half - (a_from_world * (point.at - a.position)).abs();
        inside[axis] = half[axis];
        inside.min_element() >= (-point.separation).max(0.0)
    };
    touch.points[..touch.count].iter().all(is_over).then_some(Outcome::Touching(touch))
}

/// A cylinder stands if its axis is steeper than the angle of this sine.
const UPRIGHT: f64 = 0.7;

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::shape::{Cuboid, HalfSpace, Shape};
    use freiraum_geometry::{Pose, Quat};
    use freiraum_query::{Prepared, distance};

    /// Somewhere near the origin, turned in some way.
    fn pose(k: i32) -> Pose {
        let t = f64::from(k);
        let turn =
            Quat::from_rotation_z(0.7 * t) * Quat::from_rotation_y(1.1 * t) * Quat::from_rotation_x(1.3 * t);
        let at = Vec3::new((0.3 * t).sin(), (0.5 * t).cos(), 0.2 * (0.9 * t).sin());
        Pose::new(turn, at).unwrap()
    }

    fn place(pose: &Pose) -> Placed {
        Placed { axes: pose.rotation_matrix(), position: pose.translation(), rotation: pose.rotation() }
    }

    /// A box against the general distance: what is told of it is right, and told of most that is near the middle of a side.
    #[test]
    fn boxes_are_those_of_the_query() {
        for (radius, height, thick) in [(0.3, 0.2, 0.5), (0.1, 0.6, 0.05), (0.05, 0.8, 0.3)] {
            boxes(Cylinder::new(radius, height).unwrap(), Cuboid::new(Vec3::new(2.0, 1.6, thick)).unwrap());
        }
    }

    /// A peg through a thin plate, near its edge: it is out sooner sideways than upwards.
    #[test]
    fn what_pierces_a_plate_is_for_the_query() {
        let (plate, peg) =
            (Cuboid::new(Vec3::new(2.0, 2.0, 0.01)).unwrap(), Cylinder::new(0.01, 0.4).unwrap());
        let a_from_b = Pose::from_translation(Vec3::new(1.0009, 0.0, 0.0646))
            * Pose::from_axis_angle(Vec3::Y, 40f64.to_radians()).unwrap();
        let [a, b] = [Pose::IDENTITY, a_from_b].map(|pose| place(&pose));
        assert!(cylinder_cuboid(&a, plate.half(), &b, &peg, 0.1).is_none());
        let shapes = [Shape::Cuboid(plate), Shape::Cylinder(peg)].map(Prepared::new);
        assert!((distance(&shapes[0], &shapes[1], &a_from_b).unwrap().distance + 0.054).abs() < 0.001);
    }

    fn boxes(cylinder: Cylinder, cuboid: Cuboid) {
        let shapes = [Shape::Cuboid(cuboid), Shape::Cylinder(cylinder)].map(Prepared::new);
        let world_from_a = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.7).unwrap();
        let (mut told, mut apart, mut deep) = (0, 0, 0);
        for k in 0..4000 {
            let a_from_b =
                Pose::from_translation(Vec3::Z * (0.15 + cuboid.half().z + 0.2 * (2.3 * f64::from(k)).sin()))
                    * pose(k);
            let expected = distance(&shapes[0], &shapes[1], &a_from_b).unwrap().distance;
            let [a, b] = [world_from_a, world_from_a * a_from_b].map(|pose| place(&pose));
            match cylinder_cuboid(&a, cuboid.half(), &b, &cylinder, 0.1) {
                None => {}
                Some(Outcome::Failed(error)) => panic!("{error}"),
                Some(Outcome::Apart(gap)) => {
                    assert!(gap > 0.1 && gap <= expected + 1e-12, "{k}: {gap} {expected}");
                    apart += 1;
                }
                Some(Outcome::Touching(touch)) => {
                    assert!((touch.nearest() - expected).abs() < 1e-12, "{k}: {expected} {touch:?}");
                    // From the box to the cylinder.
                    assert!(touch.normal.dot(b.position - a.position) > 0.0);
                    told += 1;
                    deep += i32::from(expected < 0.0);
                }
            }
        }
        assert!(told > 200 && apart > 200 && deep > 50, "{told} {apart} {deep}");
    }

    /// Against the general distance, for many poses.
    #[test]
    fn lowest_points_are_those_of_the_query() {
        let cylinder = Cylinder::new(0.3, 0.2).unwrap();
        let plane = HalfSpace::new(Vec3::new(0.1, -0.2, 1.0), 0.05).unwrap();
        let shapes = [Shape::Cylinder(cylinder), Shape::HalfSpace(plane)].map(Prepared::new);
        let world_from_b = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.7).unwrap();
        for k in 0..500 {
            let world_from_a = pose(k);
            let expected =
                distance(&shapes[0], &shapes[1], &(world_from_a.inverse() * world_from_b)).unwrap().distance;
            let [a, b] = [&world_from_a, &world_from_b].map(place);
            match cylinder_half_space(&a, &cylinder, &b, plane.normal(), plane.offset(), 0.1) {
                Outcome::Failed(error) => panic!("{error}"),
                Outcome::Apart(gap) => assert!((gap - expected).abs() < 1e-12 && gap > 0.1),
                Outcome::Touching(touch) => {
                    assert!((touch.nearest() - expected).abs() < 1e-12, "{k}: {expected} {touch:?}");
                    // All points are half way between rim and plane.
                    for p in &touch.points[..touch.count] {
                        let rim =
                            world_from_a.inverse().transform_point(p.at - 0.5 * p.separation * touch.normal);
                        let off = rim.truncate().length() - 0.3;
                        assert!(off.abs() < 1e-12 && (rim.z.abs() - 0.1).abs() < 1e-12);
                    }
                }
            }
        }
    }
}
