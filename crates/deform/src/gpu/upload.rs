//! Vertices on their way to the processor.

use super::layers::SHARE;
use crate::grid::{Grid, LayerError};
use crate::snap::{Snapped, snap};
use freiraum_geometry::Vec3;
use freiraum_gpu::{Gpu, wgpu};

/// Words of a vertex.
pub(super) const VERTEX_WORDS: usize = 3;
/// Bytes of a share on the processor.
const SHARE_BYTES: usize = 4 * VERTEX_WORDS * SHARE;

/// What the threads need for that; kept.
#[derive(Debug, Default)]
pub(super) struct Upload {
    shares: Vec<Share>,
}

#[derive(Debug)]
struct Share {
    snapped: Vec<Snapped>,
    words: Vec<u32>,
    outcome: Result<(), LayerError>,
}

impl Upload {
    /// Vertices that are snapped already.
    pub(super) fn put(&mut self, gpu: &Gpu, buffer: &wgpu::Buffer, vertices: &[Snapped]) {
        let [share] = self.shares_for(1) else { return };
        let Some(mut room) = room_for(gpu, buffer, vertices.len()) else { return };
        share.write(vertices, room.slice(..));
    }

    /// Snaps them on the way, straight into memory that the processor copies from.
    pub(super) fn snap(
        &mut self,
        gpu: &Gpu,
        buffer: &wgpu::Buffer,
        grid: &Grid,
        vertices: &[Vec3],
        threaded: bool,
    ) -> Result<(), LayerError> {
        let Some(mut room) = room_for(gpu, buffer, vertices.len()) else { return Ok(()) };
        let mut outcome = Ok(());
        if threaded {
            let (whole, rest) = room.slice(..).into_chunks::<SHARE_BYTES>();
            let [last, shares @ ..] = self.shares_for(whole.len() + 1) else { return Ok(()) };
            let (before, after) = vertices.split_at(whole.len() * SHARE);
            rayon::in_place_scope(|scope| {
                for ((room, share), vertices) in whole.into_iter().zip(&mut *shares).zip(before.chunks(SHARE))
                {
                    scope.spawn(|_| share.snap(grid, vertices, room.into()));
                }
                last.snap(grid, after, rest);
            });
            for share in [last].into_iter().chain(shares) {
                outcome = outcome.and(share.outcome);
            }
        } else if let [share] = self.shares_for(1) {
            share.snap(grid, vertices, room.slice(..));
            outcome = share.outcome;
        }
        // The first of all, not that of a share.
        outcome.map_err(|error| {
            vertices.iter().position(|p| !p.is_finite()).map_or(error, LayerError::NotFinite)
        })
    }

    fn shares_for(&mut self, count: usize) -> &mut [Share] {
        if self.shares.len() < count {
            let share = || Share { snapped: Vec::new(), words: Vec::new(), outcome: Ok(()) };
            self.shares.resize_with(count, share);
        }
        &mut self.shares[..count]
    }
}

impl Share {
    fn snap(&mut self, grid: &Grid, vertices: &[Vec3], room: wgpu::WriteOnly<'_, [u8]>) {
        let mut snapped = std::mem::take(&mut self.snapped);
        self.outcome = snap(grid, vertices, &mut snapped);
        self.write(&snapped, room);
        self.snapped = snapped;
    }

    fn write(&mut self, vertices: &[Snapped], mut room: wgpu::WriteOnly<'_, [u8]>) {
        self.words.clear();
        self.words.extend(vertices.iter().flat_map(|p| [p.u as u32, p.v as u32, p.w.to_bits()]));
        room.copy_from_slice(bytemuck::cast_slice(&self.words));
    }
}

/// Memory for so many vertices, copied into the buffer with the next work that is handed over; none for none, and after an error.
fn room_for(gpu: &Gpu, buffer: &wgpu::Buffer, vertices: usize) -> Option<wgpu::QueueWriteBufferView> {
    let size = wgpu::BufferSize::new((4 * VERTEX_WORDS * vertices) as u64)?;
    gpu.queue().write_buffer_with(buffer, 0, size)
}
