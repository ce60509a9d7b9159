//! Unsaved work, kept in the user's cache after every change, and offered again after a crash.
//!
//! Every session of a scene has a file of its own, so that work that was offered and not yet answered is not written over. A lock beside it, which the system
//! gives up when the process ends, tells work of a session that still runs from work that was left behind.

use freiraum_files as files;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Larger journals are not read, in bytes.
const MAX_SIZE: u64 = 1 << 28;

/// Where unsaved work of one scene is kept.
pub(crate) struct Journal {
    /// `None` if there is no place for it.
    own: Option<PathBuf>,
    /// Held as long as there is unsaved work.
    lock: RefCell<Option<File>>,
}

/// Work that was not saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Unsaved {
    /// What the scene is called.
    pub(crate) name: String,
    /// When it was changed last: seconds since 1970.
    pub(crate) when: u64,
    /// The whole scene file.
    pub(crate) text: String,
}

/// Work of an earlier session.
pub(crate) struct Offer {
    pub(crate) unsaved: Unsaved,
    path: PathBuf,
}

impl Journal {
    /// For a scene file; with the newest work of an earlier session that differs from `text`, if there is any.
    pub(crate) fn of(cache: Option<&Path>, scene: &Path, text: &str) -> (Journal, Option<Offer>) {
        let Some(folder) = cache.map(|cache| cache.join("journal")) else {
            return (Journal { own: None, lock: RefCell::default() }, None);
        };
        // What a killed session left half written.
        files::sweep(&folder);
        let name = files::cache_name(scene);
        let mut offers: Vec<Offer> = Vec::new();
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_ours = entry.file_name().to_string_lossy().starts_with(&name);
            if !is_ours || path.extension().is_none_or(|e| e != "json") || is_held(&path) {
                continue;
            }
            let read = match files::read(&path, MAX_SIZE) {
                Ok(bytes) => serde_json::from_slice::<Unsaved>(&bytes).ok(),
                Err(e) if e.kind() == std::io::ErrorKind::FileTooLarge => continue,
                Err(_) => None,
            };
            match read {
                Some(unsaved) if unsaved.text != text => offers.push(Offer { unsaved, path }),
                // What was saved after all, or is damaged.
                _ => remove(&path),
            }
        }
        let own = folder.join(format!("{name}-{:x}-{:x}.json", now().as_nanos(), std::process::id()));
        (
            Journal { own: Some(own), lock: RefCell::default() },
            offers.into_iter().max_by_key(|offer| offer.unsaved.when),
        )
    }

    /// Keeps this text.
    pub(crate) fn keep(&self, name: &str, text: &str) -> std::io::Result<()> {
        let Some(own) = &self.own else { return Ok(()) };
        let unsaved = Unsaved { name: name.to_owned(), when: now().as_secs(), text: text.to_owned() };
        if let Some(folder) = own.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut lock = self.lock.borrow_mut();
        if lock.is_none() {
            let file = File::create(own.with_extension("lock"))?;
            // Where the system knows no locks, work of a running session is offered too.
            let _ = file.try_lock();
            *lock = Some(file);
        }
        // On the disk when this returns: a machine that loses its power loses no work that was kept.
        files::write_regular(own, serde_json::to_vec(&unsaved).map_err(std::io::Error::other)?)
    }

    /// Everything is saved.
    pub(crate) fn clear(&self) {
        if let Some(own) = &self.own {
            remove(own);
        }
        *self.lock.borrow_mut() = None;
    }
}

/// Whether a session that still runs keeps its work here.
fn is_held(path: &Path) -> bool {
    File::open(path.with_extension("lock"))
        .is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Removes unsaved work and its lock. As a rule there is none.
fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
    let _ = std::fs::remove_file(path.with_extension("lock"));
}

impl Offer {
    /// It was taken or is not wanted.
    pub(crate) fn settle(self) -> Unsaved {
        remove(&self.path);
        self.unsaved
    }
}

fn now() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
