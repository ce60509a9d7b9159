//! Every crate below `crates/` can be packaged for a registry: metadata, versions of path dependencies, and nothing that lies
//! outside of its folder.

use crate::steps::run_quietly;
use crate::tidy::{is_shipped_source, tracked_files};
use std::path::{Component, Path, PathBuf};

/// Packages all crates that are to be published. Nothing is built and nothing is uploaded.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let mut found = Vec::new();
    for file in tracked_files(root)?.iter().filter(|file| is_shipped_source(file)) {
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        found.extend(outside(file, &text));
    }
    if !found.is_empty() {
        return Err(found.join("\n"));
    }
    let command = "cargo package --workspace --no-verify --allow-dirty --locked --exclude freiraum-testkit \
        --exclude freiraum-benches --exclude xtask";
    run_quietly(root, &command.split_whitespace().collect::<Vec<_>>(), &[])
}

/// Files that a source includes although they are not below the folder of its crate: they would not be in its package.
fn outside(file: &str, text: &str) -> Vec<String> {
    const WAYS: [&str; 4] = ["include_str!(", "include_bytes!(", "include!(", "#[path = "];
    let folder: PathBuf = Path::new(file).iter().take(2).collect();
    let mut found = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for way in WAYS {
            for rest in line.split(way).skip(1) {
                // The start of a path that is put together says enough.
                let Some(path) = rest.split('"').nth(1) else { continue };
                let from = Path::new(file).parent().unwrap_or(Path::new(""));
                if !normal(&from.join(path)).starts_with(&folder) {
                    found.push(format!("{file}:{}: {path} is not in the package of its crate", i + 1));
                }
            }
        }
    }
    found
}

/// The path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                found.pop();
            }
            Component::CurDir => {}
            other => found.push(other),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_outside_of_a_crate_are_found() {
        let check = |text: &str, count: usize| {
            assert_eq!(outside("crates/a/src/b/c.rs", text).len(), count, "{text}");
        };
        check("const A: &str = include_str!(\"page.html\");", 0);
        check("const A: &str = include_str!(\"../../files/a.toml\");", 0);
        check("const A: &str = include_str!(\"../../../d/a.toml\");", 1);
        check("const A: &[u8] = include_bytes!(concat!(\"../../../../docs/\", \"a\"));", 1);
        check("#[path = \"../../../d/src/e.rs\"]", 1);
    }
}
