//! Runs one group of commands in a folder of its own, and writes down what came of it.

use super::table::{Case, Run};
use super::{mask, text};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than this no command takes, not even in a slow machine.
const LONGEST_RUN: Duration = Duration::from_secs(300);

/// These files are kept in full, however long they are.
const IN_FULL: [&str; 2] = ["report.json", ".toml"];

/// What is written by the program for itself: of no interest.
const OWN: [&str; 3] = ["home", "cache", "temporary"];

/// What all cases have in common.
pub(super) struct Surroundings {
    program: PathBuf,
    threads: Option<usize>,
    /// The files that each case starts with, and their hashes.
    files: BTreeMap<String, (PathBuf, String)>,
    /// Where each case has a folder of its own.
    runs: PathBuf,
    /// Where what differs is left.
    found: PathBuf,
}

impl Surroundings {
    pub(super) fn new(root: &Path, program: &Path, threads: Option<usize>) -> Result<Surroundings, String> {
        if !program.is_file() {
            return Err(format!("{} is no program", program.display()));
        }
        let scratch = root.join("target/freeze");
        let (runs, found) = (scratch.join("runs"), scratch.join("found"));
        for folder in [&runs, &found] {
            let _ = std::fs::remove_dir_all(folder);
            std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        let mut files = files_below(&root.join("examples"))?;
        for (name, path) in files_below(&root.join("freeze/input"))? {
            files.insert(format!("input/{name}"), path);
        }
        let hashed = |(name, path): (String, PathBuf)| {
            let hash = text::hash(&read(&path)?);
            Ok((name, (path, hash)))
        };
        let files = files.into_iter().map(hashed).collect::<Result<_, String>>()?;
        Ok(Surroundings { program: program.to_owned(), threads, files, runs, found })
    }

    /// What the runs of a case answer.
    pub(super) fn answer(&self, case: &Case) -> Result<String, String> {
        let folder = self.runs.join(&case.name);
        for (name, (from, _)) in &self.files {
            let to = folder.join(name);
            let parent = to.parent().unwrap_or(&folder);
            std::fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
            std::fs::copy(from, &to).map_err(|e| format!("{}: {e}", to.display()))?;
        }
        for own in OWN {
            std::fs::create_dir_all(folder.join(own)).map_err(|e| format!("{own}: {e}"))?;
        }
        let mut out = String::new();
        for run in &case.runs {
            self.run(run, &folder, &mut out)?;
        }
        self.files(&folder, &mut out)?;
        Ok(out)
    }

    fn run(&self, run: &Run, folder: &Path, out: &mut String) -> Result<(), String> {
        let own = |name: &str| folder.join(name);
        let (said, complained) = (own("temporary/stdout"), own("temporary/stderr"));
        let create = |path: &Path| File::create(path).map_err(|e| format!("{}: {e}", path.display()));
        let mut command = Command::new(&self.program);
        command.args(&run.arguments).current_dir(folder).env_clear();
        // Drivers of vehicles are programs of the system.
        for name in ["PATH", "SYSTEMROOT"] {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        command.envs([
            ("NO_COLOR", "1"),
            ("TERM", "dumb"),
            ("LC_ALL", "C"),
            ("PYTHONDONTWRITEBYTECODE", "1"),
        ]);
        command.envs([("HOME", own("home")), ("XDG_CACHE_HOME", own("cache")), ("TMPDIR", own("temporary"))]);
        command.envs(self.threads.map(|count| ("RAYON_NUM_THREADS", count.to_string())));
        match &run.input {
            None => command.stdin(Stdio::null()),
            Some(name) => command.stdin(File::open(folder.join(name)).map_err(|e| format!("{name}: {e}"))?),
        };
        command.stdout(create(&said)?).stderr(create(&complained)?);
        let status = ended(&mut command)?;
        let _ = writeln!(out, "$ freiraum {}", run.line);
        let code = status.code().map_or_else(|| status.to_string(), |code| code.to_string());
        let _ = writeln!(out, "exit code: {code}");
        for (name, file) in [("stdout", said), ("stderr", complained)] {
            let bytes = read(&file)?;
            if !bytes.is_empty() {
                let _ = writeln!(out, "--- {name}");
                out.push_str(&told(&bytes, folder, text::LONGEST));
            }
        }
        out.push('\n');
        Ok(())
    }

    /// What is new in the folder, or not as it was.
    fn files(&self, folder: &Path, out: &mut String) -> Result<(), String> {
        let mut now = files_below(folder)?;
        now.retain(|name, _| !OWN.iter().any(|own| name.starts_with(&format!("{own}/"))));
        for (name, path) in &now {
            let bytes = read(path)?;
            let what = match self.files.get(name) {
                Some((_, hash)) if *hash == text::hash(&bytes) => continue,
                Some(_) => "changed",
                None => "written",
            };
            let _ = writeln!(out, "--- {what}: {name}");
            let is_full = IN_FULL.iter().any(|end| name.ends_with(end));
            // Drawings are pictures: nobody reads their numbers.
            let longest = if is_full {
                usize::MAX
            } else if is_picture(name) {
                0
            } else {
                text::LONGEST
            };
            out.push_str(&told(&bytes, folder, longest));
        }
        for name in self.files.keys().filter(|name| !now.contains_key(*name)) {
            let _ = writeln!(out, "--- gone: {name}");
        }
        Ok(())
    }

    /// Leaves what was found, and the folder of the case, for people to look at.
    pub(super) fn keep(&self, case: &Case, found: &str) -> Result<PathBuf, String> {
        let file = self.found.join(format!("{}.txt", case.name));
        std::fs::write(&file, found).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(file)
    }

    /// Removes the folder of a case.
    pub(super) fn remove(&self, case: &Case) {
        let _ = std::fs::remove_dir_all(self.runs.join(&case.name));
    }
}

fn is_picture(name: &str) -> bool {
    [".svg", ".html"].iter().any(|end| name.ends_with(end))
}

/// Text with what differs from run to run masked, and shortened; of everything else the length and a hash.
fn told(bytes: &[u8], folder: &Path, longest: usize) -> String {
    match std::str::from_utf8(bytes) {
        Ok(said) if !said.contains('\0') => {
            let masked = text::broken(&mask::mask(said, &folder.to_string_lossy()));
            if longest > 0 {
                return text::short(&masked, longest);
            }
            format!(
                "{} lines, {} bytes: {}\n",
                masked.lines().count(),
                masked.len(),
                text::hash(masked.as_bytes())
            )
        }
        _ => format!("{} bytes: {}\n", bytes.len(), text::hash(bytes)),
    }
}

/// Runs a command to its end, or ends it when it takes too long.
fn ended(command: &mut Command) -> Result<ExitStatus, String> {
    let mut child = command.spawn().map_err(|e| format!("cannot start: {e}"))?;
    let start = Instant::now();
    let mut pause = Duration::from_millis(2);
    loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            return Ok(status);
        }
        if start.elapsed() > LONGEST_RUN {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("was ended after {} s", LONGEST_RUN.as_secs()));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))
}

/// All files below a folder, by their paths from there.
fn files_below(folder: &Path) -> Result<BTreeMap<String, PathBuf>, String> {
    let mut files = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        let entries = std::fs::read_dir(&next).map_err(|e| format!("{}: {e}", next.display()))?;
        for entry in entries {
            let path = entry.map_err(|e| format!("{}: {e}", next.display()))?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                files.insert(name, path);
            }
        }
    }
    Ok(files)
}
