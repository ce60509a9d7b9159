//! When the processor did what, by its own clock.

use crate::{Gpu, GpuError};
use std::time::Duration;

/// Moments within one pass of computing, in the order of the work.
#[derive(Debug)]
pub struct Stamps {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    back: wgpu::Buffer,
    room: u32,
    used: u32,
}

impl Stamps {
    /// What a processor must be able to do; most in software are not.
    pub(crate) const FEATURES: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY
        .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS)
        .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES);

    /// Room for some moments; `None` if the processor has no clock.
    pub fn new(gpu: &Gpu, room: u32) -> Option<Stamps> {
        let device = gpu.device();
        if !device.features().contains(Stamps::FEATURES) {
            return None;
        }
        let size = u64::from(room) * u64::from(wgpu::QUERY_SIZE);
        let buffer = |label, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        Some(Stamps {
            set: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("moments"),
                ty: wgpu::QueryType::Timestamp,
                count: room,
            }),
            resolved: buffer("moments", wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            back: buffer("moments read", wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
            room,
            used: 0,
        })
    }

    /// Forgets all moments.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// The moment at which all work of the pass so far is done. Beyond the room nothing is kept.
    pub fn mark(&mut self, pass: &mut wgpu::ComputePass<'_>) {
        if self.used < self.room {
            pass.write_timestamp(&self.set, self.used);
            self.used += 1;
        }
    }

    /// To be called after the pass.
    pub fn finish(&self, commands: &mut wgpu::CommandEncoder) {
        if self.used > 0 {
            commands.resolve_query_set(&self.set, 0..self.used, &self.resolved, 0);
            commands.copy_buffer_to_buffer(&self.resolved, 0, &self.back, 0, self.back.size());
        }
    }

    /// How long it took from each moment to the next, once all work is done.
    pub fn read(&self, gpu: &Gpu) -> Result<Vec<Duration>, GpuError> {
        if self.used < 2 {
            return Ok(Vec::new());
        }
        let period = f64::from(gpu.queue().get_timestamp_period());
        gpu.read(&self.back, u64::from(self.used) * u64::from(wgpu::QUERY_SIZE), |bytes| {
            let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(bytes);
            let times = ticks.windows(2).map(|t| t[1].saturating_sub(t[0]) as f64 * period);
            times.map(|nanoseconds| Duration::from_nanos(nanoseconds as u64)).collect()
        })
    }
}
