//! Which world.

use super::Arguments;
use crate::commands::output::Console;
use crate::commands::{Failure, trust};
use freiraum::assets::ShapeCache;
use freiraum::formats::scene::{SceneErrors, SceneFile};
use freiraum::formats::world;
use freiraum::scene::{Controller, Problem, Scene};
use freiraum::world::Simulation;
use freiraum::world::control::Programs;
use freiraum::world::sensors::depth::Renderer;
use std::path::Path;

/// A world that was read, with what messages need.
pub(super) struct World {
    pub(super) scene: Scene,
    /// The name of the scene, or of its file.
    pub(super) title: String,
    /// What is odd in files of the older simulator.
    pub(super) notes: Vec<SceneErrors>,
    source: Source,
    /// Those that may run.
    programs: Programs,
}

enum Source {
    Scene(Box<SceneFile>),
    /// The file of an older simulator: its text is no scene file.
    Other(String),
}

/// Reads a scene file or a world of the older simulator.
pub(super) fn read(arguments: &Arguments, console: &Console) -> Result<World, Failure> {
    let path: &Path = &arguments.scene;
    let name = path.display().to_string();
    let mut found = if world::is_older(path) {
        let file = world::read(path)?;
        let (source, programs) = (Source::Other(name.clone()), Programs::none());
        World { scene: file.scene, title: name, notes: file.notes, source, programs }
    } else {
        let file = SceneFile::read(path)?;
        let title = file.title().unwrap_or(file.name()).to_owned();
        let programs = trust::allowed(&file, arguments.trust, console)?;
        let scene = file.scene().clone();
        World { scene, title, notes: Vec::new(), source: Source::Scene(Box::new(file)), programs }
    };
    let settings = &mut found.scene.world.settings;
    settings.step = arguments.step.unwrap_or(settings.step);
    for vehicle in found.scene.world.vehicles.iter_mut().filter(|_| arguments.wander) {
        vehicle.controller.get_or_insert(Controller::Wander);
    }
    Ok(found)
}

impl World {
    /// Reads all shapes and puts them together.
    pub(super) fn simulation(&self, renderer: &Renderer) -> Result<Simulation, Failure> {
        let shapes = ShapeCache::of(&self.scene).prepared(&self.scene);
        let shapes = shapes.map_err(|problems| self.failure(problems))?;
        Simulation::with_programs(&self.scene, &shapes, renderer, &self.programs)
            .map_err(|problems| self.failure(problems))
    }

    fn failure(&self, problems: Vec<Problem>) -> Failure {
        match &self.source {
            Source::Scene(file) => file.errors(problems).into(),
            Source::Other(name) => SceneErrors::new(name.as_str(), "", problems).into(),
        }
    }
}
