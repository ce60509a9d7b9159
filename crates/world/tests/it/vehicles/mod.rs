//! Vehicles on wheels, against closed forms.

#![expect(clippy::print_stdout, reason = "measured errors are shown")]

mod dynamic;
mod edges;
mod fast;
mod floor;
mod kinematic;
mod light;
mod parked;
pub(crate) mod road;
mod stand;
mod start;
