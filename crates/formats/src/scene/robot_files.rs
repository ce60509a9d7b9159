//! The files that the robots of a scene are read from.

use super::edit::entry;
use super::errors::SceneErrors;
use super::file::SceneFile;
use crate::robot::{Packages, files};
use freiraum_scene::RobotSource;
use std::path::PathBuf;
use toml_edit::{DocumentMut, Item, TableLike};

impl SceneFile {
    /// The files of every robot: its model with the meshes that are looked at, and its SRDF file.
    pub fn robot_files(&self) -> Vec<Vec<PathBuf>> {
        if self.scene.robots.is_empty() {
            return Vec::new();
        }
        let mut document: DocumentMut = self.text.parse().unwrap_or_default();
        let mut found = Vec::with_capacity(self.scene.robots.len());
        for (number, robot) in self.scene.robots.iter().enumerate() {
            let table = entry(&mut document, "robot", number);
            let text = |key: &str| Some(table.as_ref()?.get(key)?.as_str()?.to_owned());
            let srdf = text("srdf").map(|written| self.folder().join(written));
            let packages = table.as_ref().and_then(|table| table.get("packages"));
            let packages =
                packages.and_then(Item::as_table_like).map_or(Vec::new(), |table| self.packages(table));
            let model = match &robot.source {
                RobotSource::File { path, .. } => files(path, &Packages { named: packages }),
                RobotSource::Table => Vec::new(),
            };
            found.push(model.into_iter().chain(srdf).collect());
        }
        found
    }

    fn packages(&self, table: &dyn TableLike) -> Vec<(String, PathBuf)> {
        let named = table.iter().filter_map(|(name, folder)| Some((name, folder.as_str()?)));
        named.map(|(name, folder)| (name.to_owned(), self.folder().join(folder))).collect()
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
