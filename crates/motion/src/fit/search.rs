//! Pairs in a search for a path: what a fit is, and what it may do, decided once for all motions that are
//! tried.

use super::{ErosionCache, Fit, PairCheck, contact, surely};
use crate::cancel::CancelToken;
use crate::movable::Movable;
use crate::sweep::MotionWorkspace;
use crate::verdict::{Limits, MotionError, Verdict};
use freiraum_geometry::Pose;
use freiraum_geometry::path::Motion;
use freiraum_query::intersect::Relation;

/// What happens to bodies that cannot be eroded by a stated allowance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IfThin {
    /// It is an error: the allowance was stated for this very pair.
    #[default]
    Error,
    /// The pair does without the allowance: it was stated for all pairs, and holds where it can.
    Strict,
}

/// A pair in the search for a path from the placements before a motion to those after it: the bodies as
/// [`PairCheck::outcome`] looks at them, so that a search and a check of what it finds say the same.
#[derive(Clone, Debug)]
pub struct SearchPair {
    /// The bodies, eroded where they may overlap.
    pub bodies: [Movable; 2],
    /// Whether and why they are meant to touch: before the motion, or after it without being deeper in each
    /// other than they may.
    pub fit: Option<Fit>,
    /// By how much both bodies together are eroded, in metres: the stated allowance, or that of resting
    /// contact if that is larger; 0 if they are looked at as they are.
    pub allowance: f64,
    /// The distance that they have to keep everywhere, in metres; they are not eroded if there is one.
    pub clearance: f64,
    /// The [tolerance](Limits::tolerance) of questions about them, in metres: smaller than the gaps that
    /// erosion leaves.
    pub tolerance: f64,
}

impl PairCheck<'_> {
    /// The answer to a question about the pair; if a body is too thin for the allowance, as [`IfThin`] says.
    pub fn asked<T>(
        &self,
        if_thin: IfThin,
        mut question: impl FnMut(&PairCheck<'_>) -> Result<T, MotionError>,
    ) -> Result<T, MotionError> {
        match question(self) {
            Err(MotionError::Allowance(_)) if if_thin == IfThin::Strict => {
                question(&PairCheck { allowance: 0.0, ..*self })
            }
            answer => answer,
        }
    }

    /// The pair as it is looked at in a search for a path. Of the motions only the placements at t = 0 and
    /// t = 1 count.
    ///
    /// `kept` says which distance the pair has to keep everywhere, in metres, if it is a fit, and if it is
    /// none.
    /// What has to keep a distance must not overlap, whatever is allowed to others: it is looked at as it
    /// is. So are
    /// bodies that are thinner than the rounding of resting contact.
    ///
    /// **Errors.** A stated allowance that a body is too thin for, if [`IfThin::Error`] is asked for. Unlike
    /// [`outcome`](PairCheck::outcome) it is needed for bodies, too, that a motion keeps apart.
    pub fn for_search(
        &self,
        if_thin: IfThin,
        kept: impl Fn(bool) -> f64,
        cache: &ErosionCache,
        cancel: &CancelToken,
    ) -> Result<SearchPair, MotionError> {
        self.valid()?;
        if let Some(exchanged) = self.exchanged() {
            let found = exchanged.asked(if_thin, |check| check.search_pair(&kept, cache, cancel))?;
            let [b, a] = found.bodies;
            return Ok(SearchPair { bodies: [a, b], ..found });
        }
        self.asked(if_thin, |check| check.search_pair(&kept, cache, cancel))
    }

    fn search_pair(
        &self,
        kept: &impl Fn(bool) -> f64,
        cache: &ErosionCache,
        cancel: &CancelToken,
    ) -> Result<SearchPair, MotionError> {
        let fit = self.fit_of_search(cache, cancel)?;
        let clearance = kept(fit.is_some());
        let allowance = self.allowance.max(fit.map_or(0.0, |fit| fit.resting));
        let bodies = self.bodies.map(Movable::clone);
        let as_they_are =
            SearchPair { bodies, fit, allowance: 0.0, clearance, tolerance: self.limits.tolerance };
        // Whether they could be eroded is not asked: that takes a tenth of a second for a large mesh.
        if clearance > 0.0 || allowance == 0.0 {
            return Ok(as_they_are);
        }
        judge(self.bodies, cancel)?;
        let (bodies, limits) = match fit {
            Some(fit) => match self.judged_as(fit, cache)? {
                Some(judged) => judged,
                None => return Ok(as_they_are),
            },
            None => (cache.pair(self.bodies, self.allowance, false)?, self.limits),
        };
        Ok(SearchPair { bodies, allowance, tolerance: limits.tolerance, ..as_they_are })
    }

    /// As [`fit`](PairCheck::fit); nothing is eroded after the search was cancelled.
    fn fit_of_search(&self, cache: &ErosionCache, cancel: &CancelToken) -> Result<Option<Fit>, MotionError> {
        if let Some(fit) = self.rests_at_start()? {
            return Ok(Some(fit));
        }
        if self.ends_where_it_begins() {
            return Ok(None);
        }
        let Some(resting) = self.resting_at(1.0)? else { return Ok(None) };
        judge(self.bodies, cancel)?;
        self.fit_at_end(resting, cache)
    }
}

impl SearchPair {
    /// Whether they are meant to touch.
    pub fn is_fit(&self) -> bool {
        self.fit.is_some()
    }

    /// Whether the bodies touch or overlap where b has this pose in the frame of a, deeper than they may.
    /// Clearances are not looked at, nor whether one is inside of the other where that cannot be told.
    pub fn is_blocked_at(&self, a_from_b: &Pose) -> Result<bool, MotionError> {
        let [a, b] = self.bodies.each_ref();
        // Where iteration sees no gap, a plane between the two may.
        Ok(freiraum_query::intersects(a.prepared(), b.prepared(), a_from_b)?
            && !matches!(surely([a, b], a_from_b)?, Relation::Separate | Relation::Unknown))
    }

    /// When the bodies first touch, or get deeper into each other than they may, in a motion.
    ///
    /// **Frames.** As [`time_of_contact`](crate::time_of_contact()). **Guarantee.** As there, for the
    /// bodies as they are eroded.
    pub fn contact(
        &self,
        motions: [&dyn Motion; 2],
        limits: &Limits,
        memory: &mut MotionWorkspace,
    ) -> Result<Verdict, MotionError> {
        contact(self.bodies.each_ref(), motions, &self.limits(limits), memory)
    }

    /// Limits with the tolerance that goes with the bodies, unless they have one of their own.
    #[must_use]
    pub fn limits(&self, limits: &Limits) -> Limits {
        let tolerance = if limits.tolerance == 0.0 { self.tolerance } else { limits.tolerance };
        Limits { tolerance, ..*limits }
    }
}

/// Finds out whether bodies are sound solids, which takes a tenth of a second for a large mesh the first time
/// and is remembered: in parallel, and not the second one if the search was stopped.
fn judge(bodies: [&Movable; 2], cancel: &CancelToken) -> Result<(), MotionError> {
    let one = |body: &Movable| !cancel.is_cancelled() && body.prepared().is_doubtful();
    let [a, b] = bodies;
    rayon::join(|| one(a), || one(b));
    if cancel.is_cancelled() { Err(MotionError::Cancelled) } else { Ok(()) }
}
