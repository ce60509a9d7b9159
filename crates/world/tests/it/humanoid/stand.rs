//! Standing and falling, against closed forms.

use super::{body, hr18, walk};
use crate::vehicles::road::{Road, flat, vehicle};
use freiraum_geometry::mass::point_mass_inertia;
use freiraum_geometry::{Mat3, Pose, Vec3};
use freiraum_scene::{Drive, Geometry, Mass, MassModel, VehicleModel};
use freiraum_world::vehicle::Command;

/// Mass, centre and inertia of all parts together from the scene.
fn whole(road: &Road, is_single: bool) -> (f64, Vec3, Mat3) {
    let parts: Vec<(f64, Vec3, Mat3)> = (1..23)
        .map(|at| {
            let body = &road.scene.bodies[at];
            let Geometry::Shape(shape) = &body.geometry else { unreachable!() };
            let Mass::Kilograms(mass) = road.scene.physics(at).mass else { unreachable!() };
            let mass = match (is_single, at) {
                (false, _) => mass,
                (true, 1) => 3.3,
                (true, _) => 0.0,
            };
            let solid = shape.mass_properties().unwrap().placed(&body.pose);
            (mass, solid.centroid, mass / solid.volume * solid.inertia)
        })
        .collect();
    let mass: f64 = parts.iter().map(|p| p.0).sum();
    let center = parts.iter().map(|p| p.0 * p.1).sum::<Vec3>() / mass;
    let inertia = parts.iter().fold(Mat3::ZERO, |sum, p| sum + p.2 + point_mass_inertia(p.0, p.1 - center));
    (mass, center, inertia)
}

fn pin(masses: MassModel) -> Road {
    let mut it = hr18(Drive::Dynamic);
    it.masses = masses;
    Road::with(it)
}

#[test]
fn stands_for_ten_seconds() {
    for masses in [MassModel::Distributed, MassModel::Single] {
        let mut road = pin(masses);
        let (mass, center, _) = whole(&road, masses == MassModel::Single);
        let torso = road.machines[0].bodies()[0];
        assert!((road.engine.mass(torso) - mass).abs() < 1e-12);
        assert!((road.engine.center(torso) - center).length() < 1e-12);
        road.run(10.0);
        let pose = road.pose();
        assert!(pose.translation().length() < 1e-4, "{masses:?} {}", pose.translation());
        assert!(pose.rotate(Vec3::Z).z > 1.0 - 1e-9, "{masses:?} {}", pose.rotate(Vec3::Z));
        // Parts are where the torso takes them.
        let head = road.engine.pose(body(&road, "it/head")).translation();
        assert!((head - Vec3::new(0.0, 0.0, 0.5075)).length() < 1e-4, "{head}");
    }
}

/// Whether it lies after a push at its centre of mass.
fn falls(masses: MassModel, impulse: Vec3) -> bool {
    let mut road = pin(masses);
    road.run(0.2);
    let torso = road.machines[0].bodies()[0];
    let center = road.engine.center(torso);
    road.engine.apply_impulse(torso, impulse, center);
    road.run(4.0);
    road.pose().rotate(Vec3::Z).z < 0.5
}

#[test]
fn falls_when_pushed_hard_enough() {
    for masses in [MassModel::Distributed, MassModel::Single] {
        let (mass, center, inertia) = whole(&pin(masses), masses == MassModel::Single);
        for (direction, edge, turning) in [
            (Vec3::X, 0.075, inertia.y_axis.y),
            (-Vec3::X, 0.055, inertia.y_axis.y),
            (Vec3::Y, 0.0825, inertia.x_axis.x),
        ] {
            // It turns about the edge of its feet: the energy after the push lifts its centre above the edge, or not.
            let arm = edge - center.dot(direction);
            let about = turning + mass * (arm * arm + center.z * center.z);
            let lift = arm.hypot(center.z) - center.z;
            let spin = (2.0 * mass * 9.81 * lift / about).sqrt();
            let least = about * spin / center.z;
            // With all its mass on top, its feet feel a lever 66 times as light as it is: contacts are softer then.
            let surely_not = if masses == MassModel::Single { 0.6 } else { 0.9 };
            assert!(!falls(masses, surely_not * least * direction), "{masses:?} {direction} {least}");
            assert!(falls(masses, 1.1 * least * direction), "{masses:?} {direction} {least}");
        }
    }
}

#[test]
fn arms_move_the_centre_of_mass() {
    let mut road = pin(MassModel::Distributed);
    let torso = road.machines[0].bodies()[0];
    let before = road.engine.center(torso);
    for side in ["left", "right"] {
        let name = format!("{side} shoulder pitch");
        road.tell(Command::Joint { name, position: -std::f64::consts::FRAC_PI_2 });
    }
    road.run(3.0);
    // Upper arm and forearm, 0.045 and 0.135 below the shoulder, are that far ahead of it now.
    let ahead = 2.0 * (0.08 * 0.045 + 0.06 * 0.135) / 3.3;
    let moved = road.engine.center(torso) - before;
    assert!((moved - Vec3::new(ahead, 0.0, ahead)).length() < 1e-4, "{moved} {ahead}");
    assert!(road.pose().rotate(Vec3::Z).z > 1.0 - 1e-6);
}

/// It leans forward at the ankles: it falls when its centre of mass is beyond its toes.
#[test]
fn falls_when_it_leans_too_far() {
    let knees = {
        let road = pin(MassModel::Distributed);
        let joints = road.machines[0].joints();
        joints.iter().find(|joint| joint.name == "left ankle pitch").unwrap().position
    };
    let (_, center, _) = whole(&pin(MassModel::Distributed), false);
    // The feet and ankles stay: what leans is a little more than the whole.
    let leans = |lean: f64| {
        let mut road = pin(MassModel::Distributed);
        // Slowly, or it throws itself over.
        for k in 1..=200 {
            for side in ["left", "right"] {
                let position = knees - lean * f64::from(k) / 200.0;
                road.tell(Command::Joint { name: format!("{side} ankle pitch"), position });
            }
            road.run(0.02);
        }
        road.run(2.0);
        (road.pose().rotate(Vec3::Z).z, road.engine.center(road.machines[0].bodies()[0]))
    };
    let critical = (0.075f64 / (center.z - 0.045)).asin();
    let (upright, at) = leans(0.75 * critical);
    assert!(upright > 0.9, "{upright} {at}");
    let (upright, at) = leans(1.15 * critical);
    assert!(upright < 0.5, "{upright} {at}");
}

#[test]
fn bowling() {
    let mut scene = flat();
    let mut robot = vehicle(VehicleModel::Volksbot, Drive::Dynamic);
    robot.pose = Pose::from_translation(Vec3::new(-1.5, 0.0, 0.0));
    robot.name = "volksbot".to_owned();
    scene.world.vehicles.push(robot);
    for k in 0..10 {
        let row = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3][k];
        let place = [0.0, -0.5, 0.5, -1.0, 0.0, 1.0, -1.5, -0.5, 0.5, 1.5][k];
        let mut it = hr18(Drive::Dynamic);
        it.name = format!("pin {k}");
        it.pose = Pose::from_translation(Vec3::new(0.35 * f64::from(row), 0.4 * place, 0.0));
        scene.world.vehicles.push(it);
    }
    let mut road = Road::new(&scene);
    road.machines[0].command(&walk(1.5, 0.0)).unwrap();
    road.run(4.0);
    let up = |k: usize| road.machines[k].pose(&road.engine).rotate(Vec3::Z).z;
    let fallen = (1..11).filter(|k| up(*k) < 0.5).count();
    assert!(fallen >= 4, "{fallen}");
    for body in road.engine.bodies() {
        let at = road.engine.pose(body).translation();
        assert!(at.is_finite() && at.z > -0.02 && at.length() < 20.0, "{at}");
    }
}
