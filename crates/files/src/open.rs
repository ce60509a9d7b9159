//! Regular files, opened without waiting and read up to a stated size.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The largest text that is read (scenes, robots, programs, configurations), in bytes.
pub const LARGEST_TEXT: u64 = 1 << 28;

/// The largest mesh file that is read, and the largest file that a glTF file names, in bytes.
pub const LARGEST_MESH: u64 = 1 << 33;

/// The largest file that is read of those that Freiraum itself has written (saved worlds, remembered answers), in bytes.
pub const LARGEST_SAVED: u64 = 1 << 32;

/// Opens a regular file for reading. Links are followed.
///
/// **Errors.** What is no regular file, a folder, a pipe, a socket or a device, is refused: reading it may wait or never end. It is looked
/// at before it is opened, because opening a device may already do something, and again afterwards, because it may have been replaced
/// meanwhile; neither waits.
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    regular(&std::fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        // The type of the constant differs between systems.
        let flags = rustix::fs::OFlags::NONBLOCK.bits() as i32;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    let file = options.open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// The bytes of a regular file of at most `most` bytes.
///
/// **Errors.** As [`open`]; a larger file is refused before it is read, and one that grows meanwhile when it is too large.
pub fn read(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    let path = path.as_ref();
    let file = open(path)?;
    let length = file.metadata()?.len();
    let too_large = || {
        let size = if most >= 1 << 20 { format!("{} MiB", most >> 20) } else { format!("{most} bytes") };
        io::Error::new(ErrorKind::FileTooLarge, format!("the file is larger than {size}"))
    };
    if length > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let expected = usize::try_from(length).map_err(|_| too_large())?;
    bytes.try_reserve_exact(expected).map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_large());
    }
    super::saw(path, &bytes);
    Ok(bytes)
}

/// The text of a regular file of at most `most` bytes, in UTF-8.
///
/// **Errors.** As [`read`], and for a file that is no text.
pub fn read_text(path: impl AsRef<Path>, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "the file is not UTF-8 text"))
}

/// What a path leads to if that is there and no regular file: `a folder`, `a pipe`, `a socket` or `a device`. Nothing is opened for it.
#[must_use]
pub fn special(path: impl AsRef<Path>) -> Option<&'static str> {
    let found = std::fs::metadata(path).ok()?;
    if found.is_file() {
        None
    } else if found.is_dir() {
        Some("a folder")
    } else {
        Some(kind(&found))
    }
}

fn regular(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    if found.is_dir() {
        return Err(io::Error::new(ErrorKind::IsADirectory, "this is a folder"));
    }
    Err(io::Error::new(ErrorKind::InvalidInput, format!("this is not a regular file but {}", kind(found))))
}

#[cfg(unix)]
fn kind(found: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = found.file_type();
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn kind(_: &Metadata) -> &'static str {
    "something else"
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::folder::Folder;

    #[test]
    fn files_are_read_up_to_their_limit() {
        let folder = Folder::new("bounded");
        folder.file("a", "12345");
        let path = folder.path().join("a");
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(read(&path, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        std::fs::write(&path, b"a\xff").unwrap();
        assert_eq!(read_text(&path, 5).unwrap_err().kind(), ErrorKind::InvalidData);
        assert_eq!(read(folder.path(), 5).unwrap_err().kind(), ErrorKind::IsADirectory);
        assert_eq!(read(folder.path().join("b"), 5).unwrap_err().kind(), ErrorKind::NotFound);
        // A hole takes no room on the disk, but it would in the memory.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&path, LARGEST_MESH).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_sockets_and_devices_are_refused_at_once() {
        let folder = Folder::new("special");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        let zero = std::path::PathBuf::from("/dev/zero");
        for (path, what) in [(pipe, "pipe"), (link, "pipe"), (socket, "socket"), (zero, "device")] {
            let error = read(&path, 10).unwrap_err();
            assert!(error.to_string().contains(what), "{}: {error}", path.display());
        }
    }
}
