//! The deform workspace: bodies that change their form, frame by frame, and where they run into themselves and each other.
//!
//! Pages ask for one frame after the other, each with all that it shows; nothing is remembered but meshes and storage. So pages do not
//! disturb each other, and a slow page asks less often.

mod bench;
mod frame;
pub(crate) mod frame_document;
mod shelf;
pub(crate) mod wanted;

pub(crate) use shelf::Shelf;
pub(crate) use wanted::Wanted;

use crate::protocol::Refusal;
use bench::Bench;
use frame_document::MeshFacts;
use freiraum_deform::device::Processors;
use std::sync::{Mutex, PoisonError};

/// What all pages share.
#[derive(Default)]
pub(crate) struct Deform {
    pub(crate) shelf: Shelf,
    /// Storage that no frame uses at the moment.
    benches: Mutex<Vec<Bench>>,
    processors: Processors,
}

impl Deform {
    /// One frame, as `docs/studio-protocol.md` describes it.
    pub(crate) fn frame(&self, wanted: &Wanted) -> Result<Vec<u8>, Refusal> {
        wanted.check()?;
        let meshes: Vec<_> =
            wanted.bodies.iter().map(|body| self.shelf.get(&body.mesh)).collect::<Result<_, _>>()?;
        let mut bench = self.benches.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        bench.looker.choose(wanted.device.into(), &self.processors);
        let frame = bench.frame(wanted, &meshes);
        self.benches.lock().unwrap_or_else(PoisonError::into_inner).push(bench);
        frame
    }

    /// A mesh of a file, by the name under which it is on the shelf from now on.
    pub(crate) fn add(&self, name: &str, bytes: &[u8]) -> Result<MeshFacts, Refusal> {
        self.shelf.add(name, bytes)
    }
}
