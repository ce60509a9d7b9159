//! What cannot be done is told.

use super::{gpu, with_layers};
use crate::common;
use crate::common::ball;
use freiraum_deform::gpu::{GpuLayerError, GpuLayers};
use freiraum_deform::{Axis, LayerError, Layers, Surface, View};
use freiraum_geometry::Vec3;
use freiraum_gpu::GpuError;

#[test]
fn answers_of_surfaces_are_those_of_the_software() {
    with_layers(|layers| {
        for threaded in [false, true] {
            // More than one thread takes at a time.
            let (vertices, faces) =
                common::together(&[ball(Vec3::ZERO, 1.0, 50), ball(Vec3::new(0.5, 0.3, 1.2), 0.8, 20)]);
            let view = View { axis: None, size: [40, 30], threaded };
            let surface = Surface { vertices: &vertices, faces: &faces };
            let expected = Layers::default().self_collision(surface, &view).unwrap();
            assert!(expected.self_collision && expected.volume.volume > 0.1);
            layers.set_faces(&faces).unwrap();
            assert_eq!(layers.self_collision(&vertices, &view), Ok(expected));
            assert!(layers.milliseconds.total() > 0.0);
            let mut bad = vertices.clone();
            bad[20_000].y = f64::NAN;
            let error = GpuLayerError::Layers(LayerError::NotFinite(20_000));
            assert_eq!(layers.self_collision(&bad, &view), Err(error));
            let error = layers.self_collision(&vertices[..100], &view).unwrap_err();
            assert!(matches!(error, GpuLayerError::Layers(LayerError::NoSuchVertex(_))), "{error}");
            let error = layers.self_collision(&[], &view);
            assert_eq!(error, Err(GpuLayerError::Layers(LayerError::Empty)));
            // It goes on.
            assert_eq!(layers.self_collision(&vertices, &view), Ok(expected));
        }
    });
}

#[test]
fn too_large_is_told() {
    with_layers(|layers| {
        let limits = layers.renderer().gpu().device().limits();
        let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        // More than a buffer holds, or more than have numbers. Memory that is never touched.
        let faces = (limit / 12 + 1).min(1 << 26);
        let error = layers.set_faces(&vec![[0; 3]; faces as usize]).unwrap_err();
        assert!(matches!(error, GpuError::TooLarge { what: "faces", .. }), "{error}");
        assert!(error.to_string().contains("faces needs"));
        // It goes on, with no faces.
        let view = View { axis: Some(Axis::Z), size: [5, 5], threaded: false };
        let answer = layers.self_collision(&[Vec3::ZERO, Vec3::ONE], &view).unwrap();
        assert_eq!((answer.self_collision, answer.layers_max), (false, 0));
    });
}

#[test]
fn a_lost_processor_is_told() {
    let Some(gpu) = gpu() else { return };
    let mut layers = GpuLayers::new(&gpu).unwrap();
    let (vertices, faces) = ball(Vec3::ZERO, 1.0, 3);
    let view = View::new(9);
    layers.set_faces(&faces).unwrap();
    assert!(layers.self_collision(&vertices, &view).is_ok());
    gpu.device().destroy();
    let error = layers.self_collision(&vertices, &view).unwrap_err();
    assert!(matches!(error, GpuLayerError::Gpu(_)), "{error}");
    assert!(layers.set_faces(&faces).is_err() && GpuLayers::new(&gpu).is_err());
}
