//! Which links of a robot can touch each other at all, over the whole range of its joints?
//!
//! For two links only the joints between them matter. Random joint values soon show pairs that touch sometimes, and a search from the nearest of them those that
//! touch at few. For the others the box of all joint values is cut into cells: in the middle of a cell the links are so far apart, and from there no point moves
//! farther than a bound that follows from the joints, so that either the cell is proven free or it is cut in two along the joint that moves most.
//!
//! The bound is taken piece by piece of both links, and as seen from the link between the two from which it is smallest: what is near the axis of a joint hardly moves by it.
//! Surfaces that never meet leave containment as it is: links that were seen outside of each other once, at any joint values, never touch.
//! Where a surface bounds no solid ([`Solidity`](freiraum_geometry::mesh::Solidity)) and no joint values show them outside, the pair is not decided.
//!
//! A pair that touched in all samples is proven to touch always by a point that stays inside of both, or by an edge that stays through a face, cell by cell.

mod bodies;
mod cell;
mod crossing;
mod descent;
mod overlap;
mod pair;
mod ranked;
#[cfg(test)]
mod tests;

use bodies::LinkBody;
use freiraum_robot::Robot;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How to look.
#[derive(Clone, Copy)]
pub struct AuditOptions<'o> {
    /// How many random joint values are tried for every pair first.
    pub samples: usize,
    /// How many cells are looked at for a pair before it stays undecided.
    pub cells: usize,
    /// How well the smallest distance of pairs that never touch is to be known: the share of it that may be open.
    pub accuracy: f64,
    /// For the random joint values.
    pub seed: u64,
    /// Links that are declared sheets: only their surfaces count, and nothing is inside of them.
    pub sheets: &'o [usize],
    /// Is told how many of how many pairs are done, from any thread.
    pub progress: Option<&'o (dyn Fn(usize, usize) + Sync)>,
    /// Is asked now and then; once it says yes, what is not decided stays so.
    pub is_cancelled: Option<&'o (dyn Fn() -> bool + Sync)>,
}

impl Default for AuditOptions<'_> {
    fn default() -> Self {
        AuditOptions {
            samples: 1000,
            cells: 200_000,
            accuracy: 0.1,
            seed: 1,
            sheets: &[],
            progress: None,
            is_cancelled: None,
        }
    }
}

/// Two links, and whether they can touch.
#[derive(Clone, Debug, PartialEq)]
pub struct PairAudit {
    /// Numbers of the links, ascending.
    pub links: [usize; 2],
    /// True if a single joint that can move is between them.
    pub is_neighbour: bool,
    /// What was found.
    pub meeting: Meeting,
    /// How many cells were looked at.
    pub cells: usize,
}

/// Whether two links can touch within the limits of the joints.
#[derive(Clone, Debug, PartialEq)]
pub enum Meeting {
    /// Proven: at no joint values.
    Never {
        /// They never come closer than this, in metres, above 0.
        at_least: f64,
        /// The smallest distance that was found, in metres.
        closest: f64,
        /// The joint values for it, one per freedom of the robot.
        at: Vec<f64>,
    },
    /// Proven: at all joint values.
    Always,
    /// At some, and at others not.
    Sometimes {
        /// Joint values at which they touch.
        touching: Vec<f64>,
        /// Joint values at which they do not.
        free: Vec<f64>,
        /// The share of the samples in which they touched.
        share: f64,
    },
    /// Neither proven nor refuted.
    Undecided {
        /// True if they touched in all samples, false if in none.
        touched: bool,
        /// The share of all joint values that is not decided, of the product of the ranges.
        open: f64,
        /// The smallest distance that was found, in metres; 0 if they touched, `None` if nothing was looked at.
        closest: Option<f64>,
        /// The joint values for it.
        at: Vec<f64>,
    },
    /// Not decided, whatever the budget: the surface of a link bounds no solid, and the other one, which does not meet it, may be inside of it.
    InsideUnknown {
        /// Which of the two bound no solid.
        unbounded: [bool; 2],
        /// True if the surfaces meet at some joint values; false if it is proven that they never do.
        touched: bool,
        /// The smallest distance of the surfaces that was found, in metres; 0 if they touched.
        closest: f64,
        /// Joint values: those for it, or if the surfaces meet at some, others at which it is not known.
        at: Vec<f64>,
    },
}

/// Looks at all pairs of links with shapes; those that nothing moves against each other come out as always or never. Links with a shape without end are left out.
///
/// Joints that turn by more than a turn are looked at over one turn; joints that slide without end leave their pairs undecided. The answer does not depend on the number of threads. **Guarantee.** `Never` and `Always` are proven; what was sampled is shown by joint
/// values. Touching counts. **Cost.** Pairs are looked at in parallel; every cell is one distance of two links.
pub fn audit(robot: &Robot, options: &AuditOptions) -> Vec<PairAudit> {
    let body = |(number, link)| LinkBody::of(link, options.sheets.contains(&number));
    let bodies: Vec<Option<LinkBody>> = robot.links().par_iter().enumerate().map(body).collect();
    let shaped: Vec<usize> = (0..bodies.len()).filter(|link| bodies[*link].is_some()).collect();
    let mut pairs = Vec::new();
    for (k, a) in shaped.iter().enumerate() {
        pairs.extend(shaped[k + 1..].iter().map(|b| [*a, *b]));
    }
    let done = AtomicUsize::new(0);
    pairs
        .par_iter()
        .filter_map(|links| {
            let [a, b] = links.map(|link| bodies[link].as_ref());
            let found = pair::audit(robot, *links, [a?, b?], options);
            if let Some(progress) = options.progress {
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, pairs.len());
            }
            Some(found)
        })
        .collect()
}
