//! What is squeezed, slowly or fast, stays on its side: heavy things press light ones against fixed ones.

#![expect(clippy::print_stdout, reason = "measured depths are shown")]

use crate::common::*;
use freiraum_geometry::shape::{Capsule, Cylinder, Shape};
use freiraum_geometry::{Pose, Vec3};
use freiraum_world::dynamics::{BodyId, Engine, Kind, Mass};

/// Things that are pressed, with half their thickness along x.
fn things() -> Vec<(&'static str, Shape, f64)> {
    vec![
        ("ball", ball(0.1), 0.1),
        ("board", cuboid(Vec3::new(0.01, 0.4, 0.4)), 0.005),
        ("box", cuboid(Vec3::splat(0.3)), 0.15),
        ("can", Shape::Cylinder(Cylinder::new(0.05, 0.2).unwrap()), 0.05),
        ("pill", Shape::Capsule(Capsule::new(0.03, 0.1).unwrap()), 0.03),
    ]
}

const MASSES: [f64; 3] = [1.0, 0.01, 1e-6];
const STEPS: [f64; 4] = [0.001, 0.005, 0.02, 0.05];

/// A wall of one millimetre, its face at x = 2.
fn wall(world: &mut Engine) {
    fixed(world, cuboid(Vec3::new(0.001, 8.0, 8.0)), at(Vec3::new(2.0005, 0.0, 0.0)), material(0.5, 0.0));
}

fn of_mass(world: &mut Engine, shape: Shape, mass: f64, place: Vec3, speed: f64) -> BodyId {
    let mut thing = describe(Kind::Dynamic, shape, at(place), material(0.5, 0.0));
    thing.mass = Mass::Total(mass);
    thing.linear_velocity = Vec3::new(speed, 0.0, 0.0);
    world.add(thing).unwrap()
}

/// What is in front of the pusher: a row of `count` equal things, the last one touching the wall or 0.3 m before it.
struct Row {
    world: Engine,
    row: Vec<BodyId>,
    pusher: BodyId,
    half: f64,
}

fn row(shape: &Shape, half: f64, mass: f64, count: usize, gap: f64, kind: Kind, speed: f64) -> Row {
    let mut world = weightless();
    wall(&mut world);
    let place = |k: usize| Vec3::new(2.0 - gap - half * (1.0 + 2.0 * k as f64), 0.0, 0.0);
    let row: Vec<BodyId> =
        (0..count).map(|k| of_mass(&mut world, shape.clone(), mass, place(k), 0.0)).collect();
    let near = place(count - 1).x - half;
    let mut pusher = describe(
        kind,
        cuboid(Vec3::new(0.4, 0.3, 0.2)),
        at(Vec3::new(near - 0.5, 0.02, 0.03)),
        material(0.5, 0.0),
    );
    pusher.mass = Mass::Total(20.0);
    pusher.linear_velocity = Vec3::new(speed, 0.0, 0.0);
    let pusher = world.add(pusher).unwrap();
    Row { world, row, pusher, half }
}

/// How deep the middle of any thing has come in front of the wall: it rests at `half` of it.
fn least_room(row: &Row) -> f64 {
    let room = |b: &BodyId| {
        let p = row.world.center(*b);
        // What was squeezed out sideways is gone.
        if p.y.abs() < 3.5 && p.z.abs() < 3.5 { 2.0 - p.x } else { f64::INFINITY }
    };
    row.row.iter().map(room).fold(f64::INFINITY, f64::min) / row.half
}

/// A heavy body that a constant force drives presses things against the wall: everything stays where it was in the row, and energy is that of the force.
#[test]
fn heavy_pusher_presses_things_against_a_wall() {
    let mut bad = Vec::new();
    let (mut least, mut searches) = (f64::INFINITY, 0);
    for (name, shape, half) in things() {
        for mass in MASSES {
            for step in STEPS {
                for (count, gap) in [(1, 0.3), (1, 0.0), (3, 0.0)] {
                    let mut r = row(&shape, half, mass, count, gap, Kind::Dynamic, 3.0);
                    let force = 200.0;
                    let start = r.world.energy() - force * r.world.center(r.pusher).x;
                    let mut gain = 0.0f64;
                    let mut depth = f64::INFINITY;
                    let mut is_passed = false;
                    let mut cuts = 0;
                    for _ in 0..(1.2 / step) as usize {
                        r.world.apply_wrench(r.pusher, Vec3::new(force, 0.0, 0.0), Vec3::ZERO);
                        r.world.step(step);
                        cuts += r.world.statistics().interruptions;
                        searches = searches.max(r.world.statistics().searches);
                        gain = gain.max(r.world.energy() - force * r.world.center(r.pusher).x - start);
                        depth = depth.min(least_room(&r));
                        // The pusher does not pass what it presses, unless that has slipped away.
                        let near = r.world.center(r.row[count - 1]);
                        let off = r.world.center(r.pusher) - near;
                        is_passed |= off.x > 0.0 && off.y.abs() < 0.05 && off.z.abs() < 0.05;
                        is_passed |= r.world.center(r.pusher).x > 1.95;
                    }
                    least = least.min(depth);
                    if depth < 0.5 || is_passed || gain > 0.01 * 20.0 * 4.5 {
                        bad.push(format!("{count} x {name} {mass} kg step {step} gap {gap}: depth {depth}, passed {is_passed}, gain {gain}, cuts {cuts}"));
                    }
                }
            }
        }
    }
    println!("least room {least}, most searches in a step {searches}");
    // A step ends: what is jammed is not searched again and again.
    assert!(searches < 1000, "{searches} searches in one step");
    assert!(bad.is_empty(), "{} bad:\n{}", bad.len(), bad.join("\n"));
}

/// A body on rails cannot be stopped: it gets into what it presses, which stays on its side of the wall.
#[test]
fn driven_pusher_presses_things_against_a_wall() {
    let mut bad = Vec::new();
    for (name, shape, half) in things() {
        for mass in MASSES {
            for step in STEPS {
                for (count, speed) in [(1, 0.3), (1, 5.0), (3, 1.0)] {
                    let mut r = row(&shape, half, mass, count, 0.02, Kind::Driven, speed);
                    let mut depth = f64::INFINITY;
                    let mut energy = 0.0f64;
                    // Up to the wall with the face of the pusher.
                    let steps = ((1.8 - r.world.center(r.pusher).x) / (speed * step)) as usize;
                    for k in 0..steps + 20 {
                        if k == steps {
                            r.world.set_velocity(r.pusher, Vec3::ZERO, Vec3::ZERO);
                        }
                        r.world.step(step);
                        depth = depth.min(least_room(&r));
                        energy = energy.max(r.world.energy());
                    }
                    // What is squeezed out gets faster than the pusher, within bounds: overlaps are pushed apart with 3 m/s at most.
                    let most = 0.5 * mass * count as f64 * (4.0 * speed + 8.0) * (4.0 * speed + 8.0);
                    if depth < 0.5 || energy > most {
                        bad.push(format!("{count} x {name} {mass} kg step {step} speed {speed}: depth {depth}, energy {energy} of {most}"));
                    }
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} bad:\n{}", bad.len(), bad.join("\n"));
}

/// A heavy box is put on light things on the ground, and rests there.
#[test]
fn heavy_weight_rests_on_light_things() {
    let mut bad = Vec::new();
    for thin in [0.2, 0.02, 0.002] {
        for mass in MASSES {
            for step in STEPS {
                let mut world = engine();
                fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.5, 0.0));
                let mut low = describe(
                    Kind::Dynamic,
                    cuboid(Vec3::new(0.3, 0.3, thin)),
                    at(Vec3::new(0.0, 0.0, 0.5 * thin)),
                    material(0.5, 0.0),
                );
                low.mass = Mass::Total(mass);
                let low = world.add(low).unwrap();
                let mut high = describe(
                    Kind::Dynamic,
                    cuboid(Vec3::splat(0.5)),
                    at(Vec3::new(0.0, 0.0, thin + 0.27)),
                    material(0.5, 0.0),
                );
                high.mass = Mass::Total(100.0);
                let high = world.add(high).unwrap();
                let start = world.energy();
                let mut gain = 0.0f64;
                for _ in 0..(3.0 / step) as usize {
                    world.step(step);
                    gain = gain.max(world.energy() - start);
                }
                let [a, b] = [low, high].map(|b| world.center(b).z);
                if a < 0.25 * thin
                    || b < a + 0.25
                    || gain > 0.001 * start
                    || world.linear_velocity(high).length() > 0.1
                {
                    bad.push(format!(
                        "{thin} m {mass} kg step {step}: {a} {b} gain {gain} of {start}, speed {}",
                        world.linear_velocity(high)
                    ));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} bad:\n{}", bad.len(), bad.join("\n"));
}

/// However strong gravity is (scenes take up to 10 000 m/s²), a box does not sink into the ground, alone or under another one.
#[test]
fn strong_gravity_presses_nothing_into_the_ground() {
    for gravity in [1e2, 1e3, 1e4] {
        for step in STEPS {
            let mut world = engine();
            world.settings_mut().gravity = Vec3::new(0.0, 0.0, -gravity);
            fixed(&mut world, plane(Vec3::Z), Pose::IDENTITY, material(0.5, 0.0));
            let boxes = [0, 1].map(|k| {
                let place = Vec3::new(0.0, 0.0, 0.16 + 0.31 * f64::from(k));
                dynamic(&mut world, cuboid(Vec3::splat(0.3)), at(place), material(0.5, 0.0))
            });
            let start = world.energy();
            for _ in 0..(1.0 / step) as usize {
                world.step(step);
                assert!(
                    world.energy() <= start * 1.001,
                    "gravity {gravity}, step {step}: {} of {start}",
                    world.energy()
                );
            }
            let [low, high] = boxes.map(|b| world.center(b).z);
            println!("gravity {gravity}, step {step}: {low} {high}");
            // They jump at the strongest: one may just be landing on an edge.
            let least = if gravity > 1e5 { 0.05 } else { 0.1 };
            let apart = world.center(boxes[0]).distance(world.center(boxes[1]));
            assert!(
                low > least && high > least && apart > 0.2,
                "gravity {gravity}, step {step}: {low} {high} {apart}"
            );
        }
    }
}
