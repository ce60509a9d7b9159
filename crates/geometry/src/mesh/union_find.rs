//! Disjoint sets of numbered things, with an optional parity (same or opposite) between members.

/// Sets over `0..n`; at first everything stands alone.
///
/// Each member knows whether it is turned relative to the representative of its set. Joining without parity is
/// joining with `turned == false`.
pub(super) struct UnionFind {
    /// Always smaller than the member itself, or equal for a representative.
    parent: Vec<u32>,
    turned: Vec<bool>,
}

impl UnionFind {
    pub(super) fn new(n: usize) -> UnionFind {
        UnionFind { parent: (0..n as u32).collect(), turned: vec![false; n] }
    }

    /// The representative of the set of `i`, its smallest member, and whether `i` is turned relative to it.
    pub(super) fn find(&mut self, i: u32) -> (u32, bool) {
        let (mut root, mut turned) = (i, false);
        while self.parent[root as usize] != root {
            turned ^= self.turned[root as usize];
            root = self.parent[root as usize];
        }
        // Second walk: hang everything on the way directly under the root.
        let (mut at, mut rest) = (i, turned);
        while self.parent[at as usize] != root && at != root {
            let (next, step) = (self.parent[at as usize], self.turned[at as usize]);
            self.parent[at as usize] = root;
            self.turned[at as usize] = rest;
            rest ^= step;
            at = next;
        }
        (root, turned)
    }

    /// Joins the sets of `i` and `j`, which are turned relative to each other or not; false if that contradicts what is
    /// known already.
    pub(super) fn join(&mut self, i: u32, j: u32, turned: bool) -> bool {
        let ((ri, ti), (rj, tj)) = (self.find(i), self.find(j));
        if ri == rj {
            return ti ^ tj == turned;
        }
        let (low, high) = (ri.min(rj), ri.max(rj));
        self.parent[high as usize] = low;
        self.turned[high as usize] = ti ^ tj ^ turned;
        true
    }

    /// A number for each member that `counts`, equal within a set and counted from 0 in the order of the first such
    /// members, `u32::MAX` for the others; and how many numbers there are.
    pub(super) fn labels(&mut self, counts: impl Fn(usize) -> bool) -> (Vec<u32>, u32) {
        let mut of_root = vec![u32::MAX; self.parent.len()];
        let mut count = 0;
        let mut labels = of_root.clone();
        for i in (0..labels.len()).filter(|&i| counts(i)) {
            let of_set = &mut of_root[self.find(i as u32).0 as usize];
            if *of_set == u32::MAX {
                *of_set = count;
                count += 1;
            }
            labels[i] = *of_set;
        }
        (labels, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn agrees_with_colouring_by_hand() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let n = 1 + random.below(12);
            let colour: Vec<bool> = (0..n).map(|_| random.below(2) == 1).collect();
            let mut sets = UnionFind::new(n);
            let mut label: Vec<usize> = (0..n).collect();
            for _ in 0..random.below(20) {
                let (i, j) = (random.below(n), random.below(n));
                assert!(sets.join(i as u32, j as u32, colour[i] != colour[j]));
                let (from, to) = (label[i], label[j]);
                label.iter_mut().filter(|l| **l == from).for_each(|l| *l = to);
                assert!(!sets.join(i as u32, j as u32, colour[i] == colour[j]));
            }
            let (labels, count) = sets.labels(|_| true);
            assert_eq!(count as usize, label.iter().collect::<std::collections::BTreeSet<_>>().len());
            for i in 0..n {
                for j in 0..n {
                    assert_eq!(labels[i] == labels[j], label[i] == label[j]);
                    let ((ri, ti), (rj, tj)) = (sets.find(i as u32), sets.find(j as u32));
                    assert!(ri != rj || (ti ^ tj) == (colour[i] != colour[j]));
                }
            }
        }
    }
}
