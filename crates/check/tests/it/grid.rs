//! Many bodies: a check costs in proportion to what is near, and so does its memory. `FREIRAUM_TEST_SCALE=20`
//! makes it 100 000 bodies.

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, PlanVerdict, Report, Timeline, check};
use freiraum_geometry::shape::Cuboid;
use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_scene::{Body, Geometry, Move, Place, Scene, Step, Travel};
use freiraum_testkit::scale::cases;

fn body(number: usize, shape: &Shape, at: Vec3) -> Body {
    Body {
        name: format!("body {number}"),
        geometry: Geometry::Shape(shape.clone()),
        pose: Pose::from_translation(at),
        is_fixed: false,
        color: None,
        goal: None,
        place: Place::default(),
    }
}

/// Cubes of 1 m, `apart` metres from middle to middle, of which the first moves away.
fn grid(count: usize, apart: f64) -> Scene {
    let side = (1..).find(|side: &usize| side.pow(3) >= count).unwrap();
    let shape = Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap());
    let at =
        |k: usize| apart * Vec3::new((k % side) as f64, (k / side % side) as f64, (k / side / side) as f64);
    let bodies = (0..count).map(|k| body(k, &shape, at(k))).collect();
    let travel = Travel::Translate(-5.0 * Vec3::X);
    let one = Move { subject: "body 0".to_owned(), bodies: vec![0], travel, place: Place::default() };
    let step = Step {
        name: "out".to_owned(),
        moves: vec![one],
        tasks: Vec::new(),
        seconds: 1.0,
        place: Place::default(),
    };
    Scene { bodies, steps: vec![step], ..Scene::default() }
}

fn checked(scene: &Scene) -> Report {
    let (timeline, parts) = (Timeline::of(scene).unwrap(), ShapeCache::of(scene));
    check(scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default()).unwrap()
}

/// The most memory that this process ever had, in bytes; 0 where the system does not tell it.
fn most_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok())
        .map_or(0, |kb: usize| kb * 1024)
}

#[test]
fn one_body_of_many_moves() {
    let count = cases(5_000);
    // Apart, and touching each other.
    for (apart, near) in [(1.2, 0), (1.0, 13)] {
        let found = checked(&grid(count, apart));
        assert_eq!(found.verdict, PlanVerdict::Free);
        let computed = found.pairs_tested + found.pairs_measured;
        assert!(computed <= near * count + 64, "{computed} pairs of {count} bodies");
    }
    let most = most_memory();
    assert!(most < 200_000_000 + 8_000 * count, "{most} bytes for {count} bodies");
}
