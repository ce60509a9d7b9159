//! Pairs that rules take out: which, by which rule, and why.

use super::result::Exempt;
use crate::timeline::Stage;
use freiraum_formats::scene::Lines;
use freiraum_scene::{PairRule, Scene};
use std::collections::{BTreeMap, HashSet};

/// Rules of more pairs than this are counted, and their pairs are not listed.
const LISTED: usize = 10_000;

/// A rule that takes pairs out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
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
    let is_large = |rule: &PairRule| rule.bodies[0].len().saturating_mul(rule.bodies[1].len()) > LISTED;
    // That links are neighbours is told of a pair whatever other rules say of it; else the last one wins.
    let kinds = scene.pairs.iter().enumerate().filter(|(_, rule)| rule.ignore.is_some());
    let mut kinds: Vec<(usize, ExemptKind)> =
        kinds.map(|(number, rule)| (number, kind(scene, rule))).collect();
    kinds.sort_by_key(|(number, kind)| {
        let follows = matches!(kind, ExemptKind::Neighbours | ExemptKind::Fixed);
        (!follows, std::cmp::Reverse(*number))
    });
    // Rules of few pairs come first: their pairs are listed, and are not told of the others.
    let large: Vec<&[Vec<usize>; 2]> = kinds
        .iter()
        .map(|(number, _)| &scene.pairs[*number])
        .filter(|rule| is_large(rule))
        .map(|r| &r.bodies)
        .collect();
    kinds.sort_by_key(|(number, _)| is_large(&scene.pairs[*number]));
    let mut unlisted: Option<std::vec::IntoIter<usize>> = None;
    for (number, kind) in kinds {
        let rule = &scene.pairs[number];
        let Some(reason) = &rule.ignore else { continue };
        let [first, second] = &rule.bodies;
        let mut pairs = Vec::new();
        let count = if is_large(rule) {
            let counts = unlisted.get_or_insert_with(|| {
                unlisted_pairs(&large, scene.bodies.len(), &|_| 0, taken.iter().copied()).into_iter()
            });
            counts.next().unwrap_or(0)
        } else {
            let all = first.iter().flat_map(|a| second.iter().map(move |b| [*a.min(b), *a.max(b)]));
            pairs.extend(all.filter(|[a, b]| a != b && taken.insert([*a, *b])));
            pairs.sort_unstable();
            pairs.len()
        };
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

/// How many pairs each of some rules takes out, each pair told of the first of them, without those that are `listed` elsewhere. Pairs of bodies of one
/// `group` other than 0 do not count.
///
/// Bodies that are in the same lists and the same group are counted together. **Cost.** Linear in the bodies, quadratic in the different memberships.
fn unlisted_pairs(
    rules: &[&[Vec<usize>; 2]],
    bodies: usize,
    group: &dyn Fn(usize) -> usize,
    listed: impl Iterator<Item = [usize; 2]>,
) -> Vec<usize> {
    if rules.is_empty() {
        return Vec::new();
    }
    let mut counts = vec![0i64; rules.len()];
    // In which lists a body is: twice the rule, and one more for the second list.
    let mut memberships: Vec<Vec<usize>> = vec![Vec::new(); bodies];
    for (number, rule) in rules.iter().enumerate() {
        for (side, list) in rule.iter().enumerate() {
            for body in list {
                let of_body = &mut memberships[*body];
                if of_body.last() != Some(&(2 * number + side)) {
                    of_body.push(2 * number + side);
                }
            }
        }
    }
    // The other list of a rule has a number that differs in the last bit.
    let rule_of = |a: &[usize], b: &[usize]| {
        a.iter().filter(|list| b.binary_search(&(**list ^ 1)).is_ok()).map(|list| list / 2).min()
    };
    for [a, b] in listed {
        let counts_here = group(a) != group(b) || group(a) == 0;
        if let Some(rule) = rule_of(&memberships[a], &memberships[b]).filter(|_| counts_here) {
            counts[rule] -= 1;
        }
    }
    let mut classes: BTreeMap<(Vec<usize>, usize), i64> = BTreeMap::new();
    for (body, lists) in memberships.into_iter().enumerate().filter(|(_, lists)| !lists.is_empty()) {
        *classes.entry((lists, group(body))).or_default() += 1;
    }
    let classes: Vec<_> = classes.into_iter().collect();
    for (i, ((lists, of), many)) in classes.iter().enumerate() {
        for ((other_lists, of_other), others) in &classes[i..] {
            let is_same = lists == other_lists && of == of_other;
            if of == of_other && *of != 0 {
                continue;
            }
            if let Some(rule) = rule_of(lists, other_lists) {
                counts[rule] += if is_same { many * (many - 1) / 2 } else { many * others };
            }
        }
    }
    counts.into_iter().map(|count| count.max(0) as usize).collect()
}

/// How many pairs that are not listed move against each other in a stage.
pub(super) fn unlisted_of_stage(scene: &Scene, stage: &Stage, rules: &[ExemptRule]) -> usize {
    let large: Vec<&[Vec<usize>; 2]> =
        rules.iter().filter(|rule| rule.pairs.is_empty()).map(|rule| &rule.bodies).collect();
    if large.is_empty() || stage.movers.is_empty() {
        return 0;
    }
    let mover_of = movers(scene, stage);
    // Bodies that move together, and those that stand still, do not move against each other.
    let group = |body: usize| mover_of[body].map_or(1, |mover| mover + 2);
    let listed = rules.iter().flat_map(|rule| rule.pairs.iter().copied());
    unlisted_pairs(&large, scene.bodies.len(), &group, listed).into_iter().sum()
}

/// The mover of each body.
fn movers(scene: &Scene, stage: &Stage) -> Vec<Option<usize>> {
    let mut mover_of = vec![None; scene.bodies.len()];
    for (number, mover) in stage.movers.iter().enumerate() {
        mover.bodies.iter().for_each(|body| mover_of[*body] = Some(number));
    }
    mover_of
}

/// The pairs of these rules that move against each other in a stage.
pub(super) fn of_stage(scene: &Scene, stage: &Stage, rules: &[ExemptRule]) -> Vec<Exempt> {
    if rules.is_empty() {
        return Vec::new();
    }
    let mover_of = movers(scene, stage);
    let mut found = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        let moving = rule.pairs.iter().filter(|[a, b]| mover_of[*a] != mover_of[*b]);
        found.extend(moving.map(|pair| Exempt { pair: *pair, rule: number }));
    }
    found.sort_unstable_by_key(|one| (one.pair, one.rule));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against all pairs, one by one.
    #[test]
    fn pairs_of_large_rules_are_counted_once() {
        let bodies = 40;
        let all: Vec<usize> = (0..bodies).collect();
        let even: Vec<usize> = (0..bodies).step_by(2).collect();
        let low: Vec<usize> = (0..17).collect();
        let high: Vec<usize> = (11..40).collect();
        let rules = [[low.clone(), high.clone()], [even.clone(), even], [all.clone(), all], [high, low]];
        let listed = [[0, 2], [1, 39], [5, 6], [11, 16]];
        let groups: [&dyn Fn(usize) -> usize; 3] = [&|_| 0, &|body| 1 + body % 3, &|body| body / 20];
        for group in groups {
            let mut expected = vec![0; rules.len()];
            for a in 0..bodies {
                for b in a + 1..bodies {
                    if listed.contains(&[a, b]) || (group(a) == group(b) && group(a) != 0) {
                        continue;
                    }
                    let is_of = |[first, second]: &[Vec<usize>; 2]| {
                        (first.contains(&a) && second.contains(&b))
                            || (first.contains(&b) && second.contains(&a))
                    };
                    if let Some(rule) = rules.iter().position(is_of) {
                        expected[rule] += 1;
                    }
                }
            }
            let rules: Vec<&[Vec<usize>; 2]> = rules.iter().collect();
            assert_eq!(unlisted_pairs(&rules, bodies, group, listed.into_iter()), expected);
        }
    }
}
