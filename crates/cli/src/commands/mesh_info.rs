//! `freiraum mesh info`: counts, measures and defects of a mesh file.

use super::facts::{Crossings, Facts};
use super::mesh_file::Input;
use super::output::{Console, counted};
use super::progress::Progress;
use super::{Answer, Failure, picture};
use freiraum::geometry::Mesh;
use freiraum::geometry::mesh::{MeshReport, RepairOptions, repair};
use serde::Serialize;

pub(super) const EXAMPLES: &str = "\
Lengths are told in the file's own unit; --units says which one that is. Faces and vertices are \
numbered from 0, vertices after welding, faces after cutting polygons into triangles.
The exit code is 0 if the mesh is sound, 1 if not, 3 with --fast if nothing else is wrong.

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
    /// Do not look for faces that cross, fold or touch: then a mesh without other defects is not called valid
    #[arg(long)]
    fast: bool,
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
    let (mesh, format) = arguments.input.read()?;
    progress.now("inspecting");
    let crossings = (!arguments.fast).then(|| {
        progress.now("looking for crossing faces");
        Crossings::of(&mesh)
    });
    let facts = Facts::of(&mesh, arguments.input.unit(), crossings.as_ref());
    drop(progress);
    let file = arguments.input.file.display().to_string();
    if console.json() {
        console.document(&Document { file, format: format.name(), facts: &facts });
    } else {
        console.heading(&format!("{file}  ({format}, {})", arguments.input.unit_in_words(format)));
        if arguments.picture {
            console.text(&picture::isometric(&mesh, 72, 24));
            console.gap();
        }
        facts.print(console);
        if facts.nested_shells > 0 {
            let shells = counted(facts.nested_shells, "shell");
            let lie = if facts.nested_shells == 1 { "lies" } else { "lie" };
            console.text(&format!("  {shells} that faces outward {lie} inside of another solid: queries unite the two, the volume counts both\n"));
        }
        let is_mendable = facts.hole_count > 0 || is_mendable(&mesh);
        let is_thin = facts.defects.is_empty() && facts.self_intersections.is_none_or(|count| count == 0);
        if facts.valid == Some(false) && is_thin {
            console.text("\n`freiraum mesh repair` cannot mend this: make the wall thicker in the CAD program, or declare the\n");
            console.text("body a sheet where it is meant to be one (`solid = false`, `--sheet`)\n");
        } else if facts.valid == Some(false) && !is_mendable {
            console.text("\n`freiraum mesh repair` cannot mend this: it leaves faces that cross or touch, and edges of more than two faces, as they are;\n");
            console.text("unite the bodies in the CAD program, or export each as a file of its own\n");
        } else if !facts.defects.is_empty() {
            let (file, units) = arguments.input.for_shell();
            let output = format!("repaired.{}", format.extension());
            console.text(&format!("\ntry: freiraum mesh repair {file} {output}{units}\n"));
            if facts.hole_count > 0 {
                console.text("     (it closes narrow gaps, see --weld; it fills no holes)\n");
            }
        }
    }
    Ok(match facts.valid {
        Some(true) => Answer::Good,
        Some(false) => Answer::Bad,
        None => Answer::Undecided,
    })
}

/// Whether a repair leaves fewer defects.
fn is_mendable(mesh: &Mesh) -> bool {
    let count =
        |report: &MeshReport| report.defects().iter().map(|defect| defect.places.len()).sum::<usize>();
    let before = count(&MeshReport::of(mesh));
    let repaired = repair(mesh, &RepairOptions::default());
    repaired.is_ok_and(|repaired| count(&repaired.log.remaining) < before)
}
