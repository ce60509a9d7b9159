use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::MotionWorkspace;
use freiraum_motion::path::{Axis, Motion, UniformMotion};
use freiraum_motion::sweep::*;
use freiraum_query::mesh_tree::*;
use freiraum_testkit::{bumpy, random::Random};
use std::time::Instant;
fn main() {
    let big = std::env::args().nth(1).is_some_and(|a| a == "70k");
    let (t, s) = if big {
        (bumpy::torus(264, 132), bumpy::sphere(59))
    } else {
        (bumpy::torus(72, 36), bumpy::sphere(16))
    };
    let a = MeshTree::build(Mesh::new(t.0, t.1).unwrap());
    let b = MeshTree::build(Mesh::new(s.0, s.1).unwrap());
    println!("{} {}", a.faces().len(), b.faces().len());
    let mut rng = Random::new(5);
    let mut ws = MotionWorkspace::default();
    let mut mw = MeshWorkspace::default();
    for rot in [false, true] {
        let (mut times, mut hits, mut worst, mut bad) = (vec![], 0, 0.0f64, 0);
        let mut k = 0;
        while k < 60 {
            let dir = rng.direction();
            let start = Pose::from_axis_angle(rng.direction(), rng.range(0.0, 6.0)).unwrap();
            let start = Pose::from_translation(dir * rng.range(2.0, 3.0)) * start;
            if any_intersection(&a, &b, &start, &mut mw).is_some() {
                continue;
            }
            k += 1;
            let axis = Axis::new(rng.direction() * 1.5, rng.direction()).unwrap();
            let by = -dir * 3.0 + rng.direction() * 1.5;
            let m = if rot {
                UniformMotion::rotation(start, axis, 1.5707)
            } else {
                UniformMotion::translation(start, by)
            };
            let clock = Instant::now();
            let got = if rot {
                RotatingPair::new(&a, &b, &start, 0.0, &axis, 1.5707).first_contact(1.0, &mut ws)
            } else {
                TranslatingPair::new(&a, &b, &start, 0.0, by).first_contact(1.0, &mut ws)
            };
            times.push(clock.elapsed().as_secs_f64() * 1e6);
            // oracle
            let ball = freiraum_motion::path::Ball { center: Vec3::ZERO, radius: 1.1 };
            let speed = m.travel(&ball, 0.0, 1.0);
            let (mut t, mut oracle) = (0.0, None);
            while t <= 1.0 {
                let d = surface_distance(&a, &b, &m.pose(t), &mut mw, &mut MeshDistanceCache::default())
                    .closest
                    .distance;
                if d < 1e-9 {
                    oracle = Some(t);
                    break;
                }
                t += d / speed;
            }
            match (got, oracle) {
                (Some(g), Some(o)) => {
                    hits += 1;
                    if (g.time - o).abs() > 1e-8 {
                        println!("{:e} {g:?} {o}", g.time - o);
                    }
                    worst = worst.max((g.time - o).abs());
                }
                (None, None) => {}
                (g, o) => {
                    bad += 1;
                    println!("DISAGREE {g:?} {o:?}");
                }
            }
        }
        times.sort_by(f64::total_cmp);
        println!(
            "rot {rot}: median {:.0} us max {:.0} us, hits {hits}, worst {worst:e}, bad {bad}",
            times[30], times[59]
        );
    }
}
