//! Answers about moving bodies for people.

use super::super::output::{Console, number, point};
use super::print::{open_surfaces, reach, verdict};
use freiraum::motion::Verdict;
use freiraum::motion::turn::TurnAnswer;
use freiraum::question::{ClosestApproach, ContactTime, NamedFeature, WrittenMotion};

pub(super) fn contact_time(console: &mut Console, found: &ContactTime, motions: &[WrittenMotion]) {
    match &found.verdict {
        Verdict::Free => {
            let lower = found.clearance_lower.filter(|lower| *lower > 0.0);
            let rest = match lower {
                None if found.allowance > 0.0 => {
                    format!(": never more than {} m into each other", found.allowance)
                }
                None if found.rests => ": what touches slides or parts, nothing gets deeper".to_owned(),
                _ => ": they never touch".to_owned(),
            };
            verdict(console, true, "free", &rest);
            if let Some(lower) = lower {
                console.fact("stay apart by", format!("at least {} m", number(lower)));
            }
        }
        Verdict::OverlapAtStart => {
            verdict(console, false, "overlap at the start", ": before anything has moved");
            console.fact("", "`query contact` tells how deep; --allowance takes it as meant");
        }
        Verdict::Undecided { open } => {
            let rest = match open[0] {
                0.0 => ": nothing is proven".to_owned(),
                t => format!(": {}, not known from there on", free_for(t)),
            };
            verdict(console, false, "undecided", &rest);
            progress(console, motions, open[0]);
            console.fact("", "a larger --budget or --tolerance may decide it");
        }
        Verdict::Contact(contact) => {
            let what = match &found.features {
                Some([a, b]) => format!("{} of a touches {} of b", feature(a), feature(b)),
                None => "they touch".to_owned(),
            };
            let rest = match contact.time {
                0.0 => format!(": at the very start {what}"),
                t => format!(": {}, then {what}", free_for(t)),
            };
            verdict(console, false, "contact", &rest);
            progress(console, motions, contact.time);
            console.fact("point", point(contact.point.to_array(), reach(&[contact.point])));
            if contact.normal.length_squared() > 0.0 {
                console.fact("from a to b", point(contact.normal.to_array(), 1.0));
            }
            console.fact("t", format!("{} ± {:.0e}", number(contact.time), contact.time_error));
        }
    }
    for interval in found.intervals.iter().flatten() {
        let [from, to] = interval.time.map(number);
        let what = if interval.is_decided { "in contact" } else { "not decided" };
        console.fact(what, format!("t from {from} to {to}"));
    }
    open_surfaces(console, found.open);
}

pub(super) fn clearance(console: &mut Console, found: &ClosestApproach, motions: &[WrittenMotion]) {
    let closest = &found.clearance;
    let apart = match (found.is_kept(), found.at_least) {
        (Some(true), Some(at_least)) => {
            verdict(console, true, "kept", &format!(": at least {at_least} m at all times"));
            "apart by"
        }
        (Some(true), None) => {
            verdict(console, true, "free", &format!(": at least {} m at all times", number(closest.lower())));
            "closest"
        }
        (Some(false), Some(at_least)) if closest.distance > 0.0 => {
            verdict(console, false, "too close", &format!(": less than {at_least} m"));
            "apart by"
        }
        (Some(false), _) => {
            let rest = match closest.time {
                0.0 => " or overlapping at the start: no clearance".to_owned(),
                t => format!(": {}; no clearance", free_for(t)),
            };
            verdict(console, false, "touching", &rest);
            "apart by"
        }
        (None, _) => {
            let between = format!("{} m and {} m", number(closest.lower()), number(closest.distance));
            verdict(console, false, "undecided", &format!(": between {between}"));
            "apart by"
        }
    };
    if closest.distance > 0.0 {
        let error = if closest.error > 0.0 && found.at_least.is_none() {
            format!(", at most {:.0e} m too much", closest.error)
        } else {
            String::new()
        };
        console.fact(apart, format!("{} m at t = {}{error}", number(closest.distance), number(closest.time)));
    }
    progress(console, motions, closest.time);
    let [a, b] = [closest.point_on_a, closest.point_on_b];
    let reach = reach(&[a, b]);
    console.fact("point of a", point(a.to_array(), reach));
    console.fact("point of b", point(b.to_array(), reach));
    open_surfaces(console, found.open);
    let Some(curve) = &found.curve else { return };
    console.fact("curve", "t, distance in metres");
    for [t, distance] in curve {
        console.text(&format!("    {:<10}  {}\n", number(*t), number(*distance)));
    }
}

pub(super) fn turn(console: &mut Console, found: &TurnAnswer) {
    match found.contact {
        _ if found.free => {
            verdict(console, true, "free", ": a can turn all the way round");
            if found.clearance_lower > 0.0 {
                console.fact("stays apart by", format!("at least {} m", number(found.clearance_lower)));
            }
        }
        None => verdict(console, false, "not free", ": one is inside the other at all angles"),
        Some(contact) => {
            if contact.decided {
                verdict(console, false, "not free", ": a touches b on the way round");
            } else {
                verdict(console, false, "undecided", ": so close that rounding decides");
            }
            console.fact("from the axis", format!("{} m", number(contact.distance)));
            console.fact("along the axis", format!("{} m from its point on", number(contact.height)));
            if let Some([a, b]) = contact.faces {
                console.fact("faces", format!("{a} of a, {b} of b"));
            }
        }
    }
}

/// How much of the motion is free.
fn free_for(t: f64) -> String {
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
fn progress(console: &mut Console, motions: &[WrittenMotion], t: f64) {
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
