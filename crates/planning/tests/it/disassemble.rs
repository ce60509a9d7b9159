//! Taking small assemblies apart, and a real one.

use freiraum_assets::ShapeCache;
use freiraum_check::PlanVerdict;
use freiraum_geometry::shape::{Cuboid, Cylinder};
use freiraum_geometry::{Mesh, Pose, Shape, Unit, Vec3};
use freiraum_planning::disassemble::{DisassembleOptions, Disassembly, Removal, disassemble};
use freiraum_planning::path::{FindOptions, Progress};
use freiraum_scene::{Body, Geometry, Group, Place, Scene, Travel};
use freiraum_testkit::bumpy::Surface;
use freiraum_testkit::puzzles;
use std::f64::consts::FRAC_PI_2;
use std::ops::ControlFlow;
use std::sync::Arc;

fn body(name: &str, shape: Shape, position: [f64; 3], is_fixed: bool) -> Body {
    let pose = Pose::from_translation(Vec3::from_array(position));
    let (geometry, place) = (Geometry::Shape(shape), Place::default());
    Body { name: name.to_owned(), geometry, is_fixed, color: None, pose, goal: None, place }
}

fn mesh(surface: Surface) -> Shape {
    Shape::Mesh(Arc::new(Mesh::new(surface.0, surface.1).unwrap()))
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

fn run(scene: &Scene, budget: u64) -> Disassembly {
    let find = FindOptions { budget, ..FindOptions::default() };
    let options = DisassembleOptions { find, ..DisassembleOptions::default() };
    disassemble(scene, &ShapeCache::of(scene), &options, &|_, _, _| ControlFlow::Continue(())).unwrap()
}

fn order(found: &Disassembly, scene: &Scene) -> Vec<String> {
    let name =
        |bodies: &[usize]| bodies.iter().map(|b| scene.bodies[*b].name.clone()).collect::<Vec<_>>().join("+");
    found.removals.iter().map(|removal| name(&removal.bodies)).collect()
}

#[test]
fn a_lidded_box_is_opened_before_it_is_emptied() {
    let bodies = vec![
        body("box", mesh(puzzles::profile(&["#...#", "#...#", "#####"], 5.0)), [0.0; 3], true),
        body("front", cuboid(5.0, 1.0, 3.0), [0.0, -3.0, 0.0], true),
        body("back", cuboid(5.0, 1.0, 3.0), [0.0, 3.0, 0.0], true),
        body("pin", Shape::Cylinder(Cylinder::new(0.5, 1.5).unwrap()), [0.3, 0.2, 0.25], false),
        body("lid", cuboid(5.0, 7.0, 0.5), [0.0, 0.0, 1.75], false),
    ];
    let scene = Scene { bodies, ..Scene::default() };
    let found = run(&scene, 10_000);
    assert_eq!(order(&found, &scene), ["lid", "pin"]);
    assert_eq!(found.removals.iter().map(|removal| removal.round).collect::<Vec<_>>(), [0, 1]);
    assert!(found.blocked.is_empty());
    assert_eq!(found.verdict, PlanVerdict::Free);
    let steps: Vec<&str> = found.assembly.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(steps, ["insert pin", "insert lid"]);
}

#[test]
fn hooked_pieces_slide_apart() {
    let puzzle = puzzles::interlocked();
    let [fixed] = <[Surface; 1]>::try_from(puzzle.obstacles).unwrap();
    let bodies = vec![
        body("fixed", mesh(fixed), [0.0; 3], true),
        body("hooked", mesh(puzzle.moving), [0.0; 3], false),
    ];
    let scene = Scene { bodies, ..Scene::default() };
    let found = run(&scene, 10_000);
    assert_eq!(order(&found, &scene), ["hooked"]);
    assert_eq!(found.verdict, PlanVerdict::Free);
}

#[test]
fn what_is_walled_in_is_named() {
    let puzzle = puzzles::prison();
    let mut bodies: Vec<Body> = puzzle
        .obstacles
        .into_iter()
        .enumerate()
        .map(|(k, wall)| body(&format!("wall {k}"), mesh(wall), [0.0; 3], true))
        .collect();
    bodies.push(body("prisoner", mesh(puzzle.moving), [0.0; 3], false));
    bodies.push(body("visitor", cuboid(1.0, 1.0, 1.0), [3.0, 0.0, 0.0], false));
    let scene = Scene { bodies, ..Scene::default() };
    let found = run(&scene, 3_000);
    assert_eq!(order(&found, &scene), ["visitor"]);
    assert_eq!(found.blocked, [6]);
    // All six walls hold it, and nothing else does.
    let mut walls = found.held_by[0].clone();
    walls.sort_unstable();
    assert_eq!(walls, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn two_that_hook_into_each_other_leave_as_one_and_are_parted_outside() {
    // The hooked pieces stand in a shaft that is just as long as they are: they can slide apart only above it.
    let puzzle = puzzles::interlocked();
    let [hook] = <[Surface; 1]>::try_from(puzzle.obstacles).unwrap();
    let bodies = vec![
        body("front", cuboid(4.0, 1.0, 6.0), [0.0, -1.0, 0.0], true),
        body("back", cuboid(4.0, 1.0, 6.0), [0.0, 1.0, 0.0], true),
        body("left", cuboid(1.0, 3.0, 6.0), [-2.5, 0.0, 0.0], true),
        body("right", cuboid(1.0, 3.0, 6.0), [2.5, 0.0, 0.0], true),
        body("hook", mesh(hook), [0.0; 3], false),
        body("eye", mesh(puzzle.moving), [0.0; 3], false),
    ];
    let scene = Scene { bodies, ..Scene::default() };
    let found = run(&scene, 2_000);
    assert_eq!(order(&found, &scene), ["hook+eye", "eye"]);
    assert_eq!(found.verdict, PlanVerdict::Free);
    let steps: Vec<&str> = found.assembly.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(steps, ["insert eye", "insert hook + eye"]);
}

fn group(name: &str, members: &[usize]) -> Group {
    Group { name: name.to_owned(), members: members.to_vec(), place: Place::default() }
}

/// A plate with two blocks on it, and a cap over both.
fn two_blocks() -> Scene {
    let bodies = vec![
        body("plate", cuboid(10.0, 10.0, 1.0), [0.0; 3], true),
        body("left", cuboid(1.0, 1.0, 1.0), [-2.0, 0.0, 1.0], false),
        body("right", cuboid(1.0, 1.0, 1.0), [2.0, 0.0, 1.0], false),
        body("cap", cuboid(6.0, 1.0, 1.0), [0.0, 0.0, 2.0], false),
    ];
    Scene { bodies, ..Scene::default() }
}

#[test]
fn groups_of_the_scene_stay_together_unless_they_are_in_their_own_way() {
    let mut scene = two_blocks();
    scene.groups = vec![group("blocks", &[1, 2])];
    let found = run(&scene, 1_000);
    assert_eq!(order(&found, &scene), ["cap", "left+right"]);
    assert_eq!(found.verdict, PlanVerdict::Free);
    let steps: Vec<&str> = found.assembly.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(steps, ["insert blocks", "insert cap"]);
    let options = DisassembleOptions { split_groups: true, ..DisassembleOptions::default() };
    let go_on = |_: usize, _: usize, _: Option<&Progress>| ControlFlow::Continue(());
    let singly = disassemble(&scene, &ShapeCache::of(&scene), &options, &go_on).unwrap();
    assert_eq!(order(&singly, &scene), ["cap", "left", "right"]);
    // Under a hood one block can go only forward or back, between two fences the other one cannot.
    let hood = mesh(puzzles::profile(&["###", "#.#"], 1.0));
    scene.bodies.push(body("hood", hood, [2.0, 0.0, 1.5], true));
    scene.bodies.push(body("front", cuboid(1.0, 0.5, 2.0), [-2.0, -0.75, 1.5], true));
    scene.bodies.push(body("back", cuboid(1.0, 0.5, 2.0), [-2.0, 0.75, 1.5], true));
    scene.bodies[3] = body("cap", cuboid(1.0, 1.0, 1.0), [-2.0, 0.0, 2.0], false);
    scene.groups = vec![group("all", &[1, 2, 3]), group("tower", &[1, 3])];
    let found = run(&scene, 1_000);
    assert_eq!(order(&found, &scene), ["left+cap", "right"]);
    assert_eq!(found.verdict, PlanVerdict::Free);
}

#[test]
fn lengths_are_round_and_paths_go_at_one_speed() {
    let mut scene = two_blocks();
    scene.units = Unit::Millimetre;
    let found = run(&scene, 1_000);
    for removal in &found.removals {
        let [Travel::Translate(by)] = removal.travels[..] else { panic!("{removal:?}") };
        let written = Unit::Millimetre.from_metres(by.length());
        // Two digits at most: all these are some metres.
        assert!((written / 100.0 - (written / 100.0).round()).abs() < 1e-9, "{written} mm");
        assert_eq!(by.abs().max_element(), by.length());
    }
    // Out of a hook: along it, then away.
    let puzzle = puzzles::interlocked();
    let hook = puzzle.obstacles.into_iter().next().unwrap();
    let bodies = vec![
        body("lid", cuboid(20.0, 0.5, 20.0), [0.0, -1.0, 0.0], true),
        body("floor", cuboid(20.0, 0.5, 20.0), [0.0, 3.0, 0.0], true),
        body("hook", mesh(hook), [0.0; 3], true),
        body("eye", mesh(puzzle.moving), [0.0; 3], false),
    ];
    let scene = Scene { bodies, ..Scene::default() };
    let found = run(&scene, 5_000);
    assert_eq!((order(&found, &scene), found.verdict), (vec!["eye".to_owned()], PlanVerdict::Free));
    let Travel::Path(pieces) = &found.assembly.steps[0].moves[0].travel else { panic!("{found:?}") };
    let speed = |piece: &freiraum_scene::Piece| match piece.travel {
        Travel::Translate(by) => by.length() / piece.share,
        _ => panic!("{piece:?}"),
    };
    let speeds: Vec<f64> = pieces.iter().map(speed).collect();
    assert!(speeds.len() > 1 && speeds.iter().all(|one| (one / speeds[0] - 1.0).abs() < 0.02), "{speeds:?}");
}

#[test]
fn the_five_parts_of_a_beam_come_apart() {
    let Some(folder) = freiraum_testkit::data::folder("asap-beam-assembly") else { return };
    // Final states in the file of its makers, in centimetres; quarter turns have seven digits there.
    let places = [
        (0, [12.245, 3.8152, 7.0889], FRAC_PI_2),
        (1, [21.135, 3.8152, 7.0889], FRAC_PI_2),
        (2, [12.2424, 3.8152, 3.8614], -FRAC_PI_2),
        (3, [21.1376, 3.8152, 3.8614], -FRAC_PI_2),
        (6, [16.69, 3.8152, 0.6321], FRAC_PI_2),
    ];
    let mut scene = Scene { units: Unit::Centimetre, allowance: 2e-5, ..Scene::default() };
    for (number, position, yaw) in places {
        let written = format!("{number}.obj");
        let geometry = Geometry::File { path: folder.join(&written), written, units: Unit::Centimetre };
        let pose = Pose::from_zyx_euler(0.0, 0.0, yaw, 0.01 * Vec3::from_array(position)).unwrap();
        let name = number.to_string();
        scene.bodies.push(Body {
            name,
            geometry,
            is_fixed: number == 6,
            color: None,
            pose,
            goal: None,
            place: Place::default(),
        });
    }
    let found = run(&scene, 20_000);
    // The upper beams lie on the lower ones, and those on the long one.
    assert_eq!(order(&found, &scene), ["0", "1", "2", "3"]);
    assert_eq!(found.removals.iter().map(|removal| removal.round).collect::<Vec<_>>(), [0, 0, 1, 1]);
    assert!(found.blocked.is_empty());
    assert_eq!(found.verdict, PlanVerdict::Free);
}

#[test]
fn the_gearbox_comes_apart_in_an_order_that_people_would_take() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/gearbox/gearbox.toml");
    let file = freiraum_formats::scene::SceneFile::read(&file).unwrap();
    let scene = file.scene();
    let found = disassemble(scene, &ShapeCache::of(scene), &DisassembleOptions::default(), &|_, _, _| {
        ControlFlow::Continue(())
    })
    .unwrap();
    let name = |body: &usize| scene.bodies[*body].name.clone();
    for removal in &found.removals {
        let names: Vec<String> = removal.bodies.iter().map(name).collect();
        eprintln!("{} {names:?} {:?} {:?}", removal.round, removal.travels, removal.planner);
    }
    assert!(found.blocked.is_empty() && found.overlaps.is_empty());
    assert_eq!(found.verdict, PlanVerdict::Free);
    assert!(found.removals.iter().all(|removal| removal.planner.is_none()));
    let round = |part: &str| {
        let is_it = |removal: &&Removal| removal.bodies.iter().any(|body| name(body) == part);
        found.removals.iter().find(is_it).unwrap().round
    };
    for [before, after] in [
        ["front left screw", "lid"],
        ["input cap", "right input bearing"],
        ["right input bearing", "input shaft"],
        ["input shaft", "pinion"],
        ["output shaft", "wheel"],
        ["lid", "wheel"],
    ] {
        assert!(round(before) < round(after), "{before}, then {after}");
    }
}
