//! Pictures, drawings and the report of a checked plan. Nothing here decides anything: it renders a
//! [`Report`](freiraum_check::Report).
//!
//! - [`report`]: a page for people, a file for programs and an animation
//! - [`picture`]: shaded pictures
//! - [`draw`]: technical drawings

pub mod draw;
pub mod picture;
pub mod report;
