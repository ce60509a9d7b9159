//! What is deep inside a body is kept when it is made smaller, and faces go as deep as was asked for: small faces, chamfers, fillets, joints.

use crate::common::{at, boxes, cuboid, movable, peg, ring, teeth};
use freiraum_geometry::path::UniformMotion;
use freiraum_geometry::shape::{Compound, Convex, Cylinder, Part, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_motion::fit::{ShrinkError, shares, time_of_contact_with_allowance};
use freiraum_motion::{Limits, MotionError, MotionWorkspace, Movable, Verdict};
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, PointPlace, closest_point, locate};
use freiraum_testkit::nasty;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::f64::consts::{FRAC_PI_2, PI};

/// How deep a point is below the surface of a solid; negative outside.
fn depth_in(tree: &MeshTree, point: Vec3) -> f64 {
    let memory = &mut MeshWorkspace::default();
    let distance = closest_point(tree, point, memory).unwrap().distance;
    if locate(tree, point, memory) == PointPlace::Inside { distance } else { -distance }
}

fn tree_of(body: &Movable) -> MeshTree {
    MeshTree::build(body.prepared().shape().tessellate(1.0).unwrap())
}

/// Random points in the box of a mesh, most of them near its surface.
fn points(random: &mut Random, mesh: &Mesh, near: f64, count: usize) -> Vec<Vec3> {
    let bounds = mesh.aabb();
    let one = |random: &mut Random| {
        if random.below(4) == 0 {
            return bounds.center() + random.in_cube(1.0) * (0.5 * bounds.size());
        }
        let [p, q, r] = mesh.faces()[random.below(mesh.faces().len())].map(|i| mesh.vertices()[i as usize]);
        let (s, t) = (random.unit(), random.unit());
        let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
        p + s * (q - p) + t * (r - p) + random.in_cube(near)
    };
    (0..count).map(|_| one(random)).collect()
}

/// Shrinks a mesh, and looks at points: what is deeper than `kept` depths must be in the smaller body, what is less deep than `lost`
/// depths must not.
#[track_caller]
fn check(name: &str, body: &Movable, depth: f64, kept: f64, lost: f64) {
    let smaller = body.shrunk(depth).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (before, after) = (tree_of(body), tree_of(&smaller));
    let mut random = Random::new(5);
    for point in points(&mut random, before.mesh(), 3.0 * depth, cases(600)) {
        let (was, is) = (depth_in(&before, point), depth_in(&after, point));
        assert!(
            is > -1e-9 || was <= (kept + 1e-6) * depth,
            "{name}: {point} was {} depths in, {is}",
            was / depth
        );
        assert!(
            is <= 1e-9 || was >= (lost - 1e-6) * depth,
            "{name}: {point} was {} depths in, kept",
            was / depth
        );
    }
}

/// Both as a mesh and as a convex body.
#[track_caller]
fn check_convex(name: &str, points: &[Vec3], depth: f64, lost: [f64; 2]) {
    let convex = Convex::from_points(points).unwrap();
    let surface = convex.surface().clone();
    check(name, &Movable::new(Shape::Convex(convex)), depth, 1.0, lost[0]);
    check(&format!("{name} as a mesh"), &movable(surface), depth, 1.0, lost[1]);
}

/// The corners of a box with all edges cut off by `cut`.
fn chamfered(size: Vec3, cut: f64) -> Vec<Vec3> {
    let half = 0.5 * size;
    let mut points = Vec::new();
    for k in 0..8 {
        let sign = Vec3::new(
            if k & 1 == 0 { 1.0 } else { -1.0 },
            if k & 2 == 0 { 1.0 } else { -1.0 },
            if k & 4 == 0 { 1.0 } else { -1.0 },
        );
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            points.push(sign * (half - cut * (Vec3::ONE - axis)));
        }
    }
    points
}

/// A plate with rounded corners of `steps` sides each, as an outline drawn up.
fn rounded_plate(size: f64, radius: f64, steps: usize, height: f64) -> Mesh {
    let mut outline = Vec::new();
    for corner in 0..4 {
        let turn = corner as f64 * FRAC_PI_2;
        let (sin, cos) = (turn + PI / 4.0).sin_cos();
        let center = (0.5 * size - radius) * 2f64.sqrt() * Vec3::new(cos, sin, 0.0);
        for k in 0..=steps {
            let angle = turn + FRAC_PI_2 * k as f64 / steps as f64;
            outline.push(center + radius * Vec3::new(angle.cos(), angle.sin(), 0.0));
        }
    }
    drawn_up(&outline, height)
}

/// A solid from an outline that goes round the origin, as seen from there.
fn drawn_up(outline: &[Vec3], height: f64) -> Mesh {
    let n = outline.len() as u32;
    let mut vertices = outline.to_vec();
    vertices.extend(outline.iter().map(|p| *p + height * Vec3::Z));
    vertices.extend([Vec3::ZERO, height * Vec3::Z]);
    let mut faces = Vec::new();
    for i in 0..n {
        let j = (i + 1) % n;
        faces.extend([[i, j, n + j], [i, n + j, n + i], [2 * n, j, i], [2 * n + 1, n + i, n + j]]);
    }
    Mesh::new(vertices, faces).unwrap()
}

#[test]
fn chamfers_smaller_than_the_allowance_vanish() {
    // In millimetres: chamfers of 0.1 with an allowance of 0.5, and around what makes them vanish.
    for (cut, depth) in
        [(0.1, 0.25), (0.1, 0.5), (0.1, 0.01), (0.1, 0.12), (0.5, 0.25), (0.01, 2.0), (1e-4, 1e-4)]
    {
        let points = chamfered(Vec3::new(10.0, 20.0, 30.0), cut);
        check_convex(&format!("cut {cut}, depth {depth}"), &points, depth, [1.0, 0.95]);
    }
    // Really thin: chamfers do not matter.
    let plate = Convex::from_points(&chamfered(Vec3::new(10.0, 20.0, 0.9), 0.1)).unwrap();
    let surface = movable(plate.surface().clone());
    for body in [surface, Movable::new(Shape::Convex(plate))] {
        assert!(matches!(body.shrunk(0.5), Err(ShrinkError::Thin { lost: 1.0, .. })));
        assert!(body.shrunk(0.4).is_ok());
    }
}

#[test]
fn hulls_with_tiny_faces_keep_what_is_deep() {
    let mut random = Random::new(3);
    for k in 0..cases(40) {
        let mut points: Vec<Vec3> = (0..4 + random.below(12)).map(|_| random.in_cube(1.0)).collect();
        // Corners doubled nearby make tiny faces.
        for i in 0..points.len() {
            let near = 10f64.powf(random.range(-6.0, -1.0));
            points.push(points[i] + random.in_cube(near));
        }
        let convex = Convex::from_points(&points).unwrap();
        let thickness = freiraum_geometry::enclose::largest_sphere_in_hull(&points).unwrap().radius;
        let depth = thickness * random.range(0.01, 0.9);
        check(&format!("hull {k}"), &Movable::new(Shape::Convex(convex.clone())), depth, 1.0, 0.98);
        assert!(matches!(
            Movable::new(Shape::Convex(convex.clone())).shrunk(1.01 * thickness),
            Err(ShrinkError::Thin { .. })
        ));
        // As a mesh it may be refused where it ends in an edge like a knife, and loses nothing otherwise.
        let mesh = movable(convex.surface().clone());
        if mesh.shrunk(depth).is_ok() {
            check(&format!("hull {k} as a mesh"), &mesh, depth, 2.0, 0.0);
        }
    }
}

#[test]
fn fillets_smaller_than_the_allowance_vanish() {
    for steps in [1, 2, 3, 8, 30] {
        for depth in [0.05, 0.09, 0.11, 0.2, 0.7] {
            let name = format!("{steps} steps, depth {depth}");
            check(&name, &movable(rounded_plate(10.0, 0.1, steps, 4.0)), depth, 1.0, 0.9);
        }
    }
    // A pin is no fillet.
    let pin = movable(peg(24, 0.1, [-1.0, 1.0], 0.0));
    assert!(pin.shrunk(0.09).is_ok() && pin.shrunk(0.11).is_err());
    // Nor is a sheet with round ends.
    assert!(movable(rounded_plate(10.0, 0.1, 8, 0.3)).shrunk(0.2).is_err());
}

#[test]
fn gears_and_rings_keep_what_is_deep() {
    let radii = teeth(11, 2.0, 2.3);
    let gear = movable(ring(&vec![0.5; radii.len()], &radii, [-0.25, 0.25], 0.1));
    check("gear", &gear, 0.01, 1.5, 0.99);
    check("gear", &gear, 0.08, 1.5, 0.99);
    check("ring", &movable(ring(&[1.0; 24], &[2.0; 24], [-0.5, 0.5], 0.0)), 0.1, 1.1, 0.99);
}

#[test]
fn sharp_grooves_and_edges_lose_nothing_deep() {
    // A round bar with a groove like a knife cut, and one with a blade on it.
    for (tip, depth) in [(0.4, 0.02), (0.4, 0.05), (1.8, 0.02), (1.8, 0.05)] {
        let mut radii = vec![1.0; 60];
        radii[7] = tip;
        let outline = |(i, r): (usize, &f64)| {
            let angle = i as f64 * PI / 30.0;
            *r * Vec3::new(angle.cos(), angle.sin(), 0.0)
        };
        let outline: Vec<Vec3> = radii.iter().enumerate().map(outline).collect();
        let body = movable(drawn_up(&outline, 1.0));
        check(&format!("tip at {tip}, depth {depth}"), &body, depth, 2.0, 0.0);
    }
    // Stars of spikes.
    let mut random = Random::new(8);
    for k in 0..cases(20) {
        let (vertices, faces) = nasty::star(&mut random, 2, 0.5);
        let body = movable(Mesh::new(vertices, faces).unwrap());
        for depth in [0.002, 0.02, 0.05] {
            if body.shrunk(depth).is_ok() {
                check(&format!("star {k}, depth {depth}"), &body, depth, 2.0, 0.0);
            }
        }
    }
}

#[test]
fn loose_triangles_shrink_like_welded_ones() {
    let surface = Convex::from_points(&chamfered(Vec3::ONE, 0.01)).unwrap().surface().clone();
    let loose: Vec<Vec3> =
        surface.faces().iter().flatten().map(|i| surface.vertices()[*i as usize]).collect();
    let faces = (0..loose.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    check("loose triangles", &movable(Mesh::new(loose, faces).unwrap()), 0.05, 1.0, 1.0);
}

/// Several closed surfaces as one mesh.
fn together(meshes: &[Mesh]) -> Mesh {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for mesh in meshes {
        let first = vertices.len() as u32;
        vertices.extend(mesh.vertices());
        faces.extend(mesh.faces().iter().map(|face| face.map(|i| i + first)));
    }
    Mesh::new(vertices, faces).unwrap()
}

fn block(size: [f64; 3], center: [f64; 3]) -> Mesh {
    let pose = Pose::from_translation(Vec3::from_array(center));
    cuboid(size[0], size[1], size[2]).tessellate(1.0).unwrap().placed(&pose).unwrap()
}

#[test]
fn joints_are_found() {
    let joint = |body: &Movable| body.joint(0.01).map(|joint| (joint.kind, joint.parts));
    let mesh = |blocks: &[([f64; 3], [f64; 3])]| {
        movable(together(&blocks.iter().map(|(size, center)| block(*size, *center)).collect::<Vec<_>>()))
    };
    type Blocks<'b> = &'b [([f64; 3], [f64; 3])];
    let touching: [Blocks; 3] = [
        &[([1.0; 3], [0.0; 3]), ([1.0; 3], [1.0, 0.0, 0.0])],
        &[([1.0; 3], [0.0; 3]), ([0.5; 3], [0.75, 0.1, 0.0])],
        &[([1.0; 3], [0.0; 3]), ([0.5; 3], [0.75 + 1e-8, 0.1, 0.0])],
    ];
    for blocks in touching {
        assert_eq!(joint(&boxes(blocks)), Some(("parts", [0, 1])), "{blocks:?}");
        assert_eq!(joint(&mesh(blocks)), Some(("shells", [0, 1])), "{blocks:?}");
    }
    let apart: Blocks = &[([1.0; 3], [0.0; 3]), ([1.0; 3], [1.1, 0.0, 0.0]), ([1.0; 3], [0.0, 2.0, 0.0])];
    assert_eq!([joint(&boxes(apart)), joint(&mesh(apart))], [None, None]);
    let more: Blocks = &[apart[0], apart[2], ([1.0; 3], [0.0, 3.0, 0.0]), apart[1]];
    assert_eq!(joint(&boxes(more)), Some(("parts", [1, 2])));
    assert_eq!(joint(&mesh(more)), Some(("shells", [1, 2])));
    // Boxes that overlap by more than they lose stay together; what has an edge in common only is not joined.
    let overlapping: Blocks = &[([1.0; 3], [0.0; 3]), ([0.5; 3], [0.5, 0.1, 0.0])];
    assert!(boxes(overlapping).joint(0.12).is_none() && boxes(overlapping).joint(0.13).is_some());
    let staggered: Blocks = &[([1.0; 3], [0.0; 3]), ([1.0; 3], [1.0, 1.0, 0.0])];
    assert_eq!(joint(&boxes(staggered)), None);
    assert_eq!(joint(&mesh(staggered)), Some(("shells", [0, 1])));
    // A cavity is none.
    let hole = block([0.5; 3], [0.0; 3]);
    let turned = hole.faces().iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    let hole = Mesh::new(hole.vertices().to_vec(), turned).unwrap();
    assert_eq!(joint(&movable(together(&[block([1.0; 3], [0.0; 3]), hole]))), None);
    assert_eq!(joint(&Movable::new(cuboid(1.0, 1.0, 1.0))), None);
}

fn ask(
    fixed: &Movable,
    moving: &Movable,
    motion: UniformMotion,
    allowance: f64,
) -> Result<Verdict, MotionError> {
    let still = UniformMotion::still(Pose::IDENTITY);
    let memory = &mut MotionWorkspace::default();
    time_of_contact_with_allowance(fixed, &still, moving, &motion, allowance, &Limits::default(), memory)
}

#[test]
fn no_blade_passes_through_a_joint() {
    let halves: &[([f64; 3], [f64; 3])] = &[([1.0; 3], [0.0, 0.0, 0.5]), ([2.0, 2.0, 1.0], [0.0, 0.0, -0.5])];
    let as_mesh =
        movable(together(&halves.iter().map(|(size, center)| block(*size, *center)).collect::<Vec<_>>()));
    let through = |z: f64| UniformMotion::translation(at(-3.0, 0.0, z), 6.0 * Vec3::X);
    let allowance = 0.02;
    for body in [boxes(halves), as_mesh] {
        for thickness in [0.041, 0.05, 0.079, 0.1] {
            let blade = Movable::new(cuboid(1.0, 1.0, thickness));
            for z in [0.0, 0.01, -0.01] {
                let verdict = ask(&body, &blade, through(z), allowance).unwrap();
                assert!(matches!(verdict, Verdict::Contact(_)), "{thickness} at {z}: {verdict:?}");
                let swapped = ask(
                    &blade,
                    &body,
                    UniformMotion::translation(at(3.0, 0.0, z), -6.0 * Vec3::X),
                    allowance,
                );
                assert!(matches!(swapped.unwrap(), Verdict::Contact(_)));
            }
        }
        // What lies on it may sink by the allowance and slide.
        let block = Movable::new(cuboid(0.5, 0.5, 0.5));
        let down = |z: f64| UniformMotion::translation(at(0.0, 0.0, 1.25 - z), Vec3::X);
        assert_eq!(ask(&body, &block, down(0.019), allowance), Ok(Verdict::Free));
        assert_eq!(ask(&body, &block, down(0.021), allowance), Ok(Verdict::OverlapAtStart));
        // Two such bodies: neither can give way, which is said; without an allowance they slide.
        let other = boxes(&[([0.5; 3], [0.0, 0.0, 1.25]), ([0.5; 3], [0.0, 0.0, 1.75])]);
        let aside = UniformMotion::translation(Pose::IDENTITY, 2.0 * Vec3::X);
        let error = ask(&body, &other, aside, allowance).unwrap_err();
        assert!(matches!(error, MotionError::Allowance(ShrinkError::Joints { .. })));
        assert!(error.to_string().contains("parts 0 and 1 of"), "{error}");
        assert_eq!(ask(&body, &other, aside, 0.0), Ok(Verdict::Free));
        // Nothing is asked of them when nothing is taken away.
        assert!(shares([&body, &other], 0.0, false).is_ok());
    }
}

#[test]
fn boxes_that_overlap_lose_nothing_between_them() {
    // L, T and cross of boxes, and two that overlap by little: what is twice as deep in the union is in one of the smaller ones.
    let bodies: [&[([f64; 3], [f64; 3])]; 4] = [
        &[([4.0, 1.0, 1.0], [2.0, 0.5, 0.0]), ([1.0, 4.0, 1.0], [0.5, 2.0, 0.0])],
        &[([4.0, 1.0, 1.0], [0.0, 0.0, 0.0]), ([1.0, 4.0, 1.0], [0.0, 1.8, 0.0])],
        &[([4.0, 1.0, 1.0], [0.0, 0.0, 0.0]), ([1.0, 4.0, 0.8], [0.0, 0.0, 0.0])],
        &[([1.0; 3], [0.0; 3]), ([1.0; 3], [0.79, 0.3, 0.0])],
    ];
    let depth = 0.1;
    let mut random = Random::new(2);
    for blocks in bodies {
        let body = boxes(blocks);
        assert_eq!(body.joint(depth), None);
        let inside = |p: Vec3, less: f64| {
            blocks.iter().any(|(size, center)| {
                let (half, center) = (0.5 * Vec3::from_array(*size) - less, Vec3::from_array(*center));
                (p - center).abs().cmple(half).all()
            })
        };
        for _ in 0..cases(4000) {
            let p = Vec3::new(0.5, 0.5, 0.0) + random.in_cube(1.5);
            let is_deep = (0..200).all(|_| inside(p + 2.0 * depth * random.direction(), 0.0));
            assert!(!is_deep || inside(p, depth), "{p} of {blocks:?}");
        }
    }
}

#[test]
fn a_third_box_in_the_corner_makes_a_joint() {
    // Four boxes round the origin, any two of which overlap by less than 2 in two directions: together they hold a ball of radius 2.04 there.
    let blocks: &[([f64; 3], [f64; 3])] = &[
        ([2.2, 2.1, 10.0], [1.1, 0.55, 0.0]),
        ([2.2, 2.1, 10.0], [-1.1, -0.55, 0.0]),
        ([3.96, 4.6, 10.0], [0.0, 2.7, 0.0]),
        ([3.96, 4.6, 10.0], [0.0, -2.7, 0.0]),
    ];
    let sphere = Movable::new(Shape::Sphere(Sphere::new(2.03).unwrap()));
    let through = UniformMotion::translation(at(0.0, 0.0, -9.0), 18.0 * Vec3::Z);
    let verdict = ask(&boxes(blocks), &sphere, through, 2.0).unwrap();
    assert!(matches!(verdict, Verdict::Contact(_)), "{verdict:?}");
    // Any boxes: what is twice as deep in the union is in one of the smaller ones, or there is a joint.
    let (depth, mut random, mut count) = (0.1, Random::new(6), 0);
    for _ in 0..cases(4000) {
        let blocks: Vec<([f64; 3], [f64; 3])> = (0..3 + random.below(4))
            .map(|_| {
                let size = std::array::from_fn(|_| depth * random.range(2.05, 5.0));
                (size, (depth * random.range(0.5, 3.0) * random.direction()).to_array())
            })
            .collect();
        let body = boxes(&blocks);
        if body.joint(depth).is_some() {
            continue;
        }
        count += 1;
        let inside = |p: Vec3, less: f64| {
            blocks.iter().any(|(size, center)| {
                let (half, center) = (0.5 * Vec3::from_array(*size) - less, Vec3::from_array(*center));
                (p - center).abs().cmple(half).all()
            })
        };
        for _ in 0..20 {
            let p = random.in_cube(2.0 * depth);
            if !inside(p, depth) && inside(p, 0.0) {
                let is_deep = (0..500)
                    .all(|_| inside(p + 2.0 * depth * random.unit().cbrt() * random.direction(), 0.0));
                assert!(!is_deep, "{p} of {blocks:?}");
            }
        }
    }
    assert!(count > 0);
}

#[test]
fn joints_of_cylinders_are_closed_too() {
    let cylinder = |radius: f64, z: f64| Part {
        shape: Shape::Cylinder(Cylinder::new(radius, 1.0).unwrap()),
        compound_from_part: at(0.0, 0.0, z),
    };
    let shaft =
        Movable::new(Shape::Compound(Compound::new(vec![cylinder(0.5, 0.5), cylinder(0.8, -0.5)]).unwrap()));
    assert!(shaft.joint(0.01).is_some());
    let blade = Movable::new(cuboid(1.0, 1.0, 0.05));
    let verdict =
        ask(&shaft, &blade, UniformMotion::translation(at(-3.0, 0.0, 0.0), 6.0 * Vec3::X), 0.02).unwrap();
    assert!(matches!(verdict, Verdict::Contact(_)), "{verdict:?}");
}
