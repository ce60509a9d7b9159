//! What was found, in sentences for people: the same in the terminal, in reports and in the studio.
//!
//! Lengths are in the unit of the scene, angles in degrees. The free part of a motion is rounded down.

mod approached;
mod clusters;
mod covered;
mod depth;
mod exempt;
mod grouped;
mod numbers;
mod open_way;
mod stated;
mod warnings;

pub use approached::{approached, approached_in_steps};
pub use covered::counted;
pub(crate) use covered::not_covered;
pub use depth::rounded_up;
pub use depth::{Depths, not_smaller};
pub use exempt::exempt;
pub use grouped::counted_start;
pub use grouped::{grouped, grouped_start};
pub use numbers::{of_steps, own_name, step_number, step_part};
pub use open_way::{OpenWay, open_ways};
pub use stated::{Stated, allowances, approaches, stated};
pub use warnings::grouped_warnings;

use crate::checker::pair::states_allowance;
use crate::checker::{Finding, FindingKind, FitGap, FitReason, Until};
use crate::{Course, LinkCourse, Mover, Timeline};
use freiraum_geometry::{Pose, Shape, Unit, Vec3};
use freiraum_motion::Feature;
use freiraum_scene::{Geometry, Scene, Travel, solid_remedy};

/// The findings about a step as sentences, in their order: collisions behind the first one are told as what would come then.
pub fn sentences(scene: &Scene, timeline: &Timeline, step: usize, findings: &[Finding]) -> Vec<String> {
    let sentences = Sentences::of(scene, timeline, step, findings);
    (0..findings.len()).map(|number| sentences.of_finding(number)).collect()
}

/// Tells findings about a step, those that are asked for.
struct Sentences<'s> {
    scene: &'s Scene,
    timeline: &'s Timeline,
    step: usize,
    findings: &'s [Finding],
    /// The number of the first collision on the way.
    first: Option<usize>,
}

impl<'s> Sentences<'s> {
    fn of(scene: &'s Scene, timeline: &'s Timeline, step: usize, findings: &'s [Finding]) -> Sentences<'s> {
        let first = findings.iter().position(is_contact);
        Sentences { scene, timeline, step, findings, first }
    }

    fn of_finding(&self, number: usize) -> String {
        let (scene, timeline, step) = (self.scene, self.timeline, self.step);
        let finding = &self.findings[number];
        let is_later = is_contact(finding) && Some(number) != self.first;
        let said = if is_later && finding.time > 0.0 {
            format!("without that, {}", told(scene, timeline, step, finding, "could"))
        } else {
            sentence(scene, timeline, step, finding)
        };
        match finding.kind {
            FindingKind::Contact { allowance, .. } => said + &not_allowed(scene, finding.pair, allowance),
            _ => said,
        }
    }
}

fn is_contact(finding: &Finding) -> bool {
    matches!(finding.kind, FindingKind::Contact { .. })
}

/// One finding about a step as a sentence without its full stop; `step` counts from 0.
pub fn sentence(scene: &Scene, timeline: &Timeline, step: usize, finding: &Finding) -> String {
    told(scene, timeline, step, finding, "can")
}

fn told(scene: &Scene, timeline: &Timeline, step: usize, finding: &Finding, can: &str) -> String {
    let unit = scene.units;
    let [first, second] = finding.pair.map(|number| body(scene, number));
    let stage = timeline.stages.get(step);
    let mover = |body: usize| stage.and_then(|stage| Some(&stage.movers[stage.mover_of(body)?]));
    let moving = mover(finding.pair[0]);
    let subject = moving.map_or(first.clone(), |mover| subject(scene, mover));
    // If a group moves, the body that touches is named; else "its" is enough.
    let own_name = scene.bodies.get(finding.pair[0]).map(|body| &body.name);
    let is_alone = moving.is_none_or(|mover| Some(&mover.subject) == own_name);
    let other_moves = mover(finding.pair[1]).is_some() && moving.is_some();
    let other = if other_moves { format!("{second}, which moves too") } else { second };
    match &finding.kind {
        FindingKind::Overlap { .. } => overlap(scene, finding, " before the step"),
        FindingKind::Contact { features, allowance, depth, passing_allowance, until, .. } => {
            let depths = Depths { shift: *depth, passes: *passing_allowance, ..Depths::default() };
            let depths = depths.said_of_contact(unit);
            let depths = format!(
                "{}{depths}",
                stage.zip(*until).map_or(String::new(), |(stage, until)| lasts(stage, until))
            );
            let [own, others] = [0, 1].map(|i| feature(scene, finding.pair[i], features[i]));
            let what = touched(&first, is_alone, own);
            let of_other = others.map_or(String::new(), |f| {
                // Numbered features have no article.
                let article = if f.ends_with(|c: char| c.is_ascii_digit()) { "" } else { "the " };
                format!("{article}{f} of ")
            });
            let used = depth.filter(|depth| is_partly_used(*depth, *allowance));
            let touches = if let Some(used) = used {
                let used = partly_used(used, *allowance, unit);
                format!("gets deeper into {of_other}{other} than it may: {used}")
            } else if *allowance > 0.0 {
                format!("gets deeper than the allowed {} into {of_other}{other}", length(*allowance, unit))
            } else {
                format!("touches {of_other}{other}")
            };
            match moving.zip(stage) {
                Some((mover, _)) if finding.time <= 0.0 => {
                    format!(
                        "{subject} cannot be {} at all: {what} {touches} at once{depths}",
                        verb(mover, stage)
                    )
                }
                Some((mover, _)) => {
                    let how_far = carried_out(mover, stage, finding.time, unit);
                    format!("{subject} {can} be {how_far}, then {what} {touches}{depths}")
                }
                None => format!("{what} {touches}{depths}"),
            }
        }
        FindingKind::TooClose { distance, error, required, give_way, is_fit, .. } => {
            let is_robot = moving.is_some_and(|mover| matches!(mover.course, Course::Link(_)));
            let body = if is_alone || is_robot { first } else { format!("{first} ({subject})") };
            let at = stage.map_or(percent(finding.time), |stage| at_time(stage, finding.time, unit));
            let [near, missing] = short_of(*distance, *error, *required, unit);
            let way = if *give_way == Vec3::ZERO {
                String::new()
            } else {
                format!("; give way along {}", direction(*give_way))
            };
            let required = length(*required, unit);
            let remedy = if *is_fit { remedies(scene, finding.pair) } else { String::new() };
            format!(
                "{body} comes within {near} of {other} at {at}; {required} is required: {missing} is missing{way}{remedy}"
            )
        }
        FindingKind::Undecided { open } => {
            let [from, to] = match stage {
                Some(stage) if stage.is_timed() => open.map(|t| seconds(t * stage.seconds)),
                _ => [percent(open[0]), format!("{} of the motion", percent(open[1]))],
            };
            format!(
                "{first} and {other}: free up to {from}, not known up to {to}; a larger budget may decide it"
            )
        }
        FindingKind::InsideUnknown { body, places } => inside_unknown(scene, finding.pair, *body, places),
        FindingKind::NoPath => format!("no way was found for {subject}"),
    }
}

/// Until when a contact lasts.
fn lasts(stage: &crate::Stage, until: Until) -> String {
    match until {
        Until::Time(t) => format!("; they are in contact until {}", time(stage, t)),
        Until::End => "; they are in contact to the end".to_owned(),
        Until::AtLeast(t) => format!("; they are in contact until at least {}", time(stage, t)),
    }
}

/// A time of a stage: `62 % of the motion`, or of robots `1.2 s`.
fn time(stage: &crate::Stage, t: f64) -> String {
    if stage.is_timed() { seconds(t * stage.seconds) } else { format!("{} of the motion", percent(t)) }
}

/// That one body may be inside of another.
pub fn inside_unknown(scene: &Scene, pair: [usize; 2], open: usize, places: &[Option<Vec3>; 3]) -> String {
    let open = open.min(1);
    let [one, other] = [pair[open], pair[1 - open]].map(|number| body(scene, number));
    format!(
        "whether {other} is inside of {one} is not known: the surfaces do not meet, and that of {one} bounds no solid{}; {}",
        wrong_places(places, scene.units),
        solid_remedy(scene, pair[open], None)
    )
}

/// Where a surface is open or wrongly wound: ` (see (0, 0, 5) mm and 1 more place)`; empty if no place is
/// known.
fn wrong_places(places: &[Option<Vec3>; 3], units: Unit) -> String {
    let known: Vec<String> = places.iter().flatten().map(|place| point(*place, units)).collect();
    match &known[..] {
        [] => String::new(),
        [one] => format!(" (it is faulty near {one})"),
        [first, second] => format!(" (it is faulty near {first} and {second})"),
        [first, second, rest @ ..] => {
            // As many as are kept: there may be more.
            format!(
                " (it is faulty near {first}, {second} and in at least {})",
                counted(rest.len(), "more place")
            )
        }
    }
}

/// A place: `(0, 12.5, 3) mm`.
fn point(place: Vec3, units: Unit) -> String {
    let numbers = place.to_array().map(|x| units.from_metres(x));
    let largest = numbers.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let [x, y, z] = numbers.map(|x| decimals(x, places(largest, 4)));
    format!("({x}, {y}, {z}) {}", symbol(units))
}

/// One finding about a step in a few words, without its features: `the gear collides with the housing after 31.2 mm of 45 mm`.
pub fn headline(scene: &Scene, timeline: &Timeline, step: usize, finding: &Finding) -> String {
    let unit = scene.units;
    let [a, b] = finding.pair.map(|number| body(scene, number));
    let stage = timeline.stages.get(step);
    let mover = stage.and_then(|stage| Some(&stage.movers[stage.mover_of(finding.pair[0])?]));
    match &finding.kind {
        FindingKind::Contact { .. } if finding.time <= 0.0 => format!("{a} collides with {b} at once"),
        FindingKind::Contact { .. } => {
            let after = mover.map_or(percent(finding.time), |mover| amount(mover, stage, finding.time, unit));
            format!("{a} collides with {b} after {after}")
        }
        FindingKind::Overlap { .. } => overlap(scene, finding, " before the step"),
        FindingKind::TooClose { distance, error, required, .. } => {
            let [near, _] = short_of(*distance, *error, *required, unit);
            format!("{a} comes within {near} of {b}; {} is required", length(*required, unit))
        }
        FindingKind::Undecided { .. } => format!("{a} and {b}: not decided within the budget"),
        FindingKind::InsideUnknown { body, .. } => {
            let [one, other] = if *body == 0 { [a, b] } else { [b, a] };
            format!("whether {other} is inside of {one} is not known")
        }
        FindingKind::NoPath => format!("no way was found for {a}"),
    }
}

/// How far a motion is carried out at the share `t` of it: like [`progress`], and lengths of motions to a pose that do not turn.
pub fn amount(mover: &Mover, stage: Option<&crate::Stage>, t: f64, units: Unit) -> String {
    let start = start_of(mover, stage);
    match mover.travel() {
        Some(Travel::To(end)) if is_straight(&start, end) => {
            part_of((end.translation() - start.translation()).length(), t, units)
        }
        Some(Travel::To(_) | Travel::Path(_) | Travel::Plan { .. }) => {
            format!("{} of the motion", percent(t))
        }
        Some(_) => progress(mover, t, units),
        None => match &mover.course {
            Course::Link(course) => seconds_of(course.seconds, t),
            Course::Travel(_) => progress(mover, t, units),
        },
    }
}

/// When something is: `62 % of the motion`, or of robots `1.2 s (arm: joints 10°, -35.2°)`.
pub fn at_time(stage: &crate::Stage, t: f64, units: Unit) -> String {
    if !stage.is_timed() {
        return format!("{} of the motion", percent(t));
    }
    let told = stage.movers.iter().map(|mover| (&mover.subject, &mover.course));
    let mut told: Vec<String> = told
        .filter_map(|(subject, course)| match course {
            Course::Link(course) => Some(format!("{}: {}", clean(subject), joints(course, t, units))),
            Course::Travel(_) => None,
        })
        .collect();
    told.dedup();
    format!("{} ({})", seconds(t * stage.seconds), told.join("; "))
}

/// A body in a sentence: `the gear`, `screw 3`, and links of robots as `arm's link3`.
pub fn body(scene: &Scene, number: usize) -> String {
    if let Some((robot, link)) = scene.link_of(number) {
        let robot = &scene.robots[robot];
        return format!("{}'s {}", clean(&robot.name), clean(&robot.model.links()[link].name));
    }
    named(scene.bodies.get(number).map_or("?", |body| &body.name))
}

/// Of findings before the first step.
const START: &str = " before anything has moved";

/// One finding about the state before the first step.
pub fn start_sentence(scene: &Scene, finding: &Finding) -> String {
    placed(scene, finding, START)
}

/// One finding about bodies that were put somewhere, whatever brought them there.
pub fn placement_sentence(scene: &Scene, finding: &Finding) -> String {
    placed(scene, finding, "")
}

fn placed(scene: &Scene, finding: &Finding, when: &str) -> String {
    let [a, b] = finding.pair.map(|number| body(scene, number));
    match finding.kind {
        FindingKind::Overlap { .. } => overlap(scene, finding, when) + &rule_of_links(scene, finding.pair),
        FindingKind::TooClose { distance, error, required, is_fit, .. } => {
            let [near, missing] = short_of(distance, error, required, scene.units);
            let asked = length(required, scene.units);
            let remedy = if is_fit { remedies(scene, finding.pair) } else { String::new() };
            format!("{a} and {b} are {near} apart{when}; {asked} is required: {missing} is missing{remedy}")
        }
        FindingKind::InsideUnknown { body, places } => inside_unknown(scene, finding.pair, body, &places),
        _ => format!("{a} and {b} are not as they should be{when}"),
    }
}

/// How a scene says that two links of one robot may overlap; empty for all other pairs.
fn rule_of_links(scene: &Scene, pair: [usize; 2]) -> String {
    let [Some((robot, _)), Some((other, _))] = pair.map(|body| scene.link_of(body)) else {
        return String::new();
    };
    if robot != other {
        return String::new();
    }
    let [a, b] = pair.map(|body| clean(&scene.bodies[body].name));
    let srdf = format!(
        "or name an SRDF file in the [[robot]]: srdf = \"{}.srdf\"",
        clean(&scene.robots[robot].name)
    );
    format!("; if the two are meant to, state [[pair]] bodies = [\"{a}\", \"{b}\"], ignore = \"why\", {srdf}")
}

fn overlap(scene: &Scene, finding: &Finding, when: &str) -> String {
    let [a, b] = finding.pair.map(|number| body(scene, number));
    let FindingKind::Overlap { depth, separating_shift, passing_allowance, allowance, .. } = finding.kind
    else {
        return String::new();
    };
    let depths = Depths { shift: separating_shift, deepest: depth, passes: passing_allowance };
    let depths = if when == START { depths.said_of_start(scene.units) } else { depths.said(scene.units) };
    let shift = separating_shift.or(depth).filter(|shift| is_partly_used(*shift, allowance));
    let allowed = if let Some(shift) = shift {
        format!("; {}", partly_used(shift, allowance, scene.units))
    } else if allowance > 0.0 {
        format!("; {} is allowed", length(allowance, scene.units))
    } else {
        not_allowed(scene, finding.pair, allowance)
    };
    format!("{a} and {b} overlap{when}{depths}{allowed}")
}

/// Whether bodies that a shift takes apart needed less of the allowance than there is: sharp tips and thin
/// edges cannot use all of it.
fn is_partly_used(shift: f64, allowance: f64) -> bool {
    shift > 0.0 && shift < 0.9 * allowance
}

fn partly_used(used: f64, allowance: f64, unit: Unit) -> String {
    let [used, allowance] = [used, allowance].map(|x| length(x, unit));
    format!(
        "only {used} of the allowance of {allowance} could be used, since a tip or an edge is thinner there than the allowance"
    )
}

/// What a scene says of a fit that may be closer than required beyond its contact and approach.
fn remedies(scene: &Scene, pair: [usize; 2]) -> String {
    let approach = length(scene.requirement(pair[0], pair[1]).approach, scene.units);
    format!(
        " (they touch by design, and this is more than the approach of {approach} away from it: if it is meant, state [[pair]] clearance or a longer [[pair]] approach)"
    )
}

/// Says that what the scene allows to all pairs does not hold for one, where a check went without it; empty where nothing was allowed, or used.
fn not_allowed(scene: &Scene, pair: [usize; 2], used: f64) -> String {
    if used > 0.0 || scene.allowance == 0.0 || states_allowance(scene, pair) {
        return String::new();
    }
    format!(
        " (the allowance of {} cannot be used for these two: one is too thin for it, or both are made of parts that touch)",
        length(scene.allowance, scene.units)
    )
}

/// How far a motion is carried out at the share `t` of it: `31.2 mm of 45 mm`, `40.1° of 90°`, `62 %`.
///
/// Motions to a pose do not say how long they are: a share of them is told. Of robots, the joint values too.
pub fn progress(mover: &Mover, t: f64, units: Unit) -> String {
    let travel = match &mover.course {
        Course::Travel(travel) => travel,
        Course::Link(course) => {
            return format!("{} ({})", seconds_of(course.seconds, t), joints(course, t, units));
        }
    };
    match travel {
        Travel::Translate(by) => part_of(by.length(), t, units),
        Travel::Turn { angle, advance, .. } if *advance == 0.0 => turned(*angle, t),
        Travel::Turn { angle, advance, .. } => {
            format!("{} and {}", turned(*angle, t), part_of(advance.abs(), t, units))
        }
        Travel::To(_) | Travel::Path(_) | Travel::Plan { .. } => percent(t),
    }
}

/// A motion as a clause: `lowered 31.2 mm of 45 mm`, `turned by 40.1° of 90°`.
fn carried_out(mover: &Mover, stage: Option<&crate::Stage>, t: f64, units: Unit) -> String {
    let start = start_of(mover, stage);
    let verb = verb(mover, stage);
    match mover.travel() {
        Some(Travel::Translate(_)) => format!("{verb} {}", progress(mover, t, units)),
        Some(Travel::Turn { angle, advance, .. }) if *advance != 0.0 => {
            format!("turned by {} and moved {}", turned(*angle, t), part_of(advance.abs(), t, units))
        }
        Some(Travel::Turn { .. }) => format!("turned by {}", progress(mover, t, units)),
        Some(Travel::To(end)) if is_straight(&start, end) => {
            format!("{verb} {}", part_of((end.translation() - start.translation()).length(), t, units))
        }
        Some(_) => format!("moved for {} of the motion", percent(t)),
        None => format!("moved for {}", progress(mover, t, units)),
    }
}

/// What moves: `the gear`, `the group screws`.
fn subject(scene: &Scene, mover: &Mover) -> String {
    if matches!(mover.course, Course::Link(_)) {
        return clean(&mover.subject);
    }
    let is_group = scene.groups.iter().any(|group| group.name == mover.subject);
    let name = named(&mover.subject);
    if is_group { format!("the group {}", name.strip_prefix("the ").unwrap_or(&name)) } else { name }
}

/// What a step does, as a phrase: `the gear is lowered 45 mm`.
pub fn action(scene: &Scene, timeline: &Timeline, step: usize) -> String {
    let Some(stage) = timeline.stages.get(step) else { return String::new() };
    let unit = scene.units;
    let phrase = |mover: &Mover| {
        let subject = subject(scene, mover);
        let verb = verb(mover, Some(stage));
        let start = start_of(mover, Some(stage));
        let travel = match &mover.course {
            Course::Travel(travel) => travel,
            Course::Link(course) if course.is_open => {
                return format!("{subject} moves on a path that is still to be planned");
            }
            Course::Link(course) => return format!("{subject} moves to {}", joints(course, 1.0, unit)),
        };
        match travel {
            Travel::Translate(by) => format!("{subject} is {verb} {}", length(by.length(), unit)),
            Travel::Turn { angle, advance, .. } if *advance == 0.0 => {
                format!("{subject} is turned by {}", degrees(*angle))
            }
            Travel::Turn { angle, advance, .. } => format!(
                "{subject} is turned by {} and moved {} along the axis",
                degrees(*angle),
                length(*advance, unit)
            ),
            Travel::To(end) if is_straight(&start, end) => {
                format!(
                    "{subject} is {verb} {}",
                    length((end.translation() - start.translation()).length(), unit)
                )
            }
            Travel::To(_) => format!("{subject} is moved to a pose"),
            Travel::Path(pieces) => {
                format!("{subject} is moved on a path of {}", counted(pieces.len(), "part"))
            }
            Travel::Plan { .. } => format!("{subject} is moved on a path that is still to be planned"),
        }
    };
    let mut phrases: Vec<String> = stage.movers.iter().map(phrase).collect();
    // The links of a robot move together.
    phrases.dedup();
    if phrases.is_empty() { "nothing moves".to_owned() } else { phrases.join("; ") }
}

/// The joint values of a robot at a time: `joints 10°, -35.2°, 12 mm`.
pub fn joints(course: &LinkCourse, t: f64, units: Unit) -> String {
    let values = course.path.values(t);
    let freedoms = course.model.freedoms();
    let told = freedoms.iter().zip(values).map(|(joint, value)| {
        let turns = course.model.joints()[*joint].kind.turns();
        if turns { degrees(value) } else { length(value, units) }
    });
    format!("joints {}", told.collect::<Vec<_>>().join(", "))
}

/// `lowered`, `lifted`, `moved` or `turned`.
fn verb(mover: &Mover, stage: Option<&crate::Stage>) -> &'static str {
    let by = match mover.travel() {
        Some(Travel::Translate(by)) => *by,
        Some(Travel::Turn { .. }) => return "turned",
        Some(Travel::To(end)) => end.translation() - start_of(mover, stage).translation(),
        Some(Travel::Path(_) | Travel::Plan { .. }) | None => return "moved",
    };
    // Within about a degree of the vertical.
    let is_vertical = by.z.abs() > 0.9998 * by.length();
    match is_vertical {
        true if by.z < 0.0 => "lowered",
        true if by.z > 0.0 => "lifted",
        _ => "moved",
    }
}

fn start_of(mover: &Mover, stage: Option<&crate::Stage>) -> Pose {
    let lead = mover.bodies.first().copied();
    lead.and_then(|body| stage?.before.get(body).copied()).unwrap_or(Pose::IDENTITY)
}

fn is_straight(start: &Pose, end: &Pose) -> bool {
    start.rotation().dot(end.rotation()).abs() >= 1.0 - freiraum_geometry::tolerance::SAME_POSE
}

/// A name in a sentence: with an article if it is a common noun, without if it looks like a label (`M8x20`, `screw 3`).
pub fn named(name: &str) -> String {
    let is_noun = !name.is_empty() && name.chars().all(|c| c.is_lowercase() || c == ' ' || c == '-');
    let clean = clean(name);
    if is_noun && !clean.starts_with("the ") { format!("the {clean}") } else { clean }
}

/// Names come from files: nothing in them may steer a terminal.
pub fn clean(name: &str) -> String {
    freiraum_scene::plain(name).into_owned()
}

fn touched(body: &str, is_alone: bool, feature: Option<String>) -> String {
    match (is_alone, feature) {
        (true, Some(feature)) => format!("its {feature}"),
        (false, Some(feature)) => format!("{feature} of {body}"),
        (true, None) => "it".to_owned(),
        (false, None) => body.to_owned(),
    }
}

/// A feature in words: `edge 12–17`, `face 3`, `upper rim`; `None` for bodies that have only one.
fn feature(scene: &Scene, body: usize, feature: Feature) -> Option<String> {
    let shape = match scene.bodies.get(body).map(|body| &body.geometry) {
        Some(Geometry::Shape(shape)) => Some(shape),
        _ => None,
    };
    Some(match (shape, feature) {
        (Some(Shape::Sphere(_) | Shape::Capsule(_) | Shape::HalfSpace(_)), _) => return None,
        (Some(Shape::Cone(_)), Feature::Vertex(_)) => "tip".to_owned(),
        (Some(Shape::Cone(_)), Feature::Rim(_)) => "rim".to_owned(),
        (Some(Shape::Cylinder(_) | Shape::Cone(_)), Feature::Face(face)) => {
            ["mantle", "bottom", "top"].get(face as usize).copied().unwrap_or("surface").to_owned()
        }
        (_, Feature::Vertex(vertex)) => format!("corner {vertex}"),
        (_, Feature::Edge([a, b])) => format!("edge {a}–{b}"),
        (_, Feature::Rim(0)) => "lower rim".to_owned(),
        (_, Feature::Rim(_)) => "upper rim".to_owned(),
        (_, Feature::Face(face)) => format!("face {face}"),
    })
}

/// A direction with one or two digits: `[0, 0.7, 0.7]`.
pub fn direction(v: Vec3) -> String {
    let show = |x: f64| decimals(x, 2);
    format!("[{}, {}, {}]", show(v.x), show(v.y), show(v.z))
}

/// A length with three digits or a little more: `0.31 mm`, `45 mm`, `1250 mm`.
pub fn length(metres: f64, unit: Unit) -> String {
    let value = unit.from_metres(metres);
    format!("{} {}", decimals(value, places(value, 3)), symbol(unit))
}

/// A length with two digits; one that would begin with many zeros in a smaller unit, or as a power of ten:
/// `5.4 nm`, `0.01 mm`.
pub fn short_length(metres: f64, unit: Unit) -> String {
    let value = unit.from_metres(metres);
    if value == 0.0 || value.abs() >= 0.001 {
        return format!("{} {}", decimals(value, places(value, 2)), symbol(unit));
    }
    match [(1e3, "mm"), (1e6, "µm"), (1e9, "nm")]
        .into_iter()
        .find(|(per_metre, _)| metres.abs() * per_metre >= 1.0)
    {
        Some((per_metre, symbol)) => {
            let value = metres * per_metre;
            format!("{} {symbol}", decimals(value, places(value, 2)))
        }
        None => format!("{metres:.1e} m"),
    }
}

/// A distance that is at most the least by `error` too large, like [`length`]: without digits that are not known.
pub fn known_length(metres: f64, error: f64, unit: Unit) -> String {
    let [value, error] = [metres, error].map(|x| unit.from_metres(x));
    format!("{} {}", known(value, error, 3), symbol(unit))
}

/// How two bodies that fit each other stand to each other during a step: `the peg touches the hole`, `the peg overlaps the hole by 0.005 to 0.01 mm`.
pub fn fit_gap(fit: &FitGap, [a, b]: [&str; 2], unit: Unit) -> String {
    if fit.only_touches() {
        return format!("{a} touches {b}");
    }
    if fit.gap > fit.resting {
        let gap = known_length(fit.gap, 0.0, unit);
        return format!("{a} is {gap} from {b} where they are closest before or after it");
    }
    let overlap = overlap_of_fit(fit, unit);
    if fit.gap < -fit.resting {
        format!("{a} overlaps {b} by {overlap}")
    } else {
        format!("{a} touches {b}, and overlaps it by {overlap}")
    }
}

/// How deep a fit overlaps: `0.005 to 0.01 mm`, from what was found to what is proven.
pub fn overlap_of_fit(fit: &FitGap, unit: Unit) -> String {
    let deepest = depth::rounded_up(fit.deepest(), unit);
    if fit.gap >= -fit.resting {
        return format!("no more than {deepest}");
    }
    let least = unit.from_metres(-fit.gap);
    format!("{} to {deepest}", decimals(least, places(least, 3)))
}

/// A fit of a step with its gap and the reason why it is one: `the peg overlaps the hole by 0.005 to 0.01 mm of 0.02 mm that are allowed; a fit, since they touch after the step`.
pub fn fit(scene: &Scene, fit: &FitGap) -> String {
    let [a, b] = fit.pair.map(|number| body(scene, number));
    let gap = fit_gap(fit, [&a, &b], scene.units);
    let allowed = if fit.gap < -fit.resting && fit.allowance > 0.0 {
        format!(" of {} that are allowed", length(fit.allowance, scene.units))
    } else {
        String::new()
    };
    // What a sharp tip may do is surprising.
    let shift = fit.separating_shift.filter(|shift| *shift > 2.0 * fit.deepest());
    let shift = shift.map_or(String::new(), |shift| {
        format!("; only a shift of {} takes them apart", length(shift, scene.units))
    });
    let why = match fit.reason {
        FitReason::TouchesAtStart => "a fit, since they touch before the step",
        FitReason::TouchesAtEnd => "a fit, since they touch after the step",
        FitReason::Grasped => "a fit, since one holds the other",
    };
    format!("{gap}{allowed}{shift}; {why}")
}

/// A number with this many digits at most, and no place that is finer than its error; with one digit at least.
pub fn known(value: f64, error: f64, digits: i32) -> String {
    let mut value = value;
    if error >= 10.0 && value.is_finite() && value.abs() >= 10.0 {
        // Tens and more are not known either.
        let step = 10f64.powf(error.min(value.abs()).log10().floor());
        value = (value / step).round() * step;
    }
    decimals(value, known_places(value, error, digits))
}

fn known_places(value: f64, error: f64, digits: i32) -> usize {
    let fine = places(value, digits);
    if !(error > 0.0 && error.is_finite()) {
        return fine;
    }
    // Half a step of the last place is in any case not known.
    let of_error = (-error.log10()).floor().clamp(0.0, fine as f64) as usize;
    of_error.max(places(value, 1)).min(fine)
}

/// A distance that falls short of what is required, both in words: as many digits as are known, and more where they would read the same.
fn short_of(distance: f64, error: f64, required: f64, unit: Unit) -> [String; 2] {
    let [value, error, asked] = [distance, error, required].map(|x| unit.from_metres(x));
    let first = known_places(value, error, 3);
    let told = (first..=12).map(|places| decimals(value, places));
    let is_less = |text: &String| text.parse().is_ok_and(|shown: f64| shown < asked);
    let shown = { told }.find(is_less).unwrap_or_else(|| decimals(value, first));
    let behind = shown.split_once('.').map_or(0, |(_, behind)| behind.len());
    // What is missing has the digits of what is there, and one at least.
    let missing = (asked - value).max(0.0);
    let missing = decimals(missing, behind.max(first).max(places(missing, 1)));
    [shown, missing].map(|text| format!("{text} {}", symbol(unit)))
}

/// The symbol of a unit as people write it.
pub fn symbol(unit: Unit) -> &'static str {
    if unit == Unit::Micrometre { "µm" } else { unit.symbol() }
}

/// An angle with one place: `40.1°`.
pub fn degrees(radians: f64) -> String {
    format!("{}°", decimals(radians.to_degrees(), 1))
}

/// A time with up to three places: `1.25 s`.
pub fn seconds(time: f64) -> String {
    format!("{} s", decimals(time, 3))
}

/// `1.25 s of 3 s`, the first rounded down.
fn seconds_of(whole: f64, t: f64) -> String {
    format!("{} s of {}", decimals(floor(whole * t.clamp(0.0, 1.0), 3), 3), seconds(whole))
}

/// A share: `62 %`.
pub fn percent(t: f64) -> String {
    let share = 100.0 * t;
    // Near either end one place more: 99.7 % is not all.
    let places = if !(1.0..=99.0).contains(&share) && share > 0.0 && share < 100.0 { 2 } else { 0 };
    format!("{} %", decimals(floor(share, places), places))
}

/// `31.2 mm of 45 mm`, the first rounded down.
fn part_of(whole: f64, t: f64, unit: Unit) -> String {
    let whole = unit.from_metres(whole);
    let places = places(whole, 4);
    let part = floor(whole * t.clamp(0.0, 1.0), places);
    format!("{} {} of {} {}", decimals(part, places), symbol(unit), decimals(whole, places), symbol(unit))
}

/// `40.1° of 90°`, the first rounded down.
fn turned(angle: f64, t: f64) -> String {
    let whole = angle.abs().to_degrees();
    format!("{}° of {}°", decimals(floor(whole * t.clamp(0.0, 1.0), 1), 1), decimals(whole, 1))
}

/// How many places behind the point make this many digits, none for large numbers.
pub fn places(value: f64, digits: i32) -> usize {
    let size = value.abs();
    if !(size > 0.0 && size.is_finite()) {
        return 0;
    }
    (digits - 1 - size.log10().floor() as i32).clamp(0, 12) as usize
}

fn floor(value: f64, places: usize) -> f64 {
    let scale = 10f64.powi(places as i32);
    // A number that is a rounding below a round one is that.
    let slack = 4.0 * f64::EPSILON * value.abs() * scale;
    (value * scale + slack).floor() / scale
}

/// A count with thin grouping: `69 451`.
pub fn grouped_digits(count: usize) -> String {
    let digits = count.to_string();
    let first = digits.len() % 3;
    let mut parts: Vec<&str> = if first > 0 { vec![&digits[..first]] } else { Vec::new() };
    parts.extend((first..digits.len()).step_by(3).map(|i| &digits[i..i + 3]));
    parts.join("\u{a0}")
}

/// With this many places at most, without zeros at the end, and never `-0`.
pub fn decimals(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests;
