//! Rooms with walls of 186 blocks inside four rails, a truck and a robot with three wheels that seek eight balls.

use super::robots::{PIONEER, SINK, TRUCK};
use super::{STEP, Scenario, Solid, along, ball, fixed};
use glam::{DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;

/// Layers: what stands, what drives, what lies about. Vehicles meet all but each other, as in the text.
const WORLD: (u32, u32) = (1, 2);
const VEHICLES: (u32, u32) = (2, 1 | 4);
const BALLS: (u32, u32) = (4, 2);

const BLOCK: DVec3 = DVec3::new(0.4, 0.1, 0.3);

/// A wall along x or y from a point, of so many blocks, without those in the gaps.
fn wall(sites: &mut Vec<(DQuat, DVec3)>, from: (f64, f64), is_along_y: bool, blocks: usize, gaps: &[usize]) {
    for i in (0..blocks).filter(|i| !gaps.contains(i)) {
        let way = (i as f64 + 0.5) * BLOCK.x;
        let (shift, turn) = if is_along_y { ((0.0, way), FRAC_PI_2) } else { ((way, 0.0), 0.0) };
        let place = DVec3::new(from.0 + shift.0, from.1 + shift.1, 0.5 * BLOCK.z);
        sites.push((DQuat::from_rotation_z(turn), place));
    }
}

/// The scene; 23 moving bodies, vehicles against everything but each other.
pub fn rooms() -> Scenario {
    let mut sites = Vec::new();
    // The outer walls of a house of 12 by 8 metres: 100 blocks.
    wall(&mut sites, (0.0, 0.0), false, 30, &[]);
    wall(&mut sites, (0.0, 8.0), false, 30, &[]);
    wall(&mut sites, (0.0, 0.0), true, 20, &[]);
    wall(&mut sites, (12.0, 0.0), true, 20, &[]);
    // Two walls across and one along, with doors of 1.2 metres: 14 + 14 + 21 = 49 blocks.
    wall(&mut sites, (4.0, 0.0), true, 20, &[4, 5, 6, 13, 14, 15]);
    wall(&mut sites, (8.0, 0.0), true, 20, &[4, 5, 6, 13, 14, 15]);
    wall(&mut sites, (0.0, 4.0), false, 30, &[4, 5, 6, 14, 15, 16, 24, 25, 26]);
    // Niches: 37 blocks.
    wall(&mut sites, (1.0, 6.8), false, 5, &[]);
    wall(&mut sites, (5.0, 7.0), false, 6, &[]);
    wall(&mut sites, (9.0, 7.0), false, 6, &[]);
    wall(&mut sites, (1.0, 1.0), false, 5, &[]);
    wall(&mut sites, (5.0, 1.0), false, 6, &[]);
    wall(&mut sites, (9.0, 1.0), false, 6, &[]);
    wall(&mut sites, (11.2, 4.4), true, 3, &[]);
    let rail = |x: f64| Solid::Box(DVec3::new(x, 0.05, 0.2));
    let rail_sites = [(6.0, -0.5, 0.0), (6.0, 8.5, 0.0), (-0.5, 4.0, FRAC_PI_2), (12.5, 4.0, FRAC_PI_2)];
    sites.extend(rail_sites.map(|(x, y, turn)| (DQuat::from_rotation_z(turn), DVec3::new(x, y, 0.1))));
    let mut walls = vec![Solid::Box(BLOCK); sites.len() - 4];
    walls.extend([rail(13.0), rail(13.0), rail(9.0), rail(9.0)]);
    let mut crews = vec![
        fixed("walls", walls, WORLD),
        fixed("ground", vec![Solid::HalfSpace(DVec3::Z)], WORLD),
        TRUCK.crew(VEHICLES),
        PIONEER.crew(VEHICLES),
    ];
    crews.extend((0..8).map(|_| ball(0.06, BALLS)));
    let places = move |crew: usize, step: usize| {
        let time = STEP * step as f64;
        match crew {
            0 => sites.clone(),
            1 => vec![(DQuat::IDENTITY, DVec3::ZERO)],
            2 => {
                let route = [(2.2, 2.2), (6.2, 2.2), (10.2, 2.2), (10.2, 5.8), (6.2, 5.8), (2.2, 5.8)];
                let way = 1.0 * time;
                let (place, heading) = along(&route, way);
                TRUCK.places(place, heading, way)
            }
            3 => {
                let route = [(6.2, 5.8), (6.2, 2.2), (10.2, 2.2), (10.2, 5.8)];
                let way = 5.0 + 0.6 * time;
                let (place, heading) = along(&route, way);
                PIONEER.places(place, heading, way)
            }
            // Balls that were bumped roll slowly, two per room.
            _ => {
                let i = crew - 4;
                let (x, y) = (2.2 + 4.0 * (i % 3) as f64, if i < 4 { 2.2 } else { 5.8 });
                let phase = 0.2 * time + i as f64;
                let place = DVec3::new(x + 0.8 * phase.cos(), y + 0.5 * phase.sin(), 0.06 - SINK);
                vec![(DQuat::from_rotation_z(phase), place)]
            }
        }
    };
    Scenario { name: "rooms", crews, steps: 2000, plain: 2985, text: (81.0, 492.0), places: Box::new(places) }
}
