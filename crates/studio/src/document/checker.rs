//! Checking in the background: after every change, the newest revision first, with what is remembered from before.

use super::Told;
use super::checked::Checked;
use super::snapshot::Snapshot;
use super::verdict::{self, Known};
use crate::protocol::Refusal;
use freiraum_check::{CheckMemory, CheckOptions, Report, StepResult, Timeline, check};
use freiraum_motion::CancelToken;
use freiraum_planning::path::{
    CompleteOptions, Completed, Outcome, Progress, StepFound, complete_until, open_steps,
};
use freiraum_scene::{Problem, Scene};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime};

/// So many checks run at once: one that was overtaken ends only after the pairs that it is asking about.
const LANES: usize = 2;

/// So often it is told how far a check is.
const PAUSE: Duration = Duration::from_millis(100);

/// Up to so many remembered pairs stay when another scene is opened: some 3 MB.
const FEW_PAIRS: usize = 10_000;

/// More remembered pairs than this are thinned out.
const MOST_PAIRS: usize = 200_000;

/// Checks the newest scene.
pub(crate) struct Checker {
    told: Arc<Told>,
    pools: [rayon::ThreadPool; LANES],
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    memory: Arc<CheckMemory>,
    is_busy: [bool; LANES],
    /// Of the newest check; a check with another one is overtaken.
    newest: CancelToken,
    waiting: Option<(CancelToken, Arc<Snapshot>)>,
    /// What the newest complete check found.
    last: Option<(u64, Arc<Checked>)>,
    /// What planners answered for ways of revisions that were left open, or were so before they were accepted.
    planned: Vec<(u64, StepFound)>,
}

impl Checker {
    pub(super) fn new(told: Arc<Told>) -> std::io::Result<Arc<Checker>> {
        let pool = || rayon::ThreadPoolBuilder::new().thread_name(|_| "studio check".to_owned()).build();
        let pools = [pool().map_err(std::io::Error::other)?, pool().map_err(std::io::Error::other)?];
        Ok(Arc::new(Checker { told, pools, state: Mutex::default() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Checks this one; a check of an older one ends.
    pub(super) fn start(self: &Arc<Checker>, snapshot: &Arc<Snapshot>) {
        let cancel = CancelToken::new();
        std::mem::replace(&mut self.state().newest, cancel.clone()).cancel();
        let steps = vec![None; snapshot.timeline.stages.len()];
        let known = Known::Steps { running: true, steps: &steps };
        self.told.verdict(&verdict::event(snapshot, &known));
        let mut state = self.state();
        match state.is_busy.iter().position(|is_busy| !is_busy) {
            Some(lane) => {
                state.is_busy[lane] = true;
                drop(state);
                let (checker, snapshot) = (self.clone(), snapshot.clone());
                std::thread::spawn(move || checker.work(lane, cancel, snapshot));
            }
            None => state.waiting = Some((cancel, snapshot.clone())),
        }
    }

    /// Checks this one again, unless it is no longer the newest.
    pub(super) fn check_again(self: &Arc<Checker>, snapshot: &Arc<Snapshot>) {
        if self.told.revision() == snapshot.revision {
            self.start(snapshot);
        }
    }

    /// Ends what is running; what was found so far stays.
    pub(super) fn stop(&self) {
        let mut state = self.state();
        state.newest.cancel();
        state.waiting = None;
    }

    /// Another scene is open: a check of the last one ends, and what it found goes. What is remembered of
    /// pairs stays as long as that is little, because the scene may be opened again.
    pub(super) fn forget(&self) {
        self.stop();
        let mut state = self.state();
        (state.last, state.planned) = (None, Vec::new());
        if state.memory.len() > FEW_PAIRS {
            state.memory = Arc::default();
        }
    }

    /// What was found about this revision, if its check is done.
    pub(crate) fn result(&self, revision: u64) -> Option<Arc<Checked>> {
        self.state().last.as_ref().filter(|(of, _)| *of == revision).map(|(_, result)| result.clone())
    }

    /// What is remembered, for checks elsewhere.
    pub(crate) fn memory(&self) -> Arc<CheckMemory> {
        let memory = self.state().memory.clone();
        if memory.len() <= MOST_PAIRS {
            return memory;
        }
        // Writing and reading hundreds of thousands of pairs takes long: meanwhile the lock is free.
        let thinned = Arc::new(CheckMemory::from_bytes(&memory.to_bytes()));
        let mut state = self.state();
        if Arc::ptr_eq(&state.memory, &memory) {
            state.memory = thinned;
        }
        state.memory.clone()
    }

    /// Checks a scene with what is remembered, and with what planners answered for it.
    pub(crate) fn check(&self, snapshot: &Snapshot, options: &CheckOptions) -> Result<Report, Vec<Problem>> {
        let planned: Vec<_> = self.planned(snapshot.revision).iter().map(StepFound::planned).collect();
        let options = CheckOptions { planned: &planned, ..*options };
        self.check_plan(snapshot, snapshot.scene(), &snapshot.timeline, &options)
    }

    /// The same of a plan with ways that planners found for it.
    fn check_plan(
        &self,
        snapshot: &Snapshot,
        scene: &Scene,
        timeline: &Timeline,
        options: &CheckOptions,
    ) -> Result<Report, Vec<Problem>> {
        let options = CheckOptions { file: Some(&snapshot.file), date: Some(SystemTime::now()), ..*options };
        check(scene, timeline, &snapshot.parts, &self.memory(), &options)
    }

    /// Keeps the answers of planners for steps of this revision, instead of earlier ones for the same steps.
    pub(super) fn answered(&self, revision: u64, found: Vec<StepFound>) {
        let mut state = self.state();
        let is_newer = |step: usize| found.iter().any(|one| one.index == step);
        // Those of the revision before stay until this one is there.
        state.planned.retain(|(of, one)| *of + 1 >= revision && (*of != revision || !is_newer(one.index)));
        state.planned.extend(found.into_iter().map(|one| (revision, one)));
        state.planned.sort_by_key(|(of, one)| (*of, one.index));
    }

    /// There will be no such revision, or another one.
    pub(super) fn forget_answers(&self, revision: u64) {
        self.state().planned.retain(|(of, _)| *of != revision);
    }

    fn planned(&self, revision: u64) -> Vec<StepFound> {
        let state = self.state();
        state.planned.iter().filter(|(of, _)| *of == revision).map(|(_, one)| one.clone()).collect()
    }

    fn work(&self, lane: usize, cancel: CancelToken, snapshot: Arc<Snapshot>) {
        let mut job = Some((cancel, snapshot));
        while let Some((cancel, snapshot)) = job {
            let checked =
                catch_unwind(AssertUnwindSafe(|| self.pools[lane].install(|| self.one(&cancel, &snapshot))));
            if checked.is_err() {
                // A mistake of ours: said, and the next change is checked again.
                let steps = vec![None; snapshot.timeline.stages.len()];
                let known = Known::Error { steps: &steps, error: Refusal::internal().error() };
                self.told.verdict(&verdict::event(&snapshot, &known));
            }
            let mut state = self.state();
            job = state.waiting.take();
            state.is_busy[lane] = job.is_some();
        }
    }

    fn one(&self, cancel: &CancelToken, snapshot: &Snapshot) {
        let is_overtaken = || cancel.is_cancelled();
        let steps: Mutex<(Vec<Option<StepResult>>, Instant)> =
            Mutex::new((vec![None; snapshot.timeline.stages.len()], Instant::now()));
        let tell = |steps: &[Option<StepResult>], running: bool| {
            let known = Known::Steps { running, steps };
            self.told.verdict(&verdict::event(snapshot, &known));
        };
        let found = |index: usize, step: &StepResult| {
            let mut steps = steps.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            steps.0[index] = Some(step.clone());
            if steps.1.elapsed() >= PAUSE && !is_overtaken() {
                steps.1 = Instant::now();
                tell(&steps.0, true);
            }
        };
        let options = CheckOptions { found: Some(&found), cancel: Some(cancel), ..CheckOptions::default() };
        let result = self.check(snapshot, &options);
        let steps = steps.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).0;
        match result {
            Ok(result) => {
                if !is_overtaken() {
                    self.tell(snapshot, Checked::of(result));
                    self.look_for_ways(cancel, snapshot);
                }
            }
            // A newer one tells more; if somebody stopped it, what is known stays.
            Err(_) if is_overtaken() => self.told.stopped(snapshot.revision, || {
                verdict::event(snapshot, &Known::Steps { running: false, steps: &steps })
            }),
            Err(problems) => {
                let error = Refusal::from(snapshot.file.errors(problems)).error();
                self.told.verdict(&verdict::event(snapshot, &Known::Error { steps: &steps, error }));
            }
        }
    }

    /// What a check found is known from now on.
    fn tell(&self, snapshot: &Snapshot, checked: Checked) {
        let checked = Arc::new(checked);
        self.state().last = Some((snapshot.revision, checked.clone()));
        self.told.verdict(&verdict::event(snapshot, &Known::All(&checked.report)));
    }

    /// Asks planners for the ways that a scene leaves open, and tells the verdict of the plan with those that
    /// they find, as `freiraum check`
    /// does. The scene itself stays as it is. Ends with the token, as the check before it.
    fn look_for_ways(&self, cancel: &CancelToken, snapshot: &Snapshot) {
        let asked = self.planned(snapshot.revision);
        let has_none = |one: &StepFound| !matches!(one.found.outcome, Outcome::Path(_));
        let is_answered = |step: &usize| asked.iter().any(|one| one.index == *step && has_none(one));
        if open_steps(snapshot.scene()).iter().all(is_answered) {
            return;
        }
        let found = self.with_ways(cancel, snapshot, &asked);
        match found {
            _ if cancel.is_cancelled() => {}
            Ok(checked) if checked.report.steps.len() == snapshot.timeline.stages.len() => {
                self.tell(snapshot, checked);
            }
            // Lines for pages stand for the stages of the scene as it is.
            Ok(_) => {}
            Err(problems) => {
                let error = Refusal::from(snapshot.file.errors(problems)).error();
                let steps = vec![None; snapshot.timeline.stages.len()];
                self.told.verdict(&verdict::event(snapshot, &Known::Error { steps: &steps, error }));
            }
        }
    }

    /// The check of the plan with the ways that planners find; where they find none, what was answered before
    /// holds.
    fn with_ways(
        &self,
        cancel: &CancelToken,
        snapshot: &Snapshot,
        asked: &[StepFound],
    ) -> Result<Checked, Vec<Problem>> {
        let mut progress = |_: &str, _: &Progress| {
            if cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = CompleteOptions::default();
        let Completed { scene, steps: mut planned } =
            complete_until(snapshot.scene(), &snapshot.parts, &options, cancel, &mut progress)?;
        for one in &mut planned {
            let is_open = !matches!(one.found.outcome, Outcome::Path(_));
            if let Some(known) = asked.iter().find(|known| is_open && known.index == one.index) {
                *one = known.clone();
            }
        }
        let timeline = Timeline::of(&scene)?;
        let planned: Vec<_> = planned.iter().map(StepFound::planned).collect();
        let options = CheckOptions { planned: &planned, cancel: Some(cancel), ..CheckOptions::default() };
        let report = self.check_plan(snapshot, &scene, &timeline, &options)?;
        Ok(Checked::with_ways(report, scene, timeline))
    }
}
