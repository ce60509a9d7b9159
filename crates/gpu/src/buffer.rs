//! Buffers on the processor.

use crate::{Gpu, GpuError};

/// A buffer that grows with what is put into it, never shrinks, and keeps its place while it is large enough.
#[derive(Debug)]
pub struct Growing {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: Option<wgpu::Buffer>,
}

/// The least size: no binding may be empty.
const SMALLEST: u64 = 256;

impl Growing {
    /// An empty one. It can be copied to, whatever the usage.
    pub fn new(label: &'static str, usage: wgpu::BufferUsages) -> Growing {
        Growing { label, usage: usage | wgpu::BufferUsages::COPY_DST, buffer: None }
    }

    /// The buffer, with room for `size` bytes at least, and true if it is a new one: then it is empty, and bindings of the old one are
    /// out of date.
    ///
    /// **Errors.** More than the processor takes in one buffer or binding.
    pub fn with_room(&mut self, gpu: &Gpu, size: u64) -> Result<(&wgpu::Buffer, bool), GpuError> {
        let is_there = self.buffer.as_ref().is_some_and(|b| b.size() >= size);
        if !is_there {
            let limits = gpu.device().limits();
            let limit = if self.usage.contains(wgpu::BufferUsages::STORAGE) {
                limits.max_buffer_size.min(limits.max_storage_buffer_binding_size)
            } else {
                limits.max_buffer_size
            };
            if size > limit {
                return Err(GpuError::TooLarge { what: self.label, needed: size, limit });
            }
            // Half as much again, so that growing by little costs little in the end.
            let room = size.saturating_add(size / 2).clamp(SMALLEST, limit.max(SMALLEST));
            let room = room.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT).min(limit);
            self.buffer = Some(gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size: room,
                usage: self.usage,
                mapped_at_creation: false,
            }));
        }
        match &self.buffer {
            Some(buffer) => Ok((buffer, !is_there)),
            None => Err(GpuError::Reported(format!("no buffer for {}", self.label))),
        }
    }

    /// Puts words into it from its start on; true if the buffer is a new one.
    ///
    /// **Errors.** As [`Growing::with_room`].
    pub fn put(&mut self, gpu: &Gpu, words: &[u32]) -> Result<bool, GpuError> {
        let bytes: &[u8] = bytemuck::cast_slice(words);
        let (buffer, is_new) = self.with_room(gpu, bytes.len() as u64)?;
        gpu.queue().write_buffer(buffer, 0, bytes);
        Ok(is_new)
    }

    /// The buffer; `None` before there was anything to hold.
    pub fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref()
    }
}
