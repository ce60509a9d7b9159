//! The renderer on a graphics processor: everything it says is what the renderer in software says, to the bit.
//!
//! On a processor in software unless `FREIRAUM_GPU` says `hardware`. Where there is none, tests say so and do nothing; with
//! `FREIRAUM_REQUIRE_GPU`, as in CI, they fail.
#![cfg(feature = "gpu")]

mod bodies;
mod hard;
mod meshes;
mod trouble;
mod wide;

use freiraum_deform::confirm::is_confirmed;
use freiraum_deform::gpu::{Found, FoundFault, GpuLayers, GpuRenderer};
use freiraum_deform::{Grid, Layers, Surface, snap};
use freiraum_geometry::Vec3;
use freiraum_gpu::{Choice, Gpu};
use freiraum_testkit::skip::{Need, skipped};
use std::sync::{Mutex, OnceLock, PoisonError};

fn gpu() -> Option<Gpu> {
    let choice = std::env::var("FREIRAUM_GPU").map_or(Choice::Software, |c| c.parse().unwrap());
    match Gpu::open(choice) {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            skipped(Need::Gpu, error);
            None
        }
    }
}

/// Runs a test on the processor of all tests, as its programs take a while to make.
fn with_layers(test: impl FnOnce(&mut GpuLayers)) {
    static ONE: OnceLock<Option<Mutex<GpuLayers>>> = OnceLock::new();
    let one = ONE.get_or_init(|| gpu().map(|gpu| Mutex::new(GpuLayers::new(&gpu).unwrap())));
    if let Some(layers) = one {
        test(&mut layers.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn with_renderer(test: impl FnOnce(&mut GpuRenderer)) {
    with_layers(|layers| test(layers.renderer()));
}

/// What the software says, in the words of the processor; its image with it.
fn expected(layers: &mut Layers, surface: Surface<'_>, grid: &Grid, level: u32) -> Found {
    layers.look(surface, grid, level, false).unwrap();
    let mut involved = vec![0; surface.faces.len().div_ceil(32)];
    for (face, _) in layers.involved(surface).0.iter().enumerate().filter(|f| *f.1) {
        involved[face / 32] |= 1 << (face % 32);
    }
    let image = &layers.image;
    let mut snapped = Vec::new();
    snap(grid, surface.vertices, &mut snapped).unwrap();
    let faults = layers.occupancy.faults.iter().map(|f| FoundFault {
        pixel: f.pixel,
        kind: f.kind,
        fragment: image.fragments[f.fragment as usize],
    });
    Found {
        sums: layers.occupancy.sums,
        largest: layers.occupancy.largest,
        layers_max: image.layers_max(),
        is_confirmed: is_confirmed(&layers.occupancy, image, &snapped, surface.faces),
        faults: faults.collect(),
        involved,
    }
}

/// Both ways of the processor, without and with the image, against the software; what was found.
fn agree(gpu: &mut GpuRenderer, surface: &(Vec<Vec3>, Vec<[u32; 3]>), grid: &Grid, level: u32) -> Found {
    let (vertices, faces) = (&surface.0[..], &surface.1[..]);
    let mut layers = Layers::default();
    let expected = expected(&mut layers, Surface { vertices, faces }, grid, level);
    let mut snapped = Vec::new();
    snap(grid, vertices, &mut snapped).unwrap();
    gpu.set_faces(faces).unwrap();
    let mut found = Found::default();
    gpu.look(grid, &snapped, level, &mut found).unwrap();
    assert_eq!(found, expected);
    let image = gpu.image(grid, &snapped, level, &mut found).unwrap();
    assert!(image == layers.image, "another image");
    assert_eq!(found, expected);
    found
}
