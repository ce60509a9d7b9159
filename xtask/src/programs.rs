//! The tests of all crates: built in one go, then several programs at a time. One that passes is one line; one that
//! fails shows all it has said.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

/// The benches crate holds the peers; clippy has built it, its tables are not tests.
pub(crate) const TEST: [&str; 6] =
    ["cargo", "test", "--workspace", "--exclude", "freiraum-benches", "--locked"];

/// A program of tests has as many threads as there are processors; more programs at a time than this gain nothing.
const MOST_AT_A_TIME: usize = 4;

/// A program of tests.
#[derive(Debug, PartialEq)]
pub(crate) struct Program {
    /// Folder of its package and name, as in `query props_set`.
    name: String,
    executable: PathBuf,
    /// The folder of its package: where `cargo test` runs it.
    folder: PathBuf,
}

/// What was built for the tests.
pub(crate) struct Built {
    /// The programs of all tests; the largest first, for they mostly run longest.
    pub(crate) tests: Vec<Program>,
    /// The program `freiraum` itself, which many of them run.
    pub(crate) freiraum: Option<PathBuf>,
}

/// Builds the programs of all tests.
pub(crate) fn build(root: &Path) -> Result<Built, String> {
    let text = messages(root, &[&TEST[..], &["--no-run"]].concat())?;
    let mut programs: Vec<Program> = text.lines().filter_map(program).collect();
    if programs.is_empty() {
        return Err("cargo told of no programs of tests".to_owned());
    }
    programs.sort_by_cached_key(|program| {
        let size = program.executable.metadata().map_or(0, |data| data.len());
        (Reverse(size), program.name.clone())
    });
    let freiraum = text.lines().find_map(|line| executable(line, "freiraum"));
    Ok(Built { tests: programs, freiraum })
}

/// Runs cargo and returns its messages, a line of JSON for each thing that it built.
pub(crate) fn messages(root: &Path, command: &[&str]) -> Result<String, String> {
    let command = [command, &["--message-format", "json-render-diagnostics"]].concat();
    eprintln!("> {}", command.join(" "));
    let output = Command::new(command[0])
        .args(&command[1..])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot start cargo: {e}"))?;
    if !output.status.success() {
        return Err(format!("`{}` failed ({})", command.join(" "), output.status));
    }
    String::from_utf8(output.stdout).map_err(|e| format!("messages of cargo: {e}"))
}

/// The test program that a line of cargo's messages describes.
fn program(line: &str) -> Option<Program> {
    let (target, is_test) = target_of(line)?;
    if !is_test {
        return None;
    }
    let folder = PathBuf::from(text_of(line, "manifest_path")?).parent()?.to_path_buf();
    let executable = PathBuf::from(text_of(line, "executable")?);
    let name = format!("{} {}", folder.file_name()?.to_string_lossy(), text_of(target, "name")?);
    Some(Program { name, executable, folder })
}

/// Path of the program of this name, if a line of cargo's messages describes it. The unit tests of a program are built
/// under the same name; they are not the program.
pub(crate) fn executable(line: &str, name: &str) -> Option<PathBuf> {
    let (target, is_test) = target_of(line)?;
    let is_it = !is_test && target.contains("\"kind\":[\"bin\"]") && text_of(target, "name")? == name;
    is_it.then(|| text_of(line, "executable").map(PathBuf::from)).flatten()
}

/// The target in a line of cargo's messages, as JSON, and whether it was built as a test.
fn target_of(line: &str) -> Option<(&str, bool)> {
    let (target, profile) = line.split_once("\"target\":")?.1.split_once("\"profile\":")?;
    Some((target, profile.split('}').next()?.contains("\"test\":true")))
}

/// The text under a key in a line of JSON; cargo writes no blanks, and of escapes only those of `\` occur in paths.
fn text_of(line: &str, key: &str) -> Option<String> {
    let (_, rest) = line.split_once(&format!("\"{key}\":\""))?;
    Some(rest.split_once('"')?.0.replace("\\\\", "\\"))
}

/// Runs the programs, several at a time. All are run, whether some fail or not.
pub(crate) fn run_all(programs: &[Program]) -> Result<(), String> {
    let at_a_time = thread::available_parallelism().map_or(1, |n| n.get().min(MOST_AT_A_TIME));
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..at_a_time {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    let output = Command::new(&program.executable)
                        .arg("--show-output")
                        .current_dir(&program.folder)
                        .env("CARGO_MANIFEST_DIR", &program.folder)
                        .stdin(Stdio::null())
                        .output();
                    let (passed, told) = report(&program.name, output, start.elapsed().as_secs_f64());
                    eprint!("{told}");
                    if !passed {
                        failed.lock().expect("nobody panics here").push(program.name.as_str());
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("nobody panics here");
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!("{} of {} programs failed: {}", failed.len(), programs.len(), failed.join(", ")))
}

/// Whether a program passed, and what to say about it.
fn report(name: &str, output: std::io::Result<Output>, seconds: f64) -> (bool, String) {
    let output = match output {
        Ok(output) => output,
        Err(error) => return (false, format!("FAILED {name}: cannot start: {error}\n")),
    };
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if !output.status.success() {
        let said = said.trim_end();
        return (false, format!("FAILED {name} ({}), {seconds:.1} s:\n{said}\n", output.status));
    }
    let passed = said.lines().filter_map(|line| line.strip_prefix("test result: ok. ")).collect::<String>();
    let passed = passed.split(';').next().unwrap_or_default();
    let mut skipped: Vec<&str> = said.lines().filter(|line| line.starts_with("SKIPPED")).collect();
    skipped.sort_unstable();
    skipped.dedup();
    let skipped: String = skipped.iter().map(|line| format!("  {line}\n")).collect();
    (true, format!("ok {name}: {passed}, {seconds:.1} s\n{skipped}"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LINE: &str = r#"{"reason":"compiler-artifact","package_id":"path+file:///r/crates/query#freiraum-query@0.1.0","manifest_path":"/r/crates/query/Cargo.toml","target":{"kind":["test"],"crate_types":["bin"],"name":"props_set","src_path":"/r/crates/query/tests/props_set.rs","edition":"2024","doc":false,"doctest":false,"test":true},"profile":{"opt_level":"2","debuginfo":0,"debug_assertions":true,"overflow_checks":true,"test":true},"features":[],"filenames":["/r/target/debug/deps/props_set-1"],"executable":"/r/target/debug/deps/props_set-1","fresh":true}"#;

    #[test]
    fn programs_of_tests_are_found() {
        let wanted = Program {
            name: "query props_set".to_owned(),
            executable: PathBuf::from("/r/target/debug/deps/props_set-1"),
            folder: PathBuf::from("/r/crates/query"),
        };
        assert_eq!(program(LINE), Some(wanted));
        let library =
            LINE.replace("\"executable\":\"/r/target/debug/deps/props_set-1\"", "\"executable\":null");
        assert_eq!(program(&library), None);
        let plain = LINE
            .replace("\"overflow_checks\":true,\"test\":true}", "\"overflow_checks\":true,\"test\":false}");
        assert_eq!(program(&plain), None);
        assert_eq!(program(r#"{"reason":"build-finished","success":true}"#), None);
    }

    #[test]
    fn a_program_is_found_by_its_name() {
        assert_eq!(executable(LINE, "props_set"), None, "a test");
        let unit_tests = LINE.replace("\"kind\":[\"test\"]", "\"kind\":[\"bin\"]");
        assert_eq!(executable(&unit_tests, "props_set"), None, "the unit tests of the program");
        let line = unit_tests
            .replace("\"overflow_checks\":true,\"test\":true}", "\"overflow_checks\":true,\"test\":false}");
        assert_eq!(executable(&line, "props_set"), Some(PathBuf::from("/r/target/debug/deps/props_set-1")));
        assert_eq!(executable(&line, "props"), None);
    }

    fn shell(script: &str) -> std::io::Result<Output> {
        Command::new("sh").args(["-c", script]).output()
    }

    #[test]
    fn failures_show_everything_and_passes_one_line() {
        let (passed, told) = report("a b", shell("echo 'test x ... FAILED'; echo why >&2; exit 101"), 1.0);
        assert!(!passed);
        assert!(
            told.starts_with("FAILED a b (exit status: 101), 1.0 s:\ntest x ... FAILED\nwhy\n"),
            "{told}"
        );
        let (passed, told) = report("a b", shell("kill -9 $$"), 1.0);
        assert!(!passed && told.contains("signal: 9"), "{told}");
        let (passed, told) = report("a b", Err(std::io::Error::other("no such file")), 0.0);
        assert!(!passed && told.contains("a b: cannot start: no such file"), "{told}");
        let script = "echo 'SKIPPED: no data'; echo 'SKIPPED: no data'; echo chat; echo 'test result: ok. 3 passed; 0 failed; 0 ignored'";
        let (passed, told) = report("a b", shell(script), 1.25);
        assert!(passed);
        assert_eq!(told, "ok a b: 3 passed, 1.2 s\n  SKIPPED: no data\n");
    }

    #[test]
    fn all_programs_run_and_those_that_fail_are_named() {
        let program = |name: &str, executable: &str| Program {
            name: name.to_owned(),
            executable: PathBuf::from(executable),
            folder: PathBuf::from("/"),
        };
        let mut programs: Vec<Program> = (0..20).map(|k| program(&format!("good {k}"), "true")).collect();
        assert_eq!(run_all(&programs), Ok(()));
        programs.insert(0, program("bad first", "false"));
        programs.push(program("not there", "/no/such/program"));
        let told = run_all(&programs).unwrap_err();
        assert!(told.starts_with("2 of 22 programs failed: "), "{told}");
        assert!(told.contains("bad first") && told.contains("not there"), "{told}");
    }
}
