//! Names of bodies, groups and robots, and the bodies they stand for.

use super::node::Node;
use super::reader::Reader;
use freiraum_scene::{Place, Scene};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many bodies all mentions of groups may stand for together. Keeps some lines of groups of groups from growing into
/// something that no memory holds.
const MAX_MENTIONS: usize = 10_000_000;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Body(usize),
    Group(usize),
    Robot(usize),
}

/// The names of a file.
pub(super) struct Names {
    map: BTreeMap<String, Named>,
    /// The bodies of the groups; `None` for one that is broken or not yet resolved.
    members: Vec<Option<Arc<[usize]>>>,
    /// The bodies of the robots: links and tools.
    robots: Vec<Vec<usize>>,
    mentions: usize,
    is_told: bool,
}

/// All names; those that are used twice are told.
pub(super) fn collect([bodies, groups, robots]: [&[Node]; 3], reader: &mut Reader<'_>) -> Names {
    let mut map: BTreeMap<String, Named> = BTreeMap::new();
    let mut first: BTreeMap<&str, Place> = BTreeMap::new();
    let named = bodies.iter().enumerate().map(|(i, node)| (node, Named::Body(i)));
    let named = named.chain(groups.iter().enumerate().map(|(i, node)| (node, Named::Group(i))));
    for (node, what) in named.chain(robots.iter().enumerate().map(|(i, node)| (node, Named::Robot(i)))) {
        let Some(name_node) = node.get("name") else { continue };
        let Some(name) = name_node.text() else { continue };
        if let Some(earlier) = first.get(name) {
            let message = format!("the name {name:?} is used twice");
            let help = format!(
                "it is the name in line {} already; bodies, groups and robots need names of their own",
                reader.lines.line(earlier.start)
            );
            reader.problem_with_help(name_node.place, message, help);
        } else {
            first.insert(name, name_node.place);
            map.insert(name.to_owned(), what);
        }
    }
    let (members, robots) = (vec![None; groups.len()], vec![Vec::new(); robots.len()]);
    Names { map, members, robots, mentions: 0, is_told: false }
}

/// The names of a scene that was read before.
pub(super) fn of_scene(scene: &Scene) -> Names {
    let mut map = BTreeMap::new();
    map.extend(scene.bodies.iter().enumerate().map(|(i, body)| (body.name.clone(), Named::Body(i))));
    map.extend(scene.groups.iter().enumerate().map(|(i, group)| (group.name.clone(), Named::Group(i))));
    map.extend(scene.robots.iter().enumerate().map(|(i, robot)| (robot.name.clone(), Named::Robot(i))));
    let members = scene.groups.iter().map(|group| Some(group.members.as_slice().into())).collect();
    let robots = scene.robots.iter().map(|robot| robot.bodies().collect()).collect();
    Names { map, members, robots, mentions: 0, is_told: false }
}

impl Names {
    /// What a text stands for; an unknown one is told.
    pub(super) fn find(&self, node: &Node, reader: &mut Reader<'_>) -> Option<Named> {
        let name = reader.text(node, "the name of a body or group")?;
        let found = self.map.get(name).copied();
        if found.is_none() {
            self.unknown(name, node.place, reader);
        }
        found
    }

    /// The number of the body with this name; what is none is told.
    pub(super) fn body(&self, name: &str, place: Place, reader: &mut Reader<'_>) -> Option<usize> {
        match self.map.get(name) {
            Some(Named::Body(body)) => Some(*body),
            Some(Named::Group(_)) => {
                reader.problem(place, format!("{name:?} is a group, expected a body"));
                None
            }
            Some(Named::Robot(_)) => {
                reader.problem(place, format!("{name:?} is a robot, expected a body"));
                None
            }
            None => {
                self.unknown(name, place, reader);
                None
            }
        }
    }

    /// Whether something has this name.
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }

    /// All names, in the order of the alphabet.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.map.keys().map(String::as_str)
    }

    fn unknown(&self, name: &str, place: Place, reader: &mut Reader<'_>) {
        let help = reader.suggestion(name, self.map.keys().map(String::as_str));
        let help = help.unwrap_or_else(|| {
            let all: Vec<&str> = self.map.keys().take(12).map(String::as_str).collect();
            let more = if self.map.len() > all.len() { ", …" } else { "" };
            match all.as_slice() {
                [] => "the file has none".to_owned(),
                all => format!("there are {}{more}", all.join(", ")),
            }
        });
        reader.problem_with_help(place, format!("there is no body or group {name:?}"), help);
    }

    /// The number of the robot that a text names; what is none is told.
    pub(super) fn robot(&self, node: &Node, reader: &mut Reader<'_>) -> Option<usize> {
        let name = reader.text(node, "the name of a robot")?;
        if let Some(Named::Robot(robot)) = self.map.get(name) {
            return Some(*robot);
        }
        let robots: Vec<&str> = self.robot_names();
        let message = match self.map.get(name) {
            Some(Named::Body(_)) => format!("{name:?} is a body, expected a robot"),
            Some(Named::Group(_)) => format!("{name:?} is a group, expected a robot"),
            _ => format!("there is no robot {name:?}"),
        };
        let help =
            reader.suggestion(name, robots.iter().copied()).unwrap_or_else(|| match robots.as_slice() {
                [] => "add one: [[robot]] with name = \"…\" and model = \"….urdf\"".to_owned(),
                robots => format!("the robots are {}", robots.join(", ")),
            });
        reader.problem_with_help(node.place, message, help);
        None
    }

    /// The names of all robots.
    pub(super) fn robot_names(&self) -> Vec<&str> {
        self.map
            .iter()
            .filter(|(_, what)| matches!(what, Named::Robot(_)))
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// Adds the links of a robot, which are bodies, and says which bodies it stands for.
    pub(super) fn add_robot<'l>(
        &mut self,
        robot: usize,
        links: impl Iterator<Item = (&'l str, usize)>,
        bodies: Vec<usize>,
        place: Place,
        reader: &mut Reader<'_>,
    ) {
        // Of two robots with one name, which is told, the first has the links.
        let is_first = self.map.values().any(|what| *what == Named::Robot(robot));
        for (name, body) in links.filter(|_| is_first) {
            if self.map.contains_key(name) {
                let message = format!("the name {name:?} is used twice");
                let help =
                    "it is the name of a link of this robot; give the other body or group another name";
                reader.problem_with_help(place, message, help);
            } else {
                self.map.insert(name.to_owned(), Named::Body(body));
            }
        }
        self.robots[robot] = bodies;
    }

    /// The bodies of a robot.
    pub(super) fn of_robot(&self, robot: usize) -> &[usize] {
        &self.robots[robot]
    }

    /// How many names there are.
    pub(super) fn count(&self) -> usize {
        self.map.len()
    }

    /// Says what a group stands for.
    pub(super) fn resolve(&mut self, group: usize, members: Arc<[usize]>) {
        self.members[group] = Some(members);
    }

    /// The bodies of something; `None` for a group that is broken, which was told.
    pub(super) fn bodies(
        &mut self,
        what: Named,
        place: Place,
        reader: &mut Reader<'_>,
    ) -> Option<Vec<usize>> {
        let found = match what {
            Named::Body(body) => vec![body],
            Named::Robot(robot) => {
                let bodies = self.robots[robot].clone();
                if !self.take(bodies.len(), place, reader) {
                    return None;
                }
                bodies
            }
            Named::Group(group) => {
                let members = self.members[group].clone()?;
                if !self.take(members.len(), place, reader) {
                    return None;
                }
                members.to_vec()
            }
        };
        Some(found)
    }

    /// Counts bodies that something stands for; false if there are too many.
    pub(super) fn take(&mut self, count: usize, place: Place, reader: &mut Reader<'_>) -> bool {
        self.mentions = self.mentions.saturating_add(count);
        let is_ok = self.mentions <= MAX_MENTIONS;
        if !is_ok && !self.is_told {
            self.is_told = true;
            let message = format!("groups stand for more than {MAX_MENTIONS} bodies in all, too many");
            reader.problem_with_help(place, message, "use fewer or smaller groups");
        }
        is_ok
    }
}
