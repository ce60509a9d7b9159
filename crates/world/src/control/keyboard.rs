//! Somebody drives, with the keys of the studio or anything else.

use super::body::OwnBody;
use super::{Controller, Seen};
use crate::vehicle::{Command, GripperCommand};
use std::sync::{Arc, Mutex, PoisonError};

/// What is pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Keys {
    /// Share of the top speed, from -1 (backward) to 1.
    pub speed: f64,
    /// Share of the fastest turn, from -1 (right) to 1.
    pub turn: f64,
}

/// Drives as a [`KeyboardHandle`] says.
#[derive(Debug, Default)]
pub struct Keyboard {
    shared: KeyboardHandle,
    /// What it has ordered last.
    last: Option<Keys>,
}

/// Tells a [`Keyboard`] what is pressed, from any thread. Clones speak to the same one.
#[derive(Clone, Debug, Default)]
pub struct KeyboardHandle(Arc<Mutex<Pressed>>);

#[derive(Debug, Default)]
struct Pressed {
    keys: Keys,
    gripper: Vec<GripperCommand>,
}

/// Things for the gripper that wait for the next step; more are forgotten.
const MOST_WAITING: usize = 16;

impl KeyboardHandle {
    /// These are pressed from now on. What is not a number counts as 0, and shares beyond 1 as 1.
    pub fn press(&self, keys: Keys) {
        let share = |x: f64| if x.is_nan() { 0.0 } else { x.clamp(-1.0, 1.0) };
        self.with(|pressed| pressed.keys = Keys { speed: share(keys.speed), turn: share(keys.turn) });
    }

    /// Something for the gripper, once, at the next step.
    pub fn grip(&self, command: GripperCommand) {
        self.with(|pressed| {
            if pressed.gripper.len() < MOST_WAITING {
                pressed.gripper.push(command);
            }
        });
    }

    fn with<T>(&self, what: impl FnOnce(&mut Pressed) -> T) -> T {
        what(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Keyboard {
    /// One that does as this handle says.
    pub fn new(handle: &KeyboardHandle) -> Keyboard {
        Keyboard { shared: handle.clone(), last: None }
    }

    /// Tells it what is pressed.
    pub fn handle(&self) -> KeyboardHandle {
        self.shared.clone()
    }
}

impl Controller for Keyboard {
    fn step(&mut self, seen: &Seen, commands: &mut Vec<Command>, _notes: &mut Vec<String>) {
        let (keys, gripper) =
            self.shared.with(|pressed| (pressed.keys, std::mem::take(&mut pressed.gripper)));
        if self.last != Some(keys) {
            self.last = Some(keys);
            commands.push(OwnBody::of(seen).shares(keys.speed, keys.turn));
        }
        commands.extend(gripper.into_iter().map(Command::Gripper));
    }
}
