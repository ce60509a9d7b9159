//! Files that appear complete or not at all.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(unix)]
use std::time::{Duration, Instant};

/// How long [`save`] waits until a program reads from a pipe: one that was started with it may need a moment.
#[cfg(unix)]
const READER: Duration = Duration::from_secs(2);

/// How many names are tried for the temporary file.
const ATTEMPTS: u32 = 100;

/// Files that are being written are called `.freiraum-PROCESS-NUMBER.part`, and are locked by their process.
const BEGIN: &str = ".freiraum-";
const END: &str = ".part";

/// How many entries of a folder are looked at for files that were left.
const MOST_LOOKS: usize = 100_000;

/// How many links are followed; more lead in a circle.
const MAX_LINKS: usize = 40;

/// Why a file was not written; an older one of its name is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The older file is read-only.
    #[error("the older file of this name is read-only")]
    ReadOnly,
    /// A pipe, a socket or a device is there, where only a regular file may be replaced.
    #[error("this is not a regular file but {0}")]
    Special(&'static str),
    /// What was tried, and what the operating system says.
    #[error("cannot {0}: {1}")]
    Io(&'static str, #[source] io::Error),
}

impl From<SaveError> for io::Error {
    fn from(error: SaveError) -> io::Error {
        match error {
            SaveError::ReadOnly => io::Error::new(ErrorKind::PermissionDenied, error.to_string()),
            SaveError::Special(_) => io::Error::new(ErrorKind::InvalidInput, error.to_string()),
            SaveError::Io(_, error) => error,
        }
    }
}

/// Writes these bytes to a file in one go: see [`save`].
pub fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let fill = |mut file: File| file.write_all(bytes.as_ref()).map(|()| file);
    save(path.as_ref(), fill).map_err(io::Error::from)
}

/// Writes a file in one go: `fill` gets a new file in the same folder, which then takes the place of `path`. An older file of
/// that name is replaced, or what a link of that name leads to, and its permissions are kept; a read-only one is left alone. What
/// is no file but a pipe or a device stays and gets the bytes; a pipe that no program reads from is an error
/// after two seconds.
///
/// **Guarantee.** At every moment, also if the process is killed or the disk is full, `path` holds the whole old file or the whole new one; once
/// this returns it is the new one, on the disk. Several processes and threads that save to one path do not disturb each other: the last one
/// wins. What a killed process leaves is hidden, ends in `.part`, and is removed by whoever saves in this folder next, or begins to work in it ([`sweep`]).
pub fn save(path: &Path, fill: impl FnOnce(File) -> io::Result<File>) -> Result<(), SaveError> {
    if fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        let pipe = open_special(path);
        return pipe.and_then(fill).map(drop).map_err(failed("write the file"));
    }
    replace(path, fill)
}

/// As [`save`], but only in the place of a regular file, or where nothing is: it never opens a pipe or a
/// device, and never waits.
pub fn save_regular(path: &Path, fill: impl FnOnce(File) -> io::Result<File>) -> Result<(), SaveError> {
    if let Some(what) = super::special(path) {
        return Err(SaveError::Special(what));
    }
    replace(path, fill)
}

/// As [`write()`], but as [`save_regular`].
pub fn write_regular(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let fill = |mut file: File| file.write_all(bytes.as_ref()).map(|()| file);
    save_regular(path.as_ref(), fill).map_err(io::Error::from)
}

/// A file for what is written bit by bit and may be read while it grows; an older one is emptied. A pipe or a
/// device gets the bytes.
///
/// **Errors.** As [`save`]: a pipe that no program reads from is an error after two seconds.
pub fn create(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    if super::special(path).is_some_and(|what| what != "a folder") {
        open_special(path)
    } else {
        File::create(path)
    }
}

fn failed(doing: &'static str) -> impl Fn(io::Error) -> SaveError {
    move |e| SaveError::Io(doing, e)
}

/// Opens a pipe, a socket or a device for writing. Only the opening is bounded: a program that reads slowly
/// is waited for.
#[cfg(unix)]
fn open_special(path: &Path) -> io::Result<File> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    let mut options = OpenOptions::new();
    // The type of the constant differs between systems.
    let flags = OFlags::NONBLOCK.bits() as i32;
    std::os::unix::fs::OpenOptionsExt::custom_flags(options.write(true), flags);
    let start = Instant::now();
    let has_no_reader = |e: &io::Error| e.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error());
    let file = loop {
        match options.open(path) {
            Err(e) if has_no_reader(&e) && start.elapsed() < READER => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(e) if has_no_reader(&e) && super::special(path) == Some("a pipe") => {
                let said = "no program reads from this pipe: start the reader first, or name a regular file";
                return Err(io::Error::new(ErrorKind::NotConnected, said));
            }
            done => break done?,
        }
    };
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

#[cfg(not(unix))]
fn open_special(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

/// Puts a new file in the place of a regular one.
fn replace(path: &Path, fill: impl FnOnce(File) -> io::Result<File>) -> Result<(), SaveError> {
    let path = target(path);
    let older = fs::metadata(&path).map(|m| m.permissions()).ok();
    if older.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(SaveError::ReadOnly);
    }
    let folder = folder_of(&path);
    sweep(folder);
    let part = Part::new(folder).map_err(failed("create a file in this folder"))?;
    if let Some(permissions) = older {
        // What was private stays private. A file system without permissions refuses, and loses nothing.
        let _ = part.file.set_permissions(permissions);
    }
    // A second handle, because the lock ends with the first one.
    let handle = part.file.try_clone().map_err(failed("write the file"))?;
    let written = fill(handle).and_then(|file| file.sync_all()).and_then(|()| fs::rename(&part.path, &path));
    written.map_err(failed("write the file"))?;
    part.settle();
    sync(folder);
    Ok(())
}

/// Removes files that killed processes have left in this folder while they were writing. Those that somebody is still writing are locked,
/// and stay; so do all where the system knows no locks.
pub fn sweep(folder: &Path) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(folder).into_iter().flatten().take(MOST_LOOKS).flatten() {
        let is_ours = is_part(&entry.file_name()) && entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_ours
            && let Ok(file) = super::open(entry.path())
            && file.try_lock().is_ok()
        {
            // While it is locked, so that whoever has just made it sees that it is gone. Somebody else may have removed it.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The same in the folder in which [`save`] would write this file.
pub fn sweep_beside(path: &Path) {
    sweep(folder_of(&target(path)));
}

fn is_part(name: &OsStr) -> bool {
    let middle = name.to_str().and_then(|name| name.strip_prefix(BEGIN)?.strip_suffix(END));
    middle.is_some_and(|middle| middle.bytes().all(|b| b.is_ascii_digit() || b == b'-'))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The new name must be on the disk as well. Not every system can; the file is complete in any case.
fn sync(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// What a path leads to, also if that does not exist yet.
fn target(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    path
}

/// A file that is being written, under a name that nobody else uses; it is removed unless it is put in its place.
struct Part {
    path: PathBuf,
    /// Locked.
    file: File,
    is_in_place: bool,
}

impl Part {
    fn new(folder: &Path) -> io::Result<Part> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mut attempt = 0;
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{BEGIN}{}-{number}{END}", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    // Somebody who sweeps may have been faster than the lock: then it is gone, or will be.
                    let is_swept = matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock));
                    if !is_swept && path.exists() {
                        return Ok(Part { path, file, is_in_place: false });
                    }
                }
                // A process of the same number in another container.
                Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
            attempt += 1;
            if attempt > ATTEMPTS {
                return Err(ErrorKind::AlreadyExists.into());
            }
        }
    }

    fn settle(mut self) {
        self.is_in_place = true;
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.is_in_place {
            // What is left of a failed attempt helps nobody; the first error is the one to report.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A file that comes in piece by piece and takes its place when all of it is there, never that of another one.
pub struct New {
    part: Part,
    path: PathBuf,
}

impl New {
    /// For a file that is not there yet. **Errors.** [`ErrorKind::AlreadyExists`] if it is.
    pub fn create(path: &Path) -> io::Result<New> {
        if path.symlink_metadata().is_ok() {
            return Err(ErrorKind::AlreadyExists.into());
        }
        sweep(folder_of(path));
        Ok(New { part: Part::new(folder_of(path))?, path: path.to_owned() })
    }

    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.part.file.write_all(bytes)
    }

    /// Where the bytes are until they are put in their place.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.part.path
    }

    /// Puts it in its place, on the disk. **Errors.** [`ErrorKind::AlreadyExists`] if a file of this name has come meanwhile, which stays as it is.
    pub fn put(self) -> io::Result<()> {
        self.part.file.sync_all()?;
        // A link, unlike a new name, takes nobody's place. Not every file system has links.
        match fs::hard_link(&self.part.path, &self.path) {
            Ok(()) => {}
            Err(e) if e.kind() == ErrorKind::AlreadyExists => return Err(e),
            Err(_) => {
                drop(OpenOptions::new().write(true).create_new(true).open(&self.path)?);
                fs::rename(&self.part.path, &self.path)?;
            }
        }
        sync(folder_of(&self.path));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::folder::Folder;

    fn names(folder: &Folder) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_is_written_stays() {
        let folder = Folder::new("sweep");
        for name in
            [".freiraum-17-0.part", ".freiraum-17-1.part", ".freiraum-x.part", "freiraum-1-1.part", "b.part"]
        {
            folder.file(name, "left");
        }
        let held = File::open(folder.path().join(".freiraum-17-1.part")).unwrap();
        held.lock().unwrap();
        write(folder.path().join("a"), "whole").unwrap();
        let expected = [".freiraum-17-1.part", ".freiraum-x.part", "a", "b.part", "freiraum-1-1.part"];
        assert_eq!(names(&folder), expected);
        drop(held);
        sweep(folder.path());
        assert_eq!(names(&folder), expected[1..]);
        assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"whole");
    }

    #[test]
    fn many_who_save_to_one_file_and_sweep_beside_it_never_mix() {
        let folder = Folder::new("together");
        let path = folder.path().join("one");
        let texts: Vec<String> = (0..8).map(|k| k.to_string().repeat(20_000 + k)).collect();
        std::thread::scope(|scope| {
            for text in &texts {
                let path = &path;
                scope.spawn(move || (0..20).for_each(|_| write(path, text).unwrap()));
            }
            scope.spawn(|| (0..200).for_each(|_| sweep(folder.path())));
            scope.spawn(|| {
                for _ in 0..200 {
                    if let Ok(found) = fs::read_to_string(&path) {
                        assert!(texts.contains(&found));
                    }
                }
            });
        });
        assert_eq!(names(&folder), ["one"]);
    }

    /// A process that waits for the other end of a pipe can only be killed.
    #[cfg(unix)]
    #[test]
    fn a_pipe_without_a_reader_is_an_error_and_where_only_files_may_be_replaced_no_pipe_is_opened() {
        let folder = Folder::new("save-pipe");
        let (pipe, link) = (folder.path().join("pipe"), folder.path().join("link"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        for path in [&pipe, &link] {
            let error = write(path, "text").unwrap_err();
            assert!(error.to_string().contains("no program reads from this pipe"), "{error}");
            let error = create(path).unwrap_err();
            assert!(error.to_string().contains("no program reads from this pipe"), "{error}");
            let start = Instant::now();
            let error = write_regular(path, "text").unwrap_err();
            assert_eq!(error.to_string(), "this is not a regular file but a pipe");
            assert!(start.elapsed() < READER / 2);
        }
        // A reader that comes a moment later gets all of it, more than a pipe holds.
        let text = "x".repeat(1 << 20);
        let reader = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            fs::read(pipe).unwrap()
        });
        write(&link, &text).unwrap();
        assert_eq!(reader.join().unwrap(), text.as_bytes());
        write_regular(folder.path().join("a"), "new").unwrap();
        create(folder.path().join("a")).unwrap().write_all(b"n").unwrap();
        assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"n");
        assert_eq!(create(folder.path()).unwrap_err().kind(), ErrorKind::IsADirectory);
        write_regular(folder.path().join("a"), "newer").unwrap();
        assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"newer");
        assert_eq!(names(&folder), ["a", "link", "pipe"]);
    }

    #[test]
    fn a_new_file_takes_nobodys_place() {
        let folder = Folder::new("new");
        let path = folder.path().join("a");
        let mut new = New::create(&path).unwrap();
        new.add(b"first").unwrap();
        assert!(!path.exists() && new.path().exists());
        let mut second = New::create(&path).unwrap();
        second.add(b"second").unwrap();
        new.put().unwrap();
        assert_eq!(second.put().unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert!(New::create(&path).is_err());
        drop(New::create(&folder.path().join("b")).unwrap());
        assert_eq!(names(&folder), ["a"]);
    }
}
