//! `freiraum check`: is every step of a plan free?

mod memory_file;
mod table;
mod watch;

use super::output::Console;
use super::progress::Progress;
use super::{Answer, Failure, in_pool, leftovers};
use freiraum::assets::ShapeCache;
use freiraum::check::Timeline;
use freiraum::check::{CheckOptions, PlanVerdict, Report, check};
use freiraum::formats::scene::SceneFile;
use freiraum::motion::Limits;
use freiraum::planning::path;
use freiraum::planning::path::{Completed, StepFound};
use freiraum::render::report::{self, Files, ReportOptions};
use freiraum::scene::Scene;
pub(super) use memory_file::MemoryFile;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

pub(super) const EXAMPLES: &str = "\
Every step of the plan is checked as a continuous motion: every moving body against every other. A step is free only if that is proven.
Distances and points are in the units of the scene file. docs/scene-file.md describes the file.

Answers are remembered: after a change only what saw it is computed again.

Exit codes: 0 all steps are free; 1 something collides or comes too close; 2 bad input; 3 undecided.

Examples:
  freiraum check gearbox.toml
  freiraum check gearbox.toml --report report     and open report/report.html
  freiraum check gearbox.toml --watch             checks again whenever a file is saved
  freiraum check gearbox.toml --json | jq .verdict";

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Scene file (TOML)
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// Write report.html (with pictures), report.json and animation.glb into this folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Check again whenever the scene or one of its meshes is saved, until interrupted
    #[arg(long, conflicts_with = "json")]
    watch: bool,
    /// Neither use nor keep answers of earlier checks
    #[arg(long)]
    no_cache: bool,
    /// Steps of the search per pair before it is undecided
    #[arg(long, value_name = "N", default_value_t = Limits::default().budget, value_parser = clap::value_parser!(u64).range(1..))]
    budget: u64,
}

/// A checked plan.
pub(super) struct Checked {
    file: SceneFile,
    /// What the file says, with a path in every step for which one was to be found and was.
    scene: Scene,
    timeline: Timeline,
    parts: ShapeCache,
    pub(super) result: Report,
}

pub(super) fn run(
    arguments: &Arguments,
    threads: Option<NonZeroUsize>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    leftovers::sweep([arguments.scene.as_path()]);
    leftovers::sweep_folders(arguments.report.as_deref());
    in_pool(threads, || {
        let mut memory = MemoryFile::of(&arguments.scene, !arguments.no_cache);
        if arguments.watch {
            return watch::run(arguments, &mut memory, console);
        }
        let verdict = once(arguments, &memory, console)?;
        memory.save();
        Ok(answer(verdict))
    })
}

pub(super) fn answer(verdict: PlanVerdict) -> Answer {
    match verdict {
        PlanVerdict::Free => Answer::Good,
        PlanVerdict::Undecided => Answer::Undecided,
        PlanVerdict::TooClose | PlanVerdict::Collision | PlanVerdict::Invalid => Answer::Bad,
    }
}

/// Reads, checks, reports and prints.
fn once(arguments: &Arguments, memory: &MemoryFile, console: &mut Console) -> Result<PlanVerdict, Failure> {
    arguments.report.as_deref().map_or(Ok(()), report::clear).map_err(report_failure)?;
    let checked = checked(&arguments.scene, memory, arguments.budget)?;
    let files = arguments.report.as_deref().map(|folder| write_report(&checked, folder)).transpose()?;
    print(&checked, files.as_ref(), console);
    Ok(checked.result.verdict)
}

/// Reads a scene file and checks its plan.
pub(super) fn checked(path: &Path, memory: &MemoryFile, budget: u64) -> Result<Checked, Failure> {
    let start = Instant::now();
    let now = memory.now();
    let progress = Progress::new("reading");
    let file = SceneFile::read(path)?;
    let parts = ShapeCache::of(file.scene());
    let Completed { scene, steps: planned } = with_paths(&file, &parts, &progress)?;
    let planned: Vec<_> = planned.iter().map(StepFound::planned).collect();
    let timeline = Timeline::of(&scene).map_err(|problems| file.errors(problems))?;
    let has_parts = timeline.stages.windows(2).any(|pair| pair[0].step == pair[1].step);
    let unit = if has_parts { "parts of steps" } else { "steps" };
    if !timeline.stages.is_empty() {
        let one = if has_parts { "part" } else { "step" };
        progress.now(&format!("checking {one} 1 of {}", timeline.stages.len()));
    }
    let tell = |done: usize, all: usize| progress.now(&format!("checked {done} of {all} {unit}"));
    let limits = Limits { budget, ..Limits::default() };
    let options = CheckOptions {
        limits,
        progress: Some(&tell),
        now,
        file: Some(&file),
        planned: &planned,
        date: Some(SystemTime::now()),
        ..CheckOptions::default()
    };
    let result = check(&scene, &timeline, &parts, memory.memory(), &options);
    let mut result = result.map_err(|problems| file.errors(problems))?;
    result.seconds = Some(start.elapsed().as_secs_f64());
    Ok(Checked { file, scene, timeline, parts, result })
}

/// The scene with the paths that planners have to find.
fn with_paths(file: &SceneFile, parts: &ShapeCache, progress: &Progress) -> Result<Completed, Failure> {
    let scene = file.scene();
    if path::open_steps(scene).is_empty() {
        return Ok(Completed { scene: scene.clone(), steps: Vec::new() });
    }
    let mut told = |step: &str, now: &path::Progress| {
        progress.now(&format!("{step}: looking for a way, {} %", 100 * now.checks / now.budget.max(1)));
        ControlFlow::Continue(())
    };
    let completed = path::complete(scene, parts, &path::CompleteOptions::default(), &mut told);
    Ok(completed.map_err(|problems| file.errors(problems))?)
}

/// Writes the report of a check into a folder.
pub(super) fn write_report(checked: &Checked, folder: &Path) -> Result<Files, Failure> {
    let _progress = Progress::new("writing the report");
    let name = || Path::new(checked.file.name()).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let title = checked.file.title().map(str::to_owned).or_else(name).unwrap_or_default();
    let options = ReportOptions { title };
    report::write(folder, &checked.scene, &checked.timeline, &checked.parts, &checked.result, &options)
        .map_err(report_failure)
}

fn report_failure(error: report::ReportError) -> Failure {
    Failure::new("report", format!("{error}; choose another folder, or make room for it"))
}

/// Says what a check found.
pub(super) fn print(checked: &Checked, files: Option<&Files>, console: &mut Console) {
    if console.json() {
        let mut document = serde_json::json!(checked.result);
        if let Some(files) = files {
            let name = |path: &Path| path.to_string_lossy().into_owned();
            document["report"] = serde_json::json!({
                "html": name(&files.html),
                "json": name(&files.json),
                "animation": name(&files.animation),
            });
        }
        console.document(&document);
        return;
    }
    table::print(checked, console);
    if let Some(files) = files {
        console.fact("report", files.html.display().to_string());
    }
}
