//! Controllers that are built in, in worlds.

mod built;
mod collect;
mod drive_to;
mod soccer;
mod start;
mod wander;
