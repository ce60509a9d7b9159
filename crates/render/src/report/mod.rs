//! A checked plan as a page for people, a file for programs and an animation.
//!
//! - [`write()`]: all three into a folder; [`clear()`]: those of an earlier run away
//! - [`animation()`]: the whole plan as an animated glTF file
//! - [`keys()`]: a motion as key frames

mod glb;
mod html;
mod keys;
mod plot;
mod shots;
mod text;

pub use glb::animation;
pub use keys::keys;

use crate::picture::Figure;
use freiraum_assets::{LoadError, ShapeCache};
use freiraum_check::{Report, Timeline, add_curves, curves};
use freiraum_geometry::{Aabb, Vec3};
use freiraum_scene::{Scene, plain_json};
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// What a report is about, beside the plan and its check.
#[derive(Clone, Debug, Default)]
pub struct ReportOptions {
    /// The heading: the name of the scene, as a rule.
    pub title: String,
}

/// The files of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// `report.html`, which needs no other file.
    pub html: PathBuf,
    /// `report.json`.
    pub json: PathBuf,
    /// `animation.glb`.
    pub animation: PathBuf,
}

impl Files {
    /// Those of a folder, whether they are there or not.
    #[must_use]
    pub fn within(folder: &Path) -> Files {
        Files {
            html: folder.join("report.html"),
            json: folder.join("report.json"),
            animation: folder.join("animation.glb"),
        }
    }
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The shape of a body is not there.
    #[error(transparent)]
    Part(#[from] LoadError),
    /// A body cannot be drawn.
    #[error("`{body}` cannot be drawn: {reason}")]
    Shape {
        /// Its name.
        body: String,
        /// Why not.
        reason: String,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
}

/// Everything that the parts of a report are made from.
pub(crate) struct Source<'s> {
    pub(crate) scene: &'s Scene,
    pub(crate) timeline: &'s Timeline,
    pub(crate) parts: &'s ShapeCache,
    pub(crate) result: &'s Report,
    pub(crate) figures: &'s Figures,
}

/// What bodies look like: bodies with the same shape share it.
pub(crate) struct Figures {
    figure_of: Vec<usize>,
    pub(crate) figures: Vec<Figure>,
}

impl Figures {
    /// Of all bodies of a scene.
    pub(crate) fn of(scene: &Scene, timeline: &Timeline, parts: &ShapeCache) -> Result<Figures, ReportError> {
        let all = whole(scene, timeline, parts)?;
        let reach = if all.is_empty() { 1.0 } else { 0.75 * all.size().length() };
        let middle = if all.is_empty() { Vec3::ZERO } else { all.center() };
        // The first body of each shape.
        let (mut first, mut known) = (Vec::new(), HashMap::new());
        let number = |body: usize| {
            *known.entry(parts.shape_of(body)).or_insert_with(|| {
                first.push(body);
                first.len() - 1
            })
        };
        let figure_of = (0..scene.bodies.len()).map(number).collect();
        let figure = |body: &usize| {
            let shape = parts.movable(*body)?.prepared().shape();
            let around = scene.bodies[*body].pose.inverse().transform_point(middle);
            Figure::of_shape(shape, around, reach).map_err(|e| ReportError::Shape {
                body: scene.bodies[*body].name.clone(),
                reason: e.to_string(),
            })
        };
        let figures = first.par_iter().map(figure).collect::<Result<_, ReportError>>()?;
        Ok(Figures { figure_of, figures })
    }

    /// The one of a body.
    pub(crate) fn of_body(&self, body: usize) -> &Figure {
        &self.figures[self.figure_of[body]]
    }

    /// The number of the one of a body.
    pub(crate) fn number(&self, body: usize) -> usize {
        self.figure_of[body]
    }
}

/// Around everything that has an end, over all stages.
fn whole(scene: &Scene, timeline: &Timeline, parts: &ShapeCache) -> Result<Aabb, ReportError> {
    let mut all = Aabb::of_points(&[]);
    for body in 0..scene.bodies.len() {
        let Some(bounds) = parts.movable(body)?.prepared().bounds() else { continue };
        let ball = bounds.bounding_sphere();
        let poses = timeline.stages.iter().map(|stage| stage.before[body]);
        for pose in poses.chain([timeline.end[body]]) {
            let center: Vec3 = pose.transform_point(ball.center);
            all = all.grown(center - Vec3::splat(ball.radius)).grown(center + Vec3::splat(ball.radius));
        }
    }
    Ok(all)
}

/// Removes the report of an earlier run from a folder, so that it is not mistaken for that of a run which
/// ends
/// without one. All other files stay.
///
/// **Errors.** A file of it that cannot be removed.
pub fn clear(folder: &Path) -> Result<(), ReportError> {
    let Files { html, json, animation } = Files::within(folder);
    for path in [html, json, animation] {
        // What is no file is not of an earlier run.
        if freiraum_files::special(&path).is_some() {
            continue;
        }
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(ReportError::Io { path, error });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Writes `report.html`, `report.json` and `animation.glb` into a folder, which is made if it is not there.
///
/// Each file appears complete or not at all. The same plan and result give the same files on any number of threads.
/// **Cost.** Some 0.1 s per step for pictures, and as much as a hundred distance queries for each curve.
pub fn write(
    folder: &Path,
    scene: &Scene,
    timeline: &Timeline,
    parts: &ShapeCache,
    result: &Report,
    options: &ReportOptions,
) -> Result<Files, ReportError> {
    let figures = Figures::of(scene, timeline, parts)?;
    let source = Source { scene, timeline, parts, result, figures: &figures };
    let io = |path: &Path| {
        let path = path.to_owned();
        move |error| ReportError::Io { path, error }
    };
    std::fs::create_dir_all(folder).map_err(io(folder))?;
    let files = Files::within(folder);
    let curves = curves(scene, timeline, parts, result);
    let (html, (json, glb)) = rayon::join(
        || html::page(&source, &curves, options),
        || {
            let mut json = result.json_in(result.units());
            add_curves(&mut json, result, &curves);
            (plain_json(&json.to_string()).into_owned(), glb::with_figures(&source))
        },
    );
    let bytes = [(&files.html, html.into_bytes()), (&files.json, json.into_bytes()), (&files.animation, glb)];
    for (path, bytes) in bytes {
        freiraum_files::write(path, &bytes).map_err(io(path))?;
    }
    Ok(files)
}
