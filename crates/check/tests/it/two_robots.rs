//! Random programs of two robots that take parts from their places, carry them about each other, wait for each other and put them down, against a simulation of its own.
//!
//! The simulation shares nothing with the check but forward kinematics: it has its own clock, its own idea of who holds what, and asks the shapes of links one by one for their signed
//! distance at many times, and at more where they come close. What it sees touch must have been found, no later; what is free must be free.

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, FindingKind, StepResult, Timeline, check};
use freiraum_geometry::shape::{Capsule, Compound, Cuboid, Cylinder, Part, Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::{Prepared, distance};
use freiraum_robot::dh::{self, Convention, Row};
use freiraum_robot::trajectory::{Mode, Profile};
use freiraum_robot::{JointKind, Limits, Link, LinkShape, Robot};
use freiraum_scene::{
    Action, ActionKind, Body, Geometry, PairRule, Place, PlacedRobot, RobotSource, Scene, Step, Target, Task,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale;
use std::sync::Arc;

/// Looks per stage and pair, but for those close to the least distances.
const SAMPLES: usize = 120;
/// What rounding and iteration may be off by, in metres.
const SMALL: f64 = 1e-7;
/// How deep bodies that rest on each other may get before it is told, in metres.
const RESTING: f64 = 2e-5;

/// A body as the simulation knows it: convex, and where it is on its link or in the world.
struct Solid {
    shape: Prepared,
    /// Robot and link, for links.
    link: Option<(usize, usize)>,
    /// Of the shape on its link, or of the body in the world at the start.
    at: Pose,
}

/// A program that the simulation can run.
#[derive(Clone, Debug)]
enum Act {
    Go { to: Vec<f64>, mode: Mode, speed: f64 },
    Wait(f64),
    Sync(usize),
    Grasp(usize),
    Release(usize),
}

struct Case {
    scene: Scene,
    solids: Vec<Solid>,
    programs: [Vec<Act>; 2],
}

/// The speeds of the joints.
const SPEEDS: [f64; 3] = [1.5, 2.0, 0.4];

/// Two joints that turn about z and one that slides down, with a hand at the end.
fn arm(random: &mut Random) -> Robot {
    let row =
        |l, d, kind, velocity, limits| Row { l, d, kind, velocity: Some(velocity), limits, ..Row::default() };
    let turn = Limits { lower: -2.8, upper: 2.8 };
    let rows = [
        row(0.0, 0.45, JointKind::Revolute, SPEEDS[0], turn),
        row(0.3, 0.0, JointKind::Revolute, SPEEDS[1], turn),
        Row {
            alpha: 180f64.to_radians(),
            ..row(0.25, 0.0, JointKind::Prismatic, SPEEDS[2], Limits { lower: 0.0, upper: 0.4 })
        },
    ];
    let plain = dh::robot("arm", &rows, Convention::Modified).unwrap();
    let at = |x, y, z| Pose::from_translation(Vec3::new(x, y, z));
    let along_x = Pose::from_axis_angle(Vec3::Y, 90f64.to_radians()).unwrap();
    let cuboid = |x, y, z| Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap());
    let bar = |random: &mut Random, length: f64| match random.below(3) {
        0 => (at(0.5 * length, 0.0, 0.0), cuboid(length, 0.06, 0.06)),
        1 => (
            at(0.5 * length, 0.0, 0.0) * along_x,
            Shape::Capsule(Capsule::new(0.035, length - 0.07).unwrap()),
        ),
        _ => (at(0.5 * length, 0.0, 0.0) * along_x, Shape::Cylinder(Cylinder::new(0.035, length).unwrap())),
    };
    let shapes = [
        (at(0.0, 0.0, 0.2), cuboid(0.1, 0.1, 0.4)),
        bar(random, 0.3),
        bar(random, 0.25),
        // Down to the hand, whose lower end is at z = 0.05 of its frame.
        (at(0.0, 0.0, -0.12), cuboid(0.03, 0.03, 0.34)),
    ];
    let links = plain.links().iter().zip(shapes).map(|(link, (link_from_shape, shape))| Link {
        collision: vec![LinkShape { link_from_shape, shape }],
        ..link.clone()
    });
    Robot::new("arm", links.collect(), plain.joints().to_vec()).unwrap()
}

/// The end of the hand in the frame of the last link.
const TIP: f64 = 0.05;

fn body(name: String, shape: Shape, pose: Pose) -> Body {
    let geometry = Geometry::Shape(shape);
    Body { name, geometry, is_fixed: false, color: None, pose, goal: None, place: Place::default() }
}

fn rule(a: usize, b: usize, allowance: Option<f64>) -> PairRule {
    let ignore = allowance.is_none().then(|| "by design".to_owned());
    PairRule {
        bodies: [vec![a], vec![b]],
        clearance: None,
        allowance,
        approach: None,
        ignore,
        place: Place::default(),
    }
}

fn case(random: &mut Random) -> Case {
    let (mut scene, mut solids) = (Scene::default(), Vec::new());
    let mut programs = [Vec::new(), Vec::new()];
    let both = random.below(4) != 0;
    let far = random.range(0.55, 0.95);
    let mut add = |scene: &mut Scene, name: String, shape: Shape, pose: Pose| {
        solids.push(Solid { shape: Prepared::new(shape.clone()), link: None, at: pose });
        scene.bodies.push(body(name, shape, pose));
        scene.bodies.len() - 1
    };
    let syncs = random.below(3);
    // The first may leave its part at the first point, where the second takes it.
    let is_handed = both && syncs > 0 && random.below(2) == 0;
    let mut handed = None;
    for (robot, program) in programs.iter_mut().enumerate() {
        let model = Arc::new(arm(random));
        let base = match robot {
            0 => Pose::IDENTITY,
            _ => {
                Pose::from_translation(Vec3::new(far, 0.1, 0.0))
                    * Pose::from_axis_angle(Vec3::Z, std::f64::consts::PI).unwrap()
            }
        };
        let values = |random: &mut Random| {
            vec![random.range(-1.2, 1.2), random.range(-2.0, 2.0), random.range(0.05, 0.3)]
        };
        let start = values(random);
        let links = model.place(&base, &start).links;
        let mut numbers = Vec::new();
        for (number, link) in model.links().iter().enumerate() {
            let LinkShape { link_from_shape, shape } = &link.collision[0];
            let part = Part { compound_from_part: *link_from_shape, shape: shape.clone() };
            let all = Shape::Compound(Compound::new(vec![part]).unwrap());
            let name = format!("{robot}/{number}");
            numbers.push(Some(add(&mut scene, name, all, links[number])));
        }
        for pair in numbers.windows(2) {
            scene.pairs.push(rule(pair[0].unwrap(), pair[1].unwrap(), None));
        }
        // The hand reaches down through the second arm.
        scene.pairs.push(rule(numbers[1].unwrap(), numbers[3].unwrap(), None));
        let hand = numbers[3].unwrap();
        // A part beneath the hand, a bit inside of it or touching it, on a post or in the air.
        let tip = links[3].transform_point(Vec3::Z * TIP);
        let (height, width) = (random.range(0.03, 0.08), random.range(0.03, 0.1));
        let shape = match random.below(3) {
            0 => Shape::Cylinder(Cylinder::new(0.5 * width, height).unwrap()),
            _ => Shape::Cuboid(Cuboid::new(Vec3::new(width, width, height)).unwrap()),
        };
        let inside = [0.0, 0.0005][random.below(2)];
        let turned = Pose::from_axis_angle(Vec3::Z, random.range(0.0, 3.0)).unwrap();
        let low = tip.z + inside - height;
        let pose = Pose::from_translation(Vec3::new(tip.x, tip.y, tip.z + inside - 0.5 * height)) * turned;
        let part = add(&mut scene, format!("part {robot}"), shape, pose);
        if inside > 0.0 {
            scene.pairs.push(rule(hand, part, Some(0.001)));
        }
        if random.below(3) != 0 && low > 0.02 {
            let post = Shape::Cuboid(Cuboid::new(Vec3::new(0.06, 0.06, low)).unwrap());
            let pose = Pose::from_translation(Vec3::new(tip.x, tip.y, 0.5 * low));
            add(&mut scene, format!("post {robot}"), post, pose);
        }
        scene.robots.push(PlacedRobot {
            name: robot.to_string(),
            model,
            source: RobotSource::Table,
            base,
            start: start.clone(),
            links: numbers,
            flange: 3,
            flange_from_tool: Pose::from_translation(Vec3::Z * TIP),
            tools: Vec::new(),
            states: Vec::new(),
            place: Place::default(),
        });
        if robot == 1 && !both {
            continue;
        }
        let go = |random: &mut Random, to: Vec<f64>| {
            let mode = [Mode::Synchronous, Mode::Simultaneous, Mode::Sequential][random.below(3)];
            Act::Go { to, mode, speed: [1.0, 0.5, 0.3][random.below(3)] }
        };
        if random.below(3) == 0 {
            program.push(Act::Wait(random.range(0.05, 1.5)));
        }
        let lifted = |values: &[f64], by: f64| vec![values[0], values[1], (values[2] - by).max(0.0)];
        let is_taken = random.below(4) != 0;
        if is_taken {
            program.push(Act::Grasp(part));
        }
        if random.below(6) != 0 {
            let by = random.range(0.01, 0.2);
            program.push(go(random, lifted(&start, by)));
        }
        let mut sync = 0;
        for _ in 0..1 + random.below(2) {
            let to = values(random);
            program.push(go(random, to));
            if both && sync < syncs {
                if is_handed && sync == 0 && robot == 0 && is_taken {
                    program.push(Act::Release(part));
                    handed = Some(part);
                }
                program.push(Act::Sync(sync));
                if let Some(part) = handed.filter(|_| sync == 0 && robot == 1) {
                    program.push(Act::Grasp(part));
                }
                sync += 1;
            }
        }
        if random.below(2) == 0 {
            // Back to where it came from: exactly onto its post, or a bit too deep.
            program.push(go(random, lifted(&start, 0.04)));
            let down = [0.0, 0.0, 1e-3, 1e-6][random.below(4)];
            program.push(go(random, lifted(&start, -down)));
            if is_taken {
                if handed != Some(part) {
                    program.push(Act::Release(part));
                }
                program.push(go(random, lifted(&start, 0.03)));
            }
        }
        if random.below(4) == 0 {
            program.push(Act::Wait(random.range(0.05, 0.5)));
        }
        // Both come to all points, in the same order.
        program.extend((sync..if both { syncs } else { 0 }).map(Act::Sync));
    }
    for number in 0..random.below(3) {
        let size = |random: &mut Random| random.range(0.04, 0.2);
        let shape = match random.below(3) {
            0 => Shape::Cuboid(Cuboid::new(Vec3::new(size(random), size(random), size(random))).unwrap()),
            1 => Shape::Sphere(Sphere::new(0.5 * size(random)).unwrap()),
            _ => Shape::Cylinder(Cylinder::new(0.4 * size(random), size(random)).unwrap()),
        };
        let at = Vec3::new(random.range(-0.4, 1.3), random.range(-0.6, 0.6), random.range(0.1, 0.6));
        let pose = Pose::new(random.rotation(), at).unwrap();
        add(&mut scene, format!("obstacle {number}"), shape, pose);
    }
    scene.allowance = [0.0, 0.0, 0.0, 0.002][random.below(4)];
    // Links as the simulation has them.
    for (robot, placed) in scene.robots.iter().enumerate() {
        for (link, body) in placed.links.iter().enumerate() {
            let LinkShape { link_from_shape, shape } = &placed.model.links()[link].collision[0];
            let shape = Prepared::new(shape.clone());
            solids[body.unwrap()] = Solid { shape, link: Some((robot, link)), at: *link_from_shape };
        }
    }
    let tasks = programs.iter().enumerate().filter(|(_, program)| !program.is_empty());
    let tasks = tasks.map(|(robot, program)| Task {
        robot,
        actions: program.iter().map(action).collect(),
        place: Place::default(),
    });
    let step = Step {
        name: "go".to_owned(),
        moves: Vec::new(),
        tasks: tasks.collect(),
        seconds: 1.0,
        place: Place::default(),
    };
    scene.steps.push(step);
    Case { scene, solids, programs }
}

fn action(act: &Act) -> Action {
    let kind = match act {
        Act::Go { to, mode, speed } => {
            let to = Target::Joints(to.iter().copied().map(Some).collect());
            ActionKind::PointToPoint { to, mode: *mode, speed: *speed, profile: Profile::Constant }
        }
        Act::Wait(seconds) => ActionKind::Wait(*seconds),
        Act::Sync(number) => ActionKind::Sync(format!("point {number}")),
        Act::Grasp(body) => ActionKind::Grasp { body: *body, depth: None },
        Act::Release(body) => ActionKind::Release { body: *body },
    };
    Action { kind, place: Place::default() }
}

/// What the simulation knows of a robot: when which joint starts to move where to and how fast, and when what is taken and left.
#[derive(Default)]
struct Track {
    now: f64,
    values: Vec<f64>,
    /// Joint, from when to when, from where to where.
    moves: Vec<(usize, [f64; 2], [f64; 2])>,
    /// When, what, and whether it is taken.
    events: Vec<(f64, usize, bool)>,
}

impl Track {
    fn act(&mut self, act: &Act) {
        match act {
            Act::Wait(seconds) => self.now += seconds,
            Act::Grasp(body) => self.events.push((self.now, *body, true)),
            Act::Release(body) => self.events.push((self.now, *body, false)),
            Act::Sync(_) => {}
            Act::Go { to, mode, speed } => {
                let takes: Vec<f64> =
                    (0..3).map(|k| (to[k] - self.values[k]).abs() / (SPEEDS[k] * speed)).collect();
                let longest = takes.iter().copied().fold(0.0, f64::max);
                let mut begin = self.now;
                for k in 0..3 {
                    let takes = if *mode == Mode::Synchronous { longest } else { takes[k] };
                    self.moves.push((k, [begin, begin + takes], [self.values[k], to[k]]));
                    if *mode == Mode::Sequential {
                        begin += takes;
                    }
                }
                self.now = if *mode == Mode::Sequential { begin } else { self.now + longest };
                self.values.clone_from(to);
            }
        }
    }

    fn at(&self, start: &[f64], time: f64) -> Vec<f64> {
        let mut values = start.to_vec();
        for (joint, [begin, end], [from, to]) in &self.moves {
            if time >= *end {
                values[*joint] = *to;
            } else if time > *begin {
                values[*joint] = from + (time - begin) / (end - begin) * (to - from);
            }
        }
        values
    }
}

/// Both robots, run by the simulation.
fn simulate(case: &Case) -> [Track; 2] {
    let mut tracks = [0, 1]
        .map(|robot: usize| Track { values: case.scene.robots[robot].start.clone(), ..Track::default() });
    let mut next = [0, 0];
    loop {
        for robot in 0..2 {
            while let Some(act) = case.programs[robot].get(next[robot]) {
                if matches!(act, Act::Sync(_)) {
                    break;
                }
                tracks[robot].act(act);
                next[robot] += 1;
            }
        }
        if next[0] >= case.programs[0].len() || next[1] >= case.programs[1].len() {
            break;
        }
        let latest = tracks[0].now.max(tracks[1].now);
        for robot in 0..2 {
            tracks[robot].now = latest;
            next[robot] += 1;
        }
    }
    tracks
}

impl Case {
    /// Where the shapes of all bodies are at a time.
    fn poses(&self, tracks: &[Track; 2], time: f64) -> Vec<Pose> {
        let links = |time: f64| {
            [0, 1].map(|robot: usize| {
                let placed = &self.scene.robots[robot];
                placed.model.place(&placed.base, &tracks[robot].at(&placed.start, time)).links
            })
        };
        let now = links(time);
        let mut poses: Vec<Pose> = self
            .solids
            .iter()
            .map(|solid| solid.link.map_or(solid.at, |(robot, link)| now[robot][link] * solid.at))
            .collect();
        for (robot, track) in tracks.iter().enumerate() {
            for (begin, body, is_taken) in &track.events {
                if !is_taken || *begin > time {
                    continue;
                }
                let left = track.events.iter().find(|(_, other, taken)| other == body && !taken);
                let end = left.map_or(time, |left| left.0.min(time));
                let [first, last] = [*begin, end].map(|time| links(time)[robot][3]);
                poses[*body] = last * first.inverse() * poses[*body];
            }
        }
        poses
    }
}

#[derive(Default, Debug)]
struct Tally {
    programs: usize,
    stages: usize,
    free: usize,
    pairs: usize,
    contacts: usize,
    overlaps: usize,
    fits: usize,
    undecided: usize,
    near: usize,
}

/// A pair of bodies during a stage that begins and ends at these seconds.
struct Look<'l> {
    case: &'l Case,
    tracks: &'l [Track; 2],
    pair: [usize; 2],
    span: [f64; 2],
}

impl Look<'_> {
    fn poses(&self, share: f64) -> [Pose; 2] {
        let [begin, end] = self.span;
        let time = begin + share * (end - begin);
        let poses = self.case.poses(self.tracks, time);
        self.pair.map(|body| poses[body])
    }

    /// Negative: how deep they are in each other.
    fn distance(&self, share: f64) -> f64 {
        let [a, b] = self.poses(share);
        let [of_a, of_b] = self.pair.map(|body| &self.case.solids[body].shape);
        distance(of_a, of_b, &(a.inverse() * b)).unwrap().distance
    }
}

fn complaints(
    case: &Case,
    tracks: &[Track; 2],
    span: [f64; 2],
    found: &StepResult,
    tally: &mut Tally,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut least_of_all = f64::INFINITY;
    let shares: Vec<f64> = (0..=SAMPLES).map(|k| k as f64 / SAMPLES as f64).collect();
    let times = shares.iter().map(|share| span[0] + share * (span[1] - span[0]));
    let all: Vec<Vec<Pose>> = times.map(|time| case.poses(tracks, time)).collect();
    let count = case.solids.len();
    for pair in (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b])) {
        let required = case.scene.requirement(pair[0], pair[1]);
        if required.ignore.is_some() {
            continue;
        }
        let relative: Vec<Pose> = all.iter().map(|poses| poses[pair[0]].inverse() * poses[pair[1]]).collect();
        let is_still = relative.iter().all(|pose| {
            let turned = 1.0 - pose.rotation().dot(relative[0].rotation()).abs();
            pose.translation().distance(relative[0].translation()) < 1e-12 && turned < 1e-15
        });
        // What does not move against each other was looked at before.
        if is_still {
            continue;
        }
        tally.pairs += 1;
        let look = Look { case, tracks, pair, span };
        let [of_a, of_b] = pair.map(|body| &case.solids[body].shape);
        let seen: Vec<f64> =
            relative.iter().map(|pose| distance(of_a, of_b, pose).unwrap().distance).collect();
        let mut least = (f64::INFINITY, 0.0);
        for (share, seen) in shares.iter().zip(&seen) {
            if *seen < least.0 {
                least = (*seen, *share);
            }
        }
        // Closer where it may come closer.
        let near = (0..seen.len()).filter(|k| {
            let other = |k: usize| seen.get(k).copied().unwrap_or(f64::INFINITY);
            seen[*k].abs() < 0.02 && seen[*k] <= other(k.wrapping_sub(1)) && seen[*k] <= other(k + 1)
        });
        for k in near.collect::<Vec<_>>() {
            tally.near += 1;
            let (mut low, mut high) = (shares[k.saturating_sub(1)], shares[(k + 1).min(SAMPLES)]);
            for _ in 0..20 {
                let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
                let [at_a, at_b] = [a, b].map(|share| look.distance(share));
                for at in [(at_a, a), (at_b, b)] {
                    if at.0 < least.0 {
                        least = at;
                    }
                }
                if at_a < at_b { high = b } else { low = a }
            }
        }
        let names = format!("{} and {}", case.scene.bodies[pair[0]].name, case.scene.bodies[pair[1]].name);
        let allowance = required.allowance;
        let is_fit = found.fits.iter().any(|fit| *fit == pair || *fit == [pair[1], pair[0]]);
        let finding = found.findings.iter().find(|f| f.pair == pair || f.pair == [pair[1], pair[0]]);
        // A fit at the start or at the end may get a bit deeper on the way before it is told.
        let rests = seen[0] <= RESTING || seen[SAMPLES].abs() <= RESTING;
        // Corners may be deeper than what is allowed to faces.
        let deepest = 2.0 * allowance + if rests || is_fit { RESTING } else { SMALL };
        match finding.map(|finding| (finding.time, finding.kind)) {
            None => {
                if least.0 < -deepest {
                    wrong.push(format!("{names}: {} deep at {}, not found", -least.0, least.1));
                }
                if is_fit {
                    tally.fits += 1;
                    if seen[0].min(seen[SAMPLES]) > RESTING {
                        wrong.push(format!("{names}: no fit, {} {}", seen[0], seen[SAMPLES]));
                    }
                } else {
                    least_of_all = least_of_all.min(least.0);
                }
            }
            Some((_, FindingKind::Overlap { .. })) => {
                tally.overlaps += 1;
                if seen[0] > -allowance + SMALL {
                    wrong.push(format!("{names}: said to overlap, but {} apart", seen[0]));
                }
            }
            Some((time, FindingKind::Contact { time_error, .. })) => {
                tally.contacts += 1;
                let at = look.distance(time);
                // The hand may be a bit deep in what it holds, and what rests may get deeper before it is told.
                if at > SMALL || at < -deepest {
                    wrong.push(format!("{names}: {at} at {time}, where they are said to touch"));
                }
                let before = shares.iter().zip(&seen).filter(|(share, _)| **share < time - time_error);
                let close = (1..=8).map(|k| (time - time_error) * (1.0 - 0.5f64.powi(3 * k)));
                let close: Vec<(f64, f64)> = close.map(|share| (share, look.distance(share))).collect();
                let before = before.map(|(share, seen)| (*share, *seen)).chain(close);
                if let Some((share, deep)) = { before }.find(|(_, seen)| *seen < -deepest) {
                    wrong.push(format!("{names}: {deep} at {share}, before {time} - {time_error}"));
                }
            }
            Some((_, FindingKind::Undecided { .. })) => tally.undecided += 1,
            Some((_, kind)) => wrong.push(format!("{names}: {kind:?}")),
        }
    }
    if let Some(closest) = &found.closest
        && closest.distance - closest.error > least_of_all.max(0.0) + SMALL
    {
        wrong.push(format!("closest is {} - {}, seen {least_of_all}", closest.distance, closest.error));
    }
    wrong
}

#[test]
fn random_programs_of_two_robots() {
    let mut random = Random::new(1207);
    let mut tally = Tally::default();
    for number in 0..scale::cases(40) {
        let case = case(&mut random);
        let timeline = Timeline::of(&case.scene).unwrap_or_else(|found| panic!("{number}: {found:?}"));
        let parts = ShapeCache::of(&case.scene);
        let result =
            check(&case.scene, &timeline, &parts, &CheckMemory::default(), &CheckOptions::default()).unwrap();
        let tracks = simulate(&case);
        let seconds = tracks[0].now.max(tracks[1].now);
        let told: f64 = timeline.stages.iter().map(|stage| stage.seconds).sum();
        assert!((told - seconds).abs() < 1e-9, "{number}: {told} s, simulated {seconds} s");
        tally.programs += 1;
        let mut begin = 0.0;
        for (stage, found) in timeline.stages.iter().zip(&result.steps) {
            // What is taken or left at the border happens before.
            let events = tracks.iter().flat_map(|track| &track.events).map(|event| event.0);
            let borders = events.chain([seconds]);
            let end = borders.min_by(|x, y| {
                let off = |t: &f64| (t - begin - stage.seconds).abs();
                off(x).total_cmp(&off(y))
            });
            let end = end.unwrap();
            assert!(
                (end - begin - stage.seconds).abs() < 1e-9,
                "{number}: {end}, {begin}, {}",
                stage.seconds
            );
            tally.stages += 1;
            tally.free += usize::from(found.findings.is_empty());
            let wrong = complaints(&case, &tracks, [begin, end], found, &mut tally);
            assert!(wrong.is_empty(), "{number}, {}: {wrong:#?}\n{:?}", stage.name, case.programs);
            begin = end;
        }
    }
    eprintln!("{tally:?}");
    assert!(tally.free > 0 && tally.contacts > 0 && tally.fits > 0, "{tally:?}");
    assert!(tally.undecided * 1000 <= tally.pairs, "{tally:?}");
}
