//! Where the links are, and how they move when the joints do.

use crate::model::{Joint, JointKind, Robot};
use freiraum_geometry::{Pose, Vec3};

/// Where all links of a robot are.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// `world_from_link` of every link, in the order of the links.
    pub links: Vec<Pose>,
}

/// How the tool moves when the joints do: for every freedom the velocity of the tool point and the angular velocity, per unit of the joint value.
///
/// **Units.** Metres or 1, and radians or 0, per radian or metre of the joint. **Frames.** The world.
#[derive(Clone, Debug, PartialEq)]
pub struct Jacobian {
    /// Velocity of the point, one per freedom.
    pub linear: Vec<Vec3>,
    /// Angular velocity, one per freedom.
    pub angular: Vec<Vec3>,
}

impl Robot {
    /// Where all links are; `base` is the pose of the root link. Panics unless there is one value per freedom.
    pub fn place(&self, base: &Pose, values: &[f64]) -> Placement {
        let mut links = Vec::new();
        self.place_into(base, values, &mut links);
        Placement { links }
    }

    /// As [`Robot::place`], into a list that is used again: no memory is taken once it has grown.
    pub fn place_into(&self, base: &Pose, values: &[f64], links: &mut Vec<Pose>) {
        assert_eq!(values.len(), self.freedoms().len(), "one value per freedom");
        links.clear();
        links.push(*base);
        // The joints stand in the order of the links that they carry: joint j carries link j + 1.
        for (number, joint) in self.joints().iter().enumerate() {
            let world_from_joint = links[joint.parent] * joint.parent_from_child;
            links.push(moved(&world_from_joint, joint, self.joint_value(number, values)));
        }
    }

    /// Where the child of a joint is in the frame of the parent.
    pub(crate) fn parent_from_child(&self, number: usize, values: &[f64]) -> Pose {
        let joint = &self.joints()[number];
        moved(&joint.parent_from_child, joint, self.joint_value(number, values))
    }

    /// How a point of a link, in the frame of the link, moves at these joint values.
    pub fn jacobian(&self, placement: &Placement, link: usize, point: Vec3) -> Jacobian {
        let mut found = Jacobian { linear: Vec::new(), angular: Vec::new() };
        self.jacobian_into(&placement.links, link, point, &mut found);
        found
    }

    /// As [`Robot::jacobian`], into lists that are used again; `links` is what [`Robot::place_into`] made.
    pub fn jacobian_into(&self, links: &[Pose], link: usize, point: Vec3, found: &mut Jacobian) {
        for list in [&mut found.linear, &mut found.angular] {
            list.clear();
            list.resize(self.freedoms().len(), Vec3::ZERO);
        }
        let point = links[link].transform_point(point);
        let mut at = link;
        while let Some(number) = self.carrier(at) {
            let joint = &self.joints()[number];
            at = joint.parent;
            let Some((freedom, factor)) = self.rate(number) else { continue };
            let world_from_child = &links[joint.child];
            let axis = factor * world_from_child.rotate(joint.axis);
            if joint.kind.turns() {
                found.angular[freedom] += axis;
                found.linear[freedom] += axis.cross(point - world_from_child.translation());
            } else {
                found.linear[freedom] += axis;
            }
        }
    }
}

/// The frame of a joint, moved by it. Values that are not finite do not move it.
#[inline]
fn moved(at: &Pose, joint: &Joint, value: f64) -> Pose {
    match joint.kind {
        JointKind::Fixed => *at,
        _ if !value.is_finite() => *at,
        JointKind::Prismatic => at.shifted(value * joint.axis),
        JointKind::Revolute | JointKind::Continuous => at.turned(joint.axis, value),
    }
}

#[cfg(test)]
mod tests {
    use crate::dh::{Convention, Row, robot};
    use crate::model::{JointKind, Robot};
    use freiraum_geometry::{Pose, Vec3};
    use freiraum_testkit::random::Random;

    #[test]
    fn the_robot_of_the_thesis_is_where_it_should_be() {
        let row = |alpha: f64, l, d| Row { alpha: alpha.to_radians(), l, d, ..Row::default() };
        let rows = [
            row(0.0, 0.0, 0.0),
            row(-90.0, 0.0, 0.0),
            row(0.0, 0.7, 0.0),
            row(90.0, 0.0, 0.49),
            row(-90.0, 0.0, 0.0),
            row(90.0, 0.0, 0.0),
        ];
        let robot = robot("arm", &rows, Convention::Modified).unwrap();
        let values = [0.0_f64, 300.0, 110.0, 0.0, 20.0, 40.0].map(f64::to_radians);
        let at = robot.place(&Pose::IDENTITY, &values).links[6].transform_point(Vec3::new(0.01, 0.0, 0.0));
        let expected = Vec3::new(0.7279818034306, 0.0064278760969, 0.9139852482916);
        assert!(at.distance(expected) < 1e-13 * 10.0, "{at}");
    }

    fn random_robot(random: &mut Random) -> Robot {
        let rows: Vec<Row> = (0..6)
            .map(|_| Row {
                alpha: random.range(-3.0, 3.0),
                l: random.range(-1.0, 1.0),
                d: random.range(-1.0, 1.0),
                kind: if random.below(3) == 0 { JointKind::Prismatic } else { JointKind::Continuous },
                ..Row::default()
            })
            .collect();
        robot("arm", &rows, Convention::Modified).unwrap()
    }

    #[test]
    fn jacobians_are_derivatives() {
        let mut random = Random::new(72);
        for _ in 0..100 {
            let robot = random_robot(&mut random);
            let values: Vec<f64> = (0..6).map(|_| random.range(-3.0, 3.0)).collect();
            let base = Pose::new(random.rotation(), random.in_cube(1.0)).unwrap();
            let point = random.in_cube(1.0);
            let link = 1 + random.below(6);
            let found = robot.jacobian(&robot.place(&base, &values), link, point);
            let step = 1e-5;
            for freedom in 0..6 {
                let shifted = |by: f64| {
                    let mut values = values.clone();
                    values[freedom] += by;
                    robot.place(&base, &values).links[link]
                };
                let [before, after] = [shifted(-step), shifted(step)];
                let linear = (after.transform_point(point) - before.transform_point(point)) / (2.0 * step);
                assert!(linear.distance(found.linear[freedom]) < 1e-8, "{linear} {found:?}");
                for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                    let turned = (after.rotate(axis) - before.rotate(axis)) / (2.0 * step);
                    let middle = shifted(0.0).rotate(axis);
                    assert!(turned.distance(found.angular[freedom].cross(middle)) < 1e-8);
                }
            }
        }
    }
}
