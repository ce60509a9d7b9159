//! Vertices on their way to the processor.

use super::layers::SHARE;
use super::renderer::GpuLayerError;
use crate::grid::{Grid, LayerError};
use crate::snap::{Snapped, snap};
use freiraum_geometry::Vec3;
use freiraum_gpu::{Gpu, GpuError, wgpu};

/// Words of a vertex.
pub(super) const VERTEX_WORDS: usize = 3;
/// Bytes of a share on the processor.
const SHARE_BYTES: usize = 4 * VERTEX_WORDS * SHARE;

/// Memory that this side writes and the processor copies from, and what the threads need for that; kept.
#[derive(Debug, Default)]
pub(super) struct Upload {
    room: Option<wgpu::Buffer>,
    /// Bytes that are to be copied.
    waiting: u64,
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
    pub(super) fn put(&mut self, gpu: &Gpu, vertices: &[Snapped]) -> Result<(), GpuError> {
        let Some(mut room) = self.open(gpu, vertices.len())? else { return Ok(()) };
        if let [share] = self.shares_for(1) {
            share.write(vertices, room.slice(..));
        }
        self.close(room, vertices.len());
        Ok(())
    }

    /// Snaps them on the way.
    pub(super) fn snap(
        &mut self,
        gpu: &Gpu,
        grid: &Grid,
        vertices: &[Vec3],
        threaded: bool,
    ) -> Result<(), GpuLayerError> {
        let Some(mut room) = self.open(gpu, vertices.len())? else { return Ok(()) };
        let outcome = self.write(room.slice(..), grid, vertices, threaded);
        self.close(room, vertices.len());
        // The first of all, not that of a share.
        Ok(outcome.map_err(|error| {
            vertices.iter().position(|p| !p.is_finite()).map_or(error, LayerError::NotFinite)
        })?)
    }

    /// Has the processor copy them, before all that is recorded after.
    pub(super) fn copy(&mut self, to: &wgpu::Buffer, commands: &mut wgpu::CommandEncoder) {
        if let Some(room) = self.room.as_ref().filter(|_| self.waiting > 0) {
            commands.copy_buffer_to_buffer(room, 0, to, 0, self.waiting);
            self.waiting = 0;
        }
    }

    /// Memory for so many vertices; none for none. All work of the processor must be done.
    fn open(&mut self, gpu: &Gpu, vertices: usize) -> Result<Option<wgpu::BufferViewMut>, GpuError> {
        let size = bytes(vertices);
        self.waiting = 0;
        if size == 0 {
            return Ok(None);
        }
        if self.room.as_ref().is_none_or(|room| room.size() < size) {
            let limit = gpu.device().limits().max_buffer_size;
            if size > limit {
                return Err(GpuError::TooLarge { what: "vertices", needed: size, limit });
            }
            self.room = Some(gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("vertices to come"),
                size: (size + size / 2).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT).min(limit),
                usage: wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }));
        }
        let Some(room) = &self.room else { return Ok(None) };
        let room = room.slice(..size);
        // It is mapped when the wait is over; where it is not, the next line says so.
        room.map_async(wgpu::MapMode::Write, |_| {});
        gpu.wait()?;
        room.get_mapped_range_mut().map(Some).map_err(|error| GpuError::Reported(error.to_string()))
    }

    fn close(&mut self, view: wgpu::BufferViewMut, vertices: usize) {
        drop(view);
        if let Some(room) = &self.room {
            room.unmap();
            self.waiting = bytes(vertices);
        }
    }

    fn write(
        &mut self,
        room: wgpu::WriteOnly<'_, [u8]>,
        grid: &Grid,
        vertices: &[Vec3],
        threaded: bool,
    ) -> Result<(), LayerError> {
        let mut outcome = Ok(());
        if threaded {
            let (whole, rest) = room.into_chunks::<SHARE_BYTES>();
            let [last, shares @ ..] = self.shares_for(whole.len() + 1) else { return Ok(()) };
            let (before, after) = vertices.split_at(whole.len() * SHARE);
            rayon::in_place_scope(|scope| {
                for ((room, share), vertices) in whole.into_iter().zip(&mut *shares).zip(before.chunks(SHARE)) {
                    scope.spawn(|_| share.snap(grid, vertices, room.into()));
                }
                last.snap(grid, after, rest);
            });
            for share in [last].into_iter().chain(shares) {
                outcome = outcome.and(share.outcome);
            }
        } else if let [share] = self.shares_for(1) {
            share.snap(grid, vertices, room);
            outcome = share.outcome;
        }
        outcome
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

fn bytes(vertices: usize) -> u64 {
    (4 * VERTEX_WORDS * vertices) as u64
}
