//! What can be asked.

use super::QuestionError;

/// A question by its name on the command line and in batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Do they touch, and is one inside the other?
    Intersect,
    /// How far apart are they?
    Distance,
    /// How deep are they in each other, where, and what separates them?
    Contact,
    /// What does a ray hit first?
    Ray,
    /// When do they touch? Not answered yet.
    Toc,
    /// How near do they come in a motion? Not answered yet.
    Clearance,
    /// Can one turn fully? Not answered yet.
    Turn,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 7] =
        [Kind::Intersect, Kind::Distance, Kind::Contact, Kind::Ray, Kind::Toc, Kind::Clearance, Kind::Turn];

    /// The ones that are answered today.
    pub const ANSWERED: [Kind; 4] = [Kind::Intersect, Kind::Distance, Kind::Contact, Kind::Ray];

    /// The name, which does not change.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Intersect => "intersect",
            Kind::Distance => "distance",
            Kind::Contact => "contact",
            Kind::Ray => "ray",
            Kind::Toc => "toc",
            Kind::Clearance => "clearance",
            Kind::Turn => "turn",
        }
    }

    /// The kind of that name.
    pub fn of_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The error for questions that have a name but no answer yet.
    pub fn not_there(self) -> QuestionError {
        let message = format!(
            "the query `{}` is not there yet; expected {}",
            self.name(),
            one_of(&Kind::ANSWERED.map(Kind::name))
        );
        QuestionError::new("not_implemented", message)
    }
}

/// `a, b or c`.
fn one_of(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}
