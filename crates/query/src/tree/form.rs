//! Who belongs to whom in a tree, without any volume.

/// The form of a tree: objects `0..leaves` are its leaves, joins are numbered on from there, the last join is the root.
///
/// Builders make forms, [`Tree`](super::Tree) fills them with volumes. A join has two or more children, so that no
/// node repeats the one below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    leaves: u32,
    /// For each join the end of its children in `children`.
    ends: Vec<u32>,
    children: Vec<u32>,
}

impl Form {
    /// The form of so many separate objects, nothing joined yet.
    pub fn new(leaves: usize) -> Form {
        Form { leaves: leaves as u32, ends: Vec::new(), children: Vec::new() }
    }

    /// Joins nodes (objects or earlier joins, each at most once) under a new node and returns its number.
    ///
    /// A single node is its own join.
    pub fn join(&mut self, children: &[u32]) -> u32 {
        if let [only] = children {
            return *only;
        }
        self.children.extend_from_slice(children);
        self.ends.push(self.children.len() as u32);
        self.leaves + self.ends.len() as u32 - 1
    }

    /// Number of objects.
    pub fn leaves(&self) -> usize {
        self.leaves as usize
    }

    /// Number of joins.
    pub fn joins(&self) -> usize {
        self.ends.len()
    }

    /// The root, or `None` for a form of no objects.
    pub fn root(&self) -> Option<u32> {
        (self.leaves > 0).then(|| self.leaves - 1 + self.ends.len() as u32)
    }

    /// The children of a node; empty for objects.
    pub fn children(&self, node: u32) -> &[u32] {
        let Some(join) = node.checked_sub(self.leaves).map(|j| j as usize) else { return &[] };
        let start = if join == 0 { 0 } else { self.ends[join - 1] };
        &self.children[start as usize..self.ends[join] as usize]
    }

    /// True if every object and every join but the root is the child of exactly one later join.
    pub fn is_whole(&self) -> bool {
        let nodes = self.leaves() + self.joins();
        let mut seen = vec![false; nodes];
        for join in self.leaves..nodes as u32 {
            if self.children(join).len() < 2 {
                return false;
            }
            for &child in self.children(join) {
                if child >= join || std::mem::replace(&mut seen[child as usize], true) {
                    return false;
                }
            }
        }
        // With one object there is no join and the object itself is the root.
        seen.iter().filter(|&&s| !s).count() == usize::from(nodes > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_are_numbered_on_from_the_objects() {
        let mut form = Form::new(3);
        assert!(!form.is_whole());
        assert_eq!(form.join(&[2, 0]), 3);
        assert_eq!(form.join(&[3]), 3, "a single node is its own join");
        assert_eq!(form.join(&[1, 3]), 4);
        assert!(form.is_whole());
        assert_eq!((form.root(), form.joins()), (Some(4), 2));
        assert_eq!(
            (form.children(4), form.children(3), form.children(1)),
            (&[1, 3][..], &[2, 0][..], &[][..])
        );
    }

    #[test]
    fn broken_forms_are_seen() {
        let broken = |joins: &[&[u32]]| {
            let mut form = Form::new(3);
            for join in joins {
                form.join(join);
            }
            !form.is_whole()
        };
        assert!(broken(&[&[0, 1]]), "an object is left over");
        assert!(broken(&[&[0, 1], &[0, 2, 3]]), "an object is used twice");
        assert!(broken(&[&[0, 4], &[1, 2, 3]]), "a join precedes its child");
        assert!(!broken(&[&[0, 1, 2]]));
    }

    #[test]
    fn nothing_and_one_object() {
        assert_eq!(Form::new(0).root(), None);
        assert!(Form::new(0).is_whole());
        assert_eq!(Form::new(1).root(), Some(0));
        assert!(Form::new(1).is_whole());
    }
}
