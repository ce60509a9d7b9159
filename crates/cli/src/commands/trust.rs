//! May a scene start the programs that it names? The user is asked once for each content.

use super::Failure;
use super::output::Console;
use freiraum::files;
use freiraum::files::LARGEST_TEXT;
use freiraum::formats::scene::SceneFile;
use freiraum::scene::Controller;
use freiraum::world::control::Programs;
use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// What an answer is remembered by begins with this.
const KIND: &[u8] = b"freiraum programs 2\0";

/// How many files and folders a remembered answer may stand for.
const MOST_FILES: usize = 10_000;

/// How many bytes all those files may have.
const MOST_BYTES: u64 = LARGEST_TEXT;

/// The programs that a scene may start: all that it names, if the user trusts them or has done so before, else an error.
///
/// The user says yes by `--trust`, for this time, or on the terminal; that is remembered for this content in this folder.
pub(super) fn allowed(scene: &SceneFile, is_trusted: bool, console: &Console) -> Result<Programs, Failure> {
    let programs = Programs::of(scene.scene());
    if programs.is_empty() || is_trusted {
        return Ok(programs);
    }
    let known = digest(scene, &programs).and_then(|digest| Some(place_for()?.join(digest)));
    if known.as_ref().is_some_and(|known| known.is_file()) {
        return Ok(programs);
    }
    let wanted = wanted(scene);
    let name = console.plain(scene.name());
    let is_asked = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if is_asked {
        let said = ask(&format!(
            "{name} wants to run:\n{}",
            wanted.iter().map(|line| format!("  {line}\n")).collect::<String>()
        ));
        if said {
            if let Some(known) = known {
                remember(&known, &format!("{}\n{}\n", scene.name(), wanted.join("\n")));
            }
            return Ok(programs);
        }
    }
    let what = wanted.join("; ");
    let how = if is_asked { "that was not allowed" } else { "there is no terminal to ask on" };
    let message = format!(
        "{name} wants to run: {what}; {how}. If you know what this does, say --trust, or run it on a terminal and answer y"
    );
    Err(Failure {
        place: vec![("programs", serde_json::json!(commands(scene)))],
        ..Failure::new("trust", message)
    })
}

fn commands(scene: &SceneFile) -> Vec<&[String]> {
    let vehicles = scene.scene().world.vehicles.iter();
    let command = |controller: &'_ Option<Controller>| matches!(controller, Some(Controller::Program { .. }));
    vehicles
        .filter(|vehicle| command(&vehicle.controller))
        .filter_map(|vehicle| match &vehicle.controller {
            Some(Controller::Program { command, .. }) => Some(command.as_slice()),
            _ => None,
        })
        .collect()
}

/// One line for each command, with the vehicles that it drives; nothing in it can move a cursor.
fn wanted(scene: &SceneFile) -> Vec<String> {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for vehicle in &scene.scene().world.vehicles {
        let Some(Controller::Program { command, .. }) = &vehicle.controller else { continue };
        // Quoted where a shell would need it, so that one word is not taken for two.
        let is_plain = |word: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=+:,@%".contains(c))
        };
        let words =
            command.iter().map(|word| if is_plain(word) { word.clone() } else { format!("{word:?}") });
        let line = words.collect::<Vec<_>>().join(" ");
        let name = format!("{:?}", vehicle.name);
        match lines.iter_mut().find(|(known, _)| *known == line) {
            Some((_, names)) => names.push(name),
            None => lines.push((line, vec![name])),
        }
    }
    lines.into_iter().map(|(line, names)| format!("{line} (drives {})", names.join(", "))).collect()
}

/// Asks on the terminal; only a clear yes is one.
fn ask(text: &str) -> bool {
    let mut out = std::io::stderr().lock();
    let asked = write!(out, "{text}Allow this, now and as long as nothing of it changes? [y/N] ")
        .and_then(|()| out.flush());
    let mut line = String::new();
    // More than a word is no answer.
    let read = std::io::Read::take(std::io::stdin().lock(), 256).read_line(&mut line);
    asked.is_ok() && read.is_ok() && ["y", "yes"].contains(&line.trim().to_lowercase().as_str())
}

/// Stands for the text of the scene, its commands with the folders that they run in, and the content of every
/// file and folder that a word
/// names, seen from there. What those files read in turn, and programs that the system finds by their name,
/// are not part of it. `None` if
/// something cannot be read, or is more than [`MOST_FILES`] or [`MOST_BYTES`]: then nothing is remembered.
fn digest(scene: &SceneFile, programs: &Programs) -> Option<String> {
    let mut content = Content::default();
    content.add(KIND);
    content.add(scene.text().as_bytes());
    for (command, folder) in programs.iter() {
        content.add(folder.as_os_str().as_encoded_bytes());
        content.add(&command.len().to_le_bytes());
        command.iter().for_each(|word| content.add(word.as_bytes()));
    }
    for path in programs.paths() {
        content.add_path(&path)?;
    }
    Some(content.hasher.finalize().to_hex().to_string())
}

/// What a digest is made of, read once each.
#[derive(Default)]
struct Content {
    hasher: blake3::Hasher,
    seen: BTreeSet<PathBuf>,
    bytes: u64,
}

impl Content {
    /// Adds some bytes, so that they cannot be taken for those before or after.
    fn add(&mut self, bytes: &[u8]) {
        self.hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    }

    /// Adds a file, or all that is in a folder, with its name; `None` if that cannot be read or is too much.
    fn add_path(&mut self, path: &Path) -> Option<()> {
        self.add(path.as_os_str().as_encoded_bytes());
        let real = path.canonicalize().ok()?;
        // Also ends links that lead back.
        if !self.seen.insert(real.clone()) {
            return Some(());
        }
        if self.seen.len() > MOST_FILES {
            return None;
        }
        if !real.is_dir() {
            let bytes = files::read(&real, MOST_BYTES - self.bytes).ok()?;
            self.bytes += bytes.len() as u64;
            self.add(&bytes);
            return Some(());
        }
        let entries: std::io::Result<BTreeSet<PathBuf>> =
            std::fs::read_dir(&real).ok()?.take(MOST_FILES + 1).map(|entry| Ok(entry?.path())).collect();
        entries.ok()?.iter().try_for_each(|entry| self.add_path(entry))
    }
}

/// Where answers are remembered.
fn place_for() -> Option<PathBuf> {
    Some(files::cache_folder()?.join("trusted"))
}

/// Keeps a yes; what cannot be kept is asked again.
fn remember(path: &Path, text: &str) {
    if let Some(folder) = path.parent() {
        let _ = std::fs::create_dir_all(folder);
    }
    let _ = files::write_regular(path, text);
}
