//! Writes the meshes of the example scenes, the arm of the cell, and the scene of the piano, anew: `cargo run --example make_examples`, in the root of the
//! repository.

use freiraum::demo::{CELL, gearbox_parts, write_cell};
use freiraum::formats::mesh::{Unit, WriteOptions, write};
use freiraum::geometry::Shape;
use freiraum::plan::demo::piano;
use freiraum::scene::{Geometry, Travel};
use std::fmt::Write;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, mesh) in gearbox_parts()? {
        let path = Path::new("examples/gearbox").join(name).with_extension("stl");
        write(&path, &mesh, &WriteOptions { units: Unit::Millimetre, ..WriteOptions::default() })?;
    }
    write_cell(Path::new("examples/cell"), CELL)?;
    write_piano(Path::new("examples/piano"))
}

fn write_piano(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let scene = piano();
    let mut text = String::from(
        "# A grand piano has to get from one room to the other: let the planner find the way.\n\
         #   freiraum check piano.toml --report report\n\
         #   freiraum plan piano.toml -o planned.toml\n\
         name = \"Piano\"\n\n[check]\n",
    );
    writeln!(text, "clearance = {:?}\nallowance = {:?}\n", scene.clearance, scene.allowance)?;
    for body in &scene.bodies {
        let Geometry::Shape(Shape::Mesh(mesh)) = &body.geometry else { return Err("all are meshes".into()) };
        let file = Path::new(&body.name.replace(' ', "-")).with_extension("stl");
        write(folder.join(&file), mesh, &WriteOptions::default())?;
        writeln!(text, "[[body]]\nname = {:?}\nmesh = {:?}", body.name, file)?;
        let at = body.pose.translation().to_array().map(rounded);
        if at != [0.0; 3] {
            writeln!(text, "pose = {{ position = {at:?} }}")?;
        }
        if body.is_fixed {
            text.push_str("fixed = true\n");
        }
        if let Some(color) = body.color {
            let [r, g, b] = color.0;
            writeln!(text, "color = \"#{r:02x}{g:02x}{b:02x}\"")?;
        }
        text.push('\n');
    }
    for group in &scene.groups {
        let names: Vec<&str> = group.members.iter().map(|body| scene.bodies[*body].name.as_str()).collect();
        writeln!(text, "[[group]]\nname = {:?}\nmembers = {names:?}\n", group.name)?;
    }
    for step in &scene.steps {
        let Travel::Plan { to, .. } = step.moves[0].travel else { return Err("it is to be planned".into()) };
        let (subject, to) = (&step.moves[0].subject, to.translation().to_array().map(rounded));
        writeln!(
            text,
            "[[step]]\nname = {:?}\nmove = {subject:?}\npath = \"plan\"      # it cannot be tilted: two translations\n\
             planner = \"plane\"\nto = {{ position = {to:?} }}\nseconds = {:?}",
            step.name, step.seconds
        )?;
    }
    std::fs::write(folder.join("piano.toml"), text)?;
    Ok(())
}

/// To a micrometre: sums of lengths in the code have digits that nobody wants to read.
fn rounded(x: f64) -> f64 {
    (1e6 * x).round() / 1e6
}
