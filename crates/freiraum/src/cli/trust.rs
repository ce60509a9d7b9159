//! May a scene start the programs that it names? The user is asked once for each content.

use super::output::Console;
use super::{Failure, cache};
use freiraum::formats::file::{self, LARGEST_TEXT};
use freiraum::formats::scene::SceneFile;
use freiraum::scene::Controller;
use freiraum::world::control::Programs;
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// What an answer is remembered by begins with this.
const KIND: &[u8] = b"freiraum programs 1\0";

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

/// Stands for the text of the scene, its folder, and every file that a word of its commands names, seen from there. What those files read in
/// turn, and programs that the system finds by their name, are not part of it. `None` if one of the files cannot be read: then nothing is remembered.
fn digest(scene: &SceneFile, programs: &Programs) -> Option<String> {
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    };
    add(KIND);
    add(scene.text().as_bytes());
    for (command, folder) in programs.iter() {
        add(folder.as_os_str().as_encoded_bytes());
        for word in command {
            add(word.as_bytes());
            let path = folder.join(word);
            if !word.is_empty() && path.exists() && !path.is_dir() {
                add(&file::read(&path, LARGEST_TEXT).ok()?);
            }
        }
    }
    Some(hasher.finalize().to_hex().to_string())
}

/// Where answers are remembered.
fn place_for() -> Option<PathBuf> {
    Some(cache::folder()?.join("trusted"))
}

/// Keeps a yes; what cannot be kept is asked again.
fn remember(path: &Path, text: &str) {
    if let Some(folder) = path.parent() {
        let _ = std::fs::create_dir_all(folder);
    }
    let _ = file::write(path, text);
}
