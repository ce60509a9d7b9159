//! `freiraum demo`: what one sees first.

use super::check::{self, MemoryFile, answer, checked, write_report};
use super::output::Console;
use super::{Answer, Failure, in_pool};
use freiraum::demo::{GEARBOX, GEARBOX_FAULTY, gearbox_parts};
use freiraum::formats::mesh::{Unit, WriteOptions, write};
use freiraum::motion::Limits;
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
    let (name, text) = if arguments.faulty { GEARBOX_FAULTY } else { GEARBOX };
    let scene = folder.join(name);
    write_scene(&folder, &scene, text)?;
    in_pool(threads, || {
        // Kept for the first `freiraum check` of the scene.
        let mut memory = MemoryFile::of(&scene, true);
        let found = checked(&scene, &memory, Limits::default().budget)?;
        memory.save();
        let files =
            write_report(&found, &folder.join(if arguments.faulty { "report-faulty" } else { "report" }))?;
        check::print(&found, Some(&files), console);
        if !console.json() {
            let scene = scene.display();
            console.fact("scene", scene.to_string());
            let faulty = if arguments.faulty {
                ""
            } else {
                "\n  freiraum demo --faulty          what a collision looks like"
            };
            console.text(&format!(
                "\nNow look at the report, then change the scene and check it again:\n  \
                 freiraum studio {scene}    see it in the browser, move things, try\n  \
                 freiraum check {scene} --watch    checks again whenever you save it{faulty}\n  freiraum --help                 everything else\n"
            ));
        }
        Ok(answer(found.result.verdict))
    })
}

fn write_scene(folder: &Path, scene: &Path, text: &str) -> Result<(), Failure> {
    let cannot = |path: &Path, error: &dyn std::fmt::Display| {
        let message =
            format!("cannot write {}: {error}; choose another folder with --output", path.display());
        Failure::new("output", message)
    };
    std::fs::create_dir_all(folder).map_err(|e| cannot(folder, &e))?;
    for (name, mesh) in gearbox_parts().map_err(|e| Failure::new("internal", e))? {
        let path = folder.join(name).with_extension("stl");
        let options = WriteOptions { units: Unit::Millimetre, ..WriteOptions::default() };
        write(&path, &mesh, &options).map_err(|e| cannot(&path, &e))?;
    }
    std::fs::write(scene, text).map_err(|e| cannot(scene, &e))
}
