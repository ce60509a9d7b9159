//! `Topology` against definitions spelled out without any cleverness.

use super::solids::*;
use freiraum_geometry::mesh::{EdgeKind, Topology};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_testkit::random::Random;
use std::collections::{BTreeMap, BTreeSet};

/// Edges with (face, forward), from the faces that do not repeat a vertex.
pub(crate) fn brute_edges(mesh: &Mesh) -> BTreeMap<[u32; 2], Vec<(u32, bool)>> {
    let mut edges: BTreeMap<[u32; 2], Vec<(u32, bool)>> = BTreeMap::new();
    for (face, f) in mesh.faces().iter().enumerate() {
        if f.iter().collect::<BTreeSet<_>>().len() == 3 {
            for (a, b) in [(f[0], f[1]), (f[1], f[2]), (f[2], f[0])] {
                edges.entry([a.min(b), a.max(b)]).or_default().push((face as u32, a < b));
            }
        }
    }
    edges
}

/// Spreads the smallest face number until nothing changes, then numbers what is left.
fn brute_components(mesh: &Mesh, joins: impl Fn(usize) -> bool) -> Vec<Option<u32>> {
    let edges = brute_edges(mesh);
    let mut label: Vec<usize> = (0..mesh.faces().len()).collect();
    loop {
        let before = label.clone();
        for uses in edges.values().filter(|uses| joins(uses.len())) {
            let least = uses.iter().map(|(f, _)| label[*f as usize]).min().unwrap();
            uses.iter().for_each(|(f, _)| label[*f as usize] = least);
        }
        if label == before {
            break;
        }
    }
    let proper: BTreeSet<u32> = edges.values().flatten().map(|(f, _)| *f).collect();
    let firsts: BTreeSet<usize> = proper.iter().map(|f| label[*f as usize]).collect();
    let number = |f: usize| firsts.iter().position(|first| *first == label[f]).map(|n| n as u32);
    (0..label.len()).map(|f| if proper.contains(&(f as u32)) { number(f) } else { None }).collect()
}

fn check(mesh: &Mesh) {
    let topology = Topology::of(mesh);
    let expected = brute_edges(mesh);
    assert_eq!(topology.edges().to_vec(), expected.keys().copied().collect::<Vec<_>>());
    for (e, (ends, uses)) in expected.iter().enumerate() {
        let got: Vec<_> = topology.edge_uses(e).iter().map(|u| (u.face(), u.is_forward())).collect();
        assert_eq!(&got, uses, "{mesh:?}");
        assert_eq!(topology.edge_between(ends[1], ends[0]), Some(e as u32));
    }
    let mut uses = 0;
    for (face, f) in mesh.faces().iter().enumerate() {
        let Some(edges) = topology.face_edges(face) else { continue };
        for k in 0..3 {
            let ends = topology.edges()[edges[k] as usize];
            assert_eq!(BTreeSet::from(ends), BTreeSet::from([f[k], f[(k + 1) % 3]]));
            uses += 1;
        }
    }
    assert_eq!(uses, expected.values().map(Vec::len).sum::<usize>());
    for v in 0..mesh.vertices().len() {
        let star: BTreeSet<u32> = expected
            .iter()
            .filter(|(ends, _)| ends.contains(&(v as u32)))
            .flat_map(|(_, u)| u)
            .map(|u| u.0)
            .collect();
        assert_eq!(topology.vertex_faces(v), star.into_iter().collect::<Vec<_>>());
    }
    let components = brute_components(mesh, |_| true);
    let shells = brute_components(mesh, |uses| uses == 2);
    for face in 0..mesh.faces().len() {
        assert_eq!(topology.component(face), components[face], "{mesh:?}");
        assert_eq!(topology.shell(face), shells[face], "{mesh:?}");
    }
    let count = |labels: &[Option<u32>]| labels.iter().flatten().collect::<BTreeSet<_>>().len();
    assert_eq!(topology.component_count(), count(&components));
    assert_eq!(topology.shell_count(), count(&shells));
}

#[test]
fn random_meshes_agree_with_brute_force() {
    let mut random = Random::new(21);
    for _ in 0..2000 {
        check(&garbage(&mut random));
        check(&damaged(&mut random));
    }
}

#[test]
fn known_meshes_agree_with_brute_force() {
    let touching = joined(&[cube(Vec3::ZERO, 1.0), cube(Vec3::X * 5.0, 1.0)]);
    for mesh in [torus(5, 7), klein_bottle(4, 5), touching, soup(&tetrahedron())] {
        check(&mesh);
    }
    // Only faces that are nowhere.
    check(&mesh(vec![Vec3::ZERO, Vec3::X], vec![[0, 0, 1], [1, 1, 1]]));
}

fn count(mesh: &Mesh, kind: EdgeKind) -> usize {
    let topology = Topology::of(mesh);
    (0..topology.edges().len()).filter(|&e| topology.edge_kind(e) == kind).count()
}

#[test]
fn a_box_has_twelve_features() {
    let mut random = Random::new(22);
    for (size, reach) in [(1.0, 0.0), (1e-6, 1e-6), (1e6, 1.0), (1.0, 1e3)] {
        for _ in 0..50 {
            let pose = Pose::new(random.rotation(), random.in_cube(1.0) * reach).unwrap();
            let solid = cuboid(Vec3::ZERO, size * Vec3::new(1.0, 2.0, 3.0)).placed(&pose).unwrap();
            assert_eq!(count(&solid, EdgeKind::Convex), 12);
            assert_eq!(count(&solid, EdgeKind::Flat), 6);
            assert_eq!(Topology::of(&solid).feature_edges().count(), 12);
            assert_eq!(count(&turned(&solid), EdgeKind::Concave), 12);
        }
    }
}

#[test]
fn open_and_irregular_edges_are_features() {
    let lid_off = without(&cube(Vec3::ZERO, 1.0), &[0]);
    assert_eq!(count(&lid_off, EdgeKind::Open), 3);
    let fin = with(&tetrahedron(), &[[0, 1, 2]]);
    assert_eq!(count(&fin, EdgeKind::Irregular), 3);
    // A sheet with two sides: folded back at each edge.
    let sheet = mesh(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2], [0, 2, 1]]);
    assert_eq!(count(&sheet, EdgeKind::Convex), 3);
}

/// A patch of integer heights: the fold at each inner edge has an exact sign by whole-number determinants.
#[test]
fn folds_of_whole_number_height_fields_are_exact() {
    let mut random = Random::new(23);
    let n = 5u32;
    for round in 0..200 {
        let offset = if round % 2 == 0 { 0 } else { 1 << 40 };
        let heights: Vec<i128> = (0..n * n).map(|_| random.below(3) as i128).collect();
        let whole =
            |v: u32| [i128::from(v % n) + offset, i128::from(v / n) - offset, heights[v as usize] + offset];
        let vertices = (0..n * n).map(|v| Vec3::from_array(whole(v).map(|x| x as f64))).collect();
        let cells = (0..n - 1).flat_map(|j| (0..n - 1).map(move |i| j * n + i));
        let faces =
            cells.flat_map(|v| [[v, v + 1, v + n + 1], [v, v + n + 1, v + n]]).collect::<Vec<[u32; 3]>>();
        let patch = mesh(vertices, faces);
        let topology = Topology::of(&patch);
        for (e, ends) in topology.edges().iter().enumerate() {
            let [f, g] = topology.edge_uses(e) else {
                assert_eq!(topology.edge_kind(e), EdgeKind::Open);
                continue;
            };
            let [a, b, c] = patch.faces()[f.face() as usize].map(whole);
            let tip = patch.faces()[g.face() as usize].into_iter().find(|v| !ends.contains(v)).unwrap();
            let d = whole(tip);
            let [u, v, w] = [b, c, d].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
            let above = u[0] * (v[1] * w[2] - v[2] * w[1])
                + u[1] * (v[2] * w[0] - v[0] * w[2])
                + u[2] * (v[0] * w[1] - v[1] * w[0]);
            let expected = match above.signum() {
                0 => EdgeKind::Flat,
                1 => EdgeKind::Concave,
                _ => EdgeKind::Convex,
            };
            assert_eq!(topology.edge_kind(e), expected);
        }
    }
}

#[test]
fn thin_faces_are_flat_only_if_exactly_so() {
    // A sliver too thin for a normal, next to a face in the same plane and to one that is not.
    let thin = 2f64.powi(-48);
    let fold = |z: f64| {
        let vertices = vec![Vec3::ZERO, Vec3::X, Vec3::new(0.5, -thin, 0.0), Vec3::new(0.5, 1.0, z)];
        let topology = Topology::of(&mesh(vertices, vec![[1, 0, 2], [0, 1, 3]]));
        topology.edge_kind(topology.edge_between(0, 1).unwrap() as usize)
    };
    assert_eq!(fold(0.0), EdgeKind::Flat);
    assert_eq!(fold(1e-300), EdgeKind::Concave);
    assert_eq!(fold(-1e-300), EdgeKind::Convex);
}

#[test]
fn the_fold_limit_is_a_milliradian() {
    let fold = |angle: f64| {
        let vertices = vec![Vec3::ZERO, Vec3::X, -Vec3::Y, Vec3::new(0.0, angle.cos(), -angle.sin())];
        let topology = Topology::of(&mesh(vertices, vec![[1, 0, 2], [0, 1, 3]]));
        topology.edge_kind(topology.edge_between(0, 1).unwrap() as usize)
    };
    assert_eq!(fold(0.0009), EdgeKind::Flat);
    assert_eq!(fold(0.0011), EdgeKind::Convex);
    assert_eq!(fold(-0.0011), EdgeKind::Concave);
    assert_eq!(fold(3.1), EdgeKind::Convex);
}
