//! The assembly that the demo checks, made by this code.

mod gear;
mod gearbox;
mod solid;

pub use gearbox::gearbox_parts;
