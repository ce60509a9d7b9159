//! The studio in a browser: the real program, Debian's Chromium without a window, and Playwright to move the mouse.

use crate::needs;
use crate::steps::{root, run};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Set to anything, this makes a machine that cannot run these tests an error; so does `CI`.
const REQUIRED: &str = "FREIRAUM_REQUIRE_BROWSER";

/// Builds the program and runs the tests whose file names contain all of `names`.
pub(crate) fn build_and_run(names: &[&str]) -> Result<(), String> {
    prepare()?;
    check_page()?;
    needs::ensure(&needs::CHROMIUM)?;
    run(&root(), &["cargo", "build", "--package", "freiraum-cli", "--locked"], &[])?;
    run_tests(names)
}

/// Gets what the page needs, before the program is built: without npm it is built without its page.
pub(crate) fn prepare() -> Result<(), String> {
    [needs::NODE, needs::NPM].iter().try_for_each(needs::ensure)
}

/// Runs linter, type checker and tests of the page, then those in a browser with the program that lies beside
/// this one. What cannot be run here is named: all of it without node or npm, the browser alone without
/// Chromium.
pub(crate) fn run_or_skip(prepared: Result<(), String>) -> Result<(), String> {
    let is_required = [REQUIRED, "CI"].iter().any(|name| env::var_os(name).is_some_and(|v| !v.is_empty()));
    let skip = |what: &str, message: String| {
        if is_required {
            return Err(message);
        }
        eprintln!("SKIPPED, {what}: {message}");
        Ok(())
    };
    if let Err(message) = prepared.and_then(|()| install(&page())) {
        return skip("the page of the studio is not tested", message);
    }
    check_page()?;
    match needs::ensure(&needs::CHROMIUM) {
        Ok(()) => run_tests(&[]),
        Err(message) => skip("the studio is not tested in a browser", message),
    }
}

/// What needs no browser: linter, type checker, and the tests that run in node.
fn check_page() -> Result<(), String> {
    let page = page();
    install(&page)?;
    ["lint", "check", "test:document"]
        .into_iter()
        .try_for_each(|script| run(&page, &["npm", "run", "--silent", script], &[]))
}

fn page() -> PathBuf {
    root().join("crates/studio/page")
}

/// Installs the packages of the page, if those that are there are not those of the lock file.
fn install(page: &Path) -> Result<(), String> {
    let lock = page.join("package-lock.json");
    let wanted = fs::read(&lock).map_err(|e| format!("{}: {e}", lock.display()))?;
    let mark = page.join("node_modules/.installed-lock.json");
    if fs::read(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    run(page, &["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"], &[])?;
    fs::write(&mark, wanted).map_err(|e| format!("{}: {e}", mark.display()))
}

fn run_tests(names: &[&str]) -> Result<(), String> {
    let page = page();
    let own = env::current_exe().map_err(|e| format!("where this program is: {e}"))?;
    let program = own.with_file_name(if cfg!(windows) { "freiraum.exe" } else { "freiraum" });
    if !program.is_file() {
        return Err(format!("{} is not built", program.display()));
    }
    let program_text = program.to_string_lossy().into_owned();
    let shots = root().join("target/studio-pictures").to_string_lossy().into_owned();
    let command = [&["npm", "run", "--silent", "test", "--"], names].concat();
    run(&page, &command, &[("FREIRAUM_BIN", &program_text), ("FREIRAUM_SHOTS", &shots)])?;
    eprintln!("pictures: {shots}");
    Ok(())
}
