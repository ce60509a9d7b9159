//! Mesh files that were read, each once for as long as it stays as it is.
//!
//! The one cache of mesh files: of links of robots, of bodies of scenes, and of shapes in questions. Its key
//! is the path, how the numbers are read
//! (unit and scale), and what the file system says of the file; a file that was written since is read again,
//! and so is one that refers to
//! another file that was.

use super::{MeshFileError, MeshFormat, ReadOptions, Unit, detect, read};
use freiraum_files::{Digests, saw_again, witnessed};
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

/// What the file system says of a file; `None` if it says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    written: Option<SystemTime>,
    /// Device, number, and when it was changed, which no program sets; zeros where there is no such thing.
    identity: [i64; 4],
}

impl Stamp {
    fn of(path: &Path) -> Option<Stamp> {
        let data = std::fs::metadata(path).ok()?;
        let (length, written) = (data.len(), data.modified().ok());
        Some(Stamp { length, written, identity: identity(&data) })
    }
}

#[cfg(unix)]
fn identity(data: &std::fs::Metadata) -> [i64; 4] {
    use std::os::unix::fs::MetadataExt;
    [data.dev().cast_signed(), data.ino().cast_signed(), data.ctime(), data.ctime_nsec()]
}

#[cfg(not(unix))]
fn identity(_: &std::fs::Metadata) -> [i64; 4] {
    [0; 4]
}

/// A file that was read.
#[derive(Clone, Debug)]
struct Known<T> {
    found: Result<T, CachedMeshError>,
    /// Of all files that were read for it.
    digests: Digests,
    /// What the file system said of the other ones among them.
    others: Vec<(PathBuf, Option<Stamp>)>,
}

impl<T> Known<T> {
    /// An error of glTF may be about a file that appears later.
    fn is_current(&self, path: &Path) -> bool {
        self.others.iter().all(|(path, stamp)| Stamp::of(path) == *stamp)
            && (self.found.is_ok() || !matches!(detect(path), Ok(MeshFormat::Gltf | MeshFormat::Glb)))
    }
}

/// What is read once: a file as it is now. Who comes second waits for the first.
#[derive(Debug)]
struct Entry<T> {
    stamp: Option<Stamp>,
    known: Arc<OnceLock<Known<T>>>,
}

/// What is known of a file, by how it was read.
type Readings<T> = BTreeMap<ReadingKey, Entry<T>>;

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
    /// [witness](witnessed) sees the files that it was read from,
    /// whenever that was.
    pub fn made(
        &self,
        path: &Path,
        reading: &Reading,
        make: impl Fn(Mesh) -> T,
    ) -> Result<T, CachedMeshError> {
        loop {
            let stamp = Stamp::of(path);
            let (known, is_new) = self.entry(path, reading, stamp);
            let found = known.get_or_init(|| Known::read(path, reading, &make));
            // What this thread has just read, or others at the same time, is as it is now.
            if is_new || found.is_current(path) {
                saw_again(&found.digests);
                return found.found.clone();
            }
            self.drop_entry(path, reading, &known);
        }
    }

    /// The entry of a file as it is now, and whether it was not there.
    fn entry(&self, path: &Path, reading: &Reading, stamp: Option<Stamp>) -> (Arc<OnceLock<Known<T>>>, bool) {
        let mut read = self.lock();
        let of_file = read.entry(path.to_owned()).or_default();
        if let Some(entry) = of_file.get(&reading.key()).filter(|entry| entry.stamp == stamp) {
            return (entry.known.clone(), false);
        }
        let known = Arc::new(OnceLock::new());
        of_file.insert(reading.key(), Entry { stamp, known: known.clone() });
        (known, true)
    }

    fn drop_entry(&self, path: &Path, reading: &Reading, known: &Arc<OnceLock<Known<T>>>) {
        let mut read = self.lock();
        let Some(of_file) = read.get_mut(path) else { return };
        if of_file.get(&reading.key()).is_some_and(|entry| Arc::ptr_eq(&entry.known, known)) {
            of_file.remove(&reading.key());
        }
    }

    /// Forgets what is known of a file.
    pub fn forget(&self, path: &Path) {
        self.lock().remove(path);
    }

    /// Forgets all files but these.
    pub fn keep(&self, is_kept: impl Fn(&Path) -> bool) {
        self.lock().retain(|path, _| is_kept(path));
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<PathBuf, BTreeMap<ReadingKey, Entry<T>>>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Known<T> {
    fn read(path: &Path, reading: &Reading, make: &impl Fn(Mesh) -> T) -> Known<T> {
        let options = ReadOptions { units: reading.units, ..ReadOptions::default() };
        let (mesh, digests) = witnessed(|| read(path, &options));
        // Taken after they were read: a stamp of before would be renewed by one more reading only.
        let others = digests.keys().filter(|other| *other != path);
        let others = others.map(|other| (other.clone(), Stamp::of(other))).collect();
        let scaled = mesh.map_err(CachedMeshError::from).and_then(|mesh| Ok(scaled(mesh, reading.scale)?));
        Known { found: scaled.map(make), digests, others }
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
    use freiraum_testkit::folder::Folder;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn triangle(size: f64) -> String {
        format!("OFF\n3 1 0\n0 0 0\n{size} 0 0\n0 {size} 0\n3 0 1 2\n")
    }

    fn reach(mesh: &Mesh) -> f64 {
        mesh.aabb().max.x
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
            cache.made(&path, reading, make)
        };
        let plain = Reading::default();
        let first = ask(&plain).unwrap();
        assert!(Arc::ptr_eq(&first, &ask(&plain).unwrap()));
        assert_eq!((reach(&first), made.load(Ordering::Relaxed)), (2.0, 1));
        assert_eq!(reach(&ask(&Reading::of(Unit::Millimetre)).unwrap()), 0.002);
        let mirrored = ask(&Reading { scale: Vec3::new(-3.0, 1.0, 1.0), ..plain }).unwrap();
        assert_eq!((mirrored.aabb().min.x, mirrored.faces()[0]), (-6.0, [0, 2, 1]));
        assert_eq!(made.load(Ordering::Relaxed), 3);
        folder.file("a.off", triangle(16.0));
        assert_eq!((reach(&ask(&plain).unwrap()), made.load(Ordering::Relaxed)), (16.0, 4));
        assert_eq!(reach(&ask(&Reading::of(Unit::Millimetre)).unwrap()), 0.016);
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(ask(&plain), Err(CachedMeshError::File(_))));
        folder.file("a.off", triangle(2.0));
        assert_eq!(reach(&ask(&plain).unwrap()), 2.0);
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
        assert!(cache.lock().is_empty());
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
            "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[9,9,0]}],
            "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"uri":"a.bin","byteLength":36}]}"#;
        folder.file("a.gltf", text);
        let cache = MeshFileCache::default();
        let ask = || cache.mesh(&path, &Reading::default());
        assert!(ask().is_err());
        folder.file("a.bin", positions(1.0));
        assert_eq!(reach(&ask().unwrap()), 1.0);
        assert!(Arc::ptr_eq(&ask().unwrap(), &ask().unwrap()));
        std::fs::remove_file(folder.path().join("a.bin")).unwrap();
        assert!(ask().is_err());
        folder.file("a.bin", positions(4.0));
        assert_eq!(reach(&ask().unwrap()), 4.0);
    }
}
