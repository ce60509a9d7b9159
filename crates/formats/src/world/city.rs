//! A city: houses on a grid.

use super::{MILLIMETRE, numbers};
use crate::scene::SceneErrors;
use freiraum_scene::{Place, Problem};

/// Height of a storey, in metres.
const STOREY: f64 = 0.1;

/// Houses are not more than this.
const MOST: usize = 1 << 20;

/// Houses with square floors.
#[derive(Clone, Debug, PartialEq)]
pub struct City {
    /// Edge of the floors, in metres.
    pub edge: f64,
    /// Row after row, as far as there are any.
    pub houses: Vec<House>,
    /// What does not fit and was read as well as possible.
    pub notes: Vec<Problem>,
}

/// A house.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct House {
    /// The middle of its floor, in metres.
    pub center: [f64; 2],
    /// Metres.
    pub height: f64,
}

impl City {
    /// Reads the text of a city file: smallest and largest x, smallest and largest y, edge of the houses (millimetres), then for
    /// every cell of the grid, row by row with x running, the number of storeys.
    ///
    /// **Errors.** Words that are no numbers, an area that is empty, more than a million cells. Too few or too many numbers are a note: cells
    /// without a number are empty, what is left over is not read.
    pub fn parse(name: &str, text: &str) -> Result<City, SceneErrors> {
        let found = numbers(name, text)?;
        let fail = |place: Place, message: String, help: &str| {
            SceneErrors::new(name, text, vec![Problem::new(place, message).help(help)])
        };
        let end = Place { start: text.len(), end: text.len() };
        let expected = "the file begins with smallest and largest x, smallest and largest y, and the edge of the houses, in millimetres";
        let [x0, x1, y0, y1, edge] = *found.get(..5).unwrap_or_default() else {
            return Err(fail(end, format!("found {} numbers, expected at least 5", found.len()), expected));
        };
        if edge.0 <= 0.0 {
            return Err(fail(edge.1, format!("houses with an edge of {} mm", edge.0), expected));
        }
        // A cell that is only just there in exact numbers may be lost by rounding.
        let cells =
            |low: (f64, Place), high: (f64, Place)| ((high.0 - low.0) / edge.0 + f64::EPSILON.sqrt()).floor();
        let (columns, rows) = (cells(x0, x1), cells(y0, y1));
        for (count, high, axis) in [(columns, x1, "x"), (rows, y1, "y")] {
            if count < 1.0 {
                return Err(fail(high.1, format!("the area has no room for a house along {axis}"), expected));
            }
        }
        if columns * rows > MOST as f64 {
            let message = format!("the area has {} cells, more than {MOST}", columns * rows);
            return Err(fail(edge.1, message, "make the houses larger or the area smaller"));
        }
        let (columns, rows) = (columns as usize, rows as usize);
        let (storeys, mut notes) = (&found[5..], Vec::new());
        if storeys.len() != columns * rows {
            let place = storeys.get(columns * rows).or(found.last()).map_or(end, |(_, place)| *place);
            let message =
                format!("found {} houses, expected {columns} x {rows} = {}", storeys.len(), columns * rows);
            let help = if storeys.len() < columns * rows {
                "the missing cells are left empty"
            } else {
                "those beyond the area are left out"
            };
            notes.push(Problem::new(place, message).help(help));
        }
        let mut houses = Vec::new();
        for (cell, (count, place)) in storeys.iter().take(columns * rows).enumerate() {
            if *count < 0.0 {
                notes.push(
                    Problem::new(*place, format!("a house with {count} storeys")).help("it is left out"),
                );
            }
            if *count > 0.0 {
                let middle = |low: (f64, Place), k: usize| (low.0 + (k as f64 + 0.5) * edge.0) * MILLIMETRE;
                let center = [middle(x0, cell % columns), middle(y0, cell / columns)];
                houses.push(House { center, height: count * STOREY });
            }
        }
        Ok(City { edge: edge.0 * MILLIMETRE, houses, notes })
    }
}
