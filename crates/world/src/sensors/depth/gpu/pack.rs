//! Places for views in one target: what is drawn and read back together.

/// A piece of a view, in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    /// The view.
    pub(super) view: usize,
    /// Its first column and row there.
    pub(super) from: [u32; 2],
    /// Columns and rows.
    pub(super) size: [u32; 2],
    /// Its first column and row in the target.
    pub(super) corner: [u32; 2],
}

/// Tiles that fit into one target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sheet {
    /// Side by side, none over another.
    pub(super) tiles: Vec<Tile>,
    /// Columns and rows that hold them all.
    pub(super) size: [u32; 2],
}

/// Puts views of some sizes onto sheets of at most `side` columns and rows, cutting those that are larger: from left to right,
/// shelf under shelf, in their order.
pub(super) fn pack(sizes: impl Iterator<Item = [u32; 2]>, side: u32) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    let mut sheet = Sheet::default();
    let (mut column, mut row, mut shelf) = (0, 0, 0);
    for (view, size) in sizes.enumerate() {
        for from_row in (0..size[1]).step_by(side as usize) {
            for from_column in (0..size[0]).step_by(side as usize) {
                let from = [from_column, from_row];
                let tile = [0, 1].map(|i| (size[i] - from[i]).min(side));
                if column + tile[0] > side {
                    (column, row, shelf) = (0, row + shelf, 0);
                }
                if row + tile[1] > side {
                    sheets.push(std::mem::take(&mut sheet));
                    (column, row, shelf) = (0, 0, 0);
                }
                sheet.tiles.push(Tile { view, from, size: tile, corner: [column, row] });
                column += tile[0];
                shelf = shelf.max(tile[1]);
                sheet.size = [sheet.size[0].max(column), sheet.size[1].max(row + shelf)];
            }
        }
    }
    if !sheet.tiles.is_empty() {
        sheets.push(sheet);
    }
    sheets
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pixel of every view is in exactly one tile, and no two tiles share a place.
    fn check(sizes: &[[u32; 2]], side: u32, expected_sheets: usize) {
        let sheets = pack(sizes.iter().copied(), side);
        assert_eq!(sheets.len(), expected_sheets);
        let mut seen: Vec<Vec<u32>> = sizes.iter().map(|s| vec![0; (s[0] * s[1]) as usize]).collect();
        for sheet in &sheets {
            assert!(sheet.size.iter().all(|s| *s <= side));
            let mut taken = vec![false; (sheet.size[0] * sheet.size[1]) as usize];
            for tile in &sheet.tiles {
                for row in 0..tile.size[1] {
                    for column in 0..tile.size[0] {
                        let at = (tile.corner[1] + row) * sheet.size[0] + tile.corner[0] + column;
                        assert!(!std::mem::replace(&mut taken[at as usize], true));
                        let width = sizes[tile.view][0];
                        seen[tile.view][((tile.from[1] + row) * width + tile.from[0] + column) as usize] += 1;
                    }
                }
            }
        }
        assert!(seen.iter().flatten().all(|n| *n == 1));
    }

    #[test]
    fn every_pixel_has_one_place() {
        check(&[], 16, 0);
        check(&[[0, 5], [5, 0]], 16, 0);
        check(&[[1, 1]], 16, 1);
        check(&[[16, 16], [1, 1]], 16, 2);
        check(&[[5, 3], [7, 9], [4, 4], [16, 2], [3, 3]], 16, 1);
        check(&[[40, 1], [1, 40], [33, 33]], 16, 9);
    }
}
