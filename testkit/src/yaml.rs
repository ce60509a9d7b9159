//! A small part of YAML: maps and lists by indentation or in brackets, with plain or quoted scalars. Enough for planning problems.

/// A value with its parts.
#[derive(Clone, Debug, PartialEq)]
pub enum Yaml {
    /// Anything that is no map and no list, without quotes.
    Scalar(String),
    /// In the order of the text.
    List(Vec<Yaml>),
    /// In the order of the text.
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// Reads a text. Panics where it is no YAML of the known kind.
    pub fn parse(text: &str) -> Yaml {
        let line = |line: &str| {
            let text = line.trim_end();
            let inner = text.trim_start();
            (!inner.is_empty() && !inner.starts_with('#'))
                .then(|| (text.len() - inner.len(), inner.to_owned()))
        };
        let mut lines = Lines { lines: text.lines().filter_map(line).collect(), at: 0 };
        lines.block()
    }

    /// The value of a key. Panics unless this is a map with it.
    pub fn get(&self, key: &str) -> &Yaml {
        match self {
            Yaml::Map(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
        .unwrap_or_else(|| panic!("no key {key:?} in {self:?}"))
    }

    /// The items of a list. Panics unless this is one.
    pub fn items(&self) -> &[Yaml] {
        match self {
            Yaml::List(items) => items,
            _ => panic!("{self:?} is no list"),
        }
    }

    /// The text of a scalar. Panics unless this is one.
    pub fn text(&self) -> &str {
        match self {
            Yaml::Scalar(text) => text,
            _ => panic!("{self:?} is no scalar"),
        }
    }

    /// A number. Panics unless this is one.
    pub fn number(&self) -> f64 {
        self.text().parse().unwrap_or_else(|_| panic!("{self:?} is no number"))
    }

    /// A list of numbers. Panics unless this is one.
    pub fn numbers(&self) -> Vec<f64> {
        self.items().iter().map(Yaml::number).collect()
    }
}

/// Lines that are not empty, with how far they are indented.
struct Lines {
    lines: Vec<(usize, String)>,
    at: usize,
}

impl Lines {
    /// All lines from here that are indented as far as the first one, with what belongs to them.
    fn block(&mut self) -> Yaml {
        let Some((indent, first)) = self.lines.get(self.at).cloned() else {
            return Yaml::Scalar(String::new());
        };
        if first.starts_with("- ") {
            let mut items = Vec::new();
            while let Some((_, text)) =
                self.lines.get(self.at).filter(|(at, text)| *at == indent && text.starts_with("- "))
            {
                // The rest of the line is the first line of the item.
                let rest = text[2..].trim_start().to_owned();
                self.lines[self.at] = (indent + 2, rest);
                items.push(self.block());
            }
            return Yaml::List(items);
        }
        let is_flow = first.starts_with(['[', '{', '"', '\'']);
        let Some((key, _)) = first.split_once(':').filter(|_| !is_flow) else {
            self.at += 1;
            return flow(&first);
        };
        let (mut entries, mut key) = (Vec::new(), key.to_owned());
        loop {
            let value = self.lines[self.at].1[key.len() + 1..].trim().to_owned();
            self.at += 1;
            let follows =
                |(at, text): &&(usize, String)| *at > indent || (*at == indent && text.starts_with("- "));
            let value = match self.lines.get(self.at).filter(follows) {
                Some(_) if value.is_empty() => self.block(),
                _ => flow(&value),
            };
            entries.push((key, value));
            match self.lines.get(self.at) {
                Some((at, text)) if *at == indent => {
                    let next = text.split_once(':').unwrap_or_else(|| panic!("{text:?} has no colon"));
                    key = next.0.to_owned();
                }
                _ => return Yaml::Map(entries),
            }
        }
    }
}

/// A value on one line.
fn flow(text: &str) -> Yaml {
    let mut rest = text.trim();
    let value = flow_value(&mut rest);
    assert!(rest.trim().is_empty(), "{rest:?} is left of {text:?}");
    value
}

fn flow_value(rest: &mut &str) -> Yaml {
    *rest = rest.trim_start();
    let Some(open) = rest.chars().next() else { return Yaml::Scalar(String::new()) };
    if open != '[' && open != '{' {
        if open == '"' || open == '\'' {
            let (text, after) = rest[1..].split_once(open).expect("the quote is closed");
            *rest = after;
            return Yaml::Scalar(text.to_owned());
        }
        let end = rest.find([',', ']', '}']).unwrap_or(rest.len());
        let (text, after) = rest.split_at(end);
        *rest = after;
        return Yaml::Scalar(text.trim().to_owned());
    }
    let close = if open == '[' { ']' } else { '}' };
    *rest = &rest[1..];
    let (mut items, mut entries) = (Vec::new(), Vec::new());
    loop {
        *rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(close) {
            *rest = after;
            return if open == '[' { Yaml::List(items) } else { Yaml::Map(entries) };
        }
        assert!(!rest.is_empty(), "a bracket is not closed");
        if let Some(after) = rest.strip_prefix(',') {
            *rest = after;
        } else if open == '[' {
            items.push(flow_value(rest));
        } else {
            let (key, after) = rest.split_once(':').expect("a colon after the key");
            *rest = after;
            entries.push((key.trim().to_owned(), flow_value(rest)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Yaml;

    #[test]
    fn maps_and_lists_are_read() {
        let text = "name: \"\"\nworld:\n  objects:\n    - id: a\n      size: [1, -2.5e0]\n    - size: [3]\n      id: b\n\
                    flags:\n  - [true, false]\n  - []\nposes: [{at: [0, 1], to: {x: 2}}]\nlast: 3";
        let yaml = Yaml::parse(text);
        assert_eq!(yaml.get("name").text(), "");
        let objects = yaml.get("world").get("objects").items();
        assert_eq!(objects[0].get("size").numbers(), [1.0, -2.5]);
        assert_eq!([objects[0].get("id").text(), objects[1].get("id").text()], ["a", "b"]);
        assert_eq!(yaml.get("flags").items()[0].items()[1].text(), "false");
        assert_eq!(yaml.get("flags").items()[1].items().len(), 0);
        assert_eq!(yaml.get("poses").items()[0].get("at").numbers(), [0.0, 1.0]);
        assert_eq!(yaml.get("poses").items()[0].get("to").get("x").number(), 2.0);
        assert_eq!(yaml.get("last").number(), 3.0);
    }
}
