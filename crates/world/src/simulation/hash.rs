//! Which scene is it?

use freiraum_query::Prepared;
use freiraum_scene::{Controller, Scene};
use std::fmt::Write;

/// Stands for all of a scene that matters: equal for equal worlds, whatever their files look like.
pub(super) fn hash(scene: &Scene, shapes: &[Prepared]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    let mut text = String::new();
    let mut take = |text: &mut String| {
        hasher.update(text.as_bytes());
        text.clear();
    };
    // The debugging text has all numbers to the last bit. A string takes everything.
    let settings = &scene.world.settings;
    let _ =
        write!(text, "{:?} {:?} {:?} {:?}", settings.gravity, settings.step, settings.drag, settings.seed);
    for (number, (body, shape)) in scene.bodies.iter().zip(shapes).enumerate() {
        let _ = write!(text, "\n{:?} {:?} {:?} ", body.name, body.pose, scene.physics(number));
        let _ = write!(text, "{:?}", shape.shape());
        take(&mut text);
    }
    for goal in &scene.world.goals {
        let _ = write!(text, "\n{:?} {} {} {}", goal.name, goal.body, goal.ball, goal.resets);
    }
    for rule in scene.pairs.iter().filter(|rule| rule.ignore.is_some()) {
        let _ = write!(text, "\n{:?}", rule.bodies);
    }
    for v in &scene.world.vehicles {
        let _ = write!(text, "\n{:?} {:?} {:?} {:?} {:?} ", v.name, v.model, v.pose, v.drive, v.masses);
        let _ = write!(text, "{} {} ", v.full_collision, v.is_active);
        let _ = match &v.controller {
            // Where the file lies does not matter.
            Some(Controller::Program { command, timeout, rate, folder: _ }) => {
                write!(text, "{command:?} {timeout:?} {rate:?}")
            }
            other => write!(text, "{other:?}"),
        };
    }
    for s in &scene.world.sensors {
        let _ = write!(text, "\n{:?} {:?} {:?} {:?} ", s.name, s.mount, s.mount_from_sensor, s.kind);
        let _ = write!(text, "{:?} {:?} {:?} ", s.rate, s.blind_to, s.blind_to_vehicles);
        let _ = write!(text, "{} {:?}", s.sees_itself, s.noise);
        take(&mut text);
    }
    take(&mut text);
    *hasher.finalize().as_bytes()
}
