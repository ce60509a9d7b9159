//! The files that the robots of a scene are read from.

use super::errors::SceneErrors;
use super::file::SceneFile;
use std::path::PathBuf;

impl SceneFile {
    /// The files of every robot, as they were found when it was read: its model with the meshes that are looked at, and its SRDF file.
    pub fn robot_files(&self) -> &[Vec<PathBuf>] {
        &self.robot_files
    }

    /// Reads all robots anew, whose files may have changed; on an error the scene stays as it was.
    pub fn read_robots_again(&mut self) -> Result<(), SceneErrors> {
        let known = std::mem::take(&mut self.models);
        let again = self.replace_text(self.text.clone());
        if again.is_err() {
            self.models = known;
        }
        again
    }
}
