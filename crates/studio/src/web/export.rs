//! The scene as a report, an animation, a drawing, a file.

use super::Web;
use super::reply::{broken, busy, not_found, refused};
use crate::document::{Checked, Checker, Snapshot};
use crate::protocol::Refusal;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use freiraum_check::CheckOptions;
use freiraum_render::draw::{Drafter, Options, Style, View};
use freiraum_render::report::{self, ReportOptions};
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// A file that is being sent, and the place that it takes.
pub(super) struct Held {
    pub(super) bytes: Vec<u8>,
    pub(super) _place: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[derive(Deserialize)]
pub(super) struct Wanted {
    view: Option<String>,
}

pub(super) async fn get(
    State(web): State<Arc<Web>>,
    Path(name): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Response {
    let kind = match name.as_str() {
        "report.html" => "text/html; charset=utf-8",
        "animation.glb" => "model/gltf-binary",
        "drawing.svg" => "image/svg+xml",
        "scene.toml" => "application/toml",
        _ => return not_found(),
    };
    let Some(snapshot) = web.shared().snapshot() else { return not_found() };
    let Ok(place) = web.workers.clone().acquire_owned().await else { return busy() };
    let shared = web.shared().clone();
    let file = name.clone();
    let made =
        tokio::task::spawn_blocking(move || make(&snapshot, &shared.checker, &file, wanted.view.as_deref()))
            .await;
    match made {
        Ok(Ok(bytes)) => {
            // Saved, not shown: a report brings its own styles.
            let disposition = format!("attachment; filename=\"{name}\"");
            // The place is free again when all of it is taken: who asks and does not listen fills no memory.
            let bytes = Bytes::from_owner(Held { bytes, _place: place });
            ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)], bytes)
                .into_response()
        }
        Ok(Err(refusal)) => {
            let refusal = refusal.without_folders(&web.shared().files());
            refused(StatusCode::UNPROCESSABLE_ENTITY, &refusal)
        }
        Err(_) => broken(),
    }
}

fn make(snapshot: &Snapshot, checker: &Checker, name: &str, view: Option<&str>) -> Result<Vec<u8>, Refusal> {
    let error = |e: &dyn std::fmt::Display| Refusal::new("export", e.to_string());
    let (scene, timeline, parts) = (snapshot.scene(), &snapshot.timeline, &snapshot.parts);
    match name {
        "report.html" => {
            let checked = result(snapshot, checker)?;
            let (scene, timeline) = checked.plan(snapshot);
            let folder = own_folder().map_err(|e| error(&e))?;
            let options = ReportOptions { title: snapshot.title() };
            let own = folder.display().to_string();
            let html = report::write(&folder, scene, timeline, parts, &checked.report, &options)
                .map_err(|e| error(&e.to_string().replace(&own, "the report")))
                .and_then(|files| {
                    freiraum_files::read(files.html, freiraum_files::LARGEST_SAVED).map_err(|e| error(&e))
                });
            // Only a copy stays in the temporary folder of the system if this fails.
            let _ = std::fs::remove_dir_all(&folder);
            html
        }
        "animation.glb" => {
            let checked = result(snapshot, checker)?;
            let (scene, timeline) = checked.plan(snapshot);
            report::animation(scene, timeline, parts, &checked.report).map_err(|e| error(&e))
        }
        "drawing.svg" => {
            let view: View =
                view.unwrap_or("iso").parse().map_err(|e: freiraum_render::draw::UnknownView| error(&e))?;
            let options = Options {
                view,
                style: Style::Shaded,
                hidden_edges: false,
                size: [297.0, 210.0],
                scale: None,
                title_block: true,
            };
            let drafter = Drafter::new(scene, timeline, parts, options).map_err(|e| error(&e))?;
            Ok(drafter.end().map_err(|e| error(&e))?.to_svg().into_bytes())
        }
        _ => Ok(snapshot.file.text().as_bytes().to_vec()),
    }
}

/// A new folder for this report alone, under a name that nobody can guess.
fn own_folder() -> std::io::Result<PathBuf> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    let folder = std::env::temp_dir().join(format!("freiraum-report-{:016x}", u64::from_le_bytes(bytes)));
    std::fs::create_dir(&folder)?;
    Ok(folder)
}

/// What the check has found, or finds now.
fn result(snapshot: &Snapshot, checker: &Checker) -> Result<Arc<Checked>, Refusal> {
    if let Some(known) = checker.result(snapshot.revision) {
        return Ok(known);
    }
    let found = checker.check(snapshot, &CheckOptions::default());
    found
        .map(|report| Arc::new(Checked::of(report)))
        .map_err(|problems| snapshot.file.errors(problems).into())
}
