//! Several bodies at once.

use super::gpu;
use crate::common::{crumpled, together, turned_pair};
use freiraum_deform::bodies::Bodies;
use freiraum_deform::gpu::{GpuBodies, GpuLayers};
use freiraum_deform::{Axis, Layers, Surface, View};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::collections::BTreeSet;

#[test]
fn pairs_share_what_they_share_in_software() {
    let Some(gpu) = gpu() else { return };
    let mut on_gpu = GpuBodies::new(&gpu).unwrap();
    let mut random = Random::new(40);
    let (mut shared, mut faults) = (0, 0);
    for case in 0..cases(60) {
        let bodies: Vec<_> = (0..3)
            .map(|k| {
                let mut body = crumpled(&mut random, 2, if case % 3 == 0 { 0.7 } else { 0.15 });
                let shift = random.in_cube(1.2);
                body.0.iter_mut().for_each(|v| *v += shift);
                if case % 5 == k {
                    body.1.pop();
                }
                body
            })
            .collect();
        let surfaces: Vec<_> = bodies.iter().map(|(vertices, faces)| Surface { vertices, faces }).collect();
        let view = View { axis: Some(Axis::ALL[case % 3]), size: [19, 26], threaded: false };
        let mut software = Bodies::default();
        let expected = software.pairs(&surfaces, &view).unwrap();
        let found = on_gpu.pairs(&surfaces, &view).unwrap();
        assert_eq!(found.len(), expected.len());
        for (f, e) in found.iter().zip(expected) {
            assert_eq!((f.bodies, f.grid, f.volume, &f.faults), (e.bodies, e.grid, e.volume, &e.faults));
            assert_eq!(f.found.sums.intervals as usize, e.shared.len());
            let first = surfaces[e.bodies[0]].faces.len() as u32;
            let sides = e.shared.iter().flat_map(|s| s.sides).chain(e.coincident.iter().copied());
            let ends: BTreeSet<u32> =
                sides.map(|s| if s.body == 0 { s.face } else { first + s.face }).collect();
            let marked = (0..32 * f.found.involved.len() as u32).filter(|k| f.found.is_involved(*k));
            assert!(marked.eq(ends), "other faces");
            shared += e.shared.len();
            faults += e.faults.iter().map(Vec::len).sum::<usize>();
        }
    }
    assert!(shared > 1000 && faults > 100, "{shared} {faults}");
}

/// What touches at an angle does not collide, nor does anything else differ.
#[test]
fn what_touches_is_told_as_in_software() {
    let Some(gpu) = gpu() else { return };
    let (mut layers, mut bodies) = (GpuLayers::new(&gpu).unwrap(), GpuBodies::new(&gpu).unwrap());
    for k in 0..12_u8 {
        for (depth, collides) in [(0.0, false), (0.01, true)] {
            let parts = turned_pair(0.37 + 0.41 * f64::from(k), depth);
            let surfaces = parts.each_ref().map(|(vertices, faces)| Surface { vertices, faces });
            let view = View { axis: Some(Axis::ALL[usize::from(k) % 3]), ..View::new(64) };
            let mut software = Bodies::default();
            let expected = &software.pairs(&surfaces, &view).unwrap()[0];
            let found = &bodies.pairs(&surfaces, &view).unwrap()[0];
            assert_eq!((found.collides(), expected.collides()), (collides, collides));
            assert_eq!(found.volume, expected.volume);
            assert_eq!(found.found.involved_count() > 0, collides);
            let both = together(&parts);
            let surface = Surface { vertices: &both.0, faces: &both.1 };
            let expected = Layers::default().self_collision(surface, &view).unwrap();
            layers.set_faces(&both.1).unwrap();
            let found = layers.self_collision(&both.0, &view).unwrap();
            assert_eq!((found, found.self_collision), (expected, collides));
            assert_eq!(layers.found.involved_count() > 0, collides);
        }
    }
}
