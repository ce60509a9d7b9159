//! Things in disjoint groups, and what has been looked at; memory is reused.

/// Disjoint groups of numbered things.
#[derive(Debug, Default)]
pub(super) struct Groups {
    parent: Vec<u32>,
}

impl Groups {
    /// Every thing alone in its group, in place of what was there.
    pub(super) fn start(&mut self, count: usize) {
        self.parent.clear();
        self.parent.extend(0..count as u32);
    }

    pub(super) fn root(&mut self, i: u32) -> u32 {
        let mut i = i as usize;
        while self.parent[i] as usize != i {
            // Halving the way keeps later ways short.
            self.parent[i] = self.parent[self.parent[i] as usize];
            i = self.parent[i] as usize;
        }
        i as u32
    }

    /// The smaller root stays, so that groups are numbered by their first member.
    pub(super) fn join(&mut self, i: u32, j: u32) {
        let (i, j) = (self.root(i), self.root(j));
        self.parent[i.max(j) as usize] = i.min(j);
    }

    /// The number of groups; `number` gets the group of each thing, in the order of their first members.
    pub(super) fn numbered(&mut self, number: &mut Vec<u32>) -> u32 {
        let mut count = 0;
        number.clear();
        for i in 0..self.parent.len() as u32 {
            let root = self.root(i);
            if root == i {
                number.push(count);
                count += 1;
            } else {
                number.push(number[root as usize]);
            }
        }
        count
    }
}

/// Which of many numbered things were seen; forgetting all of them costs nothing.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    round: u32,
    seen_in: Vec<u32>,
}

impl Seen {
    /// Nothing of `count` things is seen.
    pub(crate) fn start(&mut self, count: usize) {
        if self.round == u32::MAX {
            self.seen_in.clear();
            self.round = 0;
        }
        self.round += 1;
        if self.seen_in.len() < count {
            self.seen_in.resize(count, 0);
        }
    }

    /// True if the thing was not seen before; it is now.
    pub(crate) fn is_new(&mut self, i: u32) -> bool {
        std::mem::replace(&mut self.seen_in[i as usize], self.round) != self.round
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_numbered_by_their_first_members() {
        let (mut groups, mut number) = (Groups::default(), Vec::new());
        groups.start(7);
        for (i, j) in [(5, 1), (3, 6), (6, 1), (2, 2)] {
            groups.join(i, j);
        }
        assert_eq!(groups.numbered(&mut number), 4);
        assert_eq!(number, [0, 1, 2, 1, 3, 1, 1]);
    }

    #[test]
    fn what_was_seen_is_forgotten() {
        let mut seen = Seen { round: u32::MAX - 1, seen_in: Vec::new() };
        for count in [2, 4, 3, 3] {
            seen.start(count);
            assert!((0..count as u32).all(|i| seen.is_new(i)));
            assert!((0..count as u32).all(|i| !seen.is_new(i)));
        }
    }
}
