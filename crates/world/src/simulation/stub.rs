//! In place of vehicles until they are there.

use crate::event::Event;
use crate::rigid::{BodyId, Bytes, Engine};
use crate::sensor::odometry::Track;
use crate::vehicle::Command;
use freiraum_geometry::Pose;
use freiraum_query::Prepared;
use freiraum_scene::{Problem, Scene, Vehicle};
use std::ops::Range;

pub(super) struct Expanded {
    pub scene: Scene,
    pub shapes: Vec<Prepared>,
    pub vehicles: Vec<Range<usize>>,
}

pub(super) fn expanded(scene: &Scene, shapes: &[Prepared]) -> Result<Expanded, Vec<Problem>> {
    let problems: Vec<Problem> = scene
        .world
        .vehicles
        .iter()
        .map(|v| Problem::new(v.place, format!("the vehicle {:?} is not simulated yet", v.name)))
        .collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Expanded { scene: scene.clone(), shapes: shapes.to_vec(), vehicles: Vec::new() })
}

pub struct Machine;

impl Machine {
    pub fn new(_: &mut Engine, _: &Vehicle, _: &[BodyId]) -> Machine {
        Machine
    }
    pub fn command(&mut self, _: &Command) -> Result<(), String> {
        Ok(())
    }
    pub fn before(&mut self, _: &mut Engine, _: f64) {}
    pub fn after(&mut self, _: &mut Engine, _: f64, _: &mut Vec<Event>) {}
    pub fn pose(&self, _: &Engine) -> Pose {
        Pose::IDENTITY
    }
    pub fn speed(&self, _: &Engine) -> [f64; 2] {
        [0.0; 2]
    }
    pub fn track(&self) -> Track {
        Track::default()
    }
    pub fn holds(&self) -> Option<BodyId> {
        None
    }
    pub(crate) fn put(&self, _: &mut Vec<u8>) {}
    pub(crate) fn get(&mut self, _: &mut Bytes) -> Option<()> {
        Some(())
    }
}
