//! Memory: a reader never takes more than a small multiple of what the file holds, whatever the file claims.
//!
//! Counts every allocation, so this test is alone in its process and does one thing after the other.

#![allow(unsafe_code, reason = "an allocator cannot be written without; this one only counts and passes on")]

#[path = "it/common/mod.rs"]
mod common;

use freiraum_geometry::{Mesh, Vec3};
use freiraum_mesh_io::{MeshFormat, ReadOptions, Weld, WriteOptions, read, read_bytes, write, write_bytes};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn grow(by: usize) {
    let now = NOW.fetch_add(by, Ordering::Relaxed) + by;
    PEAK.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: every call goes to the system allocator with the arguments it came with.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller keeps the rules of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the rules of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes allocated at most while `work` runs, beyond what was there before. A growing vector counts old and new.
fn peak(work: impl FnOnce()) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    work();
    PEAK.load(Ordering::Relaxed) - before
}

/// What may be allocated for a file of so many bytes.
fn allowed(file: usize) -> usize {
    24 * file + (1 << 16)
}

fn check(name: &str, bytes: &[u8], may_load: bool) {
    for weld in [Weld::Exact, Weld::Off] {
        let options = ReadOptions { weld, ..ReadOptions::default() };
        let used = peak(|| {
            let result = read_bytes(bytes, name, &options);
            assert!(may_load || result.is_err(), "{name}");
        });
        assert!(used <= allowed(bytes.len()), "{name}: {used} bytes for a file of {}", bytes.len());
    }
}

#[test]
fn memory_stays_within_a_small_multiple_of_the_file() {
    claims_in_headers();
    many_small_things();
    honest_files();
    large_binary_stl();
}

/// Small files that claim to be huge.
fn claims_in_headers() {
    let mut stl = vec![0; 134];
    for count in [2, 1 << 20, u32::MAX] {
        stl[80..84].copy_from_slice(&count.to_le_bytes());
        check("a.stl", &stl, false);
    }
    for count in ["4000000000", "4294967294", "18446744073709551615"] {
        check("a.off", format!("OFF\n{count} {count} 0\n0 0 0\n").as_bytes(), false);
        check("a.off", format!("OFF\n3 {count} 0\n0 0 0\n0 0 0\n0 0 0\n3 0 1 2\n").as_bytes(), false);
        check("a.off", format!("OFF\n3 1 0\n0 0 0\n0 0 0\n0 0 0\n{count} 0 1 2\n").as_bytes(), false);
        for encoding in ["ascii", "binary_little_endian", "binary_big_endian"] {
            let head = |vertices: &str, faces: &str| {
                format!(
                    "ply\nformat {encoding} 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\n\
                     element face {faces}\nproperty list int int vertex_indices\nend_header\n"
                )
            };
            check("a.ply", head(count, "1").as_bytes(), false);
            check("a.ply", head("0", count).as_bytes(), false);
            let mut lists = head("0", "1").into_bytes();
            lists.extend(if encoding == "ascii" { b"2147483647 0 0 0".to_vec() } else { vec![0x7f; 16] });
            check("a.ply", &lists, false);
        }
        let gltf = |accessor: &str| {
            format!(
                r#"{{"asset":{{"version":"2.0"}},"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
                "accessors":[{{"componentType":5126,"count":{count},"type":"VEC3",{accessor}}}],
                "bufferViews":[{{"buffer":0,"byteLength":{count}}}],"buffers":[{{"byteLength":{count},"uri":"data:;base64,AAAA"}}]}}"#
            )
        };
        check("a.gltf", gltf(r#""bufferView":0"#).as_bytes(), false);
        let sparse = r#""sparse":{"count":1,"indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0}}"#;
        check("a.gltf", gltf(sparse).as_bytes(), false);
        let mut glb = b"glTF\x02\0\0\0\xff\xff\xff\xff\xff\xff\xff\xffJSON".to_vec();
        check("a.glb", &glb, false);
        glb[8..12].copy_from_slice(&20u32.to_le_bytes());
        check("a.glb", &glb, false);
    }
}

/// Files in which as much as possible is made out of few bytes.
fn many_small_things() {
    let n = 20_000;
    check("a.obj", "v 0 0 0\n".repeat(n).as_bytes(), false);
    check("a.obj", format!("v 0 0 0\n{}", "f 1 1 1\n".repeat(n)).as_bytes(), true);
    check("a.obj", format!("v 0 0 0\nf{}\n", " 1".repeat(n)).as_bytes(), false);
    check("a.obj", "\\\n".repeat(n).as_bytes(), false);
    check("a.off", format!("OFF {n} 0\n{}", "0 0 0\n".repeat(n)).as_bytes(), false);
    check("a.off", format!("OFF 1 {n}\n0 0 0\n{}", "3 0 0 0\n".repeat(n)).as_bytes(), true);
    check(
        "a.stl",
        format!(
            "solid\n{}",
            "facet outer loop vertex 0 0 0 vertex 0 0 0 vertex 0 0 0 endloop endfacet\n".repeat(n)
        )
        .as_bytes(),
        true,
    );
    check("a.ply", format!("ply\nformat ascii 1.0\n{}", "comment\n".repeat(n)).as_bytes(), false);
    check(
        "a.ply",
        format!("ply\nformat ascii 1.0\nelement a 1\n{}", "property char a\n".repeat(n)).as_bytes(),
        false,
    );
    let head = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty char x\nproperty char y\nproperty char z\n";
    let mut ply = format!("{head}element face {n}\nproperty list uchar uchar vertex_indices\nend_header\n")
        .into_bytes();
    ply.extend([0; 3]);
    ply.extend([3, 0, 0, 0].repeat(n));
    check("a.ply", &ply, true);
    let json = |rest: &str| format!(r#"{{"asset":{{"version":"2.0"}},{rest}}}"#);
    for list in ["nodes", "scenes", "extras"] {
        check("a.gltf", json(&format!(r#""{list}":[{}{{}}]"#, "{},".repeat(n))).as_bytes(), false);
        check("a.gltf", json(&format!(r#""{list}":[{}0]"#, "0,".repeat(n))).as_bytes(), false);
        check("a.gltf", json(&format!(r#""{list}":{}"#, "[".repeat(n))).as_bytes(), false);
    }
    check("a.gltf", json(&format!(r#""scenes":[{{"nodes":[{}0]}}]"#, "0,".repeat(n))).as_bytes(), false);
    check("a.gltf", json(&format!(r#""nodes":[{{"children":[{}0]}}]"#, "0,".repeat(n))).as_bytes(), false);
    check(
        "a.gltf",
        json(&format!(
            r#""meshes":[{{"primitives":[{}{{"attributes":{{}}}}]}}]"#,
            r#"{"attributes":{}},"#.repeat(n)
        ))
        .as_bytes(),
        false,
    );
}

/// What the own writers write.
fn honest_files() {
    let mesh = strip(5000);
    for format in MeshFormat::ALL {
        let bytes = write_bytes(&mesh, format, &WriteOptions::default()).unwrap();
        check(format.name(), &bytes, true);
    }
}

/// A band of triangles that share vertices.
fn strip(triangles: u32) -> Mesh {
    let vertices = (0..triangles + 2).map(|i| Vec3::new(f64::from(i), f64::from(i % 2), 0.0)).collect();
    Mesh::new(vertices, (0..triangles).map(|i| [i, i + 1, i + 2]).collect()).unwrap()
}

/// From disk the whole file is never in memory: four times its size suffices even if no two triangles share a vertex.
fn large_binary_stl() {
    let triangles = 200_000;
    let path = std::env::temp_dir().join(format!("freiraum-memory-{}.stl", std::process::id()));
    let apart = (0..3 * triangles).map(|i| Vec3::new(f64::from(i), 0.0, 1.0)).collect();
    let apart =
        Mesh::new(apart, (0..triangles as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap();
    for (mesh, most) in [(strip(triangles as u32), 1.5), (apart, 4.0)] {
        write(&path, &mesh, &WriteOptions::default()).unwrap();
        let size = std::fs::metadata(&path).unwrap().len() as f64;
        for weld in [Weld::Exact, Weld::Off] {
            let used =
                peak(|| drop(read(&path, &ReadOptions { weld, ..ReadOptions::default() }).unwrap())) as f64;
            let most = if weld == Weld::Off { 4.0 } else { most };
            assert!(used <= most * size, "{} times the size of the file", used / size);
        }
    }
    std::fs::remove_file(&path).unwrap();
}
