//! `freiraum mesh convert`: the same mesh in another format or unit.

use super::mesh_file::{Input, Output};
use super::output::{Console, counted};
use super::progress::Progress;
use super::{Answer, Failure, leftovers};

pub(super) const EXAMPLES: &str = "\
The format is taken from the extension; --to-format chooses among several (stl, stl-ascii, ply, …).
A file that is written replaces an older one at once, when it is complete.

Examples:
  freiraum mesh convert part.stl part.glb --units mm
  freiraum mesh convert part.stl part.ply --units in --to-units mm
  freiraum mesh convert part.obj part.stl --to-format stl-ascii";

#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(arguments: &Arguments, console: &mut Console) -> Result<Answer, Failure> {
    leftovers::sweep([arguments.output.path()]);
    let progress = Progress::new("reading");
    let (mesh, _) = arguments.input.read()?;
    progress.now("writing");
    let written = arguments.output.write(&mesh, &arguments.input, console)?;
    drop(progress);
    if console.json() {
        console.document(&serde_json::json!({
            "file": written.file, "format": written.format.name(), "units": written.unit.symbol(),
            "triangles": mesh.faces().len(), "vertices": mesh.vertices().len(),
        }));
    } else {
        let count = counted(mesh.faces().len(), "triangle");
        console.text(&format!("wrote {}: {count}, {}, in {}\n", written.file, written.format, written.unit));
    }
    Ok(Answer::Good)
}
