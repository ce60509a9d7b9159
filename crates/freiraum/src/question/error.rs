//! Why a question got no answer.

use freiraum_formats::notation::Fault;
use std::fmt;

/// What is wrong with a question: a stable name for machines, and a message that says where, what was found, what was
/// expected and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionError {
    /// `json`, `line`, `shape`, `pose`, `ray`, `motion`, `allowance`, `curve`, `mesh_file` or `query`.
    pub code: &'static str,
    /// For people.
    pub message: String,
}

impl QuestionError {
    /// An error of the kind `code`.
    pub fn new(code: &'static str, message: impl ToString) -> QuestionError {
        QuestionError { code, message: message.to_string() }
    }

    /// The same error of something that stands at `path`.
    pub(super) fn at(self, path: &str) -> QuestionError {
        QuestionError { message: format!("{path}: {}", self.message), ..self }
    }
}

impl From<Fault> for QuestionError {
    /// What is wrong with a shape.
    fn from(fault: Fault) -> QuestionError {
        QuestionError::new("shape", fault)
    }
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for QuestionError {}
