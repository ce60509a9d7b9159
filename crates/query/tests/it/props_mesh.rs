//! Mesh trees against plain loops over all faces, and against each other in other frames and scales.

use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_query::elementary::{point_triangle, triangle_triangle, triangles_intersect};
use freiraum_query::mesh_tree::{
    MeshDistanceCache, MeshTree, MeshWorkspace, all_intersections, any_intersection, closest_point,
    self_intersections, surface_distance,
};
use freiraum_testkit::random::Random;
use freiraum_testkit::{bumpy, scale};

fn mesh((vertices, faces): bumpy::Surface) -> Mesh {
    Mesh::new(vertices, faces).unwrap()
}

fn soup(count: usize, mut corner: impl FnMut(usize) -> Vec3) -> Mesh {
    let vertices = (0..3 * count).map(|i| corner(i / 3)).collect();
    Mesh::new(vertices, (0..count as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect()).unwrap()
}

/// Corners on a small grid: contacts of every degenerate kind.
fn grid_soup(random: &mut Random, count: usize, size: usize) -> Mesh {
    soup(count, |_| Vec3::from([0; 3].map(|_: i32| random.below(size) as f64)))
}

/// Faces of b in the frame of a, rounded as the trees do it.
fn placed(b: &Mesh, pose: &Pose) -> Vec<[Vec3; 3]> {
    let turn = pose.rotation_matrix();
    b.triangles().map(|t| t.map(|p| turn * p + pose.translation())).collect()
}

fn all_by_loop(a: &Mesh, b: &Mesh, pose: &Pose) -> Vec<[u32; 2]> {
    let b = placed(b, pose);
    let mut found = Vec::new();
    for (i, t) in a.triangles().enumerate() {
        for (j, u) in b.iter().enumerate() {
            if triangles_intersect(t, *u) {
                found.push([i as u32, j as u32]);
            }
        }
    }
    found
}

fn check_intersections(a: &Mesh, b: &Mesh, pose: &Pose, workspace: &mut MeshWorkspace) -> usize {
    let (ta, tb) = (MeshTree::build(a.clone()), MeshTree::build(b.clone()));
    let expected = all_by_loop(a, b, pose);
    let mut pairs = vec![[7, 7]];
    all_intersections(&ta, &tb, pose, workspace, &mut pairs);
    assert_eq!(pairs, expected, "{a:?} {b:?} {pose:?}");
    let any = any_intersection(&ta, &tb, pose, workspace);
    assert_eq!(any.is_some(), !expected.is_empty());
    assert!(any.is_none_or(|pair| expected.contains(&pair)));
    expected.len()
}

#[test]
fn all_intersecting_faces_on_a_grid() {
    let mut random = Random::new(1);
    let mut workspace = MeshWorkspace::default();
    let mut seen = [0; 2];
    for _ in 0..scale::cases(600) {
        let (n, m, size) = (1 + random.below(30), 1 + random.below(30), 2 + random.below(7));
        let (a, b) = (grid_soup(&mut random, n, size), grid_soup(&mut random, m, size));
        let shift = Vec3::from([0; 3].map(|_: i32| random.below(2 * size) as f64 - size as f64));
        let found = check_intersections(&a, &b, &Pose::from_translation(shift), &mut workspace);
        seen[usize::from(found > 0)] += 1;
        check_intersections(&a, &a, &Pose::IDENTITY, &mut workspace);
    }
    assert!(seen.iter().all(|n| *n > 50), "{seen:?}");
}

#[test]
fn all_intersecting_faces_in_general_poses_and_scales() {
    let mut random = Random::new(2);
    let mut workspace = MeshWorkspace::default();
    let mut seen = [0; 2];
    let shapes = [mesh(bumpy::torus(12, 10)), mesh(bumpy::sphere(3)), mesh(bumpy::twisted_tube(14, 7))];
    for round in 0..scale::cases(150) {
        let (a, b) = (&shapes[random.below(3)], &shapes[random.below(3)]);
        let size = [1.0, 1e-6, 1e6, 1e-30, 1e30][round % 5];
        let far = [0.0, 0.0, 1e5 * size][round % 3] * random.direction();
        let moved = |m: &Mesh| {
            let vertices = m.vertices().iter().map(|p| *p * size + far).collect();
            Mesh::new(vertices, m.faces().to_vec()).unwrap()
        };
        let (a, b) = (moved(a), moved(b));
        let rotation = random.rotation();
        let shift = far - rotation * far + size * random.range(0.0, 2.5) * random.direction();
        let pose = Pose::new(rotation, shift).unwrap();
        let found = check_intersections(&a, &b, &pose, &mut workspace);
        seen[usize::from(found > 0)] += 1;
    }
    assert!(seen.iter().all(|n| *n > 20), "{seen:?}");
}

/// Distance by trees, cold and warm, against all pairs of faces.
fn check_distance(a: &Mesh, b: &Mesh, pose: &Pose, cache: &mut MeshDistanceCache, size: f64) -> f64 {
    let mut workspace = MeshWorkspace::default();
    let (ta, tb) = (MeshTree::build(a.clone()), MeshTree::build(b.clone()));
    let others = placed(b, pose);
    let expected = a
        .triangles()
        .flat_map(|t| others.iter().map(move |u| triangle_triangle(t, *u).distance()))
        .fold(f64::INFINITY, f64::min);
    let tolerance = 1e-12 * size;
    for mut cache in [MeshDistanceCache::default(), cache.clone()] {
        let answer = surface_distance(&ta, &tb, pose, &mut workspace, &mut cache);
        let closest = answer.closest;
        assert!((closest.distance - expected).abs() <= tolerance, "{} {expected}", closest.distance);
        assert_eq!(closest.distance == 0.0, any_intersection(&ta, &tb, pose, &mut workspace).is_some());
        // The points lie on the faces that are named, at that distance along the normal.
        let on_a = point_triangle(closest.point_on_a, a.triangle(answer.face_a as usize)).distance();
        let on_b = point_triangle(closest.point_on_b, others[answer.face_b as usize]).distance();
        assert!(on_a <= tolerance && on_b <= tolerance, "{on_a} {on_b}");
        assert!((closest.normal.length() - 1.0).abs() < 1e-12);
        let there = closest.point_on_a + closest.distance * closest.normal;
        assert!(there.distance(closest.point_on_b) <= tolerance);
    }
    surface_distance(&ta, &tb, pose, &mut workspace, cache).closest.distance
}

#[test]
fn distances_of_bumpy_bodies() {
    let mut random = Random::new(3);
    let shapes = [mesh(bumpy::torus(12, 9)), mesh(bumpy::sphere(3)), mesh(bumpy::torus(5, 4))];
    let mut seen = [0; 2];
    for round in 0..scale::cases(25) {
        let (a, b) = (&shapes[random.below(3)], &shapes[random.below(3)]);
        let size = [1.0, 1e-6, 1e6, 1e-30, 1e30][round % 5];
        let resized = |m: &Mesh| {
            Mesh::new(m.vertices().iter().map(|p| *p * size).collect(), m.faces().to_vec()).unwrap()
        };
        let (a, b) = (resized(a), resized(b));
        let mut cache = MeshDistanceCache::default();
        let (turn, way) = (random.rotation(), random.direction());
        let start = random.range(0.0, 6.0);
        // A coherent sequence, with the cache of the step before.
        for step in 0..5 {
            let pose = Pose::new(turn, size * (start + 0.05 * step as f64) * way).unwrap();
            let found = check_distance(&a, &b, &pose, &mut cache, 6.0 * size);
            seen[usize::from(found > 0.0)] += 1;
        }
    }
    assert!(seen.iter().all(|n| *n > 10), "{seen:?}");
}

#[test]
fn distances_of_soups_and_of_bodies_of_very_different_size() {
    let mut random = Random::new(4);
    for round in 0..scale::cases(100) {
        let (n, m) = (1 + random.below(40), 1 + random.below(40));
        let ratio = [1.0, 1e-3, 1e3, 1e-8][round % 4];
        let a = if round % 2 == 0 { grid_soup(&mut random, n, 4) } else { soup(n, |_| random.in_cube(1.0)) };
        let b = soup(m, |i| ratio * (random.in_cube(1.0) + Vec3::splat(i as f64 * 0.1)));
        let pose = Pose::new(random.rotation(), random.range(0.0, 8.0) * random.direction()).unwrap();
        check_distance(&a, &b, &pose, &mut MeshDistanceCache::default(), 1e3f64.max(4.0 * ratio));
    }
}

#[test]
fn identical_and_exactly_touching_meshes_have_no_distance() {
    let mut workspace = MeshWorkspace::default();
    let mut cache = MeshDistanceCache::default();
    let tree = MeshTree::build(mesh(bumpy::torus(20, 20)));
    let answer = surface_distance(&tree, &tree, &Pose::IDENTITY, &mut workspace, &mut cache);
    assert_eq!(answer.closest.distance, 0.0);
    // Parallel walls exactly one unit apart, and touching.
    let wall = MeshTree::build(wall(10));
    for gap in [0.0, 1.0, 0.125] {
        let pose = Pose::from_translation(Vec3::new(0.25, 0.5, gap));
        let mut cache = MeshDistanceCache::default();
        assert_eq!(surface_distance(&wall, &wall, &pose, &mut workspace, &mut cache).closest.distance, gap);
    }
}

/// A flat square of 2 n² faces.
fn wall(n: u32) -> Mesh {
    let vertices =
        (0..=n).flat_map(|i| (0..=n).map(move |j| Vec3::new(f64::from(i), f64::from(j), 0.0))).collect();
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let faces = cells
        .flat_map(|(i, j)| {
            [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
        })
        .collect();
    Mesh::new(vertices, faces).unwrap()
}

#[test]
fn the_answer_moves_with_the_bodies() {
    let mut random = Random::new(5);
    let mut workspace = MeshWorkspace::default();
    let (a, b) = (MeshTree::build(mesh(bumpy::torus(40, 30))), MeshTree::build(mesh(bumpy::sphere(8))));
    for _ in 0..scale::cases(60) {
        let pose = Pose::new(random.rotation(), random.range(1.0, 4.0) * random.direction()).unwrap();
        let mut ask = |a: &MeshTree, b: &MeshTree, pose: &Pose| {
            surface_distance(a, b, pose, &mut workspace, &mut MeshDistanceCache::default()).closest
        };
        let there = ask(&a, &b, &pose);
        let back = ask(&b, &a, &pose.inverse());
        assert!((there.distance - back.distance).abs() < 1e-12);
        let other_frame = Pose::new(random.rotation(), 10.0 * random.direction()).unwrap();
        let moved = MeshTree::build(a.mesh().placed(&other_frame).unwrap());
        let again = ask(&moved, &b, &(other_frame * pose));
        assert!((there.distance - again.distance).abs() < 1e-12);
    }
}

#[test]
fn a_long_path_from_answer_to_answer() {
    let mut random = Random::new(8);
    let mut workspace = MeshWorkspace::default();
    let shapes = [bumpy::torus(60, 40), bumpy::sphere(12), bumpy::torus(9, 7), bumpy::sphere(1)];
    let trees = shapes.map(|surface| MeshTree::build(mesh(surface)));
    let tiny = MeshTree::build(wall(1));
    let mut seen = [0; 2];
    for round in 0..scale::cases(12) {
        let (a, b) = (&trees[round % 4], if round % 5 == 4 { &tiny } else { &trees[(round / 4 + 1) % 4] });
        // Never forgotten, so that it meets other trees, jumps and overlaps.
        let mut cache = MeshDistanceCache::default();
        let mut pose = Pose::new(random.rotation(), random.range(0.5, 3.0) * random.direction()).unwrap();
        let mut speed = [1e-3, 1e-2, 0.1, 1e-6][round % 4];
        let (mut axis, mut way) = (random.direction(), random.direction());
        for step in 0..150 {
            match step {
                50 => speed *= 10.0,
                90 => pose = Pose::new(random.rotation(), 2.0 * random.direction()).unwrap(),
                _ if step % 20 == 0 => {
                    (axis, way) = (random.direction(), -pose.translation().normalize_or_zero())
                }
                _ => {}
            }
            let turn = Pose::from_axis_angle(axis, speed).unwrap();
            pose = Pose::new(turn.rotation() * pose.rotation(), pose.translation() + speed * way).unwrap();
            let warm = surface_distance(a, b, &pose, &mut workspace, &mut cache).closest.distance;
            let fresh = &mut MeshDistanceCache::default();
            let cold = surface_distance(a, b, &pose, &mut workspace, fresh).closest.distance;
            assert!((warm - cold).abs() < 1e-13, "round {round}, step {step}: {warm} {cold}");
            assert_eq!(warm == 0.0, cold == 0.0);
            seen[usize::from(cold > 0.0)] += 1;
            if step % 40 == 39 {
                surface_distance(b, a, &pose.inverse(), &mut workspace, &mut cache);
            }
        }
    }
    assert!(seen.iter().all(|n| *n > 100), "{seen:?}");
}

/// By cutting off a tiny part at what the faces share: does the rest meet?
fn overlap_by_cutting(t: [Vec3; 3], u: [Vec3; 3]) -> bool {
    let shared: Vec<Vec3> = t.into_iter().filter(|p| u.contains(p)).collect();
    let others: Vec<Vec3> = t.into_iter().filter(|p| !u.contains(p)).collect();
    let near = |from: Vec3, to: Vec3| from + (to - from) / 1024.0;
    match (&shared[..], &others[..]) {
        ([], _) => triangles_intersect(t, u),
        (&[v], &[p, q]) => {
            let (near_p, near_q) = (near(v, p), near(v, q));
            triangles_intersect([p, q, near_p], u) || triangles_intersect([q, near_p, near_q], u)
        }
        (&[v, w], &[p]) => triangles_intersect([p, near(v, p), near(w, p)], u),
        _ => true,
    }
}

#[test]
fn self_intersections_on_a_grid() {
    let mut random = Random::new(6);
    let mut workspace = MeshWorkspace::default();
    let mut pairs = Vec::new();
    let mut seen = [[0; 2]; 4];
    for _ in 0..scale::cases(1500) {
        let size = 3 + random.below(3);
        let mesh = grid_soup(&mut random, 12, size);
        let has_area = |t: &[Vec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]) != Vec3::ZERO;
        let triangles: Vec<[Vec3; 3]> = mesh.triangles().filter(has_area).collect();
        if triangles.is_empty() {
            continue;
        }
        let mesh = soup_of(&triangles);
        let mut expected = Vec::new();
        for (j, u) in triangles.iter().enumerate() {
            for (i, t) in triangles[..j].iter().enumerate() {
                let shared = t.iter().filter(|p| u.contains(p)).count();
                let overlap = overlap_by_cutting(*t, *u);
                seen[shared][usize::from(overlap)] += 1;
                if overlap {
                    expected.push([i as u32, j as u32]);
                }
            }
        }
        expected.sort_unstable();
        self_intersections(&MeshTree::build(mesh.clone()), &mut workspace, &mut pairs);
        assert_eq!(pairs, expected, "{mesh:?}");
    }
    assert!(seen[..3].as_flattened().iter().all(|n| *n > 20) && seen[3][1] > 0, "{seen:?}");
}

fn soup_of(triangles: &[[Vec3; 3]]) -> Mesh {
    let mut corners = triangles.as_flattened().iter();
    soup(triangles.len(), |_| *corners.next().unwrap())
}

#[test]
fn a_tube_that_passes_through_itself() {
    let mut workspace = MeshWorkspace::default();
    let mut pairs = Vec::new();
    // All pairs, as CGAL's exact kernel counts them, and those without a common corner, as several engines do.
    for (along, around, all, apart) in [(50, 20, 260, 220), (200, 50, 636, 588)] {
        let tube = mesh(bumpy::twisted_tube(along, around));
        self_intersections(&MeshTree::build(tube.clone()), &mut workspace, &mut pairs);
        let share_no_corner = pairs.iter().filter(|pair| {
            let [f, g] = pair.map(|face| tube.faces()[face as usize]);
            !f.iter().any(|v| g.contains(v))
        });
        assert_eq!((pairs.len(), share_no_corner.count()), (all, apart));
    }
    for clean in [bumpy::torus(60, 40), bumpy::sphere(12)] {
        self_intersections(&MeshTree::build(mesh(clean)), &mut workspace, &mut pairs);
        assert_eq!(pairs, Vec::<[u32; 2]>::new());
    }
    self_intersections(&MeshTree::build(wall(8)), &mut workspace, &mut pairs);
    assert_eq!(pairs, Vec::<[u32; 2]>::new());
}

#[test]
fn closest_points_of_points() {
    let mut random = Random::new(7);
    let mut workspace = MeshWorkspace::default();
    for round in 0..scale::cases(60) {
        let size = [1.0, 1e-6, 1e30][round % 3];
        let soup = soup(1 + random.below(60), |_| size * random.in_cube(1.0));
        let tree = MeshTree::build(soup.clone());
        for far in [0.0, 0.5, 2.0, 100.0, 1e9] {
            let p = size * far * random.direction();
            let expected =
                soup.triangles().map(|t| point_triangle(p, t).distance()).fold(f64::INFINITY, f64::min);
            let found = closest_point(&tree, p, &mut workspace).unwrap();
            assert!((found.distance - expected).abs() <= 1e-14 * size * (1.0 + far), "{found:?} {expected}");
            let on_face = point_triangle(found.point, soup.triangle(found.face as usize)).distance();
            assert!(on_face <= 1e-14 * size * (1.0 + far));
        }
    }
    let tree = MeshTree::build(wall(1));
    assert_eq!(closest_point(&tree, Vec3::new(f64::NAN, 0.0, 0.0), &mut workspace), None);
}

/// Bodies whose enclosing spheres touch, or are apart by about as much as rounding, at any scale and far from the origin.
#[test]
fn spheres_round_the_meshes_never_hide_a_touch() {
    let mut workspace = MeshWorkspace::default();
    let mut random = Random::new(9);
    for round in 0..scale::cases(200) {
        let size = [1.0, 1e-6, 1e6, 1e-30, 1e30][round % 5];
        let far = [0.0, 1e3 * size, 1e7 * size][round % 3] * random.direction();
        // A segment of each body, as thin faces, that touch at their ends along a random line.
        let way = random.direction();
        let aside = 0.01 * way.any_orthonormal_vector();
        let spike = |from: f64, to: f64, shift: Vec3| {
            let corners = [from * way, to * way, 0.5 * (from + to) * way + aside];
            Mesh::new(corners.map(|p| size * p + shift).to_vec(), vec![[0, 1, 2]]).unwrap()
        };
        let (a, b) = (spike(0.0, 1.0, far), spike(1.0, 2.0, Vec3::ZERO));
        check_intersections(&a, &b, &Pose::from_translation(far), &mut workspace);
        let beyond = far + random.range(-4.0, 4.0) * f64::EPSILON * size * way;
        check_intersections(&a, &b, &Pose::from_translation(beyond), &mut workspace);
        let turn = random.rotation();
        let back = Pose::new(turn, far).unwrap();
        let turned = Mesh::new(b.vertices().iter().map(|p| turn.inverse() * *p).collect(), vec![[0, 1, 2]]);
        check_intersections(&a, &turned.unwrap(), &back, &mut workspace);
    }
}

#[test]
fn volumes_fitted_ahead_change_no_answer() {
    let mut workspace = MeshWorkspace::default();
    let build = || (MeshTree::build(mesh(bumpy::torus(30, 20))), MeshTree::build(mesh(bumpy::sphere(7))));
    let (early, late) = (build(), build());
    early.0.prepare_for_pairs();
    early.1.prepare_for_pairs();
    let mut random = Random::new(10);
    for _ in 0..scale::cases(20) {
        let pose = Pose::new(random.rotation(), random.range(1.0, 3.0) * random.direction()).unwrap();
        let mut ask = |(a, b): &(MeshTree, MeshTree)| {
            let distance = surface_distance(a, b, &pose, &mut workspace, &mut MeshDistanceCache::default());
            (distance, any_intersection(a, b, &pose, &mut workspace))
        };
        assert_eq!(ask(&early), ask(&late));
    }
}

#[test]
fn half_a_turn_is_a_pose_like_any_other() {
    let mut workspace = MeshWorkspace::default();
    let body = mesh(bumpy::sphere(4));
    let pose = Pose::new(Quat::from_xyzw(0.0, 0.0, 1.0, 0.0), Vec3::new(1.2, 0.0, 0.0)).unwrap();
    assert!(check_intersections(&body, &body, &pose, &mut workspace) > 0);
}
