//! Hands the work over and reads answers back.

use super::frame::{Frame, HEAD_WORDS, MOST_FACES};
use super::programs::Programs;
use crate::grid::{Grid, LayerError};
use crate::image::{Fragment, LayeredImage};
use crate::snap::Snapped;
use freiraum_gpu::{Choice, Gpu, GpuError, Growing, Stamps, wgpu};
use std::time::Duration;

/// Workgroups for lists whose length only the processor knows.
const LIST_GROUPS: u32 = 1024;
/// Threads of a workgroup.
const GROUP: u32 = 64;
/// Stages that are timed.
const STAGES: u32 = 7;

/// Layered images by a graphics processor.
///
/// Faces are handed over when they change, vertices for every image. All buffers are kept.
#[derive(Debug)]
pub struct GpuRenderer {
    gpu: Gpu,
    programs: Programs,
    words: Vec<u32>,
    faces: Option<(u32, u32)>,
    uniform: Growing,
    vertices: Growing,
    face_words: Growing,
    state: Growing,
    entries: Growing,
    lists: Growing,
    fragments: Growing,
    pixels: Growing,
    back: Growing,
    bound: Option<wgpu::BindGroup>,
    stamps: Option<Stamps>,
    entry_room: u32,
    fragment_room: u32,
    found: Vec<u32>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuLayerError {
    /// The input.
    #[error(transparent)]
    Layers(#[from] LayerError),
    /// The processor.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

impl GpuRenderer {
    /// On a processor of some choice.
    pub fn open(choice: Choice) -> Result<GpuRenderer, GpuError> {
        GpuRenderer::new(&Gpu::open(choice)?)
    }

    /// On a processor that is open already.
    ///
    /// **Errors.** One that does not take the programs.
    pub fn new(gpu: &Gpu) -> Result<GpuRenderer, GpuError> {
        gpu.check()?;
        let programs = Programs::new(gpu.device());
        gpu.wait()?;
        let storage = |label| Growing::new(label, wgpu::BufferUsages::STORAGE);
        let source =
            |label| Growing::new(label, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        Ok(GpuRenderer {
            gpu: gpu.clone(),
            programs,
            words: Vec::new(),
            faces: None,
            uniform: Growing::new("frame", wgpu::BufferUsages::UNIFORM),
            vertices: storage("vertices"),
            face_words: storage("faces"),
            state: source("tiles and answers"),
            entries: storage("faces of tiles"),
            lists: storage("large faces and deep tiles"),
            fragments: source("fragments"),
            pixels: source("pixels"),
            back: Growing::new("answers", wgpu::BufferUsages::MAP_READ),
            bound: None,
            stamps: Stamps::new(gpu, STAGES + 1),
            entry_room: 0,
            fragment_room: 0,
            found: Vec::new(),
        })
    }

    /// The processor.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The faces of the images to come, as numbers of vertices.
    ///
    /// **Errors.** More than 2^26 - 1 faces, or than a buffer holds.
    pub fn set_faces(&mut self, faces: &[[u32; 3]]) -> Result<(), GpuLayerError> {
        self.gpu.check()?;
        self.faces = None;
        if faces.len() > MOST_FACES {
            let size = |n: usize| 12 * n as u64;
            let (needed, limit) = (size(faces.len()), size(MOST_FACES));
            return Err(GpuError::TooLarge { what: "faces", needed, limit }.into());
        }
        let vertices = faces.iter().flatten().max().map_or(0, |n| n.saturating_add(1));
        if self.face_words.put(&self.gpu, faces.as_flattened())? {
            self.bound = None;
        }
        self.faces = Some((faces.len() as u32, vertices));
        Ok(())
    }

    /// The whole image: for pictures and tests, as it is large.
    pub fn image(&mut self, grid: &Grid, vertices: &[Snapped]) -> Result<LayeredImage, GpuLayerError> {
        let frame = self.run(grid, vertices, true)?;
        let pixels = self.read_back(Part::Pixels, 2 * frame.pixel_count())?;
        let total = pixels.chunks_exact(2).map(|p| u64::from(p[1])).sum::<u64>();
        let total = u32::try_from(total).map_err(|_| LayerError::TooManyLayers)?;
        let fragments = self.read_back(Part::Fragments, 2 * total)?;
        let mut image = LayeredImage::empty(*grid);
        image.fragments.reserve(total as usize);
        for (pixel, list) in pixels.chunks_exact(2).enumerate() {
            let (start, count) = (2 * list[0] as usize, 2 * list[1] as usize);
            let list = fragments[start..start + count].chunks_exact(2);
            image.fragments.extend(list.map(|f| Fragment::new(f[0], f[1])));
            image.starts[pixel + 1] = image.fragments.len() as u32;
        }
        Ok(image)
    }

    /// How long the stages of the last image took on the processor, if it has a clock.
    pub fn stages(&self) -> Result<Vec<(&'static str, Duration)>, GpuError> {
        let names = ["count", "count large", "give room", "write", "write large", "shallow", "deep"];
        let Some(stamps) = &self.stamps else { return Ok(Vec::new()) };
        Ok(names.into_iter().zip(stamps.read(&self.gpu)?).collect())
    }

    fn run(
        &mut self,
        grid: &Grid,
        vertices: &[Snapped],
        keeps_image: bool,
    ) -> Result<Frame, GpuLayerError> {
        self.gpu.check()?;
        let Some((faces, vertex_count)) = self.faces else {
            return Err(GpuError::Reported("no faces were set".to_owned()).into());
        };
        if (vertex_count as usize) > vertices.len() {
            return Err(LayerError::NoSuchVertex(vertices.len()).into());
        }
        self.words.clear();
        self.words.extend(vertices.iter().flat_map(|p| [p.u as u32, p.v as u32, p.w.to_bits()]));
        if self.vertices.put(&self.gpu, &self.words)? {
            self.bound = None;
        }
        let mut frame = Frame::new(grid, faces, keeps_image);
        // Once usually, again after too little room: for entries, then for fragments.
        loop {
            frame.entry_room = self.entry_room.max(2 * faces).max(1024);
            frame.fragment_room = self.fragment_room.max(1024);
            self.make_room(&frame)?;
            self.submit(&frame)?;
            let size = u64::from(HEAD_WORDS + frame.involved_words());
            let Some(back) = self.back.buffer() else { return Err(missing().into()) };
            let found = &mut self.found;
            self.gpu.read(back, 4 * size, |bytes| {
                found.clear();
                found.extend(bytes.chunks_exact(4).map(|b| u32::from_ne_bytes([b[0], b[1], b[2], b[3]])));
            })?;
            let wide = |at: usize| u64::from(self.found[at + 1]) << 32 | u64::from(self.found[at]);
            let (entries, fragments) = (wide(0), wide(4));
            let entries_fit = entries <= u64::from(frame.entry_room);
            if entries_fit && fragments <= u64::from(frame.fragment_room) {
                return Ok(frame);
            }
            let too_many = |what, n: u64, bytes| GpuError::TooLarge {
                what,
                needed: bytes * n,
                limit: bytes * u64::from(u32::MAX),
            };
            self.entry_room =
                u32::try_from(entries).map_err(|_| too_many("faces of tiles", entries, 4))?.max(self.entry_room);
            if entries_fit {
                self.fragment_room =
                    u32::try_from(fragments).map_err(|_| too_many("fragments", fragments, 8))?;
            }
        }
    }

    fn make_room(&mut self, frame: &Frame) -> Result<(), GpuError> {
        let gpu = &self.gpu;
        let pixels = if frame.keeps_image { frame.pixel_count() } else { 0 };
        let sizes = [
            (&mut self.uniform, 4 * 16),
            (&mut self.vertices, 0),
            (&mut self.face_words, 0),
            (&mut self.state, 4 * u64::from(frame.state_words())),
            (&mut self.entries, 4 * u64::from(frame.entry_room)),
            (&mut self.lists, 4 * (u64::from(frame.faces()) + u64::from(frame.tile_count()))),
            (&mut self.fragments, 8 * u64::from(frame.fragment_room)),
            (&mut self.pixels, 8 * u64::from(pixels)),
        ];
        for (buffer, size) in sizes {
            if buffer.with_room(gpu, size)?.1 {
                self.bound = None;
            }
        }
        self.back.with_room(gpu, 4 * u64::from(HEAD_WORDS + frame.involved_words()))?;
        self.uniform.put(gpu, &frame.words())?;
        if self.bound.is_none() {
            let buffers = [
                &self.uniform,
                &self.vertices,
                &self.face_words,
                &self.state,
                &self.entries,
                &self.lists,
                &self.fragments,
                &self.pixels,
            ];
            let mut entries = Vec::with_capacity(buffers.len());
            for (buffer, binding) in buffers.into_iter().zip(0u32..) {
                let buffer = buffer.buffer().ok_or_else(missing)?;
                entries.push(wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
            }
            self.bound = Some(gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("layers"),
                layout: &self.programs.layout,
                entries: &entries,
            }));
        }
        Ok(())
    }

    fn submit(&mut self, frame: &Frame) -> Result<(), GpuError> {
        let (Some(bound), Some(state), Some(pixels), Some(back)) =
            (&self.bound, self.state.buffer(), self.pixels.buffer(), self.back.buffer())
        else {
            return Err(missing());
        };
        let mut commands =
            self.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        commands.clear_buffer(state, 0, Some(4 * u64::from(frame.state_words())));
        if frame.keeps_image {
            commands.clear_buffer(pixels, 0, Some(8 * u64::from(frame.pixel_count())));
        }
        {
            let mut pass = commands.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("layers"),
                timestamp_writes: None,
            });
            pass.set_bind_group(0, bound, &[]);
            let by_face = groups_for(frame.faces());
            let by_tile = groups_for(frame.tile_count());
            let lists = [LIST_GROUPS, 1];
            let programs = &self.programs;
            let stages: [(&wgpu::ComputePipeline, [u32; 2]); STAGES as usize] = [
                (&programs.count, by_face),
                (&programs.count_large, lists),
                (&programs.give_room, by_tile),
                (&programs.write, by_face),
                (&programs.write_large, lists),
                (&programs.shallow, frame.tiles()),
                (&programs.deep, lists),
            ];
            let mut stamps = self.stamps.as_mut();
            if let Some(stamps) = &mut stamps {
                stamps.clear();
                stamps.mark(&mut pass);
            }
            for (program, [x, y]) in stages {
                pass.set_pipeline(program);
                pass.dispatch_workgroups(x, y, 1);
                if let Some(stamps) = &mut stamps {
                    stamps.mark(&mut pass);
                }
            }
        }
        if let Some(stamps) = &self.stamps {
            stamps.finish(&mut commands);
        }
        let size = 4 * u64::from(HEAD_WORDS + frame.involved_words());
        commands.copy_buffer_to_buffer(state, 0, back, 0, size);
        self.gpu.queue().submit([commands.finish()]);
        self.gpu.check()
    }

    fn read_back(&mut self, part: Part, words: u32) -> Result<Vec<u32>, GpuError> {
        if words == 0 {
            return Ok(Vec::new());
        }
        let size = 4 * u64::from(words);
        let (back, _) = self.back.with_room(&self.gpu, size)?;
        let source = match part {
            Part::Pixels => self.pixels.buffer(),
            Part::Fragments => self.fragments.buffer(),
        };
        let source = source.ok_or_else(missing)?;
        let mut commands =
            self.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        commands.copy_buffer_to_buffer(source, 0, back, 0, size);
        self.gpu.queue().submit([commands.finish()]);
        self.gpu.read(back, size, |bytes| {
            bytes.chunks_exact(4).map(|b| u32::from_ne_bytes([b[0], b[1], b[2], b[3]])).collect()
        })
    }
}

#[derive(Clone, Copy, Debug)]
enum Part {
    Pixels,
    Fragments,
}

/// Columns and rows of workgroups for so many threads.
fn groups_for(threads: u32) -> [u32; 2] {
    let groups = threads.div_ceil(GROUP).max(1);
    let rows = groups.div_ceil(u32::from(u16::MAX));
    [groups.div_ceil(rows), rows]
}

fn missing() -> GpuError {
    GpuError::Reported("a buffer is missing".to_owned())
}
