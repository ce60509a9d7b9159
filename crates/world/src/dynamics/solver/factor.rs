//! Equations whose unknowns come in blocks of up to six, each coupled with a few others: what holds the joints of a linkage together.
//!
//! The order of elimination and the places of all blocks are found once per linkage. For a chain or a tree without bodies of many joints nothing but the couplings themselves is touched, so that
//! solving takes a time proportional to the number of joints.

use std::collections::BTreeSet;

/// A square of up to six rows and columns; the rest is zero.
pub(crate) type Block = [[f64; 6]; 6];

pub(crate) const NO_BLOCK: Block = [[0.0; 6]; 6];

/// The order of elimination, and which blocks below the diagonal there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pattern {
    /// Unknowns in the order of elimination; rows and columns below are places in it.
    pub(crate) order: Vec<u32>,
    /// Row and column of each block below the diagonal, column by column.
    pub(crate) blocks: Vec<[u32; 2]>,
    /// Where each column begins in the list of blocks, and its end.
    starts: Vec<u32>,
    /// What each column is taken away from: first and second block of the column, and the block that their product goes to, or, for a block with itself, none.
    updates: Vec<(u32, u32, Option<u32>)>,
    update_starts: Vec<u32>,
}

impl Pattern {
    /// The unknown with the fewest neighbours goes first; what it was coupled with is coupled from then on.
    pub(crate) fn new(mut neighbours: Vec<BTreeSet<u32>>) -> Pattern {
        let count = neighbours.len();
        let mut left: BTreeSet<u32> = (0..count as u32).collect();
        let mut pattern = Pattern::default();
        let mut columns = Vec::new();
        while let Some(next) = left.iter().copied().min_by_key(|k| (neighbours[*k as usize].len(), *k)) {
            left.remove(&next);
            let around = std::mem::take(&mut neighbours[next as usize]);
            for one in &around {
                let of_one = &mut neighbours[*one as usize];
                of_one.remove(&next);
                of_one.extend(around.iter().filter(|other| *other != one));
            }
            pattern.order.push(next);
            columns.push(around);
        }
        let mut place = vec![0_u32; count];
        for (at, unknown) in (0..).zip(&pattern.order) {
            place[*unknown as usize] = at;
        }
        for (column, around) in (0..).zip(&columns) {
            pattern.starts.push(pattern.blocks.len() as u32);
            let mut rows: Vec<u32> = around.iter().map(|k| place[*k as usize]).collect();
            rows.sort_unstable();
            pattern.blocks.extend(rows.into_iter().map(|row| [row, column]));
        }
        pattern.starts.push(pattern.blocks.len() as u32);
        for column in 0..count {
            pattern.update_starts.push(pattern.updates.len() as u32);
            let own = pattern.column(column);
            for first in own.clone() {
                for second in own.start..=first {
                    let (row, other) = (pattern.blocks[first][0], pattern.blocks[second][0]);
                    let target = (row != other).then(|| pattern.find(row, other));
                    pattern.updates.push((first as u32, second as u32, target));
                }
            }
        }
        pattern.update_starts.push(pattern.updates.len() as u32);
        pattern
    }

    fn column(&self, column: usize) -> std::ops::Range<usize> {
        self.starts[column] as usize..self.starts[column + 1] as usize
    }

    fn find(&self, row: u32, column: u32) -> u32 {
        let own = self.column(column as usize);
        let at = self.blocks[own.clone()].partition_point(|b| b[0] < row);
        (own.start + at) as u32
    }
}

/// A symmetric positive matrix with a [`Pattern`], and after [`Factor::eliminate`] what solves equations with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factor {
    /// How many rows the blocks on the diagonal have.
    pub(crate) counts: Vec<usize>,
    /// On the diagonal; after elimination their inverses.
    pub(crate) diagonal: Vec<Block>,
    /// Below it.
    pub(crate) below: Vec<Block>,
    /// The same times the inverse of the diagonal block of their column.
    lower: Vec<Block>,
}

#[expect(clippy::needless_range_loop, reason = "rows and columns of several blocks at once")]
impl Factor {
    /// Nothing but zeros, for unknowns with these numbers of rows.
    pub(crate) fn clear(&mut self, pattern: &Pattern, counts: impl Iterator<Item = usize>) {
        self.counts.clear();
        self.counts.extend(counts);
        for (list, length) in [
            (&mut self.diagonal, pattern.order.len()),
            (&mut self.below, pattern.blocks.len()),
            (&mut self.lower, pattern.blocks.len()),
        ] {
            list.clear();
            list.resize(length, NO_BLOCK);
        }
    }

    /// Prepares for [`Factor::solve`].
    pub(crate) fn eliminate(&mut self, pattern: &Pattern) {
        // What is on the diagonal at first tells what is rounding later.
        let scale: Vec<[f64; 6]> = self.diagonal.iter().map(|d| std::array::from_fn(|i| d[i][i])).collect();
        for column in 0..self.diagonal.len() {
            let count = self.counts[column];
            invert(&mut self.diagonal[column], count, &scale[column]);
            for at in pattern.column(column) {
                let rows = self.counts[pattern.blocks[at][0] as usize];
                let mut product = NO_BLOCK;
                for (to, from) in product.iter_mut().zip(&self.below[at]).take(rows) {
                    for j in 0..count {
                        to[j] = (0..count).map(|k| from[k] * self.diagonal[column][k][j]).sum();
                    }
                }
                self.lower[at] = product;
            }
            let from = pattern.update_starts[column] as usize..pattern.update_starts[column + 1] as usize;
            for (first, second, target) in &pattern.updates[from] {
                let (first, second) = (*first as usize, *second as usize);
                let rows = self.counts[pattern.blocks[first][0] as usize];
                let columns = self.counts[pattern.blocks[second][0] as usize];
                let (left, right) = (&self.lower[first], self.below[second]);
                let to = match target {
                    Some(block) => &mut self.below[*block as usize],
                    None => &mut self.diagonal[pattern.blocks[first][0] as usize],
                };
                for i in 0..rows {
                    for j in 0..columns {
                        to[i][j] -= (0..count).map(|k| left[i][k] * right[j][k]).sum::<f64>();
                    }
                }
            }
        }
    }

    /// Replaces right hand sides by what solves the equations.
    pub(crate) fn solve(&self, pattern: &Pattern, x: &mut [[f64; 6]]) {
        for column in 0..self.diagonal.len() {
            let own = x[column];
            for at in pattern.column(column) {
                let row = pattern.blocks[at][0] as usize;
                for i in 0..self.counts[row] {
                    x[row][i] -= (0..self.counts[column]).map(|k| self.lower[at][i][k] * own[k]).sum::<f64>();
                }
            }
        }
        for column in (0..self.diagonal.len()).rev() {
            let count = self.counts[column];
            let mut own = [0.0; 6];
            for (i, to) in own.iter_mut().enumerate().take(count) {
                *to = (0..count).map(|k| self.diagonal[column][i][k] * x[column][k]).sum();
            }
            for at in pattern.column(column) {
                let row = pattern.blocks[at][0] as usize;
                for (i, to) in own.iter_mut().enumerate().take(count) {
                    *to -= (0..self.counts[row]).map(|k| self.lower[at][k][i] * x[row][k]).sum::<f64>();
                }
            }
            x[column] = own;
        }
    }
}

/// Makes the inverse of a symmetric positive matrix of it by Gauss-Jordan without exchange. Rows that depend on others, so that only rounding is left of what was `scale` on the
/// diagonal, get no part.
pub(crate) fn invert(matrix: &mut Block, count: usize, scale: &[f64; 6]) {
    match count {
        0 => {}
        1 => invert_first::<1>(matrix, scale),
        2 => invert_first::<2>(matrix, scale),
        3 => invert_first::<3>(matrix, scale),
        4 => invert_first::<4>(matrix, scale),
        5 => invert_first::<5>(matrix, scale),
        _ => invert_first::<6>(matrix, scale),
    }
}

/// In place: columns that are done are those of the inverse, the others those of the matrix.
#[expect(clippy::needless_range_loop, reason = "rows and columns of a block at once")]
fn invert_first<const COUNT: usize>(matrix: &mut Block, scale: &[f64; 6]) {
    for k in 0..COUNT {
        if matrix[k][k] <= SINGULAR * scale[k] {
            for i in 0..COUNT {
                (matrix[k][i], matrix[i][k]) = (0.0, 0.0);
            }
            continue;
        }
        let pivot = 1.0 / matrix[k][k];
        matrix[k][k] = 1.0;
        for j in 0..COUNT {
            matrix[k][j] *= pivot;
        }
        let row = matrix[k];
        for i in (0..COUNT).filter(|i| *i != k) {
            let factor = matrix[i][k];
            matrix[i][k] = 0.0;
            for j in 0..COUNT {
                matrix[i][j] -= factor * row[j];
            }
        }
    }
}

/// Share of a diagonal entry below which what is left of it is rounding: some thousand units in the last place.
const SINGULAR: f64 = 4096.0 * f64::EPSILON;

#[cfg(test)]
#[expect(clippy::needless_range_loop, reason = "rows and columns of several blocks at once")]
mod tests {
    use super::*;

    /// A made-up positive matrix with given couplings, against elimination of the whole matrix.
    fn check(count: usize, pairs: &[[u32; 2]]) {
        let mut neighbours = vec![BTreeSet::new(); count];
        for [a, b] in pairs {
            neighbours[*a as usize].insert(*b);
            neighbours[*b as usize].insert(*a);
        }
        let pattern = Pattern::new(neighbours);
        let sizes: Vec<usize> = (0..count).map(|k| 1 + (7 * k + 3) % 6).collect();
        let entry = |a: u32, i: usize, b: u32, j: usize| {
            let (first, second) = if (a, i) <= (b, j) { ((a, i), (b, j)) } else { ((b, j), (a, i)) };
            let n = 37 * first.0 as usize + 11 * first.1 + 101 * second.0 as usize + 13 * second.1;
            (n % 17) as f64 / 17.0 - 0.5
        };
        let is_coupled = |a: u32, b: u32| pairs.iter().any(|p| *p == [a, b] || *p == [b, a]);
        let of = |a: u32, i: usize, b: u32, j: usize| match a == b {
            true if i == j => 20.0,
            true => entry(a, i, b, j),
            false if is_coupled(a, b) => entry(a, i, b, j),
            false => 0.0,
        };
        let mut factor = Factor::default();
        factor.clear(&pattern, pattern.order.iter().map(|k| sizes[*k as usize]));
        let fill = |block: &mut Block, a: u32, b: u32| {
            for i in 0..sizes[a as usize] {
                for j in 0..sizes[b as usize] {
                    block[i][j] = of(a, i, b, j);
                }
            }
        };
        for (at, k) in pattern.order.iter().enumerate() {
            fill(&mut factor.diagonal[at], *k, *k);
        }
        for (at, [row, column]) in pattern.blocks.iter().enumerate() {
            let [a, b] = [row, column].map(|k| pattern.order[*k as usize]);
            fill(&mut factor.below[at], a, b);
        }
        factor.eliminate(&pattern);
        let wanted: Vec<[f64; 6]> = pattern
            .order
            .iter()
            .map(|k| std::array::from_fn(|i| (1 + 3 * k + i as u32) as f64 * 0.1))
            .collect();
        // The right hand side that the wanted solution has.
        let mut x: Vec<[f64; 6]> = vec![[0.0; 6]; count];
        for (at, a) in pattern.order.iter().enumerate() {
            for i in 0..sizes[*a as usize] {
                for (other, b) in pattern.order.iter().enumerate() {
                    x[at][i] +=
                        (0..sizes[*b as usize]).map(|j| of(*a, i, *b, j) * wanted[other][j]).sum::<f64>();
                }
            }
        }
        factor.solve(&pattern, &mut x);
        for (at, k) in pattern.order.iter().enumerate() {
            for i in 0..sizes[*k as usize] {
                assert!(
                    (x[at][i] - wanted[at][i]).abs() < 4096.0 * f64::EPSILON,
                    "{at} {i}: {} {}",
                    x[at][i],
                    wanted[at][i]
                );
            }
        }
    }

    #[test]
    fn equations_are_solved() {
        check(1, &[]);
        check(2, &[[0, 1]]);
        check(5, &[[0, 1], [1, 2], [2, 3], [3, 4]]);
        check(5, &[[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]);
        check(6, &[[0, 1], [0, 2], [1, 2], [2, 3], [3, 4], [3, 5], [4, 5]]);
        check(7, &[[0, 3], [1, 3], [2, 3], [4, 3], [5, 6]]);
    }

    #[test]
    fn chains_fill_nothing() {
        let chain =
            (0..20_u32).map(|k| (k.saturating_sub(1)..=(k + 1).min(19)).filter(|j| *j != k).collect());
        assert_eq!(Pattern::new(chain.collect()).blocks.len(), 19);
    }

    #[test]
    fn rows_that_depend_on_others_get_no_part() {
        let mut matrix = NO_BLOCK;
        for row in matrix.iter_mut().take(2) {
            (row[0], row[1]) = (2.0, 2.0);
        }
        let mut found = matrix;
        invert(&mut found, 2, &[2.0; 6]);
        assert_eq!([found[0][0], found[0][1], found[1][0], found[1][1]], [0.5, 0.0, 0.0, 0.0]);
    }
}
