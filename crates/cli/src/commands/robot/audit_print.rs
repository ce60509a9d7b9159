//! What an audit found, for people, for programs and as an SRDF file.

use super::audit::{Found, reason};
use super::{table, values};
use crate::commands::output::{BAD, Console, GOOD, WARN, counted, number};
use freiraum::check::audit::{Meeting, PairAudit};
use freiraum::formats::robot::srdf::{DisabledPair, Entry};
use freiraum::robot::Robot;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn word(meeting: &Meeting) -> &'static str {
    match meeting {
        Meeting::Never { .. } => "never",
        Meeting::Always => "always",
        Meeting::Sometimes { .. } => "sometimes",
        Meeting::Undecided { .. } | Meeting::InsideUnknown { .. } => "undecided",
    }
}

fn names<'r>(robot: &'r Robot, pair: &PairAudit) -> [&'r str; 2] {
    pair.links.map(|link| robot.links()[link].name.as_str())
}

/// A share in percent; small ones are not rounded to nothing.
fn percent(share: f64) -> String {
    const SMALLEST: f64 = 0.001;
    let shown = 100.0 * share;
    if shown > 0.0 && shown < SMALLEST {
        format!("less than {SMALLEST} %")
    } else {
        format!("{} %", number((shown / SMALLEST).round() * SMALLEST))
    }
}

/// What was found, in a few words.
fn told(robot: &Robot, pair: &PairAudit) -> String {
    match &pair.meeting {
        Meeting::Never { at_least, closest, .. } if at_least == closest => {
            format!("{} m apart", number(*closest))
        }
        Meeting::Never { at_least, closest, .. } => {
            format!("at least {} m apart; {} m was found", number(*at_least), number(*closest))
        }
        Meeting::Always if pair.is_neighbour => "neighbours".to_owned(),
        Meeting::Always => String::new(),
        Meeting::Sometimes { touching, share, .. } => {
            let often = match *share {
                0.0 => "rarely".to_owned(),
                1.0 => "nearly always".to_owned(),
                share => format!("in {} of the samples", percent(share)),
            };
            format!("{often}, as at ({})", values::people(robot, touching))
        }
        Meeting::Undecided { touched: true, open, .. } => {
            let neighbours = if pair.is_neighbour { "neighbours; " } else { "" };
            format!("{neighbours}touch in all samples, {} of the range is open", percent(*open))
        }
        Meeting::Undecided { closest, open, .. } => {
            let near = closest.map_or(String::new(), |d| format!("{} m was found, ", number(d)));
            format!("{near}{} of the range is open", percent(*open))
        }
        Meeting::InsideUnknown { touched: false, closest, .. } => {
            let open = unbounded(robot, pair).join(" and ");
            format!("the surfaces stay {} m apart, but inside of {open} is unknown", number(*closest))
        }
        Meeting::InsideUnknown { at, .. } => {
            let open = unbounded(robot, pair).join(" and ");
            format!("touch, but inside of {open} is unknown, as at ({})", values::people(robot, at))
        }
    }
}

/// The links of an undecided pair whose surfaces bound no solid.
fn unbounded<'r>(robot: &'r Robot, pair: &PairAudit) -> Vec<&'r str> {
    let Meeting::InsideUnknown { unbounded, .. } = pair.meeting else { return Vec::new() };
    names(robot, pair)
        .into_iter()
        .zip(unbounded)
        .filter(|(_, is_one)| *is_one)
        .map(|(name, _)| name)
        .collect()
}

/// The links that leave pairs undecided because their surfaces bound no solid, each with the number of the pairs.
fn open_links<'r>(robot: &'r Robot, pairs: &[PairAudit]) -> BTreeMap<&'r str, usize> {
    let mut found = BTreeMap::new();
    for name in pairs.iter().flat_map(|pair| unbounded(robot, pair)) {
        *found.entry(name).or_default() += 1;
    }
    found
}

fn remedy(links: &BTreeMap<&str, usize>) -> String {
    let all: Vec<&str> = links.keys().copied().collect();
    let sheets: Vec<String> = all.iter().map(|name| format!("--sheet {name}")).collect();
    let (surfaces, them) =
        if all.len() == 1 { ("the surface of", "bounds") } else { ("the surfaces of", "bound") };
    format!(
        "{surfaces} {} {them} no solid, so that what is inside cannot be told; close the meshes in the program that made them (`freiraum mesh repair IN OUT` mends doubled and wrongly wound faces). If they are meant to be sheets: {}",
        all.join(", "),
        sheets.join(" ")
    )
}

pub(super) fn print(found: &Found, console: &mut Console) {
    let Found { robot, pairs, .. } = found;
    console.heading(&format!("{}: {} of links", robot.name(), counted(pairs.len(), "pair")));
    console.gap();
    let row = |pair: &PairAudit| {
        let [a, b] = names(robot, pair).map(str::to_owned);
        [a, b, word(&pair.meeting).to_owned(), told(robot, pair)]
    };
    let rows: Vec<[String; 4]> = pairs.iter().map(row).collect();
    table::print(console, ["link", "link", "touch", ""], &rows);
    console.gap();
    for danger in &found.dangers {
        let [a, b] = names(robot, danger.pair);
        let text = format!(
            "the SRDF file ignores {a} and {b} (reason '{}'), but they can touch: {}",
            danger.reason,
            told(robot, danger.pair)
        );
        let mark = console.styled(BAD, "dangerous");
        console.text(&format!("  {mark}  {text}\n"));
    }
    for open in &found.not_proven {
        let [a, b] = names(robot, open.pair);
        let mark = console.styled(WARN, "not proven");
        console.text(&format!(
            "  {mark} the SRDF file ignores {a} and {b} (reason '{}'): {}\n",
            open.reason,
            told(robot, open.pair)
        ));
    }
    for pair in found.needless.iter().flatten() {
        let [a, b] = names(robot, pair);
        let mark = console.styled(WARN, "needless");
        console.text(&format!(
            "  {mark}   the SRDF file leaves {a} and {b} to be checked, which {} touch\n",
            word(&pair.meeting)
        ));
    }
    let has_ignored = !found.dangers.is_empty() || !found.not_proven.is_empty();
    if has_ignored || found.needless.as_ref().is_some_and(|pairs| !pairs.is_empty()) {
        console.gap();
    }
    let links = open_links(robot, pairs);
    if !links.is_empty() {
        let mark = console.styled(WARN, "no solid");
        console.text(&format!("  {mark}   {}\n", remedy(&links)));
        console.gap();
    }
    let sheets = declared(found);
    if !sheets.is_empty() {
        let mark = console.styled(WARN, "sheet");
        let them = sheets.join(", ");
        console.text(&format!("  {mark}      declared with --sheet: {them}; only surfaces count there, what is inside is not found\n"));
        console.gap();
    }
    let count = |kind: &str| pairs.iter().filter(|pair| word(&pair.meeting) == kind).count();
    let open = count("undecided");
    let style = if open == 0 { GOOD } else { WARN };
    let head = console.styled(style, if open == 0 { "all decided" } else { "not all decided" });
    let counts = ["never", "always", "sometimes", "undecided"].map(|kind| format!("{} {kind}", count(kind)));
    console.text(&format!(
        "  {head}: {}; {} s\n",
        counts.join(", "),
        number((found.seconds * 100.0).round() / 100.0)
    ));
    if let Some(file) = &found.written {
        console.fact("written", file);
    }
}

pub(super) fn document(found: &Found) -> Value {
    let Found { robot, pairs, .. } = found;
    let entry = |pair: &PairAudit| {
        let mut entry = json!({
            "links": names(robot, pair),
            "meeting": word(&pair.meeting),
            "neighbours": pair.is_neighbour,
            "cells": pair.cells,
            "reason": reason(pair),
        });
        match &pair.meeting {
            Meeting::Never { at_least, closest, at } => {
                entry["clearance_lower"] = json!(at_least);
                entry["closest"] = json!(closest);
                entry["joints"] = values::document(robot, at);
            }
            Meeting::Always => {}
            Meeting::Sometimes { touching, free, share } => {
                entry["share"] = json!(share);
                entry["joints"] = values::document(robot, touching);
                entry["free_joints"] = values::document(robot, free);
            }
            Meeting::Undecided { touched, open, closest, at } => {
                entry["touched"] = json!(touched);
                entry["open"] = json!(open);
                entry["closest"] = json!(closest);
                entry["joints"] = values::document(robot, at);
                entry["why"] = json!("budget");
            }
            Meeting::InsideUnknown { touched, closest, at, .. } => {
                entry["touched"] = json!(touched);
                entry["closest"] = json!(closest);
                entry["joints"] = values::document(robot, at);
                entry["why"] = json!("inside_unknown");
                entry["unbounded"] = json!(unbounded(robot, pair));
            }
        }
        entry
    };
    let count = |kind: &str| pairs.iter().filter(|pair| word(&pair.meeting) == kind).count();
    let links = open_links(robot, pairs);
    let warning = || json!({ "code": "no_solid", "bodies": links.keys().collect::<Vec<_>>(), "message": remedy(&links) });
    json!({
        "robot": robot.name(),
        "never": count("never"),
        "always": count("always"),
        "sometimes": count("sometimes"),
        "undecided": count("undecided"),
        "pairs": pairs.iter().map(entry).collect::<Value>(),
        "dangerous": found.dangers.iter().map(|d| json!({ "links": names(robot, d.pair), "reason": d.reason })).collect::<Value>(),
        "not_proven": found.not_proven.iter().map(|d| json!({ "links": names(robot, d.pair), "reason": d.reason })).collect::<Value>(),
        "needless": found.needless.as_ref().map(|pairs| pairs.iter().map(|pair| names(robot, pair)).collect::<Vec<_>>()),
        "sheets": declared(found),
        "srdf": found.written,
        "warnings": (!links.is_empty()).then(warning).into_iter().collect::<Value>(),
        "seconds": found.seconds,
    })
}

/// The names of the links that are declared sheets.
fn declared<'f>(found: &Found<'f>) -> Vec<&'f str> {
    found.sheets.iter().map(|link| found.robot.links()[*link].name.as_str()).collect()
}

/// What an SRDF file says: the pairs that need not be checked, the proof beside each, and the others as comments.
pub(super) fn entries(robot: &Robot, pairs: &[PairAudit]) -> Vec<Entry> {
    let disabled = pairs.iter().filter_map(|pair| {
        let pair_of_file = DisabledPair { links: pair.links, reason: reason(pair)?.to_owned() };
        Some(Entry::Disabled(pair_of_file, proof(pair)))
    });
    let others = pairs.iter().filter(|pair| reason(pair).is_none()).map(|pair| {
        let [a, b] = names(robot, pair);
        let (word, told) = (word(&pair.meeting), told(robot, pair));
        Entry::Comment(format!("{a} and {b} are to be checked: {word}, {told}"))
    });
    disabled.chain(others).collect()
}

fn proof(pair: &PairAudit) -> String {
    match &pair.meeting {
        Meeting::Never { at_least, .. } => format!("proven: at least {} m apart", number(*at_least)),
        _ => "proven: they touch at all joint values".to_owned(),
    }
}
