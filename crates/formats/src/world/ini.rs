//! Sections in brackets, `key = value`, comments after a semicolon.

use freiraum_scene::{Place, Problem};

/// One line `key = value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The section that it stands in, without brackets; empty above the first one.
    pub section: String,
    /// The key as it is written.
    pub key: String,
    /// The value without quotes.
    pub value: String,
    /// Where the value is in the text.
    pub place: Place,
}

/// The entries of a text, and the sections in their order; lines that are neither are problems.
pub(super) fn entries(text: &str) -> (Vec<Entry>, Vec<(String, Place)>, Vec<Problem>) {
    let (mut found, mut sections, mut problems) = (Vec::new(), Vec::<(String, Place)>::new(), Vec::new());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = uncommented(line).trim();
        if content.is_empty() {
            continue;
        }
        let first = start + (content.as_ptr() as usize - line.as_ptr() as usize);
        let place = Place { start: first, end: first + content.len() };
        if let Some(rest) = content.strip_prefix('[') {
            match rest.strip_suffix(']') {
                Some(name) => sections.push((name.trim().to_owned(), place)),
                None => {
                    problems.push(Problem::new(place, "a section ends with `]`").help("write `[general]`"));
                }
            }
            continue;
        }
        let Some((key, value)) = content.split_once('=') else {
            let problem = Problem::new(place, format!("found {content:?}, expected `key = value`"));
            problems.push(problem.help("comments begin with a semicolon"));
            continue;
        };
        let value = value.trim();
        let from = start + (value.as_ptr() as usize - line.as_ptr() as usize);
        found.push(Entry {
            section: sections.last().map_or_else(String::new, |(name, _)| name.clone()),
            key: key.trim().to_owned(),
            value: unquoted(value).to_owned(),
            place: Place { start: from, end: from + value.len() },
        });
    }
    (found, sections, problems)
}

/// A line up to a semicolon that is not inside of quotes.
fn uncommented(line: &str) -> &str {
    let mut is_quoted = false;
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ';' if !is_quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

fn unquoted(value: &str) -> &str {
    value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value)
}
