//! What makes a text no TOML, and what to write instead.

use crate::scene::place::Lines;
use freiraum_scene::{Place, Problem};
use std::ops::Range;

/// All that makes a text no TOML; `first` is what the strict parser says.
pub(super) fn problems(text: &str, first: &toml_edit::TomlError) -> Vec<Problem> {
    // Every line of it would be a problem of its own.
    if text.trim_start().starts_with('<') {
        let start = text.len() - text.trim_start().len();
        let problem = Problem::new(Place { start, end: start + 1 }, "this is XML, and a scene file is TOML");
        return vec![
            problem.help("a robot is named in a scene: [[robot]] with name = \"…\" and model = \"….urdf\""),
        ];
    }
    let problem = |message: &str, span: Option<Range<usize>>| {
        let place = span.map_or(Place::default(), |span| Place { start: span.start, end: span.end });
        Problem::new(place, format!("this is no valid TOML: {}", message.trim_end()))
    };
    let (_, all) = toml::de::DeTable::parse_recoverable(text);
    let mut problems: Vec<Problem> = all.iter().map(|e| problem(e.message(), e.span())).collect();
    if problems.is_empty() {
        problems.push(problem(first.message(), first.span()));
    }
    problems.sort_by_key(|problem| problem.place);
    // One slip often has several consequences on its line.
    let lines = Lines::of(text);
    problems.dedup_by_key(|problem| lines.line(problem.place.start));
    for problem in &mut problems {
        let (number, line, _) = lines.around(Place { end: problem.place.start, ..problem.place });
        problem.help = advice(line.trim(), number, &problem.message).map(str::to_owned);
    }
    problems
}

/// What may be the matter with a line.
fn advice(line: &str, number: usize, message: &str) -> Option<&'static str> {
    if message.contains("duplicate key") {
        return Some("it stands here already; another body or step begins with its own [[body]] or [[step]]");
    }
    if message.contains("missing comma between key-value pairs") {
        return Some("a bracket { before this is not closed, or a comma is missing");
    }
    if line.contains(['“', '”', '„', '‘', '’']) {
        return Some("write straight quotes: \"…\"");
    }
    if line.starts_with('{') && number == 1 {
        return Some("this looks like JSON; a scene file is TOML: name = \"…\", then [[body]] and its keys");
    }
    if line.starts_with('[') && !line.contains('=') {
        return Some(
            "headings stand alone on their line: [check], [[body]], [[robot]], [[group]], [[pair]], [[state]], [[step]], [world], [[vehicle]], [[sensor]], [[goal]]",
        );
    }
    let Some((key, value)) = line.split_once('=') else {
        let is_colon = line.split_once(':').is_some_and(|(key, _)| is_key(key.trim()));
        return is_colon.then_some("write key = value, with = instead of the colon");
    };
    let value = value.trim();
    if !is_key(key.trim()) {
        return None;
    }
    if value.starts_with('"') && value.contains('\\') {
        return Some(
            "between double quotes a \\ has a meaning of its own; write / between folders, or single quotes",
        );
    }
    if value.starts_with('"') && value.matches('"').count() == 1 {
        return Some("the quotes are not closed on this line");
    }
    if value.starts_with(|c: char| c.is_ascii_digit() || c == '-') && value.contains(',') {
        return Some("write the decimal sign as a point, 0.5; lists stand in brackets, [1, 2, 3]");
    }
    if value.starts_with(|c: char| c.is_alphabetic()) {
        return Some("texts stand in quotes: name = \"gear\"");
    }
    if value.is_empty() {
        return Some("the value is missing behind the =");
    }
    let count = |open: char, close: char| (value.matches(open).count(), value.matches(close).count());
    let ((open, close), (left, right)) = (count('{', '}'), count('[', ']'));
    if open > close || left > right {
        return Some("a bracket { or [ is not closed");
    }
    if close > open || right > left {
        return Some("there is a closing bracket } or ] too many");
    }
    value.starts_with('[').then_some("put commas between the numbers: [1, 2, 3]")
}

fn is_key(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.\"".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write() {
        let check = |text: &str, expected: &str| {
            let first = toml_edit::Document::parse(text).expect_err(text);
            let found = problems(text, &first);
            let help = found[0].help.as_deref().unwrap_or("");
            assert!(help.contains(expected), "{text:?}: {found:?}");
        };
        check("units = mm", "in quotes");
        check("name = “gear”", "straight quotes");
        check("name: \"gear\"", "instead of the colon");
        check("clearance = 0,5", "as a point");
        check("size = [1 2 3]", "commas between");
        check("a = 1\na = 2", "already");
        check("{ \"bodies\": [] }", "JSON");
        check("[[body]", "headings");
        check("name = \"gear", "not closed");
        check("mesh = \"C:\\parts\\gear.stl\"", "write /");
        check("shape = { box = { size = [1, 2, 3] }\npose = [0, 0, 1]", "not closed");
        check("pose = [0, 0, 1]]", "too many");
        check("pose =", "missing");
    }
}
