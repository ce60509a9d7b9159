//! Pairs that rules take out: which, by which rule, and why.

use super::result::Exempt;
use crate::timeline::Stage;
use freiraum_formats::scene::Lines;
use freiraum_scene::{PairRule, Scene};
use std::collections::HashSet;

/// Rules of more pairs than this are counted, and their pairs are not listed.
const LISTED: usize = 10_000;

/// A rule that takes pairs out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExemptRule {
    /// What kind of rule it is.
    pub kind: ExemptKind,
    /// Why the pairs are not looked at, as the rule says it.
    pub reason: String,
    /// Every body of the first list against every one of the second.
    pub bodies: [Vec<usize>; 2],
    /// The pairs, the lower number first, without those that another rule is told of; empty if they are very many.
    pub pairs: Vec<[usize; 2]>,
    /// How many pairs.
    pub count: usize,
    /// Line and column in the scene file.
    pub at: Option<[usize; 2]>,
}

/// What kind of rule takes pairs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExemptKind {
    /// `[[pair]] ignore`, or `ignore` of a robot.
    Stated,
    /// Disabled collisions of an SRDF file.
    Srdf,
    /// Links that a moving joint connects.
    Neighbours,
    /// Links and tools of a robot that are fixed to each other.
    Fixed,
}

impl ExemptKind {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ExemptKind::Stated => "pair",
            ExemptKind::Srdf => "srdf",
            ExemptKind::Neighbours => "neighbours",
            ExemptKind::Fixed => "fixed",
        }
    }
}

/// The rules of a scene that take pairs out, in its order.
pub(super) fn rules(scene: &Scene, lines: Option<&Lines>) -> Vec<ExemptRule> {
    let mut taken: HashSet<[usize; 2]> = HashSet::new();
    let mut found = Vec::new();
    // That links are neighbours is told of a pair whatever other rules say of it; else the last one wins.
    let kinds = scene.pairs.iter().enumerate().filter(|(_, rule)| rule.ignore.is_some());
    let mut kinds: Vec<(usize, ExemptKind)> =
        kinds.map(|(number, rule)| (number, kind(scene, rule))).collect();
    kinds.sort_by_key(|(number, kind)| {
        let follows = matches!(kind, ExemptKind::Neighbours | ExemptKind::Fixed);
        (!follows, std::cmp::Reverse(*number))
    });
    for (number, kind) in kinds {
        let rule = &scene.pairs[number];
        let Some(reason) = &rule.ignore else { continue };
        let [first, second] = &rule.bodies;
        let (mut pairs, mut count) = (Vec::new(), first.len().saturating_mul(second.len()));
        if count <= LISTED {
            let all = first.iter().flat_map(|a| second.iter().map(move |b| [*a.min(b), *a.max(b)]));
            pairs.extend(all.filter(|[a, b]| a != b && taken.insert([*a, *b])));
            pairs.sort_unstable();
            count = pairs.len();
        }
        if count > 0 {
            let told = ExemptRule {
                kind,
                reason: reason.clone(),
                bodies: rule.bodies.clone(),
                pairs,
                count,
                at: lines.map(|lines| lines.line_and_column(rule.place.start).into()),
            };
            found.push((number, told));
        }
    }
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, rule)| rule).collect()
}

/// Rules that follow from a robot itself stand where it is named; all others have a place of their own.
fn kind(scene: &Scene, rule: &PairRule) -> ExemptKind {
    let mut robots = rule.bodies.iter().flatten().map(|body| scene.robot_of(*body));
    let Some(robot) = robots.next().flatten() else { return ExemptKind::Stated };
    if robots.any(|other| other != Some(robot)) {
        return ExemptKind::Stated;
    }
    if rule.place != scene.robots[robot].place {
        let is_srdf = rule.ignore.as_ref().is_some_and(|reason| reason.starts_with("SRDF: "));
        return if is_srdf { ExemptKind::Srdf } else { ExemptKind::Stated };
    }
    // Bodies that are fixed to each other are one list, twice.
    if rule.bodies[0] == rule.bodies[1] { ExemptKind::Fixed } else { ExemptKind::Neighbours }
}

/// The pairs of these rules that move against each other in a stage.
pub(super) fn of_stage(scene: &Scene, stage: &Stage, rules: &[ExemptRule]) -> Vec<Exempt> {
    if rules.is_empty() {
        return Vec::new();
    }
    let mut mover_of = vec![None; scene.bodies.len()];
    for (number, mover) in stage.movers.iter().enumerate() {
        mover.bodies.iter().for_each(|body| mover_of[*body] = Some(number));
    }
    let mut found = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        let moving = rule.pairs.iter().filter(|[a, b]| mover_of[*a] != mover_of[*b]);
        found.extend(moving.map(|pair| Exempt { pair: *pair, rule: number }));
    }
    found.sort_unstable_by_key(|one| (one.pair, one.rule));
    found
}
