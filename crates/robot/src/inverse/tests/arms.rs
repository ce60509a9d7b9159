//! The arms that the tests ask.

#![allow(clippy::approx_constant, reason = "limits as the files have them")]

use crate::dh::{Convention, Row, robot};
use crate::model::{Joint, JointKind, Limits, Link, Robot};
use freiraum_geometry::{Pose, Vec3};
use freiraum_testkit::random::Random;

/// A joint as URDF files have it: origin, roll pitch yaw, axis, limits.
pub(super) struct Line(pub [f64; 3], pub [f64; 3], pub [f64; 3], pub [f64; 2]);

pub(super) fn chain(lines: &[Line]) -> Robot {
    let link = |name: String| Link { name, collision: Vec::new(), visual: Vec::new() };
    let links = (0..=lines.len()).map(|k| link(format!("link{k}"))).collect();
    let joint = |(k, Line(at, [roll, pitch, yaw], axis, [lower, upper])): (usize, &Line)| Joint {
        name: format!("joint{}", k + 1),
        parent: k,
        child: k + 1,
        parent_from_child: Pose::from_zyx_euler(*roll, *pitch, *yaw, Vec3::from_array(*at)).unwrap(),
        axis: Vec3::from_array(*axis),
        kind: JointKind::Revolute,
        limits: Limits { lower: *lower, upper: *upper },
        velocity: None,
        mimic: None,
    };
    Robot::new("arm", links, lines.iter().enumerate().map(joint).collect()).unwrap()
}

/// Rows of alpha (degrees), l, d, without limits.
pub(super) fn table(rows: &[[f64; 3]]) -> Robot {
    let row = |[alpha, l, d]: &[f64; 3]| Row { alpha: alpha.to_radians(), l: *l, d: *d, ..Row::default() };
    robot("arm", &rows.iter().map(row).collect::<Vec<_>>(), Convention::Modified).unwrap()
}

/// The robot of the thesis.
pub(super) fn thesis() -> Robot {
    table(&[
        [0.0, 0.0, 0.0],
        [-90.0, 0.0, 0.0],
        [0.0, 0.7, 0.0],
        [90.0, 0.0, 0.49],
        [-90.0, 0.0, 0.0],
        [90.0, 0.0, 0.0],
    ])
}

pub(super) fn puma() -> Robot {
    table(&[
        [0.0, 0.0, 0.0],
        [-90.0, 0.0, 0.2435],
        [0.0, 0.4318, -0.0934],
        [90.0, -0.0203, 0.4331],
        [-90.0, 0.0, 0.0],
        [90.0, 0.0, 0.0],
    ])
}

/// Fanuc M-10iA.
pub(super) fn fanuc() -> Robot {
    let none = [0.0; 3];
    chain(&[
        Line([0.0, 0.0, 0.45], none, [0.0, 0.0, 1.0], [-3.14, 3.14]),
        Line([0.15, 0.0, 0.0], none, [0.0, 1.0, 0.0], [-1.57, 2.79]),
        Line([0.0, 0.0, 0.6], none, [0.0, -1.0, 0.0], [-3.14, 4.61]),
        Line([0.0, 0.0, 0.2], none, [-1.0, 0.0, 0.0], [-3.31, 3.31]),
        Line([0.64, 0.0, 0.0], none, [0.0, -1.0, 0.0], [-3.31, 3.31]),
        Line([0.1, 0.0, 0.0], none, [-1.0, 0.0, 0.0], [-6.28, 6.28]),
    ])
}

pub(super) fn ur5() -> Robot {
    let half = 1.570796325;
    let all = [-6.28318530718, 6.28318530718];
    chain(&[
        Line([0.0, 0.0, 0.089159], [0.0; 3], [0.0, 0.0, 1.0], all),
        Line([0.0, 0.13585, 0.0], [0.0, half, 0.0], [0.0, 1.0, 0.0], all),
        Line([0.0, -0.1197, 0.425], [0.0; 3], [0.0, 1.0, 0.0], [-3.14159265359, 3.14159265359]),
        Line([0.0, 0.0, 0.39225], [0.0, half, 0.0], [0.0, 1.0, 0.0], all),
        Line([0.0, 0.093, 0.0], [0.0; 3], [0.0, 0.0, 1.0], all),
        Line([0.0, 0.0, 0.09465], [0.0; 3], [0.0, 1.0, 0.0], all),
    ])
}

/// Franka Emika Panda, seven joints.
pub(super) fn panda() -> Robot {
    let half = 1.57079632679;
    let z = [0.0, 0.0, 1.0];
    chain(&[
        Line([0.0, 0.0, 0.333], [0.0; 3], z, [-2.8973, 2.8973]),
        Line([0.0, 0.0, 0.0], [-half, 0.0, 0.0], z, [-1.7628, 1.7628]),
        Line([0.0, -0.316, 0.0], [half, 0.0, 0.0], z, [-2.8973, 2.8973]),
        Line([0.0825, 0.0, 0.0], [half, 0.0, 0.0], z, [-3.0718, -0.0698]),
        Line([-0.0825, 0.384, 0.0], [-half, 0.0, 0.0], z, [-2.8973, 2.8973]),
        Line([0.0, 0.0, 0.0], [half, 0.0, 0.0], z, [-0.0175, 3.7525]),
        Line([0.088, 0.0, 0.0], [half, 0.0, 0.0], z, [-2.8973, 2.8973]),
    ])
}

/// Six turning axes of which the last three meet, everything else at random; `kind` makes some of the first three parallel or meet.
pub(super) fn skew(random: &mut Random, kind: usize) -> Robot {
    let mut rows: Vec<[f64; 3]> = (0..6)
        .map(|_| [random.range(-170.0, 170.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0)])
        .collect();
    let nearly = 10f64.powf(random.range(-16.0, -1.0));
    if matches!(kind, 2 | 5 | 8) {
        // Not in one line.
        rows[1][1] += 0.1 * rows[1][1].signum();
    }
    match kind {
        1 => rows[1][1] = 0.0,                      // axes 1 and 2 meet
        2 => rows[1][0] = 0.0,                      // 1 and 2 parallel
        3 => rows[2][0] = 180.0,                    // 2 and 3 parallel, opposite
        4 => (rows[1][1], rows[2][0]) = (0.0, 0.0), // both
        5 => (rows[1][0], rows[2][1]) = (180.0, 0.0),
        6 => rows[1] = [90.0, 0.0, 0.0],
        7 => rows[1][1] = nearly,              // axes 1 and 2 nearly meet
        8 => rows[1][0] = nearly.to_degrees(), // 1 and 2 nearly parallel
        9 => rows[2][0] = nearly.to_degrees(), // 2 and 3 nearly parallel
        _ => {}
    }
    // The wrist: no distances between its axes. They must not be parallel.
    for row in &mut rows[4..] {
        row[0] = random.range(30.0, 150.0) * if random.below(2) == 0 { 1.0 } else { -1.0 };
        row[1] = 0.0;
    }
    rows[4][2] = 0.0;
    table(&rows)
}

/// SCARA with the slide at place `slide`.
pub(super) fn scara(slide: usize) -> Robot {
    let mut turning = [(0.0, 0.4, 0.0), (0.325, 0.05, 0.0), (0.225, 0.0, 180.0)].into_iter();
    let row = |k: usize| {
        if k == slide {
            let limits = Limits { lower: -0.2, upper: 0.3 };
            return Row { kind: JointKind::Prismatic, limits, ..Row::default() };
        }
        let (l, d, alpha) = turning.next().unwrap();
        Row { alpha: f64::to_radians(alpha), l, d, ..Row::default() }
    };
    let rows: Vec<Row> = (0..4).map(row).collect();
    robot("scara", &rows, Convention::Modified).unwrap()
}
