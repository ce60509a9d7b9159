//! The tests of this crate, in one program.

mod disassemble;
mod doors;
mod panda;
mod paths;
mod piano;
mod plane;
mod random_scenes;
mod real_cases;
mod robot_grips;
mod robot_paths;
mod stopping;
