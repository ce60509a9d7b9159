//! What happens in a world, for people, controllers and logs.

use freiraum_geometry::{Unit, Vec3};
use freiraum_scene::Scene;
use serde::Serialize;
use serde_json::Value;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When, in seconds since the start of the world; of contacts the begin of the stretch of time in which it was, which is a step unless
    /// that was interrupted at a contact.
    pub time: f64,
    /// What.
    pub kind: EventKind,
}

/// What happened. Bodies are numbers of bodies of the scene.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// Two bodies begin to press on each other.
    Collision {
        /// Which two, the smaller number first.
        bodies: [usize; 2],
        /// Where, in the world.
        point: Vec3,
        /// Unit vector from the first body to the second.
        normal: Vec3,
        /// How hard, in newton seconds.
        impulse: f64,
    },
    /// Two bodies no longer do.
    Separation {
        /// Which two, the smaller number first.
        bodies: [usize; 2],
        /// Where they touched last.
        point: Vec3,
        /// How hard they had met, in newton seconds: the hardest collision that was told since they last were apart.
        impulse: f64,
    },
    /// A ball got into a goal.
    Goal {
        /// The number of the goal.
        goal: usize,
        /// How often by now.
        count: u64,
        /// Where the ball was.
        point: Vec3,
    },
    /// A gripper took something, let it go, or could not take it.
    Gripper {
        /// The number of the vehicle.
        vehicle: usize,
        /// What it is about, if there is anything.
        body: Option<usize>,
        /// What came of it.
        action: GripperAction,
    },
    /// Something is not as it should be, and the world goes on.
    Warning {
        /// The number of the vehicle that it is about, if it is about one.
        vehicle: Option<usize>,
        /// For people, without the name of the vehicle.
        message: String,
    },
}

/// An event as files and other programs get it, with names instead of numbers. Its keys are public API.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventDocument {
    /// As in [`Event::time`].
    time: f64,
    #[serde(flatten)]
    kind: KindDocument,
}

/// As [`EventKind`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum KindDocument {
    Collision { bodies: [String; 2], point: [f64; 3], normal: [f64; 3], impulse: f64 },
    Separation { bodies: [String; 2], point: [f64; 3], impulse: f64 },
    Goal { goal: String, count: u64, point: [f64; 3] },
    Gripper { vehicle: String, action: &'static str, body: Option<String> },
    Warning { vehicle: Option<String>, message: String },
}

/// What came of closing or opening a gripper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GripperAction {
    /// It holds a body now.
    Grasped,
    /// It let a body go.
    Released,
    /// It closed, and there is nothing that it could hold.
    Missed,
}

impl GripperAction {
    /// The word for it in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            GripperAction::Grasped => "grasped",
            GripperAction::Released => "released",
            GripperAction::Missed => "missed",
        }
    }
}

impl EventKind {
    /// The word for it in files and options.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            EventKind::Collision { .. } => "collision",
            EventKind::Separation { .. } => "separation",
            EventKind::Goal { .. } => "goal",
            EventKind::Gripper { .. } => "gripper",
            EventKind::Warning { .. } => "warning",
        }
    }
}

impl Event {
    /// The vehicle that it is about, beside bodies.
    #[must_use]
    pub fn vehicle(&self) -> Option<usize> {
        match self.kind {
            EventKind::Gripper { vehicle, .. } => Some(vehicle),
            EventKind::Warning { vehicle, .. } => vehicle,
            _ => None,
        }
    }

    /// The bodies that it is about.
    #[must_use]
    pub fn bodies(&self, scene: &Scene) -> Vec<usize> {
        match self.kind {
            EventKind::Collision { bodies, .. } | EventKind::Separation { bodies, .. } => bodies.to_vec(),
            EventKind::Goal { goal, .. } => vec![scene.world.goals[goal].ball, scene.world.goals[goal].body],
            EventKind::Gripper { body, .. } => body.into_iter().collect(),
            EventKind::Warning { .. } => Vec::new(),
        }
    }

    /// With names instead of numbers, and points in this unit.
    #[must_use]
    pub fn document(&self, scene: &Scene, unit: Unit) -> EventDocument {
        let name = |body: usize| scene.bodies[body].name.clone();
        let vehicle_name = |vehicle: usize| scene.world.vehicles[vehicle].name.clone();
        let place = |point: Vec3| point.to_array().map(|x| unit.from_metres(x));
        let kind = match &self.kind {
            &EventKind::Collision { bodies, point, normal, impulse } => KindDocument::Collision {
                bodies: bodies.map(name),
                point: place(point),
                normal: normal.to_array(),
                impulse,
            },
            &EventKind::Separation { bodies, point, impulse } => {
                KindDocument::Separation { bodies: bodies.map(name), point: place(point), impulse }
            }
            &EventKind::Goal { goal, count, point } => {
                KindDocument::Goal { goal: scene.world.goals[goal].name.clone(), count, point: place(point) }
            }
            &EventKind::Gripper { vehicle, body, action } => KindDocument::Gripper {
                vehicle: vehicle_name(vehicle),
                action: action.name(),
                body: body.map(name),
            },
            EventKind::Warning { vehicle, message } => {
                KindDocument::Warning { vehicle: vehicle.map(vehicle_name), message: message.clone() }
            }
        };
        EventDocument { time: self.time, kind }
    }

    /// [`Event::document`] as JSON.
    #[must_use]
    pub fn to_json(&self, scene: &Scene, unit: Unit) -> Value {
        // Numbers, texts and lists: nothing of it can fail.
        serde_json::to_value(self.document(scene, unit)).unwrap_or_default()
    }

    /// In words, with the names of the scene; `place` says where a point is.
    #[must_use]
    pub fn describe(&self, scene: &Scene, place: impl Fn(Vec3) -> String) -> String {
        let name = |body: usize| scene.bodies[body].name.as_str();
        match &self.kind {
            EventKind::Collision { bodies: [a, b], point, .. } => {
                format!("{} meets {} at {}", name(*a), name(*b), place(*point))
            }
            EventKind::Separation { bodies: [a, b], point, .. } => {
                format!("{} leaves {} at {}", name(*a), name(*b), place(*point))
            }
            EventKind::Goal { goal, count, point } => {
                let goal = &scene.world.goals[*goal];
                format!("goal {count} in {}: {} at {}", goal.name, name(goal.ball), place(*point))
            }
            EventKind::Gripper { vehicle, body, action } => {
                let vehicle = &scene.world.vehicles[*vehicle].name;
                let body = body.map_or("nothing", name);
                match action {
                    GripperAction::Grasped => format!("{vehicle} holds {body}"),
                    GripperAction::Released => format!("{vehicle} lets go of {body}"),
                    GripperAction::Missed => format!("{vehicle} closes its gripper on {body} in vain"),
                }
            }
            EventKind::Warning { vehicle: None, message } => format!("warning: {message}"),
            EventKind::Warning { vehicle: Some(vehicle), message } => {
                format!("warning: {}: {message}", scene.world.vehicles[*vehicle].name)
            }
        }
    }
}

/// Which events somebody wants to hear of. Warnings always pass.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    /// Words of [`EventKind::name`] that do not pass.
    pub without: Vec<&'static str>,
    /// Only events of these bodies; of all if there are neither bodies nor vehicles.
    pub of: Vec<usize>,
    /// Only events of these vehicles; those of their parts are among `of`.
    pub of_vehicles: Vec<usize>,
    /// Collisions with a smaller impulse do not pass, and no separations after them, in newton seconds.
    pub least_impulse: f64,
}

impl EventFilter {
    /// Whether an event passes.
    #[must_use]
    pub fn passes(&self, event: &Event, scene: &Scene) -> bool {
        if matches!(event.kind, EventKind::Warning { .. }) {
            return true;
        }
        let is_hard = match event.kind {
            EventKind::Collision { impulse, .. } | EventKind::Separation { impulse, .. } => {
                impulse >= self.least_impulse
            }
            _ => true,
        };
        let is_of = (self.of.is_empty() && self.of_vehicles.is_empty())
            || event.vehicle().is_some_and(|vehicle| self.of_vehicles.contains(&vehicle))
            || event.bodies(scene).iter().any(|body| self.of.contains(body));
        is_hard && is_of && !self.without.contains(&event.kind.name())
    }
}

#[cfg(test)]
mod tests {
    use freiraum_scene::plain;

    #[test]
    fn texts_of_others_stay_in_their_line() {
        assert_eq!(plain("a \"b\" ä→\u{1f600}\\"), "a \"b\" ä→\u{1f600}\\");
        assert_eq!(
            plain("\u{1b}[31m\0red\r\n\tX\u{7f}\u{9b}2J"),
            "\\u{1b}[31m\\u{0}red\\r\\n\\tX\\u{7f}\\u{9b}2J"
        );
        assert_eq!(plain("\u{202e}x\u{2028}"), "\\u{202e}x\\u{2028}");
    }
}
