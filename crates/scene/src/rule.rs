//! What pairs of bodies must keep to.

use crate::Place;

/// What holds between the bodies of two lists.
#[derive(Clone, Debug)]
pub struct PairRule {
    /// Every body of the first against every one of the second, numbers of bodies.
    pub bodies: [Vec<usize>; 2],
    /// Smallest distance, in metres.
    pub clearance: Option<f64>,
    /// How deep they may overlap, in metres.
    pub allowance: Option<f64>,
    /// How far they may travel against each other before and after a contact without keeping the distance, in metres.
    pub approach: Option<f64>,
    /// If they are not looked at: why not.
    pub ignore: Option<String>,
    /// Where the file says so.
    pub place: Place,
}

impl PairRule {
    /// Whether it speaks of these two bodies.
    pub fn covers(&self, a: usize, b: usize) -> bool {
        let [first, second] = &self.bodies;
        (first.contains(&a) && second.contains(&b)) || (first.contains(&b) && second.contains(&a))
    }
}

/// What two bodies must keep to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Requirement<'s> {
    /// Smallest distance, in metres.
    pub clearance: f64,
    /// How deep they may overlap, in metres.
    pub allowance: f64,
    /// How far the fastest point of the one may travel relative to the other before and after a contact by design without keeping the distance, in metres.
    pub approach: f64,
    /// True if a rule for this pair states the clearance.
    pub is_explicit: bool,
    /// If they are not looked at: why not.
    pub ignore: Option<&'s str>,
}
