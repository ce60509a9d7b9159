//! The steps around a step, as a pair of bodies sees them: only those in which the two move against each
//! other.
//!
//! For every body the numbers of the stages in which it moves are known, so that a pair costs in proportion
//! to its own motions, however many steps the plan has.
//! What is asked of the steps around one is much the same as what is asked around the next one: answers are
//! kept for each pair, side and stage.

use crate::timeline::Stage;
use freiraum_scene::Problem;
use std::collections::HashMap;
use std::sync::Mutex;

/// The side of a step on which others lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    /// The steps before it.
    Before,
    /// The steps after it.
    After,
}

/// What is asked along the steps on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// Whether a contact that lasts over the borders is one by design.
    Contact,
    /// Whether it is excluded that one of the two is inside of the other.
    Outside,
}

/// A pair, the lower number first, a side, and the number of a stage.
type Seen = ([usize; 2], Side, usize);

/// How a pair passes a border of a stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    /// How much of the approach is left there, in metres; `None` if nothing is.
    pub(super) left: Option<f64>,
    /// How far the pair travels in all of the stage, in metres.
    pub(super) travel: f64,
}

/// All stages of a plan.
pub(crate) struct Around<'c> {
    stages: &'c [Stage],
    /// For every body the numbers of the stages in which it moves, ascending.
    moves: Vec<Vec<usize>>,
    answers: Mutex<HashMap<(Question, Seen), bool>>,
    borders: Mutex<HashMap<Seen, Border>>,
}

impl<'c> Around<'c> {
    pub(crate) fn of(stages: &'c [Stage]) -> Around<'c> {
        let mut moves: Vec<Vec<usize>> = Vec::new();
        for (number, stage) in stages.iter().enumerate() {
            for body in stage.movers.iter().flat_map(|mover| &mover.bodies) {
                if moves.len() <= *body {
                    moves.resize(*body + 1, Vec::new());
                }
                moves[*body].push(number);
            }
        }
        Around { stages, moves, answers: Mutex::default(), borders: Mutex::default() }
    }

    /// What is around the stage with this number.
    pub(crate) fn step(&'c self, number: usize) -> Plan<'c> {
        Plan { around: self, before: number, after: number + 1 }
    }

    /// What is around the state before the first stage.
    pub(crate) fn start(&'c self) -> Plan<'c> {
        Plan { around: self, before: 0, after: 0 }
    }
}

/// What comes before and after a step.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'c> {
    around: &'c Around<'c>,
    /// How many stages are before it.
    before: usize,
    /// The number of the first one after it.
    after: usize,
}

impl<'c> Plan<'c> {
    /// What is around another stage of the same plan.
    pub(super) fn at(&self, number: usize) -> Plan<'c> {
        self.around.step(number)
    }

    /// The stages on one side in which two bodies move against each other, the nearest first, each with its
    /// number.
    pub(super) fn others(&self, side: Side, bodies: [usize; 2]) -> Others<'c> {
        let moves = bodies.map(|body| {
            let all = self.around.moves.get(body).map_or(&[][..], Vec::as_slice);
            match side {
                Side::Before => &all[..all.partition_point(|stage| *stage < self.before)],
                Side::After => &all[all.partition_point(|stage| *stage < self.after)..],
            }
        });
        Others { stages: self.around.stages, side, bodies, moves }
    }

    /// Follows the stages on one side, the nearest first, until one decides; false if none does. `decides` is
    /// asked once of each stage for each pair and side.
    pub(super) fn follow(
        &self,
        question: Question,
        side: Side,
        bodies: [usize; 2],
        decides: impl Fn(&Stage) -> Result<Option<bool>, Problem>,
    ) -> Result<bool, Problem> {
        let seen = |stage: usize| (question, (ordered(bodies), side, stage));
        let answers = || self.around.answers.lock().expect("nothing panics while it is held");
        let (mut passed, mut answer) = (Vec::new(), false);
        for (number, stage) in self.others(side, bodies) {
            if let Some(known) = answers().get(&seen(number)) {
                answer = *known;
                break;
            }
            passed.push(number);
            if let Some(decided) = decides(stage)? {
                answer = decided;
                break;
            }
        }
        // Whoever passes one of these stages comes to the same end.
        answers().extend(passed.into_iter().map(|number| (seen(number), answer)));
        Ok(answer)
    }

    /// What `look` says of the border of a stage that is towards this step, kept.
    pub(super) fn border(
        &self,
        side: Side,
        bodies: [usize; 2],
        stage: usize,
        look: impl FnOnce() -> Result<Border, Problem>,
    ) -> Result<Border, Problem> {
        let seen = (ordered(bodies), side, stage);
        let borders = || self.around.borders.lock().expect("nothing panics while it is held");
        if let Some(known) = borders().get(&seen) {
            return Ok(*known);
        }
        let border = look()?;
        borders().insert(seen, border);
        Ok(border)
    }
}

/// The stages on one side of a step in which two bodies move against each other, the nearest first.
pub(super) struct Others<'c> {
    stages: &'c [Stage],
    side: Side,
    bodies: [usize; 2],
    /// The stages in which each of the two moves, as far as they are left.
    moves: [&'c [usize]; 2],
}

impl<'c> Iterator for Others<'c> {
    type Item = (usize, &'c Stage);

    fn next(&mut self) -> Option<(usize, &'c Stage)> {
        loop {
            let number = match self.side {
                Side::Before => self.moves.iter().filter_map(|left| left.last()).max(),
                Side::After => self.moves.iter().filter_map(|left| left.first()).min(),
            };
            let number = *number?;
            for left in &mut self.moves {
                *left = match (self.side, *left) {
                    (Side::Before, [rest @ .., last]) if *last == number => rest,
                    (Side::After, [first, rest @ ..]) if *first == number => rest,
                    (_, left) => left,
                };
            }
            let stage = &self.stages[number];
            let [a, b] = self.bodies.map(|body| stage.mover_of(body));
            if a != b {
                return Some((number, stage));
            }
        }
    }
}

/// Two bodies as a check of a step has them: the one that moves first, of two that move the lower number.
pub(super) fn in_order(stage: &Stage, bodies: [usize; 2]) -> [usize; 2] {
    let [a, b] = bodies.map(|body| stage.mover_of(body));
    let is_turned = a.is_none() || (b.is_some() && bodies[1] < bodies[0]);
    if is_turned { [bodies[1], bodies[0]] } else { bodies }
}

fn ordered([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}
