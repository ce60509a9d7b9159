//! What to do about bodies whose surfaces bound no solid, in words.

use crate::{Geometry, RobotSource, Scene, plain};
use freiraum_geometry::Unit;
use freiraum_geometry::mesh::SolidityFault;
use std::path::Path;

/// What helps a body whose surface bounds no solid: what mends or closes its mesh, or declares it a sheet.
/// `fault` is what is wrong with its surface, if that is known;
/// a crossing of shells is none.
///
/// Commands can be copied as they stand, but for the name of the output. Names are those of the scene. A path
/// is
/// the one from the working folder, unless that is absolute: then it is as the scene writes it, because
/// messages
/// are passed on to people whom the folders of this machine do not concern.
pub fn solid_remedy(scene: &Scene, body: usize, fault: Option<SolidityFault>) -> String {
    let sheet = sheet_declaration(scene, body);
    let geometry = scene.bodies.get(body).map(|body| &body.geometry);
    let Some(Geometry::File { path, written, units }) = geometry else {
        let mesh = mesh_of(scene, body);
        return format!("close {mesh} in the program that made it, or declare a sheet: {sheet}");
    };
    let shown = if path.is_absolute() { Path::new(written) } else { path };
    let repair = |weld: &str| repair_command(shown, *units, weld);
    match fault {
        Some(SolidityFault::Open) => format!(
            "close the hole in the CAD program (a crack: {} closes those narrower than LENGTH), or declare a sheet: {sheet}",
            repair(" --weld LENGTH")
        ),
        Some(SolidityFault::Doubled | SolidityFault::Winding) => {
            format!("{} may mend it; or declare a sheet: {sheet}", repair(""))
        }
        None => format!(
            "{} mends faces that are written twice or wound wrongly, and with --weld LENGTH cracks up to that length; holes are closed in the CAD program; or declare a sheet: {sheet}",
            repair("")
        ),
    }
}

/// How a scene file declares the body a sheet.
fn sheet_declaration(scene: &Scene, body: usize) -> String {
    if let Some((robot, link)) = scene.link_of(body) {
        let robot = &scene.robots[robot];
        let link = quoted_key(&robot.model.links()[link].name);
        return format!("`solid = {{ {link} = false }}` under `[[robot]] name = {}`", quoted(&robot.name));
    }
    let name = scene.bodies.get(body).map_or("", |body| &body.name);
    format!("`solid = false` under `[[body]] name = {}`", quoted(name))
}

/// The mesh of a body that has no file of its own.
fn mesh_of(scene: &Scene, body: usize) -> String {
    let Some((robot, link)) = scene.link_of(body) else { return "its mesh".to_owned() };
    let robot = &scene.robots[robot];
    let link = plain(&robot.model.links()[link].name);
    match &robot.source {
        RobotSource::File { written, .. } => {
            format!("the mesh of <collision> in <link name=\"{link}\"> of {}", plain(written))
        }
        RobotSource::Table => "its mesh".to_owned(),
    }
}

/// The command that repairs a mesh file.
fn repair_command(path: &Path, units: Unit, options: &str) -> String {
    format!(
        "`freiraum mesh repair {} OUT.stl --units {}{options}`",
        for_shell(&plain(&path.display().to_string())),
        units.symbol()
    )
}

/// A path as an argument of a shell.
fn for_shell(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        path.to_owned()
    } else if path.contains(['"', '$', '`', '\\', '!']) {
        format!("'{}'", path.replace('\'', r"'\''"))
    } else {
        format!("\"{path}\"")
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", plain(name).replace('\\', "\\\\").replace('"', "\\\""))
}

/// A key of TOML.
fn quoted_key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_can_be_copied_into_a_shell() {
        assert_eq!(for_shell("parts/box_open.stl"), "parts/box_open.stl");
        assert_eq!(for_shell("my parts/box open.stl"), "\"my parts/box open.stl\"");
        assert_eq!(for_shell("it's $HOME.stl"), r"'it'\''s $HOME.stl'");
        assert_eq!(
            repair_command(Path::new("my box.stl"), Unit::Millimetre, " --weld LENGTH"),
            "`freiraum mesh repair \"my box.stl\" OUT.stl --units mm --weld LENGTH`"
        );
    }
}
