//! Digests of files, taken of the very bytes that were read: a file that is read again later may be another
//! one.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// BLAKE3 of the bytes of files, by the paths that they were read under.
pub type Digests = BTreeMap<PathBuf, [u8; 32]>;

thread_local! {
    /// What was read on this thread, while somebody asks for it.
    static SEEN: RefCell<Option<Digests>> = const { RefCell::new(None) };
}

/// Does this work, and gives the digests of the files that the readers of this crate have read for it on this
/// thread.
pub fn witnessed<T>(work: impl FnOnce() -> T) -> (T, Digests) {
    let outer = Outer(SEEN.with(|seen| seen.replace(Some(Digests::new()))));
    let done = work();
    let seen = SEEN.with(RefCell::take).unwrap_or_default();
    drop(outer);
    (done, seen)
}

/// What an outer witness has seen, which goes on afterwards, also after a panic.
struct Outer(Option<Digests>);

impl Drop for Outer {
    fn drop(&mut self) {
        SEEN.with(|seen| seen.replace(self.0.take()));
    }
}

/// BLAKE3 of the bytes of a regular file. No witness sees it: what is not kept does not matter.
pub fn digest(path: impl AsRef<Path>) -> io::Result<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(super::open(path)?)?;
    Ok(*hasher.finalize().as_bytes())
}

fn is_witnessed() -> bool {
    SEEN.with(|seen| seen.borrow().is_some())
}

/// Notes what a file has, if that is asked for.
pub fn saw(path: &Path, bytes: &[u8]) {
    if is_witnessed() {
        note(path, *blake3::hash(bytes).as_bytes());
    }
}

/// Notes what files had when they were read, for what was kept of them.
pub fn saw_again(digests: &Digests) {
    digests.iter().for_each(|(path, digest)| note(path, *digest));
}

fn note(path: &Path, digest: [u8; 32]) {
    SEEN.with(|seen| {
        if let Some(seen) = &mut *seen.borrow_mut() {
            seen.insert(path.to_owned(), digest);
        }
    });
}

/// A file that is read piece by piece.
pub struct Stream<R> {
    file: R,
    hasher: Option<Box<blake3::Hasher>>,
}

impl<R: Read> Stream<R> {
    /// Of a file that is open at its beginning.
    pub fn new(file: R) -> Stream<R> {
        Stream { file, hasher: is_witnessed().then(Box::default) }
    }

    /// Reads what is left, and notes all of it, if that is asked for.
    pub fn note(mut self, path: &Path) -> io::Result<()> {
        if self.hasher.is_some() {
            io::copy(&mut self, &mut io::sink())?;
        }
        if let Some(hasher) = self.hasher {
            note(path, *hasher.finalize().as_bytes());
        }
        Ok(())
    }
}

impl<R: Read> Read for Stream<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        if let Some(hasher) = &mut self.hasher {
            hasher.update(&buffer[..count]);
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::folder::Folder;

    #[test]
    fn digests_are_of_what_was_read_and_of_nothing_else() {
        let folder = Folder::new("witness");
        let at = |name: &str| folder.path().join(name);
        let read = |name: &str| crate::read(at(name), 100).unwrap();
        let hash = |bytes: &[u8]| *blake3::hash(bytes).as_bytes();
        folder.file("a", "first");
        folder.file("b", "second");
        read("a");
        let (inner, outer) = witnessed(|| {
            read("a");
            folder.file("a", "written later");
            let ((), inner) = witnessed(|| drop(read("b")));
            inner
        });
        assert_eq!(inner, Digests::from([(at("b"), hash(b"second"))]));
        assert_eq!(outer, Digests::from([(at("a"), hash(b"first"))]));
        assert!(!is_witnessed());
    }
}
