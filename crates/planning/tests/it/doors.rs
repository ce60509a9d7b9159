//! The check of a plan, the library and the planners say the same of random pairs in translation that touch, nearly touch or overlap a little:
//! what a fit is, how deep it may get, and whether the straight path is free.
//!
//! The doors of the command line are held together in its own tests.

#![expect(clippy::print_stdout, reason = "what was compared is shown")]

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, PlanVerdict, Report, Timeline, check, if_thin};
use freiraum_formats::scene::SceneFile;
use freiraum_geometry::math::unit;
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::fit::{ErosionCache, Fit, IfThin, PairCheck, PairOutcome, SearchPair};
use freiraum_motion::{CancelToken, Limits, MotionError, MotionWorkspace, Verdict};
use freiraum_planning::path::plane::{PlaneLimits, plan, planes};
use freiraum_planning::path::{
    CompleteOptions, FindOptions, Found, Outcome, Placed, Rule, Task, complete, find,
};
use freiraum_robot::trajectory::{Mode, Profile};
use freiraum_robot::{Joint, JointKind, Limits as JointLimits, Link, Robot};
use freiraum_scene::{
    Action, ActionKind, PairRule, Piece, Place, PlacedRobot, PlannerChoice, RobotSource, Scene, Target,
    Task as RobotTask, Travel,
};
use freiraum_testkit::encounter::Encounter;
use freiraum_testkit::meetings::{bad_meeting, contact_meeting, grid_meeting};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::{cases, on_all_processors};
use freiraum_testkit::way::Way;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Pairs at the default scale, some 35 s of one processor.
const COUNT: usize = 2_000;

/// Questions that the planner with detours may ask.
const BUDGET: u64 = 100;

/// A pair of which one body translates, as a scene with one step.
struct Case {
    name: String,
    scene: Scene,
    /// Numbers of the body that moves and of the one that does not.
    bodies: [usize; 2],
    by: Vec3,
}

/// Only the second body moves, or only the first, and straight to where it would be at the end.
fn in_translation(encounter: &Encounter) -> (Encounter, usize, Vec3) {
    let moving = usize::from(encounter.ways[1] != Way::Still);
    let [start, end] = [0.0, 1.0].map(|t| encounter.ways[moving].place(&encounter.places[moving], t).at);
    let by = match &encounter.ways[moving] {
        Way::Translate(by) => *by,
        _ if end == start => Vec3::new(0.125, 0.0, 0.0),
        _ => end - start,
    };
    let mut ways = [Way::Still, Way::Still];
    ways[moving] = Way::Translate(by);
    (Encounter { ways, ..encounter.clone() }, moving, by)
}

fn case(number: u64) -> Case {
    let mut random = Random::new(7_000_000 + number);
    let meeting = match number % 3 {
        0 => grid_meeting(&mut random),
        1 => contact_meeting(&mut random),
        _ => bad_meeting(&mut random),
    };
    let (encounter, moving, by) = in_translation(&meeting.encounter);
    let file = SceneFile::parse(encounter.scene("m", 1.0), Path::new("."), "scene.toml").unwrap();
    let mut scene = file.scene().clone();
    let size = encounter.bodies.iter().map(|body| body.size().length()).fold(f64::INFINITY, f64::min);
    let length = size * [1e-6, 1e-3, 0.02, 0.3][random.below(4)];
    let rule = PairRule {
        bodies: [vec![0], vec![1]],
        clearance: None,
        allowance: None,
        approach: None,
        ignore: None,
        place: Place::default(),
    };
    let mut name = meeting.name;
    match random.below(8) {
        0 | 1 => {
            scene.allowance = length;
            name += &format!(", all may overlap by {length:e}");
        }
        2 => {
            scene.pairs.push(PairRule { allowance: Some(length), ..rule });
            name += &format!(", they may overlap by {length:e}");
        }
        3 => {
            scene.clearance = length;
            name += &format!(", all keep {length:e}");
        }
        4 => {
            scene.pairs.push(PairRule { clearance: Some(length), ..rule });
            name += &format!(", they keep {length:e}");
        }
        _ => {}
    }
    Case { name: format!("{number}: {name}"), scene, bodies: [moving, 1 - moving], by }
}

/// The report on the plan, or on the same with another path; an error in its own words.
fn checked(scene: &Scene, parts: &ShapeCache) -> Result<Report, String> {
    let timeline = Timeline::of(scene).map_err(|problems| problems[0].message.clone())?;
    let found = check(scene, &timeline, parts, &CheckMemory::default(), &CheckOptions::default());
    found.map_err(|problems| problems[0].message.clone())
}

/// The verdict without that on the start. There nothing moves, and bodies of which one may be inside of the other stay undecided, although what
/// they do in the step excludes it: planners and the library are asked about the step alone.
fn of_steps(report: &Report) -> PlanVerdict {
    let is_free = report.steps.iter().all(|step| step.verdict == PlanVerdict::Free);
    if is_free { PlanVerdict::Free } else { report.verdict }
}

impl Case {
    fn task(&self, parts: &ShapeCache) -> Task {
        let placed =
            |k: usize, pose: Pose| Placed { body: parts.movable(self.bodies[k]).unwrap().clone(), pose };
        let [start, other] = self.bodies.map(|body| self.scene.bodies[body].pose);
        let required = self.scene.requirement(self.bodies[0], self.bodies[1]);
        let rule = Rule {
            clearance: required.clearance,
            approach: Some(required.approach),
            is_explicit: required.is_explicit,
            allowance: required.allowance,
            if_thin: if_thin(&self.scene, self.bodies),
            is_ignored: false,
        };
        Task {
            moving: vec![placed(0, Pose::IDENTITY)],
            obstacles: vec![placed(1, other)],
            rules: vec![vec![rule]],
            start,
            goal: Pose::from_translation(self.by) * start,
        }
    }

    /// What is found if the path of the step is left to the planner with detours.
    fn completed(&self, parts: &ShapeCache, goal: &Pose) -> Result<Found, String> {
        let mut scene = self.scene.clone();
        scene.steps[0].moves[0].travel = Travel::Plan { to: *goal, planner: Some(PlannerChoice::Detours) };
        let find = FindOptions { budget: BUDGET, ..FindOptions::default() };
        let found = complete(&scene, parts, &CompleteOptions { find }, &mut |_, _| ControlFlow::Continue(()));
        let found = found.map_err(|problems| problems[0].message.clone())?;
        Ok(found.steps[0].found.clone())
    }

    /// The same step of a robot: the body that moves is its only link, which slides from the start to the end
    /// and nowhere else. `None` if it does not move.
    fn slider(&self, way: impl FnOnce(Target) -> ActionKind) -> Option<Scene> {
        let [moving, _] = self.bodies;
        let (mut scene, base) = (self.scene.clone(), self.scene.bodies[moving].pose);
        let length = self.by.length();
        let axis = unit(base.inverse().rotate(self.by))?;
        let link = |name: &str| Link { name: name.to_owned(), collision: Vec::new(), visual: Vec::new() };
        let joint = Joint {
            name: "slide".to_owned(),
            parent: 0,
            child: 1,
            parent_from_child: Pose::IDENTITY,
            axis,
            kind: JointKind::Prismatic,
            limits: JointLimits { lower: 0.0, upper: length },
            velocity: Some(1.0),
            mimic: None,
        };
        let model = Robot::new("slider", vec![link("base"), link("carriage")], vec![joint]).unwrap();
        scene.robots.push(PlacedRobot {
            name: "slider".to_owned(),
            model: Arc::new(model),
            source: RobotSource::Table,
            base,
            start: vec![0.0],
            links: vec![None, Some(moving)],
            flange: 1,
            flange_from_tool: Pose::IDENTITY,
            tools: Vec::new(),
            states: Vec::new(),
            place: Place::default(),
        });
        let kind = way(Target::Joints(vec![Some(length)]));
        let actions = vec![Action { kind, place: Place::default() }];
        let step = &mut scene.steps[0];
        step.moves = Vec::new();
        step.tasks = vec![RobotTask { robot: 0, actions, place: Place::default() }];
        Some(scene)
    }

    /// What the check says of the sliding robot, and whether the planner for joints takes it to the end.
    fn slid(&self) -> Option<Slid> {
        let ptp = |to: Target| ActionKind::PointToPoint {
            to,
            mode: Mode::Synchronous,
            speed: 1.0,
            profile: Profile::Constant,
        };
        let (straight, open) = (self.slider(ptp)?, self.slider(|to| ActionKind::Plan { to, speed: 1.0 })?);
        let parts = ShapeCache::of(&straight);
        let find = FindOptions { budget: BUDGET, ..FindOptions::default() };
        let found = complete(&open, &parts, &CompleteOptions { find }, &mut |_, _| ControlFlow::Continue(()));
        let found = found.map(|mut found| found.steps.remove(0).found.outcome);
        Some(Slid {
            check: checked(&straight, &parts).map(|report| of_steps(&report)),
            planner: found.map_err(|problems| problems[0].message.clone()),
        })
    }

    fn check_path(&self, pieces: Vec<Piece>, parts: &ShapeCache) -> Result<PlanVerdict, String> {
        let mut scene = self.scene.clone();
        scene.steps[0].moves[0].travel = Travel::Path(pieces);
        Ok(of_steps(&checked(&scene, parts)?))
    }
}

/// What is said of a pair that a robot moves.
struct Slid {
    check: Result<PlanVerdict, String>,
    planner: Result<Outcome, String>,
}

/// What the doors say of a pair.
#[derive(Default)]
struct Said {
    wrong: Vec<String>,
    verdict: Option<PlanVerdict>,
    fit: Option<Fit>,
    is_eroded: bool,
    /// The scene's allowance was too large, and the pair went without.
    is_strict: bool,
    /// An allowance of its own was too large: an error everywhere.
    is_error: bool,
    /// Free for the check, but kept apart by planners.
    is_kept_apart: bool,
    /// A planner went round.
    detours: usize,
    planes: usize,
    /// Whether the planner for joints was asked, and found the way.
    joints: Option<bool>,
    /// Free, but not proven so by the planner for joints.
    is_unproven: bool,
}

fn ask(number: u64) -> Said {
    let case = case(number);
    let mut said = Said::default();
    let parts = ShapeCache::of(&case.scene);
    parts.load(&case.scene).unwrap();
    let task = case.task(&parts);
    let rule = task.rules[0][0];
    let timeline = Timeline::of(&case.scene).unwrap();
    let motions = case.bodies.map(|body| timeline.stages[0].motion(body));
    let asked = PairCheck {
        bodies: case.bodies.map(|body| parts.movable(body).unwrap()),
        motions: [&*motions[0], &*motions[1]],
        allowance: rule.allowance,
        limits: Limits::default(),
    };
    // None shares its eroded bodies with another.
    let (fresh, memory) = (ErosionCache::default(), &mut MotionWorkspace::default());
    let report = checked(&case.scene, &parts);
    let outcome = asked.asked(rule.if_thin, |asked| asked.outcome(&fresh, memory));
    let kept = |is_fit: bool| if is_fit && !rule.is_explicit { 0.0 } else { rule.clearance };
    let search = asked.for_search(rule.if_thin, kept, &ErosionCache::default(), &CancelToken::default());
    let found = find(
        &task,
        &FindOptions { planner: Some(PlannerChoice::Detours), budget: BUDGET, ..FindOptions::default() },
        &mut |_| ControlFlow::Continue(()),
    );
    // In a scene the eroded bodies are those of the check.
    let completed = case.completed(&parts, &task.goal);
    let limits = PlaneLimits { pairs: 20_000, tests: 1_000_000 };
    let in_plane: Vec<Outcome> =
        planes(&task).iter().take(1).map(|plane| plan(&task, plane, &limits)).collect();
    let slid = case.slid();
    let mut complain = |text: String| said.wrong.push(format!("case {}: {text}", case.name));
    let (report, outcome, search) = match (report, outcome, search) {
        (Ok(report), Ok(outcome), Ok(search)) => (report, outcome, search),
        (report, outcome, Err(MotionError::Allowance(_))) if rule.if_thin == IfThin::Error => {
            // A search needs the eroded bodies before it knows the motions, a check only where bodies meet.
            said.is_error = true;
            if report.is_err() != outcome.is_err() {
                complain(format!("check says {report:?}, the library {outcome:?}"));
            }
            if completed.is_ok() || !matches!(found, Err(MotionError::Allowance(_))) {
                complain(format!("the search says {found:?}"));
            }
            // What never meets need not be eroded: then a check and the planner for joints have no error.
            if let Some(Slid { check, planner: Ok(Outcome::Path(_)) }) = &slid
                && *check != Ok(PlanVerdict::Free)
            {
                complain(format!("the planner for joints finds a path, and check says {check:?} of it"));
            }
            return said;
        }
        (report, outcome, search) => {
            complain(format!("check says {report:?}, the library {outcome:?}, a search {search:?}"));
            return said;
        }
    };
    let is_deep_at_start = outcome.verdict() == Verdict::OverlapAtStart;
    let fit = match outcome {
        // What is deeper at the start than a fit may be is none; a search, which knows no motions, asks for
        // the places alone.
        PairOutcome::Apart | PairOutcome::Blocked { verdict: Verdict::OverlapAtStart, .. } => {
            asked.asked(rule.if_thin, |asked| asked.fit(&fresh)).unwrap()
        }
        PairOutcome::Touching { fit } | PairOutcome::Blocked { fit, .. } => fit,
    };
    if is_deep_at_start && outcome.fit().is_some() {
        complain(format!("an overlap at the start is a fit: {outcome:?}"));
    }
    if search.fit != fit {
        complain(format!("a fit for a search: {:?}, for the check {fit:?}", search.fit));
    }
    for gap in report.steps.iter().flat_map(|step| &step.fit_gaps) {
        if fit.is_none_or(|fit| fit.resting != gap.resting) {
            complain(format!("a fit for the check of the plan: {gap:?}, for the library {fit:?}"));
        }
    }
    if let Some(text) = eroded_alike(&asked, &search, &fresh) {
        complain(text);
    }
    let verdict = of_steps(&report);
    let of_library = match outcome {
        PairOutcome::Apart | PairOutcome::Touching { .. } => PlanVerdict::Free,
        PairOutcome::Blocked { verdict: Verdict::Contact(_) | Verdict::OverlapAtStart, .. } => {
            PlanVerdict::Collision
        }
        PairOutcome::Blocked { .. } => PlanVerdict::Undecided,
    };
    // Clearances are looked at by the check alone.
    if of_library != verdict && !(of_library == PlanVerdict::Free && verdict == PlanVerdict::TooClose) {
        complain(format!(
            "check says {:?}, at the start {:?}, the library {outcome:?}",
            report.steps[0].findings, report.start
        ));
    }
    // The one difference that is meant: a clearance of its own keeps a fit apart for planners, while a check
    // lets it touch at the ends.
    let is_kept_apart = rule.is_explicit && fit.is_some();
    let is_free = verdict == PlanVerdict::Free && !is_kept_apart;
    match &found {
        Ok(found) => {
            let is_straight = is_straight(found);
            if is_straight != is_free {
                complain(format!(
                    "check says {verdict:?} of the straight path, the search {:?}",
                    found.outcome
                ));
            } else if let (Outcome::Path(_), false) = (&found.outcome, is_straight) {
                said.detours += 1;
                let path = case.check_path(found.pieces.clone(), &parts);
                if path != Ok(PlanVerdict::Free) {
                    complain(format!("check says {path:?} of the path that was found: {:?}", found.pieces));
                }
            }
        }
        Err(error) => complain(format!("the search says {error}")),
    }
    match (&completed, &found) {
        (Ok(one), Ok(other)) if is_straight(one) == is_straight(other) => {}
        _ => complain(format!("in a scene the search says {completed:?}, alone {found:?}")),
    }
    if let Some(Slid { check, planner }) = &slid {
        if *check != Ok(verdict) {
            complain(format!(
                "check says {verdict:?} of the translation, {check:?} of the robot that slides"
            ));
        }
        // It goes straight or not at all: the limits of its joint leave nothing else. Its bounds have room
        // for rounding, and do not prove everything that is free.
        let is_found = matches!(planner, Ok(Outcome::Path(_)));
        if is_found && !is_free {
            complain(format!(
                "check says {verdict:?} of the straight path, the planner for joints {planner:?}"
            ));
        }
        if is_free && matches!(planner, Ok(Outcome::NoPath(_))) {
            complain(format!("check says free, the planner for joints that there is no path: {planner:?}"));
        }
        said.is_unproven = is_free && !is_found;
        said.joints = Some(is_found);
    }
    for outcome in &in_plane {
        said.planes += 1;
        let is_straight = matches!(outcome, Outcome::Path(travels) if travels.len() == 1);
        // Clearances of fits on their approach are looked at when the whole path is proven.
        let is_right = match verdict {
            PlanVerdict::Free => is_straight == is_free,
            PlanVerdict::TooClose if search.is_fit() => true,
            _ => !is_straight,
        };
        if !is_right {
            complain(format!(
                "check says {verdict:?} of the straight path, the planner in the plane {outcome:?}"
            ));
        } else if let (Outcome::Path(travels), false) = (outcome, is_straight) {
            said.detours += 1;
            let pieces = travels.iter().map(|travel| Piece { travel: travel.clone(), share: 1.0 }).collect();
            let path = case.check_path(pieces, &parts);
            let is_close = path == Ok(PlanVerdict::TooClose) && search.is_fit();
            if path != Ok(PlanVerdict::Free) && !is_close {
                complain(format!("check says {path:?} of the path in the plane: {travels:?}"));
            }
        }
    }
    said.is_strict = rule.allowance > 0.0
        && matches!(
            asked.for_search(IfThin::Error, kept, &fresh, &CancelToken::default()),
            Err(MotionError::Allowance(_))
        );
    said.is_kept_apart = is_kept_apart && verdict == PlanVerdict::Free;
    (said.verdict, said.fit, said.is_eroded) = (Some(verdict), fit, search.allowance > 0.0);
    said
}

fn is_straight(found: &Found) -> bool {
    let one = |travels: &[Travel]| travels.len() == 1;
    found.planner.is_none() && matches!(&found.outcome, Outcome::Path(travels) if one(travels))
}

/// How the bodies of a search differ from those that the outcome is judged by.
fn eroded_alike(asked: &PairCheck, search: &SearchPair, cache: &ErosionCache) -> Option<String> {
    let size = |body: &freiraum_motion::Movable| body.prepared().bounds().map(|bounds| bounds.size());
    if search.allowance == 0.0 {
        let is_alike = (0..2).all(|k| size(&search.bodies[k]) == size(asked.bodies[k]));
        return (!is_alike).then(|| "bodies that may not overlap are eroded".to_owned());
    }
    let resting = search.fit.map_or(0.0, |fit| fit.resting);
    let expected = cache.pair(asked.bodies, search.allowance, search.allowance == resting);
    let is_alike =
        expected.as_ref().is_ok_and(|pair| (0..2).all(|k| size(&pair[k]) == size(&search.bodies[k])));
    let is_right = search.allowance == resting || search.allowance == asked.allowance.max(resting);
    (!(is_alike && is_right))
        .then(|| format!("eroded by {}, of {} and {resting}", search.allowance, asked.allowance))
}

#[test]
fn the_check_the_library_and_the_planners_agree() {
    let count = cases(COUNT);
    let all = on_all_processors(count, ask);
    let number = |of: &dyn Fn(&Said) -> bool| all.iter().filter(|said| of(said)).count();
    let free = number(&|said| said.verdict == Some(PlanVerdict::Free));
    let collisions = number(&|said| said.verdict == Some(PlanVerdict::Collision));
    let fits = number(&|said| said.fit.is_some());
    let free_fits = number(&|said| said.fit.is_some() && said.verdict == Some(PlanVerdict::Free));
    let (eroded, strict) = (number(&|said| said.is_eroded), number(&|said| said.is_strict));
    let close = number(&|said| said.verdict == Some(PlanVerdict::TooClose));
    let (errors, undecided) =
        (number(&|said| said.is_error), number(&|said| said.verdict == Some(PlanVerdict::Undecided)));
    let apart = number(&|said| said.is_kept_apart);
    let detours: usize = all.iter().map(|said| said.detours).sum();
    let joints = number(&|said| said.joints.is_some());
    let slid = number(&|said| said.joints == Some(true));
    let unproven = number(&|said| said.is_unproven);
    let planes: usize = all.iter().map(|said| said.planes).sum();
    let told = format!(
        "{count} pairs: {free} free, {collisions} collide, {close} too close, {undecided} undecided, {errors} too thin; {fits} fits, of which {free_fits} free; {eroded} eroded, {strict} strict, {apart} kept apart by planners alone; {planes} in a plane, {detours} paths round something; {joints} by a joint, {slid} of them to the end, {unproven} not though free"
    );
    println!("{told}");
    let wrong: Vec<&str> = all.iter().flat_map(|said| &said.wrong).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{told}; {} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(unproven * 5 < slid, "{told}");
    let are_enough = [free, collisions, fits, eroded, planes, slid].iter().all(|one| one * 5 > count);
    assert!(
        are_enough && free_fits * 10 > count && detours * 50 > count && joints * 2 > count && strict > 0,
        "{told}"
    );
}

/// What a check has eroded, planners find in the same cache, and the other way round.
#[test]
fn bodies_are_eroded_once_for_check_and_planners() {
    let text = r#"
units = "m"
[[body]]
name = "table"
fixed = true
shape = { box = { size = [1.0, 1.0, 0.125] } }
[[body]]
name = "block"
shape = { box = { size = [0.125, 0.125, 0.125] } }
pose = { position = [0, 0, 0.125] }
[[step]]
move = "block"
translate = [0.25, 0.0, 0.0]
"#;
    let scene = SceneFile::parse(text, Path::new("."), "scene.toml").unwrap().scene().clone();
    let goal = Pose::from_translation(Vec3::new(0.25, 0.0, 0.125));
    let case = Case { name: String::new(), scene, bodies: [1, 0], by: Vec3::new(0.25, 0.0, 0.0) };
    for is_checked_first in [true, false] {
        let parts = ShapeCache::of(&case.scene);
        let check = || assert_eq!(checked(&case.scene, &parts).unwrap().verdict, PlanVerdict::Free);
        let complete = || assert!(is_straight(&case.completed(&parts, &goal).unwrap()));
        if is_checked_first {
            check();
        } else {
            complete();
        }
        let eroded = parts.erosion().len();
        assert_eq!(eroded, 2);
        check();
        complete();
        assert_eq!(parts.erosion().len(), eroded);
    }
}
