//! Cells in the order in which they are looked at.

use super::cell::Cell;
use std::cmp::Ordering;

/// A cell with the share of all joint values that it holds, and a number that says which one is looked at first: the largest.
pub(super) struct Ranked {
    pub(super) rank: f64,
    pub(super) share: f64,
    pub(super) cell: Cell,
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        // Equal ranks in an order that does not depend on how they came in.
        let by_values = || {
            let both = self.cell.middle.iter().zip(&other.cell.middle);
            both.map(|(x, y)| x.total_cmp(y)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        self.rank.total_cmp(&other.rank).then_with(by_values)
    }
}
