//! Words that this side and the programs agree on: `frame.wgsl`.

use super::found::HEAD_WORDS;
use crate::grid::Grid;

/// Columns and rows of a tile.
const TILE: u32 = 8;

/// One image to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) size: [u32; 2],
    pub(super) faces: u32,
    shift: u32,
    asked: Asked,
    keeps_image: bool,
    in_rounds: bool,
    pub(super) room: Room,
}

/// What is asked about an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Where the counter of the one body has at least this level.
    Level(u32),
    /// Where two bodies are, the second of which has the faces from this one on.
    Shared(u32),
}

/// How much there is room for where only the processor knows how much it will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// Faces of tiles.
    pub(super) entries: u32,
    /// Fragments of deep tiles.
    pub(super) fragments: u32,
    /// Faults.
    pub(super) faults: u32,
}

impl Frame {
    pub(super) fn new(grid: &Grid, faces: u32, asked: Asked, keeps_image: bool, room: Room) -> Frame {
        Frame { size: grid.size, faces, shift: grid.bits, asked, keeps_image, in_rounds: false, room }
    }

    /// The same, with deep tiles in rounds.
    pub(super) fn in_rounds(self) -> Frame {
        Frame { in_rounds: true, ..self }
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

    /// Words of `state` that are read back: the head, and a bit for every face.
    pub(super) fn answer_words(&self) -> u32 {
        HEAD_WORDS + self.faces.div_ceil(32)
    }

    pub(super) fn state_words(&self) -> u32 {
        self.answer_words() + 2 * self.tile_count()
    }

    /// Where in `lists` the faults begin.
    pub(super) fn faults_at(&self) -> u32 {
        self.faces + self.tile_count()
    }

    pub(super) fn list_words(&self) -> u64 {
        u64::from(self.faults_at()) + 4 * u64::from(self.room.faults)
    }

    pub(super) fn keeps_image(&self) -> bool {
        self.keeps_image
    }

    pub(super) fn pixel_words(&self) -> u32 {
        self.pixel_count() * if self.keeps_image { 3 } else { 1 }
    }

    /// `Frame` of `frame.wgsl`.
    pub(super) fn words(&self) -> [u32; 16] {
        let [columns, rows] = self.size;
        let [tile_columns, tile_rows] = self.tiles();
        let (level, second) = match self.asked {
            Asked::Level(level) => (level, self.faces),
            Asked::Shared(second) => (1, second),
        };
        [
            columns,
            rows,
            tile_columns,
            tile_rows,
            self.faces,
            self.shift,
            self.room.entries,
            self.room.fragments,
            self.room.faults,
            self.answer_words(),
            HEAD_WORDS,
            u32::from(self.keeps_image),
            0,
            level,
            second,
            u32::from(self.in_rounds),
        ]
    }
}
