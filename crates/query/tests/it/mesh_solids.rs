//! Points and meshes inside, outside and on closed meshes: cavities, several parts, contacts of every kind.

use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::mesh_tree::{
    Closure, MeshTree, MeshWorkspace, PointPlace, Relation, any_intersection, locate, relation,
};
use freiraum_testkit::bumpy;
use freiraum_testkit::random::Random;

/// A box from `min` to `max`, faces outwards, or inwards for a cavity.
fn block(min: [f64; 3], max: [f64; 3], outwards: bool) -> Mesh {
    let corner =
        |i: usize| Vec3::from(std::array::from_fn(|k| if i >> k & 1 == 1 { max[k] } else { min[k] }));
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let faces = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let faces = faces.map(|[a, b, c]| if outwards { [a, b, c] } else { [a, c, b] }).collect();
    Mesh::new((0..8).map(corner).collect(), faces).unwrap()
}

fn cube(center: [f64; 3], half: f64) -> Mesh {
    block(center.map(|x| x - half), center.map(|x| x + half), true)
}

fn together(parts: &[Mesh]) -> Mesh {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for part in parts {
        let first = vertices.len() as u32;
        vertices.extend_from_slice(part.vertices());
        faces.extend(part.faces().iter().map(|f| f.map(|v| v + first)));
    }
    Mesh::new(vertices, faces).unwrap()
}

/// A cube of half size 4 with a cubic cavity of half size 2.
fn hollow() -> Mesh {
    together(&[cube([0.0; 3], 4.0), block([-2.0; 3], [2.0; 3], false)])
}

/// The same faces, every one with vertices of its own.
fn loose(mesh: &Mesh) -> Mesh {
    let vertices: Vec<Vec3> = mesh.triangles().flatten().collect();
    Mesh::new(vertices, (0..mesh.faces().len() as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect())
        .unwrap()
}

#[test]
fn points_of_a_hollow_cube() {
    let mut workspace = MeshWorkspace::default();
    for mesh in [hollow(), loose(&hollow())] {
        let tree = MeshTree::build(mesh);
        assert_eq!(tree.closure(), Closure::Solid);
        // A grid that meets every face, edge, corner and diagonal exactly.
        for i in 0..11i32.pow(3) {
            let p = [i % 11 - 5, i / 11 % 11 - 5, i / 121 - 5];
            let distance = p.iter().map(|x| x.abs()).max().unwrap();
            let expected = match distance {
                2 | 4 => PointPlace::OnSurface,
                3 => PointPlace::Inside,
                _ => PointPlace::Outside,
            };
            assert_eq!(locate(&tree, Vec3::from(p.map(f64::from)), &mut workspace), expected, "{p:?}");
        }
        let next = |x: f64| Vec3::new(x, 1.0, 1.0);
        assert_eq!(locate(&tree, next(4f64.next_down()), &mut workspace), PointPlace::Inside);
        assert_eq!(locate(&tree, next(4f64.next_up()), &mut workspace), PointPlace::Outside);
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(locate(&tree, next(bad), &mut workspace), PointPlace::Outside);
        }
    }
}

/// Solid angle of the surface as seen from a point, in full spheres.
fn winding(mesh: &Mesh, p: Vec3) -> f64 {
    let angle = |[a, b, c]: [Vec3; 3]| {
        let [a, b, c] = [a - p, b - p, c - p];
        let [x, y, z] = [a.length(), b.length(), c.length()];
        let bulk = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
        2.0 * a.dot(b.cross(c)).atan2(bulk)
    };
    mesh.triangles().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

#[test]
fn points_of_bumpy_bodies_agree_with_the_solid_angle() {
    let mut random = Random::new(1);
    let mut workspace = MeshWorkspace::default();
    let mut seen = [0; 2];
    for (vertices, faces) in [bumpy::torus(24, 16), bumpy::sphere(5), bumpy::twisted_tube(30, 12)] {
        let mesh = Mesh::new(vertices, faces).unwrap();
        let tree = MeshTree::build(mesh.clone());
        for round in 0..400 {
            let mut p = random.in_cube(1.3);
            // In line with corners, where a careless ray counts twice or not at all.
            let vertex = mesh.vertices()[random.below(mesh.vertices().len())];
            match round % 3 {
                0 => (p.y, p.z) = (vertex.y, vertex.z),
                1 => p.y = vertex.y,
                _ => {}
            }
            let expected = winding(&mesh, p);
            if (expected - expected.round()).abs() > 1e-6 {
                continue;
            }
            let is_inside = expected.round() != 0.0;
            let place = if is_inside { PointPlace::Inside } else { PointPlace::Outside };
            assert_eq!(locate(&tree, p, &mut workspace), place, "{p}");
            seen[usize::from(is_inside)] += 1;
        }
        for v in mesh.vertices() {
            assert_eq!(locate(&tree, *v, &mut workspace), PointPlace::OnSurface);
        }
    }
    assert!(seen.iter().all(|n| *n > 100), "{seen:?}");
}

#[test]
fn what_is_closed() {
    let check = |mesh: Mesh, expected: Closure| assert_eq!(MeshTree::build(mesh).closure(), expected);
    let without_first = |m: &Mesh| Mesh::new(m.vertices().to_vec(), m.faces()[1..].to_vec()).unwrap();
    let first_turned = |m: &Mesh| {
        let mut faces = m.faces().to_vec();
        faces[0].swap(0, 1);
        Mesh::new(m.vertices().to_vec(), faces).unwrap()
    };
    check(hollow(), Closure::Solid);
    check(without_first(&hollow()), Closure::Open);
    check(first_turned(&hollow()), Closure::Unoriented);
    // Two cubes that share an edge: four faces at it.
    check(together(&[cube([0.0; 3], 1.0), cube([2.0, 2.0, 0.0], 1.0)]), Closure::Solid);
    // No area at all.
    check(Mesh::new(vec![Vec3::ZERO, Vec3::X], vec![[0, 1, 1]]).unwrap(), Closure::Open);
    let mut workspace = MeshWorkspace::default();
    let tree = MeshTree::build(first_turned(&hollow()));
    assert_eq!(locate(&tree, Vec3::new(3.0, 0.5, 0.25), &mut workspace), PointPlace::Inside);
    assert_eq!(locate(&tree, Vec3::new(0.0, 0.5, 0.25), &mut workspace), PointPlace::Outside);
    let tree = MeshTree::build(without_first(&hollow()));
    assert_eq!(locate(&tree, Vec3::new(3.0, 0.5, 0.25), &mut workspace), PointPlace::Unknown);
    assert_eq!(locate(&tree, Vec3::new(4.5, 0.5, 0.25), &mut workspace), PointPlace::Outside);
}

/// Both orders, in the given frame and in others.
fn check(a: &Mesh, b: &Mesh, expected: Relation) {
    let mut workspace = MeshWorkspace::default();
    let mirrored = match expected {
        Relation::AInsideB => Relation::BInsideA,
        Relation::BInsideA => Relation::AInsideB,
        other => other,
    };
    let mut random = Random::new(9);
    let (ta, tb) = (MeshTree::build(a.clone()), MeshTree::build(b.clone()));
    assert_eq!(relation(&ta, &tb, &Pose::IDENTITY, &mut workspace).relation, expected);
    assert_eq!(relation(&tb, &ta, &Pose::IDENTITY, &mut workspace).relation, mirrored);
    for shift in [Vec3::new(3.0, -5.0, 0.5), Vec3::new(1024.0, 0.0, 64.0)] {
        let moved = MeshTree::build(b.placed(&Pose::from_translation(-shift)).unwrap());
        assert_eq!(relation(&ta, &moved, &Pose::from_translation(shift), &mut workspace).relation, expected);
    }
    // Turned: what touches is then apart or overlaps by rounding, so only the others are asked.
    if any_intersection(&ta, &tb, &Pose::IDENTITY, &mut workspace).is_none()
        || expected == Relation::Overlapping
    {
        for _ in 0..4 {
            let pose = Pose::new(random.rotation(), random.in_cube(3.0)).unwrap();
            let moved = MeshTree::build(b.placed(&pose.inverse()).unwrap());
            assert_eq!(relation(&ta, &moved, &pose, &mut workspace).relation, expected);
        }
    }
}

#[test]
fn relations_without_contact() {
    check(&cube([0.0; 3], 1.0), &cube([3.0, 0.0, 0.0], 1.0), Relation::Separate);
    check(&cube([0.0; 3], 4.0), &cube([0.5, 0.25, 0.0], 1.0), Relation::BInsideA);
    // In the cavity, in the wall, round everything.
    check(&hollow(), &cube([0.0; 3], 1.0), Relation::Separate);
    check(&hollow(), &cube([3.0, 0.0, 0.0], 0.5), Relation::BInsideA);
    check(&hollow(), &cube([0.0; 3], 5.0), Relation::AInsideB);
    // A solid that fills the cavity and reaches into the wall everywhere: the wall of the cavity is in it.
    check(&hollow(), &cube([0.0; 3], 3.0), Relation::Overlapping);
    // Several parts: one in, one out; both in.
    let two = together(&[cube([3.0, 0.0, 0.0], 0.5), cube([9.0, 0.0, 0.0], 0.5)]);
    check(&hollow(), &two, Relation::Overlapping);
    let two = together(&[cube([3.0, 0.0, 0.0], 0.5), cube([-3.0, 0.0, 0.0], 0.5)]);
    check(&hollow(), &two, Relation::BInsideA);
    // A ball within a ball within a wall.
    check(&together(&[hollow(), cube([0.0; 3], 1.0)]), &cube([0.0; 3], 1.5), Relation::Overlapping);
}

#[test]
fn relations_in_contact() {
    let unit = cube([0.0; 3], 1.0);
    // Face to face, the same and shifted; edge to edge; corner to corner; corner on face.
    check(&unit, &cube([2.0, 0.0, 0.0], 1.0), Relation::Touching);
    check(&unit, &cube([2.0, 0.5, 0.25], 1.0), Relation::Touching);
    check(&unit, &cube([2.0, 2.0, 0.0], 1.0), Relation::Touching);
    check(&unit, &cube([2.0, 2.0, 2.0], 1.0), Relation::Touching);
    let tip = Mesh::new(
        vec![
            Vec3::new(1.0, 0.25, 0.0),
            Vec3::new(3.0, 1.0, 1.0),
            Vec3::new(3.0, -1.0, 1.0),
            Vec3::new(3.0, 0.0, -1.0),
        ],
        vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
    )
    .unwrap();
    check(&unit, &tip, Relation::Touching);
    // Identical; crossing; crossing with coplanar sides; through and through.
    check(&unit, &unit, Relation::Overlapping);
    check(&unit, &cube([0.5, 0.25, 0.125], 1.0), Relation::Overlapping);
    check(&unit, &cube([1.0, 0.0, 0.0], 1.0), Relation::Overlapping);
    check(&unit, &block([-2.0, -0.5, -0.5], [2.0, 0.5, 0.5], true), Relation::Overlapping);
    check(&unit, &block([-2.0, -1.0, -1.0], [2.0, 1.0, 1.0], true), Relation::AInsideB);
    // Inside, with a side in common; in the cavity, touching its wall; filling the cavity.
    check(&unit, &cube([0.5, 0.0, 0.0], 0.5), Relation::BInsideA);
    check(&hollow(), &cube([1.0, 0.0, 0.0], 1.0), Relation::Touching);
    check(&hollow(), &cube([0.0; 3], 2.0), Relation::Touching);
}

#[test]
fn surfaces_have_no_inside() {
    let mut workspace = MeshWorkspace::default();
    let sheet = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let (solid, open) = (MeshTree::build(cube([0.0; 3], 4.0)), MeshTree::build(sheet));
    let answer = relation(&solid, &open, &Pose::IDENTITY, &mut workspace);
    assert_eq!((answer.relation, answer.a_is_solid, answer.b_is_solid), (Relation::BInsideA, true, false));
    let answer = relation(&open, &solid, &Pose::from_translation(Vec3::splat(9.0)), &mut workspace);
    assert_eq!((answer.relation, answer.a_is_solid, answer.b_is_solid), (Relation::Separate, false, true));
    // An open box round a small one bounds no solid: the small one may be inside of what was meant.
    let lidless = {
        let whole = cube([0.0; 3], 4.0);
        Mesh::new(whole.vertices().to_vec(), whole.faces()[2..].to_vec()).unwrap()
    };
    let answer = relation(
        &MeshTree::build(lidless),
        &MeshTree::build(cube([0.0; 3], 1.0)),
        &Pose::IDENTITY,
        &mut workspace,
    );
    assert_eq!((answer.relation, answer.a_is_solid), (Relation::Unknown, false));
}
