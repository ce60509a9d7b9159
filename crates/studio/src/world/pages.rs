//! What every page gets of a world: frames as fast as it takes them, and all events.

use super::frame::Frame;
use super::log::Log;
use crate::protocol::Watched;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, watch};

/// So many events come with one frame; the others can be asked for.
const MOST_EVENTS: usize = 500;

/// A page that may look at the world.
#[derive(Default)]
pub(crate) struct Page {
    /// Whether it wants frames.
    listens: AtomicBool,
    /// The last frame that has arrived.
    arrived: AtomicU64,
    /// Whether it says itself what it has seen; else it is enough that it has arrived.
    tells: AtomicBool,
    turned: Notify,
    watched: Mutex<Watched>,
    /// Run and number of the next event, if it got to know the others in another way.
    heard: Mutex<Option<(u64, u64)>>,
}

impl Page {
    pub(crate) fn listen(&self, listens: bool) {
        self.listens.store(listens, Ordering::SeqCst);
        self.turned.notify_one();
    }

    /// It knows all events of this run before this number.
    pub(super) fn heard(&self, run: u64, next: u64) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Some((run, next));
    }

    pub(super) fn listens(&self) -> bool {
        self.listens.load(Ordering::SeqCst)
    }

    pub(crate) fn watch(&self, watched: Watched) {
        *self.watched.lock().unwrap_or_else(PoisonError::into_inner) = watched;
    }

    pub(super) fn watched(&self) -> Watched {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A frame came to the machine of the page.
    pub(crate) fn arrived(&self, frame: u64) {
        if !self.tells.load(Ordering::SeqCst) {
            self.reach(frame);
        }
    }

    /// The page has seen a frame. From then on it says so of every one.
    pub(crate) fn seen(&self, frame: u64) {
        self.tells.store(true, Ordering::SeqCst);
        self.reach(frame);
    }

    fn reach(&self, frame: u64) {
        self.arrived.fetch_max(frame, Ordering::SeqCst);
        self.turned.notify_one();
    }
}

/// What all pages get.
pub(super) struct Stage {
    frames: watch::Sender<Option<Arc<Frame>>>,
    log: Mutex<Log>,
    pages: Mutex<BTreeMap<u64, Arc<Page>>>,
}

impl Stage {
    pub(super) fn new() -> Stage {
        Stage { frames: watch::channel(None).0, log: Mutex::default(), pages: Mutex::default() }
    }

    pub(super) fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pages(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Page>>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows a frame; none if there is nothing to see any more.
    pub(super) fn show(&self, frame: Option<Frame>) {
        self.frames.send_replace(frame.map(Arc::new));
    }

    /// Whether anybody looks.
    pub(super) fn is_watched(&self) -> bool {
        self.pages().values().any(|page| page.listens())
    }

    /// What any page wants to see.
    pub(super) fn watched(&self) -> Watched {
        let mut all = Watched::default();
        for page in self.pages().values().filter(|page| page.listens()) {
            let one = page.watched();
            all.contacts |= one.contacts;
            all.sensors.extend(one.sensors);
        }
        all.sensors.sort_unstable();
        all.sensors.dedup();
        all
    }

    /// Nobody looks any more.
    pub(super) fn dismiss(&self) {
        self.pages().values().for_each(|page| page.listen(false));
    }
}

/// The frames of one page; it is forgotten with it.
pub(crate) struct Feed {
    stage: Arc<Stage>,
    number: u64,
    page: Arc<Page>,
    frames: watch::Receiver<Option<Arc<Frame>>>,
    /// The last frame that was sent.
    sent: u64,
    /// Run and number of the next event.
    events: (u64, u64),
    /// When the last measurements that were sent were made, by sensor.
    measured: BTreeMap<usize, f64>,
}

impl Feed {
    pub(super) fn of(stage: &Arc<Stage>) -> Feed {
        let page = Arc::new(Page::default());
        let mut pages = stage.pages();
        let number = pages.last_key_value().map_or(0, |(last, _)| last + 1);
        pages.insert(number, page.clone());
        drop(pages);
        Feed {
            stage: stage.clone(),
            number,
            page,
            frames: stage.frames.subscribe(),
            sent: 0,
            events: (0, 0),
            measured: BTreeMap::new(),
        }
    }

    pub(crate) fn page(&self) -> Arc<Page> {
        self.page.clone()
    }

    /// The next frame that the page is ready for, with its number. Nothing is lost if this is dropped.
    pub(crate) async fn next(&mut self) -> (u64, String) {
        let page = self.page.clone();
        loop {
            let turned = page.turned.notified();
            let is_free = page.listens() && page.arrived.load(Ordering::SeqCst) >= self.sent;
            if !is_free {
                turned.await;
                continue;
            }
            let frame = self.frames.borrow_and_update().clone();
            if let Some(frame) = frame.filter(|frame| frame.number > self.sent) {
                self.sent = frame.number;
                return (frame.number, self.text(&frame));
            }
            tokio::select! {
                changed = self.frames.changed() => if changed.is_err() {
                    // There are no more.
                    return std::future::pending().await;
                },
                () = turned => {}
            }
        }
    }

    fn text(&mut self, frame: &Frame) -> String {
        let watched = self.page.watched();
        let log = self.stage.log();
        let heard = self.page.heard.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(heard) = heard.filter(|heard| heard.0 != self.events.0 || heard.1 > self.events.1) {
            self.events = heard;
        }
        if self.events.0 != log.run {
            self.events = (log.run, 0);
            self.measured.clear();
        }
        // Events of another run come with its first frame.
        let (events, next) = if log.run == frame.run {
            log.list(self.events.1, MOST_EVENTS, true)
        } else {
            (Vec::new(), self.events.1)
        };
        drop(log);
        self.events.1 = next;
        let measured = &mut self.measured;
        let is_new = |sensor: usize, time: f64| {
            watched.sensors.contains(&sensor) && measured.insert(sensor, time) != Some(time)
        };
        frame.text(&events, watched.contacts, is_new)
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.stage.pages().remove(&self.number);
    }
}
