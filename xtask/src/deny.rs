//! What the workspace depends on: known advisories, licences, sources. What was not checked is said.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The only place that crates may come from, as `Cargo.lock` writes it.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// With cargo-deny where it is there. Without it, sources and licences are checked here, by the rules of the same `deny.toml`. Advisories need a
/// database that only the network has; an older copy of it is used if there is one.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let has_deny =
        Command::new("cargo").args(["deny", "--version"]).output().is_ok_and(|o| o.status.success());
    if has_deny {
        deny(root, &["bans", "licenses", "sources"])?;
        return match database() {
            Some(_) => deny(root, &["advisories"]),
            None => {
                eprintln!(
                    "NOT CHECKED: advisories; cargo-deny has no copy of its database here (`cargo deny fetch` gets one)"
                );
                Ok(())
            }
        };
    }
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
    let mut wrong = foreign(&lock);
    let rules = std::fs::read_to_string(root.join("deny.toml")).map_err(|e| format!("deny.toml: {e}"))?;
    let allowed = allowed(&rules);
    let tree =
        "tree --workspace --all-features --edges normal,build,dev --prefix none --locked --format {p}|{l}";
    let output = Command::new("cargo")
        .args(tree.split(' '))
        .current_dir(root)
        .output()
        .map_err(|e| format!("cannot start cargo: {e}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree failed: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    wrong.extend(unlicensed(&String::from_utf8_lossy(&output.stdout), &allowed));
    wrong.sort();
    wrong.dedup();
    if !wrong.is_empty() {
        return Err(format!("{} violations of deny.toml\n{}", wrong.len(), wrong.join("\n")));
    }
    eprintln!("checked: sources of all crates, licences of those for this system");
    eprintln!(
        "NOT CHECKED: advisories, yanked versions; that needs cargo-deny (`cargo install cargo-deny --locked`) and its database"
    );
    Ok(())
}

fn deny(root: &Path, what: &[&str]) -> Result<(), String> {
    let command: Vec<&str> =
        ["cargo", "deny", "--offline", "check", "--disable-fetch"].iter().chain(what).copied().collect();
    crate::steps::run(root, &command, &[])
}

/// The copy of the database of advisories, if cargo-deny has one.
fn database() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?;
    database_in(&home.join("advisory-dbs"))
}

/// A folder with advisories below this one: lock files and the remains of a failed download are none.
fn database_in(folder: &Path) -> Option<PathBuf> {
    let has_advisories = |path: &PathBuf| {
        let of_crates = std::fs::read_dir(path.join("crates")).into_iter().flatten().flatten();
        of_crates.map(|entry| entry.path()).any(|of_crate| {
            let files = std::fs::read_dir(of_crate).into_iter().flatten().flatten();
            files.map(|file| file.path()).any(|file| file.extension().is_some_and(|end| end == "md"))
        })
    };
    std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).find(has_advisories)
}

/// Crates that come from elsewhere, or without a checksum.
fn foreign(lock: &str) -> Vec<String> {
    let mut found = Vec::new();
    for package in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
            line.map(|line| line.trim_matches('"'))
        };
        let name = value("name").unwrap_or_default();
        // Crates of the workspace have no source.
        let Some(source) = value("source") else { continue };
        if source != REGISTRY {
            found.push(format!("{name}: comes from {source}"));
        } else if value("checksum").is_none() {
            found.push(format!("{name}: has no checksum"));
        }
    }
    found
}

/// The licences that `deny.toml` allows.
fn allowed(rules: &str) -> Vec<&str> {
    let list = rules.split("[licenses]").nth(1).and_then(|part| part.split("allow = [").nth(1));
    let list = list.and_then(|part| part.split(']').next()).unwrap_or_default();
    list.split('"').skip(1).step_by(2).collect()
}

/// Lines `name version (source)|licences` whose licences are not allowed.
fn unlicensed(tree: &str, allowed: &[&str]) -> Vec<String> {
    let is_wrong = |line: &&str| {
        let (package, licence) = line.split_once('|').unwrap_or((line, ""));
        // Crates of the workspace stand with their folder.
        let is_own = package.contains(" (/") || package.contains(":\\");
        let licence = licence.trim_end_matches(" (*)");
        !is_own && !is_allowed(licence, allowed)
    };
    tree.lines().filter(|line| !line.is_empty()).filter(is_wrong).map(str::to_owned).collect()
}

/// Whether one of the choices that an expression leaves is allowed as a whole. `AND` binds more than `OR`; parentheses stand around choices.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let expression = expression.trim();
    if let Some(parts) = split(expression, " AND ") {
        return parts.iter().all(|part| is_allowed(part, allowed));
    }
    for or in [" OR ", "/"] {
        if let Some(parts) = split(expression, or) {
            return parts.iter().any(|part| is_allowed(part, allowed));
        }
    }
    match expression.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_allowed(inner, allowed),
        None => allowed.contains(&expression),
    }
}

/// The parts of an expression between words that stand in no parentheses; `None` if there is only one. An `OR` outside of them is looked for first.
fn split<'e>(expression: &'e str, word: &str) -> Option<Vec<&'e str>> {
    if word == " AND " && split(expression, " OR ").is_some() {
        return None;
    }
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in expression.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 && at >= start && expression[at..].starts_with(word) {
            parts.push(&expression[start..at]);
            start = at + word.len();
        }
    }
    parts.push(&expression[start..]);
    (parts.len() > 1).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_read_as_they_are_meant() {
        let allowed = ["MIT", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"];
        for good in [
            "MIT",
            "MIT OR GPL-3.0",
            "GPL-3.0/MIT",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
            "GPL-3.0 OR MIT AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
        ] {
            assert!(is_allowed(good, &allowed), "{good}");
        }
        for bad in
            ["", "GPL-3.0", "MIT AND GPL-3.0", "GPL-3.0 OR MIT AND GPL-2.0", "(MIT OR GPL-3.0) AND GPL-2.0"]
        {
            assert!(!is_allowed(bad, &allowed), "{bad}");
        }
        let tree = "a v1 (/x/y)|\nb v1|MIT (*)\nc v2|GPL-3.0\n\nd v1|\n";
        assert_eq!(unlicensed(tree, &allowed), ["c v2|GPL-3.0", "d v1|"]);
    }

    #[test]
    fn a_lock_file_is_no_database() {
        let folder = std::env::temp_dir().join(format!("freiraum-deny-{}", std::process::id()));
        let own = folder.join("advisory-db-1");
        assert_eq!(database_in(&folder), None);
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(folder.join("db.lock"), "").unwrap();
        assert_eq!(database_in(&folder), None);
        std::fs::create_dir_all(own.join("crates/some")).unwrap();
        assert_eq!(database_in(&folder), None);
        std::fs::write(own.join("crates/some/RUSTSEC-2020-0001.md"), "").unwrap();
        assert_eq!(database_in(&folder), Some(own));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn sources_are_the_registry_alone() {
        let lock = format!(
            "version = 4\n[[package]]\nname = \"own\"\n\n[[package]]\nname = \"a\"\nsource = \"{REGISTRY}\"\nchecksum = \"00\"\n\
             [[package]]\nname = \"b\"\nsource = \"git+https://example.org/b\"\n[[package]]\nname = \"c\"\nsource = \"{REGISTRY}\"\n"
        );
        assert_eq!(foreign(&lock), ["b: comes from git+https://example.org/b", "c: has no checksum"]);
        let rules = "[licenses]\nversion = 2\nallow = [\n  \"MIT\",\n  \"ISC\",\n]\n[bans]\n";
        assert_eq!(allowed(rules), ["MIT", "ISC"]);
    }
}
