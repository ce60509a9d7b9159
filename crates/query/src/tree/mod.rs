//! Bounding trees with exchangeable volumes, builders and descent rules.
//!
//! - [`volume`]: what stands in a node; one file per volume, all behind [`Volume`]
//! - [`build`]: which objects share a node; one file per builder, all behind [`Builder`]
//! - [`descend`]: which of two nodes is opened; one file per rule, all behind [`Rule`]
//! - [`Tree`]: the nodes, built once and refitted when objects move or deform
//! - [`overlapping_pairs`], [`overlapping_pairs_within`], [`nearest_pair`], [`visit`]: the traversals
//!
//! A tree knows objects by their number only and asks back for everything else, so it serves any question. Every
//! traversal adds what it did to a [`Counts`], keeps its memory in a [`Stack`] of the caller and visits in an order that
//! depends on its input alone.
//!
//! The tree of a single mesh for the hot paths is [`mesh_tree`](crate::mesh_tree); this one is for objects, for
//! comparing methods, and for whatever needs a volume that the tuned tree does not have.

pub mod build;
pub mod descend;
pub mod volume;

mod counts;
mod extent;
mod form;
mod nearest;
mod nodes;
mod pairs;
mod placement;
mod single;

pub use build::Builder;
pub use counts::Counts;
pub use descend::Rule;
pub use extent::Extent;
pub use form::Form;
pub use nearest::{Nearest, nearest_pair};
pub use nodes::{Node, Tree};
pub use pairs::{Stack, overlapping_pairs, overlapping_pairs_placed, overlapping_pairs_within};
pub use placement::Placement;
pub use single::visit;
pub use volume::Volume;
