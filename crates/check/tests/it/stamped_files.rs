//! Mesh files that change between checks which share a memory.

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, PlanVerdict, Timeline, check};
use freiraum_geometry::{Pose, Unit, Vec3};
use freiraum_scene::{Body, Geometry, Move, Place, Scene, Step, Travel};
use freiraum_testkit::folder::Folder;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A tetrahedron, always with as many bytes.
fn tetrahedron(height: f64) -> String {
    format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 {height:.3}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
}

fn write(folder: &Folder, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, tetrahedron(1.0)).unwrap();
    path
}

fn body(path: &Path, x: f64) -> Body {
    Body {
        name: "body".to_owned(),
        geometry: Geometry::File { path: path.to_owned(), written: String::new(), units: Unit::Metre },
        is_fixed: false,
        color: None,
        pose: Pose::from_translation(Vec3::new(x, 0.0, 0.0)),
        goal: None,
        place: Place::default(),
    }
}

/// A time at which everything that is written in this test is old.
fn later() -> SystemTime {
    SystemTime::now() + Duration::from_secs(60)
}

#[test]
fn a_changed_mesh_changes_the_verdict() {
    let folder = Folder::new("stamps-verdict");
    let (path, other) = (write(&folder, "a.obj"), write(&folder, "b.obj"));
    let mut scene = Scene { bodies: vec![body(&path, 0.0), body(&other, 2.0)], ..Scene::default() };
    scene.bodies[0].pose = Pose::from_translation(Vec3::new(0.0, 0.0, 1.5));
    scene.steps = vec![Step {
        name: "over".to_owned(),
        moves: vec![Move {
            subject: "body".to_owned(),
            bodies: vec![0],
            travel: Travel::Translate(Vec3::new(2.0, 0.0, 0.0)),
            place: Place::default(),
        }],
        tasks: Vec::new(),
        seconds: 1.0,
        place: Place::default(),
    }];
    let timeline = Timeline::of(&scene).unwrap();
    let mut memory = CheckMemory::default();
    let mut run = || {
        let options = CheckOptions { now: Some(later()), ..CheckOptions::default() };
        let found = check(&scene, &timeline, &ShapeCache::of(&scene), &memory, &options).unwrap();
        memory = CheckMemory::from_bytes(&memory.to_bytes());
        (found.verdict, found.pairs_remembered)
    };
    assert_eq!(run(), (PlanVerdict::Free, 0));
    assert_eq!(run(), (PlanVerdict::Free, 0));
    // Long enough for another tick of the clock that stamps files.
    std::thread::sleep(Duration::from_millis(30));
    let before = std::fs::metadata(&other).unwrap().modified().unwrap();
    std::fs::write(&other, tetrahedron(9.0)).unwrap();
    std::fs::File::options().append(true).open(&other).unwrap().set_modified(before).unwrap();
    assert_eq!(run(), (PlanVerdict::Collision, 0));
    assert_eq!(run(), (PlanVerdict::Collision, 1));
}
