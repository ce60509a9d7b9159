//! The shapes of the bodies of a scene, each loaded and prepared once.

use crate::digest::{Digest, digest_bytes, digest_name, digest_read, digest_shape};
use crate::file_digests::FileDigests;
use freiraum_files::{self as files, Stamp};
use freiraum_geometry::{Pose, Shape};
use freiraum_mesh_io as mesh_io;
use freiraum_mesh_io::{CachedMeshError, MeshFileCache, MeshFileError, MeshFormat, Reading};
use freiraum_motion::fit::{ErosionCache, ShrinkError};
use freiraum_motion::{CancelToken, Movable};
use freiraum_query::Prepared;
use freiraum_scene::{Body, Geometry, Place, Problem, Scene};
use rayon::prelude::*;
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

/// The shapes of the bodies of a scene: read and prepared when they are first asked for; bodies of the same file, and with equal shapes, share theirs.
#[derive(Clone)]
pub struct ShapeCache {
    /// For every body the number of its shape.
    shape_of: Vec<usize>,
    shapes: Arc<[Arc<Source>]>,
    /// The mesh files of them that were read.
    files: MeshFileCache,
    /// The shapes eroded by what was asked for.
    erosion: ErosionCache,
}

/// Where a shape comes from, and what is known of it by now.
struct Source {
    geometry: Geometry,
    /// Declared a sheet: only the surface counts.
    is_sheet: bool,
    digest: OnceLock<Result<Digest, LoadError>>,
    /// Of the bytes of the file.
    content: OnceLock<Digest>,
    /// Of the bytes of the other files that it refers to, as they were read.
    companions: OnceLock<Vec<(PathBuf, Digest)>>,
    movable: OnceLock<Result<Movable, LoadError>>,
}

/// From scene to scene at most this many eroded bodies are kept per shape.
const MOST_ERODED: usize = 8;

/// Why there is no such shape.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Its file cannot be read.
    #[error("{0}")]
    File(Arc<MeshFileError>),
    /// Its file was written while it was read.
    #[error("{}: the file changed while it was read; try again", .0.display())]
    Changed(PathBuf),
}

impl LoadError {
    fn of(error: CachedMeshError, path: &Path) -> LoadError {
        match error {
            CachedMeshError::File(error) => LoadError::File(Arc::new(error)),
            // A mesh that is not scaled fails as a file only.
            _ => LoadError::Changed(path.to_owned()),
        }
    }

    /// The same, of the body that a scene file names at this place; what to do about it apart.
    pub fn problem(&self, place: Place) -> Problem {
        let said = self.to_string();
        let LoadError::File(error) = self else { return Problem::new(place, said) };
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
    matches!(geometry, Geometry::Shape(shape) if shape.aabb_placed(&Pose::IDENTITY).is_none())
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
        }
    }

    /// The shape; its file must have the digest, if there is one.
    fn loaded(&self, files: &MeshFileCache, digest: Option<Digest>) -> Result<&Movable, LoadError> {
        let prepared = |shape: Shape| {
            let prepared = Prepared::new(shape);
            Movable::from_prepared(if self.is_sheet { prepared.as_sheet() } else { prepared })
        };
        let found = self.movable.get_or_init(|| match &self.geometry {
            Geometry::Shape(shape) => Ok(prepared(shape.clone())),
            Geometry::File { path, units, .. } => {
                let of_content = |content: &Digest| digest_read(content, path, *units);
                let (mesh, mut digests) = files::witnessed(|| files.mesh(path, &Reading::of(*units)));
                let mesh = mesh.map_err(|error| LoadError::of(error, path))?;
                if digest.is_some() && digests.get(path).map(of_content) != digest {
                    return Err(LoadError::Changed(path.clone()));
                }
                let content = digests.remove(path);
                if let Some(content) = content
                    && *self.content.get_or_init(|| content) != content
                {
                    return Err(LoadError::Changed(path.clone()));
                }
                let _ = self.companions.set(digests.into_iter().collect());
                Ok(prepared(Shape::Mesh(mesh)))
            }
        });
        found.as_ref().map_err(Clone::clone)
    }

    fn digest_content(&self, files: &MeshFileCache) -> Result<Digest, LoadError> {
        Ok(digest_shape(self.loaded(files, None)?.prepared().shape()))
    }
}

impl ShapeCache {
    /// Of all bodies of the scene; nothing is read yet.
    pub fn of(scene: &Scene) -> ShapeCache {
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
        ShapeCache {
            shape_of,
            shapes: shapes.into(),
            files: MeshFileCache::default(),
            erosion: ErosionCache::default(),
        }
    }

    /// Of all bodies of a changed scene: what these parts know of shapes that are still there is kept. Files are taken to be as they were.
    #[must_use]
    pub fn renewed(&self, scene: &Scene) -> ShapeCache {
        let mut new = ShapeCache::of(scene);
        let known: HashMap<Origin, &Arc<Source>> =
            self.shapes.iter().map(|old| (Origin::of(&old.geometry, old.is_sheet), old)).collect();
        let mut shapes: Vec<Arc<Source>> = new.shapes.to_vec();
        for shape in &mut shapes {
            if let Some(known) = known.get(&Origin::of(&shape.geometry, shape.is_sheet)) {
                *shape = (*known).clone();
            }
        }
        self.erosion.keep_at_most(MOST_ERODED * self.shapes.len());
        new.erosion = self.erosion.clone();
        new.shapes = shapes.into();
        new.files = self.files.clone();
        let is_named = |path: &Path| {
            let mut named = new.shapes.iter().map(|shape| &shape.geometry);
            named.any(|geometry| matches!(geometry, Geometry::File { path: of_body, .. } if of_body == path))
        };
        new.files.keep(is_named);
        new
    }

    /// The number of the shape of a body: bodies with the same one look the same.
    pub fn shape_of(&self, body: usize) -> usize {
        self.shape_of[body]
    }

    /// The shape of a body, ready for questions about its motion.
    pub fn movable(&self, body: usize) -> Result<&Movable, LoadError> {
        let source = &self.shapes[self.shape_of[body]];
        let digest = match &source.geometry {
            Geometry::Shape(_) => None,
            // Answers are remembered under the digest: it must be that of what is read, and so is taken first.
            Geometry::File { .. } => Some(self.digest_content_known(body, None)?),
        };
        source.loaded(&self.files, digest)
    }

    /// The shapes of all bodies of the scene, in their order, ready for questions and for simulations.
    ///
    /// **Errors.** The files that could not be read.
    pub fn prepared(&self, scene: &Scene) -> Result<Vec<Prepared>, Vec<Problem>> {
        self.load(scene)?;
        let one = |(body, of): (usize, &Body)| {
            let movable = self.movable(body).map_err(|error| vec![error.problem(of.place)])?;
            Ok(movable.prepared().clone())
        };
        scene.bodies.iter().enumerate().map(one).collect()
    }

    /// Keeps eroded copies of the shapes.
    pub fn erosion(&self) -> &ErosionCache {
        &self.erosion
    }

    /// Why two bodies cannot be made smaller for an allowance in metres, so that a check goes without it; `None` if they can.
    pub fn why_not_smaller(&self, bodies: [usize; 2], allowance: f64) -> Option<ShrinkError> {
        let [Ok(a), Ok(b)] = bodies.map(|body| self.movable(body)) else { return None };
        self.erosion.pair([a, b], allowance, false).err()
    }

    /// Stands for the shape of a body, without preparing it.
    pub fn digest(&self, body: usize) -> Result<Digest, LoadError> {
        self.digest_known(body, None)
    }

    /// As [`ShapeCache::digest`]; with a memory and the time, a file that was not written since it was last read is not read again.
    fn digest_known(
        &self,
        body: usize,
        seen: Option<(&FileDigests, SystemTime)>,
    ) -> Result<Digest, LoadError> {
        let content = self.digest_content_known(body, seen)?;
        // Answers about a sheet are others than those about the solid.
        let as_sheet = || *blake3::Hasher::new().update(b"sheet").update(&content).finalize().as_bytes();
        Ok(if self.shapes[self.shape_of[body]].is_sheet { as_sheet() } else { content })
    }

    /// The same whether or not the body is declared a sheet.
    fn digest_content_known(
        &self,
        body: usize,
        seen: Option<(&FileDigests, SystemTime)>,
    ) -> Result<Digest, LoadError> {
        let source = &self.shapes[self.shape_of[body]];
        let found = source.digest.get_or_init(|| match &source.geometry {
            Geometry::Shape(shape) => Ok(digest_shape(shape)),
            Geometry::File { path, units, .. } => {
                let stamped = seen.and_then(|(memory, now)| {
                    let stamp = Stamp::settled(path, now)?;
                    Some((memory, digest_name(path, *units), stamp))
                });
                if let Some(known) = stamped.and_then(|(memory, name, stamp)| memory.get(&name, &stamp)) {
                    let content = *source.content.get_or_init(|| known);
                    return Ok(digest_read(&content, path, *units));
                }
                match names_others(path) {
                    Ok(false) => {
                        let Ok(content) = digest_bytes(path) else {
                            return source.digest_content(&self.files);
                        };
                        if let Some((memory, name, stamp)) = stamped {
                            memory.set(name, stamp, content);
                        }
                        let content = *source.content.get_or_init(|| content);
                        Ok(digest_read(&content, path, *units))
                    }
                    // What other files say is in the shape only; and what cannot be read is said best by the reader of meshes.
                    _ => source.digest_content(&self.files),
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
    pub fn companions(&self, body: usize) -> &[(PathBuf, Digest)] {
        self.shapes[self.shape_of[body]].companions.get().map_or(&[], Vec::as_slice)
    }

    /// Reads all shapes, in parallel; the files that could not be read.
    pub fn load(&self, scene: &Scene) -> Result<(), Vec<Problem>> {
        self.load_until(scene, &CancelToken::default())
    }

    /// As [`ShapeCache::load`]; ends with a problem when the token is cancelled, which is asked between shapes.
    pub fn load_until(&self, scene: &Scene, cancel: &CancelToken) -> Result<(), Vec<Problem>> {
        self.each(scene, cancel, |body| self.movable(body).map(drop))
    }

    /// Reads the content of all files, in parallel, without preparing shapes; those that could not be read.
    pub fn load_digests(&self, scene: &Scene) -> Result<(), Vec<Problem>> {
        self.each(scene, &CancelToken::default(), |body| self.digest(body).map(drop))
    }

    /// As [`ShapeCache::load_digests`] until the token is cancelled, but at the time `now` files that the memory
    /// has seen as they are now are not read.
    pub fn load_digests_known(
        &self,
        scene: &Scene,
        known: &FileDigests,
        now: Option<SystemTime>,
        cancel: &CancelToken,
    ) -> Result<(), Vec<Problem>> {
        self.each(scene, cancel, |body| self.digest_known(body, now.map(|now| (known, now))).map(drop))
    }

    fn each(
        &self,
        scene: &Scene,
        cancel: &CancelToken,
        get: impl Fn(usize) -> Result<(), LoadError> + Sync,
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

/// Whether a mesh file may say that some of its content is in other files, which only glTF does.
fn names_others(path: &Path) -> Result<bool, MeshFileError> {
    Ok(match mesh_io::detect(path)? {
        MeshFormat::Gltf => true,
        MeshFormat::Glb => glb_names_others(path).unwrap_or(true),
        _ => false,
    })
}

fn glb_names_others(path: &Path) -> std::io::Result<bool> {
    let mut file = files::open(path)?;
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
