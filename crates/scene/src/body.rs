//! Bodies and groups of them.

use crate::Place;
use freiraum_geometry::{Pose, Shape, Unit};
use std::path::PathBuf;

/// A named, placed shape.
#[derive(Clone, Debug)]
pub struct Body {
    /// Unique among bodies, groups and robots.
    pub name: String,
    /// What it looks like, in its own frame.
    pub geometry: Geometry,
    /// A fixed body is never moved by a step.
    pub is_fixed: bool,
    /// For pictures; chosen for it if none is given.
    pub color: Option<Color>,
    /// Where it is before the first step.
    pub pose: Pose,
    /// Where it should be in the end, for planning.
    pub goal: Option<Pose>,
    /// Where the file says so.
    pub place: Place,
}

/// The shape of a body.
#[derive(Clone, Debug)]
pub enum Geometry {
    /// In a file of its own, which is read when it is needed.
    File {
        /// Where it is: absolute, or relative to the working folder.
        path: PathBuf,
        /// As the scene file says it, relative to that file.
        written: String,
        /// The unit of the numbers in the file.
        units: Unit,
    },
    /// In the scene file itself.
    Shape(Shape),
}

/// Whether a shape can be declared a sheet: it is a mesh or a height field, or has one in it. Other shapes
/// are solids, whatever is declared.
pub fn can_be_sheet(shape: &Shape) -> bool {
    match shape {
        Shape::Mesh(_) | Shape::HeightField(_) => true,
        Shape::Compound(compound) => compound.parts().iter().any(|part| can_be_sheet(&part.shape)),
        _ => false,
    }
}

/// Red, green, blue: sRGB, 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Color(pub [u8; 3]);

/// Bodies that a step moves as one.
#[derive(Clone, Debug)]
pub struct Group {
    /// Unique among bodies, groups and robots.
    pub name: String,
    /// Numbers of bodies, groups in groups resolved; each once, in the order of the file.
    pub members: Vec<usize>,
    /// Where the file says so.
    pub place: Place,
}
