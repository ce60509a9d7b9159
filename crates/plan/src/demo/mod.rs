//! Scenes made by code, good to look at.

mod piano;

pub use piano::piano;
