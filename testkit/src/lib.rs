//! Generators and oracles shared by tests and benches. Never a dependency of shipped code.
//!
//! It does not depend on the crates it helps to test, so that an oracle shares no code with what it judges.

pub mod bad_mesh;
pub mod bumpy;
pub mod counting;
pub mod data;
pub mod encounter;
pub mod exact;
pub mod exact_box;
pub mod exact_distance;
pub mod exact_motion;
pub mod exact_roots;
pub mod folder;
pub mod interval;
pub mod interval_motion;
pub mod meetings;
pub mod models;
pub mod motion_bench;
pub mod nasty;
pub mod points;
pub mod puzzles;
pub mod random;
pub mod scale;
pub mod scenarios;
pub mod skip;
pub mod solid;
pub mod way;
pub mod winding;
pub mod within;
pub mod yaml;
