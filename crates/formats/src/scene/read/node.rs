//! The text as a tree: values with their places.

use crate::notation::json::shown;
use freiraum_scene::Place;
use serde_json::Value as Json;
use std::ops::Range;
use toml_edit::{Item, Table, Value};

/// A value of the file.
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) kind: Kind,
}

/// What a value is.
pub(super) enum Kind {
    Text(String),
    Integer(i64),
    Float(f64),
    Bool(bool),
    Date,
    List(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key and its value.
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_place: Place,
    pub(super) value: Node,
}

impl Entry {
    /// From the key to the end of the value, if that is written behind it.
    pub(super) fn place(&self) -> Place {
        match self.value.kind {
            Kind::Table(_) if self.value.place.start <= self.key_place.start => self.value.place,
            _ if self.value.place.end >= self.key_place.end => {
                Place { start: self.key_place.start, end: self.value.place.end }
            }
            _ => self.value.place,
        }
    }
}

fn place(span: Option<Range<usize>>) -> Place {
    span.map_or(Place::default(), |span| Place { start: span.start, end: span.end })
}

impl Node {
    /// The whole file.
    pub(super) fn of_document(table: &Table) -> Node {
        Node::of_table(table)
    }

    fn of_table(table: &Table) -> Node {
        let entries = table.iter().filter_map(|(key, item)| {
            let key_place = place(table.key(key).and_then(|key| key.span()));
            Some(Entry { key: key.to_owned(), key_place, value: Node::of_item(item)? })
        });
        Node { place: place(table.span()), kind: Kind::Table(entries.collect()) }
    }

    fn of_item(item: &Item) -> Option<Node> {
        match item {
            Item::None => None,
            Item::Value(value) => Some(Node::of_value(value)),
            Item::Table(table) => Some(Node::of_table(table)),
            Item::ArrayOfTables(tables) => {
                let list: Vec<Node> = tables.iter().map(Node::of_table).collect();
                let place = list.first().map_or(Place::default(), |first| first.place);
                Some(Node { place, kind: Kind::List(list) })
            }
        }
    }

    fn of_value(value: &Value) -> Node {
        let kind = match value {
            Value::String(text) => Kind::Text(text.value().clone()),
            Value::Integer(number) => Kind::Integer(*number.value()),
            Value::Float(number) => Kind::Float(*number.value()),
            Value::Boolean(flag) => Kind::Bool(*flag.value()),
            Value::Datetime(_) => Kind::Date,
            Value::Array(array) => Kind::List(array.iter().map(Node::of_value).collect()),
            Value::InlineTable(table) => {
                let entries = table.iter().map(|(key, value)| Entry {
                    key: key.to_owned(),
                    key_place: place(table.key(key).and_then(|key| key.span())),
                    value: Node::of_value(value),
                });
                Kind::Table(entries.collect())
            }
        };
        Node { place: place(value.span()), kind }
    }

    /// In a few words.
    pub(super) fn describe(&self) -> String {
        match &self.kind {
            Kind::Text(text) if text.chars().count() > 40 => "a long text".to_owned(),
            Kind::Text(text) => format!("the text {text:?}"),
            Kind::Integer(number) => format!("the number {number}"),
            Kind::Float(number) => format!("the number {}", shown(*number)),
            Kind::Bool(flag) => flag.to_string(),
            Kind::Date => "a date".to_owned(),
            Kind::List(list) => format!("a list of {}", list.len()),
            Kind::Table(_) => "a table".to_owned(),
        }
    }

    /// A text in its quotes, else in a few words.
    pub(super) fn quoted(&self) -> String {
        self.text().map_or_else(|| self.describe(), |text| format!("{text:?}"))
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self.kind {
            Kind::Integer(number) => Some(number as f64),
            Kind::Float(number) => Some(number),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[Node]> {
        match &self.kind {
            Kind::List(list) => Some(list),
            _ => None,
        }
    }

    pub(super) fn entries(&self) -> Option<&[Entry]> {
        match &self.kind {
            Kind::Table(entries) => Some(entries),
            _ => None,
        }
    }

    pub(super) fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries()?.iter().find(|entry| entry.key == key)
    }

    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The same tree from JSON, without places; `None` if it holds a null, which TOML does not have.
    pub(super) fn of_json(json: &Json) -> Option<Node> {
        let kind = match json {
            Json::Null => return None,
            Json::Bool(flag) => Kind::Bool(*flag),
            Json::String(text) => Kind::Text(text.clone()),
            Json::Number(number) => match number.as_i64() {
                Some(number) => Kind::Integer(number),
                None => Kind::Float(number.as_f64()?),
            },
            Json::Array(items) => Kind::List(items.iter().map(Node::of_json).collect::<Option<_>>()?),
            Json::Object(map) => {
                let entries = map.iter().map(|(key, value)| {
                    let value = Node::of_json(value)?;
                    Some(Entry { key: key.clone(), key_place: Place::default(), value })
                });
                Kind::Table(entries.collect::<Option<_>>()?)
            }
        };
        Some(Node { place: Place::default(), kind })
    }

    /// The same as JSON; the first value that JSON cannot hold, if there is one.
    pub(super) fn json(&self) -> Result<Json, &Node> {
        Ok(match &self.kind {
            Kind::Text(text) => Json::from(text.as_str()),
            Kind::Integer(number) => Json::from(*number),
            Kind::Float(number) => Json::Number(serde_json::Number::from_f64(*number).ok_or(self)?),
            Kind::Bool(flag) => Json::from(*flag),
            Kind::Date => return Err(self),
            Kind::List(list) => Json::Array(list.iter().map(Node::json).collect::<Result<_, _>>()?),
            Kind::Table(entries) => {
                let pairs = entries.iter().map(|entry| Ok((entry.key.clone(), entry.value.json()?)));
                Json::Object(pairs.collect::<Result<_, &Node>>()?)
            }
        })
    }

    /// What stands at a path such as `box.size[1]`, the way the reader of JSON names it; as far as it leads.
    pub(super) fn at(&self, path: &str) -> &Node {
        let mut node = self;
        let mut rest = path;
        while !rest.is_empty() {
            let step = if let Some(inner) = rest.strip_prefix('[') {
                let end = inner.find(']').unwrap_or(inner.len());
                rest = inner.get(end + 1..).unwrap_or("");
                inner[..end].parse().ok().and_then(|index: usize| node.list()?.get(index))
            } else {
                let inner = rest.strip_prefix('.').unwrap_or(rest);
                let end = inner.find(['.', '[']).unwrap_or(inner.len());
                rest = &inner[end..];
                node.get(&inner[..end])
            };
            match step {
                Some(next) => node = next,
                None => return node,
            }
        }
        node
    }
}
