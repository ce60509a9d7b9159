//! The tests of this crate, in one program.

mod bodies;
mod closed_forms;
mod common;
mod deformation;
mod examine;
mod gpu;
mod mesh_oracle;
mod occupancy;
mod raster;
mod response;
mod shapes;
mod soft;
mod soft_spring;
mod thin;
mod touching;
mod volume;
