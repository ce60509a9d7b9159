//! Recognising a file that was not written since it was last read, without reading it.
//!
//! A file counts as unchanged if device, number, size, time of writing and time of change are the same to the
//! last digit. The time of change is set by the system at every write, also where a program puts the time of
//! writing back afterwards. A stamp that is younger than two seconds when the file is read is not kept: a
//! write in the same tick of the clock would leave it as it is. What is written through a memory map shows
//! only when the system notices, as everywhere.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Device, number, size, seconds and nanoseconds of writing, seconds and nanoseconds of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp(pub [i64; 7]);

/// How much older than the moment of reading a stamp must be, in seconds: more than the tick of any clock of
/// a file system.
const SETTLED: i64 = 2;

/// File systems that keep a time of change which no program can set: ext2 to ext4, XFS, Btrfs, F2FS,
/// Bcachefs, ZFS, tmpfs, overlayfs. Others (FAT, network mounts) may make it up.
#[cfg(target_os = "linux")]
const KEEPS_TIME_OF_CHANGE: [u32; 8] =
    [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0xca45_1a4e, 0x2fc1_2fc1, 0x0102_1994, 0x794c_7630];

impl Stamp {
    /// Of a file as it is now; `None` where a stamp does not tell whether it was written.
    #[cfg(target_os = "linux")]
    pub fn of(path: &Path) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt;
        // The magic numbers are 32 bits wide, the field is as wide as the processor likes.
        let system = rustix::fs::statfs(path).ok()?.f_type as u32;
        if !KEEPS_TIME_OF_CHANGE.contains(&system) {
            return None;
        }
        let data = std::fs::metadata(path).ok()?;
        let [device, number, size] = [data.dev(), data.ino(), data.len()].map(u64::cast_signed);
        Some(Stamp([device, number, size, data.mtime(), data.mtime_nsec(), data.ctime(), data.ctime_nsec()]))
    }

    /// Of a file as it is now; `None` where a stamp does not tell whether it was written.
    #[cfg(not(target_os = "linux"))]
    pub fn of(_: &Path) -> Option<Stamp> {
        None
    }

    /// As [`Stamp::of`], where any later write gives another stamp: only such stamps are kept. `now` is a
    /// time that has come.
    pub fn settled(path: &Path, now: SystemTime) -> Option<Stamp> {
        Stamp::of(path).filter(|stamp| stamp.is_settled(now))
    }

    /// Whether any write after `now` gives another stamp.
    fn is_settled(&self, now: SystemTime) -> bool {
        let now = now.duration_since(UNIX_EPOCH).ok().and_then(|since| i64::try_from(since.as_secs()).ok());
        let Stamp([.., written, _, changed, _]) = self;
        now.is_some_and(|now| written.max(changed).saturating_add(SETTLED) < now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn young_and_future_stamps_are_not_settled() {
        let now = UNIX_EPOCH + Duration::from_millis(1_000_500);
        let at = |written: i64, changed: i64| Stamp([1, 2, 3, written, 0, changed, 0]).is_settled(now);
        assert!(at(900, 990));
        assert!(at(990, 997));
        assert!(!at(990, 998));
        assert!(!at(998, 990));
        assert!(!at(990, 2000));
        assert!(!at(i64::MAX, 0));
        assert!(at(-5, i64::MIN));
        assert!(!Stamp([0; 7]).is_settled(UNIX_EPOCH - Duration::from_secs(1)));
    }
}
