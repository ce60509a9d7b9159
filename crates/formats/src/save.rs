//! Files that appear complete or not at all.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// How many names are tried for the temporary file.
const ATTEMPTS: u32 = 100;

/// How many links are followed; more lead in a circle.
const MAX_LINKS: usize = 40;

/// Why a file was not written; an older one of its name is as it was.
#[derive(Debug)]
pub(crate) enum SaveError {
    /// The older file is read-only.
    ReadOnly,
    /// What was tried, and what the operating system says.
    Io(&'static str, io::Error),
}

/// Writes a file in one go: `fill` gets a new file in the same folder, which then takes the place of `path`. An older file of
/// that name is replaced, or what a link of that name leads to, and its permissions are kept; a read-only one is left alone. What
/// is no file but a pipe or a device stays and gets the bytes.
///
/// **Guarantee.** At every moment, also if the process is killed or the disk is full, `path` holds the whole old file or the whole new one; once
/// this returns it is the new one, on the disk. A killed process may leave the new file, hidden and ending in `.part`.
pub(crate) fn save(path: &Path, fill: impl FnOnce(File) -> io::Result<File>) -> Result<(), SaveError> {
    let failed = |doing: &'static str| move |e: io::Error| SaveError::Io(doing, e);
    if fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        let pipe = OpenOptions::new().write(true).open(path);
        return pipe.and_then(fill).map(drop).map_err(failed("write the file"));
    }
    let path = target(path);
    let older = fs::metadata(&path).map(|m| m.permissions()).ok();
    if older.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(SaveError::ReadOnly);
    }
    let (temporary, file) = temporary_beside(&path).map_err(failed("create a file in this folder"))?;
    if let Some(permissions) = older {
        // What was private stays private. A file system without permissions refuses, and loses nothing.
        let _ = file.set_permissions(permissions);
    }
    let written = fill(file).and_then(|file| file.sync_all()).and_then(|()| fs::rename(&temporary, &path));
    written.map_err(|e| {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
        SaveError::Io("write the file", e)
    })?;
    // The new name must be on the disk as well. Not every system can; the file is complete in any case.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
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

/// A new file beside `path`, with a name that nobody else uses.
fn temporary_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file name"))?;
    let mut attempt = 0;
    loop {
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{}-{attempt}.part", std::process::id()));
        let temporary = path.with_file_name(temporary);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && attempt < ATTEMPTS => attempt += 1,
            Err(e) => return Err(e),
        }
    }
}
