//! Makes drawings of a scene.

use super::DrawError;
use super::arrows;
use super::bodies::{Placed, Stage as Picture};
use super::explode::{self, Extents};
use super::layout::{Layout, MARGIN};
use super::lettering;
use super::lines::{Segment, rest};
use super::sheet::{Group, GroupKind, Mark, Sheet};
use super::style::{self, Style};
use super::surface::{NONE, Surface};
use super::view::{Projection, View};
use freiraum_assets::ShapeCache;
use freiraum_check::{Poses, Timeline};
use freiraum_geometry::{Aabb, Mesh, Pose, Shape, Vec2, Vec3};
use freiraum_scene::{Problem, Scene};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a drawing looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// From where.
    pub view: View,
    /// What is drawn of the bodies.
    pub style: Style,
    /// Hidden edges as dashed lines; only where edges are hidden at all.
    pub hidden_edges: bool,
    /// Width and height of the paper, in millimetres.
    pub size: [f64; 2],
    /// Millimetres on paper for a metre; `None`: as large as fits.
    pub scale: Option<f64>,
    /// Name, scale and units below the drawing.
    pub title_block: bool,
}

impl Default for Options {
    /// Isometric and shaded on A5 across, with a title block.
    fn default() -> Options {
        Options {
            view: View::isometric(),
            style: Style::Shaded,
            hidden_edges: false,
            size: [210.0, 148.0],
            scale: None,
            title_block: true,
        }
    }
}

/// What has to fit onto the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// What the drawing shows, with where it moves to.
    Own,
    /// All states of the plan, so that drawings of its steps can be laid over each other.
    Plan,
}

/// Draws states and steps of a scene; the shapes are prepared once.
pub struct Drafter<'s> {
    scene: &'s Scene,
    timeline: &'s Timeline,
    options: Options,
    /// Of the scene, for titles; perhaps empty.
    name: String,
    surfaces: Vec<Arc<Surface>>,
}

/// Folds of less than this are smooth, in radians: 20°.
const FOLD_ANGLE: f64 = 0.349;
/// Round shapes may be off by this share of the size of the scene: less than a line is wide.
const DEVIATION: f64 = 0.0004;
/// And by this share of their own thickness, so that the folds of thin ones stay smooth too: 36 facets round a cylinder.
const OWN_DEVIATION: f64 = 0.0019;
/// Height of the title block, and of its letters, in millimetres.
const FOOT: f64 = 8.0;
const LETTERS: f64 = 2.5;
/// The gap between parts that were shifted apart, as a share of the size of the scene.
const GAP: f64 = 0.06;

impl<'s> Drafter<'s> {
    /// Reads the shapes of a scene and makes them ready for drawing.
    pub fn new(
        scene: &'s Scene,
        timeline: &'s Timeline,
        parts: &ShapeCache,
        options: Options,
    ) -> Result<Drafter<'s>, DrawError> {
        let [width, height] = options.size;
        if ![width, height].iter().all(|x| (20.0..=5000.0).contains(x)) {
            return Err(DrawError::BadSize { width, height });
        }
        parts.load(scene).map_err(|problems| DrawError::Shapes { problems })?;
        let shape = |body: usize| parts.movable(body).map(|movable| movable.prepared().shape());
        let problem = |body: usize, message: String| Problem::new(scene.bodies[body].place, message);
        let mut bounds = Aabb::EMPTY;
        for (body, one) in scene.bodies.iter().enumerate() {
            let shape = shape(body)
                .map_err(|e| DrawError::Shapes { problems: vec![problem(body, e.to_string())] })?;
            if let Some(own) = shape.aabb_placed(&one.pose) {
                bounds = bounds.union(&own);
            }
        }
        let size = if bounds.is_empty() { 1.0 } else { bounds.size().length().max(f64::MIN_POSITIVE) };
        let center = if bounds.is_empty() { Vec3::ZERO } else { bounds.center() };
        let mut known: BTreeMap<usize, Arc<Surface>> = BTreeMap::new();
        let (mut surfaces, mut problems) = (Vec::with_capacity(scene.bodies.len()), Vec::new());
        for body in 0..scene.bodies.len() {
            let number = parts.shape_of(body);
            if let Some(surface) = known.get(&number) {
                surfaces.push(surface.clone());
                continue;
            }
            let Ok(shape) = shape(body) else { continue };
            let near = scene.bodies[body].pose.inverse().transform_point(center);
            match triangles(shape, DEVIATION * size, near, size) {
                Ok(mesh) => {
                    let surface = Arc::new(Surface::of(&mesh, FOLD_ANGLE));
                    known.insert(number, surface.clone());
                    surfaces.push(surface);
                }
                Err(message) => {
                    let name = &scene.bodies[body].name;
                    problems.push(problem(body, format!("cannot draw the body {name:?}: {message}")));
                }
            }
        }
        if problems.is_empty() {
            Ok(Drafter { scene, timeline, options, name: String::new(), surfaces })
        } else {
            Err(DrawError::Shapes { problems })
        }
    }

    /// The same with the name of the scene before every title.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Drafter<'s> {
        Drafter { name: name.into(), ..self }
    }

    /// All bodies before the first step.
    pub fn start(&self) -> Result<Sheet, DrawError> {
        let poses = &self.timeline.start();
        let layout = self.layout(&[poses], Frame::Own);
        self.sheet("start", &layout, poses, None, Vec::new(), Vec::new())
    }

    /// All bodies after the last step.
    pub fn end(&self) -> Result<Sheet, DrawError> {
        let layout = self.layout(&[&self.timeline.end], Frame::Own);
        self.sheet("end", &layout, &self.timeline.end, None, Vec::new(), Vec::new())
    }

    /// A step, counted from 0: all bodies before it, those that stay paler than those that move, and arrows if they are wanted. Panics if
    /// there is no such step.
    pub fn step(&self, stage: usize, frame: Frame, with_arrows: bool) -> Result<Sheet, DrawError> {
        let one = &self.timeline.stages[stage];
        let before = one.before.to_vec();
        let layout = self.layout(&[&before, &self.timeline.after(stage)], frame);
        let mut marks = Vec::new();
        if with_arrows {
            for mover in arrows::shown(self.scene, one) {
                let points: Vec<Vec3> =
                    mover.bodies.iter().flat_map(|body| self.points(*body, &one.before[*body])).collect();
                marks.extend(arrows::of_mover(mover, one, &points, &layout));
            }
        }
        let moving: Vec<usize> = one.movers.iter().flat_map(|mover| mover.bodies.iter().copied()).collect();
        let title = format!("{}/{}  {}", stage + 1, self.timeline.stages.len(), one.name);
        self.sheet(&title, &layout, &before, Some(&moving), Vec::new(), marks)
    }

    /// The parts after the first `stages` steps, taken back along the ways on which they were put together; away from the middle if the scene has no steps.
    /// `factor` 1 leaves a gap between them, other values scale the shifts; 0 leaves everything in its place.
    pub fn exploded(&self, factor: f64, stages: usize) -> Result<Sheet, DrawError> {
        let stages = stages.min(self.timeline.stages.len());
        let end: &[Pose] = &match stages {
            0 => self.timeline.start(),
            n => self.timeline.after(n - 1),
        };
        let whole = (0..end.len())
            .fold(Aabb::EMPTY, |all, body| self.points(body, &end[body]).fold(all, |all, p| all.grown(p)));
        let gap = if whole.is_empty() { 0.0 } else { GAP * whole.size().length() };
        let ways = explode::shifts(self.timeline, stages, self, gap, factor);
        let shifted = |(pose, way): (&Pose, &Vec<Vec3>)| Pose::from_translation(way.iter().sum()) * *pose;
        let poses: Vec<Pose> = end.iter().zip(&ways).map(shifted).collect();
        let layout = self.layout(&[&poses], Frame::Own);
        let mut traces: Vec<[Vec3; 2]> = Vec::new();
        for (body, way) in ways.iter().enumerate() {
            let bounds = self.points(body, &end[body]).fold(Aabb::EMPTY, |all, p| all.grown(p));
            let mut from = bounds.center();
            for by in way.iter().filter(|by| !bounds.is_empty() && **by != Vec3::ZERO) {
                traces.push([from, from + *by]);
                from += *by;
            }
        }
        self.sheet("exploded view", &layout, &poses, None, traces, Vec::new())
    }

    fn points(&self, body: usize, pose: &Pose) -> impl Iterator<Item = Vec3> {
        let pose = *pose;
        self.surfaces[body].points.iter().map(move |p| pose.transform_point(*p))
    }

    /// A layout that shows the bodies in all these states, or in all of the plan.
    fn layout(&self, states: &[&[Pose]], frame: Frame) -> Layout {
        let all: Vec<Poses> = if frame == Frame::Plan {
            let before = self.timeline.stages.iter().map(|stage| stage.before.clone());
            before.chain([Poses::from(&self.timeline.end[..])]).collect()
        } else {
            states.iter().map(|poses| Poses::from(*poses)).collect()
        };
        let mut points = Vec::new();
        let mut seen: Vec<Option<Pose>> = vec![None; self.surfaces.len()];
        for poses in all {
            for (body, pose) in poses.iter().enumerate().take(self.surfaces.len()) {
                // Most bodies stay where they are from state to state.
                if seen[body].as_ref() != Some(pose) {
                    points.extend(self.points(body, pose));
                    seen[body] = Some(*pose);
                }
            }
        }
        let foot = if self.options.title_block { FOOT } else { 0.0 };
        let scale = self.options.scale.filter(|_| self.options.view.projection == Projection::Parallel);
        Layout::fit(&self.options.view, &points, self.options.size, foot, scale)
    }

    fn sheet(
        &self,
        title: &str,
        layout: &Layout,
        poses: &[Pose],
        moving: Option<&[usize]>,
        traces: Vec<[Vec3; 2]>,
        marks: Vec<Mark>,
    ) -> Result<Sheet, DrawError> {
        let placed: Vec<Placed> = self
            .scene
            .bodies
            .iter()
            .enumerate()
            .map(|(number, body)| Placed {
                name: &body.name,
                color: body.color.unwrap_or_else(|| style::palette(number)),
                surface: &self.surfaces[number],
                world_from_body: poses[number],
                is_pale: moving.is_some_and(|moving| !moving.contains(&number)),
            })
            .collect();
        let picture = Picture::new(&placed, layout)?;
        let mut groups = match self.options.style {
            Style::Shaded => picture.areas()?,
            Style::HiddenLine | Style::FrontFaces | Style::Wireframe => Vec::new(),
        };
        let traces = self.traces(&picture, &traces, layout);
        groups.extend(picture.edges(self.options.style, self.options.hidden_edges));
        for (name, marks) in [("traces", traces), ("motion", marks)] {
            if !marks.is_empty() {
                groups.push(Group { kind: GroupKind::Other(name), marks });
            }
        }
        let scale = (self.options.view.projection == Projection::Parallel).then_some(layout.scale);
        let title = match &self.name[..] {
            "" => title.to_owned(),
            name => format!("{name}: {title}"),
        };
        if self.options.title_block {
            groups.push(self.title_block(&title, scale));
        }
        Ok(Sheet { size: self.options.size, title, groups, scale })
    }

    /// Dashed lines from where parts belong to where they are drawn, as far as nothing hides them.
    fn traces(&self, picture: &Picture, traces: &[[Vec3; 2]], layout: &Layout) -> Vec<Mark> {
        let segments: Vec<Segment> = traces
            .iter()
            .filter_map(|ends| layout.camera.segment(*ends))
            .map(|ends| Segment { ends, faces: [NONE; 2], slack: 0.0 })
            .collect();
        let mut lines = Vec::new();
        for (segment, hidden) in segments.iter().zip(picture.hidden(&segments)) {
            let part = |[lo, hi]: [f64; 2]| [lo, hi].map(|t| layout.paper(segment.at(t).truncate())).to_vec();
            lines.extend(rest(&hidden, 0.0).into_iter().map(part));
        }
        if lines.is_empty() {
            return Vec::new();
        }
        vec![Mark::Line { color: style::PALE_INK, width: style::THIN, dashes: style::TRACE, lines }]
    }

    fn title_block(&self, title: &str, scale: Option<f64>) -> Group {
        let [width, height] = self.options.size;
        let base = height - MARGIN + 1.0;
        let rule = [Vec2::new(MARGIN, base - LETTERS - 2.0), Vec2::new(width - MARGIN, base - LETTERS - 2.0)];
        let view = &self.options.view;
        let facts = match scale {
            Some(scale) if self.options.scale.is_some() || view.is_straight() => ratio(scale / 1000.0),
            _ => view.name().to_owned(),
        };
        let facts = format!("{facts}   {}", self.scene.units);
        let room = width - 2.0 * MARGIN - lettering::width(&facts, LETTERS) - 2.0 * LETTERS;
        let title = &lettering::fitted(title, LETTERS, room)[..];
        let text = |x: f64, is_right: bool, text: &str| Mark::Text {
            at: Vec2::new(x, base),
            height: LETTERS,
            is_right,
            color: style::INK,
            text: text.to_owned(),
        };
        let line = Mark::Line {
            color: style::PALE_INK,
            width: style::CREASE,
            dashes: &[],
            lines: vec![rule.to_vec()],
        };
        let marks = vec![line, text(MARGIN, false, title), text(width - MARGIN, true, &facts)];
        Group { kind: GroupKind::Other("title"), marks }
    }
}

impl Extents for Drafter<'_> {
    fn extent(&self, body: usize, pose: &Pose, along: Vec3) -> [f64; 2] {
        let empty = [f64::INFINITY, f64::NEG_INFINITY];
        self.points(body, pose).map(|p| p.dot(along)).fold(empty, |[lo, hi], x| [lo.min(x), hi.max(x)])
    }

    fn is_fixed(&self, body: usize) -> bool {
        self.scene.bodies[body].is_fixed
    }
}

/// A scale as draughtsmen write it: `1:2.5`, `4:1`.
fn ratio(scale: f64) -> String {
    let short = |x: f64| {
        let digits = if x < 10.0 {
            2
        } else if x < 100.0 {
            1
        } else {
            0
        };
        let text = format!("{x:.digits$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    };
    if scale >= 1.0 { format!("{}:1", short(scale)) } else { format!("1:{}", short(1.0 / scale)) }
}

/// The triangles of a shape; of a half space a square as large as the scene, next to `near`.
fn triangles(shape: &Shape, deviation: f64, near: Vec3, size: f64) -> Result<Mesh, String> {
    let Shape::HalfSpace(half) = shape else {
        let deviation = deviation.min(OWN_DEVIATION * thickness(shape));
        return shape.tessellate(deviation).map_err(|e| e.to_string());
    };
    let normal = half.normal();
    let middle = near - (normal.dot(near) - half.offset()) * normal;
    // Along the axes for a floor that lies as floors do.
    let right = normal.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
    let up = normal.cross(right);
    let corner = |x: f64, y: f64| middle + 0.6 * size * (x * right + y * up);
    let corners = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    Mesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).map_err(|e| e.to_string())
}

/// The smallest extent of the smallest round part.
fn thickness(shape: &Shape) -> f64 {
    match shape {
        Shape::Compound(compound) => {
            compound.parts().iter().map(|part| thickness(&part.shape)).fold(f64::INFINITY, f64::min)
        }
        Shape::Sphere(_) | Shape::Cylinder(_) | Shape::Capsule(_) | Shape::Cone(_) => {
            shape.aabb().map_or(f64::INFINITY, |own| own.size().x.min(own.size().y))
        }
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_as_they_are_written() {
        for (scale, text) in
            [(1.0, "1:1"), (0.5, "1:2"), (0.4, "1:2.5"), (2.0, "2:1"), (0.00123, "1:813"), (0.0123, "1:81.3")]
        {
            assert_eq!(ratio(scale), text);
        }
    }
}
