//! Rules of this repository that no other tool checks.

use crate::arrows;
use std::path::Path;
use std::process::Command;

/// Checks all tracked files; every violation is listed, not only the first.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let files = tracked_files(root)?;
    let mut found = arrows::check(root)?;
    found.extend(own_programs(&files));
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

/// The integration tests of a crate are one program: each more is linked with everything it uses.
fn own_programs(files: &[String]) -> Vec<String> {
    // Those with an allocator that counts, those of the studio by the name that they have had, and one of a single test.
    const ALLOWED: [&str; 8] = [
        "crates/deform/tests/allocations.rs",
        "crates/deform/tests/soft_allocations.rs",
        "crates/demo/tests/copies.rs",
        "crates/mesh-io/tests/memory.rs",
        "crates/query/tests/allocations/main.rs",
        "crates/query/tests/set_memory.rs",
        "crates/studio/tests/studio/main.rs",
        "crates/world/tests/allocations.rs",
    ];
    let is_one = |file: &&String| {
        let Some((_, rest)) = file.strip_prefix("crates/").and_then(|rest| rest.split_once("/tests/")) else {
            return false;
        };
        let is_program = match rest.split_once('/') {
            None => rest.ends_with(".rs"),
            Some((folder, name)) => name == "main.rs" && folder != "it",
        };
        is_program && !file.contains("/src/") && !ALLOWED.contains(&file.as_str())
    };
    let tell =
        |file: &String| format!("{file}: a program of tests beside `tests/it`: make it a module there");
    files.iter().filter(is_one).map(tell).collect()
}

pub(crate) fn tracked_files(root: &Path) -> Result<Vec<String>, String> {
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

pub(crate) fn is_shipped_source(file: &str) -> bool {
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
            format!(
                "{file}:{}: a small number outside geometry/src/tolerance.rs that is no named `power_of_two`: {}",
                i + 1,
                line.trim()
            )
        })
        .collect()
}

/// Files are opened and written in one place, which knows what may wait or never end, and what a killed process leaves.
fn own_ways(file: &str, text: &str) -> Vec<String> {
    const WAYS: [&str; 10] = [
        "fs::read(",
        "fs::read_to_string(",
        "fs::write(",
        "fs::rename(",
        "fs::copy(",
        "File::open(",
        "File::create(",
        "File::create_new(",
        "File::options(",
        "OpenOptions::new(",
    ];
    // Files themselves, the folder of the demo that takes its place whole, locks, and the page under
    // development.
    const ALLOWED: [&str; 5] = [
        "crates/demo/src/files.rs",
        "crates/files/src/open.rs",
        "crates/files/src/save.rs",
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
        format!("{file}:{}: a file is opened or written without freiraum-files: {}", i + 1, line.trim())
    };
    shipped.lines().enumerate().filter(|(_, line)| is_one(line)).map(tell).collect()
}

fn has_bare_epsilon(code: &str) -> bool {
    let code = code.to_ascii_lowercase();
    has_scientific_epsilon(&code) || has_veiled_epsilon(&code)
}

/// Small numbers in another guise: one over a shifted one, one over a large power of two or ten, a negative power, and
/// `power_of_two(-n)` that is no constant with a name.
fn has_veiled_epsilon(code: &str) -> bool {
    let rests = |head: &'static str| code.match_indices(head).map(move |(at, _)| &code[at + head.len()..]);
    let is_shifted = |rest: &str| {
        let digits = rest.trim_start_matches(['(', ' ']);
        digits.strip_prefix('1').is_some_and(|rest| {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
            rest.trim_start().starts_with("<<")
        })
    };
    let is_large = |rest: &str| {
        let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '_').collect();
        let number = digits.replace('_', "").parse::<u64>().unwrap_or(0);
        let is_power_of_ten = || number.to_string().trim_end_matches('0') == "1";
        number > 10_000 && (number.is_power_of_two() || is_power_of_ten())
    };
    rests("/ ").any(is_shifted)
        || rests("1.0 / ").any(is_large)
        || rests(".powi(-").any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        || (!code.contains("const ") && code.contains("power_of_two(-"))
}

fn has_scientific_epsilon(code: &str) -> bool {
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
        for code in [
            "const A: f64 = 1.0 / (1u64 << 40) as f64;",
            "1.0 / (1 << 16) as f64",
            "area / (1 << 30) as f64",
            "1.0 - 1.0 / 1_048_576.0",
            "1.0 / 65536.0",
            "1.0 / 1_000_000.0",
            "cell * 2f64.powi(-20)",
            "10.0_f64.powi(-9)",
            "x * power_of_two(-40)",
        ] {
            assert!(has_bare_epsilon(code), "{code}");
        }
        for code in [
            "const A: f64 = power_of_two(-40);",
            "1.0 / 1024.0",
            "1.0 / 40_320.0",
            "1.0 / 1_000.0",
            "(1u64 << 40) as f64",
            "2f64.powi(-exponent)",
            "n / 2 << 3",
        ] {
            assert!(!has_bare_epsilon(code), "{code}");
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
    fn programs_of_tests_beside_the_one_are_found() {
        let check =
            |file: &str, count: usize| assert_eq!(own_programs(&[file.to_owned()]).len(), count, "{file}");
        for file in
            ["crates/query/tests/props.rs", "crates/query/tests/props/main.rs", "crates/new/tests/a.rs"]
        {
            check(file, 1);
        }
        let fine = [
            "crates/query/tests/it/main.rs",
            "crates/query/tests/it/props.rs",
            "crates/query/tests/it/deep/main.rs",
            "crates/query/tests/data/readme.txt",
            "crates/query/src/a/tests/b.rs",
            "crates/query/tests/set_memory.rs",
            "testkit/tests/a.rs",
        ];
        fine.iter().for_each(|file| check(file, 0));
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
