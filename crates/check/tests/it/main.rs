//! The tests of this crate, in one program.

mod approach;
mod check_samples;
mod first_touch;
mod grid;
mod height_fields;
mod meetings;
mod pin_far_from_origin;
mod props_allowance;
mod robot_audit;
mod robot_samples;
mod robots;
mod stamped_files;
mod two_robots;
