//! Answers for people.

use super::super::output::{BAD, Console, DIM, GOOD, counted, number, number_at_scale, point};
use super::print_motion;
use freiraum::geometry::Vec3;
use freiraum::query::Closest;
use freiraum::query::contact::Contact;
use freiraum::query::intersect::{Intersection, Relation};
use freiraum::query::ray::RayHit;
use freiraum::question::{Answer, OpenSurfaces, Remarks, WrittenMotion};

/// How many places of contact are listed; JSON has all of them.
const SHOWN_CONTACTS: usize = 12;

/// Prints an answer; `motions`: those of a and b, if they move.
pub(super) fn print(console: &mut Console, answer: &Answer, motions: &[WrittenMotion]) {
    match answer {
        Answer::Intersect { found, .. } => intersect(console, found),
        Answer::Distance { closest, intersects, .. } => distance(console, closest, *intersects),
        Answer::Contact { found, .. } => contact(console, found),
        Answer::Ray(hit) => ray(console, hit.as_ref()),
        Answer::ContactTime(found) => print_motion::contact_time(console, found, motions),
        Answer::Clearance(found) => print_motion::clearance(console, found, motions),
        Answer::Turn { found, open, .. } => {
            print_motion::turn(console, found);
            open_surfaces(console, *open);
        }
    }
    if let Some(remarks) = answer.remarks() {
        print_remarks(console, remarks);
    }
}

/// Where surfaces bound no solid, what to do about it, and what was done to others.
fn print_remarks(console: &mut Console, remarks: &Remarks) {
    if let Some(unknown) = &remarks.unknown {
        console.fact("unknown", unknown.message());
        let reach = reach(&unknown.places.iter().flat_map(|place| place.2).collect::<Vec<_>>());
        for (body, fault, [p, q]) in unknown.places.iter().take(SHOWN_PLACES) {
            let [p, q] = [p, q].map(|p| point(p.to_array(), reach));
            console.fact("", format!("{body}, {fault}: edge from {p} to {q}"));
        }
        if unknown.places.len() > SHOWN_PLACES {
            console.fact("", "… and more: --json has them");
        }
        console.fact("what helps", unknown.remedy());
    }
    for warning in remarks.warnings() {
        console.warning(&warning);
    }
}

/// How many places are listed at which a surface bounds no solid.
const SHOWN_PLACES: usize = 4;

/// The answer in one line.
pub(super) fn verdict(console: &mut Console, is_good: bool, text: &str, rest: &str) {
    let word = console.styled(if is_good { GOOD } else { BAD }, text);
    console.text(&format!("{word}{rest}\n"));
}

fn intersect(console: &mut Console, found: &Intersection) {
    let (word, rest) = match found.relation {
        Relation::Separate => ("apart", ""),
        Relation::Touching => ("touching", ""),
        Relation::Overlapping => ("overlapping", ""),
        Relation::AInsideB => ("overlapping", ": a is inside b"),
        Relation::BInsideA => ("overlapping", ": b is inside a"),
        Relation::Same => ("overlapping", ": a and b fill the same space"),
        Relation::Unknown => ("undecided", ": one may be inside the other"),
    };
    verdict(console, found.decided() == Some(false), word, rest);
    open_surfaces(console, OpenSurfaces { a: found.a_is_open, b: found.b_is_open });
}

/// Warns of shapes that have no inside.
pub(super) fn open_surfaces(console: &mut Console, open: OpenSurfaces) {
    let open = match (open.a, open.b) {
        (false, false) => return,
        (true, false) => "a is",
        (false, true) => "b is",
        (true, true) => "a and b are",
    };
    console.fact("open surface", format!("{open} not closed, or declared a sheet"));
}

fn distance(console: &mut Console, closest: &Closest, decided: Option<bool>) {
    let intersects = decided == Some(true);
    let [a, b] = [closest.point_on_a, closest.point_on_b];
    let reach = reach(&[a, b]);
    if intersects {
        verdict(console, false, "touching or overlapping", ": distance 0; `query contact` tells how deep");
        return;
    }
    match decided {
        None => verdict(
            console,
            false,
            "undecided",
            &format!(": surfaces {} m apart, one may be inside the other", number(closest.distance)),
        ),
        _ => verdict(console, true, "apart", &format!(" by {} m", number(closest.distance))),
    }
    console.fact("nearest on a", point(a.to_array(), reach));
    console.fact("nearest on b", point(b.to_array(), reach));
    console.fact("from a to b", point(closest.normal.to_array(), 1.0));
}

fn contact(console: &mut Console, found: &Contact) {
    if found.is_unknown {
        return verdict(console, false, "undecided", ": one may be inside the other");
    }
    if !found.intersects {
        return verdict(console, true, "apart", "");
    }
    if !found.depth.is_finite() {
        verdict(console, false, "overlapping", " without end: no motion separates them");
    } else if found.depth == 0.0 {
        verdict(console, false, "touching", "");
    } else {
        verdict(console, false, "overlapping", &format!(" by {} m", number(found.depth)));
    }
    if let Some(way) = found.translation.filter(|_| found.depth > 0.0) {
        console.fact("to separate them", format!("move a by {} m", point(way.to_array(), found.depth)));
        if !found.is_exact {
            console.fact("", "(no shorter way was found; one may exist)");
        }
    }
    if found.points.is_empty() {
        return;
    }
    let count = counted(found.points.len(), "point");
    console.fact("contact", format!("{count} in {}", counted(found.regions, "region")));
    contact_table(console, found);
}

fn contact_table(console: &mut Console, found: &Contact) {
    let shown = &found.points[..found.points.len().min(SHOWN_CONTACTS)];
    let points: Vec<Vec3> = shown.iter().map(|c| c.point).collect();
    let reach = reach(&points);
    let mut rows = vec![["region", "depth", "point", "from a to b"].map(str::to_owned)];
    rows.extend(shown.iter().map(|c| {
        [
            c.region.to_string(),
            number_at_scale(c.depth, reach),
            point(c.point.to_array(), reach),
            point(c.normal.to_array(), 1.0),
        ]
    }));
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), 0];
    for (i, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        let line = if i == 0 { console.styled(DIM, &line) } else { line };
        console.text(&format!("    {}\n", line.trim_end()));
    }
    if found.points.len() > shown.len() {
        let more = counted(found.points.len() - shown.len(), "more point");
        console.text(&format!("    … and {more}: --json has all of them\n"));
    }
}

fn ray(console: &mut Console, hit: Option<&RayHit>) {
    let Some(hit) = hit else { return console.text("no hit\n") };
    if hit.distance == 0.0 && hit.face.is_none() {
        return console.text("hit at once: the ray starts in the solid\n");
    }
    console.text(&format!("hit after {} m\n", number(hit.distance)));
    console.fact("point", point(hit.point.to_array(), reach(&[hit.point])));
    console.fact("surface normal", point(hit.normal.to_array(), 1.0));
    if let Some(face) = hit.face {
        let side = if hit.from_inside { ", from its back" } else { "" };
        console.fact("face", format!("{face}, counted from 0{side}"));
    }
}

/// The largest coordinate: rounding noise is small beside it.
pub(super) fn reach(points: &[Vec3]) -> f64 {
    points.iter().fold(0.0, |reach, p| p.abs().max_element().max(reach))
}
