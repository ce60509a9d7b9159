//! Lists of records in one block of memory, so that many lists that grow and shrink allocate nothing once warm.

#[derive(Clone, Debug)]
struct Slot<R> {
    record: Option<R>,
    next: u32,
}

/// Marks the end of a list.
const NONE: u32 = u32::MAX;

/// The memory of many lists.
#[derive(Clone, Debug)]
pub(super) struct Records<R> {
    slots: Vec<Slot<R>>,
    free: u32,
}

/// One list; only the [`Records`] it was filled from can read it.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    head: u32,
    tail: u32,
    pub(super) len: usize,
}

impl List {
    pub(super) const EMPTY: List = List { head: NONE, tail: NONE, len: 0 };
}

impl<R> Records<R> {
    pub(super) fn new() -> Records<R> {
        Records { slots: Vec::new(), free: NONE }
    }

    /// Appends a record to a list.
    pub(super) fn push(&mut self, list: &mut List, record: R) {
        let slot = Slot { record: Some(record), next: NONE };
        let at = if self.free == NONE {
            self.slots.push(slot);
            self.slots.len() as u32 - 1
        } else {
            let at = self.free;
            self.free = std::mem::replace(&mut self.slots[at as usize], slot).next;
            at
        };
        match list.tail {
            NONE => list.head = at,
            tail => self.slots[tail as usize].next = at,
        }
        list.tail = at;
        list.len += 1;
    }

    /// Takes out the records of a list, in their order.
    pub(super) fn take(&mut self, list: &mut List) -> impl Iterator<Item = R> {
        let mut at = std::mem::replace(list, List::EMPTY).head;
        std::iter::from_fn(move || {
            let slot = self.slots.get_mut(at as usize)?;
            let record = slot.record.take();
            let next = std::mem::replace(&mut slot.next, self.free);
            self.free = at;
            at = next;
            record
        })
    }

    /// Empties a list.
    pub(super) fn clear(&mut self, list: &mut List) {
        self.take(list).for_each(drop);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_their_order_and_share_their_memory() {
        let mut records = Records::new();
        let mut lists = [List::EMPTY; 3];
        for i in 0..30 {
            records.push(&mut lists[i % 3], i);
        }
        assert_eq!(lists[1].len, 10);
        let taken: Vec<usize> = records.take(&mut lists[1]).collect();
        assert_eq!(taken, (0..10).map(|i| 3 * i + 1).collect::<Vec<_>>());
        assert_eq!(lists[1].len, 0);
        for i in 0..10 {
            records.push(&mut lists[0], 100 + i);
        }
        assert_eq!(records.slots.len(), 30, "freed places are used again");
        let taken: Vec<usize> = records.take(&mut lists[0]).collect();
        assert_eq!(taken, (0..10).map(|i| 3 * i).chain(100..110).collect::<Vec<_>>());
        records.clear(&mut lists[2]);
        records.clear(&mut lists[2]);
        assert_eq!(records.take(&mut lists[2]).count(), 0);
    }
}
