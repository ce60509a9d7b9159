//! Whether a pair that does not collide keeps its clearance: one rule, for the check of a plan and for
//! planners that prove a path.

use freiraum_motion::Clearance;
use freiraum_motion::approach::Kept;

/// What has to be known of a pair to decide whether it keeps its clearance.
pub trait ClearanceQuestions {
    /// Why there is no answer.
    type Error;

    /// How close the pair comes, if it is not proven to keep `bound`, in metres.
    fn closer_than(&self, bound: f64) -> Result<Option<Clearance>, Self::Error>;

    /// Whether the pair is in contact by design, although its bodies never touch but for rounding: before or
    /// after the motion, or in a contact that
    /// another step carries on.
    fn is_contact(&self) -> Result<bool, Self::Error>;

    /// How much of the approach to contacts before and after this motion is left at its borders, in metres.
    fn left(&self) -> Result<[Option<f64>; 2], Self::Error>;

    /// Whether the pair keeps `clearance` outside of contact and approach, and when it is in them; `is_fit`
    /// says
    /// whether contacts during the motion count.
    fn keeps_outside(
        &self,
        clearance: f64,
        left: [Option<f64>; 2],
        is_fit: bool,
    ) -> Result<(Kept, Vec<[f64; 2]>), Self::Error>;
}

/// Whether a pair keeps its clearance.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptClearance {
    /// Whether it does where it has to.
    pub kept: Kept,
    /// When it need not, because it is in contact by design or on the approach to that, and comes closer.
    pub exempt: Vec<[f64; 2]>,
    /// Whether a contact by design, here or in another step, excuses it from the clearance at some time.
    pub is_excused: bool,
}

/// Whether a pair that does not collide keeps `enough`, in metres: everywhere, or outside of contact and
/// approach if it is a fit or has contacts by
/// design in other steps.
pub fn keeps_clearance<Q: ClearanceQuestions>(
    pair: &Q,
    enough: f64,
    is_fit: bool,
) -> Result<KeptClearance, Q::Error> {
    let (mut is_fit, mut closest) = (is_fit, None);
    if !is_fit {
        let found = pair.closer_than(enough)?.filter(|found| found.lower() < enough);
        let Some(found) = found else {
            return Ok(KeptClearance { kept: Kept::Yes, exempt: Vec::new(), is_excused: false });
        };
        closest = Some(found);
        is_fit = pair.is_contact()?;
    }
    // A contact in another step may be near, too.
    let left = pair.left()?;
    let is_excused = is_fit || left != [None, None];
    let (kept, exempt) = match closest {
        // The least distance that was found suffices, but not the one that is proven.
        Some(found) if !is_excused && found.distance >= enough => {
            (Kept::Unknown { open: [0.0, 1.0] }, Vec::new())
        }
        Some(found) if !is_excused => (Kept::No(found), Vec::new()),
        _ => pair.keeps_outside(enough, left, is_fit)?,
    };
    Ok(KeptClearance { kept, exempt, is_excused })
}
