//! The server as a page sees it, over TCP.

mod agreement;
mod client;
mod crash;
mod deform;
mod doors;
mod editing;
mod files;
mod history;
mod hostile;
mod outside;
mod robot_edits;
mod robots;
mod security;
mod sloppy;
mod stopping;
mod trust;
mod world;
mod world_vehicles;
