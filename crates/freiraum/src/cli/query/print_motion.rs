//! Answers about moving bodies for people.

use super::super::output::{Console, number, point};
use super::print::{reach, verdict};
use freiraum::motion::Verdict;
use freiraum::question::{Answer, ContactTime, NamedFeature, WrittenMotion};

/// Prints an answer about two bodies with these motions.
pub(super) fn print(console: &mut Console, answer: &Answer, motions: &[WrittenMotion; 2]) {
    match answer {
        Answer::ContactTime(found) => contact_time(console, found, motions),
        _ => super::print::print(console, answer),
    }
}

fn contact_time(console: &mut Console, found: &ContactTime, motions: &[WrittenMotion; 2]) {
    match &found.verdict {
        Verdict::Free => {
            verdict(console, true, "free", ": they never touch");
            if let Some(lower) = found.clearance_lower.filter(|lower| *lower > 0.0) {
                console.fact("stay apart by", format!("at least {} m", number(lower)));
            }
        }
        Verdict::OverlapAtStart => {
            verdict(console, false, "overlap at the start", ": before anything has moved");
            console.fact("", "`query contact` tells how deep; --allowance takes it as meant");
        }
        Verdict::Undecided { open } => {
            verdict(console, false, "undecided", &format!(": {}; then the budget ended", free_for(open[0])));
            progress(console, motions, open[0]);
        }
        Verdict::Contact(contact) => {
            let what = match &found.features {
                Some([a, b]) => format!("{} of a touches {} of b", feature(a), feature(b)),
                None => "they touch".to_owned(),
            };
            verdict(console, false, "contact", &format!(": {}, then {what}", free_for(contact.time)));
            progress(console, motions, contact.time);
            console.fact("point", point(contact.point.to_array(), reach(&[contact.point])));
            if contact.normal.length_squared() > 0.0 {
                console.fact("from a to b", point(contact.normal.to_array(), 1.0));
            }
            console.fact("t", format!("{} ± {:.0e}", number(contact.time), contact.time_error));
        }
    }
}

/// How much of the motion is free.
fn free_for(t: f64) -> String {
    if t == 0.0 {
        return "at the very start".to_owned();
    }
    format!("free for the first {} % of the motion", percent(t))
}

/// Four digits, and never 100 for what is less, nor 0 for what is more.
fn percent(t: f64) -> String {
    let share = 100.0 * t;
    if t < 1.0 && share > 99.99 {
        return "99.99".to_owned();
    }
    if share < 0.01 { number(share) } else { number((share * 100.0).floor() / 100.0) }
}

/// Where in their motions the bodies are.
fn progress(console: &mut Console, motions: &[WrittenMotion; 2], t: f64) {
    for (label, motion) in ["a is at", "b is at"].into_iter().zip(motions) {
        if !motion.is_still() {
            console.fact(label, motion.progress(t));
        }
    }
}

fn feature(feature: &NamedFeature) -> String {
    let part = feature.part.map_or(String::new(), |part| format!(" of part {part}"));
    format!("{} {}{part}", feature.kind, feature.index)
}
