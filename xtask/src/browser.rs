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
    run(&root(), &["cargo", "build", "--package", "freiraum-cli", "--locked"], &[])?;
    run_tests(names)
}

/// Gets what the tests need, before the program is built: without npm it is built without its page.
pub(crate) fn prepare() -> Result<(), String> {
    [needs::NODE, needs::NPM, needs::CHROMIUM].iter().try_for_each(needs::ensure)
}

/// Runs linter, type checker and tests of the page, those in a browser with the program that lies beside this one, or says why not.
pub(crate) fn run_or_skip(prepared: Result<(), String>) -> Result<(), String> {
    let is_required = [REQUIRED, "CI"].iter().any(|name| env::var_os(name).is_some_and(|v| !v.is_empty()));
    let ready = prepared.and_then(|()| install(&page()));
    match ready {
        Ok(()) => run_tests(&[]),
        Err(message) if is_required => Err(message),
        Err(message) => {
            eprintln!("SKIPPED, the studio is not tested in a browser: {message}");
            Ok(())
        }
    }
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
    install(&page)?;
    let own = env::current_exe().map_err(|e| format!("where this program is: {e}"))?;
    let program = own.with_file_name(if cfg!(windows) { "freiraum.exe" } else { "freiraum" });
    if !program.is_file() {
        return Err(format!("{} is not built", program.display()));
    }
    let program_text = program.to_string_lossy().into_owned();
    let shots = root().join("target/studio-pictures").to_string_lossy().into_owned();
    // What needs no browser, and tells sooner.
    for script in ["lint", "check", "test:document"] {
        run(&page, &["npm", "run", "--silent", script], &[])?;
    }
    let command = [&["npm", "run", "--silent", "test", "--"], names].concat();
    run(&page, &command, &[("FREIRAUM_BIN", &program_text), ("FREIRAUM_SHOTS", &shots)])?;
    eprintln!("pictures: {shots}");
    Ok(())
}
