//! Is there a path? Planners for rigid groups and robots, and disassembly.
//!
//! - [`path`]: a path from pose to pose, or from joint values to joint values, proven on the whole
//! - [`disassemble`]: an order in which everything can be taken apart, and put together again

pub mod disassemble;
pub mod path;
