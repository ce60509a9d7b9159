//! Columns for people.

use crate::commands::output::{Console, DIM};

/// Prints rows under a heading line, every column as wide as its widest cell; the last is not filled up.
pub(super) fn print<const N: usize>(console: &mut Console, heads: [&str; N], rows: &[[String; N]]) {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([heads[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let line = |cells: [&str; N]| {
        let mut text = String::new();
        for (cell, width) in cells.iter().zip(widths) {
            text.push_str("  ");
            text.push_str(cell);
            text.extend(std::iter::repeat_n(' ', width - cell.chars().count()));
        }
        text.trim_end().to_owned()
    };
    let head = console.styled(DIM, &line(heads));
    console.text(&format!("{head}\n"));
    for row in rows {
        let cells: [&str; N] = std::array::from_fn(|k| row[k].as_str());
        console.text(&format!("{}\n", line(cells)));
    }
}
