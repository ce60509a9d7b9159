//! `freiraum plan`: finds the motions that a scene leaves open, or an order in which everything comes apart.

use super::output::{BAD, BOLD, Console, GOOD, counted, number};
use super::progress::Progress;
use super::{Answer, Failure, in_pool, leftovers};
use freiraum::assets::ShapeCache;
use freiraum::check::words;
use freiraum::check::{Finding, PlanVerdict};
use freiraum::formats::scene::SceneFile;
use freiraum::geometry::Unit;
use freiraum::planning::disassemble::{DisassembleOptions, Disassembly, disassemble};
use freiraum::planning::path::{
    CompleteOptions, Completed, FindOptions, Found, Outcome, StepFound, complete, name,
};
use freiraum::scene::{PlannerChoice, Scene, Travel};
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(super) const EXAMPLES: &str = "\
Fills in every step with path = \"plan\"; of a scene with goals and no steps, or with states, all steps. \
Ways are tried straight, then by the planners: plane (two translations; certain), detours (three), sampling (with turns). \
Every path is proven before it is written. Ways that were not found stay open in what is written; if none was found, nothing is written.
Exit codes: 0 found, 1 there is none (certain), 2 bad input, 3 none was found; there may be one.
With --disassemble: 0 an order was found and its plan is free; 1 the plan of the order collides or comes too close, or parts
overlap when assembled; 2 bad input; 3 no order was found for some parts, or its plan is undecided.

Examples:
  freiraum plan gearbox.toml -o planned.toml
  freiraum plan piano.toml --planner plane
  freiraum plan puzzle.toml --seed 7 --budget 2000000 -o solved.toml
  freiraum plan --disassemble beam.toml -o assembly.toml";

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The scene file
    scene: PathBuf,
    /// Where to write the completed scene; may be the scene file itself
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Find an order in which everything can be taken apart, and write the plan for assembly
    #[arg(long)]
    disassemble: bool,
    /// With --disassemble: take groups of the scene apart too; else they stay together as long as they can
    #[arg(long, requires = "disassemble")]
    singly: bool,
    /// Use only this planner
    #[arg(long, value_enum, value_name = "NAME")]
    planner: Option<Planner>,
    /// Another seed finds another way; the same one the same
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    /// Motions that may be looked at for each way
    #[arg(long, default_value_t = FindOptions::default().budget, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    budget: u64,
}

// The variants carry no documentation: clap would turn every help page into its long form for it.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Planner {
    Plane,
    Detours,
    Sampling,
}

impl From<Planner> for PlannerChoice {
    fn from(planner: Planner) -> PlannerChoice {
        match planner {
            Planner::Plane => PlannerChoice::Plane,
            Planner::Detours => PlannerChoice::Detours,
            Planner::Sampling => PlannerChoice::Sampling,
        }
    }
}

pub(super) fn run(
    arguments: &Arguments,
    threads: Option<NonZeroUsize>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    in_pool(threads, || plan(arguments, console))
}

fn plan(arguments: &Arguments, console: &mut Console) -> Result<Answer, Failure> {
    let watch = Instant::now();
    leftovers::sweep([Some(arguments.scene.as_path()), arguments.output.as_deref()].into_iter().flatten());
    if let Some(output) = &arguments.output {
        check_folder(output)?;
    }
    let mut file = SceneFile::read(&arguments.scene)?;
    let scene = file.scene().clone();
    let find = FindOptions {
        planner: arguments.planner.map(Into::into),
        seed: arguments.seed,
        budget: arguments.budget,
        plane: None,
    };
    let parts = ShapeCache::of(&scene);
    let progress = Progress::new("reading");
    if arguments.disassemble {
        let told = |out: usize, of: usize, _: Option<&freiraum::planning::path::Progress>| {
            progress.now(&format!("taking apart: {out} of {of}"));
            ControlFlow::Continue(())
        };
        let options = DisassembleOptions { find, split_groups: arguments.singly };
        let found = disassemble(&scene, &parts, &options, &told).map_err(|problems| file.errors(problems))?;
        drop(progress);
        // Without an order there is nothing to write that would be worth the old steps.
        let is_any = !found.removals.is_empty();
        let written = if is_any { write(&mut file, &found.assembly, arguments)? } else { None };
        return Ok(print_disassembly(&found, &scene, written, arguments, watch, console));
    }
    let mut told = |step: &str, now: &freiraum::planning::path::Progress| {
        let share = 100 * now.checks / now.budget.max(1);
        progress.now(&format!("{step}: {}, {share} %", name(now.planner)));
        ControlFlow::Continue(())
    };
    let completed = complete(&scene, &parts, &CompleteOptions { find }, &mut told)
        .map_err(|problems| file.errors(problems))?;
    drop(progress);
    // With nothing found it would be the same scene again, which looks like a plan.
    let is_any =
        completed.steps.is_empty() || completed.steps.iter().any(|step| verdict(&step.found) == "found");
    let written = if is_any { write(&mut file, &completed.scene, arguments)? } else { None };
    Ok(print_completed(&completed, scene.units, written, arguments, watch, console))
}

/// Says before the work begins that its result could not be written.
pub(super) fn check_folder(output: &Path) -> Result<(), Failure> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let why = if output.is_dir() {
        "it is a folder; expected the name of a file".to_owned()
    } else if !folder.is_dir() {
        format!("there is no folder {}; make it first, or choose another one", folder.display())
    } else {
        return Ok(());
    };
    let mut failure = Failure::new("output", format!("cannot write {}: {why}", output.display()));
    failure.place = vec![("file", output.display().to_string().into())];
    Err(failure)
}

/// Writes the scene, if that is wanted; where it is then.
fn write(file: &mut SceneFile, scene: &Scene, arguments: &Arguments) -> Result<Option<String>, Failure> {
    let Some(output) = &arguments.output else { return Ok(None) };
    file.take_plan(scene, arguments.disassemble).and_then(|()| file.save_as(output))?;
    Ok(Some(output.display().to_string()))
}

fn verdict(found: &Found) -> &'static str {
    match found.outcome {
        Outcome::Path(_) => "found",
        Outcome::NoPath(_) => "no_path",
        Outcome::GaveUp(_) => "gave_up",
    }
}

/// The worst of all: certain that there is none, then unknown.
fn answer<'v>(verdicts: impl Iterator<Item = &'v str> + Clone) -> (&'static str, Answer) {
    if verdicts.clone().any(|verdict| verdict == "no_path") {
        ("no_path", Answer::Bad)
    } else if verdicts.clone().any(|verdict| verdict == "gave_up") {
        ("gave_up", Answer::Undecided)
    } else {
        ("found", Answer::Good)
    }
}

fn print_completed(
    completed: &Completed,
    unit: Unit,
    written: Option<String>,
    arguments: &Arguments,
    watch: Instant,
    console: &mut Console,
) -> Answer {
    let (all, answer) = answer(completed.steps.iter().map(|step| verdict(&step.found)));
    let length = |x: f64| unit.from_metres(x);
    let seconds = watch.elapsed().as_secs_f64();
    if console.json() {
        let step = |step: &StepFound| {
            let StepFound { index, name: step, found } = step;
            let reason = match &found.outcome {
                Outcome::NoPath(why) | Outcome::GaveUp(why) => Some(why),
                Outcome::Path(_) => None,
            };
            let is_found = reason.is_none();
            json!({
                "index": index + 1, "name": step, "verdict": verdict(found),
                "planner": is_found.then(|| found.by()),
                "length": is_found.then(|| length(found.length)), "clearance": found.clearance.map(length),
                "checks": found.checks, "pieces": found.pieces.len(), "joints": (!found.joints.is_empty()).then_some(&found.joints), "reason": reason,
            })
        };
        console.document(&json!({
            "verdict": all, "units": unit.symbol(), "steps": completed.steps.iter().map(step).collect::<Vec<_>>(),
            "output": written, "seconds": seconds,
        }));
        return answer;
    }
    if completed.steps.is_empty() {
        console.text("nothing to plan: no step has path = \"plan\", and no body has a goal elsewhere\n");
    }
    for StepFound { index, name: step, found } in &completed.steps {
        let heading = format!("{} {step}", index + 1);
        console.heading(&heading);
        match &found.outcome {
            Outcome::Path(_) => {
                let word = console.styled(GOOD, "found");
                let count = found.pieces.len() + found.joints.len().saturating_sub(1);
                console.fact("way", format!("{word}, {}, {}", counted(count, "piece"), found.by()));
                console.fact("length", format!("{} {unit}", number(length(found.length))));
                // Of robots it is for the check to say.
                if found.joints.is_empty() {
                    let clearance = found.clearance.map(|x| format!("{} {unit}", number(length(x))));
                    let clearance = clearance.unwrap_or_else(|| "nothing else is there".to_owned());
                    console.fact("smallest clearance", clearance);
                }
            }
            Outcome::NoPath(why) => {
                let word = console.styled(BAD, "there is none");
                console.fact("way", word);
                reasons(why, console);
            }
            Outcome::GaveUp(why) => {
                let word = console.styled(BOLD, "none found; there may be one");
                console.fact("way", word);
                reasons(why, console);
                if found.doubt.is_none() {
                    console.fact("help", "--budget looks longer, --seed elsewhere");
                }
            }
        }
        console.fact("motions looked at", found.checks.to_string());
    }
    let open = completed.steps.iter().filter(|step| verdict(&step.found) != "found").count();
    let still = match open {
        0 => String::new(),
        1 => ", in which 1 way is still open".to_owned(),
        open => format!(", in which {open} ways are still open"),
    };
    end(written.map(|file| file + &still), arguments, seconds, console);
    answer
}

/// What planners said, each in lines of its own.
fn reasons(why: &str, console: &mut Console) {
    let lines = why.split("; ").flat_map(|reason| wrapped(reason, REASON_WIDTH));
    for (number, line) in lines.enumerate() {
        console.fact(if number == 0 { "because" } else { "" }, line);
    }
}

/// Letters in a line of a reason: with the column before it no more than a terminal has.
const REASON_WIDTH: usize = 76;

/// A text in lines of at most so many letters, unless a word is longer; from the second line on set in.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(format!("  {word}")),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

fn end(written: Option<String>, arguments: &Arguments, seconds: f64, console: &mut Console) {
    match written {
        Some(file) => console.fact("written", file),
        None if arguments.output.is_some() => console.fact("written", "nothing, because nothing was found"),
        None => console.fact("written", "nothing; -o FILE writes the scene with what is found"),
    }
    console.fact("time", format!("{} s", number((seconds * 1000.0).round() / 1000.0)));
}

fn print_disassembly(
    found: &Disassembly,
    scene: &Scene,
    written: Option<String>,
    arguments: &Arguments,
    watch: Instant,
    console: &mut Console,
) -> Answer {
    let names = |bodies: &[usize]| -> Vec<&str> {
        bodies.iter().map(|body| scene.bodies[*body].name.as_str()).collect()
    };
    let (all, answer) = if !found.overlaps.is_empty() {
        ("no_path", Answer::Bad)
    } else if !found.blocked.is_empty() || found.verdict == PlanVerdict::Undecided {
        ("gave_up", Answer::Undecided)
    } else if found.verdict == PlanVerdict::Free {
        ("found", Answer::Good)
    } else {
        // There is an order, but its plan is not free.
        ("found", Answer::Bad)
    };
    let seconds = watch.elapsed().as_secs_f64();
    if console.json() {
        let removals: Vec<Value> = found
            .removals
            .iter()
            .enumerate()
            .map(|(index, removal)| {
                json!({
                    "index": index + 1, "bodies": names(&removal.bodies), "round": removal.round + 1,
                    "planner": removal.planner.map(name), "pieces": removal.travels.len(),
                })
            })
            .collect();
        let overlaps: Vec<Vec<&str>> = found.overlaps.iter().map(|pair| names(pair)).collect();
        console.document(&json!({
            "verdict": all, "removals": removals, "blocked": names(&found.blocked),
            "held_by": found.held_by.iter().map(|holders| names(holders)).collect::<Vec<_>>(), "overlaps": overlaps,
            "check": found.verdict.name(), "checks": found.checks, "output": written, "seconds": seconds,
        }));
        return answer;
    }
    let subject = |bodies: &[usize]| match scene.groups.iter().find(|group| group.members == bodies) {
        Some(group) => format!("group {}: {}", group.name, names(bodies).join(", ")),
        None => names(bodies).join(" + "),
    };
    for (index, removal) in found.removals.iter().enumerate() {
        let how = match removal.planner {
            None => ways(&removal.travels, scene.units),
            Some(planner) => format!("{}, {}", counted(removal.travels.len(), "piece"), name(planner)),
        };
        let line =
            format!("{:>3}  round {}  {}  ({how})\n", index + 1, removal.round + 1, subject(&removal.bodies));
        console.text(&line);
    }
    for pair in &found.overlaps {
        let word = console.styled(BAD, "overlap");
        let is_it = |one: &&Finding| pair.iter().all(|body| one.pair.contains(body));
        let said = match found.overlapping.iter().find(is_it) {
            Some(finding) => format!("when assembled, {}", words::placement_sentence(scene, finding)),
            None => format!("{} when assembled, by more than is allowed", names(pair).join(" and ")),
        };
        console.fact(&word, said);
    }
    if !found.overlaps.is_empty() {
        console
            .fact("help", "an allowance under [check] or for the pair takes parts that fit tightly as meant");
    } else if !found.blocked.is_empty() {
        let word = console.styled(BOLD, "no way out found");
        console.fact("held", format!("{}: {word}", counted(found.blocked.len(), "part")));
        for (body, holders) in found.blocked.iter().zip(&found.held_by) {
            let by = match &holders[..] {
                [] => String::new(),
                holders => format!(", held by {}", listed(&names(holders))),
            };
            for line in wrapped(&format!("{}{by}", scene.bodies[*body].name), REASON_WIDTH) {
                console.fact("", line);
            }
        }
        console.fact("help", "--budget looks longer; an allowance takes parts that fit tightly as meant");
    } else {
        let word = if found.verdict == PlanVerdict::Free {
            console.styled(GOOD, "free")
        } else {
            console.styled(BAD, &found.verdict.name().replace('_', " "))
        };
        console.fact("assembly", format!("{word}, {}", counted(found.assembly.steps.len(), "step")));
    }
    end(written, arguments, seconds, console);
    answer
}

/// Some names, the rest counted.
fn listed(names: &[&str]) -> String {
    let shown = names.len().min(MOST_NAMES);
    let more = names.len() - shown;
    let text = names[..shown].join(", ");
    if more == 0 { text } else { format!("{text} and {more} more") }
}

/// Names in a list, at most.
const MOST_NAMES: usize = 4;

/// Translations as people say them: along an axis and how far.
fn ways(travels: &[Travel], unit: Unit) -> String {
    let one = |travel: &Travel| match travel {
        Travel::Translate(by) => {
            let along = [("x", by.x), ("y", by.y), ("z", by.z)];
            match along.iter().filter(|(_, part)| *part != 0.0).collect::<Vec<_>>()[..] {
                [(axis, part)] => {
                    let sign = if *part > 0.0 { '+' } else { '-' };
                    format!("{sign}{axis} {} {unit}", number(unit.from_metres(part.abs())))
                }
                _ => {
                    let [x, y, z] = [by.x, by.y, by.z].map(|part| number(unit.from_metres(part)));
                    format!("[{x}, {y}, {z}] {unit}")
                }
            }
        }
        _ => "turn".to_owned(),
    };
    travels.iter().map(one).collect::<Vec<_>>().join(", then ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum::geometry::Vec3;

    #[test]
    fn lines_are_wrapped_between_words() {
        assert_eq!(wrapped("held by the lid and the pin", 12), ["held by the", "  lid and", "  the pin"]);
        assert_eq!(wrapped("housing", 3), ["housing"]);
        assert!(wrapped("", 3).is_empty());
        assert_eq!(listed(&["a", "b", "c", "d", "e", "f"]), "a, b, c, d and 2 more");
    }

    #[test]
    fn translations_for_people() {
        let by = |x: f64, y: f64, z: f64| Travel::Translate(Vec3::new(x, y, z));
        let said = ways(&[by(-0.02, 0.0, 0.0), by(0.0, 0.001, 0.3)], Unit::Millimetre);
        assert_eq!(said, "-x 20 mm, then [0, 1, 300] mm");
    }
}
