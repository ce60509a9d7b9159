//! `wide.wgsl` against integers of 64 bits.

use super::gpu;
use freiraum_gpu::{Growing, wgpu};
use freiraum_testkit::random::Random;

const PROGRAM: &str = concat!(
    include_str!("../../../src/gpu/wide.wgsl"),
    "
@group(0) @binding(0) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = 16u * id.x;
    let a = i32(words[at]);
    let b = i32(words[at + 1u]);
    let shift = words[at + 2u];
    let product = wide_product(a, b);
    let square = wide_product(a, a);
    let difference = wide_subtract(product, square);
    let negative = wide_negate(difference);
    words[at + 3u] = product.x;
    words[at + 4u] = product.y;
    words[at + 5u] = difference.x;
    words[at + 6u] = difference.y;
    words[at + 7u] = negative.x;
    words[at + 8u] = negative.y;
    words[at + 9u] = select(0u, 1u, wide_is_negative(difference)) + select(0u, 2u, wide_is_zero(difference));
    words[at + 10u] = u32(wide_floor_word(difference, shift));
    words[at + 11u] = bitcast<u32>(wide_to_f32(vec2<u32>(u32(a), u32(b) >> 21u)));
    words[at + 12u] = bitcast<u32>(word_to_f32(vec2<i32>(a & 0x7fffffff)).x);
}
"
);

fn run(words: &[u32]) -> Option<Vec<u32>> {
    let gpu = gpu()?;
    let device = gpu.device();
    let mut buffer = Growing::new("words", wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
    buffer.put(&gpu, words).unwrap();
    let mut back = Growing::new("back", wgpu::BufferUsages::MAP_READ);
    let size = 4 * words.len() as u64;
    let source = wgpu::ShaderSource::Wgsl(PROGRAM.into());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let program = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: None,
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let bound = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &program.get_bind_group_layout(0),
        entries: &[wgpu::BindGroupEntry {
            binding: 0,
            resource: buffer.buffer().unwrap().as_entire_binding(),
        }],
    });
    let mut commands = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = commands.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&program);
        pass.set_bind_group(0, &bound, &[]);
        pass.dispatch_workgroups((words.len() / 16 / 64) as u32, 1, 1);
    }
    let (back, _) = back.with_room(&gpu, size).unwrap();
    commands.copy_buffer_to_buffer(buffer.buffer().unwrap(), 0, back, 0, size);
    gpu.queue().submit([commands.finish()]);
    let look =
        |bytes: &[u8]| bytes.chunks_exact(4).map(|b| u32::from_ne_bytes([b[0], b[1], b[2], b[3]])).collect();
    Some(gpu.read(back, size, look).unwrap())
}

#[test]
fn integers_of_64_bits() {
    let mut random = Random::new(30);
    let special = [0, 1, -1, 2, i32::MAX, i32::MIN, i32::MAX - 1, 0xffff, 0x1_0000, -0x1_0000, 1 << 20];
    let mut word = || match random.below(3) {
        0 => special[random.below(special.len())],
        1 => random.bits() as i32,
        _ => random.bits() as i32 >> random.below(32),
    };
    let mut words = vec![0; 16 * 8192];
    for (k, one) in words.chunks_exact_mut(16).enumerate() {
        (one[0], one[1], one[2]) = (word() as u32, word() as u32, k as u32 % 32);
    }
    let Some(found) = run(&words) else { return };
    for one in found.chunks_exact(16) {
        let (a, b, shift) = (one[0] as i32, one[1] as i32, one[2]);
        let wide = |at: usize| (u64::from(one[at + 1]) << 32 | u64::from(one[at])) as i64;
        let product = i64::from(a) * i64::from(b);
        let difference = product.wrapping_sub(i64::from(a) * i64::from(a));
        assert_eq!(wide(3), product, "{a} {b}");
        assert_eq!(wide(5), difference, "{a} {b}");
        assert_eq!(wide(7), difference.wrapping_neg(), "{a} {b}");
        assert_eq!(one[9], u32::from(difference < 0) + 2 * u32::from(difference == 0), "{a} {b}");
        assert_eq!(one[10], (difference >> shift) as u32, "{a} {b} {shift}");
        let large = u64::from(one[1] >> 21) << 32 | u64::from(one[0]);
        assert_eq!(f32::from_bits(one[11]), large as f32, "{large}");
        let word = one[0] & 0x7fff_ffff;
        assert_eq!(f32::from_bits(one[12]), word as f32, "{word}");
    }
}
