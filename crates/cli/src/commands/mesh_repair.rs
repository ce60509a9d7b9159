//! `freiraum mesh repair`: makes a broken mesh a proper solid where that needs no invention.

use super::facts::{Crossings, DefectFacts, Doubts};
use super::mesh_file::{Input, Output, Written};
use super::output::{BAD, Console, GOOD};
use super::progress::Progress;
use super::{Answer, Failure, leftovers};
use freiraum::geometry::Mesh;
use freiraum::geometry::mesh::{MeshReport, RepairOptions, repair};
use freiraum::mesh_io;
use freiraum::mesh_io::{MeshFormat, ReadOptions, Unit, WriteOptions};
use std::collections::BTreeSet;

pub(super) const EXAMPLES: &str = "\
Welds vertices on open edges, drops degenerate and duplicate faces and unused vertices, makes \
windings agree and turns shells outward. Holes are not filled. A sound mesh is written as it was read.
Faces that cross are found, but left as they are.
The exit code is 1 if what is in the written file is not a sound solid; it is written all the same. Formats that keep \
7 digits (stl, gltf, glb) may merge vertices; then the message says so, and names a format that keeps all digits.

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
    leftovers::sweep([arguments.output.path()]);
    let progress = Progress::new("reading");
    let (mesh, _) = arguments.input.read()?;
    progress.now("repairing");
    let repaired = repair(&mesh, &RepairOptions { weld_distance: arguments.weld })
        .map_err(|e| Failure::new("repair", format!("{}: {e}", arguments.input.file.display())))?;
    progress.now("writing");
    let written = arguments.output.write(&repaired.mesh, &arguments.input, console)?;
    progress.now("looking for crossing faces");
    let log = &repaired.log;
    let crossings = Crossings::of(&repaired.mesh);
    let doubts = Doubts::of(&repaired.mesh);
    let is_repaired = log.remaining.is_sound() && crossings.count() == 0 && doubts.is_none();
    // What a sound mesh loses on its way through the file.
    let lost = if is_repaired {
        progress.now("reading it again");
        let kept = |format, unit| lost(&repaired.mesh, format, arguments.input.unit(), unit);
        kept(written.format, written.unit)?.map(|words| {
            let other =
                kept(MeshFormat::PlyLittleEndian, arguments.input.unit()).is_ok_and(|lost| lost.is_none());
            Lost { words, ply_keeps: other }
        })
    } else {
        None
    };
    drop(progress);
    let is_sound = is_repaired && lost.is_none();
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
            "self_intersections": crossings.count(),
            "crossing_faces": crossings.listed(&repaired.mesh, to_written),
            "lost_in_file": lost.as_ref().map(|lost| &lost.words),
            "format_that_keeps_it": lost.as_ref().filter(|lost| lost.ply_keeps).map(|_| MeshFormat::PlyLittleEndian.name()),
        }));
    } else {
        console.fact("changed", if log.is_unchanged() { "nothing".to_owned() } else { log.to_string() });
        if is_sound {
            let word = console.styled(GOOD, "sound");
            console.fact("result", word);
        } else if let Some(lost) = &lost {
            lost.print(&written, arguments.input.unit(), console);
        } else {
            let word = console.styled(BAD, "still broken");
            console
                .fact("result", format!("{word}: {}", defects_in_words(&log.remaining, &crossings, &doubts)));
        }
        console.fact("written", format!("{}, {}, in {}", written.file, written.format, written.unit));
    }
    Ok(if is_sound { Answer::Good } else { Answer::Bad })
}

/// What is lost between a sound mesh and its file.
struct Lost {
    /// The defects of the mesh in the file.
    words: String,
    /// A PLY file in the unit of the input would keep the mesh as it is.
    ply_keeps: bool,
}

impl Lost {
    fn print(&self, written: &Written, unit: Unit, console: &mut Console) {
        let word = console.styled(BAD, "sound, but not in this file");
        let (format, to) = (written.format, written.unit);
        console.fact("result", format!("{word}: {}", self.words));
        let because = if to == unit {
            format!("{format} does not keep all digits of the coordinates, or stores no vertices of its own")
        } else {
            format!("coordinates in {to} are rounded, and {format} may not keep all their digits")
        };
        console.fact("", format!("because {because}"));
        if self.ply_keeps {
            console.fact("", format!("write .ply in {unit} instead: it keeps the mesh as it is"));
        } else {
            console.fact(
                "",
                "vertices at the same place become one when any file is read; --no-weld keeps them apart",
            );
        }
    }
}

/// What is wrong with the mesh that is read from a file of this format and unit; `None` if it is sound.
fn lost(mesh: &Mesh, format: MeshFormat, from: Unit, to: Unit) -> Result<Option<String>, Failure> {
    let failure = |e: &dyn std::fmt::Display| Failure::new("mesh_file", format!("reading it again: {e}"));
    let options = WriteOptions { mesh_units: from, units: to, format: Some(format) };
    let bytes = mesh_io::write_bytes(mesh, format, &options).map_err(|e| failure(&e))?;
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let read = match mesh_io::read_bytes(&bytes, "the written file", &options) {
        Ok(read) => read,
        Err(e) => return Ok(Some(e.to_string())),
    };
    let (report, crossings) = (MeshReport::of(&read), Crossings::of(&read));
    let doubts = Doubts::of(&read);
    let is_sound = report.is_sound() && crossings.count() == 0 && doubts.is_none();
    Ok((!is_sound).then(|| defects_in_words(&report, &crossings, &doubts)))
}

fn defects_in_words(report: &MeshReport, crossings: &Crossings, doubts: &Doubts) -> String {
    let defects = report.defects().iter().map(|d| d.kind.describe(d.places.len()));
    let crossing = (crossings.count() > 0).then(|| crossings.in_words());
    // What is known by another name is not said twice.
    let pieces = if report.is_sound() { doubts.in_words() } else { BTreeSet::new() };
    defects.chain(crossing).chain(pieces).collect::<Vec<_>>().join(", ")
}
