//! Everything that speaks HTTP.
//!
//! `serve` takes connections; `door` keeps those few that have shown no token; `guard` decides who is let in; `page` are the files of the page; `live` is the WebSocket; `mesh`, `upload` and `export` are plain requests; `world` is what pages ask of the running world, `deform` what they ask of bodies that change their form.

mod deform;
mod door;
mod export;
mod guard;
mod live;
mod mesh;
mod page;
mod reply;
mod serve;
mod upload;
mod world;

pub(crate) use guard::Guard;
pub(crate) use serve::serve;

use crate::document::{Session, Shared};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// What all requests share.
pub(crate) struct Web {
    pub(crate) guard: Guard,
    pub(crate) session: Session,
    pub(crate) examples: Vec<&'static str>,
    /// A folder that the page is read from instead of the program.
    pub(crate) page: Option<PathBuf>,
    /// Free places for pages.
    pub(crate) places: Arc<Semaphore>,
    /// Free places for work that takes long.
    pub(crate) workers: Arc<Semaphore>,
    /// Free places for files that come in.
    pub(crate) uploads: Arc<Semaphore>,
    /// Room for messages that are worked on, in KiB.
    pub(crate) room: Arc<Semaphore>,
}

impl Web {
    fn shared(&self) -> &Arc<Shared> {
        &self.session.shared
    }
}

/// All routes, behind the guard.
pub(crate) fn router(web: Arc<Web>) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/{*path}", get(page::file))
        .route("/api/mesh/{name}", get(mesh::get))
        .route("/api/upload", post(upload::post).layer(DefaultBodyLimit::disable()))
        .route("/api/export/{name}", get(export::get))
        .route("/api/world/recording", get(world::recording))
        .route("/api/deform/mesh", post(deform::put).layer(DefaultBodyLimit::disable()))
        .route("/api/deform/mesh/{id}", get(deform::facts))
        .route("/api/deform/mesh/{id}/faces", get(deform::faces))
        .route("/api/deform/frame", post(deform::frame))
        .route("/api/live", get(live::get))
        .layer(axum::middleware::from_fn_with_state(web.clone(), guard::check))
        .with_state(web)
}
