use freiraum_formats::mesh::{ReadOptions, read};
use freiraum_geometry::{Pose, Vec3, shape::Shape};
use freiraum_motion::path::{Axis, UniformMotion};
use freiraum_motion::*;
use std::sync::Arc;
use std::time::Instant;
fn main() {
    let m = Movable::new(Shape::Mesh(Arc::new(read("/tmp/torus80k.stl", &ReadOptions::default()).unwrap())));
    let pb = Pose::from_zyx_euler(90f64.to_radians(), 0.0, 0.0, Vec3::X).unwrap();
    let deg: f64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let ma = UniformMotion::rotation(Pose::IDENTITY, Axis::new(Vec3::ZERO, Vec3::Z).unwrap(), deg.to_radians());
    let mb = UniformMotion::still(pb);
    let mut ws = MotionWorkspace::default();
    let c = Instant::now();
    println!("{:?} {:?}", time_of_contact(&m, &ma, &m, &mb, &Limits::default(), &mut ws), c.elapsed());
    for acc in [0.1, 0.01, 1e-3] {
        let c = Instant::now();
        let r = ClearanceRequest { accuracy: acc, ..Default::default() };
        println!("{acc} {:?} {:?}", clearance(&m, &ma, &m, &mb, &r, &mut ws).map(|c| (c.distance, c.error)), c.elapsed());
    }
    let c = Instant::now();
    println!("{:?} {:?}", clearance(&m, &ma, &m, &mb, &ClearanceRequest::at_least(0.39), &mut ws).map(|c| (c.distance, c.is_kept)), c.elapsed());
}
