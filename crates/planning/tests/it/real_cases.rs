//! Published problems: tunnels, a puzzle of pentominoes, pegs in holes. Without the files these tests do nothing.

use freiraum_assets::ShapeCache;
use freiraum_check::PlanVerdict;
use freiraum_geometry::{Mesh, Pose, Shape, Unit, Vec3};
use freiraum_mesh_io::{ReadOptions, read};
use freiraum_motion::Movable;
use freiraum_planning::disassemble::{DisassembleOptions, disassemble};
use freiraum_planning::path::{
    CompleteOptions, FindOptions, Found, Outcome, Placed, Rule, Task, complete, find,
};
use freiraum_scene::{Body, Geometry, Place, Scene};
use freiraum_testkit::{data, puzzles};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

fn body(mesh: Mesh) -> Movable {
    Movable::new(Shape::Mesh(Arc::new(mesh)))
}

/// A `.g` file: numbers of vertices, then vertices, then faces that end with a negative number; counted from 1.
fn old_mesh(path: &Path) -> Mesh {
    let text = std::fs::read_to_string(path).unwrap();
    let mut numbers = text.split_whitespace().map(|word| word.parse::<f64>().unwrap());
    let head: Vec<f64> = numbers.by_ref().take(6).collect();
    let mut three = || [0; 3].map(|_| numbers.next().unwrap());
    let vertices = (0..head[1] as usize).map(|_| Vec3::from_array(three())).collect();
    let faces = (0..head[2] as usize).map(|_| three().map(|x| x.abs() as u32 - 1)).collect();
    Mesh::new(vertices, faces).unwrap()
}

/// All bodies of an environment, and walls around its boundary box.
fn environment(path: &Path) -> Vec<Placed> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some((file, place)) = line.split_once(".g ") {
            let numbers: Vec<f64> = place.split_whitespace().map(|word| word.parse().unwrap()).collect();
            let mesh = old_mesh(&path.with_file_name(format!("{file}.g")));
            found.push(Placed {
                body: body(mesh),
                pose: Pose::from_translation(Vec3::new(numbers[0], numbers[1], numbers[2])),
            });
        } else if let Some(limits) = line.strip_prefix("Boundary Box") {
            let clean: String = limits.chars().map(|c| if "[];:".contains(c) { ' ' } else { c }).collect();
            let n: Vec<f64> = clean.split_whitespace().map(|word| word.parse().unwrap()).collect();
            let (min, max) = ([n[0], n[2], n[4]], [n[1], n[3], n[5]]);
            for axis in 0..3 {
                for (from, to) in [(min[axis] - 1.0, min[axis]), (max[axis], max[axis] + 1.0)] {
                    let (mut a, mut b) = (min, max);
                    (a[axis], b[axis]) = (from, to);
                    let (vertices, faces) = puzzles::block(a, b);
                    found.push(Placed {
                        body: body(Mesh::new(vertices, faces).unwrap()),
                        pose: Pose::IDENTITY,
                    });
                }
            }
        }
    }
    found
}

fn way(robot: Movable, obstacles: Vec<Placed>, start: [f64; 3], goal: [f64; 3]) -> Found {
    let task = Task {
        moving: vec![Placed { body: robot, pose: Pose::IDENTITY }],
        rules: vec![vec![Rule::default(); obstacles.len()]],
        obstacles,
        start: Pose::from_translation(Vec3::from_array(start)),
        goal: Pose::from_translation(Vec3::from_array(goal)),
    };
    find(&task, &FindOptions::default(), &mut |_| ControlFlow::Continue(())).unwrap()
}

fn assert_found(name: &str, found: &Found) {
    assert!(matches!(found.outcome, Outcome::Path(_)), "{name}: {:?}", found.outcome);
    assert!(found.clearance.unwrap() > 0.0);
    eprintln!(
        "{name}: {:?}, {} pieces, {:.3} m, {} checks",
        found.planner,
        found.pieces.len(),
        found.length,
        found.checks
    );
}

#[test]
fn through_the_z_tunnel() {
    let Some(folder) = data::folder("open-ppl") else { return };
    let folder = folder.join("ZTunnel");
    let robot = body(old_mesh(&folder.join("robot.g")));
    // Start and goal of its makers.
    let found = way(robot, environment(&folder.join("tunnel.env")), [0.0, 0.0, 8.0], [-2.0, 0.0, -8.0]);
    assert_found("Z tunnel", &found);
}

#[test]
fn through_the_simple_tunnel() {
    let Some(folder) = data::folder("open-ppl") else { return };
    let folder = folder.join("simple-tunnel");
    let robot = body(old_mesh(&folder.join("robot.g")));
    let found = way(robot, environment(&folder.join("tunnel.env")), [-8.0, -8.0, 12.0], [8.0, 8.0, -12.0]);
    assert_found("simple tunnel", &found);
}

fn scene_of(folder: &Path, units: Unit, bodies: &[(String, [f64; 3], bool)]) -> Scene {
    let mut scene = Scene { units, ..Scene::default() };
    for (written, position, is_fixed) in bodies {
        scene.bodies.push(Body {
            name: written.clone(),
            geometry: Geometry::File { path: folder.join(written), written: written.clone(), units },
            is_fixed: *is_fixed,
            color: None,
            pose: Pose::from_translation(Vec3::from_array(*position)),
            goal: None,
            place: Place::default(),
        });
    }
    scene
}

#[test]
fn the_pentomino_puzzle_comes_apart() {
    let Some(folder) = data::folder("open-ppl") else { return };
    let folder = folder.join("pentomino_puzzle");
    let text = std::fs::read_to_string(folder.join("poses.txt")).unwrap();
    let line = |line: &str| {
        let (file, rest) = line.split_once(" -c")?;
        let numbers = rest.rsplit(')').next()?;
        let n: Vec<f64> = numbers.split_whitespace().map(|word| word.parse().unwrap()).collect();
        Some((file.to_owned(), [n[0], n[1], n[2]], false))
    };
    let bodies: Vec<_> = text.lines().filter_map(line).collect();
    assert_eq!(bodies.len(), 12);
    let scene = scene_of(&folder, Unit::Metre, &bodies);
    let find = FindOptions { budget: 50_000, ..FindOptions::default() };
    let options = DisassembleOptions { find, ..DisassembleOptions::default() };
    let found =
        disassemble(&scene, &ShapeCache::of(&scene), &options, &|_, _, _| ControlFlow::Continue(())).unwrap();
    eprintln!(
        "pentominoes: {} removals, blocked {:?}, overlaps {:?}, {:?}, {} checks",
        found.removals.len(),
        found.blocked,
        found.overlaps,
        found.verdict,
        found.checks
    );
    assert!(found.blocked.is_empty() && found.overlaps.is_empty());
    assert_eq!(found.verdict, PlanVerdict::Free);
}

#[test]
fn pegs_of_8_mm_find_their_holes() {
    let Some(folder) = data::folder("factory-peg-hole") else { return };
    for (peg, hole) in [
        ("round_peg_8mm_tight", "round_hole_8mm_subdiv_3x"),
        ("rectangular_peg_8mm_loose_subdiv_3x", "rectangular_hole_8mm_subdiv_3x"),
    ] {
        let file = |name: &str| format!("factory_{name}.obj");
        let bodies = [(file(hole), [0.0; 3], true), (file(peg), [0.02, 0.0, 0.05], false)];
        let mut scene = scene_of(&folder, Unit::Metre, &bodies);
        let hole = read(folder.join(&bodies[0].0), &ReadOptions::default()).unwrap().aabb();
        let peg_box = read(folder.join(&bodies[1].0), &ReadOptions::default()).unwrap().aabb();
        // Half way in, axis on axis.
        let down = hole.center().z - peg_box.min.z;
        let across = hole.center() - peg_box.center();
        scene.bodies[1].goal = Some(Pose::from_translation(Vec3::new(across.x, across.y, down)));
        scene.bodies[1].pose = Pose::from_translation(Vec3::new(across.x + 0.02, across.y, down + 0.03));
        let options = CompleteOptions { find: FindOptions { budget: 20_000, ..FindOptions::default() } };
        let found =
            complete(&scene, &ShapeCache::of(&scene), &options, &mut |_, _| ControlFlow::Continue(()))
                .unwrap();
        assert_eq!(found.steps.len(), 1);
        assert_found(peg, &found.steps[0].found);
    }
}
