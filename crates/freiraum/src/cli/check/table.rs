//! What a check found, for people: a line per step, then every finding with its place in the scene file.

use super::Checked;
use crate::cli::output::{BAD, BOLD, Console, DIM, GOOD, WARN, counted, number, number_at_scale};
use clap::builder::styling::Style;
use freiraum::geometry::Vec3;
use freiraum::plan::check::{Closest, Finding, FindingKind, PlanVerdict};
use freiraum::plan::words;
use freiraum::scene::{Problem, Scene};
use std::collections::BTreeSet;

/// Longer names are cut in the table.
const MAX_NAME: usize = 48;

pub(super) fn print(checked: &Checked, console: &mut Console) {
    let scene = &checked.scene;
    let title = checked.file.title().unwrap_or(checked.file.name());
    let (bodies, steps) = (scene.bodies.len(), checked.timeline.stages.len());
    let head = format!("{title}: {}, {}", counted(bodies, "part"), counted(steps, "step"));
    console.heading(&head);
    console.gap();
    let names: Vec<String> = checked.timeline.stages.iter().map(|stage| cut(&stage.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (k, (name, step)) in names.iter().zip(&checked.result.steps).enumerate() {
        let verdict = console.styled(style(step.verdict), &format!("{:<9}", word(step.verdict)));
        let near = step.closest.as_ref().map_or(String::new(), |closest| nearness(checked, closest));
        let pad = " ".repeat(width - name.chars().count());
        let line = format!("  {:>3}  {name}{pad}  {verdict}  {near}", k + 1);
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
    format!("{} {} between {a} and {b}", number(scene.units.from_metres(closest.distance)), scene.units)
}

/// The name of a body; that of a link as sentences have it.
fn label(scene: &Scene, body: usize) -> String {
    if scene.link_of(body).is_some() { words::body(scene, body) } else { scene.bodies[body].name.clone() }
}

/// Everything that is wrong, with its place in the file.
fn problems(checked: &Checked) -> Vec<Problem> {
    let (scene, timeline, result) = (&checked.scene, &checked.timeline, &checked.result);
    let mut problems: Vec<Problem> = Vec::new();
    for finding in &result.start {
        let message = words::start_sentence(scene, finding);
        problems.push(Problem::new(checked.file.start_place(blamed(checked, finding)), message));
    }
    for (k, step) in result.steps.iter().enumerate() {
        let stage = &timeline.stages[k];
        let number = format!("step {}", k + 1);
        let head = if stage.name == number { number } else { format!("{number}, {}", stage.name) };
        let sentences = words::sentences(scene, timeline, k, &step.findings);
        // What is wrong from the start on is told once, there.
        let is_told = |finding: &Finding| {
            matches!(finding.kind, FindingKind::Overlap { .. })
                && result.start.iter().any(|start| is_same_pair(start.pair, finding.pair))
        };
        let told = step.findings.iter().zip(sentences).filter(|(finding, _)| !is_told(finding));
        for (finding, sentence) in told {
            let message = format!("{head}: {sentence}");
            let mover = stage.mover_of(finding.pair[0]).map(|mover| stage.movers[mover].place);
            let problem = Problem::new(mover.unwrap_or(stage.place), message);
            problems.push(match advice(checked, stage.step, finding) {
                Some(advice) => problem.help(advice),
                None => problem,
            });
        }
    }
    for body in &result.missed {
        let message = format!("{} does not end at its goal", words::named(&scene.bodies[*body].name));
        let problem = Problem::new(checked.file.goal_place(*body), message);
        problems.push(match missing(checked, *body) {
            Some(missing) => problem.help(missing),
            None => problem,
        });
    }
    problems
}

fn is_same_pair(a: [usize; 2], b: [usize; 2]) -> bool {
    a == b || a == [b[1], b[0]]
}

/// The body of a finding about the start that is rather misplaced: one that is not fixed, and the later one.
fn blamed(checked: &Checked, finding: &Finding) -> usize {
    let [a, b] = finding.pair;
    let (early, late) = (a.min(b), a.max(b));
    let is_fixed = |body: usize| checked.scene.bodies[body].is_fixed;
    if is_fixed(late) && !is_fixed(early) { early } else { late }
}

/// Where a body ends that should be elsewhere.
fn missing(checked: &Checked, body: usize) -> Option<String> {
    let unit = checked.scene.units;
    let goal = checked.scene.bodies[body].goal?;
    let by = goal.translation() - checked.timeline.end[body].translation();
    if by == Vec3::ZERO {
        return Some("it ends at that place, but turned differently".to_owned());
    }
    let [x, y, z] = by.to_array().map(|x| number_at_scale(unit.from_metres(x), unit.from_metres(1.0)));
    Some(format!("from where it ends to its goal it is [{x}, {y}, {z}] {unit}"))
}

/// Where and when it is, or why no way was found; `step` is the number of the step in the file.
fn advice(checked: &Checked, step: usize, finding: &Finding) -> Option<String> {
    let unit = checked.scene.units;
    let place = |p: Vec3| {
        let [x, y, z] = p.to_array().map(|x| number_at_scale(unit.from_metres(x), unit.from_metres(1.0)));
        format!("at ({x}, {y}, {z}) {unit}, t = {}", number(finding.time))
    };
    match finding.kind {
        FindingKind::Contact { point, .. } | FindingKind::Overlap { point, .. } => Some(place(point)),
        FindingKind::TooClose { points, .. } => Some(place(points[0])),
        FindingKind::Undecided { .. } => None,
        FindingKind::NoPath => {
            let of_step = checked.planned.iter().filter(|planned| planned.index == step);
            of_step.filter_map(|planned| super::planned(planned).err()).next().map(str::to_owned)
        }
    }
}

fn summary(checked: &Checked, console: &mut Console) {
    let (scene, result) = (&checked.scene, &checked.result);
    let all = result.steps.len();
    let free = result.steps.iter().filter(|step| step.verdict == PlanVerdict::Free).count();
    let verdict = console.styled(style(result.verdict), word(result.verdict));
    let all_steps = if free == all && all > 1 {
        format!("all {}", counted(all, "step"))
    } else {
        format!("{free} of {}", counted(all, "step"))
    };
    let said = if all == 0 { "nothing moves".to_owned() } else { format!("{all_steps} free") };
    console.text(&format!("{}{verdict}: {said}\n", console.styled(BOLD, "")));
    let closest = result.steps.iter().enumerate().filter_map(|(k, step)| Some((k, step.closest?)));
    let nearest =
        closest.filter(|(_, c)| c.distance > 0.0).min_by(|x, y| x.1.distance.total_cmp(&y.1.distance));
    if let Some((k, closest)) = nearest {
        console.fact("smallest clearance", format!("{}, in step {}", nearness(checked, &closest), k + 1));
    }
    for said in not_looked_at(scene) {
        console.fact("not looked at", said);
    }
    if let [first, rest @ ..] = &result.open[..] {
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        let name = label(scene, *first);
        console.fact(
            "open surfaces",
            format!("{name}{more}: surfaces without inside, what is behind them is not found"),
        );
    }
    for step in &checked.planned {
        if let Ok(planner) = super::planned(step) {
            let said = format!(
                "step {} by the planner {planner}; `freiraum plan` writes its path down",
                step.index + 1
            );
            console.fact("found now", said);
        }
    }
    let remembered = match result.pairs_remembered {
        0 => String::new(),
        n => console.styled(DIM, &format!(", {n} of them known from before")),
    };
    let tested = counted(result.pairs_tested, "pair");
    console.fact("checked", format!("{tested} in {} s{remembered}", number(two_digits(checked.seconds))));
}

/// Which pairs are left out: rules of the scene, and what robots bring with them.
fn not_looked_at(scene: &Scene) -> Vec<String> {
    let robot_of = |body: usize| {
        let is_tool = |robot: usize| scene.robots[robot].tools.iter().any(|(tool, _)| *tool == body);
        let link = scene.link_of(body).map(|(robot, _)| robot);
        link.or_else(|| (0..scene.robots.len()).find(|robot| is_tool(*robot)))
    };
    let (mut rules, mut own) = (0, BTreeSet::new());
    for rule in scene.pairs.iter().filter(|rule| rule.ignore.is_some()) {
        let robots: BTreeSet<Option<usize>> = rule.bodies.iter().flatten().map(|b| robot_of(*b)).collect();
        if robots.len() == 1 && !robots.contains(&None) {
            let [first, second] = &rule.bodies;
            let pairs = first.iter().flat_map(|a| second.iter().map(move |b| [*a.min(b), *a.max(b)]));
            own.extend(pairs.filter(|[a, b]| a != b));
        } else {
            rules += 1;
        }
    }
    let mut said = Vec::new();
    if rules > 0 {
        said.push(format!("{} of pairs that the scene says to ignore", counted(rules, "rule")));
    }
    if !own.is_empty() {
        let pairs = counted(own.len(), "pair");
        said.push(format!(
            "{pairs} of links and tools of one robot: neighbours, and what its files say to ignore"
        ));
    }
    said
}

fn two_digits(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
