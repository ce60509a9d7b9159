//! Placed bodies on paper: areas in painter's order, and lines.

use super::DrawError;
use super::bsp::{Polygons, Tree};
use super::gather::gathered;
use super::layout::Layout;
use super::lines::{Cover, Segment, rest};
use super::sheet::{Group, GroupKind, Mark, chained};
use super::style::{self, Style};
use super::surface::{NONE, Surface};
use super::view::Plane;
use freiraum_geometry::tolerance::{DRAWING_RELATIVE, EDGE_ON_ANGLE};
use freiraum_geometry::{Pose, Vec2, Vec3};
use freiraum_scene::Color;

/// A body as it is drawn.
pub(super) struct Placed<'s> {
    pub(super) name: &'s str,
    pub(super) color: Color,
    pub(super) surface: &'s Surface,
    pub(super) world_from_body: Pose,
    /// Drawn paler than others.
    pub(super) is_pale: bool,
}

/// Visible parts of lines shorter than this are left out, in millimetres.
const LEAST_LINE: f64 = 0.03;
/// Smooth outlines are hidden by what is farther before them than this share of the scene: less than a line is wide.
const SMOOTH_SLACK: f64 = 0.002;
/// By how much pale bodies are nearer to white.
const PALE: f64 = 0.62;

/// What is drawn, in picture space: the faces of all bodies in one row, and their pieces that look at the eye.
pub(super) struct Stage<'s> {
    bodies: &'s [Placed<'s>],
    layout: &'s Layout,
    /// Where the faces of each body start.
    starts: Vec<u32>,
    /// Turned to the eye where both sides of a face can be seen.
    pub(super) planes: Vec<Plane>,
    /// 1: looks at the eye, −1: looks away, 0: is seen edge-on.
    facing: Vec<i8>,
    pub(super) polygons: Polygons,
    tolerance: f64,
}

impl<'s> Stage<'s> {
    pub(super) fn new(bodies: &'s [Placed<'s>], layout: &'s Layout) -> Result<Stage<'s>, DrawError> {
        let triangles: usize = bodies.iter().map(|body| body.surface.pieces().count()).sum();
        if triangles > DrawError::MAX_FACES {
            return Err(DrawError::TooManyFaces { faces: triangles });
        }
        let mut stage = Stage {
            bodies,
            layout,
            starts: Vec::with_capacity(bodies.len()),
            planes: Vec::new(),
            facing: Vec::new(),
            polygons: Polygons::default(),
            tolerance: DRAWING_RELATIVE * layout.size_in_picture_space(),
        };
        let mut corners = Vec::new();
        for body in bodies {
            let start = stage.planes.len();
            stage.starts.push(start as u32);
            for face in &body.surface.faces {
                let plane = layout.camera.plane(face.normal, face.offset, &body.world_from_body);
                let plane = plane.unwrap_or(Plane { normal: Vec3::X, offset: 0.0 });
                let z = plane.normal.z;
                stage.facing.push(if z > EDGE_ON_ANGLE {
                    1
                } else if z < -EDGE_ON_ANGLE {
                    -1
                } else {
                    0
                });
                stage.planes.push(if z < 0.0 { plane.flipped() } else { plane });
            }
            for (face, indices) in body.surface.pieces() {
                let number = start + face as usize;
                if !stage.is_shown(body, number) {
                    continue;
                }
                corners.clear();
                let points = indices
                    .iter()
                    .map(|i| body.world_from_body.transform_point(body.surface.points[*i as usize]));
                layout.camera.polygon(points, &mut corners);
                let area = area_on_paper(&corners);
                if area < 0.0 {
                    corners.reverse();
                }
                if area != 0.0 {
                    stage.polygons.push(number as u32, &corners);
                }
            }
        }
        Ok(stage)
    }

    /// True if something of the face could be seen.
    fn is_shown(&self, body: &Placed, face: usize) -> bool {
        self.facing[face] > 0 || (self.facing[face] < 0 && !body.surface.is_solid)
    }

    /// Lit areas, the farthest first.
    pub(super) fn areas(&self) -> Result<Vec<Group>, DrawError> {
        let faces = self.polygons.len();
        let tree = Tree::of(self.polygons.clone(), &self.planes, self.tolerance)
            .map_err(|_| DrawError::TooManyFaces { faces })?;
        let colors = self.colors();
        let mut groups: Vec<Group> = Vec::new();
        let mut last_body = usize::MAX;
        for polygon in gathered(&tree.back_to_front(), &tree.polygons, self.tolerance) {
            let face = tree.polygons.face(polygon);
            let corners: Vec<Vec2> =
                tree.polygons.corners(polygon).iter().map(|p| self.layout.paper(p.truncate())).collect();
            let body = self.starts.partition_point(|start| *start <= face) - 1;
            if body != last_body {
                last_body = body;
                groups.push(Group {
                    kind: GroupKind::Faces(self.bodies[body].name.to_owned()),
                    marks: Vec::new(),
                });
            }
            let Some(group) = groups.last_mut() else { continue };
            match group.marks.last_mut() {
                Some(Mark::Area { color, polygons, .. }) if *color == colors[face as usize] => {
                    polygons.push(corners)
                }
                _ => group.marks.push(Mark::Area {
                    color: colors[face as usize],
                    hairline: style::HAIRLINE,
                    polygons: vec![corners],
                }),
            }
        }
        Ok(groups)
    }

    /// The colour of every face in the light.
    fn colors(&self) -> Vec<Color> {
        let mut colors = Vec::with_capacity(self.planes.len());
        for (body, start) in self.bodies.iter().zip(&self.starts) {
            let own = if body.is_pale { style::mixed(body.color, style::WHITE, PALE) } else { body.color };
            for (face, number) in body.surface.faces.iter().zip(*start as usize..) {
                let normal = self.layout.camera.turned(body.world_from_body.rotate(face.normal));
                colors.push(style::lit(own, if self.facing[number] < 0 { -normal } else { normal }));
            }
        }
        colors
    }

    /// The edges of all bodies; hidden ones dashed if they are wanted.
    pub(super) fn edges(&self, look: Style, hidden_edges: bool) -> Vec<Group> {
        let (mut segments, mut owners) = (Vec::new(), Vec::new());
        for (body, number) in self.bodies.iter().zip(0..) {
            let start = self.starts[number];
            for edge in &body.surface.edges {
                let faces = edge.faces.map(|face| if face == NONE { NONE } else { start + face });
                let facing = faces.map(|face| if face == NONE { 0 } else { self.facing[face as usize] });
                let is_seen = facing.iter().any(|f| *f > 0) || (!body.surface.is_solid && facing != [0, 0]);
                let is_outline = (facing[0] > 0) != (facing[1] > 0);
                let is_wanted = is_seen || hidden_edges || look == Style::Wireframe;
                if !is_wanted || !(edge.is_sharp || is_outline) {
                    continue;
                }
                let ends =
                    edge.ends.map(|i| body.world_from_body.transform_point(body.surface.points[i as usize]));
                if let Some(ends) = self.layout.camera.segment(ends) {
                    // The outline of a smooth surface zigzags along its facets, and is not hidden by those beside it.
                    let slack = if edge.is_sharp {
                        0.0
                    } else {
                        (0.25 * ends[0].distance(ends[1]))
                            .min(SMOOTH_SLACK * self.layout.size_in_picture_space())
                    };
                    segments.push(Segment { ends, faces, slack });
                    owners.push(Owner { body: number, is_outline, is_seen, is_sharp: edge.is_sharp });
                }
            }
        }
        let hidden = match look {
            Style::Wireframe | Style::FrontFaces => vec![Vec::new(); segments.len()],
            Style::Shaded | Style::HiddenLine => self.hidden(&segments),
        };
        let mut lines: Vec<[Vec<[Vec2; 2]>; 3]> =
            (0..self.bodies.len()).map(|_| Default::default()).collect();
        for ((segment, owner), hidden) in segments.iter().zip(&owners).zip(&hidden) {
            let of_body = &mut lines[owner.body];
            let [p, q] = segment.ends.map(|p| self.layout.paper(p.truncate()));
            let length = p.distance(q);
            if length == 0.0 {
                continue;
            }
            let part = |[lo, hi]: [f64; 2]| [p + lo * (q - p), p + hi * (q - p)];
            let whole = [[0.0, 1.0]];
            let behind = if owner.is_seen || look == Style::Wireframe { &hidden[..] } else { &whole[..] };
            let line = usize::from(!owner.is_outline);
            of_body[line].extend(rest(behind, LEAST_LINE / length).into_iter().map(part));
            if hidden_edges && (owner.is_sharp || owner.is_outline) {
                let long = behind.iter().copied().filter(|[lo, hi]| (hi - lo) * length > LEAST_LINE);
                of_body[2].extend(long.map(part));
            }
        }
        self.bodies.iter().zip(lines).filter_map(|(body, lines)| edge_group(body, lines)).collect()
    }

    /// What of some segments is hidden.
    pub(super) fn hidden(&self, segments: &[Segment]) -> Vec<Vec<[f64; 2]>> {
        Cover::new(&self.polygons, &self.planes, self.tolerance).hidden(segments)
    }
}

struct Owner {
    body: usize,
    is_outline: bool,
    is_seen: bool,
    is_sharp: bool,
}

/// Lines of one body: outlines, edges, hidden edges.
fn edge_group(body: &Placed, [outline, crease, hidden]: [Vec<[Vec2; 2]>; 3]) -> Option<Group> {
    let ink = if body.is_pale { style::mixed(style::INK, style::WHITE, 0.4) } else { style::INK };
    let kinds = [
        (hidden, style::THIN, style::DASHED, style::PALE_INK),
        (crease, style::CREASE, &[][..], ink),
        (outline, style::OUTLINE, &[][..], ink),
    ];
    let marks: Vec<Mark> = kinds
        .into_iter()
        .map(|(segments, width, dashes, color)| Mark::Line {
            color,
            width,
            dashes,
            lines: chained(&segments),
        })
        .filter(|mark| !matches!(mark, Mark::Line { lines, .. } if lines.is_empty()))
        .collect();
    (!marks.is_empty()).then(|| Group { kind: GroupKind::Edges(body.name.to_owned()), marks })
}

/// Twice the area, positive if the corners run counter-clockwise for the eye.
fn area_on_paper(corners: &[Vec3]) -> f64 {
    let Some(first) = corners.first() else { return 0.0 };
    let fan = |pair: &[Vec3]| (pair[0] - *first).truncate().perp_dot((pair[1] - *first).truncate());
    corners.windows(2).map(fan).sum()
}
