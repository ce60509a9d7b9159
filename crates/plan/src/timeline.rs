//! The steps of a scene as motions of its bodies.

use crate::states;
use freiraum_geometry::Pose;
use freiraum_motion::path::{Carried, Motion, Sequence, Straight, UniformMotion};
use freiraum_scene::{Move, Place, Problem, Scene, Travel};
use std::sync::Arc;

/// What happens in a scene, stage after stage.
#[derive(Clone)]
pub struct Timeline {
    /// One per step, in the order of the plan.
    pub stages: Vec<Stage>,
    /// Where the bodies are after the last stage.
    pub end: Vec<Pose>,
}

/// A step, with where everything is.
#[derive(Clone)]
pub struct Stage {
    /// The name of the step.
    pub name: String,
    /// Where all bodies are before it.
    pub before: Vec<Pose>,
    /// What moves during it, over t in [0, 1]; no body twice.
    pub movers: Vec<Mover>,
    /// How long it takes, for animations, in seconds.
    pub seconds: f64,
    /// Where the scene file says so.
    pub place: Place,
}

/// Bodies that move as one.
#[derive(Clone)]
pub struct Mover {
    /// The name of the body or group.
    pub subject: String,
    /// Numbers of bodies; the first one leads.
    pub bodies: Vec<usize>,
    /// What they do, as the step says it.
    pub travel: Travel,
    /// The motion of the leading body. If a planner has still to find it, the straight way.
    pub lead: Arc<dyn Motion>,
    /// Where the scene file says so.
    pub place: Place,
}

impl Timeline {
    /// The stages of a scene with steps, or with states that follow each other.
    ///
    /// **Errors.** States between which no translation or rotation leads, a path whose shares make no sense.
    pub fn of(scene: &Scene) -> Result<Timeline, Vec<Problem>> {
        let mut poses: Vec<Pose> = scene.bodies.iter().map(|body| body.pose).collect();
        let steps = if scene.states.is_empty() {
            scene.steps.clone()
        } else {
            states::place(&scene.states[0], &mut poses);
            states::steps(scene, &poses)?
        };
        let (mut stages, mut problems) = (Vec::with_capacity(steps.len()), Vec::new());
        for step in steps {
            let before = poses.clone();
            let mut movers = Vec::with_capacity(step.moves.len());
            for one in step.moves {
                match Mover::of(one, &before) {
                    Ok(mover) => movers.push(mover),
                    Err(problem) => problems.push(problem),
                }
            }
            for mover in &movers {
                for body in &mover.bodies {
                    poses[*body] = mover.motion(*body, &before).pose(1.0);
                }
            }
            stages.push(Stage { name: step.name, before, movers, seconds: step.seconds, place: step.place });
        }
        if problems.is_empty() { Ok(Timeline { stages, end: poses }) } else { Err(problems) }
    }

    /// Where all bodies are after the stage with this number.
    pub fn after(&self, stage: usize) -> &[Pose] {
        self.stages.get(stage + 1).map_or(&self.end, |next| &next.before)
    }
}

impl Stage {
    /// The number of the mover that a body belongs to; `None` if it stays.
    pub fn mover_of(&self, body: usize) -> Option<usize> {
        self.movers.iter().position(|mover| mover.bodies.contains(&body))
    }

    /// The motion of a body, still if it does not move.
    pub fn motion(&self, body: usize) -> Arc<dyn Motion> {
        match self.mover_of(body) {
            Some(mover) => self.movers[mover].motion(body, &self.before),
            None => Arc::new(UniformMotion::still(self.before[body])),
        }
    }
}

impl Mover {
    fn of(one: Move, before: &[Pose]) -> Result<Mover, Problem> {
        let lead = motion(&one.travel, &before[one.bodies[0]], one.place)?;
        Ok(Mover { subject: one.subject, bodies: one.bodies, travel: one.travel, lead, place: one.place })
    }

    /// The motion of one of the bodies; `before` is where all bodies are at t = 0.
    pub fn motion(&self, body: usize, before: &[Pose]) -> Arc<dyn Motion> {
        if body == self.bodies[0] {
            return self.lead.clone();
        }
        let lead_from_body = before[self.bodies[0]].inverse() * before[body];
        Arc::new(Carried::new(self.lead.clone(), lead_from_body))
    }

    /// True if a planner has still to find the way.
    pub fn is_open(&self) -> bool {
        matches!(self.travel, Travel::Plan { .. })
    }
}

/// What a body does that is at `start`.
pub(crate) fn motion(travel: &Travel, start: &Pose, place: Place) -> Result<Arc<dyn Motion>, Problem> {
    Ok(match travel {
        Travel::Translate(by) => Arc::new(UniformMotion::translation(*start, *by)),
        Travel::Turn { axis, angle, advance } => {
            Arc::new(UniformMotion::screw(*start, *axis, *angle, *advance))
        }
        Travel::To(end) | Travel::Plan { to: end, .. } => Arc::new(Straight::new(*start, *end)),
        Travel::Path(pieces) => {
            let mut from = *start;
            let mut motions = Vec::with_capacity(pieces.len());
            for piece in pieces {
                let next = motion(&piece.travel, &from, place)?;
                from = next.pose(1.0);
                motions.push((piece.share, next));
            }
            Arc::new(Sequence::new(motions).map_err(|e| Problem::new(place, e.to_string()))?)
        }
    })
}
