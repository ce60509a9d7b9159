//! Disjoint sets of numbered things, with an optional parity (same or opposite) between members.

/// Sets over `0..n`; at first everything stands alone.
///
/// Each member knows whether it is turned relative to the representative of its set, which is its smallest member. Sets
/// that have no parity are made by [`UnionFind::join`] alone. At most 2^31 members. **Cost.** O(log n) amortised for
/// each operation.
#[derive(Clone, Debug, Default)]
pub struct UnionFind {
    /// Twice the parent, one more if the member is turned relative to it. A parent is smaller than the member, or the
    /// member itself for a representative.
    links: Vec<u32>,
}

impl UnionFind {
    /// `n` sets of one member each.
    pub fn new(n: usize) -> UnionFind {
        let mut sets = UnionFind::default();
        sets.reset(n);
        sets
    }

    /// `n` sets of one member each in place of what was there; memory is reused.
    pub fn reset(&mut self, n: usize) {
        debug_assert!(n <= 1 << 31, "{n} members");
        self.links.clear();
        self.links.extend((0..n as u32).map(|i| i << 1));
    }

    /// The smallest member of the set of `i`.
    pub fn root(&mut self, i: u32) -> u32 {
        self.find(i).0
    }

    /// The same without shortening the way for the next time.
    pub fn root_of(&self, mut i: u32) -> u32 {
        loop {
            let parent = self.links[i as usize] >> 1;
            if parent == i {
                return i;
            }
            i = parent;
        }
    }

    /// The representative of the set of `i`, its smallest member, and whether `i` is turned relative to it.
    pub fn find(&mut self, mut i: u32) -> (u32, bool) {
        let mut turned = 0;
        loop {
            let link = self.links[i as usize];
            if link >> 1 == i {
                return (i, turned == 1);
            }
            // Halving the way keeps later ways short.
            let shorter = self.links[(link >> 1) as usize] ^ (link & 1);
            self.links[i as usize] = shorter;
            turned ^= shorter & 1;
            i = shorter >> 1;
        }
    }

    /// Whether two members are turned relative to each other; `None` if they are in different sets.
    pub fn parity(&mut self, i: u32, j: u32) -> Option<bool> {
        let ((ri, ti), (rj, tj)) = (self.find(i), self.find(j));
        (ri == rj).then_some(ti != tj)
    }

    /// Joins the sets of `i` and `j`, which are not turned relative to each other; false if they are known to be.
    pub fn join(&mut self, i: u32, j: u32) -> bool {
        self.join_turned(i, j, false)
    }

    /// Joins the sets of `i` and `j`, which are turned relative to each other or not; false if that contradicts what is
    /// known already.
    pub fn join_turned(&mut self, i: u32, j: u32, turned: bool) -> bool {
        let ((ri, ti), (rj, tj)) = (self.find(i), self.find(j));
        if ri == rj {
            return ti ^ tj == turned;
        }
        let (low, high) = (ri.min(rj), ri.max(rj));
        self.links[high as usize] = low << 1 | u32::from(ti ^ tj ^ turned);
        true
    }

    /// A number for each member that `counts`, equal within a set and counted from 0 in the order of the first such
    /// members, `u32::MAX` for the others; and how many numbers there are.
    pub fn labels(&mut self, counts: impl Fn(usize) -> bool) -> (Vec<u32>, u32) {
        let mut of_root = vec![u32::MAX; self.links.len()];
        let mut count = 0;
        let mut labels = of_root.clone();
        for i in (0..labels.len()).filter(|&i| counts(i)) {
            let of_set = &mut of_root[self.root(i as u32) as usize];
            if *of_set == u32::MAX {
                *of_set = count;
                count += 1;
            }
            labels[i] = *of_set;
        }
        (labels, count)
    }

    /// The number of sets; `labels` gets the number of the set of each member, in the order of their first members.
    pub fn label_all(&self, labels: &mut Vec<u32>) -> u32 {
        let mut count = 0;
        labels.clear();
        for (i, link) in (0u32..).zip(&self.links) {
            // Parents are smaller, so that they have their number already.
            let parent = link >> 1;
            if parent == i {
                labels.push(count);
                count += 1;
            } else {
                labels.push(labels[parent as usize]);
            }
        }
        count
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
                assert!(sets.join_turned(i as u32, j as u32, colour[i] != colour[j]));
                let (from, to) = (label[i], label[j]);
                label.iter_mut().filter(|l| **l == from).for_each(|l| *l = to);
                assert!(!sets.join_turned(i as u32, j as u32, colour[i] == colour[j]));
            }
            let (labels, count) = sets.labels(|_| true);
            let mut all = vec![7];
            assert_eq!(sets.label_all(&mut all), count);
            assert_eq!(all, labels);
            assert_eq!(count as usize, label.iter().collect::<std::collections::BTreeSet<_>>().len());
            for i in 0..n {
                for j in 0..n {
                    assert_eq!(labels[i] == labels[j], label[i] == label[j]);
                    let ((ri, ti), (rj, tj)) = (sets.find(i as u32), sets.find(j as u32));
                    assert_eq!((sets.root(i as u32), sets.root_of(i as u32)), (ri, ri));
                    assert_eq!(sets.parity(i as u32, j as u32), (ri == rj).then_some(ti ^ tj));
                    assert!(ri != rj || (ti ^ tj) == (colour[i] != colour[j]));
                }
            }
        }
    }

    #[test]
    fn sets_are_numbered_by_their_first_members() {
        let (mut sets, mut number) = (UnionFind::new(2), Vec::new());
        sets.reset(7);
        for (i, j) in [(5, 1), (3, 6), (6, 1), (2, 2)] {
            assert!(sets.join(i, j));
        }
        assert_eq!(sets.label_all(&mut number), 4);
        assert_eq!(number, [0, 1, 2, 1, 3, 1, 1]);
    }
}
