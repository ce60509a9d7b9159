//! A plan of 100 parts with 20 000 triangles each and 200 steps: checked from its files, and again after one step was changed.

use freiraum_assets::ShapeCache;
use freiraum_benches::clock::process_time;
use freiraum_benches::is_quick;
use freiraum_check::{CheckMemory, CheckOptions, Report, Timeline, check};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_mesh_io::{WriteOptions, write};
use freiraum_scene::{Body, Geometry, Move, Place, Scene, Step, Travel};
use freiraum_testkit::bumpy;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// Parts along each side of the field.
const SIDE: usize = 10;

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn main() {
    let folder = std::env::temp_dir().join(format!("freiraum-bench-check-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the meshes");
    let mut scene = plan(&folder, if is_quick() { 30 } else { 100 });
    let triangles = if is_quick() { "1 800" } else { "20 000" };
    println!("{} parts of {triangles} triangles, {} steps", scene.bodies.len(), scene.steps.len());
    // Files are recognised by their stamps once those are older than this.
    std::thread::sleep(Duration::from_secs(4));
    let memory = CheckMemory::default();
    let (whole, first) = timed("whole check, files read", &scene, &memory, true);
    let watch = Instant::now();
    let written = memory.to_bytes();
    println!("  memory as bytes in {:.1} ms", 1e3 * watch.elapsed().as_secs_f64());
    // One step goes 1 mm farther; the next one of the same part starts there.
    let changed = scene.steps.len() / 2;
    let Travel::Translate(by) = &mut scene.steps[changed].moves[0].travel else {
        unreachable!("all translate")
    };
    by.z += 0.001;
    let watch = Instant::now();
    let memory = CheckMemory::from_bytes(&written);
    println!(
        "  memory of {} pairs, {} kB, read in {:.1} ms",
        memory.len(),
        written.len() / 1000,
        1e3 * watch.elapsed().as_secs_f64()
    );
    let read = CheckMemory::from_bytes(&written);
    let (again, second) = timed("after one step was changed", &scene, &memory, true);
    told("again / whole", again, whole);
    let (again, third) = timed("the same, all files read", &scene, &read, false);
    told("again / whole", again, whole);
    let (_, fresh) = timed("the changed plan without memory", &scene, &CheckMemory::default(), false);
    assert_eq!(forgetful(third), forgetful(fresh.clone()));
    assert_eq!(first.verdict, fresh.verdict);
    assert_eq!(forgetful(second), forgetful(fresh));
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

/// Wall time and processor time of all threads, in seconds.
type Times = [f64; 2];

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn told(what: &str, [wall, processor]: Times, whole: Times) {
    let share = [wall / whole[0], processor / whole[1]].map(|share| 100.0 * share);
    println!("  {what}: {:.1} % of the time, {:.1} % of the processor time", share[0], share[1]);
}

/// Times, and the answer; unless `by_stamps`, all files are read.
#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn timed(what: &str, scene: &Scene, memory: &CheckMemory, by_stamps: bool) -> (Times, Report) {
    let (wall, busy) = (Instant::now(), process_time());
    let timeline = Timeline::of(scene).expect("translations");
    let options = CheckOptions { now: by_stamps.then(SystemTime::now), ..CheckOptions::default() };
    let found = check(scene, &timeline, &ShapeCache::of(scene), memory, &options).expect("files are there");
    let [wall, busy] = [wall.elapsed(), process_time() - busy].map(|time| time.as_secs_f64());
    let clearance =
        found.steps.iter().filter_map(|step| step.closest).map(|c| c.distance).fold(f64::INFINITY, f64::min);
    println!(
        "{what}: {wall:.3} s, {busy:.3} s of processor time, {}, {} pairs, {} remembered, smallest clearance {clearance:.6} m",
        found.verdict.name(),
        found.pairs_tested,
        found.pairs_remembered,
    );
    ([wall, busy], found)
}

/// Bumpy tori and spheres in a field, lifted out one after the other and carried away over the rest.
fn plan(folder: &Path, split: usize) -> Scene {
    let mut scene = Scene::default();
    for k in 0..SIDE * SIDE {
        let (vertices, faces) = if (k / SIDE + k % SIDE).is_multiple_of(2) {
            bumpy::torus(split, split)
        } else {
            bumpy::sphere(split * 316 / 1000)
        };
        // Every part is another one.
        let size = 1.0 + 0.0003 * k as f64;
        let mesh = Mesh::new(vertices.into_iter().map(|p| size * p).collect(), faces).expect("finite");
        let path = folder.join(format!("part-{k}.stl"));
        write(&path, &mesh, &WriteOptions::default()).expect("room for the meshes");
        let at = Vec3::new(3.0 * (k % SIDE) as f64, 3.0 * (k / SIDE) as f64, 0.0);
        scene.bodies.push(Body {
            name: format!("part {k}"),
            geometry: Geometry::File { path, written: String::new(), units: Default::default() },
            is_fixed: false,
            color: None,
            pose: Pose::from_translation(at),
            goal: None,
            place: Place::default(),
        });
    }
    // The last column first, so that none is in the way of the next.
    for k in (0..SIDE * SIDE).rev() {
        for (what, by) in [("lift", Vec3::new(0.0, 0.0, 2.5)), ("carry", Vec3::new(40.0, 3.0, 0.0))] {
            let moves = vec![Move {
                subject: format!("part {k}"),
                bodies: vec![k],
                travel: Travel::Translate(by),
                place: Place::default(),
            }];
            scene.steps.push(Step {
                name: format!("{what} part {k}"),
                moves,
                tasks: Vec::new(),
                seconds: 1.0,
                place: Place::default(),
            });
        }
    }
    scene
}

/// A report without how much of it was known.
fn forgetful(mut report: Report) -> Report {
    report.pairs_remembered = 0;
    report
}
