//! Files of the disk: which may be read, how they are opened, how they are written.
//!
//! Everything that reads a file whose name comes from outside does it through [`open`], [`read`] or [`read_text`]; everything that
//! writes one that somebody will read again does it through [`save`] or [`write()`]. `cargo xtask tidy` rejects other ways.

mod open;
mod reach;
mod save;

pub use open::{LARGEST_MESH, LARGEST_SAVED, LARGEST_TEXT, open, read, read_text, special};
pub use reach::Reach;
pub use save::{New, SaveError, save, sweep, sweep_beside, write};
