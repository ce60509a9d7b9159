//! What a picture shows: the meshes as panes of glass, what was found between them, and lines where a surface is ill.

use super::body::Body;
use super::solve::Found;
use freiraum::deform::Fragment;
use freiraum::deform::examine::EdgeKind;
use freiraum::deform::occupancy::{Interval, walk};
use freiraum::geometry::Vec3;

/// A face of a mesh, as the eye sees it.
pub(super) struct Pane {
    /// Its colour as glass, in its light.
    pub(super) glass: [f32; 3],
    /// How much of what is behind it hides.
    pub(super) alpha: f32,
    /// How bright the collision volume is that begins here.
    pub(super) bright: f32,
    /// The mesh.
    body: u32,
}

/// A line, or a point if both ends are one, in front of its surface.
pub(super) struct Mark {
    pub(super) ends: [Vec3; 2],
    pub(super) color: [f32; 3],
}

/// All that a picture shows.
pub(super) struct Scene {
    pub(super) vertices: Vec<Vec3>,
    pub(super) faces: Vec<[u32; 3]>,
    pub(super) panes: Vec<Pane>,
    pub(super) marks: Vec<Mark>,
    /// Row by row: whether two meshes, or one with itself, were found to overlap.
    collides: Vec<bool>,
    bodies: usize,
}

/// Of the meshes, one after the other.
const GLASS: [[f32; 3]; 6] = [
    [0.36, 0.56, 0.80],
    [0.42, 0.68, 0.46],
    [0.85, 0.66, 0.30],
    [0.62, 0.50, 0.78],
    [0.35, 0.68, 0.70],
    [0.62, 0.62, 0.62],
];
pub(super) const COLLISION: [f32; 3] = [0.93, 0.16, 0.13];
const OPEN: [f32; 3] = [0.85, 0.0, 0.75];
const INSIDE_OUT: [f32; 3] = [1.0, 0.55, 0.0];

/// Lines of one mesh that are drawn.
const MOST_MARKS: usize = 20_000;

/// Most points of one mesh that are drawn, at places that rays found ill.
const MOST_PLACES: usize = 100;

impl Scene {
    /// `light` says of a normal how bright its face is, and how much it faces the eye, from 0 to 1.
    pub(super) fn of(bodies: &[Body], found: &Found, light: impl Fn(Vec3) -> (f32, f32)) -> Scene {
        let n = bodies.len();
        let findings = &found.examination.findings;
        let mut scene = Scene {
            vertices: Vec::new(),
            faces: Vec::new(),
            panes: Vec::new(),
            marks: Vec::new(),
            collides: vec![false; n * n],
            bodies: n,
        };
        for (number, (body, color)) in bodies.iter().zip(GLASS.iter().cycle()).enumerate() {
            let first = scene.vertices.len() as u32;
            scene.vertices.extend_from_slice(&body.mesh.vertices);
            scene.faces.extend(body.mesh.faces.iter().map(|face| face.map(|v| v + first)));
            let surface = body.mesh.surface();
            scene.panes.extend((0..body.mesh.faces.len() as u32).map(|face| {
                let (bright, facing) = light(surface.normal(face));
                // Denser where it is seen from the side.
                let alpha = 0.10 + 0.35 * (1.0 - facing).powi(3);
                Pane { glass: color.map(|c| c * bright), alpha, bright, body: number as u32 }
            }));
            scene.collides[number * n + number] = findings.own()[number].collides;
            scene.mark(body, findings.own()[number].faults.iter().take(MOST_PLACES).map(|place| place.point));
        }
        for pair in findings.pairs().iter().filter(|pair| pair.collides) {
            let [a, b] = pair.bodies;
            scene.collides[a * n + b] = true;
            scene.collides[b * n + a] = true;
        }
        scene
    }

    /// Edges say more than rays that have seen them.
    fn mark(&mut self, body: &Body, rays: impl Iterator<Item = Vec3>) {
        let edges = body.mesh.ill_edges.iter().take(MOST_MARKS).map(|edge| Mark {
            ends: edge.vertices.map(|v| body.mesh.vertices[v as usize]),
            color: if edge.kind == EdgeKind::Open { OPEN } else { INSIDE_OUT },
        });
        self.marks.extend(edges);
        if body.mesh.ill_edges.is_empty() {
            self.marks.extend(rays.map(|point| Mark { ends: [point; 2], color: INSIDE_OUT }));
        }
    }

    /// Where a ray comes into the first overlap that was found, if it is longer than `least`. What only these rays see is not shown: they
    /// round more than those that were counted.
    pub(super) fn collision(
        &self,
        layers: &[Fragment],
        least: u32,
        intervals: &mut Vec<Interval>,
    ) -> Option<Fragment> {
        // Two of one mesh, or one of two: the sum is 2 in both cases.
        intervals.clear();
        walk(layers, 2, 0, 0, intervals);
        let is_found = |one: &&Interval| one.length() > least && self.is_found(layers, one);
        intervals.iter().find(is_found).map(|one| layers[one.first as usize])
    }

    /// Whether some mesh that a ray is in, after the first layer of an overlap, was found to overlap the one that it enters in its course.
    fn is_found(&self, layers: &[Fragment], interval: &Interval) -> bool {
        let body_of = |one: &Fragment| self.panes[one.face() as usize].body as usize;
        let inner = &layers[interval.first as usize..=interval.last as usize];
        inner.iter().enumerate().filter(|(_, one)| one.is_front()).any(|(k, one)| {
            let entered = body_of(one);
            let before = &layers[..interval.first as usize + k];
            (0..self.bodies).filter(|&other| self.collides[entered * self.bodies + other]).any(|other| {
                let of_other = before.iter().filter(|one| body_of(one) == other);
                of_other.map(|one| if one.is_front() { 1 } else { -1 }).sum::<i32>() > 0
            })
        })
    }
}
