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

    /// The text to go to.
    pub(super) fn next(&self, back: bool) -> Option<&str> {
        let from = if back { &self.undo } else { &self.redo };
        from.last().map(|entry| entry.text.as_str())
    }

    /// It was gone to; `before` is the text that was there.
    pub(super) fn step(&mut self, back: bool, before: String) {
        let (from, to) =
            if back { (&mut self.undo, &mut self.redo) } else { (&mut self.redo, &mut self.undo) };
        self.open = None;
        if let Some(entry) = from.pop() {
            to.push(Entry { label: entry.label, text: before });
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
            let before = std::mem::replace(&mut text, next.to_owned());
            let merge = merge.map(|(what, joins)| Merge { what: what.to_owned(), joins });
            history.push(format!("to {next}"), before, merge);
        };
        to(&mut history, "1", None);
        to(&mut history, "2", Some(("a", false)));
        to(&mut history, "3", Some(("a", true)));
        to(&mut history, "4", Some(("b", true)));
        assert_eq!(history.labels(), [Some("to 4"), None]);
        let mut now = "4".to_owned();
        for back in [true, true, true, false, false, false, true] {
            let next = history.next(back).unwrap().to_owned();
            history.step(back, std::mem::replace(&mut now, next));
        }
        assert_eq!(now, "3");
        assert_eq!(history.labels(), [Some("to 2"), Some("to 4")]);
        assert_eq!((history.next(true), history.next(false)), (Some("1"), Some("4")));
        // A change after that: what was undone is gone.
        history.push("to 5".to_owned(), now, None);
        assert_eq!(history.labels(), [Some("to 5"), None]);
        assert_eq!(history.next(false), None);
    }
}
