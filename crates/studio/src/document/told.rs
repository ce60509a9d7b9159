//! What all pages are told, and what a page that comes later has to know.

use crate::files::Files;
use crate::protocol::{ErrorEvent, Event, SceneEvent, UnsavedWork, VerdictEvent};
use axum::extract::ws::Utf8Bytes;
use serde_json::value::to_value;
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
    /// Work of an earlier session.
    pub(crate) unsaved: Option<UnsavedWork>,
    /// What could not be opened.
    pub(crate) trouble: Option<Utf8Bytes>,
    revision: u64,
}

impl Told {
    pub(super) fn new(files: Arc<RwLock<Files>>) -> Told {
        Told { sender: broadcast::channel(QUEUE).0, files, latest: Mutex::default() }
    }

    /// An event with sentences for people. No page learns where our folders are.
    fn hidden(&self, event: &impl Event) -> Utf8Bytes {
        let mut value = to_value(event).unwrap_or_default();
        self.files.read().unwrap_or_else(std::sync::PoisonError::into_inner).hide_in(&mut value);
        value.to_string().into()
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
    pub(crate) fn say(&self, event: &impl Event) {
        self.send(text(event));
    }

    fn send(&self, text: Utf8Bytes) {
        // Nobody may be listening.
        let _ = self.sender.send(text);
    }

    /// Something with sentences for people.
    pub(crate) fn say_words(&self, event: &impl Event) {
        self.send(self.hidden(event));
    }

    pub(super) fn scene(&self, event: &SceneEvent) {
        let text = text(event);
        let mut latest = self.lock();
        (latest.scene, latest.trouble, latest.revision) = (Some(text.clone()), None, event.revision);
        self.send(text);
    }

    /// A verdict, unless it is about a scene that is no longer there.
    pub(super) fn verdict(&self, event: &VerdictEvent) {
        let text = self.hidden(event);
        let mut latest = self.lock();
        if event.revision == latest.revision {
            latest.verdict = Some(text.clone());
            self.send(text);
        }
    }

    /// A check of this revision was stopped; `event` is told if no other scene came since.
    pub(super) fn stopped(&self, revision: u64, event: impl FnOnce() -> VerdictEvent) {
        if self.lock().revision == revision {
            self.verdict(&event());
        }
    }

    pub(super) fn unsaved(&self, unsaved: Option<UnsavedWork>) {
        self.lock().unsaved = unsaved;
    }

    pub(super) fn trouble(&self, event: &ErrorEvent) {
        let text = self.hidden(event);
        self.lock().trouble = Some(text.clone());
        self.send(text);
    }
}

fn text(event: &impl Event) -> Utf8Bytes {
    serde_json::to_string(event).unwrap_or_default().into()
}
