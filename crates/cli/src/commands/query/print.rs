//! Answers for people.

use super::super::output::{BAD, Console, DIM, GOOD, counted, known, number_above, point};
use super::print_motion;
use freiraum::check::words::symbol;
use freiraum::geometry::math::rounding;
use freiraum::geometry::{Unit, Vec3};
use freiraum::query::Closest;
use freiraum::query::contact::Contact;
use freiraum::query::intersect::{Intersection, Relation};
use freiraum::query::ray::RayHit;
use freiraum::question::{Answer, OpenSurfaces, Remarks, WrittenMotion};

/// How many places of contact are listed; JSON has all of them.
const SHOWN_CONTACTS: usize = 12;

/// Lengths for people, in one unit and with the digits that are known.
#[derive(Clone, Copy)]
pub(super) struct Lengths(pub(super) Unit);

impl Lengths {
    /// A length in metres that is known to within `error` metres, without the name of its unit.
    pub(super) fn bare(self, metres: f64, error: f64) -> String {
        known(self.0.from_metres(metres), self.0.from_metres(error))
    }

    /// A length in metres that is known to within `error` metres.
    pub(super) fn known(self, metres: f64, error: f64) -> String {
        self.named(self.bare(metres, error))
    }

    /// A length in metres, written by one of the functions for numbers.
    pub(super) fn by(self, write: fn(f64) -> String, metres: f64) -> String {
        self.named(write(self.0.from_metres(metres)))
    }

    fn named(self, number: String) -> String {
        format!("{number} {}", symbol(self.0))
    }

    /// A point in metres whose coordinates are known to within `error` metres.
    pub(super) fn point(self, p: Vec3, error: f64) -> String {
        let [x, y, z] =
            p.to_array().map(|x| if x.abs() <= error { "0".to_owned() } else { self.bare(x, error) });
        format!("({x}, {y}, {z})")
    }
}

/// A direction, whose digits are those of rounding.
pub(super) fn direction(v: Vec3) -> String {
    point(v.to_array(), 1.0)
}

/// Prints an answer with lengths in `units`; `motions`: those of a and b, if they move; `sheets`: which of
/// them are declared sheets.
pub(super) fn print(
    console: &mut Console,
    answer: &Answer,
    motions: &[WrittenMotion],
    sheets: [bool; 2],
    units: Unit,
) {
    let lengths = Lengths(units);
    match answer {
        // Lines of a batch define, and batches answer in JSON.
        Answer::Defined(_) => {}
        Answer::Intersect { found, .. } => intersect(console, found),
        Answer::Distance { closest, intersects, .. } => distance(console, closest, *intersects, lengths),
        Answer::Contact { found, .. } => contact(console, found, lengths),
        Answer::Ray(hit) => ray(console, hit.as_ref(), lengths),
        Answer::ContactTime(found) => print_motion::contact_time(console, found, motions, lengths),
        Answer::Clearance(found) => print_motion::clearance(console, found, motions, lengths),
        Answer::Turn { found, .. } => print_motion::turn(console, found, lengths),
    }
    open_surfaces(console, answer.open_surfaces(), sheets);
    if let Some(remarks) = answer.remarks() {
        print_remarks(console, remarks, lengths);
    }
}

/// Where surfaces bound no solid, what to do about it, and what was done to others.
fn print_remarks(console: &mut Console, remarks: &Remarks, lengths: Lengths) {
    if let Some(unknown) = &remarks.unknown {
        console.fact("unknown", unknown.message());
        let error = rounding_at(&unknown.places.iter().flat_map(|place| place.2).collect::<Vec<_>>());
        for (body, fault, [p, q]) in unknown.places.iter().take(SHOWN_PLACES) {
            let [p, q] = [p, q].map(|p| lengths.point(*p, error));
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
}

/// Warns of shapes that have no inside, and says why each has none.
fn open_surfaces(console: &mut Console, open: OpenSurfaces, sheets: [bool; 2]) {
    let mut label = "open surface";
    for name in open.names() {
        let is_sheet = sheets[usize::from(name == "b")];
        let why = if is_sheet {
            "is declared a sheet: only its surface counts"
        } else {
            "bounds no solid (`freiraum mesh info` says where): its surface counts, and inside of it is unknown"
        };
        console.fact(label, format!("{name} {why}"));
        label = "";
    }
}

fn distance(console: &mut Console, closest: &Closest, decided: Option<bool>, lengths: Lengths) {
    let intersects = decided == Some(true);
    let [a, b] = [closest.point_on_a, closest.point_on_b];
    let error = rounding_at(&[a, b]);
    let apart = lengths.known(closest.distance, error);
    if intersects {
        verdict(
            console,
            false,
            "touching or overlapping",
            ": distance 0; `query contact` says how deep, of solids",
        );
        return;
    }
    match decided {
        None => verdict(
            console,
            false,
            "undecided",
            &format!(": surfaces {apart} apart, one may be inside the other"),
        ),
        _ => verdict(console, true, "apart", &format!(" by {apart}")),
    }
    console.fact("nearest on a", lengths.point(a, error));
    console.fact("nearest on b", lengths.point(b, error));
    console.fact("from a to b", direction(closest.normal));
}

fn contact(console: &mut Console, found: &Contact, lengths: Lengths) {
    let points: Vec<Vec3> = found.points.iter().map(|c| c.point).collect();
    let depth = if found.depth.is_finite() { found.depth } else { 0.0 };
    let error = rounding_at(&points).max(rounding::coordinate(depth));
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
    } else if found.is_exact {
        verdict(console, false, "overlapping", &format!(" by {}", lengths.known(found.depth, error)));
    } else {
        let depth = lengths.by(number_above, found.depth);
        verdict(console, false, "overlapping", &format!(" by at most {depth}"));
    }
    if let Some(way) = found.translation.filter(|_| found.depth > 0.0) {
        console.fact(
            "to separate them",
            format!("move a by {} {}", lengths.point(way, error), symbol(lengths.0)),
        );
        if !found.is_exact {
            console.fact("", "(no shorter way was found; one may exist)");
        }
    }
    if found.points.is_empty() {
        return;
    }
    let count = counted(found.points.len(), "point");
    console.fact("contact", format!("{count} in {}", counted(found.regions, "region")));
    contact_table(console, found, error, lengths);
}

fn contact_table(console: &mut Console, found: &Contact, error: f64, lengths: Lengths) {
    let shown = &found.points[..found.points.len().min(SHOWN_CONTACTS)];
    let mut rows = vec![["region", "depth", "point", "from a to b"].map(str::to_owned)];
    rows.extend(shown.iter().map(|c| {
        [
            c.region.to_string(),
            if c.depth <= error { "0".to_owned() } else { lengths.bare(c.depth, error) },
            lengths.point(c.point, error),
            direction(c.normal),
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

fn ray(console: &mut Console, hit: Option<&RayHit>, lengths: Lengths) {
    let Some(hit) = hit else { return console.text("no hit\n") };
    if hit.distance == 0.0 && hit.face.is_none() {
        return console.text("hit at once: the ray starts in the solid\n");
    }
    let error = rounding_at(&[hit.point]).max(rounding::coordinate(hit.distance));
    console.text(&format!("hit after {}\n", lengths.known(hit.distance, error)));
    console.fact("point", lengths.point(hit.point, error));
    console.fact("surface normal", direction(hit.normal));
    if let Some(face) = hit.face {
        let side = if hit.from_inside { ", from its back" } else { "" };
        console.fact("face", format!("{face}, counted from 0{side}"));
    }
}

/// How far rounding may put points off, in metres.
pub(super) fn rounding_at(points: &[Vec3]) -> f64 {
    rounding::coordinate(points.iter().fold(0.0, |reach, p| p.abs().max_element().max(reach)))
}
