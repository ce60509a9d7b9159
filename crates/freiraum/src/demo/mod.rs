//! Parts made by our own generators, so that the demo needs no file.

mod gear;

pub use gear::{SpurGear, spur_gear};
