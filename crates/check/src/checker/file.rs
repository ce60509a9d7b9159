//! The plan of a scene file.

use super::{CheckMemory, CheckOptions, Report, check};
use crate::timeline::Timeline;
use freiraum_assets::ShapeCache;
use freiraum_formats::scene::{SceneErrors, SceneFile};

/// Checks all steps of the plan of a scene file, as [`check`] does, with the lines and columns of the file in what it finds.
///
/// Reads the meshes that the file names. For paths that the file leaves open, plan first; they are undecided here. Callers that
/// check a plan again and again keep a [`ShapeCache`] and a [`CheckMemory`] and call [`check`].
///
/// **Guarantee.** That of [`check`]. **Errors.** Those of [`check`] and of [`Timeline::of`], rendered with the lines of the file.
pub fn check_file(file: &SceneFile, options: &CheckOptions) -> Result<Report, SceneErrors> {
    let scene = file.scene();
    let report = Timeline::of(scene).and_then(|timeline| {
        let options = CheckOptions { file: Some(file), ..*options };
        check(scene, &timeline, &ShapeCache::of(scene), &CheckMemory::default(), &options)
    });
    report.map_err(|problems| file.errors(problems))
}
