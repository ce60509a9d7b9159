//! Saving: the old file or the new one, whole, whatever happens.

use freiraum_formats::scene::SceneFile;
use freiraum_testkit::folder::Folder;
use freiraum_testkit::random::Random;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The child that saves: which file, if this process is that child.
const CHILD_FILE: &str = "FREIRAUM_TEST_SAVE_FILE";

/// How often the child saves; for ever if it is not there.
const CHILD_ROUNDS: &str = "FREIRAUM_TEST_SAVE_ROUNDS";

fn files(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// One of two versions, long enough to be written in several goes.
fn version(which: bool) -> String {
    let (name, length) = if which { ("first", 40_000) } else { ("second", 3_000) };
    let body = "[[body]]\nname = \"a\"\nshape = { sphere = { radius = 1 } }\n";
    format!("name = \"{name}\"\n{body}{}", "# filled up with comments\n".repeat(length / 10))
}

/// Not a test of its own: what the other tests start and kill.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD_FILE) else { return };
    let rounds =
        std::env::var(CHILD_ROUNDS).ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usize::MAX);
    let path = Path::new(&path);
    let versions = [true, false].map(|which| {
        let mut file = SceneFile::parse(version(which), path.parent().unwrap(), "child").unwrap();
        // The parent reads what is said.
        file.save_as(path).unwrap_or_else(|e| panic!("not saved: {e}"));
        file
    });
    for round in 0..rounds {
        versions[round % 2].save().unwrap_or_else(|e| panic!("not saved: {e}"));
    }
}

fn child_command(path: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "scene_save::child", "--nocapture"]).env(CHILD_FILE, path);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    command
}

#[test]
fn killed_at_any_moment() {
    let folder = Folder::new("save-kill");
    let path = folder.path().join("scene.toml");
    let versions = [version(true), version(false)];
    std::fs::write(&path, &versions[0]).unwrap();
    let mut random = Random::new(3);
    for _ in 0..freiraum_testkit::scale::cases(25) {
        let mut child = child_command(&path).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(2_000 + random.below(60_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = std::fs::read_to_string(&path).unwrap();
        assert!(versions.contains(&found), "{} bytes are no whole version", found.len());
        SceneFile::read(&path).unwrap();
    }
    // Whoever saves next removes what those who were killed have left.
    let mut file = SceneFile::read(&path).unwrap();
    file.save_as(&path).unwrap();
    assert_eq!(files(&folder), ["scene.toml"]);
}

/// A disk that takes no more: the old file stays, and nothing is left beside it.
#[cfg(unix)]
#[test]
fn no_room_for_the_file() {
    let folder = Folder::new("save-full");
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, version(false)).unwrap();
    let child = child_command(&path);
    // Files may have 2 to 4 KiB; the signal that says so is turned off, so that writing fails instead.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\""]).arg(child.get_program());
    command.args(child.get_args()).env(CHILD_FILE, &path).env(CHILD_ROUNDS, "1");
    let output = command.output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("not saved") && said.contains("cannot write the file"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), version(false));
    assert_eq!(files(&folder), ["scene.toml"]);
}

#[test]
fn errors_keep_the_old_file() {
    let folder = Folder::new("save-errors");
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, version(false)).unwrap();
    let mut file = SceneFile::read(&path).unwrap();
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions.clone()).unwrap();
    assert!(file.save().unwrap_err().to_string().contains("read-only"));
    #[expect(clippy::permissions_set_readonly_false, reason = "a file of this test")]
    permissions.set_readonly(false);
    std::fs::set_permissions(&path, permissions).unwrap();
    file.save().unwrap();
    let gone = folder.path().join("gone").join("scene.toml");
    assert!(file.save_as(&gone).unwrap_err().to_string().contains("cannot create a file in this folder"));
    assert_eq!(file.path(), Some(path.as_path()));
    assert_eq!(files(&folder), ["scene.toml"]);
    let mut text = SceneFile::parse(version(true), Path::new(""), "no file").unwrap();
    assert!(text.save().unwrap_err().to_string().contains("has no file yet"));
    text.save_as(folder.path().join("other.toml")).unwrap();
    text.save().unwrap();
    assert_eq!(files(&folder), ["other.toml", "scene.toml"]);
    #[cfg(target_os = "linux")]
    assert!(text.save_as("/dev/full").unwrap_err().to_string().contains("cannot write the file"));
}

#[test]
fn meshes_are_found_from_the_new_place() {
    let folder = Folder::new("save-moved");
    std::fs::write(folder.path().join("part.stl"), "solid\nendsolid\n").unwrap();
    let text = "# Two of them.\n[[body]]\nname = \"a\"\nmesh = \"part.stl\"   # as made\n\n[[body]]\nname = \"b\"\nmesh = \"./part.stl\"\n";
    let mut file = SceneFile::parse(text, folder.path(), "text").unwrap();
    std::fs::create_dir(folder.path().join("inner")).unwrap();
    let inner = folder.path().join("inner").join("scene.toml");
    file.save_as(&inner).unwrap();
    let written = std::fs::read_to_string(&inner).unwrap();
    assert_eq!(written, text.replace("./part", "part").replace("part.stl", "../part.stl"));
    // And back again.
    file.save_as(folder.path().join("scene.toml")).unwrap();
    assert_eq!(file.text(), text.replace("./part", "part"));
    std::fs::remove_file(folder.path().join("part.stl")).unwrap();
    assert!(file.save_as(&inner).unwrap_err().to_string().contains("there is no file \"part.stl\""));
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("save-links");
    let (real, link, dangling) = (
        folder.path().join("real.toml"),
        folder.path().join("link.toml"),
        folder.path().join("dangling.toml"),
    );
    std::fs::write(&real, version(false)).unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.toml", &link).unwrap();
    symlink("new.toml", &dangling).unwrap();
    let mut file = SceneFile::parse(version(true), folder.path(), "text").unwrap();
    file.save_as(&link).unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), version(true));
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    file.save_as(&dangling).unwrap();
    assert!(std::fs::symlink_metadata(&dangling).unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(folder.path().join("new.toml")).unwrap(), version(true));
}
