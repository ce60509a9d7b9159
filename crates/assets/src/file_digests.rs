//! Digests of files that need not be read again.

use crate::digest::Digest;
use freiraum_files::Stamp;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Digests of mesh files by place and stamp. A file whose stamp is unchanged is not read again.
#[derive(Debug, Default)]
pub struct FileDigests {
    files: Mutex<BTreeMap<Digest, Known>>,
}

/// A file that was read.
#[derive(Clone, Copy, Debug)]
struct Known {
    stamp: Stamp,
    digest: Digest,
    /// Whether it was asked for since it was restored.
    is_used: bool,
}

/// An entry, as it is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FileDigest {
    /// A digest of the place of the file and how it is read.
    pub place: Digest,
    /// A digest of its content.
    pub digest: Digest,
    /// What the file system said of it when it was read; changes with every write.
    pub stamp: [i64; 7],
}

impl FileDigests {
    /// The digest of the file at a place, if it was read when it had this stamp.
    pub(crate) fn get(&self, place: &Digest, stamp: &Stamp) -> Option<Digest> {
        let mut files = self.lock();
        let known = files.get_mut(place).filter(|known| known.stamp == *stamp)?;
        known.is_used = true;
        Some(known.digest)
    }

    /// `stamp` is that from before the file was read, and settled then.
    pub(crate) fn set(&self, place: Digest, stamp: Stamp, digest: Digest) {
        self.lock().insert(place, Known { stamp, digest, is_used: true });
    }

    /// The entries that were asked for or added since the others were restored, in the order of their places:
    /// files that no scene refers to any more are left out.
    pub fn used(&self) -> Vec<FileDigest> {
        let files = self.lock();
        let used = files.iter().filter(|(_, known)| known.is_used);
        used.map(|(place, known)| FileDigest { place: *place, digest: known.digest, stamp: known.stamp.0 })
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Digest, Known>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FromIterator<FileDigest> for FileDigests {
    fn from_iter<I: IntoIterator<Item = FileDigest>>(entries: I) -> FileDigests {
        let known = |FileDigest { place, digest, stamp }| {
            (place, Known { stamp: Stamp(stamp), digest, is_used: false })
        };
        FileDigests { files: Mutex::new(entries.into_iter().map(known).collect()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_decide_and_unused_entries_go() {
        let entry = |place: u8| FileDigest {
            place: [place; 32],
            digest: [place + 1; 32],
            stamp: [1, -2, i64::MAX, 4, 5, 6, 7],
        };
        let restored: FileDigests = [entry(1), entry(8)].into_iter().collect();
        assert!(restored.used().is_empty());
        for k in 0..7 {
            let mut other = entry(8).stamp;
            other[k] ^= 1;
            assert_eq!(restored.get(&[8; 32], &Stamp(other)), None, "number {k} of the stamp differs");
        }
        assert_eq!(restored.get(&[8; 32], &Stamp(entry(8).stamp)), Some([9; 32]));
        assert_eq!(restored.used(), [entry(8)]);
    }
}
