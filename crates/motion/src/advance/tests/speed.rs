//! How fast it is: `cargo test --release -p freiraum-motion general_motions_are_fast -- --ignored --nocapture`.

#![allow(clippy::print_stdout)]

use super::*;
use crate::path::Straight;
use freiraum_query::mesh_tree::{MeshWorkspace, any_intersection};
use std::sync::Arc;
use std::time::Instant;

/// From 2 to 3.2 metres away and up to 0.8 aside.
fn start(random: &mut Random) -> Pose {
    let at = random.direction() * random.range(2.0, 3.2) + random.in_cube(0.8);
    Pose::new(random.rotation(), at).unwrap()
}

fn screw(random: &mut Random, start: Pose) -> UniformMotion {
    let through = start.translation() + 1.5 * Vec3::new(random.normal(), random.normal(), random.normal());
    let axis = Axis::new(through, random.direction()).unwrap();
    UniformMotion::screw(start, axis, random.range(0.5, 3.0), random.range(-3.0, 3.0))
}

/// Times of motions of one kind, three of four of them with a contact; the others pass by.
fn measure(
    name: &str,
    (a, b): (&Movable, &Movable),
    count: usize,
    make: fn(&mut Random) -> [Arc<dyn Motion>; 2],
) {
    let mut random = Random::new(7);
    let (mut memory, mut mesh_memory) = (AdvanceMemory::default(), MeshWorkspace::default());
    let (mut times, mut hits, mut worst) = (Vec::new(), 0, 0.0f64);
    while times.len() < count {
        let [by_a, by_b] = make(&mut random);
        let scene = Scene { a, by_a: &*by_a, b, by_b: &*by_b };
        if any_intersection(tree(a), tree(b), &scene.a_from_b(0.0), &mut mesh_memory).is_some() {
            continue;
        }
        let (time, least) = scene.slow_steps(1e-7);
        let is_wanted = match times.len() % 4 {
            3 => time == 1.0 && least < 0.25 && least > 1e-4,
            _ => (0.02..1.0).contains(&time),
        };
        if !is_wanted {
            continue;
        }
        // The shortest of several runs: other work on the machine only adds to it.
        let mut seconds = f64::INFINITY;
        let mut found = Advanced::Free { clearance_lower: 0.0 };
        for _ in 0..6 {
            let clock = Instant::now();
            found = std::hint::black_box(scene.advance_with(&mut memory, 0.0));
            seconds = seconds.min(clock.elapsed().as_secs_f64());
        }
        times.push(seconds);
        match found {
            Advanced::Contact(contact) => {
                hits += 1;
                assert!(time < 1.0, "{contact:?} {least}");
                worst = worst.max((contact.time - time).abs());
            }
            Advanced::Free { .. } => assert!(time == 1.0),
            Advanced::Undecided { .. } => panic!("{found:?}"),
        }
    }
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / count as f64;
    println!(
        "{name}: median {:.0} us, mean {:.0} us, worst {:.0} us; {hits} contacts within {worst:.1e}",
        times[count / 2] * 1e6,
        mean * 1e6,
        times[count - 1] * 1e6,
    );
}

#[test]
#[ignore = "prints times"]
fn general_motions_are_fast() {
    for (name, around, across, split, count) in [("5k", 50, 50, 16, 60), ("70k", 264, 132, 59, 40)] {
        let bodies = (movable(bumpy::torus(around, across)), movable(bumpy::sphere(split)));
        let bodies = (&bodies.0, &bodies.1);
        measure(&format!("{name} screw"), bodies, count, |r| {
            let start = start(r);
            [Arc::new(UniformMotion::still(Pose::IDENTITY)), Arc::new(screw(r, start))]
        });
        measure(&format!("{name} straight"), bodies, count, |r| {
            let (from, to) = (start(r), start(r));
            [Arc::new(UniformMotion::still(Pose::IDENTITY)), Arc::new(Straight::new(from, to))]
        });
        measure(&format!("{name} both"), bodies, count, |r| {
            let start = start(r);
            [Arc::new(screw(r, Pose::IDENTITY)), Arc::new(screw(r, start))]
        });
        measure(&format!("{name} chain"), bodies, count / 4, |r| {
            let mut chain = Chain::random(r, 3);
            chain.start = start(r);
            [Arc::new(UniformMotion::still(Pose::IDENTITY)), Arc::new(chain)]
        });
    }
}
