//! What "free" does not cover in a plan.

use super::{body, clean, length};
use crate::check::{AllowedBy, ExemptKind, Report, WarningCode};
use freiraum_scene::{Geometry, Scene};

/// What a free plan does not say, in sentences without their full stops: pairs that rules take out, bodies that bound no solid, allowances.
pub(crate) fn not_covered(scene: &Scene, report: &Report) -> Vec<String> {
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

/// The first few names and how many more there are.
fn listed(names: &[String]) -> Option<String> {
    let shown = names.len().min(3);
    let first = names.get(..shown).filter(|first| !first.is_empty())?.join(", ");
    let more = names.len() - shown;
    Some(if more == 0 { first } else { format!("{first} and {more} more") })
}

pub(crate) fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// What to do about a body whose surface bounds no solid.
pub(crate) fn close_it(scene: &Scene, number: usize) -> String {
    let of_link = scene.link_of(number).map(|(robot, link)| {
        let robot = &scene.robots[robot];
        let link = clean(&robot.model.links()[link].name);
        format!("[[robot]] {:?} solid = {{ {link} = false }}", clean(&robot.name))
    });
    let sheet = of_link.unwrap_or_else(|| "solid = false".to_owned());
    match scene.bodies.get(number).map(|body| &body.geometry) {
        Some(Geometry::File { written, .. }) => {
            format!("close it with `freiraum mesh repair {}`, or declare a sheet: {sheet}", clean(written))
        }
        _ => format!("close its mesh with `freiraum mesh repair`, or declare a sheet: {sheet}"),
    }
}
