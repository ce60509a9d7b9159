//! Drawings against rays: what is painted last at a point is what the ray of sight meets first.

use super::bodies::{Placed, Stage};
use super::bsp::Tree;
use super::gather::gathered;
use super::layout::Layout;
use super::lines::{Cover, Segment};
use super::surface::Surface;
use super::view::{Projection, View};
use super::*;
use freiraum_assets::ShapeCache;
use freiraum_check::Timeline;
use freiraum_geometry::path::Axis;
use freiraum_geometry::shape::{Cuboid, Cylinder, HalfSpace, Sphere};
use freiraum_geometry::{Mesh, Pose, Quat, Shape, Vec2, Vec3};
use freiraum_query::ray::{Ray, RayScene};
use freiraum_scene::{Body, Color, Geometry, Move, Place, Scene, Step, Travel};
use freiraum_testkit::{nasty, random::Random, scale::cases};
use std::sync::Arc;

const TOLERANCE: f64 = 1e-6;

/// Bodies in picture space, and the same for rays.
struct Trial {
    surfaces: Vec<Surface>,
    poses: Vec<Pose>,
    rays: RayScene,
    layout: Layout,
}

impl Trial {
    fn new(bodies: Vec<(Mesh, Pose)>, view: View) -> Trial {
        let points: Vec<Vec3> = bodies
            .iter()
            .flat_map(|(mesh, pose)| mesh.vertices().iter().map(|p| pose.transform_point(*p)))
            .collect();
        let surfaces = bodies.iter().map(|(mesh, _)| Surface::of(mesh, 0.35)).collect();
        let poses = bodies.iter().map(|(_, pose)| *pose).collect();
        let rays = RayScene::new(bodies.into_iter().map(|(mesh, pose)| (pose, Shape::Mesh(Arc::new(mesh)))));
        Trial { surfaces, poses, rays, layout: Layout::fit(&view, &points, [200.0, 150.0], 0.0, None) }
    }

    fn placed(&self) -> Vec<Placed<'_>> {
        let place = |(surface, pose): (_, &Pose)| Placed {
            name: "body",
            color: Color([128; 3]),
            surface,
            world_from_body: *pose,
            is_pale: false,
        };
        self.surfaces.iter().zip(&self.poses).map(place).collect()
    }

    /// The body that the ray of sight through a point meets first, and how far from the start of the ray.
    fn first(&self, p: Vec2) -> Option<(u32, Vec3)> {
        let (origin, direction) = self.layout.camera.ray(p, 100.0);
        let hit = self.rays.cast(&Ray::new(origin, direction, 1e3).unwrap())?;
        Some((hit.item, hit.hit.point))
    }

    /// Compares at random points; how many were compared.
    fn compare(&self, random: &mut Random, samples: usize) -> usize {
        let placed = self.placed();
        let stage = Stage::new(&placed, &self.layout).unwrap();
        let tree = Tree::of(stage.polygons.clone(), &stage.planes, TOLERANCE).unwrap();
        let order = gathered(&tree.back_to_front(), &tree.polygons, TOLERANCE);
        let reach = 0.6 * self.layout.size_in_picture_space();
        let mut compared = 0;
        for _ in 0..samples {
            let p = Vec2::new(random.range(-reach, reach), random.range(-reach, reach));
            let painted = order.iter().rev().find(|polygon| is_in(p, tree.polygons.corners(**polygon)));
            let expected = self.first(p).map(|(_, point)| self.layout.camera.picture(point).unwrap());
            let hair = 1e-4 * reach;
            let around =
                [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y].map(|d| self.first(p + hair * d).map(|hit| hit.0));
            if around.iter().any(|body| *body != self.first(p).map(|hit| hit.0)) {
                continue;
            }
            compared += 1;
            let plane = painted.map(|polygon| stage.planes[tree.polygons.face(*polygon) as usize]);
            match (plane, expected) {
                (None, None) => {}
                (Some(plane), Some(hit)) => {
                    let off = plane.height(hit).abs();
                    assert!(off < 1e-5, "{p}: painted {off} off what is seen");
                }
                (plane, hit) => panic!("{p}: {plane:?} painted, {hit:?} seen"),
            }
        }
        compared
    }
}

fn is_in(p: Vec2, corners: &[Vec3]) -> bool {
    let next = corners.iter().skip(1).chain(corners.first());
    corners.iter().zip(next).all(|(a, b)| (b.truncate() - a.truncate()).perp_dot(p - a.truncate()) >= 0.0)
}

fn boxed(size: [f64; 3]) -> Mesh {
    Shape::Cuboid(Cuboid::new(Vec3::from(size)).unwrap()).tessellate(1.0).unwrap()
}

fn views(random: &mut Random) -> [View; 3] {
    let view = View::from_angles(random.range(0.2, 2.9), random.range(-3.0, 3.0));
    [view, view.with(Projection::Central(None)), View::isometric()]
}

#[test]
fn painted_last_is_seen_first() {
    let mut random = Random::new(11);
    let mut compared = 0;
    for _ in 0..cases(12) {
        for view in views(&mut random) {
            let count = 2 + random.below(9);
            let body = |random: &mut Random| {
                let pose = Pose::new(random.rotation(), random.in_cube(2.0)).unwrap();
                if random.below(2) == 0 {
                    let size = [random.range(0.2, 3.0), random.range(0.2, 3.0), random.range(0.2, 3.0)];
                    return (boxed(size), pose);
                }
                let (points, faces) = nasty::star(random, 3, 0.4);
                (Mesh::new(points, faces).unwrap(), pose)
            };
            let bodies = (0..count).map(|_| body(&mut random)).collect();
            compared += Trial::new(bodies, view).compare(&mut random, 300);
        }
    }
    assert!(compared > cases(12) * 600, "{compared}");
}

#[test]
fn three_bars_that_cover_each_other_in_a_ring() {
    // Each bar leans on the next one.
    let bar = |k: u32| {
        let turn = Quat::from_rotation_z(f64::from(k) * std::f64::consts::TAU / 3.0);
        let lean = Quat::from_rotation_y(-0.25);
        (boxed([6.0, 0.5, 0.1]), Pose::new(turn * lean, turn * Vec3::new(0.0, -1.2, 0.0)).unwrap())
    };
    for projection in [Projection::Parallel, Projection::Central(None)] {
        let trial = Trial::new((0..3).map(bar).collect(), View::top().with(projection));
        assert!(trial.compare(&mut Random::new(3), 4000) > 2000);
    }
}

#[test]
fn stacked_boxes_and_boxes_on_a_grid() {
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z));
    let grid =
        (0..27).map(|k| (boxed([1.0; 3]), at(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9))));
    let bodies: Vec<(Mesh, Pose)> =
        grid.filter(|(_, pose)| pose.translation() != Vec3::new(2.0, 0.0, 2.0)).collect();
    for view in [
        View::isometric(),
        View::dimetric(),
        View::front(),
        View::isometric().with(Projection::Central(None)),
    ] {
        assert!(Trial::new(bodies.clone(), view).compare(&mut Random::new(4), 2000) > 1000);
    }
}

#[test]
fn lines_are_hidden_where_a_ray_to_the_eye_is_blocked() {
    let mut random = Random::new(21);
    let mut compared = [0, 0];
    for _ in 0..cases(20) {
        for view in views(&mut random) {
            let body = |random: &mut Random| {
                let size = [random.range(0.2, 3.0), random.range(0.2, 3.0), random.range(0.2, 3.0)];
                (boxed(size), Pose::new(random.rotation(), random.in_cube(2.0)).unwrap())
            };
            let trial = Trial::new((0..6).map(|_| body(&mut random)).collect(), view);
            let placed = trial.placed();
            let stage = Stage::new(&placed, &trial.layout).unwrap();
            let cover = Cover::new(&stage.polygons, &stage.planes, TOLERANCE);
            for _ in 0..200 {
                // A segment in free space, or into bodies.
                let ends = [random.in_cube(4.0), random.in_cube(4.0)];
                let Some(seen) = trial.layout.camera.segment(ends) else { continue };
                let hidden =
                    cover.hidden(&[Segment { ends: seen, faces: [surface::NONE; 2], slack: 0.0 }]).remove(0);
                let t = random.unit();
                let p = Segment { ends: seen, faces: [surface::NONE; 2], slack: 0.0 }.at(t);
                let is_hidden = hidden.iter().any(|[lo, hi]| (*lo..=*hi).contains(&t));
                let near_end = hidden.iter().flatten().any(|end| (end - t).abs() < 1e-3);
                let blocked = trial
                    .first(p.truncate())
                    .is_some_and(|(_, point)| trial.layout.camera.picture(point).unwrap().z > p.z);
                if !near_end {
                    assert_eq!(is_hidden, blocked, "{ends:?} at {t}: {hidden:?}");
                    compared[usize::from(blocked)] += 1;
                }
            }
        }
    }
    assert!(compared.iter().all(|n| *n > 500.min(cases(20) * 20)), "{compared:?}");
}

fn body(name: &str, shape: Shape, at: [f64; 3]) -> Body {
    Body {
        name: name.to_owned(),
        geometry: Geometry::Shape(shape),
        is_fixed: false,
        color: None,
        pose: Pose::from_translation(Vec3::from(at)),
        goal: None,
        place: Place::default(),
    }
}

fn step(name: &str, bodies: &[usize], travel: Travel) -> Step {
    let one = Move { subject: name.to_owned(), bodies: bodies.to_vec(), travel, place: Place::default() };
    Step { name: name.to_owned(), moves: vec![one], tasks: Vec::new(), seconds: 1.0, place: Place::default() }
}

/// A plate, a peg that is lowered onto it and a ball that is lowered onto the peg, turned and screwed.
fn small_scene() -> Scene {
    let plate = Shape::Cuboid(Cuboid::new(Vec3::new(4.0, 4.0, 1.0)).unwrap());
    let peg = Shape::Cylinder(Cylinder::new(0.5, 2.0).unwrap());
    let ball = Shape::Sphere(Sphere::new(0.7).unwrap());
    let axis = Axis { point: Vec3::ZERO, direction: Vec3::Z };
    let down = |z: f64| Travel::Translate(Vec3::new(0.0, 0.0, -z));
    Scene {
        bodies: vec![
            body("plate <1>", plate, [0.0, 0.0, 0.0]),
            body("peg", peg, [0.0, 0.0, 6.5]),
            body("ball", ball, [0.0, 0.0, 10.2]),
        ],
        steps: vec![
            step("lower peg", &[1], down(5.0)),
            step("lower ball", &[2], down(7.0)),
            step("turn", &[1, 2], Travel::Turn { axis, angle: 2.0, advance: 0.0 }),
            step("screw", &[2], Travel::Turn { axis, angle: 12.0, advance: 0.5 }),
            step("away", &[2], Travel::To(Pose::from_translation(Vec3::new(3.0, 0.0, 5.0)))),
        ],
        ..Scene::default()
    }
}

fn with_drafter<R>(scene: &Scene, options: Options, run: impl FnOnce(&Drafter) -> R) -> R {
    let timeline = Timeline::of(scene).unwrap();
    run(&Drafter::new(scene, &timeline, &ShapeCache::of(scene), options).unwrap())
}

#[test]
fn drawings_of_a_scene_its_steps_and_its_parts() {
    let scene = small_scene();
    with_drafter(&scene, Options::default(), |drafter| {
        let start = drafter.start().unwrap();
        let svg = start.to_svg();
        assert!(svg.contains("<title>plate &lt;1&gt;</title>") && svg.contains("id=\"peg\""), "{svg}");
        // Everything is on the paper.
        for group in &start.groups {
            for mark in &group.marks {
                let points: Vec<Vec2> = match mark {
                    Mark::Area { polygons, .. } => polygons.concat(),
                    Mark::Line { lines, .. } => lines.concat(),
                    Mark::Text { at, .. } => vec![*at],
                };
                assert!(points.iter().all(|p| p.x > 7.9 && p.y > 7.9 && p.x < 202.1 && p.y < 142.0));
            }
        }
        let arrows =
            |sheet: &Sheet| sheet.groups.iter().filter(|g| g.kind == GroupKind::Other("motion")).count();
        for number in 0..scene.steps.len() {
            let sheet = drafter.step(number, Frame::Plan, true).unwrap();
            assert_eq!(
                (arrows(&sheet), sheet.scale),
                (1, drafter.step(0, Frame::Plan, false).unwrap().scale)
            );
            assert_eq!(arrows(&drafter.step(number, Frame::Own, false).unwrap()), 0);
        }
        assert!(start.to_png(60.0).unwrap().starts_with(b"\x89PNG"));
        assert!(matches!(start.to_png(1e6), Err(DrawError::TooManyPixels { .. })));
    });
}

#[test]
fn a_turn_seen_from_the_side_is_drawn_as_an_ellipse() {
    let mut scene = small_scene();
    scene.steps = vec![scene.steps.remove(3)];
    for view in
        [View::front(), View::side(), View::isometric(), View::front().with(Projection::Central(None))]
    {
        let options = Options { view, ..Options::default() };
        let sheet = with_drafter(&scene, options, |drafter| drafter.step(0, Frame::Own, true).unwrap());
        let motion = sheet.groups.iter().find(|group| group.kind == GroupKind::Other("motion")).unwrap();
        let arc = |mark: &Mark| match mark {
            Mark::Line { lines, .. } if lines[0].len() > 12 => Some(lines[0].clone()),
            _ => None,
        };
        let arc = motion.marks.iter().find_map(arc).unwrap();
        let empty = [Vec2::INFINITY, Vec2::NEG_INFINITY];
        let [lo, hi] = arc.iter().fold(empty, |[lo, hi], p| [lo.min(*p), hi.max(*p)]);
        let size = hi - lo;
        assert!(size.y > 0.2 * size.x && size.y < size.x, "{view:?}: {size}");
    }
}

fn sums(ways: &[Vec<Vec3>]) -> Vec<Vec3> {
    ways.iter().map(|way| way.iter().sum()).collect()
}

/// Bodies with the same steps as they would be done in a scene.
fn shifts_of(bodies: Vec<Body>, steps: Vec<Step>) -> Vec<Vec<Vec3>> {
    let scene = Scene { bodies, steps, ..Scene::default() };
    let timeline = Timeline::of(&scene).unwrap();
    let drafter = Drafter::new(&scene, &timeline, &ShapeCache::of(&scene), Options::default()).unwrap();
    explode::shifts(&timeline, scene.steps.len(), &drafter, 0.1, 1.0)
}

#[test]
fn what_was_lowered_and_pushed_aside_goes_back_aside_and_up() {
    let cuboid = |x: f64, z: f64| Shape::Cuboid(Cuboid::new(Vec3::new(x, 1.0, z)).unwrap());
    let by = |x: f64, z: f64| Travel::Translate(Vec3::new(x, 0.0, z));
    // A floor with a wall at its right end: whoever goes on to the right would be beside the wall.
    let bodies = vec![
        body("floor", cuboid(4.0, 1.0), [0.0; 3]),
        body("wall", cuboid(1.0, 3.0), [2.5, 0.0, 1.0]),
        body("block", cuboid(1.0, 1.0), [0.5, 0.0, 6.0]),
    ];
    let axis = Axis { point: Vec3::ZERO, direction: Vec3::Z };
    let turn = Travel::Turn { axis, angle: 1.0, advance: 0.0 };
    let steps = vec![
        step("lower", &[2], by(0.0, -3.0)),
        step("on", &[2], by(0.0, -2.0)),
        step("push", &[2], by(-0.5, 0.0)),
        step("turn", &[2], turn),
    ];
    let ways = shifts_of(bodies, steps);
    assert!(ways[0].is_empty() && ways[1].is_empty());
    let [aside, up] = <[Vec3; 2]>::try_from(ways[2].clone()).unwrap();
    assert!(aside.distance(Vec3::new(0.5, 0.0, 0.0)) < 1e-12, "{aside}");
    // By the gap from the floor that it stands on.
    assert!(up.distance(Vec3::new(0.0, 0.0, 0.1)) < 1e-12, "{up}");
}

#[test]
fn parts_without_steps_go_away_from_the_middle() {
    let cube = |at: [f64; 3]| body("", Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap()), at);
    let bodies = vec![cube([0.0; 3]), cube([1.0, 0.0, 0.0]), cube([-1.0, 0.0, 0.0]), cube([2.0, 0.0, 0.0])];
    let ends: Vec<f64> = sums(&shifts_of(bodies, Vec::new()))
        .iter()
        .zip([0.0, 1.0, -1.0, 2.0])
        .map(|(by, x)| by.x + x)
        .collect();
    // The middle is at 0.5, between the first and the second one, of which the first stays.
    for (x, expected) in ends.iter().zip([0.0, 1.1, -1.1, 2.2]) {
        assert!((x - expected).abs() < 1e-9, "{ends:?}");
    }
}

#[test]
fn parts_are_shifted_apart_until_nothing_is_in_the_way() {
    let mut scene = small_scene();
    scene.steps.truncate(2);
    let timeline = Timeline::of(&scene).unwrap();
    let drafter = Drafter::new(&scene, &timeline, &ShapeCache::of(&scene), Options::default()).unwrap();
    let shifts = sums(&explode::shifts(&timeline, 2, &drafter, 0.1, 1.0));
    // The peg stands on the plate and goes up by the gap; the ball, which is to sink into it, stays above it.
    assert_eq!(shifts[0], Vec3::ZERO);
    let [peg, ball] = [1, 2].map(|b| (timeline.end[b].translation() + shifts[b]).z);
    assert!((peg - 1.0 - 0.5 - 0.1).abs() < 1e-9, "{peg}");
    assert!((ball - 0.7 - (peg + 1.0) - 0.1).abs() < 1e-9, "{ball}");
    assert_eq!(sums(&explode::shifts(&timeline, 2, &drafter, 0.1, 0.0)), [Vec3::ZERO; 3]);
    let sheet = drafter.exploded(1.0, 9).unwrap();
    assert!(sheet.groups.iter().any(|group| group.kind == GroupKind::Other("traces")));
    assert!(drafter.exploded(1.0, 0).is_ok());
}

#[test]
fn every_style_draws_and_an_empty_scene_is_an_empty_sheet() {
    let mut scene = small_scene();
    scene.bodies.push(body("ground", Shape::HalfSpace(HalfSpace::new(Vec3::Z, -1.0).unwrap()), [0.0; 3]));
    let lines = |style: Style, hidden_edges: bool| {
        let options = Options { style, hidden_edges, ..Options::default() };
        let sheet = with_drafter(&scene, options, |drafter| drafter.end().unwrap());
        let marks = sheet.groups.iter().flat_map(|group| &group.marks);
        let count = |mark: &Mark| match mark {
            Mark::Line { lines, .. } => lines.iter().map(|line| line.len() - 1).sum(),
            _ => 0,
        };
        marks.map(count).sum::<usize>()
    };
    let [shaded, visible, front, all] =
        [Style::Shaded, Style::HiddenLine, Style::FrontFaces, Style::Wireframe]
            .map(|style| lines(style, false));
    assert!(shaded == visible && visible <= front && front < all, "{visible} {front} {all}");
    assert!(lines(Style::HiddenLine, true) > visible);

    let empty = Scene::default();
    let sheet = with_drafter(&empty, Options::default(), |drafter| drafter.start().unwrap());
    assert_eq!(sheet.groups.len(), 1);
    assert!(with_drafter(&empty, Options::default(), |drafter| drafter.exploded(1.0, 3).is_ok()));
    let timeline = Timeline::of(&empty).unwrap();
    let options = Options { size: [f64::NAN, 100.0], ..Options::default() };
    assert!(matches!(
        Drafter::new(&empty, &timeline, &ShapeCache::of(&empty), options),
        Err(DrawError::BadSize { .. })
    ));
}
