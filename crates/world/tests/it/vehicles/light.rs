//! Light things before and below wheels, and between vehicles and walls.

use super::road::*;
use freiraum_geometry::Vec3;
use freiraum_geometry::shape::{Shape, Sphere};
use freiraum_scene::{Drive, MassModel, Vehicle, VehicleModel};
use freiraum_world::dynamics::BodyId;
use freiraum_world::vehicle::Command;

fn ball(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap())
}

/// The highest energy while a vehicle drives straight on, and where it is at the end.
fn driven(road: &mut Road, speed: f64, seconds: f64) -> f64 {
    road.tell(Command::Drive { speed, turn: 0.0 });
    let mut most = f64::NEG_INFINITY;
    for _ in 0..(seconds / road.step).round() as usize {
        road.step();
        most = most.max(road.engine.energy());
    }
    most
}

const DYNAMIC: [VehicleModel; 4] = [
    VehicleModel::MonsterTruck,
    VehicleModel::StretchLimousine,
    VehicleModel::Volksbot,
    VehicleModel::Pioneer,
];

/// Energy comes from motors only: with light things in the way there is no more than without them.
#[test]
fn light_balls_are_not_thrown() {
    let mut bad = Vec::new();
    for model in DYNAMIC {
        let build = |mass: Option<f64>| {
            let mut scene = flat();
            for k in 0..if mass.is_some() { 33 } else { 0 } {
                let at = Vec3::new(0.7 + 0.3 * f64::from(k / 11), 0.12 * f64::from(k % 11 - 5), 0.05);
                add(&mut scene, &format!("ball {k}"), ball(0.05), at, mass);
            }
            let it = vehicle(model, Drive::Dynamic);
            scene.world.vehicles.push(Vehicle { masses: MassModel::Single, ..it });
            Road { step: 0.005, ..Road::new(&scene) }
        };
        let alone = driven(&mut build(None), 2.0, 3.0);
        for mass in [1e-6, 1e-2] {
            let mut road = build(Some(mass));
            let most = driven(&mut road, 2.0, 3.0);
            let lowest = (1..34).map(|k| road.engine.center(BodyId(k)).z).fold(f64::INFINITY, f64::min);
            let up = road.pose().rotate(Vec3::Z).z;
            let said = format!(
                "{model:?}, {mass} kg: {most:.2} J of {alone:.2} J alone, lowest ball at {lowest:.3}, up {up:.3}"
            );
            println!("{said}");
            // Wheels that are lifted have more height: a ball's radius.
            if !(most < 1.5 * alone + 33.0 * mass * 16.0 && lowest > 0.0 && up > 0.5) {
                bad.push(said);
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Things that a vehicle presses against a fixed plate of a millimetre.
const PRESSED: [(&str, f64); 6] =
    [("box", 0.01), ("box", 1.0), ("ball", 0.01), ("ball", 1.0), ("board", 0.01), ("board", 1.0)];

/// The plate is at x = 2, the thing at 1, the vehicle at -1.
fn pressing(it: Vehicle, what: &str, mass: f64) -> (Road, BodyId) {
    let mut scene = flat();
    add(&mut scene, "plate", cuboid(0.001, 8.0, 2.0), Vec3::new(2.0, 0.0, 1.0), None);
    let (shape, height) = match what {
        "box" => (cuboid(0.3, 0.3, 0.3), 0.15),
        "ball" => (ball(0.1), 0.1),
        _ => (cuboid(0.01, 0.4, 0.4), 0.2),
    };
    let thing = add(&mut scene, what, shape, Vec3::new(1.0, 0.0, height), Some(mass));
    let pose = freiraum_geometry::Pose::from_translation(-Vec3::X);
    scene.world.vehicles.push(Vehicle { pose, ..it });
    (Road::new(&scene), BodyId(thing as u32))
}

#[test]
fn single_masses_press_without_energy_from_nothing() {
    let mut bad = Vec::new();
    for model in DYNAMIC {
        for (what, mass) in PRESSED {
            let it = Vehicle { masses: MassModel::Single, ..vehicle(model, Drive::Dynamic) };
            let alone = {
                let mut road = Road { step: 0.005, ..Road::with(it.clone()) };
                driven(&mut road, 5.0, 2.0)
            };
            let (mut road, thing) = pressing(it, what, mass);
            road.step = 0.005;
            let most = driven(&mut road, 5.0, 4.0);
            let (at, thing) = (road.pose().translation(), road.engine.center(thing));
            let said = format!(
                "{model:?} {what} of {mass} kg: {most:.2} J of {alone:.2} J, it at {at:.3}, the thing at {thing:.3}"
            );
            println!("{said}");
            if !(most < 1.3 * alone && at.length() < 3.0 && thing.length() < 5.0) {
                bad.push(said);
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Nothing gets through the plate, whatever the step: what is squeezed stops who pushes.
#[test]
fn kinematic_vehicles_press_nothing_through_a_plate() {
    let mut bad = Vec::new();
    for model in [VehicleModel::Pioneer, VehicleModel::Volksbot, VehicleModel::MonsterTruck] {
        for (what, mass) in PRESSED {
            for (step, seconds) in [(0.001, 2.0), (0.005, 3.0), (0.05, 6.0)] {
                let (mut road, thing) = pressing(vehicle(model, Drive::Kinematic), what, mass);
                road.step = step;
                road.tell(Command::Drive { speed: if step > 0.01 { 5.0 } else { 2.0 }, turn: 0.0 });
                road.run(seconds);
                let (at, thing) = (road.pose().translation(), road.engine.center(thing));
                let said = format!(
                    "{model:?} {what} of {mass} kg at {step}: it at {at:.3}, the thing at {thing:.3}"
                );
                println!("{said}");
                if !(thing.x < 2.0 && thing.z > 0.0 && at.x < 2.0) {
                    bad.push(said);
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
