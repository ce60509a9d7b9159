//! Technical drawings of a scene, of its steps, and of its parts shifted apart, as SVG or PNG.
//!
//! - [`View`]: from where; parallel or central, isometric, dimetric, straight views
//! - [`Style`]: lit faces, visible edges, or more edges than can be seen
//! - [`Drafter`]: makes a [`Sheet`] of a state, a step or the parts shifted apart
//! - [`Sheet`]: areas, lines and text in millimetres; [`Sheet::to_svg`], [`Sheet::to_png`]
//!
//! Areas are painted in the order of a binary space partitioning tree, lines are drawn where no face hides them; both are computed, not
//! sampled. Coplanar triangles are one face, and round shapes are smooth: only folds and outlines get lines. Where bodies overlap, the
//! line in which their surfaces meet is not drawn.

pub(crate) mod arrows;
mod bodies;
mod bsp;
mod drafter;
mod explode;
mod gather;
mod layout;
mod lettering;
mod lines;
mod png;
mod sheet;
mod style;
mod surface;
mod svg;
#[cfg(test)]
mod tests;
mod view;

pub use drafter::{Drafter, Frame, Options};
pub use sheet::{Group, GroupKind, Mark, Sheet};
pub use style::Style;
pub use view::{Projection, UnknownView, View};

use freiraum_scene::Problem;

/// Why there is no drawing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// More than the painter can sort.
    #[error(
        "{faces} faces are too many for a drawing (limit {}); draw fewer bodies, or simplify the meshes",
        DrawError::MAX_FACES
    )]
    TooManyFaces {
        /// Flat faces, before they are cut.
        faces: usize,
    },
    /// Shapes that cannot be read.
    #[error("{}", problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("; "))]
    Shapes {
        /// One per body.
        problems: Vec<Problem>,
    },
    /// A paper without room.
    #[error("a sheet of {width} mm x {height} mm: expected 20 to 5000 mm either way")]
    BadSize {
        /// As asked for, in millimetres.
        width: f64,
        /// As asked for, in millimetres.
        height: f64,
    },
    /// A picture that does not fit into memory.
    #[error(
        "{width} x {height} pixels are too many for a picture; take a smaller sheet or fewer dots per inch"
    )]
    TooManyPixels {
        /// In pixels.
        width: f64,
        /// In pixels.
        height: f64,
    },
    /// The picture could not be encoded.
    #[error("cannot encode the picture: {0}")]
    Png(String),
}

impl DrawError {
    /// Convex pieces of faces that a drawing may have.
    pub const MAX_FACES: usize = 1_000_000;
}
