//! Mesh files that were read, each once for as long as it stays as it is.
//!
//! The one cache of mesh files: of links of robots, of bodies of scenes, and of shapes in questions. Its key
//! is the path and how the numbers are read (unit and scale). What is known of a file is used while all files
//! that were read for it, also those that it refers to, have the digests that they had then. A file is not
//! read again for its digest while it has a [`Stamp`] that it had, settled, before an earlier look at its
//! digest.

use super::{MeshFileError, MeshFileErrorKind, MeshFormat, ReadOptions, Unit, detect, read};
use freiraum_files::{Digests, Stamp, digest, saw_again, witnessed};
use freiraum_geometry::{Mesh, MeshError, Vec3};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

/// How the numbers of a mesh file become metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Unit of the numbers in the file; not used for glTF.
    pub units: Unit,
    /// By what the coordinates are multiplied. Mirrored faces are turned round, so that outside stays
    /// outside.
    pub scale: Vec3,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading::of(Unit::default())
    }
}

impl Reading {
    /// Numbers in this unit, as large as they are.
    pub fn of(units: Unit) -> Reading {
        Reading { units, scale: Vec3::ONE }
    }

    fn key(&self) -> ReadingKey {
        (self.units.symbol(), self.scale.to_array().map(f64::to_bits))
    }
}

/// Why there is no mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CachedMeshError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] MeshFileError),
    /// Its coordinates cannot be scaled.
    #[error(transparent)]
    Scale(#[from] MeshError),
}

/// Symbol of the unit, and the bits of the scale.
type ReadingKey = (&'static str, [u64; 3]);

/// A file that was read.
#[derive(Debug)]
struct Known<T> {
    found: Result<T, CachedMeshError>,
    /// Of all files that were read for it.
    digests: Digests,
    /// Settled stamps of those files, each taken before a reading that found the digest above.
    stamps: Mutex<BTreeMap<PathBuf, Stamp>>,
}

impl<T> Known<T> {
    /// Whether reading the file now would give the same; `now` is a time before this was asked.
    fn is_current(&self, path: &Path, now: SystemTime) -> bool {
        if !self.is_kept(path) || !self.digests.contains_key(path) {
            return false;
        }
        let mut stamps = lock(&self.stamps);
        self.digests.iter().all(|(file, known)| {
            let stamp = Stamp::settled(file, now);
            if stamp.is_some() && stamps.get(file) == stamp.as_ref() {
                return true;
            }
            let is_same = digest(file).is_ok_and(|found| found == *known);
            if let Some(stamp) = stamp.filter(|_| is_same) {
                stamps.insert(file.clone(), stamp);
            }
            is_same
        })
    }

    /// Not every error is about the content of files: another try may find one that was not there, or could
    /// not be opened. For glTF, that may be a file that it refers to.
    fn is_kept(&self, path: &Path) -> bool {
        match &self.found {
            Ok(_) | Err(CachedMeshError::Scale(_)) => true,
            Err(CachedMeshError::File(error)) => {
                error.kind() != MeshFileErrorKind::Io
                    && !matches!(detect(path), Ok(MeshFormat::Gltf | MeshFormat::Glb))
            }
        }
    }
}

/// What is known of a file, by how it was read. It is read once, also for several that ask at the same time.
type Readings<T> = BTreeMap<ReadingKey, Arc<OnceLock<Known<T>>>>;

/// Mesh files that were read, with what was made of them: the mesh, or what takes longer to make. Copies
/// share what they know.
#[derive(Clone, Debug)]
pub struct MeshFileCache<T = Arc<Mesh>> {
    read: Arc<Mutex<BTreeMap<PathBuf, Readings<T>>>>,
}

impl<T> Default for MeshFileCache<T> {
    fn default() -> MeshFileCache<T> {
        MeshFileCache { read: Arc::default() }
    }
}

impl MeshFileCache<Arc<Mesh>> {
    /// The mesh of a file, read unless it is known as it is now.
    pub fn mesh(&self, path: &Path, reading: &Reading) -> Result<Arc<Mesh>, CachedMeshError> {
        self.made(path, reading, Arc::new)
    }
}

impl<T: Clone> MeshFileCache<T> {
    /// What `make` makes of the mesh of a file, unless it is known of the file as it is now. A
    /// [witness](witnessed) sees the files that it was read from, whenever that was.
    pub fn made(
        &self,
        path: &Path,
        reading: &Reading,
        make: impl Fn(Mesh) -> T,
    ) -> Result<T, CachedMeshError> {
        self.made_at(path, reading, make, SystemTime::now())
    }

    /// As [`MeshFileCache::made`], asked at this time.
    fn made_at(
        &self,
        path: &Path,
        reading: &Reading,
        make: impl Fn(Mesh) -> T,
        now: SystemTime,
    ) -> Result<T, CachedMeshError> {
        loop {
            let (known, is_new) = self.entry(path, reading);
            let found = known.get_or_init(|| Known::read(path, reading, &make));
            // A new entry was read after this was asked; another one perhaps before that.
            if is_new || found.is_current(path, now) {
                saw_again(&found.digests);
                return found.found.clone();
            }
            self.drop_entry(path, reading, &known);
        }
    }

    /// The entry of a file, and whether it was not there.
    fn entry(&self, path: &Path, reading: &Reading) -> (Arc<OnceLock<Known<T>>>, bool) {
        let mut read = lock(&self.read);
        let of_file = read.entry(path.to_owned()).or_default();
        if let Some(known) = of_file.get(&reading.key()) {
            return (known.clone(), false);
        }
        let known = Arc::new(OnceLock::new());
        of_file.insert(reading.key(), known.clone());
        (known, true)
    }

    fn drop_entry(&self, path: &Path, reading: &Reading, known: &Arc<OnceLock<Known<T>>>) {
        let mut read = lock(&self.read);
        let Some(of_file) = read.get_mut(path) else { return };
        if of_file.get(&reading.key()).is_some_and(|entry| Arc::ptr_eq(entry, known)) {
            of_file.remove(&reading.key());
        }
    }

    /// Forgets all files but these.
    pub fn keep(&self, is_kept: impl Fn(&Path) -> bool) {
        lock(&self.read).retain(|path, _| is_kept(path));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Known<T> {
    fn read(path: &Path, reading: &Reading, make: &impl Fn(Mesh) -> T) -> Known<T> {
        let options = ReadOptions { units: reading.units, ..ReadOptions::default() };
        Known::read_by(|| read(path, &options), reading.scale, make)
    }

    /// No stamps yet: those of now may be of what was written while this was read.
    fn read_by(
        read: impl FnOnce() -> Result<Mesh, MeshFileError>,
        scale: Vec3,
        make: &impl Fn(Mesh) -> T,
    ) -> Known<T> {
        let (mesh, digests) = witnessed(read);
        let scaled = mesh.map_err(CachedMeshError::from).and_then(|mesh| Ok(scaled(mesh, scale)?));
        Known { found: scaled.map(make), digests, stamps: Mutex::default() }
    }
}

/// The mesh with its coordinates multiplied; mirrored faces are turned so that outside stays outside.
fn scaled(mesh: Mesh, scale: Vec3) -> Result<Mesh, MeshError> {
    if scale == Vec3::ONE {
        return Ok(mesh);
    }
    let vertices = mesh.vertices().iter().map(|v| *v * scale).collect();
    let is_mirrored = scale.x * scale.y * scale.z < 0.0;
    let turn = |[a, b, c]: [u32; 3]| if is_mirrored { [a, c, b] } else { [a, b, c] };
    Mesh::new(vertices, mesh.faces().iter().map(|face| turn(*face)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;
    use freiraum_testkit::folder::Folder;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn triangle(size: f64) -> String {
        format!("OFF\n3 1 0\n0 0 0\n{size} 0 0\n0 {size} 0\n3 0 1 2\n")
    }

    fn reach(mesh: &Mesh) -> f64 {
        mesh.aabb().max.x
    }

    /// A time at which everything that is written in these tests is old.
    fn later() -> SystemTime {
        SystemTime::now() + Duration::from_secs(60)
    }

    /// Writes a file of the same length, in another tick of the clock, and puts the time of writing back.
    fn rewrite(folder: &Folder, name: &str, content: impl AsRef<[u8]>) {
        let path = folder.path().join(name);
        let before = std::fs::metadata(&path).unwrap();
        std::thread::sleep(Duration::from_millis(30));
        folder.file(name, content);
        put_back(&path, &before);
    }

    fn put_back(path: &Path, before: &std::fs::Metadata) {
        let file = std::fs::File::options().append(true).open(path).unwrap();
        file.set_modified(before.modified().unwrap()).unwrap();
        let after = file.metadata().unwrap();
        assert_eq!((after.len(), after.modified().unwrap()), (before.len(), before.modified().unwrap()));
    }

    /// How many stamps are kept for a file and those that it refers to.
    fn stamps(cache: &MeshFileCache, path: &Path) -> usize {
        let read = lock(&cache.read);
        let known = read[path][&Reading::default().key()].get().unwrap();
        lock(&known.stamps).len()
    }

    #[test]
    fn files_are_read_once_for_each_reading_until_they_are_written() {
        let folder = Folder::new("mesh-cache");
        let path = folder.path().join("a.off");
        folder.file("a.off", triangle(2.0));
        let (cache, made) = (MeshFileCache::<Arc<Mesh>>::default(), AtomicUsize::new(0));
        let ask = |reading: &Reading| {
            let make = |mesh| {
                made.fetch_add(1, Ordering::Relaxed);
                Arc::new(mesh)
            };
            cache.made_at(&path, reading, make, later())
        };
        let plain = Reading::default();
        let first = ask(&plain).unwrap();
        assert!(Arc::ptr_eq(&first, &ask(&plain).unwrap()));
        assert_eq!((reach(&first), made.load(Ordering::Relaxed)), (2.0, 1));
        assert_eq!(reach(&ask(&Reading::of(Unit::Millimetre)).unwrap()), 0.002);
        let mirrored = ask(&Reading { scale: Vec3::new(-3.0, 1.0, 1.0), ..plain }).unwrap();
        assert_eq!((mirrored.aabb().min.x, mirrored.faces()[0]), (-6.0, [0, 2, 1]));
        assert_eq!(made.load(Ordering::Relaxed), 3);
        rewrite(&folder, "a.off", triangle(8.0));
        assert_eq!((reach(&ask(&plain).unwrap()), made.load(Ordering::Relaxed)), (8.0, 4));
        assert_eq!(reach(&ask(&Reading::of(Unit::Millimetre)).unwrap()), 0.008);
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(ask(&plain), Err(CachedMeshError::File(_))));
        folder.file("a.off", triangle(2.0));
        assert_eq!(reach(&ask(&plain).unwrap()), 2.0);
    }

    /// Two writes in one tick of the clock leave the same stamp.
    #[test]
    fn stamps_of_files_that_were_just_written_are_not_kept() {
        let folder = Folder::new("mesh-cache-young");
        let path = folder.path().join("a.off");
        let cache = MeshFileCache::default();
        folder.file("a.off", triangle(1.0));
        let before = std::fs::metadata(&path).unwrap();
        let ask = |now: SystemTime| cache.made_at(&path, &Reading::default(), Arc::new, now).unwrap();
        for round in 0..100 {
            let size = f64::from(round % 9 + 1);
            folder.file("a.off", triangle(size));
            put_back(&path, &before);
            let now = before.modified().unwrap();
            assert_eq!([ask(now), ask(now)].map(|mesh| reach(&mesh)), [size; 2]);
            assert_eq!(stamps(&cache, &path), 0);
        }
        let known = ask(later());
        assert_eq!(stamps(&cache, &path), usize::from(Stamp::of(&path).is_some()));
        assert!(Arc::ptr_eq(&known, &ask(later())));
    }

    #[test]
    fn errors_of_the_system_are_not_kept() {
        let folder = Folder::new("mesh-cache-errors");
        let path = folder.path().join("a.off");
        folder.file("a.off", triangle(1.0));
        let known = |found: Result<Mesh, MeshFileError>| {
            let read = || {
                drop(read(&path, &ReadOptions::default()));
                found
            };
            Known::read_by(read, Vec3::ONE, &Arc::new).is_current(&path, later())
        };
        let error = |kind| MeshFileError::new(kind, Place::File, "wrong", "right");
        assert!(!known(Err(error(MeshFileErrorKind::Io))));
        assert!(known(Err(error(MeshFileErrorKind::Syntax))));
        assert!(known(read(&path, &ReadOptions::default())));
    }

    #[test]
    fn a_witness_sees_files_that_were_read_before() {
        let folder = Folder::new("mesh-cache-witness");
        let path = folder.path().join("a.off");
        folder.file("a.off", triangle(1.0));
        let cache = MeshFileCache::default();
        let ask = || witnessed(|| cache.mesh(&path, &Reading::default()).unwrap()).1;
        let digest = *blake3::hash(triangle(1.0).as_bytes()).as_bytes();
        assert_eq!(ask(), Digests::from([(path.clone(), digest)]));
        assert_eq!(ask(), Digests::from([(path.clone(), digest)]));
        cache.keep(|kept| kept != path);
        assert!(lock(&cache.read).is_empty());
    }

    /// The file that a glTF file refers to is part of it, also where it comes later.
    #[test]
    fn files_that_are_referred_to_are_seen() {
        let folder = Folder::new("mesh-cache-gltf");
        let path = folder.path().join("a.gltf");
        let positions = |size: f32| {
            let numbers = [0.0, 0.0, 0.0, size, 0.0, 0.0, 0.0, size, 0.0];
            numbers.iter().flat_map(|x| f32::to_le_bytes(*x)).collect::<Vec<u8>>()
        };
        let text = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
            "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
            "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
                "min":[0,0,0],"max":[9,9,0]}],
            "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"uri":"a.bin","byteLength":36}]}"#;
        folder.file("a.gltf", text);
        let cache = MeshFileCache::default();
        let ask = || cache.made_at(&path, &Reading::default(), Arc::new, later());
        assert!(ask().is_err());
        folder.file("a.bin", positions(1.0));
        assert_eq!(reach(&ask().unwrap()), 1.0);
        assert!(Arc::ptr_eq(&ask().unwrap(), &ask().unwrap()));
        rewrite(&folder, "a.bin", positions(2.0));
        assert_eq!(reach(&ask().unwrap()), 2.0);
        // Written between reading it and the end of the whole reading, then before the first look at its
        // stamp.
        let read_and_rewrite = || {
            let mesh = read(&path, &ReadOptions::default());
            rewrite(&folder, "a.bin", positions(3.0));
            mesh
        };
        let known = Known::read_by(read_and_rewrite, Vec3::ONE, &Arc::new);
        assert_eq!(reach(known.found.as_ref().unwrap()), 2.0);
        assert!(!known.is_current(&path, later()));
        assert_eq!(reach(&ask().unwrap()), 3.0);
        std::fs::remove_file(folder.path().join("a.bin")).unwrap();
        assert!(ask().is_err());
        folder.file("a.bin", positions(4.0));
        assert_eq!(reach(&ask().unwrap()), 4.0);
    }
}
