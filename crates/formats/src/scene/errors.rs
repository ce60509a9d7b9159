//! All that is wrong with a scene file, for people and for machines.

use super::place::Lines;
use super::render;
use freiraum_scene::Problem;
use serde::Serialize;
use std::fmt;

/// All problems of a scene file, with its name and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneErrors {
    name: String,
    text: String,
    problems: Vec<Problem>,
}

/// A problem with line and column, for machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Located {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Line of the end.
    pub end_line: usize,
    /// Column of the first character after it.
    pub end_column: usize,
    /// What was found and what was expected.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl SceneErrors {
    /// Problems of a file with this name and text: those of reading it, or such as are found later.
    pub fn new(name: impl Into<String>, text: impl Into<String>, problems: Vec<Problem>) -> SceneErrors {
        SceneErrors { name: name.into(), text: text.into(), problems }
    }

    /// Something that has no place in the text.
    pub(super) fn of_file(name: &str, message: String, help: &str) -> SceneErrors {
        let problem = Problem::new(Default::default(), message);
        let problem = if help.is_empty() { problem } else { problem.help(help) };
        SceneErrors::new(name, "", vec![problem])
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The problems, in the order of the text.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// For a terminal, like the messages of a compiler: every problem with its line, what is wrong in it, and help.
    pub fn render(&self, has_color: bool) -> String {
        render::render(&self.name, &self.text, &self.problems, has_color)
    }

    /// With lines and columns, for machines.
    pub fn located(&self) -> Vec<Located> {
        let lines = Lines::of(&self.text);
        let locate = |problem: &Problem| {
            let (line, column) = lines.line_and_column(problem.place.start);
            let (end_line, end_column) = lines.line_and_column(problem.place.end.max(problem.place.start));
            let (message, help) = (problem.message.clone(), problem.help.clone());
            Located { line, column, end_line, end_column, message, help }
        };
        self.problems.iter().map(locate).collect()
    }
}

impl fmt::Display for SceneErrors {
    /// One line for every problem: `scene.toml:3:7: message; help`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (problem, at)) in self.problems.iter().zip(self.located()).enumerate() {
            let end = if i == 0 { "" } else { "\n" };
            if self.text.is_empty() {
                write!(f, "{end}{}: {problem}", self.name)?;
            } else {
                write!(f, "{end}{}:{}:{}: {problem}", self.name, at.line, at.column)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for SceneErrors {}
