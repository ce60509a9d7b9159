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
    // Test modules close their files here, so what follows the marker is test code.
    let shipped = text.split("#[cfg(test)]").next().unwrap_or_default();
    shipped
        .lines()
        .enumerate()
        .filter(|(_, line)| has_bare_epsilon(line.split("//").next().unwrap_or_default()))
        .map(|(i, line)| {
            format!(
                "{file}:{}: a bare 1e-n outside geometry/src/tolerance.rs (style.md, section 6): {}",
                i + 1,
                line.trim()
            )
        })
        .collect()
}

fn has_bare_epsilon(code: &str) -> bool {
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

/// Paths that a page names in backticks must exist.
fn dead_paths(root: &Path, file: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (i, line) in text.lines().enumerate() {
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
        for code in ["if x < 1e-9 {", "let eps = 2.5e-12;", "(1e-7)"] {
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
    }
}
