//! The larger node is opened.

use super::{Open, Rule};

/// Opens the node with the larger surface, so that nodes of like size meet: best for trees of different size.
#[derive(Clone, Copy, Debug, Default)]
pub struct LargerFirst;

impl Rule for LargerFirst {
    fn open(&self, area_a: f64, area_b: f64, _steps: u32) -> Open {
        if area_a >= area_b { Open::First } else { Open::Second }
    }
}
