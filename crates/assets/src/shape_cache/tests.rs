//! Files that are recognised by their stamps, and files that must not be.
//!
//! A digest that no file has is put into the memory: where it comes back, the file was not read.

use super::*;
use freiraum_geometry::{Pose, Unit};
use freiraum_scene::{Body, Place};
use std::time::Duration;

const NOT_READ: Digest = [7; 32];

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("freiraum-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, name: &str, height: f64) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, tetrahedron(height)).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What stands for a file that is read now.
fn digest_file(path: &Path, units: Unit) -> std::io::Result<Digest> {
    Ok(digest_read(&digest_bytes(path)?, path, units))
}

/// A tetrahedron, always with as many bytes.
fn tetrahedron(height: f64) -> String {
    format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 {height:.3}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
}

fn body(path: &Path, x: f64) -> Body {
    Body {
        name: "body".to_owned(),
        geometry: Geometry::File { path: path.to_owned(), written: String::new(), units: Unit::Metre },
        is_fixed: false,
        color: None,
        pose: Pose::from_translation(freiraum_geometry::Vec3::new(x, 0.0, 0.0)),
        goal: None,
        place: Place::default(),
    }
}

fn scene(path: &Path) -> Scene {
    Scene { bodies: vec![body(path, 0.0)], ..Scene::default() }
}

/// The digest of a file as a check at a time finds it.
fn digest(path: &Path, memory: &FileDigests, now: Option<SystemTime>) -> Digest {
    let parts = ShapeCache::of(&scene(path));
    parts.load_digests_known(&scene(path), memory, now, &CancelToken::default()).unwrap();
    parts.digest(0).unwrap()
}

/// A time at which everything that is written in this test is old.
fn later() -> SystemTime {
    SystemTime::now() + Duration::from_secs(60)
}

/// A memory that says of the file as it is now what no file says; `None` where files cannot be recognised.
fn misled(path: &Path) -> Option<FileDigests> {
    let memory = FileDigests::default();
    memory.set(digest_name(path, Unit::Metre), Stamp::of(path)?, NOT_READ);
    // Saved and restored, as from run to run.
    Some(memory.used().into_iter().collect())
}

/// Gives a file the time of writing of another, as `touch -r` does.
fn put_back(path: &Path, written: SystemTime) {
    std::fs::File::options().append(true).open(path).unwrap().set_modified(written).unwrap();
}

fn written(path: &Path) -> SystemTime {
    std::fs::metadata(path).unwrap().modified().unwrap()
}

/// Long enough for another tick of the clock that stamps files.
fn tick() {
    std::thread::sleep(Duration::from_millis(30));
}

#[track_caller]
fn check_change(name: &str, change: impl Fn(&Path)) {
    let folder = Folder::new(&format!("stamps-{name}"));
    let path = folder.write("a.obj", 1.0);
    let Some(memory) = misled(&path) else { return };
    let known = digest_read(&NOT_READ, &path, Unit::Metre);
    assert_eq!(digest(&path, &memory, Some(later())), known, "an old file is recognised");
    tick();
    change(&path);
    let found = digest(&path, &memory, Some(later()));
    assert_eq!(found, digest_file(&path, Unit::Metre).unwrap(), "{name} is noticed");
    // And what was found then is what is known from now on.
    let kept = memory.get(&digest_name(&path, Unit::Metre), &Stamp::of(&path).unwrap());
    assert_eq!(kept, Some(digest_bytes(&path).unwrap()));
}

#[test]
fn changes_of_a_file_are_noticed() {
    check_change("other-content", |path| std::fs::write(path, tetrahedron(2.0)).unwrap());
    check_change("more-content", |path| std::fs::write(path, format!("{}\n", tetrahedron(1.0))).unwrap());
    check_change("time-put-back", |path| {
        let before = written(path);
        std::fs::write(path, tetrahedron(2.0)).unwrap();
        put_back(path, before);
        assert_eq!(written(path), before);
    });
    check_change("one-byte-in-place", |path| {
        use std::io::{Seek, SeekFrom, Write};
        let before = written(path);
        let mut file = std::fs::File::options().write(true).open(path).unwrap();
        file.seek(SeekFrom::Start(2)).unwrap();
        file.write_all(b"5").unwrap();
        file.set_modified(before).unwrap();
    });
    check_change("replaced", |path| {
        let (before, other) = (written(path), path.with_extension("new"));
        std::fs::write(&other, tetrahedron(2.0)).unwrap();
        put_back(&other, before);
        std::fs::rename(&other, path).unwrap();
        assert_eq!(written(path), before);
    });
    #[cfg(unix)]
    check_change("link-turned-elsewhere", |path| {
        let (before, other) = (written(path), path.with_extension("new"));
        std::fs::write(&other, tetrahedron(2.0)).unwrap();
        put_back(&other, before);
        std::fs::remove_file(path).unwrap();
        std::os::unix::fs::symlink(&other, path).unwrap();
    });
}

#[test]
fn what_is_not_certain_is_read() {
    let folder = Folder::new("stamps-read");
    let path = folder.write("a.obj", 1.0);
    let real = digest_file(&path, Unit::Metre).unwrap();
    let Some(memory) = misled(&path) else { return };
    assert_eq!(digest(&path, &memory, None), real, "without the time");
    assert_eq!(digest(&path, &memory, Some(SystemTime::now())), real, "just written");
    assert_eq!(digest(&path, &memory, Some(SystemTime::UNIX_EPOCH)), real, "a clock that is wrong");
    let linked = folder.0.join("a.stl");
    std::fs::hard_link(&path, &linked).unwrap();
    assert_ne!(digest_name(&linked, Unit::Metre), digest_name(&path, Unit::Metre), "read as another format");
    assert_ne!(digest_name(&path, Unit::Millimetre), digest_name(&path, Unit::Metre), "read as other units");
    let [plain, strange] = ["a", "a.m"].map(|name| folder.write(name, 1.0));
    let digests = [(plain, Unit::Millimetre), (strange, Unit::Metre)]
        .map(|(path, unit)| digest_file(&path, unit).unwrap());
    assert_ne!(digests[0], digests[1], "the end of a name is no unit");
}

#[test]
fn young_files_are_not_kept() {
    let folder = Folder::new("stamps-young");
    let path = folder.write("a.obj", 1.0);
    let Some(stamp) = Stamp::of(&path) else { return };
    let memory = FileDigests::default();
    digest(&path, &memory, Some(SystemTime::now()));
    assert_eq!(memory.get(&digest_name(&path, Unit::Metre), &stamp), None);
    digest(&path, &memory, Some(later()));
    let kept = memory.get(&digest_name(&path, Unit::Metre), &stamp);
    assert_eq!(kept, Some(digest_bytes(&path).unwrap()));
}

#[test]
fn what_was_read_before_a_change_is_not_taken_for_what_is_there_after_it() {
    // A planner asks for shapes long before the check asks for digests.
    let folder = Folder::new("stamps-order");
    let path = folder.write("a.obj", 1.0);
    let parts = ShapeCache::of(&scene(&path));
    assert!(parts.movable(0).is_ok());
    let before = digest_file(&path, Unit::Metre).unwrap();
    std::fs::write(&path, tetrahedron(2.0)).unwrap();
    assert_eq!(parts.digest(0).unwrap(), before);
}

#[test]
fn keys_of_gltf_may_have_escapes() {
    let folder = Folder::new("stamps-glb");
    let path = folder.0.join("a.glb");
    for (json, expected) in
        [(&br#"{"uri":"x"}"#[..], true), (br#"{"\u0075ri":"x"}"#, true), (br#"{"asset":{}}"#, false)]
    {
        let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(b"JSON");
        bytes.extend(json);
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(glb_names_others(&path).unwrap(), expected);
    }
}

#[test]
fn eroded_shapes_are_kept_from_scene_to_scene_but_not_forever() {
    let folder = Folder::new("stamps-eroded");
    let path = folder.write("a.obj", 1.0);
    let scene = scene(&path);
    let mut shapes = ShapeCache::of(&scene);
    let eroded = |shapes: &ShapeCache, depth: f64| {
        let body = shapes.movable(0).unwrap();
        let [eroded, _] = shapes.erosion().pair([body; 2], 2.0 * depth, false).unwrap();
        eroded.prepared().bounds().unwrap()
    };
    let first = eroded(&shapes, 0.01);
    for k in 1..40 {
        let next = shapes.renewed(&scene);
        assert!(next.erosion().len() <= MOST_ERODED);
        assert!(k > 5 || next.erosion().len() == k, "kept");
        shapes = next;
        assert_eq!(eroded(&shapes, 0.01), first);
        assert!(eroded(&shapes, 0.01 + 0.001 * k as f64) != first);
    }
    assert_eq!(ShapeCache::of(&scene).erosion().len(), 0);
}

/// The digests of a glTF file and of what it refers to are those of what was read, not of what is there
/// later.
#[test]
fn companions_have_the_digests_of_what_was_read() {
    let folder = Folder::new("companions");
    let points: Vec<u8> =
        [0f32, 0., 0., 1., 0., 0., 0., 1., 0.].iter().flat_map(|x| x.to_le_bytes()).collect();
    let text = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"uri":"a.bin","byteLength":36}]}"#;
    std::fs::write(folder.0.join("a.gltf"), text).unwrap();
    let [path, other] = ["a.gltf", "a.bin"].map(|name| folder.0.join(name));
    std::fs::write(&other, &points).unwrap();
    let scene = scene(&path);
    let parts = ShapeCache::of(&scene);
    parts.load_digests(&scene).unwrap();
    std::fs::write(&path, "replaced").unwrap();
    std::fs::write(&other, "replaced").unwrap();
    let hash = |bytes: &[u8]| *blake3::hash(bytes).as_bytes();
    assert_eq!(parts.file_digest(0), Some(hash(text.as_bytes())));
    assert_eq!(parts.companions(0), [(other, hash(&points))]);
}
