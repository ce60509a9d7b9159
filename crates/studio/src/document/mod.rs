//! The scene that is open, and everything that happens to it.
//!
//! One ordinary thread, the [`Session`], owns the file and its history; it only ever does short things. Checks, plans and questions work on a
//! [`Snapshot`], which never changes.

mod ask;
mod checked;
mod checker;
mod closest;
mod desk;
mod disk;
mod edit;
mod history;
mod meshes;
mod planning;
mod proposal;
mod robot;
mod snapshot;
mod stages;
mod told;
mod verdict;
mod world;

pub(crate) use ask::answer;
pub(crate) use checked::Checked;
pub(crate) use checker::Checker;
pub(crate) use meshes::{Meshes, Surroundings};
pub(crate) use snapshot::Snapshot;
pub(crate) use told::Told;
pub(crate) use world::Kept;

use crate::clock::Clock;
use crate::deform::Deform;
use crate::files::Files;
use crate::protocol::{Command, PlannedEvent, Refusal, Reply};
use crate::server::Example;
use crate::world::World;
use desk::Desk;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, RwLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How long the end may take. What is not saved is in its journal after every change.
const PATIENCE: Duration = Duration::from_secs(5);

/// So often files are looked at.
const LOOK: Duration = Duration::from_millis(700);

/// Where an answer goes.
pub(crate) type Answer = oneshot::Sender<Result<Reply, Refusal>>;

/// What the thread is told.
enum Message {
    Command(Box<Command>, Answer),
    Planned(u64, Option<Box<proposal::Proposal>>, Box<PlannedEvent>),
    Stop,
}

/// What everybody may look at.
pub(crate) struct Shared {
    pub(crate) told: Arc<Told>,
    pub(crate) checker: Arc<Checker>,
    pub(crate) meshes: Meshes,
    pub(crate) files: Arc<RwLock<Files>>,
    pub(crate) world: World,
    pub(crate) deform: Deform,
    snapshot: RwLock<Option<Arc<Snapshot>>>,
}

impl Shared {
    /// The scene as it is now.
    pub(crate) fn snapshot(&self) -> Option<Arc<Snapshot>> {
        self.snapshot.read().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// What may be touched.
    pub(crate) fn files(&self) -> Files {
        self.files.read().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }
}

/// The thread that owns the scene.
pub(crate) struct Session {
    sender: Sender<Message>,
    thread: Option<JoinHandle<()>>,
    pub(crate) shared: Arc<Shared>,
}

impl Session {
    /// Starts with this scene, if there is one. What is wrong with it is told to the pages.
    pub(crate) fn start(
        files: Files,
        scene: Option<PathBuf>,
        examples: Vec<Example>,
        cache: Option<PathBuf>,
        clock: Clock,
    ) -> std::io::Result<Session> {
        let files = Arc::new(RwLock::new(files));
        let told = Arc::new(Told::new(files.clone()));
        let checker = Checker::new(told.clone())?;
        let world = World::start(told.clone(), files.clone(), clock)?;
        let shared = Arc::new(Shared {
            told,
            checker,
            meshes: Meshes::default(),
            files,
            world,
            deform: Deform::default(),
            snapshot: RwLock::new(None),
        });
        let (sender, receiver) = channel();
        let mut desk = Desk::new(shared.clone(), sender.clone(), examples, cache)?;
        if let Some(scene) = scene {
            desk.open_first(&scene);
        }
        let thread = std::thread::Builder::new()
            .name("studio scene".to_owned())
            .spawn(move || run(&mut desk, &receiver))?;
        Ok(Session { sender, thread: Some(thread), shared })
    }

    /// Asks the thread; the answer comes later.
    pub(crate) fn send(&self, command: Command) -> oneshot::Receiver<Result<Reply, Refusal>> {
        let (answer, later) = oneshot::channel();
        // If the thread has ended, the receiver is told so.
        let _ = self.sender.send(Message::Command(Box::new(command), answer));
        later
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.shared.checker.stop();
        self.shared.world.stop();
        let _ = self.sender.send(Message::Stop);
        if let Some(thread) = self.thread.take() {
            // A file system may hang for good: then the thread ends with the program.
            let start = Instant::now();
            while !thread.is_finished() && start.elapsed() < PATIENCE {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

fn run(desk: &mut Desk, receiver: &Receiver<Message>) {
    let mut looked = Instant::now();
    loop {
        match receiver.recv_timeout(LOOK.saturating_sub(looked.elapsed())) {
            Ok(Message::Command(command, answer)) => {
                // A mistake of ours in one command must not end the session: changes are made on copies.
                let done = catch_unwind(AssertUnwindSafe(|| desk.command(*command)));
                // Whoever asked may be gone.
                let _ = answer.send(done.unwrap_or_else(|_| Err(Refusal::internal())));
            }
            Ok(Message::Planned(number, proposal, event)) => desk.planned(number, proposal, &event),
            Err(RecvTimeoutError::Timeout) => {}
            Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return desk.close(),
        }
        if looked.elapsed() >= LOOK {
            // As above.
            let _ = catch_unwind(AssertUnwindSafe(|| desk.look()));
            looked = Instant::now();
        }
    }
}
