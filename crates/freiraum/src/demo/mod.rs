//! The assembly that the demo checks, made by this code.

mod gear;
mod gearbox;
mod solid;

pub use gearbox::gearbox_parts;

/// The scene file of the gearbox: its name and its text. Its meshes are [`gearbox_parts`], in millimetres.
pub const GEARBOX: (&str, &str) = ("gearbox.toml", include_str!("../../../../examples/gearbox/gearbox.toml"));

/// The same with one wrong digit.
pub const GEARBOX_FAULTY: (&str, &str) =
    ("gearbox-faulty.toml", include_str!("../../../../examples/gearbox/gearbox-faulty.toml"));
