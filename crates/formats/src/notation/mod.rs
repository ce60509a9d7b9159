//! Shapes and poses as people write them in questions and scene files: JSON values (a TOML file becomes them), with the same keys.
//!
//! - [`shape_of_json`], [`pose_of_json`]: in metres, whatever [`Dialect`] they are written in
//! - [`MotionText`]: a motion as it is written, in whatever dialect ([`MotionGrammar`]); [`motion_of_json`] reads that of questions
//! - [`point_of_json`], [`turn_axis_of_json`], [`degrees_of_json`], [`shares_of_json`]: parts of motions
//! - [`pose_of_text`], [`vector_of_text`]: comma lists of the command line
//! - [`Fault`]: where, what was found, what was expected; [`json`] reads the values in them

mod motion;
mod pose;
mod shape;

pub mod json;

pub use json::Fault;
pub use motion::{
    Angle, MAX_DEGREES, MotionGrammar, MotionKind, MotionPiece, MotionText, degrees_of_json, motion_expected,
    motion_of_json, point_of_json, shares_of_json, turn_axis_of_json,
};
pub use pose::{pose_of_json, pose_of_text, vector_of_text};
pub use shape::{SHAPE_KINDS, ShapeFile, shape_of_json};

use freiraum_geometry::Unit;

/// What differs between a question and a file.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// The unit of lengths.
    pub units: Unit,
    /// Whether quaternions that are not of unit length (up to the digits people write) and absurd positions are refused; else
    /// the former are made so, and the latter are for the question to refuse.
    pub is_strict: bool,
    /// Whether a text may stand for a shape (the name of a file) or a pose (a comma list).
    pub has_text: bool,
}

impl Dialect {
    /// That of questions in metres, with quaternions of any length.
    pub const QUESTION: Dialect = Dialect::question(Unit::Metre);

    /// That of questions in this unit.
    pub const fn question(units: Unit) -> Dialect {
        Dialect { units, is_strict: false, has_text: true }
    }

    /// That of scene files in this unit.
    pub fn scene(units: Unit) -> Dialect {
        Dialect { units, is_strict: true, has_text: false }
    }

    /// The largest coordinate, in the unit.
    fn farthest(&self) -> f64 {
        self.units.from_metres(freiraum_geometry::tolerance::MAX_COORDINATE)
    }

    fn shape_kinds(&self) -> String {
        let file = if self.has_text { "a mesh file name, or " } else { "" };
        format!("{file}an object with one of {}", SHAPE_KINDS.join(", "))
    }
}
