//! The scenes of text 000, section 5.5.3: right contacts, and fewer tests than the text has.

use crate::scenes::Stage;
use freiraum_geometry::Aabb;
use freiraum_query::set::Settings;
use freiraum_query::tree::Volume;
use freiraum_query::tree::volume::{Ball, TurnedBox};
use freiraum_testkit::scenarios::{self, Scenario};

/// Average tests of bodies and of volumes over every step of a scene; every so many-th step is checked by testing all
/// pairs.
fn average<V: Volume>(scenario: &Scenario, skips: bool) -> (f64, f64) {
    let mut stage: Stage<V> = Stage::new(scenario, Settings { skips, ..Settings::default() });
    assert_eq!(stage.set.allowed_pairs().len(), scenario.plain);
    assert_eq!(stage.shapes.len(), scenario.crews.iter().map(|c| c.solids.len()).sum::<usize>());
    let (mut objects, mut volumes, mut contacts) = (0, 0, 0);
    for step in 0..scenario.steps {
        stage.place(scenario, step);
        let (touching, counts) = stage.step().unwrap();
        objects += counts.object_tests;
        volumes += counts.volume_tests;
        contacts += touching;
        if step % 97 == 5 {
            assert_eq!(touching, stage.brute_force().unwrap().len(), "{} at step {step}", scenario.name);
        }
    }
    assert!(contacts > 5 * scenario.steps, "wheels and feet stand on the ground");
    (objects as f64 / scenario.steps as f64, volumes as f64 / scenario.steps as f64)
}

fn check(scenario: &Scenario) {
    let (text_objects, text_volumes) = scenario.text;
    let fewer = |(objects, volumes): (f64, f64), what: &str| {
        assert!(
            objects < text_objects && volumes < text_volumes,
            "{} with {what}: {objects} + {volumes} against {text_objects} + {text_volumes}",
            scenario.name
        );
    };
    fewer(average::<TurnedBox>(scenario, true), "oriented boxes");
    fewer(average::<Aabb>(scenario, false), "axis boxes in every step");
    fewer(average::<Ball>(scenario, true), "spheres");
}

#[test]
fn city() {
    check(&scenarios::city());
}

#[test]
fn rooms() {
    check(&scenarios::rooms());
}

#[test]
fn bowling() {
    check(&scenarios::bowling());
}

#[test]
fn the_same_run_gives_the_same_answers() {
    let scenario = scenarios::bowling();
    let run = || {
        let mut stage: Stage<TurnedBox> = Stage::new(&scenario, Settings::default());
        let mut all = Vec::new();
        for step in (0..scenario.steps).step_by(11) {
            stage.place(&scenario, step);
            all.push(stage.step().unwrap());
        }
        all
    };
    assert_eq!(run(), run());
}
