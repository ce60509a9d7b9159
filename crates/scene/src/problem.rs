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
}

impl Problem {
    /// A problem without advice.
    pub fn new(place: Place, message: impl Into<String>) -> Problem {
        Problem { place, message: message.into(), help: None }
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
