//! What robots are told, as stages of a timeline.
//!
//! The tasks of a step run side by side in seconds (`schedule`): every robot gets joint values over time, and moments at which it grasps or releases something.
//! Between two such moments nobody takes or leaves anything, and that is one stage (`stages`): links that move as one, with tools and what is held, are one mover each.

mod line;
mod reach;
mod schedule;
mod stages;
#[cfg(test)]
mod tests;

pub(crate) use reach::{DoubtfulGrasp, doubtful_grasps};
pub(crate) use stages::Crew;
