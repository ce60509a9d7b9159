//! Files of the disk: which may be read, how they are opened, how they are written.
//!
//! Everything that reads a file whose name comes from outside does it through [`open`], [`read`] or
//! [`read_text`]; everything that writes one that somebody will read again does it through [`save`] or
//! [`write()`], or through [`save_regular`] or [`write_regular`] where waiting for the other end of a pipe
//! would stop more than this. What grows bit by bit is a [`create()`]. `cargo xtask tidy` rejects other ways.
//! What can be made again is kept in the [`cache_folder`]. Whether a file was written since it was last read
//! is said by its [`digest`], or without reading it by its [`Stamp`].

mod cache;
mod open;
mod reach;
mod save;
mod stamp;
mod witness;

pub use cache::{cache_folder, cache_name};
pub use open::{LARGEST_MESH, LARGEST_SAVED, LARGEST_TEXT, open, read, read_text, special};
pub use reach::Reach;
pub use save::{New, SaveError, create, save, save_regular, sweep, sweep_beside, write, write_regular};
pub use stamp::Stamp;
pub use witness::{Digests, Stream, digest, saw, saw_again, witnessed};
