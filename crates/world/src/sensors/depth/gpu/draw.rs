//! Hands the work over and reads pictures back.

use super::super::raster::facing;
use super::super::{NOTHING, Shot};
use super::geometry::Geometry;
use super::pack::{Sheet, Tile, pack};
use super::place::{INSTANCE_WORDS, Placed, VIEW_WORDS, place, view_words};
use freiraum_geometry::{Shape, Vec3};
use freiraum_gpu::{Gpu, GpuError, Growing, wgpu};
use std::ops::Range;

/// Depth bits and number of the instance of each pixel; number of its triangle.
const FORMATS: [wgpu::TextureFormat; 2] = [wgpu::TextureFormat::Rg32Uint, wgpu::TextureFormat::R32Uint];
/// Bytes of a pixel in each of them.
const PIXEL_BYTES: [u32; 2] = [8, 4];
const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Columns and rows of the largest target: 64 MiB.
const LARGEST_SIDE: u32 = 2048;

/// All that is on the processor.
#[derive(Debug)]
pub(super) struct Drawing {
    gpu: Gpu,
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    geometry: Geometry,
    views: Growing,
    instances: Growing,
    bound: Option<wgpu::BindGroup>,
    targets: Option<Targets>,
    back: Growing,
    side: u32,
}

#[derive(Debug)]
struct Targets {
    size: [u32; 2],
    colors: [wgpu::Texture; 2],
    views: [wgpu::TextureView; 3],
}

/// One of the shots that the processor draws.
struct Job {
    shot: usize,
    /// Its instances among all.
    instances: Range<u32>,
    triangles: u32,
}

impl Drawing {
    pub(super) fn new(gpu: &Gpu) -> Result<Drawing, GpuError> {
        let device = gpu.device();
        let storage = |binding: u32| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: true },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("depth"),
            entries: &[storage(0), storage(1), storage(2), storage(3)],
        });
        let pipeline = pipeline(device, &layout);
        gpu.wait()?;
        let usage = wgpu::BufferUsages::STORAGE;
        Ok(Drawing {
            gpu: gpu.clone(),
            pipeline,
            layout,
            geometry: Geometry::new(),
            views: Growing::new("views", usage),
            instances: Growing::new("places of models", usage),
            bound: None,
            targets: None,
            back: Growing::new("pictures", wgpu::BufferUsages::MAP_READ),
            side: LARGEST_SIDE.min(device.limits().max_texture_dimension_2d),
        })
    }

    /// Draws shots, and sets `is_drawn` for those that f32 has room for.
    pub(super) fn draw(&mut self, shots: &mut [Shot<'_>], is_drawn: &mut [bool]) -> Result<(), GpuError> {
        self.gpu.check()?;
        for shot in shots.iter() {
            shot.drawn.iter().try_for_each(|thing| self.geometry.learn(thing.model))?;
        }
        let (mut words, mut placed, mut jobs) = (Vec::new(), Vec::new(), Vec::new());
        for (number, shot) in shots.iter_mut().enumerate() {
            let from = placed.len() as u32;
            let count = place(&shot.view, shot.drawn, &self.geometry, &mut words, &mut placed);
            let Some(triangles) = count else { continue };
            shot.picture.clear(shot.view.size);
            is_drawn[number] = true;
            if triangles > 0 {
                jobs.push(Job { shot: number, instances: from..placed.len() as u32, triangles });
            }
        }
        debug_assert_eq!(words.len(), placed.len() * INSTANCE_WORDS);
        if jobs.is_empty() {
            return Ok(());
        }
        let is_new = [self.geometry.flush(&self.gpu)?, self.instances.put(&self.gpu, &words)?];
        if is_new.contains(&true) {
            self.bound = None;
        }
        for sheet in pack(jobs.iter().map(|j| shots[j.shot].view.size), self.side) {
            self.draw_sheet(&sheet, &jobs, shots)?;
            self.read_sheet(&sheet, &jobs, shots, &placed)?;
        }
        Ok(())
    }

    fn draw_sheet(&mut self, sheet: &Sheet, jobs: &[Job], shots: &[Shot<'_>]) -> Result<(), GpuError> {
        let mut words = Vec::with_capacity(VIEW_WORDS * sheet.tiles.len());
        for tile in &sheet.tiles {
            let job = &jobs[tile.view];
            let instances = [job.instances.start, job.instances.end];
            words.extend(view_words(&shots[job.shot].view, tile, instances));
        }
        if self.views.put(&self.gpu, &words)? {
            self.bound = None;
        }
        self.bind()?;
        self.make_targets(sheet.size);
        let (back, _) = self.back.with_room(&self.gpu, bytes(sheet).end)?;
        let (Some(targets), Some(bound)) = (&self.targets, &self.bound) else {
            return Err(GpuError::Reported("no targets".to_owned()));
        };
        let device = self.gpu.device();
        let mut commands = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let nothing =
                wgpu::Color { r: f64::from(f32::INFINITY.to_bits()), g: f64::from(NOTHING), b: 0.0, a: 0.0 };
            let color = |view| {
                let load = wgpu::LoadOp::Clear(nothing);
                let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
                Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
            };
            let far = wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Discard };
            let mut pass = commands.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("depth"),
                color_attachments: &[color(&targets.views[0]), color(&targets.views[1])],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &targets.views[2],
                    depth_ops: Some(far),
                    stencil_ops: None,
                }),
                ..wgpu::RenderPassDescriptor::default()
            });
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, bound, &[]);
            for (tile, number) in sheet.tiles.iter().zip(0u32..) {
                let ([x, y], [width, height]) = (tile.corner, tile.size);
                let [left, top, wide, tall] = [x, y, width, height].map(|v| v as f32);
                pass.set_viewport(left, top, wide, tall, 0.0, 1.0);
                pass.set_scissor_rect(x, y, width, height);
                pass.draw(0..6 * jobs[tile.view].triangles, number..number + 1);
            }
        }
        let wants_normals = sheet.tiles.iter().any(|t| shots[jobs[t.view].shot].picture.wants_normals);
        for (i, offset) in [0, bytes(sheet).start].into_iter().enumerate() {
            if i == 1 && !wants_normals {
                break;
            }
            commands.copy_texture_to_buffer(
                targets.colors[i].as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer: back,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset,
                        bytes_per_row: Some(row_bytes(sheet, i)),
                        rows_per_image: None,
                    },
                },
                extent(sheet.size),
            );
        }
        self.gpu.queue().submit([commands.finish()]);
        self.gpu.check()
    }

    fn bind(&mut self) -> Result<(), GpuError> {
        if self.bound.is_some() {
            return Ok(());
        }
        let (Some(views), Some(instances), Some([triangles, corners])) =
            (self.views.buffer(), self.instances.buffer(), self.geometry.buffers())
        else {
            return Err(GpuError::Reported("no buffers".to_owned()));
        };
        let entries: Vec<wgpu::BindGroupEntry<'_>> = [views, instances, triangles, corners]
            .into_iter()
            .zip(0u32..)
            .map(|(buffer, binding)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        self.bound = Some(self.gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("depth"),
            layout: &self.layout,
            entries: &entries,
        }));
        Ok(())
    }

    fn make_targets(&mut self, size: [u32; 2]) {
        let old = self.targets.as_ref().map_or([0; 2], |t| t.size);
        if (0..2).all(|i| old[i] >= size[i]) {
            return;
        }
        let size = [0, 1].map(|i| old[i].max(size[i]));
        let texture = |format, usage| {
            self.gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some("depth"),
                size: extent(size),
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            })
        };
        let colors = FORMATS.map(|format| texture(format, wgpu::TextureUsages::COPY_SRC));
        let depth = texture(DEPTH_FORMAT, wgpu::TextureUsages::empty());
        let views = [&colors[0], &colors[1], &depth].map(|t| t.create_view(&Default::default()));
        self.targets = Some(Targets { size, colors, views });
    }

    fn read_sheet(
        &mut self,
        sheet: &Sheet,
        jobs: &[Job],
        shots: &mut [Shot<'_>],
        placed: &[Placed],
    ) -> Result<(), GpuError> {
        let wants_normals = sheet.tiles.iter().any(|t| shots[jobs[t.view].shot].picture.wants_normals);
        let Range { start, end } = bytes(sheet);
        let Some(back) = self.back.buffer() else {
            return Err(GpuError::Reported("no pictures".to_owned()));
        };
        self.gpu.read(back, if wants_normals { end } else { start }, |all| {
            let (what, triangles) = all.split_at(start as usize);
            for tile in &sheet.tiles {
                let job = &jobs[tile.view];
                let shot = &mut shots[job.shot];
                for row in 0..tile.size[1] {
                    let seen = pixels(what, sheet, tile, row);
                    unpack(shot, tile, row, seen.clone(), placed);
                    if shot.picture.wants_normals {
                        let seen = seen.zip(pixels(triangles, sheet, tile, row));
                        normals(shot, tile, row, seen, placed);
                    }
                }
            }
        })
    }
}

/// The pixels of one row of a tile, each as its words.
fn pixels<'b, const WORDS: usize>(
    bytes: &'b [u8],
    sheet: &Sheet,
    tile: &Tile,
    row: u32,
) -> impl Iterator<Item = [u32; WORDS]> + Clone + 'b {
    let target = usize::from(WORDS == 1);
    let start = row_bytes(sheet, target) as usize * (tile.corner[1] + row) as usize
        + (PIXEL_BYTES[target] * tile.corner[0]) as usize;
    let row = &bytes[start..start + (PIXEL_BYTES[target] * tile.size[0]) as usize];
    row.chunks_exact(4 * WORDS)
        .map(|pixel| std::array::from_fn(|i| u32::from_ne_bytes(std::array::from_fn(|k| pixel[4 * i + k]))))
}

/// Where the pixels of one row of a tile are in its picture.
fn slots(shot: &Shot<'_>, tile: &Tile, row: u32) -> Range<usize> {
    let start = (tile.from[1] + row) as usize * shot.view.size[0] as usize + tile.from[0] as usize;
    start..start + tile.size[0] as usize
}

fn unpack(
    shot: &mut Shot<'_>,
    tile: &Tile,
    row: u32,
    seen: impl Iterator<Item = [u32; 2]>,
    placed: &[Placed],
) {
    let slots = slots(shot, tile, row);
    let depth = &mut shot.picture.depth[slots.clone()];
    let marks = &mut shot.picture.marks[slots];
    for ((depth, mark), [bits, instance]) in depth.iter_mut().zip(marks).zip(seen) {
        *depth = f32::from_bits(bits);
        *mark = placed.get(instance as usize).map_or(NOTHING, |p| p.mark);
    }
}

fn normals(
    shot: &mut Shot<'_>,
    tile: &Tile,
    row: u32,
    seen: impl Iterator<Item = ([u32; 2], [u32; 1])>,
    placed: &[Placed],
) {
    let slots = slots(shot, tile, row);
    for (column, ([_, instance], [triangle])) in seen.enumerate() {
        let Some(at) = placed.get(instance as usize) else { continue };
        let part = &shot.drawn[at.drawn].model.parts[at.part];
        let normal_in_part = match (&part.triangles, &part.shape) {
            (Some(triangles), _) => {
                let face = triangles.mesh.faces()[(triangle - at.triangles) as usize];
                let [a, b, c] = face.map(|i| triangles.mesh.vertices()[i as usize]);
                (b - a).cross(c - a)
            }
            (None, Shape::HalfSpace(half_space)) => half_space.normal(),
            (None, _) => Vec3::ZERO,
        };
        let normal = at.eye_from_part.rotate(normal_in_part);
        let pixel = [tile.from[0] + column as u32, tile.from[1] + row];
        shot.picture.normals[slots.start + column] = facing(&shot.view, pixel[0], pixel[1], normal);
    }
}

/// Bytes of a row of a sheet when read back: a multiple of what processors can copy.
fn row_bytes(sheet: &Sheet, target: usize) -> u32 {
    (PIXEL_BYTES[target] * sheet.size[0]).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}

/// Where the first target ends when read back, and where the second does.
fn bytes(sheet: &Sheet) -> Range<u64> {
    let [first, second] = [0, 1].map(|target| u64::from(row_bytes(sheet, target)) * u64::from(sheet.size[1]));
    first..first + second
}

fn extent([width, height]: [u32; 2]) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}

fn pipeline(device: &wgpu::Device, layout: &wgpu::BindGroupLayout) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::include_wgsl!("depth.wgsl"));
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("depth"),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    let targets = FORMATS.map(|format| {
        Some(wgpu::ColorTargetState { format, blend: None, write_mask: wgpu::ColorWrites::ALL })
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("depth"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vertex"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(true),
            // Of two at the same depth the first is seen, as in software.
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fragment"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}
