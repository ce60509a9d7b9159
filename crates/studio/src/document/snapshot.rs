//! The scene as it was at one moment: what questions are answered from while it changes.

use super::meshes::{Surroundings, count_triangles, mesh_name};
use super::{robot, stages};
use crate::protocol::{Refusal, sent};
use freiraum_formats::scene::SceneFile;
use freiraum_geometry::{AxisBox, Pose};
use freiraum_motion::path::Ball;
use freiraum_plan::picture::color_of;
use freiraum_plan::report::keys;
use freiraum_plan::{Mover, Parts, Stage, Timeline, words};
use freiraum_scene::{Scene, Travel};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Key frames are within this share of the size of a body.
const ACCURACY: f64 = 0.001;

/// The scene with this number; never changed.
pub(crate) struct Snapshot {
    pub(crate) revision: u64,
    pub(crate) file: SceneFile,
    pub(crate) timeline: Timeline,
    pub(crate) parts: Parts,
    /// Bodies by the names of their meshes.
    pub(crate) meshes: BTreeMap<String, usize>,
    pub(crate) surroundings: Surroundings,
    mesh_of: Vec<String>,
    /// How many triangles are shown, by the names of the meshes.
    triangles: BTreeMap<String, usize>,
}

impl Snapshot {
    /// Of a scene file; shapes that `parts` knows are not read again, and what `before` knows stays.
    pub(super) fn of(
        revision: u64,
        file: SceneFile,
        parts: Parts,
        before: Option<&Snapshot>,
    ) -> Result<Snapshot, Refusal> {
        let in_file = |problems| Refusal::from(file.errors(problems));
        // Digests first: a file that is written in between is then noticed.
        parts.load_digests(file.scene()).map_err(in_file)?;
        parts.load(file.scene()).map_err(in_file)?;
        let timeline = Timeline::of(file.scene()).map_err(in_file)?;
        let surroundings =
            before.map_or_else(|| Surroundings::of(file.scene(), &parts), |before| before.surroundings);
        let mut meshes = BTreeMap::new();
        let mut triangles = BTreeMap::new();
        let mut mesh_of = Vec::new();
        for body in 0..file.scene().bodies.len() {
            let name = mesh_name(&parts, body, &surroundings)?;
            meshes.entry(name.clone()).or_insert(body);
            if !triangles.contains_key(&name) {
                let known = before.and_then(|before| before.triangles.get(&name).copied());
                let count = known.or_else(|| count_triangles(file.scene(), &parts, body, &surroundings));
                triangles.insert(name.clone(), count.unwrap_or(0));
            }
            mesh_of.push(name);
        }
        Ok(Snapshot { revision, file, timeline, parts, meshes, surroundings, mesh_of, triangles })
    }

    pub(crate) fn scene(&self) -> &Scene {
        self.file.scene()
    }

    /// The name of the mesh of a body.
    pub(crate) fn mesh_name(&self, body: usize) -> Option<&str> {
        self.mesh_of.get(body).map(String::as_str)
    }

    /// Whether the file says anything that matters in time alone.
    pub(crate) fn has_world(&self) -> bool {
        let world = &self.scene().world;
        !world.physics.is_empty()
            || !world.vehicles.is_empty()
            || !world.sensors.is_empty()
            || !world.goals.is_empty()
            || world.settings.place != freiraum_scene::Place::default()
    }

    /// What people call it.
    pub(crate) fn title(&self) -> String {
        self.file.title().map_or_else(|| stem(self.file.name()), str::to_owned)
    }

    /// Where all bodies are before the first step.
    pub(crate) fn start(&self) -> Vec<Pose> {
        self.timeline.start()
    }

    /// The `scene` event, but for what the session adds.
    pub(super) fn event(&self) -> Value {
        let (scene, start) = (self.scene(), self.start());
        let bodies: Vec<Value> = scene
            .bodies
            .iter()
            .enumerate()
            .map(|(number, body)| {
                json!({
                    "name": body.name, "mesh": self.mesh_of[number],
                    "color": color_of(body, number).0.map(|c| f64::from(c) / 255.0),
                    "fixed": body.is_fixed, "pose": sent(&start[number]), "goal": body.goal.as_ref().map(sent),
                    "triangles": self.triangles[&self.mesh_of[number]], "robot": scene.robot_of(number),
                })
            })
            .collect();
        let groups: Vec<Value> = scene
            .groups
            .iter()
            .map(|group| json!({ "name": group.name, "members": group.members }))
            .collect();
        let stages = &self.timeline.stages;
        let steps: Vec<Value> =
            stages.iter().enumerate().map(|(number, stage)| self.step(number, stage)).collect();
        let robots = self.timeline.robots.iter().map(|stage| robot::stage_robots(stage));
        let tracks: Vec<Value> = stages
            .iter()
            .zip(robots)
            .map(|(stage, robots)| json!({ "tracks": self.tracks(stage), "robots": robots }))
            .collect();
        json!({
            "event": "scene", "revision": self.revision, "name": stem(self.file.name()), "title": self.title(),
            "units": scene.units.symbol(), "world": self.has_world(), "clearance": scene.clearance, "allowance": scene.allowance,
            "bodies": bodies, "groups": groups, "steps": steps, "stages": tracks,
            "end": self.timeline.end.iter().map(sent).collect::<Vec<_>>(),
            "robots": robot::robots(scene), "robots_end": self.timeline.robots.last().map(|end| robot::end_robots(end)),
        })
    }

    fn step(&self, number: usize, stage: &Stage) -> Value {
        let line = self.file.errors(vec![freiraum_scene::Problem::new(stage.place, "")]).located()[0].line;
        // A stage alone says what one mover does.
        let summary = |mover: &Mover| {
            let alone = Stage { movers: vec![mover.clone()], ..stage.clone() };
            let timeline = Timeline { stages: vec![alone], end: Vec::new(), robots: Vec::new() };
            words::action(self.scene(), &timeline, 0)
        };
        let one = |mover: &Mover| {
            let kind = kind(mover.travel()?);
            Some(
                json!({ "subject": mover.subject, "bodies": mover.bodies, "kind": kind, "summary": summary(mover) }),
            )
        };
        let moves: Vec<Value> = stage.movers.iter().filter_map(one).collect();
        let step = self.scene().steps.get(stage.step);
        let [part, count] = stages::part_of(&self.timeline, number);
        let robots = step.map_or(Vec::new(), |step| step.tasks.iter().map(|task| task.robot).collect());
        json!({
            "name": stage.name, "seconds": stage.seconds, "line": line, "moves": moves,
            "step": stage.step, "part": [part, count], "robots": robots,
            "actions": step.map_or(Vec::new(), |step| robot::listed(self.scene(), step, &self.timeline, number - part)),
        })
    }

    /// Key frames of all bodies that move in a stage.
    pub(super) fn tracks(&self, stage: &Stage) -> Vec<Value> {
        let mut tracks = Vec::new();
        for &body in stage.movers.iter().flat_map(|mover| &mover.bodies) {
            let bounds = self.parts.movable(body).ok().and_then(|movable| movable.prepared().bounds());
            let bounds = bounds.unwrap_or(AxisBox {
                min: freiraum_geometry::Vec3::NEG_ONE,
                max: freiraum_geometry::Vec3::ONE,
            });
            let ball = Ball { center: bounds.center(), radius: 0.5 * bounds.size().length() };
            let keys = keys(&*stage.motion(body), &ball, ACCURACY * bounds.size().length());
            let (times, poses): (Vec<f64>, Vec<_>) =
                keys.iter().map(|(time, pose)| (*time, sent(pose))).unzip();
            tracks.push(json!({ "body": body, "times": times, "poses": poses }));
        }
        tracks
    }
}

impl Snapshot {
    /// Key frames of a whole timeline as if it were one stage.
    pub(super) fn tracks_of_all(&self, timeline: &Timeline) -> Vec<Value> {
        let whole: f64 = timeline.stages.iter().map(|stage| stage.seconds).sum();
        let mut all: BTreeMap<usize, (Vec<f64>, Vec<Value>)> = BTreeMap::new();
        let mut start = 0.0;
        for stage in timeline.stages.iter().filter(|stage| stage.seconds > 0.0) {
            for mut track in self.tracks(stage) {
                let Some(body) = track["body"].as_u64() else { continue };
                let (times, poses) = all.entry(body as usize).or_default();
                let of = track["times"].as_array().into_iter().flatten().filter_map(Value::as_f64);
                times.extend(of.map(|t| ((start + t * stage.seconds) / whole).min(1.0)));
                poses.append(track["poses"].as_array_mut().unwrap_or(&mut Vec::new()));
            }
            start += stage.seconds;
        }
        let track = |(body, (times, poses)): (usize, (Vec<f64>, Vec<Value>))| json!({ "body": body, "times": times, "poses": poses });
        all.into_iter().map(track).collect()
    }
}

fn kind(travel: &Travel) -> &'static str {
    match travel {
        Travel::Translate(_) => "translate",
        Travel::Turn { advance, .. } if *advance == 0.0 => "turn",
        Travel::Turn { .. } => "screw",
        Travel::To(_) => "to",
        Travel::Path(_) => "path",
        Travel::Plan { .. } => "plan",
    }
}

fn stem(name: &str) -> String {
    std::path::Path::new(name)
        .file_stem()
        .map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
