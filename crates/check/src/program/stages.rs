//! A step of robots as stages.

use super::schedule::{Event, Schedule, Track, schedule};
use crate::poses::Poses;
use crate::timeline::{ActionPart, Course, Grip, GripPhase, LinkCourse, Mover, RobotStage, Stage};
use freiraum_geometry::Pose;
use freiraum_geometry::path::{Carried, Motion};
use freiraum_robot::Robot;
use freiraum_robot::trajectory::{JointPath, LinkMotion};
use freiraum_scene::{Problem, Scene, Step};
use std::sync::Arc;

/// The robots of a scene as they are between two steps.
pub(crate) struct Crew {
    /// Joint values of every robot.
    values: Vec<Vec<f64>>,
    held: Vec<Held>,
    /// What grippers may overlap, or may still.
    grips: Vec<Grip>,
}

/// A body in a gripper.
#[derive(Clone, Copy)]
struct Held {
    body: usize,
    robot: usize,
}

impl Crew {
    pub(crate) fn at_start(scene: &Scene) -> Crew {
        Crew {
            values: scene.robots.iter().map(|robot| robot.start.clone()).collect(),
            held: Vec::new(),
            grips: Vec::new(),
        }
    }

    /// The number of the robot that holds a body.
    pub(crate) fn holder(&self, body: usize) -> Option<usize> {
        self.held.iter().find(|held| held.body == body).map(|held| held.robot)
    }

    /// What grippers may overlap now.
    pub(crate) fn grips(&self) -> Vec<Grip> {
        self.grips.clone()
    }

    /// All robots as they are now, while none of them moves.
    pub(crate) fn still(&self) -> Vec<RobotStage> {
        let held = |robot: usize| self.held.iter().filter(move |held| held.robot == robot);
        let still = |(robot, values): (usize, &Vec<f64>)| RobotStage {
            path: Arc::new(JointPath::still(values)),
            held: held(robot).map(|held| held.body).collect(),
            actions: Vec::new(),
        };
        self.values.iter().enumerate().map(still).collect()
    }

    /// The stages of a step that robots do; `poses` are those of all bodies before it, and after it in the end.
    pub(crate) fn stages(
        &mut self,
        scene: &Scene,
        step: &Step,
        number: usize,
        poses: &mut [Pose],
    ) -> Result<Vec<(Stage, Vec<RobotStage>)>, Vec<Problem>> {
        let schedule = schedule(scene, step, &self.values)?;
        let mut borders: Vec<f64> = schedule.events.iter().map(|event| event.time).collect();
        borders.retain(|time| 0.0 < *time && *time < schedule.seconds);
        borders.dedup();
        borders.push(schedule.seconds);
        let count = borders.len();
        let (mut stages, mut start, mut events) =
            (Vec::with_capacity(count), 0.0, schedule.events.iter().peekable());
        for (part, end) in borders.into_iter().enumerate() {
            // What is taken or left at the very beginning belongs to what follows.
            while let Some(event) = events.next_if(|event| event.time <= start && start < end) {
                self.take_or_leave(scene, event).map_err(|problem| vec![problem])?;
            }
            let name = if count == 1 {
                step.name.clone()
            } else {
                format!("{} ({} of {count})", step.name, part + 1)
            };
            let before = Poses::from(&*poses);
            let movers = self.movers(scene, &schedule, start, end, &before);
            for mover in &movers {
                for body in &mover.bodies {
                    poses[*body] = mover.motion(*body, &before).pose(1.0);
                }
            }
            let mut robots = self.still();
            for track in &schedule.tracks {
                robots[track.robot].path = Arc::new(track.part(start, end));
                robots[track.robot].actions = actions(track, start, end);
            }
            let (seconds, place) = (end - start, step.place);
            let mut grips = self.grips();
            // Fingers close on what the same step grasps later.
            grips.extend(events.clone().filter(|event| event.is_grasp).filter_map(|event| {
                let (robot, body, depth) = (event.robot, event.body, event.depth?);
                Some(Grip { robot, body, depth, phase: GripPhase::Closing })
            }));
            stages.push((Stage { name, step: number, before, movers, grips, seconds, place }, robots));
            start = end;
        }
        for track in &schedule.tracks {
            self.values[track.robot] = track.part(schedule.seconds, schedule.seconds).values(1.0);
        }
        for event in events {
            self.take_or_leave(scene, event).map_err(|problem| vec![problem])?;
        }
        Ok(stages)
    }

    fn take_or_leave(&mut self, scene: &Scene, event: &Event) -> Result<(), Problem> {
        let (body, robot) = (&scene.bodies[event.body].name, &scene.robots[event.robot]);
        let holder = self.holder(event.body);
        if !event.is_grasp {
            let fail = |message: String| Err(Problem::new(event.place, message));
            return match holder {
                Some(holder) if holder == event.robot => {
                    self.held.retain(|held| held.body != event.body);
                    self.grips
                        .iter_mut()
                        .filter(|grip| grip.body == event.body)
                        .for_each(|grip| grip.phase = GripPhase::Released);
                    Ok(())
                }
                Some(other) => fail(format!(
                    "{:?} cannot release {body:?}: {:?} holds it",
                    robot.name, scene.robots[other].name
                )),
                None => fail(format!("{:?} cannot release {body:?}: nobody holds it", robot.name)),
            };
        }
        if let Some(other) = holder {
            let message =
                format!("{:?} cannot grasp {body:?}: {:?} holds it", robot.name, scene.robots[other].name);
            return Err(Problem::new(event.place, message).help("let the other robot release it first"));
        }
        self.held.push(Held { body: event.body, robot: event.robot });
        // What another gripper has not yet left may overlap that one still.
        self.grips.retain(|grip| grip.body != event.body || grip.robot != event.robot);
        let grip = |depth| Grip { robot: event.robot, body: event.body, depth, phase: GripPhase::Held };
        self.grips.extend(event.depth.map(grip));
        Ok(())
    }

    fn movers(&self, scene: &Scene, schedule: &Schedule, start: f64, end: f64, before: &Poses) -> Vec<Mover> {
        schedule.tracks.iter().flat_map(|track| self.movers_of(scene, track, start, end, before)).collect()
    }

    fn movers_of(&self, scene: &Scene, track: &Track, start: f64, end: f64, before: &Poses) -> Vec<Mover> {
        let robot = &scene.robots[track.robot];
        let path = Arc::new(track.part(start, end));
        let mut movers = Vec::new();
        let clusters = clusters(&robot.model, &path);
        for (first, cluster) in clusters.iter().enumerate() {
            // The links that stand still are no mover, and every other cluster is looked at where its first link is.
            if *cluster != first || *cluster == 0 {
                continue;
            }
            let links = (0..clusters.len()).filter(|link| clusters[*link] == first);
            let mut bodies: Vec<usize> = links.filter_map(|link| robot.links[link]).collect();
            if clusters[robot.flange] == first {
                bodies.extend(robot.tools.iter().map(|(body, _)| *body));
                bodies
                    .extend(self.held.iter().filter(|held| held.robot == track.robot).map(|held| held.body));
            }
            if bodies.is_empty() {
                continue;
            }
            let course = LinkCourse {
                robot: track.robot,
                model: robot.model.clone(),
                base: robot.base,
                link: first,
                path: path.clone(),
                is_open: track.is_open(start, end),
                seconds: end - start,
            };
            let link = Arc::new(LinkMotion::new(&robot.model, first, robot.base, path.clone()));
            let link_from_lead = link.pose(0.0).inverse() * before[bodies[0]];
            let lead = Arc::new(Carried::new(link, link_from_lead));
            let (subject, place) = (robot.name.clone(), track.place);
            movers.push(Mover { subject, bodies, course: Course::Link(course), lead, place });
        }
        movers
    }
}

/// What of the actions of a track happens from `start` to `end`.
fn actions(track: &Track, start: f64, end: f64) -> Vec<ActionPart> {
    let share = |time: f64| if end > start { ((time - start) / (end - start)).clamp(0.0, 1.0) } else { 1.0 };
    let is_in = |[from, to]: [f64; 2]| {
        if from < to {
            from < end && start < to
        } else {
            // What happens at the very beginning is before everything.
            (start < from || from == 0.0 && start == 0.0) && from <= end
        }
    };
    let all = track.spans.iter().enumerate().filter(|(_, span)| is_in(**span));
    all.map(|(action, span)| ActionPart { action, time: span.map(share) }).collect()
}

/// For every link the first one that it moves as one with; those that stand still with the root.
fn clusters(robot: &Robot, path: &JointPath) -> Vec<usize> {
    let moves = |joint: usize| {
        let Some((freedom, factor)) = robot.rate(joint) else { return false };
        let first = path.knot(0)[freedom];
        factor != 0.0 && (1..path.times().len()).any(|knot| path.knot(knot)[freedom] != first)
    };
    let mut found = vec![0; robot.links().len()];
    for (number, joint) in robot.joints().iter().enumerate() {
        found[joint.child] = if moves(number) { joint.child } else { found[joint.parent] };
    }
    found
}
