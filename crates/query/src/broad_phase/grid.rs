//! Cells of equal size.

use super::cell_lists::CellLists;
use super::{FinitePairs, Registry, ordered};
use crate::tree::Counts;
use freiraum_geometry::{Aabb, Vec3};

/// Each box is listed in all cells it meets; boxes beyond the grid count to its outermost cells, so the grid need not
/// follow every move. Boxes over very many cells are kept apart and held against all others.
#[derive(Debug, Default)]
pub(super) struct Grid {
    origin: Vec3,
    per_metre: f64,
    /// Number of cells along each axis.
    dims: [u32; 3],
    lists: CellLists,
    /// Boxes over more than [`MOST_CELLS`] cells.
    large: Vec<u32>,
    /// How many boxes there were when the cells were chosen, and how many moved out of the grid since.
    built_for: usize,
    strays: usize,
    count: usize,
    is_built: bool,
}

/// A box over more cells than this costs more in its cells than against every other box.
const MOST_CELLS: u64 = 64;

/// First and last cell of a box along each axis.
type Range3 = ([u32; 3], [u32; 3]);

impl Grid {
    fn range(&self, bounds: &Aabb) -> Range3 {
        let cell = |p: Vec3| {
            let scaled = ((p - self.origin) * self.per_metre).to_array();
            // Casts saturate: what lies before the grid is in cell 0, what is not a number too.
            std::array::from_fn(|axis| (scaled[axis] as u32).min(self.dims[axis] - 1))
        };
        (cell(bounds.min), cell(bounds.max))
    }

    fn cells(&self, (first, last): Range3) -> impl Iterator<Item = ([u32; 3], usize)> + use<> {
        let [nx, ny, _] = self.dims.map(|n| n as usize);
        (first[2]..=last[2]).flat_map(move |z| {
            (first[1]..=last[1]).flat_map(move |y| {
                (first[0]..=last[0])
                    .map(move |x| ([x, y, z], (z as usize * ny + y as usize) * nx + x as usize))
            })
        })
    }

    fn is_large(&self, (first, last): Range3) -> bool {
        (0..3).map(|axis| u64::from(last[axis] - first[axis] + 1)).product::<u64>() > MOST_CELLS
    }

    fn add(&mut self, key: u32, bounds: &Aabb) {
        let range = self.range(bounds);
        if self.is_large(range) {
            self.large.push(key);
            return;
        }
        for (_, cell) in self.cells(range) {
            self.lists.add(cell, key);
        }
    }

    fn take_out(&mut self, key: u32, bounds: &Aabb) {
        let range = self.range(bounds);
        if self.is_large(range) {
            self.large.retain(|&k| k != key);
            return;
        }
        for (_, cell) in self.cells(range) {
            self.lists.remove(cell, key);
        }
    }

    fn is_outside(&self, bounds: &Aabb) -> bool {
        let scaled = (bounds.center() - self.origin) * self.per_metre;
        let dims = Vec3::from(self.dims.map(f64::from));
        !(scaled.cmpge(Vec3::ZERO) & scaled.cmple(dims)).all()
    }

    fn rebuild(&mut self, boxes: &Registry) {
        let bounds = boxes.bounds();
        let count = boxes.keys().len();
        let size = if count == 0 { Vec3::ZERO } else { bounds.size() };
        let mean = boxes.keys().iter().map(|&k| boxes.get(k).size().max_element()).sum::<f64>()
            / count.max(1) as f64;
        // As large as the mean box, but not so small that there are many more cells than boxes.
        let mut cell = if mean > 0.0 { mean } else { size.max_element() / (count.max(1) as f64).cbrt() };
        let most = 4.0 * count as f64 + 64.0;
        let cells = |cell: f64| (size / cell).floor() + 1.0;
        while cell > 0.0 && cells(cell).element_product() > most {
            cell *= 1.25;
        }
        (self.origin, self.per_metre, self.dims) = (bounds.min, 0.0, [1; 3]);
        // Everything in one place, or of a size beyond all numbers: a single cell.
        if cell > 0.0 && cell.is_finite() && (1.0 / cell).is_finite() && bounds.min.is_finite() {
            self.per_metre = 1.0 / cell;
            self.dims = cells(cell).to_array().map(|n| (n as u32).max(1));
        } else {
            self.origin = Vec3::ZERO;
        }
        self.lists.reset(self.dims.map(|n| n as usize).iter().product());
        self.large.clear();
        for &key in boxes.keys() {
            self.add(key, boxes.get(key));
        }
        (self.built_for, self.strays, self.is_built) = (count, 0, true);
    }
}

impl FinitePairs for Grid {
    fn insert(&mut self, key: u32, bounds: &Aabb) {
        self.count += 1;
        if self.is_built {
            self.add(key, bounds);
        }
    }

    fn update(&mut self, key: u32, old: &Aabb, new: &Aabb) {
        if !self.is_built {
            return;
        }
        self.strays += usize::from(self.is_outside(new));
        if self.range(old) != self.range(new) {
            self.take_out(key, old);
            self.add(key, new);
        }
    }

    fn remove(&mut self, key: u32, old: &Aabb) {
        self.count -= 1;
        if self.is_built {
            self.take_out(key, old);
        }
    }

    fn pairs(&mut self, boxes: &Registry, pairs: &mut Vec<(u32, u32)>, counts: &mut Counts) {
        let changed = self.count > 2 * self.built_for || 4 * self.count < self.built_for;
        if !self.is_built || changed || 4 * self.strays > self.count {
            self.rebuild(boxes);
        }
        for &key in boxes.keys() {
            let bounds = boxes.get(key);
            let range = self.range(bounds);
            if self.is_large(range) {
                continue;
            }
            for (cell, list) in self.cells(range) {
                for other in self.lists.iter(list).filter(|&other| other > key) {
                    // Two boxes may share many cells: the first of them speaks for the pair.
                    let (first, _) = self.range(boxes.get(other));
                    let shared: [u32; 3] = std::array::from_fn(|axis| range.0[axis].max(first[axis]));
                    if shared == cell {
                        counts.volume_tests += 1;
                        if bounds.intersects(boxes.get(other)) {
                            pairs.push((key, other));
                        }
                    }
                }
            }
        }
        for &key in &self.large {
            for &other in boxes.keys() {
                let is_twice = other <= key && self.is_large(self.range(boxes.get(other)));
                if is_twice {
                    continue;
                }
                counts.volume_tests += 1;
                if boxes.get(key).intersects(boxes.get(other)) {
                    pairs.push(ordered(key, other));
                }
            }
        }
    }
}
