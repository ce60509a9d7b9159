use super::*;
use freiraum_geometry::Quat;
use freiraum_testkit::random::Random;

/// Point sets as CAD has them: solid, flat, straight, single, doubled, tiny, huge, far away.
fn clouds(random: &mut Random) -> Vec<Vec<Vec3>> {
    let mut clouds = Vec::new();
    for (size, offset) in [(1.0, 0.0), (1e-6, 0.0), (1e6, 0.0), (1.0, 1e6), (1e-3, 1e3)] {
        for flatness in
            [Vec3::ONE, Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, 0.0, 0.0), Vec3::new(5.0, 0.1, 0.3)]
        {
            let (turn, shift) = (random.rotation(), offset * random.direction());
            let turn = if random.below(2) == 0 { turn } else { Quat::IDENTITY };
            let count = 1 + random.below(7);
            let mut cloud: Vec<Vec3> =
                (0..count).map(|_| shift + turn * (size * flatness * random.in_cube(1.0))).collect();
            cloud.push(cloud[0]);
            clouds.push(cloud);
        }
    }
    clouds
}

fn least_distance(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().flat_map(|p| b.iter().map(|q| p.distance(*q))).fold(f64::INFINITY, f64::min)
}

/// Points of the convex hull of a cloud: random mixtures.
fn mixtures(cloud: &[Vec3], random: &mut Random) -> Vec<Vec3> {
    let mut points = cloud.to_vec();
    for _ in 0..20 {
        let (p, q) = (cloud[random.below(cloud.len())], cloud[random.below(cloud.len())]);
        points.push(p.lerp(q, random.unit()));
    }
    points
}

fn holds<V: Volume>(volume: &V, points: &[Vec3]) {
    let bounds = volume.aabb();
    for &p in points {
        assert!(volume.gap_to_point(p) <= 0.0, "{p} outside {volume:?} by {}", volume.gap_to_point(p));
        assert!(bounds.contains(p), "{p} outside {bounds:?} of {volume:?}");
        for d in [Vec3::X, -Vec3::Y, Vec3::new(1.0, -2.0, 0.5), Vec3::new(-1.0, -1.0, 0.0)] {
            assert!(volume.reach_along(d) >= d.dot(p), "{p} beyond {volume:?} along {d}");
        }
    }
}

fn check<V: Volume>(seed: u64) {
    let mut random = Random::new(seed);
    let clouds: Vec<Vec<Vec3>> = (0..4).flat_map(|_| clouds(&mut random)).collect();
    let volumes: Vec<V> = clouds.iter().map(|c| V::of_points(c).unwrap()).collect();
    for (cloud, volume) in clouds.iter().zip(&volumes) {
        holds(volume, cloud);
        assert!(volume.area() >= 0.0);
        let extent = Extent::of_points(cloud).unwrap();
        let pose = Pose::new(random.rotation(), random.in_cube(10.0)).unwrap();
        let placed: Vec<Vec3> = cloud.iter().map(|&p| pose.transform_point(p)).collect();
        // The placed points are themselves rounded; pull them in by that before they are judged.
        let slack = 64.0 * f64::EPSILON * (extent.bounds.reach() + 20.0);
        let of_extent = V::of_extent(&extent, &pose);
        for p in placed {
            assert!(of_extent.gap_to_point(p) <= slack, "{p} outside {of_extent:?}");
        }
    }
    for _ in 0..2000 {
        let (i, j) = (random.below(clouds.len()), random.below(clouds.len()));
        let (a, b) = (&volumes[i], &volumes[j]);
        holds(&a.union(b), &clouds[i]);
        holds(&a.union(b), &clouds[j]);
        let (points_a, points_b) = (mixtures(&clouds[i], &mut random), mixtures(&clouds[j], &mut random));
        let true_gap = least_distance(&points_a, &points_b);
        assert!(a.gap(b) <= true_gap, "{} > {true_gap}", a.gap(b));
        let pose = Pose::new(random.rotation(), random.in_cube(3.0)).unwrap();
        let placed: Vec<Vec3> = points_b.iter().map(|&p| pose.transform_point(p)).collect();
        let true_gap = least_distance(&points_a, &placed);
        let reach = placed.iter().map(|p| p.length()).fold(1.0, f64::max);
        let gap = a.gap_placed(b, &Placement::new(&pose));
        assert!(gap <= true_gap + 1e-15 * reach, "{gap} > {true_gap}");
        // The same question from the other side, and as a question in one frame.
        let back = b.gap_placed(a, &Placement::new(&pose.inverse()));
        assert!(back <= true_gap + 1e-14 * reach, "{back} > {true_gap}");
    }
    assert!(V::of_points(&[]).is_none());
    assert!(V::of_points(&[Vec3::ZERO, Vec3::new(f64::NAN, 0.0, 0.0)]).is_none());
    assert!(V::of_points(&[Vec3::ZERO, Vec3::new(0.0, f64::INFINITY, 0.0)]).is_none());
}

#[test]
fn ball_holds_and_never_overstates_a_gap() {
    check::<Ball>(1);
}

#[test]
fn aabb_holds_and_never_overstates_a_gap() {
    check::<Aabb>(2);
}

#[test]
fn turned_box_holds_and_never_overstates_a_gap() {
    check::<TurnedBox>(3);
}

#[test]
fn dop_holds_and_never_overstates_a_gap() {
    check::<Dop>(4);
}

#[test]
fn swept_rectangle_holds_and_never_overstates_a_gap() {
    check::<SweptRectangle>(5);
}

/// Two unit cubes `gap` apart face to face, however they stand: the bound must be nearly all of the gap.
fn finds_face_gap<V: Volume>(share: f64) {
    let cube = Extent::of_box(Aabb { min: -Vec3::ONE, max: Vec3::ONE }).unwrap();
    let a = V::of_extent(&cube, &Pose::IDENTITY);
    for gap in [0.5, 1.0, 100.0] {
        let pose = Pose::from_translation(Vec3::new(2.0 + gap, 0.0, 0.0));
        let found = a.gap(&V::of_extent(&cube, &pose));
        assert!(found > gap * share && found <= gap, "{found} of {gap}");
        let found = a.gap_placed(&a, &Placement::new(&pose));
        assert!(found > gap * share && found <= gap, "{found} of {gap}, placed");
    }
    // Touching is never a gap.
    for direction in [Vec3::X, -Vec3::Y, Vec3::new(1.0, 1.0, 0.0), Vec3::ONE] {
        let pose = Pose::from_translation(2.0 * direction);
        assert!(a.gap(&V::of_extent(&cube, &pose)) <= 0.0);
        assert!(a.gap_placed(&a, &Placement::new(&pose)) <= 0.0);
    }
}

#[test]
fn volumes_are_tight_where_they_can_be() {
    finds_face_gap::<Aabb>(0.999999);
    finds_face_gap::<TurnedBox>(0.999999);
    finds_face_gap::<Dop>(0.999999);
    finds_face_gap::<Ball>(-10.0);
    finds_face_gap::<SweptRectangle>(-10.0);
    let ball = |x: f64| Ball { center: Vec3::new(x, 0.0, 0.0), radius: 1.0 };
    assert!((ball(0.0).gap(&ball(5.0)) - 3.0).abs() < 1e-12);
    // Two crossing bars, one above the other: only the edge direction (or the rectangle) tells them apart.
    let bar = Extent::of_box(Aabb { min: -Vec3::new(5.0, 0.1, 0.1), max: Vec3::new(5.0, 0.1, 0.1) }).unwrap();
    let tilted = |yaw: f64, z: f64| Pose::from_zyx_euler(0.7, 0.4, yaw, Vec3::new(0.0, 0.0, z)).unwrap();
    for (yaw, z, apart) in [(1.0, 1.0, true), (2.0, 1.0, true), (2.0, 0.1, false)] {
        let (pose_a, pose_b) = (tilted(0.0, 0.0), tilted(yaw, z));
        let boxes = TurnedBox::of_extent(&bar, &pose_a).gap(&TurnedBox::of_extent(&bar, &pose_b));
        let swept = SweptRectangle::of_extent(&bar, &pose_a).gap(&SweptRectangle::of_extent(&bar, &pose_b));
        assert_eq!((boxes > 0.0, swept > 0.0), (apart, apart), "{yaw} {z}: {boxes} {swept}");
    }
}

/// The distance of two rectangles by sampling one and projecting onto the other: never below the true one.
#[test]
fn swept_rectangles_find_the_distance_of_their_rectangles() {
    let mut random = Random::new(6);
    let mut apart = 0;
    for _ in 0..300 {
        let mut rectangle = || {
            let pose = Pose::new(random.rotation(), random.in_cube(2.0)).unwrap();
            let half = freiraum_geometry::Vec2::new(random.unit(), random.unit());
            SweptRectangle { center: pose.translation(), axes: pose.rotation_matrix(), half, radius: 0.0 }
        };
        let (a, b) = (rectangle(), rectangle());
        let (u, v) = (a.axes.x_axis * a.half.x, a.axes.y_axis * a.half.y);
        let mut sampled = f64::INFINITY;
        for i in -40..=40 {
            for j in -40..=40 {
                let p = a.center + u * (f64::from(i) / 40.0) + v * (f64::from(j) / 40.0);
                sampled = sampled.min(b.gap_to_point(p));
            }
        }
        let found = a.gap(&b);
        assert!(found <= sampled + 1e-12);
        // Samples are 1/40 apart at most, so the sampled distance is off by less than half a diagonal.
        if sampled > 0.1 {
            apart += 1;
            assert!(found > sampled - 0.02, "{found} against {sampled}");
        }
    }
    assert!(apart > 100);
}

#[test]
fn extents_take_the_smaller_sphere_and_box() {
    use freiraum_geometry::Shape;
    use freiraum_geometry::shape::{Capsule, Cuboid, Cylinder, HalfSpace, Sphere};
    let radius = |shape: &Shape| Extent::of_shape(shape).unwrap().radius;
    assert_eq!(radius(&Shape::Sphere(Sphere::new(2.0).unwrap())), 2.0);
    assert!((radius(&Shape::Cuboid(Cuboid::new(Vec3::splat(2.0)).unwrap())) - 3f64.sqrt()).abs() < 1e-12);
    assert!((radius(&Shape::Cylinder(Cylinder::new(3.0, 8.0).unwrap())) - 5.0).abs() < 1e-12);
    let capsule = Shape::Capsule(Capsule::new(1.0, 4.0).unwrap());
    let height = capsule.aabb().unwrap().size().z;
    assert!((radius(&capsule) - 0.5 * height).abs() < 1e-12);
    assert!(Extent::of_shape(&Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap())).is_none());
    assert!(Extent::of_box(Aabb::EMPTY).is_none());
    assert!(Extent::of_box(Aabb { min: Vec3::NEG_INFINITY, max: Vec3::ZERO }).is_none());
    // A turned ball keeps its box, a turned cube does not.
    let pose = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.7).unwrap();
    let ball = Extent::of_shape(&Shape::Sphere(Sphere::new(1.0).unwrap())).unwrap().aabb_placed(&pose);
    assert!((ball.size() - 2.0).abs().max_element() < 1e-12);
    let turned = Extent::of_box(Aabb { min: -Vec3::ONE, max: Vec3::ONE }).unwrap().aabb_placed(&pose);
    assert!(turned.size().min_element() > 2.1);
}

/// The distance of two boxes is reached from an edge of one of them unless they overlap; edges are sampled.
#[test]
fn turned_boxes_are_apart_by_no_less_and_found_apart() {
    let mut random = Random::new(7);
    let (mut apart, mut by_edges) = (0, 0);
    for _ in 0..2000 {
        let mut random_box = |spread: f64| {
            let pose = Pose::new(random.rotation(), random.in_cube(spread)).unwrap();
            let half = 0.05 + random.in_cube(1.0).abs();
            TurnedBox { center: pose.translation(), axes: pose.rotation_matrix(), half }
        };
        let (a, b) = (random_box(0.1), random_box(2.2));
        let from_edges = |a: &TurnedBox, b: &TurnedBox| {
            let mut least = f64::INFINITY;
            for axis in 0..3 {
                for (u, v) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                    for i in -20..=20 {
                        let mut p = Vec3::ZERO;
                        (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (f64::from(i) / 20.0, u, v);
                        least = least.min(b.gap_to_point(a.center + a.axes * (p * a.half)));
                    }
                }
            }
            least
        };
        let sampled = from_edges(&a, &b).min(from_edges(&b, &a));
        let gap = a.gap(&b);
        assert!(gap <= sampled, "{gap} > {sampled}");
        assert!((gap - b.gap(&a)).abs() < 1e-9, "the same from the other side");
        // Samples are 0.053 apart at most.
        if sampled > 0.03 {
            apart += 1;
            assert!(gap > 0.0, "{a:?} and {b:?} are apart by {sampled}");
            // With all faces overlapping, only a direction across two edges tells them apart.
            let apart_along = |a: &TurnedBox, b: &TurnedBox| {
                let turned = a.axes.transpose() * b.axes;
                let reach = turned.x_axis.abs() * b.half.x
                    + turned.y_axis.abs() * b.half.y
                    + turned.z_axis.abs() * b.half.z;
                ((a.axes.transpose() * (b.center - a.center)).abs() - a.half - reach).max_element()
            };
            by_edges += usize::from(apart_along(&a, &b) < 0.0 && apart_along(&b, &a) < 0.0);
        }
    }
    assert!(apart > 200 && by_edges > 2, "{apart} {by_edges}");
}
