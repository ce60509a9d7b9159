//! `cargo xtask freeze`: many commands of `freiraum` over `examples/`, compared with what they answered before.
//!
//! `freeze/commands.txt` lists the commands, `freeze/expected/NAME.txt` holds what each has to answer.

mod case;
mod diff;
mod mask;
mod table;
mod text;

use crate::{programs, steps};
use case::Surroundings;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;
use table::Case;

/// More commands at a time than this gain nothing: most of them use all processors themselves.
const MOST_AT_A_TIME: usize = 4;

/// What is asked of a run.
#[derive(Debug, Default, PartialEq)]
struct Options<'a> {
    /// Only the commands whose names contain this.
    name: Option<&'a str>,
    /// What is found becomes what is expected.
    accept: bool,
    /// The program that is run; otherwise it is built.
    program: Option<&'a str>,
    /// Worker threads of each command; otherwise each takes its default.
    threads: Option<usize>,
}

impl Options<'_> {
    fn parse<'a>(arguments: &[&'a str]) -> Result<Options<'a>, String> {
        let mut options = Options::default();
        let mut rest = arguments.iter();
        while let Some(&argument) = rest.next() {
            match argument {
                "--accept" => options.accept = true,
                "--program" => options.program = Some(rest.next().ok_or("--program needs a path")?),
                "--threads" => {
                    let count = rest.next().and_then(|text| text.parse().ok()).filter(|n| *n > 0);
                    options.threads = Some(count.ok_or("--threads needs a number from 1")?);
                }
                name if !name.starts_with('-') && options.name.is_none() => options.name = Some(name),
                other => return Err(format!("freeze: unexpected argument {other:?}")),
            }
        }
        Ok(options)
    }
}

/// Runs the commands and compares their answers with those that are expected, or records them.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let program = options
        .program
        .map(|path| std::path::absolute(path).map_err(|e| format!("{path}: {e}")))
        .transpose()?;
    run_with(&options, program)
}

/// Runs all commands with a program that is built already, or else builds it.
pub(crate) fn run_all_with(program: Option<&Path>) -> Result<(), String> {
    run_with(&Options::default(), program.map(Path::to_path_buf))
}

fn run_with(options: &Options<'_>, program: Option<PathBuf>) -> Result<(), String> {
    let root = steps::root();
    let all = table::read(&root.join("freeze/commands.txt"))?;
    let mut cases: Vec<&Case> =
        all.iter().filter(|case| options.name.is_none_or(|name| case.name.contains(name))).collect();
    if cases.is_empty() {
        let name = options.name.unwrap_or_default();
        return Err(format!("freeze/commands.txt has no command whose name contains {name:?}"));
    }
    cases.retain(|case| {
        let missing = case.needs.as_ref().filter(|needed| !is_there(needed));
        if let Some(missing) = missing {
            eprintln!("SKIPPED: {} needs {missing}", case.name);
        }
        missing.is_none()
    });
    let program = program.map_or_else(|| build(&root), Ok)?;
    let surroundings = Surroundings::new(&root, &program, options.threads)?;
    let start = Instant::now();
    let found = run_all(&cases, &surroundings)?;
    let expected = root.join("freeze/expected");
    let mut told = Told::default();
    for (case, text) in cases.iter().zip(&found) {
        told.compare(case, text, &expected, &surroundings, options.accept)?;
    }
    told.leftovers(&all, &expected, options.accept)?;
    eprintln!("{} commands in {} groups, {:.0} s", runs(&cases), cases.len(), start.elapsed().as_secs_f64());
    told.end(options)
}

/// Whether a program of the system can be started.
fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// How often the program is run.
fn runs(cases: &[&Case]) -> usize {
    cases.iter().map(|case| case.runs.len()).sum()
}

/// Builds the program that is called `freiraum`, whichever package has it.
fn build(root: &Path) -> Result<PathBuf, String> {
    let [_, _, which @ ..] = programs::TEST;
    let text = programs::messages(root, &[&["cargo", "build"], &which[..], &["--bin", "freiraum"]].concat())?;
    let built = text.lines().find_map(|line| programs::executable(line, "freiraum"));
    built.ok_or_else(|| "cargo tells of no program that is called freiraum".to_owned())
}

/// What all cases answered, in their order.
fn run_all(cases: &[&Case], surroundings: &Surroundings) -> Result<Vec<String>, String> {
    let at_a_time = thread::available_parallelism().map_or(1, |n| n.get().min(MOST_AT_A_TIME));
    let next = AtomicUsize::new(0);
    let found: Vec<Mutex<Option<Result<String, String>>>> = cases.iter().map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        for _ in 0..at_a_time {
            scope.spawn(|| {
                while let Some(k) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|k| *k < cases.len()) {
                    let answer = surroundings.answer(cases[k]);
                    *found[k].lock().expect("nobody panics here") = Some(answer);
                }
            });
        }
    });
    let of = |(case, one): (&&Case, Mutex<Option<Result<String, String>>>)| {
        let answer = one.into_inner().expect("nobody panics here");
        answer.unwrap_or_else(|| Err("was not run".to_owned())).map_err(|e| format!("{}: {e}", case.name))
    };
    cases.iter().zip(found).map(of).collect()
}

/// What differs, and what was recorded.
#[derive(Default)]
struct Told {
    differing: Vec<String>,
    recorded: usize,
}

impl Told {
    fn compare(
        &mut self,
        case: &Case,
        found: &str,
        expected: &Path,
        surroundings: &Surroundings,
        accept: bool,
    ) -> Result<(), String> {
        let file = expected.join(format!("{}.txt", case.name));
        let known = std::fs::read_to_string(&file).ok();
        if known.as_deref() == Some(found) {
            surroundings.remove(case);
            return Ok(());
        }
        if accept {
            std::fs::create_dir_all(expected).map_err(|e| format!("{}: {e}", expected.display()))?;
            std::fs::write(&file, found).map_err(|e| format!("{}: {e}", file.display()))?;
            eprintln!("recorded {}", case.name);
            self.recorded += 1;
            surroundings.remove(case);
            return Ok(());
        }
        let place = surroundings.keep(case, found)?;
        let mut told = format!("differs: {}\n", case.name);
        match known {
            None => {
                told.push_str("  nothing is expected of it yet: `cargo xtask freeze --accept` records it\n")
            }
            Some(known) => {
                told.push_str(&diff::first_differences(&known, found));
                let _ =
                    writeln!(told, "  all of it: diff freeze/expected/{}.txt {}", case.name, place.display());
            }
        }
        eprint!("{told}");
        self.differing.push(case.name.clone());
        Ok(())
    }

    /// Expectations of commands that are gone.
    fn leftovers(&mut self, all: &[Case], expected: &Path, accept: bool) -> Result<(), String> {
        let names: BTreeSet<String> = all.iter().map(|case| format!("{}.txt", case.name)).collect();
        let Ok(files) = std::fs::read_dir(expected) else { return Ok(()) };
        let mut gone: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
        gone.retain(|file| file.file_name().is_some_and(|name| !names.contains(&*name.to_string_lossy())));
        gone.sort();
        for file in gone {
            if accept {
                std::fs::remove_file(&file).map_err(|e| format!("{}: {e}", file.display()))?;
                eprintln!("removed {}", file.display());
                self.recorded += 1;
            } else {
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                eprintln!("differs: freeze/expected/{name} belongs to no command in freeze/commands.txt");
                self.differing.push(name);
            }
        }
        Ok(())
    }

    fn end(&self, options: &Options<'_>) -> Result<(), String> {
        if options.accept {
            eprintln!("{} recorded; look at them with `git diff freeze`", self.recorded);
        }
        if self.differing.is_empty() {
            return Ok(());
        }
        Err(format!(
            "{} differ: {}\nAn intended change is recorded by `cargo xtask freeze --accept`; the commit says why",
            self.differing.len(),
            self.differing.join(", ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let wanted = Options { name: Some("check"), accept: true, program: Some("/p"), threads: Some(3) };
        let given = ["--accept", "check", "--program", "/p", "--threads", "3"];
        assert_eq!(Options::parse(&given), Ok(wanted));
        assert_eq!(Options::parse(&[]), Ok(Options::default()));
        for wrong in [&["--program"][..], &["--threads", "0"], &["a", "b"], &["--acept"]] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    /// The table of this repository is read, and everything in it is recorded.
    #[test]
    fn the_table_and_the_expectations_agree() {
        let root = steps::root();
        let all = table::read(&root.join("freeze/commands.txt")).unwrap();
        for case in &all {
            let file = root.join(format!("freeze/expected/{}.txt", case.name));
            assert!(file.is_file(), "{} is missing", file.display());
        }
        assert!(runs(&all.iter().collect::<Vec<_>>()) >= 100);
    }
}
