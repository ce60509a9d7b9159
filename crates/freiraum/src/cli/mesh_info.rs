//! `freiraum mesh info`: counts, measures and defects of a mesh file.

use super::facts::Facts;
use super::mesh_file::Input;
use super::output::Console;
use super::progress::Progress;
use super::{Answer, Failure, picture};
use serde::Serialize;

pub(super) const EXAMPLES: &str = "\
Lengths are told in the file's own unit; --units says which one that is.

Examples:
  freiraum mesh info bracket.stl --units mm
  freiraum mesh info scan.ply --picture
  freiraum mesh info bracket.stl --json | jq .defects";

#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// Draw the part in characters above its facts
    #[arg(long)]
    picture: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    file: String,
    format: &'static str,
    #[serde(flatten)]
    facts: &'a Facts,
}

pub(super) fn run(arguments: &Arguments, console: &mut Console) -> Result<Answer, Failure> {
    let progress = Progress::new("reading");
    let (mesh, format) = arguments.input.read_unscaled()?;
    progress.now("inspecting");
    let facts = Facts::of(&mesh, arguments.input.unit());
    drop(progress);
    let file = arguments.input.file.display().to_string();
    if console.json() {
        console.document(&Document { file, format: format.name(), facts: &facts });
    } else {
        console.heading(&format!("{file}  ({format})"));
        if arguments.picture {
            console.text(&picture::isometric(&mesh, 72, 24));
            console.gap();
        }
        facts.print(console);
        if !facts.valid {
            console.text(&format!("\ntry: freiraum mesh repair {file} repaired.{}\n", format.extension()));
        }
    }
    Ok(if facts.valid { Answer::Good } else { Answer::Bad })
}
