//! What gets deeper into another body than the allowance is never called free: bodies that are hard to make smaller, and motions that bring a
//! point deep in the one onto a point deep in the other.

use freiraum_assets::ShapeCache;
use freiraum_check::{CheckMemory, CheckOptions, PlanVerdict, Timeline, check};
use freiraum_geometry::path::{Axis, Motion, UniformMotion};
use freiraum_geometry::shape::{Cone, Convex, Cuboid, Cylinder};
use freiraum_geometry::{Mesh, Pose, Shape, Vec3};
use freiraum_motion::{Movable, fit};
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, PointPlace, closest_point, locate};
use freiraum_scene::{Body, Geometry, Move, Place, Scene, Step, Travel};
use freiraum_testkit::bumpy::{self, Surface};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use freiraum_testkit::{models, nasty};
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

const KINDS: usize = 16;

/// A solid of about a metre.
fn surface(kind: usize, random: &mut Random) -> Surface {
    let small = 10f64.powf(random.range(-3.0, -0.5));
    let hull = |points: &[Vec3]| {
        let convex = Convex::from_points(points).unwrap();
        (convex.surface().vertices().to_vec(), convex.surface().faces().to_vec())
    };
    match kind {
        0 => nasty::plate(random.range(0.5, 1.0), random.range(0.2, 1.0), random.range(0.02, 0.5)),
        1 => nasty::needle(1.0, random.range(0.05, 0.5)),
        2 => nasty::star(random, 2, 0.2),
        3 => models::prism(&models::gear_outline(5 + random.below(9) as u32, 0.4, 0.6, small), 0.3),
        4 => nasty::hoop(random.range(0.2, 0.45), 0.5, random.range(0.1, 1.0), 3 + random.below(20) as u32),
        5 => nasty::comb(3, random.range(0.1, 0.6)),
        6 => bumpy::twisted_tube(12, 5),
        7 => bumpy::torus(9, 6),
        // Cells: slots, steps, inner corners, edges with four faces.
        8 | 9 => {
            let mask = random.bits() | 1;
            let size = Vec3::new(random.range(0.1, 0.5), random.range(0.1, 0.5), random.range(0.1, 0.5));
            models::cells([3, 3, 2], size, |[x, y, z]| mask >> (x + 3 * y + 9 * z) & 1 == 1)
        }
        // A wedge like a knife.
        10 => hull(&[
            Vec3::ZERO,
            Vec3::X,
            Vec3::Y,
            Vec3::new(0.3, 0.3, random.range(0.1, 1.0)),
            Vec3::new(0.9, random.range(0.0, 0.9), small),
        ]),
        // Doubled corners make chamfers of all sizes.
        11 => {
            let mut points: Vec<Vec3> = (0..5 + random.below(6)).map(|_| random.in_cube(0.5)).collect();
            for i in 0..points.len() {
                let near = 10f64.powf(random.range(-5.0, -0.7));
                points.push(points[i] + random.in_cube(near));
            }
            hull(&points)
        }
        // A chamfered box, then one with a hole like a box that is open above: a slot.
        12 => {
            let corner = |k: usize| Vec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2 & 1) as f64);
            let cut = |p: Vec3| (Vec3::splat(0.5) - p) * 2.0 * small;
            let points: Vec<Vec3> = (0..8)
                .map(corner)
                .flat_map(|p| [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| p + cut(p) * (Vec3::ONE - axis)))
                .collect();
            hull(&points)
        }
        // Hollow, inside facing the right way or not.
        13 => {
            let (mut vertices, mut faces) = nasty::star(random, 2, 0.8);
            let inner = random.range(0.1, 0.7);
            let count = vertices.len() as u32;
            vertices.extend(vertices.clone().into_iter().map(|p| inner * p));
            let is_cavity = random.below(3) > 0;
            let more =
                faces.clone().into_iter().map(|[a, b, c]| if is_cavity { [a, c, b] } else { [a, b, c] });
            faces.extend(more.map(|face| face.map(|i| i + count)));
            (vertices, faces)
        }
        // Two shells, apart or overlapping.
        14 => {
            let (mut vertices, mut faces) = nasty::star(random, 1, 0.5);
            let (more, others) = nasty::plate(0.5, 0.6, 0.4);
            let count = vertices.len() as u32;
            let aside = random.range(0.0, 2.0) * random.direction();
            vertices.extend(more.into_iter().map(|p| p + aside));
            faces.extend(others.into_iter().map(|face| face.map(|i| i + count)));
            (vertices, faces)
        }
        // A groove or a blade on a round bar.
        _ => {
            let n = 6 + random.below(30);
            let at = random.below(n);
            let tip = random.range(0.1, 1.5);
            let corner = |i: usize| {
                let (sin, cos) = (TAU * i as f64 / n as f64).sin_cos();
                let radius = if i == at { tip } else { 0.6 };
                (radius * cos, radius * sin)
            };
            let outline: Vec<(f64, f64)> = (0..n).map(corner).collect();
            // As seen from the axis: both ends are fans about it.
            let mut vertices: Vec<Vec3> = Vec::new();
            for z in [0.0, 0.7] {
                vertices.extend(outline.iter().map(|(x, y)| Vec3::new(*x, *y, z)));
            }
            vertices.extend([Vec3::ZERO, 0.7 * Vec3::Z]);
            let (n, mut faces) = (n as u32, Vec::new());
            for i in 0..n {
                let j = (i + 1) % n;
                faces.extend([[i, j, n + j], [i, n + j, n + i], [2 * n, j, i], [2 * n + 1, n + i, n + j]]);
            }
            (vertices, faces)
        }
    }
}

/// The same solid with slivers, loose triangles, turned inside out.
fn spoilt((mut vertices, mut faces): Surface, random: &mut Random) -> Surface {
    for _ in 0..if random.below(2) == 0 { 0 } else { 6 } {
        let k = random.below(faces.len());
        let [a, b, c] = faces[k];
        let thin = 10f64.powf(random.range(-12.0, -1.0));
        let share = random.unit();
        let [p, q, r] = faces[k].map(|i| vertices[i as usize]);
        let new = vertices.len() as u32;
        vertices.push(p * (1.0 - thin) * share + q * (1.0 - thin) * (1.0 - share) + r * thin);
        faces[k] = [a, b, new];
        faces.extend([[b, c, new], [c, a, new]]);
    }
    match random.below(8) {
        0 => {
            let loose = faces.iter().flatten().map(|i| vertices[*i as usize]).collect();
            (loose, (0..faces.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
        }
        1 => (vertices, faces.into_iter().map(|[a, b, c]| [a, c, b]).collect()),
        _ => (vertices, faces),
    }
}

fn shape(random: &mut Random) -> (usize, Shape) {
    let kind = random.below(KINDS + 4);
    let shape = match kind {
        16 => Shape::Cuboid(Cuboid::new(Vec3::ONE * 0.1 + random.in_cube(0.45).abs()).unwrap()),
        17 => Shape::Cylinder(Cylinder::new(random.range(0.1, 0.6), random.range(0.1, 1.0)).unwrap()),
        18 => Shape::Cone(Cone::new(random.range(0.2, 0.6), random.range(0.2, 1.0)).unwrap()),
        19 => Shape::Convex(Convex::from_points(&surface(10 + random.below(3), random).0).unwrap()),
        kind => {
            let (vertices, faces) = surface(kind, random);
            let (vertices, faces) = spoilt((vertices, faces), random);
            Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap()))
        }
    };
    (kind, shape)
}

/// A point a little deeper than `depth` below the surface of a shape, and how deep, if one is found.
fn deep(shape: &Shape, depth: f64, random: &mut Random) -> Option<(Vec3, f64)> {
    let tree = MeshTree::build(shape.tessellate(0.002).ok()?);
    let (bounds, memory) = (tree.mesh().aabb(), &mut MeshWorkspace::default());
    let mut best: Option<(Vec3, f64)> = None;
    for _ in 0..80 {
        let point = if random.below(2) == 0 {
            bounds.center() + random.in_cube(0.5) * bounds.size()
        } else {
            let face = tree.mesh().faces()[random.below(tree.mesh().faces().len())];
            let [p, q, r] = face.map(|i| tree.mesh().vertices()[i as usize]);
            let share = random.unit();
            p + share * random.unit() * (q - p) + (1.0 - share) * (r - p) + 2.0 * depth * random.direction()
        };
        let found = closest_point(&tree, point, memory)?.distance;
        let is_better = found > 1.0001 * depth && best.is_none_or(|(_, best)| found < best);
        if is_better && locate(&tree, point, memory) == PointPlace::Inside {
            best = Some((point, found));
        }
    }
    best
}

fn body(shape: &Shape, pose: Pose) -> Body {
    Body {
        name: "body".to_owned(),
        geometry: Geometry::Shape(shape.clone()),
        is_fixed: false,
        color: None,
        pose,
        goal: None,
        place: Place::default(),
    }
}

#[test]
fn what_is_deep_in_both_bodies_is_never_free() {
    let mut random = Random::new(11);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for case in 0..cases(400) {
        let mut own = Random::new(random.bits());
        let random = &mut own;
        let [(kind_a, a), (kind_b, b)] = [shape(random), shape(random)];
        let allowance = 10f64.powf(random.range(-3.0, -0.7));
        // Often a ball or cube that is hardly thicker than it has to be.
        let (kind_b, b) = match random.below(4) {
            0 => {
                let (vertices, faces) = bumpy::geodesic(2);
                let vertices = vertices.into_iter().map(|p| 1.2 * allowance * p).collect();
                (100, Shape::Mesh(Arc::new(Mesh::new(vertices, faces).unwrap())))
            }
            1 => (101, Shape::Cuboid(Cuboid::new(Vec3::splat(2.01 * allowance)).unwrap())),
            _ => (kind_b, b),
        };
        // With a joint one gives way for both, and may lose twice as much.
        let movable = [&a, &b].map(|shape| Movable::new(shape.clone()));
        let Ok(shares) = fit::shares([&movable[0], &movable[1]], allowance, false) else { continue };
        let need = shares.map(|share| allowance * f64::max(1.0, 2.0 * share));
        let (Some((p, deep_a)), Some((q, deep_b))) = (deep(&a, need[0], random), deep(&b, need[1], random))
        else {
            continue;
        };
        let rotation = if random.below(3) == 0 { Pose::IDENTITY.rotation() } else { random.rotation() };
        let turned = Pose::new(rotation, Vec3::ZERO).unwrap();
        let there = Pose::from_translation(p - turned.transform_point(q)) * turned;
        let at = random.unit();
        let (start, travel) = match random.below(3) {
            0 => {
                let by = random.range(0.0, 4.0) * random.direction();
                (Pose::from_translation(-at * by) * there, Travel::Translate(by))
            }
            1 => {
                let axis = Axis::new(random.in_cube(1.0), random.direction()).unwrap();
                let (angle, advance) = (random.range(-PI, TAU), if random.below(2) == 0 { 0.0 } else { 0.3 });
                let back = UniformMotion::screw(there, axis, -at * angle, -at * advance).pose(1.0);
                (back, Travel::Turn { axis, angle, advance })
            }
            _ => (Pose::new(random.rotation(), random.in_cube(2.0)).unwrap(), Travel::To(there)),
        };
        let moves =
            vec![Move { subject: "body".to_owned(), bodies: vec![1], travel, place: Place::default() }];
        let scene = Scene {
            bodies: vec![body(&a, Pose::IDENTITY), body(&b, start)],
            allowance,
            steps: vec![Step {
                name: "step".to_owned(),
                moves,
                tasks: Vec::new(),
                seconds: 1.0,
                place: Place::default(),
            }],
            ..Scene::default()
        };
        let timeline = Timeline::of(&scene).unwrap();
        let found = check(
            &scene,
            &timeline,
            &ShapeCache::of(&scene),
            &CheckMemory::default(),
            &CheckOptions::default(),
        );
        let said = match &found {
            Ok(found) => format!("{:?}", found.verdict),
            Err(problems) => problems[0].message.split(": ").last().unwrap().chars().take(30).collect(),
        };
        *counts.entry(said).or_default() += 1;
        let is_free = found.is_ok_and(|found| found.verdict == PlanVerdict::Free);
        assert!(
            !is_free,
            "case {case}: {kind_a} and {kind_b}, allowance {allowance}, {deep_a} and {deep_b} deep, {:?}",
            scene.steps[0].moves[0].travel
        );
    }
    // Few cases are refused, and none undecided.
    let collisions = counts.get("Collision").copied().unwrap_or(0);
    assert!(20 * collisions > 19 * counts.values().sum::<usize>() && collisions > 0, "{counts:?}");
}
