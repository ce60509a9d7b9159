//! Measurements and events as bytes, bit for bit, for saved worlds.

use crate::dynamics::{Bytes, State};
use crate::event::{Event, EventKind, GripperAction};
use crate::reading::{Measured, Reading};
use crate::sensors::Picture;
use crate::sensors::odometry::Track;

/// A text as bytes.
pub(super) fn put_text(text: &str, out: &mut Vec<u8>) {
    text.as_bytes().to_vec().put(out);
}

pub(super) fn get_text(from: &mut Bytes) -> Option<String> {
    String::from_utf8(State::get(from)?).ok()
}

impl State for Track {
    fn put(&self, out: &mut Vec<u8>) {
        [self.x, self.y, self.heading].put(out);
    }
    fn get(from: &mut Bytes) -> Option<Track> {
        <[f64; 3]>::get(from).map(|[x, y, heading]| Track { x, y, heading })
    }
}

impl State for Reading {
    fn put(&self, out: &mut Vec<u8>) {
        self.time.put(out);
        match &self.value {
            Measured::Distances(ranges) => {
                0_u8.put(out);
                ranges.put(out);
            }
            Measured::Distance(distance) => {
                1_u8.put(out);
                distance.put(out);
            }
            Measured::Broken(is_broken) => {
                2_u8.put(out);
                is_broken.put(out);
            }
            Measured::Touched(is_touched) => {
                3_u8.put(out);
                is_touched.put(out);
            }
            Measured::Picture(picture) => {
                4_u8.put(out);
                picture.size.put(out);
                picture.colors.put(out);
                picture.depth.iter().map(|depth| depth.to_bits()).collect::<Vec<u32>>().put(out);
                picture.bodies.put(out);
            }
            Measured::Odometry(track) => {
                5_u8.put(out);
                track.put(out);
            }
        }
    }

    fn get(from: &mut Bytes) -> Option<Reading> {
        let time = State::get(from)?;
        let value = match u8::get(from)? {
            0 => Measured::Distances(State::get(from)?),
            1 => Measured::Distance(State::get(from)?),
            2 => Measured::Broken(State::get(from)?),
            3 => Measured::Touched(State::get(from)?),
            4 => Measured::Picture(Picture {
                size: State::get(from)?,
                colors: State::get(from)?,
                depth: Vec::<u32>::get(from)?.into_iter().map(f32::from_bits).collect(),
                bodies: State::get(from)?,
            }),
            5 => Measured::Odometry(State::get(from)?),
            _ => return None,
        };
        Some(Reading { time, value })
    }
}

const ACTIONS: [GripperAction; 3] = [GripperAction::Grasped, GripperAction::Released, GripperAction::Missed];

impl State for Event {
    fn put(&self, out: &mut Vec<u8>) {
        self.time.put(out);
        match &self.kind {
            EventKind::Collision { bodies, point, normal, impulse } => {
                0_u8.put(out);
                bodies.put(out);
                point.put(out);
                normal.put(out);
                impulse.put(out);
            }
            EventKind::Separation { bodies, point, impulse } => {
                1_u8.put(out);
                bodies.put(out);
                point.put(out);
                impulse.put(out);
            }
            EventKind::Goal { goal, count, point } => {
                2_u8.put(out);
                goal.put(out);
                count.put(out);
                point.put(out);
            }
            EventKind::Gripper { vehicle, body, action } => {
                3_u8.put(out);
                vehicle.put(out);
                body.put(out);
                ACTIONS.iter().position(|other| other == action).put(out);
            }
            EventKind::Warning { vehicle, message } => {
                4_u8.put(out);
                vehicle.put(out);
                put_text(message, out);
            }
        }
    }

    fn get(from: &mut Bytes) -> Option<Event> {
        let time = State::get(from)?;
        let kind = match u8::get(from)? {
            0 => EventKind::Collision {
                bodies: State::get(from)?,
                point: State::get(from)?,
                normal: State::get(from)?,
                impulse: State::get(from)?,
            },
            1 => EventKind::Separation {
                bodies: State::get(from)?,
                point: State::get(from)?,
                impulse: State::get(from)?,
            },
            2 => EventKind::Goal {
                goal: State::get(from)?,
                count: State::get(from)?,
                point: State::get(from)?,
            },
            3 => EventKind::Gripper {
                vehicle: State::get(from)?,
                body: State::get(from)?,
                action: *ACTIONS.get(Option::<usize>::get(from)??)?,
            },
            4 => EventKind::Warning { vehicle: State::get(from)?, message: get_text(from)? },
            _ => return None,
        };
        Some(Event { time, kind })
    }
}
