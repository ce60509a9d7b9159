//! Questions about shapes as people and programs write them: shapes, poses, motions and rays as JSON, answers with the keys
//! of the command line.
//!
//! - [`Batch`]: the lines of a batch, which may define shapes for those that follow; [`answer_line`]: one line alone
//! - [`figure_of_argument`], [`shape_of_argument`], [`pose_of_text`], [`motion_of_text`], [`vector_of_text`]: the parts of a question on a command line
//! - [`ask_pair`], [`ask_distance`], [`ask_ray`], [`ask_contact_time`], [`ask_clearance`], [`ask_turn`]: the question itself
//!
//! Nothing here opens a file: shapes that are file names are asked of [`MeshFiles`].

mod answer;
mod batch;
mod error;
mod inside;
mod kind;
mod line;
mod motion;
mod moving;
mod open;
mod pair;
mod piece;
mod ray;
mod shape;

pub use answer::{Answer, Outcome};
pub use batch::{Batch, Reading};
pub use error::QuestionError;
pub use freiraum_formats::notation::{pose_of_text, vector_of_text};
pub use inside::{InsideUnknown, Remarks};
pub use kind::Kind;
pub use line::{Line, answer_line};
pub use motion::{WrittenMotion, axis_of_text, motion_of_text};
pub use moving::{
    ClearanceQuestion, ClosestApproach, ContactRequest, ContactTime, Moving, NamedFeature, ask_clearance,
    ask_contact_time, ask_turn,
};
pub use open::OpenSurfaces;
pub use pair::{Placed, ask_distance, ask_pair};
pub use ray::{RayText, ask_ray};
pub use shape::{
    Figure, MeshFiles, NoFiles, PlacedFigure, declared_sheet, figure_of_argument, shape_of_argument,
};
