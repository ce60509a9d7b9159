//! The surface over a rectangle, given by heights on a grid.

use super::ShapeError;
use super::error::check_length;
use crate::mesh::MAX_FACES;
use crate::tolerance::MAX_COORDINATE;
use crate::{Aabb, Mesh, Vec3};
use std::sync::Arc;

/// A surface over a rectangle in the x-y plane, given by heights on a regular grid. Copies share their data.
///
/// **Frames.** The rectangle is centred at the origin. Rows run along y and columns along x: row 0 lies at
/// y = -size_y/2, the last row at +size_y/2; column 0 at x = -size_x/2, the last at +size_x/2. The height is z.
/// Each cell is two triangles, cut along the diagonal from its corner of least x and y to that of greatest x and y.
///
/// **What it fills.** Questions about two shapes take it for solid below, without end: all points of its rectangle at or under the surface. So it has
/// vertical sides under its border. Its mesh, its area and its box are those of the surface alone, and rays hit the surface only.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    size: [f64; 2],
    columns: usize,
    /// Row after row.
    heights: Arc<[f64]>,
}

impl HeightField {
    /// A surface over a rectangle of the given size along x and y in metres, with rows of heights in metres: at
    /// least two rows, all of the same length of at least two.
    pub fn new(size: [f64; 2], rows: &[impl AsRef<[f64]>]) -> Result<HeightField, ShapeError> {
        check_length("height field size along x", size[0])?;
        check_length("height field size along y", size[1])?;
        let columns = rows.first().map_or(0, |row| row.as_ref().len());
        if rows.len() < 2 || columns < 2 {
            return Err(ShapeError::TooFewHeights { rows: rows.len(), columns });
        }
        if (rows.len() - 1).saturating_mul(columns - 1) > MAX_FACES / 2 {
            return Err(ShapeError::TooManyHeights { rows: rows.len(), columns });
        }
        let mut heights = Vec::with_capacity(rows.len() * columns);
        for (row, values) in rows.iter().map(AsRef::as_ref).enumerate() {
            if values.len() != columns {
                return Err(ShapeError::RaggedHeights { row, found: values.len(), expected: columns });
            }
            let bad = |h: &f64| !(-MAX_COORDINATE..=MAX_COORDINATE).contains(h);
            if let Some(column) = values.iter().position(bad) {
                let what = format!("height in row {row}, column {column}");
                return Err(ShapeError::BadCoordinate { what, value: values[column] });
            }
            heights.extend_from_slice(values);
        }
        Ok(HeightField { size, columns, heights: heights.into() })
    }

    /// The size of the rectangle along x and y in metres.
    pub fn size(&self) -> [f64; 2] {
        self.size
    }

    /// The number of rows, along y.
    pub fn rows(&self) -> usize {
        self.heights.len() / self.columns
    }

    /// The number of columns, along x.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The point of the grid in a row and column, in metres. Panics if there is no such point.
    pub fn vertex(&self, row: usize, column: usize) -> Vec3 {
        assert!(column < self.columns, "column {column} of {}", self.columns);
        // The share is 0 and 1 at the ends, so that the rectangle has exactly its size.
        let along = |index: usize, count: usize| index as f64 / (count - 1) as f64 - 0.5;
        Vec3::new(
            self.size[0] * along(column, self.columns),
            self.size[1] * along(row, self.rows()),
            self.heights[row * self.columns + column],
        )
    }

    /// The smallest axis-parallel box in the frame of the height field, exact.
    pub fn aabb(&self) -> Aabb {
        let low = self.heights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = self.heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let [x, y] = self.size.map(|s| 0.5 * s);
        Aabb { min: Vec3::new(-x, -y, low), max: Vec3::new(x, y, high) }
    }

    /// Area of the surface in square metres, one side.
    pub fn area(&self) -> f64 {
        self.mesh().area()
    }

    /// The number of triangles.
    pub(super) fn triangle_count(&self) -> usize {
        2 * (self.rows() - 1) * (self.columns - 1)
    }

    /// The triangles, exact: an open mesh that faces up, vertices row after row.
    pub(super) fn mesh(&self) -> Mesh {
        let vertices =
            (0..self.rows()).flat_map(|row| (0..self.columns).map(move |column| self.vertex(row, column)));
        let mut faces = Vec::with_capacity(self.triangle_count());
        for row in 0..self.rows() - 1 {
            for column in 0..self.columns - 1 {
                let a = (row * self.columns + column) as u32;
                let above = a + self.columns as u32;
                faces.push([a, a + 1, above + 1]);
                faces.push([a, above + 1, above]);
            }
        }
        Mesh::new(vertices.collect(), faces).expect("heights and size were checked when they came in")
    }
}
