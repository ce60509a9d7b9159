//! The smallest box against closed forms, against the known heuristics and against a dense search of all rotations.

use freiraum_geometry::enclose::{OrientedBox, box_of_two_boxes, smallest_box};
use freiraum_geometry::hull::{Hull, convex_hull};
use freiraum_geometry::{Mat3, Pose, Quat, Vec3};
use freiraum_testkit::random::Random;
use freiraum_testkit::{points, scale};

fn extents(points: &[Vec3], axes: &Mat3) -> Vec3 {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for p in points {
        let along = axes.transpose() * *p;
        low = low.min(along);
        high = high.max(along);
    }
    high - low
}

fn volume(points: &[Vec3], axes: &Mat3) -> f64 {
    extents(points, axes).element_product()
}

fn check(points: &[Vec3]) -> OrientedBox {
    let found = smallest_box(points).expect("points");
    for p in points {
        assert!(found.contains(*p), "{p} outside {found:?}");
    }
    let rounding = 64.0 * f64::EPSILON * found.half.length();
    assert!(found.half.x >= found.half.y - rounding && found.half.y >= found.half.z - rounding, "{found:?}");
    // The box is tight: no larger than the points need in its own orientation, but for rounding.
    let reach = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let needed = extents(points, &found.pose.rotation_matrix());
    assert!((2.0 * found.half - needed).max_element() <= 128.0 * f64::EPSILON * (reach + needed.length()));
    found
}

/// Every facet of the hull in turn under the box, every projected edge in turn along its side.
fn flush_with_a_facet(points: &[Vec3]) -> f64 {
    let Ok(Hull::Solid(hull)) = convex_hull(points) else { return 0.0 };
    let corners = hull.points(points);
    let mut least = f64::INFINITY;
    for &[a, b, c] in &hull.faces {
        let [p, q, r] = [a, b, c].map(|i| corners[i as usize]);
        let Some(normal) = (q - p).cross(r - p).try_normalize() else { continue };
        for &[i, j, k] in &hull.faces {
            for (from, to) in [(i, j), (j, k), (k, i)] {
                let edge = corners[to as usize] - corners[from as usize];
                let Some(side) = edge.reject_from_normalized(normal).try_normalize() else { continue };
                least = least.min(volume(&corners, &Mat3::from_cols(side, normal.cross(side), normal)));
            }
        }
    }
    least
}

/// Principal axes of the points (cyclic Jacobi).
fn principal(points: &[Vec3]) -> f64 {
    let mean: Vec3 = points.iter().sum::<Vec3>() / points.len() as f64;
    let mut m = Mat3::ZERO;
    for p in points {
        let d = *p - mean;
        m += Mat3::from_cols(d * d.x, d * d.y, d * d.z);
    }
    let mut axes = Mat3::IDENTITY;
    for sweep in 0..60 {
        let (i, j) = [(0, 1), (1, 2), (0, 2)][sweep % 3];
        let angle = 0.5 * (2.0 * m.col(i)[j]).atan2(m.col(j)[j] - m.col(i)[i]);
        let mut turn = Mat3::IDENTITY;
        let (sin, cos) = angle.sin_cos();
        turn.col_mut(i)[i] = cos;
        turn.col_mut(j)[j] = cos;
        turn.col_mut(j)[i] = sin;
        turn.col_mut(i)[j] = -sin;
        m = turn.transpose() * m * turn;
        axes *= turn;
    }
    volume(points, &axes)
}

fn clouds(random: &mut Random, n: usize) -> Vec<Vec<Vec3>> {
    let seed = random.bits();
    let rotation = random.rotation();
    let mut clouds = vec![points::gauss(n, seed), points::cube(n, seed), points::sphere(n, seed)];
    clouds.push(clouds[0].iter().map(|p| *p * Vec3::new(1.0, 0.2, 0.04)).collect());
    clouds.push(clouds[1].iter().map(|p| *p * Vec3::new(1.0, 0.5, 0.001)).collect());
    clouds.iter().map(|c| c.iter().map(|p| rotation * *p).collect()).collect()
}

#[test]
fn never_larger_than_the_known_heuristics() {
    let mut random = Random::new(1);
    for i in 0..scale::cases(20) {
        for cloud in clouds(&mut random, [4, 6, 10, 30, 60][i % 5]) {
            // Without the rounding up, which counts for thin boxes.
            let found = volume(&cloud, &check(&cloud).pose.rotation_matrix());
            let known = [volume(&cloud, &Mat3::IDENTITY), principal(&cloud), flush_with_a_facet(&cloud)];
            for (k, other) in known.into_iter().enumerate() {
                assert!(
                    found <= other * (1.0 + 1e-10),
                    "heuristic {k}: {other}, found {found} for {cloud:?}"
                );
            }
        }
    }
}

/// The best of `starts` random rotations, each improved by ever smaller random turns: slow, simple, independent.
fn dense_search(points: &[Vec3], random: &mut Random, starts: usize) -> f64 {
    let corners = match convex_hull(points) {
        Ok(Hull::Solid(hull)) => hull.points(points),
        _ => points.to_vec(),
    };
    let mut found: Vec<(f64, Quat)> = (0..starts)
        .map(|_| {
            let q = random.rotation();
            (volume(&corners, &Mat3::from_quat(q)), q)
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.truncate(30);
    for best in &mut found {
        let mut size = 0.1;
        while size > 1e-7 {
            let mut failures = 0;
            while failures < 12 {
                let q = (Quat::from_scaled_axis(random.in_cube(size)) * best.1).normalize();
                let v = volume(&corners, &Mat3::from_quat(q));
                if v < best.0 {
                    *best = (v, q);
                    failures = 0;
                } else {
                    failures += 1;
                }
            }
            size *= 0.6;
        }
    }
    found.into_iter().map(|f| f.0).fold(f64::INFINITY, f64::min)
}

#[test]
fn never_larger_than_a_dense_search() {
    let mut random = Random::new(2);
    for i in 0..scale::cases(12) {
        for cloud in clouds(&mut random, [5, 8, 12, 20][i % 4]) {
            let found = volume(&cloud, &check(&cloud).pose.rotation_matrix());
            let dense = dense_search(&cloud, &mut random, 3000);
            assert!(found <= dense * (1.0 + 1e-9), "dense search {dense}, found {found} for {cloud:?}");
        }
    }
}

#[test]
fn turned_boxes_are_found_again() {
    let mut random = Random::new(3);
    for i in 0..scale::cases(60) {
        // Down to needles and plates a millionth as thin as they are long.
        let thin = 10f64.powi(-(i as i32 % 7));
        let half = Vec3::new(1.0, if i % 2 == 0 { thin } else { 0.7 }, thin * 0.5);
        for unit in [1.0, 1e-6, 1e6] {
            let pose = Pose::new(random.rotation(), random.in_cube(3.0)).expect("finite");
            let original = OrientedBox { pose, half };
            let mut cloud = original.corners().to_vec();
            cloud.extend((0..300).map(|_| pose.transform_point(half * random.in_cube(1.0))));
            for p in &mut cloud {
                *p *= unit;
            }
            let found = check(&cloud);
            let error = (found.half / unit - half).abs().max_element();
            assert!(error < 3e-14, "{half} became {}", found.half / unit);
        }
    }
}

#[test]
fn facets_that_are_flat_but_for_rounding() {
    let mut random = Random::new(7);
    for i in 0..scale::cases(30) {
        // A disc with points all over its two faces; turning it, or a little noise, makes corners of some inside.
        let (sides, height) = (7 + i % 40, [0.001, 0.1, 1.0][i % 3]);
        let angle = |k: usize| std::f64::consts::TAU * k as f64 / sides as f64;
        let mut disc: Vec<Vec3> =
            (0..sides).map(|k| Vec3::new(angle(k).cos(), angle(k).sin(), 0.0)).collect();
        disc.extend((0..300).map(|_| {
            let r = 0.9 * random.unit();
            let (sin, cos) = random.range(0.0, 6.3).sin_cos();
            Vec3::new(r * cos, r * sin, 0.0)
        }));
        let is_turned = i % 2 == 0;
        let rotation = if is_turned { random.rotation() } else { Quat::IDENTITY };
        let mut noise = || if is_turned { Vec3::ZERO } else { random.range(-1e-16, 1e-16) * Vec3::Z };
        let cloud: Vec<Vec3> =
            disc.iter().flat_map(|p| [*p, *p + height * Vec3::Z]).map(|p| rotation * p + noise()).collect();
        let rectangle = (0..sides)
            .map(|k| {
                let side =
                    Vec3::new((angle(k) + 0.5 * angle(1)).sin(), -(angle(k) + 0.5 * angle(1)).cos(), 0.0);
                let size = extents(&disc, &Mat3::from_cols(side, Vec3::Z.cross(side), Vec3::Z));
                size.x * size.y
            })
            .fold(f64::INFINITY, f64::min);
        let found = check(&cloud).volume();
        assert!(found <= rectangle * height * (1.0 + 1e-10), "{found} instead of {}", rectangle * height);
    }
}

/// Half extents for points known to have a volume of zero.
fn check_flat(points: &[Vec3], half: Vec3) {
    let mut random = Random::new(4);
    let found = check(points);
    assert!((found.half - half).abs().max_element() < 3e-14, "{} instead of {half}", found.half);
    for _ in 0..20 {
        let (rotation, shift) = (random.rotation(), random.in_cube(1.0));
        let moved: Vec<Vec3> = points.iter().map(|p| rotation * *p + shift).collect();
        let found = check(&moved);
        assert!((found.half - half).abs().max_element() < 3e-14, "{} instead of {half}", found.half);
    }
}

#[test]
fn flat_and_thinner_points() {
    check_flat(&[Vec3::ONE], Vec3::ZERO);
    check_flat(&[Vec3::ONE; 7], Vec3::ZERO);
    check_flat(&[Vec3::ZERO, Vec3::X], Vec3::X * 0.5);
    check_flat(&[Vec3::X, 3.0 * Vec3::X, 2.0 * Vec3::X, -Vec3::X], Vec3::X * 2.0);
    // A square on its corner: the rectangle of smallest area is the square, not the axis box.
    let root = 0.5f64.sqrt();
    check_flat(&[Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Y], Vec3::new(root, root, 0.0));
    let hexagon: Vec<Vec3> = (0..6)
        .map(|i| {
            Vec3::from_array([
                f64::from(60 * i).to_radians().cos(),
                f64::from(60 * i).to_radians().sin(),
                0.0,
            ])
        })
        .collect();
    check_flat(&hexagon, Vec3::new(1.0, 0.75f64.sqrt(), 0.0));
    assert_eq!(check(&[Vec3::ZERO, Vec3::X, Vec3::Y]).volume(), 0.0);
    assert_eq!(check(&[Vec3::Z, Vec3::Z + Vec3::X]).volume(), 0.0);
}

#[test]
fn known_volumes() {
    let tetrahedron =
        [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 1.0, 1.0)];
    assert!((check(&tetrahedron).volume() - 1.0).abs() < 1e-13, "the cube around a regular tetrahedron");
    for k in 2..6 {
        let side = (k - 1) as f64 * 0.3;
        assert!((check(&points::grid(k, 0.3)).volume() - side.powi(3)).abs() < 1e-13);
    }
}

#[test]
fn size_and_place_do_not_matter() {
    let mut random = Random::new(5);
    for _ in 0..scale::cases(5) {
        for cloud in clouds(&mut random, 40) {
            let original = check(&cloud).volume();
            for unit in [1e-6, 1e6, 0.5] {
                let scaled: Vec<Vec3> = cloud.iter().map(|p| *p * unit).collect();
                let volume = check(&scaled).volume() / unit.powi(3);
                assert!((volume - original).abs() < 1e-9 * original, "{volume} {original}");
            }
            let far: Vec<Vec3> = cloud.iter().map(|p| *p + Vec3::splat(1e3)).collect();
            assert!((check(&far).volume() - original).abs() < 1e-9 * original.max(0.1));
            assert_eq!(smallest_box(&cloud), smallest_box(&cloud));
        }
    }
}

#[test]
fn two_boxes() {
    let mut random = Random::new(6);
    for i in 0..scale::cases(40) {
        let mut make = |spread: f64| OrientedBox {
            pose: Pose::new(random.rotation(), random.in_cube(spread)).expect("finite"),
            half: (random.in_cube(1.0).abs() + 0.01) * if i % 3 == 0 { 1e-3 } else { 1.0 },
        };
        let (a, b) = (make(2.0), make(2.0));
        let union = box_of_two_boxes(&a, &b);
        for corner in a.corners().into_iter().chain(b.corners()) {
            assert!(union.contains(corner));
        }
        assert!(box_of_two_boxes(&a, &a).volume() <= a.volume() * (1.0 + 1e-11) + 1e-15);
        let inner = OrientedBox { half: 0.5 * a.half, ..a };
        assert!(box_of_two_boxes(&inner, &a).volume() <= a.volume() * (1.0 + 1e-11) + 1e-15);
    }
}

#[test]
fn no_points_and_numbers_that_are_none() {
    assert_eq!(smallest_box(&[]), None);
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(smallest_box(&[Vec3::X, Vec3::new(0.0, bad, 0.0), Vec3::Z]), None);
        let mut many = points::gauss(1000, 1);
        many[77].y = bad;
        assert_eq!(smallest_box(&many), None);
    }
}
