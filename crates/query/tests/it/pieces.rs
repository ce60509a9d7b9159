//! Points, segments, lines, rays, triangles, rectangles and arcs against each other and against every shape: the points that are found lie on both,
//! and no search over dense samples finds nearer ones. In general poses and on a lattice, where edges are parallel, planes
//! coincide and corners touch.

use freiraum_geometry::shape::{
    Capsule, Compound, Cone, Convex, Cuboid, Cylinder, HalfSpace, HeightField, Part, Shape, Sphere,
};
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_query::elementary::{Arc, Line, Ray, Rectangle};
use freiraum_query::{Piece, PieceDistance, Prepared, distance, distance_of_piece, distance_of_pieces};
use freiraum_testkit::random::Random;
use std::f64::consts::{FRAC_PI_2, TAU};

/// How far lines and rays are sampled.
const FAR: f64 = 40.0;

/// How much nearer a sample may be: the answers of round bodies are iterated.
const NEARER: f64 = 1e-9;

/// A ball in place of a point: what it overlaps of surfaces is told to no more than that.
const RADIUS: f64 = 1e-9;

/// How far the points found may be off what they lie on.
const OFF: f64 = 1e-11;

/// A piece by one or two parameters in [0, 1].
fn at(piece: &Piece, s: f64, t: f64) -> Vec3 {
    match piece {
        Piece::Point(p) => *p,
        Piece::Segment([p, q]) => p.lerp(*q, s),
        Piece::Line(line) => line.point + line.direction * (FAR * (2.0 * s - 1.0) / line.direction.length()),
        Piece::Ray(ray) => ray.origin + ray.direction * (FAR * s / ray.direction.length()),
        Piece::Triangle([p, q, r]) => *p + s * (1.0 - t) * (*q - *p) + s * t * (*r - *p),
        Piece::Rectangle(of) => of.center + (2.0 * s - 1.0) * of.half[0] + (2.0 * t - 1.0) * of.half[1],
        Piece::Arc(arc) => arc.at(s * arc.angle()),
    }
}

fn has_two(piece: &Piece) -> bool {
    matches!(piece, Piece::Triangle(_) | Piece::Rectangle(_))
}

/// The least of a function over a piece: dense samples, then ever smaller steps from the best of them.
fn least_over(piece: &Piece, f: &dyn Fn(Vec3) -> f64) -> f64 {
    let (rows, columns) = if has_two(piece) { (24, 24) } else { (600, 0) };
    let mut samples: Vec<(f64, f64, f64)> = Vec::new();
    for i in 0..=rows {
        for k in 0..=columns {
            let (s, t) = (i as f64 / rows as f64, k as f64 / f64::max(columns as f64, 1.0));
            samples.push((f(at(piece, s, t)), s, t));
        }
    }
    samples.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut least = f64::INFINITY;
    for &(mut value, mut s, mut t) in &samples[..3] {
        let mut step = 2.0 / rows as f64;
        while step > 1e-12 {
            let moves = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (1.0, -1.0), (-1.0, 1.0)];
            let count = if has_two(piece) { 6 } else { 2 };
            let mut is_better = false;
            for (u, v) in &moves[..count] {
                let (x, y) = ((s + u * step).clamp(0.0, 1.0), (t + v * step).clamp(0.0, 1.0));
                let found = f(at(piece, x, y));
                if found < value {
                    (value, s, t, is_better) = (found, x, y, true);
                }
            }
            if !is_better {
                step *= 0.5;
            }
        }
        least = least.min(value);
    }
    least
}

/// The distance of a point from a piece, not by the formulas of the library.
fn of_point(p: Vec3, piece: &Piece) -> f64 {
    let along = |start: Vec3, direction: Vec3, low: f64, high: f64| {
        let square = direction.length_squared();
        let t = if square > 0.0 { (p - start).dot(direction) / square } else { 0.0 };
        p.distance(start + t.clamp(low, high) * direction)
    };
    let segment = |a: Vec3, b: Vec3| along(a, b - a, 0.0, 1.0);
    match piece {
        Piece::Point(q) => p.distance(*q),
        Piece::Segment([a, b]) => segment(*a, *b),
        Piece::Line(line) => along(line.point, line.direction, f64::NEG_INFINITY, f64::INFINITY),
        Piece::Ray(ray) => along(ray.origin, ray.direction, 0.0, f64::INFINITY),
        Piece::Triangle([a, b, c]) => {
            let border = segment(*a, *b).min(segment(*b, *c)).min(segment(*c, *a));
            let normal = (*b - *a).cross(*c - *a);
            if !(normal.length() > 0.0) {
                return border;
            }
            let foot = p - normal * ((p - *a).dot(normal) / normal.length_squared());
            let is_in = [(a, b), (b, c), (c, a)]
                .into_iter()
                .all(|(s, e)| (*e - *s).cross(foot - *s).dot(normal) >= 0.0);
            if is_in { p.distance(foot).min(border) } else { border }
        }
        Piece::Rectangle(of) => {
            let [u, v] =
                of.half.map(|half| ((p - of.center).dot(half) / half.length_squared()).clamp(-1.0, 1.0));
            p.distance(of.center + u * of.half[0] + v * of.half[1])
        }
        Piece::Arc(arc) => {
            let ends = p.distance(arc.at(0.0)).min(p.distance(arc.at(arc.angle())));
            let (x, y) = (arc.at(0.0) - arc.center(), arc.axis().cross(arc.at(0.0) - arc.center()));
            let w = p - arc.center();
            let mut turn = w.dot(y).atan2(w.dot(x));
            if turn < 0.0 {
                turn += TAU;
            }
            if turn <= arc.angle() { p.distance(arc.at(turn)).min(ends) } else { ends }
        }
    }
}

/// The distance of a point from a placed shape: that of a small ball there.
fn of_point_and_shape(p: Vec3, shape: &Prepared, world_from_shape: &Pose) -> f64 {
    let ball = Prepared::new(Shape::Sphere(Sphere::new(RADIUS).unwrap()));
    let ball_from_shape = Pose::from_translation(-p) * *world_from_shape;
    distance(&ball, shape, &ball_from_shape).unwrap().distance + RADIUS
}

/// A coordinate: any, or one of few.
fn coordinate(random: &mut Random, is_lattice: bool) -> f64 {
    if is_lattice { 0.5 * random.below(5) as f64 - 1.0 } else { random.range(-1.0, 1.0) }
}

fn vector(random: &mut Random, is_lattice: bool) -> Vec3 {
    Vec3::from_array([0; 3].map(|_| coordinate(random, is_lattice)))
}

fn direction(random: &mut Random, is_lattice: bool) -> Vec3 {
    loop {
        let found = vector(random, is_lattice);
        if found.length() > 0.2 {
            return found;
        }
    }
}

fn piece(random: &mut Random, kind: usize, is_lattice: bool) -> Piece {
    let point = vector(random, is_lattice);
    match kind {
        0 => Piece::Point(point),
        1 => Piece::Segment([point, vector(random, is_lattice)]),
        2 => Piece::Line(Line { point, direction: direction(random, is_lattice) }),
        3 => Piece::Ray(Ray { origin: point, direction: direction(random, is_lattice) }),
        4 => Piece::Triangle([point, vector(random, is_lattice), vector(random, is_lattice)]),
        5 => {
            let half = if is_lattice {
                let k = random.below(3);
                [Vec3::AXES[k] * 0.5, Vec3::AXES[(k + 1) % 3]]
            } else {
                let u = random.direction();
                [u * random.range(0.1, 1.0), u.any_orthonormal_vector() * random.range(0.1, 1.0)]
            };
            Piece::Rectangle(Rectangle { center: point, half })
        }
        _ => {
            let axis = if is_lattice { Vec3::AXES[random.below(3)] } else { random.direction() };
            let angle =
                if is_lattice { FRAC_PI_2 * (1 + random.below(4)) as f64 } else { random.range(-7.0, 7.0) };
            let on_axis = vector(random, is_lattice);
            Piece::Arc(Arc::of_rotation(point, on_axis, axis, angle).unwrap())
        }
    }
}

fn pose(random: &mut Random, is_lattice: bool) -> Pose {
    let rotation = if is_lattice {
        let turn = |axis: Vec3, n: usize| Quat::from_axis_angle(axis, FRAC_PI_2 * n as f64);
        turn(Vec3::X, random.below(4)) * turn(Vec3::Z, random.below(4))
    } else {
        random.rotation()
    };
    Pose::new(rotation, 2.0 * vector(random, is_lattice)).unwrap()
}

/// Points on both, the right distance, nothing nearer.
fn check(found: &PieceDistance, a: &Piece, to_b: &dyn Fn(Vec3) -> f64, nearer: f64, what: &str) {
    let closest = &found.closest;
    let off_a = of_point(closest.point_on_a, a);
    assert!(off_a <= OFF, "{what}: {off_a:e} off a: {found:?}");
    let off_b = to_b(closest.point_on_b);
    assert!(off_b <= OFF.max(nearer), "{what}: {off_b:e} off b: {found:?}");
    let between = closest.point_on_b - closest.point_on_a;
    assert!((between.length() - closest.distance).abs() <= OFF, "{what}: {found:?}");
    assert!((closest.normal.length() - 1.0).abs() <= 1e-9, "{what}: {found:?}");
    if closest.distance > 1e-6 {
        assert!((between / closest.distance - closest.normal).length() <= 1e-6, "{what}: {found:?}");
    }
    assert_eq!(found.intersects == Some(true), closest.distance == 0.0, "{what}: {found:?}");
    if closest.distance > 0.0 {
        let least = least_over(a, to_b);
        assert!(closest.distance <= least + nearer, "{what}: samples are nearer: {least}: {found:?}");
    }
}

#[test]
fn every_pair_of_pieces_against_dense_samples() {
    let mut random = Random::new(11);
    for kind_a in 0..7 {
        for kind_b in 0..7 {
            for case in 0..100 {
                let is_lattice = case % 2 == 0;
                let (a, b) = (piece(&mut random, kind_a, is_lattice), piece(&mut random, kind_b, is_lattice));
                let a_from_b = pose(&mut random, is_lattice);
                let placed = b.placed(&a_from_b);
                let what = format!("{a:?} {placed:?}");
                let found = distance_of_pieces(&a, &b, &a_from_b).unwrap();
                check(&found, &a, &|p| of_point(p, &placed), 1e-7, &what);
                let back = distance_of_pieces(&b, &a, &a_from_b.inverse()).unwrap();
                let (there, again) = (found.closest.distance, back.closest.distance);
                assert!((there - again).abs() <= 1e-10, "{what}: {there} {again}");
            }
        }
    }
}

fn shapes() -> Vec<(&'static str, Prepared)> {
    let cuboid = Shape::Cuboid(Cuboid::new(Vec3::new(1.0, 2.0, 1.0)).unwrap());
    let corners: Vec<Vec3> = Vec3::AXES.iter().flat_map(|axis| [*axis, -*axis]).collect();
    let cube = cuboid.tessellate(1.0).unwrap();
    let open =
        Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)], vec![[0, 1, 2], [1, 3, 2]]);
    let field =
        HeightField::new([2.0, 2.0], &[vec![0.0, 0.5, 0.0], vec![0.0, 1.0, 0.5], vec![0.0, 0.0, 0.0]]);
    let parts = vec![
        Part { compound_from_part: Pose::from_translation(Vec3::X), shape: cuboid.clone() },
        Part {
            compound_from_part: Pose::from_translation(-Vec3::X),
            shape: Shape::Sphere(Sphere::new(0.5).unwrap()),
        },
    ];
    let all = vec![
        ("sphere", Shape::Sphere(Sphere::new(0.5).unwrap())),
        ("box", cuboid),
        ("cylinder", Shape::Cylinder(Cylinder::new(0.5, 2.0).unwrap())),
        ("capsule", Shape::Capsule(Capsule::new(0.5, 1.0).unwrap())),
        ("cone", Shape::Cone(Cone::new(0.5, 2.0).unwrap())),
        ("plane", Shape::HalfSpace(HalfSpace::new(Vec3::Z, -0.5).unwrap())),
        ("convex", Shape::Convex(Convex::from_points(&corners).unwrap())),
        ("closed mesh", Shape::Mesh(cube.into())),
        ("open mesh", Shape::Mesh(open.unwrap().into())),
        ("heightfield", Shape::HeightField(field.unwrap())),
        ("compound", Shape::Compound(Compound::new(parts).unwrap())),
    ];
    all.into_iter().map(|(name, shape)| (name, Prepared::new(shape))).collect()
}

#[test]
fn every_piece_against_every_shape_and_dense_samples() {
    let mut random = Random::new(12);
    for (name, shape) in shapes() {
        for kind in 0..7 {
            let (mut apart, mut met) = (0, 0);
            for case in 0..60 {
                let is_lattice = case % 2 == 0;
                let a = piece(&mut random, kind, is_lattice);
                let a_from_b = pose(&mut random, is_lattice);
                let found = distance_of_piece(&a, &shape, &a_from_b).unwrap();
                let what = format!("{a:?} {name} {a_from_b:?}");
                // Touching of small balls and round bodies is a matter of their size.
                let nearer = if name == "cylinder" || name == "cone" { 1e-8 } else { NEARER + 2.0 * RADIUS };
                let to_b = |p: Vec3| of_point_and_shape(p, &shape, &a_from_b);
                check(&found, &a, &to_b, nearer, &what);
                if found.intersects == Some(true) { met += 1 } else { apart += 1 }
            }
            // Planes catch every line.
            let expected = if name == "plane" && (2..4).contains(&kind) { 0 } else { 1 };
            assert!(apart >= expected, "{name} {kind}: {apart} {met}");
        }
    }
}

#[test]
fn inside_of_solids_is_met_and_a_cavity_is_not() {
    let arc = |radius: f64| Piece::Arc(Arc::of_rotation(Vec3::X * radius, Vec3::ZERO, Vec3::Z, 7.0).unwrap());
    let ball = |radius: f64| Shape::Sphere(Sphere::new(radius).unwrap()).tessellate(1e-3).unwrap();
    let solid = Prepared::new(Shape::Mesh(ball(2.0).into()));
    let (outer, inner) = (ball(2.0), ball(1.0));
    let count = outer.vertices().len() as u32;
    let vertices = [outer.vertices(), inner.vertices()].concat();
    let turned = inner.faces().iter().map(|[i, j, k]| [i + count, k + count, j + count]);
    let faces = outer.faces().iter().copied().chain(turned).collect();
    let hollow = Prepared::new(Shape::Mesh(Mesh::new(vertices, faces).unwrap().into()));
    let inside: [Piece; 4] =
        [Piece::Point(Vec3::ZERO), Piece::Segment([Vec3::ZERO, 0.5 * Vec3::X]), arc(0.5), arc(0.1)];
    for piece in inside {
        let in_solid = distance_of_piece(&piece, &solid, &Pose::IDENTITY).unwrap();
        assert_eq!((in_solid.intersects, in_solid.closest.distance), (Some(true), 0.0), "{piece:?}");
        let in_hollow = distance_of_piece(&piece, &hollow, &Pose::IDENTITY).unwrap();
        assert_eq!(in_hollow.intersects, Some(false), "{piece:?}");
        assert!(in_hollow.closest.distance > 0.49, "{piece:?}");
    }
    let sheet = distance_of_piece(&arc(0.5), &solid.as_sheet(), &Pose::IDENTITY).unwrap();
    assert!(sheet.intersects == Some(false) && sheet.closest.distance > 1.49);
}

/// A box without a lid: whether a point between its walls is inside cannot be told.
#[test]
fn what_cannot_be_told_of_open_surfaces_is_unknown() {
    let cube = Shape::Cuboid(Cuboid::new(Vec3::splat(2.0)).unwrap()).tessellate(1.0).unwrap();
    let faces = cube.faces().iter().copied();
    let lidless: Vec<[u32; 3]> =
        faces.filter(|f| f.iter().any(|&v| cube.vertices()[v as usize].z < 0.0)).collect();
    assert_eq!(lidless.len(), 10);
    let open = Prepared::new(Shape::Mesh(Mesh::new(cube.vertices().to_vec(), lidless).unwrap().into()));
    let arc = Arc::of_rotation(0.5 * Vec3::X, Vec3::ZERO, Vec3::Z, 7.0).unwrap();
    for piece in [Piece::Point(Vec3::ZERO), Piece::Segment([Vec3::ZERO, 0.5 * Vec3::X]), Piece::Arc(arc)] {
        let found = distance_of_piece(&piece, &open, &Pose::IDENTITY).unwrap();
        assert_eq!(found.intersects, None, "{piece:?}");
        assert!(found.closest.distance > 0.499, "{piece:?}");
        let above = distance_of_piece(&piece, &open, &Pose::from_translation(-9.0 * Vec3::Z)).unwrap();
        assert_eq!(above.intersects, Some(false), "{piece:?}");
    }
}

/// Nothing but the sides below a height field, which have no end, is near a line that goes down beside it.
#[test]
fn lines_far_below_a_height_field_see_its_sides() {
    let field = HeightField::new([2.0, 2.0], &[vec![0.0, 0.0], vec![0.0, 0.0]]).unwrap();
    let field = Prepared::new(Shape::HeightField(field));
    // Passes the rectangle from above at a distance of 1, where it is 96 m below.
    let direction = Vec3::new(1.0, 0.0, -20.0);
    let steep = Line { point: Vec3::new(-5.0, 2.0, 4.0), direction };
    let found = distance_of_piece(&Piece::Line(steep), &field, &Pose::IDENTITY).unwrap();
    assert!((found.closest.distance - 1.0).abs() < 1e-9, "{found:?}");
    let ray = Ray { origin: Vec3::new(-5.0, 0.5, 4.0), direction };
    let found = distance_of_piece(&Piece::Ray(ray), &field, &Pose::IDENTITY).unwrap();
    assert_eq!((found.intersects, found.closest.distance), (Some(true), 0.0));
}

/// Where the distance hardly changes along an arc, the search ends all the same, and its answer is right.
#[test]
fn arcs_about_the_axis_of_what_they_are_near() {
    let around =
        |radius: f64, z: f64| Arc::of_rotation(Vec3::new(radius, 0.0, z), Vec3::ZERO, Vec3::Z, 7.0).unwrap();
    let start = std::time::Instant::now();
    let cases = [
        (Shape::Cylinder(Cylinder::new(1.0, 4.0).unwrap()), 1.0),
        (Shape::Cone(Cone::new(1.0, 2.0).unwrap()), 1.5 / 1.25f64.sqrt()),
        (Shape::Cuboid(Cuboid::new(Vec3::new(1.0, 1.0, 3.0)).unwrap()), 2.0 - 0.5f64.sqrt()),
        (Shape::Sphere(Sphere::new(1.0).unwrap()), 1.0),
        (Shape::Capsule(Capsule::new(1.0, 3.0).unwrap()), 1.0),
    ];
    for (shape, expected) in cases {
        let kind = shape.kind();
        let found = distance_of_piece(&Piece::Arc(around(2.0, 0.0)), &Prepared::new(shape), &Pose::IDENTITY);
        let distance = found.unwrap().closest.distance;
        let expected =
            if kind == freiraum_geometry::shape::Kind::Cone { distance_to_cone() } else { expected };
        assert!((distance - expected).abs() < 1e-12, "{kind:?}: {distance} {expected}");
    }
    let pieces = |a: Arc, b: Arc| {
        let found = distance_of_pieces(&Piece::Arc(a), &Piece::Arc(b), &Pose::IDENTITY);
        found.unwrap().closest.distance
    };
    assert!((pieces(around(2.0, 0.0), around(1.0, 1.0)) - 2f64.sqrt()).abs() < 1e-12);
    // Off the axis by little.
    let beside = Arc::of_rotation(Vec3::new(1.0 + 1e-7, 0.0, 0.0), 1e-7 * Vec3::X, Vec3::Z, 7.0).unwrap();
    assert!((pieces(around(2.0, 0.0), beside) - (1.0 - 1e-7)).abs() < 1e-8);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// From a point 2 beside the axis in the middle height of the cone: perpendicular to its side.
fn distance_to_cone() -> f64 {
    // The side goes from (1, -1) to (0, 1).
    let (rim, along) = ((1.0, -1.0), (-1.0f64, 2.0f64));
    let (x, z) = (2.0 - rim.0, 0.0 - rim.1);
    let t = ((x * along.0 + z * along.1) / 5.0).clamp(0.0, 1.0);
    (x - t * along.0).hypot(z - t * along.1)
}

#[test]
fn what_sinks_ever_so_slowly_meets_the_floor() {
    // Lines with a slope of 1e-15 and less were as high above the floor as their start.
    let floor = Prepared::new(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()));
    let shifted = Pose::from_translation(Vec3::new(1.0, 2.0, 0.0));
    let turned = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.5).unwrap();
    for slope in [1e-9, 1e-14, 1e-15, 1e-16, 1e-20, 1e-30] {
        let (start, down) = (Vec3::new(0.0, 0.0, 5.0), Vec3::new(1.0, 0.0, -slope));
        let pieces = [
            Piece::Line(Line { point: start, direction: down }),
            Piece::Line(Line { point: start, direction: -down }),
            Piece::Ray(Ray { origin: start, direction: down }),
        ];
        for piece in pieces {
            for pose in [Pose::IDENTITY, shifted] {
                let found = distance_of_piece(&piece, &floor, &pose).unwrap();
                assert_eq!(
                    (found.intersects, found.closest.distance),
                    (Some(true), 0.0),
                    "{slope:e} {piece:?}"
                );
            }
        }
        let up = Piece::Ray(Ray { origin: start, direction: -down });
        assert_eq!(distance_of_piece(&up, &floor, &shifted).unwrap().intersects, Some(false), "{slope:e}");
    }
    // Parallel before both are turned, parallel after it.
    let level = Piece::Line(Line { point: Vec3::new(0.0, 0.0, 5.0), direction: Vec3::X }).placed(&turned);
    let found = distance_of_piece(&level, &floor, &turned).unwrap();
    assert_eq!(found.intersects, Some(false));
    assert!((found.closest.distance - 5.0).abs() < OFF, "{found:?}");
}
