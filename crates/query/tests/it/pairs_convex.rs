//! Convex pairs against answers that are known by construction, and depths against many directions.

use crate::pairs_common::{brute_distance, random_pose};
use freiraum_geometry::shape::{Capsule, Cone, Convex, Cuboid, Cylinder, HalfSpace, Shape, Sphere};
use freiraum_geometry::{Pose, Quat, Vec3};
use freiraum_query::intersect::Relation;
use freiraum_query::{Prepared, contact, distance, intersect, intersects};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

/// A convex shape of random kind and proportions, times `scale`.
fn random_convex(random: &mut Random, scale: f64) -> Shape {
    let mut size = || scale * random.range(0.2, 1.5);
    let (x, y, z) = (size(), size(), size());
    match random.below(6) {
        0 => Shape::Sphere(Sphere::new(x).unwrap()),
        1 => Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap()),
        2 => Shape::Cylinder(Cylinder::new(x, y).unwrap()),
        3 => Shape::Capsule(Capsule::new(x, y).unwrap()),
        4 => Shape::Cone(Cone::new(x, y).unwrap()),
        _ => {
            let points: Vec<Vec3> = (0..12).map(|_| random.in_cube(x)).collect();
            Shape::Convex(Convex::from_points(&points).unwrap())
        }
    }
}

/// A direction: any, along an axis, or in a plane of two axes, so that faces, edges and rims all come up.
fn random_direction(random: &mut Random) -> Vec3 {
    let d = random.direction();
    match random.below(4) {
        0 => [Vec3::X, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z][random.below(4)],
        1 => d.with_z(0.0).try_normalize().unwrap(),
        _ => d,
    }
}

/// Places b so that its farthest point in direction `of_b` (its own frame) lies `gap` beyond the farthest point of a in
/// direction `of_a`, and the two planes there are parallel: the distance is the gap.
fn aligned(a: &Shape, b: &Shape, of_a: Vec3, of_b: Vec3, gap: f64, spin: f64) -> Pose {
    let turn = Quat::from_axis_angle(of_a, spin) * Quat::from_rotation_arc(of_b, -of_a);
    let rotated = Pose::new(turn, Vec3::ZERO).unwrap();
    let target = a.support(of_a).unwrap() + gap * of_a;
    Pose::from_translation(target - rotated.transform_point(b.support(of_b).unwrap())) * rotated
}

fn is_iterated(shape: &Shape) -> bool {
    matches!(shape, Shape::Cylinder(_) | Shape::Cone(_))
}

#[test]
fn aligned_tangent_planes_have_the_chosen_gap() {
    let mut random = Random::new(11);
    let mut worst = [0.0f64; 2];
    for case in 0..cases(4000) {
        let scale = [1.0, 1e-6, 1e6, 1e-3][case % 4];
        let (a, b) = (random_convex(&mut random, scale), random_convex(&mut random, scale));
        let (of_a, of_b) = (random_direction(&mut random), random_direction(&mut random));
        let gap = scale * [0.0, 1e-6, 0.01, 1.0, 30.0][random.below(5)];
        let spin = [0.0, random.range(-3.0, 3.0)][random.below(2)];
        let pose = aligned(&a, &b, of_a, of_b, gap, spin);
        let found = distance(&Prepared::new(a.clone()), &Prepared::new(b.clone()), &pose).unwrap();
        // Relative to the size of the scene: bodies of up to three metres, times the scale.
        let error = (found.distance - gap).abs() / (3.0 * scale + gap);
        let iterated = is_iterated(&a) || is_iterated(&b);
        worst[usize::from(iterated)] = worst[usize::from(iterated)].max(error);
        let limit = if iterated { 1e-6 } else { 1e-9 };
        assert!(error < limit, "{a:?}\n{b:?}\n{pose:?}\ngap {gap}: {found:?}");
        let both = (Prepared::new(a.clone()), Prepared::new(b.clone()));
        let meets = intersects(&both.0, &both.1, &pose).unwrap();
        if gap > 1e-5 * scale {
            assert!(!meets, "{a:?}\n{b:?}\n{pose:?}\ngap {gap}");
        }
    }
    eprintln!("aligned planes: worst {worst:?}");
    assert!(worst[0] < 1e-14 && worst[1] < 6e-7, "{worst:?}");
}

#[test]
fn a_little_overlap_is_found_and_a_little_gap_too() {
    let mut random = Random::new(12);
    for _ in 0..cases(3000) {
        let (a, b) = (random_convex(&mut random, 1.0), random_convex(&mut random, 1.0));
        let (of_a, of_b) = (random_direction(&mut random), random_direction(&mut random));
        let spin = random.range(-3.0, 3.0);
        let (pa, pb) = (Prepared::new(a.clone()), Prepared::new(b.clone()));
        let apart = aligned(&a, &b, of_a, of_b, 1e-7, spin);
        assert!(!intersects(&pa, &pb, &apart).unwrap(), "{a:?}\n{b:?}\n{apart:?}");
        // The middle of a is moved a little beyond the plane that b touches: along the way from a's point inwards.
        let inner = pa.bounds().unwrap().center();
        let touch = aligned(&a, &b, of_a, of_b, 0.0, spin);
        let inwards = (inner - a.support(of_a).unwrap()).try_normalize().unwrap();
        let overlap = Pose::from_translation(1e-4 * inwards) * touch;
        let meets = intersects(&pa, &pb, &overlap).unwrap();
        // A corner moved inwards is inside a, if its way lies in a: it does, a is convex.
        assert!(meets, "{a:?}\n{b:?}\n{overlap:?}");
        let relation = intersect(&pa, &pb, &overlap).unwrap().relation;
        assert_eq!(relation, Relation::Overlapping, "{a:?}\n{b:?}\n{overlap:?}");
    }
}

#[test]
fn depths_are_the_least_over_all_directions() {
    let mut random = Random::new(13);
    let mut deep = 0;
    for _ in 0..cases(250) {
        let (a, b) = (random_convex(&mut random, 1.0), random_convex(&mut random, 1.0));
        let pose = random_pose(&mut random, 0.8);
        let found = contact(&Prepared::new(a.clone()), &Prepared::new(b.clone()), &pose).unwrap();
        if !found.intersects {
            continue;
        }
        deep += 1;
        let b_from_a = pose.inverse();
        // How far b must move along k until it is clear of a.
        let depth_along = |k: Vec3| {
            let lowest = pose.transform_point(b.support(b_from_a.rotate(-k)).unwrap());
            k.dot(a.support(k).unwrap() - lowest)
        };
        let least = (0..400).map(|_| random.direction()).fold((f64::INFINITY, Vec3::X), |best, k| {
            let depth = depth_along(k);
            if depth < best.0 { (depth, k) } else { best }
        });
        // Downhill from the best direction by ever smaller random turns.
        let (mut best, mut at) = least;
        let mut step = 0.3;
        for _ in 0..4000 {
            let k = (at + step * random.direction()).try_normalize().unwrap();
            let depth = depth_along(k);
            if depth < best {
                (best, at) = (depth, k);
            } else {
                step *= 0.997;
            }
        }
        let tolerance = if is_iterated(&a) || is_iterated(&b) { 2e-6 } else { 1e-9 };
        assert!(
            found.depth <= best + tolerance,
            "{a:?}\n{b:?}\n{pose:?}\nfound {} least {best}",
            found.depth
        );
        let normal = -found.translation.unwrap().try_normalize().unwrap();
        assert!((depth_along(normal) - found.depth).abs() < tolerance, "{a:?}\n{b:?}\n{pose:?}\n{found:?}");
    }
    assert!(deep > 100, "{deep}");
}

/// A shortcut in the manner of the published ones for cylinders: nearest points of the axes; where one is an end, only the radius of the end cap
/// that points at the other body is looked at. It misses contacts of the rest of the rim.
fn shortcut_cylinders(a: &Cylinder, b: &Cylinder, a_from_b: &Pose) -> bool {
    let ends = |c: &Cylinder, pose: &Pose| {
        [0.5, -0.5].map(|z| pose.transform_point(Vec3::new(0.0, 0.0, z * c.height())))
    };
    let (ea, eb) = (ends(a, &Pose::IDENTITY), ends(b, a_from_b));
    let (s, t, pa, pb) = nearest_on_segments(ea, eb);
    if pa.distance(pb) > a.radius() + b.radius() {
        return false;
    }
    let interior = |t: f64| t > 1e-9 && t < 1.0 - 1e-9;
    if interior(s) && interior(t) {
        return true;
    }
    let radius_of = |c: &Cylinder, at: Vec3, axis: Vec3, towards: Vec3| {
        let across = (towards - at) - axis * axis.dot(towards - at);
        [at, at + c.radius() * across.try_normalize().unwrap_or(Vec3::ZERO)]
    };
    let hits = |segment: [Vec3; 2], c: &Cylinder, c_from_a: &Pose| {
        (0..=400).any(|i| {
            let p = segment[0] + f64::from(i) / 400.0 * (segment[1] - segment[0]);
            c.contains(c_from_a.transform_point(p))
        })
    };
    let b_from_a = a_from_b.inverse();
    let (axis_a, axis_b) = (Vec3::Z, a_from_b.rotate(Vec3::Z));
    (!interior(s) && hits(radius_of(a, pa, axis_a, pb), b, &b_from_a))
        || (!interior(t) && hits(radius_of(b, pb, axis_b, pa), a, &Pose::IDENTITY))
}

fn nearest_on_segments(p: [Vec3; 2], q: [Vec3; 2]) -> (f64, f64, Vec3, Vec3) {
    let mut best = (0.0, 0.0, p[0], q[0]);
    for i in 0..=200 {
        for j in 0..=200 {
            let (s, t) = (f64::from(i) / 200.0, f64::from(j) / 200.0);
            let (x, y) = (p[0] + s * (p[1] - p[0]), q[0] + t * (q[1] - q[0]));
            if x.distance_squared(y) < best.2.distance_squared(best.3) {
                best = (s, t, x, y);
            }
        }
    }
    best
}

/// A point of both bodies among many of the surface of a: proves that they meet.
fn common_point(a: &Shape, b: &Shape, a_from_b: &Pose) -> bool {
    const STEPS: u32 = 16;
    let mesh = a.tessellate(5e-3).unwrap();
    let b_from_a = a_from_b.inverse();
    mesh.triangles().any(|[p, q, r]| {
        (0..=STEPS).any(|i| {
            (0..=STEPS - i).any(|j| {
                let (u, v) = (f64::from(i) / f64::from(STEPS), f64::from(j) / f64::from(STEPS));
                let x = p + u * (q - p) + v * (r - p);
                a.contains(x) == Some(true) && b.contains(b_from_a.transform_point(x)) == Some(true)
            })
        })
    })
}

#[test]
fn cylinders_that_a_radial_shortcut_misses_are_found() {
    let mut random = Random::new(14);
    let (mut missed, mut proven) = (0, 0);
    for _ in 0..cases(400) {
        let a = Cylinder::new(random.range(0.3, 1.0), random.range(0.2, 1.0)).unwrap();
        let b = Cylinder::new(random.range(0.3, 1.0), random.range(0.2, 1.0)).unwrap();
        let (sa, sb) = (Shape::Cylinder(a), Shape::Cylinder(b));
        let (of_a, of_b) = (random.direction(), random.direction());
        let touch = aligned(&sa, &sb, of_a, of_b, -random.range(0.0, 0.05), random.range(-3.0, 3.0));
        let (pa, pb) = (Prepared::new(sa.clone()), Prepared::new(sb.clone()));
        let found = intersects(&pa, &pb, &touch).unwrap();
        if common_point(&sa, &sb, &touch) || common_point(&sb, &sa, &touch.inverse()) {
            proven += 1;
            assert!(found, "{a:?} {b:?} {touch:?}");
            missed += usize::from(!shortcut_cylinders(&a, &b, &touch));
        }
        if !found {
            assert!(brute_distance(&sa, &sb, &touch, 0.2) > 0.0);
        }
    }
    assert!(proven > 100 && missed > 0, "{proven} {missed}");
}

#[test]
fn cylinder_and_box_where_only_the_rim_or_the_inside_meets() {
    let cylinder = Shape::Cylinder(Cylinder::new(1.0, 0.2).unwrap());
    let cuboid = |x: f64, y: f64, z: f64| Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap());
    let check = |a: &Shape, b: &Shape, pose: Pose, expected: Relation| {
        let (a, b) = (Prepared::new(a.clone()), Prepared::new(b.clone()));
        assert_eq!(intersect(&a, &b, &pose).unwrap().relation, expected, "{pose:?}");
        assert_eq!(intersect(&b, &a, &pose.inverse()).unwrap().relation, expected.swapped(), "{pose:?}");
    };
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z));
    // A disc and a post beside its middle: the post meets the cap away from the radius that points at its centre.
    check(&cuboid(0.1, 0.1, 2.0), &cylinder, at(0.5, 0.5, 0.0), Relation::Overlapping);
    // The corner of the box is outside the disc, though inside the disc's own box and capsule.
    check(&cuboid(1.0, 1.0, 1.0), &cylinder, at(-1.22, -1.22, 0.0), Relation::Separate);
    check(&cuboid(1.0, 1.0, 1.0), &cylinder, at(-1.2, -1.2, 0.0), Relation::Overlapping);
    // A cylinder inside a box, and a box inside a cylinder; only the capsule of the cylinder would stick out.
    check(&cuboid(2.5, 2.5, 0.3), &cylinder, at(0.1, 0.1, 0.0), Relation::BInsideA);
    check(&cuboid(1.0, 1.0, 0.1), &cylinder, at(0.1, 0.1, 0.0), Relation::AInsideB);
    check(&cuboid(2.0, 2.0, 0.2), &cylinder, at(0.0, 0.0, 0.0), Relation::BInsideA);
    // Cap on face, and rim on face.
    check(&cuboid(3.0, 3.0, 1.0), &cylinder, at(0.0, 0.0, 0.6), Relation::Touching);
    check(&cuboid(3.0, 3.0, 1.0), &cylinder, at(0.0, 0.0, 0.6 + 1e-7), Relation::Separate);
    let lying = Pose::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2).unwrap();
    check(&cuboid(3.0, 3.0, 1.0), &cylinder, at(0.0, 0.0, 1.5) * lying, Relation::Touching);
}

#[test]
fn sampled_cylinders_and_boxes_agree() {
    let mut random = Random::new(15);
    for _ in 0..cases(150) {
        let a = Shape::Cuboid(
            Cuboid::new(Vec3::new(random.range(0.2, 2.0), random.range(0.2, 2.0), random.range(0.2, 2.0)))
                .unwrap(),
        );
        let b = Shape::Cylinder(Cylinder::new(random.range(0.2, 1.0), random.range(0.2, 2.0)).unwrap());
        let pose = random_pose(&mut random, 1.2);
        let found = intersects(&Prepared::new(a.clone()), &Prepared::new(b.clone()), &pose).unwrap();
        if common_point(&b, &a, &pose.inverse()) || common_point(&a, &b, &pose) {
            assert!(found, "{a:?} {b:?} {pose:?}");
        } else if found {
            // No sampled point in common: then they overlap by no more than the samples are apart.
            let depth = contact(&Prepared::new(a.clone()), &Prepared::new(b.clone()), &pose).unwrap().depth;
            assert!(depth < 0.1, "{a:?} {b:?} {pose:?}: {depth}");
        }
    }
}

#[test]
fn contact_polygons() {
    let cube = || Prepared::new(Shape::Cuboid(Cuboid::new(Vec3::splat(2.0)).unwrap()));
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z));
    let corners = |a: &Prepared, b: &Prepared, pose: Pose| -> Vec<(Vec3, f64)> {
        let found = contact(a, b, &pose).unwrap();
        assert!(found.points.iter().all(|p| p.normal.dot(Vec3::Z) > 0.99), "{found:?}");
        found.points.iter().map(|p| (p.point, p.depth)).collect()
    };
    let has = |list: &[(Vec3, f64)], p: Vec3, depth: f64| {
        let near = |(q, d): &(Vec3, f64)| q.distance(p) < 1e-12 && (d - depth).abs() < 1e-12;
        assert!(list.iter().any(near), "{p} {depth} in {list:?}");
    };
    // A cube on a cube, moved aside: the corners of the common square.
    let list = corners(&cube(), &cube(), at(1.0, 0.5, 1.9));
    assert_eq!(list.len(), 4);
    for (x, y) in [(0.0, -0.5), (0.0, 1.0), (1.0, -0.5), (1.0, 1.0)] {
        has(&list, Vec3::new(x, y, 0.95), 0.1);
    }
    // Turned by an eighth of a turn: an octagon.
    let turned = at(0.0, 0.0, 1.9) * Pose::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_4).unwrap();
    assert_eq!(corners(&cube(), &cube(), turned).len(), 8);
    // Touching only.
    let list = corners(&cube(), &cube(), at(0.0, 0.0, 2.0));
    assert_eq!(list.len(), 4);
    has(&list, Vec3::new(1.0, -1.0, 1.0), 0.0);
    // A convex body that is a cube, and a small plate.
    let points: Vec<Vec3> =
        (0..8).map(|i| 2.0 * Vec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) - 1.0).collect();
    let convex = Prepared::new(Shape::Convex(Convex::from_points(&points).unwrap()));
    let list = corners(&convex, &cube(), at(1.0, 0.5, 1.9));
    assert_eq!(list.len(), 4);
    has(&list, Vec3::new(1.0, 1.0, 0.95), 0.1);
    // A lying cylinder on a cube touches along a line, a standing one in a ring, a capsule along its straight part.
    let lying = Pose::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2).unwrap();
    let cylinder = Prepared::new(Shape::Cylinder(Cylinder::new(0.5, 1.0).unwrap()));
    let list = corners(&cube(), &cylinder, at(0.0, 0.0, 1.45) * lying);
    assert_eq!(list.len(), 2);
    has(&list, Vec3::new(0.0, 0.5, 0.975), 0.05);
    has(&list, Vec3::new(0.0, -0.5, 0.975), 0.05);
    assert_eq!(corners(&cube(), &cylinder, at(0.2, 0.0, 1.45)).len(), 16);
    let capsule = Prepared::new(Shape::Capsule(Capsule::new(0.5, 1.0).unwrap()));
    let list = corners(&cube(), &capsule, at(0.0, 0.7, 1.45) * lying);
    assert_eq!(list.len(), 2);
    has(&list, Vec3::new(0.0, 0.2, 0.975), 0.05);
    has(&list, Vec3::new(0.0, 1.0, 0.975), 0.05);
    let list = corners(&capsule, &capsule, at(0.0, 0.0, 1.9));
    assert_eq!(list.len(), 1);
    // Parallel capsules side by side.
    let found = contact(&capsule, &capsule, &at(0.9, 0.0, 0.3)).unwrap();
    assert_eq!(found.points.len(), 2);
    // On the ground.
    let ground = Prepared::new(Shape::HalfSpace(HalfSpace::new(-Vec3::Z, 0.0).unwrap()));
    let list = corners(&cube(), &ground, at(0.0, 0.0, 0.9));
    assert_eq!(list.len(), 4);
    has(&list, Vec3::new(1.0, 1.0, 0.95), 0.1);
}

#[test]
fn half_spaces_among_themselves() {
    let plane = |n: Vec3, offset: f64| Prepared::new(Shape::HalfSpace(HalfSpace::new(n, offset).unwrap()));
    let relation = |a: &Prepared, b: &Prepared| intersect(a, b, &Pose::IDENTITY).unwrap().relation;
    let (floor, ceiling) = (plane(Vec3::Z, 0.0), plane(-Vec3::Z, -2.0));
    assert_eq!(relation(&floor, &ceiling), Relation::Separate);
    assert_eq!(distance(&floor, &ceiling, &Pose::IDENTITY).unwrap().distance, 2.0);
    assert_eq!(relation(&floor, &plane(-Vec3::Z, 0.0)), Relation::Touching);
    assert_eq!(relation(&floor, &plane(-Vec3::Z, 1.0)), Relation::Overlapping);
    assert_eq!(contact(&floor, &plane(-Vec3::Z, 1.0), &Pose::IDENTITY).unwrap().translation, Some(-Vec3::Z));
    assert_eq!(relation(&floor, &plane(Vec3::Z, 1.0)), Relation::AInsideB);
    assert_eq!(relation(&floor, &plane(Vec3::Z, -1.0)), Relation::BInsideA);
    assert_eq!(relation(&floor, &plane(Vec3::Z, 0.0)), Relation::Same);
    let wall = plane(Vec3::X, 3.0);
    assert_eq!(relation(&floor, &wall), Relation::Overlapping);
    let shared = distance(&floor, &wall, &Pose::IDENTITY).unwrap();
    assert_eq!((shared.distance, shared.point_on_a), (0.0, Vec3::new(3.0, 0.0, 0.0)));
    let found = contact(&floor, &wall, &Pose::IDENTITY).unwrap();
    assert_eq!((found.intersects, found.depth, found.translation), (true, f64::INFINITY, None));
}
