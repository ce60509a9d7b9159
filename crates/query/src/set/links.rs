//! The tree that a group brings along, such as the links of a robot, as the form of a bounding tree.

use crate::tree::Form;

/// One node of the structure that a group brings along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The node it hangs on, which stands before it; `None` for a root.
    pub parent: Option<u32>,
    /// The body of the group (by its place there) that moves with it, if any.
    pub body: Option<u32>,
}

/// Why a structure cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinksError {
    /// A parent does not stand before its child.
    #[error("link {link} hangs on link {parent}, which does not stand before it")]
    ParentBehind {
        /// The link.
        link: u32,
        /// Its parent.
        parent: u32,
    },
    /// A link has a body that the group does not have.
    #[error("link {link} has body {body}, but the group has {bodies} bodies")]
    NoSuchBody {
        /// The link.
        link: u32,
        /// Its body.
        body: u32,
        /// Number of bodies of the group.
        bodies: usize,
    },
    /// A body hangs on no link or on several.
    #[error("body {body} belongs to {links} links instead of one")]
    NotOneLink {
        /// The body.
        body: u32,
        /// How many links it belongs to.
        links: u32,
    },
}

/// Checks that every parent stands before its children and every body belongs to one link.
pub(super) fn check(links: &[Link], bodies: usize) -> Result<(), LinksError> {
    let mut uses = vec![0u32; bodies];
    for (i, link) in (0u32..).zip(links) {
        if let Some(parent) = link.parent.filter(|&p| p >= i) {
            return Err(LinksError::ParentBehind { link: i, parent });
        }
        if let Some(body) = link.body {
            let Some(count) = uses.get_mut(body as usize) else {
                return Err(LinksError::NoSuchBody { link: i, body, bodies });
            };
            *count += 1;
        }
    }
    match (0u32..).zip(uses).find(|&(_, links)| links != 1) {
        Some((body, links)) => Err(LinksError::NotOneLink { body, links }),
        None => Ok(()),
    }
}

/// The form of a bounding tree with the same structure, for checked links; `object_of(body)` is the number of a body in
/// the tree, or `None` where it is kept outside.
///
/// A leaf without a body goes, a node without a body and with one child goes, a node without a body that is an only
/// child goes. A body in an inner node moves into a leaf: the node becomes a join of that leaf and of the join of its
/// old children. (Text 000, 5.5.1.2.)
pub(super) fn form(links: &[Link], objects: usize, object_of: impl Fn(u32) -> Option<u32>) -> Form {
    let mut form = Form::new(objects);
    // What hangs on each link, complete when its turn comes because children stand behind their parents. A join of a
    // single node is that node, which is what the second and the third rule ask for.
    let mut hanging: Vec<Vec<u32>> = vec![Vec::new(); links.len()];
    let mut roots = Vec::new();
    for i in (0..links.len()).rev() {
        let mut children = std::mem::take(&mut hanging[i]);
        children.reverse();
        let object = links[i].body.and_then(&object_of);
        let below = if children.is_empty() { None } else { Some(form.join(&children)) };
        let node = match (object, below) {
            (Some(object), Some(below)) => form.join(&[object, below]),
            (Some(node), None) | (None, Some(node)) => node,
            (None, None) => continue,
        };
        match links[i].parent {
            Some(parent) => hanging[parent as usize].push(node),
            None => roots.push(node),
        }
    }
    roots.reverse();
    if roots.len() > 1 {
        form.join(&roots);
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Links from (parent, body), -1 for none.
    fn links(nodes: &[(i32, i32)]) -> Vec<Link> {
        let some = |i: i32| u32::try_from(i).ok();
        nodes.iter().map(|&(parent, body)| Link { parent: some(parent), body: some(body) }).collect()
    }

    /// The form as text: objects by number, joins in brackets.
    fn written(form: &Form, node: u32) -> String {
        match form.children(node) {
            [] => node.to_string(),
            children => {
                let parts: Vec<String> = children.iter().map(|&c| written(form, c)).collect();
                format!("[{}]", parts.join(" "))
            }
        }
    }

    fn check_form(nodes: &[(i32, i32)], bodies: usize, expected: &str) {
        let links = links(nodes);
        check(&links, bodies).unwrap();
        let form = form(&links, bodies, Some);
        assert!(form.is_whole());
        assert_eq!(form.root().map_or(String::new(), |root| written(&form, root)), expected);
    }

    #[test]
    fn nodes_without_a_body_go() {
        check_form(&[(-1, 0)], 1, "0");
        check_form(&[(-1, 0), (0, -1)], 1, "0");
        check_form(&[(-1, -1), (0, -1), (1, 0), (1, -1), (2, 1)], 2, "[0 1]");
        // A chain of joints without bodies between two bodies.
        check_form(&[(-1, 0), (0, -1), (1, -1), (2, 1)], 2, "[0 1]");
        // An only child without a body: its children take its place.
        check_form(&[(-1, 0), (0, -1), (1, 1), (1, 2)], 3, "[0 [1 2]]");
        check_form(&[(-1, -1), (0, -1)], 0, "");
    }

    #[test]
    fn bodies_in_inner_nodes_become_leaves() {
        // A trunk with two arms of two parts each and a head.
        let robot = [(-1, 0), (0, 1), (1, 2), (0, 3), (3, 4), (0, 5)];
        check_form(&robot, 6, "[0 [[1 2] [3 4] 5]]");
        // The monster truck of text 000: body, two axles without body, four wheels, a mast with nothing that collides.
        let truck = [(-1, -1), (0, 0), (1, -1), (2, 1), (2, 2), (1, -1), (5, 3), (5, 4), (1, -1), (8, -1)];
        check_form(&truck, 5, "[0 [[1 2] [3 4]]]");
    }

    #[test]
    fn several_roots_are_joined() {
        check_form(&[(-1, 0), (-1, 1), (-1, -1), (2, 2)], 3, "[0 1 2]");
    }

    #[test]
    fn bodies_outside_are_left_out() {
        let links = links(&[(-1, 0), (0, 1), (1, 2)]);
        let form = form(&links, 2, |body| [Some(0), None, Some(1)][body as usize]);
        assert_eq!(written(&form, form.root().unwrap()), "[0 1]");
    }

    #[test]
    fn a_long_chain_is_no_problem() {
        let chain: Vec<(i32, i32)> = (0..20_000).map(|i| (i - 1, i)).collect();
        let links = links(&chain);
        check(&links, chain.len()).unwrap();
        assert!(form(&links, chain.len(), Some).is_whole());
    }

    #[test]
    fn broken_structures_are_refused() {
        let refused = |nodes: &[(i32, i32)], bodies| check(&links(nodes), bodies).unwrap_err();
        assert_eq!(refused(&[(0, 0)], 1), LinksError::ParentBehind { link: 0, parent: 0 });
        assert_eq!(refused(&[(-1, 0), (5, 1)], 2), LinksError::ParentBehind { link: 1, parent: 5 });
        assert_eq!(refused(&[(-1, 3)], 2), LinksError::NoSuchBody { link: 0, body: 3, bodies: 2 });
        assert_eq!(refused(&[(-1, 0)], 2), LinksError::NotOneLink { body: 1, links: 0 });
        assert_eq!(refused(&[(-1, 0), (0, 0)], 1), LinksError::NotOneLink { body: 0, links: 2 });
    }
}
