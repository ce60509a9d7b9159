//! What was found out about parts that could not leave, so that it is asked only once.
//!
//! All parts stay where they are until they leave, so that what is in the way of a part stays in the way until it leaves itself.

use freiraum_geometry::Vec3;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// For each of some groups of bodies what is in its way.
type Blockers = BTreeMap<Vec<usize>, usize>;

/// Who is in the way of whom, all as numbers of bodies.
#[derive(Default)]
pub(super) struct Memory {
    /// For bodies and a direction: another one that they run into before they are out.
    ///
    /// Where they meet, the boxes of both overlap, so that they are out of no box around it: true whatever else is there, and for every larger
    /// group that the other one is not part of.
    blocked: Mutex<HashMap<[u64; 3], Blockers>>,
    /// For bodies that do not slide out: all that ended one of their motions.
    held: Mutex<BTreeMap<Vec<usize>, BTreeSet<usize>>>,
}

impl Memory {
    /// Notes what bodies run into.
    pub(super) fn blocked(&self, bodies: &[usize], direction: Vec3, by: usize) {
        let mut known = locked(&self.blocked);
        known.entry(key(direction)).or_default().insert(bodies.to_vec(), by);
    }

    /// True if these bodies, or some of them, are known to run into one of the others.
    pub(super) fn is_blocked(&self, bodies: &[usize], direction: Vec3, others: &[usize]) -> bool {
        let known = locked(&self.blocked);
        let Some(known) = known.get(&key(direction)) else { return false };
        known.iter().any(|(some, by)| others.contains(by) && some.iter().all(|body| bodies.contains(body)))
    }

    /// Notes that bodies do not slide out, and what ended their motions.
    pub(super) fn held(&self, bodies: &[usize], by: BTreeSet<usize>) {
        locked(&self.held).insert(bodies.to_vec(), by);
    }

    /// True if these bodies are known not to slide out of the others.
    pub(super) fn is_held(&self, bodies: &[usize], others: &[usize]) -> bool {
        let known = locked(&self.held);
        known.get(bodies).is_some_and(|by| by.iter().all(|body| others.contains(body)))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Both zeros are one.
fn key(direction: Vec3) -> [u64; 3] {
    direction.to_array().map(|x| (x + 0.0).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_way_stays_there_until_it_leaves() {
        let memory = Memory::default();
        memory.blocked(&[1, 2], Vec3::Z, 3);
        for (bodies, direction, others, expected) in [
            (&[1, 2][..], Vec3::Z, &[0, 3][..], true),
            (&[1, 2], Vec3::Z, &[0], false),
            (&[1, 2], -Vec3::Z, &[0, 3], false),
            (&[1, 2], Vec3::new(-0.0, 0.0, 1.0), &[3], true),
            // A larger group runs into it too, a smaller one need not.
            (&[1, 2, 4], Vec3::Z, &[0, 3], true),
            (&[1], Vec3::Z, &[0, 2, 3], false),
            // Unless it goes along.
            (&[1, 2, 3], Vec3::Z, &[0], false),
        ] {
            assert_eq!(memory.is_blocked(bodies, direction, others), expected, "{bodies:?} {others:?}");
        }
        memory.held(&[1], BTreeSet::from([2, 3]));
        assert!(memory.is_held(&[1], &[2, 3, 4]) && !memory.is_held(&[1], &[2, 4]));
        assert!(!memory.is_held(&[2], &[1, 3]));
    }
}
