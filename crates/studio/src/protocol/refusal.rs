//! Why something was not done.

use freiraum_formats::scene::SceneErrors;
use serde_json::{Value, json};

/// Why something was not done, for people and programs.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// Line and column in the scene file, from 1.
    place: Option<[usize; 2]>,
    help: Option<String>,
    /// All problems, if a scene file is wrong.
    problems: Option<Value>,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), place: None, help: None, problems: None }
    }

    #[must_use]
    pub(crate) fn help(self, help: impl Into<String>) -> Refusal {
        Refusal { help: Some(help.into()), ..self }
    }

    pub(crate) fn no_scene() -> Refusal {
        Refusal::new("no_scene", "no scene is open").help("open one first")
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "code": self.code, "message": self.message, "line": self.place.map(|p| p[0]), "column": self.place.map(|p| p[1]),
            "help": self.help, "problems": self.problems,
        })
    }
}

impl From<SceneErrors> for Refusal {
    fn from(errors: SceneErrors) -> Refusal {
        let located = errors.located();
        let first = located.first();
        Refusal {
            code: "scene",
            message: first.map_or_else(|| errors.to_string(), |first| first.message.clone()),
            place: first
                .filter(|first| first.line > 1 || first.column > 1 || first.end_column > 1)
                .map(|first| [first.line, first.column]),
            help: first.and_then(|first| first.help.clone()),
            problems: serde_json::to_value(&located).ok(),
        }
    }
}
