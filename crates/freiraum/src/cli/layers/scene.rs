//! What a picture shows: triangles with colours, the columns of the collision volume, marks.

use super::body::Body;
use super::solve::Found;
use freiraum::deform::Grid;
use freiraum::geometry::{AxisBox, Vec3};

/// A piece of the collision volume: a box over a pixel, from one depth to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    /// Its two corners.
    pub(super) corners: [Vec3; 2],
    /// The direction of the rays: 0, 1, 2 for x, y, z.
    pub(super) axis: usize,
    /// Normals of the surfaces that end it, outwards: what its ends are shaded with.
    pub(super) normals: [Vec3; 2],
}

impl Column {
    /// Over a pixel, between two depths in steps.
    pub(super) fn of(grid: &Grid, pixel: u32, depths: [u32; 2], normals: [Vec3; 2]) -> Column {
        let [u, v, _] = grid.axis.order();
        let mut half = Vec3::ZERO;
        (half[u], half[v]) = (0.5 * grid.pixel[0], 0.5 * grid.pixel[1]);
        let [low, high] = depths.map(|depth| grid.point(pixel as usize, depth));
        Column { corners: [low - half, high + half], axis: grid.axis.index(), normals }
    }
}

/// All triangles of a picture: those of the meshes, then those of solids.
pub(super) struct Scene {
    pub(super) vertices: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
    normals: Vec<Vec3>,
    /// Where the faces of each colour end.
    parts: Vec<(u32, [f32; 3])>,
    /// The first face of a solid.
    first_solid: usize,
}

/// How a face looks.
pub(super) struct Look {
    pub(super) color: [f32; 3],
    /// Outwards.
    pub(super) normal: Vec3,
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
const COLLISION: [f32; 3] = [0.93, 0.16, 0.13];
const FAULT: [f32; 3] = [1.0, 0.62, 0.0];

/// Half the size of a mark, as a share of the size of all meshes.
const MARK: f64 = 0.005;

impl Scene {
    pub(super) fn of(bodies: &[Body], found: &Found) -> Scene {
        let mut scene = Scene {
            vertices: Vec::new(),
            faces: Vec::new(),
            normals: Vec::new(),
            parts: Vec::new(),
            first_solid: 0,
        };
        for (body, color) in bodies.iter().zip(GLASS.iter().cycle()) {
            let first = scene.vertices.len() as u32;
            scene.vertices.extend_from_slice(&body.vertices);
            scene.faces.extend(body.faces.iter().map(|face| face.map(|v| v + first)));
            let surface = body.surface();
            scene.normals.extend((0..body.faces.len() as u32).map(|face| surface.normal(face)));
            scene.end_part(*color);
        }
        scene.first_solid = scene.faces.len();
        let size = AxisBox::of_points(&scene.vertices).size().max_element();
        for column in &found.columns {
            scene.put(column);
        }
        scene.end_part(COLLISION);
        let half = Vec3::splat(MARK * size);
        for (body, own) in bodies.iter().zip(&found.own) {
            let edges = body.open_edges.iter().take(1000).map(|edge| body.middle(edge));
            for point in edges.chain(own.faults.iter().map(|place| place.point)) {
                let corners = [point - half, point + half];
                scene.put(&Column { corners, axis: 2, normals: [-Vec3::Z, Vec3::Z] });
            }
        }
        scene.end_part(FAULT);
        scene
    }

    /// The faces of the meshes.
    pub(super) fn glass(&self) -> &[[u32; 3]] {
        &self.faces[..self.first_solid]
    }

    /// The faces of solids, with their numbers.
    pub(super) fn solids(&self) -> impl Iterator<Item = (u32, [u32; 3])> {
        let solids = self.faces[self.first_solid..].iter().copied();
        (self.first_solid as u32..).zip(solids)
    }

    pub(super) fn look(&self, face: u32) -> Look {
        let (_, color) = self.parts[self.parts.partition_point(|&(end, _)| end <= face)];
        Look { color, normal: self.normals[face as usize] }
    }

    fn end_part(&mut self, color: [f32; 3]) {
        self.parts.push((self.faces.len() as u32, color));
    }

    /// A box, its ends shaded as the surfaces there.
    fn put(&mut self, column: &Column) {
        let first = self.vertices.len() as u32;
        let [low, high] = column.corners;
        self.vertices.extend((0..8).map(|i| {
            let pick = |k: usize| if i >> k & 1 == 0 { low[k] } else { high[k] };
            Vec3::new(pick(0), pick(1), pick(2))
        }));
        for axis in 0..3 {
            let [u, v] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
            for (side, base) in [0, 1 << axis].into_iter().enumerate() {
                let around = if side == 1 {
                    [base, base + u, base + u + v, base + v]
                } else {
                    [base, base + v, base + u + v, base + u]
                };
                let [a, b, c, d] = around.map(|corner: u32| first + corner);
                self.faces.extend([[a, b, c], [a, c, d]]);
                let mut normal = Vec3::ZERO;
                normal[axis] = if side == 1 { 1.0 } else { -1.0 };
                let normal = if axis == column.axis { column.normals[side] } else { normal };
                self.normals.extend([normal; 2]);
            }
        }
    }
}
