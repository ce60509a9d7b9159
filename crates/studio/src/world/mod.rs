//! The world of the scene that is open: one ordinary thread simulates it, pages get frames of it.
//!
//! The thread never waits for a page, and the scene never waits for the thread: frames that a page is too slow for are left out, events are not.

mod attributes;
mod described;
mod frame;
mod log;
mod meshes;
mod open;
mod pace;
mod pages;
mod recorder;
mod room;
mod sensors;
mod stamp;
mod statistics;
mod vehicles;

pub(crate) use meshes::Drawn;
pub(crate) use pages::{Feed, Page};
pub(crate) use recorder::Recorded;

use crate::clock::Clock;
use crate::document::{Kept, Snapshot, Told};
use crate::files::Files;
use crate::protocol::{Refusal, Reply, WorldCommand, WorldEvents};
use pages::Stage;
use room::Room;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How long the end may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the thread is told.
pub(super) enum Message {
    Command(Box<WorldCommand>, Arc<Page>, crate::document::Answer),
    /// The scene has changed, perhaps only by what was kept.
    Scene(Arc<Snapshot>, Option<Arc<Vec<Kept>>>),
    /// Another scene is open.
    Gone,
    Keep(oneshot::Sender<Result<Vec<Kept>, Refusal>>),
    Stop,
}

/// What the thread leaves for others.
#[derive(Default)]
pub(super) struct Left {
    recorded: Mutex<Recorded>,
    drawn: RwLock<BTreeMap<String, Drawn>>,
}

/// The thread that owns the world.
pub(crate) struct World {
    sender: Sender<Message>,
    thread: Mutex<Option<JoinHandle<()>>>,
    stage: Arc<Stage>,
    left: Arc<Left>,
}

impl World {
    pub(crate) fn start(told: Arc<Told>, files: Arc<RwLock<Files>>, clock: Clock) -> std::io::Result<World> {
        let (sender, receiver) = channel();
        let (stage, left) = (Arc::new(Stage::new()), Arc::<Left>::default());
        let mut room = Room::new(stage.clone(), left.clone(), told, files, clock);
        let thread = std::thread::Builder::new()
            .name("studio world".to_owned())
            .spawn(move || run(&mut room, &receiver))?;
        Ok(World { sender, thread: Mutex::new(Some(thread)), stage, left })
    }

    /// Asks the thread; the answer comes later.
    pub(crate) fn send(
        &self,
        command: WorldCommand,
        page: &Arc<Page>,
    ) -> oneshot::Receiver<Result<Reply, Refusal>> {
        let (answer, later) = oneshot::channel();
        // If the thread has ended, the receiver is told so.
        let _ = self.sender.send(Message::Command(Box::new(command), page.clone(), answer));
        later
    }

    /// What was changed in the world and can be kept in the scene.
    pub(crate) fn to_keep(&self) -> oneshot::Receiver<Result<Vec<Kept>, Refusal>> {
        let (answer, later) = oneshot::channel();
        let _ = self.sender.send(Message::Keep(answer));
        later
    }

    /// The scene is another one now; with `kept`, it has changed by that alone.
    pub(crate) fn scene(&self, snapshot: &Arc<Snapshot>, kept: Option<Arc<Vec<Kept>>>) {
        let _ = self.sender.send(Message::Scene(snapshot.clone(), kept));
    }

    /// Another file is open: its world is another one.
    pub(crate) fn gone(&self) {
        let _ = self.sender.send(Message::Gone);
    }

    /// What a new page gets.
    pub(crate) fn feed(&self) -> Feed {
        Feed::of(&self.stage)
    }

    /// Events from a number on.
    pub(crate) fn events(&self, from: u64, count: Option<usize>) -> WorldEvents {
        let log = self.stage.log();
        let (events, next) = log.list(from, count.unwrap_or(usize::MAX), false);
        WorldEvents { run: log.run, first: log.first(), next, total: log.next(), events }
    }

    /// The last recording, or what there is of it.
    pub(crate) fn recorded(&self) -> Recorded {
        self.left.recorded.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The shape with this name.
    pub(crate) fn drawn(&self, name: &str) -> Option<Drawn> {
        self.left.drawn.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Ends the thread.
    pub(crate) fn stop(&self) {
        let _ = self.sender.send(Message::Stop);
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // A step may take long, and a program that drives may hang: the thread ends after it, or with the program.
            let start = Instant::now();
            while !thread.is_finished() && start.elapsed() < PATIENCE {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

fn run(room: &mut Room, receiver: &Receiver<Message>) {
    loop {
        let message = match room.wait() {
            None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(wait) => receiver.recv_timeout(wait),
        };
        let message = match message {
            Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => None,
        };
        let done = catch_unwind(AssertUnwindSafe(|| {
            if let Some(message) = message {
                room.take(message);
            }
            room.work();
        }));
        if done.is_err() {
            // A mistake of ours: this world is lost, the next one is not.
            room.lose("this went wrong in the simulation");
        }
    }
}
