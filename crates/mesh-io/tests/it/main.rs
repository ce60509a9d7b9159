//! The tests of this crate, in one program.

mod common;
mod errors;
mod features;
mod files;
mod gltf;
mod props_hostile;
mod props_round_trip;
mod third_party;
mod witnessed;
