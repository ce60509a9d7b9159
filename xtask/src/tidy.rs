//! Rules of this repository that no other tool checks.

use std::path::Path;
use std::process::Command;

/// Checks all tracked files; every violation is listed, not only the first.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let files = tracked_files(root)?;
    let mut found = Vec::new();
    for file in &files {
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        if is_shipped_source(file) {
            found.extend(bare_epsilons(file, &text));
            found.extend(own_ways(file, &text));
        }
        if file.ends_with(".md") {
            found.extend(dead_paths(root, file, &text));
        }
    }
    if found.is_empty() { Ok(()) } else { Err(format!("{} violations\n{}", found.len(), found.join("\n"))) }
}

fn tracked_files(root: &Path) -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .map_err(|e| format!("cannot start git: {e}"))?;
    // Without this a folder that git refuses would have no files and no faults.
    if !output.status.success() {
        return Err(format!("git ls-files failed: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn is_shipped_source(file: &str) -> bool {
    let test_file = file.ends_with("tests.rs") || file.contains("/tests/");
    file.starts_with("crates/") && file.contains("/src/") && file.ends_with(".rs") && !test_file
}

/// Small numbers belong into `tolerance.rs`, where unit and reason stand beside them.
fn bare_epsilons(file: &str, text: &str) -> Vec<String> {
    if file.ends_with("/tolerance.rs") {
        return Vec::new();
    }
    // A test module with a body closes its file, so what follows is test code; `mod tests;` is only a name.
    let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    shipped
        .lines()
        .enumerate()
        .filter(|(_, line)| has_bare_epsilon(line.split("//").next().unwrap_or_default()))
        .map(|(i, line)| {
            format!("{file}:{}: a bare 1e-n outside geometry/src/tolerance.rs: {}", i + 1, line.trim())
        })
        .collect()
}

/// Files are opened and written in one place, which knows what may wait or never end, and what a killed process leaves.
fn own_ways(file: &str, text: &str) -> Vec<String> {
    const WAYS: [&str; 6] =
        ["fs::read(", "fs::read_to_string(", "fs::write(", "File::open(", "File::create(", "File::options("];
    // Folders, locks, and the page under development.
    const ALLOWED: [&str; 4] = [
        "crates/formats/src/file/open.rs",
        "crates/formats/src/file/save.rs",
        "crates/studio/src/journal.rs",
        "crates/studio/src/web/page.rs",
    ];
    if ALLOWED.contains(&file) {
        return Vec::new();
    }
    let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let is_one =
        |line: &str| WAYS.iter().any(|way| line.split("//").next().unwrap_or_default().contains(way));
    let tell = |(i, line): (usize, &str)| {
        format!("{file}:{}: a file is opened or written without formats::file: {}", i + 1, line.trim())
    };
    shipped.lines().enumerate().filter(|(_, line)| is_one(line)).map(tell).collect()
}

fn has_bare_epsilon(code: &str) -> bool {
    let code = code.to_ascii_lowercase();
    code.match_indices("e-").any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + 2..]);
        let mantissa_start =
            before.rfind(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).map_or(0, |i| i + 1);
        let mantissa = &before[mantissa_start..];
        let is_word = before[..mantissa_start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        mantissa.starts_with(|c: char| c.is_ascii_digit())
            && !is_word
            && after.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Paths that a page names in backticks, and files that it links to, must exist.
fn dead_paths(root: &Path, file: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let folder = root.join(file).parent().map(Path::to_path_buf).unwrap_or_default();
    for (i, line) in text.lines().enumerate() {
        for link in line.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            if !link.is_empty() && !link.contains("://") && !folder.join(link).exists() {
                found.push(format!("{file}:{}: the link to {link} leads nowhere", i + 1));
            }
        }
        for quoted in line.split('`').skip(1).step_by(2) {
            let names_a_path =
                ["crates/", "testkit/", "benches/", "peers/", "xtask/", "docs/", "fuzz/", ".ci/"]
                    .iter()
                    .any(|folder| quoted.starts_with(folder));
            let plain = quoted.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            if names_a_path && plain && !root.join(quoted).exists() {
                found.push(format!("{file}:{}: `{quoted}` does not exist", i + 1));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_bare_epsilons_only() {
        for code in ["if x < 1e-9 {", "let eps = 2.5e-12;", "(1e-7)", "1E-9"] {
            assert!(has_bare_epsilon(code), "{code}");
        }
        for code in ["let e = d-1;", "one-2", "0x1e-9x", "f64::EPSILON", "1e9 - 1e3", "type-2e"] {
            assert!(!has_bare_epsilon(code), "{code}");
        }
    }

    #[test]
    fn test_modules_may_use_them() {
        let text = "fn f() {}\n#[cfg(test)]\nmod tests { const E: f64 = 1e-9; }\n";
        assert!(bare_epsilons("crates/geometry/src/a.rs", text).is_empty());
        assert_eq!(bare_epsilons("crates/geometry/src/a.rs", "const E: f64 = 1e-9; // why\n").len(), 1);
        // Tests in a file of their own do not end this one.
        let text = "#[cfg(test)]\nmod tests;\nconst E: f64 = 1e-9;\n";
        assert_eq!(bare_epsilons("crates/geometry/src/a.rs", text).len(), 1);
    }

    #[test]
    fn links_and_paths_that_lead_nowhere_are_found() {
        let root = crate::steps::root();
        let check = |text: &str, count: usize| {
            assert_eq!(dead_paths(&root, "docs/a.md", text).len(), count, "{text}")
        };
        check(
            "`xtask/src/tidy.rs` and [this](../README.md#two-commands) and [that](https://example.com/x)",
            0,
        );
        check("`xtask/src/gone.rs`", 1);
        check("[first](gone.md), [second](../README.md), [third](../gone.md) and [here](#below)", 2);
    }

    #[test]
    fn what_is_no_repository_is_an_error() {
        assert!(check(Path::new("/")).is_err());
    }
}
