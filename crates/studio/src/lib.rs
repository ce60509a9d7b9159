//! Let me see and try: the studio, a page in the browser and the server behind it.
//!
//! - [`Studio`]: a running server
//! - [`Options`]: what it opens, where it listens
//! - [`Example`]: scenes to start with
//! - [`Clock`]: the time by which its world runs
//!
//! `document` holds the scene that is open: one ordinary thread changes it, others check, plan and answer questions about copies. `web` is everything that speaks
//! HTTP; `world` is the scene in time, simulated by a thread of its own; `deform` are bodies that change their form; `protocol` are the messages, as `docs/studio-protocol.md` describes them; `files` says which files may be touched, and `journal` keeps unsaved work.
//!
//! **Guarantee.** No request leaves the machine. Files are read and written only in the folder of the scene (see `files`), in the cache of the user, and
//! nowhere else. Whoever does not know the token gets nothing.

mod clock;
mod deform;
mod document;
mod files;
mod journal;
mod protocol;
mod server;
mod web;
mod world;

pub use clock::Clock;
pub use server::{Example, Options, Studio, StudioError};
