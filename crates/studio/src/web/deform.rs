//! The deform workspace: meshes that come in, and frames that go out.

use super::Web;
use super::reply::{broken, busy, refused, told};
use crate::deform::Wanted;
use crate::files::mesh_name;
use crate::protocol::Refusal;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

/// The largest mesh file, in bytes: it is held in memory.
const MOST_BYTES: usize = 1 << 26;

/// A file of which nothing comes for so long does not come any more.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Deserialize)]
pub(super) struct Named {
    name: String,
}

/// A mesh file, to be deformed; it is not written to the disk.
pub(super) async fn put(State(web): State<Arc<Web>>, Query(named): Query<Named>, body: Body) -> Response {
    let Ok(_place) = web.uploads.clone().acquire_owned().await else { return busy() };
    let name = match mesh_name(&named.name) {
        Ok(name) => name.to_owned(),
        Err(refusal) => return said(&refusal),
    };
    let bytes = match collect(body).await {
        Ok(bytes) => bytes,
        Err(refusal) => return said(&refusal),
    };
    let shared = web.shared().clone();
    match tokio::task::spawn_blocking(move || shared.deform.add(&name, &bytes)).await {
        Ok(Ok(facts)) => told(StatusCode::CREATED, &facts),
        Ok(Err(refusal)) => said(&refusal),
        Err(_) => broken(),
    }
}

/// What a mesh is: its facts.
pub(super) async fn facts(State(web): State<Arc<Web>>, Path(id): Path<String>) -> Response {
    let shared = web.shared().clone();
    match tokio::task::spawn_blocking(move || shared.deform.shelf.get(&id).map(|rest| rest.described())).await
    {
        Ok(Ok(facts)) => told(StatusCode::OK, &facts),
        Ok(Err(refusal)) => said(&refusal),
        Err(_) => broken(),
    }
}

/// The faces of a mesh.
pub(super) async fn faces(State(web): State<Arc<Web>>, Path(id): Path<String>) -> Response {
    let shared = web.shared().clone();
    match tokio::task::spawn_blocking(move || shared.deform.shelf.get(&id).map(|rest| rest.sent_faces()))
        .await
    {
        Ok(Ok(bytes)) => sent(bytes),
        Ok(Err(refusal)) => said(&refusal),
        Err(_) => broken(),
    }
}

/// One frame.
pub(super) async fn frame(State(web): State<Arc<Web>>, text: Bytes) -> Response {
    let wanted: Wanted = match serde_json::from_slice(&text) {
        Ok(wanted) => wanted,
        Err(error) => return said(&Refusal::new("request", error.to_string())),
    };
    let Ok(_place) = web.workers.clone().acquire_owned().await else { return busy() };
    let shared = web.shared().clone();
    match tokio::task::spawn_blocking(move || shared.deform.frame(&wanted)).await {
        Ok(Ok(bytes)) => sent(bytes),
        Ok(Err(refusal)) => said(&refusal),
        Err(_) => broken(),
    }
}

/// All of a body.
async fn collect(body: Body) -> Result<Vec<u8>, Refusal> {
    let too_large = || Refusal::new("size", format!("files up to {} MiB are taken", MOST_BYTES >> 20));
    if body.size_hint().lower() as usize > MOST_BYTES {
        return Err(too_large());
    }
    let early = |why: &str| Refusal::new("file", format!("the file ended early: {why}"));
    let mut bytes = Vec::new();
    let mut stream = body.into_data_stream();
    loop {
        let next = tokio::time::timeout(PATIENCE, stream.next()).await;
        let Some(part) = next.map_err(|_| early("nothing came for a while"))? else { return Ok(bytes) };
        bytes.extend_from_slice(&part.map_err(|e| early(&e.to_string()))?);
        if bytes.len() > MOST_BYTES {
            return Err(too_large());
        }
    }
}

fn sent(bytes: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response()
}

fn said(refusal: &Refusal) -> Response {
    let status = match refusal.code {
        "size" => StatusCode::PAYLOAD_TOO_LARGE,
        "no_mesh" => StatusCode::NOT_FOUND,
        _ => StatusCode::BAD_REQUEST,
    };
    refused(status, refusal)
}
