//! Cases that broke others: third-party scenes and meshes. Skipped where the data are not at hand.

use freiraum_geometry::mesh::Topology;
use freiraum_geometry::shape::{Capsule, Cuboid, Cylinder, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_query::contact::Contact;
use freiraum_query::intersect::Relation;
use freiraum_query::{Prepared, contact, distance, intersect, intersects};
use freiraum_testkit::data;
use std::path::PathBuf;
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

/// Boxes, cylinders, capsules and spheres of a scene with their places in the world.
fn scene(name: &str) -> Option<Vec<(Prepared, Pose)>> {
    let text = std::fs::read_to_string(data::folder("mujoco-testdata")?.join(name)).unwrap();
    let (mut stack, mut found) = (vec![Pose::IDENTITY], Vec::new());
    for tag in text.split('<').skip(1).map(|t| t.split('>').next().unwrap()) {
        let here = *stack.last().unwrap();
        if tag.starts_with("body") {
            stack.push(here * pose_of(tag));
        } else if tag.starts_with("/body") {
            stack.pop();
        } else if tag.starts_with("geom") && attribute(tag, "size").is_some() {
            let size = numbers(attribute(tag, "size").unwrap());
            let shape = match attribute(tag, "type") {
                Some("box") => Shape::Cuboid(Cuboid::new(2.0 * Vec3::from_slice(&size)).unwrap()),
                Some("cylinder") => Shape::Cylinder(Cylinder::new(size[0], 2.0 * size[1]).unwrap()),
                Some("capsule") => Shape::Capsule(Capsule::new(size[0], 2.0 * size[1]).unwrap()),
                None | Some("sphere") => Shape::Sphere(Sphere::new(size[0]).unwrap()),
                _ => continue,
            };
            found.push((Prepared::new(shape), here * pose_of(tag)));
        }
    }
    Some(found)
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

#[test]
fn scenes_of_boxes_and_cylinders() {
    for name in [
        "collision_box/boxbox_bad0.xml",
        "collision_box/boxbox_bad1.xml",
        "collision_box/boxbox_deep.xml",
        "collision_box/boxbox_duplicate.xml",
        "collision_convex/cylinder_box.xml",
        "collision_convex/stacked_boxes.xml",
        "collision_primitive/sphere_cylinder.xml",
        "collision_primitive/spheres_cylinders.xml",
    ] {
        let Some(bodies) = scene(name) else { return };
        assert!(bodies.len() >= 2, "{name}");
        for (i, a) in bodies.iter().enumerate() {
            for b in &bodies[..i] {
                checked(a, b);
                checked(b, a);
            }
        }
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
        let contact = contact(&a, &b, &Pose::IDENTITY).unwrap();
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
        assert_eq!(meets, intersect(&environment, &robot, &pose).unwrap().relation != Relation::Separate);
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
