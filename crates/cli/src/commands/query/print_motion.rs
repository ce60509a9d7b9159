//! Answers about moving bodies for people.

use super::super::output::{Console, error_above, known, number, number_above, number_below};
use super::print::{Lengths, direction, rounding_at, verdict};
use freiraum::check::words::symbol;
use freiraum::geometry::Vec3;
use freiraum::motion::Verdict;
use freiraum::motion::fit::{Fit, FitReason};
use freiraum::motion::turn::TurnAnswer;
use freiraum::question::{ClosestApproach, ContactTime, NamedFeature, WrittenMotion};

pub(super) fn contact_time(
    console: &mut Console,
    found: &ContactTime,
    motions: &[WrittenMotion],
    lengths: Lengths,
) {
    match &found.verdict {
        Verdict::Free => {
            let lower = found.clearance_lower.filter(|lower| *lower > 0.0);
            let rest = match lower {
                None if found.allowance > 0.0 => {
                    format!(": never more than {} into each other", lengths.by(asked, found.allowance))
                }
                None if found.rests => ": what touches slides or parts, nothing gets deeper".to_owned(),
                _ => ": they never touch".to_owned(),
            };
            verdict(console, true, "free", &rest);
            if let Some(lower) = lower {
                console.fact("stay apart by", format!("at least {}", lengths.by(number_below, lower)));
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
            progress(console, motions, [open[0], 0.0], lengths);
            console.fact("", "a larger --budget or --tolerance may decide it");
        }
        Verdict::InsideUnknown { .. } => {
            verdict(console, false, "undecided", ": surfaces never meet, but one may be inside the other");
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
            progress(console, motions, [contact.time, contact.time_error], lengths);
            let off =
                motions.iter().map(|motion| drift(motion, contact.point, contact.time, contact.time_error));
            let error = off.fold(rounding_at(&[contact.point]), f64::max);
            console.fact("point", lengths.point(contact.point, error));
            if contact.normal.length_squared() > 0.0 {
                console.fact("from a to b", direction(contact.normal));
            }
            console.fact(
                "t",
                format!("{} ± {}", known(contact.time, contact.time_error), error_above(contact.time_error)),
            );
        }
    }
    if let Some(fit) = &found.fit {
        console.fact("fit", rests(fit, found.allowance, lengths));
    }
    for interval in found.intervals.iter().flatten() {
        let [from, to] = [0, 1].map(|end| known(interval.time[end], interval.error[end]));
        let what = if interval.is_decided { "in contact" } else { "not decided" };
        console.fact(what, format!("t from {from} to {to}"));
    }
}

/// Why a pair is a fit, and what is taken for rounding then.
fn rests(fit: &Fit, allowance: f64, lengths: Lengths) -> String {
    let when = match fit.reason {
        FitReason::TouchesAtStart => "they touch at the start",
        FitReason::TouchesAtEnd => "they touch at the end and rest there",
    };
    if allowance >= fit.resting {
        return format!("{when}; up to {} overlap is allowed", lengths.by(asked, allowance));
    }
    format!("{when}; up to {} overlap is taken for rounding", lengths.by(one_digit, fit.resting))
}

/// A length that was asked for, as it was written.
fn asked(x: f64) -> String {
    // Twelve digits: what a change of the unit has rounded does not show.
    let short: f64 = format!("{x:.11e}").parse().unwrap_or(x);
    short.to_string()
}

fn one_digit(x: f64) -> String {
    known(x, x)
}

/// How far a point of a moving body may be off if the time is, in metres.
fn drift(motion: &WrittenMotion, world: Vec3, time: f64, error: f64) -> f64 {
    let motion = motion.motion();
    let own = motion.pose(time).inverse().transform_point(world);
    let at = |t: f64| motion.pose(t.clamp(0.0, 1.0)).transform_point(own).distance(world);
    at(time - error).max(at(time + error))
}

pub(super) fn clearance(
    console: &mut Console,
    found: &ClosestApproach,
    motions: &[WrittenMotion],
    lengths: Lengths,
) {
    let closest = &found.clearance;
    let apart = match (found.is_kept(), found.at_least) {
        (Some(true), Some(at_least)) => {
            verdict(
                console,
                true,
                "kept",
                &format!(": at least {} at all times", lengths.by(asked, at_least)),
            );
            "apart by"
        }
        (Some(true), None) => {
            let lower = lengths.by(number_below, closest.lower());
            verdict(console, true, "free", &format!(": at least {lower} at all times"));
            "closest"
        }
        (Some(false), Some(at_least)) if closest.distance > 0.0 => {
            verdict(console, false, "too close", &format!(": less than {}", lengths.by(asked, at_least)));
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
        (None, _) if found.remarks.unknown.is_some() => {
            verdict(console, false, "undecided", ": surfaces never meet, but one may be inside the other");
            "surfaces apart by"
        }
        (None, _) => {
            let between =
                [lengths.by(number_below, closest.lower()), lengths.by(number_above, closest.distance)]
                    .join(" and ");
            verdict(console, false, "undecided", &format!(": between {between}"));
            "apart by"
        }
    };
    let [a, b] = [closest.point_on_a, closest.point_on_b];
    let rounding = rounding_at(&[a, b]);
    if closest.distance > 0.0 {
        let error = if closest.error > 0.0 && found.at_least.is_none() {
            format!(", at most {} too much", lengths.by(error_above, closest.error))
        } else {
            String::new()
        };
        // With a bound to keep, this is a place that decides, not the closest one.
        let unknown = if found.at_least.is_none() { closest.error.max(rounding) } else { rounding };
        let distance = lengths.known(closest.distance, unknown);
        console.fact(apart, format!("{distance} at t = {}{error}", number(closest.time)));
    }
    progress(console, motions, [closest.time, 0.0], lengths);
    console.fact("point of a", lengths.point(a, rounding));
    console.fact("point of b", lengths.point(b, rounding));
    let Some(curve) = &found.curve else { return };
    console.fact("curve", format!("t, distance in {}", symbol(lengths.0)));
    for [t, distance] in curve {
        console.text(&format!("    {:<10}  {}\n", number(*t), lengths.bare(*distance, rounding)));
    }
}

pub(super) fn turn(console: &mut Console, found: &TurnAnswer, lengths: Lengths) {
    match found.contact {
        _ if found.free => {
            verdict(console, true, "free", ": a can turn all the way round");
            if found.clearance_lower > 0.0 {
                console.fact(
                    "stays apart by",
                    format!("at least {}", lengths.by(number_below, found.clearance_lower)),
                );
            }
        }
        None if found.inside_unknown => {
            verdict(console, false, "undecided", ": surfaces never meet, but one may be inside the other");
        }
        None => verdict(console, false, "not free", ": one is inside the other at all angles"),
        Some(contact) => {
            if contact.decided {
                verdict(console, false, "not free", ": a touches b on the way round");
            } else {
                verdict(console, false, "undecided", ": so close that rounding decides");
            }
            console.fact("from the axis", lengths.by(number, contact.distance));
            console
                .fact("along the axis", format!("{} from its point on", lengths.by(number, contact.height)));
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

/// Where in their motions the bodies are at a time with its error.
fn progress(console: &mut Console, motions: &[WrittenMotion], [t, error]: [f64; 2], lengths: Lengths) {
    for (label, motion) in ["a is at", "b is at"].into_iter().zip(motions) {
        if !motion.is_still() {
            console.fact(label, motion.progress(t, error, lengths.0));
        }
    }
}

fn feature(feature: &NamedFeature) -> String {
    let part = feature.part.map_or(String::new(), |part| format!(" of part {part}"));
    format!("{} {}{part}", feature.kind, feature.index)
}
