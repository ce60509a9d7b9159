//! The files of the page: part of the program, or from a folder while it is being developed.

use super::Web;
use super::reply::not_found;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Names and contents.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// What is shown if the page was not built.
const PLAIN: &str = include_str!("plain.html");

pub(super) async fn index(State(web): State<Arc<Web>>) -> Response {
    match content(&web, "index.html") {
        Some(found) => found,
        None => (StatusCode::OK, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], PLAIN).into_response(),
    }
}

pub(super) async fn file(State(web): State<Arc<Web>>, Path(path): Path<String>) -> Response {
    content(&web, &path).unwrap_or_else(not_found)
}

fn content(web: &Web, name: &str) -> Option<Response> {
    let bytes = match &web.page {
        Some(folder) => {
            let (folder, path) = (folder.canonicalize().ok()?, folder.join(name).canonicalize().ok()?);
            let is_inside = path.starts_with(folder) && path.is_file();
            Body::from(if is_inside { std::fs::read(path).ok()? } else { return None })
        }
        None => Body::from(FILES.iter().find(|(known, _)| *known == name)?.1),
    };
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    // Their names change with their content.
    if web.page.is_none() && name.starts_with("assets/") {
        headers
            .insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable"));
    }
    Some(response)
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" | "map" | "webmanifest" => "application/json",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
