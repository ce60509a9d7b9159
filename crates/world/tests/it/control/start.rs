//! What is told at the start.

use super::built::{plain, run, simulation, vehicle, wall};
use freiraum_geometry::Vec3;
use freiraum_scene::{Controller, Drive, VehicleModel};
use freiraum_world::event::EventKind;

#[test]
fn vehicles_that_start_inside_of_something_are_told_of() {
    for drive in [Drive::Kinematic, Drive::Dynamic] {
        let mut scene = plain(0.005);
        wall(&mut scene, [0.2, 0.0], [0.1, 0.1], 0.3);
        let stays = || Controller::DriveTo(Vec3::ZERO);
        for at in [[0.2, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.01, 0.0, 0.0]] {
            let number = vehicle(&mut scene, VehicleModel::Pioneer, at, stays());
            scene.world.vehicles[number].drive = drive;
        }
        let mut world = simulation(&scene);
        let told: Vec<_> = world.take_events();
        let said = |number: usize| -> Vec<&str> {
            told.iter()
                .filter_map(|event| match &event.kind {
                    EventKind::Warning { vehicle, message } if *vehicle == Some(number) => Some(&message[..]),
                    _ => None,
                })
                .collect()
        };
        let body = &scene.bodies.iter().rfind(|body| body.is_fixed).unwrap().name;
        // The deepest of its parts tells how deep.
        let [said_first] = said(0)[..] else { panic!("{told:?}") };
        let start = format!("starts inside of {body}, ");
        let depth = said_first.strip_prefix(&start).and_then(|rest| rest.strip_suffix(" m deep"));
        assert!(depth.is_some_and(|depth| (0.01..0.4).contains(&depth.parse().unwrap())), "{said_first}");
        assert_eq!(said(1), [""; 0]);
        let [third] = said(2)[..] else { panic!("{told:?}") };
        assert!(
            third.starts_with(&format!("starts inside of {}, ", scene.world.vehicles[3].name)),
            "{third}"
        );
        assert_eq!(said(3), [""; 0]);
    }
}

/// The dynamic humanoid is one rigid body that does not walk: whoever tells it to walk is told so, once.
#[test]
fn a_dynamic_humanoid_says_that_it_does_not_walk() {
    for controller in [Controller::DriveTo(Vec3::X), Controller::Wander] {
        let mut scene = plain(0.005);
        let number = vehicle(&mut scene, VehicleModel::Hr18, [0.0; 3], controller);
        scene.world.vehicles[number].drive = Drive::Dynamic;
        let mut world = simulation(&scene);
        let told = run(&mut world, 2.0, |_| false);
        let said: Vec<&String> = told
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::Warning { message, .. } if message.contains("only stands") => Some(message),
                _ => None,
            })
            .collect();
        assert_eq!(said.len(), 1, "{told:?}");
    }
}

/// Events are in the order of their times, also in long steps, in which vehicles tell of theirs before bodies do.
#[test]
fn events_are_told_in_order() {
    let mut scene = plain(0.05);
    wall(&mut scene, [0.6, 0.0], [0.1, 2.0], 0.3);
    for (k, y) in [-0.6, 0.0, 0.6].into_iter().enumerate() {
        let to = Controller::DriveTo(Vec3::new(3.0, y, 0.0));
        let number = vehicle(&mut scene, VehicleModel::Pioneer, [-0.5 * k as f64, y, 0.0], to);
        scene.world.vehicles[number].drive = if k == 0 { Drive::Dynamic } else { Drive::Kinematic };
    }
    let mut world = simulation(&scene);
    world.take_events();
    let mut count = 0;
    for _ in 0..200 {
        world.step();
        let events = world.take_events();
        assert!(events.is_sorted_by_key(|event| event.time), "{events:?}");
        count += events.len();
    }
    assert!(count > 3, "{count}");
}
