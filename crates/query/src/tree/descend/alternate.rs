//! The two trees take turns.

use super::{Open, Rule};

/// Opens a node of the first tree, then one of the second, and so on, whatever their sizes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alternate;

impl Rule for Alternate {
    fn open(&self, _area_a: f64, _area_b: f64, steps: u32) -> Open {
        if steps.is_multiple_of(2) { Open::First } else { Open::Second }
    }
}
