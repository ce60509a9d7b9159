//! The largest inscribed sphere against closed forms and against all spheres that touch four planes.

use freiraum_geometry::Vec3;
use freiraum_geometry::enclose::{
    BoundingPlane, InscribeError, largest_inscribed_sphere, largest_sphere_in_hull,
};
use freiraum_geometry::hull::{Hull, convex_hull};
use freiraum_testkit::random::Random;
use freiraum_testkit::{points, scale};
use std::f64::consts::TAU;

fn plane(normal: Vec3, offset: f64) -> BoundingPlane {
    BoundingPlane { normal, offset }
}

fn distance(p: &BoundingPlane, x: Vec3) -> f64 {
    (p.offset - p.normal.dot(x)) / p.normal.length()
}

/// The largest radius among all spheres that touch four of the planes and violate none.
fn brute_force(planes: &[BoundingPlane]) -> f64 {
    let unit: Vec<(Vec3, f64)> =
        planes.iter().map(|p| (p.normal / p.normal.length(), p.offset / p.normal.length())).collect();
    let mut best = f64::NEG_INFINITY;
    let n = unit.len();
    for i in 0..n {
        for j in 0..i {
            for k in 0..j {
                for l in 0..k {
                    let [a, b, c] = [j, k, l].map(|m| unit[m].0 - unit[i].0);
                    let [x, y, z] = [j, k, l].map(|m| unit[m].1 - unit[i].1);
                    let det = a.dot(b.cross(c));
                    if det.abs() < 1e-12 {
                        continue;
                    }
                    let center = (x * b.cross(c) + y * c.cross(a) + z * a.cross(b)) / det;
                    best = best.max(planes.iter().map(|p| distance(p, center)).fold(f64::INFINITY, f64::min));
                }
            }
        }
    }
    best
}

#[test]
fn random_bodies_against_all_fours_of_planes() {
    let mut random = Random::new(1);
    for i in 0..scale::cases(200) {
        let n = 5 + i % 12;
        let mut planes: Vec<BoundingPlane> = (0..n)
            .map(|_| plane(random.direction() * random.range(0.1, 9.0), random.range(0.2, 2.0)))
            .collect();
        // A box around makes every body bounded.
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            planes.extend([plane(axis, 3.0), plane(-axis, 3.0)]);
        }
        let sphere = largest_inscribed_sphere(&planes).expect("the origin is inside");
        for p in &planes {
            assert!(distance(p, sphere.center) >= sphere.radius);
        }
        let best = brute_force(&planes);
        assert!((sphere.radius - best).abs() < 1e-12 * best.max(1.0), "{} instead of {best}", sphere.radius);
    }
}

#[test]
fn hulls_against_all_fours_of_faces() {
    let mut random = Random::new(2);
    for i in 0..scale::cases(60) {
        let cloud: Vec<Vec3> = (0..5 + i % 5).map(|_| random.in_cube(1.0)).collect();
        let Ok(Hull::Solid(hull)) = convex_hull(&cloud) else { panic!("a random cloud is solid") };
        let mesh = hull.mesh(&cloud);
        let planes: Vec<BoundingPlane> = mesh
            .triangles()
            .map(|[a, b, c]| {
                let normal = (b - a).cross(c - a);
                plane(normal, normal.dot(a))
            })
            .collect();
        let sphere = largest_sphere_in_hull(&cloud).expect("points");
        for p in &planes {
            assert!(distance(p, sphere.center) >= sphere.radius);
        }
        let best = brute_force(&planes);
        assert!((sphere.radius - best).abs() < 1e-12, "{} instead of {best}", sphere.radius);
    }
}

/// Radius of the largest sphere in the hull, moved and scaled in several ways.
fn check_hull(points: &[Vec3], radius: f64) {
    let mut random = Random::new(3);
    for unit in [1.0, 1e-6, 1e6] {
        for far in [0.0, 1.0, 1e3] {
            let (rotation, shift) = (random.rotation(), random.in_cube(far));
            let moved: Vec<Vec3> = points.iter().map(|p| (rotation * *p + shift) * unit).collect();
            let found = largest_sphere_in_hull(&moved).expect("points").radius / unit;
            // Moving the points has rounded them.
            let slack = 1e-14 * (1.0 + far);
            assert!(found <= radius + slack && found >= radius - 10.0 * slack, "{found} instead of {radius}");
        }
    }
}

fn prism(sides: u32, half_height: f64) -> Vec<Vec3> {
    (0..2 * sides)
        .map(|i| {
            let (sin, cos) = (TAU * f64::from(i / 2) / f64::from(sides)).sin_cos();
            Vec3::new(cos, sin, if i % 2 == 0 { half_height } else { -half_height })
        })
        .collect()
}

#[test]
fn closed_forms() {
    check_hull(&points::grid(2, 1.0), 0.5);
    check_hull(&points::grid(4, 1.0 / 3.0), 0.5);
    check_hull(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], 1.0 / (3.0 + 3.0f64.sqrt()));
    for sides in [3, 4, 5, 8, 64, 500] {
        let apothem = (TAU / f64::from(2 * sides)).cos();
        check_hull(&prism(sides, 5.0), apothem);
        check_hull(&prism(sides, 0.1), 0.1);
    }
}

#[test]
fn flat_and_smaller_bodies_have_radius_zero_inside_them() {
    let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let sphere = largest_sphere_in_hull(&triangle).expect("points");
    assert_eq!(sphere.radius, 0.0);
    assert!(sphere.center.z == 0.0 && sphere.center.x > 0.1 && sphere.center.y > 0.1);
    assert_eq!(largest_sphere_in_hull(&[Vec3::X, 3.0 * Vec3::X]).expect("points").center, 2.0 * Vec3::X);
    assert_eq!(largest_sphere_in_hull(&[Vec3::ONE; 4]).expect("points").center, Vec3::ONE);
    assert!(largest_sphere_in_hull(&[]).is_none());
    assert!(largest_sphere_in_hull(&[Vec3::splat(f64::NAN)]).is_none());
}

#[test]
fn long_and_thin_bodies() {
    for length in [10.0, 1e3, 1e6] {
        let bar: Vec<Vec3> = points::grid(2, 1.0).iter().map(|p| *p * Vec3::new(length, 1.0, 1.0)).collect();
        let sphere = largest_sphere_in_hull(&bar).expect("points");
        assert!(sphere.radius <= 0.5 && sphere.radius > 0.5 - 1e-14 * length);
    }
    // Slivers on top of a flat roof: their normals are hard to compute.
    let mut roof = points::grid(2, 1.0);
    roof.extend((0..40).map(|i| Vec3::new(0.025 * f64::from(i), 0.5, 1.0 + 1e-13 * f64::from(i % 7))));
    let sphere = largest_sphere_in_hull(&roof).expect("points");
    assert!((sphere.radius - 0.5).abs() < 1e-11, "{}", sphere.radius);
}

#[test]
fn planes_that_hold_no_sphere_say_why() {
    let up = plane(Vec3::Z, 1.0);
    assert_eq!(largest_inscribed_sphere(&[]), Err(InscribeError::Unbounded));
    assert_eq!(largest_inscribed_sphere(&[up]), Err(InscribeError::Unbounded));
    assert_eq!(largest_inscribed_sphere(&[up, plane(-Vec3::Z, 1.0)]), Err(InscribeError::Unbounded));
    let cube = |half: f64| [Vec3::X, Vec3::Y, Vec3::Z].map(|a| [plane(a, half), plane(-a, half)]).concat();
    assert_eq!(largest_inscribed_sphere(&cube(-1.0)), Err(InscribeError::Empty));
    assert_eq!(largest_inscribed_sphere(&cube(0.0)).map(|s| s.radius), Ok(0.0));
    let bad = |normal: Vec3, offset: f64| {
        let mut planes = cube(1.0);
        planes.push(plane(normal, offset));
        largest_inscribed_sphere(&planes)
    };
    assert_eq!(bad(Vec3::ZERO, 1.0), Err(InscribeError::BadPlane(6)));
    assert_eq!(bad(Vec3::X, f64::NAN), Err(InscribeError::BadPlane(6)));
    assert_eq!(bad(Vec3::new(f64::INFINITY, 0.0, 0.0), 1.0), Err(InscribeError::BadPlane(6)));
    assert!(bad(Vec3::X * 1e-3, 1.0).is_ok());
}
