//! What other crates write as JSON, declared for the page: reports of checks and events of worlds. Tests read
//! real ones as these types.

use serde::Deserialize;
use std::collections::BTreeMap;
use ts_rs::TS;

/// A report as `freiraum check --json` writes it, with lengths in metres. While the check runs, what is not
/// known yet is null.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckReport {
    pub(crate) verdict: Option<Verdict>,
    /// `m`.
    pub(crate) units: String,
    pub(crate) start: Vec<Finding>,
    pub(crate) steps: Vec<Option<StepVerdict>>,
    /// Bodies that the plan does not leave at their goals.
    pub(crate) missed_goals: Vec<String>,
    pub(crate) open_surfaces: Vec<String>,
    pub(crate) warnings: Vec<Warning>,
    /// What "free" does not cover.
    pub(crate) not_covered: Vec<String>,
    pub(crate) exempt: Vec<ExemptRuleInfo>,
    pub(crate) allowances: Vec<AllowanceInfo>,
    pub(crate) approach: Vec<ApproachInfo>,
    pub(crate) planned: Vec<PlannedInfo>,
    pub(crate) notes: Vec<String>,
    /// As seen from the folder of the studio.
    pub(crate) scene: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) inputs: Vec<InputInfo>,
    pub(crate) version: String,
    /// When it was checked.
    pub(crate) date: Option<String>,
    pub(crate) seconds: Option<f64>,
    pub(crate) pairs_tested: Option<u64>,
    pub(crate) pairs_remembered: Option<u64>,
    pub(crate) pairs_apart: Option<u64>,
    pub(crate) pairs_measured: Option<u64>,
}

#[derive(Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Free,
    TooClose,
    Collision,
    Undecided,
    Invalid,
}

/// What a check found about one stage.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepVerdict {
    /// From 1.
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) verdict: Verdict,
    pub(crate) moving: Vec<String>,
    pub(crate) clearance: Option<f64>,
    #[ts(optional)]
    pub(crate) clearance_error: Option<f64>,
    pub(crate) required: Option<f64>,
    pub(crate) pair: Option<[String; 2]>,
    pub(crate) t: Option<f64>,
    pub(crate) point: Option<[f64; 3]>,
    /// The step of the file, and which part of how many it is.
    pub(crate) step: usize,
    pub(crate) part: usize,
    pub(crate) seconds_shown: Option<f64>,
    /// In words.
    pub(crate) action: String,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) closest: Option<Closest>,
    pub(crate) fits: Vec<[String; 2]>,
    pub(crate) fit_gaps: Vec<FitGap>,
    /// The smallest gap over all pairs; where they collide it is not known by how much it may be less.
    pub(crate) smallest_gap: Option<SmallestGap>,
    /// Pairs that need not keep their clearance for a while: in contact or on their approach.
    pub(crate) approaches: Vec<Approach>,
    /// Pairs that move against each other here and that a rule takes out.
    pub(crate) exempt: Vec<ExemptPair>,
    /// How many more, of rules of very many pairs.
    pub(crate) exempt_unlisted: usize,
}

#[derive(Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FindingKind {
    Overlap,
    Contact,
    TooClose,
    Undecided,
    InsideUnknown,
    NoPath,
}

/// What is wrong.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields = nullable)]
pub(crate) struct Finding {
    pub(crate) kind: FindingKind,
    /// What it makes of its step.
    pub(crate) verdict: Verdict,
    /// Null where there is no way for `subject`.
    #[ts(optional = false)]
    pub(crate) pair: Option<[String; 2]>,
    #[ts(optional = false)]
    pub(crate) t: Option<f64>,
    pub(crate) seconds: Option<f64>,
    /// Of robots, by their names; degrees, and metres of joints that slide.
    pub(crate) joints_deg: Option<BTreeMap<String, Vec<Option<f64>>>>,
    pub(crate) message: String,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
    pub(crate) subject: Option<String>,
    pub(crate) point: Option<[f64; 3]>,
    pub(crate) depth: Option<f64>,
    pub(crate) separating_shift: Option<f64>,
    pub(crate) passing_allowance: Option<f64>,
    pub(crate) allowance: Option<f64>,
    pub(crate) t_error: Option<f64>,
    pub(crate) normal: Option<[f64; 3]>,
    pub(crate) feature_a: Option<FeatureInfo>,
    pub(crate) feature_b: Option<FeatureInfo>,
    pub(crate) until: Option<f64>,
    pub(crate) until_known: Option<bool>,
    pub(crate) clearance: Option<f64>,
    pub(crate) clearance_error: Option<f64>,
    pub(crate) required: Option<f64>,
    pub(crate) missing: Option<f64>,
    pub(crate) point_a: Option<[f64; 3]>,
    pub(crate) point_b: Option<[f64; 3]>,
    pub(crate) give_way: Option<[f64; 3]>,
    pub(crate) is_fit: Option<bool>,
    /// From and to, shares of the step.
    pub(crate) open: Option<[f64; 2]>,
    pub(crate) body: Option<String>,
    pub(crate) places: Option<Vec<[f64; 3]>>,
}

/// A finding about what was met, with numbers of bodies in place of names.
#[derive(Deserialize, TS)]
#[ts(optional_fields = nullable)]
pub(crate) struct ContactFinding {
    pub(crate) kind: FindingKind,
    pub(crate) verdict: Verdict,
    pub(crate) pair: [usize; 2],
    pub(crate) t: Option<f64>,
    pub(crate) point: Option<[f64; 3]>,
    pub(crate) normal: Option<[f64; 3]>,
    pub(crate) clearance: Option<f64>,
    pub(crate) required: Option<f64>,
    pub(crate) point_a: Option<[f64; 3]>,
    pub(crate) point_b: Option<[f64; 3]>,
}

/// A vertex, edge or face of a mesh.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub(crate) struct FeatureInfo {
    /// `vertex`, `edge` or `face`.
    pub(crate) kind: String,
    pub(crate) index: Option<usize>,
    pub(crate) vertices: Option<[usize; 2]>,
}

/// The pair that comes closest.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct Closest {
    pub(crate) pair: [String; 2],
    pub(crate) distance: f64,
    pub(crate) error: f64,
    pub(crate) required: f64,
    pub(crate) t: f64,
    pub(crate) point_a: [f64; 3],
    pub(crate) point_b: [f64; 3],
    #[ts(optional)]
    pub(crate) seconds: Option<f64>,
    #[ts(optional)]
    pub(crate) joints_deg: Option<BTreeMap<String, Vec<Option<f64>>>>,
}

#[derive(Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FitReason {
    TouchesAtStart,
    TouchesAtEnd,
    Grasped,
}

/// A pair that is meant to touch.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct FitGap {
    pub(crate) pair: [String; 2],
    /// Negative: they overlap.
    pub(crate) gap: f64,
    pub(crate) gap_error: f64,
    pub(crate) allowance: f64,
    pub(crate) resting_allowance: f64,
    pub(crate) separating_shift: Option<f64>,
    pub(crate) reason: FitReason,
}

#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct SmallestGap {
    pub(crate) pair: [String; 2],
    pub(crate) gap: f64,
    pub(crate) gap_error: Option<f64>,
    pub(crate) fit: bool,
}

#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct Approach {
    pub(crate) pair: [String; 2],
    pub(crate) t: Vec<[f64; 2]>,
    pub(crate) required: f64,
    pub(crate) message: String,
}

#[derive(Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ExemptRuleName {
    Pair,
    Srdf,
    Neighbours,
    Fixed,
}

#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExemptPair {
    pub(crate) pair: [String; 2],
    pub(crate) rule: ExemptRuleName,
    pub(crate) reason: String,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
}

/// A rule that takes pairs out.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExemptRuleInfo {
    pub(crate) rule: ExemptRuleName,
    pub(crate) reason: String,
    pub(crate) bodies: [Vec<String>; 2],
    pub(crate) pairs: usize,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
}

/// What people should know beside the verdict.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct Warning {
    pub(crate) code: String,
    pub(crate) bodies: Vec<String>,
    pub(crate) message: String,
}

#[derive(Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AllowedBy {
    Check,
    Pair,
    Grasp,
}

/// How deep some bodies may overlap by what the scene states.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct AllowanceInfo {
    pub(crate) by: AllowedBy,
    /// Every one of the first list against every one of the second; null for all pairs.
    pub(crate) bodies: Option<[Vec<String>; 2]>,
    pub(crate) allowance: f64,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
}

#[derive(Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ApproachBy {
    Default,
    Check,
    Pair,
}

/// How far fits may travel before and after a contact without keeping their clearance.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApproachInfo {
    pub(crate) by: ApproachBy,
    /// As of an allowance.
    pub(crate) bodies: Option<[Vec<String>; 2]>,
    pub(crate) approach: f64,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
}

/// What a planner answered for a way that was left open; steps of the file, from 1.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlannedInfo {
    pub(crate) index: usize,
    pub(crate) found: bool,
    pub(crate) planner: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) proven: bool,
}

#[derive(Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum InputKind {
    Scene,
    Mesh,
    Robot,
    Table,
}

/// A file that was read.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct InputInfo {
    pub(crate) kind: InputKind,
    pub(crate) path: String,
    /// Of its bytes, in hexadecimal digits.
    pub(crate) blake3: String,
}

#[derive(Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WorldEventKind {
    Collision,
    Separation,
    Goal,
    Gripper,
    Warning,
}

/// Something that happened in a world, as `freiraum sim --json` writes it, in metres.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub(crate) struct WorldEvent {
    pub(crate) time: f64,
    pub(crate) kind: WorldEventKind,
    pub(crate) bodies: Option<[String; 2]>,
    pub(crate) point: Option<[f64; 3]>,
    pub(crate) normal: Option<[f64; 3]>,
    /// Newton seconds.
    pub(crate) impulse: Option<f64>,
    pub(crate) goal: Option<String>,
    pub(crate) count: Option<u64>,
    #[ts(optional = nullable)]
    pub(crate) vehicle: Option<String>,
    pub(crate) action: Option<String>,
    #[ts(optional = nullable)]
    pub(crate) body: Option<String>,
    pub(crate) message: Option<String>,
    /// Counts up in a run; recordings have none.
    pub(crate) number: Option<u64>,
}

#[derive(Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SensorKind {
    Laser,
    Infrared,
    #[serde(rename = "light barrier")]
    LightBarrier,
    Bumper,
    Camera,
    Ultrasonic,
    Odometry,
}

#[cfg(test)]
mod tests {
    use super::{CheckReport, WorldEvent};
    use freiraum_assets::ShapeCache;
    use freiraum_check::Timeline;
    use freiraum_check::{CheckMemory, CheckOptions, check};
    use freiraum_formats::scene::SceneFile;
    use freiraum_geometry::Unit;
    use freiraum_world::Simulation;
    use freiraum_world::sensors::depth::Renderer;
    use std::path::Path;

    fn example(name: &str) -> SceneFile {
        SceneFile::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)).unwrap()
    }

    #[test]
    fn reports_are_as_they_are_declared() {
        let mut kinds = Vec::new();
        for name in ["gearbox/gearbox.toml", "gearbox/gearbox-faulty.toml", "cell/cell-faulty.toml"] {
            let file = example(name);
            let (scene, parts) = (file.scene(), ShapeCache::of(file.scene()));
            let timeline = Timeline::of(scene).unwrap();
            let options = CheckOptions { file: Some(&file), ..CheckOptions::default() };
            let report = check(scene, &timeline, &parts, &CheckMemory::default(), &options).unwrap();
            // Keys that are not declared, and values of another type, are errors.
            let found: CheckReport = serde_json::from_value(report.json_in(Unit::Metre)).expect(name);
            kinds
                .extend(found.steps.into_iter().flatten().flat_map(|step| step.findings).map(|one| one.kind));
        }
        assert!(!kinds.is_empty());
    }

    #[test]
    fn events_of_worlds_are_as_they_are_declared() {
        let file = example("worlds/bowling.toml");
        let (scene, parts) = (file.scene(), ShapeCache::of(file.scene()));
        let shapes: Vec<_> =
            (0..scene.bodies.len()).map(|body| parts.movable(body).unwrap().prepared().clone()).collect();
        let mut simulation = Simulation::with_renderer(scene, &shapes, &Renderer::default()).unwrap();
        let mut count = 0;
        while count < 20 {
            simulation.step();
            for event in simulation.take_events() {
                serde_json::from_value::<WorldEvent>(event.to_json(simulation.scene(), Unit::Metre)).unwrap();
                count += 1;
            }
        }
    }
}
