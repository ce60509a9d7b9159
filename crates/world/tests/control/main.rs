//! Controllers that are built in, in worlds.

mod built;
mod drive_to;
mod soccer;
mod wander;
