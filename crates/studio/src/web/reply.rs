//! Answers as JSON, among them those that say what is wrong.

use crate::protocol::{Refusal, RefusedRequest};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// An answer as JSON.
pub(super) fn told(status: StatusCode, answer: &impl Serialize) -> Response {
    let body = serde_json::to_string(answer).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// A refusal as JSON.
pub(super) fn refused(status: StatusCode, refusal: &Refusal) -> Response {
    told(status, &RefusedRequest { error: refusal.error() })
}

/// Nothing is there.
pub(super) fn not_found() -> Response {
    refused(StatusCode::NOT_FOUND, &Refusal::new("not_found", "there is nothing here"))
}

/// Too much is going on.
pub(super) fn busy() -> Response {
    refused(StatusCode::SERVICE_UNAVAILABLE, &Refusal::new("busy", "too much is going on; try again"))
}

/// Our own mistake.
pub(super) fn broken() -> Response {
    refused(StatusCode::INTERNAL_SERVER_ERROR, &Refusal::internal())
}
