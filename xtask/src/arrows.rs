//! Which crate may use which, which module of `crates/world` may use which, and how many packages a library may need.
//!
//! ARCHITECTURE.md draws the map; here it is checked.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate and the crates of this workspace that it uses, all of them further up. Dev-dependencies do not count.
const CRATES: [(&str, &[&str]); 19] = [
    ("geometry", &[]),
    ("files", &[]),
    ("gpu", &[]),
    ("mesh-io", &["geometry", "files"]),
    ("query", &["geometry"]),
    ("motion", &["geometry", "query"]),
    ("robot", &["geometry"]),
    ("scene", &["geometry", "robot"]),
    ("formats", &["geometry", "files", "mesh-io", "robot", "scene"]),
    ("assets", &["geometry", "files", "mesh-io", "query", "motion", "scene"]),
    ("check", &["geometry", "files", "query", "motion", "robot", "scene", "formats", "assets"]),
    ("planning", &["geometry", "query", "motion", "robot", "scene", "formats", "assets", "check"]),
    ("render", &["geometry", "files", "query", "motion", "scene", "formats", "assets", "check"]),
    ("world", &["geometry", "gpu", "query", "motion", "scene"]),
    ("deform", &["geometry", "gpu"]),
    (
        "studio",
        &[
            "geometry", "files", "mesh-io", "query", "motion", "robot", "scene", "formats", "assets",
            "check", "planning", "render", "world", "deform",
        ],
    ),
    (
        "freiraum",
        &[
            "geometry", "files", "mesh-io", "query", "motion", "robot", "scene", "formats", "assets",
            "check", "planning", "render", "world", "deform", "studio",
        ],
    ),
    ("demo", &["geometry", "files", "mesh-io", "scene"]),
    ("cli", &["freiraum", "demo"]),
];

/// A module of `crates/world` and the modules that it may use, all of them further up.
const MODULES: [(&str, &[&str]); 8] = [
    ("dynamics", &[]),
    ("sensors", &[]),
    ("event", &[]),
    ("reading", &["sensors"]),
    ("vehicle", &["dynamics", "sensors", "event"]),
    ("control", &["dynamics", "sensors", "event", "reading", "vehicle"]),
    ("simulation", &["dynamics", "sensors", "event", "reading", "vehicle", "control"]),
    ("record", &["event", "reading", "simulation"]),
];

/// A library without default features, and the most packages that it may need on Linux, itself included.
const PACKAGES: [(&str, usize); 2] = [("freiraum", 40), ("freiraum-query", 10)];

/// Everything that is not as the tables say.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let mut found = one_direction("crate", &CRATES);
    found.extend(one_direction("module of crates/world", &MODULES));
    found.extend(between_crates(root)?);
    found.extend(between_modules(&root.join("crates/world/src"))?);
    for (package, most) in PACKAGES {
        let count = packages(root, &["--no-default-features", "--package", package])?.len();
        if count > most {
            found.push(format!(
                "{package} without default features needs {count} packages, {most} are allowed"
            ));
        }
    }
    // Its build runs npm.
    if packages(root, &["--package", "freiraum"])?.iter().any(|name| name.starts_with("freiraum-studio ")) {
        found.push("freiraum with default features needs freiraum-studio".to_owned());
    }
    Ok(found)
}

/// Each row names only rows above it.
fn one_direction(what: &str, table: &[(&str, &[&str])]) -> Vec<String> {
    let above = |row: usize, used: &str| table[..row].iter().any(|(name, _)| *name == used);
    let wrong = |(row, (name, uses)): (usize, &(&str, &[&str]))| {
        let wrong: Vec<String> = uses
            .iter()
            .filter(|used| !above(row, used))
            .map(|used| format!("xtask/src/arrows.rs: {what} {name} uses {used}, which is not above it"))
            .collect();
        wrong
    };
    table.iter().enumerate().flat_map(wrong).collect()
}

fn between_crates(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut folders = Vec::new();
    for folder in entries(&root.join("crates"))? {
        let manifest = folder.join("Cargo.toml");
        if manifest.is_file() {
            folders.push((name_of(&folder), read(&manifest)?));
        }
    }
    for (name, manifest) in &folders {
        let Some((_, allowed)) = CRATES.iter().find(|(known, _)| known == name) else {
            found.push(format!("crates/{name} is not in the table of xtask/src/arrows.rs"));
            continue;
        };
        let used = own_dependencies(manifest);
        let allowed: BTreeSet<String> = allowed.iter().map(ToString::to_string).collect();
        found.extend(used.difference(&allowed).map(|other| format!("crates/{name} must not use {other}")));
        let unused = |other: &String| format!("xtask/src/arrows.rs: crates/{name} no longer uses {other}");
        found.extend(allowed.difference(&used).map(unused));
    }
    for (name, _) in CRATES.iter().filter(|(name, _)| !folders.iter().any(|(folder, _)| folder == name)) {
        found.push(format!("xtask/src/arrows.rs: crates/{name} does not exist"));
    }
    Ok(found)
}

/// The folders of the crates of this workspace that a manifest names, but for its tests.
fn own_dependencies(manifest: &str) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let mut inside = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            let header = header.trim_end_matches(']');
            let (table, key) = match header.rsplit_once("dependencies.") {
                Some((before, key)) => (format!("{before}dependencies"), Some(key)),
                None => (header.to_owned(), None),
            };
            inside = table.ends_with("dependencies") && !table.ends_with("dev-dependencies");
            used.extend(key.filter(|_| inside).and_then(folder_of));
        } else if inside {
            used.extend(line.split(['.', '=', ' ']).next().and_then(folder_of));
        }
    }
    used
}

/// The folder in `crates` of a package.
fn folder_of(package: &str) -> Option<String> {
    let package = package.trim_matches('"');
    if package == "freiraum" {
        Some(package.into())
    } else {
        package.strip_prefix("freiraum-").map(Into::into)
    }
}

fn between_modules(source: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for file in sources(source)? {
        let path = file.strip_prefix(source).unwrap_or(&file);
        let modules = module_path(path);
        let Some(module) = modules.first() else { continue };
        let Some((_, allowed)) = MODULES.iter().find(|(known, _)| known == module) else {
            found.push(format!("module {module} of crates/world is not in the table of xtask/src/arrows.rs"));
            continue;
        };
        for (i, line) in read(&file)?.lines().enumerate() {
            for used in modules_named(line, modules.len()) {
                if used != *module && !allowed.contains(&&*used) {
                    let file = path.display();
                    found.push(format!("crates/world/src/{file}:{}: {module} must not use {used}", i + 1));
                }
            }
        }
    }
    Ok(found)
}

/// `control/program/mod.rs` is `control`, `program`; `lib.rs` is nothing.
fn module_path(path: &Path) -> Vec<String> {
    let parts = path.with_extension("");
    let parts = parts.iter().map(|part| part.to_string_lossy().into_owned());
    parts.filter(|part| part != "mod" && part != "lib").collect()
}

/// What a line of code names at the root of its crate, in a module so many levels deep.
///
/// Names after `super::` count only if they are modules: tests in a file are one level deeper than it.
fn modules_named(line: &str, depth: usize) -> Vec<String> {
    let code = line.split("//").next().unwrap_or_default();
    let from_root = code.match_indices("crate::").filter(|(at, _)| starts_a_path(code, *at));
    let mut found: Vec<String> = from_root.flat_map(|(at, path)| heads(&code[at + path.len()..])).collect();
    let out = "super::".repeat(depth);
    let from_below = code.match_indices(&out).filter(|(at, _)| starts_a_path(code, *at));
    let named = from_below.flat_map(|(at, path)| heads(&code[at + path.len()..]));
    found.extend(named.filter(|name| MODULES.iter().any(|(module, _)| module == name)));
    found
}

fn starts_a_path(code: &str, at: usize) -> bool {
    !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '$')
}

/// The first names of a path or of the paths in braces.
fn heads(path: &str) -> Vec<String> {
    let head = |path: &str| {
        let name = path.trim().split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        (!name.is_empty()).then(|| name.to_owned())
    };
    let Some(list) = path.strip_prefix('{') else { return head(path).into_iter().collect() };
    let mut depth = 0;
    let outside = |c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    };
    list.split(outside).filter_map(head).collect()
}

/// The packages that a library needs on Linux, with their versions.
fn packages(root: &Path, selection: &[&str]) -> Result<BTreeSet<String>, String> {
    let tree = "tree --edges normal --target x86_64-unknown-linux-gnu --prefix none --locked";
    let output = Command::new("cargo")
        .args(tree.split(' '))
        .args(selection)
        .current_dir(root)
        .output()
        .map_err(|e| format!("cannot start cargo: {e}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree failed: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let name_and_version = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    Ok(text.lines().map(name_and_version).collect())
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for entry in entries(folder)? {
        if entry.is_dir() {
            found.extend(sources(&entry)?);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let fail = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        found.push(entry.map_err(fail)?.path());
    }
    found.sort();
    Ok(found)
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_of_a_manifest() {
        let manifest = "[package]\nname = \"freiraum-x\"\n[dependencies]\nfreiraum-query.workspace = true\nrayon = \"1\"\n\
            [dev-dependencies]\nfreiraum-testkit.workspace = true\n[target.'cfg(unix)'.dependencies]\n\
            freiraum-gpu = { path = \"..\" }\n[dev-dependencies.freiraum-world]\npath = \"..\"\n[build-dependencies.freiraum]\n";
        let found: Vec<String> = own_dependencies(manifest).into_iter().collect();
        assert_eq!(found, ["freiraum", "gpu", "query"]);
    }

    #[test]
    fn modules_of_a_line() {
        let check = |line: &str, depth: usize, expected: &[&str]| {
            assert_eq!(modules_named(line, depth), expected, "{line}");
        };
        check("use crate::dynamics::{Body, Motion};", 2, &["dynamics"]);
        check(
            "pub(crate) fn of(event: &crate::event::Event) -> crate::sensors::Beam {",
            1,
            &["event", "sensors"],
        );
        check("use crate::{event::{Event, EventKind}, control};", 1, &["event", "control"]);
        check("use crate::Simulation;", 1, &["Simulation"]);
        check("/// As [`crate::control`].", 1, &[]);
        check("use super::super::control;", 2, &["control"]);
        check("use super::control;", 2, &[]);
        check("    use super::Event;", 1, &[]);
        check("my_crate::control", 1, &[]);
    }

    #[test]
    fn rows_name_rows_above_them() {
        assert_eq!(one_direction("crate", &[("a", &[]), ("b", &["a"])]).len(), 0);
        assert_eq!(one_direction("crate", &[("a", &["b"]), ("b", &["b"])]).len(), 2);
    }

    #[test]
    fn paths_of_modules() {
        assert_eq!(module_path(Path::new("control/program/mod.rs")), ["control", "program"]);
        assert_eq!(module_path(Path::new("event.rs")), ["event"]);
        assert!(module_path(Path::new("lib.rs")).is_empty());
    }
}
