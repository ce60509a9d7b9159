//! Pairs that rules take out, with the rules and their reasons.

use super::{body, counted};
use crate::checker::{ExemptKind, ExemptRule, Report};
use freiraum_scene::Scene;
use std::collections::HashMap;

/// How many groups are listed one by one.
const SHOWN: usize = 8;

/// The rules that take pairs out, first those that the scene states: `the screw with the nut ([[pair]]
/// ignore, line 12): they are glued`. Rules of one kind with one reason are told as one, and so are
/// all that follow from how robots are built; of very many the first ones.
pub fn exempt(scene: &Scene, report: &Report) -> Vec<String> {
    let mut groups: Vec<Vec<&ExemptRule>> = Vec::new();
    let mut known: HashMap<(ExemptKind, &str), usize> = HashMap::new();
    let mut rules: Vec<&ExemptRule> = report.exempt.iter().collect();
    rules.sort_by_key(|rule| rule.kind);
    for rule in rules {
        let reason = if is_built(rule.kind) { "" } else { &rule.reason };
        let place = *known.entry((rule.kind, reason)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(rule),
            None => groups.push(vec![rule]),
        }
    }
    let more = groups.len().saturating_sub(SHOWN);
    let mut said: Vec<String> = groups.iter().take(SHOWN).map(|group| of_group(scene, group)).collect();
    if more > 0 {
        said.push(format!("{} likewise; the report has all", counted(more, "more rule")));
    }
    said
}

/// Whether rules of this kind follow from how a robot is built.
fn is_built(kind: ExemptKind) -> bool {
    matches!(kind, ExemptKind::Neighbours | ExemptKind::Fixed)
}

fn of_group(scene: &Scene, group: &[&ExemptRule]) -> String {
    let first = group[0];
    let pairs: usize = group.iter().map(|rule| rule.count).sum();
    let [a, b] = match first.pairs.first() {
        Some(pair) => pair.map(|number| body(scene, number)),
        None => first
            .bodies
            .each_ref()
            .map(|bodies| bodies.first().map_or(String::new(), |number| body(scene, *number))),
    };
    let others = if pairs > 1 { format!(" and {}", counted(pairs - 1, "more pair")) } else { String::new() };
    let line = match (group, first.at) {
        ([_], Some([line, _])) => format!(", line {line}"),
        _ => String::new(),
    };
    let by = match first.kind {
        ExemptKind::Stated => "[[pair]] ignore",
        ExemptKind::Srdf => "SRDF",
        ExemptKind::Neighbours => "neighbouring links",
        ExemptKind::Fixed => "fixed to each other",
    };
    if is_built(first.kind) && group.len() > 1 {
        return format!("{a} with {b}{others}: {by}");
    }
    format!("{a} with {b}{others} ({by}{line}): {}", super::clean(&first.reason))
}
