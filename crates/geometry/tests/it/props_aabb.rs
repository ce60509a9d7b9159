//! Boxes of placed boxes, spheres around boxes and inflated boxes hold what they promise, in exact arithmetic, and little
//! more.

use freiraum_geometry::{Aabb, Pose, Quat, Vec3};
use freiraum_testkit::exact_box::{ball_holds, box_holds_placed};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

/// Boxes of ordinary, tiny and huge size, next to the origin and far from it, some of them flat or a single point.
fn random_box(random: &mut Random) -> Aabb {
    let exponents = [0.0, -9.0, 9.0, -160.0, 160.0, -300.0, 300.0, -308.0];
    let size = 10f64.powf(exponents[random.below(exponents.len())] + random.range(-1.0, 1.0));
    let far = if size > 1e200 { random.unit() } else { [0.0, 1.0, 1e6, 1e15][random.below(4)] };
    let middle = far * random.in_cube(size);
    let mut half = random.in_cube(size).abs();
    for k in 0..3 {
        if random.below(6) == 0 {
            half[k] = 0.0;
        }
    }
    Aabb { min: middle - half, max: middle + half }
}

fn random_pose(random: &mut Random, size: f64) -> Pose {
    let turns = [
        Quat::IDENTITY,
        -Quat::IDENTITY,
        Quat::from_rotation_z(std::f64::consts::FRAC_PI_2),
        Quat::from_rotation_x(1e-9),
        random.rotation(),
        random.rotation(),
        random.rotation(),
    ];
    let shifts = [0.0, 1.0, 1e3, 1e-3, 1e12];
    let turn = turns[random.below(turns.len())];
    let far = if size > 1e200 { random.unit() } else { shifts[random.below(shifts.len())] };
    // Of length one only up to what `Pose::from_parts` allows.
    let turn = if random.below(3) == 0 { turn * (1.0 + random.range(-7e-15, 7e-15)) } else { turn };
    Pose::from_parts(turn, far * random.in_cube(size)).unwrap()
}

fn corners(b: &Aabb) -> impl Iterator<Item = Vec3> {
    let b = *b;
    let pick = |k: usize, bit: usize, lo: f64, hi: f64| if k >> bit & 1 == 0 { lo } else { hi };
    (0..8).map(move |k| {
        Vec3::new(pick(k, 0, b.min.x, b.max.x), pick(k, 1, b.min.y, b.max.y), pick(k, 2, b.min.z, b.max.z))
    })
}

#[test]
fn transformed_boxes_hold_every_placed_corner_exactly() {
    let mut random = Random::new(71);
    for _ in 0..cases(20_000) {
        let own = random_box(&mut random);
        let pose = random_pose(&mut random, own.reach());
        let placed = own.transformed(&pose);
        assert!(placed.min.is_finite() && placed.max.is_finite(), "{own:?} {pose:?}");
        let mut tight = Aabb::EMPTY;
        for p in corners(&own) {
            let exact = (pose.rotation(), pose.translation());
            assert!(box_holds_placed([placed.min, placed.max], exact, p), "{own:?} {pose:?} {p}");
            assert!(placed.contains(pose.transform_point(p)), "{own:?} {pose:?} {p}");
            tight = tight.grown(pose.transform_point(p));
        }
        // No more than a few dozen units in the last place, and what a quaternion of another length adds.
        let share = 256.0 + 32.0 * (pose.rotation().length_squared() - 1.0).abs() / f64::EPSILON;
        let most = share * f64::EPSILON * (own.reach() + pose.translation().abs().max_element());
        let excess = (tight.min - placed.min).max(placed.max - tight.max).max_element();
        assert!(excess <= most + 4.0 * f64::MIN_POSITIVE, "{own:?} {pose:?}: {excess} {most}");
    }
}

#[test]
fn boxes_that_are_only_shifted_stay_as_small_as_they_are() {
    let own = Aabb { min: Vec3::new(-0.1, 0.2, 3.0), max: Vec3::new(0.3, 0.7, 3.1) };
    assert_eq!(own.transformed(&Pose::IDENTITY), own);
    let there = own.transformed(&Pose::from_translation(Vec3::new(1.0, 0.0, -3.0)));
    assert_eq!([there.min.y, there.max.y, there.min.z], [0.2, 0.7, 0.0]);
    assert!(there.min.x <= 0.9 && there.min.x >= 0.9f64.next_down() && there.max.x <= 1.3f64.next_up());
}

#[test]
fn bounding_spheres_hold_every_corner_exactly() {
    let mut random = Random::new(72);
    for _ in 0..cases(20_000) {
        let own = random_box(&mut random);
        let ball = own.bounding_sphere();
        assert!(corners(&own).all(|p| ball_holds(ball.center, ball.radius, p)), "{own:?} {ball:?}");
        let size = own.size().max_element();
        let half = if size > 0.0 { 0.5 * size * (own.size() / size).length() } else { 0.0 };
        let excess = ball.radius - half;
        assert!(excess <= 32.0 * f64::EPSILON * own.reach() + 4.0 * f64::from_bits(1), "{own:?} {ball:?}");
    }
}

#[test]
fn inflated_boxes_hold_what_is_near_exactly() {
    let mut random = Random::new(73);
    for _ in 0..cases(20_000) {
        let own = random_box(&mut random);
        let by = [0.0, 1e-12, 1e-3, 1.0, 1e3][random.below(5)] * own.reach() * random.unit();
        let wide = own.inflated(by);
        // Each face, shifted outward by a vector that is not rounded.
        for (end, sign) in [(own.max, 1.0), (own.min, -1.0)] {
            let shift = Vec3::splat(sign * by);
            assert!(box_holds_placed([wide.min, wide.max], (Quat::IDENTITY, shift), end), "{own:?} {by}");
        }
        assert!(wide.max.cmple((own.max + by).map(f64::next_up)).all());
        assert!(wide.min.cmpge((own.min - by).map(f64::next_down)).all());
    }
    assert_eq!(Aabb::EMPTY.inflated(1.0), Aabb::EMPTY);
}

#[test]
fn corners_are_numbered_by_bits() {
    let mut random = Random::new(74);
    for _ in 0..cases(1_000) {
        let own = random_box(&mut random);
        assert!(corners(&own).eq(own.corners()), "{own:?}");
    }
}

#[test]
fn gaps_are_lower_bounds_exactly_and_zero_where_boxes_meet() {
    let mut random = Random::new(75);
    let mut apart = 0;
    for _ in 0..cases(20_000) {
        let size = 10f64.powi([0, -9, -100, 9][random.below(4)]);
        let boxes = [0, 1].map(|_| {
            let far = [0.0, 1.0, 2.0, 1e6][random.below(4)];
            let (middle, half) = (far * random.in_cube(size), random.in_cube(size).abs());
            Aabb { min: middle - half, max: middle + half }
        });
        // Half of them touch in a coordinate.
        let [a, mut b] = boxes;
        if random.below(2) == 0 {
            let k = random.below(3);
            b.max[k] = a.max[k] + b.size()[k].max(size);
            b.min[k] = a.max[k];
        }
        let gap = a.gap(&b);
        // The nearest points of two boxes.
        let near = |k: usize| {
            let (low, high) = (a.min[k].max(b.min[k]), a.max[k].min(b.max[k]));
            if low <= high {
                [low; 2]
            } else if a.max[k] < b.min[k] {
                [high, low]
            } else {
                [low, high]
            }
        };
        let [x, y, z] = [0, 1, 2].map(near);
        let [p, q] = [0, 1].map(|i| Vec3::new(x[i], y[i], z[i]));
        assert_eq!(a.intersects(&b), p == q, "{a:?} {b:?}");
        assert_eq!(gap == 0.0, p == q, "{a:?} {b:?} {gap:e}");
        assert_eq!(b.gap(&a), gap);
        if gap > 0.0 {
            apart += 1;
            assert!(!ball_holds(p, gap.next_down(), q), "too large: {a:?} {b:?} {gap:e}");
            assert!(ball_holds(p, gap * (1.0 + 16.0 * f64::EPSILON), q), "too small: {a:?} {b:?} {gap:e}");
        }
    }
    assert!(apart > cases(20_000) / 4, "{apart}");
}

#[test]
fn empty_and_endless_boxes() {
    let turn = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 1.0).unwrap();
    for pose in [Pose::IDENTITY, turn] {
        assert_eq!(Aabb::EMPTY.transformed(&pose), Aabb::EMPTY);
        assert_eq!(Aabb::EVERYTHING.transformed(&pose), Aabb::EVERYTHING);
        let half = Aabb { min: Vec3::ZERO, max: Vec3::INFINITY };
        assert!(half.transformed(&pose).contains(pose.transform_point(Vec3::splat(1e9))));
    }
    // The shift overflows: nothing is left out.
    let far = Aabb { min: Vec3::splat(f64::MAX), max: Vec3::splat(f64::MAX) };
    let on = Pose::from_translation(Vec3::splat(f64::MAX));
    assert_eq!(far.transformed(&on), Aabb::EVERYTHING);
    assert_eq!(Aabb::EMPTY.bounding_sphere().radius, 0.0);
    assert_eq!(Aabb::EVERYTHING.bounding_sphere().radius, f64::INFINITY);
    let whole = Aabb { min: Vec3::splat(-f64::MAX), max: Vec3::splat(f64::MAX) };
    assert_eq!(whole.bounding_sphere().radius, f64::INFINITY);
    let point = Aabb { min: Vec3::ONE, max: Vec3::ONE };
    assert_eq!(point.bounding_sphere().radius, 0.0);
}
