//! Cylinders on a half space: wheels on the ground. The half space is b: the normal of the contact points into it.

use super::{Found, Outcome, Placed, Touch};
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::Cylinder;
use freiraum_geometry::{Mat3, Vec3};

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

/// A cylinder stands if its axis is steeper than the angle of this sine.
const UPRIGHT: f64 = 0.7;

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::shape::{HalfSpace, Shape};
    use freiraum_geometry::{Pose, Quat};
    use freiraum_query::{Prepared, distance};

    /// Against the general distance, for many poses.
    #[test]
    fn lowest_points_are_those_of_the_query() {
        let cylinder = Cylinder::new(0.3, 0.2).unwrap();
        let plane = HalfSpace::new(Vec3::new(0.1, -0.2, 1.0), 0.05).unwrap();
        let shapes = [Shape::Cylinder(cylinder), Shape::HalfSpace(plane)].map(Prepared::new);
        let world_from_b = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.7).unwrap();
        let place = |pose: &Pose| Placed {
            axes: pose.rotation_matrix(),
            position: pose.translation(),
            rotation: pose.rotation(),
        };
        for k in 0..500 {
            let t = f64::from(k);
            let turn = Quat::from_rotation_z(0.7 * t)
                * Quat::from_rotation_y(1.1 * t)
                * Quat::from_rotation_x(1.3 * t);
            let at = Vec3::new((0.3 * t).sin(), (0.5 * t).cos(), 0.2 * (0.9 * t).sin());
            let world_from_a = Pose::new(turn, at).unwrap();
            let expected =
                distance(&shapes[0], &shapes[1], &(world_from_a.inverse() * world_from_b)).unwrap().distance;
            let [a, b] = [&world_from_a, &world_from_b].map(place);
            match cylinder_half_space(&a, &cylinder, &b, plane.normal(), plane.offset(), 0.1) {
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
