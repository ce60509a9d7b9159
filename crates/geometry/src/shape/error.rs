//! Why numbers do not make a shape, and the checks that say so.

use crate::Vec3;
use crate::hull::HullError;
use crate::mesh::MAX_FACES;
use crate::tolerance::{MAX_COORDINATE, MIN_SIZE};

/// Why the given numbers do not make a shape.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A size is zero, negative, NaN, or so small or large that volumes would be lost.
    #[error("{what} is {value:?} m; expected a length from {smallest:e} to {largest:e} m")]
    BadSize {
        /// Which size of which shape.
        what: &'static str,
        /// The offending value in metres.
        value: f64,
        /// The smallest value accepted, in metres.
        smallest: f64,
        /// The largest value accepted, in metres.
        largest: f64,
    },
    /// A coordinate, height or offset is NaN, infinite or too large.
    #[error("{what} is {value:?}; expected a finite number of magnitude at most {MAX_COORDINATE:e}")]
    BadCoordinate {
        /// Which number of which shape.
        what: String,
        /// The offending value in metres.
        value: f64,
    },
    /// The normal of a plane is zero or not finite.
    #[error("plane normal is {0}; expected a direction: finite and not zero")]
    BadNormal(Vec3),
    /// Points have no convex hull.
    #[error("convex: {0}")]
    Hull(#[from] HullError),
    /// Points span no solid.
    #[error("convex: all {points} points {found}; expected points that span a solid")]
    NotSolid {
        /// Number of points given.
        points: usize,
        /// What they do instead.
        found: &'static str,
    },
    /// A height field needs at least one cell.
    #[error("height field has {rows} x {columns} heights; expected at least 2 x 2")]
    TooFewHeights {
        /// Number of rows.
        rows: usize,
        /// Number of heights in the first row.
        columns: usize,
    },
    /// The rows of a height field differ in length.
    #[error("height field row {row} has {found} heights; expected {expected} like row 0")]
    RaggedHeights {
        /// Index of the row, from 0.
        row: usize,
        /// Number of heights in it.
        found: usize,
        /// Number of heights in row 0.
        expected: usize,
    },
    /// The triangles cannot be numbered with 32 bits.
    #[error(
        "height field has {rows} x {columns} heights: more than {MAX_FACES} triangles, which cannot be numbered"
    )]
    TooManyHeights {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A compound of nothing.
    #[error("compound has no parts; expected at least one")]
    NoParts,
    /// Compounds of compounds of compounds.
    #[error("compound is {depth} levels deep; at most {limit} are accepted")]
    TooDeep {
        /// Levels found, counting this one.
        depth: usize,
        /// Levels accepted.
        limit: usize,
    },
    /// A compound holds too many shapes, those of nested compounds counted every time they occur.
    #[error("compound has {parts} parts in all; at most {limit} are accepted")]
    TooManyParts {
        /// Parts found.
        parts: usize,
        /// Parts accepted.
        limit: usize,
    },
    /// A part of a compound lies too far out.
    #[error(
        "part {part} of the compound reaches {reach:e} m from the origin; at most {MAX_COORDINATE:e} m is accepted"
    )]
    TooFar {
        /// Index of the part, from 0.
        part: usize,
        /// The largest coordinate magnitude involved, in metres.
        reach: f64,
    },
}

/// A full edge, height or length within the accepted range.
pub(super) fn check_length(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    check_size(what, value, MIN_SIZE, MAX_COORDINATE)
}

/// A radius whose diameter is within the accepted range.
pub(super) fn check_radius(what: &'static str, value: f64) -> Result<f64, ShapeError> {
    check_size(what, value, MIN_SIZE, 0.5 * MAX_COORDINATE)
}

/// A size between two bounds, both included; NaN is in no range.
pub(super) fn check_size(
    what: &'static str,
    value: f64,
    smallest: f64,
    largest: f64,
) -> Result<f64, ShapeError> {
    let good = (smallest..=largest).contains(&value);
    if good { Ok(value) } else { Err(ShapeError::BadSize { what, value, smallest, largest }) }
}
