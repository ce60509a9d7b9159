//! Checks of random plans against dense samples of the same motions, asked of the static queries.
//!
//! What is free must hold at every sample; a contact must be apart before and touch after; distances must lie where samples say. And the
//! answer is the same on one thread and on two, and with whatever is remembered of checks before.

use freiraum_assets::ShapeCache;
use freiraum_check::{
    CheckMemory, CheckOptions, Finding, FindingKind, PlanVerdict, Report, Stage, Timeline, check,
};
use freiraum_geometry::path::{Axis, Motion};
use freiraum_geometry::shape::{
    Capsule, Compound, Cone, Convex, Cuboid, Cylinder, HalfSpace, Part, Shape, Sphere,
};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::Movable;
use freiraum_query::{Prepared, contact, distance, intersects};
use freiraum_scene::{Body, Geometry, Move, PairRule, Piece, Place, Scene, Step, Travel};
use freiraum_testkit::models;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::sync::Arc;

/// Samples per step.
const SAMPLES: usize = 200;

/// What rounding, and iteration for round bodies, may be off by in scenes of some metres.
const SMALL: f64 = 2e-5;

/// Whole numbers of a tenth make faces that lie on each other.
fn length(random: &mut Random, is_grid: bool) -> f64 {
    if is_grid { 0.1 * (3 + random.below(8)) as f64 } else { random.range(0.3, 1.0) }
}

fn shape(random: &mut Random, is_grid: bool) -> Shape {
    let mut some = || length(random, is_grid);
    let (x, y, z) = (some(), some(), some());
    match random.below(if is_grid { 5 } else { 9 }) {
        0 | 1 => Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap()),
        2 => {
            let (arm, width) = (x + 0.3, 0.2);
            let outline = [(0.0, 0.0), (arm, 0.0), (arm, width), (width, width), (width, arm), (0.0, arm)];
            mesh(models::prism(&outline, z))
        }
        3 => {
            let half = Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap());
            let part =
                |at: Vec3| Part { compound_from_part: Pose::from_translation(at), shape: half.clone() };
            let parts = vec![part(Vec3::ZERO), part(Vec3::new(x, 0.0, z))];
            Shape::Compound(Compound::new(parts).unwrap())
        }
        4 => Shape::Cylinder(Cylinder::new(0.5 * x, y).unwrap()),
        5 => Shape::Capsule(Capsule::new(0.4 * x, y).unwrap()),
        6 => Shape::Sphere(Sphere::new(0.6 * x).unwrap()),
        7 => Shape::Cone(Cone::new(0.5 * x, y).unwrap()),
        _ => {
            let points: Vec<Vec3> = (0..12).map(|_| random.direction() * 0.6 * x).collect();
            let convex = Convex::from_points(&points).unwrap();
            if z < 0.6 { Shape::Mesh(Arc::new(convex.surface().clone())) } else { Shape::Convex(convex) }
        }
    }
}

fn mesh((vertices, faces): (Vec<Vec3>, Vec<[u32; 3]>)) -> Shape {
    Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap()))
}

fn on_grid(v: Vec3, is_grid: bool) -> Vec3 {
    if is_grid { (v * 10.0).round() * 0.1 } else { v }
}

fn pose(random: &mut Random, is_grid: bool) -> Pose {
    let at = on_grid(random.in_cube(1.2), is_grid);
    if is_grid { Pose::from_translation(at) } else { Pose::new(random.rotation(), at).unwrap() }
}

fn travel(random: &mut Random, is_grid: bool, is_piece: bool) -> Travel {
    let direction = if is_grid { [Vec3::X, Vec3::Y, Vec3::Z][random.below(3)] } else { random.direction() };
    let kinds = if is_piece { 5 } else { 6 };
    match random.below(kinds) {
        0 | 1 => {
            let by = if is_grid { direction * random.range(-1.0, 1.0) } else { random.in_cube(1.0) };
            Travel::Translate(on_grid(by, is_grid))
        }
        2 | 3 => {
            let axis = Axis::new(on_grid(random.in_cube(0.5), is_grid), direction).unwrap();
            let advance = if random.below(2) == 0 { 0.0 } else { random.range(-0.5, 0.5) };
            Travel::Turn { axis, angle: random.range(-3.0, 3.0), advance }
        }
        4 => Travel::To(pose(random, is_grid)),
        _ => {
            let piece = |random: &mut Random| Piece {
                travel: travel(random, is_grid, true),
                share: random.range(0.5, 2.0),
            };
            Travel::Path((0..2 + random.below(2)).map(|_| piece(random)).collect())
        }
    }
}

fn scene(random: &mut Random) -> Scene {
    let is_grid = random.below(3) == 0;
    let count = 3 + random.below(4);
    let body = |random: &mut Random, k: usize| Body {
        name: format!("body {k}"),
        geometry: Geometry::Shape(shape(random, is_grid)),
        is_fixed: false,
        color: None,
        pose: pose(random, is_grid),
        goal: None,
        place: Place::default(),
    };
    let mut bodies: Vec<Body> = (0..count).map(|k| body(random, k)).collect();
    if random.below(6) == 0 {
        let floor = HalfSpace::new(Vec3::Z, -1.0).unwrap();
        bodies[0].geometry = Geometry::Shape(Shape::HalfSpace(floor));
        bodies[0].pose = Pose::IDENTITY;
    }
    let step = |random: &mut Random| {
        // Bodies 1 and higher move, in one group, in two or alone.
        let mut free: Vec<usize> = (1..count).collect();
        let mut moves = Vec::new();
        for _ in 0..1 + random.below(2) {
            let size = (1 + random.below(2)).min(free.len());
            if size > 0 {
                let bodies: Vec<usize> =
                    (0..size).map(|_| free.swap_remove(random.below(free.len()))).collect();
                let subject = format!("{bodies:?}");
                let travel = travel(random, is_grid, false);
                moves.push(Move { subject, bodies, travel, place: Place::default() });
            }
        }
        Step { name: "step".to_owned(), moves, tasks: Vec::new(), seconds: 1.0, place: Place::default() }
    };
    let steps = (0..1 + random.below(4)).map(|_| step(random)).collect();
    let mut pairs = Vec::new();
    if random.below(3) == 0 {
        let [a, b] = [random.below(count), random.below(count)];
        let some = |random: &mut Random, x: f64| (random.below(2) == 0).then_some(x);
        pairs.push(PairRule {
            bodies: [vec![a], vec![b]],
            clearance: some(random, 0.03),
            allowance: some(random, 0.04),
            approach: None,
            ignore: some(random, 0.0).map(|_| "soft".to_owned()),
            place: Place::default(),
        });
    }
    let clearance = [0.0, 0.0, 0.02, 0.1][random.below(4)];
    let allowance = [0.0, 0.0, 0.01, 0.05][random.below(4)];
    Scene { clearance, allowance, bodies, pairs, steps, ..Scene::default() }
}

fn run(scene: &Scene, memory: &CheckMemory, threads: usize) -> Report {
    let timeline = Timeline::of(scene).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| check(scene, &timeline, &ShapeCache::of(scene), memory, &CheckOptions::default()))
        .unwrap()
}

/// What two bodies do at a time.
#[derive(Clone, Copy, Debug)]
struct Sample {
    time: f64,
    distance: f64,
    /// How deep a point is in both, which shrinking by that much on each side would leave; 0 if apart.
    common: f64,
}

struct Pair<'p> {
    shapes: [&'p Prepared; 2],
    motions: [Arc<dyn Motion>; 2],
}

impl Pair<'_> {
    fn at(&self, time: f64) -> Sample {
        let poses = [0, 1].map(|k| self.motions[k].pose(time));
        let a_from_b = poses[0].inverse() * poses[1];
        let [a, b] = self.shapes;
        if !intersects(a, b, &a_from_b).unwrap() {
            return Sample { time, distance: distance(a, b, &a_from_b).unwrap().distance, common: 0.0 };
        }
        let found = contact(a, b, &a_from_b).unwrap();
        let mut deepest = found.points;
        deepest.sort_by(|x, y| y.depth.total_cmp(&x.depth));
        let common = deepest.iter().take(4).map(|point| {
            let middle = point.point + point.normal * (0.5 * point.depth);
            let candidates = [point.point, middle, point.point - point.normal * (0.5 * point.depth)];
            let b_from_a = a_from_b.inverse();
            let common = candidates.map(|p| inside(a, p).min(inside(b, b_from_a.transform_point(p))));
            common.into_iter().fold(0.0, f64::max)
        });
        Sample { time, distance: 0.0, common: common.fold(0.0, f64::max) }
    }
}

/// A lower bound of how deep a point is below the surface of a body: the radius of a ball around it that is inside.
fn inside(body: &Prepared, point: Vec3) -> f64 {
    let Some(true) = body.shape().contains(point) else { return 0.0 };
    let least = |radius: f64, n: usize| {
        (0..n).all(|k| {
            // Points of a spiral around the sphere.
            let z = 1.0 - (2.0 * k as f64 + 1.0) / n as f64;
            let (sin, cos) = (2.4 * k as f64).sin_cos();
            let r = (1.0 - z * z).sqrt();
            body.shape().contains(point + radius * Vec3::new(r * cos, r * sin, z)) == Some(true)
        })
    };
    let (mut low, mut high) = (0.0, 0.5);
    for _ in 0..14 {
        let middle = 0.5 * (low + high);
        if least(middle, 60) { low = middle } else { high = middle }
    }
    // Between the points of the spiral the ball may stand out a little.
    0.97 * low
}

/// Everything that is wrong with what was found about a step.
fn complaints(
    scene: &Scene,
    stage: &Stage,
    found: &freiraum_check::StepResult,
    shapes: &[Movable],
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut least: Option<(f64, [usize; 2])> = None;
    let is_blocked = found.findings.iter().any(|f| !matches!(f.kind, FindingKind::TooClose { .. }));
    for a in 0..scene.bodies.len() {
        for b in a + 1..scene.bodies.len() {
            let requirement = scene.requirement(a, b);
            let movers = [a, b].map(|body| stage.mover_of(body));
            if movers[0] == movers[1] || requirement.ignore.is_some() {
                continue;
            }
            let pair = Pair {
                shapes: [a, b].map(|body| shapes[body].prepared()),
                motions: [a, b].map(|body| stage.motion(body)),
            };
            let of_pair = |f: &&Finding| f.pair == [a, b] || f.pair == [b, a];
            let samples: Vec<Sample> = (0..=SAMPLES).map(|k| pair.at(k as f64 / SAMPLES as f64)).collect();
            let is_fit = found.fits.contains(&[a, b]) || found.fits.contains(&[b, a]);
            let ends = [&samples[0], &samples[SAMPLES]];
            let touches = |s: &Sample, gap: f64| s.distance <= gap;
            let blocked = found
                .findings
                .iter()
                .filter(of_pair)
                .find(|f| !matches!(f.kind, FindingKind::TooClose { .. }));
            let close = found
                .findings
                .iter()
                .filter(of_pair)
                .find(|f| matches!(f.kind, FindingKind::TooClose { .. }));
            let mut complain = |text: String| wrong.push(format!("{a} and {b}: {text}"));
            if is_fit && !ends.iter().any(|s| touches(s, SMALL)) {
                complain(format!("a fit that does not touch: {ends:?}"));
            }
            if blocked.is_none() && !is_fit && ends.iter().any(|s| touches(s, 0.0)) {
                complain(format!("it touches in a state and is neither a fit nor a collision: {ends:?}"));
            }
            let until = blocked.map_or(f64::INFINITY, |f| f.time);
            for sample in samples.iter().filter(|sample| sample.time < until) {
                if sample.common > 0.5 * requirement.allowance + SMALL {
                    complain(format!("{} deep in both is called free: {sample:?}", sample.common));
                    break;
                }
                if requirement.allowance == 0.0 && !is_fit && blocked.is_none() && touches(sample, 0.0) {
                    complain(format!("touches and is called free: {sample:?}"));
                    break;
                }
            }
            if let Some(finding) = blocked {
                match finding.kind {
                    FindingKind::Contact { time_error, .. } => {
                        let [before, at] = [-1.0, 1.0]
                            .map(|side| pair.at((finding.time + side * time_error).clamp(0.0, 1.0)));
                        if at.distance > SMALL {
                            complain(format!("a contact that does not touch: {at:?}"));
                        }
                        if before.common > 0.5 * requirement.allowance + SMALL {
                            complain(format!("already too deep before the contact: {before:?}"));
                        }
                        let was_apart = |s: &Sample| s.time < finding.time - time_error;
                        let is_first = !ends.iter().any(|s| touches(s, SMALL));
                        let early = samples.iter().find(|s| was_apart(s) && touches(s, 0.0));
                        if let Some(s) = early.filter(|_| requirement.allowance == 0.0 && is_first) {
                            complain(format!("touched before {}: {s:?}", finding.time));
                        }
                    }
                    FindingKind::Overlap { depth, .. } => {
                        if !touches(ends[0], 0.0) {
                            complain(format!("an overlap of {depth:?} that is none"));
                        }
                        // Corners where more than three planes meet shrink by less.
                        if depth.is_none_or(|depth| depth < 0.5 * requirement.allowance) {
                            complain(format!("an overlap of {depth:?} is allowed"));
                        }
                    }
                    _ => complain(format!("{finding:?}")),
                }
                continue;
            }
            let sampled = samples.iter().map(|s| s.distance).fold(f64::INFINITY, f64::min);
            let is_asked = requirement.is_explicit || !is_fit;
            let required = if is_asked { requirement.clearance } else { 0.0 };
            match close.map(|f| (f.kind, f.time)) {
                None if sampled < required - SMALL => {
                    complain(format!("{sampled} is called enough, required {required}"));
                }
                Some((FindingKind::TooClose { distance, error, required: asked, .. }, time)) => {
                    if asked != required || distance >= required {
                        complain(format!("{distance} is called too close, required {required}, {asked}"));
                    }
                    if sampled < distance - error - SMALL {
                        complain(format!("too close by {distance} - {error}, but {sampled} was found"));
                    }
                    let there = pair.at(time).distance;
                    if (there - distance).abs() > SMALL {
                        complain(format!("too close by {distance}, but there it is {there}"));
                    }
                }
                _ => {}
            }
            if !is_fit && least.is_none_or(|(least, _)| sampled < least) {
                least = Some((sampled, [a, b]));
            }
        }
    }
    match (&found.closest, least) {
        (Some(closest), Some((least, pair))) => {
            if least < closest.distance - closest.error - SMALL {
                wrong.push(format!("{pair:?} come as close as {least}: {closest:?}"));
            }
            let motions = closest.pair.map(|body| stage.motion(body));
            let shapes = closest.pair.map(|body| shapes[body].prepared());
            let there = Pair { shapes, motions }.at(closest.time).distance;
            if (there - closest.distance).abs() > SMALL {
                wrong.push(format!("at that time they are {there} apart: {closest:?}"));
            }
            let [p, q] = closest.points;
            if (p.distance(q) - closest.distance).abs() > SMALL {
                wrong.push(format!("points do not fit the distance: {closest:?}"));
            }
        }
        (None, Some((least, pair))) if !is_blocked => {
            wrong.push(format!("{pair:?} come as close as {least}, and nothing is told"));
        }
        _ => {}
    }
    wrong
}

#[test]
fn what_is_said_of_steps_holds_at_samples() {
    let mut verdicts = [0; 5];
    let mut wrong = Vec::new();
    for seed in 0..cases(10) as u64 {
        let scene = scene(&mut Random::new(seed));
        let timeline = Timeline::of(&scene).unwrap();
        let parts = ShapeCache::of(&scene);
        let found = check(&scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default());
        let found = match found {
            Ok(found) => found,
            // A small face of a body would be lost.
            Err(problems) if problems[0].message.contains("an allowance of") => continue,
            Err(problems) => panic!("seed {seed}: {problems:?}"),
        };
        let shapes: Vec<Movable> =
            (0..scene.bodies.len()).map(|body| parts.movable(body).unwrap().clone()).collect();
        for (stage, step) in timeline.stages.iter().zip(&found.steps) {
            verdicts[step.verdict as usize] += 1;
            let told = complaints(&scene, stage, step, &shapes);
            wrong.extend(told.into_iter().map(|text| format!("seed {seed}: {text}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(verdicts[PlanVerdict::Free as usize] > 0 && verdicts[PlanVerdict::Collision as usize] > 0);
}

#[test]
fn neither_threads_nor_memory_change_an_answer() {
    for seed in 0..cases(10) as u64 {
        let random = &mut Random::new(seed);
        let mut scene = scene(random);
        let memory = CheckMemory::default();
        for round in 0..4 {
            let fresh = run(&scene, &CheckMemory::default(), 1);
            let of_two = run(&scene, &CheckMemory::default(), 2);
            assert_eq!(fresh, of_two, "seed {seed}, round {round}");
            let mut remembered = run(&scene, &memory, 2);
            remembered.pairs_remembered = 0;
            assert_eq!(fresh, remembered, "seed {seed}, round {round}");
            // Something else is asked of what is remembered.
            scene.clearance = [0.0, 0.01, 0.1, 0.3][random.below(4)];
            let near = fresh.steps.iter().find_map(|step| step.closest);
            if let Some(near) = near.filter(|near| near.error > 0.0 && random.below(2) == 0) {
                scene.clearance = near.distance - 0.5 * near.error;
            }
            if random.below(3) == 0 {
                scene.allowance = [0.0, 0.02][random.below(2)];
            }
            let last = scene.bodies.len() - 1;
            scene.bodies.swap(0, last);
        }
    }
}
