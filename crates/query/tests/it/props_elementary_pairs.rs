//! Lines, rays, segments, rectangles and boxes against the same made of triangles, whose distances are checked against
//! exact arithmetic in `props_elementary_distance`.

use freiraum_geometry::{Aabb, Pose, Vec3};
use freiraum_query::elementary::{
    Line, Nearest, Plane, Ray, Rectangle, box_box, plane_box, plane_rectangle, plane_triangle, point_box,
    point_plane, point_rectangle, point_straight, point_triangle, rectangle_box, rectangle_rectangle,
    segment_segment, segment_triangle, straight_box, straight_plane, straight_rectangle, straight_straight,
    straight_triangle, triangle_box, triangle_box_intersect, triangle_rectangle, triangle_triangle,
    triangles_intersect,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

type Triangle = [Vec3; 3];

/// How much longer the segments are that stand for lines and rays.
const LONG: f64 = 4096.0;

fn close(found: &Nearest, expected: f64, reach: f64, what: &dyn std::fmt::Debug) {
    let error = (found.distance() - expected).abs();
    assert!(error <= 32.0 * f64::EPSILON * reach, "{what:?}: {found:?}, expected {expected}, {error}");
    let apart = found.point_on_a.distance(found.point_on_b);
    assert!((apart - found.distance()).abs() <= 32.0 * f64::EPSILON * reach, "{what:?}: {found:?}");
}

/// The point lies on the piece made of these triangles, or inside of the box.
fn on(p: Vec3, triangles: &[Triangle], inside: Option<&Aabb>, reach: f64) {
    let distance = triangles.iter().map(|t| point_triangle(p, *t).distance()).fold(f64::INFINITY, f64::min);
    let is_inside = inside.is_some_and(|b| point_box(p, b).distance() <= 32.0 * f64::EPSILON * reach);
    assert!(is_inside || distance <= 32.0 * f64::EPSILON * reach, "{p} is {distance} away");
}

fn least(values: impl Iterator<Item = Nearest>) -> f64 {
    values.map(|n| n.distance()).fold(f64::INFINITY, f64::min)
}

fn rectangle_triangles(r: &Rectangle) -> [Triangle; 2] {
    let c = r.corners();
    [[c[0], c[1], c[2]], [c[0], c[2], c[3]]]
}

fn box_triangles(b: &Aabb) -> Vec<Triangle> {
    let mut faces = Vec::new();
    for axis in 0..3 {
        for end in [b.min, b.max] {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let corner = |p: f64, q: f64| {
                let mut c = end;
                (c[u], c[v]) = (p, q);
                c
            };
            let c = [
                corner(b.min[u], b.min[v]),
                corner(b.max[u], b.min[v]),
                corner(b.max[u], b.max[v]),
                corner(b.min[u], b.max[v]),
            ];
            faces.extend([[c[0], c[1], c[2]], [c[0], c[2], c[3]]]);
        }
    }
    faces
}

/// Where the pieces come from: anywhere, or from a coarse grid on which most of what can coincide does.
fn point(random: &mut Random, grid: usize) -> Vec3 {
    if grid == 0 {
        return random.in_cube(1.0);
    }
    Vec3::from([0; 3].map(|_| random.below(grid) as f64 - (grid / 2) as f64))
}

/// A rectangle with exact right angles on a grid: two columns of a whole-numbered rotation.
fn rectangle(random: &mut Random, grid: usize) -> Rectangle {
    let center = point(random, grid);
    let half = if grid == 0 {
        let turn = random.rotation();
        [turn * Vec3::X * random.unit(), turn * Vec3::Y * random.unit()]
    } else {
        let [a, b, c, d] = [0; 4].map(|_| random.below(3) as f64 - 1.0);
        let u = Vec3::new(a * a + b * b - c * c - d * d, 2.0 * (b * c + a * d), 2.0 * (b * d - a * c));
        let v = Vec3::new(2.0 * (b * c - a * d), a * a - b * b + c * c - d * d, 2.0 * (c * d + a * b));
        [u * random.below(3) as f64, v * random.below(3) as f64]
    };
    Rectangle { center, half }
}

fn aabb(random: &mut Random, grid: usize) -> Aabb {
    let (p, q) = (point(random, grid), point(random, grid));
    Aabb { min: p.min(q), max: p.max(q) }
}

fn each(count: usize, mut f: impl FnMut(&mut Random, usize)) {
    let mut random = Random::new(99);
    for _ in 0..cases(count) {
        for grid in [0, 2, 3, 5] {
            f(&mut random, grid);
        }
    }
}

#[test]
fn lines_and_rays_are_long_segments() {
    each(3000, |random, grid| {
        let (p, q) = (point(random, grid), point(random, grid));
        let (d, e) = (point(random, grid), point(random, grid));
        let (line, ray) = (Line { point: p, direction: d }, Ray { origin: q, direction: e });
        let long_line = [p - LONG * d, p + LONG * d];
        let long_ray = [q, q + LONG * e];
        let what = (line, ray, grid);
        // Nearly parallel lines come closest beyond the ends of the long segments.
        let parallel = d.cross(e).length_squared() < 0.001 * d.length_squared() * e.length_squared();
        if grid > 0 || !parallel {
            close(
                &straight_straight(line, ray),
                segment_segment(long_line, long_ray).distance(),
                LONG,
                &what,
            );
            close(
                &straight_straight(ray, line),
                segment_segment(long_line, long_ray).distance(),
                LONG,
                &what,
            );
            let other = [p, p + LONG * d];
            let rays = segment_segment(other, long_ray).distance();
            close(&straight_straight(Ray { origin: p, direction: d }, ray), rays, LONG, &what);
        }
        let s = [point(random, grid), point(random, grid)];
        close(&straight_straight(line, s), segment_segment(long_line, s).distance(), LONG, &(what, s));
        close(&straight_straight(s, ray), segment_segment(s, long_ray).distance(), LONG, &(what, s));
        close(&straight_straight([p, q], s), segment_segment([p, q], s).distance(), 4.0, &(what, s));
        close(
            &point_straight(s[0], line),
            segment_segment([s[0]; 2], long_line).distance(),
            LONG,
            &(what, s),
        );
        close(&point_straight(s[0], ray), segment_segment([s[0]; 2], long_ray).distance(), LONG, &(what, s));
        let t = [s[0], s[1], point(random, grid)];
        close(&straight_triangle(line, t), segment_triangle(long_line, t).distance(), LONG, &(what, t));
        close(&straight_triangle(ray, t), segment_triangle(long_ray, t).distance(), LONG, &(what, t));
        close(&straight_triangle([p, q], t), segment_triangle([p, q], t).distance(), 4.0, &(what, t));
        let found = straight_triangle([p, q], t);
        on(found.point_on_a, &[[p, q, q]], None, 4.0);
        on(found.point_on_b, &[t], None, 4.0);
        let r = rectangle(random, grid);
        close(&straight_rectangle(line, &r), straight_rectangle(long_line, &r).distance(), LONG, &(what, r));
        close(&straight_rectangle(ray, &r), straight_rectangle(long_ray, &r).distance(), LONG, &(what, r));
        let b = aabb(random, grid);
        close(&straight_box(line, &b), straight_box(long_line, &b).distance(), LONG, &(what, b));
        close(&straight_box(ray, &b), straight_box(long_ray, &b).distance(), LONG, &(what, b));
    });
}

#[test]
fn rectangles_are_two_triangles() {
    each(2000, |random, grid| {
        let (a, b) = (rectangle(random, grid), rectangle(random, grid));
        let s = [point(random, grid), point(random, grid)];
        let (in_a, in_b) = (rectangle_triangles(&a), rectangle_triangles(&b));
        let reach = if grid == 0 { 4.0 } else { 24.0 };
        let expected = least(in_b.iter().map(|t| point_triangle(s[0], *t)));
        close(&point_rectangle(s[0], &b), expected, reach, &(s[0], b));
        let expected = least(in_b.iter().map(|t| segment_triangle(s, *t)));
        let found = straight_rectangle(s, &b);
        close(&found, expected, reach, &(s, b));
        on(found.point_on_a, &[[s[0], s[1], s[1]]], None, reach);
        on(found.point_on_b, &in_b, None, reach);
        let expected = least(in_a.iter().flat_map(|t| in_b.iter().map(|u| triangle_triangle(*t, *u))));
        let found = rectangle_rectangle(&a, &b);
        close(&found, expected, reach, &(a, b));
        close(&rectangle_rectangle(&b, &a), expected, reach, &(b, a));
        on(found.point_on_a, &in_a, None, reach);
        on(found.point_on_b, &in_b, None, reach);
    });
}

#[test]
fn boxes_are_twelve_triangles() {
    let mut seen = [0; 2];
    each(1500, |random, grid| {
        let b = aabb(random, grid);
        let faces = box_triangles(&b);
        let t = [point(random, grid), point(random, grid), point(random, grid)];
        let s = [t[0], t[1]];
        let reach = 8.0;
        let solid = |expected: f64, points: &[Vec3]| {
            if points.iter().any(|p| b.contains(*p)) { 0.0 } else { expected }
        };
        let expected = solid(least(faces.iter().map(|f| point_triangle(t[0], *f))), &t[..1]);
        close(&point_box(t[0], &b), expected, reach, &(t[0], b));
        let expected = solid(least(faces.iter().map(|f| segment_triangle(s, *f))), &s);
        let found = straight_box(s, &b);
        close(&found, expected, reach, &(s, b));
        on(found.point_on_a, &[[s[0], s[1], s[1]]], None, reach);
        on(found.point_on_b, &[], Some(&b), reach);
        let expected = solid(least(faces.iter().map(|f| triangle_triangle(t, *f))), &t);
        let found = triangle_box(t, &b);
        close(&found, expected, reach, &(t, b));
        on(found.point_on_a, &[t], None, reach);
        on(found.point_on_b, &[], Some(&b), reach);
        let meet = t.iter().any(|p| b.contains(*p)) || faces.iter().any(|f| triangles_intersect(t, *f));
        assert_eq!(triangle_box_intersect(t, &b), meet, "{t:?} {b:?}");
        assert_eq!(found.distance_squared == 0.0, meet, "{t:?} {b:?}");
        seen[usize::from(meet)] += 1;
    });
    assert!(seen.iter().all(|&n| n > 500), "both answers occur: {seen:?}");
}

/// Segments along an axis up to a tilt down to rounding, next to faces, edges and corners.
#[test]
fn segments_nearly_parallel_to_a_box() {
    let mut random = Random::new(5);
    for _ in 0..cases(4000) {
        let half = Vec3::new(1.0, 0.5, 0.25);
        let b = Aabb { min: -half, max: half };
        let tilt = f64::powf(10.0, random.range(-17.0, -1.0));
        let gap = f64::powf(10.0, random.range(-17.0, 0.0));
        let axis = [Vec3::X, Vec3::Y, Vec3::Z][random.below(3)];
        let side = half * Vec3::from([0; 3].map(|_| random.below(3) as f64 - 1.0));
        let start = side + gap * random.in_cube(1.0) - axis * random.range(-1.0, 3.0);
        let s = [start, start + 3.0 * axis * random.unit() + tilt * random.in_cube(1.0)];
        let faces = box_triangles(&b);
        let is_inside = s.iter().any(|p| b.contains(*p));
        let expected = if is_inside { 0.0 } else { least(faces.iter().map(|f| segment_triangle(s, *f))) };
        close(&straight_box(s, &b), expected, 8.0, &(s, b));
    }
}

#[test]
fn oriented_boxes() {
    let mut seen = [0; 2];
    each(100, |random, grid| {
        let size = |random: &mut Random| point(random, grid).abs();
        let (a, b) = (size(random), size(random));
        let shift = point(random, grid) * if grid == 0 { 2.5 } else { 1.0 };
        let turn = if grid == 0 {
            random.rotation()
        } else {
            [freiraum_geometry::Quat::IDENTITY, freiraum_geometry::Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)]
                [random.below(2)]
        };
        let a_from_b = Pose::new(turn, shift).unwrap();
        let found = box_box(a, b, &a_from_b);
        let (box_a, box_b) = (Aabb { min: -a, max: a }, Aabb { min: -b, max: b });
        let faces_a = box_triangles(&box_a);
        let faces_b: Vec<Triangle> =
            box_triangles(&box_b).iter().map(|t| t.map(|p| a_from_b.transform_point(p))).collect();
        let nested = box_a.contains(faces_b[0][0]) || box_b.contains(a_from_b.inverse().transform_point(a));
        let expected = least(faces_a.iter().flat_map(|t| faces_b.iter().map(|u| triangle_triangle(*t, *u))));
        let expected = if nested { 0.0 } else { expected };
        close(&found, expected, 8.0, &(a, b, a_from_b));
        on(found.point_on_a, &[], Some(&box_a), 8.0);
        on(a_from_b.inverse().transform_point(found.point_on_b), &[], Some(&box_b), 8.0);
        let back = box_box(b, a, &a_from_b.inverse());
        close(&back, expected, 8.0, &(b, a, a_from_b));
        seen[usize::from(expected == 0.0)] += 1;
    });
    assert!(seen.iter().all(|&n| n > 5), "both answers occur: {seen:?}");
}

#[test]
fn planes() {
    each(1000, |random, grid| {
        let normal =
            if grid == 0 { random.direction() } else { [Vec3::X, -Vec3::Y, Vec3::Z][random.below(3)] };
        let plane = Plane { normal, offset: if grid == 0 { random.range(-1.0, 1.0) } else { 1.0 } };
        let (p, q) = (point(random, grid), point(random, grid));
        let (h, k) = (normal.dot(p) - plane.offset, normal.dot(q) - plane.offset);
        let found = point_plane(p, &plane);
        close(&found, h.abs(), 4.0, &(p, plane));
        assert!(plane.height(found.point_on_b).abs() <= 1e-15);
        let crosses = h.min(k) <= 0.0 && h.max(k) >= 0.0;
        let expected = if crosses { 0.0 } else { h.abs().min(k.abs()) };
        let found = straight_plane([p, q], &plane);
        close(&found, expected, 4.0, &(p, q, plane));
        assert_eq!(found.distance_squared == 0.0, crosses, "{p} {q} {plane:?}");
        let direction = q - p;
        let rise = normal.dot(direction);
        let meets = h == 0.0 || h * rise < 0.0;
        let expected = if meets { 0.0 } else { h.abs() };
        let tall = 8.0 + (h / rise * direction.length()).abs().min(1e9);
        close(&straight_plane(Ray { origin: p, direction }, &plane), expected, tall, &(p, q, plane));
        let expected = if rise != 0.0 { 0.0 } else { h.abs() };
        close(&straight_plane(Line { point: p, direction }, &plane), expected, tall, &(p, q, plane));
    });
}

/// The pairs of flat pieces and boxes with each other, against those of their triangles.
#[test]
fn flat_pieces_with_each_other() {
    let mut seen = [0; 2];
    each(300, |random, grid| {
        let t = [point(random, grid), point(random, grid), point(random, grid)];
        let (r, b) = (rectangle(random, grid), aabb(random, grid));
        let sides = rectangle_triangles(&r);
        let found = triangle_rectangle(t, &r);
        close(&found, least(sides.iter().map(|u| triangle_triangle(t, *u))), 8.0, &(t, r));
        on(found.point_on_a, &[t], None, 8.0);
        on(found.point_on_b, &sides, None, 8.0);
        let found = rectangle_box(&r, &b);
        close(&found, least(sides.iter().map(|u| triangle_box(*u, &b))), 8.0, &(r, b));
        on(found.point_on_a, &sides, None, 8.0);
        on(found.point_on_b, &[], Some(&b), 8.0);
        seen[usize::from(found.distance_squared == 0.0)] += 1;
        let normal =
            if grid == 0 { random.direction() } else { [Vec3::X, -Vec3::Y, Vec3::Z][random.below(3)] };
        let plane = Plane { normal, offset: if grid == 0 { random.range(-1.0, 1.0) } else { 1.0 } };
        let expected = |corners: &mut dyn Iterator<Item = Vec3>| {
            let heights: Vec<f64> = corners.map(|p| plane.height(p)).collect();
            let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
            let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            low.max(-high).max(0.0)
        };
        close(&plane_triangle(&plane, t), expected(&mut t.into_iter()), 8.0, &(plane, t));
        close(&plane_rectangle(&plane, &r), expected(&mut r.corners().into_iter()), 8.0, &(plane, r));
        let found = plane_box(&plane, &b);
        close(&found, expected(&mut box_triangles(&b).into_iter().flatten()), 8.0, &(plane, b));
        assert!(plane.height(found.point_on_a).abs() <= 1e-14);
        on(found.point_on_b, &[], Some(&b), 8.0);
    });
    assert!(seen.iter().all(|&n| n > 5), "both answers occur: {seen:?}");
}

/// An edge of the triangle, or its face, within rounding of an edge or a corner of the box.
#[test]
fn triangles_within_rounding_of_a_box() {
    let mut random = Random::new(6);
    let mut seen = [0; 2];
    for _ in 0..cases(4000) {
        let far = [1.0, 1e3][random.below(2)];
        let shift = random.in_cube(far);
        let half = random.in_cube(0.5).abs();
        let b = Aabb { min: shift - half, max: shift + half };
        let at = Vec3::new(b.max.x, b.max.y, [b.max.z, random.range(b.min.z, b.max.z)][random.below(2)]);
        // Along the box where it only touches, and away from it.
        let along = Vec3::new(random.unit(), -random.unit(), random.range(-1.0, 1.0));
        let away = Vec3::new(-along.y, along.x, 0.0) + along * random.range(-1.0, 1.0);
        let aside = Vec3::new(-along.x, -along.y, 0.0) * random.range(-1.0, 1.0);
        let t = if random.below(2) == 0 {
            [at + along, at - along * random.unit(), at + away]
        } else {
            // The face touches the edge or corner.
            [at + along + Vec3::Z, at - along, at + aside - Vec3::Z]
        };
        let faces = box_triangles(&b);
        let meet = t.iter().any(|p| b.contains(*p)) || faces.iter().any(|f| triangles_intersect(t, *f));
        assert_eq!(triangle_box_intersect(t, &b), meet, "{t:?} {b:?}");
        seen[usize::from(meet)] += 1;
    }
    assert!(seen.iter().all(|&n| n > cases(200)), "both answers occur: {seen:?}");
}
