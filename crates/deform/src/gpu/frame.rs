//! Words that this side and the programs agree on: `frame.wgsl`.

use crate::grid::Grid;

/// Columns and rows of a tile.
pub(super) const TILE: u32 = 8;

/// Words of the head of `state`.
pub(super) const HEAD_WORDS: u32 = 640;

/// Faces whose numbers of a tile, times its pixels, stay within 32 bits.
pub(super) const MOST_FACES: usize = (1 << 26) - 1;

/// One image to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    size: [u32; 2],
    faces: u32,
    shift: u32,
    pub(super) entry_room: u32,
    pub(super) fragment_room: u32,
    pub(super) keeps_image: bool,
}

impl Frame {
    pub(super) fn new(grid: &Grid, faces: u32, keeps_image: bool) -> Frame {
        Frame { size: grid.size, faces, shift: grid.bits, entry_room: 0, fragment_room: 0, keeps_image }
    }

    pub(super) fn faces(&self) -> u32 {
        self.faces
    }

    pub(super) fn tiles(&self) -> [u32; 2] {
        self.size.map(|n| n.div_ceil(TILE))
    }

    pub(super) fn tile_count(&self) -> u32 {
        self.tiles()[0] * self.tiles()[1]
    }

    pub(super) fn pixel_count(&self) -> u32 {
        self.size[0] * self.size[1]
    }

    pub(super) fn involved_words(&self) -> u32 {
        self.faces.div_ceil(32)
    }

    pub(super) fn unsound_at(&self) -> u32 {
        HEAD_WORDS + self.involved_words()
    }

    pub(super) fn unsound_words(&self) -> u32 {
        self.pixel_count().div_ceil(32)
    }

    fn tiles_at(&self) -> u32 {
        self.unsound_at() + self.unsound_words()
    }

    pub(super) fn state_words(&self) -> u32 {
        self.tiles_at() + 2 * self.tile_count()
    }

    /// `Frame` of `frame.wgsl`.
    pub(super) fn words(&self) -> [u32; 16] {
        let [columns, rows] = self.size;
        let [tile_columns, tile_rows] = self.tiles();
        [
            columns,
            rows,
            tile_columns,
            tile_rows,
            self.faces,
            self.shift,
            self.entry_room,
            self.fragment_room,
            self.tiles_at(),
            HEAD_WORDS,
            self.unsound_at(),
            u32::from(self.keeps_image),
            0,
            0,
            0,
            0,
        ]
    }
}
