//! Ten humanoids as pins, and a robot with six wheels that drives into them.

use super::robots::{VOLKSBOT, humanoid, humanoid_places};
use super::{EVERYTHING, STEP, Scenario, Solid, fixed};
use glam::{DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;

/// Speed of the robot in metres per second.
const SPEED: f64 = 1.2;

/// Where a pin stands: four rows, the first one nearest to the robot.
fn pin(i: usize) -> DVec3 {
    let row = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3][i];
    let first = [0, 1, 3, 6][row];
    let across = (i - first) as f64 - 0.5 * row as f64;
    DVec3::new(0.45 * row as f64, 0.5 * across, 0.0)
}

/// The scene; 207 moving bodies in 11 groups, the ground and the wall behind the pins.
pub fn bowling() -> Scenario {
    let mut crews = vec![
        fixed("ground", vec![Solid::HalfSpace(DVec3::Z)], EVERYTHING),
        fixed("wall", vec![Solid::HalfSpace(-DVec3::X)], EVERYTHING),
        VOLKSBOT.crew(EVERYTHING),
    ];
    crews.extend((0..10).map(|_| humanoid(EVERYTHING)));
    let places = move |crew: usize, step: usize| {
        let time = STEP * step as f64;
        let front = -3.6 + SPEED * time;
        match crew {
            0 => vec![(DQuat::IDENTITY, DVec3::ZERO)],
            1 => vec![(DQuat::IDENTITY, DVec3::new(6.0, 0.0, 0.0))],
            2 => VOLKSBOT.places(DVec3::new(front - 0.29, 0.0, 0.0), 0.0, SPEED * time),
            _ => {
                let i = crew - 3;
                let home = pin(i);
                // Pins in the lane are hit by the robot, the others a little later by their neighbours.
                let is_hit = home.y.abs() < 0.35;
                let way = front - home.x + 0.08 - if is_hit { 0.0 } else { 0.4 };
                let phase = 6.0 * time + i as f64;
                let sway = DQuat::from_rotation_x(0.004 * phase.sin());
                if way <= 0.0 {
                    return humanoid_places(home, sway, 0.05 * phase.cos());
                }
                // It falls over, away from the robot, within half a second, and is pushed along or aside.
                let fallen = (way / (0.5 * SPEED)).min(1.0);
                let fall = DQuat::from_rotation_y(fallen * fallen * FRAC_PI_2);
                let pushed =
                    if is_hit { DVec3::X * way.min(2.0) } else { DVec3::Y * home.y.signum() * 0.3 * fallen };
                let lift = DVec3::Z * 0.1 * fallen;
                let spin = DQuat::from_rotation_z(0.3 * fallen * home.y);
                humanoid_places(home + pushed + lift, spin * fall * sway, 0.05 * phase.cos() + 0.4 * fallen)
            }
        }
    };
    Scenario {
        name: "bowling",
        crews,
        steps: 550,
        plain: 19814,
        text: (227.0, 2879.0),
        places: Box::new(places),
    }
}
