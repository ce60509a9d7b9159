//! `freiraum robot program`: what the robots of a scene do, as a listing and as JSON.

use crate::commands::output::{Console, counted};
use crate::commands::plan::check_folder;
use crate::commands::{Answer, Failure};
use freiraum::formats::scene::{SceneFile, program};
use freiraum::scene::Scene;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
Without --import the program is printed: numbered lines as robot programmers read them, or with --json the steps with the keys of the scene file, for other programs.
With --import the steps of such a JSON file are added after the last step of the scene, and the scene is written to --output. Robots and bodies are found by
their names; lengths are in the unit that the program states.

Exit codes: 0 done; 2 bad input, with all problems at once; nothing is written then.

Examples:
  freiraum robot program cell.toml
  freiraum robot program cell.toml --json > program.json
  freiraum robot program empty.toml --import program.json -o cell.toml
  freiraum robot program cell.toml --import more.json -o cell.toml && freiraum check cell.toml";

#[derive(clap::Args)]
pub(in crate::commands) struct Arguments {
    /// The scene file
    scene: PathBuf,
    /// A program to add, as --json prints it
    #[arg(long, value_name = "FILE", requires = "output")]
    import: Option<PathBuf>,
    /// Where to write the scene with the program; may be the scene file itself
    #[arg(short, long, value_name = "FILE", requires = "import")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, console: &mut Console) -> Result<Answer, Failure> {
    if let (Some(program), Some(output)) = (&arguments.import, &arguments.output) {
        return import(arguments, program, output, console);
    }
    let file = SceneFile::read(&arguments.scene)?;
    let scene = file.scene();
    if console.json() {
        console.document(&program::to_json(scene));
        return Ok(Answer::Good);
    }
    console.text(&program::listing(scene));
    if scene.steps.is_empty() {
        console.text(&format!("{}\n", nothing(scene)));
    }
    Ok(Answer::Good)
}

fn nothing(scene: &Scene) -> &'static str {
    if scene.robots.is_empty() { "no robots, no steps" } else { "no steps" }
}

fn import(
    arguments: &Arguments,
    program: &Path,
    output: &Path,
    console: &mut Console,
) -> Result<Answer, Failure> {
    check_folder(output)?;
    let steps = read(program)?;
    let mut file = SceneFile::read(&arguments.scene)?;
    let before = file.scene().steps.len();
    let added = program::from_json(&mut file, &steps).map_err(|errors| {
        // The problems are those of the program, not of the scene.
        let problems = errors.problems().to_vec();
        freiraum::formats::scene::SceneErrors::new(program.display().to_string(), "", problems)
    })?;
    file.save_as(output)?;
    let written = output.display().to_string();
    if console.json() {
        console.document(&json!({ "added": added, "steps": before + added, "written": written }));
    } else {
        console.text(&format!("{} added after {before}, written to {written}\n", counted(added, "step")));
    }
    Ok(Answer::Good)
}

/// The JSON of a file.
fn read(path: &Path) -> Result<Value, Failure> {
    let place = vec![("file", path.display().to_string().into())];
    let failure = |message: String| Failure { place: place.clone(), ..Failure::new("program", message) };
    let text = freiraum::files::read_text(path, freiraum::files::LARGEST_TEXT)
        .map_err(|e| failure(format!("cannot read the program {}: {e}", path.display())))?;
    serde_json::from_str(&text).map_err(|e| {
        let help = match path.extension().is_some_and(|extension| extension == "toml") {
            true => "; this looks like a scene file: `freiraum robot program --json` makes a program of it",
            false => "; expected what `freiraum robot program --json` prints",
        };
        failure(format!("{}:{}:{}: no valid JSON: {e}{help}", path.display(), e.line(), e.column()))
    })
}
