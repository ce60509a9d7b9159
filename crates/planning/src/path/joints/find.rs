//! From the task to a way.

use super::edge::Prover;
use super::retreat::retreats;
use super::search::Search;
use super::shorten::shorten;
pub use super::space::EndlessPart;
use super::space::{Memory, Space};
use super::{JointOptions, JointOutcome, JointTask};
use freiraum_motion::CancelToken;
use std::ops::ControlFlow;

/// How far the search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointProgress {
    /// Joint values that were looked at.
    pub looks: u64,
    /// Joint values that are looked at before the search is given up.
    pub budget: u64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct JointsFound {
    /// The answer.
    pub outcome: JointOutcome,
    /// Joint values that were looked at.
    pub looks: u64,
    /// Straight lines that were asked for.
    pub edges: u64,
    /// Straight lines that are proven free.
    pub proven: u64,
    /// The length of the way: the sum of the distances of its joint values, radians and metres alike.
    pub length: f64,
}

/// Joint values that are looked at before somebody is asked whether to go on.
const TURN: u64 = 4096;

/// Joint values that the first search may look at; each later one may look at twice as many.
const FIRST: u64 = 50_000;

/// Finds joint values from the start to a goal, connected by straight lines that are proven free.
///
/// The straight line first; then trees from both ends, again with other random numbers when that takes too long. `progress` may end the search. **Guarantee.** Every line of a
/// [`JointOutcome::Path`] keeps all clearances at all times, rounding included; the start is the first of its joint values and one of the goals the last, unchanged. The same task and seed
/// give the same answer. Joint values in between are whole ten thousandths of a degree, and millionths of a metre, wherever that is free. **Degenerate input.** A start that is a goal is a path of two equal joint values. **Errors.** ShapeCache without end.
/// Panics unless start and goals have one value per freedom and `clearances` one entry per part and obstacle.
pub fn find(
    task: &JointTask,
    options: &JointOptions,
    progress: &mut dyn FnMut(&JointProgress) -> ControlFlow<()>,
) -> Result<JointsFound, EndlessPart> {
    find_until(task, options, &CancelToken::default(), progress)
}

/// As [`find`]; gives up when the token is cancelled.
pub(crate) fn find_until(
    task: &JointTask,
    options: &JointOptions,
    cancel: &CancelToken,
    progress: &mut dyn FnMut(&JointProgress) -> ControlFlow<()>,
) -> Result<JointsFound, EndlessPart> {
    let space = Space::new(task)?;
    let mut memory = Memory::default();
    let mut prover = Prover::new(&space, cancel);
    let done = |outcome: JointOutcome, prover: &Prover| {
        let length = match &outcome {
            JointOutcome::Path(way) => way.windows(2).map(|pair| distance(&pair[0], &pair[1])).sum(),
            _ => 0.0,
        };
        let [edges, proven] = prover.edges;
        Ok(JointsFound { outcome, looks: prover.looks(), edges, proven, length })
    };
    if let Some(fault) = space.fault(&mut memory, &task.start) {
        return done(JointOutcome::BadStart(fault), &prover);
    }
    let (mut goals, mut first) = (Vec::new(), None);
    for goal in &task.goals {
        match space.fault(&mut memory, goal) {
            None => goals.push(goal.clone()),
            Some(fault) => first = first.or(Some(fault)),
        }
    }
    if goals.is_empty() {
        return done(first.map_or(JointOutcome::GaveUp, JointOutcome::BadGoal), &prover);
    }
    goals.sort_by(|a, b| space.distance(&task.start, a).total_cmp(&space.distance(&task.start, b)));
    for goal in &goals {
        if prover.is_free(&task.start, goal) {
            return done(JointOutcome::Path(vec![task.start.clone(), goal.clone()]), &prover);
        }
    }
    // Away from what is touched, across, and back to what is to be touched.
    let leaving = retreats(&mut prover, &task.start);
    let coming: Vec<Vec<Vec<f64>>> = goals.iter().map(|goal| retreats(&mut prover, goal)).collect();
    for (goal, coming) in goals.iter().zip(&coming) {
        let starts = std::iter::once(&task.start).chain(&leaving);
        let pairs = starts.flat_map(|a| std::iter::once(goal).chain(coming).map(move |b| [a, b]));
        for [a, b] in pairs {
            if [a, b] != [&task.start, goal] && prover.is_free(a, b) {
                let mut way = vec![task.start.clone(), a.clone(), b.clone(), goal.clone()];
                way.dedup();
                round(&mut prover, &mut way);
                return done(JointOutcome::Path(way), &prover);
            }
        }
    }
    let mut number = 0;
    while prover.looks() < options.budget && !prover.is_cancelled() {
        let seed = options.seed.wrapping_mul(0x9E37_79B9).wrapping_add(number);
        let mut search = Search::new(&task.start, &goals, seed);
        search.add(&leaving, &coming);
        let end = (prover.looks() + (FIRST << number.min(20))).min(options.budget);
        while prover.looks() < end && !prover.is_cancelled() {
            let until = (prover.looks() + TURN).min(end);
            if let Some(way) = search.run(&mut prover, until) {
                let until = prover.looks() + options.shorten_budget;
                let mut way = shorten(&mut prover, way, until, seed);
                round(&mut prover, &mut way);
                return done(JointOutcome::Path(way), &prover);
            }
            let now = JointProgress { looks: prover.looks(), budget: options.budget };
            if progress(&now).is_break() {
                return done(JointOutcome::GaveUp, &prover);
            }
        }
        number += 1;
    }
    done(JointOutcome::GaveUp, &prover)
}

/// Steps of a degree and of a metre that people can read: joint values between start and goal are rounded to these, where the lines are proven even so.
const STEPS: [f64; 2] = [10_000.0, 1_000_000.0];

/// Makes the joint values between start and goal short to write.
fn round(prover: &mut Prover, way: &mut [Vec<f64>]) {
    let robot = prover.space.robot;
    let space = prover.space;
    let rounded = |(freedom, value): (usize, &f64)| {
        if space.kept[freedom] {
            *value
        } else if robot.joints()[robot.freedoms()[freedom]].kind.turns() {
            ((value.to_degrees() * STEPS[0]).round() / STEPS[0]).to_radians()
        } else {
            (value * STEPS[1]).round() / STEPS[1]
        }
    };
    for knot in 1..way.len().saturating_sub(1) {
        let short = way[knot].iter().enumerate().map(rounded).zip(&space.limits);
        let short: Vec<f64> = short.map(|(value, range)| value.max(range.lower).min(range.upper)).collect();
        if robot.outside_limits(&short).is_empty()
            && prover.is_free(&way[knot - 1], &short)
            && prover.is_free(&short, &way[knot + 1])
        {
            way[knot] = short;
        }
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}
