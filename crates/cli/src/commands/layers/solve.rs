//! The work: every mesh for itself, then all pairs.

use super::super::Failure;
use super::Arguments;
use super::body::Body;
use freiraum::deform::grid::MAX_SIZE;
use freiraum::deform::looker::Looker;
use freiraum::deform::{Examination, ExamineError, LayerError, Subject, examine};

/// All that was found, and by whom.
pub(super) struct Found {
    pub(super) examination: Examination,
    pub(super) times: Times,
    /// `cpu` or `gpu`.
    pub(super) device: &'static str,
    pub(super) device_name: Option<String>,
    /// Why it is not the device that was asked for.
    pub(super) note: Option<String>,
}

/// Milliseconds by stage, in the order in which they came.
#[derive(Default)]
pub(super) struct Times(pub(super) Vec<(&'static str, f64)>);

pub(super) fn solve(bodies: &[Body], arguments: &Arguments, mut times: Times) -> Result<Found, Failure> {
    let mut looker = Looker::new(arguments.device.into());
    let subjects: Vec<Subject> = bodies.iter().map(|body| Subject::from(&body.mesh)).collect();
    let mut examination =
        examine(&subjects, &arguments.look(), &mut looker).map_err(|error| failure(bodies, &error))?;
    times.0.append(&mut examination.stages);
    let device_name = looker.device_name().map(str::to_owned);
    Ok(Found {
        examination,
        times,
        device: if device_name.is_some() { "gpu" } else { "cpu" },
        device_name,
        note: looker.note().map(str::to_owned),
    })
}

fn failure(bodies: &[Body], error: &ExamineError) -> Failure {
    match *error {
        ExamineError::Body(body, error) => {
            let body = &bodies[body];
            body.failure("layers", format!("{}: {}", body.name, said(error)))
        }
        ExamineError::Pair(pair, error) => {
            let names = pair.map(|body| bodies[body].name.as_str()).join(" and ");
            Failure::new("layers", format!("{names}: {}", said(error)))
        }
        ref other => Failure::new("layers", other.to_string()),
    }
}

fn said(error: LayerError) -> String {
    match error {
        LayerError::Size(columns, rows) => format!(
            "this takes {columns} x {rows} rays, and {MAX_SIZE} each way are the most; choose a larger width"
        ),
        other => other.to_string(),
    }
}
