//! What "free" does not cover in a plan.

use super::{body, length, step_number};
use crate::Timeline;
use crate::checker::{AllowedBy, ExemptKind, Report, WarningCode};
use freiraum_scene::Scene;
use std::collections::HashMap;

/// What a free plan does not say, in sentences without their full stops: pairs that rules take out, bodies that bound no solid, allowances.
pub(crate) fn not_covered(scene: &Scene, timeline: &Timeline, report: &Report) -> Vec<String> {
    let mut said = Vec::new();
    let count = |kinds: &[ExemptKind]| {
        let of_kind = report.exempt.iter().filter(|rule| kinds.contains(&rule.kind));
        of_kind.fold([0, 0], |[rules, pairs], rule| [rules + 1, pairs + rule.count])
    };
    let [rules, pairs] = count(&[ExemptKind::Stated]);
    if rules > 0 {
        said.push(format!(
            "{} that the scene says to ignore, by {}",
            counted(pairs, "pair"),
            counted(rules, "rule")
        ));
    }
    let [_, own] = count(&[ExemptKind::Neighbours, ExemptKind::Srdf, ExemptKind::Fixed]);
    if own > 0 {
        let of = |kind: ExemptKind, one: &str, many: &str| {
            let [_, pairs] = count(&[kind]);
            (pairs > 0).then(|| format!("{pairs} {}", if pairs == 1 { one } else { many }))
        };
        let kinds = [
            of(ExemptKind::Neighbours, "of neighbours at a joint", "of neighbours at a joint"),
            of(ExemptKind::Srdf, "that an SRDF file says to ignore", "that SRDF files say to ignore"),
            of(ExemptKind::Fixed, "fixed to each other", "fixed to each other"),
        ];
        let kinds: Vec<String> = kinds.into_iter().flatten().collect();
        said.push(format!("{} of links and tools of one robot: {}", counted(own, "pair"), kinds.join(", ")));
    }
    let of_code = |code: WarningCode| {
        let bodies = report.warnings.iter().filter(|warning| warning.code == code);
        let names: Vec<String> =
            bodies.flat_map(|warning| &warning.bodies).map(|number| body(scene, *number)).collect();
        listed(&names)
    };
    if let Some(names) = of_code(WarningCode::NoSolid) {
        said.push(format!("the inside of {names}, whose surface bounds no solid"));
    }
    if let Some(names) = of_code(WarningCode::Sheet) {
        said.push(format!("the inside of {names}: declared to be a sheet"));
    }
    said.extend(unrequired(scene, timeline, report));
    let deepest = |by: AllowedBy| {
        let of_kind = report.allowances.iter().filter(|allowance| allowance.by == by);
        of_kind.map(|allowance| allowance.depth).reduce(f64::max).map(|depth| length(depth, scene.units))
    };
    if let Some(depth) = deepest(AllowedBy::Check) {
        said.push(format!("overlaps of all parts up to {depth}, which the scene allows"));
    }
    if let Some(depth) = deepest(AllowedBy::Pair) {
        said.push(format!("overlaps of some pairs up to {depth}, which their rules allow"));
    }
    if let Some(depth) = deepest(AllowedBy::Grasp) {
        said.push(format!("overlaps up to {depth} of grippers with what they hold"));
    }
    said
}

/// How many fits that need not keep their clearance during a step are told one by one.
const FITS: usize = 8;

/// Fits that are in contact or on their approach during whole steps although a clearance is required, each
/// with its steps.
fn unrequired(scene: &Scene, timeline: &Timeline, report: &Report) -> Vec<String> {
    let mut pairs: Vec<([usize; 2], Vec<usize>)> = Vec::new();
    let mut known = HashMap::new();
    for (number, step) in report.steps.iter().enumerate() {
        for [a, b] in step.unrequired.iter().copied() {
            let place = *known.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                pairs.push(([a, b], Vec::new()));
                pairs.len() - 1
            });
            pairs[place].1.push(number);
        }
    }
    let more = pairs.len().saturating_sub(FITS);
    let tell = |(pair, steps): &([usize; 2], Vec<usize>)| {
        let [a, b] = pair.map(|number| body(scene, number));
        let numbers: Vec<String> = steps.iter().map(|step| step_number(timeline, *step)).collect();
        let steps = if numbers.len() == 1 { "step" } else { "steps" };
        let numbers = listed(&numbers).unwrap_or_default();
        format!(
            "{a} and {b} are in contact or on their approach during all of {steps} {numbers}: no clearance was required of them there"
        )
    };
    let mut said: Vec<String> = pairs.iter().take(FITS).map(tell).collect();
    if more > 0 {
        said.push(format!("{} likewise: no clearance was required of them", counted(more, "more fit")));
    }
    said
}

/// The first few names and how many more there are.
fn listed(names: &[String]) -> Option<String> {
    let shown = names.len().min(3);
    let first = names.get(..shown).filter(|first| !first.is_empty())?.join(", ");
    let more = names.len() - shown;
    Some(if more == 0 { first } else { format!("{first} and {more} more") })
}

/// A count with its noun: `1 pair`, `2 pairs`.
pub fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
