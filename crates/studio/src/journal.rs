//! Unsaved work, kept in the user's cache after every change, and offered again after a crash.
//!
//! Every session of a scene has a file of its own, so that work that was offered and not yet answered is not written over.

use crate::cache;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Larger journals are not read, in bytes.
const MAX_SIZE: u64 = 1 << 28;

/// Where unsaved work of one scene is kept.
pub(crate) struct Journal {
    /// `None` if there is no place for it.
    own: Option<PathBuf>,
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
            return (Journal { own: None }, None);
        };
        let name = cache::name_for(scene);
        let mut offers: Vec<Offer> = Vec::new();
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_ours = entry.file_name().to_string_lossy().starts_with(&name);
            if !is_ours
                || path.extension().is_none_or(|e| e != "json")
                || entry.metadata().is_ok_and(|m| m.len() > MAX_SIZE)
            {
                continue;
            }
            let read =
                std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<Unsaved>(&bytes).ok());
            match read {
                Some(unsaved) if unsaved.text != text => offers.push(Offer { unsaved, path }),
                // What was saved after all, or is damaged.
                _ => drop(std::fs::remove_file(&path)),
            }
        }
        let own = folder.join(format!("{name}-{:x}-{:x}.json", now().as_nanos(), std::process::id()));
        (Journal { own: Some(own) }, offers.into_iter().max_by_key(|offer| offer.unsaved.when))
    }

    /// Keeps this text.
    pub(crate) fn keep(&self, name: &str, text: &str) -> std::io::Result<()> {
        let Some(own) = &self.own else { return Ok(()) };
        let unsaved = Unsaved { name: name.to_owned(), when: now().as_secs(), text: text.to_owned() };
        if let Some(folder) = own.parent() {
            std::fs::create_dir_all(folder)?;
        }
        cache::replace(own, &serde_json::to_vec(&unsaved).map_err(std::io::Error::other)?)
    }

    /// Everything is saved.
    pub(crate) fn clear(&self) {
        if let Some(own) = &self.own {
            // As a rule there is none.
            let _ = std::fs::remove_file(own);
        }
    }
}

impl Offer {
    /// It was taken or is not wanted.
    pub(crate) fn settle(self) -> Unsaved {
        let _ = std::fs::remove_file(&self.path);
        self.unsaved
    }
}

fn now() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
