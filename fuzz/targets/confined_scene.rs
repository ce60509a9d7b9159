//! Scenes that may name nothing outside of a folder, as the studio reads them: whatever the text is, no file elsewhere is part of the scene, and
//! what is said of it steers no terminal.
#![cfg_attr(feature = "for_libfuzzer", no_main)]

use freiraum_files::Reach;
use freiraum_formats::scene::SceneFile;
use freiraum_scene::{Geometry, is_odd, plain};
use std::path::Path;

freiraum_fuzz::target!(|text: &str| {
    assert!(!plain(text).contains(is_odd));
    // There is nothing in it: whatever is named is elsewhere, or not there.
    let folder = Path::new("/nonexistent");
    let reach = Reach::within([folder.to_owned()]);
    match SceneFile::parse_within(text, folder, "input", &reach) {
        Ok(file) => {
            let is_file = |geometry: &Geometry| matches!(geometry, Geometry::File { .. });
            assert!(!file.scene().bodies.iter().any(|body| is_file(&body.geometry)));
            assert!(file.robot_files().iter().all(Vec::is_empty) && file.table_files().is_empty());
        }
        Err(errors) => assert!(!errors.problems().is_empty()),
    }
});
