//! `[[group]]`: names for several bodies, groups in groups resolved.

use super::names::{Named, Names};
use super::node::Node;
use super::reader::Reader;
use crate::scene::keys;
use freiraum_scene::Group;
use std::sync::Arc;

/// How deep groups may be nested in groups.
const MAX_NESTING: usize = 64;

/// What is known of a group while groups are resolved.
enum Progress {
    New,
    /// On the way to it: who comes here again has gone in a circle.
    Open,
    Done,
}

struct Resolver<'n, 'a> {
    nodes: &'n [Node],
    /// For every group its members as written, with where.
    members: Vec<Vec<(Named, &'n Node)>>,
    progress: Vec<Progress>,
    resolved: Vec<Option<Arc<[usize]>>>,
    names: &'a mut Names,
}

/// All groups; those that are wrong have no members, which was told.
pub(super) fn read(nodes: &[Node], names: &mut Names, reader: &mut Reader<'_>) -> Vec<Group> {
    let mut members = Vec::with_capacity(nodes.len());
    for node in nodes {
        reader.table(node, &keys::GROUP);
        match node.get("name") {
            Some(name) => drop(reader.name(name)),
            None if reader.is_misspelt(node, &keys::GROUP, &["name"]) => {}
            None => reader.problem_with_help(node.place, "this group has no name", "add name = \"…\""),
        }
        members.push(written(node, names, reader));
    }
    let progress = nodes.iter().map(|_| Progress::New).collect();
    let mut resolver = Resolver { nodes, members, progress, resolved: vec![None; nodes.len()], names };
    for group in 0..nodes.len() {
        resolver.resolve(group, &mut Vec::new(), reader);
    }
    let group = |(node, members): (&Node, &Option<Arc<[usize]>>)| Group {
        name: node.get("name").and_then(Node::text).unwrap_or_default().to_owned(),
        members: members.as_ref().map_or(Vec::new(), |members| members.to_vec()),
        place: node.place,
    };
    nodes.iter().zip(&resolver.resolved).map(group).collect()
}

/// The members as the file says them.
fn written<'n>(node: &'n Node, names: &Names, reader: &mut Reader<'_>) -> Vec<(Named, &'n Node)> {
    let Some(list) = node.get("members") else {
        if !reader.is_misspelt(node, &keys::GROUP, &["members"]) {
            let help = "add members = [\"…\", \"…\"]";
            reader.problem_with_help(node.place, "this group has no members", help);
        }
        return Vec::new();
    };
    let Some(items) = reader.list(list, "a list of names of bodies and groups") else { return Vec::new() };
    if items.is_empty() {
        reader.problem_with_help(
            list.place,
            "this group is empty",
            "name at least one body, or remove the group",
        );
    }
    let mut seen = std::collections::BTreeSet::new();
    let mut found = Vec::with_capacity(items.len());
    for item in items {
        if item.text().is_some_and(|name| !seen.insert(name)) {
            reader.problem(item.place, format!("{} is listed twice", item.quoted()));
        } else if let Some(named) = names.find(item, reader) {
            found.push((named, item));
        }
    }
    found
}

impl Resolver<'_, '_> {
    /// Resolves a group and those in it; `way` is how it was reached.
    fn resolve(&mut self, group: usize, way: &mut Vec<usize>, reader: &mut Reader<'_>) {
        if !matches!(self.progress[group], Progress::New) {
            return;
        }
        self.progress[group] = Progress::Open;
        way.push(group);
        let mut is_whole = true;
        for at in 0..self.members[group].len() {
            let (Named::Group(inner), node) = self.members[group][at] else { continue };
            if way.len() >= MAX_NESTING {
                reader.problem(node.place, format!("groups are nested deeper than {MAX_NESTING}"));
                is_whole = false;
            } else if matches!(self.progress[inner], Progress::Open) {
                let start = way.iter().position(|other| *other == inner).unwrap_or(0);
                let circle: Vec<&str> = way[start..].iter().chain([&inner]).map(|g| self.name(*g)).collect();
                let message = format!("the group {:?} contains itself", self.name(inner));
                let help = format!("{}; take one of them out", circle.join(" contains "));
                reader.problem_with_help(node.place, message, help);
                is_whole = false;
            } else {
                self.resolve(inner, way, reader);
            }
        }
        way.pop();
        self.progress[group] = Progress::Done;
        if is_whole {
            self.gather(group, reader);
        }
    }

    fn name(&self, group: usize) -> &str {
        self.nodes[group].get("name").and_then(Node::text).unwrap_or("")
    }

    /// Puts the bodies of a group together, once all groups in it have theirs.
    fn gather(&mut self, group: usize, reader: &mut Reader<'_>) {
        let mut bodies = Vec::new();
        for (named, _) in &self.members[group] {
            match named {
                Named::Body(body) => bodies.push(*body),
                Named::Robot(robot) => bodies.extend_from_slice(self.names.of_robot(*robot)),
                Named::Group(inner) => match &self.resolved[*inner] {
                    Some(inner) => bodies.extend_from_slice(inner),
                    None => return,
                },
            }
            if bodies.len() > 2 * self.names.count() {
                once(&mut bodies);
            }
        }
        once(&mut bodies);
        if bodies.is_empty() || !self.names.take(bodies.len(), self.nodes[group].place, reader) {
            return;
        }
        let bodies: Arc<[usize]> = bodies.into();
        self.names.resolve(group, bodies.clone());
        self.resolved[group] = Some(bodies);
    }
}

/// Each body once, in the order of first mention.
fn once(bodies: &mut Vec<usize>) {
    let mut seen = std::collections::BTreeSet::new();
    bodies.retain(|body| seen.insert(*body));
}
