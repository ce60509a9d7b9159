//! Everything that is kept on the processor.

use super::found::FRAGMENT_WORDS;
use super::frame::Frame;
use super::programs::Programs;
use super::upload::VERTEX_WORDS;
use freiraum_gpu::{Gpu, GpuError, Growing, wgpu};

/// The buffers of `frame.wgsl`, and one for what is read back.
#[derive(Debug)]
pub(super) struct Buffers {
    frame: Growing,
    vertices: Growing,
    faces: Growing,
    state: Growing,
    entries: Growing,
    lists: Growing,
    fragments: Growing,
    pixels: Growing,
    back: Growing,
    bound: Option<wgpu::BindGroup>,
}

/// What can be read back.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Lists,
    Fragments,
    Pixels,
}

impl Buffers {
    pub(super) fn new() -> Buffers {
        let storage = wgpu::BufferUsages::STORAGE;
        let readable = storage | wgpu::BufferUsages::COPY_SRC;
        Buffers {
            frame: Growing::new("frame", wgpu::BufferUsages::UNIFORM),
            vertices: Growing::new("vertices", storage),
            faces: Growing::new("faces", storage),
            state: Growing::new("tiles and answers", readable),
            entries: Growing::new("faces of tiles", storage),
            lists: Growing::new("large faces and deep tiles", readable),
            fragments: Growing::new("fragments", readable),
            pixels: Growing::new("pixels", readable),
            back: Growing::new("answers", wgpu::BufferUsages::MAP_READ),
            bound: None,
        }
    }

    pub(super) fn put_faces(&mut self, gpu: &Gpu, faces: &[[u32; 3]]) -> Result<(), GpuError> {
        let is_new = self.faces.put(gpu, faces.as_flattened())?;
        self.forget_if(is_new);
        Ok(())
    }

    /// Where vertices go to.
    pub(super) fn vertices(&mut self, gpu: &Gpu, count: usize) -> Result<&wgpu::Buffer, GpuError> {
        let is_new = self.vertices.with_room(gpu, (4 * VERTEX_WORDS * count) as u64)?.1;
        self.forget_if(is_new);
        there(&self.vertices)
    }

    fn forget_if(&mut self, is_new: bool) {
        if is_new {
            self.bound = None;
        }
    }

    /// Room for a frame, and its words.
    pub(super) fn prepare(&mut self, gpu: &Gpu, frame: &Frame) -> Result<(), GpuError> {
        let sizes = [
            (&mut self.frame, 16),
            (&mut self.vertices, 0),
            (&mut self.state, u64::from(frame.state_words())),
            (&mut self.entries, u64::from(frame.room.entries)),
            (&mut self.lists, frame.list_words()),
            (&mut self.fragments, 2 * u64::from(frame.room.fragments)),
            (&mut self.pixels, u64::from(frame.pixel_words())),
        ];
        for (buffer, words) in sizes {
            if buffer.with_room(gpu, 4 * words)?.1 {
                self.bound = None;
            }
        }
        self.back.with_room(gpu, 4 * u64::from(frame.answer_words()))?;
        self.frame.put(gpu, &frame.words())?;
        Ok(())
    }

    /// All that programs are bound to.
    pub(super) fn bind(&mut self, gpu: &Gpu, programs: &Programs) -> Result<&wgpu::BindGroup, GpuError> {
        if self.bound.is_none() {
            let all = [
                &self.frame,
                &self.vertices,
                &self.faces,
                &self.state,
                &self.entries,
                &self.lists,
                &self.fragments,
                &self.pixels,
            ];
            let mut entries = Vec::with_capacity(all.len());
            for (buffer, binding) in all.into_iter().zip(0u32..) {
                let buffer = there(buffer)?;
                entries.push(wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
            }
            self.bound = Some(gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("layers"),
                layout: &programs.layout,
                entries: &entries,
            }));
        }
        self.bound.as_ref().ok_or_else(missing)
    }

    /// Before the programs of a frame.
    pub(super) fn clear(&self, frame: &Frame, commands: &mut wgpu::CommandEncoder) -> Result<(), GpuError> {
        commands.clear_buffer(there(&self.state)?, 0, Some(4 * u64::from(frame.state_words())));
        // Pixels of empty tiles are not written.
        if frame.keeps_image() {
            commands.clear_buffer(there(&self.pixels)?, 0, Some(4 * u64::from(frame.pixel_words())));
        }
        Ok(())
    }

    /// Before a round of deep tiles.
    pub(super) fn clear_round(&self, commands: &mut wgpu::CommandEncoder) -> Result<(), GpuError> {
        let [first, last] = FRAGMENT_WORDS.map(u64::from);
        commands.clear_buffer(there(&self.state)?, 4 * first, Some(4 * (last + 1 - first)));
        Ok(())
    }

    /// After them: the answer is copied to where [`Buffers::answer`] finds it.
    pub(super) fn finish(&self, frame: &Frame, commands: &mut wgpu::CommandEncoder) -> Result<(), GpuError> {
        let size = 4 * u64::from(frame.answer_words());
        commands.copy_buffer_to_buffer(there(&self.state)?, 0, there(&self.back)?, 0, size);
        Ok(())
    }

    /// Waits for the words of the answer, and looks at them.
    pub(super) fn answer<T>(
        &self,
        gpu: &Gpu,
        frame: &Frame,
        look: impl FnOnce(&[u32]) -> T,
    ) -> Result<T, GpuError> {
        gpu.read(there(&self.back)?, 4 * u64::from(frame.answer_words()), |bytes| look(&words(bytes)))
    }

    /// Some words of a buffer.
    pub(super) fn read(&mut self, gpu: &Gpu, part: Part, at: u32, count: u32) -> Result<Vec<u32>, GpuError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let (start, size) = (4 * u64::from(at), 4 * u64::from(count));
        self.back.with_room(gpu, size)?;
        let source = there(match part {
            Part::Lists => &self.lists,
            Part::Fragments => &self.fragments,
            Part::Pixels => &self.pixels,
        })?;
        let back = there(&self.back)?;
        let mut commands = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        commands.copy_buffer_to_buffer(source, start, back, 0, size);
        gpu.queue().submit([commands.finish()]);
        gpu.read(back, size, |bytes| words(bytes).into_owned())
    }
}

/// Mapped memory begins at a multiple of 4; should it not, the words are copied.
fn words(bytes: &[u8]) -> std::borrow::Cow<'_, [u32]> {
    match bytemuck::try_cast_slice(bytes) {
        Ok(words) => words.into(),
        Err(_) => bytemuck::pod_collect_to_vec(bytes).into(),
    }
}

fn there(buffer: &Growing) -> Result<&wgpu::Buffer, GpuError> {
    buffer.buffer().ok_or_else(missing)
}

fn missing() -> GpuError {
    GpuError::Reported("a buffer is missing".to_owned())
}
