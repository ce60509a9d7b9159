//! Takes things that fit into its gripper, and leaves them where others lie.

use super::body::OwnBody;
use super::chance::Chance;
use super::fleet::Fleet;
use super::ground::{Circle, Memory, Place, Vec2};
use super::heap::Heap;
use super::pilot::{Pilot, Way};
use super::touch::Escape;
use super::{Controller, Seen};
use crate::dynamics::{Bytes, State};
use crate::vehicle::{Command, GripperCommand};

/// Drives to movable things that fit into its gripper, takes them, carries them to the heap, which is where most others are near, and
/// leaves them there. Several do not take the same thing: the nearest pairs of robot and thing belong together, and all of them come to
/// the same answer. A thing that it failed to take three times it leaves alone.
#[derive(Debug, Default)]
pub struct Collect {
    /// Follows from the scene.
    known: Option<(Fleet, Heap)>,
    memory: Memory,
    pilot: Pilot,
    chance: Chance,
    escape: Escape,
    doing: Doing,
    since: f64,
    /// The thing that it goes for, among the things of the heap.
    target: Option<usize>,
    /// How often it failed with each thing.
    failures: Vec<u32>,
    /// Until when it goes back to begin anew.
    retreat: f64,
    /// Since when it waits for another one.
    waits: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Doing {
    /// Hands open and down, before anything else.
    #[default]
    Begin,
    Seek,
    Close,
    Lift,
    Carry,
    Lower,
    Open,
    Back,
}

const ALL: [Doing; 8] = [
    Doing::Begin,
    Doing::Seek,
    Doing::Close,
    Doing::Lift,
    Doing::Carry,
    Doing::Lower,
    Doing::Open,
    Doing::Back,
];

/// Seconds that hands and lift get, and a grip until it has failed.
const HANDS: f64 = 1.0;
const GRIP: f64 = 2.5;
/// Failures after which a thing is left alone.
const MOST_FAILURES: u32 = 3;

/// Everything that a step needs.
struct Now<'n> {
    seen: &'n Seen<'n>,
    own: OwnBody,
    place: Place,
    /// Where the hands meet and how far they open.
    gripper: [f64; 2],
    others: Vec<Circle>,
    commands: &'n mut Vec<Command>,
}

impl Now<'_> {
    fn drive(&mut self, speed: f64, turn: f64) {
        self.commands.push(Command::Drive { speed, turn });
    }

    fn grip(&mut self, command: GripperCommand) {
        self.commands.push(Command::Gripper(command));
    }

    /// How far before its middle it stops to line up with a thing.
    fn standoff(&self, radius: f64) -> f64 {
        self.own.reach[0] + radius + 0.3 * self.own.half_width
    }
}

impl Collect {
    fn now_does(&mut self, doing: Doing, now: &mut Now) {
        (self.doing, self.since) = (doing, now.seen.time);
        now.drive(0.0, 0.0);
        match doing {
            Doing::Begin => {
                now.grip(GripperCommand::Open);
                now.grip(GripperCommand::Lower);
            }
            Doing::Close => now.grip(GripperCommand::Close),
            Doing::Lift => now.grip(GripperCommand::Raise),
            Doing::Lower => now.grip(GripperCommand::Lower),
            Doing::Open => now.grip(GripperCommand::Open),
            Doing::Seek | Doing::Carry | Doing::Back => {}
        }
    }

    fn work(&mut self, now: &mut Now, fleet: &Fleet, heap: &Heap) {
        let time = now.seen.time - self.since;
        match self.doing {
            Doing::Begin if self.since == 0.0 && self.failures.is_empty() => {
                self.failures = vec![0; heap.len()];
                self.now_does(Doing::Begin, now);
            }
            Doing::Begin if time > HANDS => self.now_does(Doing::Seek, now),
            Doing::Seek => self.seek(now, fleet, heap),
            Doing::Close if now.seen.holds.is_some() => self.now_does(Doing::Lift, now),
            Doing::Close if time > GRIP => {
                if let Some(target) = self.target {
                    self.failures[target] += 1;
                }
                self.now_does(Doing::Open, now);
            }
            Doing::Lift if time > HANDS => self.now_does(Doing::Carry, now),
            // It fell out of its hands.
            Doing::Carry | Doing::Lift if now.seen.holds.is_none() => self.now_does(Doing::Begin, now),
            Doing::Carry => self.carry(now, fleet, heap),
            Doing::Lower if time > HANDS => self.now_does(Doing::Open, now),
            Doing::Open if time > HANDS => self.now_does(Doing::Back, now),
            Doing::Back if time > 6.0 * now.own.radius() / now.own.cruise() => {
                self.now_does(Doing::Begin, now)
            }
            Doing::Back => now.drive(-0.4 * now.own.cruise(), 0.0),
            _ => {}
        }
    }

    fn seek(&mut self, now: &mut Now, fleet: &Fleet, heap: &Heap) {
        let circles = heap.circles(now.seen);
        let tries = |thing: usize| self.failures.get(thing).copied().unwrap_or(0);
        let is_wanted = |thing: usize| tries(thing) < MOST_FAILURES;
        self.target = heap.assigned(now.seen, fleet, &circles, is_wanted);
        let Some(target) = self.target else {
            now.drive(0.0, 0.0);
            return;
        };
        let thing = circles[target];
        let (at, distance) = (now.place.local(thing.at), now.place.at.distance(thing.at));
        let [hands, opening] = now.gripper;
        let near = now.standoff(thing.radius);
        let slow = 0.25 * now.own.cruise();
        if at.x > 0.0 && (at.x - hands).abs() < 0.1 * opening && at.y.abs() < 0.15 * opening {
            self.now_does(Doing::Close, now);
        } else if now.seen.time < self.retreat {
            now.drive(-slow, 0.0);
        } else if distance > 1.3 * near {
            let mut in_the_way = now.others.clone();
            let rest = circles.iter().enumerate().filter(|(other, _)| *other != target);
            in_the_way.extend(rest.map(|(_, circle)| *circle));
            let is_known = |point: Vec2| circles.iter().any(|c| c.at.distance(point) < 1.5 * c.radius);
            in_the_way.extend(self.memory.circles(|p| is_known(p) || Fleet::is_other(&now.others, p)));
            // From another side, if it failed from this one.
            let angle = (now.place.at - thing.at).to_angle() + 1.2 * f64::from(tries(target));
            let start = thing.at + 1.25 * near * Vec2::from_angle(angle);
            let is_first = tries(target) == 0 || now.place.at.distance(start) < 0.5 * near;
            let goal = if is_first { thing.at } else { start };
            self.travel(now, goal, &in_the_way, true);
        } else {
            let bearing = at.y.atan2(at.x);
            // So near, turning would hit it: back, and begin anew.
            if at.x < near && at.y.abs() > 0.2 * opening || at.x < 0.7 * hands {
                self.retreat = now.seen.time + 1.5 * near / slow;
                now.drive(0.0, 0.0);
                return;
            }
            // First it looks at it, then it comes.
            let is_in_line = bearing.abs() < 0.06;
            let turn = (5.0 * bearing).clamp(-2.0, 2.0);
            now.drive(if is_in_line { slow.min(4.0 * (at.x - hands).abs() + 0.1 * slow) } else { 0.0 }, turn);
        }
    }

    fn carry(&mut self, now: &mut Now, fleet: &Fleet, heap: &Heap) {
        let circles = heap.circles(now.seen);
        let own = now.seen.holds.and_then(|body| heap.number(body));
        let members = heap
            .members(&circles, |thing| Some(thing) == own || heap.is_held(now.seen, fleet, &circles, thing));
        let held = own.map_or(0.5 * now.gripper[1], |own| circles[own].radius);
        let hands = now.place.at + now.gripper[0] * now.place.ahead();
        let is_near = |thing: &usize| {
            circles[*thing].at.distance(hands) < circles[*thing].radius + held + 0.4 * now.gripper[1]
        };
        let middle = heap.middle(&circles, &members);
        if members.iter().any(is_near) || hands.distance(middle) < 0.3 * now.gripper[1] {
            self.now_does(Doing::Lower, now);
            return;
        }
        let mut in_the_way = now.others.clone();
        let loose = (0..heap.len()).filter(|thing| Some(*thing) != own && !members.contains(thing));
        in_the_way.extend(loose.map(|thing| circles[thing]));
        let is_known =
            |p: Vec2| circles.iter().any(|c| c.at.distance(p) < 1.5 * c.radius) || p.distance(hands) < held;
        in_the_way.extend(self.memory.circles(|p| is_known(p) || Fleet::is_other(&now.others, p)));
        let is_close = now.place.at.distance(middle) < 3.0 * now.own.radius();
        self.travel(now, middle, &in_the_way, is_close);
    }

    /// On its way; who is near another one with a smaller number waits, but not for ever.
    fn travel(&mut self, now: &mut Now, target: Vec2, circles: &[Circle], is_slow: bool) {
        let reach = 1.3 * now.own.radius();
        let is_in_front = |other: &Circle| {
            let local = now.place.local(other.at);
            local.length() < other.radius + reach && local.x > 0.0
        };
        // Circles of others are in the order of their numbers, without its own.
        let must_wait = now.others[..now.seen.vehicle.min(now.others.len())].iter().any(is_in_front);
        let since = if must_wait { Some(self.waits.unwrap_or(now.seen.time)) } else { None };
        self.waits = since;
        if let Some(since) = since {
            let patience = 1.0;
            let waited = now.seen.time - since;
            if waited > 2.0 * patience {
                self.waits = None;
            }
            let speed = if waited > patience { -0.3 * now.own.cruise() } else { 0.0 };
            now.drive(speed, 0.0);
            return;
        }
        let way = Way {
            target,
            circles,
            fastest: if is_slow { 0.5 } else { 1.0 } * now.own.cruise(),
            stops: true,
            margin: 0.4 * now.own.half_width,
            sight: f64::INFINITY,
        };
        let command = self.pilot.go(&now.own, &now.place, now.seen.time, &way);
        now.commands.push(command);
    }
}

impl Controller for Collect {
    fn step(&mut self, seen: &Seen, commands: &mut Vec<Command>, notes: &mut Vec<String>) {
        let own = OwnBody::of(seen);
        let Some(gripper) = own.gripper else {
            if seen.time == 0.0 {
                notes.push("has no gripper to collect anything".to_owned());
            }
            return;
        };
        let (fleet, heap) = self.known.take().unwrap_or_else(|| {
            let fleet = Fleet::of(seen);
            let heap = Heap::of(seen, &fleet, gripper[1]);
            (fleet, heap)
        });
        self.memory.look(seen, &own);
        let place = Place::of(&seen.pose);
        let mut now = Now { seen, own, place, gripper, others: fleet.others(seen), commands };
        // Hands need rest; who drives may be held by something.
        let away = match self.doing {
            Doing::Seek | Doing::Carry => self.escape.command(seen, &own, &mut self.chance),
            _ => None,
        };
        match away {
            Some(away) => now.commands.push(away),
            None => self.work(&mut now, &fleet, &heap),
        }
        let last = commands.iter().rev().find(|command| matches!(command, Command::Drive { .. }));
        if let Some(last) = last {
            self.escape.expect(last);
        }
        self.known = Some((fleet, heap));
    }

    fn save(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }

    fn resume(&mut self, state: &[u8]) -> bool {
        super::resumed(self, state)
    }
}

impl State for Collect {
    fn put(&self, out: &mut Vec<u8>) {
        self.memory.put(out);
        self.pilot.put(out);
        self.chance.put(out);
        self.escape.put(out);
        (self.doing as u8).put(out);
        self.since.put(out);
        self.target.put(out);
        self.failures.put(out);
        self.retreat.put(out);
        self.waits.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Collect> {
        Some(Collect {
            known: None,
            memory: State::get(from)?,
            pilot: State::get(from)?,
            chance: State::get(from)?,
            escape: State::get(from)?,
            doing: *ALL.get(usize::from(u8::get(from)?))?,
            since: State::get(from)?,
            target: State::get(from)?,
            failures: State::get(from)?,
            retreat: State::get(from)?,
            waits: State::get(from)?,
        })
    }
}
