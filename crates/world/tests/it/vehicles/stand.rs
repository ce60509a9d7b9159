//! Standing, tipping over, and what must not happen by itself.

use super::road::*;
use super::start::MODELS;
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::{Drive, MassModel, Scene, Vehicle, VehicleModel};
use freiraum_world::dynamics::BodyId;
use freiraum_world::vehicle::Command;

/// The same as a plane that is turned: gravity leans.
fn leaning(mut scene: Scene, pitch: f64, roll: f64) -> Scene {
    let down = Vec3::new(0.0, 0.0, -9.81);
    let lean = Pose::from_zyx_euler(roll, pitch, 0.0, Vec3::ZERO).unwrap();
    scene.world.settings.gravity = lean.rotate(down);
    scene
}

#[test]
fn slopes_below_the_friction_angle_hold() {
    for model in MODELS {
        for masses in [MassModel::Distributed, MassModel::Single] {
            // Wheels have friction 1: they hold up to 45 degrees, if the vehicle does not tip.
            for angle in [0.2, -0.2] {
                let mut scene = flat();
                scene.world.vehicles.push(Vehicle { masses, ..vehicle(model, Drive::Dynamic) });
                let mut road = Road::new(&leaning(scene, angle, 0.0));
                road.run(2.0);
                let start = road.pose().translation();
                road.run(5.0);
                let moved = (road.pose().translation() - start).length();
                println!("{model:?} {masses:?} on a slope of {angle}: moves {moved:.1e} m in 5 s");
                assert!(moved < 1e-4, "{model:?} {masses:?} {angle}");
            }
        }
    }
}

/// Half the track of the outer edges of the wheels, and the height of the centre of gravity.
fn base_of(model: VehicleModel, half: f64) -> f64 {
    let parts = freiraum_world::vehicle::model::Model::of(model).unwrap().parts;
    let mass: f64 = parts.iter().map(|part| part.mass).sum();
    let height = parts.iter().map(|part| part.mass * part.pose.translation().z).sum::<f64>() / mass;
    (half / height).atan()
}

/// The lean from which on a vehicle tips over whose tyres give, in radians: they press where they are deepest, so that the pivot is in the middle of a wheel at first and gets to
/// its outer edge only when the vehicle leans itself, and then its centre of gravity is beyond it sooner. `half` is to the middle of the wheels.
fn tips_with_give(half: f64, width: f64, height: f64, give: f64) -> f64 {
    let balance = |lean: f64, depth: f64| {
        // Two points at the edges of the tyre, pressing as deep as they are.
        let pivot = half + (0.25 * lean * width * width / depth).min(0.5 * width);
        (pivot / height).atan() - lean
    };
    let mut angle = (half / height).atan();
    for _ in 0..10 {
        // All the weight is on one side.
        let depth = 2.0 * give * angle.cos();
        angle = (0..1000).map(|k| balance(f64::from(k) / 1e4, depth)).fold(0.0, f64::max);
    }
    angle
}

#[test]
fn tips_over_at_the_closed_form() {
    let mut bad = Vec::new();
    let model = VehicleModel::Volksbot;
    // Half the track, and half a wheel.
    let (half, width) = (0.21, 0.06);
    let hard = base_of(model, half + 0.5 * width);
    let height = (half + 0.5 * width) / hard.tan();
    // A tyre gives by 1/64 of its radius.
    let soft = tips_with_give(half, width, height, 0.11 / 64.0);
    for (masses, angle) in [(MassModel::Distributed, hard), (MassModel::Single, soft)] {
        for (share, tips) in [(0.98, false), (1.02, true)] {
            let mut scene = flat();
            scene.world.physics[0].1.friction = 50.0;
            scene.world.vehicles.push(Vehicle { masses, ..vehicle(model, Drive::Dynamic) });
            let mut road = Road::new(&scene);
            // Slowly, or it swings. It may tumble on, and stand again.
            let mut up = f64::INFINITY;
            for k in 0..120 {
                let lean = share * angle * (f64::from(k) / 60.0).min(1.0);
                road.engine.settings_mut().gravity = leaning(flat(), 0.0, lean).world.settings.gravity;
                road.run(0.1);
                up = up.min(road.pose().rotate(Vec3::Z).z);
            }
            let said = format!(
                "{model:?} {masses:?} leans by {:.2} of {:.2} deg ({:.2} on hard wheels): up {up:.3}",
                (share * angle).to_degrees(),
                angle.to_degrees(),
                hard.to_degrees()
            );
            println!("{said}");
            if (up < 0.7) != tips {
                bad.push(said);
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn energy_does_not_grow_when_nobody_drives() {
    for model in MODELS {
        for masses in [MassModel::Distributed, MassModel::Single] {
            let mut scene = flat();
            let at = Pose::from_zyx_euler(0.02, 0.03, 0.0, Vec3::new(0.0, 0.0, 0.05)).unwrap();
            scene.world.vehicles.push(Vehicle { masses, pose: at, ..vehicle(model, Drive::Dynamic) });
            let mut road = Road::new(&scene);
            let start = road.engine.energy();
            let mut most = start;
            for _ in 0..3000 {
                road.step();
                most = most.max(road.engine.energy());
            }
            let end = road.engine.energy();
            println!("{model:?} {masses:?}: {start:.5} J, at most {most:.5}, at the end {end:.5}");
            let kinetic: f64 =
                (0..road.scene.bodies.len()).map(|b| road.engine.kinetic_energy(BodyId(b as u32))).sum();
            assert!(most <= start * 1.001 && kinetic < 1e-6 * start, "{model:?} {masses:?} {kinetic}");
        }
    }
}

#[test]
fn resumed_bit_by_bit_and_the_same_twice() {
    for model in MODELS {
        for (drive, masses) in [
            (Drive::Kinematic, MassModel::Distributed),
            (Drive::Dynamic, MassModel::Distributed),
            (Drive::Dynamic, MassModel::Single),
        ] {
            let build = || {
                let mut scene = flat();
                add(&mut scene, "wall", cuboid(0.2, 4.0, 0.5), Vec3::new(0.9, 0.5, 0.25), None);
                scene.world.vehicles.push(Vehicle { masses, ..vehicle(model, drive) });
                Road::new(&scene)
            };
            let run = |road: &mut Road, from: usize, to: usize| {
                for k in from..to {
                    if k % 100 == 0 {
                        let turn = f64::from(u8::from(k % 200 == 0)) - 0.4;
                        road.tell(Command::Drive { speed: 0.4, turn });
                    }
                    road.step();
                }
            };
            let [mut one, mut two] = [build(), build()];
            run(&mut one, 0, 350);
            run(&mut two, 0, 350);
            assert_eq!(one.engine.state_hash(), two.engine.state_hash());
            // The engine is cloned to stand for its own saved state, the machine goes through bytes.
            let saved = one.machines[0].save();
            let mut resumed = build();
            resumed.engine = one.engine.clone();
            assert!(resumed.machines[0].resume(&saved));
            assert!(!build().machines[0].resume(&saved[..saved.len() - 1]));
            run(&mut one, 350, 700);
            run(&mut resumed, 350, 700);
            assert_eq!(
                one.engine.state_hash(),
                resumed.engine.state_hash(),
                "{model:?} {drive:?} {masses:?}"
            );
            assert_eq!(one.machines[0].track(), resumed.machines[0].track());
        }
    }
}
