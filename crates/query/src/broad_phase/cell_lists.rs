//! Lists of keys, one per cell, in one block of memory.

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u32,
    next: u32,
}

/// Marks the end of a list.
const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct CellLists {
    heads: Vec<u32>,
    entries: Vec<Entry>,
    free: u32,
}

impl Default for CellLists {
    fn default() -> CellLists {
        CellLists { heads: Vec::new(), entries: Vec::new(), free: NONE }
    }
}

impl CellLists {
    /// Empties everything and makes so many cells.
    pub(super) fn reset(&mut self, cells: usize) {
        self.heads.clear();
        self.heads.resize(cells, NONE);
        self.entries.clear();
        self.free = NONE;
    }

    /// Makes cells until there are so many.
    pub(super) fn ensure(&mut self, cells: usize) {
        if cells > self.heads.len() {
            self.heads.resize(cells, NONE);
        }
    }

    pub(super) fn add(&mut self, cell: usize, key: u32) {
        let entry = Entry { key, next: self.heads[cell] };
        self.heads[cell] = if self.free == NONE {
            self.entries.push(entry);
            self.entries.len() as u32 - 1
        } else {
            let at = self.free;
            self.free = std::mem::replace(&mut self.entries[at as usize], entry).next;
            at
        };
    }

    /// Takes a key out of a cell; nothing happens if it is not there.
    pub(super) fn remove(&mut self, cell: usize, key: u32) {
        let (mut before, mut at) = (NONE, self.heads[cell]);
        while at != NONE {
            let entry = self.entries[at as usize];
            if entry.key == key {
                match before {
                    NONE => self.heads[cell] = entry.next,
                    _ => self.entries[before as usize].next = entry.next,
                }
                self.entries[at as usize].next = self.free;
                self.free = at;
                return;
            }
            (before, at) = (at, entry.next);
        }
    }

    pub(super) fn iter(&self, cell: usize) -> impl Iterator<Item = u32> {
        let mut at = self.heads[cell];
        std::iter::from_fn(move || {
            let entry = self.entries.get(at as usize)?;
            at = entry.next;
            Some(entry.key)
        })
    }
}
