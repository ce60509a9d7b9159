//! A scene file: its text and the scene that it says.

use super::errors::SceneErrors;
use super::place::Lines;
use super::read;
use super::read::robot::Models;
use freiraum_files as files;
use freiraum_files::{Digests, LARGEST_TEXT, Reach, SaveError, save, save_regular};
use freiraum_mesh_io::MeshFormat;
use freiraum_scene::{Place, Scene};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A scene file: the text, and the scene that it says; both always agree.
#[derive(Clone, Debug)]
pub struct SceneFile {
    pub(super) text: String,
    pub(super) scene: Scene,
    pub(super) title: Option<String>,
    pub(super) notes: Vec<String>,
    /// Where it is read from and saved to; `None` for a text.
    path: Option<PathBuf>,
    /// Mesh files are relative to it.
    folder: PathBuf,
    /// For messages.
    name: String,
    /// Robots that need not be read again when the text changes.
    pub(super) models: Models,
    /// The files that each robot was read from.
    pub(super) robot_files: Vec<Vec<PathBuf>>,
    /// Where the text says where bodies are, looked up when it is first asked.
    places: read::Places,
    /// The tables of lasers that sensors name.
    table_files: Vec<PathBuf>,
    /// Digests of the files of robots and of tables, of what was read.
    digests: Digests,
    /// Which files the text may name.
    reach: Reach,
}

impl SceneFile {
    /// Reads a file. Mesh files are looked for beside it, but not read.
    pub fn read(path: impl AsRef<Path>) -> Result<SceneFile, SceneErrors> {
        SceneFile::read_within(path, &Reach::everything())
    }

    /// The same for a file that may name only what the reach contains; so may all texts that it gets later. Nothing else is opened or
    /// looked at. **Errors.** Also files that it may not name, of [`ProblemKind::Outside`](freiraum_scene::ProblemKind::Outside).
    pub fn read_within(path: impl AsRef<Path>, reach: &Reach) -> Result<SceneFile, SceneErrors> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let error = |message: String, help: &str| SceneErrors::of_file(&name, message, help);
        let bytes = files::read(path, LARGEST_TEXT).map_err(|e| match e.kind() {
            ErrorKind::IsADirectory => error("this is a folder".to_owned(), "name the scene file in it"),
            ErrorKind::InvalidInput => error(e.to_string(), "name a scene file"),
            ErrorKind::FileTooLarge => error(e.to_string(), "put meshes into files of their own"),
            ErrorKind::NotFound => {
                error(format!("cannot read the file: {e}"), "check the name and the folder")
            }
            _ => error(format!("cannot read the file: {e}"), ""),
        })?;
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        if MeshFormat::of_extension(extension).is_some() {
            let help = "a scene file is TOML; `freiraum mesh info` looks at meshes";
            return Err(error("this is a mesh file, not a scene file".to_owned(), help));
        }
        let text = String::from_utf8(bytes).map_err(|e| {
            let at = e.utf8_error().valid_up_to();
            let line = 1 + e.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
            error(format!("line {line} is no valid UTF-8"), "save it as UTF-8; a scene file is TOML, a text")
        })?;
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let mut file = SceneFile::parse_within(text, &folder, name, reach)?;
        file.path = Some(path.to_path_buf());
        Ok(file)
    }

    /// Reads a text; mesh files are looked for in `folder`, and messages call it `name`.
    pub fn parse(
        text: impl Into<String>,
        folder: &Path,
        name: impl Into<String>,
    ) -> Result<SceneFile, SceneErrors> {
        SceneFile::parse_within(text, folder, name, &Reach::everything())
    }

    /// The same for a text that may name only what the reach contains: as [`SceneFile::read_within`].
    pub fn parse_within(
        text: impl Into<String>,
        folder: &Path,
        name: impl Into<String>,
        reach: &Reach,
    ) -> Result<SceneFile, SceneErrors> {
        let (text, name) = (text.into(), name.into());
        if text.len() as u64 > LARGEST_TEXT {
            let message = format!("the text is larger than {} MiB", LARGEST_TEXT >> 20);
            return Err(SceneErrors::of_file(&name, message, "put meshes into files of their own"));
        }
        let (mut models, folder) = (Models::default(), reach.folder(folder));
        match read::scene(&text, &folder, reach, &mut models) {
            Ok(read::Reading { scene, title, robot_files, table_files, digests, notes }) => {
                let (path, reach) = (None, reach.clone());
                let places = read::Places::default();
                Ok(SceneFile {
                    text,
                    scene,
                    title,
                    notes,
                    path,
                    folder,
                    name,
                    models,
                    robot_files,
                    table_files,
                    digests,
                    reach,
                    places,
                })
            }
            Err(problems) => Err(SceneErrors::new(name, text, problems)),
        }
    }

    /// The scene that the text says.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The `name` of the scene, if the file has one.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What was passed over or taken otherwise in files of robots, for people.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What messages call the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// From now on messages call it so, until it is saved under another name.
    pub fn call(&mut self, name: impl Into<String>) {
        self.name = name.into();
    }

    /// Where it was read from or saved to.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The tables of lasers that sensors were read from.
    pub fn table_files(&self) -> &[PathBuf] {
        &self.table_files
    }

    /// BLAKE3 of the bytes of a file of a robot or of a table of lasers, as they were when it was read;
    /// `None` for others.
    pub fn digest(&self, path: &Path) -> Option<[u8; 32]> {
        self.digests.get(path).copied()
    }

    /// From now on its text may name only what the reach contains.
    pub fn confine(&mut self, reach: &Reach) {
        self.reach = reach.clone();
        self.folder = reach.folder(&self.folder);
    }

    /// The folder that mesh files are relative to.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Saves it where it was read from, in one go: see [`SceneFile::save_as`].
    pub fn save(&self) -> Result<(), SceneErrors> {
        match &self.path {
            Some(path) => self.write(path),
            None => {
                let message = "the scene has no file yet".to_owned();
                Err(SceneErrors::of_file(&self.name, message, "say where to save it"))
            }
        }
    }

    /// Saves it to a file, which is its own from now on.
    ///
    /// The file appears complete or not at all: at every moment, also if the process is killed or the disk is full, `path` holds the
    /// whole old file or the whole new one. Links are followed, permissions are kept. In another folder the paths of mesh files are changed to lead to
    /// the same files. Of a [confined](SceneFile::confine) scene only a regular file is replaced: pipes and
    /// devices are refused.
    pub fn save_as(&mut self, path: impl AsRef<Path>) -> Result<(), SceneErrors> {
        let path = path.as_ref();
        let folder = path.parent().unwrap_or(Path::new(""));
        let is_elsewhere = folder.canonicalize().ok() != self.folder.canonicalize().ok();
        let text = if is_elsewhere { self.text_in(folder) } else { self.text.clone() };
        let mut moved =
            SceneFile::parse_within(text.as_str(), folder, path.display().to_string(), &self.reach)?;
        moved.write(path)?;
        moved.path = Some(path.to_path_buf());
        *self = moved;
        Ok(())
    }

    fn write(&self, path: &Path) -> Result<(), SceneErrors> {
        let fill = |mut file: std::fs::File| {
            std::io::Write::write_all(&mut file, self.text.as_bytes())?;
            Ok(file)
        };
        let name = path.display().to_string();
        let saved = if self.reach.is_confined() { save_regular(path, fill) } else { save(path, fill) };
        saved.map_err(|error| match error {
            SaveError::Io(doing, e) => {
                SceneErrors::of_file(&name, format!("cannot {doing}: {e}"), "the older file is as it was")
            }
            SaveError::Special(what) => {
                let message = format!("cannot write the file: it is not a regular file but {what}");
                SceneErrors::of_file(&name, message, "choose another name, or remove it")
            }
            SaveError::ReadOnly => {
                let message = "the older file of this name is read-only".to_owned();
                SceneErrors::of_file(&name, message, "choose another name, or make it writable")
            }
            other => {
                SceneErrors::of_file(&name, format!("cannot write the file: {other}"), "choose another name")
            }
        })
    }

    /// Takes a new text, if that is a scene; else it stays as it was.
    pub fn replace_text(&mut self, text: String) -> Result<(), SceneErrors> {
        match read::scene(&text, &self.folder, &self.reach, &mut self.models) {
            Ok(read::Reading { scene, title, robot_files, table_files, digests, notes }) => {
                (self.text, self.scene, self.title, self.notes) = (text, scene, title, notes);
                self.places = read::Places::default();
                (self.robot_files, self.table_files, self.digests) = (robot_files, table_files, digests);
                Ok(())
            }
            Err(problems) => Err(SceneErrors::new(self.name.as_str(), text, problems)),
        }
    }

    /// Where the text says where bodies are at the start: in the first state, in their `pose`, else where they are named.
    ///
    /// **Cost.** The text is read again when this is first asked after a change, and then no more.
    pub fn start_places(&self, bodies: &[usize]) -> Vec<Place> {
        let found = |body: usize| self.places.start(&self.text, body).or_else(|| self.place(body));
        bodies.iter().map(|body| found(*body).unwrap_or_default()).collect()
    }

    /// Where the text says where bodies should be in the end; else where it says what they are.
    ///
    /// **Cost.** As [`SceneFile::start_places`].
    pub fn goal_places(&self, bodies: &[usize]) -> Vec<Place> {
        let found = |body: usize| self.places.goal(&self.text, body).or_else(|| self.place(body));
        bodies.iter().map(|body| found(*body).unwrap_or_default()).collect()
    }

    /// Lines and columns of the text.
    pub fn lines(&self) -> Lines<'_> {
        Lines::of(&self.text)
    }

    fn place(&self, body: usize) -> Option<Place> {
        self.scene.bodies.get(body).map(|body| body.place)
    }

    /// Problems that were found in the scene later, with the text that they speak of.
    pub fn errors(&self, problems: Vec<freiraum_scene::Problem>) -> SceneErrors {
        SceneErrors::new(self.name.as_str(), self.text.as_str(), problems)
    }
}
