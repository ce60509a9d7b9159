//! `freiraum plan`: finds the motions that a scene leaves open, or an order in which everything comes apart.

use super::output::{BAD, BOLD, Console, GOOD, counted, number};
use super::progress::Progress;
use super::{Answer, Failure, in_pool};
use freiraum::formats::scene::SceneFile;
use freiraum::geometry::Unit;
use freiraum::plan::Parts;
use freiraum::plan::check::PlanVerdict;
use freiraum::plan::disassemble::{DisassembleOptions, Disassembly, disassemble};
use freiraum::plan::path::{
    CompleteOptions, Completed, FindOptions, Found, Outcome, StepFound, complete, name,
};
use freiraum::scene::{PlannerChoice, Scene};
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

pub(super) const EXAMPLES: &str = "\
Fills in every step with path = \"plan\"; of a scene with goals and no steps, or with states, all steps. \
Ways are tried straight, then by the planners: plane (two translations; certain), detours (three), sampling (with turns). \
Every path is proven before it is written.
Exit codes: 0 found, 1 there is none (certain), 2 bad input, 3 none was found; there may be one.

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
    let mut file = SceneFile::read(&arguments.scene)?;
    let scene = file.scene().clone();
    let find = FindOptions {
        planner: arguments.planner.map(Into::into),
        seed: arguments.seed,
        budget: arguments.budget,
        plane: None,
    };
    let parts = Parts::of(&scene);
    let progress = Progress::new("reading");
    if arguments.disassemble {
        let told = |out: usize, of: usize, _: Option<&freiraum::plan::path::Progress>| {
            progress.now(&format!("taking apart: {out} of {of}"));
            ControlFlow::Continue(())
        };
        let found = disassemble(&scene, &parts, &DisassembleOptions { find }, &told)
            .map_err(|problems| file.errors(problems))?;
        drop(progress);
        // Without an order there is nothing to write that would be worth the old steps.
        let is_any = !found.removals.is_empty();
        let written = if is_any { write(&mut file, &found.assembly, arguments)? } else { None };
        return Ok(print_disassembly(&found, &scene, written, watch, console));
    }
    let mut told = |step: &str, now: &freiraum::plan::path::Progress| {
        let share = 100 * now.checks / now.budget.max(1);
        progress.now(&format!("{step}: {}, {share} %", name(now.planner)));
        ControlFlow::Continue(())
    };
    let completed = complete(&scene, &parts, &CompleteOptions { find }, &mut told)
        .map_err(|problems| file.errors(problems))?;
    drop(progress);
    let written = write(&mut file, &completed.scene, arguments)?;
    Ok(print_completed(&completed, scene.units, written, watch, console))
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
                "planner": is_found.then(|| found.planner.map_or("straight", name)),
                "length": is_found.then(|| length(found.length)), "clearance": found.clearance.map(length),
                "checks": found.checks, "pieces": found.pieces.len(), "reason": reason,
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
                let planner = found.planner.map_or("straight", name);
                console.fact("way", format!("{word}, {}, {planner}", counted(found.pieces.len(), "piece")));
                console.fact("length", format!("{} {unit}", number(length(found.length))));
                let clearance = found.clearance.map(|x| format!("{} {unit}", number(length(x))));
                console.fact(
                    "smallest clearance",
                    clearance.unwrap_or_else(|| "nothing else is there".to_owned()),
                );
            }
            Outcome::NoPath(why) => {
                let word = console.styled(BAD, "there is none");
                console.fact("way", format!("{word}: {why}"));
            }
            Outcome::GaveUp(why) => {
                let word = console.styled(BOLD, "none found");
                console.fact("way", format!("{word}: {why}"));
            }
        }
        console.fact("motions looked at", found.checks.to_string());
    }
    end(written, seconds, console);
    answer
}

fn end(written: Option<String>, seconds: f64, console: &mut Console) {
    match written {
        Some(file) => console.fact("written", file),
        None => console.fact("written", "nothing; -o FILE writes the scene with what is found"),
    }
    console.fact("time", format!("{} s", number((seconds * 1000.0).round() / 1000.0)));
}

fn print_disassembly(
    found: &Disassembly,
    scene: &Scene,
    written: Option<String>,
    watch: Instant,
    console: &mut Console,
) -> Answer {
    let names = |bodies: &[usize]| -> Vec<&str> {
        bodies.iter().map(|body| scene.bodies[*body].name.as_str()).collect()
    };
    let (all, answer) = if !found.overlaps.is_empty() {
        ("no_path", Answer::Bad)
    } else if !found.blocked.is_empty() || found.verdict != PlanVerdict::Free {
        ("gave_up", Answer::Undecided)
    } else {
        ("found", Answer::Good)
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
            "verdict": all, "removals": removals, "blocked": names(&found.blocked), "overlaps": overlaps,
            "check": found.verdict.name(), "checks": found.checks, "output": written, "seconds": seconds,
        }));
        return answer;
    }
    for (index, removal) in found.removals.iter().enumerate() {
        let how = match removal.planner {
            None => counted(removal.travels.len(), "translation"),
            Some(planner) => format!("{}, {}", counted(removal.travels.len(), "piece"), name(planner)),
        };
        let line = format!(
            "{:>3}  round {}  {}  ({how})\n",
            index + 1,
            removal.round + 1,
            names(&removal.bodies).join(" + ")
        );
        console.text(&line);
    }
    for pair in &found.overlaps {
        let word = console.styled(BAD, "overlap");
        console.fact(&word, format!("{} when assembled, by more than is allowed", names(pair).join(" and ")));
    }
    if !found.overlaps.is_empty() {
        console
            .fact("help", "an allowance under [check] or for the pair takes parts that fit tightly as meant");
    } else if !found.blocked.is_empty() {
        let word = console.styled(BOLD, "no way out found");
        console.fact("held", format!("{}: {word}", names(&found.blocked).join(", ")));
    } else {
        let word = if found.verdict == PlanVerdict::Free {
            console.styled(GOOD, "free")
        } else {
            console.styled(BAD, found.verdict.name())
        };
        console.fact("assembly", format!("{word}, {}", counted(found.assembly.steps.len(), "step")));
    }
    end(written, seconds, console);
    answer
}
