//! The judge of the oracle tests: proven steps and dense samples of static questions, which know nothing about motion.
#![allow(unreachable_pub)]

pub mod bodies;
pub mod cases;

use freiraum_geometry::Pose;
use freiraum_geometry::math::rounding;
use freiraum_geometry::path::{Ball, Motion};
use freiraum_motion::{FirstContact, Limits, MotionWorkspace, Movable, Verdict, time_of_contact};

/// Two bodies and what they do.
pub struct Case {
    pub a: Movable,
    pub b: Movable,
    pub motion_a: Box<dyn Motion>,
    pub motion_b: Box<dyn Motion>,
    pub label: String,
}

/// What happened to the cases of a test.
#[derive(Debug, Default)]
pub struct Tally {
    pub cases: usize,
    pub contacts: usize,
    pub free: usize,
    pub at_start: usize,
    /// Contacts whose stated error is above 1e-9: they graze.
    pub loose: usize,
    /// Proven steps were too small; samples decided.
    pub sampled: usize,
    /// The largest stated error.
    pub worst_error: f64,
}

/// How the bodies fare up to some time.
#[derive(Clone, Copy, Debug)]
enum March {
    /// Proven apart.
    Apart,
    /// Apart at all samples; the proven steps became too small.
    Seen,
    /// No farther apart than rounding at this time.
    Met(f64),
}

const STEPS: usize = 4000;
const SAMPLES: usize = 1500;

impl Case {
    pub fn a_from_b(&self, t: f64) -> Pose {
        self.motion_a.pose(t).inverse() * self.motion_b.pose(t)
    }

    pub fn distance(&self, t: f64) -> f64 {
        freiraum_query::distance(self.a.prepared(), self.b.prepared(), &self.a_from_b(t)).unwrap().distance
    }

    pub fn intersects(&self, t: f64) -> bool {
        freiraum_query::intersects(self.a.prepared(), self.b.prepared(), &self.a_from_b(t)).unwrap()
    }

    /// Rounding of a coordinate of either body anywhere on the way, about.
    pub fn rounding(&self) -> f64 {
        let size = |body: &Movable| body.prepared().bounds().map_or(1.0, |b| b.reach());
        let way = [0.0, 0.5, 1.0].map(|t| self.a_from_b(t).translation().length());
        rounding::coordinate(size(&self.a) + size(&self.b) + way.into_iter().fold(0.0, f64::max))
    }

    /// A bound of how far the bodies approach each other between two times; 0 for a plane that stands still.
    fn travel(&self, from: f64, to: f64) -> f64 {
        let of = |body: &Movable, motion: &dyn Motion| match body.prepared().bounds() {
            Some(bounds) => {
                let radius = 0.5 * (bounds.max - bounds.min).length();
                motion.travel(&Ball { center: bounds.center(), radius }, from, to)
            }
            None => 0.0,
        };
        of(&self.a, &*self.motion_a) + of(&self.b, &*self.motion_b)
    }

    fn march(&self, until: f64) -> March {
        let rounding = self.rounding();
        let mut t = 0.0;
        for _ in 0..STEPS {
            let distance = self.distance(t);
            if distance <= 0.25 * rounding {
                return March::Met(t);
            }
            // Uniform motions: the speed is constant in every piece; the whole way bounds all of them.
            let step = distance / self.travel(0.0, 1.0).max(f64::MIN_POSITIVE) * self.share();
            if t + step > until {
                return March::Apart;
            }
            t += step;
        }
        for i in 0..=SAMPLES {
            let s = t + (until - t) * i as f64 / SAMPLES as f64;
            let distance = self.distance(s);
            if distance <= 0.25 * rounding {
                return March::Met(s);
            }
        }
        March::Seen
    }

    /// How much of the whole way the fastest piece of a sequence may cover, against a motion of even speed.
    fn share(&self) -> f64 {
        let mut fastest: f64 = 0.0;
        for i in 0..64 {
            fastest = fastest.max(64.0 * self.travel(f64::from(i) / 64.0, f64::from(i + 1) / 64.0));
        }
        (self.travel(0.0, 1.0) / fastest.max(f64::MIN_POSITIVE)).min(1.0) / 1.0001
    }

    pub fn ask(&self) -> Verdict {
        let mut memory = MotionWorkspace::default();
        time_of_contact(&self.a, &*self.motion_a, &self.b, &*self.motion_b, &Limits::default(), &mut memory)
            .unwrap()
    }

    /// Asks and judges the answer.
    pub fn check(&self, tally: &mut Tally) {
        let verdict = self.ask();
        tally.cases += 1;
        let label = &self.label;
        match verdict {
            Verdict::OverlapAtStart => {
                tally.at_start += 1;
                assert!(self.intersects(0.0), "{label}: {verdict:?}");
            }
            Verdict::Contact(contact) => self.check_contact(&contact, tally),
            Verdict::Free => {
                tally.free += 1;
                match self.march(1.0) {
                    March::Apart => {}
                    March::Seen => tally.sampled += 1,
                    March::Met(t) => panic!("{label}: free, but together at {t}"),
                }
            }
            Verdict::Undecided { .. } | Verdict::InsideUnknown { .. } => panic!("{label}: {verdict:?}"),
        }
    }

    fn check_contact(&self, contact: &FirstContact, tally: &mut Tally) {
        let (label, time, error) = (&self.label, contact.time, contact.time_error);
        tally.contacts += 1;
        let distance = self.distance(time);
        assert!(distance <= 16.0 * self.rounding(), "{label}: contact at {time}, but {distance:e} apart");
        if time == 0.0 {
            tally.at_start += 1;
            return;
        }
        assert!(
            (contact.normal.length() - 1.0).abs() < 1e-9,
            "{label}: normal {:?} at {time}",
            contact.normal
        );
        tally.loose += usize::from(error > 1e-9);
        tally.worst_error = tally.worst_error.max(error);
        let before = time - error.max(1e-9);
        if before <= 0.0 {
            return;
        }
        match self.march(before) {
            March::Apart => {}
            March::Seen => tally.sampled += 1,
            March::Met(t) => panic!("{label}: contact at {time} ± {error:e}, but together at {t}"),
        }
    }
}
