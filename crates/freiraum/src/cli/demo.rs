//! `freiraum demo`: what one sees first.

use super::facts::Facts;
use super::output::{Console, number, point};
use super::{Answer, Failure, picture};
use freiraum::demo::{SpurGear, spur_gear};
use freiraum::formats::mesh::Unit;
use freiraum::geometry::enclose::{smallest_cylinder, smallest_sphere};
use freiraum::geometry::{Mesh, MeshError};
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    part: &'static str,
    #[serde(flatten)]
    facts: &'a Facts,
}

const PART: &str = "spur gear, 24 teeth";

pub(super) fn run(console: &mut Console) -> Result<Answer, Failure> {
    let mesh =
        spur_gear(&SpurGear::DEMO).and_then(in_millimetres).map_err(|e| Failure::new("internal", e))?;
    let facts = Facts::of(&mesh, Unit::Millimetre);
    if console.json() {
        console.document(&Document { part: PART, facts: &facts });
        return Ok(Answer::Good);
    }
    console.heading(&format!("Freiraum: prove that it moves freely.\n\nBuilt-in part: {PART}"));
    console.gap();
    console.text(&picture::isometric(&mesh, 72, 22));
    console.gap();
    facts.print(console);
    console.gap();
    if let Some(sphere) = smallest_sphere(mesh.vertices()) {
        let center = point(sphere.center.into(), sphere.radius);
        console.fact("smallest sphere", format!("radius {} mm around {center}", number(sphere.radius)));
    }
    if let Some(cylinder) = smallest_cylinder(mesh.vertices()) {
        let (radius, height) = (number(cylinder.radius), number(cylinder.height));
        console.fact("smallest cylinder", format!("radius {radius} mm, height {height} mm"));
    }
    console.text(
        "\nNow your own part:\n  freiraum mesh info PART.stl --units mm     measure and diagnose it\n  \
         freiraum bounds PART.stl --units mm        smallest sphere, box and cylinder around it\n  \
         freiraum query distance A.stl B.stl        how far apart two parts are\n  \
         freiraum --help                            everything else\n",
    );
    Ok(Answer::Good)
}

/// Numbers of millimetres, as an engineer expects to read them.
fn in_millimetres(mesh: Mesh) -> Result<Mesh, MeshError> {
    let (vertices, faces) = mesh.into_parts();
    Mesh::new(vertices.into_iter().map(|p| p * 1000.0).collect(), faces)
}
