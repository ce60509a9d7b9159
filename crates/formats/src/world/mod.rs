//! Worlds in the files of an older simulator: a configuration (`MonsterTruck.cfg`), and with it a city and balls; tables of the beams of
//! real laser scanners. A city or balls can be read alone.
//!
//! Lengths in these files are millimetres, angles degrees, masses kilograms. They are read with what can be read: a key that nobody
//! knows, or a count that does not fit what follows, becomes a note, and everything else still counts.

mod balls;
mod beams;
mod city;
mod configuration;
mod ini;
mod scene;
#[cfg(test)]
mod tests;

pub use balls::{Ball, Balls};
pub use beams::{BeamTable, Laser};
pub use city::{City, House};
pub use configuration::{
    Camera, CameraKeys, Configuration, Dynamics, Field, General, LaserKeys, Robot, RobotKind,
};
pub use ini::Entry;
pub use scene::{WorldFile, is_older, read};

use crate::scene::SceneErrors;
use freiraum_scene::{Place, Problem};

/// Millimetres of the files per metre.
const MILLIMETRE: f64 = 0.001;

/// Files are not larger than this, in bytes.
const LARGEST: u64 = 16 << 20;

/// Numbers in a text, with their places; what is no finite number is a problem.
fn numbers(name: &str, text: &str) -> Result<Vec<(f64, Place)>, SceneErrors> {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for word in text.split_ascii_whitespace() {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let place = Place { start, end: start + word.len() };
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() => found.push((number, place)),
            _ => problems.push(Problem::new(place, format!("found {word:?}, expected a number"))),
        }
    }
    if problems.is_empty() { Ok(found) } else { Err(SceneErrors::new(name, text, problems)) }
}
