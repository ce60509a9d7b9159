//! The scene as it was at one moment: what questions are answered from while it changes.

use super::meshes::{Surroundings, count_triangles, mesh_name};
use super::{robot, stages};
use crate::protocol::{
    BodyInfo, GroupInfo, MoveInfo, MoveKind, Refusal, SceneEvent, SentPose, Stage as ShownStage, StepInfo,
    Track, sent,
};
use freiraum_assets::ShapeCache;
use freiraum_check::{Mover, Stage, Timeline, words};
use freiraum_formats::scene::SceneFile;
use freiraum_geometry::{Aabb, Pose};
use freiraum_render::picture::color_of;
use freiraum_render::report::keys;
use freiraum_scene::{Body, Group, Scene, Travel};
use std::collections::BTreeMap;

/// Key frames are within this share of the size of a body.
const ACCURACY: f64 = 0.001;

/// The scene with this number; never changed.
pub(crate) struct Snapshot {
    pub(crate) revision: u64,
    pub(crate) file: SceneFile,
    pub(crate) timeline: Timeline,
    pub(crate) parts: ShapeCache,
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
        parts: ShapeCache,
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
    pub(super) fn event(&self) -> SceneEvent {
        let (scene, start) = (self.scene(), self.start());
        let body = |(number, body): (usize, &Body)| BodyInfo {
            name: body.name.clone(),
            mesh: self.mesh_of[number].clone(),
            color: color_of(body, number).0.map(|c| f64::from(c) / 255.0),
            fixed: body.is_fixed,
            pose: sent(&start[number]),
            goal: body.goal.as_ref().map(sent),
            triangles: self.triangles[&self.mesh_of[number]],
            robot: scene.robot_of(number),
        };
        let group = |group: &Group| GroupInfo { name: group.name.clone(), members: group.members.clone() };
        let stages = &self.timeline.stages;
        let robots = self.timeline.robots.iter().map(|stage| robot::stage_robots(stage));
        let shown = |(stage, robots)| ShownStage { tracks: self.tracks(stage), robots };
        SceneEvent {
            event: "scene",
            revision: self.revision,
            name: stem(self.file.name()),
            title: self.title(),
            units: scene.units.symbol(),
            world: self.has_world(),
            clearance: scene.clearance,
            allowance: scene.allowance,
            bodies: scene.bodies.iter().enumerate().map(body).collect(),
            groups: scene.groups.iter().map(group).collect(),
            steps: stages.iter().enumerate().map(|(number, stage)| self.step(number, stage)).collect(),
            stages: stages.iter().zip(robots).map(shown).collect(),
            end: self.timeline.end.iter().map(sent).collect(),
            robots: robot::robots(scene),
            robots_end: self.timeline.robots.last().map(|end| robot::end_robots(end)),
            undo: None,
            redo: None,
            dirty: false,
            path: None,
        }
    }

    fn step(&self, number: usize, stage: &Stage) -> StepInfo {
        let line = self.file.errors(vec![freiraum_scene::Problem::new(stage.place, "")]).located()[0].line;
        // A stage alone says what one mover does.
        let summary = |mover: &Mover| {
            let alone = Stage { movers: vec![mover.clone()], ..stage.clone() };
            let timeline = Timeline { stages: vec![alone], end: Vec::new(), robots: Vec::new() };
            words::action(self.scene(), &timeline, 0)
        };
        let one = |mover: &Mover| {
            let kind = kind(mover.travel()?);
            let (subject, bodies) = (mover.subject.clone(), mover.bodies.clone());
            Some(MoveInfo { subject, bodies, kind, summary: summary(mover) })
        };
        let step = self.scene().steps.get(stage.step);
        let [part, count] = stages::part_of(&self.timeline, number);
        let robots = step.map_or(Vec::new(), |step| step.tasks.iter().map(|task| task.robot).collect());
        let actions = step.map(|step| robot::listed(self.scene(), step, &self.timeline, number - part));
        StepInfo {
            name: stage.name.clone(),
            seconds: stage.seconds,
            line,
            moves: stage.movers.iter().filter_map(one).collect(),
            step: stage.step,
            part: [part, count],
            robots,
            actions: actions.unwrap_or_default(),
        }
    }

    /// Key frames of all bodies that move in a stage.
    pub(super) fn tracks(&self, stage: &Stage) -> Vec<Track> {
        let mut tracks = Vec::new();
        for &body in stage.movers.iter().flat_map(|mover| &mover.bodies) {
            let bounds = self.parts.movable(body).ok().and_then(|movable| movable.prepared().bounds());
            let bounds = bounds
                .unwrap_or(Aabb { min: freiraum_geometry::Vec3::NEG_ONE, max: freiraum_geometry::Vec3::ONE });
            let ball = bounds.bounding_sphere();
            let keys = keys(&*stage.motion(body), &ball, ACCURACY * bounds.size().length());
            let (times, poses) = keys.iter().map(|(time, pose)| (*time, sent(pose))).unzip();
            tracks.push(Track { body, times, poses });
        }
        tracks
    }
}

impl Snapshot {
    /// Key frames of a whole timeline as if it were one stage.
    pub(super) fn tracks_of_all(&self, timeline: &Timeline) -> Vec<Track> {
        let whole: f64 = timeline.stages.iter().map(|stage| stage.seconds).sum();
        let mut all: BTreeMap<usize, (Vec<f64>, Vec<SentPose>)> = BTreeMap::new();
        let mut start = 0.0;
        for stage in timeline.stages.iter().filter(|stage| stage.seconds > 0.0) {
            for track in self.tracks(stage) {
                let (times, poses) = all.entry(track.body).or_default();
                times.extend(track.times.iter().map(|t| ((start + t * stage.seconds) / whole).min(1.0)));
                poses.extend(track.poses);
            }
            start += stage.seconds;
        }
        all.into_iter().map(|(body, (times, poses))| Track { body, times, poses }).collect()
    }
}

fn kind(travel: &Travel) -> MoveKind {
    match travel {
        Travel::Translate(_) => MoveKind::Translate,
        Travel::Turn { advance, .. } if *advance == 0.0 => MoveKind::Turn,
        Travel::Turn { .. } => MoveKind::Screw,
        Travel::To(_) => MoveKind::To,
        Travel::Path(_) => MoveKind::Path,
        Travel::Plan { .. } => MoveKind::Plan,
    }
}

fn stem(name: &str) -> String {
    std::path::Path::new(name)
        .file_stem()
        .map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
