//! What robots do in a step.

pub(in crate::scene) mod action;

use super::names::Names;
use super::node::{Entry, Node};
use super::reader::Reader;
use crate::scene::keys;
use crate::scene::robot_keys::{self, MOTIONS, OF_ROBOTS};
use freiraum_scene::{Action, ActionKind, Body, PairRule, PlacedRobot, Step, Task};

/// Who can be spoken of in a step.
pub(super) struct Cast<'s> {
    pub(super) bodies: &'s [Body],
    /// `None` for a robot that is wrong, which was told.
    pub(super) robots: &'s [Option<PlacedRobot>],
}

impl Cast<'_> {
    /// The robot that a body belongs to.
    pub(super) fn robot_of(&self, body: usize) -> Option<&PlacedRobot> {
        self.robots.iter().flatten().find(|robot| robot.bodies().any(|own| own == body))
    }
}

/// The first key that only robots have.
pub(super) fn key_of_robots(node: &Node) -> Option<&Entry> {
    node.entries()?.iter().find(|entry| OF_ROBOTS.contains(&entry.key.as_str()))
}

/// What one robot does: a step, or an entry of `parallel`.
pub(super) fn read(node: &Node, cast: &Cast<'_>, names: &Names, reader: &mut Reader<'_>) -> Option<Task> {
    let foreign = ["move", "translate", "rotate", "screw", "planner"];
    let foreign: Vec<&Entry> =
        node.entries()?.iter().filter(|entry| foreign.contains(&entry.key.as_str())).collect();
    if let Some(entry) = foreign.first() {
        let own = key_of_robots(node).map_or("robot", |entry| entry.key.as_str());
        let message = format!("{:?} beside {own:?}: a step moves bodies or robots", entry.key);
        let help =
            "robots move by ptp, lin, joint or path = \"plan\"; what moves by itself has a step of its own";
        reader.problem_with_help(entry.place(), message, help);
    }
    let robot = match node.get("robot") {
        Some(robot) => names.robot(robot, reader),
        None => {
            let help = match names.robot_names().as_slice() {
                [] => "add a [[robot]], and robot = \"…\" here".to_owned(),
                robots => format!("add robot = \"…\": {}", robots.join(", ")),
            };
            let place = key_of_robots(node).map_or(node.place, Entry::place);
            reader.problem_with_help(place, "this does not say which robot", help);
            None
        }
    };
    let number = robot?;
    let robot = cast.robots[number].as_ref()?;
    let scope = action::Scope { cast, robot, names };
    let actions = match node.get("do") {
        Some(list) => listed(node, list, &scope, reader),
        None => beside(node, &scope, !foreign.is_empty(), reader),
    };
    foreign.is_empty().then_some(Task { robot: number, actions: actions?, place: node.place })
}

/// `do`: one after the other.
fn listed(
    node: &Node,
    list: &Node,
    scope: &action::Scope<'_>,
    reader: &mut Reader<'_>,
) -> Option<Vec<Action>> {
    let other = node.entries()?.iter().find(|entry| robot_keys::ACTION.known.contains(&entry.key.as_str()));
    if let Some(other) = other {
        let message = format!("{:?} beside `do`", other.key);
        let help = "put every action into the list: do = [ { ptp = … }, { grasp = … } ]";
        reader.problem_with_help(other.place(), message, help);
    }
    let items = reader.list(list, "a list of actions such as { ptp = … }")?;
    if items.is_empty() {
        let help = "add { ptp = { joints_deg = […] } } or the like";
        reader.problem_with_help(list.place, "the robot does nothing here", help);
        return None;
    }
    let mut actions = Vec::with_capacity(items.len());
    for item in items {
        let read =
            reader.table(item, &robot_keys::ACTION).is_some().then(|| one(item, scope, reader)).flatten();
        actions.push(read);
    }
    let is_ok = other.is_none();
    actions.into_iter().collect::<Option<Vec<Action>>>().filter(|_| is_ok)
}

/// An entry of `do`: exactly one action.
fn one(item: &Node, scope: &action::Scope<'_>, reader: &mut Reader<'_>) -> Option<Action> {
    let is_action = |entry: &&Entry| !["to", "speed"].contains(&entry.key.as_str());
    let known = |entry: &&Entry| robot_keys::ACTION.known.contains(&entry.key.as_str());
    let found: Vec<&Entry> = item.entries()?.iter().filter(is_action).filter(known).collect();
    match found.as_slice() {
        [entry] => action::read(item, entry, scope, reader),
        [] => {
            if !reader.is_misspelt(item, &robot_keys::ACTION, robot_keys::ACTION.known) {
                let help = "add one of ptp, lin, joint, path = \"plan\", grasp, release, wait, sync";
                reader.problem_with_help(item.place, "this action says nothing to do", help);
            }
            None
        }
        [first, second, ..] => {
            let message = format!("{:?} beside {:?}: expected one action", second.key, first.key);
            let help = "write one after the other: { … }, { … }";
            reader.problem_with_help(second.place(), message, help);
            None
        }
    }
}

/// Actions as keys of the step: a motion, then what is grasped or released, then how long it waits. That there is none is told unless something else is (`is_told`).
fn beside(
    node: &Node,
    scope: &action::Scope<'_>,
    is_told: bool,
    reader: &mut Reader<'_>,
) -> Option<Vec<Action>> {
    let groups: [&[&str]; 4] = [&MOTIONS, &["grasp", "release"], &["wait"], &["sync"]];
    let (mut actions, mut is_ok) = (Vec::new(), true);
    for group in groups {
        let found: Vec<&Entry> =
            node.entries()?.iter().filter(|entry| group.contains(&entry.key.as_str())).collect();
        if let [first, second, ..] = found.as_slice() {
            let message = format!("{:?} beside {:?}: which of them comes first?", second.key, first.key);
            let help = format!("write do = [ {{ {} = … }}, {{ {} = … }} ]", first.key, second.key);
            reader.problem_with_help(second.place(), message, help);
            is_ok = false;
        }
        for entry in found.into_iter().take(1) {
            match action::read(node, entry, scope, reader) {
                Some(action) => actions.push(action),
                None => is_ok = false,
            }
        }
    }
    if actions.is_empty() && is_ok {
        if !is_told && !reader.is_misspelt(node, &keys::TASK, keys::TASK.known) {
            let help = "add ptp, lin, joint, path = \"plan\", grasp, release, wait, or several in do = [ … ]";
            let place = node.entry("robot").map_or(node.place, Entry::place);
            reader.problem_with_help(place, "the robot does nothing here", help);
        }
        is_ok = false;
    }
    is_ok.then_some(actions)
}

/// How deep grippers may overlap what they grasp, where the steps say so; of several grasps the deepest.
pub(super) fn grasp_rules(steps: &[Step], robots: &[Option<PlacedRobot>]) -> Vec<PairRule> {
    let mut found: Vec<(usize, PairRule)> = Vec::new();
    for task in steps.iter().flat_map(|step| &step.tasks) {
        for action in &task.actions {
            let ActionKind::Grasp { body, depth: Some(depth) } = action.kind else { continue };
            let known =
                found.iter_mut().find(|(robot, rule)| *robot == task.robot && rule.bodies[1] == [body]);
            match (known, &robots[task.robot]) {
                (Some((_, rule)), _) => rule.allowance = rule.allowance.map(|known| known.max(depth)),
                (None, Some(robot)) => {
                    let bodies = [robot.gripper(), vec![body]];
                    let place = action.place;
                    let rule = PairRule {
                        bodies,
                        clearance: None,
                        allowance: Some(depth),
                        approach: None,
                        ignore: None,
                        place,
                    };
                    found.push((task.robot, rule));
                }
                (None, None) => {}
            }
        }
    }
    found.into_iter().map(|(_, rule)| rule).collect()
}
