//! The renderer in software.
//!
//! Triangles are not clipped. The corners a, b, c of a triangle in the frame of the eye span three planes with the eye; a line through the eye
//! in direction d passes between them if `d·(b×c)`, `d·(c×a)` and `d·(a×b)` have the sign of `a·(b×c)`, wherever the corners are, also
//! behind the eye. **No gaps.** Two triangles with a common edge have the very same product with opposite signs there, to the
//! last bit, and zero belongs to both.

use super::model::{ModelPart, Triangles};
use super::{Accuracy, DepthPicture, DepthRenderer, Drawn, View};
use freiraum_geometry::{Pose, Shape, Vec3};

/// Draws triangles in f64, and keeps depths in f32.
#[derive(Clone, Debug, Default)]
pub struct Rasteriser {
    /// Corners of the mesh at hand in the frame of the eye.
    corners: Vec<Vec3>,
}

impl DepthRenderer for Rasteriser {
    fn render(&mut self, view: &View, drawn: &[Drawn<'_>], picture: &mut DepthPicture) {
        picture.clear(view.size);
        let eye_from_world = view.world_from_eye.inverse();
        for thing in drawn {
            let eye_from_thing = eye_from_world * thing.world_from_thing;
            for part in thing.model.parts.iter() {
                let eye_from_part = eye_from_thing * part.thing_from_part;
                let mut canvas = Canvas { view, picture, mark: thing.mark };
                match &part.triangles {
                    Some(triangles) => self.draw(triangles, &eye_from_part, &mut canvas),
                    None => draw_half_space(part, &eye_from_part, &mut canvas),
                }
            }
        }
    }

    /// Half a unit in the last place of f32, and as much again for all that is done in f64.
    fn accuracy(&self) -> Accuracy {
        Accuracy { of_distance: f64::from(f32::EPSILON), of_size: 0.0 }
    }
}

impl Rasteriser {
    fn draw(&mut self, triangles: &Triangles, eye_from_part: &Pose, canvas: &mut Canvas<'_>) {
        if !may_show(canvas.view, eye_from_part.transform_point(triangles.center), triangles.radius) {
            return;
        }
        let turn = eye_from_part.rotation_matrix();
        let shift = eye_from_part.translation();
        self.corners.clear();
        self.corners.extend(triangles.mesh.vertices().iter().map(|v| turn * *v + shift));
        for face in triangles.mesh.faces() {
            canvas.triangle(face.map(|i| self.corners[i as usize]), triangles.is_solid);
        }
    }
}

/// False if a sphere is in no pixel: behind the eye, too far, or beside the picture.
pub(super) fn may_show(view: &View, center: Vec3, radius: f64) -> bool {
    // The sphere is rounded, and so are the planes.
    let radius = radius * (1.0 + f64::from(f32::EPSILON));
    if center.x + radius < view.near || center.x - radius > view.far {
        return false;
    }
    let beyond = |at: f64, across: f64| (across - at * center.x) > radius * f64::hypot(1.0, at);
    let [last_column, last_row] = view.size.map(|n| n.saturating_sub(1));
    let beside = beyond(view.y(0), center.y) || beyond(-view.y(last_column), -center.y);
    let above = beyond(view.z(0), center.z) || beyond(-view.z(last_row), -center.z);
    !(beside || above)
}

/// Every pixel whose line runs into the solid side of a plane.
fn draw_half_space(part: &ModelPart, eye_from_part: &Pose, canvas: &mut Canvas<'_>) {
    let Shape::HalfSpace(half_space) = &part.shape else { return };
    let normal = eye_from_part.rotate(half_space.normal());
    let height = half_space.offset() + normal.dot(eye_from_part.translation());
    if height >= 0.0 {
        return; // the eye is in it
    }
    for row in 0..canvas.view.size[1] {
        let from_row = normal.x + normal.z * canvas.view.z(row);
        for column in 0..canvas.view.size[0] {
            let along = from_row + normal.y * canvas.view.y(column);
            if along < 0.0 {
                canvas.offer(column, row, height / along, normal);
            }
        }
    }
}

/// Where one thing is drawn.
struct Canvas<'p> {
    view: &'p View,
    picture: &'p mut DepthPicture,
    mark: u32,
}

impl Canvas<'_> {
    fn triangle(&mut self, [a, b, c]: [Vec3; 3], is_solid: bool) {
        let view = self.view;
        let farthest = a.x.max(b.x).max(c.x);
        let nearest = a.x.min(b.x).min(c.x);
        if farthest <= 0.0 || farthest < view.near || nearest > view.far {
            return;
        }
        let normal = (b - a).cross(c - a);
        let height = normal.dot(a);
        // Negative: the eye is on the side that the face looks to. Zero: it is seen from its edge.
        if height == 0.0 || (is_solid && height > 0.0) {
            return;
        }
        let side = height.signum();
        let edges = [b.cross(c), c.cross(a), a.cross(b)].map(|e| side * e);
        let (first_row, last_row) = if nearest > 0.0 {
            let z = [a.z / a.x, b.z / b.x, c.z / c.x];
            let high = z[0].max(z[1]).max(z[2]);
            let low = z[0].min(z[1]).min(z[2]);
            within(
                view.size[1],
                (view.first[1] - high) / view.pitch[1],
                (view.first[1] - low) / view.pitch[1],
            )
        } else {
            (0, view.size[1])
        };
        for row in first_row..last_row {
            self.row(row, &edges, normal, height, [nearest, farthest]);
        }
    }

    fn row(&mut self, row: u32, edges: &[Vec3; 3], normal: Vec3, height: f64, depths: [f64; 2]) {
        let view = self.view;
        let z = view.z(row);
        // Each edge is `from_row + edge.y * y`, and cuts the row where that is zero; decided by the sign at each pixel.
        let from_row = edges.map(|e| e.x + e.z * z);
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for (edge, start) in edges.iter().zip(from_row) {
            if edge.y == 0.0 {
                if start < 0.0 {
                    return;
                }
                continue;
            }
            let column = (view.first[0] + start / edge.y) / view.pitch[0];
            // Falling with the column where edge.y is positive.
            if edge.y > 0.0 { high = high.min(column) } else { low = low.max(column) }
        }
        let (first, last) = within(view.size[0], low, high);
        let plane_row = normal.x + normal.z * z;
        for column in first..last {
            let y = view.y(column);
            let is_in = (0..3).all(|k| from_row[k] + edges[k].y * y >= 0.0);
            let depth = height / (plane_row + normal.y * y);
            // A face seen at a grazing angle has a badly conditioned plane, but is nowhere nearer or farther than its corners.
            if is_in && depth > 0.0 {
                self.offer(column, row, depth.clamp(depths[0], depths[1]), normal);
            }
        }
    }

    #[inline]
    fn offer(&mut self, column: u32, row: u32, depth: f64, normal: Vec3) {
        if !(depth >= self.view.near && depth <= self.view.far) {
            return;
        }
        let at = row as usize * self.view.size[0] as usize + column as usize;
        let depth = depth as f32;
        if depth < self.picture.depth[at] {
            self.picture.depth[at] = depth;
            self.picture.marks[at] = self.mark;
            if let Some(slot) = self.picture.normals.get_mut(at) {
                *slot = facing(self.view, column, row, normal);
            }
        }
    }
}

/// The unit normal towards the eye, in the frame of the world.
pub(super) fn facing(view: &View, column: u32, row: u32, normal: Vec3) -> [f32; 3] {
    let towards = if normal.dot(view.pixel(column, row)) > 0.0 { -normal } else { normal };
    let unit = freiraum_geometry::math::unit(towards).unwrap_or(Vec3::NEG_X);
    view.world_from_eye.rotate(unit).as_vec3().to_array()
}

/// The whole numbers from `low` to `high` and one more on either side, of those below `count`.
fn within(count: u32, low: f64, high: f64) -> (u32, u32) {
    // Casts saturate: below 0 is 0.
    let first = (low.floor() - 1.0).max(0.0) as u32;
    let last = (high.ceil() + 2.0).max(0.0) as u32;
    (first.min(count), last.min(count))
}
