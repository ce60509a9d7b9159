//! Why something was not done.

use super::{CommandError, SceneProblem};
use crate::files::Files;
use freiraum_formats::scene::{Located, SceneErrors};
use freiraum_scene::{Problem, ProblemKind};

/// Why something was not done, for people and programs.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    details: Option<Box<Details>>,
}

/// What is known beside that.
#[derive(Clone, Debug, Default)]
struct Details {
    /// Line and column in the scene file, from 1.
    place: Option<[usize; 2]>,
    help: Option<String>,
    /// All problems, if a scene file is wrong.
    problems: Option<Vec<SceneProblem>>,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), details: None }
    }

    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Refusal {
        self.details.get_or_insert_default().help = Some(help.into());
        self
    }

    pub(crate) fn no_scene() -> Refusal {
        Refusal::new("no_scene", "no scene is open").help("open one first")
    }

    /// Our own mistake.
    pub(crate) fn internal() -> Refusal {
        Refusal::new("internal", "this went wrong in the studio")
    }

    /// As it may be told to pages: without what leads to our folders.
    #[must_use]
    pub(crate) fn without_folders(mut self, files: &Files) -> Refusal {
        files.hide(&mut self.message);
        if let Some(details) = &mut self.details {
            details.help.iter_mut().for_each(|help| files.hide(help));
            for problem in details.problems.iter_mut().flatten() {
                files.hide(&mut problem.message);
                problem.help.iter_mut().for_each(|help| files.hide(help));
            }
        }
        self
    }

    /// As it is sent.
    pub(crate) fn error(&self) -> CommandError {
        let Details { place, help, problems } = self.details.as_deref().cloned().unwrap_or_default();
        CommandError {
            code: self.code,
            message: self.message.clone(),
            line: place.map(|place| place[0]),
            column: place.map(|place| place[1]),
            help,
            problems,
        }
    }
}

impl From<SceneErrors> for Refusal {
    fn from(errors: SceneErrors) -> Refusal {
        let located = errors.located();
        let is_outside = |problem: &Problem| problem.kind == ProblemKind::Outside;
        let outside = errors.problems().iter().position(is_outside);
        let Some(first) = located.get(outside.unwrap_or(0)) else {
            return Refusal::new("scene", errors.to_string());
        };
        // What has no place in the text is said to be before its beginning.
        let has_place = first.line > 1 || first.column > 1 || first.end_column > 1;
        let details = Details {
            place: has_place.then_some([first.line, first.column]),
            help: first.help.clone(),
            problems: Some(located.iter().map(sent_problem).collect()),
        };
        let code = if outside.is_some() { "path" } else { "scene" };
        Refusal { code, message: first.message.clone(), details: Some(Box::new(details)) }
    }
}

fn sent_problem(problem: &Located) -> SceneProblem {
    let Located { line, column, end_line, end_column, message, help } = problem.clone();
    SceneProblem { line, column, end_line, end_column, message, help }
}
