//! What the thread of the world does with what it is told.

use super::described::described;
use super::open::Open;
use super::pace::Pace;
use super::pages::{Page, Stage};
use super::recorder::Recorder;
use super::{Left, Message};
use crate::clock::Clock;
use crate::document::{Answer, Kept, Snapshot, Told};
use crate::files::Files;
use crate::protocol::{Done, Recorded, Refusal, Reply, WorldCommand, WorldFrame, WorldGoneEvent};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// Frames come no faster than this.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 30);

/// A world that nobody looks at runs on for so long: pages are loaded again.
const LONELY: Duration = Duration::from_secs(10);

/// So many steps can be asked for at once.
const MOST_STEPS: u64 = 1_000_000;

/// The fastest that can be asked for, in world seconds per second.
const FASTEST: f64 = 1000.0;

/// What the thread owns.
pub(super) struct Room {
    stage: Arc<Stage>,
    left: Arc<Left>,
    told: Arc<Told>,
    /// Knows which programs may run.
    files: Arc<RwLock<Files>>,
    /// The newest scene.
    snapshot: Option<Arc<Snapshot>>,
    open: Option<Open>,
    /// Counts worlds.
    run: u64,
    /// Counts frames.
    frame: u64,
    /// When the last one was shown, and whether there is something new since then.
    shown: Option<Instant>,
    is_new: bool,
    /// When somebody was seen to look.
    watched: Instant,
    clock: Clock,
}

/// A world that has failed stands still.
fn failed(open: &Open) -> Result<(), Refusal> {
    match open.simulation.failure() {
        Some(failure) => {
            Err(Refusal::new("simulation", failure.to_string()).help("change the scene, or reset the world"))
        }
        None => Ok(()),
    }
}

fn no_world() -> Refusal {
    Refusal::new("no_world", "no world is open").help("open it first")
}

impl Room {
    pub(super) fn new(
        stage: Arc<Stage>,
        left: Arc<Left>,
        told: Arc<Told>,
        files: Arc<RwLock<Files>>,
        clock: Clock,
    ) -> Room {
        Room {
            stage,
            left,
            told,
            files,
            snapshot: None,
            open: None,
            run: 0,
            frame: 0,
            shown: None,
            is_new: false,
            watched: clock.now(),
            clock,
        }
    }

    /// How long there is nothing to do.
    pub(super) fn wait(&self) -> Option<Duration> {
        let now = self.clock.now();
        let open = self.open.as_ref()?;
        let frame = self.is_new.then(|| self.until_frame(now));
        [open.wait(now), frame].into_iter().flatten().min()
    }

    fn until_frame(&self, now: Instant) -> Duration {
        self.shown.map_or(Duration::ZERO, |shown| FRAME.saturating_sub(now.saturating_duration_since(shown)))
    }

    pub(super) fn take(&mut self, message: Message) {
        match message {
            Message::Command(command, page, answer) => self.command(*command, &page, answer),
            Message::Scene(snapshot, kept) => self.scene(snapshot, kept.as_deref()),
            Message::Gone => self.close("another scene was opened"),
            Message::Keep(answer) => {
                let _ = answer.send(self.open.as_ref().map(Open::to_keep).ok_or_else(no_world));
            }
            Message::Stop => {}
        }
    }

    /// Lets the world go on, and shows it.
    pub(super) fn work(&mut self) {
        let Some(open) = &mut self.open else { return };
        if open.is_busy() {
            let now = self.clock.now();
            if self.stage.is_watched() {
                self.watched = now;
            } else if now.saturating_duration_since(self.watched) > LONELY {
                open.pause();
            }
            let before = open.simulation.steps();
            open.advance(&self.stage, &self.left.recorded, &self.clock);
            // Where it stands in the end is shown too.
            self.is_new |= open.simulation.steps() != before || !open.is_busy();
        }
        if self.is_new && self.until_frame(self.clock.now()).is_zero() {
            self.show();
        }
    }

    fn show(&mut self) {
        let Some(open) = &mut self.open else { return };
        self.frame += 1;
        let frame = open.frame(self.frame, &self.stage, &self.left.recorded);
        self.stage.show(Some(frame));
        self.shown = Some(self.clock.now());
        self.is_new = false;
    }

    fn scene(&mut self, snapshot: Arc<Snapshot>, kept: Option<&Vec<Kept>>) {
        if let Some(open) = &mut self.open {
            let stamp = super::stamp::stamp(&snapshot);
            if let Some(kept) = kept {
                open.kept(kept);
                if !open.is_stale {
                    (open.stamp, open.snapshot) = (stamp, snapshot.clone());
                }
            }
            open.is_stale = open.stamp != stamp;
            self.is_new = true;
        }
        self.snapshot = Some(snapshot);
    }

    /// Ends the world; all who looked are told why.
    fn close(&mut self, reason: &str) {
        if let Some(mut open) = self.open.take() {
            open.pause();
            if let Some(recorder) = open.recorder.take() {
                let mut recorded = self.left.recorded.lock().unwrap_or_else(PoisonError::into_inner);
                recorder.end(&open.simulation, &mut recorded);
            }
            self.stage.show(None);
            self.stage.dismiss();
            self.told.say_words(&WorldGoneEvent { event: "world_gone", reason: reason.to_owned() });
        }
    }

    /// The world cannot be trusted any more.
    pub(super) fn lose(&mut self, reason: &str) {
        // Its destructors may run into the same mistake.
        std::mem::forget(self.open.take());
        self.stage.show(None);
        self.stage.dismiss();
        self.told.say_words(&WorldGoneEvent { event: "world_gone", reason: reason.to_owned() });
    }

    fn command(&mut self, command: WorldCommand, page: &Arc<Page>, answer: Answer) {
        if let WorldCommand::WorldStep { count } = command {
            return self.step(count.unwrap_or(1), answer);
        }
        let done = match command {
            WorldCommand::WorldOpen => self.open(page),
            WorldCommand::WorldReset => self.reset(),
            WorldCommand::WorldClose => {
                page.listen(false);
                if !self.stage.is_watched() {
                    self.close("it was closed");
                }
                Ok(Done {}.into())
            }
            command => self.in_open(command),
        };
        // Whoever asked may be gone.
        let _ = answer.send(done);
    }

    fn in_open(&mut self, command: WorldCommand) -> Result<Reply, Refusal> {
        let open = self.open.as_mut().ok_or_else(no_world)?;
        self.is_new = true;
        match command {
            WorldCommand::WorldRun { speed } => {
                let speed = speed.unwrap_or(1.0);
                if !(0.0..=FASTEST).contains(&speed) {
                    let refusal = Refusal::new("request", format!("a speed of {speed} is none"));
                    return Err(refusal.help("1 is real time, 0 as fast as possible, 1000 the most"));
                }
                failed(open)?;
                open.stop_steps();
                let now = self.clock.now();
                self.watched = now;
                open.speed = speed;
                open.pace = Some(Pace::new(speed, now, open.simulation.time()));
                Ok(open.state().into())
            }
            WorldCommand::WorldPause => {
                open.pause();
                Ok(open.state().into())
            }
            WorldCommand::WorldBodies => {
                self.is_new = false;
                Ok(open.bodies().into())
            }
            WorldCommand::WorldSet(new) => open.set(&new).map(Reply::from),
            WorldCommand::WorldDrive(new) => open.drive(&new).map(Reply::from),
            WorldCommand::WorldAssign { vehicle, controller } => {
                open.assign(vehicle, controller.as_ref()).map(Reply::from)
            }
            WorldCommand::WorldRecord { on } => {
                let mut recorded = self.left.recorded.lock().unwrap_or_else(PoisonError::into_inner);
                match (on, open.recorder.take()) {
                    (true, _) => open.recorder = Some(Recorder::start(&open.simulation, &mut recorded)),
                    (false, Some(recorder)) => recorder.end(&open.simulation, &mut recorded),
                    (false, None) => return Err(Refusal::new("nothing", "no recording is being made")),
                }
                Ok(Recorded { bytes: recorded.size() }.into())
            }
            _ => Err(Refusal::new("request", "unknown command")),
        }
    }

    fn step(&mut self, count: u64, answer: Answer) {
        let refusal = match &mut self.open {
            None => no_world(),
            Some(_) if count == 0 || count > MOST_STEPS => {
                Refusal::new("request", format!("from 1 to {MOST_STEPS} steps can be done at once"))
            }
            Some(open) => {
                // Whoever else waits gets to know how far it got.
                open.pause();
                open.steps = Some((count, answer));
                return;
            }
        };
        let _ = answer.send(Err(refusal));
    }

    /// Builds a world, or joins the one that is there.
    fn open(&mut self, page: &Arc<Page>) -> Result<Reply, Refusal> {
        if self.open.is_none() {
            self.build()?;
        }
        // Before frames come: these events are told here.
        let (events, next) = self.stage.log().list(0, usize::MAX, true);
        page.heard(self.run, next);
        page.listen(true);
        self.watched = self.clock.now();
        self.show();
        let Some(open) = &self.open else { return Err(no_world()) };
        let head = open.frame_head(self.frame, &self.left.recorded);
        // What happened is told beside it, and readings come with the next frame.
        let frame = WorldFrame { head, events: Vec::new(), contacts: Vec::new(), readings: Vec::new() };
        Ok(described(open, frame, events).into())
    }

    /// A world of the newest scene, in place of the one that is there; that stays if there cannot be another.
    fn build(&mut self) -> Result<(), Refusal> {
        let snapshot = self.snapshot.clone().ok_or_else(Refusal::no_scene)?;
        let programs = self.files.read().unwrap_or_else(PoisonError::into_inner).programs().clone();
        let new = Open::of(snapshot, self.run + 1, &programs)?;
        if let Some(open) = &mut self.open {
            open.pause();
            if let Some(recorder) = open.recorder.take() {
                let mut recorded = self.left.recorded.lock().unwrap_or_else(PoisonError::into_inner);
                recorder.end(&open.simulation, &mut recorded);
            }
        }
        self.run += 1;
        *self.stage.log() = super::log::Log::of(self.run);
        *self.left.drawn.write().unwrap_or_else(PoisonError::into_inner) = new.drawn.clone();
        self.open = Some(new);
        self.is_new = true;
        Ok(())
    }

    fn reset(&mut self) -> Result<Reply, Refusal> {
        if self.open.is_none() {
            return Err(no_world());
        }
        let speed = self.open.as_ref().map_or(1.0, |open| open.speed);
        self.build()?;
        let Some(open) = &mut self.open else { return Err(no_world()) };
        open.speed = speed;
        Ok(open.state().into())
    }
}
