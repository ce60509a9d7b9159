//! The running world: what pages ask of it, and its recordings.

use super::Web;
use super::export::Held;
use super::reply::{broken, busy, not_found};
use crate::protocol::{Command, Done, Refusal, Reply, WorldCommand};
use crate::world::Page;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use tokio::sync::oneshot;

/// An answer that is there, or comes.
pub(super) enum Pending {
    Here(Result<Reply, Refusal>),
    Later(oneshot::Receiver<Result<Reply, Refusal>>),
    Keep(oneshot::Receiver<Result<Vec<crate::document::Kept>, Refusal>>),
}

/// Hands a command over; `None` if it is not answered.
pub(super) fn begin(web: &Web, page: &Arc<Page>, command: WorldCommand) -> Option<Pending> {
    let world = &web.shared().world;
    Some(match command {
        WorldCommand::WorldSeen { frame } => {
            page.seen(frame);
            return None;
        }
        WorldCommand::WorldWatch(watched) => {
            page.watch(watched);
            Pending::Here(Ok(Done {}.into()))
        }
        WorldCommand::WorldEvents { from, count } => {
            Pending::Here(Ok(world.events(from.unwrap_or(0), count).into()))
        }
        WorldCommand::WorldKeep => Pending::Keep(world.to_keep()),
        command => Pending::Later(world.send(command, page)),
    })
}

/// Waits for an answer.
pub(super) async fn finish(web: &Web, pending: Pending) -> Result<Reply, Refusal> {
    match pending {
        Pending::Here(done) => done,
        Pending::Later(later) => later.await.unwrap_or_else(|_| Err(Refusal::internal())),
        Pending::Keep(later) => {
            let kept = later.await.unwrap_or_else(|_| Err(Refusal::internal()))?;
            let kept = web.session.send(Command::KeepWorld(Arc::new(kept))).await;
            kept.unwrap_or_else(|_| Err(Refusal::internal()))
        }
    }
}

/// The last recording, or what there is of it.
pub(super) async fn recording(State(web): State<Arc<Web>>) -> Response {
    let Ok(place) = web.workers.clone().acquire_owned().await else { return busy() };
    let shared = web.shared().clone();
    let Ok(bytes) = tokio::task::spawn_blocking(move || shared.world.recorded().bytes()).await else {
        return broken();
    };
    if bytes.is_empty() {
        return not_found();
    }
    let name = web.shared().snapshot().map_or_else(|| "world".to_owned(), |snapshot| snapshot.title());
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let disposition = format!("attachment; filename=\"{name}.jsonl\"");
    let bytes = Bytes::from_owner(Held { bytes, _place: place });
    (
        [(header::CONTENT_TYPE, "application/jsonl".to_owned()), (header::CONTENT_DISPOSITION, disposition)],
        bytes,
    )
        .into_response()
}
