//! Writes the meshes of the example scenes anew: `cargo run --example make_examples`, in the root of the repository.

use freiraum::demo::gearbox_parts;
use freiraum::formats::mesh::{Unit, WriteOptions, write};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, mesh) in gearbox_parts()? {
        let path = Path::new("examples/gearbox").join(name).with_extension("stl");
        write(&path, &mesh, &WriteOptions { units: Unit::Millimetre, ..WriteOptions::default() })?;
    }
    Ok(())
}
