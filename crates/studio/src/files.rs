//! Which files may be read and written: those in one folder, and those that a scene names which the user has opened on the command line.

use crate::protocol::Refusal;
use freiraum_files as files;
use freiraum_files::Reach;
use freiraum_formats::scene::SceneFile;
use freiraum_scene::{Geometry, Scene, is_odd};
use freiraum_world::control::Programs;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Mesh files that may come from the browser.
const MESHES: [&str; 6] = ["stl", "obj", "off", "ply", "glb", "gltf"];

/// How deep folders are searched for scene files.
const DEPTH: usize = 3;

/// How many scene files are listed.
const MOST: usize = 500;

/// How many files and folders are looked at for that.
const MOST_LOOKS: usize = 20_000;

/// What the studio may touch. All paths are real ones: links are followed before they are compared.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    root: PathBuf,
    /// Folders and files beside it, for reading.
    readable: BTreeSet<PathBuf>,
    /// Programs that may be started: those that were trusted at the start, and those of our own examples.
    programs: Programs,
    /// Folders and files that messages may name, and what pages are told instead of them.
    hidden: BTreeMap<String, String>,
}

impl Files {
    /// A folder and all that is in it.
    pub(crate) fn of(root: &Path, programs: Programs) -> std::io::Result<Files> {
        let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
        let real = root.canonicalize()?;
        let mut files =
            Files { root: real.clone(), readable: BTreeSet::new(), programs, hidden: BTreeMap::new() };
        for folder in [Ok(real), std::path::absolute(root)].into_iter().flatten() {
            files.conceal(&folder);
        }
        Ok(files)
    }

    /// From now on nobody is told where this folder is.
    pub(crate) fn conceal(&mut self, folder: &Path) {
        self.hidden.insert(folder.display().to_string(), String::new());
    }

    /// Removes what leads to our folders from a sentence: files are named as seen from there.
    pub(crate) fn hide(&self, text: &mut String) {
        if !text.contains(std::path::MAIN_SEPARATOR) {
            return;
        }
        // What is deeper first: the folder of the scene may be in that of the examples.
        let mut places: Vec<(&String, &String)> =
            self.hidden.iter().filter(|(place, _)| place.len() > 1).collect();
        places.sort_by_key(|(place, _)| std::cmp::Reverse(place.len()));
        for (place, name) in places {
            *text = without(text, place, name);
        }
    }

    /// The same for all texts in this.
    pub(crate) fn hide_in(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.hide(text),
            Value::Array(list) => list.iter_mut().for_each(|value| self.hide_in(value)),
            Value::Object(map) => map.values_mut().for_each(|value| self.hide_in(value)),
            _ => {}
        }
    }

    /// A scene file as people see it from the folder: messages and reports then call it so.
    pub(crate) fn name(&self, file: &mut SceneFile) {
        let Some(path) = file.path() else { return };
        let alone = || path.file_name().map(|name| name.to_string_lossy().into_owned());
        if let Some(name) = self.shown(path).or_else(alone) {
            file.call(name);
        }
    }

    /// Programs that may be started.
    pub(crate) fn programs(&self) -> &Programs {
        &self.programs
    }

    /// Which files a text may name. Texts are read with it, so that nothing else is ever opened.
    pub(crate) fn reach(&self) -> Reach {
        Reach::within(self.readable.iter().cloned().chain([self.root.clone()]))
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A scene that the user has chosen, wherever a link leads to it, and the files that it names are readable, wherever they are.
    pub(crate) fn trust(&mut self, path: &Path, file: &SceneFile) {
        let meshes = file.scene().bodies.iter().filter_map(|body| match &body.geometry {
            Geometry::File { path, .. } => Some(path),
            Geometry::Shape(_) => None,
        });
        let named = meshes.chain(file.robot_files().iter().flatten()).chain(file.table_files());
        for path in named.map(PathBuf::as_path).chain([path]) {
            let Ok(real) = path.canonicalize() else { continue };
            if let Some(name) = real.file_name().filter(|_| !real.starts_with(&self.root)) {
                let name = name.to_string_lossy();
                for place in [Ok(real.clone()), std::path::absolute(path)].into_iter().flatten() {
                    self.hidden.insert(place.display().to_string(), name.clone().into_owned());
                }
            }
            self.readable.insert(real);
        }
    }

    /// Everything in the folder of an example of ours is readable, and its programs may run.
    pub(crate) fn trust_example(&mut self, folder: &Path, scene: &Scene) {
        self.conceal(folder);
        if let Ok(real) = folder.canonicalize() {
            self.conceal(&real);
        }
        self.readable.extend(folder.canonicalize());
        self.programs.extend(&Programs::of(scene));
    }

    fn is_readable(&self, real: &Path) -> bool {
        real.starts_with(&self.root) || self.readable.iter().any(|known| real.starts_with(known))
    }

    /// Refuses a scene that names a program which may not run, or a file which is not readable: a link may lead elsewhere since it was read.
    pub(crate) fn admit(&self, file: &SceneFile) -> Result<(), Refusal> {
        if let Some((vehicle, command)) = self.programs.refused(file.scene()) {
            let vehicle = &file.scene().world.vehicles[vehicle].name;
            let message = format!("{vehicle:?} wants to run a program that was not trusted: {command:?}");
            let help =
                "programs are trusted when the studio is started: freiraum studio SCENE, or with --trust";
            return Err(Refusal::new("trust", message).help(help));
        }
        // What is not there cannot be read.
        let is_outside = |path: &Path| path.canonicalize().is_ok_and(|real| !self.is_readable(&real));
        let refuse = |what: String| {
            let message = format!("{what} is outside the folder of the scene");
            Err(Refusal::new("path", message).help("copy it into the folder"))
        };
        for body in &file.scene().bodies {
            let Geometry::File { path, written, .. } = &body.geometry else { continue };
            if is_outside(path) {
                return refuse(format!("the mesh {written:?} of {:?}", body.name));
            }
        }
        for (robot, files) in file.scene().robots.iter().zip(file.robot_files()) {
            if let Some(path) = files.iter().find(|path| is_outside(path)) {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                return refuse(format!("the file {name:?} of the robot {:?}", robot.name));
            }
        }
        if let Some(path) = file.table_files().iter().find(|path| is_outside(path)) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            return refuse(format!("the table {name:?} of a sensor"));
        }
        Ok(())
    }

    /// Refuses to write a file that was ours when it was opened, if a link leads elsewhere by now, or if it
    /// is no regular file any more.
    pub(crate) fn still(&self, path: &Path) -> Result<(), Refusal> {
        let real = match (path.symlink_metadata(), path.parent(), path.file_name()) {
            (Ok(_), ..) => path.canonicalize(),
            // It was removed and will be there again.
            (Err(_), Some(folder), Some(name)) => real_folder(folder).map(|folder| folder.join(name)),
            _ => return Err(outside(&path.to_string_lossy())),
        };
        let shown = path.file_name().unwrap_or_default().to_string_lossy();
        let real = real.map_err(|e| {
            let refusal = Refusal::new("file", format!("cannot write {shown:?}: {e}"));
            refusal.help("its folder may have been moved; save it under another name")
        })?;
        if !self.is_readable(&real) {
            return Err(outside(&shown));
        }
        regular(&real, &shown)
    }

    /// The real folder that files may be added to, if it is ours.
    pub(crate) fn folder(&self, folder: &Path) -> Result<PathBuf, Refusal> {
        let real = real_folder(folder)
            .map_err(|e| Refusal::new("file", format!("the folder of the scene cannot be found: {e}")))?;
        if self.is_readable(&real) { Ok(real) } else { Err(outside("the folder of the scene")) }
    }

    /// A path below the folder, wherever its links lead: what leads elsewhere, and links that lead nowhere,
    /// which could be anywhere, are refused
    /// with the same words, so that the answer does not reveal what is there.
    fn inside(&self, name: &str) -> Result<PathBuf, Refusal> {
        let path = self.root.join(relative(name)?);
        let is_inside = Reach::within([self.root.clone()]).contains(&path);
        if is_inside { Ok(path) } else { Err(outside(name)) }
    }

    /// An existing file below the folder, named relative to it.
    pub(crate) fn existing(&self, name: &str) -> Result<PathBuf, Refusal> {
        let path = self.inside(name)?;
        let real =
            path.canonicalize().map_err(|e| Refusal::new("path", format!("cannot open {name:?}: {e}")))?;
        if real.starts_with(&self.root) && real.is_file() { Ok(real) } else { Err(outside(name)) }
    }

    /// A file to be written below the folder, which may or may not be there.
    pub(crate) fn writable(&self, name: &str) -> Result<PathBuf, Refusal> {
        let path = self.inside(name)?;
        let (Some(folder), Some(file)) = (path.parent(), path.file_name()) else { return Err(outside(name)) };
        let folder = folder.canonicalize().map_err(|e| {
            Refusal::new("path", format!("cannot write {name:?}: {e}")).help("make the folder first")
        })?;
        if name.chars().any(is_odd) {
            let message = format!("{name:?} has characters that are not shown; choose another name");
            return Err(Refusal::new("path", message));
        }
        if file.as_encoded_bytes().starts_with(b".") {
            return Err(Refusal::new("path", format!("{name:?} is hidden; choose another name")));
        }
        let path = folder.join(file);
        if self.programs.name_file(&path) {
            return Err(
                Refusal::new("path", format!("{name:?} belongs to a program")).help("choose another name")
            );
        }
        // Somebody may have put a link there since.
        if !Reach::within([self.root.clone()]).contains(&path) {
            return Err(outside(name));
        }
        regular(&path, name)?;
        Ok(path)
    }

    /// A path as seen from the folder, for people; `None` if it is outside.
    pub(crate) fn shown(&self, path: &Path) -> Option<String> {
        let real = path.canonicalize().ok()?;
        Some(real.strip_prefix(&self.root).ok()?.to_string_lossy().replace('\\', "/"))
    }

    /// The scene files in the folder and a few levels below, with `/` between names, sorted.
    pub(crate) fn scenes(&self) -> Vec<String> {
        let mut found = Vec::new();
        collect(&self.root, &self.root, DEPTH, &mut MOST_LOOKS.clone(), &mut found);
        found.sort();
        found
    }
}

fn collect(root: &Path, folder: &Path, depth: usize, looks: &mut usize, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
        let name = entry.file_name();
        let name = name.to_string_lossy();
        *looks = looks.saturating_sub(1);
        if *looks == 0 {
            return;
        }
        if found.len() >= MOST || name.starts_with('.') || kind.is_symlink() {
            continue;
        }
        if kind.is_dir() && depth > 0 && name != "target" && name != "node_modules" {
            collect(root, &path, depth - 1, looks, found);
        } else if kind.is_file() && path.extension().is_some_and(|e| e == "toml") && is_scene(&path) {
            found.extend(path.strip_prefix(root).ok().map(|p| p.to_string_lossy().replace('\\', "/")));
        }
    }
}

/// A text in which a place, and what follows the separator behind it, are named from there on. What only begins or ends like the place stays.
fn without(text: &str, place: &str, name: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(place) {
        let (before, after) = (&rest[..at], &rest[at + place.len()..]);
        out.push_str(before);
        let is_other = out.ends_with(is_name) || after.trim_start_matches('.').starts_with(is_name);
        match after.strip_prefix(std::path::MAIN_SEPARATOR) {
            _ if is_other => out.push_str(place),
            Some(inside) if name.is_empty() => {
                rest = inside;
                continue;
            }
            _ => out.push_str(if name.is_empty() { "the folder" } else { name }),
        }
        rest = after;
    }
    out + rest
}

fn real_folder(folder: &Path) -> std::io::Result<PathBuf> {
    if folder.as_os_str().is_empty() { Path::new(".").canonicalize() } else { folder.canonicalize() }
}

/// Whether a TOML file looks like a scene, by its beginning.
fn is_scene(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = files::open(path)
        .and_then(|file| std::io::Read::read_to_end(&mut std::io::Read::take(file, 1 << 16), &mut head));
    read.is_ok()
        && String::from_utf8_lossy(&head)
            .lines()
            .any(|line| ["[[body]]", "[[robot]]"].contains(&line.trim()) || line.starts_with("body"))
}

/// A path that neither starts at the top nor leads up.
fn relative(name: &str) -> Result<&Path, Refusal> {
    let path = Path::new(name);
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    // Backslashes lead up on other systems than this one.
    let is_odd = name.is_empty() || name.contains(['\0', '\\']) || name.ends_with('/');
    if is_plain && !is_odd { Ok(path) } else { Err(outside(name)) }
}

/// Refuses what is there and no regular file: whoever writes to a pipe waits until it is read.
fn regular(path: &Path, name: &str) -> Result<(), Refusal> {
    let Some(what) = files::special(path) else { return Ok(()) };
    let message = format!("cannot write {name:?}: it is not a regular file but {what}");
    Err(Refusal::new("path", message).help("choose another name, or remove it"))
}

fn outside(name: &str) -> Refusal {
    Refusal::new("path", format!("{name:?} is not a file in the folder of the scene"))
        .help("only files in the folder where the studio was started are opened and written")
}

/// The name of a mesh file that may be written into the folder of the scene.
pub(crate) fn mesh_name(name: &str) -> Result<&str, Refusal> {
    let bad = |why: &str| Err(Refusal::new("path", format!("{name:?}: {why}")));
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || " ._-+()".contains(c));
    if name.is_empty() || name.len() > 200 || name.starts_with(['.', '-', ' ']) || !is_plain {
        return bad("a plain file name is expected: letters, digits, blanks, . _ - +");
    }
    let extension = Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    if MESHES.contains(&extension.as_str()) {
        Ok(name)
    } else {
        bad("a mesh file is expected: .stl, .obj, .off, .ply, .glb")
    }
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn places_are_left_out_of_sentences_and_others_stay() {
        for (text, expected) in [
            ("looked for /a/b/c.stl and /a/b/d.stl", "looked for c.stl and d.stl"),
            ("/a/b: this is a folder", "the folder: this is a folder"),
            ("it is in /a/b.", "it is in the folder."),
            ("/a/bc/d /x/a/b/c /a/b.old/c", "/a/bc/d /x/a/b/c /a/b.old/c"),
            ("/a/b/../c", "../c"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(without(text, "/a/b", ""), expected);
        }
        assert_eq!(without("/a/b.stl: no mesh", "/a/b.stl", "b.stl"), "b.stl: no mesh");
    }
}
