//! `[[pair]]`: what holds between two bodies or groups.

use super::names::{Named, Names};
use super::node::{Kind, Node};
use super::reader::Reader;
use crate::scene::keys;
use freiraum_scene::PairRule;

/// What a pair says; `None` if it is wrong, which was told.
pub(super) fn read(node: &Node, names: &mut Names, reader: &mut Reader<'_>) -> Option<PairRule> {
    reader.table(node, &keys::PAIR)?;
    let clearance = node.get("clearance").and_then(|node| reader.length(node));
    let allowance = node.get("allowance").and_then(|node| reader.length(node));
    let approach = node.get("approach").and_then(|node| reader.length(node));
    let ignore = node.get("ignore").and_then(|node| reason(node, reader));
    if !["clearance", "allowance", "approach", "ignore"].iter().any(|key| node.get(key).is_some()) {
        let help = "add clearance, allowance, approach or ignore = \"reason\"";
        reader.problem_with_help(node.place, "this pair says nothing", help);
    }
    let Some(list) = node.get("bodies") else {
        if !reader.is_misspelt(node, &keys::PAIR, &["bodies"]) {
            let help = "add bodies = [\"…\", \"…\"]";
            reader.problem_with_help(
                node.place,
                "this pair does not say of which two bodies or groups",
                help,
            );
        }
        return None;
    };
    let expected = "two names of bodies or groups";
    let items = reader.list(list, expected)?;
    let [a, b] = items else {
        reader.problem(list.place, format!("found {}, expected {expected}", list.describe()));
        return None;
    };
    let (first, second) = (names.find(a, reader), names.find(b, reader));
    let (first, second) = (first?, second?);
    if first == second && matches!(first, Named::Body(_)) {
        let message = format!("{} is paired with itself", b.quoted());
        reader.problem_with_help(b.place, message, "name two different bodies");
        return None;
    }
    let bodies = [names.bodies(first, a.place, reader)?, names.bodies(second, b.place, reader)?];
    Some(PairRule { bodies, clearance, allowance, approach, ignore, place: node.place })
}

fn reason(node: &Node, reader: &mut Reader<'_>) -> Option<String> {
    match &node.kind {
        Kind::Text(text) if !text.trim().is_empty() => Some(text.clone()),
        _ => {
            let message =
                format!("found {}, expected the reason why the pair is not looked at", node.describe());
            let help = "such as ignore = \"the cable is flexible\"; it appears in reports";
            reader.problem_with_help(node.place, message, help);
            None
        }
    }
}
