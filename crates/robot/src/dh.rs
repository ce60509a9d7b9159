//! Robots from tables of Denavit and Hartenberg.

use crate::model::{Joint, JointKind, Limits, Link, Robot, RobotError};
use freiraum_geometry::{Pose, Vec3};

/// Which of the two conventions a table is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Convention {
    /// From link to link: Rot_x(alpha) Trans_x(l) Rot_z(theta) Trans_z(d) (Craig). The joint moves the frame that the row leads to.
    #[default]
    Modified,
    /// From link to link: Rot_z(theta) Trans_z(d) Trans_x(l) Rot_x(alpha). The joint moves before the rest of its row.
    Classic,
}

/// One row: how to get from one link to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Angle between the axes about x, in radians.
    pub alpha: f64,
    /// Distance of the axes along x, in metres.
    pub l: f64,
    /// Angle about z at joint value 0, in radians.
    pub theta: f64,
    /// Shift along z at joint value 0, in metres.
    pub d: f64,
    /// How it moves: turning adds to `theta`, sliding to `d`.
    pub kind: JointKind,
    /// The values that the joint can take.
    pub limits: Limits,
    /// Largest speed in radians or metres per second.
    pub velocity: Option<f64>,
}

impl Default for Row {
    fn default() -> Row {
        let kind = JointKind::Revolute;
        Row { alpha: 0.0, l: 0.0, theta: 0.0, d: 0.0, kind, limits: Limits::NONE, velocity: None }
    }
}

/// A chain with one link per row, named `base`, `link1`, `link2`, …, and joints `joint1`, `joint2`, …
///
/// The links have no shapes yet. **Frames.** In the modified convention the frame of a link is that of the table. In the classic one the frames of the table are those *after*
/// the constant part of a row; that part is a fixed joint (`joint1_end`) to a link of its own (`link1_end`), so that a joint always turns about the z axis of the link it carries.
pub fn robot(name: impl Into<String>, rows: &[Row], convention: Convention) -> Result<Robot, RobotError> {
    let link = |name: String| Link { name, collision: Vec::new(), visual: Vec::new() };
    let (mut links, mut joints) = (vec![link("base".to_owned())], Vec::new());
    for (number, row) in rows.iter().enumerate() {
        let number = number + 1;
        let about_x = Pose::from_axis_angle(Vec3::X, row.alpha).unwrap_or(Pose::IDENTITY);
        let along_x = Pose::from_translation(Vec3::new(row.l, 0.0, 0.0));
        let about_z = Pose::from_axis_angle(Vec3::Z, row.theta).unwrap_or(Pose::IDENTITY);
        let along_z = Pose::from_translation(Vec3::new(0.0, 0.0, row.d));
        let [before, after] = match convention {
            Convention::Modified => [about_x * along_x * about_z * along_z, Pose::IDENTITY],
            Convention::Classic => [about_z * along_z, along_x * about_x],
        };
        links.push(link(format!("link{number}")));
        joints.push(Joint {
            name: format!("joint{number}"),
            parent: links.len() - 2,
            child: links.len() - 1,
            parent_from_child: before,
            axis: Vec3::Z,
            kind: row.kind,
            limits: row.limits,
            velocity: row.velocity,
            mimic: None,
        });
        if convention == Convention::Classic {
            links.push(link(format!("link{number}_end")));
            joints.push(Joint {
                name: format!("joint{number}_end"),
                parent: links.len() - 2,
                child: links.len() - 1,
                parent_from_child: after,
                axis: Vec3::Z,
                kind: JointKind::Fixed,
                limits: Limits::NONE,
                velocity: None,
                mimic: None,
            });
        }
    }
    Robot::new(name, links, joints)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The matrices of both conventions, written out.
    fn matrix(row: &Row, convention: Convention, q: f64) -> [[f64; 4]; 3] {
        let (theta, d) = if row.kind.turns() { (row.theta + q, row.d) } else { (row.theta, row.d + q) };
        let ((s, c), (sa, ca)) = (theta.sin_cos(), row.alpha.sin_cos());
        match convention {
            Convention::Modified => {
                [[c, -s, 0.0, row.l], [ca * s, ca * c, -sa, -sa * d], [sa * s, sa * c, ca, ca * d]]
            }
            Convention::Classic => {
                [[c, -s * ca, s * sa, row.l * c], [s, c * ca, -c * sa, row.l * s], [0.0, sa, ca, d]]
            }
        }
    }

    #[test]
    fn chains_are_the_products_of_their_matrices() {
        let mut random = freiraum_testkit::random::Random::new(71);
        for case in 0..200 {
            let convention = if case % 2 == 0 { Convention::Modified } else { Convention::Classic };
            let rows: Vec<Row> = (0..6)
                .map(|k| Row {
                    alpha: random.range(-3.0, 3.0),
                    l: random.range(-1.0, 1.0),
                    theta: random.range(-3.0, 3.0),
                    d: random.range(-1.0, 1.0),
                    kind: if (case + k) % 3 == 0 { JointKind::Prismatic } else { JointKind::Continuous },
                    ..Row::default()
                })
                .collect();
            let robot = robot("arm", &rows, convention).unwrap();
            let values: Vec<f64> = (0..6).map(|_| random.range(-3.0, 3.0)).collect();
            let end = *robot.place(&Pose::IDENTITY, &values).links.last().unwrap();
            for p in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
                let mut at = p;
                for (row, q) in rows.iter().zip(&values).rev() {
                    let m = matrix(row, convention, *q);
                    let apply = |r: [f64; 4]| r[0] * at.x + r[1] * at.y + r[2] * at.z + r[3];
                    at = Vec3::new(apply(m[0]), apply(m[1]), apply(m[2]));
                }
                assert!(end.transform_point(p).distance(at) < 1e-14 * 50.0, "{convention:?}");
            }
        }
    }
}
