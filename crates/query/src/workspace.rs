//! Memory that questions reuse, one per thread, so that asking does not allocate once warm. It holds no answers.

use crate::contact::ContactWorkspace;
use crate::convex::PenetrationWorkspace;
use crate::mesh_tree::MeshWorkspace;
use std::cell::Cell;

thread_local! {
    static PENETRATION: Cell<PenetrationWorkspace> = Cell::default();
    static MESHES: Cell<MeshWorkspace> = Cell::default();
    static CONTACTS: Cell<Option<Box<ContactWorkspace>>> = const { Cell::new(None) };
}

/// Lends the memory for convex pairs, without what it knows of the last pair. Asked for again meanwhile, it is a new one.
pub(crate) fn with_penetration<T>(use_it: impl FnOnce(&mut PenetrationWorkspace) -> T) -> T {
    let mut workspace = PENETRATION.take();
    workspace.forget();
    let answer = use_it(&mut workspace);
    PENETRATION.set(workspace);
    answer
}

/// Lends the memory for pairs of meshes.
pub(crate) fn with_meshes<T>(use_it: impl FnOnce(&mut MeshWorkspace) -> T) -> T {
    let mut workspace = MESHES.take();
    let answer = use_it(&mut workspace);
    MESHES.set(workspace);
    answer
}

/// Lends the memory for contacts of surfaces. Boxed, because it is large and moved at every question.
pub(crate) fn with_contacts<T>(use_it: impl FnOnce(&mut ContactWorkspace) -> T) -> T {
    let mut workspace = CONTACTS.take().unwrap_or_default();
    let answer = use_it(&mut workspace);
    CONTACTS.set(Some(workspace));
    answer
}
