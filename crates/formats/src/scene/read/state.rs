//! `[[state]]`: placements that follow each other.

use super::body;
use super::names::Names;
use super::node::Node;
use super::reader::Reader;
use super::task::Cast;
use crate::scene::keys;
use freiraum_scene::State;

/// A state, the one with number `index` from 0; `None` if it is wrong, which was told.
pub(super) fn read(
    node: &Node,
    index: usize,
    cast: &Cast<'_>,
    names: &Names,
    reader: &mut Reader<'_>,
) -> Option<State> {
    reader.table(node, &keys::STATE)?;
    let name = match node.get("name") {
        Some(name) => reader.name(name)?.to_owned(),
        None => format!("state {}", index + 1),
    };
    let mut poses = Vec::new();
    let expected = "a table of bodies and where they are";
    match node.get("poses") {
        None if reader.is_misspelt(node, &keys::STATE, &["poses"]) => {}
        None => {
            let help = "add poses = { body = [x, y, z], … }";
            reader.problem_with_help(node.place, "this state has no poses", help);
        }
        Some(table) => match table.entries() {
            None => reader.problem(table.place, format!("found {}, expected {expected}", table.describe())),
            Some(entries) => {
                for entry in entries {
                    let pose = body::pose(&entry.value, reader);
                    let Some(body) = names.body(&entry.key, entry.key_place, reader) else { continue };
                    if let Some(robot) = cast.robot_of(body) {
                        let message = format!("{:?} is part of the robot {:?}", entry.key, robot.name);
                        let help = "its joints say where it is; take it out of the state";
                        reader.problem_with_help(entry.key_place, message, help);
                    } else if cast.bodies[body].is_fixed {
                        let message = format!("{:?} is fixed and has no place in a state", entry.key);
                        let help = "its place is its `pose`; or remove fixed = true from the body";
                        reader.problem_with_help(entry.key_place, message, help);
                    }
                    poses.extend(pose.map(|pose| (body, pose)));
                }
            }
        },
    }
    Some(State { name, poses, place: node.place })
}
