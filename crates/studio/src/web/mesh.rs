//! Meshes, by the names of their contents.

use super::Web;
use super::reply::{broken, busy, not_found, refused};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

pub(super) async fn get(
    State(web): State<Arc<Web>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let Some(snapshot) = web.shared().snapshot() else { return not_found() };
    let takes_gzip = headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.split(',').any(|one| one.trim().split(';').next() == Some("gzip")));
    let Ok(_place) = web.workers.clone().acquire_owned().await else { return busy() };
    let shared = web.shared().clone();
    let found = tokio::task::spawn_blocking(move || {
        shared.meshes.get(&snapshot, || shared.world.drawn(&name), &name)
    })
    .await;
    match found {
        Ok(Ok(Some(mesh))) => {
            let fixed = [
                (header::CONTENT_TYPE, "application/octet-stream"),
                (header::CACHE_CONTROL, "private, max-age=31536000, immutable"),
                (header::VARY, "Accept-Encoding"),
            ];
            if takes_gzip {
                (fixed, [(header::CONTENT_ENCODING, "gzip")], mesh.zipped.clone()).into_response()
            } else {
                (fixed, mesh.plain.clone()).into_response()
            }
        }
        Ok(Ok(None)) => not_found(),
        Ok(Err(refusal)) => refused(StatusCode::UNPROCESSABLE_ENTITY, &refusal),
        Err(_) => broken(),
    }
}
