//! What killed processes have left half written.

use freiraum::files;
use std::path::Path;

/// Removes it from the folders of these files, before anything else is read or written there; `-` is stdout.
pub(super) fn sweep<'p>(files: impl IntoIterator<Item = &'p Path>) {
    let named = files.into_iter().filter(|path| path.as_os_str() != "-");
    named.for_each(files::sweep_beside);
}

/// The same for folders that files are written into.
pub(super) fn sweep_folders<'p>(folders: impl IntoIterator<Item = &'p Path>) {
    folders.into_iter().for_each(files::sweep);
}
