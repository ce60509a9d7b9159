//! What can be asked.

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
    /// When do they touch?
    Toc,
    /// How near do they come in a motion?
    Clearance,
    /// Can one turn fully?
    Turn,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 7] =
        [Kind::Intersect, Kind::Distance, Kind::Contact, Kind::Ray, Kind::Toc, Kind::Clearance, Kind::Turn];

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
}
