//! Checks of random robot programs against dense samples of the same motions, asked of the static queries.
//!
//! An arm of boxes and capsules and a real one (where its files are there) move one joint or all, with a part in the hand, alone or beside another robot, among random
//! obstacles. A contact that samples see must be found, no later than they see it; a contact that is found must be one; what is free must be free at every sample, the
//! nearest times looked at more closely.

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, FindingKind, Stage, StepResult, Timeline, check};
use freiraum_formats::robot::{RobotOptions, read, srdf};
use freiraum_geometry::path::Motion;
use freiraum_geometry::shape::{Capsule, Compound, Cuboid, Cylinder, Part, Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::{Prepared, contact, distance, intersects};
use freiraum_robot::dh::{self, Convention, Row};
use freiraum_robot::trajectory::{Mode, Profile};
use freiraum_robot::{Limits, Link, LinkShape, Robot};
use freiraum_scene::{
    Action, ActionKind, Body, Geometry, PairRule, Place, PlacedRobot, RobotSource, Scene, Step, Target, Task,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::{data, scale};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Samples per motion and pair.
const SAMPLES: usize = 200;
/// What rounding and iteration may be off by, in metres.
const SMALL: f64 = 1e-7;
/// How deep bodies get that touch at the start of a motion before it is a collision, in metres: some millionths of their size for cylinders, which are found by iteration.
const RESTING: f64 = 1e-5;

/// A robot and the pairs of its links that are not asked.
#[derive(Clone)]
struct Model {
    robot: Arc<Robot>,
    ignored: Vec<[usize; 2]>,
    flange: usize,
    tip: Vec3,
}

fn demo_arm() -> Model {
    let limits = Limits { lower: -2.6, upper: 2.6 };
    let row = |alpha: f64, l, d| Row {
        alpha: alpha.to_radians(),
        l,
        d,
        limits,
        velocity: Some(2.0),
        ..Row::default()
    };
    let rows = [
        row(0.0, 0.0, 0.3),
        row(-90.0, 0.0, 0.0),
        row(0.0, 0.45, 0.0),
        row(-90.0, 0.0, 0.4),
        row(90.0, 0.0, 0.0),
        row(-90.0, 0.0, 0.1),
    ];
    let plain = dh::robot("arm", &rows, Convention::Modified).unwrap();
    let cuboid = |x, y, z| Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap());
    let capsule = |radius, height| Shape::Capsule(Capsule::new(radius, height).unwrap());
    let along_x = Pose::from_axis_angle(Vec3::Y, 90f64.to_radians()).unwrap();
    let at = |x, y, z| Pose::from_translation(Vec3::new(x, y, z));
    let shapes = [
        vec![(at(0.0, 0.0, 0.08), cuboid(0.2, 0.2, 0.16))],
        vec![(at(0.0, 0.0, -0.02), Shape::Cylinder(Cylinder::new(0.07, 0.12).unwrap()))],
        vec![(at(0.22, 0.0, 0.0) * along_x, capsule(0.05, 0.3))],
        vec![(at(0.0, 0.0, 0.0), cuboid(0.1, 0.1, 0.12))],
        vec![(at(0.0, 0.0, -0.2), capsule(0.04, 0.2))],
        vec![(at(0.0, 0.0, 0.0), Shape::Sphere(Sphere::new(0.05).unwrap()))],
        vec![(at(0.0, 0.0, 0.0), cuboid(0.06, 0.12, 0.04)), (at(0.0, 0.05, 0.05), cuboid(0.02, 0.02, 0.08))],
    ];
    let links = plain.links().iter().zip(shapes).map(|(link, shapes)| Link {
        collision: shapes
            .into_iter()
            .map(|(link_from_shape, shape)| LinkShape { link_from_shape, shape })
            .collect(),
        ..link.clone()
    });
    let robot = Arc::new(Robot::new("arm", links.collect(), plain.joints().to_vec()).unwrap());
    let mut ignored: Vec<[usize; 2]> = (0..6).map(|link| [link, link + 1]).collect();
    ignored.extend([[2, 4], [4, 6]]);
    Model { robot, ignored, flange: 6, tip: Vec3::new(0.0, 0.0, 0.12) }
}

fn panda() -> Option<Model> {
    let folder = data::folder("moveit-resources")?.join("panda_description");
    let robot =
        read(folder.join("urdf/panda.urdf"), &RobotOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let robot = Arc::new(robot.robot);
    let found = srdf::read(folder.join("panda.srdf"), &robot).unwrap_or_else(|e| panic!("{e}"));
    let ignored = found.disabled.iter().map(|pair| pair.links).collect();
    let flange = robot.link("panda_hand").unwrap();
    Some(Model { robot, ignored, flange, tip: Vec3::new(0.0, 0.0, 0.16) })
}

fn body(name: String, shape: Shape, pose: Pose) -> Body {
    Body {
        name,
        geometry: Geometry::Shape(shape),
        is_fixed: false,
        color: None,
        pose,
        goal: None,
        place: Place::default(),
    }
}

fn rule(a: usize, b: usize) -> PairRule {
    PairRule {
        bodies: [vec![a], vec![b]],
        clearance: None,
        allowance: None,
        approach: None,
        ignore: Some("by design".to_owned()),
        place: Place::default(),
    }
}

/// Adds a robot and the bodies of its links.
fn place(scene: &mut Scene, model: &Model, name: &str, base: Pose, start: Vec<f64>) {
    let placed = model.robot.place(&base, &start);
    let mut links = Vec::new();
    for (number, link) in model.robot.links().iter().enumerate() {
        if link.collision.is_empty() {
            links.push(None);
            continue;
        }
        let parts = link.collision.iter();
        let parts = parts.map(|s| Part { compound_from_part: s.link_from_shape, shape: s.shape.clone() });
        let mut parts: Vec<Part> = parts.collect();
        let shape = match &parts[..] {
            [one] if one.compound_from_part == Pose::IDENTITY => parts.remove(0).shape,
            _ => Shape::Compound(Compound::new(parts).unwrap()),
        };
        links.push(Some(scene.bodies.len()));
        scene.bodies.push(body(format!("{name}/{}", link.name), shape, placed.links[number]));
    }
    for pair in &model.ignored {
        if let [Some(a), Some(b)] = pair.map(|link| links[link]) {
            scene.pairs.push(rule(a, b));
        }
    }
    scene.robots.push(PlacedRobot {
        name: name.to_owned(),
        model: model.robot.clone(),
        source: RobotSource::Table,
        base,
        start,
        links,
        flange: model.flange,
        flange_from_tool: Pose::from_translation(model.tip),
        tools: Vec::new(),
        states: Vec::new(),
        place: Place::default(),
    });
}

fn values(model: &Model, random: &mut Random) -> Vec<f64> {
    let value = |freedom: usize| {
        let range = model.robot.range(freedom);
        let (middle, half) = (0.5 * (range.lower + range.upper), 0.5 * (range.upper - range.lower));
        middle + 0.8 * half * random.range(-1.0, 1.0)
    };
    (0..model.robot.freedoms().len()).map(value).collect()
}

/// What moves.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    One,
    All,
    Holding,
    Two,
}

fn action(kind: ActionKind) -> Action {
    Action { kind, place: Place::default() }
}

fn scene(model: &Model, kind: Kind, random: &mut Random) -> Scene {
    let mut scene = Scene::default();
    let count = if kind == Kind::Two { 2 } else { 1 };
    let mut tasks = Vec::new();
    for number in 0..count {
        let start = values(model, random);
        let mut end = values(model, random);
        if kind == Kind::One {
            let moving = random.below(end.len());
            let to = end[moving];
            end.clone_from(&start);
            end[moving] = to;
        }
        let base =
            if number == 0 { Pose::IDENTITY } else { Pose::from_translation(Vec3::new(0.7, 0.1, 0.0)) };
        place(&mut scene, model, ["left", "right"][number], base, start);
        let mode = [Mode::Synchronous, Mode::Simultaneous, Mode::Sequential][random.below(3)];
        let to = Target::Joints(end.into_iter().map(Some).collect());
        let mut actions =
            vec![action(ActionKind::PointToPoint { to, mode, speed: 1.0, profile: Profile::Constant })];
        if kind == Kind::Holding {
            let robot = &scene.robots[0];
            let flange = model.robot.place(&robot.base, &robot.start).links[model.flange];
            let pose = flange * Pose::from_translation(model.tip);
            let held = scene.bodies.len();
            let own: Vec<usize> = robot.links[model.flange..].iter().flatten().copied().collect();
            let shape = Shape::Cuboid(Cuboid::new(Vec3::new(0.08, 0.05, 0.15)).unwrap());
            scene.bodies.push(body("part".to_owned(), shape, pose));
            scene.pairs.extend(own.into_iter().map(|link| rule(link, held)));
            actions.insert(0, action(ActionKind::Grasp { body: held, depth: None }));
        }
        tasks.push(Task { robot: number, actions, place: Place::default() });
    }
    for number in 0..4 {
        let size = |random: &mut Random| random.range(0.04, 0.2);
        let shape = match random.below(3) {
            0 => Shape::Cuboid(Cuboid::new(Vec3::new(size(random), size(random), size(random))).unwrap()),
            1 => Shape::Sphere(Sphere::new(0.5 * size(random)).unwrap()),
            _ => Shape::Capsule(Capsule::new(0.4 * size(random), size(random)).unwrap()),
        };
        let at = random.direction() * random.range(0.35, 0.9) + Vec3::new(0.0, 0.0, 0.35);
        scene.bodies.push(body(
            format!("obstacle {number}"),
            shape,
            Pose::new(random.rotation(), at).unwrap(),
        ));
    }
    let step =
        Step { name: "go".to_owned(), moves: Vec::new(), tasks, seconds: 1.0, place: Place::default() };
    scene.steps.push(step);
    scene
}

/// Two bodies during a stage.
struct Pair<'p> {
    shapes: [&'p Prepared; 2],
    motions: [Arc<dyn Motion>; 2],
}

impl Pair<'_> {
    fn a_from_b(&self, time: f64) -> Pose {
        let [a, b] = [0, 1].map(|k| self.motions[k].pose(time));
        a.inverse() * b
    }

    fn touch(&self, time: f64) -> bool {
        intersects(self.shapes[0], self.shapes[1], &self.a_from_b(time)).unwrap()
    }

    fn distance(&self, time: f64) -> f64 {
        distance(self.shapes[0], self.shapes[1], &self.a_from_b(time)).unwrap().distance
    }

    fn depth(&self, time: f64) -> f64 {
        contact(self.shapes[0], self.shapes[1], &self.a_from_b(time)).unwrap().depth
    }

    /// The smallest distance near a time, and when, by cutting in thirds.
    fn nearest(&self, mut low: f64, mut high: f64) -> (f64, f64) {
        for _ in 0..24 {
            let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
            let [at_a, at_b] = [a, b].map(|t| self.distance(t));
            if at_a.min(at_b) == 0.0 {
                return (0.0, if at_a == 0.0 { a } else { b });
            }
            if at_a < at_b { high = b } else { low = a }
        }
        (self.distance(0.5 * (low + high)), 0.5 * (low + high))
    }
}

#[derive(Default, Debug)]
struct Tally {
    motions: usize,
    pairs: usize,
    contacts: usize,
    overlaps: usize,
    undecided: usize,
    near: usize,
    /// The largest error that a contact time states.
    time_error: f64,
    /// The largest distance of bodies at the time of a contact.
    gap: f64,
    /// Samples before a contact in which bodies rest on each other, and how deep at most.
    rested: usize,
    deepest: f64,
    time: Duration,
    /// The motion that took longest, and its number.
    longest: (Duration, usize),
}

/// How long this thread has run, where the system tells; the time of the clock elsewhere.
fn cpu_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    told.map_or_else(
        || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default(),
        Duration::from_nanos,
    )
}

/// Everything that is wrong with what was found about a stage.
fn complaints(
    scene: &Scene,
    stage: &Stage,
    found: &StepResult,
    parts: &ShapeCache,
    tally: &mut Tally,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut least = f64::INFINITY;
    for a in 0..scene.bodies.len() {
        for b in a + 1..scene.bodies.len() {
            let movers = [a, b].map(|body| stage.mover_of(body));
            if movers[0] == movers[1] || scene.requirement(a, b).ignore.is_some() {
                continue;
            }
            tally.pairs += 1;
            let pair = Pair {
                shapes: [a, b].map(|body| parts.movable(body).unwrap().prepared()),
                motions: [a, b].map(|body| stage.motion(body)),
            };
            let names = format!("{} and {}", scene.bodies[a].name, scene.bodies[b].name);
            let of_pair = found.findings.iter().find(|f| f.pair == [a, b] || f.pair == [b, a]);
            let times = || (0..=SAMPLES).map(|k| k as f64 / SAMPLES as f64);
            let first = times().find(|t| pair.touch(*t));
            match of_pair.map(|finding| (finding.time, finding.kind)) {
                None => {
                    if found.fits.iter().any(|fit| *fit == [a, b] || *fit == [b, a]) {
                        continue;
                    }
                    if let Some(first) = first {
                        wrong.push(format!("{names}: touch at {first}, not found"));
                        continue;
                    }
                    let coarse: Vec<f64> = times().step_by(8).map(|t| pair.distance(t)).collect();
                    for k in 0..coarse.len() {
                        let next = |k: usize| coarse.get(k).copied().unwrap_or(f64::INFINITY);
                        let is_least = coarse[k] <= next(k.wrapping_sub(1)) && coarse[k] <= next(k + 1);
                        least = least.min(coarse[k]);
                        if coarse[k] < 0.05 && is_least {
                            tally.near += 1;
                            let step = 8.0 / SAMPLES as f64;
                            let at = k as f64 * step;
                            let (low, t) = pair.nearest((at - step).max(0.0), (at + step).min(1.0));
                            least = least.min(low);
                            if low == 0.0 && pair.depth(t) > SMALL {
                                wrong.push(format!("{names}: touch at {t}, seen closely, not found"));
                            }
                        }
                    }
                }
                Some((_, FindingKind::Overlap { .. })) => {
                    tally.overlaps += 1;
                    if first != Some(0.0) {
                        wrong.push(format!("{names}: said to overlap at the start, but touch at {first:?}"));
                    }
                }
                Some((time, FindingKind::Contact { time_error, point, .. })) => {
                    tally.contacts += 1;
                    tally.time_error = tally.time_error.max(time_error);
                    // What rests on the other at the start may get a bit deeper; all others are told where they first touch.
                    let least = if pair.distance(0.0) <= RESTING { RESTING } else { SMALL };
                    if let Some(first) = first
                        && first < time - time_error
                        && pair.depth(first) > least
                    {
                        let depth = pair.depth(first);
                        wrong.push(format!("{names}: {depth} deep at {first}, said to touch at {time}"));
                    }
                    // They are apart just before, as closely as samples can be: the last free one is before the contact.
                    let gap = pair.distance(time);
                    tally.gap = tally.gap.max(gap);
                    if gap > SMALL {
                        wrong.push(format!("{names}: {gap} apart at {time}, where they are said to touch"));
                    }
                    for k in 1..=8 {
                        let t = (time - time_error) * (1.0 - 0.5f64.powi(3 * k));
                        if pair.touch(t) && pair.depth(t) > SMALL {
                            tally.rested += 1;
                            tally.deepest = tally.deepest.max(pair.depth(t));
                        }
                        if pair.touch(t) && pair.depth(t) > least {
                            let depth = pair.depth(t);
                            wrong.push(format!("{names}: {depth} deep at {t}, before {time} - {time_error}"));
                        }
                    }
                    for k in 0..2 {
                        let p = pair.motions[k].pose(time).inverse().transform_point(point);
                        let dot = Prepared::new(Shape::Sphere(Sphere::new(1e-6).unwrap()));
                        let off =
                            distance(pair.shapes[k], &dot, &Pose::from_translation(p)).unwrap().distance;
                        if off > 1e-5 {
                            wrong.push(format!("{names}: the point is {off} off"));
                        }
                    }
                }
                Some((_, FindingKind::Undecided { .. })) => tally.undecided += 1,
                Some((_, kind)) => wrong.push(format!("{names}: {kind:?}")),
            }
        }
    }
    if let Some(closest) = &found.closest
        && closest.distance - closest.error > least + SMALL
    {
        wrong.push(format!("closest is {} - {}, but samples see {least}", closest.distance, closest.error));
    }
    wrong
}

fn run(model: &Model, motions: usize, seed: u64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // One kind alone, where its name is given.
    let asked = std::env::var("FREIRAUM_TEST_KIND").ok();
    for (number, kind) in [Kind::One, Kind::All, Kind::Holding, Kind::Two].into_iter().enumerate() {
        if asked.as_ref().is_some_and(|asked| *asked != format!("{kind:?}")) {
            continue;
        }
        let mut tally = Tally::default();
        let mut random = Random::new(seed + number as u64);
        for case in 0..motions.div_ceil(4) {
            let scene = scene(model, kind, &mut random);
            let timeline = Timeline::of(&scene).unwrap();
            let parts = ShapeCache::of(&scene);
            // Preparing shapes is not what is measured.
            for body in 0..scene.bodies.len() {
                parts.movable(body).unwrap();
            }
            let options = CheckOptions::default();
            let (result, time) = pool.install(|| {
                let start = cpu_time();
                let result = check(&scene, &timeline, &parts, &CheckMemory::default(), &options);
                (result, cpu_time().saturating_sub(start))
            });
            tally.time += time;
            if time > tally.longest.0 {
                tally.longest = (time, case);
            }
            let result = result.unwrap();
            tally.motions += 1;
            for (stage, found) in timeline.stages.iter().zip(&result.steps) {
                let wrong = complaints(&scene, stage, found, &parts, &mut tally);
                assert!(wrong.is_empty(), "{kind:?}, case {case}: {wrong:#?}");
            }
        }
        let each = tally.time.as_secs_f64() * 1e3 / tally.motions as f64;
        eprintln!("{}, {kind:?}: {each:.2} ms per motion, {tally:?}", model.robot.name());
        assert!(tally.undecided * 1000 <= tally.pairs, "{tally:?}");
    }
}

#[test]
fn the_demo_arm_among_obstacles() {
    run(&demo_arm(), scale::cases(40), 700);
}

#[test]
fn the_panda_among_obstacles() {
    let Some(model) = panda() else { return };
    run(&model, scale::cases(24), 710);
}
