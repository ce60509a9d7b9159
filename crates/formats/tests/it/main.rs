//! The tests of this crate, in one program.

mod props_scene;
mod robot_forward;
mod scene_edit;
mod scene_errors;
mod scene_read;
mod scene_robots;
mod scene_save;
mod scene_world;
