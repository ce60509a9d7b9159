//! The answer for people.

use super::super::output::{BAD, Console, DIM, GOOD, WARN, counted, grouped, number, point};
use super::Arguments;
use super::body::Body;
use super::document::name_of;
use super::solve::Found;
use freiraum::deform::examine::{EdgeKind, Marks, Own, Pair};
use freiraum::deform::{Examination, FaultKind, Verdict, Volume};
use freiraum::geometry::Vec3;

/// Places that are told of one mesh.
const SHOWN_PLACES: usize = 3;

/// Meshes that are told one by one.
const SHOWN_MESHES: usize = 4;

pub(super) fn print(arguments: &Arguments, bodies: &[Body], found: &Found, console: &mut Console) {
    let unit = arguments.unit().symbol();
    let findings = &found.examination.findings;
    let own = findings.own();
    for line in headlines(bodies, &found.examination, unit, console) {
        console.text(&format!("{line}\n"));
    }
    for (body, own) in bodies.iter().zip(own).filter(|(_, own)| !own.is_sound) {
        places(body, own, console);
    }
    console.gap();
    if let Some(text) = deformations(arguments, unit) {
        console.fact("deformed", text);
    }
    console.fact("largest occupancy", occupancy(bodies, own));
    let layers = own.iter().map(|own| own.layers_max).max().unwrap_or(0);
    console.fact("layers", format!("at most {layers} on a ray"));
    console.fact("rays", rays(own));
    let least = |length: f64| format!("{} {unit}", number(number_of_digits(length, 3)));
    let ball = findings.certain_ball().map(|width| format!("a ball of {}", least(width)));
    let plate = findings.certain_plate().map(|plate| format!("a flat plate of {}", least(plate.diameter)));
    if let Some(certain) = plate.or(ball) {
        console.fact("certain", format!("no overlap is missed that holds {certain} in diameter"));
    }
    let stages: Vec<String> = found.times.0.iter().map(|(name, time)| format!("{name} {time:.1}")).collect();
    let device = found.device_name.as_deref().unwrap_or(found.device);
    console.fact(
        "milliseconds",
        format!("{}  {}", stages.join(", "), console.styled(DIM, &format!("({device})"))),
    );
    if arguments.units.is_none() {
        console.fact("units", "lengths taken as m: see --units");
    }
    if let Some(file) = &arguments.png {
        console.fact("picture", file.display().to_string());
    }
}

/// One line a mesh, one line a pair that collides, and what is left.
fn headlines(bodies: &[Body], found: &Examination, unit: &str, console: &Console) -> Vec<String> {
    let Examination { findings, marks, .. } = found;
    let pair_name = |pair: &Pair| pair.bodies.map(|k| bodies[k].name.as_str()).join(" + ");
    let colliding: Vec<&Pair> = findings.pairs().iter().filter(|pair| pair.collides).collect();
    let names = bodies.iter().map(|body| body.name.chars().count());
    let width = names.chain(colliding.iter().map(|pair| pair_name(pair).chars().count())).max().unwrap_or(0);
    let line = |name: &str, text: String| format!("{name:<width$}  {text}");
    let mut lines: Vec<String> = bodies
        .iter()
        .zip(findings.own())
        .zip(marks)
        .map(|((body, own), marks)| line(&body.name, verdict(body, own, marks, unit, console)))
        .collect();
    for pair in &colliding {
        let shared = findings.known_volume(pair);
        let shared =
            shared.map_or_else(|| "how much is not known".to_owned(), |volume| amount(&volume, unit));
        lines.push(line(&pair_name(pair), format!("{}: {shared}", console.styled(BAD, "overlap"))));
    }
    let apart = findings.pairs().len() - colliding.len();
    if apart > 0 && findings.verdict() != Verdict::Unsound {
        let what = if colliding.is_empty() { "between them" } else { "in the other pairs" };
        lines.push(line(
            "",
            format!("{} {what} ({})", console.styled(GOOD, "none found"), counted(apart, "pair")),
        ));
    }
    lines
}

fn verdict(body: &Body, own: &Own, marks: &Marks, unit: &str, console: &Console) -> String {
    if body.mesh.is_closed && !own.is_sound && own.open_count == 0 {
        let rays = counted(own.fault_count, "ray");
        return format!("{}: it is left before it is entered on {rays}", console.styled(WARN, "inside out"));
    }
    if !own.is_sound {
        let mut reasons = Vec::new();
        match body.mesh.count(EdgeKind::Open) {
            0 => {}
            n => reasons.push(counted(n, "open edge")),
        }
        match body.mesh.count(EdgeKind::OppositeWinding) {
            0 => {}
            n => reasons.push(format!("{} between faces of opposite winding", counted(n, "edge"))),
        }
        if body.mesh.doubled.count > 0 {
            reasons.push("faces twice with opposite winding".to_owned());
        }
        if own.fault_count > 0 {
            reasons.push(format!("{} on which it is open or inside out", counted(own.fault_count, "ray")));
        }
        return format!("{}: {}", console.styled(WARN, "no closed surface"), reasons.join(", "));
    }
    if !own.collides {
        return console.styled(GOOD, "none found");
    }
    let faces = marks.faces.iter().filter(|&&one| one).count();
    let collides = console.styled(BAD, "runs into itself");
    format!(
        "{collides}: {}, {} of {} faces",
        amount(&own.volume, unit),
        grouped(faces),
        grouped(body.mesh.faces.len())
    )
}

fn amount(volume: &Volume, unit: &str) -> String {
    // No more digits than the error leaves.
    let digits = (volume.volume / volume.error).log10().ceil().clamp(1.0, 12.0) as usize + 1;
    let text = number(number_of_digits(volume.volume, digits));
    format!("{text} {unit}³ (± {})", number(number_of_digits(volume.error, 2)))
}

/// The nearest number with so many digits.
fn number_of_digits(x: f64, digits: usize) -> f64 {
    format!("{x:.0$e}", digits - 1).parse().unwrap_or(x)
}

fn places(body: &Body, own: &Own, console: &mut Console) {
    let bounds = freiraum::geometry::Aabb::of_points(&body.mesh.vertices);
    let at = |p: Vec3| point(p.to_array(), bounds.reach());
    for edge in body.mesh.ill_edges.iter().take(SHOWN_PLACES) {
        let [a, b] = edge.vertices;
        let what = match edge.kind {
            EdgeKind::Open => "open edge",
            EdgeKind::OppositeWinding => "edge of opposite windings",
        };
        console.text(&format!(
            "  {what} {a}-{b} of face {} near {}\n",
            edge.face,
            at(body.mesh.middle(edge))
        ));
    }
    if body.mesh.ill_edges.len() > SHOWN_PLACES {
        console.text(&format!("  … and {} more\n", grouped(body.mesh.ill_edges.len() - SHOWN_PLACES)));
    }
    for place in body.mesh.doubled.places.iter().take(SHOWN_PLACES) {
        console.text(&format!("  faces twice with opposite winding near {}\n", at(*place)));
    }
    if body.mesh.is_closed {
        for place in own.faults.iter().take(SHOWN_PLACES) {
            let what = if place.kind == FaultKind::Open { "open" } else { "inside out" };
            console.text(&format!("  {what} at face {} near {}\n", place.face, at(place.point)));
        }
        let shown = own.faults.len().min(SHOWN_PLACES);
        if own.fault_count > shown {
            console.text(&format!("  … and {} more rays\n", grouped(own.fault_count - shown)));
        }
    }
    console.text("  try: freiraum mesh info, freiraum mesh repair; or less of a deformation\n");
}

/// How often each mesh, looked at for itself, is where it is most often.
fn occupancy(bodies: &[Body], own: &[Own]) -> String {
    let all = bodies.iter().zip(own);
    let (text, what) = if bodies.len() == 1 {
        (own[0].max_overlap.to_string(), "the mesh")
    } else if bodies.len() <= SHOWN_MESHES {
        let each: Vec<String> = all.map(|(body, own)| format!("{} {}", body.name, own.max_overlap)).collect();
        (each.join(", "), "each mesh, for itself,")
    } else {
        let largest = all.max_by_key(|(_, own)| own.max_overlap);
        let text = largest.map(|(body, own)| format!("{}, of {}", own.max_overlap, body.name));
        (text.unwrap_or_default(), "a mesh, for itself,")
    };
    format!("{text} (how often {what} is at one place at most)")
}

fn rays(own: &[Own]) -> String {
    let [columns, rows] = own[0].grids[0].size;
    let same = own.iter().flat_map(|own| &own.grids).all(|grid| grid.size == [columns, rows]);
    let size = if same { format!("{columns} x {rows}") } else { format!("{columns} x {rows} and others") };
    let mut axes: Vec<&str> = own.iter().flat_map(|own| &own.grids).map(|grid| name_of(grid.axis)).collect();
    axes.sort_unstable();
    axes.dedup();
    format!("{size} along {}", axes.join(", "))
}

fn deformations(arguments: &Arguments, unit: &str) -> Option<String> {
    let mut all = Vec::new();
    all.extend(arguments.inflate.map(|length| format!("inflated by {} {unit}", number(length))));
    all.extend(arguments.twist.map(|degrees| format!("twisted by {}°", number(degrees))));
    all.extend(arguments.bend.map(|degrees| format!("bent by {}°", number(degrees))));
    all.extend(arguments.wobble.map(|[degrees, waves, phase]| {
        let phase = if phase == 0.0 { String::new() } else { format!(" at {}°", number(phase)) };
        format!("wobbling by {}° in {} waves{phase}", number(degrees), number(waves))
    }));
    (!all.is_empty()).then(|| all.join(", "))
}
