//! `[[state]]`: placements that follow each other.

use super::body;
use super::names::Names;
use super::node::Node;
use super::reader::Reader;
use crate::scene::keys;
use freiraum_scene::{Body, State};

/// A state, the one with number `index` from 0; `None` if it is wrong, which was told.
pub(super) fn read(
    node: &Node,
    index: usize,
    bodies: &[Body],
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
                    if bodies[body].is_fixed {
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
