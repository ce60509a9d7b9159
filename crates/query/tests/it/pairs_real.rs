//! Cases that broke others: third-party scenes and meshes. Skipped where the data are not at hand.

use crate::pairs_common::triangle_distance;
use freiraum_geometry::mesh::Topology;
use freiraum_geometry::shape::{Capsule, Convex, Cuboid, Cylinder, HalfSpace, HeightField, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_query::contact::Contact;
use freiraum_query::intersect::Relation;
use freiraum_query::{Prepared, contact, distance, intersect, intersects};
use freiraum_testkit::data;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The value of an attribute in a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let from = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[from..].split('"').next()
}

fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().map(|n| n.parse().unwrap()).collect()
}

/// Position and orientation of a tag; angles in degrees, x-y-z.
fn pose_of(tag: &str) -> Pose {
    let at = attribute(tag, "pos").map_or(Vec3::ZERO, |t| Vec3::from_slice(&numbers(t)));
    let turn = if let Some(text) = attribute(tag, "quat") {
        let q = numbers(text);
        Quat::from_xyzw(q[1], q[2], q[3], q[0])
    } else if let Some(text) = attribute(tag, "euler") {
        let [x, y, z] = numbers(text)[..] else { panic!("{tag}") };
        Quat::from_rotation_x(x.to_radians())
            * Quat::from_rotation_y(y.to_radians())
            * Quat::from_rotation_z(z.to_radians())
    } else if let Some(text) = attribute(tag, "zaxis") {
        Quat::from_rotation_arc(Vec3::Z, Vec3::from_slice(&numbers(text)).try_normalize().unwrap())
    } else {
        Quat::IDENTITY
    };
    Pose::new(turn, at).unwrap()
}

/// Bodies of a scene with their places in the world, in the order of the file. What is called a mesh there means the hull of its
/// points.
fn scene(name: &str) -> Option<Vec<(Prepared, Pose)>> {
    let path = data::folder("mujoco-testdata")?.join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let (mut stack, mut found, mut meshes) = (vec![Pose::IDENTITY], Vec::new(), BTreeMap::new());
    let mut in_default = true;
    for tag in text.split('<').skip(1).map(|t| t.split('>').next().unwrap()) {
        let here = *stack.last().unwrap();
        // Everything before the world only sets the scene.
        in_default &= !tag.starts_with("worldbody");
        if tag.starts_with("body") {
            stack.push(here * pose_of(tag));
        } else if tag.starts_with("/body") {
            stack.pop();
        } else if tag.starts_with("mesh ") {
            let scale = attribute(tag, "scale").map_or(Vec3::ONE, |t| Vec3::from_slice(&numbers(t)));
            let file = attribute(tag, "file");
            let points: Vec<Vec3> = match attribute_over_lines(tag, "vertex") {
                Some(list) => numbers(&list).chunks_exact(3).map(Vec3::from_slice).collect(),
                None => read_obj_points(&path.with_file_name(file.unwrap())),
            };
            let points: Vec<Vec3> = points.iter().map(|p| scale * *p).collect();
            let name = attribute(tag, "name").or(file).unwrap().trim_end_matches(".obj").to_string();
            meshes.insert(name, Shape::Convex(Convex::from_points(&points).unwrap()));
        } else if tag.starts_with("geom") && !in_default {
            let size = attribute(tag, "size").map_or(Vec::new(), numbers);
            let mesh =
                attribute(tag, "mesh").or(if tag.contains("\"mesh_box\"") { Some("box") } else { None });
            let shape = match attribute(tag, "type") {
                _ if mesh.is_some() => meshes[mesh.unwrap()].clone(),
                Some("box") => Shape::Cuboid(Cuboid::new(2.0 * Vec3::from_slice(&size)).unwrap()),
                Some("cylinder") => Shape::Cylinder(Cylinder::new(size[0], 2.0 * size[1]).unwrap()),
                Some("capsule") => Shape::Capsule(Capsule::new(size[0], 2.0 * size[1]).unwrap()),
                Some("plane") => Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()),
                None if attribute(tag, "class").is_some_and(|c| c == "wall" || c == "floor")
                    && size.len() == 3 =>
                {
                    Shape::Cuboid(Cuboid::new(2.0 * Vec3::from_slice(&size)).unwrap())
                }
                None | Some("sphere") if !size.is_empty() => Shape::Sphere(Sphere::new(size[0]).unwrap()),
                _ => continue,
            };
            found.push((Prepared::new(shape), here * pose_of(tag)));
        }
    }
    Some(found)
}

/// An attribute whose value may span lines, as one line.
fn attribute_over_lines(tag: &str, name: &str) -> Option<String> {
    let flat = tag.split_whitespace().collect::<Vec<_>>().join(" ");
    attribute(&flat, name).map(str::to_string)
}

/// The same body as a closed mesh, where it has flat sides only.
fn as_mesh(body: &(Prepared, Pose)) -> Option<(Prepared, Pose)> {
    let is_flat = matches!(body.0.shape(), Shape::Cuboid(_) | Shape::Convex(_));
    let mesh = body.0.shape().tessellate(1.0).ok().filter(|_| is_flat)?;
    Some((Prepared::new(Shape::Mesh(mesh.into())), body.1))
}

fn gap_of(a: &(Prepared, Pose), b: &(Prepared, Pose)) -> f64 {
    distance(&a.0, &b.0, &(a.1.inverse() * b.1)).unwrap().distance
}

/// Contact of two bodies of a scene; every point lies on both bodies, up to half its depth, and no two are the same.
fn checked(a: &(Prepared, Pose), b: &(Prepared, Pose)) -> Contact {
    let a_from_b = a.1.inverse() * b.1;
    let found = contact(&a.0, &b.0, &a_from_b).unwrap();
    let probe = Prepared::new(Shape::Sphere(Sphere::new(1e-9).unwrap()));
    for (i, p) in found.points.iter().enumerate() {
        let near = |body: &Prepared, at: Vec3, body_from_a: Pose| {
            let to_body = body_from_a * Pose::from_translation(at);
            let gap = distance(&probe, body, &to_body.inverse()).unwrap().distance;
            assert!(gap <= 0.5 * p.depth + 1e-8, "{gap} from the body: {found:?}");
        };
        near(&a.0, p.point, Pose::IDENTITY);
        near(&b.0, p.point, a_from_b.inverse());
        assert!(found.points[..i].iter().all(|q| q.point.distance(p.point) > 1e-9), "twice: {found:?}");
    }
    found
}

/// Contact of two meshes of a scene, and that it hangs together.
fn checked_flags(a: &(Prepared, Pose), b: &(Prepared, Pose)) -> Contact {
    let a_from_b = a.1.inverse() * b.1;
    let found = contact(&a.0, &b.0, &a_from_b).unwrap();
    assert_eq!(found.intersects, intersects(&a.0, &b.0, &a_from_b).unwrap());
    found
}

#[test]
fn scenes_of_boxes_and_cylinders() {
    for name in [
        "collision_box/boxbox_bad0.xml",
        "collision_box/boxbox_bad1.xml",
        "collision_box/boxbox_deep.xml",
        "collision_box/boxbox_duplicate.xml",
        "collision_convex/cylinder_box.xml",
        "collision_convex/stacked_boxes.xml",
        "collision_convex/box_boxmesh.xml",
        "collision_convex/capsule_mesh.xml",
        "collision_convex/conemesh_box.xml",
        "collision_convex/dice.xml",
        "collision_convex/dice_boxmesh.xml",
        "collision_convex/edge_edge.xml",
        "collision_convex/frameless_contact.xml",
        "collision_convex/long_box.xml",
        "collision_convex/multiple_objects.xml",
        "collision_primitive/sphere_cylinder.xml",
        "collision_primitive/spheres_cylinders.xml",
    ] {
        let Some(bodies) = scene(name) else { return };
        assert!(bodies.len() >= 2, "{name}");
        for (i, a) in bodies.iter().enumerate() {
            for b in &bodies[..i] {
                let found = checked(a, b);
                checked(b, a);
                // A body with flat sides is the same as a mesh.
                for (a, b) in [(as_mesh(a), as_mesh(b))].into_iter().flat_map(|(x, y)| x.zip(y)) {
                    let turned = checked_flags(&a, &b);
                    let rounding = found.depth == 0.0 && found.intersects;
                    assert!(turned.intersects == found.intersects || rounding, "{name} {found:?} {turned:?}");
                    assert!((turned.depth - found.depth).abs() < 1e-7, "{name} {found:?} {turned:?}");
                }
            }
        }
    }
}

/// What the scenes are about, in numbers that follow from the files.
#[test]
fn scenes_have_the_answers_that_follow_from_their_numbers() {
    // Dominoes 0.3 by 2 by 6 that lean towards each other by ten degrees.
    let Some(bodies) = scene("collision_convex/edge_edge.xml") else { return };
    let [ground, left, right] = &bodies[..] else { panic!("{}", bodies.len()) };
    let (sine, cosine) = 10f64.to_radians().sin_cos();
    let apart = 2.0 * (2.0 - 3.0 * sine - 0.15 * cosine);
    let above = 2.99 - 3.0 * cosine - 0.15 * sine;
    for (l, r) in [(left, right), (&as_mesh(left).unwrap(), &as_mesh(right).unwrap())] {
        assert!((gap_of(l, r) - apart).abs() < 1e-12, "{}", gap_of(l, r));
        assert!((gap_of(l, ground) - above).abs() < 1e-12);
        assert!((gap_of(r, ground) - above).abs() < 1e-12);
        // Pushed together until the upper edges meet: edge on edge, all along.
        let pushed = (Prepared::new(r.0.shape().clone()), Pose::from_translation(-apart * Vec3::X) * r.1);
        let found = checked(l, &pushed);
        assert!(found.depth < 1e-9 && gap_of(l, &pushed).abs() < 1e-12, "{found:?}");
        let deeper =
            (Prepared::new(r.0.shape().clone()), Pose::from_translation((-apart - 0.01) * Vec3::X) * r.1);
        let found = checked_flags(l, &deeper);
        // The shortest way out is along a side, which leans.
        assert!((found.depth - 0.01 * cosine).abs() < 1e-9, "{found:?}");
    }
    // Bodies that stand a little in a plate whose top is z = 0: depth and number of corners.
    for (name, depth, corners) in [
        ("collision_convex/long_box.xml", 0.01, 4),
        ("collision_convex/box_boxmesh.xml", 1e-4, 4),
        ("collision_convex/capsule_mesh.xml", 0.01, 2),
        ("collision_convex/cylinder_box.xml", 0.01, 16),
        ("collision_convex/frameless_contact.xml", 0.0, 16),
    ] {
        let bodies = scene(name).unwrap();
        let found = checked(&bodies[0], &bodies[1]);
        assert!(found.intersects && (found.depth - depth).abs() < 1e-9, "{name}: {found:?}");
        assert_eq!(found.points.len(), corners, "{name}: {found:?}");
        let up = bodies[0].1.rotate(found.points[0].normal);
        assert!((up - Vec3::Z).length() < 1e-6, "{name}: {found:?}");
        if let (Some(plate), Some(body)) = (as_mesh(&bodies[0]), as_mesh(&bodies[1])) {
            let found = checked_flags(&plate, &body);
            assert!((found.depth - depth).abs() < 1e-9 && found.regions == 1, "{name}: {found:?}");
        }
    }
    // A cone of 500 sides stands on its base, which touches the plate.
    let bodies = scene("collision_convex/conemesh_box.xml").unwrap();
    let found = checked(&bodies[0], &bodies[1]);
    assert!(found.intersects && found.depth < 1e-12 && found.points.len() > 3, "{found:?}");
    // Dice 0.04 wide, 0.1 apart, over a floor at -0.1.
    let bodies = scene("collision_convex/dice_boxmesh.xml").unwrap();
    assert!((gap_of(&bodies[0], bodies.last().unwrap()) - 0.23).abs() < 1e-12);
    // Cubes side by side: neighbours touch, over a floor 0.05 below.
    let bodies = scene("collision_convex/stacked_boxes.xml").unwrap();
    assert!(bodies.len() > 8);
    for two in bodies[3..6].windows(2) {
        assert!(checked(&two[0], &two[1]).depth < 1e-12);
        assert!(gap_of(&two[0], &two[1]).abs() < 1e-12);
        assert!((gap_of(&two[0], &bodies[0]) - 0.05).abs() < 1e-12);
    }
    // A box on a flat height field of two metres.
    let field = HeightField::new([2.0, 2.0], &vec![vec![0.0; 10]; 10]).unwrap();
    let field = (Prepared::new(Shape::HeightField(field)), Pose::IDENTITY);
    let bodies = scene("collision_convex/frameless_contact_hfield.xml").unwrap();
    let found = checked(&bodies[0], &field);
    assert_eq!((found.intersects, found.depth, found.regions), (true, 0.0, 1), "{found:?}");
    assert!((found.points[0].normal + Vec3::Z).length() < 1e-12, "{found:?}");
    // Balls over cylinders: 0.05 and 0.1 large, over a rim, a cap and a mantle.
    let bodies = scene("collision_primitive/sphere_cylinder.xml").unwrap();
    for (ball, cylinder, gap) in [
        (0, 4, 0.3 - 0.2 - 0.05),
        (1, 3, 0.3 - 0.04 - 0.1),
        (1, 2, 0.3f64.hypot(0.29) - 0.1),
        (0, 5, (0.5f64 - 0.02).hypot(0.2) - 0.05),
    ] {
        let found = gap_of(&bodies[ball], &bodies[cylinder]);
        assert!((found - gap).abs() < 1e-12, "{ball} {cylinder}: {found}, expected {gap}");
    }
}

#[test]
fn boxes_that_broke_others() {
    let Some(bodies) = scene("collision_box/boxbox_deep.xml") else { return };
    let found = checked(&bodies[0], &bodies[1]);
    assert!((found.depth - 0.9).abs() < 1e-12, "{found:?}");
    assert_eq!(found.points.len(), 4);
    let bodies = scene("collision_box/boxbox_duplicate.xml").unwrap();
    let found = checked(&bodies[0], &bodies[1]);
    assert_eq!((found.points.len(), found.depth), (4, 0.0));
    // A tower: each block stands on the one below, with no depth and a whole contact face.
    let tower = scene("collision_box/boxbox_bad0.xml").unwrap();
    for two in tower.windows(2) {
        let found = checked(&two[1], &two[0]);
        assert!(found.intersects && found.depth < 1e-9 && found.points.len() == 4, "{found:?}");
        assert!((found.points[0].normal + Vec3::Z).length() < 1e-9, "{found:?}");
    }
}

/// Vertices of a Wavefront file.
fn read_obj_points(path: &Path) -> Vec<Vec3> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("v "));
    lines.map(|line| Vec3::from_slice(&numbers(line)[..3])).collect()
}

/// Vertices and triangles of a Wavefront file, just enough for these files.
fn read_obj(path: PathBuf) -> Mesh {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let index = |i: usize| words[i].split('/').next().unwrap().parse::<u32>().unwrap() - 1;
        match words.first() {
            Some(&"v") => vertices.push(Vec3::from_slice(&numbers(&words[1..4].join(" ")))),
            Some(&"f") => faces.push([1, 2, 3].map(index)),
            _ => {}
        }
    }
    Mesh::new(vertices, faces).unwrap()
}

/// Vertices and triangles of a binary PLY file of doubles and 32-bit indices.
fn read_ply(path: PathBuf) -> Mesh {
    let bytes = std::fs::read(path).unwrap();
    let end = bytes.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let count = |name: &str| -> usize {
        head.lines().find_map(|l| l.strip_prefix(name)).unwrap().trim().parse().unwrap()
    };
    let (points, triangles) = bytes[end..].split_at(24 * count("element vertex"));
    let number = |b: &[u8]| f64::from_le_bytes(b.try_into().unwrap());
    let vertices =
        points.chunks_exact(24).map(|c| Vec3::new(number(&c[..8]), number(&c[8..16]), number(&c[16..])));
    let index = |b: &[u8]| u32::from_le_bytes(b.try_into().unwrap());
    let faces = triangles[..13 * count("element face")].chunks_exact(13);
    let faces = faces.map(|c| [index(&c[1..5]), index(&c[5..9]), index(&c[9..13])]);
    Mesh::new(vertices.collect(), faces.collect()).unwrap()
}

#[test]
fn two_cubes() {
    let Some(folder) = data::folder("ipc-toolkit-tests-data") else { return };
    for (name, relation) in [
        ("two-cubes-far.ply", Relation::Separate),
        ("two-cubes-close.ply", Relation::Separate),
        ("two-cubes-intersecting.ply", Relation::Overlapping),
    ] {
        let both = read_ply(folder.join(name));
        let topology = Topology::of(&both);
        assert_eq!(topology.component_count(), 2, "{name}");
        let cube = |which: u32| {
            let mine = both.faces().iter().enumerate().filter(|(i, _)| topology.component(*i) == Some(which));
            let faces = mine.map(|(_, f)| *f).collect();
            Prepared::new(Shape::Mesh(Arc::new(Mesh::new(both.vertices().to_vec(), faces).unwrap())))
        };
        let (a, b) = (cube(0), cube(1));
        let found = intersect(&a, &b, &Pose::IDENTITY).unwrap();
        assert_eq!((found.relation, found.a_is_open, found.b_is_open), (relation, false, false), "{name}");
        // Against all pairs of triangles.
        let triangles = |p: &Prepared| match p.shape() {
            Shape::Mesh(mesh) => mesh.triangles().collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        let (ta, tb) = (triangles(&a), triangles(&b));
        let all = ta.iter().flat_map(|s| tb.iter().map(|t| triangle_distance(s, t, f64::INFINITY)));
        let least = all.fold(f64::INFINITY, f64::min);
        let gap = distance(&a, &b, &Pose::IDENTITY).unwrap().distance;
        assert!((gap - least).abs() < 1e-12, "{name}: {gap}, expected {least}");
        let contact = contact(&a, &b, &Pose::IDENTITY).unwrap();
        assert_eq!(contact.regions, usize::from(relation != Relation::Separate), "{name}: {contact:?}");
        if let Some(translation) = contact.translation.filter(|_| contact.intersects) {
            let moved = distance(&a, &b, &Pose::from_translation(-translation)).unwrap().distance;
            assert!((0.0..1e-8).contains(&moved), "{name}: {contact:?} leaves {moved}");
        }
    }
}

#[test]
fn a_robot_in_its_environment() {
    let Some(folder) = data::folder("fcl-test-resources") else { return };
    let mesh = |name: &str| Prepared::new(Shape::Mesh(Arc::new(read_obj(folder.join(name)))));
    let (environment, robot) = (mesh("env.obj"), mesh("rob.obj"));
    let size = environment.bounds().unwrap().size().max_element();
    let mut random = freiraum_testkit::random::Random::new(6);
    let (mut apart, mut together) = (0, 0);
    for _ in 0..freiraum_testkit::scale::cases(40) {
        let pose =
            Pose::new(random.rotation(), environment.bounds().unwrap().center() + random.in_cube(0.4 * size))
                .unwrap();
        let gap = distance(&environment, &robot, &pose).unwrap();
        let meets = intersects(&environment, &robot, &pose).unwrap();
        assert_eq!(meets, gap.distance == 0.0, "{pose:?} {gap:?}");
        assert_eq!(meets, intersects(&robot, &environment, &pose.inverse()).unwrap());
        assert_eq!(meets, intersect(&environment, &robot, &pose).unwrap().intersects());
        if apart + together < freiraum_testkit::scale::cases(2) {
            let (Shape::Mesh(e), Shape::Mesh(r)) = (environment.shape(), robot.shape()) else { panic!() };
            let robot: Vec<[Vec3; 3]> = r.triangles().map(|t| t.map(|p| pose.transform_point(p))).collect();
            let mut least = f64::INFINITY;
            for s in e.triangles() {
                for t in &robot {
                    least = least.min(triangle_distance(&s, t, least));
                }
            }
            assert!((least - gap.distance).abs() < 1e-9 * size, "{pose:?}: {least} {gap:?}");
        }
        if meets {
            together += 1;
        } else {
            apart += 1;
            // Moving by less than the gap does not make contact, and by the gap it does.
            let moved = |by: f64| Pose::from_translation(-by * gap.normal) * pose;
            assert!(!intersects(&environment, &robot, &moved(gap.distance * (1.0 - 1e-9))).unwrap());
            assert!(intersects(&environment, &robot, &moved(gap.distance + 1e-9 * size)).unwrap());
        }
    }
    assert!(apart > 0 && together > 0, "{apart} {together}");
}
