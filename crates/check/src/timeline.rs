//! The steps of a scene as motions of its bodies.

use crate::poses::Poses;
use crate::program::Crew;
use crate::states;
use freiraum_geometry::Pose;
use freiraum_geometry::path::{Carried, Motion, Sequence, Straight, UniformMotion};
use freiraum_robot::Robot;
use freiraum_robot::trajectory::{JointPath, LinkMotion};
use freiraum_scene::{Move, Place, Problem, Scene, Step, Travel};
use std::sync::Arc;

/// What happens in a scene, stage after stage.
#[derive(Clone)]
pub struct Timeline {
    /// One per step, in the order of the plan; several for a step in which robots take or leave something on the way.
    pub stages: Vec<Stage>,
    /// Where the bodies are after the last stage.
    pub end: Vec<Pose>,
    /// All robots of the scene during every stage, and after the last one.
    pub robots: Vec<Vec<RobotStage>>,
}

/// A robot during a stage.
#[derive(Clone, Debug)]
pub struct RobotStage {
    /// The joint values over t in [0, 1].
    pub path: Arc<JointPath>,
    /// Numbers of the bodies that it holds.
    pub held: Vec<usize>,
    /// What of its task it does in this stage, in the order of the task; one that takes no time is in the stage that ends with it.
    pub actions: Vec<ActionPart>,
}

/// What of an action happens in a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionPart {
    /// The number of the action in the task of the robot.
    pub action: usize,
    /// From when to when, in [0, 1] of the stage.
    pub time: [f64; 2],
}

/// A step, with where everything is.
#[derive(Clone)]
pub struct Stage {
    /// The name of the step, with its part if there are several.
    pub name: String,
    /// The number of the step.
    pub step: usize,
    /// Where all bodies are before it.
    pub before: Poses,
    /// What moves during it, over t in [0, 1]; no body twice.
    pub movers: Vec<Mover>,
    /// Grasps that allow an overlap.
    pub grips: Vec<Grip>,
    /// How long it takes, for animations, in seconds.
    pub seconds: f64,
    /// Where the scene file says so.
    pub place: Place,
}

/// A gripper and what it may overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// The number of the robot.
    pub robot: usize,
    /// The number of the body that it holds, or has released.
    pub body: usize,
    /// How deep they may overlap, in metres.
    pub depth: f64,
    /// When it allows that.
    pub phase: GripPhase,
}

/// When a grasp allows an overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GripPhase {
    /// The body is grasped later in the same step: only what touches it at the end of the stage may overlap, fingers that close on it.
    Closing,
    /// The body is held.
    Held,
    /// After the release only what still touches at the beginning of the stage may overlap.
    Released,
}

/// Bodies that move as one.
#[derive(Clone)]
pub struct Mover {
    /// The name of the body or group.
    pub subject: String,
    /// Numbers of bodies; the first one leads.
    pub bodies: Vec<usize>,
    /// What they do.
    pub course: Course,
    /// The motion of the leading body. If a planner has still to find it, the straight way.
    pub lead: Arc<dyn Motion>,
    /// Where the scene file says so.
    pub place: Place,
}

/// What bodies do that move as one.
#[derive(Clone, Debug)]
pub enum Course {
    /// As the step says it.
    Travel(Travel),
    /// They move with a link of a robot.
    Link(LinkCourse),
}

/// How a link of a robot moves.
#[derive(Clone, Debug)]
pub struct LinkCourse {
    /// The number of the robot.
    pub robot: usize,
    /// What it is.
    pub model: Arc<Robot>,
    /// Where its root link stands.
    pub base: Pose,
    /// The number of the link.
    pub link: usize,
    /// The joint values over t in [0, 1].
    pub path: Arc<JointPath>,
    /// True if a planner has still to find the way, and this is only the straight one.
    pub is_open: bool,
    /// How long it takes, in seconds.
    pub seconds: f64,
}

impl LinkCourse {
    /// The motion of the link in the world.
    pub(crate) fn motion(&self) -> LinkMotion {
        self.seen_from(0, self.base)
    }

    /// The motion of the link as seen from a link that carries it, which stands still at `base`.
    fn seen_from(&self, link: usize, base: Pose) -> LinkMotion {
        LinkMotion::between(&self.model, link, self.link, base, self.path.clone())
    }
}

/// The motions of two bodies in a frame that suits both.
pub(crate) struct Sight {
    pub(crate) motions: [Arc<dyn Motion>; 2],
    /// The motion of that frame in the world; `None` for the world itself.
    pub(crate) frame: Option<LinkMotion>,
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
        let (mut crew, mut robots) = (Crew::at_start(scene), Vec::with_capacity(steps.len() + 1));
        for (number, step) in steps.into_iter().enumerate() {
            let found = if step.tasks.is_empty() {
                let stage = Stage::of_moves(scene, step, number, &crew, &mut poses);
                stage.map(|stage| vec![(stage, crew.still())])
            } else {
                crew.stages(scene, &step, number, &mut poses)
            };
            match found {
                Ok(found) => {
                    let (found, of_robots): (Vec<_>, Vec<_>) = found.into_iter().unzip();
                    for mut stage in found {
                        if let Some(earlier) = stages.last().map(|stage: &Stage| &stage.before) {
                            stage.before.share(earlier);
                        }
                        stages.push(stage);
                    }
                    robots.extend(of_robots);
                }
                Err(found) => problems.extend(found),
            }
        }
        robots.push(crew.still());
        if problems.is_empty() { Ok(Timeline { stages, end: poses, robots }) } else { Err(problems) }
    }

    /// Where all bodies are before the first stage.
    pub fn start(&self) -> Vec<Pose> {
        self.stages.first().map_or_else(|| self.end.clone(), |first| first.before.to_vec())
    }

    /// Where all bodies are after the stage with this number.
    pub fn after(&self, stage: usize) -> Vec<Pose> {
        self.stages.get(stage + 1).map_or_else(|| self.end.clone(), |next| next.before.to_vec())
    }
}

impl Stage {
    /// A step that moves bodies; `poses` are those before it, and after it in the end.
    fn of_moves(
        scene: &Scene,
        step: Step,
        number: usize,
        crew: &Crew,
        poses: &mut [Pose],
    ) -> Result<Stage, Vec<Problem>> {
        let before = Poses::from(&*poses);
        let (mut movers, mut problems) = (Vec::with_capacity(step.moves.len()), Vec::new());
        for one in step.moves {
            if let Some((body, robot)) = one.bodies.iter().find_map(|b| Some((*b, crew.holder(*b)?))) {
                let (body, robot) = (&scene.bodies[body].name, &scene.robots[robot].name);
                let message = format!("{body:?} cannot be moved: {robot:?} holds it");
                problems.push(Problem::new(one.place, message).help("release it first, or move the robot"));
                continue;
            }
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
        let stage = Stage {
            name: step.name,
            step: number,
            before,
            movers,
            grips: crew.grips(),
            seconds: step.seconds,
            place: step.place,
        };
        if problems.is_empty() { Ok(stage) } else { Err(problems) }
    }

    /// The motions of two bodies: of the same robot in the frame of the last link that carries both, so that only joints between them matter.
    pub(crate) fn sight(&self, bodies: [usize; 2]) -> Sight {
        let [a, b] = bodies.map(|body| {
            let mover = &self.movers[self.mover_of(body)?];
            match &mover.course {
                Course::Link(course) => Some(course),
                Course::Travel(_) => None,
            }
        });
        if let (Some(a), Some(b)) = (a, b)
            && a.robot == b.robot
        {
            let meet = a.model.meeting_link(a.link, b.link);
            let frame = LinkMotion::new(&a.model, meet, a.base, a.path.clone());
            let seen = |course: &LinkCourse, body: usize| -> Arc<dyn Motion> {
                let link = course.seen_from(meet, Pose::IDENTITY);
                let world_from_link = course.motion().pose(0.0);
                Arc::new(Carried::new(Arc::new(link), world_from_link.inverse() * self.before[body]))
            };
            return Sight { motions: [seen(a, bodies[0]), seen(b, bodies[1])], frame: Some(frame) };
        }
        Sight { motions: bodies.map(|body| self.motion(body)), frame: None }
    }

    /// The grasps that allow two bodies to overlap: of a gripper and what it holds, has released, or is about to hold.
    pub fn grips_of<'s>(&'s self, scene: &'s Scene, a: usize, b: usize) -> impl Iterator<Item = &'s Grip> {
        self.grips.iter().filter(move |grip| {
            let other = if grip.body == a { b } else { a };
            (grip.body == a || grip.body == b) && scene.robots[grip.robot].gripper().contains(&other)
        })
    }

    /// True if robots move in it, so that its time is one that people know, in seconds.
    pub fn is_timed(&self) -> bool {
        self.movers.iter().any(|mover| matches!(mover.course, Course::Link(_)))
    }

    /// The robots that move, each once, with the joint values over the stage.
    pub(crate) fn courses(&self) -> Vec<&LinkCourse> {
        let mut found: Vec<&LinkCourse> = Vec::new();
        for mover in &self.movers {
            if let Course::Link(course) = &mover.course
                && !found.iter().any(|known| known.robot == course.robot)
            {
                found.push(course);
            }
        }
        found
    }

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
    fn of(one: Move, before: &Poses) -> Result<Mover, Problem> {
        let lead = motion(&one.travel, &before[one.bodies[0]], one.place)?;
        let course = Course::Travel(one.travel);
        Ok(Mover { subject: one.subject, bodies: one.bodies, course, lead, place: one.place })
    }

    /// The motion of one of the bodies; `before` is where all bodies are at t = 0.
    pub fn motion(&self, body: usize, before: &Poses) -> Arc<dyn Motion> {
        if body == self.bodies[0] {
            return self.lead.clone();
        }
        let lead_from_body = before[self.bodies[0]].inverse() * before[body];
        Arc::new(Carried::new(self.lead.clone(), lead_from_body))
    }

    /// True if a planner has still to find the way.
    pub fn is_open(&self) -> bool {
        match &self.course {
            Course::Travel(travel) => matches!(travel, Travel::Plan { .. }),
            Course::Link(course) => course.is_open,
        }
    }

    /// What they do, if the step says it in so many words.
    pub fn travel(&self) -> Option<&Travel> {
        match &self.course {
            Course::Travel(travel) => Some(travel),
            Course::Link(_) => None,
        }
    }
}

/// What a body does that is at `start`.
pub fn motion(travel: &Travel, start: &Pose, place: Place) -> Result<Arc<dyn Motion>, Problem> {
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
