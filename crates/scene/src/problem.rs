//! What is wrong with a scene, and where in its file.

use std::fmt;

/// A piece of the text of the scene file, in bytes; 0 to 0 for what was not read from a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// First byte.
    pub start: usize,
    /// One after the last byte.
    pub end: usize,
}

/// Something that the user has to mend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which text is to blame.
    pub place: Place,
    /// What was found and what was expected.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// What kind of problem it is.
    pub kind: ProblemKind,
}

/// What kind of problem it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// Something in the text is wrong.
    #[default]
    Wrong,
    /// The text names a file that it may not name.
    Outside,
}

impl Problem {
    /// A problem without advice.
    pub fn new(place: Place, message: impl Into<String>) -> Problem {
        Problem { place, message: message.into(), help: None, kind: ProblemKind::Wrong }
    }

    /// That a text may not name this file.
    pub fn outside(place: Place, file: &str) -> Problem {
        let message = format!("the file {file:?} is outside the folder of the scene");
        Problem { kind: ProblemKind::Outside, ..Problem::new(place, message).help("copy it into the folder") }
    }

    /// The same with advice.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}
