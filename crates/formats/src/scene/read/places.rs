//! Where a text says where bodies are: read once, for all bodies.

use super::node::{Entry, Node};
use freiraum_scene::Place;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Where a text says where bodies are at the start and in the end; looked up when it is first asked.
#[derive(Clone, Debug, Default)]
pub(in crate::scene) struct Places(OnceLock<Vec<[Option<Place>; 2]>>);

impl Places {
    /// Where the text says where a body is at the start: in the first state, else its pose, else its name.
    pub(in crate::scene) fn start(&self, text: &str, body: usize) -> Option<Place> {
        self.of(text).get(body)?[0]
    }

    /// Where it says where a body should be in the end.
    pub(in crate::scene) fn goal(&self, text: &str, body: usize) -> Option<Place> {
        self.of(text).get(body)?[1]
    }

    fn of(&self, text: &str) -> &[[Option<Place>; 2]] {
        self.0.get_or_init(|| places(text).unwrap_or_default())
    }
}

fn places(text: &str) -> Option<Vec<[Option<Place>; 2]>> {
    let document = toml_edit::Document::parse(text).ok()?;
    let root = Node::of_document(document.as_table());
    let first = root.get("state").and_then(|states| states.list()?.first());
    let placed = first.and_then(|state| state.get("poses")?.entries()).unwrap_or_default();
    let placed: HashMap<&str, &Entry> = placed.iter().map(|entry| (entry.key.as_str(), entry)).collect();
    let of = |node: &Node| {
        let start = node.get("name").and_then(Node::text).and_then(|name| {
            let placed = placed.get(name).copied();
            placed.or_else(|| node.entry("pose")).or_else(|| node.entry("name"))
        });
        [start, node.entry("goal")].map(|entry| entry.map(Entry::place))
    };
    Some(root.get("body")?.list()?.iter().map(of).collect())
}
