//! `freiraum mesh repair`: makes a broken mesh a proper solid where that needs no invention.

use super::facts::DefectFacts;
use super::mesh_file::{Input, Output};
use super::output::{BAD, Console, GOOD};
use super::progress::Progress;
use super::{Answer, Failure};
use freiraum::geometry::mesh::{RepairOptions, repair};

pub(super) const EXAMPLES: &str = "\
Welds vertices on open edges, drops degenerate and duplicate faces and unused vertices, makes \
windings agree and turns shells outward. Holes are not filled. A sound mesh is written as it was read.
The exit code is 1 if the result is still not a sound solid; it is written all the same.

Examples:
  freiraum mesh repair scan.stl clean.stl --units mm
  freiraum mesh repair scan.stl clean.stl --units mm --weld 0.01";

#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: Output,
    /// Weld vertices on open edges over at most this distance, in the input's unit [default: a millionth of the size]
    #[arg(long, value_name = "LENGTH", value_parser = parse_weld, allow_negative_numbers = true)]
    weld: Option<f64>,
}

fn parse_weld(text: &str) -> Result<f64, String> {
    let distance = text.parse().ok().filter(|distance| (0.0..f64::INFINITY).contains(distance));
    distance.ok_or_else(|| format!("`{text}` is no welding distance; expected a length of at least 0"))
}

pub(super) fn run(arguments: &Arguments, console: &mut Console) -> Result<Answer, Failure> {
    let progress = Progress::new("reading");
    let (mesh, _) = arguments.input.read()?;
    progress.now("repairing");
    let repaired = repair(&mesh, &RepairOptions { weld_distance: arguments.weld })
        .map_err(|e| Failure::new("repair", format!("{}: {e}", arguments.input.file.display())))?;
    progress.now("writing");
    let written = arguments.output.write(&repaired.mesh, &arguments.input, console)?;
    drop(progress);
    let log = &repaired.log;
    let is_sound = log.remaining.is_sound();
    if console.json() {
        let changes: serde_json::Map<String, serde_json::Value> =
            log.changes().into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect();
        let to_written = |x: f64| arguments.input.unit().convert(x, written.unit);
        let defects = log.remaining.defects().iter();
        let remaining: Vec<_> = defects.map(|d| DefectFacts::of(d, &repaired.mesh, to_written)).collect();
        console.document(&serde_json::json!({
            "file": written.file, "format": written.format.name(), "units": written.unit.symbol(),
            "triangles": repaired.mesh.faces().len(), "vertices": repaired.mesh.vertices().len(),
            "changed": !log.is_unchanged(), "changes": changes, "one_sided_shells": log.one_sided_shells,
            "valid": is_sound, "defects": remaining,
        }));
    } else {
        console.fact("changed", if log.is_unchanged() { "nothing".to_owned() } else { log.to_string() });
        if is_sound {
            let word = console.styled(GOOD, "sound");
            console.fact("result", word);
        } else {
            let word = console.styled(BAD, "still broken");
            let rest: Vec<String> =
                log.remaining.defects().iter().map(|d| d.kind.describe(d.places.len())).collect();
            console.fact("result", format!("{word}: {}", rest.join(", ")));
        }
        console.fact("written", format!("{}, {}, in {}", written.file, written.format, written.unit));
    }
    Ok(if is_sound { Answer::Good } else { Answer::Bad })
}
