//! Where all bodies are at some instant, sharing what is as it was at the instant before.

use freiraum_geometry::Pose;
use std::ops::Index;
use std::sync::Arc;

/// So many bodies share one piece of memory.
const CHUNK: usize = 64;

/// The poses of all bodies, by their numbers.
///
/// **Cost.** Those of a stage take memory in proportion to the bodies that moved since the stage before, a
/// 64th of all, and no more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Poses {
    /// All of the same length but for the last one.
    chunks: Vec<Arc<[Pose]>>,
}

impl Poses {
    /// Shares with an earlier instant what is the same.
    pub(crate) fn share(&mut self, earlier: &Poses) {
        for (own, known) in self.chunks.iter_mut().zip(&earlier.chunks) {
            if own == known {
                *own = known.clone();
            }
        }
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    /// True if there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The pose of a body, if there is one of this number.
    pub fn get(&self, body: usize) -> Option<&Pose> {
        self.chunks.get(body / CHUNK)?.get(body % CHUNK)
    }

    /// All of them, by the numbers of the bodies.
    pub fn iter(&self) -> impl Iterator<Item = &Pose> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// All of them, in a list of their own.
    pub fn to_vec(&self) -> Vec<Pose> {
        self.chunks.concat()
    }
}

impl From<&[Pose]> for Poses {
    fn from(poses: &[Pose]) -> Poses {
        Poses { chunks: poses.chunks(CHUNK).map(Arc::from).collect() }
    }
}

impl Index<usize> for Poses {
    type Output = Pose;

    /// Panics if there is no body of this number.
    fn index(&self, body: usize) -> &Pose {
        &self.chunks[body / CHUNK][body % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::Vec3;

    #[test]
    fn what_is_the_same_is_there_once() {
        let mut poses: Vec<Pose> = (0..200).map(|k| Pose::from_translation(f64::from(k) * Vec3::X)).collect();
        let before = Poses::from(&poses[..]);
        poses[70] = Pose::IDENTITY;
        let mut after = Poses::from(&poses[..]);
        after.share(&before);
        assert_eq!((after.len(), after.to_vec(), after[70]), (200, poses.clone(), Pose::IDENTITY));
        assert_eq!((before[70].translation().x, before.get(200), before.iter().count()), (70.0, None, 200));
        let is_shared = |k: usize| Arc::ptr_eq(&before.chunks[k], &after.chunks[k]);
        assert_eq!([0, 1, 2, 3].map(is_shared), [true, false, true, true]);
        assert!(Poses::from(&[][..]).is_empty() && !after.is_empty());
    }
}
