//! Planner 3: translations and rotations, by sampling.
//!
//! Trees of poses grow from start and goal towards random poses and towards each other. Their branches are turns about a point
//! of the group and translations, which the exact methods prove free or follow up to the first contact. Both begin with
//! what can be reached by sliding in promising directions. More trees begin in narrow places: in the middle of free stretches of lines between
//! obstacles; what meets grows together. Several searches with seeds of their own take turns; the first one that finds a
//! way, in an order that does not depend on threads, gives the answer.

mod graph;
mod search;

use super::find::Progress;
use super::slides::{Slide, Wanted, slides};
use super::space::{Probe, Space};
use super::way::Leg;
use freiraum_geometry::Vec3;
use freiraum_scene::PlannerChoice;
use rayon::prelude::*;
use search::Search;
use std::ops::ControlFlow;

/// Searches that take turns.
const SEARCHES: u64 = 4;

/// Checks of each search in the first round; later ones have more.
const FIRST_ROUND: u64 = 500;

/// A way from start to goal, if one is found with so many checks, and how many were made.
pub(crate) fn plan(
    space: &Space,
    directions: [&[Vec3]; 2],
    seed: u64,
    budget: u64,
    progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> (Option<Vec<Leg>>, u64) {
    let mut probe = Probe::new(space, budget / 8);
    let reach = space.size();
    let places: [Vec<Slide>; 2] = [(space.start, 0), (space.goal, 1)]
        .map(|(from, side)| slides(&mut probe, &from, directions[side], reach, 2, PLACES, Wanted::All));
    let before = probe.checks;
    let start = |number: u64| {
        Search::new(space, &places, directions, seed.wrapping_mul(SEARCHES).wrapping_add(number))
    };
    let mut searches: Vec<Search> = (0..SEARCHES).map(start).collect();
    let mut round = FIRST_ROUND.min(budget.saturating_sub(before).div_ceil(SEARCHES));
    loop {
        searches.par_iter_mut().for_each(|search| search.run(round));
        let checks = before + searches.iter().map(Search::checks).sum::<u64>();
        if let Some(found) = searches.iter_mut().find_map(Search::take_found) {
            return (Some(found), checks);
        }
        let now = Progress { planner: PlannerChoice::Sampling, checks, budget };
        if checks >= budget || progress(&now).is_break() || space.cancel.is_cancelled() {
            return (None, checks);
        }
        // Not beyond the budget, and often enough to be told to stop.
        round = (2 * round).min((budget - checks).div_ceil(SEARCHES)).min(LAST_ROUND);
    }
}

/// Checks of each search in a round, at most.
const LAST_ROUND: u64 = 8_000;

/// Places that are reached by sliding, at most, on each side.
const PLACES: usize = 32;
