//! What a check found, and the plan that it is about.

use super::snapshot::Snapshot;
use freiraum_check::{Report, Timeline};
use freiraum_scene::Scene;

/// A report with its plan: that of the scene as it is, or the one with the ways that planners found.
pub(crate) struct Checked {
    pub(crate) report: Report,
    completed: Option<(Scene, Timeline)>,
}

impl Checked {
    /// About the scene as it is.
    pub(crate) fn of(report: Report) -> Checked {
        Checked { report, completed: None }
    }

    /// About a scene whose open ways were found.
    pub(super) fn with_ways(report: Report, scene: Scene, timeline: Timeline) -> Checked {
        Checked { report, completed: Some((scene, timeline)) }
    }

    /// The plan that the report is about, of this snapshot.
    pub(crate) fn plan<'c>(&'c self, snapshot: &'c Snapshot) -> (&'c Scene, &'c Timeline) {
        match &self.completed {
            Some((scene, timeline)) => (scene, timeline),
            None => (snapshot.scene(), &snapshot.timeline),
        }
    }
}
