//! The fuzz targets without libFuzzer: each runs for some seconds on changed seeds.

use crate::programs::executable;
use crate::steps::root;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How long each target runs where nobody says so.
const SECONDS: &str = "3";

/// `fuzz [SECONDS] [TARGET]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let is_number = |text: &str| text.parse::<f64>().is_ok();
    let (seconds, name) = match *arguments {
        [] => (SECONDS, None),
        [one] if is_number(one) => (one, None),
        [one] => (SECONDS, Some(one)),
        [seconds, name] if is_number(seconds) => (seconds, Some(name)),
        _ => return Err(format!("fuzz takes seconds and a target, not {arguments:?}")),
    };
    let root = root();
    let targets: Vec<String> = targets(&root)?.into_iter().filter(|t| name.is_none_or(|n| t == n)).collect();
    if targets.is_empty() {
        return Err(format!("no such target: {}", name.unwrap_or_default()));
    }
    for (target, program) in targets.iter().zip(build(&root, &targets)?) {
        eprint!("{}", run_one(&root, target, &program, seconds)?);
    }
    Ok(())
}

/// All targets for the usual time; what they say is shown only if one fails.
pub(crate) fn run_quietly() -> Result<(), String> {
    let root = root();
    let targets = targets(&root)?;
    for (target, program) in targets.iter().zip(build(&root, &targets)?) {
        run_one(&root, target, &program, SECONDS)?;
    }
    Ok(())
}

fn targets(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("fuzz/targets");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// Builds the targets with their own driver; where each of them is.
fn build(root: &Path, targets: &[String]) -> Result<Vec<PathBuf>, String> {
    let command = "cargo build --manifest-path fuzz/Cargo.toml --no-default-features --bins --locked --quiet --message-format json-render-diagnostics";
    let command: Vec<&str> = command.split(' ').collect();
    let output = Command::new(command[0])
        .args(&command[1..])
        .current_dir(root)
        .envs(environment().iter().map(|(key, value)| (*key, value.as_str())))
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("cannot start cargo: {e}"))?;
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        return Err(format!("`{}` failed ({})", command.join(" "), output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let find = |target: &String| {
        let found = text.lines().find_map(|line| executable(line, target));
        found.ok_or_else(|| format!("fuzz/Cargo.toml has no program for fuzz/targets/{target}.rs"))
    };
    targets.iter().map(find).collect()
}

/// In the build folder of the workspace, where most dependencies are there already; the page is not needed.
pub(crate) fn environment() -> [(&'static str, String); 2] {
    let folder = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    [("FREIRAUM_STUDIO_SKIP_PAGE", "1".to_owned()), ("CARGO_TARGET_DIR", folder)]
}

/// Runs one target: what it says, if it finds nothing.
fn run_one(root: &Path, target: &str, program: &Path, seconds: &str) -> Result<String, String> {
    let try_it = |more: &[&str]| {
        Command::new(program)
            .arg(seconds)
            .args(more)
            .current_dir(root)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("cannot start {}: {e}", program.display()))
    };
    let output = try_it(&[])?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    eprint!("{said}");
    if output.status.code().is_none() {
        // What ends the process leaves nothing; the same inputs come again, and the last of them is kept.
        try_it(&["--keep"])?;
        return Err(format!(
            "{target} ended with {}: the input is fuzz/artifacts/{target}/last",
            output.status
        ));
    }
    Err(format!("{target} failed ({})", output.status))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_a_program_with_seeds() {
        let root = root();
        let manifest = std::fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap();
        let seeds = std::fs::read_to_string(root.join("fuzz/src/seeds.rs")).unwrap();
        let found = targets(&root).unwrap();
        assert!(found.len() >= 15, "{found:?}");
        for target in found {
            assert!(manifest.contains(&format!("path = \"targets/{target}.rs\"")), "{target}");
            assert!(seeds.contains(&format!("    \"{target}\",\n")), "{target}");
        }
    }

    #[test]
    fn failures_are_told() {
        let shell = |script: &str| {
            let folder = std::env::temp_dir().join(format!("freiraum-fuzz-{}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            let path = folder.join("target.sh");
            std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
            let told = run_one(Path::new("/"), "ply", &path, "1");
            std::fs::remove_dir_all(&folder).unwrap();
            told
        };
        assert_eq!(shell("echo fine >&2"), Ok("fine\n".to_owned()));
        assert!(shell("exit 1").unwrap_err().starts_with("ply failed (exit status: 1"));
        assert!(shell("kill -9 $$").unwrap_err().contains("fuzz/artifacts/ply/last"));
    }
}
