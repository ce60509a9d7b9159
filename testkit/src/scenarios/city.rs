//! A city of 52 houses, a truck, a robot with six wheels, five balls, the ground and a wall at the edge of town.

use super::robots::{SINK, TRUCK, VOLKSBOT};
use super::{EVERYTHING, STEP, Scenario, Solid, along, ball, fixed};
use crate::random::Random;
use glam::{DQuat, DVec3};

/// Distance of the middles of two houses; streets are 1.2 to 1.6 wide.
const BLOCK: f64 = 2.4;

/// Where a street is, by its number along x or y.
fn street(i: f64) -> f64 {
    (i - 0.5) * BLOCK
}

/// The scene; 19 moving bodies, all pairs between groups.
pub fn city() -> Scenario {
    let mut random = Random::new(52);
    let (mut houses, mut sites) = (Vec::new(), Vec::new());
    // Eight rows of seven, without a square of four in the middle.
    for i in 0..56 {
        let (row, column) = (i / 7, i % 7);
        if (3..5).contains(&row) && (3..5).contains(&column) {
            continue;
        }
        let size = DVec3::new(random.range(0.8, 1.2), random.range(0.8, 1.2), random.range(0.6, 2.0));
        houses.push(Solid::Box(size));
        sites.push((DQuat::IDENTITY, DVec3::new(BLOCK * row as f64, BLOCK * column as f64, 0.5 * size.z)));
    }
    let mut crews = vec![
        fixed("houses", houses, EVERYTHING),
        fixed("ground", vec![Solid::HalfSpace(DVec3::Z)], EVERYTHING),
        fixed("wall", vec![Solid::HalfSpace(DVec3::X)], EVERYTHING),
        TRUCK.crew(EVERYTHING),
        VOLKSBOT.crew(EVERYTHING),
    ];
    crews.extend((0..5).map(|_| ball(0.1, EVERYTHING)));
    let places = move |crew: usize, step: usize| {
        let time = STEP * step as f64;
        let drive = |route: &[(f64, f64)], speed: f64, start: f64| {
            let way = start + speed * time;
            let (place, heading) = along(route, way);
            (place, heading, way)
        };
        match crew {
            0 => sites.clone(),
            1 => vec![(DQuat::IDENTITY, DVec3::ZERO)],
            2 => vec![(DQuat::IDENTITY, DVec3::new(-3.0, 0.0, 0.0))],
            3 => {
                let corners = [(1.0, 1.0), (5.0, 1.0), (5.0, 4.0), (3.0, 4.0), (3.0, 6.0), (1.0, 6.0)];
                let (place, heading, way) = drive(&corners.map(|(x, y)| (street(x), street(y))), 1.5, 0.0);
                TRUCK.places(place, heading, way)
            }
            4 => {
                let corners = [(2.0, 2.0), (7.0, 2.0), (7.0, 6.0), (4.0, 6.0), (4.0, 3.0), (2.0, 3.0)];
                let (place, heading, way) = drive(&corners.map(|(x, y)| (street(x), street(y))), 1.0, 3.0);
                VOLKSBOT.places(place, heading, way)
            }
            // Balls roll to and fro in streets that the vehicles use, and round the square.
            _ => {
                let i = (crew - 5) as f64;
                let x = street(1.0 + i) + 0.3 * (0.7 * time + i).sin();
                let y = street(1.0 + i) + 1.5 * (0.4 * time + 2.0 * i).sin();
                let turn = DQuat::from_rotation_x(-15.0 * (0.4 * time + 2.0 * i).sin());
                vec![(turn, DVec3::new(x, y, 0.1 - SINK))]
            }
        }
    };
    Scenario { name: "city", crews, steps: 2000, plain: 1155, text: (30.0, 195.0), places: Box::new(places) }
}
