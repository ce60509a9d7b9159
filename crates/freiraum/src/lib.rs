//! Freiraum as one library.
pub use freiraum_formats as formats;
pub use freiraum_geometry as geometry;
