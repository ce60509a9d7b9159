//! One point for the force between a convex body and the ground.

use super::half_space::each_corner;
use super::polygon::Polygon;
use crate::Prepared;
use crate::distance::half_space::placed;
use crate::prepared::{Class, touch_slack};
use freiraum_geometry::math::unit;
use freiraum_geometry::shape::{HalfSpace, Shape};
use freiraum_geometry::{Pose, Vec3};

/// Where the force between a body and a plane is to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForcePoint {
    /// At the deepest corner, the mean of all that are equally deep: for legs that walk. It jumps when a body tips.
    Deepest,
    /// At the mean of the corners below the plane, weighted by their depth: moves steadily while a body tips.
    WeightedCorners,
    /// At the centroid of the section of the body with the plane: for rolling wheels, which it does not shake. Of round bodies
    /// it is the middle of the section's axis of symmetry.
    SectionCentroid,
}

/// The point of a convex body a where the force from half space b acts, in the frame of a; `None` if they do not touch,
/// or if a is not convex.
///
/// A body wholly below the plane has no section: its deepest point is taken.
pub fn force_point(a: &Prepared, b: &HalfSpace, a_from_b: &Pose, choice: ForcePoint) -> Option<Vec3> {
    let Class::Convex(solid) = a.class() else { return None };
    let (up, offset) = placed(b, a_from_b);
    let depth = |p: Vec3| offset - up.dot(p);
    let slack = touch_slack(solid.reach(), b.offset().abs(), a_from_b);
    let mut corners = Vec::new();
    each_corner(solid.shape, up, |p| corners.push(p));
    let deepest = corners.iter().map(|&p| depth(p)).fold(f64::NEG_INFINITY, f64::max);
    if deepest < -slack {
        return None;
    }
    let mean = |weight: &dyn Fn(Vec3) -> f64| {
        let total: f64 = corners.iter().map(|&p| weight(p)).sum();
        corners.iter().map(|&p| weight(p) * p).sum::<Vec3>() / total
    };
    // Corners that differ by rounding are equally deep.
    let at_deepest = || mean(&|p| if depth(p) >= deepest - slack { 1.0 } else { 0.0 });
    Some(match choice {
        ForcePoint::Deepest => at_deepest(),
        ForcePoint::WeightedCorners if deepest > slack => mean(&|p| depth(p).max(0.0)),
        ForcePoint::WeightedCorners => at_deepest(),
        ForcePoint::SectionCentroid => section(solid.shape, up, offset).unwrap_or_else(at_deepest),
    })
}

/// The middle of the section of a convex shape with the plane `dot(up, x) = offset`.
fn section(shape: &Shape, up: Vec3, offset: f64) -> Option<Vec3> {
    let height = |p: Vec3| up.dot(p) - offset;
    let crossing = |p: Vec3, q: Vec3| {
        let (from, to) = (height(p), height(q));
        ((from < 0.0) != (to < 0.0)).then(|| p + from / (from - to) * (q - p))
    };
    // Round bodies: in the plane of their axis and the normal, which halves them, the section is a chord.
    let across = unit(up.with_z(0.0)).unwrap_or(Vec3::X);
    let outline = |corners: &[(f64, f64)]| -> Vec<Vec3> {
        corners.iter().map(|&(x, z)| (x * across).with_z(z)).collect()
    };
    let chord = |corners: Vec<Vec3>| {
        let ends: Vec<Vec3> = (0..corners.len())
            .filter_map(|i| crossing(corners[i], corners[(i + 1) % corners.len()]))
            .collect();
        (!ends.is_empty()).then(|| ends.iter().sum::<Vec3>() / ends.len() as f64)
    };
    match shape {
        Shape::Sphere(s) => (offset.abs() < s.radius()).then(|| offset * up),
        Shape::Cylinder(s) => {
            let (r, h) = (s.radius(), 0.5 * s.height());
            chord(outline(&[(r, h), (-r, h), (-r, -h), (r, -h)]))
        }
        Shape::Cone(s) => {
            let (r, h) = (s.radius(), 0.5 * s.height());
            chord(outline(&[(0.0, h), (-r, -h), (r, -h)]))
        }
        Shape::Capsule(s) => capsule_chord(s.radius(), 0.5 * s.height(), up, offset, across),
        Shape::Cuboid(_) | Shape::Convex(_) => {
            let mesh = shape.tessellate(1.0).ok()?;
            let edges = mesh.triangles().flat_map(|[a, b, c]| [(a, b), (b, c), (c, a)]);
            let points: Vec<Vec3> = edges.filter_map(|(p, q)| crossing(p, q)).collect();
            centroid(&points, up)
        }
        Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => None,
    }
}

/// The middle of the chord that the plane cuts out of the outline of a capsule, in the plane of z and `across`.
fn capsule_chord(radius: f64, half: f64, up: Vec3, offset: f64, across: Vec3) -> Option<Vec3> {
    let (foot, along) = (offset * up, unit(up.cross(across.cross(Vec3::Z)))?);
    // The chord runs through the two round ends and the straight part between them; together they are convex.
    let mut ends: Option<(f64, f64)> = None;
    let mut add = |low: f64, high: f64| {
        if low <= high {
            ends = Some(ends.map_or((low, high), |(l, h)| (l.min(low), h.max(high))));
        }
    };
    for z in [-half, half] {
        let centre = Vec3::new(0.0, 0.0, z) - foot;
        let middle = centre.dot(along);
        let square = radius * radius - (centre - middle * along).length_squared();
        if square >= 0.0 {
            add(middle - square.sqrt(), middle + square.sqrt());
        }
    }
    let slab = |at: f64, rate: f64, half: f64| {
        let (s, t) = ((-half - at) / rate, (half - at) / rate);
        if rate != 0.0 {
            (s.min(t), s.max(t))
        } else if at.abs() <= half {
            (f64::NEG_INFINITY, f64::INFINITY)
        } else {
            (1.0, 0.0)
        }
    };
    let (side, ends_z) = (slab(foot.dot(across), along.dot(across), radius), slab(foot.z, along.z, half));
    add(side.0.max(ends_z.0), side.1.min(ends_z.1));
    ends.map(|(low, high)| foot + 0.5 * (low + high) * along)
}

/// The centroid of the convex polygon of points in any order, some of them given twice.
fn centroid(points: &[Vec3], normal: Vec3) -> Option<Vec3> {
    let first = *points.first()?;
    let polygon = Polygon::of(points.iter().copied()).sorted_around(normal);
    let (mut area, mut moment) = (0.0, Vec3::ZERO);
    for i in 0..polygon.len() {
        let (p, q) = (polygon[i] - first, polygon[(i + 1) % polygon.len()] - first);
        let part = p.cross(q).dot(normal);
        area += part;
        moment += part * (p + q) / 3.0;
    }
    Some(if area > 0.0 { first + moment / area } else { polygon.mean() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::shape::{Capsule, Cone, Convex, Cuboid, Cylinder, Sphere};

    const GROUND: f64 = 0.0;

    /// The force point in the world for a shape at a pose over the ground z <= 0.
    fn at(shape: Shape, world_from_a: Pose, choice: ForcePoint) -> Option<Vec3> {
        let ground = HalfSpace::new(Vec3::Z, GROUND).unwrap();
        let point = force_point(&Prepared::new(shape), &ground, &world_from_a.inverse(), choice)?;
        Some(world_from_a.transform_point(point))
    }

    fn check(shape: Shape, world_from_a: Pose, choice: ForcePoint, expected: Vec3) {
        let found = at(shape, world_from_a, choice).unwrap();
        assert!((found - expected).length() < 1e-12, "{choice:?}: {found}, expected {expected}");
    }

    fn cube() -> Shape {
        Shape::Cuboid(Cuboid::new(Vec3::splat(2.0)).unwrap())
    }

    #[test]
    fn a_box_that_stands_flat_is_held_in_the_middle() {
        let pose = Pose::from_translation(Vec3::new(3.0, 4.0, 0.9));
        check(cube(), pose, ForcePoint::Deepest, Vec3::new(3.0, 4.0, -0.1));
        check(cube(), pose, ForcePoint::WeightedCorners, Vec3::new(3.0, 4.0, -0.1));
        check(cube(), pose, ForcePoint::SectionCentroid, Vec3::new(3.0, 4.0, 0.0));
        assert_eq!(at(cube(), Pose::from_translation(Vec3::Z * 1.1), ForcePoint::Deepest), None);
        // Wholly below: no section.
        check(
            cube(),
            Pose::from_translation(Vec3::Z * -5.0),
            ForcePoint::SectionCentroid,
            Vec3::new(0.0, 0.0, -6.0),
        );
    }

    #[test]
    fn a_tilted_box_is_held_where_the_choice_says() {
        // On its edge along y, sunk by 0.5: the section is a rectangle of width 1 about x = 0.
        let edge = Pose::from_translation(Vec3::new(0.0, 0.0, 2f64.sqrt() - 0.5))
            * Pose::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_4).unwrap();
        check(cube(), edge, ForcePoint::Deepest, Vec3::new(0.0, 0.0, -0.5));
        check(cube(), edge, ForcePoint::SectionCentroid, Vec3::ZERO);
        // A triangle: corners (0,0), (2,0), (0,2) of a tetrahedron with its tip below.
        let corners =
            [Vec3::new(0.0, 0.0, 1.0), Vec3::new(4.0, 0.0, 1.0), Vec3::new(0.0, 4.0, 1.0), -Vec3::Z];
        let tetrahedron = Shape::Convex(Convex::from_points(&corners).unwrap());
        check(
            tetrahedron.clone(),
            Pose::IDENTITY,
            ForcePoint::SectionCentroid,
            Vec3::new(2.0 / 3.0, 2.0 / 3.0, 0.0),
        );
        check(tetrahedron, Pose::IDENTITY, ForcePoint::Deepest, -Vec3::Z);
    }

    #[test]
    fn corners_are_weighted_by_depth() {
        // Tipped about y: the corners at x = +1 are 0.3 deep, those at x = -1 are 0.1 deep.
        let angle = 0.1f64.asin();
        let pose = Pose::from_axis_angle(Vec3::Y, angle).unwrap();
        let lowest = pose.transform_point(Vec3::new(1.0, 1.0, -1.0)).z;
        let pose = Pose::from_translation(Vec3::Z * (-0.3 - lowest)) * pose;
        let [deep, shallow] = [1.0, -1.0].map(|x| pose.transform_point(Vec3::new(x, 0.0, -1.0)));
        assert!((deep.z + 0.3).abs() < 1e-12 && (shallow.z + 0.1).abs() < 1e-12);
        check(cube(), pose, ForcePoint::WeightedCorners, 0.75 * deep + 0.25 * shallow);
        check(cube(), pose, ForcePoint::Deepest, deep);
    }

    #[test]
    fn round_bodies_are_held_in_the_middle_of_their_section() {
        let lying = |z: f64| {
            Pose::from_translation(Vec3::Z * z)
                * Pose::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2).unwrap()
        };
        let wheel = Shape::Cylinder(Cylinder::new(1.0, 0.4).unwrap());
        check(wheel.clone(), lying(0.9), ForcePoint::SectionCentroid, Vec3::ZERO);
        check(wheel, Pose::from_translation(Vec3::Z * 0.1), ForcePoint::SectionCentroid, Vec3::ZERO);
        let capsule = Shape::Capsule(Capsule::new(1.0, 3.0).unwrap());
        check(capsule.clone(), lying(0.9), ForcePoint::SectionCentroid, Vec3::ZERO);
        check(capsule, Pose::from_translation(Vec3::Z * 2.2), ForcePoint::SectionCentroid, Vec3::ZERO);
        let ball = Shape::Sphere(Sphere::new(1.0).unwrap());
        check(
            ball.clone(),
            Pose::from_translation(Vec3::new(2.0, 0.0, 0.7)),
            ForcePoint::SectionCentroid,
            Vec3::X * 2.0,
        );
        check(
            ball,
            Pose::from_translation(Vec3::new(2.0, 0.0, 0.7)),
            ForcePoint::Deepest,
            Vec3::new(2.0, 0.0, -0.3),
        );
        let cone = Shape::Cone(Cone::new(1.0, 2.0).unwrap());
        check(cone, Pose::from_translation(Vec3::Z * 0.5), ForcePoint::SectionCentroid, Vec3::ZERO);
    }

    #[test]
    fn the_section_moves_steadily_while_a_wheel_rolls_over_its_edge() {
        let wheel = Shape::Cylinder(Cylinder::new(1.0, 0.4).unwrap());
        let mut last: Option<Vec3> = None;
        for i in -200..=200 {
            let tilt = std::f64::consts::FRAC_PI_2 + 1e-3 * f64::from(i);
            let pose = Pose::from_translation(Vec3::Z * 0.9) * Pose::from_axis_angle(Vec3::X, tilt).unwrap();
            let found = at(wheel.clone(), pose, ForcePoint::SectionCentroid).unwrap();
            assert!(last.is_none_or(|l| l.distance(found) < 0.02), "{i}: {found}");
            last = Some(found);
        }
    }
}
