//! The renderer on a graphics processor: the images and answers of the one in software, bit for bit.
//!
//! The image is cut into tiles of 8 x 8 pixels. A constant number of passes, whatever the number of layers:
//! - `bin.wgsl`: faces are put into the lists of the tiles that they may cover: counted, given room, written; those over many tiles by
//!   a workgroup each
//! - `shallow.wgsl`: a workgroup for each tile, a thread for each pixel; the faces of the tile are kept in the memory of the workgroup,
//!   depths of a pixel in order in registers, and only what follows from them leaves it
//! - `deep.wgsl`: tiles with more faces or layers than that, or all tiles if the image is asked for, through global memory
//!
//! `triangle.wgsl` is `triangle.rs` once more, `wide.wgsl` has integers of 64 bits for it, `walk.wgsl` is `occupancy.rs`,
//! `pair.wgsl` and `sums.wgsl` are of `bodies.rs` and `volume.rs`. What is in no
//! order (lists of tiles) decides nothing: fragments of a pixel are all different and get sorted, the rest are sums of integers and bits.
//!
//! - `programs.rs`, `frame.rs`, `buffers.rs`: programs, the words they are given, and the memory they work on
//! - `renderer.rs`, `upload.rs`, `found.rs`: hands the work over and reads answers back
//! - `layers.rs`, `bodies.rs`: one surface, frame after frame; several bodies

mod bodies;
mod buffers;
mod found;
mod frame;
mod layers;
mod programs;
mod renderer;
mod upload;

pub use bodies::{GpuBodies, GpuPair};
pub use found::{Found, FoundFault};
pub use layers::{GpuLayers, GpuMilliseconds};
pub use renderer::{GpuLayerError, GpuRenderer};
