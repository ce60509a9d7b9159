//! XML with places, and attributes that are numbers.

use crate::scene::SceneErrors;
use crate::scene::words::nearest;
use freiraum_geometry::Vec3;
use freiraum_scene::{Place, Problem};
use roxmltree::{Document, Node, ParsingOptions};

/// More elements than any robot has; each takes some hundred bytes.
const MOST_NODES: u32 = 4_000_000;

/// What was found wrong so far.
#[derive(Default)]
pub(super) struct Problems(pub(super) Vec<Problem>);

impl Problems {
    pub(super) fn add(&mut self, place: Place, message: impl Into<String>) {
        self.0.push(Problem::new(place, message));
    }

    pub(super) fn add_help(&mut self, place: Place, message: impl Into<String>, help: impl Into<String>) {
        self.0.push(Problem::new(place, message).help(help));
    }
}

/// The tree of a text.
pub(super) fn document<'t>(name: &str, text: &'t str) -> Result<Document<'t>, SceneErrors> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let position = error.pos();
        let line_start: usize =
            text.split_inclusive('\n').take(position.row.saturating_sub(1) as usize).map(str::len).sum();
        let in_line: usize = text[line_start..]
            .chars()
            .take(position.col.saturating_sub(1) as usize)
            .map(char::len_utf8)
            .sum();
        let start = (line_start + in_line).min(text.len());
        let end = text[start..].chars().next().map_or(start, |c| start + c.len_utf8());
        let message = error.to_string();
        let message = message.rsplit_once(" at ").map_or(message.clone(), |(what, _)| what.to_owned());
        let problem = Problem::new(Place { start, end }, format!("this is no XML: {message}"));
        SceneErrors::new(name, text, vec![problem])
    })
}

/// Where the start tag of an element is.
pub(super) fn place(node: &Node) -> Place {
    let range = node.range();
    let text = &node.document().input_text()[range.clone()];
    // The start tag ends with the first `>` outside of quotes.
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), c) if c == q => quote = None,
            (None, '>') => return Place { start: range.start, end: range.start + at + 1 },
            _ => {}
        }
    }
    Place { start: range.start, end: range.end }
}

/// Where the value of an attribute is, or the start tag if there is none.
pub(super) fn place_of(node: &Node, attribute: &str) -> Place {
    node.attribute_node(attribute).map_or_else(
        || place(node),
        |found| {
            let range = found.range_value();
            Place { start: range.start, end: range.end }
        },
    )
}

/// The elements in an element.
pub(super) fn elements<'a, 'i>(node: &Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

/// The element with this name; the second one is a problem.
pub(super) fn child<'a, 'i>(
    node: &Node<'a, 'i>,
    name: &str,
    problems: &mut Problems,
) -> Option<Node<'a, 'i>> {
    let mut found = elements(node).filter(|child| child.tag_name().name() == name);
    let first = found.next()?;
    if let Some(second) = found.next() {
        let parent = node.tag_name().name();
        problems.add(place(&second), format!("there are two <{name}> in this <{parent}>; one is expected"));
    }
    Some(first)
}

/// Elements whose name is nearly one of those that are known: probably a slip, by which something would be lost.
pub(super) fn check_names(node: &Node, known: &[&str], problems: &mut Problems) {
    for child in elements(node) {
        let name = child.tag_name().name();
        if !known.contains(&name)
            && child.tag_name().namespace().is_none()
            && let Some(meant) = nearest(name, known.iter().copied())
        {
            let parent = node.tag_name().name();
            problems.add_help(
                place(&child),
                format!("<{name}> is not known in <{parent}>"),
                format!("did you mean <{meant}>?"),
            );
        }
    }
}

/// An attribute that must be there.
pub(super) fn required<'a>(node: &Node<'a, '_>, attribute: &str, problems: &mut Problems) -> Option<&'a str> {
    let found = node.attribute(attribute);
    if found.is_none() {
        let name = node.tag_name().name();
        let slip = nearest(attribute, node.attributes().map(|a| a.name()));
        let message = format!("<{name}> has no attribute '{attribute}'");
        match slip {
            Some(slip) => {
                problems.add_help(place(node), message, format!("is '{slip}' meant to be '{attribute}'?"))
            }
            None => problems.add(place(node), message),
        }
    }
    found
}

/// An attribute that is a number; `None` if it is not there or wrong, which is told.
pub(super) fn number(node: &Node, attribute: &str, problems: &mut Problems) -> Option<f64> {
    let text = node.attribute(attribute)?;
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Some(value),
        _ => {
            let at = place_of(node, attribute);
            problems.add(at, format!("{attribute} is '{text}'; expected a finite number"));
            None
        }
    }
}

/// An attribute that is three numbers; `None` if it is not there or wrong, which is told.
pub(super) fn vector(node: &Node, attribute: &str, problems: &mut Problems) -> Option<Vec3> {
    let text = node.attribute(attribute)?;
    let numbers: Vec<f64> = text.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
    let count = text.split_ascii_whitespace().count();
    let found =
        (count == 3 && numbers.len() == 3).then(|| Vec3::from_slice(&numbers)).filter(|v| v.is_finite());
    if found.is_none() {
        let at = place_of(node, attribute);
        problems.add(at, format!("{attribute} is '{text}'; expected three numbers with spaces between them"));
    }
    found
}
