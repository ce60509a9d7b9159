//! What is asked of a pair beside whether it collides, as it is remembered: one type for each kind of
//! question.

use super::pair::Placed;
use super::result::Until;
use freiraum_geometry::path::Motion;
use freiraum_motion::approach::Kept;
use serde::{Deserialize, Serialize};

/// The answer to one kind of question.
pub(crate) trait Detail: Clone {
    /// Stands for the kind in the key of an answer.
    const NAME: &'static str;

    /// As it is remembered.
    fn keep(self) -> Answer;

    /// From what is remembered; `None` for the answer to a question of another kind.
    fn recall(answer: Answer) -> Option<Self>;
}

/// An answer of any kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Answer {
    Overlap(OverlapDetail),
    Contact(ContactDetail),
    End(ContactEnd),
    Gap(GapOfFit),
    Border(BorderApproach),
    InContact(InContact),
    MayBeUnrequired(MayBeUnrequired),
    Outside(KeptOutside),
}

/// What is known of bodies that overlap at the start, in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OverlapDetail {
    /// The shortest shift that takes them apart.
    pub(crate) separating_shift: Option<f64>,
    /// The smallest allowance with which they get past each other.
    pub(crate) passing_allowance: Option<f64>,
}

/// What is known of a contact, in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ContactDetail {
    /// How deep the bodies are in each other when they collide.
    pub(crate) depth: Option<f64>,
    /// The smallest allowance with which they get past each other.
    pub(crate) passing_allowance: Option<f64>,
}

/// Until when a contact lasts; `None` if it was not searched.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ContactEnd(pub(crate) Option<Until>);

/// How a fit fits, in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GapOfFit {
    /// The smallest gap that was found; negative for an overlap.
    pub(crate) gap: f64,
    /// By how much it may be smaller in the whole step.
    pub(crate) error: f64,
    /// The shortest shift that takes the bodies apart, where an allowance lets them overlap.
    pub(crate) separating_shift: Option<f64>,
}

/// The approach of a pair at a border of a step, in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BorderApproach {
    /// How much of it is left there, if there is a contact.
    pub(crate) left: Option<f64>,
    /// How far the pair travels in all of the step.
    pub(crate) travel: f64,
}

/// Whether the gap at a time is one of contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct InContact(pub(crate) bool);

/// Whether some instants leave it open that a fit need not keep its clearance at any time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MayBeUnrequired(pub(crate) bool);

/// Whether a clearance is kept outside of contact and approach, and when they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptOutside {
    pub(crate) kept: Kept,
    /// Stretches of the time in contact or on an approach, where the clearance is kept outside of them.
    pub(crate) exempt: Vec<[f64; 2]>,
}

macro_rules! details {
    ($($answer:ident, $variant:ident, $name:literal;)*) => {$(
        impl Detail for $answer {
            const NAME: &'static str = $name;

            fn keep(self) -> Answer {
                Answer::$variant(self)
            }

            fn recall(answer: Answer) -> Option<$answer> {
                match answer {
                    Answer::$variant(answer) => Some(answer),
                    _ => None,
                }
            }
        }
    )*};
}

details! {
    OverlapDetail, Overlap, "overlap";
    ContactDetail, Contact, "contact";
    ContactEnd, End, "until";
    GapOfFit, Gap, "gap of a fit";
    BorderApproach, Border, "border";
    InContact, InContact, "in contact";
    MayBeUnrequired, MayBeUnrequired, "unrequired";
    KeptOutside, Outside, "keeps";
}

macro_rules! same_in_every_frame {
    ($($answer:ident)*) => {$(
        impl Placed for $answer {
            fn placed(self, _: &dyn Motion) -> $answer {
                self
            }
        }
    )*};
}

same_in_every_frame! {
    OverlapDetail ContactDetail ContactEnd GapOfFit BorderApproach InContact MayBeUnrequired
}

impl Placed for KeptOutside {
    fn placed(self, frame: &dyn Motion) -> KeptOutside {
        KeptOutside { kept: self.kept.placed(frame), ..self }
    }
}
