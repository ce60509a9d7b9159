//! What a check found, for people: a line per step, then every finding with its place in the scene file.

use super::Checked;
use crate::commands::output::{
    BAD, BOLD, Console, DIM, GOOD, WARN, counted, grouped, number, number_at_scale,
};
use clap::builder::styling::Style;
use freiraum::check::words;
use freiraum::check::{ApproachBy, Closest, Finding, FindingKind, PlanVerdict, StepResult};
use freiraum::geometry::Vec3;
use freiraum::scene::{Problem, Scene};
use std::collections::HashSet;

/// Longer names are cut in the table.
const MAX_NAME: usize = 48;
/// Digits of a clearance, if so many are known.
const DIGITS: i32 = 6;

pub(super) fn print(checked: &Checked, console: &mut Console) {
    let scene = &checked.scene;
    let title = checked.file.title().unwrap_or(checked.file.name());
    let bodies = scene.bodies.len();
    let steps = words::of_steps(&checked.timeline, &checked.result.steps).len();
    let head = format!("{title}: {}, {}", counted(bodies, "part"), counted(steps, "step"));
    console.heading(&head);
    console.gap();
    let names: Vec<String> = checked.timeline.stages.iter().map(|stage| cut(&stage.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let numbers: Vec<String> = (0..names.len()).map(|k| words::step_number(&checked.timeline, k)).collect();
    let part = numbers.iter().filter_map(|number| Some(number.len() - number.find('.')?)).max().unwrap_or(0);
    for (k, (name, step)) in names.iter().zip(&checked.result.steps).enumerate() {
        let verdict = console.styled(style(step.verdict), &format!("{:<9}", word(step.verdict)));
        let near = nearest(checked, step);
        let pad = " ".repeat(width - name.chars().count());
        // Numbers of steps stand below each other, and so do their parts.
        let (step, of_step) = numbers[k].split_at(numbers[k].find('.').unwrap_or(numbers[k].len()));
        let line = format!("  {step:>3}{of_step:<part$}  {name}{pad}  {verdict}  {near}");
        console.text(&format!("{}\n", line.trim_end()));
    }
    if steps > 0 {
        console.gap();
    }
    let problems = problems(checked);
    if !problems.is_empty() {
        let shown = checked.file.errors(problems).render(console.has_color());
        console.text(&shown);
        console.gap();
    }
    summary(checked, console);
}

fn cut(name: &str) -> String {
    if name.chars().count() <= MAX_NAME {
        return name.to_owned();
    }
    name.chars().take(MAX_NAME - 1).chain(['…']).collect()
}

fn word(verdict: PlanVerdict) -> &'static str {
    match verdict {
        PlanVerdict::Free => "free",
        PlanVerdict::Undecided => "undecided",
        PlanVerdict::TooClose => "too close",
        PlanVerdict::Collision => "collision",
        PlanVerdict::Invalid => "invalid",
    }
}

fn style(verdict: PlanVerdict) -> Style {
    match verdict {
        PlanVerdict::Free => GOOD,
        PlanVerdict::Undecided | PlanVerdict::TooClose => WARN,
        PlanVerdict::Collision | PlanVerdict::Invalid => BAD,
    }
}

/// How close a step comes, and what to what.
fn nearness(checked: &Checked, closest: &Closest) -> String {
    let scene = &checked.scene;
    let [a, b] = closest.pair.map(|body| label(scene, body));
    if closest.distance == 0.0 {
        return format!("{a} touches {b}");
    }
    let [distance, error] = [closest.distance, closest.error].map(|x| scene.units.from_metres(x));
    format!("{} {} between {a} and {b}", words::known(distance, error, DIGITS), scene.units)
}

/// How close a step comes: the pair that is closest, and beside it the fit with the smallest gap.
fn nearest(checked: &Checked, step: &StepResult) -> String {
    let scene = &checked.scene;
    let fit = step.tightest_fit();
    let closest = step.closest.filter(|closest| fit.is_none_or(|fit| fit.pair != closest.pair));
    let fit = fit.map(|fit| {
        let [a, b] = fit.pair.map(|body| label(scene, body));
        format!("fit: {}", words::fit_gap(fit, [&a, &b], scene.units))
    });
    closest.map(|closest| nearness(checked, &closest)).into_iter().chain(fit).collect::<Vec<_>>().join("; ")
}

/// The name of a body; that of a link as sentences have it.
fn label(scene: &Scene, body: usize) -> String {
    if scene.link_of(body).is_some() { words::body(scene, body) } else { scene.bodies[body].name.clone() }
}

/// Everything that is wrong, with its place in the file.
fn problems(checked: &Checked) -> Vec<Problem> {
    let (scene, timeline, result) = (&checked.scene, &checked.timeline, &checked.result);
    let mut problems: Vec<Problem> = Vec::new();
    for (number, message) in words::grouped_start(scene, &result.start) {
        let finding = &result.start[number];
        let problem = Problem::new(result.start_place(number), message);
        let why = match finding.kind {
            FindingKind::Overlap { allowance, .. } => not_smaller(checked, finding.pair, allowance),
            _ => String::new(),
        };
        problems.push(if why.is_empty() { problem } else { problem.help(why.trim_start_matches("; ")) });
    }
    let at_start: HashSet<[usize; 2]> = result.start.iter().map(|finding| ordered(finding.pair)).collect();
    for (k, step) in result.steps.iter().enumerate() {
        let number = format!("step {}", words::step_number(timeline, k));
        let head = match words::own_name(timeline, k) {
            Some(name) => format!("{number}, {name}"),
            None => number,
        };
        // What is wrong from the start on is told once, there.
        let is_told = |finding: &Finding| {
            matches!(finding.kind, FindingKind::Overlap { .. } | FindingKind::InsideUnknown { .. })
                && at_start.contains(&ordered(finding.pair))
        };
        for (number, sentence) in words::grouped(scene, timeline, k, &step.findings, is_told) {
            let finding = &step.findings[number];
            let way = result.open_way(k).filter(|_| finding.kind == FindingKind::NoPath);
            let message = format!("{head}: {}", way.map_or(&sentence, |way| &way.said));
            let problem = Problem::new(result.place(k, number), message);
            problems.push(match advice(checked, finding).or_else(|| way?.remedy.map(str::to_owned)) {
                Some(advice) => problem.help(advice),
                None => problem,
            });
        }
    }
    let goals = checked.file.goal_places(&result.missed);
    for (body, place) in result.missed.iter().zip(goals) {
        let message = format!("{} does not end at its goal", words::named(&scene.bodies[*body].name));
        let problem = Problem::new(place, message);
        problems.push(match missing(checked, *body) {
            Some(missing) => problem.help(missing),
            None => problem,
        });
    }
    problems
}

fn ordered([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// Where a body ends that should be elsewhere.
fn missing(checked: &Checked, body: usize) -> Option<String> {
    let unit = checked.scene.units;
    let goal = checked.scene.bodies[body].goal?;
    let by = goal.translation() - checked.timeline.end[body].translation();
    let where_to = if by == Vec3::ZERO {
        "it ends at that place, but turned differently".to_owned()
    } else {
        let [x, y, z] = by.to_array().map(|x| number_at_scale(unit.from_metres(x), unit.from_metres(1.0)));
        format!("from where it ends to its goal it is [{x}, {y}, {z}] {unit}")
    };
    let how = if checked.timeline.stages.is_empty() {
        "; no step moves it: state one with path = \"plan\", or give the scene to `freiraum plan`"
    } else {
        ""
    };
    Some(where_to + how)
}

/// Where and when it is.
fn advice(checked: &Checked, finding: &Finding) -> Option<String> {
    let unit = checked.scene.units;
    let place = |p: Vec3| {
        let [x, y, z] = p.to_array().map(|x| number_at_scale(unit.from_metres(x), unit.from_metres(1.0)));
        format!("at ({x}, {y}, {z}) {unit}, t = {}", number(finding.time))
    };
    match finding.kind {
        FindingKind::Contact { point, allowance, .. } | FindingKind::Overlap { point, allowance, .. } => {
            Some(place(point) + &not_smaller(checked, finding.pair, allowance))
        }
        FindingKind::TooClose { points, .. } => Some(place(points[0])),
        FindingKind::InsideUnknown { places, .. } => {
            places[0].map(|open| format!("its surface is open or doubled {}", place(open)))
        }
        FindingKind::Undecided { .. } | FindingKind::NoPath => None,
    }
}

/// Why a pair was checked without what the scene allows; empty if it was not.
fn not_smaller(checked: &Checked, pair: [usize; 2], used: f64) -> String {
    let allowance = checked.scene.requirement(pair[0], pair[1]).allowance;
    if used > 0.0 || allowance == 0.0 {
        return String::new();
    }
    let why = checked.parts.why_not_smaller(pair, allowance);
    why.map_or(String::new(), |why| format!("; {}", words::not_smaller(&why, checked.scene.units)))
}

fn summary(checked: &Checked, console: &mut Console) {
    let result = &checked.result;
    let verdicts = words::of_steps(&checked.timeline, &result.steps);
    let all = verdicts.len();
    let free = verdicts.iter().filter(|verdict| **verdict == PlanVerdict::Free).count();
    let verdict = console.styled(style(result.verdict), word(result.verdict));
    let all_steps = if free == all && all > 1 {
        format!("all {}", counted(all, "step"))
    } else {
        format!("{free} of {}", counted(all, "step"))
    };
    let said = if all == 0 { "nothing moves".to_owned() } else { format!("{all_steps} free") };
    // What is wrong with the start is wrong before every step.
    let of_start = result.start.iter().map(|finding| finding.kind.verdict()).max();
    let said = match of_start {
        Some(worst) if worst == result.verdict => format!("before the first step; {said}"),
        Some(worst) => format!("{said}; {} before the first step", word(worst)),
        None => said,
    };
    let said = match result.missed.len() {
        0 => said,
        n => format!("{said}; {} missed", counted(n, "goal")),
    };
    console.text(&format!("{}{verdict}: {said}\n", console.styled(BOLD, "")));
    let closest = result.steps.iter().enumerate().filter_map(|(k, step)| Some((k, step.closest?)));
    let nearest =
        closest.filter(|(_, c)| c.distance > 0.0).min_by(|x, y| x.1.distance.total_cmp(&y.1.distance));
    if let Some((k, closest)) = nearest {
        let step = words::step_number(&checked.timeline, k);
        console.fact("smallest clearance", format!("{}, in step {step}", nearness(checked, &closest)));
    }
    let gaps =
        result.steps.iter().enumerate().flat_map(|(k, step)| step.fit_gaps.iter().map(move |fit| (k, fit)));
    if let Some((k, fit)) = gaps.min_by(|x, y| x.1.gap.total_cmp(&y.1.gap)) {
        let step = words::step_number(&checked.timeline, k);
        console.fact("tightest fit", format!("{}, in step {step}", words::fit(&checked.scene, fit)));
    }
    for said in &result.not_covered {
        console.fact("not covered", said);
    }
    let allowances = words::allowances(&checked.scene, result);
    if !allowances.is_empty() {
        console.fact("allowances", words::stated(&allowances));
    }
    let approaches = words::approaches(&checked.scene, result);
    let is_stated = result.approach.iter().any(|one| one.by != ApproachBy::Default);
    if is_stated || (!approaches.is_empty() && result.steps.iter().any(|step| !step.fits.is_empty())) {
        console.fact("approach of fits", words::stated(&approaches));
    }
    for said in words::approached_in_steps(&checked.scene, &checked.timeline, result) {
        console.fact("approach", said);
    }
    for said in words::exempt(&checked.scene, result) {
        console.fact("exempt", said);
    }
    for (_, said) in words::grouped_warnings(&result.warnings) {
        let word = console.styled(WARN, &format!("{:<18}", "warning"));
        console.text(&format!("  {word}  {said}\n"));
    }
    let planned = result.planned.iter();
    let mut found: Vec<(usize, &str)> =
        planned.filter_map(|step| Some((step.index, step.planner?))).collect();
    // Several ways of one step are told once.
    found.dedup();
    for (step, planner) in found {
        let said = format!("step {step} by the planner {planner}; `freiraum plan` writes its path down");
        console.fact("found now", said);
    }
    if let [scene, rest @ ..] = &result.inputs[..] {
        let digest = scene.blake3.get(..16).unwrap_or(&scene.blake3);
        let more = match rest.len() {
            0 => String::new(),
            n => format!(" and {}", counted(n, "more file")),
        };
        let date = result.date.as_ref().map_or(String::new(), |date| format!(", {date}"));
        let version = result.version();
        console.fact("inputs", format!("{} (BLAKE3 {digest}…){more}; Freiraum {version}{date}", scene.path));
    }
    let remembered = match result.pairs_remembered {
        0 => String::new(),
        n => console.styled(DIM, &format!(", {} of these known from before", grouped(n))),
    };
    let computed = result.pairs_tested + result.pairs_measured;
    let all = counted(computed + result.pairs_apart, "pair");
    let seconds = number(two_digits(result.seconds.unwrap_or(0.0)));
    let [apart, computed] = [result.pairs_apart, computed].map(grouped);
    console.fact(
        "checked",
        format!("{all} in {seconds} s: {apart} apart by the boxes around their ways, {computed} computed{remembered}"),
    );
}

fn two_digits(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
