//! The file on the desk: opened, changed, undone, saved.

use super::disk::Disk;
use super::edit::{self, Done};
use super::history::History;
use super::planning::{self, Task};
use super::proposal::Proposal;
use super::snapshot::Snapshot;
use super::world::{Kept, keep};
use super::{Message, Shared, stages};
use crate::journal::{Journal, Offer};
use crate::protocol::{
    Changed, Command, DiskEvent, Done as Nothing, ErrorEvent, Opened, PlannedEvent, PlannedVerdict, Refusal,
    Reply, Saved, SceneFileInfo, SceneList, Source, UnsavedWork,
};
use crate::server::Example;
use freiraum_assets::ShapeCache;
use freiraum_files as files;
use freiraum_files::LARGEST_TEXT;
use freiraum_formats::scene::SceneFile;
use freiraum_motion::CancelToken;
use freiraum_world::control::Programs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

/// What the thread of the session owns.
pub(super) struct Desk {
    shared: Arc<Shared>,
    sender: Sender<Message>,
    examples: Vec<Example>,
    cache: Option<PathBuf>,
    revision: u64,
    open: Option<Open>,
    plan: Plan,
    /// For what a change needs at once: in the pool of everybody it would wait behind exports and questions.
    pool: rayon::ThreadPool,
}

/// The scene that is open.
struct Open {
    file: SceneFile,
    /// The text as it is on the disk.
    saved: String,
    history: History,
    journal: Journal,
    offer: Option<Offer>,
    disk: Disk,
    /// Why unsaved work is not safe, if the pages were told so.
    trouble: Option<String>,
}

/// The search that is under way, and what the last one found.
#[derive(Default)]
struct Plan {
    number: u64,
    running: Option<CancelToken>,
    proposal: Option<Box<Proposal>>,
}

impl Desk {
    pub(super) fn new(
        shared: Arc<Shared>,
        sender: Sender<Message>,
        examples: Vec<Example>,
        cache: Option<PathBuf>,
    ) -> std::io::Result<Desk> {
        let pool = threads("studio edit", 0)?;
        let plan = Plan::default();
        Ok(Desk { shared, sender, examples, cache, revision: 0, open: None, plan, pool })
    }

    /// Opens what was named on the command line; the files that it names are readable from then on.
    pub(super) fn open_first(&mut self, path: &Path) {
        // Not as it was named, but where it is; a link stays the link that the user has chosen.
        let place = path.file_name().map(|name| self.shared.files().root().join(name));
        let path = place.as_deref().unwrap_or(path);
        let opened = SceneFile::read(path).map_err(Refusal::from).and_then(|mut file| {
            let mut files = self.shared.files.write().unwrap_or_else(std::sync::PoisonError::into_inner);
            files.trust(path, &file);
            files.name(&mut file);
            file.confine(&files.reach());
            drop(files);
            self.put(file)
        });
        if let Err(refusal) = opened {
            self.shared.told.trouble(&refusal.error().into());
        }
    }

    /// Does what a page wants.
    pub(super) fn command(&mut self, command: Command) -> Result<Reply, Refusal> {
        match command {
            Command::Open(source) => self.open(&source),
            Command::Save => self.save(),
            Command::SaveAs { path, overwrite } => self.save_as(&path, overwrite),
            Command::Reload => self.reload(),
            Command::Undo => self.step(true),
            Command::Redo => self.step(false),
            Command::Check => self.with_snapshot(|desk, snapshot| {
                desk.shared.checker.start(snapshot);
                Ok(Nothing {}.into())
            }),
            Command::Cancel => {
                self.shared.checker.stop();
                self.stop_planning();
                Ok(Nothing {}.into())
            }
            Command::Recover { yes } => self.recover(yes),
            Command::List => Ok(self.list().into()),
            Command::Plan(new) => self.with_snapshot(|desk, snapshot| {
                let task = planning::task(snapshot, &new)?;
                desk.start_planning(snapshot, task)
            }),
            Command::Disassemble => {
                self.with_snapshot(|desk, snapshot| desk.start_planning(snapshot, Task::Order))
            }
            Command::KeepWorld(kept) => self.keep(kept),
            Command::AcceptPlan { name } => self.accept(name),
            Command::DiscardPlan => {
                self.plan.proposal = None;
                Ok(Nothing {}.into())
            }
            command => {
                let snapshot = self.shared.snapshot().ok_or_else(Refusal::no_scene)?;
                let command = stages::in_file(&snapshot.timeline, command)?;
                self.edit(|file| {
                    edit::apply(file, &command)
                        .unwrap_or_else(|| Err(Refusal::new("request", "unknown command")))
                })
            }
        }
    }

    fn with_snapshot(
        &mut self,
        act: impl FnOnce(&mut Desk, &Arc<Snapshot>) -> Result<Reply, Refusal>,
    ) -> Result<Reply, Refusal> {
        let snapshot = self.shared.snapshot().ok_or_else(Refusal::no_scene)?;
        act(self, &snapshot)
    }

    fn opened(&mut self) -> Result<&mut Open, Refusal> {
        self.open.as_mut().ok_or_else(Refusal::no_scene)
    }

    fn open(&mut self, source: &Source) -> Result<Reply, Refusal> {
        let file = match source {
            Source { path: Some(path), .. } => {
                let files = self.shared.files();
                let mut file = SceneFile::read_within(files.existing(path)?, &files.reach())?;
                files.name(&mut file);
                file
            }
            Source { example: Some(name), .. } => self.example(name)?,
            Source { text: Some(text), .. } => {
                let files = self.shared.files();
                SceneFile::parse_within(text.as_str(), files.root(), "untitled.toml", &files.reach())?
            }
            _ => return Err(Refusal::new("request", "open what? path, example or text is expected")),
        };
        self.put(file)
    }

    /// Writes an example into the cache and reads it. A changed one of an earlier time is kept under another name.
    fn example(&mut self, name: &str) -> Result<SceneFile, Refusal> {
        let example = self.examples.iter().find(|example| example.name == name);
        let example =
            example.ok_or_else(|| Refusal::new("request", format!("there is no example {name:?}")))?;
        let folder = self.cache.clone().unwrap_or_else(|| std::env::temp_dir().join("freiraum-studio"));
        let folder = folder.join("examples").join(example.name);
        let cannot =
            |e: &dyn std::fmt::Display| Refusal::new("file", format!("cannot write the example: {e}"));
        std::fs::create_dir_all(&folder).map_err(|e| cannot(&e))?;
        let path = (example.write)(&folder).map_err(|e| cannot(&e))?;
        let mut file = SceneFile::read(path)?;
        let mut files = self.shared.files.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        files.trust_example(&folder, file.scene());
        files.name(&mut file);
        file.confine(&files.reach());
        Ok(file)
    }

    /// Puts another file on the desk. What was there is kept in its journal if it was not saved.
    fn put(&mut self, file: SceneFile) -> Result<Reply, Refusal> {
        self.shared.files().admit(&file)?;
        let (disk, parts) = (Disk::of(&file), ShapeCache::of(file.scene()));
        let snapshot = self.next(file.clone(), parts, None)?;
        self.stop_planning();
        self.shared.world.gone();
        self.shared.checker.forget();
        self.shared.meshes.keep_only(&snapshot);
        self.plan.proposal = None;
        let untitled = self.shared.files().root().join("untitled.toml");
        let place = file.path().unwrap_or(&untitled);
        let (journal, offer) = Journal::of(self.cache.as_deref(), place, file.text());
        let unsaved = offer
            .as_ref()
            .map(|offer| UnsavedWork { name: offer.unsaved.name.clone(), when: offer.unsaved.when });
        self.shared.told.unsaved(unsaved);
        // A text that came from a page is not on the disk.
        let saved = if file.path().is_some() { file.text().to_owned() } else { String::new() };
        self.open =
            Some(Open { file, saved, history: History::default(), journal, offer, disk, trouble: None });
        self.show(snapshot, None);
        self.journal();
        Ok(Opened { revision: self.revision, unsaved: self.shared.told.latest().unsaved }.into())
    }

    /// Makes a new state of the file the present one: all pages see it, and it is checked. `kept` is what the
    /// change keeps of the running world.
    fn show(&mut self, snapshot: Snapshot, kept: Option<Arc<Vec<Kept>>>) {
        let Some(open) = &mut self.open else { return };
        self.revision = snapshot.revision;
        let mut event = snapshot.event();
        [event.undo, event.redo] = open.history.labels().map(|label| label.map(str::to_owned));
        event.dirty = open.file.text() != open.saved;
        event.path = open.file.path().and_then(|path| {
            self.shared.files().shown(path).or_else(|| Some(path.file_name()?.to_string_lossy().into_owned()))
        });
        let snapshot = Arc::new(snapshot);
        *self.shared.snapshot.write().unwrap_or_else(std::sync::PoisonError::into_inner) =
            Some(snapshot.clone());
        self.shared.world.scene(&snapshot, kept);
        self.shared.told.scene(&event);
        self.shared.checker.start(&snapshot);
    }

    /// The next state: that of this file.
    fn next(
        &self,
        file: SceneFile,
        parts: ShapeCache,
        before: Option<&Snapshot>,
    ) -> Result<Snapshot, Refusal> {
        let revision = self.revision + 1;
        self.pool.install(|| Snapshot::of(revision, file, parts, before))
    }

    /// The state that a changed file would have.
    fn snapshot_of(&self, file: &SceneFile) -> Result<Snapshot, Refusal> {
        self.shared.files().admit(file)?;
        let old = self.shared.snapshot();
        let parts =
            old.as_ref().map_or_else(|| ShapeCache::of(file.scene()), |old| old.parts.renewed(file.scene()));
        self.next(file.clone(), parts, old.as_deref())
    }

    /// Changes the file, or refuses and leaves it as it was.
    fn edit(
        &mut self,
        change: impl FnOnce(&mut SceneFile) -> Result<Done, Refusal>,
    ) -> Result<Reply, Refusal> {
        self.edit_keeping(None, change)
    }

    /// The same of a change that keeps something of the running world.
    fn edit_keeping(
        &mut self,
        kept: Option<Arc<Vec<Kept>>>,
        change: impl FnOnce(&mut SceneFile) -> Result<Done, Refusal>,
    ) -> Result<Reply, Refusal> {
        let mut changed = self.opened()?.file.clone();
        let done = change(&mut changed)?;
        if changed.text() == self.opened()?.file.text() {
            // Nothing to undo, nothing to check.
            return Ok(self.answer(done.body, done.step));
        }
        self.opened()?.disk.follow(&changed);
        let snapshot = self.snapshot_of(&changed)?;
        let open = self.opened()?;
        let before = std::mem::replace(&mut open.file, changed);
        open.history.push(done.label, before.text().to_owned(), done.merge);
        self.show(snapshot, kept);
        self.journal();
        Ok(self.answer(done.body, done.step))
    }

    /// Keeps what was changed in the running world.
    fn keep(&mut self, kept: Arc<Vec<Kept>>) -> Result<Reply, Refusal> {
        let revision = self.revision;
        let done = self.edit_keeping(Some(kept.clone()), |file| keep(file, &kept));
        if let (Ok(_), true, Some(snapshot)) = (&done, self.revision == revision, self.shared.snapshot()) {
            // The scene says so already.
            self.shared.world.scene(&snapshot, Some(kept));
        }
        done
    }

    /// What is answered after a change: pages count stages.
    fn answer(&self, body: Option<usize>, step: Option<usize>) -> Reply {
        let snapshot = self.shared.snapshot();
        let step = step.zip(snapshot).map(|(step, snapshot)| stages::first_of(&snapshot.timeline, step));
        Changed { body, step, ..self.changed() }.into()
    }

    /// What is answered after a change that adds nothing.
    fn changed(&self) -> Changed {
        Changed { body: None, revision: self.revision, step: None }
    }

    fn step(&mut self, back: bool) -> Result<Reply, Refusal> {
        let open = self.opened()?;
        let nothing = if back { "there is nothing to undo" } else { "there is nothing to redo" };
        let text = open.history.next(back).ok_or_else(|| Refusal::new("nothing", nothing))?.to_owned();
        let mut changed = open.file.clone();
        changed.replace_text(text)?;
        self.opened()?.disk.follow(&changed);
        let snapshot = self.snapshot_of(&changed)?;
        let open = self.opened()?;
        let before = std::mem::replace(&mut open.file, changed);
        open.history.step(back, before.text().to_owned());
        self.show(snapshot, None);
        self.journal();
        Ok(self.changed().into())
    }

    /// Keeps what is not saved, or forgets what is.
    fn journal(&mut self) {
        let Some(open) = &mut self.open else { return };
        if open.file.text() == open.saved {
            open.trouble = None;
            return open.journal.clear();
        }
        match open.journal.keep(open.file.name(), open.file.text()) {
            Ok(()) => open.trouble = None,
            Err(e) => {
                let message = format!("unsaved work cannot be kept safe: {e}");
                // Once is enough.
                if open.trouble.as_ref() != Some(&message) {
                    let refusal = Refusal::new("journal", message.clone())
                        .help("save often, and make room in the cache of the user");
                    self.shared.told.say_words(&ErrorEvent::from(refusal.error()));
                }
                open.trouble = Some(message);
            }
        }
    }

    fn save(&mut self) -> Result<Reply, Refusal> {
        let open = self.opened()?;
        if open.file.path().is_none() {
            return Err(Refusal::new("no_file", "the scene has no file yet").help("save it under a name"));
        }
        if self.look_at_scene() {
            let refusal = Refusal::new("changed", "another program has just changed the file");
            return Err(refusal.help("save again to write over it, or load it and undo to see both"));
        }
        let files = self.shared.files();
        let file = &self.opened()?.file;
        files.still(file.path().unwrap_or(Path::new("")))?;
        file.save()?;
        self.saved()
    }

    fn save_as(&mut self, name: &str, overwrite: bool) -> Result<Reply, Refusal> {
        let name = if name.ends_with(".toml") { name.to_owned() } else { format!("{name}.toml") };
        let files = self.shared.files();
        let path = files.writable(&name)?;
        let cache = self.cache.clone();
        let open = self.opened()?;
        let is_own = open.file.path().is_some_and(|own| own.canonicalize().ok() == path.canonicalize().ok());
        if path.exists() && !is_own && !overwrite {
            let refusal = Refusal::new("exists", format!("there is a file {name:?} already"));
            return Err(refusal.help("choose another name"));
        }
        let before = open.file.text().to_owned();
        let is_elsewhere = path.parent().and_then(|folder| folder.canonicalize().ok())
            != open.file.folder().canonicalize().ok();
        if is_elsewhere && !Programs::of(open.file.scene()).is_empty() {
            let refusal = Refusal::new("trust", "its programs are trusted in the folder of the scene only");
            return Err(refusal.help("save it in that folder"));
        }
        open.file.save_as(&path)?;
        files.name(&mut open.file);
        // From now on it is another file, with unsaved work of its own.
        open.journal.clear();
        open.journal = Journal::of(cache.as_deref(), &path, open.file.text()).0;
        if open.file.text() != before {
            // Paths of meshes lead from another folder now: older texts would not find them.
            open.history = History::default();
        }
        self.saved()
    }

    /// What is on the desk is on the disk.
    fn saved(&mut self) -> Result<Reply, Refusal> {
        let open = self.opened()?;
        open.saved = open.file.text().to_owned();
        open.disk.saved(&open.file);
        open.disk.follow(&open.file);
        open.history.close();
        let file = open.file.clone();
        self.journal();
        let snapshot = self.snapshot_of(&file)?;
        self.show(snapshot, None);
        let path = self.shared.files().shown(file.path().unwrap_or(Path::new("")));
        Ok(Saved { revision: self.revision, path }.into())
    }

    /// Takes what is on the disk, as a change that can be undone.
    fn reload(&mut self) -> Result<Reply, Refusal> {
        let path = self.opened()?.file.path().map(Path::to_owned);
        let path = path.ok_or_else(|| Refusal::new("no_file", "the scene has no file yet"))?;
        let mut file = SceneFile::read_within(path, &self.shared.files().reach())?;
        self.shared.files().name(&mut file);
        let (text, parts) = (file.text().to_owned(), ShapeCache::of(file.scene()));
        self.shared.files().admit(&file)?;
        let disk = Disk::of(&file);
        let snapshot = self.next(file.clone(), parts, None)?;
        let open = self.opened()?;
        let before = std::mem::replace(&mut open.file, file);
        if before.text() != text {
            open.history.push("reload".to_owned(), before.text().to_owned(), None);
        }
        open.saved = text;
        open.disk = disk;
        self.show(snapshot, None);
        self.journal();
        Ok(self.changed().into())
    }

    fn recover(&mut self, yes: bool) -> Result<Reply, Refusal> {
        let offer =
            self.opened()?.offer.take().ok_or_else(|| Refusal::new("nothing", "there is no unsaved work"))?;
        if yes {
            let text = offer.unsaved.text.clone();
            let taken = self.edit(|file| {
                file.replace_text(text)?;
                Ok(Done::new("recover unsaved work"))
            });
            if let Err(refusal) = taken {
                self.opened()?.offer = Some(offer);
                return Err(refusal);
            }
        }
        offer.settle();
        self.shared.told.unsaved(None);
        Ok(self.changed().into())
    }

    fn list(&self) -> SceneList {
        let files = self.shared.files();
        SceneList {
            files: files.scenes().into_iter().map(|path| SceneFileInfo { path }).collect(),
            folder: files.root().file_name().map(|name| name.to_string_lossy().into_owned()),
            examples: self.examples.iter().map(|example| example.name).collect(),
        }
    }

    /// Looks whether somebody else changed the files.
    pub(super) fn look(&mut self) {
        let Some(open) = &mut self.open else { return };
        let [meshes, robots] = open.disk.look_at_parts();
        if meshes || robots {
            let mut file = open.file.clone();
            let read = if robots { file.read_robots_again().map_err(Refusal::from) } else { Ok(()) };
            let shown = read
                .and_then(|()| self.shared.files().admit(&file))
                .and_then(|()| self.next(file.clone(), ShapeCache::of(file.scene()), None));
            match (shown, &mut self.open) {
                (Ok(snapshot), Some(open)) => {
                    open.disk.follow(&file);
                    open.file = file;
                    self.show(snapshot, None);
                }
                (Err(refusal), _) => {
                    self.shared.told.say_words(&ErrorEvent::from(refusal.error()));
                }
                (Ok(_), None) => {}
            }
        }
        self.look_at_scene();
    }

    /// Whether somebody else has changed the scene file since the last look; then all are told.
    fn look_at_scene(&mut self) -> bool {
        let Some(open) = &mut self.open else { return false };
        let is_other = open.disk.look_at_scene()
            && open
                .file
                .path()
                .and_then(|path| files::read_text(path, LARGEST_TEXT).ok())
                .is_none_or(|text| text != open.saved);
        if is_other {
            self.shared.told.say(&DiskEvent { event: "disk", changed: true });
        }
        is_other
    }

    fn start_planning(&mut self, snapshot: &Arc<Snapshot>, task: Task) -> Result<Reply, Refusal> {
        // One that was cancelled ends by itself, and nobody waits for what it says.
        if self.plan.running.as_ref().is_some_and(|running| !running.is_cancelled()) {
            return Err(Refusal::new("busy", "a search is under way").help("cancel it first"));
        }
        // Its own threads, which end with it: nothing waits behind it, and one is left for changes.
        let pool = threads("studio plan", 1).map_err(|e| Refusal::new("busy", e.to_string()))?;
        self.plan.number += 1;
        self.plan.proposal = None;
        let cancel = CancelToken::new();
        self.plan.running = Some(cancel.clone());
        let (number, snapshot, told, sender) =
            (self.plan.number, snapshot.clone(), self.shared.told.clone(), self.sender.clone());
        let checker = self.shared.checker.clone();
        std::thread::spawn(move || {
            let (name, step) = planning::name_of(&task);
            let ended = |verdict: PlannedVerdict, message: String| PlannedEvent {
                step: Some(step),
                preview: Some(None),
                ..PlannedEvent::new(name, verdict, Some(message))
            };
            let search = || pool.install(|| planning::run(&snapshot, task, &cancel, &told));
            let found = catch_unwind(AssertUnwindSafe(search));
            let found = found.unwrap_or_else(|_| {
                let event = ended(PlannedVerdict::Error, Refusal::internal().message);
                planning::Ended { proposal: None, event, answers: Vec::new() }
            });
            let planning::Ended { proposal, mut event, answers } = found;
            if cancel.is_cancelled() {
                event = ended(PlannedVerdict::Cancelled, "the search was cancelled".to_owned());
            } else if !answers.is_empty() {
                // A step without a way is judged by what planners answered: it is checked again.
                checker.answered(snapshot.revision, answers);
                checker.check_again(&snapshot);
            }
            // The session may have ended.
            let _ = sender.send(Message::Planned(number, proposal.map(Box::new), Box::new(event)));
        });
        Ok(Nothing {}.into())
    }

    fn stop_planning(&mut self) {
        if let Some(running) = &self.plan.running {
            running.cancel();
        }
    }

    /// A search has ended.
    pub(super) fn planned(&mut self, number: u64, proposal: Option<Box<Proposal>>, event: &PlannedEvent) {
        if number != self.plan.number {
            return;
        }
        let was_cancelled = self.plan.running.take().is_none_or(|running| running.is_cancelled());
        self.plan.proposal = proposal.filter(|_| !was_cancelled);
        self.shared.told.say_words(event);
    }

    fn accept(&mut self, name: Option<String>) -> Result<Reply, Refusal> {
        let proposal =
            self.plan.proposal.take().ok_or_else(|| Refusal::new("nothing", "nothing is planned"))?;
        let (checker, next) = (self.shared.checker.clone(), self.revision + 1);
        let done = self.edit(|file| {
            let done = proposal.apply(file, name.as_deref())?;
            if let Some(step) = done.step {
                checker.answered(next, proposal.answers(step));
            }
            Ok(done)
        });
        if done.is_err() || self.revision != next {
            self.shared.checker.forget_answers(next);
        }
        if done.is_err() {
            // It can be discarded, or accepted after an undo.
            self.plan.proposal = Some(proposal);
        }
        done
    }

    /// The end: what is not saved stays in its journal.
    pub(super) fn close(&mut self) {
        self.shared.checker.stop();
        self.stop_planning();
        self.journal();
    }
}

/// As many threads as the machine runs at once, but for some that are left to others; at least one.
fn threads(name: &'static str, left: usize) -> std::io::Result<rayon::ThreadPool> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(all.saturating_sub(left).max(1));
    pool.thread_name(move |_| name.to_owned()).build().map_err(std::io::Error::other)
}
