#![cfg(feature = "gpu")]
use freiraum_deform::gpu::GpuRenderer;
use freiraum_deform::*;
use freiraum_geometry::{AxisBox, Vec3};
use freiraum_gpu::Choice;
use freiraum_testkit::random::Random;

#[test]
fn first() {
    let mut renderer = GpuRenderer::open(Choice::Software).unwrap();
    let mut random = Random::new(1);
    let t0 = std::time::Instant::now();
    for round in 0..20 {
        let n = 4 + 30 * round;
        let vertices: Vec<Vec3> = (0..n).map(|_| Vec3::new(random.range(0.0, 1.0), random.range(0.0, 1.0), random.range(0.0, 1.0))).collect();
        let faces: Vec<[u32; 3]> = (0..n).map(|_| [0, 1, 2].map(|_| (random.range(0.0, n as f64)) as u32)).collect();
        let grid = Grid::around(&AxisBox::of_points(&[Vec3::ZERO, Vec3::ONE]), Axis::Z, [50 + round as u32, 37]).unwrap();
        let mut snapped = Vec::new();
        snap(&grid, &vertices, &mut snapped).unwrap();
        renderer.set_faces(&faces).unwrap();
        let mut found = Default::default();
        let image = renderer.image(&grid, &snapped, 2, &mut found).unwrap();
        let mut found2 = Default::default();
        renderer.look(&grid, &snapped, 2, &mut found2).unwrap();
        assert_eq!(found, found2);
        let mut o = Occupancy::default();
        o.measure(&image, 2, false);
        assert_eq!(o.sums, found.sums);
        assert_eq!(o.largest, found.largest);
        assert_eq!(o.faults.len(), found.faults.len());
        println!("{:?} {} {}", o.sums, o.largest, o.faults.len());
        let mut lists = vec![Vec::new(); grid.pixels()];
        for (i, f) in faces.iter().enumerate() {
            if let Some(t) = Triangle::new(f.map(|k| snapped[k as usize]), &grid) {
                t.for_each_sample(|c, r, k| lists[grid.index(c, r)].push(Fragment::new(k, i as u32)));
            }
        }
        for (i, l) in lists.iter_mut().enumerate() {
            l.sort_unstable();
            assert_eq!(image.layers(i), &l[..], "{round} {i}");
        }
        println!("{} {:?} {:?}", image.layers_max(), t0.elapsed(), renderer.stages().unwrap());
    }
}
