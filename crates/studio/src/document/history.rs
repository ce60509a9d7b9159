//! What was done, so that it can be undone: whole texts with labels.

use super::edit::Merge;

/// How many changes are remembered.
const MOST: usize = 1000;

/// How many bytes of text are remembered.
const MOST_BYTES: usize = 1 << 26;

/// Texts before and after the present one.
#[derive(Default)]
pub(super) struct History {
    /// The text before each change, the last change at the end.
    undo: Vec<Entry>,
    /// The text after each change that was undone.
    redo: Vec<Entry>,
    /// What the last change was about, if more of the same join it.
    open: Option<String>,
}

struct Entry {
    label: String,
    text: String,
}

impl History {
    /// The text was `before`; `merge` says what is being dragged.
    pub(super) fn push(&mut self, label: String, before: String, merge: Option<Merge>) {
        self.redo.clear();
        let joins = merge.as_ref().is_some_and(|merge| merge.joins);
        let what = merge.map(|merge| merge.what);
        let is_more = joins && self.open == what && !self.undo.is_empty();
        self.open = what;
        if is_more {
            return;
        }
        self.undo.push(Entry { label, text: before });
        let size = |entries: &[Entry]| entries.iter().map(|entry| entry.text.len()).sum::<usize>();
        while self.undo.len() > MOST || (self.undo.len() > 1 && size(&self.undo) > MOST_BYTES) {
            self.undo.remove(0);
        }
    }

    /// What follows is a change of its own.
    pub(super) fn close(&mut self) {
        self.open = None;
    }

    /// What would be undone, and what redone.
    pub(super) fn labels(&self) -> [Option<&str>; 2] {
        [&self.undo, &self.redo].map(|entries| entries.last().map(|entry| entry.label.as_str()))
    }

    /// The text to go to; `now` is the present one, and `go` takes the other. Nothing changes if that fails.
    pub(super) fn step<E>(
        &mut self,
        back: bool,
        now: &str,
        go: impl FnOnce(&str) -> Result<(), E>,
    ) -> Option<Result<(), E>> {
        let (from, to) =
            if back { (&mut self.undo, &mut self.redo) } else { (&mut self.redo, &mut self.undo) };
        let entry = from.pop()?;
        self.open = None;
        match go(&entry.text) {
            Ok(()) => {
                to.push(Entry { label: entry.label, text: now.to_owned() });
                Some(Ok(()))
            }
            Err(error) => {
                from.push(entry);
                Some(Err(error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_go_back_and_forth_and_drags_are_one() {
        let mut history = History::default();
        let mut text = String::from("0");
        let mut to = |history: &mut History, next: &str, merge: Option<(&str, bool)>| {
            history.push(
                format!("to {next}"),
                std::mem::replace(&mut text, next.to_owned()),
                merge.map(|(what, joins)| Merge { what: what.to_owned(), joins }),
            );
        };
        to(&mut history, "1", None);
        to(&mut history, "2", Some(("a", false)));
        to(&mut history, "3", Some(("a", true)));
        to(&mut history, "4", Some(("b", true)));
        assert_eq!(history.labels(), [Some("to 4"), None]);
        let mut seen = Vec::new();
        for now in ["4", "2", "1"] {
            let _ = now;
            history
                .step(true, "now", |text| {
                    seen.push(text.to_owned());
                    Ok::<(), ()>(())
                })
                .unwrap()
                .unwrap();
        }
        assert_eq!(seen, ["3", "1", "0"]);
        assert!(history.step(true, "0", |_| Ok::<(), ()>(())).is_none());
        assert_eq!(history.labels(), [None, Some("to 1")]);
        assert!(history.step(false, "0", |_| Err::<(), ()>(())).unwrap().is_err());
        assert_eq!(history.labels(), [None, Some("to 1")]);
    }
}
