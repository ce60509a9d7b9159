//! `freiraum demo`: what one sees first.
use super::output::Console;
use super::{Answer, Failure};
pub(super) fn run(_console: &mut Console) -> Result<Answer, Failure> {
    Ok(Answer::Good)
}
