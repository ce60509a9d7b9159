//! Checking a plan: every step, every moving body against every other.

mod encounter;
mod result;
pub(crate) mod shrinker;

pub use result::{CheckResult, Closest, Finding, FindingKind, PlanVerdict, StepResult};
