//! Mesh files that are dragged into the page: written beside the scene, never over another file, and added as a body.

use super::Web;
use super::reply::{broken, busy, refused, told};
use crate::files::mesh_name;
use crate::protocol::{Command, Refusal, Reply, Uploaded};
use axum::body::{Body, HttpBody};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use freiraum_files as files;
use freiraum_files::{self, New};
use freiraum_mesh_io::{MeshFormat, ReadOptions, read, read_bytes};
use futures_util::StreamExt;
use serde::Deserialize;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The largest file that is taken, in bytes.
const MAX_SIZE: usize = 1 << 28;

/// A file of which nothing comes for so long does not come any more.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Deserialize)]
pub(super) struct Wanted {
    name: String,
}

pub(super) async fn post(State(web): State<Arc<Web>>, Query(wanted): Query<Wanted>, body: Body) -> Response {
    let Ok(_place) = web.uploads.clone().acquire_owned().await else { return busy() };
    let taken = take(&web, &wanted.name, body).await;
    match taken.map_err(|refusal| refusal.without_folders(&web.shared().files())) {
        Ok(response) => response,
        Err(refusal) if refusal.code == "size" => refused(StatusCode::PAYLOAD_TOO_LARGE, &refusal),
        Err(refusal) if refusal.code == "exists" => refused(StatusCode::CONFLICT, &refusal),
        Err(refusal) if refusal.code == "internal" => broken(),
        Err(refusal) => refused(StatusCode::BAD_REQUEST, &refusal),
    }
}

async fn take(web: &Web, name: &str, body: Body) -> Result<Response, Refusal> {
    let name = mesh_name(name)?;
    let snapshot = web.shared().snapshot().ok_or_else(Refusal::no_scene)?;
    let path = web.shared().files().folder(snapshot.file.folder())?.join(name);
    drop(snapshot);
    let mut size = body.size_hint().lower() as usize;
    if size > MAX_SIZE {
        return Err(too_large());
    }
    let mut new = New::create(&path).map_err(|e| cannot(name, &e))?;
    size = 0;
    let mut stream = body.into_data_stream();
    loop {
        let next = tokio::time::timeout(PATIENCE, stream.next()).await;
        let next =
            next.map_err(|_| Refusal::new("file", "the file ended early: nothing came for a while"))?;
        let Some(bytes) = next else { break };
        let bytes = bytes.map_err(|e| Refusal::new("file", format!("the file ended early: {e}")))?;
        size += bytes.len();
        if size > MAX_SIZE {
            return Err(too_large());
        }
        new.add(&bytes).map_err(|e| cannot(name, &e))?;
    }
    let (written, shown) = (new.path().to_owned(), name.to_owned());
    let looked = tokio::task::spawn_blocking(move || looked_at(&written, &shown)).await;
    looked.map_err(|_| Refusal::new("internal", "reading failed"))??;
    new.put().map_err(|e| cannot(name, &e))?;
    let mut put = Put { path: &path, is_kept: false };
    let added = web.session.send(Command::AddBody { mesh: name.to_owned(), name: None }).await;
    let added = added.map_err(|_| Refusal::new("internal", "the session has ended"))??;
    put.is_kept = true;
    let body = if let Reply::Changed(changed) = added { changed.body } else { None };
    Ok(told(StatusCode::CREATED, &Uploaded { file: name.to_owned(), body }))
}

fn too_large() -> Refusal {
    Refusal::new("size", format!("files up to {} MiB are taken", MAX_SIZE >> 20))
}

/// Reads a mesh by the name that it shall have; messages name no folder.
fn looked_at(written: &Path, name: &str) -> Result<(), Refusal> {
    let options = ReadOptions::default();
    let found = if name.to_lowercase().ends_with(".gltf") {
        // It may name files beside it.
        let options = ReadOptions { format: Some(MeshFormat::Gltf), ..options };
        read(written, &options).map_err(|e| e.to_string().replace(&*written.to_string_lossy(), name))
    } else {
        let bytes = files::read(written, MAX_SIZE as u64).map_err(|e| cannot(name, &e))?;
        read_bytes(&bytes, name, &options).map_err(|e| e.to_string())
    };
    found.map(drop).map_err(|message| Refusal::new("mesh", message))
}

/// Why a file is not written; without its folder.
fn cannot(name: &str, error: &std::io::Error) -> Refusal {
    match error.kind() {
        ErrorKind::AlreadyExists => {
            Refusal::new("exists", "a file of this name is there already").help("rename the file")
        }
        _ => Refusal::new("file", format!("cannot write {name:?} beside the scene: {error}")),
    }
}

/// A file that is removed again unless it becomes part of the scene.
struct Put<'p> {
    path: &'p Path,
    is_kept: bool,
}

impl Drop for Put<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            // What nothing refers to helps nobody.
            let _ = std::fs::remove_file(self.path);
        }
    }
}
