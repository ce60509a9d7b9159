//! Both nodes are opened at once.

use super::{Open, Rule};

/// Opens both nodes: fewer steps, more tests per step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Both;

impl Rule for Both {
    fn open(&self, _area_a: f64, _area_b: f64, _steps: u32) -> Open {
        Open::Both
    }
}
