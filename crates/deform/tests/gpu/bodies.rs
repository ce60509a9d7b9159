//! Several bodies at once.

use super::common::crumpled;
use super::gpu;
use freiraum_deform::bodies::Bodies;
use freiraum_deform::gpu::GpuBodies;
use freiraum_deform::{Axis, Surface, View};
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
            assert_eq!((f.bodies, f.grid, f.volume, f.faults), (e.bodies, e.grid, e.volume, e.faults));
            assert_eq!(f.found.sums.intervals as usize, e.shared.len());
            let first = surfaces[e.bodies[0]].faces.len() as u32;
            let sides = e.shared.iter().flat_map(|s| s.sides).chain(e.coincident.iter().copied());
            let ends: BTreeSet<u32> =
                sides.map(|s| if s.body == 0 { s.face } else { first + s.face }).collect();
            let marked = (0..32 * f.found.involved.len() as u32).filter(|k| f.found.is_involved(*k));
            assert!(marked.eq(ends), "other faces");
            shared += e.shared.len();
            faults += e.faults.iter().sum::<usize>();
        }
    }
    assert!(shared > 1000 && faults > 100, "{shared} {faults}");
}
