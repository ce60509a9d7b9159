//! `freiraum demo`: what one sees first.

use super::facts::Facts;
use super::output::{Console, number, vector};
use super::{Answer, Failure, picture};
use freiraum::demo::{SpurGear, spur_gear};
use freiraum::formats::mesh::Unit;
use freiraum::geometry::enclose::{smallest_cylinder, smallest_sphere};
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    part: &'static str,
    #[serde(flatten)]
    facts: &'a Facts,
}

const PART: &str = "spur gear, 24 teeth";

pub(super) fn run(console: &mut Console) -> Result<Answer, Failure> {
    let mesh = spur_gear(&SpurGear::DEMO).map_err(|e| Failure::new("internal", e))?;
    let facts = Facts::of(&mesh, Unit::Metre);
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
        console.fact("smallest sphere", format!("radius {} m around {}", number(sphere.radius), vector(sphere.center.into())));
    }
    if let Some(cylinder) = smallest_cylinder(mesh.vertices()) {
        console.fact("smallest cylinder", format!("radius {} m, height {} m", number(cylinder.radius), number(cylinder.height)));
    }
    console.text(
        "\nNow your own part:\n  freiraum mesh info PART.stl --units mm     measure and diagnose it\n  \
         freiraum bounds PART.stl --units mm        smallest sphere, box and cylinder around it\n  \
         freiraum --help                            everything else\n",
    );
    Ok(Answer::Good)
}
