//! What a search has found and waits for somebody to accept it.

use super::edit::{self, Done};
use super::planning::Target;
use super::snapshot::Snapshot;
use super::stages;
use crate::protocol::Refusal;
use freiraum_check::Timeline;
use freiraum_formats::scene::SceneFile;
use freiraum_planning::path::StepFound;
use freiraum_scene::{Move, Piece, Place, Scene, Step, Task, Travel};

/// What was found, and what it was found for.
pub(super) struct Proposal {
    proposed: Proposed,
    /// The scene that was searched.
    scene: Box<Scene>,
    /// What planners answered.
    answers: Vec<StepFound>,
}

/// What was found.
pub(super) enum Proposed {
    /// A way.
    Way(Target, Vec<Piece>),
    /// What the only robot of a step does.
    Task(usize, Task),
    /// Poses, goals and steps.
    Order(Box<Scene>),
}

impl Proposal {
    pub(super) fn new(snapshot: &Snapshot, proposed: Proposed) -> Proposal {
        Proposal { proposed, scene: Box::new(snapshot.scene().clone()), answers: Vec::new() }
    }

    /// With what planners answered.
    pub(super) fn answered(self, answers: Vec<StepFound>) -> Proposal {
        Proposal { answers, ..self }
    }

    /// What planners answered, for the step that it was written into.
    pub(super) fn answers(&self, step: usize) -> Vec<StepFound> {
        self.answers.iter().map(|one| StepFound { index: step, ..one.clone() }).collect()
    }

    /// Writes it into the file, which may have changed since; refused where that makes no sense any more. On an error the file may be half changed.
    pub(super) fn apply(&self, file: &mut SceneFile, name: Option<&str>) -> Result<Done, Refusal> {
        let names = |scene: &Scene| -> Vec<String> {
            let bodies = scene.bodies.iter().map(|body| body.name.clone());
            bodies.chain(scene.groups.iter().map(|group| group.name.clone())).collect()
        };
        if names(file.scene()) != names(&self.scene) {
            return Err(stale());
        }
        let step = match &self.proposed {
            Proposed::Order(scene) => {
                file.take_plan(scene, true)?;
                None
            }
            Proposed::Task(step, task) => {
                let step = self.find(file, *step)?;
                file.set_task(step, 0, task)?;
                if let Some(name) = name {
                    file.rename_step(step, name)?;
                }
                Some(step)
            }
            Proposed::Way(Target::Fill { step, .. }, pieces) => {
                let step = self.find(file, *step)?;
                file.set_travel(step, 0, &travel(pieces))?;
                if let Some(name) = name {
                    file.rename_step(step, name)?;
                }
                Some(step)
            }
            Proposed::Way(Target::Add { index, bodies, start, is_moved }, pieces) => {
                let index = match index.checked_sub(1) {
                    Some(before) => self.find(file, before)? + 1,
                    None => 0,
                };
                let timeline =
                    Timeline::of(file.scene()).map_err(|problems| Refusal::from(file.errors(problems)))?;
                let stage = timeline.stages.get(stages::first_of(&timeline, index));
                let before = stage.map_or_else(|| timeline.end.clone(), |stage| stage.before.to_vec());
                let mut pieces = pieces.clone();
                if before[bodies[0]] != *start {
                    if !is_moved {
                        return Err(stale());
                    }
                    // First to where it was put by hand.
                    pieces.insert(0, Piece { travel: Travel::To(*start), share: pieces[0].share });
                }
                let subject = edit::subject(file, bodies)?;
                let name = name.map(str::to_owned).unwrap_or_else(|| {
                    edit::free_step_name(file, format!("move {}", freiraum_check::words::named(&subject)))
                });
                let moves = vec![Move {
                    subject,
                    bodies: bodies.clone(),
                    travel: travel(&pieces),
                    place: Place::default(),
                }];
                file.insert_step(
                    index,
                    &Step { name, moves, tasks: Vec::new(), seconds: 1.0, place: Place::default() },
                )?;
                Some(index)
            }
        };
        Ok(Done { step, ..Done::new("accept the plan") })
    }

    /// The number that a step of the searched scene has now.
    fn find(&self, file: &SceneFile, step: usize) -> Result<usize, Refusal> {
        let old = &self.scene.steps[step];
        let subjects = |step: &Step| step.moves.iter().map(|one| one.subject.clone()).collect::<Vec<_>>();
        let is_it =
            |new: &Step| new.name == old.name && subjects(new) == subjects(old) && orders(new) == orders(old);
        let steps = &file.scene().steps;
        if steps.get(step).is_some_and(is_it) {
            return Ok(step);
        }
        let mut found = steps.iter().enumerate().filter(|(_, new)| is_it(new));
        match (found.next(), found.next()) {
            (Some((now, _)), None) => Ok(now),
            _ => Err(stale()),
        }
    }
}

fn travel(pieces: &[Piece]) -> Travel {
    match pieces {
        [one] => one.travel.clone(),
        several => Travel::Path(several.to_vec()),
    }
}

/// All that robots are told in a step, to the last digit.
fn orders(step: &Step) -> Vec<(usize, String)> {
    let of_task = |task: &Task| {
        let kinds: Vec<_> = task.actions.iter().map(|action| &action.kind).collect();
        (task.robot, format!("{kinds:?}"))
    };
    step.tasks.iter().map(of_task).collect()
}

fn stale() -> Refusal {
    Refusal::new("stale", "the scene has changed since this was planned").help("plan it again")
}
