//! How far a convex shape is from an open mesh or a height field (which is solid below), for those who ask often and stay near: planes tell of most triangles, and a search of the rest.

use super::Side;
use super::surface::{is_over, placed_box, triangles_within};
use freiraum_geometry::math::{power_of_two, unit};
use freiraum_geometry::{Aabb, Pose, Shape, Vec3};
use freiraum_query::convex::{
    ConvexBody, ConvexCache, ConvexDistance, NO_VERTEX, Points, convex_body, distance_convex,
};

/// How far a shape is from another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// No more than the distance, up to rounding; not positive in overlap.
    pub gap: f64,
    /// Unit vector out of the other shape where it is nearest, in the world; zero where that is not known.
    pub out: Vec3,
}

/// The distance of a convex shape from an open mesh or a height field, as far as it is less than `reach`; else that. `None` for other shapes.
///
/// **Guarantee.** A plane parts the shapes by the gap: it is never more than the distance, up to rounding, and less only by what the search of cylinders and cones
/// leaves open, a millionth of their size.
pub(crate) fn clearance(a: &Side, b: &Side, reach: f64) -> Option<Clearance> {
    let (body, tree, bounds) = (convex_body(a.shape.shape())?, b.shape.mesh_tree()?, a.shape.bounds()?);
    if !(b.shape.has_open_surface() || b.shape.has_height_field()) {
        return None;
    }
    let world_from_b = b.placed.pose();
    let b_from_a = world_from_b.inverse() * a.placed.pose();
    let a_from_b = b_from_a.inverse();
    let (mut faces, mut faces_of_sides) = (Vec::new(), Vec::new());
    let around = placed_box(&bounds, &b_from_a, reach);
    triangles_within(tree, &around, &mut faces);
    // The sides of a height field matter beyond its border only.
    let sides = b.shape.sides_near(&placed_box(&bounds, &b_from_a, 0.0));
    if let Some(sides) = sides {
        triangles_within(sides, &around, &mut faces_of_sides);
    }
    let center = b_from_a.transform_point(bounds.center());
    let mut best = Clearance { gap: reach, out: Vec3::ZERO };
    let mut left = Vec::new();
    let of_surface = faces.iter().map(|face| tree.triangles()[*face as usize]);
    let of_sides =
        sides.iter().flat_map(|sides| faces_of_sides.iter().map(|face| sides.triangles()[*face as usize]));
    for triangle in of_surface.chain(of_sides) {
        let [p, q, r] = triangle;
        let Some(normal) = unit((q - p).cross(r - p)) else {
            left.push((f64::NEG_INFINITY, triangle));
            continue;
        };
        // From the side where the shape is.
        let normal = if normal.dot(center - p) < 0.0 { -normal } else { normal };
        let low = lowest(body, &b_from_a, &a_from_b, normal);
        let gap = normal.dot(low - p);
        if gap >= best.gap {
            continue;
        }
        let turned = if normal.dot((q - p).cross(r - p)) < 0.0 { [p, r, q] } else { triangle };
        if gap > 0.0 && is_over(&turned, normal, low, 0.0) {
            best = Clearance { gap, out: normal };
        } else {
            left.push((gap, triangle));
        }
    }
    // Those in which it may be first.
    left.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut cache = ConvexCache::new();
    for (gap, triangle) in left {
        if gap >= best.gap {
            break;
        }
        // The plane of the nearest so far parts it from others too.
        if best.out != Vec3::ZERO {
            let gap = parted(body, &b_from_a, &a_from_b, &triangle, best.out);
            if gap >= best.gap - SAME * reach {
                best.gap = best.gap.min(gap);
                continue;
            }
        }
        let corners = triangle.map(|p| a_from_b.transform_point(p));
        let found = distance_convex(body, &Points(&corners), &Pose::IDENTITY, &mut cache);
        let ConvexDistance::Separated(closest) = found else {
            return Some(Clearance { gap: 0.0, out: Vec3::ZERO });
        };
        let out = -b_from_a.rotate(closest.normal);
        let gap = parted(body, &b_from_a, &a_from_b, &triangle, out);
        if gap < best.gap {
            best = Clearance { gap, out };
        }
    }
    if best.gap > 0.0 && may_be_below(b, &placed_box(&bounds, &b_from_a, 0.0), best.out) {
        // Without an answer: who asks then takes the distance, whose error stops the world.
        let is_below = freiraum_query::intersects(a.shape, b.shape, &a_from_b).ok()?;
        if is_below {
            return Some(Clearance { gap: 0.0, out: Vec3::ZERO });
        }
    }
    Some(Clearance { out: world_from_b.rotate(best.out), ..best })
}

/// Whether a shape that does not meet the surface of a height field can be in the solid below; `own` is its box and `out` points to it from where it is nearest (zero:
/// not known), both in the frame of the field.
fn may_be_below(b: &Side, own: &Aabb, out: Vec3) -> bool {
    let (Shape::HeightField(_), Some(field)) = (b.shape.shape(), b.shape.bounds()) else { return false };
    // A surface over a rectangle is nearest upward to what is below it, and downward to what is above.
    let is_over_field = own.min.x >= field.min.x
        && own.max.x <= field.max.x
        && own.min.y >= field.min.y
        && own.max.y <= field.max.y;
    own.min.z < field.max.z && !(is_over_field && out.z > 0.0)
}

/// Gaps that differ by less than this share of the reach are the same: the lesser one is told.
const SAME: f64 = power_of_two(-20);

/// The point of a convex body that is farthest against a direction, in the frame of the surface.
fn lowest(body: &dyn ConvexBody, b_from_a: &Pose, a_from_b: &Pose, up: Vec3) -> Vec3 {
    let down = a_from_b.rotate(-up);
    b_from_a.transform_point(body.farthest(down, NO_VERTEX).point + body.radius() * down)
}

/// How far a body is above a triangle along a unit vector, both in the frame of the surface.
fn parted(body: &dyn ConvexBody, b_from_a: &Pose, a_from_b: &Pose, triangle: &[Vec3; 3], up: Vec3) -> f64 {
    let highest = triangle.iter().map(|p| up.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
    up.dot(lowest(body, b_from_a, a_from_b, up)) - highest
}

#[cfg(test)]
mod tests {
    use super::super::{Form, Placed};
    use super::*;
    use freiraum_geometry::shape::{Capsule, Cuboid, Cylinder, HeightField, Sphere};
    use freiraum_geometry::{Mat3, Quat};
    use freiraum_query::{Prepared, distance};
    use freiraum_testkit::random::Random;

    fn placed(pose: &Pose) -> Placed {
        let rotation = pose.rotation();
        Placed { axes: Mat3::from_quat(rotation), position: pose.translation(), rotation }
    }

    /// The distance by the general query is the oracle: the same while it is within reach, else no less than reach.
    fn check(shape: Shape, seed: u64) {
        let mut random = Random::new(seed);
        let heights: Vec<Vec<f64>> = (0..9).map(|_| (0..9).map(|_| 0.4 * random.unit()).collect()).collect();
        let ground = Prepared::new(Shape::HeightField(HeightField::new([4.0, 4.0], &heights).unwrap()));
        let shape = Prepared::new(shape);
        let form = Form::Convex;
        let tilt = Pose::new(Quat::from_rotation_y(0.2), Vec3::new(1.0, 2.0, 3.0)).unwrap();
        let (mut near, mut far, mut within) = (0, 0, 0);
        for _ in 0..400 {
            let at = Vec3::new(random.range(-2.5, 2.5), random.range(-2.5, 2.5), random.range(-0.8, 1.6));
            let turn = Quat::from_rotation_x(random.range(-3.0, 3.0))
                * Quat::from_rotation_z(random.range(-3.0, 3.0));
            let place = tilt * Pose::new(turn, at).unwrap();
            let exact = distance(&shape, &ground, &(place.inverse() * tilt)).unwrap().distance;
            let (own, other) = (placed(&place), placed(&tilt));
            let a = Side { form: &form, shape: &shape, placed: &own };
            let b = Side { form: &form, shape: &ground, placed: &other };
            let reach = 0.5;
            let found = clearance(&a, &b, reach).unwrap();
            if exact >= reach {
                far += 1;
                assert!((found.gap - reach).abs() <= 1e-9, "{found:?}, not {exact}");
            } else if exact > 0.0 {
                near += 1;
                assert!(found.gap <= exact + 1e-12 && found.gap >= exact - 1e-6, "{found:?}, not {exact}");
                assert!((found.out.length() - 1.0).abs() < 1e-9);
            } else {
                within += 1;
                assert!(found.gap <= 1e-12, "{found:?}, not {exact}");
            }
        }
        assert!(near > 50 && far > 20 && within > 20, "{near} {far} {within}");
    }

    #[test]
    fn gaps_are_those_of_the_general_query() {
        check(Shape::Cylinder(Cylinder::new(0.3, 0.2).unwrap()), 1);
        check(Shape::Sphere(Sphere::new(0.25).unwrap()), 2);
        check(Shape::Cuboid(Cuboid::new(Vec3::new(0.8, 0.4, 0.3)).unwrap()), 3);
        check(Shape::Capsule(Capsule::new(0.1, 0.5).unwrap()), 4);
    }

    #[test]
    fn solids_are_not_for_it() {
        let cube = Prepared::new(Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap()));
        let side = Side { form: &Form::Convex, shape: &cube, placed: &placed(&Pose::IDENTITY) };
        assert_eq!(clearance(&side, &side, 1.0), None);
    }
}
