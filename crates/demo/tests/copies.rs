//! The texts that this crate carries are those of `examples/`.

use std::path::{Path, PathBuf};

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn every_file_equals_the_example_of_its_name() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("files");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = files_below(&own);
    assert_eq!(files.len(), 18);
    for file in files {
        let name = file.strip_prefix(&own).unwrap();
        let example = examples.join(name);
        let is_equal = std::fs::read(&file).unwrap() == std::fs::read(&example).unwrap();
        assert!(is_equal, "copy examples/{0} to crates/demo/files/{0}", name.display());
    }
}
