//! The programs of the processor, and what they are bound to.

use crate::occupancy::NOISE;
use freiraum_gpu::wgpu;

/// Shared by all programs.
macro_rules! source {
    ($($name:literal),*) => {
        concat!(
            include_str!("wide.wgsl"), include_str!("frame.wgsl"), include_str!("triangle.wgsl"),
            $(include_str!($name)),*
        )
    };
}

const BINS: &str = source!("bin.wgsl");
const SHALLOW: &str = source!("batch.wgsl", "confirm.wgsl", "walk.wgsl", "pair.wgsl", "shallow.wgsl");
const DEEP: &str = source!("batch.wgsl", "slots.wgsl", "confirm.wgsl", "walk.wgsl", "pair.wgsl", "deep.wgsl");
const SUMS: &str = source!("sums.wgsl");

/// Buffers after the one of the frame: whether programs only read them.
const READS: [bool; 7] = [true, true, false, false, false, false, false];

/// All programs, in the order in which they run.
#[derive(Debug)]
pub(super) struct Programs {
    pub(super) layout: wgpu::BindGroupLayout,
    pub(super) count: wgpu::ComputePipeline,
    pub(super) count_large: wgpu::ComputePipeline,
    pub(super) give_room: wgpu::ComputePipeline,
    pub(super) write: wgpu::ComputePipeline,
    pub(super) write_large: wgpu::ComputePipeline,
    pub(super) shallow: wgpu::ComputePipeline,
    pub(super) deep: wgpu::ComputePipeline,
    pub(super) differences: wgpu::ComputePipeline,
}

impl Programs {
    pub(super) fn new(device: &wgpu::Device) -> Programs {
        let entry = |binding: u32, ty: wgpu::BufferBindingType| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: None,
        };
        let mut entries = vec![entry(0, wgpu::BufferBindingType::Uniform)];
        for (read_only, binding) in READS.into_iter().zip(1u32..) {
            entries.push(entry(binding, wgpu::BufferBindingType::Storage { read_only }));
        }
        let label = Some("layers");
        let layout =
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let module = |text: &'static str| {
            // One constant in one place.
            let text = text.replace("NOISE_STEPS", &NOISE.to_string());
            let source = wgpu::ShaderSource::Wgsl(text.into());
            device.create_shader_module(wgpu::ShaderModuleDescriptor { label, source })
        };
        let [bins, shallow, deep, sums] = [BINS, SHALLOW, DEEP, SUMS].map(module);
        let program = |module, name, constants| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(name),
                layout: Some(&pipeline_layout),
                module,
                entry_point: Some(name),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants,
                    // What a workgroup reads it has written.
                    zero_initialize_workgroup_memory: false,
                },
                cache: None,
            })
        };
        let [counts, writes] = [[("is_writing", 0.0)], [("is_writing", 1.0)]];
        Programs {
            count: program(&bins, "small", &counts),
            count_large: program(&bins, "large", &counts),
            give_room: program(&bins, "give_room", &counts),
            write: program(&bins, "small", &writes),
            write_large: program(&bins, "large", &writes),
            shallow: program(&shallow, "shallow", &[]),
            deep: program(&deep, "deep", &[]),
            differences: program(&sums, "differences", &[]),
            layout,
        }
    }
}
