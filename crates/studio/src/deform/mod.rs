//! The deform workspace: bodies that change their form, frame by frame, and where they run into themselves and each other.
//!
//! Pages ask for one frame after the other, each with all that it shows; nothing is remembered but meshes and storage. So pages do not
//! disturb each other, and a slow page asks less often.

mod bench;
mod frame;
#[cfg(feature = "gpu")]
mod graphics;
mod shelf;
mod wanted;

pub(crate) use shelf::Shelf;
pub(crate) use wanted::Wanted;

use crate::protocol::Refusal;
use bench::Bench;
use serde_json::Value;
use std::sync::{Mutex, PoisonError};
use wanted::DeviceWanted;

/// What all pages share.
#[derive(Default)]
pub(crate) struct Deform {
    pub(crate) shelf: Shelf,
    /// Storage that no frame uses at the moment.
    benches: Mutex<Vec<Bench>>,
    #[cfg(feature = "gpu")]
    processors: graphics::Processors,
}

impl Deform {
    /// One frame, as `docs/studio-protocol.md` describes it.
    pub(crate) fn frame(&self, wanted: &Wanted) -> Result<Vec<u8>, Refusal> {
        wanted.check()?;
        let meshes: Vec<_> =
            wanted.bodies.iter().map(|body| self.shelf.get(&body.mesh)).collect::<Result<_, _>>()?;
        let mut bench = self.benches.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let note = self.prepare(wanted, &mut bench);
        let frame = bench.frame(wanted, &meshes, note);
        self.benches.lock().unwrap_or_else(PoisonError::into_inner).push(bench);
        frame
    }

    /// Gives the bench the processor that is wanted; if there is none and it was asked for by name, the reason.
    fn prepare(&self, wanted: &Wanted, bench: &mut Bench) -> Option<String> {
        if wanted.device == DeviceWanted::Cpu {
            bench.let_go();
            return None;
        }
        #[cfg(feature = "gpu")]
        let there = self.processors.get(wanted.device).and_then(|gpu| bench.take(&gpu));
        #[cfg(not(feature = "gpu"))]
        let there: Result<(), &str> = Err("built without graphics processors");
        let reason = there.err().map(|error| format!("{error}: the processor does it"));
        reason.filter(|_| wanted.device == DeviceWanted::Gpu)
    }

    /// A mesh of a file, by the name under which it is on the shelf from now on.
    pub(crate) fn add(&self, name: &str, bytes: &[u8]) -> Result<Value, Refusal> {
        self.shelf.add(name, bytes)
    }
}
