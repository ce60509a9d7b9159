//! `freiraum demo`: what one sees first.

use super::check::{self, MemoryFile, answer, checked, write_report};
use super::output::Console;
use super::{Answer, Failure, in_pool};
use freiraum::motion::Limits;
use freiraum_demo::{GEARBOX, GEARBOX_FAULTY, write_gearbox};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
The scene, its meshes and the report are written into a folder; change the scene and check it again with `freiraum check`.

Examples:
  freiraum demo
  freiraum demo --faulty      one wrong digit: what a collision report looks like";

#[derive(clap::Args, Default)]
pub(super) struct Arguments {
    /// The same assembly with one wrong digit: see what a collision report looks like
    #[arg(long)]
    faulty: bool,
    /// Folder for the scene, its meshes and the report [default: freiraum-demo]
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub(super) fn run(
    arguments: &Arguments,
    threads: Option<NonZeroUsize>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let folder = arguments.output.clone().unwrap_or_else(|| PathBuf::from("freiraum-demo"));
    let example = if arguments.faulty { GEARBOX_FAULTY } else { GEARBOX };
    let cannot = |error: &dyn std::fmt::Display| {
        let message =
            format!("cannot write to {}: {error}; choose another folder with --output", folder.display());
        Failure::new("output", message)
    };
    std::fs::create_dir_all(&folder).map_err(|e| cannot(&e))?;
    let was_changed = freiraum::files::read(folder.join(example.0), freiraum::files::LARGEST_TEXT)
        .is_ok_and(|old| old != example.1.as_bytes());
    let scene = write_gearbox(&folder, example).map_err(|e| cannot(&e))?;
    in_pool(threads, || {
        // Kept for the first `freiraum check` of the scene.
        let mut memory = MemoryFile::of(&scene, true);
        let found = checked(&scene, &memory, Limits::default().budget)?;
        memory.save();
        let files =
            write_report(&found, &folder.join(if arguments.faulty { "report-faulty" } else { "report" }))?;
        check::print(&found, Some(&files), console);
        if !console.json() {
            console.fact("scene", scene.display().to_string());
            if was_changed {
                console.fact("your changes", "kept beside it, under a name with a number");
            }
            console.text(&what_next(&scene, arguments.faulty));
        }
        Ok(answer(found.result.verdict))
    })
}

/// Commands to go on with, and what they do.
fn what_next(scene: &Path, is_faulty: bool) -> String {
    let scene = scene.display();
    let mut commands = vec![
        (format!("freiraum studio {scene}"), "see it in the browser, move things, try"),
        (format!("freiraum check {scene} --watch"), "change the file: checked again whenever you save it"),
    ];
    if !is_faulty {
        commands.push(("freiraum demo --faulty".to_owned(), "what a collision looks like"));
    }
    commands.push(("freiraum --help".to_owned(), "everything else"));
    let width = commands.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    let lines = commands.iter().map(|(command, what)| format!("  {command:<width$}  {what}\n"));
    format!("\nOpen the report in a browser; then go on with\n{}", lines.collect::<String>())
}
