//! Files on disk: formats by content and name, files that cannot be read or written, buffers beside a glTF file.

use crate::common;
use freiraum_geometry::Mesh;
use freiraum_mesh_io::{MeshFileErrorKind as Kind, MeshFormat, ReadOptions, WriteOptions, read, write};
use std::fs;
use std::path::PathBuf;

/// An empty folder of one test, gone when it ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("freiraum-files-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(&self.0).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn load(path: PathBuf) -> Result<Mesh, (Kind, String)> {
    read(&path, &ReadOptions::default()).map_err(|e| {
        assert_eq!(e.name(), path.to_string_lossy());
        (e.kind(), e.found().to_owned())
    })
}

#[test]
fn every_format_from_disk() {
    let folder = Folder::new("formats");
    let mesh = common::two_triangles();
    for format in MeshFormat::ALL {
        // The right name, a wrong one, none.
        for name in [format!("a.{}", format.extension()), "wrong.xyz".to_owned(), "none".to_owned()] {
            let options = WriteOptions { format: Some(format), ..WriteOptions::default() };
            write(folder.path(&name), &mesh, &options).unwrap();
            let found = load(folder.path(&name)).unwrap();
            assert_eq!((found.faces().len(), found.aabb()), (2, mesh.aabb()), "{format} as {name}");
        }
    }
    for extension in ["stl", "OBJ", "off", "Ply", "gltf", "glb"] {
        let path = folder.path(&format!("by_name.{extension}"));
        write(&path, &mesh, &WriteOptions::default()).unwrap();
        assert_eq!(load(path).unwrap().faces().len(), 2);
    }
}

#[test]
fn writing_leaves_one_file_or_none() {
    let folder = Folder::new("writing");
    let path = folder.path("a.stl");
    fs::write(&path, "old").unwrap();
    let mesh = common::two_triangles();
    write(&path, &mesh, &WriteOptions::default()).unwrap();
    assert_eq!((folder.names(), load(path).unwrap().faces().len()), (vec!["a.stl".to_owned()], 2));

    let wrong = write(folder.path("a.step"), &mesh, &WriteOptions::default()).unwrap_err();
    assert_eq!(
        (wrong.kind(), wrong.expected()),
        (Kind::UnknownFormat, ".stl, .obj, .off, .ply, .gltf or .glb")
    );
    let wrong = write(folder.path("no/such/folder/a.stl"), &mesh, &WriteOptions::default()).unwrap_err();
    assert!(wrong.found().starts_with("cannot create a file in this folder: "), "{wrong}");
    // A folder stands where the file should go: the temporary file is removed again.
    fs::create_dir(folder.path("b.stl")).unwrap();
    let wrong = write(folder.path("b.stl"), &mesh, &WriteOptions::default()).unwrap_err();
    assert!(wrong.found().starts_with("cannot write the file: "), "{wrong}");
    assert_eq!(folder.names(), ["a.stl", "b.stl"]);
}

/// Replacing a device such as /dev/null would do harm far beyond the mesh.
#[test]
#[cfg(unix)]
fn links_and_pipes_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = Folder::new("links");
    let mesh = common::two_triangles();
    fs::create_dir(folder.path("elsewhere")).unwrap();
    fs::write(folder.path("elsewhere/a.off"), "old").unwrap();
    symlink("elsewhere/a.off", folder.path("link.off")).unwrap();
    write(folder.path("link.off"), &mesh, &WriteOptions::default()).unwrap();
    assert!(fs::symlink_metadata(folder.path("link.off")).unwrap().is_symlink());
    assert_eq!(load(folder.path("elsewhere/a.off")).unwrap().faces().len(), 2);
    assert_eq!(fs::read_dir(folder.path("elsewhere")).unwrap().count(), 1);

    let pipe = folder.path("pipe.off");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    write(&pipe, &mesh, &WriteOptions::default()).unwrap();
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(reader.join().unwrap(), fs::read(folder.path("elsewhere/a.off")).unwrap());
    // Reading it must not wait for a writer.
    assert_eq!(load(pipe).unwrap_err(), (Kind::Io, "this is not a regular file but a pipe".to_owned()));
}

#[test]
#[cfg(unix)]
fn permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("permissions");
    let (path, mesh) = (folder.path("a.off"), common::two_triangles());
    fs::write(&path, "old").unwrap();
    let mode = |mode: u32| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o600);
    write(&path, &mesh, &WriteOptions::default()).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    mode(0o444);
    let error = write(&path, &mesh, &WriteOptions::default()).unwrap_err();
    assert!(error.found().contains("read-only") && !error.advice().is_empty(), "{error}");
    assert_eq!(folder.names(), ["a.off"]);
}

#[test]
fn a_format_that_was_asked_for_is_not_blamed_on_the_content() {
    let folder = Folder::new("asked");
    fs::write(folder.path("a.stl"), "solid a\nendsolid a\n").unwrap();
    let options = ReadOptions { format: Some(MeshFormat::Obj), ..ReadOptions::default() };
    let error = read(folder.path("a.stl"), &options).unwrap_err();
    assert!(
        error.advice().ends_with("read as OBJ as was asked for, although its name ends in .stl"),
        "{error}"
    );
}

#[test]
fn what_cannot_be_read() {
    let folder = Folder::new("reading");
    let (kind, found) = load(folder.path("missing.stl")).unwrap_err();
    assert!(kind == Kind::Io && found.starts_with("cannot open the file: "), "{found}");
    assert_eq!(load(folder.0.clone()).unwrap_err(), (Kind::Io, "this is a folder".to_owned()));
    fs::write(folder.path("empty.obj"), "").unwrap();
    assert_eq!(
        load(folder.path("empty.obj")).unwrap_err(),
        (Kind::Truncated, "the file is empty".to_owned())
    );
    // Binary STL is read piece by piece; its errors are those of the whole.
    let mut stl = vec![0; 84 + 50 * 5000];
    stl[80..84].copy_from_slice(&5000u32.to_le_bytes());
    let at = 84 + 50 * 4999 + 12 + 4 * 8;
    stl[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(folder.path("a.stl"), &stl).unwrap();
    let error = read(folder.path("a.stl"), &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains(&format!("a.stl: byte {at}: the coordinate is NaN")), "{error}");
    fs::write(folder.path("a.stl"), &stl[..stl.len() - 1]).unwrap();
    assert_eq!(load(folder.path("a.stl")).unwrap_err().0, Kind::Truncated);
}

/// A glTF file whose buffer lies elsewhere.
fn gltf(uri: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],"buffers":[{{"byteLength":36,"uri":"{uri}"}}]}}"#
    )
}

#[test]
fn buffers_beside_a_gltf_file() {
    let folder = Folder::new("gltf");
    fs::create_dir_all(folder.path("inside/deeper")).unwrap();
    for name in ["outside.bin", "inside/data.bin", "inside/deeper/more data.bin"] {
        fs::write(folder.path(name), [0; 40]).unwrap();
    }
    fs::write(folder.path("inside/short.bin"), [0; 35]).unwrap();
    let attempt = |uri: &str| {
        fs::write(folder.path("inside/a.gltf"), gltf(uri)).unwrap();
        load(folder.path("inside/a.gltf"))
    };
    for uri in ["data.bin", "./data.bin", "deeper/more%20data.bin", "deeper/more data.bin"] {
        assert_eq!(attempt(uri).map(|m| m.faces().len()), Ok(1), "{uri}");
    }
    for uri in [
        "../outside.bin",
        "deeper/../data.bin",
        "%2E%2E/outside.bin",
        "/etc/passwd",
        "http://localhost/a.bin",
    ] {
        assert_eq!(attempt(uri).unwrap_err().0, Kind::Unsupported, "{uri}");
    }
    let absolute = folder.path("inside/data.bin");
    assert_eq!(attempt(&absolute.to_string_lossy()).unwrap_err().0, Kind::Unsupported);
    let (kind, found) = attempt("missing.bin").unwrap_err();
    assert!(kind == Kind::Io && found.starts_with("cannot read `missing.bin`: "), "{found}");
    let (kind, found) = attempt("short.bin").unwrap_err();
    assert_eq!((kind, found.as_str()), (Kind::Truncated, "the buffer claims 36 bytes, but its data has 35"));
    assert_eq!(
        attempt("deeper").unwrap_err(),
        (Kind::Unsupported, "the buffer `deeper` is a folder, not a file".to_owned())
    );
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_folder() {
    let folder = Folder::new("links-out");
    fs::create_dir_all(folder.path("inside")).unwrap();
    fs::write(folder.path("outside.bin"), [0; 36]).unwrap();
    std::os::unix::fs::symlink("../outside.bin", folder.path("inside/link.bin")).unwrap();
    fs::write(folder.path("inside/a.gltf"), gltf("link.bin")).unwrap();
    let (kind, found) = load(folder.path("inside/a.gltf")).unwrap_err();
    assert_eq!(
        (kind, found.as_str()),
        (Kind::Unsupported, "the buffer `link.bin` is a link out of the folder")
    );
}
