//! Vertices on their way to the processor.

use super::layers::SHARE;
use crate::grid::{Grid, LayerError};
use crate::snap::{Snapped, snap};
use freiraum_geometry::Vec3;
use freiraum_gpu::{Gpu, wgpu};
use rayon::prelude::*;

/// Words of a vertex.
pub(super) const VERTEX_WORDS: usize = 3;

/// What the threads need for that; kept.
#[derive(Debug, Default)]
pub(super) struct Upload {
    shares: Vec<Share>,
}

#[derive(Debug, Default)]
struct Share {
    snapped: Vec<Snapped>,
    words: Vec<u32>,
}

impl Upload {
    /// Vertices that are snapped already.
    pub(super) fn put(&mut self, gpu: &Gpu, buffer: &wgpu::Buffer, vertices: &[Snapped]) {
        let [share] = self.shares_for(1) else { return };
        share.write(gpu, buffer, 0, vertices);
    }

    /// Snaps them on the way.
    pub(super) fn snap(
        &mut self,
        gpu: &Gpu,
        buffer: &wgpu::Buffer,
        grid: &Grid,
        vertices: &[Vec3],
        threaded: bool,
    ) -> Result<(), LayerError> {
        let length = if threaded { SHARE } else { vertices.len().max(1) };
        let shares = self.shares_for(vertices.len().div_ceil(length));
        let one = |(k, (share, vertices)): (usize, (&mut Share, &[Vec3]))| {
            let mut snapped = std::mem::take(&mut share.snapped);
            let outcome = snap(grid, vertices, &mut snapped);
            share.write(gpu, buffer, k * length, &snapped);
            share.snapped = snapped;
            outcome
        };
        let outcome = if threaded {
            shares.par_iter_mut().zip(vertices.par_chunks(length)).enumerate().try_for_each(one)
        } else {
            shares.iter_mut().zip(vertices.chunks(length)).enumerate().try_for_each(one)
        };
        // The first of all, not that of a share.
        outcome.map_err(|error| {
            vertices.iter().position(|p| !p.is_finite()).map_or(error, LayerError::NotFinite)
        })
    }

    fn shares_for(&mut self, count: usize) -> &mut [Share] {
        if self.shares.len() < count {
            self.shares.resize_with(count, Share::default);
        }
        &mut self.shares[..count]
    }
}

impl Share {
    fn write(&mut self, gpu: &Gpu, buffer: &wgpu::Buffer, first: usize, vertices: &[Snapped]) {
        self.words.clear();
        self.words.extend(vertices.iter().flat_map(|p| [p.u as u32, p.v as u32, p.w.to_bits()]));
        let offset = (4 * VERTEX_WORDS * first) as u64;
        gpu.queue().write_buffer(buffer, offset, bytemuck::cast_slice(&self.words));
    }
}
