//! The shapes of the bodies of a scene, each read and prepared once.

use crate::check::memory::CheckMemory;
use crate::check::shrinker::{Shrinker, Shrinkers};
use crate::stamp::Stamp;
use freiraum_formats::file;
use freiraum_formats::mesh::{self, MeshFileError, MeshFormat, ReadOptions};
use freiraum_geometry::{Pose, Shape, Unit};
use freiraum_motion::fit::Erode;
use freiraum_motion::fit::ShrinkError;
use freiraum_motion::{CancelToken, Movable};
use freiraum_query::Prepared;
use freiraum_scene::{Geometry, Place, Problem, Scene};
use rayon::prelude::*;
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

/// The shapes of the bodies of a scene: read and prepared when they are first asked for; bodies of the same file, and with equal shapes, share theirs.
#[derive(Clone)]
pub struct Parts {
    /// For every body the number of its shape.
    shape_of: Vec<usize>,
    shapes: Arc<[Arc<Source>]>,
}

/// Where a shape comes from, and what is known of it by now.
struct Source {
    geometry: Geometry,
    /// Declared a sheet: only the surface counts.
    is_sheet: bool,
    digest: OnceLock<Result<Digest, PartError>>,
    /// Of the bytes of the file.
    content: OnceLock<Digest>,
    /// Of the bytes of the other files that it refers to, as they were read.
    companions: OnceLock<Vec<(PathBuf, Digest)>>,
    movable: OnceLock<Result<Movable, PartError>>,
    /// The shape shrunk by what was asked for.
    shrinker: Shrinker,
}

/// More depths of a shape than this are not kept from scene to scene.
const MOST_SHRUNK: usize = 8;

/// Stands for the content of a shape: equal for equal content, different for different content.
pub type Digest = [u8; 32];

/// Why there is no such shape.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PartError {
    /// Its file cannot be read.
    #[error("{0}")]
    File(Arc<MeshFileError>),
    /// Its file was written while it was looked at.
    #[error("{}: the file changed while it was read; try again", .0.display())]
    Changed(PathBuf),
}

impl PartError {
    /// The same, of the body that a scene file names at this place; what to do about it apart.
    pub(crate) fn problem(&self, place: Place) -> Problem {
        let said = self.to_string();
        let PartError::File(error) = self else { return Problem::new(place, said) };
        let message = said.split("\n  help: ").next().unwrap_or(&said);
        let help = match error.advice() {
            "" => "look at the file with `freiraum mesh info`, and export it again",
            help => help,
        };
        Problem::new(place, message).help(help)
    }
}

/// What tells shapes apart without reading a file.
#[derive(PartialEq, Eq, Hash)]
enum Origin {
    /// A file, the symbol of the unit that it is read in, and whether it is a sheet.
    File(PathBuf, &'static str, bool),
    /// A shape with this content, and whether it is a sheet.
    Shape(Digest, bool),
}

impl Origin {
    fn of(geometry: &Geometry, is_sheet: bool) -> Origin {
        match geometry {
            Geometry::File { path, units, .. } => Origin::File(path.clone(), units.symbol(), is_sheet),
            Geometry::Shape(shape) => Origin::Shape(digest_shape(shape), is_sheet),
        }
    }
}

/// Whether a shape has no end: then what is drawn of it depends on where it stands, and no other body looks the same.
fn is_endless(geometry: &Geometry) -> bool {
    matches!(geometry, Geometry::Shape(shape) if shape.axis_box_placed(&Pose::IDENTITY).is_none())
}

impl Source {
    fn new(geometry: &Geometry, is_sheet: bool) -> Source {
        Source {
            geometry: geometry.clone(),
            is_sheet,
            digest: OnceLock::new(),
            content: OnceLock::new(),
            companions: OnceLock::new(),
            movable: OnceLock::new(),
            shrinker: Shrinker::default(),
        }
    }

    /// The shape; its file must have the digest, if there is one.
    fn loaded(&self, digest: Option<Digest>) -> Result<&Movable, PartError> {
        let prepared = |shape: Shape| {
            let prepared = Prepared::new(shape);
            Movable::from_prepared(if self.is_sheet { prepared.as_sheet() } else { prepared })
        };
        let found = self.movable.get_or_init(|| match &self.geometry {
            Geometry::Shape(shape) => Ok(prepared(shape.clone())),
            Geometry::File { path, units, .. } => {
                let options = ReadOptions { units: *units, ..ReadOptions::default() };
                let (mesh, mut read) = file::witnessed(|| mesh::read(path, &options));
                let mesh = mesh.map_err(|e| PartError::File(Arc::new(e)))?;
                let content = read.remove(path);
                let found = content.map(|content| digest_read(&content, path, *units));
                if digest.is_some() && found != digest {
                    return Err(PartError::Changed(path.clone()));
                }
                if let Some(content) = content
                    && *self.content.get_or_init(|| content) != content
                {
                    return Err(PartError::Changed(path.clone()));
                }
                let _ = self.companions.set(read.into_iter().collect());
                Ok(prepared(Shape::Mesh(Arc::new(mesh))))
            }
        });
        found.as_ref().map_err(Clone::clone)
    }

    fn digest_content(&self) -> Result<Digest, PartError> {
        Ok(digest_shape(self.loaded(None)?.prepared().shape()))
    }
}

impl Parts {
    /// Of all bodies of the scene; nothing is read yet.
    pub fn of(scene: &Scene) -> Parts {
        let mut known: HashMap<Origin, usize> = HashMap::new();
        let mut shapes = Vec::new();
        let mut shape_of = Vec::with_capacity(scene.bodies.len());
        for (number, body) in scene.bodies.iter().enumerate() {
            let is_sheet = scene.sheets.binary_search(&number).is_ok();
            let origin = Origin::of(&body.geometry, is_sheet);
            let new = shapes.len();
            let number = known.get(&origin).copied().filter(|_| !is_endless(&body.geometry)).unwrap_or(new);
            if number == new {
                shapes.push(Arc::new(Source::new(&body.geometry, is_sheet)));
                known.insert(origin, new);
            }
            shape_of.push(number);
        }
        Parts { shape_of, shapes: shapes.into() }
    }

    /// Of all bodies of a changed scene: what these parts know of shapes that are still there is kept. Files are taken to be as they were.
    #[must_use]
    pub fn renewed(&self, scene: &Scene) -> Parts {
        let mut new = Parts::of(scene);
        let known: HashMap<Origin, &Arc<Source>> =
            self.shapes.iter().map(|old| (Origin::of(&old.geometry, old.is_sheet), old)).collect();
        let mut shapes: Vec<Arc<Source>> = new.shapes.to_vec();
        for shape in &mut shapes {
            if let Some(known) = known.get(&Origin::of(&shape.geometry, shape.is_sheet)) {
                known.shrinker.keep_at_most(MOST_SHRUNK);
                *shape = (*known).clone();
            }
        }
        new.shapes = shapes.into();
        new
    }

    /// The number of the shape of a body: bodies with the same one look the same.
    pub fn shape_of(&self, body: usize) -> usize {
        self.shape_of[body]
    }

    /// The shape of a body, ready for questions about its motion.
    pub fn movable(&self, body: usize) -> Result<&Movable, PartError> {
        let source = &self.shapes[self.shape_of[body]];
        let digest = match &source.geometry {
            Geometry::Shape(_) => None,
            // Answers are remembered under the digest: it must be that of what is read, and so is taken first.
            Geometry::File { .. } => Some(self.digest_content_known(body, None)?),
        };
        source.loaded(digest)
    }

    /// Makes shrunk copies of the shape of a body, and keeps them.
    pub(crate) fn shrinker(&self, body: usize) -> &Shrinker {
        &self.shapes[self.shape_of[body]].shrinker
    }

    /// Why two bodies cannot be made smaller for an allowance in metres, so that a check goes without it; `None` if they can.
    pub fn why_not_smaller(&self, bodies: [usize; 2], allowance: f64) -> Option<ShrinkError> {
        let [Ok(a), Ok(b)] = bodies.map(|body| self.movable(body)) else { return None };
        Shrinkers(bodies.map(|body| self.shrinker(body))).pair([a, b], allowance, false).err()
    }

    /// Stands for the shape of a body, without preparing it.
    pub fn digest(&self, body: usize) -> Result<Digest, PartError> {
        self.digest_known(body, None)
    }

    /// As [`Parts::digest`]; with a memory and the time, a file that was not written since it was last read is not read again.
    fn digest_known(
        &self,
        body: usize,
        seen: Option<(&CheckMemory, SystemTime)>,
    ) -> Result<Digest, PartError> {
        let content = self.digest_content_known(body, seen)?;
        // Answers about a sheet are others than those about the solid.
        let as_sheet = || *blake3::Hasher::new().update(b"sheet").update(&content).finalize().as_bytes();
        Ok(if self.shapes[self.shape_of[body]].is_sheet { as_sheet() } else { content })
    }

    /// The same whether or not the body is declared a sheet.
    fn digest_content_known(
        &self,
        body: usize,
        seen: Option<(&CheckMemory, SystemTime)>,
    ) -> Result<Digest, PartError> {
        let source = &self.shapes[self.shape_of[body]];
        let found = source.digest.get_or_init(|| match &source.geometry {
            Geometry::Shape(shape) => Ok(digest_shape(shape)),
            Geometry::File { path, units, .. } => {
                let stamped = seen.and_then(|(memory, now)| {
                    let stamp = Stamp::of(path).filter(|stamp| stamp.is_settled(now))?;
                    Some((memory, digest_name(path, *units), stamp))
                });
                if let Some(known) = stamped.and_then(|(memory, name, stamp)| memory.file(&name, &stamp)) {
                    let content = *source.content.get_or_init(|| known);
                    return Ok(digest_read(&content, path, *units));
                }
                match names_others(path) {
                    Ok(false) => {
                        let Ok(content) = digest_bytes(path) else { return source.digest_content() };
                        if let Some((memory, name, stamp)) = stamped {
                            memory.set_file(name, stamp, content);
                        }
                        let content = *source.content.get_or_init(|| content);
                        Ok(digest_read(&content, path, *units))
                    }
                    // What other files say is in the shape only; and what cannot be read is said best by the reader of meshes.
                    _ => source.digest_content(),
                }
            }
        });
        found.clone()
    }

    /// BLAKE3 of the bytes of the file of a body, as it was read; `None` if the body is in no file of its own, or the file is gone.
    pub fn file_digest(&self, body: usize) -> Option<Digest> {
        let source = &self.shapes[self.shape_of[body]];
        let Geometry::File { path, .. } = &source.geometry else { return None };
        if let Some(known) = source.content.get() {
            return Some(*known);
        }
        let content = digest_bytes(path).ok()?;
        Some(*source.content.get_or_init(|| content))
    }

    /// The other files that the file of a body refers to, as glTF does, with BLAKE3 of their bytes, as they
    /// were read.
    pub(crate) fn companions(&self, body: usize) -> &[(PathBuf, Digest)] {
        self.shapes[self.shape_of[body]].companions.get().map_or(&[], Vec::as_slice)
    }

    /// Reads all shapes, in parallel; the files that could not be read.
    pub fn load(&self, scene: &Scene) -> Result<(), Vec<Problem>> {
        self.load_until(scene, &CancelToken::default())
    }

    /// As [`Parts::load`]; ends with a problem when the token is cancelled, which is asked between shapes.
    pub(crate) fn load_until(&self, scene: &Scene, cancel: &CancelToken) -> Result<(), Vec<Problem>> {
        self.each(scene, cancel, |body| self.movable(body).map(drop))
    }

    /// Reads the content of all files, in parallel, without preparing shapes; those that could not be read.
    pub fn load_digests(&self, scene: &Scene) -> Result<(), Vec<Problem>> {
        self.each(scene, &CancelToken::default(), |body| self.digest(body).map(drop))
    }

    /// As [`Parts::load_digests`] until the token is cancelled, but at the time `now` files that the memory
    /// has seen as they are now are not read.
    pub(crate) fn load_digests_known(
        &self,
        scene: &Scene,
        memory: &CheckMemory,
        now: Option<SystemTime>,
        cancel: &CancelToken,
    ) -> Result<(), Vec<Problem>> {
        self.each(scene, cancel, |body| self.digest_known(body, now.map(|now| (memory, now))).map(drop))
    }

    fn each(
        &self,
        scene: &Scene,
        cancel: &CancelToken,
        get: impl Fn(usize) -> Result<(), PartError> + Sync,
    ) -> Result<(), Vec<Problem>> {
        let load = |body: usize| match cancel.is_cancelled() {
            true => None,
            false => Some(get(body).err()?.problem(scene.bodies[body].place)),
        };
        let problems: Vec<Problem> = (0..scene.bodies.len()).into_par_iter().filter_map(load).collect();
        if cancel.is_cancelled() {
            return Err(vec![Problem::new(Place::default(), "the check was stopped")]);
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }
}

fn digest_shape(shape: &Shape) -> Digest {
    // The debugging text has all numbers to the last bit.
    *blake3::hash(format!("{shape:?}").as_bytes()).as_bytes()
}

/// Of the bytes of a file.
pub(crate) fn digest_bytes(path: &Path) -> std::io::Result<Digest> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file::open(path)?)?;
    Ok(*hasher.finalize().as_bytes())
}

/// Of the digest of the bytes of a file and of what decides how they are read.
fn digest_read(content: &Digest, path: &Path, units: Unit) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(content);
    let format = path.extension().unwrap_or_default().as_encoded_bytes();
    hasher.update(b"\0").update(format).update(b"\0").update(units.symbol().as_bytes());
    *hasher.finalize().as_bytes()
}

/// Stands for the place of a file and how it is read.
fn digest_name(path: &Path, units: Unit) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(units.symbol().as_bytes()).update(b"\0").update(path.as_os_str().as_encoded_bytes());
    *hasher.finalize().as_bytes()
}

/// Whether a mesh file may say that some of its content is in other files, which only glTF does.
fn names_others(path: &Path) -> Result<bool, MeshFileError> {
    Ok(match mesh::detect(path)? {
        MeshFormat::Gltf => true,
        MeshFormat::Glb => glb_names_others(path).unwrap_or(true),
        _ => false,
    })
}

fn glb_names_others(path: &Path) -> std::io::Result<bool> {
    let mut file = file::open(path)?;
    // Magic, version, length; then length and kind of the first chunk, which is JSON.
    let mut head = [0; 20];
    file.read_exact(&mut head)?;
    let length = u32::from_le_bytes([head[12], head[13], head[14], head[15]]);
    let mut text = Vec::new();
    file.take(u64::from(length)).read_to_end(&mut text)?;
    // A key may be written with escapes.
    Ok(text.contains(&b'\\') || text.windows(5).any(|word| word == b"\"uri\""))
}

#[cfg(test)]
mod tests;
