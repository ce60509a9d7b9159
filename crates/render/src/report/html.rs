//! The page for people: one file that asks nothing of anybody, in light or dark, on screen or paper.

use super::plot::plot;
use super::shots::Frame;
use super::text::{escaped, sentence};
use super::{ReportOptions, Source};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use freiraum_check::{Curve, FindingKind, PlanVerdict, Stage, StepResult, words};
use rayon::prelude::*;
use std::fmt::Write;

const PAGE: &str = include_str!("page.html");

/// Pictures of steps, and of details, in pixels.
const LARGE: [[usize; 2]; 2] = [[1040, 600], [1040, 480]];
/// The same in plans with many steps.
const SMALL: [[usize; 2]; 2] = [[640, 368], [640, 296]];
/// From this many steps on pictures are smaller.
const MANY: usize = 60;
/// Details per step, and of the start.
const DETAILS: usize = 2;
/// Steps that are named at the top; the others are in the table.
const NAMED: usize = 8;
/// Up to so many steps the strip at the top has their numbers.
const NUMBERED: usize = 40;
/// Findings in words per step; the others are in `report.json`.
const FINDINGS: usize = 8;
/// Fits in words per step; the others are in `report.json`.
const FITS: usize = 6;
/// Letters of a name in the table that stays on one line.
const WHOLE_NAME: usize = 28;

/// The page.
pub(crate) fn page(source: &Source<'_>, curves: &[Vec<Curve>], options: &ReportOptions) -> String {
    let steps = &source.result.steps;
    let sizes = if steps.len() > MANY { SMALL } else { LARGE };
    let sections: Vec<String> = (0..steps.len())
        .into_par_iter()
        .map(|number| section(source, number, &curves[number], sizes))
        .collect();
    let verdict = source.result.verdict;
    let title = if options.title.is_empty() { "Plan" } else { &options.title };
    let fill = |key: &str| match key {
        "title" => escaped(title),
        "verdict" => heading_of_plan(source).to_owned(),
        "verdict_class" => verdict.name().to_owned(),
        "lead" => lead(source),
        "wrong" => wrong(source),
        "warnings" => warnings(source),
        "strip" => strip(source),
        "facts" => facts(source),
        "covered" => covered(source),
        "overview" => overview(source, sizes[0]),
        "start" => start(source, sizes[1]),
        "table" => table(source),
        "steps" => sections.concat(),
        "footer" => footer(source),
        other => format!("{{{{{other}}}}}"),
    };
    filled(PAGE, fill)
}

/// The template with what stands in double braces replaced; nothing in what is put in is looked at again.
fn filled(template: &str, fill: impl Fn(&str) -> String) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((key, behind)) = behind.split_once("}}") else { break };
        out.push_str(&fill(key));
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// A verdict as a word.
fn heading(verdict: PlanVerdict) -> &'static str {
    match verdict {
        PlanVerdict::Free => "free",
        PlanVerdict::Undecided => "undecided",
        PlanVerdict::TooClose => "too close",
        PlanVerdict::Collision => "collision",
        PlanVerdict::Invalid => "invalid",
    }
}

/// The verdict of the plan as a word.
fn heading_of_plan(source: &Source<'_>) -> &'static str {
    let is_missed = source.result.verdict == PlanVerdict::Invalid && !source.result.missed.is_empty();
    if is_missed { "goal missed" } else { heading(source.result.verdict) }
}

fn badge(verdict: PlanVerdict) -> String {
    format!("<span class=\"badge {}\">{}</span>", verdict.name(), heading(verdict))
}

/// The whole plan in a sentence or two.
fn lead(source: &Source<'_>) -> String {
    let steps = words::of_steps(source.timeline, &source.result.steps);
    let count = |verdict: PlanVerdict| steps.iter().filter(|step| **step == verdict).count();
    let all = steps.len();
    let steps_word = |n: usize| if n == 1 { "1 step".to_owned() } else { format!("{n} steps") };
    let mut parts = Vec::new();
    let named = |verdict: PlanVerdict, end: &str| {
        let n = count(verdict);
        (n > 0).then(|| format!("{} {end}", steps_word(n)))
    };
    parts.extend(named(
        PlanVerdict::Collision,
        if count(PlanVerdict::Collision) == 1 { "collides" } else { "collide" },
    ));
    parts.extend(named(
        PlanVerdict::TooClose,
        if count(PlanVerdict::TooClose) == 1 { "comes too close" } else { "come too close" },
    ));
    parts.extend(named(
        PlanVerdict::Invalid,
        if count(PlanVerdict::Invalid) == 1 { "has no way" } else { "have no way" },
    ));
    parts.extend(named(PlanVerdict::Undecided, "could not be decided"));
    parts.extend(words::counted_start(&source.result.start));
    parts.extend(counted_missed(source));
    if all == 0 {
        let said = if parts.is_empty() { vec!["nothing is wrong".to_owned()] } else { parts };
        return sentence(&format!("nothing moves: {}", said.join(", ")));
    }
    if parts.is_empty() {
        let all = if all == 1 { "The step can".to_owned() } else { format!("All {all} steps can") };
        let of = if source.result.not_covered.is_empty() { "" } else { ", among all pairs that are covered" };
        return format!(
            "{all} be carried out: nothing gets in the way, and all required distances are kept{of}."
        );
    }
    sentence(&format!("of {}, {}", steps_word(all), parts.join(", ")))
}

/// How many bodies are not at their goals in the end; `None` if all are.
fn counted_missed(source: &Source<'_>) -> Option<String> {
    match source.result.missed.len() {
        0 => None,
        1 => Some("1 body does not end at its goal".to_owned()),
        n => Some(format!("{n} bodies do not end at their goals")),
    }
}

/// What is wrong, each with a link to its step and to what can be seen of it.
fn wrong(source: &Source<'_>) -> String {
    let mut items = Vec::new();
    if let Some(first) = source.result.start.first() {
        let more = source.result.start.len() - 1;
        let more = if more == 0 { String::new() } else { format!(", and {more} more") };
        let text = sentence(&format!("{}{more}", words::start_sentence(source.scene, first)));
        items.push(item(
            first.kind.verdict(),
            "start",
            &text,
            has_close_up(&first.kind).then_some("start-near"),
        ));
    }
    for (number, step) in source.result.steps.iter().enumerate() {
        let Some(first) = step.findings.first() else { continue };
        let step_number = words::step_number(source.timeline, number);
        let name = words::own_name(source.timeline, number);
        let name = name.map_or(String::new(), |name| format!(" “{name}”"));
        let said = match source.result.open_way(number).filter(|_| first.kind == FindingKind::NoPath) {
            Some(way) => way.said.clone(),
            None => words::headline(source.scene, source.timeline, number, first),
        };
        let text = sentence(&format!("step {step_number}{name}: {said}"));
        let near = format!("step-{step_number}-near");
        let near = step.findings.iter().any(|f| has_close_up(&f.kind)).then_some(near.as_str());
        items.push(item(step.verdict, &format!("step-{step_number}"), &text, near));
    }
    for body in &source.result.missed {
        let name = words::named(&source.scene.bodies[*body].name);
        let text = sentence(&format!("{name} does not end at its goal"));
        items.push(format!("<li class=\"invalid\">{text}</li>"));
    }
    if items.is_empty() {
        return String::new();
    }
    let more = items.len().saturating_sub(NAMED);
    let mut out = format!("<ul class=\"findings top\">{}", items[..items.len() - more].concat());
    if more > 0 {
        let _ =
            write!(out, "<li class=\"muted\"><a href=\"#table\">And {more} more: see the table.</a></li>");
    }
    out.push_str("</ul>");
    out
}

fn item(verdict: PlanVerdict, place: &str, text: &str, near: Option<&str>) -> String {
    let near = near.map_or(String::new(), |near| format!(" <a class=\"near\" href=\"#{near}\">close-up</a>"));
    format!("<li class=\"{}\"><a href=\"#{place}\">{text}</a>{near}</li>", verdict.name())
}

fn has_close_up(kind: &FindingKind) -> bool {
    !matches!(kind, FindingKind::Undecided { .. } | FindingKind::InsideUnknown { .. } | FindingKind::NoPath)
}

/// A row of links that stays in sight: one for every step, in the colour of its verdict.
fn strip(source: &Source<'_>) -> String {
    let steps = &source.result.steps;
    if steps.len() < 2 {
        return String::new();
    }
    let mut out =
        String::from("<nav class=\"strip\" aria-label=\"Steps\"><a class=\"home\" href=\"#top\">Top</a>");
    for (number, step) in steps.iter().enumerate() {
        // Of many steps only those that need attention, and every tenth, have their numbers.
        let step_number = words::step_number(source.timeline, number);
        let is_told =
            steps.len() <= NUMBERED || step.verdict != PlanVerdict::Free || step_number.ends_with('0');
        let text = if is_told { step_number.as_str() } else { "" };
        let name = escaped(&source.timeline.stages[number].name);
        let _ = write!(
            out,
            "<a class=\"{}\" href=\"#step-{1}\" title=\"{1} {name}: {2}\">{text}</a>",
            step.verdict.name(),
            step_number,
            heading(step.verdict)
        );
    }
    out.push_str("</nav>");
    out
}

/// What people should know beside the verdict.
fn warnings(source: &Source<'_>) -> String {
    let warnings = &source.result.warnings;
    if warnings.is_empty() {
        return String::new();
    }
    let mut out = String::from("<ul class=\"findings warnings\" aria-label=\"Warnings\">");
    for (code, said) in words::grouped_warnings(warnings) {
        let _ = write!(
            out,
            "<li class=\"warning\" data-code=\"{}\"><b>Warning</b> {}</li>",
            code.name(),
            sentence(&said)
        );
    }
    out.push_str("</ul>");
    out
}

/// What the verdict covers, and what it does not.
fn covered(source: &Source<'_>) -> String {
    let said = &source.result.not_covered;
    if source.result.steps.is_empty() && said.is_empty() {
        return String::new();
    }
    let head =
        "Free means proven for the whole motion, not sampled: of every body that moves against every other";
    if said.is_empty() {
        return format!("<div class=\"covered\"><p>{head}.</p>{}{}</div>", stated(source), planned(source));
    }
    let mut out = format!("<div class=\"covered\"><p>{head}, except for what is not covered:</p><ul>");
    for one in said {
        let _ = write!(out, "<li>{}</li>", sentence(one));
    }
    out.push_str("</ul>");
    out.push_str(&exempt(source));
    out.push_str(&stated(source));
    out.push_str(&planned(source));
    out.push_str("</div>");
    out
}

/// Every rule that takes pairs out, with its reason.
fn exempt(source: &Source<'_>) -> String {
    let rules = &source.result.exempt;
    if rules.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "<details><summary>{} {} pairs out</summary><table><tr><th>bodies</th><th>pairs</th><th>why</th><th>line</th></tr>",
        words::counted(rules.len(), "rule"),
        if rules.len() == 1 { "takes" } else { "take" }
    );
    for rule in rules.iter().take(RULES) {
        let names = rule.bodies.each_ref().map(|bodies| {
            let first = bodies.first().map_or(String::new(), |body| words::body(source.scene, *body));
            if bodies.len() > 1 { format!("{first} and {} more", bodies.len() - 1) } else { first }
        });
        let line = rule.at.map_or(String::new(), |at| at[0].to_string());
        let _ = write!(
            out,
            "<tr><td>{} with {}</td><td>{}</td><td>{}</td><td>{line}</td></tr>",
            escaped(&names[0]),
            escaped(&names[1]),
            rule.count,
            escaped(&rule.reason)
        );
    }
    out.push_str("</table>");
    let more = rules.len().saturating_sub(RULES);
    if more > 0 {
        let _ = write!(out, "<p class=\"muted\">And {more} more; report.json has them all.</p>");
    }
    out.push_str("</details>");
    out
}

/// The allowances and the approaches that the verdict rests on.
fn stated(source: &Source<'_>) -> String {
    let (scene, result) = (source.scene, source.result);
    let table = |[one, many]: [&str; 2], list: Vec<words::Stated>| {
        if list.is_empty() {
            return String::new();
        }
        let mut out = format!(
            "<details id=\"{many}\"><summary>{} {}</summary><table><tr><th>bodies</th><th>{one}</th><th>by</th><th>line</th></tr>",
            list.len(),
            if list.len() == 1 { one } else { many }
        );
        for one in list.iter().take(RULES) {
            let line = one.line.map_or(String::new(), |line| line.to_string());
            let [bodies, value] = [&one.bodies, &one.value].map(|text| escaped(text));
            let _ =
                write!(out, "<tr><td>{bodies}</td><td>{value}</td><td>{}</td><td>{line}</td></tr>", one.by);
        }
        out.push_str("</table>");
        let more = list.len().saturating_sub(RULES);
        if more > 0 {
            let _ = write!(out, "<p class=\"muted\">And {more} more; report.json has them all.</p>");
        }
        out + "</details>"
    };
    table(["allowance", "allowances"], words::allowances(scene, result))
        + &table(["approach", "approaches"], words::approaches(scene, result))
}

/// What planners answered for the ways that the scene leaves open.
fn planned(source: &Source<'_>) -> String {
    let mut out = String::new();
    for one in &source.result.planned {
        let text = match (one.planner, &one.reason) {
            (Some(planner), _) => format!("the way of step {} was found by the planner {planner}", one.index),
            (None, Some(reason)) => format!("step {}: {reason}", one.index),
            (None, None) => format!("step {}: no way was found", one.index),
        };
        let _ = write!(out, "<p class=\"muted\">{}</p>", sentence(&text));
    }
    out
}

/// So many rules stand in the page.
const RULES: usize = 200;

/// Where all of this comes from.
fn footer(source: &Source<'_>) -> String {
    let result = source.result;
    let mut out = format!("Made by Freiraum {}", escaped(result.version()));
    if let Some(date) = &result.date {
        let _ = write!(out, " on {}", escaped(date));
    }
    if let Some(scene) = result.scene_path() {
        let _ = write!(out, " from {}", escaped(scene));
    }
    out.push_str("; the same in numbers: report.json, in motion: animation.glb.");
    if !result.inputs.is_empty() {
        out.push_str("<details><summary>BLAKE3 digests of the files that were read</summary><table>");
        for input in &result.inputs {
            let _ = write!(
                out,
                "<tr><td>{}</td><td>{}</td><td><code>{}</code></td></tr>",
                input.kind,
                escaped(&input.path),
                escaped(&input.blake3)
            );
        }
        out.push_str("</table></details>");
    }
    out
}

fn facts(source: &Source<'_>) -> String {
    let mut out = String::new();
    let mut put = |name: &str, value: String| {
        let _ = write!(out, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    };
    put("steps", words::of_steps(source.timeline, &source.result.steps).len().to_string());
    put("bodies", source.scene.bodies.len().to_string());
    let closest = source.result.steps.iter().filter_map(|step| step.closest.as_ref());
    let closest = closest.filter(|closest| closest.required > 0.0 || closest.distance > 0.0);
    if let Some(least) = closest.min_by(|a, b| a.distance.total_cmp(&b.distance)) {
        put("smallest clearance", words::known_length(least.distance, least.error, source.scene.units));
    }
    let gaps = source.result.steps.iter().flat_map(|step| &step.fit_gaps);
    if let Some(least) = gaps.min_by(|a, b| a.gap.total_cmp(&b.gap)) {
        put(
            "deepest fit",
            if least.only_touches() {
                "touches".to_owned()
            } else {
                words::overlap_of_fit(least, source.scene.units)
            },
        );
    }
    if !source.result.warnings.is_empty() {
        let count = source.result.warnings.len();
        put(if count == 1 { "warning" } else { "warnings" }, count.to_string());
    }
    if source.scene.clearance > 0.0 {
        put("required", words::length(source.scene.clearance, source.scene.units));
    }
    let computed = source.result.pairs_tested + source.result.pairs_measured;
    put("pairs, apart by their boxes", words::grouped_digits(source.result.pairs_apart));
    put("pairs, computed", words::grouped_digits(computed));
    if let Some(seconds) = source.result.seconds {
        let places = if seconds < 1.0 { 3 } else { 1 };
        put("checked in", format!("{} s", words::decimals(seconds, places)));
    }
    out
}

fn overview(source: &Source<'_>, [width, height]: [usize; 2]) -> String {
    let size = [width / 2 + 120, height / 2 + 90];
    let before = &source.timeline.start();
    if source.timeline.stages.is_empty() {
        return format!(
            "<div class=\"card\">{}</div>",
            figure(&source.overview(before, size, "The start.", &[], Vec::new()))
        );
    }
    let (before, after) = rayon::join(
        || figure(&source.overview(before, size, "Before the first step.", &[], Vec::new())),
        || figure(&source.end(size)),
    );
    format!("<div class=\"card pair2\">{before}{after}</div>")
}

/// What is wrong before the first step.
fn start(source: &Source<'_>, size: [usize; 2]) -> String {
    let findings = &source.result.start;
    if findings.is_empty() {
        return String::new();
    }
    let words = findings.iter().map(|finding| words::start_sentence(source.scene, finding));
    let worst = findings.iter().map(|finding| finding.kind.verdict()).max().unwrap_or(PlanVerdict::Free);
    let list = list(words.collect(), worst.name());
    let details: Vec<_> = findings.iter().take(DETAILS).collect();
    let figures: Vec<String> = details
        .par_iter()
        .filter_map(|finding| Some(figure(&source.close_up(None, finding, size)?)))
        .collect();
    format!(
        "<section class=\"card\" id=\"start\"><header><div class=\"row\"><h2>Before the first step</h2>{}</div>{list}</header>{}</section>",
        badge(worst),
        near("start-near", &figures)
    )
}

fn list(sentences: Vec<String>, class: &str) -> String {
    let mut out = String::from("<ul class=\"findings\">");
    for text in sentences.iter().take(FINDINGS) {
        let _ = write!(out, "<li class=\"{class}\">{}</li>", sentence(text));
    }
    if sentences.len() > FINDINGS {
        let more = sentences.len() - FINDINGS;
        let _ = write!(out, "<li class=\"{class}\">And {more} more; report.json has them all.</li>");
    }
    out.push_str("</ul>");
    out
}

fn table(source: &Source<'_>) -> String {
    if source.result.steps.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<div class=\"card scroll\" id=\"table\"><table><thead><tr><th class=\"n\">#</th><th>Step</th><th>Verdict</th>\
         <th class=\"n\">Clearance</th><th class=\"n\">Required</th><th>Pair</th><th class=\"n\">At</th></tr></thead><tbody>",
    );
    for (number, step) in source.result.steps.iter().enumerate() {
        let row = row(source, number, step);
        let _ = write!(
            out,
            "<tr><td class=\"n muted\">{0}</td><td><a href=\"#step-{0}\">{1}</a></td><td>{2}</td><td class=\"n\">{3}</td>\
             <td class=\"n muted\">{4}</td><td class=\"muted\">{5}</td><td class=\"n muted\">{6}</td></tr>",
            words::step_number(source.timeline, number),
            escaped(&source.timeline.stages[number].name),
            badge(step.verdict),
            row[0],
            row[1],
            row[2],
            row[3],
        );
    }
    out.push_str("</tbody></table></div>");
    out
}

/// Clearance, required, pair, time of a step.
fn row(source: &Source<'_>, number: usize, step: &StepResult) -> [String; 4] {
    let unit = source.scene.units;
    // Names of usual length are not broken between lines.
    let name = |body: usize| {
        let name = &source.scene.bodies[body].name;
        let class = if name.chars().count() <= WHOLE_NAME { "whole" } else { "long" };
        format!("<span class=\"{class}\">{}</span>", escaped(name))
    };
    // A body for which no way was found is alone.
    let pair = |[a, b]: [usize; 2]| if a == b { name(a) } else { format!("{} – {}", name(a), name(b)) };
    let required = |metres: f64| if metres > 0.0 { words::length(metres, unit) } else { String::new() };
    let at = |t: f64, body: usize| {
        let stage = &source.timeline.stages[number];
        let mover = stage.mover_of(body).map(|mover| &stage.movers[mover]);
        match t {
            0.0 => "the start".to_owned(),
            1.0 => "the end".to_owned(),
            _ => escaped(&mover.map_or(words::percent(t), |mover| words::progress(mover, t, unit))),
        }
    };
    if let Some(first) = step.findings.first() {
        let clearance = match first.kind {
            FindingKind::TooClose { distance, error, .. } => words::known_length(distance, error, unit),
            FindingKind::Contact { .. } => "contact".to_owned(),
            FindingKind::Overlap { .. } => "overlap".to_owned(),
            _ => "?".to_owned(),
        };
        let needed = match first.kind {
            FindingKind::TooClose { required, .. } => required,
            _ => source.scene.requirement(first.pair[0], first.pair[1]).clearance,
        };
        return [clearance, required(needed), pair(first.pair), at(first.time, first.pair[0])];
    }
    match &step.closest {
        Some(closest) => [
            if closest.distance > 0.0 {
                words::known_length(closest.distance, closest.error, unit)
            } else {
                "in contact".to_owned()
            },
            required(closest.required),
            pair(closest.pair),
            at(closest.time, closest.pair[0]),
        ],
        None => std::array::from_fn(|_| String::new()),
    }
}

/// One step.
fn section(source: &Source<'_>, number: usize, curves: &[Curve], [size, detail]: [[usize; 2]; 2]) -> String {
    let step = &source.result.steps[number];
    let stage = &source.timeline.stages[number];
    let mut out = format!(
        "<section class=\"card\" id=\"step-{0}\"><header><div class=\"row\"><span class=\"number\">{0}</span><h2>{1}</h2>{2}</div><p>{3}</p>",
        words::step_number(source.timeline, number),
        escaped(&stage.name),
        badge(step.verdict),
        sentence(&words::action(source.scene, source.timeline, number)),
    );
    if step.findings.is_empty() {
        let _ = write!(out, "<p class=\"proof\">{}</p>", sentence(&kept(source, number, step)));
    } else if let Some(way) = source.result.open_way(number) {
        out.push_str(&list(vec![way.sentence()], step.verdict.name()));
    } else {
        let words = words::grouped(source.scene, source.timeline, number, &step.findings, |_| false);
        out.push_str(&list(words.into_iter().map(|(_, words)| words).collect(), step.verdict.name()));
    }
    out.push_str(&fits(source, stage, step));
    out.push_str("</header>");
    out.push_str(&figure(&source.step(number, size)));
    let details = step.findings.iter().filter_map(|finding| source.close_up(Some(number), finding, detail));
    let details: Vec<String> = details.take(DETAILS).map(|frame| figure(&frame)).collect();
    out.push_str(&near(&format!("step-{}-near", words::step_number(source.timeline, number)), &details));
    if !curves.is_empty() {
        let _ = write!(out, "<div class=\"curves\">{}</div>", plot(source, number, curves));
    }
    out.push_str("</section>");
    out
}

/// Close-ups under a name that links lead to.
fn near(name: &str, figures: &[String]) -> String {
    if figures.is_empty() { String::new() } else { format!("<div id=\"{name}\">{}</div>", figures.concat()) }
}

/// The fits of a step, with their gaps and why they are fits, and where a clearance need not be kept.
fn fits(source: &Source<'_>, stage: &Stage, step: &StepResult) -> String {
    let mut told: Vec<String> = step.fit_gaps.iter().map(|fit| words::fit(source.scene, fit)).collect();
    let has_gap = |pair: &[usize; 2]| step.fit_gaps.iter().any(|fit| fit.pair == *pair);
    for pair in step.fits.iter().filter(|pair| !has_gap(pair)) {
        let [a, b] = pair.map(|body| words::body(source.scene, body));
        told.push(format!("{a} and {b} touch by design"));
    }
    told.extend(step.approaches.iter().map(|one| words::approached(source.scene, stage, one)));
    let exempt = step.exempt.len() + step.exempt_unlisted;
    if exempt > 0 {
        let pairs =
            if exempt == 1 { "1 pair that moves".to_owned() } else { format!("{exempt} pairs that move") };
        told.push(format!("{pairs} against each other here: not looked at, by a rule"));
    }
    if told.is_empty() {
        return String::new();
    }
    let more = told.len().saturating_sub(FITS);
    let mut out = String::from("<ul class=\"fits\">");
    for text in &told[..told.len() - more] {
        let _ = write!(out, "<li>{}</li>", sentence(text));
    }
    if more > 0 {
        let _ = write!(out, "<li>And {more} more; report.json has them all.</li>");
    }
    out.push_str("</ul>");
    out
}

/// What a free step proves.
fn kept(source: &Source<'_>, number: usize, step: &StepResult) -> String {
    let unit = source.scene.units;
    let name = |body: usize| words::body(source.scene, body);
    match &step.closest {
        None => "free: nothing else is near".to_owned(),
        Some(closest) if closest.distance > 0.0 => {
            let [a, b] = closest.pair.map(name);
            let required = if closest.required > 0.0 {
                format!("; {} is required", words::length(closest.required, unit))
            } else {
                String::new()
            };
            format!(
                "free: {a} comes no closer to {b} than {}, {}{required}",
                words::known_length(closest.distance, closest.error, unit),
                match closest.time {
                    0.0 => "at the start".to_owned(),
                    1.0 => "at the end".to_owned(),
                    time => format!("at {}", words::at_time(&source.timeline.stages[number], time, unit)),
                }
            )
        }
        Some(closest) => {
            let [a, b] = closest.pair.map(name);
            format!("free: {a} slides on {b}, which it touches by design")
        }
    }
}

/// A picture with its texts.
fn figure(frame: &Frame) -> String {
    let [width, height] = frame.picture.size;
    let mut out = format!(
        "<figure><svg class=\"picture\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\
         <image width=\"{width}\" height=\"{height}\" href=\"data:image/png;base64,{}\"/>",
        escaped(&frame.caption),
        STANDARD.encode(frame.picture.png())
    );
    for (text, [x, y]) in &frame.labels {
        let _ = write!(out, "<text class=\"label\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(text));
    }
    let _ = write!(out, "</svg><figcaption>{}", escaped(&frame.caption));
    for (color, name) in &frame.legend {
        let [r, g, b] = color.0;
        let _ = write!(
            out,
            "<span><i class=\"chip\" style=\"background:#{r:02x}{g:02x}{b:02x}\"></i>{}</span>",
            escaped(name)
        );
    }
    out.push_str("</figcaption></figure>");
    out
}
