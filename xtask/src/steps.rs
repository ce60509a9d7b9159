//! The steps of each task. A failure ends the run after the steps beside it.

use crate::{browser, deny, freeze, fuzz, needs, package, programs, tidy};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
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
    step("deny", || deny::check(&root))?;
    step("clippy", || {
        run(
            &root,
            &["cargo", "clippy", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings"],
            &[],
        )
    })?;
    let built = step("tests are built", || programs::build(&root))?;
    // Tests often wait or run on one processor: cargo has the rest for what no test needs.
    thread::scope(|scope| {
        let checks = scope.spawn(|| checks(&root));
        let tests = step("tests", || programs::run_all(&built.tests));
        let checks = checks.join().unwrap_or_else(|_| Err("the checks beside the tests panicked".to_owned()));
        tests.and(checks)
    })?;
    // What is expected was recorded on Linux; the errors of other systems read differently.
    if cfg!(target_os = "linux") {
        step("freeze", || freeze::run_all_with(built.freiraum.as_deref()))?;
    }
    step("browser", || browser::run_or_skip(has_browser))?;
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

/// Tests in comments, packages, the library with few features, documentation, fuzz targets and other systems;
/// one after the other, for all of them lock the build folder.
fn checks(root: &Path) -> Result<(), String> {
    quiet_step("tests in comments", || run_quietly(root, &[&programs::TEST[..], &["--doc"]].concat(), &[]))?;
    quiet_step("package", || package::check(root))?;
    quiet_step("features", || features(root))?;
    let docs = ["cargo", "doc", "--workspace", "--no-deps", "--locked"];
    quiet_step("docs", || run_quietly(root, &docs, &[("RUSTDOCFLAGS", "--deny warnings")]))?;
    let environment = fuzz::environment();
    let environment = environment.each_ref().map(|(key, value)| (*key, value.as_str()));
    // As libFuzzer would have them, without building it: nothing is linked.
    let fuzz = "cargo check --manifest-path fuzz/Cargo.toml --no-default-features --features for_libfuzzer --bins --examples --locked";
    let fuzz: Vec<&str> = fuzz.split(' ').collect();
    quiet_step("fuzz targets for libFuzzer", || run_quietly(root, &fuzz, &environment))?;
    quiet_step("fuzz targets run", fuzz::run_quietly)?;
    quiet_step("windows", windows)
}

/// Whether the library compiles with no features, and with those that stand for themselves: elsewhere cargo
/// builds it with all.
fn features(root: &Path) -> Result<(), String> {
    // The fuzz targets build it with `files` alone.
    for features in ["", "world,deform"] {
        let check = ["cargo", "check", "--package", "freiraum", "--no-default-features", "--locked"];
        run_quietly(root, &[&check[..], &["--features", features]].concat(), &[])?;
    }
    Ok(())
}

/// Whether the program compiles for Windows; nothing is linked.
pub(crate) fn windows() -> Result<(), String> {
    needs::ensure(&needs::WINDOWS)?;
    let check =
        ["cargo", "check", "--target", needs::WINDOWS_TARGET, "--package", "freiraum-cli", "--locked"];
    run_quietly(&root(), &check, &[("FREIRAUM_STUDIO_SKIP_PAGE", "1")])
}

fn step<T>(name: &str, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    eprintln!("\n=== {name}");
    quiet_step(name, work)
}

/// A step beside another: only its end is told.
fn quiet_step<T>(name: &str, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let start = Instant::now();
    let done = work().map_err(|e| format!("{name}: {e}"))?;
    eprintln!("=== {name}: ok, {:.1} s", start.elapsed().as_secs_f64());
    Ok(done)
}

/// As [`run`], but what the command says is shown only if it fails.
pub(crate) fn run_quietly(
    folder: &Path,
    command: &[&str],
    environment: &[(&str, &str)],
) -> Result<(), String> {
    let output = Command::new(command[0])
        .args(&command[1..])
        .current_dir(folder)
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("cannot start `{}`: {e}", command[0]))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    eprint!("> {}\n{}", command.join(" "), String::from_utf8_lossy(&said));
    Err(format!("`{}` failed ({})", command.join(" "), output.status))
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
