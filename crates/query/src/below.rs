//! What a height field is below its surface: solid, without end, with vertical sides under its border.
//!
//! The sides matter only to what reaches out over the border and below the highest point of it: whatever else is not in the solid is no nearer to a side
//! than to the surface. For those pairs the sides are an open surface of their own, from the border down to a floor below all of the other body. There is one
//! for each of a few depths, each four times the last, made when first asked for. Below the lowest point of the border a side is one rectangle, so that
//! deep ones cost nothing.

use crate::surface::Surface;
use freiraum_geometry::math::rounding;
use freiraum_geometry::shape::HeightField;
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_geometry::{Aabb, Mesh, Vec3};
use std::sync::OnceLock;

/// A height field that is solid below.
#[derive(Clone, Debug)]
pub(crate) struct Below {
    field: HeightField,
    bounds: Aabb,
    /// The least and the greatest height of the border.
    border: [f64; 2],
    /// By depth, as far as they were asked for.
    sides: OnceLock<Box<[OnceLock<Surface>]>>,
}

/// How many times as deep the next sides are.
const DEEPER: f64 = 4.0;

impl Below {
    pub(crate) fn new(field: &HeightField) -> Below {
        let around = sides_of(field).into_iter().flatten().map(|p| p.z);
        let border =
            around.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], z| [low.min(z), high.max(z)]);
        Below { field: field.clone(), bounds: field.aabb(), border, sides: OnceLock::new() }
    }

    /// The box of the surface; at hand, where the field would look at all its heights.
    pub(crate) fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    pub(crate) fn field(&self) -> &HeightField {
        &self.field
    }

    /// Whether the sides matter to a body that is in a box, in the frame of the field.
    pub(crate) fn sides_matter(&self, body: &Aabb) -> bool {
        let slack = rounding::coordinate(self.bounds.reach() + body.reach());
        let (min, max) = (self.bounds.min + slack, self.bounds.max - slack);
        let is_within = body.min.x > min.x && body.min.y > min.y && body.max.x < max.x && body.max.y < max.y;
        !(is_within || body.min.z > self.border[1] + slack)
    }

    /// The sides, as deep as a body needs that is in a box, in the frame of the field; `None` if they do not matter to it.
    pub(crate) fn sides_near(&self, body: &Aabb) -> Option<&Surface> {
        if !self.sides_matter(body) {
            return None;
        }
        let (size, [low, high]) = (self.bounds.size(), self.border);
        let least = size.x.max(size.y).max(high - low);
        // With room for rounding; what has no number counts as deepest.
        let depth = least.max(2.0 * (low - body.min.z));
        let deepest = count_of(least) - 1;
        let number = (0..deepest).find(|k| depth_of(least, *k) >= depth).unwrap_or(deepest);
        let all = self.sides.get_or_init(|| (0..=deepest).map(|_| OnceLock::new()).collect());
        Some(all[number].get_or_init(|| self.make(low - depth_of(least, number))))
    }

    /// The sides from the border down to a height.
    fn make(&self, floor: f64) -> Surface {
        let (low, floor) = (self.border[0], floor.max(-MAX_COORDINATE));
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        let mut add = |corners: [Vec3; 3]| {
            let first = vertices.len() as u32;
            vertices.extend(corners);
            faces.push([first, first + 1, first + 2]);
        };
        for side in sides_of(&self.field) {
            for two in side.windows(2) {
                let [p, q] = [two[0], two[1]];
                if q.z > low {
                    add([p.with_z(low), q.with_z(low), q]);
                }
                if p.z > low {
                    add([p.with_z(low), q, p]);
                }
            }
            let [p, q] = [side[0].with_z(low), side[side.len() - 1].with_z(low)];
            add([p.with_z(floor), q.with_z(floor), q]);
            add([p.with_z(floor), q, p]);
        }
        let mesh = Mesh::new(vertices, faces).expect("heights and size were checked when they came in");
        Surface::of_sheet(mesh)
    }
}

/// How deep the sides of a number reach.
fn depth_of(least: f64, number: usize) -> f64 {
    least * DEEPER.powi(number as i32)
}

/// How many depths there are: the last reaches beyond all coordinates.
fn count_of(least: f64) -> usize {
    2 + (2.0 * MAX_COORDINATE / least).log(DEEPER).ceil().max(0.0) as usize
}

/// The border from corner to corner, with the rectangle on the left: along the least y, the greatest x, the greatest y and the least x.
fn sides_of(field: &HeightField) -> [Vec<Vec3>; 4] {
    let (last_row, last_column) = (field.rows() - 1, field.columns() - 1);
    [
        (0..=last_column).map(|column| field.vertex(0, column)).collect(),
        (0..=last_row).map(|row| field.vertex(row, last_column)).collect(),
        (0..=last_column).rev().map(|column| field.vertex(last_row, column)).collect(),
        (0..=last_row).rev().map(|row| field.vertex(row, 0)).collect(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn below() -> Below {
        Below::new(&HeightField::new([2.0, 4.0], &[[0.5, 0.25], [1.0, 0.25], [0.25, 0.25]]).unwrap())
    }

    fn around(center: Vec3) -> Aabb {
        Aabb { min: center - 0.1, max: center + 0.1 }
    }

    #[test]
    fn sides_matter_beyond_the_border_and_below_it_only() {
        let below = below();
        for (at, matters) in [
            (Vec3::new(0.0, 0.0, -5.0), false),
            (Vec3::new(0.0, 0.0, 5.0), false),
            (Vec3::new(1.05, 0.0, 1.2), false),
            (Vec3::new(1.05, 0.0, 1.05), true),
            (Vec3::new(3.0, 0.0, -5.0), true),
            (Vec3::new(0.0, -2.0, -1e30), true),
        ] {
            let sides = below.sides_near(&around(at));
            assert_eq!(sides.is_some(), matters, "{at}");
            let is_deep = sides.is_none_or(|sides| sides.bounds().min.z < at.z - 0.1);
            assert!(is_deep, "{at}");
        }
        // What is asked for again is there.
        let [one, other] = [1.0, 1.5].map(|z| below.sides_near(&around(Vec3::new(3.0, 0.0, -z))).unwrap());
        assert!(std::ptr::eq(one, other));
    }

    /// The sides have the area of the walls, and their normals point away from the rectangle.
    #[test]
    fn sides_hang_from_the_border() {
        let below = below();
        let sides = below.sides_near(&around(Vec3::new(3.0, 0.0, -1.0))).unwrap();
        let (low, floor) = (0.25, sides.bounds().min.z);
        let strips = 0.5 * 2.0 * (0.25 + 0.75) + 0.5 * 2.0 * 0.75 + 0.5 * 2.0 * 0.25;
        assert!((sides.mesh().area() - strips - 12.0 * (low - floor)).abs() < 1e-12);
        for [p, q, r] in sides.mesh().triangles() {
            let normal = (q - p).cross(r - p);
            assert!(normal.z == 0.0 && normal.dot((p + q + r) / 3.0) > 0.0);
        }
    }

    #[test]
    fn no_depth_is_too_large() {
        for size in [1e-30, 1.0, 1e40] {
            let below = Below::new(&HeightField::new([size, size], &[[0.0, 0.0], [0.0, 0.0]]).unwrap());
            let depths = [f64::NEG_INFINITY, -1e55, -1e50, -size];
            for z in depths {
                let body = Aabb { min: Vec3::new(0.0, 0.0, z), max: Vec3::new(1e45, 0.0, 1.0) };
                let sides = below.sides_near(&body).unwrap();
                assert!(sides.bounds().min.z <= z.max(-MAX_COORDINATE), "{size} {z}");
            }
        }
    }
}
