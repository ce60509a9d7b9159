//! The report of a check: everything that was decided, and everything that was not looked at.
//!
//! [`check()`](super::check()) returns it complete. The terminal, JSON, pages and the studio render it and decide nothing.
//!
//! **Units.** Lengths are in metres, bodies are numbers of the scene. A report keeps the names and sentences that it needs to be written without the
//! scene: [`Serialize`] writes it with the lengths in the unit of the scene, [`Report::json_in`] in any other.

use super::CheckOptions;
use super::date;
use super::exempt::{self, ExemptRule};
use super::lexicon::Lexicon;
use super::memory::Outline;
use super::pair::Counters;
use super::result::{Finding, PlanVerdict, StepResult};
use super::warning::{self, Warning};
use crate::timeline::Timeline;
use crate::words::{self, OpenWay};
use crate::{PlannedStep, PlannerAnswer};
use freiraum_assets::ShapeCache;
use freiraum_formats::scene::SceneFile;
use freiraum_geometry::Unit;
use freiraum_scene::{APPROACH, Geometry, Place, Scene};
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;

/// What a check of a plan found.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The worst of all.
    pub verdict: PlanVerdict,
    /// Pairs that overlap by more than is allowed, or are closer than required, before anything has moved.
    pub start: Vec<Finding>,
    /// One per stage of the timeline.
    pub steps: Vec<StepResult>,
    /// Numbers of the bodies that have a goal and are elsewhere after the last step.
    pub missed: Vec<usize>,
    /// Numbers of the bodies whose surface bounds no solid, such as meshes with holes.
    pub open: Vec<usize>,
    /// What people should know beside the verdict.
    pub warnings: Vec<Warning>,
    /// Rules that take pairs out.
    pub exempt: Vec<ExemptRule>,
    /// What planners answered for the ways that the scene leaves open.
    pub planned: Vec<Planned>,
    /// Stages whose way is still open, with the reason as far as planners told it.
    pub open_ways: Vec<OpenWay>,
    /// How deep bodies may overlap by what the scene states.
    pub allowances: Vec<Allowance>,
    /// How far fits may travel without keeping their clearance.
    pub approach: Vec<ApproachRule>,
    /// What [`PlanVerdict::Free`] does not cover in this plan, in sentences.
    pub not_covered: Vec<String>,
    /// What was passed over or taken otherwise in files of robots, and grasps from far away, or of which that
    /// is not known.
    pub notes: Vec<String>,
    /// The files that were read.
    pub inputs: Vec<Input>,
    /// When it was checked: `2026-03-01T12:00:00Z`; `None` if the caller did not say.
    pub date: Option<String>,
    /// How long it took, in seconds, if the caller says so.
    pub seconds: Option<f64>,
    /// How many pairs of bodies were looked at, all steps together: those that boxes alone could not tell apart.
    pub pairs_tested: usize,
    /// How many of those answers were known from an earlier check.
    pub pairs_remembered: usize,
    /// How many pairs of bodies boxes around their ways told apart so that nothing had to be computed.
    pub pairs_apart: usize,
    /// How many more pairs boxes told apart, but were asked how close they come.
    pub pairs_measured: usize,
    /// Names, sentences and places.
    pub(crate) lexicon: Lexicon,
}

/// The answer of a planner for a way that the scene leaves open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Planned {
    /// The number of the step in the file, from 1.
    pub index: usize,
    /// True if there is a way.
    pub found: bool,
    /// Which planner found it.
    pub planner: Option<&'static str>,
    /// Why there is none, or none was found.
    pub reason: Option<String>,
    /// True if it is proven that there is none.
    pub proven: bool,
}

impl Planned {
    fn of(step: &PlannedStep) -> Planned {
        let (planner, reason) = match &step.answer {
            PlannerAnswer::Path(by) => (Some(*by), None),
            PlannerAnswer::NoPath(why) | PlannerAnswer::GaveUp { why, .. } => (None, Some(why.clone())),
        };
        let proven = matches!(step.answer, PlannerAnswer::NoPath(_));
        Planned { index: step.index + 1, found: planner.is_some(), planner, reason, proven }
    }
}

/// How deep some bodies may overlap by what the scene states.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Allowance {
    /// Who states it.
    pub by: AllowedBy,
    /// Every body of the first list against every one of the second; both empty for all pairs.
    pub bodies: [Vec<usize>; 2],
    /// How deep, in metres.
    pub depth: f64,
    /// Line and column in the scene file.
    pub at: Option<[usize; 2]>,
}

/// Who states an allowance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AllowedBy {
    /// `[check]`, for all pairs.
    Check,
    /// `[[pair]]`.
    Pair,
    /// The `depth` of a grasp, while it lasts.
    Grasp,
}

impl AllowedBy {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            AllowedBy::Check => "check",
            AllowedBy::Pair => "pair",
            AllowedBy::Grasp => "grasp",
        }
    }
}

/// How far some bodies may travel against each other before and after a contact by design without keeping
/// their clearance.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ApproachRule {
    /// Who states it.
    pub by: ApproachBy,
    /// Every body of the first list against every one of the second; both empty for all pairs.
    pub bodies: [Vec<usize>; 2],
    /// How far, in metres.
    pub travel: f64,
    /// Line and column in the scene file.
    pub at: Option<[usize; 2]>,
}

/// Who states an approach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApproachBy {
    /// The scene states a clearance only: [ten](APPROACH) of them.
    Default,
    /// `[check]`, for all pairs.
    Check,
    /// `[[pair]]`.
    Pair,
}

impl ApproachBy {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ApproachBy::Default => "default",
            ApproachBy::Check => "check",
            ApproachBy::Pair => "pair",
        }
    }
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Input {
    /// `scene`, `mesh`, `robot` or `table` (of lasers).
    pub kind: &'static str,
    /// As the scene file writes it, or from the folder of the scene file on.
    pub path: String,
    /// BLAKE3 of its bytes, in hexadecimal digits.
    pub blake3: String,
}

/// What the check of pairs brings to a report.
pub(super) struct Facts {
    pub(super) start: Vec<Finding>,
    pub(super) steps: Vec<StepResult>,
    pub(super) missed: Vec<usize>,
    pub(super) outlines: Vec<Outline>,
    pub(super) counts: Counters,
}

impl Report {
    /// The whole report: verdicts are decided here, and nowhere later.
    pub(super) fn of(
        scene: &Scene,
        timeline: &Timeline,
        parts: &ShapeCache,
        options: &CheckOptions,
        facts: Facts,
    ) -> Report {
        let Facts { start, mut steps, missed, outlines, counts } = facts;
        let open_ways = words::open_ways(scene, timeline, &steps, options.planned);
        for way in open_ways.iter().filter(|way| way.is_proven) {
            steps[way.stage].verdict = PlanVerdict::Invalid;
        }
        let of_start = start.iter().map(|finding| finding.kind.verdict());
        let worst = of_start.chain(steps.iter().map(|step| step.verdict)).max();
        let worst = worst.unwrap_or(PlanVerdict::Free);
        let lines = options.file.map(SceneFile::lines);
        let exempt = exempt::rules(scene, lines.as_ref());
        for (stage, step) in timeline.stages.iter().zip(&mut steps) {
            step.exempt = exempt::of_stage(scene, stage, &exempt);
            step.exempt_unlisted = exempt::unlisted_of_stage(scene, stage, &exempt);
        }
        let open: Vec<usize> = (0..outlines.len()).filter(|body| outlines[*body].is_open).collect();
        let allowances = allowances(scene, options.file);
        let grasps = crate::program::doubtful_grasps(scene, timeline, parts);
        let of_robots = options.file.map_or(&[][..], SceneFile::notes);
        let notes = of_robots.iter().cloned().chain(grasps.iter().map(|grasp| grasp.said.clone())).collect();
        let ground = warning::Ground {
            scene,
            timeline,
            parts,
            outlines: &outlines,
            start: &start,
            steps: &steps,
            exempt: &exempt,
            of_robots,
            grasps: &grasps,
        };
        let warnings = warning::warnings(&ground);
        let lexicon = Lexicon::of(scene, timeline, &start, &steps, &open_ways, options.file);
        let [pairs_tested, pairs_remembered, apart, pairs_measured] =
            [counts.tested, counts.remembered, counts.apart, counts.measured].map(AtomicUsize::into_inner);
        let mut report = Report {
            verdict: if missed.is_empty() { worst } else { PlanVerdict::Invalid },
            start,
            steps,
            missed,
            open,
            warnings,
            exempt,
            planned: options.planned.iter().map(Planned::of).collect(),
            open_ways,
            allowances,
            approach: approaches(scene, options.file),
            not_covered: Vec::new(),
            notes,
            inputs: options.file.map_or(Vec::new(), |file| inputs(scene, parts, file)),
            date: options.date.and_then(date::written),
            seconds: None,
            pairs_tested,
            pairs_remembered,
            pairs_apart: apart - pairs_measured,
            pairs_measured,
            lexicon,
        };
        report.not_covered = words::not_covered(scene, timeline, &report);
        report
    }

    /// Of findings about some steps that are not, or not yet, a whole check.
    pub fn of_findings(
        scene: &Scene,
        timeline: &Timeline,
        start: Vec<Finding>,
        steps: Vec<StepResult>,
        file: Option<&SceneFile>,
    ) -> Report {
        let open_ways = words::open_ways(scene, timeline, &steps, &[]);
        let lexicon = Lexicon::of(scene, timeline, &start, &steps, &open_ways, file);
        Report { start, steps, open_ways, lexicon, ..Report::default() }
    }

    /// The version of Freiraum that it is of.
    pub fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// The unit of the scene.
    pub fn units(&self) -> Unit {
        self.lexicon.units
    }

    /// The place of the scene file, as it was named.
    pub fn scene_path(&self) -> Option<&str> {
        self.lexicon.file.as_deref()
    }

    /// The way of a stage that is still open, and why.
    pub fn open_way(&self, stage: usize) -> Option<&OpenWay> {
        self.open_ways.iter().find(|way| way.stage == stage)
    }

    /// Where the scene file says what leads to a finding about a stage: the action of a robot, the move or the step; both count from 0.
    pub fn place(&self, stage: usize, finding: usize) -> Place {
        let said = self.lexicon.stages.get(stage).and_then(|stage| stage.findings.get(finding));
        said.map_or(Place::default(), |said| said.place)
    }

    /// Where the scene file places the body that a finding before the first step is about.
    pub fn start_place(&self, finding: usize) -> Place {
        self.lexicon.start.get(finding).map_or(Place::default(), |said| said.place)
    }

    /// All of it as JSON, with the lengths in this unit; sentences are in the unit of the scene.
    pub fn json_in(&self, units: Unit) -> serde_json::Value {
        crate::json::document(self, units)
    }
}

impl Serialize for Report {
    /// As `docs/checking.md` describes it, with the lengths in the unit of the scene.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json_in(self.units()).serialize(serializer)
    }
}

/// What the scene allows, in the order of its rules.
fn allowances(scene: &Scene, file: Option<&SceneFile>) -> Vec<Allowance> {
    let lines = file.map(SceneFile::lines);
    let mut found = Vec::new();
    if scene.allowance > 0.0 {
        let bodies = [Vec::new(), Vec::new()];
        found.push(Allowance { by: AllowedBy::Check, bodies, depth: scene.allowance, at: None });
    }
    let of_pairs = scene.pairs.iter().map(|rule| (AllowedBy::Pair, rule));
    for (by, rule) in of_pairs.chain(scene.grasps.iter().map(|rule| (AllowedBy::Grasp, rule))) {
        if let Some(depth) = rule.allowance.filter(|depth| *depth > 0.0) {
            let at = lines.as_ref().map(|lines| lines.line_and_column(rule.place.start).into());
            found.push(Allowance { by, bodies: rule.bodies.clone(), depth, at });
        }
    }
    found
}

/// What holds for fits: the approach of all pairs, and that of pairs whose rules state an approach or another
/// clearance, in the order of the rules.
fn approaches(scene: &Scene, file: Option<&SceneFile>) -> Vec<ApproachRule> {
    let lines = file.map(SceneFile::lines);
    let mut found = Vec::new();
    let of_clearance = |clearance: f64| {
        (clearance > 0.0 && scene.approach.is_none()).then_some((ApproachBy::Default, APPROACH * clearance))
    };
    let of_all = scene.approach.map(|travel| (ApproachBy::Check, travel));
    if let Some((by, travel)) = of_all.or(of_clearance(scene.clearance)) {
        found.push(ApproachRule { by, bodies: [Vec::new(), Vec::new()], travel, at: None });
    }
    for rule in &scene.pairs {
        let stated = rule.approach.map(|travel| (ApproachBy::Pair, travel));
        let Some((by, travel)) = stated.or(rule.clearance.and_then(of_clearance)) else { continue };
        // Another rule may state the approach of these.
        let [a, b] = rule.bodies.each_ref().map(|bodies| bodies.first().copied());
        let is_other = a.zip(b).is_some_and(|(a, b)| scene.requirement(a, b).approach != travel);
        if by == ApproachBy::Default && is_other {
            continue;
        }
        let at = lines.as_ref().map(|lines| lines.line_and_column(rule.place.start).into());
        found.push(ApproachRule { by, bodies: rule.bodies.clone(), travel, at });
    }
    found
}

/// The files that a scene was read from, each once: the scene file, meshes, files of robots, tables of
/// lasers. Digests are of the bytes that were read.
fn inputs(scene: &Scene, parts: &ShapeCache, file: &SceneFile) -> Vec<Input> {
    let hex = |digest: [u8; 32]| blake3::Hash::from_bytes(digest).to_hex().to_string();
    let name = file.path().map_or_else(|| file.name().to_owned(), |path| path.display().to_string());
    let name = Path::new(&name).file_name().map_or(name.clone(), |name| name.to_string_lossy().into_owned());
    let mut found = vec![Input {
        kind: "scene",
        path: name,
        blake3: blake3::hash(file.text().as_bytes()).to_hex().to_string(),
    }];
    let mut meshes: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, body) in scene.bodies.iter().enumerate() {
        if let Geometry::File { written, .. } = &body.geometry {
            meshes.entry(written).or_insert(number);
        }
    }
    for (written, body) in meshes {
        if let Some(digest) = parts.file_digest(body) {
            found.push(Input { kind: "mesh", path: written.to_owned(), blake3: hex(digest) });
        }
        for (path, digest) in parts.companions(body) {
            found.push(Input { kind: "mesh", path: shown(path, file.folder()), blake3: hex(*digest) });
        }
    }
    let mut of_robots: Vec<&PathBuf> = file.robot_files().iter().flatten().collect();
    let mut of_tables: Vec<&PathBuf> = file.table_files().iter().collect();
    for (kind, paths) in [("robot", &mut of_robots), ("table", &mut of_tables)] {
        paths.sort();
        paths.dedup();
        for path in paths.iter() {
            // What was looked for and not read, such as the manifest of a package, has no part in what was
            // checked.
            if let Some(digest) = file.digest(path) {
                found.push(Input { kind, path: shown(path, file.folder()), blake3: hex(digest) });
            }
        }
    }
    // Several bodies may have files that refer to the same one.
    let mut known = BTreeSet::new();
    found.retain(|input| known.insert((input.kind, input.path.clone())));
    found
}

/// A path as seen from the folder of the scene.
fn shown(path: &Path, folder: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    path.strip_prefix(folder).unwrap_or(path).display().to_string()
}
