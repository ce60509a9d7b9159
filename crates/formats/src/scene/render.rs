//! Problems as a compiler shows them; the only file that knows how they are drawn.

use super::place::Lines;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use freiraum_scene::{Problem, plain, plain_lines};

/// So many problems are shown in full.
const SHOWN: usize = 30;

/// Longer lines are not shown.
const MAX_LINE: usize = 2000;

/// All problems, then how many they are.
pub(super) fn render(name: &str, text: &str, problems: &[Problem], has_color: bool) -> String {
    // What a text of another has in it stands in messages as its code; the renderer would put U+FFFD there.
    let name = &*plain(name);
    let renderer = if has_color { Renderer::styled() } else { Renderer::plain() };
    let lines = Lines::of(text);
    let mut out = String::new();
    for problem in problems.iter().take(SHOWN) {
        out.push_str(&one(name, text, &lines, problem, &renderer));
        out.push_str("\n\n");
    }
    if problems.len() > SHOWN {
        out.push_str(&format!("… and {} more\n\n", problems.len() - SHOWN));
    }
    let count = match problems.len() {
        1 => "1 problem".to_owned(),
        count => format!("{count} problems"),
    };
    out.push_str(&format!("{name}: {count}\n"));
    out
}

fn one(name: &str, text: &str, lines: &Lines<'_>, problem: &Problem, renderer: &Renderer) -> String {
    let title = Level::ERROR.primary_title(plain_lines(&problem.message));
    let (line, shown, place) = lines.around(problem.place);
    let has_place = !text.is_empty() && problem.place != Default::default() && shown.len() <= MAX_LINE;
    let group = if has_place {
        let snippet = Snippet::source(shown).line_start(line).path(name);
        let snippet = snippet.annotation(AnnotationKind::Primary.span(place.start..place.end));
        title.element(snippet)
    } else {
        let origin = annotate_snippets::Origin::path(name);
        let origin = if problem.place == Default::default() {
            origin
        } else {
            let (line, column) = lines.line_and_column(problem.place.start);
            origin.line(line).char_column(column)
        };
        title.element(origin)
    };
    let group = match &problem.help {
        Some(help) => group.element(Level::HELP.message(plain_lines(help))),
        None => group,
    };
    renderer.render(&[group])
}
