//! Walking without forces: the foot that stands stays where it is, and everything else is where the gait says.

use super::JOINT_SPEED;
use super::around::{Around, Way};
use super::gait::{Gait, Print, STEP_TIME};
use super::leg::leg_angles;
use super::model::{
    ANKLE, BODIES, FEET, FOOT_FROM_ANKLE, HIP_HEIGHT, HIP_SIDE, JOINTS, LEG_JOINTS, Model, PELVIS,
    PELVIS_ABOVE_HIP, TORSO,
};
use crate::dynamics::{BodyId, Bytes, Engine, Kind, Pusher, State};
use crate::sensors::odometry::Track;
use freiraum_geometry::{Pose, Vec3};

/// How far the arms swing, in radians per metre that the foot of the other side is ahead.
const ARM_SWING: f64 = 4.0;
/// The largest force with which it pushes what it can push, in newtons: friction would not carry more.
const MOST_PUSH: f64 = 16.0;
/// Over how long pushes are added up, in seconds: kicks are short.
const PUSH_TIME: f64 = 0.05;
/// How often a step in time is halved to find how far it can go.
const HALVES: i32 = 4;

/// A robot that walks on rails.
pub(super) struct Walker {
    model: Model,
    bodies: Vec<BodyId>,
    around: Around,
    /// Seconds since it looked around.
    since_look: f64,
    /// What had happened to fixed bodies until the last step; unknown after it was resumed.
    changes: Option<(usize, u64)>,
    gait: Gait,
    /// Where it started.
    start: Print,
    /// Whether there was ground at the start; else it walks on a plane.
    has_ground: bool,
    /// Where joints beside those of the legs are.
    angles: [f64; JOINTS],
    /// Where they shall be; infinite for those that nobody asked for.
    aims: [f64; JOINTS],
    /// Push of the last [`PUSH_TIME`] along the ground, in newton seconds: what parts squeeze between them does not count.
    pushed: Vec3,
    /// Whether it came on in the last step.
    goes: bool,
}

/// What comes next.
struct Next {
    gait: Gait,
    angles: [f64; JOINTS],
    parts: [Pose; BODIES],
    /// How far points of parts move at most.
    far: f64,
}

impl Walker {
    pub(super) fn new(engine: &Engine, model: Model, pose: &Pose, bodies: &[BodyId]) -> Walker {
        let forward = pose.rotate(Vec3::X);
        let at = pose.translation();
        let start = Print { x: at.x, y: at.y, z: at.z, heading: forward.y.atan2(forward.x) };
        let mut gait = Gait::new(start);
        let mut around = Around::new(&model);
        around.look(engine, bodies, model.mass(), at);
        let heights = gait.placed().feet.map(|foot| around.height(engine, &foot));
        let has_ground = match heights {
            [Some(left), Some(right)] => {
                gait.set_heights([left, right]);
                true
            }
            _ => false,
        };
        let angles = standing(&model).1;
        Walker {
            model,
            bodies: bodies.to_vec(),
            around,
            since_look: 0.0,
            changes: None,
            gait,
            start,
            has_ground,
            angles,
            aims: [f64::INFINITY; JOINTS],
            pushed: Vec3::ZERO,
            goes: false,
        }
    }

    pub(super) fn want(&mut self, speed: f64, turn: f64) {
        self.gait.want(speed, turn);
    }

    pub(super) fn aim(&mut self, joint: usize, position: f64) -> Result<(), String> {
        if (LEG_JOINTS[0]..LEG_JOINTS[1] + 6).contains(&joint) {
            let name = self.model.hinges[joint].name;
            return Err(format!(
                "the legs walk: {name:?} cannot be moved by itself unless the drive is dynamic"
            ));
        }
        self.aims[joint] = position;
        Ok(())
    }

    /// Gives all bodies the velocities with which they get where the gait says.
    pub(super) fn before(&mut self, engine: &mut Engine, step: f64) {
        self.since_look += step;
        let changes = Some(engine.fixed_changes());
        let is_changed = self.changes.is_some() && self.changes != changes;
        self.changes = changes;
        if self.since_look > STEP_TIME || is_changed {
            self.around.look(
                engine,
                &self.bodies,
                self.model.mass(),
                self.gait.placed().body.pose().translation(),
            );
            self.since_look = 0.0;
        }
        let from: [Pose; BODIES] = std::array::from_fn(|k| engine.pose(self.bodies[k]));
        let is_pressed = self.pushed.length() > MOST_PUSH * PUSH_TIME;
        let next = if is_pressed { None } else { self.next(engine, &from, step) };
        let before = self.gait;
        let to = next.map(|next| {
            self.around.went(engine, &next.parts, next.far, step);
            (self.gait, self.angles) = (next.gait, next.angles);
            next.parts
        });
        self.goes = self.gait != before;
        if !self.goes {
            self.gait.hinder();
        }
        for (k, body) in self.bodies.iter().enumerate() {
            let (linear, angular) = match &to {
                Some(to) => way(&from[k], &to[k]).map_or([Vec3::ZERO; 2], |way| way.map(|w| w / step)).into(),
                None => (Vec3::ZERO, Vec3::ZERO),
            };
            engine.set_velocity(*body, linear, angular);
        }
    }

    /// As far as it can go within a step.
    fn next(&self, engine: &Engine, from: &[Pose; BODIES], step: f64) -> Option<Next> {
        (0..=HALVES)
            .find_map(|half| self.tried(engine, from, step * 0.5f64.powi(half), step, true))
            // The joints alone, if legs are in the way.
            .or_else(|| self.tried(engine, from, step, step, false))
    }

    /// What comes after a time if nothing is in the way, looked at in as many pieces as it takes to know.
    fn tried(
        &self,
        engine: &Engine,
        from: &[Pose; BODIES],
        time: f64,
        step: f64,
        walks: bool,
    ) -> Option<Next> {
        'pieces: for pieces in (0..=HALVES).map(|half| 2.0f64.powi(half)) {
            let mut next = Next { gait: self.gait, angles: self.angles, parts: *from, far: 0.0 };
            for _ in 0..pieces as usize {
                let before = next.parts;
                self.go(engine, &mut next, time / pieces, walks)?;
                let far = std::array::from_fn(|part| {
                    let (a, b) = (&before[part], &next.parts[part]);
                    // No point of a part is farther than this from the origin of its body.
                    a.translation().distance(b.translation()) + turn_between(a, b).length() * PART_REACH
                });
                let farthest = far.iter().copied().fold(0.0, f64::max);
                next.far += farthest;
                if farthest > 0.0 {
                    let (own, mass) = (&self.bodies[..], self.model.mass());
                    let pusher = Pusher { own, mass, time: step / pieces };
                    match self.around.way(engine, [&before, &next.parts], &far, &pusher) {
                        Way::Free => {}
                        Way::Unsure => continue 'pieces,
                        Way::Blocked => return None,
                    }
                }
            }
            return Some(next);
        }
        None
    }

    /// Lets time pass for gait and joints; `None` if a leg is too short.
    fn go(&self, engine: &Engine, next: &mut Next, time: f64, walks: bool) -> Option<()> {
        if walks {
            next.gait.advance(time, |print| {
                if self.has_ground { self.around.height(engine, print) } else { Some(print.z) }
            });
        }
        for (angle, aim) in next.angles.iter_mut().zip(&self.aims).filter(|(_, aim)| aim.is_finite()) {
            *angle += (aim - *angle).clamp(-JOINT_SPEED * time, JOINT_SPEED * time);
        }
        next.parts = posed(&self.model, &next.gait, &mut next.angles, &self.aims)?;
        Some(())
    }

    /// Adds up how hard it pushes.
    pub(super) fn after(&mut self, engine: &Engine, step: f64) {
        self.pushed *= (1.0 - step / PUSH_TIME).max(0.0);
        // Whoever stands still only holds: after a while it tries again.
        if !self.goes {
            return;
        }
        for contact in engine.contacts() {
            let [a, b] = contact.bodies.map(|body| self.bodies.contains(&body));
            let other = contact.bodies[usize::from(a)];
            if a != b && engine.kind(other) == Kind::Dynamic {
                let impulse: f64 = contact.points.iter().map(|point| point.impulse).sum();
                let sign = if a { impulse } else { -impulse };
                self.pushed += sign * contact.normal.with_z(0.0);
            }
        }
    }

    /// `world_from_vehicle`.
    pub(super) fn pose(&self) -> Pose {
        self.gait.placed().body.pose()
    }

    pub(super) fn speed(&self) -> [f64; 2] {
        if self.goes { self.gait.speed() } else { [0.0; 2] }
    }

    pub(super) fn track(&self) -> Track {
        let (start, now) = (&self.start, self.gait.placed().body);
        let (sine, cosine) = start.heading.sin_cos();
        let (x, y) = (now.x - start.x, now.y - start.y);
        Track { x: cosine * x + sine * y, y: cosine * y - sine * x, heading: now.heading - start.heading }
    }

    pub(super) fn angles(&self) -> &[f64; JOINTS] {
        &self.angles
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        self.around.put(out);
        self.since_look.put(out);
        self.gait.put(out);
        self.angles.put(out);
        self.aims.put(out);
        self.pushed.put(out);
        self.goes.put(out);
    }

    pub(super) fn get(&mut self, from: &mut Bytes) -> Option<()> {
        self.around.get(from)?;
        self.since_look = State::get(from)?;
        self.changes = None;
        self.gait = State::get(from)?;
        self.angles = State::get(from)?;
        self.aims = State::get(from)?;
        self.pushed = State::get(from)?;
        self.goes = State::get(from)?;
        Some(())
    }
}

/// The farthest that a point of a part is from the origin of its body, rounded up: feet are longest.
const PART_REACH: f64 = 0.125;

/// Where all bodies are in a moment of a gait, and the joints of legs and arms; `None` if a leg is too short.
fn posed(
    model: &Model,
    gait: &Gait,
    angles: &mut [f64; JOINTS],
    aims: &[f64; JOINTS],
) -> Option<[Pose; BODIES]> {
    let placed = gait.placed();
    let ground_from_pelvis = Vec3::new(0.0, 0.0, HIP_HEIGHT + PELVIS_ABOVE_HIP);
    let world_from_body = placed.body.pose();
    let world_from_pelvis = world_from_body.shifted(ground_from_pelvis);
    let body_from_world = world_from_body.inverse();
    let mut ankles = [Pose::IDENTITY; 2];
    for foot in 0..2 {
        let side = if foot == 0 { HIP_SIDE } else { -HIP_SIDE };
        ankles[foot] = placed.feet[foot].pose().shifted(Vec3::new(0.0, 0.0, ANKLE));
        let hip = world_from_pelvis.shifted(Vec3::new(0.0, side, -PELVIS_ABOVE_HIP));
        let found = leg_angles(&(hip.inverse() * ankles[foot]))?;
        angles[LEG_JOINTS[foot]..][..6].copy_from_slice(&found);
        // The arm of the other side.
        let ahead = body_from_world.transform_point(ankles[foot].translation()).x;
        let shoulder = ARMS[1 - foot];
        if !aims[shoulder].is_finite() {
            angles[shoulder] = -ARM_SWING * ahead;
        }
    }
    let torso_from_parts = model.torso_from_parts(angles);
    let world_from_torso = world_from_pelvis * torso_from_parts[PELVIS].inverse();
    let mut parts = torso_from_parts.map(|part| world_from_torso * part);
    parts[TORSO] = world_from_torso;
    // To the last bit: the joints say the same up to rounding.
    for foot in 0..2 {
        parts[FEET[foot]] = ankles[foot].shifted(FOOT_FROM_ANKLE);
    }
    Some(parts)
}

/// The joints that swing the arms.
const ARMS: [usize; 2] = [18, 21];

/// Where bodies and joints are when it stands: `vehicle_from_part`.
pub(super) fn standing(model: &Model) -> ([Pose; BODIES], [f64; JOINTS]) {
    let mut angles = [0.0; JOINTS];
    let gait = Gait::new(Print { x: 0.0, y: 0.0, z: 0.0, heading: 0.0 });
    let parts = posed(model, &gait, &mut angles, &[f64::INFINITY; JOINTS]);
    (parts.unwrap_or([Pose::IDENTITY; BODIES]), angles)
}

/// Shift and turn from one pose to another; `None` if there is nothing but rounding between them.
fn way(from: &Pose, to: &Pose) -> Option<[Vec3; 2]> {
    let way = [to.translation() - from.translation(), turn_between(from, to)];
    let rounding = 16.0 * f64::EPSILON;
    let is_some =
        way[0].length() > rounding * to.translation().length().max(1.0) || way[1].length() > rounding;
    is_some.then_some(way)
}

/// The turn that takes one orientation to another, as a vector in the world.
fn turn_between(from: &Pose, to: &Pose) -> Vec3 {
    let turn = to.rotation() * from.rotation().conjugate();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let sine = turn.xyz().length();
    if sine == 0.0 {
        return Vec3::ZERO;
    }
    2.0 * sine.atan2(turn.w) / sine * turn.xyz()
}
