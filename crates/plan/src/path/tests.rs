//! Small tasks with known answers.
use super::*;
