//! Joints that are solved together: those of linkages with light bodies between heavier ones.

use super::factor::{Factor, Pattern};
use super::joint::{Block, Row, fill_matrix};
use super::{Mover, Softness};

/// The locked axes of all joints of a linkage with light bodies between heavier ones: joint by joint they would never settle.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    pub(super) linkage: usize,
    /// Blocks in the order of elimination; `None` for joints that lock nothing.
    pub(super) blocks: Vec<Option<u32>>,
    factor: Factor,
    wanted: Vec<[f64; 6]>,
}

impl System {
    /// Prepares for the rows as they are.
    pub(super) fn prepare(&mut self, blocks: &[Block], locked: &[Row], pattern: &Pattern) {
        let rows = |block: &Option<u32>| -> &[Row] {
            let Some(block) = block.map(|b| &blocks[b as usize]) else { return &[] };
            &locked[block.first as usize..][..block.count as usize]
        };
        self.factor.clear(pattern, self.blocks.iter().map(|b| rows(b).len()));
        for (diagonal, block) in self.factor.diagonal.iter_mut().zip(&self.blocks) {
            fill_matrix(rows(block), diagonal);
        }
        for ([row, column], below) in pattern.blocks.iter().zip(&mut self.factor.below) {
            let [ones, twos] = [row, column].map(|k| rows(&self.blocks[*k as usize]));
            for (one, entries) in ones.iter().zip(below) {
                for (two, entry) in twos.iter().zip(entries) {
                    *entry = one.coupling(two);
                }
            }
        }
        self.factor.eliminate(pattern);
    }

    /// Gives all rows their impulses.
    pub(super) fn solve(
        &mut self,
        blocks: &[Block],
        locked: &mut [Row],
        pattern: &Pattern,
        movers: &mut [Mover],
        softness: &Softness,
    ) {
        self.wanted.clear();
        for block in &self.blocks {
            let mut wanted = [0.0; 6];
            if let Some(block) = block.map(|b| &blocks[b as usize]) {
                let rows = &locked[block.first as usize..][..block.count as usize];
                for (row, wanted) in rows.iter().zip(&mut wanted) {
                    let (a, b) = (&movers[row.a as usize], &movers[row.b as usize]);
                    *wanted = row.speed(a, b) + softness.rate * row.position_now(a, b);
                }
            }
            self.wanted.push(wanted);
        }
        self.factor.solve(pattern, &mut self.wanted);
        for (block, wanted) in self.blocks.iter().zip(&self.wanted) {
            let Some(block) = block.map(|b| &blocks[b as usize]) else { continue };
            let rows = &mut locked[block.first as usize..][..block.count as usize];
            for (row, wanted) in rows.iter_mut().zip(wanted) {
                let change = -softness.mass * wanted - softness.impulse * row.impulse;
                row.impulse += change;
                row.apply(change, movers);
            }
        }
    }
}
