//! What has been looked at; memory is reused.

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
    fn what_was_seen_is_forgotten() {
        let mut seen = Seen { round: u32::MAX - 1, seen_in: Vec::new() };
        for count in [2, 4, 3, 3] {
            seen.start(count);
            assert!((0..count as u32).all(|i| seen.is_new(i)));
            assert!((0..count as u32).all(|i| !seen.is_new(i)));
        }
    }
}
