//! The assembly that the demo checks, made by this code, and other examples as files.

mod files;
mod gear;
mod gearbox;
mod solid;

pub use files::{write_gearbox, write_piano};
pub use gearbox::gearbox_parts;

/// The scene file of the gearbox: its name and its text. Its meshes are [`gearbox_parts`], in millimetres.
pub const GEARBOX: (&str, &str) = ("gearbox.toml", include_str!("../../../../examples/gearbox/gearbox.toml"));

/// The same with one wrong digit.
pub const GEARBOX_FAULTY: (&str, &str) =
    ("gearbox-faulty.toml", include_str!("../../../../examples/gearbox/gearbox-faulty.toml"));

/// The scene file of the piano; its meshes are those of [`piano`](crate::plan::demo::piano), in metres.
pub const PIANO: (&str, &str) = ("piano.toml", include_str!("../../../../examples/piano/piano.toml"));
