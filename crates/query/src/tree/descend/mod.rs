//! Which of two overlapping nodes is opened. One file per rule; a new one is a new file here and nothing else.

mod alternate;
mod both;
mod larger_first;
mod one_fully;

pub use alternate::Alternate;
pub use both::Both;
pub use larger_first::LargerFirst;
pub use one_fully::OneFully;

use std::fmt::Debug;

/// Which of two nodes to open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// The node of the first tree.
    First,
    /// The node of the second tree.
    Second,
    /// Both: all pairs of children.
    Both,
}

/// Decides which of two inner nodes is opened; where one is a leaf there is nothing to decide.
///
/// Rules change the number of tests, never the answer.
pub trait Rule: Debug {
    /// What to open of two nodes with these surface areas, `steps` openings below the roots.
    fn open(&self, area_a: f64, area_b: f64, steps: u32) -> Open;
}
