//! What a traversal did.

use std::ops::{Add, AddAssign};

/// How often something was looked at: the measure by which trees are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests between two bounding volumes, or a volume and something simple (plane, box, point).
    pub volume_tests: u64,
    /// Tests between two objects themselves.
    pub object_tests: u64,
    /// Pairs that were passed over because what they did since their last test cannot have brought them together.
    pub skipped: u64,
}

impl Add for Counts {
    type Output = Counts;
    fn add(self, other: Counts) -> Counts {
        Counts {
            volume_tests: self.volume_tests + other.volume_tests,
            object_tests: self.object_tests + other.object_tests,
            skipped: self.skipped + other.skipped,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        *self = *self + other;
    }
}
