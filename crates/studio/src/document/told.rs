//! What all pages are told, and what a page that comes later has to know.

use crate::files::Files;
use axum::extract::ws::Utf8Bytes;
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, RwLock};
use tokio::sync::broadcast;

/// A page that is so many events behind is told everything anew instead.
const QUEUE: usize = 64;

/// Sends events to all pages and remembers the last of each kind that says how things are.
pub(crate) struct Told {
    sender: broadcast::Sender<Utf8Bytes>,
    files: Arc<RwLock<Files>>,
    latest: Mutex<Latest>,
}

/// How things are.
#[derive(Clone, Default)]
pub(crate) struct Latest {
    pub(crate) scene: Option<Utf8Bytes>,
    pub(crate) verdict: Option<Utf8Bytes>,
    /// Work of an earlier session: name and time.
    pub(crate) unsaved: Option<(String, u64)>,
    /// What could not be opened.
    pub(crate) trouble: Option<Utf8Bytes>,
    revision: u64,
}

impl Told {
    pub(super) fn new(files: Arc<RwLock<Files>>) -> Told {
        Told { sender: broadcast::channel(QUEUE).0, files, latest: Mutex::default() }
    }

    /// No page learns where our folders are.
    fn hide(&self, event: &mut Value) {
        self.files.read().unwrap_or_else(std::sync::PoisonError::into_inner).hide_in(event);
    }

    fn lock(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// How things are.
    pub(crate) fn latest(&self) -> Latest {
        self.lock().clone()
    }

    /// The number of the newest scene.
    pub(super) fn revision(&self) -> u64 {
        self.lock().revision
    }

    /// All events from now on.
    pub(crate) fn listen(&self) -> broadcast::Receiver<Utf8Bytes> {
        self.sender.subscribe()
    }

    /// Something that has no paths in it.
    pub(crate) fn say(&self, event: &Value) {
        // Nobody may be listening.
        let _ = self.sender.send(event.to_string().into());
    }

    /// Something with sentences for people.
    pub(crate) fn say_words(&self, mut event: Value) {
        self.hide(&mut event);
        self.say(&event);
    }

    pub(super) fn scene(&self, revision: u64, event: &Value) {
        let text = Utf8Bytes::from(event.to_string());
        let mut latest = self.lock();
        (latest.scene, latest.trouble, latest.revision) = (Some(text.clone()), None, revision);
        let _ = self.sender.send(text);
    }

    /// A verdict, unless it is about a scene that is no longer there.
    pub(super) fn verdict(&self, mut event: Value) {
        self.hide(&mut event);
        let text = Utf8Bytes::from(event.to_string());
        let mut latest = self.lock();
        if event["revision"].as_u64() == Some(latest.revision) {
            latest.verdict = Some(text.clone());
            let _ = self.sender.send(text);
        }
    }

    /// A check of this revision was stopped; `event` is told if no other scene came since.
    pub(super) fn stopped(&self, revision: u64, event: impl FnOnce() -> Value) {
        if self.lock().revision == revision {
            self.verdict(event());
        }
    }

    pub(super) fn unsaved(&self, unsaved: Option<(String, u64)>) {
        self.lock().unsaved = unsaved;
    }

    pub(super) fn trouble(&self, mut event: Value) {
        self.hide(&mut event);
        self.lock().trouble = Some(event.to_string().into());
        self.say(&event);
    }
}
