//! The steps of each task, in order; the first failure stops the run.

use crate::{browser, needs, tidy};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Everything that CI runs.
pub(crate) fn test() -> Result<(), String> {
    needs::ensure(&needs::RUSTFMT)?;
    needs::ensure(&needs::CLIPPY)?;
    let root = root();
    let start = Instant::now();
    let has_browser = browser::prepare();
    for need in [&needs::VULKAN_LOADER, &needs::VULKAN] {
        if let Err(message) = needs::ensure(need) {
            eprintln!("without tests on a graphics processor: {message}");
        }
    }
    step("format", || run(&root, &["cargo", "fmt", "--all", "--check"], &[]))?;
    step("tidy", || tidy::check(&root))?;
    step("clippy", || {
        run(
            &root,
            &["cargo", "clippy", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings"],
            &[],
        )
    })?;
    // The benches crate holds the peers; clippy has built it, its tables are not tests.
    let tests = ["cargo", "test", "--workspace", "--exclude", "freiraum-benches", "--locked"];
    step("tests", || run(&root, &tests, &[]))?;
    step("browser", || browser::run_or_skip(has_browser))?;
    let docs = ["cargo", "doc", "--workspace", "--no-deps", "--locked"];
    step("docs", || run(&root, &docs, &[("RUSTDOCFLAGS", "--deny warnings")]))?;
    step("fuzz targets build", || fuzz_targets_build(&root))?;
    eprintln!("\nall green after {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// `test` on a clean clone of HEAD: what is not committed is not there.
pub(crate) fn clean_clone() -> Result<(), String> {
    let root = root();
    let clone = root.join("target/clean-clone");
    if clone.exists() {
        std::fs::remove_dir_all(&clone).map_err(|e| format!("cannot remove {}: {e}", clone.display()))?;
    }
    let clone_text = clone.to_string_lossy().into_owned();
    run(&root, &["git", "clone", "--quiet", ".", &clone_text], &[])?;
    // The third-party models lie beside the repository, not beside its clone.
    let data = std::env::var("FREIRAUM_DATA").map_or_else(|_| root.join("../shared/data"), PathBuf::from);
    let data_text = data.to_string_lossy().into_owned();
    let environment: &[(&str, &str)] = if data.is_dir() { &[("FREIRAUM_DATA", &data_text)] } else { &[] };
    run(&clone, &["bash", ".ci/run"], environment)
}

fn fuzz_targets_build(root: &Path) -> Result<(), String> {
    if let Err(message) = needs::ensure(&needs::CPLUSPLUS) {
        eprintln!("SKIPPED, libFuzzer needs a C++ compiler: {message}");
        return Ok(());
    }
    run(root, &["cargo", "check", "--quiet", "--manifest-path", "fuzz/Cargo.toml"], &[])
}

fn step(name: &str, work: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    eprintln!("\n=== {name}");
    let start = Instant::now();
    work().map_err(|e| format!("{name}: {e}"))?;
    eprintln!("=== {name}: ok, {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs a command in a folder, with variables added to its environment.
pub(crate) fn run(folder: &Path, command: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    eprintln!("> {}", command.join(" "));
    let status = Command::new(command[0])
        .args(&command[1..])
        .current_dir(folder)
        .envs(environment.iter().copied())
        .status()
        .map_err(|e| format!("cannot start `{}`: {e}", command[0]))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", command.join(" "))) }
}
