//! Names, sentences and places of a report, so that it can be written without its scene.

use super::result::{Finding, FindingKind, StepResult};
use crate::timeline::{Course, Stage, Timeline};
use crate::words::{self, OpenWay};
use freiraum_formats::scene::{Lines, SceneFile};
use freiraum_geometry::Unit;
use freiraum_scene::{Place, Scene};

/// What a report says of its scene in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lexicon {
    pub(crate) units: Unit,
    /// The scene file, as it was named.
    pub(crate) file: Option<String>,
    pub(crate) title: Option<String>,
    /// Names of the bodies.
    pub(crate) bodies: Vec<String>,
    /// Of the findings before the first step.
    pub(crate) start: Vec<Said>,
    pub(crate) stages: Vec<StageWords>,
}

/// A stage in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StageWords {
    pub(crate) name: String,
    pub(crate) action: String,
    /// The number of the step in the file, and the part of it, from 1.
    pub(crate) step: [usize; 2],
    pub(crate) seconds: f64,
    /// True if times are in seconds: robots move.
    pub(crate) is_timed: bool,
    /// Line and column of the step in the scene file.
    pub(crate) at: Option<[usize; 2]>,
    pub(crate) findings: Vec<Said>,
    /// Of the pairs that need not keep their clearance for a while.
    pub(crate) approaches: Vec<String>,
    /// Joint values where the closest pair is closest.
    pub(crate) closest: Vec<Joints>,
}

/// A finding in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Said {
    pub(crate) message: String,
    /// What was to be moved, where no way was found.
    pub(crate) subject: Option<String>,
    /// Line and column in the scene file.
    pub(crate) at: Option<[usize; 2]>,
    /// Where that is in the text.
    pub(crate) place: Place,
    /// The clearance that its pair must keep, in metres.
    pub(crate) required: f64,
    pub(crate) joints: Vec<Joints>,
}

/// The joint values of a robot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Joints {
    pub(crate) robot: String,
    pub(crate) values: Vec<JointValue>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum JointValue {
    Degrees(f64),
    Metres(f64),
}

impl Lexicon {
    pub(super) fn of(
        scene: &Scene,
        timeline: &Timeline,
        start: &[Finding],
        steps: &[StepResult],
        open_ways: &[OpenWay],
        file: Option<&SceneFile>,
    ) -> Lexicon {
        let writer = Writer { scene, timeline, lines: file.map(SceneFile::lines) };
        let blamed: Vec<usize> = start.iter().map(|finding| blamed(scene, finding)).collect();
        let places = match file {
            Some(file) if !start.is_empty() => file.start_places(&blamed),
            _ => blamed.iter().map(|body| scene.bodies[*body].place).collect(),
        };
        let of_start = start
            .iter()
            .zip(places)
            .map(|(finding, place)| writer.said(None, finding, words::start_sentence(scene, finding), place));
        let stages = steps.iter().enumerate().zip(&timeline.stages);
        Lexicon {
            units: scene.units,
            file: file.map(|file| file.name().to_owned()),
            title: file.and_then(SceneFile::title).map(str::to_owned),
            bodies: scene.bodies.iter().map(|body| body.name.clone()).collect(),
            start: of_start.collect(),
            stages: stages
                .map(|((number, step), stage)| writer.stage(number, stage, step, open_ways))
                .collect(),
        }
    }
}

struct Writer<'w> {
    scene: &'w Scene,
    timeline: &'w Timeline,
    lines: Option<Lines<'w>>,
}

impl Writer<'_> {
    fn stage(&self, number: usize, stage: &Stage, step: &StepResult, open_ways: &[OpenWay]) -> StageWords {
        let way = open_ways.iter().find(|way| way.stage == number);
        let said = |finding: &Finding| {
            let place = place_of(self.scene, self.timeline, number, finding);
            let sentence = words::sentence(self.scene, self.timeline, number, finding);
            let said = self.said(Some(stage), finding, sentence, place);
            match way.filter(|_| finding.kind == FindingKind::NoPath) {
                Some(way) => Said { message: way.sentence(), subject: Some(way.subject.clone()), ..said },
                None => said,
            }
        };
        StageWords {
            name: stage.name.clone(),
            action: words::action(self.scene, self.timeline, number),
            step: [stage.step + 1, words::step_part(self.timeline, number)[0] + 1],
            seconds: stage.seconds,
            is_timed: stage.is_timed(),
            at: self.at(stage.place),
            findings: step.findings.iter().map(said).collect(),
            approaches: step.approaches.iter().map(|one| words::approached(self.scene, stage, one)).collect(),
            closest: step.closest.map_or(Vec::new(), |closest| self.joints(stage, closest.time)),
        }
    }

    fn said(&self, stage: Option<&Stage>, finding: &Finding, message: String, place: Place) -> Said {
        let [a, b] = finding.pair;
        Said {
            message,
            subject: None,
            at: self.at(place),
            place,
            required: self.scene.requirement(a, b).clearance,
            joints: stage.map_or(Vec::new(), |stage| self.joints(stage, finding.time)),
        }
    }

    fn at(&self, place: Place) -> Option<[usize; 2]> {
        self.lines.as_ref().map(|lines| lines.line_and_column(place.start).into())
    }

    /// The joint values of the robots that move, as a scene file has them.
    fn joints(&self, stage: &Stage, t: f64) -> Vec<Joints> {
        let of = |course: &&crate::LinkCourse| {
            let values = course.path.values(t);
            let told = course.model.freedoms().iter().zip(values).map(|(joint, value)| {
                let turns = course.model.joints()[*joint].kind.turns();
                if turns { JointValue::Degrees(value.to_degrees()) } else { JointValue::Metres(value) }
            });
            let robot = self.scene.robots.get(course.robot).map_or("?", |robot| &robot.name);
            Joints { robot: robot.to_owned(), values: told.collect() }
        };
        stage.courses().iter().map(of).collect()
    }
}

/// The body of a finding about the start that is rather misplaced: one that is not fixed, and the later one.
fn blamed(scene: &Scene, finding: &Finding) -> usize {
    let [a, b] = finding.pair;
    let (early, late) = (a.min(b), a.max(b));
    let is_fixed = |body: usize| scene.bodies[body].is_fixed;
    if is_fixed(late) && !is_fixed(early) { early } else { late }
}

/// Where the scene file says what leads to a finding: the action that a robot carries out then, else the move, else the step.
fn place_of(scene: &Scene, timeline: &Timeline, number: usize, finding: &Finding) -> Place {
    let stage = &timeline.stages[number];
    let Some(mover) = stage.mover_of(finding.pair[0]).map(|mover| &stage.movers[mover]) else {
        return stage.place;
    };
    let Course::Link(course) = &mover.course else { return mover.place };
    let action = || {
        let parts = &timeline.robots.get(number)?.get(course.robot)?.actions;
        let lasts = |part: &&crate::ActionPart| part.time[0] < part.time[1];
        let mut begun = parts.iter().filter(lasts).filter(|part| part.time[0] <= finding.time);
        let part = begun.next_back().or_else(|| parts.iter().find(lasts)).or(parts.first())?;
        let task = scene.steps.get(stage.step)?.tasks.iter().find(|task| task.robot == course.robot)?;
        Some(task.actions.get(part.action)?.place)
    };
    action().filter(|place| *place != Place::default()).unwrap_or(mover.place)
}
