//! The assembly that the demo checks, made by this code, and other examples as files.

mod arm;
mod cell;
mod files;
mod gear;
mod gearbox;
mod piano;
mod solid;
pub mod worlds;

pub use arm::{arm_links, arm_urdf};
pub use cell::cell_parts;
pub use files::{write_cell, write_gearbox, write_piano};
pub use gearbox::gearbox_parts;
pub use piano::piano;

/// The scene file of the gearbox: its name and its text. Its meshes are [`gearbox_parts`], in millimetres.
pub const GEARBOX: (&str, &str) = ("gearbox.toml", include_str!("../files/gearbox/gearbox.toml"));

/// The same with one wrong digit.
pub const GEARBOX_FAULTY: (&str, &str) =
    ("gearbox-faulty.toml", include_str!("../files/gearbox/gearbox-faulty.toml"));

/// The scene file of the piano; its meshes are those of [`piano()`], in metres.
pub const PIANO: (&str, &str) = ("piano.toml", include_str!("../files/piano/piano.toml"));

/// The named joint values of the [arm](arm_urdf), and its pairs of links that never meet.
const ARM_SRDF: &str = include_str!("../files/cell/arm.srdf");

/// The scene file of two arms that assemble part of the gearbox. Its files are written by [`write_cell`].
pub const CELL: (&str, &str) = ("cell.toml", include_str!("../files/cell/cell.toml"));

/// The same without a synchronisation.
pub const CELL_FAULTY: (&str, &str) = ("cell-faulty.toml", include_str!("../files/cell/cell-faulty.toml"));
