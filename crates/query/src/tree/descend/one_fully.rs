//! The first tree is opened down to its leaves before the second is touched.

use super::{Open, Rule};

/// Opens the first tree fully: right where the second is a small thing in the world of the first.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneFully;

impl Rule for OneFully {
    fn open(&self, _area_a: f64, _area_b: f64, _steps: u32) -> Open {
        Open::First
    }
}
