//! `repair`: broken solids come back whole, whole ones come back untouched, nothing gets worse.

use super::solids::*;
use freiraum_geometry::mesh::{MeshReport, RepairError, RepairOptions, Repaired, repair};
use freiraum_geometry::{Mesh, Vec3};
use freiraum_testkit::random::Random;

fn repaired(mesh: &Mesh) -> Repaired {
    let before = MeshReport::of(mesh);
    let result = repair(mesh, &RepairOptions::default()).unwrap();
    let after = MeshReport::of(&result.mesh);
    assert_eq!(result.log.remaining, after);
    assert!(after.defect_count() <= before.defect_count());
    assert_eq!(result.log.is_unchanged(), result.mesh == *mesh, "{}", result.log);
    let again = repair(&result.mesh, &RepairOptions::default()).unwrap();
    assert_eq!(again.mesh, result.mesh, "{} then {}", result.log, again.log);
    result
}

/// The repaired mesh is sound and bounds the same solid as `solid`.
fn restores(broken: &Mesh, solid: &Mesh) -> Repaired {
    let result = repaired(broken);
    assert!(result.log.remaining.is_sound(), "{}: {:?}", result.log, result.log.remaining.defects());
    let (got, expected) = (result.mesh.mass_properties().unwrap(), solid.mass_properties().unwrap());
    assert!((got.volume - expected.volume).abs() <= 1e-5 * expected.volume.abs(), "{got:?} {expected:?}");
    assert!((result.mesh.area() - solid.area()).abs() <= 1e-5 * solid.area());
    result
}

fn solids() -> Vec<Mesh> {
    let outer = cube(Vec3::ZERO, 4.0);
    let cavity = turned(&cube(Vec3::splat(0.5), 1.0));
    vec![
        tetrahedron(),
        cube(Vec3::ZERO, 1.0),
        cuboid(Vec3::splat(1e3), Vec3::splat(1e3) + Vec3::new(1.0, 2.0, 3.0)),
        torus(6, 11),
        joined(&[outer.clone(), cavity]),
        joined(&[cube(Vec3::ZERO, 1.0), cube(Vec3::X * 3.0, 1.0), torus(4, 5)]),
    ]
}

#[test]
fn sound_meshes_are_untouched() {
    let touching = joined(&[cube(Vec3::ZERO, 1.0), cube(Vec3::X * 2.0, 1.0)]);
    for solid in solids().into_iter().chain([touching]) {
        let result = repaired(&solid);
        assert!(result.log.is_unchanged());
        assert_eq!(result.mesh, solid);
        assert_eq!(result.log.to_string(), "nothing changed");
    }
}

#[test]
fn everything_broken_at_once() {
    let mut random = Random::new(41);
    for round in 0..200 {
        for solid in solids() {
            // Turn less than half of every shell, so that the majority is right.
            let mut faces = solid.faces().to_vec();
            let topology = freiraum_geometry::mesh::Topology::of(&solid);
            for shell in 0..topology.shell_count() as u32 {
                let mut members: Vec<usize> =
                    (0..faces.len()).filter(|&f| topology.shell(f) == Some(shell)).collect();
                shuffle(&mut members, &mut random);
                let turned = random.below(members.len().div_ceil(2));
                members[..turned].iter().for_each(|&f| faces[f].swap(1, 2));
            }
            for _ in 0..random.below(4) {
                let [a, b, c] = faces[random.below(faces.len())];
                faces.push([[a, b, c], [b, c, a], [b, a, c], [a, b, b]][random.below(4)]);
            }
            shuffle(&mut faces, &mut random);
            let (mut vertices, faces) = soup(&mesh(solid.vertices().to_vec(), faces)).into_parts();
            if round % 2 == 1 {
                let noise = 1e-7 * solid.aabb().size().length();
                vertices.iter_mut().for_each(|p| *p += random.in_cube(noise));
            }
            let result = restores(&mesh(vertices, faces), &solid);
            assert_eq!(result.mesh.faces().len(), solid.faces().len());
            assert_eq!(result.mesh.vertices().len(), solid.vertices().len());
        }
    }
}

#[test]
fn each_step_is_counted() {
    let solid = cube(Vec3::ZERO, 1.0);
    let result = restores(&soup(&solid), &solid);
    assert_eq!(result.log.to_string(), "28 vertices welded");
    let result = restores(&with_turned(&solid, 3), &solid);
    assert_eq!(result.log.to_string(), "1 face turned to agree with their neighbours");
    let result = restores(&turned(&solid), &solid);
    assert_eq!(result.log.to_string(), "1 shell turned outside out");
    let result = restores(&with(&solid, &[[0, 0, 3], solid.faces()[2]]), &solid);
    assert_eq!(result.log.to_string(), "1 face without area dropped, 1 duplicate face dropped");
    assert_eq!(result.mesh, solid);
    let mut vertices = solid.vertices().to_vec();
    vertices.insert(0, Vec3::splat(9.0));
    let faces = solid.faces().iter().map(|f| f.map(|v| v + 1)).collect();
    let result = restores(&turned(&mesh(vertices, faces)), &solid);
    assert_eq!(result.log.to_string(), "1 shell turned outside out, 1 vertex without faces dropped");
}

#[test]
fn bodies_that_are_turned_as_a_whole_keep_their_cavities() {
    for solid in solids() {
        let result = restores(&turned(&solid), &solid);
        let back = turned(&mesh(result.mesh.vertices().to_vec(), result.mesh.faces().to_vec()));
        assert_eq!(back.vertices(), solid.vertices());
    }
}

#[test]
fn walls_between_solids_and_fins_go_but_lids_stay() {
    // Two tetrahedra glued at a face, both faces still there: one solid remains.
    let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z];
    let upper = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let lower = vec![[0, 1, 2], [1, 0, 4], [2, 1, 4], [0, 2, 4]];
    let glued = mesh(points.clone(), [upper.clone(), lower.clone()].concat());
    let union = without(&glued, &[0, 4]);
    assert_eq!(restores(&glued, &union).log.duplicate_faces_dropped, 2);
    // A fin with two sides.
    let solid = mesh(points, upper);
    let with_fin = with(&solid, &[[0, 1, 4], [1, 0, 4]]);
    let result = restores(&with_fin, &solid);
    assert_eq!((result.log.duplicate_faces_dropped, result.log.unused_vertices_dropped), (2, 1));
    // A face that is there once each way, with an open edge below if both went.
    let [a, b, c] = solid.faces()[2];
    restores(&with(&solid, &[[a, c, b]]), &without(&solid, &[]));
    // A sheet with two sides keeps one.
    let sheet = mesh(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2], [0, 2, 1], [0, 1, 2]]);
    let result = repair(&sheet, &RepairOptions::default()).unwrap();
    assert!(result.log.remaining.defect_count() <= MeshReport::of(&sheet).defect_count());
}

#[test]
fn touching_solids_come_apart() {
    // Cubes in a row along a diagonal of a plane, then of space: they share an edge, a vertex.
    for step in [Vec3::new(2.0, 2.0, 0.0), Vec3::splat(2.0)] {
        let apart = joined(&[cube(Vec3::ZERO, 1.0), cube(step, 1.0), cube(2.0 * step, 1.0)]);
        let result = restores(&soup(&apart), &apart);
        assert_eq!(result.mesh.vertices().len(), 24);
        assert_eq!(result.log.remaining.components, 3);
        assert_eq!(result.log.vertices_split, if step.z == 0.0 { 4 } else { 2 });
    }
    // Two rods across each other in a corner: the edges they share cut their surfaces into patches.
    let [low, high] = [Vec3::new(0.0, 0.0, 0.0), Vec3::new(9.0, 1.0, 1.0)];
    let rods = joined(&[cuboid(low, high), cuboid(Vec3::new(0.0, 1.0, 1.0), Vec3::new(9.0, 2.0, 2.0))]);
    let around = joined(&[rods, cuboid(Vec3::new(0.0, 1.0, -1.0), Vec3::new(9.0, 2.0, 0.0))]);
    let result = restores(&soup(&around), &around);
    assert_eq!(result.log.remaining.components, 3);
    // A fin of one face stays: cutting it off would leave more open edges.
    let solid = tetrahedron();
    let fin = mesh([solid.vertices(), &[-Vec3::Z]].concat(), [solid.faces(), &[[0, 1, 4]]].concat());
    assert!(repaired(&fin).log.is_unchanged());
}

/// Puts a vertex on an edge between two faces, with a face without area between the halves and the whole.
/// The vertex lies at `part` of the edge.
fn with_flat_face(solid: &Mesh, face: usize, corner: usize, part: f64) -> Mesh {
    let (mut vertices, mut faces) = solid.clone().into_parts();
    let f = faces[face];
    let [a, c, tip] = [f[corner], f[(corner + 1) % 3], f[(corner + 2) % 3]];
    let b = vertices.len() as u32;
    vertices.push(vertices[a as usize].lerp(vertices[c as usize], part));
    faces[face] = [a, b, tip];
    faces.extend([[b, c, tip], [a, c, b]]);
    mesh(vertices, faces)
}

#[test]
fn faces_on_a_line_are_split_away() {
    let mut random = Random::new(42);
    for _ in 0..200 {
        // Whole coordinates, so that halves and quarters are exactly on the edge.
        let solid = cuboid(Vec3::ZERO, Vec3::new(64.0, 128.0, 256.0));
        let mut broken = solid.clone();
        for k in 0..1 + random.below(5) {
            // Parts whose products differ, so that no two of the vertices coincide.
            let part = [0.5, 0.25, 0.625, 0.6875, 0.34375][k];
            broken = with_flat_face(&broken, random.below(broken.faces().len()), random.below(3), part);
        }
        let report = MeshReport::of(&broken);
        assert!(report.is_watertight() && !report.is_sound());
        let result = restores(&broken, &solid);
        assert!(result.log.degenerate_faces_split > 0);
        assert_eq!(result.mesh.vertices(), broken.vertices());
    }
    // A chain of flat faces: each can be split away only after the next.
    let mut broken = cuboid(Vec3::ZERO, Vec3::splat(1024.0));
    let solid = broken.clone();
    for _ in 0..8 {
        broken = with_flat_face(&broken, 0, 0, 0.5);
    }
    assert_eq!(restores(&broken, &solid).log.degenerate_faces_split, 8);
}

#[test]
fn flat_faces_at_the_border_are_dropped() {
    let sheet =
        mesh(vec![Vec3::ZERO, Vec3::X * 2.0, Vec3::Y, Vec3::X], vec![[0, 3, 2], [3, 1, 2], [0, 1, 3]]);
    let result = repaired(&sheet);
    assert_eq!(result.log.to_string(), "nothing changed", "one open edge for two is no gain");
    let loose = with(&tetrahedron(), &[[0, 1, 1]]);
    let mut vertices = loose.vertices().to_vec();
    vertices.extend([Vec3::X * 5.0, Vec3::X * 6.0, Vec3::X * 7.0]);
    let faces = [loose.faces(), &[[4, 5, 6]]].concat();
    let result = restores(&mesh(vertices, faces), &tetrahedron());
    assert_eq!(result.mesh, tetrahedron());
}

#[test]
fn a_flat_face_that_hangs_by_its_longest_edge_is_dropped() {
    let points = vec![Vec3::ZERO, Vec3::X * 2.0, Vec3::Y, Vec3::X];
    let result = repaired(&mesh(points.clone(), vec![[0, 1, 2], [1, 0, 3]]));
    assert_eq!(result.mesh, mesh(points[..3].to_vec(), vec![[0, 1, 2]]));
}

#[test]
fn edges_of_no_length_inside_the_surface_are_closed_up() {
    // Vertex 7 of a cube as two vertices in one place, with two flat faces between: one part of its faces goes with the copy.
    let solid = cube(Vec3::ZERO, 1.0);
    let (mut vertices, mut faces) = solid.clone().into_parts();
    vertices.push(vertices[7]);
    let top = [0, 1].map(|k| faces.iter().position(|f| *f == [[4, 5, 7], [4, 7, 6]][k]).unwrap());
    for face in top {
        faces[face].iter_mut().filter(|v| **v == 7).for_each(|v| *v = 8);
    }
    // The part that was moved has the neighbours 5 and 6 at its ends.
    faces.extend([[5, 7, 8], [6, 8, 7]]);
    let broken = mesh(vertices, faces);
    assert!(MeshReport::of(&broken).is_watertight());
    let result = restores(&broken, &solid);
    assert_eq!(result.mesh, solid);
    assert_eq!(result.log.to_string(), "1 vertex welded, 2 faces without area dropped");
}

#[test]
fn closed_bodies_beside_the_broken_one_are_not_welded() {
    let touching = joined(&[cube(Vec3::ZERO, 1.0), cube(Vec3::X * 2.0, 1.0)]);
    let result = repaired(&joined(&[touching.clone(), turned(&cube(Vec3::Z * 9.0, 1.0))]));
    assert_eq!(result.log.to_string(), "1 shell turned outside out");
    assert_eq!(result.mesh, joined(&[touching, turned(&turned(&cube(Vec3::Z * 9.0, 1.0)))]));
}

#[test]
fn one_sided_surfaces_are_left_alone() {
    let bottle = klein_bottle(5, 7);
    let result = repaired(&bottle);
    assert_eq!(result.mesh, bottle);
}

#[test]
fn welding_distance_is_obeyed() {
    let (mut vertices, faces) = soup(&cube(Vec3::ZERO, 1.0)).into_parts();
    vertices.iter_mut().enumerate().for_each(|(i, p)| p.x += 1e-4 * (i % 3) as f64);
    let broken = mesh(vertices, faces);
    let with = |weld_distance| repair(&broken, &RepairOptions { weld_distance }).unwrap();
    assert!(!with(None).log.remaining.is_sound());
    assert!(!with(Some(0.0)).log.remaining.is_sound());
    assert!(with(Some(1e-3)).log.remaining.is_sound());
    for bad in [-1.0, f64::NAN] {
        let error = repair(&broken, &RepairOptions { weld_distance: Some(bad) }).unwrap_err();
        assert!(matches!(error, RepairError::BadWeldDistance(_)));
    }
    // As large as you like: the thing may vanish, then it is kept as it was.
    assert!(with(Some(f64::INFINITY)).log.remaining.defect_count() <= MeshReport::of(&broken).defect_count());
}

/// Looking at all faces of an edge once for each of them would take most of a minute here.
#[test]
fn an_edge_may_have_very_many_faces() {
    let spine = |tip: &dyn Fn(f64) -> Vec3, pages: &[[u32; 3]]| {
        let tips = (0..20_000).map(|i| tip(f64::from(i)));
        let faces =
            (2..20_002).flat_map(|i| pages.iter().map(move |page| page.map(|v| if v < 2 { v } else { i })));
        Mesh::new([Vec3::ZERO, Vec3::Z].into_iter().chain(tips).collect(), faces.collect()).unwrap()
    };
    // A book whose pages have two sides each; nothing can be done about it.
    let book = spine(&|i| Vec3::new(i, 1.0, 0.5), &[[0, 1, 2], [1, 0, 2]]);
    assert!(repaired(&book).log.is_unchanged());
    // The same on a solid: its fins go.
    let fins = joined(&[tetrahedron(), book.clone()]);
    let faces = fins.faces().iter().map(|f| {
        f.map(|v| {
            if v == 4 {
                0
            } else if v == 5 {
                1
            } else {
                v
            }
        })
    });
    let fins = Mesh::new(fins.vertices().to_vec(), faces.collect()).unwrap();
    assert_eq!(repaired(&fins).log.duplicate_faces_dropped, 40_000);
    // Faces without area that hang on one edge.
    let flat = joined(&[tetrahedron(), spine(&|i| Vec3::Z * (2.0 + i), &[[0, 1, 2]])]);
    assert_eq!(restores(&flat, &tetrahedron()).log.degenerate_faces_dropped, 20_000);
}

#[test]
fn nothing_left_is_an_error() {
    let points = vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::X];
    for faces in [vec![[0, 0, 1]], vec![[0, 1, 2]], vec![[0, 1, 3]], vec![[0, 1, 2], [2, 1, 0], [1, 1, 1]]] {
        let count = faces.len();
        let error = repair(&mesh(points.clone(), faces), &RepairOptions::default()).unwrap_err();
        assert_eq!(error, RepairError::NothingLeft(count));
    }
}

#[test]
fn garbage_never_gets_worse() {
    let mut random = Random::new(43);
    for round in 0..3000 {
        let mesh = if round % 2 == 0 { garbage(&mut random) } else { damaged(&mut random) };
        match repair(&mesh, &RepairOptions::default()) {
            Ok(result) => {
                let (before, after) = (MeshReport::of(&mesh), MeshReport::of(&result.mesh));
                assert_eq!(result.log.remaining, after);
                assert!(after.defect_count() <= before.defect_count());
            }
            Err(error) => {
                assert_eq!(error, RepairError::NothingLeft(mesh.faces().len()));
                assert_eq!(mesh.area(), 0.0, "{mesh:?}");
            }
        }
    }
}
