//! `[[vehicle]]`.

use super::super::names::Names;
use super::super::node::{Kind, Node};
use super::super::reader::Reader;
use super::super::{body, color};
use super::{lengths, named, not_below_0, number, word, wrong};
use crate::scene::world_keys::{CONTROLLER, SOCCER, VEHICLE};
use freiraum_geometry::Pose;
use freiraum_scene::{Controller, Drive, MassModel, Vehicle, VehicleModel};

/// How long a program may take for an answer if the file does not say it, in seconds.
const TIMEOUT: f64 = 1.0;

pub(super) fn read(nodes: &[Node], goals: &[&str], names: &Names, reader: &mut Reader<'_>) -> Vec<Vehicle> {
    let mut vehicles: Vec<Vehicle> = Vec::with_capacity(nodes.len());
    for node in nodes {
        reader.table(node, &VEHICLE);
        let name = named(node, "vehicle", &VEHICLE, reader);
        if !name.is_empty() && (names.is_taken(name) || vehicles.iter().any(|other| other.name == name)) {
            let place = node.get("name").map_or(node.place, |name| name.place);
            let help = "bodies, groups, robots and vehicles need names of their own";
            reader.problem_with_help(place, format!("the name {name:?} is used twice"), help);
        }
        let model = match node.get("model") {
            Some(model) => word(model, "model of a vehicle", &VehicleModel::NAMES, reader),
            None => {
                if !reader.is_misspelt(node, &VEHICLE, &["model"]) {
                    let all: Vec<&str> = VehicleModel::NAMES.iter().map(|(name, _)| *name).collect();
                    let help = format!("add model = \"…\", one of {}", all.join(", "));
                    reader.problem_with_help(node.place, "this vehicle has no model", help);
                }
                None
            }
        };
        let pose = node.get("pose").and_then(|pose| body::pose(pose, reader)).unwrap_or(Pose::IDENTITY);
        let drives = [("dynamic", Drive::Dynamic), ("kinematic", Drive::Kinematic)];
        let drive = node.get("drive").and_then(|node| word(node, "drive", &drives, reader));
        let spread = [("distributed", MassModel::Distributed), ("single", MassModel::Single)];
        let masses = node.get("masses").and_then(|node| word(node, "way to spread masses", &spread, reader));
        let mut flag = |key| node.get(key).and_then(|node| reader.flag(node)).unwrap_or(true);
        let (full_collision, is_active) = (flag("full_collision"), flag("active"));
        let controller = node.get("controller").and_then(|node| controller(node, goals, names, reader));
        let color = node.get("color").and_then(|node| color::read(node, reader));
        vehicles.push(Vehicle {
            name: name.to_owned(),
            // A scene in which it is wrong is not given to anybody.
            model: model.unwrap_or(VehicleModel::Pioneer),
            pose,
            drive: drive.unwrap_or(Drive::Dynamic),
            masses: masses.unwrap_or(MassModel::Distributed),
            full_collision,
            is_active,
            controller,
            color,
            place: node.place,
        });
    }
    vehicles
}

fn controller(node: &Node, goals: &[&str], names: &Names, reader: &mut Reader<'_>) -> Option<Controller> {
    if let Kind::Text(text) = &node.kind {
        return match text.as_str() {
            "wander" => Some(Controller::Wander),
            "collect" => Some(Controller::Collect),
            "keyboard" => Some(Controller::Keyboard),
            _ => {
                let help = reader.suggestion(text, ["wander", "collect", "keyboard"]).unwrap_or_else(|| {
                    "there are \"wander\", \"collect\", \"keyboard\", { drive_to = [x, y, z] }, \
                     { soccer = { ball = \"…\", goal = \"…\" } } and { program = [\"…\"] }"
                        .to_owned()
                });
                reader.problem_with_help(node.place, format!("{text:?} is no controller"), help);
                None
            }
        };
    }
    let entries = reader.table(node, &CONTROLLER)?;
    let is_one = |key: &str| ["drive_to", "soccer", "program"].contains(&key);
    let said: Vec<_> = entries.iter().filter(|entry| is_one(&entry.key)).collect();
    if let [first, second, ..] = said.as_slice() {
        let message = format!("{:?} beside {:?}: who drives?", second.key, first.key);
        reader.problem_with_help(second.place(), message, "remove one of them");
        return None;
    }
    let Some(entry) = said.first() else {
        if !reader.is_misspelt(node, &CONTROLLER, CONTROLLER.known) {
            let help = "add drive_to = [x, y, z], soccer = { … } or program = [\"…\"]";
            reader.problem_with_help(node.place, "this controller does not say who drives", help);
        }
        return None;
    };
    for key in ["timeout", "rate"] {
        if let (Some(said), true) = (node.entry(key), entry.key != "program") {
            reader.problem_with_help(said.place(), format!("{key} is for programs"), "remove it");
        }
    }
    match entry.key.as_str() {
        "drive_to" => {
            let units = reader.dialect.units;
            lengths(&entry.value, &format!("a point [x, y, z] in {units}"), reader).map(Controller::DriveTo)
        }
        "soccer" => soccer(&entry.value, goals, names, reader),
        _ => program(&entry.value, node, reader),
    }
}

fn soccer(node: &Node, goals: &[&str], names: &Names, reader: &mut Reader<'_>) -> Option<Controller> {
    reader.table(node, &SOCCER)?;
    let (Some(ball), Some(goal)) = (node.get("ball"), node.get("goal")) else {
        if !reader.is_misspelt(node, &SOCCER, SOCCER.known) {
            let help = "write soccer = { ball = \"a body\", goal = \"a goal\" }";
            reader.problem_with_help(node.place, "a soccer player needs a ball and a goal", help);
        }
        return None;
    };
    let ball_name = reader.text(ball, "the name of a body")?;
    let ball = names.body(ball_name, ball.place, reader);
    let goal_name = reader.text(goal, "the name of a goal")?;
    let Some(goal) = goals.iter().position(|name| *name == goal_name) else {
        let help = reader.suggestion(goal_name, goals.iter().copied());
        let help = help.unwrap_or_else(|| "goals are tables [[goal]] with name, body and ball".to_owned());
        reader.problem_with_help(goal.place, format!("there is no goal {goal_name:?}"), help);
        return None;
    };
    Some(Controller::Soccer { ball: ball?, goal })
}

fn program(node: &Node, table: &Node, reader: &mut Reader<'_>) -> Option<Controller> {
    let expected = "a program and its arguments, a list of texts such as [\"python3\", \"drive.py\"]";
    let timeout = match table.get("timeout") {
        Some(node) => number(node, "a number of seconds above 0", |x| x > 0.0, reader),
        None => Some(TIMEOUT),
    };
    let rate = match table.get("rate") {
        Some(node) => number(node, "how often per second, 0 for every step", not_below_0, reader),
        None => Some(0.0),
    };
    let words = node.list().and_then(|list| {
        list.iter().map(|item| item.text().map(str::to_owned)).collect::<Option<Vec<String>>>()
    });
    match words.filter(|words| words.first().is_some_and(|first| !first.trim().is_empty())) {
        Some(command) => {
            let folder = reader.folder.to_path_buf();
            Some(Controller::Program { command, timeout: timeout?, rate: rate?, folder })
        }
        None => {
            wrong(node, expected, reader);
            None
        }
    }
}
