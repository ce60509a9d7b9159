//! Grippers: two hands that slide towards each other on an arm that goes up and down.
//!
//! Hands that close stop when both touch a body that is between them, and then it is held: it moves with the arm, upright as it stood, until the hands open. Nothing between
//! them when they have met is a miss. What would tip the robot over is refused if the drive is kinematic; a dynamic robot tips over.

mod balance;

pub use balance::tipping_mass;

use super::command::GripperCommand;
use super::model::{JointKind, Model};
use crate::dynamics::{BodyId, Bytes, ColliderId, Engine, Joint, JointId, Kind, State};
use crate::event::{Event, EventKind, GripperAction};
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_query::distance;

/// Hands touch a body that is nearer than this share of their travel.
const TOUCH: f64 = 0.01;
/// Hands that hold go back by this share of their travel, so that they do not press.
const BACK: f64 = 0.005;
/// The nearest points of a hand and a body lie along the way of the hand up to this cosine.
const ALONG: f64 = 0.7;
/// A body whose axis is nearer to the vertical than this, as a cosine, is set upright in the hands: hands may tilt what they push.
const UPRIGHT: f64 = 0.98;
/// Hands that did not move for so many seconds while they close are stuck.
const STUCK: f64 = 0.5;
/// A body that is pulled out of the hands by more than this share of their travel is lost.
const LOST: f64 = 0.25;

/// A gripper of a vehicle.
pub(super) struct Gripper {
    vehicle: usize,
    own: Vec<BodyId>,
    /// The main part.
    main: BodyId,
    arm: BodyId,
    hands: [ColliderId; 2],
    /// The joints of arm and hands in the model.
    lift: usize,
    slides: [usize; 2],
    /// Lowest and highest.
    heights: [f64; 2],
    /// How far each hand goes: 0 is open.
    travel: f64,
    /// What is held hangs on the main part: the arm has no mass, or little.
    hangs_on_main: bool,
    /// Heavier bodies are refused.
    most_mass: f64,
    is_closing: bool,
    /// Closing has come to its end, and was told.
    is_done: bool,
    /// Where hands were, and for how long they are there.
    last: [f64; 2],
    stuck: f64,
    held: Option<Held>,
    /// What was let go since the last step.
    released: Option<BodyId>,
}

/// Something in the hands.
struct Held {
    body: BodyId,
    joint: JointId,
    arm_from_body: Pose,
    /// Parts that pass through it as long as it is held: it moves with them.
    passing: Vec<BodyId>,
}

impl Held {
    /// Lets it go.
    fn release(&self, engine: &mut Engine) {
        engine.remove_joint(self.joint);
        self.passing.iter().for_each(|part| engine.meet_pair(*part, self.body));
    }
}

impl Gripper {
    /// The gripper of a model, if it has one: a part that slides as "lift", and two hands on it.
    pub(super) fn of(
        engine: &Engine,
        model: &Model,
        vehicle: usize,
        bodies: &[BodyId],
        is_kinematic: bool,
    ) -> Option<Gripper> {
        let [lift, left, right] = ["lift", "left hand", "right hand"].map(|name| model.joint(name));
        let (lift, slides) = (lift?, [left?, right?]);
        let is_slide = |joint: &usize| model.joints[*joint].kind == JointKind::Slide;
        if ![lift, slides[0], slides[1]].iter().all(is_slide) {
            return None;
        }
        let part = |joint: usize| bodies[model.joints[joint].part];
        let hands = slides.map(|joint| engine.colliders(part(joint)).next());
        let [Some(left), Some(right)] = hands else { return None };
        Some(Gripper {
            vehicle,
            own: bodies.to_vec(),
            main: bodies[0],
            arm: part(lift),
            hands: [left, right],
            lift,
            slides,
            heights: model.joints[lift].limits,
            travel: model.joints[slides[0]].limits[1],
            hangs_on_main: !is_kinematic,
            most_mass: if is_kinematic { tipping_mass(model) } else { f64::INFINITY },
            is_closing: false,
            is_done: false,
            last: [0.0; 2],
            stuck: 0.0,
            held: None,
            released: None,
        })
    }

    /// The body in the hands.
    pub(super) fn holds(&self) -> Option<BodyId> {
        self.held.as_ref().map(|held| held.body)
    }

    /// Whether commands for this joint are the gripper's alone.
    pub(super) fn moves(&self, joint: usize) -> bool {
        self.slides.contains(&joint)
    }

    /// Takes a command; `targets` are where joints shall go.
    pub(super) fn command(&mut self, command: GripperCommand, targets: &mut [f64]) {
        match command {
            GripperCommand::Open => {
                self.is_closing = false;
                self.slides.iter().for_each(|joint| targets[*joint] = 0.0);
            }
            GripperCommand::Close => {
                if !self.is_closing {
                    (self.is_closing, self.is_done, self.stuck) = (true, false, 0.0);
                }
            }
            GripperCommand::Raise => targets[self.lift] = self.heights[1],
            GripperCommand::Lower => targets[self.lift] = self.heights[0],
        }
    }

    /// Before a step: tells the hands where to go. `positions` are those of the joints.
    pub(super) fn before(
        &mut self,
        engine: &mut Engine,
        model: &Model,
        positions: &[f64],
        targets: &mut [f64],
    ) {
        if let Some(held) = &self.held {
            if !self.is_closing {
                held.release(engine);
                self.released = Some(held.body);
                self.held = None;
            } else if self.hangs_on_main {
                let placed = model.placed(positions);
                let arm = model.joints[self.lift].part;
                let frame = placed[0].inverse() * placed[arm] * held.arm_from_body;
                if engine.joint(held.joint).frames[0] != frame {
                    engine.joint_mut(held.joint).frames[0] = frame;
                }
            }
        } else if self.is_closing && !self.is_done {
            // No farther than to where both hands touch what is between them; a hand that touches it goes on as far as the other one has to.
            let rooms = self.between(engine).map_or([f64::INFINITY; 2], |(_, [a, b])| {
                let both = (0.5 * (a + b)).max(0.0);
                [a.max(both), b.max(both)]
            });
            for (joint, room) in self.slides.into_iter().zip(rooms) {
                targets[joint] = (positions[joint] + room).min(self.travel);
            }
        }
    }

    /// After a step: holds what both hands touch, and tells what came of it.
    pub(super) fn after(
        &mut self,
        engine: &mut Engine,
        step: f64,
        positions: &[f64],
        targets: &mut [f64],
        events: &mut Vec<Event>,
    ) {
        let time = engine.time();
        let vehicle = self.vehicle;
        let mut tell = |action: GripperAction, body: Option<BodyId>| {
            let body = body.map(|body| body.0 as usize);
            events.push(Event { time, kind: EventKind::Gripper { vehicle, body, action } });
        };
        if let Some(body) = self.released.take() {
            tell(GripperAction::Released, Some(body));
        }
        if let Some(held) = &self.held {
            let wanted = engine.pose(self.arm) * held.arm_from_body;
            let off = wanted.translation().distance(engine.pose(held.body).translation());
            if off > LOST * self.travel {
                // Something pulled it away.
                held.release(engine);
                tell(GripperAction::Released, Some(held.body));
                (self.held, self.is_done) = (None, true);
            }
            return;
        }
        if !self.is_closing || self.is_done {
            return;
        }
        let now = self.slides.map(|joint| positions[joint]);
        // Hands that move by less than this per second stand.
        let slow = TOUCH * self.travel * step;
        let stands = (0..2).all(|hand| (now[hand] - self.last[hand]).abs() <= slow);
        self.stuck = if stands { self.stuck + step } else { 0.0 };
        self.last = now;
        let touched =
            self.between(engine).filter(|(_, gaps)| gaps.iter().all(|gap| *gap <= TOUCH * self.travel));
        match touched {
            Some((body, _)) if engine.mass(body) > self.most_mass => {
                let message = format!(
                    "what its gripper should take is too heavy: {:.3} kg, and more than {:.3} kg would tip it over",
                    engine.mass(body),
                    self.most_mass
                );
                tell(GripperAction::Missed, Some(body));
                events.push(Event { time, kind: EventKind::Warning { vehicle: Some(vehicle), message } });
                self.is_done = true;
                self.slides.iter().for_each(|joint| targets[*joint] = 0.0);
            }
            Some((body, _)) => {
                // A hair above where it stood, so that what it stands on does not hold it too.
                let hair = Pose::from_translation(BACK * self.travel * Vec3::Z);
                let world_from_body = hair * upright(&engine.pose(body));
                let arm_from_body = engine.pose(self.arm).inverse() * world_from_body;
                let anchor = if self.hangs_on_main { self.main } else { self.arm };
                let anchor_from_body = engine.pose(anchor).inverse() * world_from_body;
                let mut joint = Joint::fixed([anchor, body], [anchor_from_body, Pose::IDENTITY]);
                joint.bodies_meet = true;
                if let Ok(joint) = engine.add_joint(joint) {
                    let passing: Vec<BodyId> =
                        self.own.iter().copied().filter(|part| !engine.is_ignored(*part, body)).collect();
                    passing.iter().for_each(|part| engine.ignore_pair(*part, body));
                    self.held = Some(Held { body, joint, arm_from_body, passing });
                    tell(GripperAction::Grasped, Some(body));
                    for (joint, at) in self.slides.into_iter().zip(now) {
                        targets[joint] = (at - BACK * self.travel).max(0.0);
                    }
                }
            }
            None if now.iter().all(|at| *at >= (1.0 - TOUCH) * self.travel) || self.stuck > STUCK => {
                // With what is between the hands, if something is.
                tell(GripperAction::Missed, self.between(engine).map(|(body, _)| body));
                self.is_done = true;
            }
            None => {}
        }
    }

    /// The body between the hands that is nearest to both, and its distances from them.
    fn between(&self, engine: &Engine) -> Option<(BodyId, [f64; 2])> {
        let left = engine.pose(self.arm).rotate(Vec3::Y);
        let mut near = Vec::new();
        let [one, two] = self.hands;
        let boxes = [one, two].map(|hand| engine.bounds_at(hand, &engine.shape(hand).1));
        let [Some(a), Some(b)] = boxes else { return None };
        engine.within(&a.union(&b), &mut near);
        let mut bodies: Vec<BodyId> = near.iter().map(|collider| engine.body_of(*collider)).collect();
        bodies.sort_unstable();
        bodies.dedup();
        let mut best: Option<(BodyId, [f64; 2])> = None;
        for body in bodies {
            let is_free = engine.kind(body) == Kind::Dynamic && !self.own.contains(&body);
            if !is_free || is_held(engine, body) {
                continue;
            }
            // The left hand goes to the right.
            let gaps = [(one, -left), (two, left)].map(|(hand, way)| gap(engine, hand, body, way));
            if let [Some(a), Some(b)] = gaps
                && best.is_none_or(|(_, [c, d])| a + b < c + d)
            {
                best = Some((body, [a, b]));
            }
        }
        best
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        self.is_closing.put(out);
        self.is_done.put(out);
        self.last.put(out);
        self.stuck.put(out);
        let held = self.held.as_ref();
        held.map(|held| [held.body.0, held.joint.0]).put(out);
        held.map(|held| held.arm_from_body).put(out);
        held.map_or(Vec::new(), |held| held.passing.clone()).put(out);
        self.released.put(out);
    }

    pub(super) fn get(&mut self, from: &mut Bytes) -> Option<()> {
        self.is_closing = State::get(from)?;
        self.is_done = State::get(from)?;
        self.last = State::get(from)?;
        self.stuck = State::get(from)?;
        let names: Option<[u32; 2]> = State::get(from)?;
        let pose: Option<Pose> = State::get(from)?;
        let passing: Vec<BodyId> = State::get(from)?;
        self.released = State::get(from)?;
        self.held = match (names, pose) {
            (Some([body, joint]), Some(arm_from_body)) => {
                Some(Held { body: BodyId(body), joint: JointId(joint), arm_from_body, passing })
            }
            (None, None) => None,
            _ => return None,
        };
        Some(())
    }
}

/// A body that nearly stands on a side, upright: the axis of its frame that is nearest to the vertical is vertical.
fn upright(world_from_body: &Pose) -> Pose {
    let heights = Vec3::AXES.map(|axis| world_from_body.rotate(axis).z);
    let along = (0..3).fold(0, |best, k| if heights[k].abs() > heights[best].abs() { k } else { best });
    let axis = world_from_body.rotate(Vec3::AXES[along]) * heights[along].signum();
    if axis.z < UPRIGHT {
        return *world_from_body;
    }
    let Some(axis) = axis.try_normalize() else { return *world_from_body };
    let turn = Quat::from_rotation_arc(axis, Vec3::Z);
    Pose::new(turn * world_from_body.rotation(), world_from_body.translation()).unwrap_or(*world_from_body)
}

/// Whether a joint holds the body.
fn is_held(engine: &Engine, body: BodyId) -> bool {
    engine.joints.iter().any(|state| !state.is_removed && state.joint.bodies.contains(&body))
}

/// The distance of a hand from a body that it would meet on its way; `None` if the body is elsewhere.
fn gap(engine: &Engine, hand: ColliderId, body: BodyId, way: Vec3) -> Option<f64> {
    let (shape, world_from_hand) = engine.shape(hand);
    let mut nearest: Option<(f64, Vec3)> = None;
    for collider in engine.colliders(body) {
        let (other, world_from_other) = engine.shape(collider);
        let found = distance(shape, other, &(world_from_hand.inverse() * world_from_other));
        let found = found.inspect_err(|error| engine.failed([hand.0, collider.0], error)).ok()?;
        if nearest.is_none_or(|(least, _)| found.distance < least) {
            nearest = Some((found.distance, world_from_hand.rotate(found.normal)));
        }
    }
    nearest.filter(|(_, normal)| normal.dot(way) > ALONG).map(|(least, _)| least)
}
