//! The example worlds.

use super::files::{write_file, write_scene};
use std::path::{Path, PathBuf};

/// A scene in which time passes.
#[derive(Clone, Copy, Debug)]
pub struct World {
    /// What it is called, and its folder.
    pub name: &'static str,
    /// Its scene file: the name and the text.
    pub scene: (&'static str, &'static str),
    /// The program that drives in it, if there is one: where it lies beside the scene, and its text.
    pub program: Option<(&'static str, &'static str)>,
}

macro_rules! worlds {
    ($($name:ident $file:literal $(with $program:literal)?),* $(,)?) => {$(
        #[doc = concat!("`examples/worlds/", $file, ".toml`.")]
        pub const $name: World = World {
            name: $file,
            scene: (
                concat!($file, ".toml"),
                include_str!(concat!("../files/worlds/", $file, ".toml")),
            ),
            program: worlds!(@program $($program)?),
        };
    )*};
    (@program) => { None };
    (@program $program:literal) => {
        Some(($program, include_str!(concat!("../files/worlds/", $program))))
    };
}

worlds! {
    BOWLING "bowling",
    ROBOT_BOWLING "robot-bowling",
    CITY "city",
    MAZE "maze" with "controllers/hunt.py",
    SOCCER "soccer",
    COLLECTION "collection",
    PRISM_COLLISIONS "prism-collisions",
    RAMP "ramp",
    SLOPES "slopes",
    TERRAIN "terrain",
    COMPLEX "complex",
}

/// Writes a world into a folder that is there; where the scene is.
///
/// A changed scene of that name is kept under another one. **Errors.** In words.
pub fn write_world(folder: &Path, world: &World) -> Result<PathBuf, String> {
    if let Some((name, text)) = world.program {
        write_file(&folder.join(name), text)?;
    }
    write_scene(folder, world.scene)
}
