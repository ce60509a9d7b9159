//! The tests of this crate, in one program.

mod coincident_spheres;
mod gearbox;
mod report;
