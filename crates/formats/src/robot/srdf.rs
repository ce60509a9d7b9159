//! SRDF: groups of joints, named joint values, and pairs of links that need not be looked at.

use super::urdf::read_text;
use super::xml::{Problems, check_names, document, elements, number, place, place_of, required};
use crate::scene::SceneErrors;
use crate::scene::words::nearest;
use freiraum_robot::Robot;
use freiraum_scene::markup;
use roxmltree::Node;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// What an SRDF file says about a robot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Srdf {
    /// Groups by name, with the freedoms that they move.
    pub groups: Vec<Group>,
    /// Named joint values.
    pub states: Vec<State>,
    /// Pairs of links that need not be looked at.
    pub disabled: Vec<DisabledPair>,
}

/// Joints that are moved together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// How people call it.
    pub name: String,
    /// Numbers of freedoms, ascending.
    pub freedoms: Vec<usize>,
}

/// Named joint values of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// How people call it.
    pub name: String,
    /// The group that it belongs to.
    pub group: String,
    /// Freedoms and their values, in radians or metres; all others keep theirs.
    pub values: Vec<(usize, f64)>,
}

/// Two links that need not be looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct DisabledPair {
    /// Numbers of the links.
    pub links: [usize; 2],
    /// As the file says: `Adjacent`, `Never`, …
    pub reason: String,
}

/// Reads an SRDF file for a robot.
///
/// **Errors.** All problems at once: links, joints and groups that the robot does not have.
pub fn read(path: impl AsRef<Path>, robot: &Robot) -> Result<Srdf, SceneErrors> {
    let path = path.as_ref();
    parse(&path.display().to_string(), &read_text(path)?, robot)
}

/// Reads the text of an SRDF file; `name` is for messages.
pub fn parse(name: &str, text: &str, robot: &Robot) -> Result<Srdf, SceneErrors> {
    let document = document(name, text)?;
    let root = document.root_element();
    let mut reader = Reader { robot, problems: Problems::default(), found: Srdf::default() };
    if root.tag_name().name() != "robot" {
        reader.problems.add_help(
            place(&root),
            format!("the outermost element is <{}>; expected <robot>", root.tag_name().name()),
            "this is no SRDF file",
        );
    }
    let known = [
        "group",
        "group_state",
        "disable_collisions",
        "enable_collisions",
        "end_effector",
        "virtual_joint",
        "passive_joint",
        "joint_property",
        "link_sphere_approximation",
        "disable_default_collisions",
    ];
    check_names(&root, &known, &mut reader.problems);
    for node in elements(&root) {
        match node.tag_name().name() {
            "group" => reader.group(&node),
            "group_state" => reader.state(&node),
            "disable_collisions" => reader.disabled(&node),
            _ => {}
        }
    }
    if reader.problems.0.is_empty() {
        return Ok(reader.found);
    }
    Err(SceneErrors::new(name, text, reader.problems.0))
}

struct Reader<'r> {
    robot: &'r Robot,
    problems: Problems,
    found: Srdf,
}

impl Reader<'_> {
    fn named(&mut self, node: &Node, attribute: &str, what: &str, names: &[&str]) -> Option<usize> {
        let name = required(node, attribute, &mut self.problems)?;
        let found = names.iter().position(|known| *known == name);
        if found.is_none() {
            let at = place_of(node, attribute);
            let message = format!("the robot has no {what} named '{name}'");
            match nearest(name, names.iter().copied()) {
                Some(meant) => self.problems.add_help(at, message, format!("did you mean '{meant}'?")),
                None => self.problems.add_help(at, message, "does this file belong to another robot?"),
            }
        }
        found
    }

    fn link(&mut self, node: &Node, attribute: &str) -> Option<usize> {
        let robot = self.robot;
        let names: Vec<&str> = robot.links().iter().map(|link| link.name.as_str()).collect();
        self.named(node, attribute, "link", &names)
    }

    fn joint(&mut self, node: &Node, attribute: &str) -> Option<usize> {
        let robot = self.robot;
        let names: Vec<&str> = robot.joints().iter().map(|joint| joint.name.as_str()).collect();
        self.named(node, attribute, "joint", &names)
    }

    fn group(&mut self, node: &Node) {
        let Some(name) = required(node, "name", &mut self.problems) else { return };
        let mut freedoms = Vec::new();
        let own = |joint: usize, robot: &Robot| robot.freedoms().iter().position(|j| *j == joint);
        for part in elements(node) {
            match part.tag_name().name() {
                "joint" => {
                    let joint = self.joint(&part, "name");
                    freedoms.extend(joint.and_then(|joint| own(joint, self.robot)));
                }
                "link" => {
                    let joint = self.link(&part, "name").and_then(|link| self.robot.carrier(link));
                    freedoms.extend(joint.and_then(|joint| own(joint, self.robot)));
                }
                "chain" => {
                    let ends = [self.link(&part, "base_link"), self.link(&part, "tip_link")];
                    if let [Some(base), Some(tip)] = ends {
                        freedoms.extend(self.robot.freedoms_between(base, tip));
                    }
                }
                "group" => {
                    let Some(name) = required(&part, "name", &mut self.problems) else { continue };
                    match self.found.groups.iter().find(|group| group.name == name) {
                        Some(other) => freedoms.extend(other.freedoms.iter().copied()),
                        // It would lose its joints.
                        None => self.problems.add_help(
                            place_of(&part, "name"),
                            format!("there is no group named '{name}' above this one"),
                            "write groups before those that consist of them",
                        ),
                    }
                }
                _ => {}
            }
        }
        freedoms.sort_unstable();
        freedoms.dedup();
        self.found.groups.push(Group { name: name.to_owned(), freedoms });
    }

    fn state(&mut self, node: &Node) {
        let name = required(node, "name", &mut self.problems);
        let group = node.attribute("group").unwrap_or_default().to_owned();
        let mut values = Vec::new();
        for part in elements(node).filter(|part| part.tag_name().name() == "joint") {
            let joint = self.joint(&part, "name");
            required(&part, "value", &mut self.problems);
            let value = number(&part, "value", &mut self.problems);
            if let (Some(joint), Some(value)) = (joint, value)
                && let Some(freedom) = self.robot.freedoms().iter().position(|own| *own == joint)
            {
                values.push((freedom, value));
            }
        }
        if let Some(name) = name {
            self.found.states.push(State { name: name.to_owned(), group, values });
        }
    }

    fn disabled(&mut self, node: &Node) {
        let ends = [self.link(node, "link1"), self.link(node, "link2")];
        if let [Some(a), Some(b)] = ends {
            let reason = node.attribute("reason").unwrap_or("disabled").to_owned();
            self.found.disabled.push(DisabledPair { links: [a, b], reason });
        }
    }
}

/// A line of an SRDF file that is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A pair that need not be looked at, with a comment behind it; an empty one is not written.
    Disabled(DisabledPair, String),
    /// Only a comment.
    Comment(String),
}

/// An SRDF file with these entries.
pub fn write(robot: &Robot, entries: &[Entry]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    let _ = writeln!(out, "<robot name=\"{}\">", markup(robot.name()));
    for entry in entries {
        match entry {
            Entry::Disabled(pair, told) => {
                let [a, b] = pair.links.map(|link| markup(&robot.links()[link].name));
                let reason = markup(&pair.reason);
                let _ =
                    write!(out, "  <disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"{reason}\"/>");
                let _ = match told.as_str() {
                    "" => writeln!(out),
                    told => writeln!(out, " {}", comment(told)),
                };
            }
            Entry::Comment(told) => {
                let _ = writeln!(out, "  {}", comment(told));
            }
        }
    }
    out.push_str("</robot>\n");
    out
}

/// Writes an SRDF file with these entries; it appears complete or not at all.
///
/// **Errors.** What the operating system says; an older file is as it was.
pub fn save(path: &Path, robot: &Robot, entries: &[Entry]) -> io::Result<()> {
    freiraum_files::write(path, write(robot, entries))
}

/// Two dashes end a comment too early.
fn comment(text: &str) -> String {
    let mut text = text.to_owned();
    while text.contains("--") {
        text = text.replace("--", "- -");
    }
    format!("<!-- {text} -->")
}
