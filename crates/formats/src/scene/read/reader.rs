//! What all parts of the reader need: the list of problems, and values with what they must be.

use super::super::keys::{self, Keys};
use super::super::place::Lines;
use super::super::words::nearest;
use super::node::{Entry, Kind, Node};
use super::robot::Models;
use crate::notation::json::shown;
use crate::notation::{Dialect, Fault};
use freiraum_files::{Digests, Reach};
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_scene::{Place, Problem};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// So many problems get a suggestion; looking for one takes longer than finding the problem.
const SUGGESTIONS: usize = 200;

/// The list of problems, and what is known of the file.
pub(super) struct Reader<'t> {
    pub(super) problems: Vec<Problem>,
    pub(super) dialect: Dialect,
    pub(super) folder: &'t Path,
    pub(super) lines: Lines<'t>,
    /// Robots that were read before.
    pub(super) models: &'t mut Models,
    /// Numbers of the bodies that are tools of robots.
    pub(super) tools: Vec<usize>,
    /// The files that each robot was read from.
    pub(super) robot_files: Vec<Vec<PathBuf>>,
    /// What was passed over or taken otherwise in files of robots.
    pub(super) notes: Vec<String>,
    /// Tables of lasers.
    pub(super) table_files: Vec<PathBuf>,
    /// Digests of the files of robots and of tables, of what was read.
    pub(super) digests: Digests,
    /// Which files the text may name.
    pub(super) reach: &'t Reach,
    suggestions: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(
        text: &'t str,
        folder: &'t Path,
        reach: &'t Reach,
        models: &'t mut Models,
    ) -> Reader<'t> {
        Reader {
            problems: Vec::new(),
            dialect: Dialect::scene(freiraum_geometry::Unit::Metre),
            folder,
            lines: Lines::of(text),
            models,
            tools: Vec::new(),
            robot_files: Vec::new(),
            notes: Vec::new(),
            table_files: Vec::new(),
            digests: Digests::new(),
            reach,
            suggestions: 0,
        }
    }

    /// Where a file is that the text names; `None` if it may not name it, which is told.
    pub(super) fn named_file(&mut self, place: Place, written: &str) -> Option<PathBuf> {
        let path = self.folder.join(written);
        if self.reach.contains(&path) {
            return Some(path);
        }
        self.problems.push(Problem::outside(place, written));
        None
    }

    pub(super) fn problem(&mut self, place: Place, message: impl Into<String>) {
        self.problems.push(Problem::new(place, message));
    }

    pub(super) fn problem_with_help(
        &mut self,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problems.push(Problem::new(place, message).help(help));
    }

    /// What may have been meant, in words; nothing if nothing is near or enough was suggested.
    pub(super) fn suggestion<'c>(
        &mut self,
        word: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Option<String> {
        if self.suggestions >= SUGGESTIONS {
            return None;
        }
        self.suggestions += 1;
        nearest(word, candidates).map(|meant| format!("did you mean `{meant}`?"))
    }

    /// That the node is a table with no other keys than these; unknown ones are told, and the rest is read all the same.
    pub(super) fn table<'n>(&mut self, node: &'n Node, keys: &Keys) -> Option<&'n [Entry]> {
        let Some(entries) = node.entries() else {
            let message =
                format!("found {}, expected a table with the keys of {}", node.describe(), keys.what);
            self.problem_with_help(node.place, message, format!("its keys are {}", keys.known.join(", ")));
            return None;
        };
        for entry in entries {
            if !keys.known.contains(&entry.key.as_str()) {
                let instead = keys.instead.iter().find(|(key, _)| *key == entry.key);
                let help = match instead {
                    Some((_, help)) => Some((*help).to_owned()),
                    None => self.suggestion(&entry.key, keys.known.iter().copied()),
                };
                let help = help.unwrap_or_else(|| format!("its keys are {}", keys.known.join(", ")));
                let message = format!("unknown key {:?} in {}", entry.key, keys.what);
                self.problem_with_help(entry.key_place, message, help);
            }
        }
        Some(entries)
    }

    /// True if an unknown key of the node stands for one of these, which was told.
    pub(super) fn is_misspelt(&self, node: &Node, keys: &Keys, wanted: &[&str]) -> bool {
        let stands_for = |entry: &Entry| {
            let instead = keys.instead.iter().find(|(key, _)| *key == entry.key);
            match instead {
                Some((_, help)) => wanted
                    .iter()
                    .any(|key| help.contains(&format!("`{key}")) || help.contains(&format!("`[[{key}"))),
                None => {
                    nearest(&entry.key, keys.known.iter().copied()).is_some_and(|key| wanted.contains(&key))
                }
            }
        };
        let unknown = |entry: &&Entry| !keys.known.contains(&entry.key.as_str());
        node.entries().is_some_and(|entries| entries.iter().filter(unknown).any(stands_for))
    }

    fn wrong(&mut self, node: &Node, expected: &str) {
        self.problem(node.place, format!("found {}, expected {expected}", node.describe()));
    }

    /// A text.
    pub(super) fn text<'n>(&mut self, node: &'n Node, expected: &str) -> Option<&'n str> {
        let text = node.text();
        if text.is_none() {
            self.wrong(node, expected);
        }
        text
    }

    /// A name: a text on one line.
    pub(super) fn name<'n>(&mut self, node: &'n Node) -> Option<&'n str> {
        let name = self.text(node, "a name in quotes")?;
        if let Some(odd) = name.chars().find(|c| c.is_control()) {
            let message =
                format!("the name {name:?} contains the control character U+{:04X}", u32::from(odd));
            self.problem_with_help(node.place, message, "remove it: names are on one line");
            return None;
        }
        if name.trim().is_empty() {
            self.wrong(node, "a name with at least one letter, on one line");
            return None;
        }
        Some(name)
    }

    /// A flag.
    pub(super) fn flag(&mut self, node: &Node) -> Option<bool> {
        match node.kind {
            Kind::Bool(flag) => Some(flag),
            _ => {
                self.wrong(node, "true or false, without quotes");
                None
            }
        }
    }

    /// A list.
    pub(super) fn list<'n>(&mut self, node: &'n Node, expected: &str) -> Option<&'n [Node]> {
        let list = node.list();
        if list.is_none() {
            self.wrong(node, expected);
        }
        list
    }

    /// A finite number.
    pub(super) fn number(&mut self, node: &Node, expected: &str) -> Option<f64> {
        let number = node.number().filter(|number| number.is_finite());
        if number.is_none() {
            if node.text().is_some_and(is_number) {
                let message = format!("found {}, expected {expected}", node.describe());
                self.problem_with_help(node.place, message, "leave out the quotes");
            } else {
                self.wrong(node, expected);
            }
        }
        number
    }

    /// A length that is not negative, in metres.
    pub(super) fn length(&mut self, node: &Node) -> Option<f64> {
        let units = self.dialect.units;
        let expected = format!("a length in {units} that is 0 or more");
        let written = self.number(node, &expected)?;
        let length = units.to_metres(written);
        if !(0.0..=MAX_COORDINATE).contains(&length) {
            let most = format!("at most {:.0e} {units}", units.from_metres(MAX_COORDINATE));
            self.wrong(node, if length > 0.0 { &most } else { &expected });
            return None;
        }
        Some(length)
    }

    /// A length of any sign, in metres.
    pub(super) fn coordinate(&mut self, node: &Node) -> Option<f64> {
        let units = self.dialect.units;
        let length = units.to_metres(self.number(node, &format!("a length in {units}"))?);
        if length.abs() > MAX_COORDINATE {
            self.wrong(node, &format!("at most {:.0e} {units}", units.from_metres(MAX_COORDINATE)));
            return None;
        }
        Some(length)
    }

    /// The node as JSON, for what is read from JSON.
    pub(super) fn json(&mut self, node: &Node) -> Option<Json> {
        match node.json() {
            Ok(json) => Some(json),
            Err(culprit) => {
                self.wrong(culprit, "a finite number");
                None
            }
        }
    }

    /// A value that is read from JSON; a fault is told where it stands in the file.
    pub(super) fn read_json<T>(
        &mut self,
        node: &Node,
        read: impl FnOnce(&Json, &Dialect) -> Result<T, Fault>,
    ) -> Option<T> {
        let json = self.json(node)?;
        let dialect = self.dialect;
        match read(&json, &dialect) {
            Ok(found) => Some(found),
            Err(fault) => {
                self.fault(node, fault);
                None
            }
        }
    }

    /// A fault of a value that was read from JSON.
    pub(super) fn fault(&mut self, node: &Node, fault: Fault) {
        let culprit = node.at(&fault.path);
        let mut place = culprit.place;
        let mut help = None;
        if let Some((key, known)) = &fault.key {
            let entry = culprit.entry(key);
            place = entry.map_or(place, |entry| entry.key_place);
            help = entry.and_then(|entry| instead(entry, known));
            help = help.or_else(|| self.suggestion(key, known.iter().map(String::as_str)));
        } else if culprit.text().is_some_and(is_number) {
            help = Some("leave out the quotes".to_owned());
        } else if let (Kind::Integer(_) | Kind::Float(_), true) =
            (&culprit.kind, fault.path.ends_with("box.size"))
        {
            help = culprit.number().map(|side| format!("a cube is size = [{side}, {side}, {side}]"));
        }
        // What JSON calls an object and a string is a table and a text here.
        let message = fault
            .message
            .replace("an object", "a table")
            .replace("an empty object", "an empty table")
            .replace("the string", "the text")
            .replace("an array", "a list");
        if help.is_none() && message.contains(" m;") && self.dialect.units != freiraum_geometry::Unit::Metre {
            help = Some(format!("lengths in this file are in {}", self.dialect.units));
        }
        self.problems.push(Problem { help, ..Problem::new(place, message) });
    }
}

fn is_number(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok()
}

/// What to write instead of an entry of a shape or a pose, where one of these keys is known.
fn instead(entry: &Entry, known: &[String]) -> Option<String> {
    let (key, help) = keys::VALUE_INSTEAD.iter().find(|(key, _)| *key == entry.key)?;
    // Advice on keys that the table does not have helps nobody; and what is said of shapes does not hold in poses.
    let is_in_pose = known.iter().any(|known| known == "position");
    let is_meant = known.iter().any(|known| help.contains(&format!("`{known}")));
    if !is_meant && (is_in_pose || !help.contains("`pose`")) {
        return None;
    }
    match entry.value.number() {
        Some(number) if help.contains("half") && !key.contains("half") => {
            Some(format!("write `radius = {}`, half of it", shown(0.5 * number)))
        }
        _ => Some((*help).to_owned()),
    }
}
