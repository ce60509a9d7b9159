//! Three scenes with many bodies after text 000, section 5.5.3: a city, a house of many rooms, robots as bowling pins.
//!
//! Numbers of bodies, groups and pairs are those of the text; the places are our own. Bodies move by formula, so a step
//! looks the same in every run. Lengths in metres, one step is ten milliseconds.

mod bowling;
mod city;
mod robots;
mod rooms;

pub use bowling::bowling;
pub use city::city;
pub use rooms::rooms;

use glam::{DQuat, DVec3};

/// A body in its own frame, centred; cylinders along z.
#[derive(Clone, Copy, Debug)]
pub enum Solid {
    /// A box with these edge lengths.
    Box(DVec3),
    /// A cylinder.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// Its height.
        height: f64,
    },
    /// A ball of this radius.
    Ball(f64),
    /// Everything below the plane through the origin with this outward normal.
    HalfSpace(DVec3),
}

/// Rotation, then translation.
pub type Place = (DQuat, DVec3);

/// Bodies that belong together.
#[derive(Clone, Debug)]
pub struct Crew {
    /// What it is.
    pub name: &'static str,
    /// Its bodies.
    pub solids: Vec<Solid>,
    /// Parent and body of each link of a robot; empty where there is no structure.
    pub links: Vec<(Option<u32>, Option<u32>)>,
    /// Whether it ever moves.
    pub is_movable: bool,
    /// Layers it belongs to and layers it meets.
    pub layers: (u32, u32),
}

/// A scene with its motion.
pub struct Scenario {
    /// What it is.
    pub name: &'static str,
    /// The groups of bodies.
    pub crews: Vec<Crew>,
    /// Number of steps.
    pub steps: usize,
    /// Tests of two bodies per step without trees.
    pub plain: usize,
    /// Tests of bodies and of spheres per step in the text, on average.
    pub text: (f64, f64),
    places: Box<dyn Fn(usize, usize) -> Vec<Place>>,
}

impl Scenario {
    /// Where the bodies of a crew are in a step.
    pub fn places(&self, crew: usize, step: usize) -> Vec<Place> {
        (self.places)(crew, step)
    }
}

/// All three.
pub fn all() -> [Scenario; 3] {
    [city(), rooms(), bowling()]
}

/// Seconds of a step.
const STEP: f64 = 0.01;

/// What meets everything.
const EVERYTHING: (u32, u32) = (u32::MAX, u32::MAX);

fn fixed(name: &'static str, solids: Vec<Solid>, layers: (u32, u32)) -> Crew {
    Crew { name, solids, links: Vec::new(), is_movable: false, layers }
}

fn ball(radius: f64, layers: (u32, u32)) -> Crew {
    Crew { name: "ball", solids: vec![Solid::Ball(radius)], links: Vec::new(), is_movable: true, layers }
}

/// Place and heading after a way along a closed line of waypoints, corners cut a little.
fn along(waypoints: &[(f64, f64)], way: f64) -> (DVec3, f64) {
    let at = |way: f64| {
        let point = |i: usize| {
            let (x, y) = waypoints[i % waypoints.len()];
            DVec3::new(x, y, 0.0)
        };
        let total: f64 = (0..waypoints.len()).map(|i| point(i).distance(point(i + 1))).sum();
        let mut left = way.rem_euclid(total);
        let mut i = 0;
        while left > point(i).distance(point(i + 1)) {
            left -= point(i).distance(point(i + 1));
            i += 1;
        }
        point(i).lerp(point(i + 1), left / point(i).distance(point(i + 1)))
    };
    let (back, front) = (at(way - 0.15), at(way + 0.15));
    let ahead = front - back;
    (0.5 * (back + front), ahead.y.atan2(ahead.x))
}
