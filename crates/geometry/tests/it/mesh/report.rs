//! `MeshReport` against brute force and known solids.

use super::solids::*;
use super::topology::brute_edges;
use freiraum_geometry::mesh::{DefectKind, MeshReport, Place};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_testkit::random::Random;
use std::collections::BTreeSet;

/// The report in short: name and count of each defect found.
fn defects(mesh: &Mesh) -> Vec<(&'static str, usize)> {
    let report = MeshReport::of(mesh);
    assert_eq!(report.is_sound(), report.defects().is_empty());
    assert_eq!(report.defect_count(), report.defects().iter().map(|d| d.places.len()).sum::<usize>());
    for defect in report.defects() {
        assert!(defect.places.windows(2).all(|p| p[0] < p[1]), "{:?}", defect.places);
        assert_eq!(report.places(defect.kind), defect.places);
    }
    report.defects().iter().map(|d| (d.kind.name(), d.places.len())).collect()
}

fn check(mesh: Mesh, expected: &[(&str, usize)]) {
    assert_eq!(defects(&mesh), expected);
}

#[test]
fn known_meshes() {
    let unit = cube(Vec3::ZERO, 1.0);
    check(unit.clone(), &[]);
    check(torus(5, 9), &[]);
    check(turned(&unit), &[("inside_out", 1)]);
    check(turned(&torus(5, 9)), &[("inside_out", 1)]);
    check(without(&unit, &[3]), &[("open_edges", 3)]);
    check(without(&unit, &[0, 1]), &[("open_edges", 4)]);
    check(with_turned(&unit, 4), &[("inconsistent_winding", 3)]);
    check(with(&unit, &[unit.faces()[5]]), &[("non_manifold_edges", 3), ("duplicate_faces", 1)]);
    check(with(&unit, &[[0, 0, 1]]), &[("degenerate_faces", 1)]);
    check(soup(&tetrahedron()), &[("open_edges", 12)]);
    check(joined(&[unit.clone(), unit.clone()]), &[]);
    // A Klein bottle: two-manifold without an inside, so somewhere windings disagree.
    let bottle = MeshReport::of(&klein_bottle(6, 8));
    assert_eq!(
        bottle.defects().iter().map(|d| d.kind).collect::<Vec<_>>(),
        [DefectKind::InconsistentWinding]
    );
    assert!(!bottle.is_watertight());
}

#[test]
fn tetrahedra_that_share_a_vertex_or_an_edge() {
    let points = |more: &[Vec3]| [&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], more].concat();
    let faces = |[a, b, c, d]: [u32; 4]| vec![[a, c, b], [a, b, d], [b, c, d], [c, a, d]];
    // At the origin only.
    let two =
        mesh(points(&[-Vec3::X, -Vec3::Y, -Vec3::Z]), [faces([0, 1, 2, 3]), faces([0, 5, 4, 6])].concat());
    check(two, &[("non_manifold_vertices", 1)]);
    // Along the x axis; its ends have one connected star each.
    let two = mesh(points(&[-Vec3::Y, -Vec3::Z]), [faces([0, 1, 2, 3]), faces([0, 1, 4, 5])].concat());
    check(two.clone(), &[("non_manifold_edges", 1)]);
    // Both inside out: still closed shells of their own.
    check(turned(&two), &[("non_manifold_edges", 1), ("inside_out", 2)]);
}

#[test]
fn cavities_are_no_defect() {
    let outer = cube(Vec3::ZERO, 4.0);
    let hole = |x: f64| turned(&cube(Vec3::new(x, 0.5, 0.25), 1.0));
    let island = cube(Vec3::new(2.0, 0.5, 0.25), 0.5);
    let solid = joined(&[outer.clone(), hole(2.0), hole(-2.0), island.clone()]);
    check(solid.clone(), &[]);
    check(turned(&solid), &[("inside_out", 4)]);
    // Only the outer shell turned: the cavities are still cavities.
    check(joined(&[turned(&outer), hole(2.0), hole(-2.0), island.clone()]), &[("inside_out", 1)]);
    // A cavity without a solid around it.
    check(joined(&[outer.clone(), hole(7.0)]), &[("inside_out", 1)]);
    // A cavity in a cavity.
    check(joined(&[outer.clone(), hole(2.0), turned(&island)]), &[("inside_out", 1)]);
    // A solid in a solid is left to the user.
    check(joined(&[outer, island]), &[]);
}

#[test]
fn a_cavity_that_touches_its_wall_is_found() {
    let outer = cube(Vec3::ZERO, 4.0);
    for axis in Vec3::AXES {
        for sign in [1.0, -1.0] {
            // One side of the cavity lies in a side of the solid; three vertices of four or more are elsewhere.
            let cavity = turned(&cube(3.0 * sign * axis, 1.0));
            let solid = joined(&[outer.clone(), cavity]);
            check(solid.clone(), &[]);
            // From outside, the same touching cube is inside out.
            let beside = turned(&cube(5.0 * sign * axis, 1.0));
            check(joined(&[outer.clone(), beside]), &[("inside_out", 1)]);
            check(turned(&solid), &[("inside_out", 2)]);
        }
    }
}

/// Cubes in cubes with a known tree: the winding each should have is known too.
#[test]
fn random_nested_boxes() {
    fn grow(random: &mut Random, center: Vec3, half: f64, depth: usize, out: &mut Vec<(Mesh, usize)>) {
        let shell = cube(center, half);
        out.push((if depth.is_multiple_of(2) { shell } else { turned(&shell) }, depth));
        for corner in 0..8 {
            if depth < 3 && random.below(4) == 0 {
                let sign = |bit: u32| if corner & bit != 0 { 0.5 } else { -0.5 };
                let center = center + half * Vec3::new(sign(1), sign(2), sign(4));
                let half = half * random.range(0.2, 0.45);
                grow(random, center, half, depth + 1, out);
            }
        }
    }
    let mut random = Random::new(31);
    for round in 0..200 {
        let mut shells = Vec::new();
        for k in 0..3 {
            grow(&mut random, Vec3::X * 3.0 * f64::from(k), 1.0, 0, &mut shells);
        }
        shuffle(&mut shells, &mut random);
        // Half of the rounds stay parallel to the axes: lines of sight through edges and vertices.
        let pose = Pose::new(random.rotation(), random.in_cube(10.0)).unwrap();
        let place = |m: &Mesh| if round % 2 == 0 { m.clone() } else { m.placed(&pose).unwrap() };
        let solid = joined(&shells.iter().map(|(m, _)| place(m)).collect::<Vec<_>>());
        check(solid.clone(), &[]);
        check(turned(&solid), &[("inside_out", shells.len())]);
        // Turning the outermost shells alone makes just these wrong.
        let outermost =
            shells.iter().map(|(m, depth)| place(&if *depth == 0 { turned(m) } else { m.clone() }));
        check(joined(&outermost.collect::<Vec<_>>()), &[("inside_out", 3)]);
    }
}

/// Storing which shell is inside which would take half a gigabyte here.
#[test]
fn three_thousand_shells_around_each_other() {
    let shell = |k: usize| {
        let shell = cube(Vec3::ZERO, 1.0 + k as f64);
        if k % 2 == 1 { shell } else { turned(&shell) }
    };
    let mut shells: Vec<Mesh> = (0..3000).map(shell).collect();
    check(joined(&shells), &[]);
    check(turned(&joined(&shells)), &[("inside_out", 3000)]);
    // A cavity in a cavity.
    shells[1001] = turned(&shells[1001]);
    check(joined(&shells), &[("inside_out", 1)]);
    // Clear of its wall, or touching it with all six tips: then the boxes are equal.
    let octahedron = |half: f64| {
        let faces = (0..8u32).map(|i| {
            let [x, y, z] = [i & 1, 2 + (i >> 1 & 1), 4 + (i >> 2)];
            if i.count_ones() % 2 == 0 { [x, y, z] } else { [x, z, y] }
        });
        let tips = Vec3::AXES.iter().flat_map(|axis| [half * *axis, -half * *axis]);
        Mesh::new(tips.collect(), faces.collect()).unwrap()
    };
    check(octahedron(1.0), &[]);
    for half in [0.5, 1.0] {
        check(joined(&[turned(&octahedron(half)), cube(Vec3::ZERO, 1.0)]), &[]);
        check(joined(&[cube(Vec3::ZERO, 1.0), turned(&octahedron(half))]), &[]);
    }
}

fn brute_places(mesh: &Mesh, kind: DefectKind) -> Vec<Place> {
    let edges = brute_edges(mesh);
    let faces = mesh.faces();
    type Uses = [(u32, bool)];
    let edges_where = |is_bad: &dyn Fn(&Uses) -> bool| -> Vec<Place> {
        edges.iter().filter(|(_, uses)| is_bad(uses)).map(|(ends, _)| Place::Edge(*ends)).collect()
    };
    let is_proper = |f: &[u32; 3]| BTreeSet::from(*f).len() == 3;
    match kind {
        DefectKind::OpenEdges => edges_where(&|uses| uses.len() == 1),
        DefectKind::NonManifoldEdges => edges_where(&|uses| uses.len() > 2),
        DefectKind::InconsistentWinding => edges_where(&|uses| uses.len() == 2 && uses[0].1 == uses[1].1),
        DefectKind::NonManifoldVertices => {
            let splits = |v: &u32| {
                let star: Vec<_> = faces.iter().filter(|f| is_proper(f) && f.contains(v)).collect();
                let shares_edge =
                    |f: &[u32; 3], g: &[u32; 3]| f.iter().filter(|w| g.contains(w)).count() >= 2;
                let mut reached = vec![false; star.len()];
                let mut todo: Vec<usize> = if star.is_empty() { vec![] } else { vec![0] };
                while let Some(i) = todo.pop() {
                    if !std::mem::replace(&mut reached[i], true) {
                        todo.extend((0..star.len()).filter(|&j| shares_edge(star[i], star[j])));
                    }
                }
                reached.contains(&false)
            };
            (0..mesh.vertices().len() as u32).filter(splits).map(Place::Vertex).collect()
        }
        DefectKind::DuplicateFaces => {
            let same = |f: usize, g: usize| BTreeSet::from(faces[f]) == BTreeSet::from(faces[g]);
            let repeats = |&f: &usize| is_proper(&faces[f]) && (0..f).any(|g| same(f, g));
            (0..faces.len()).filter(repeats).map(|f| Place::Face(f as u32)).collect()
        }
        DefectKind::DegenerateFaces => {
            // The coordinates are small whole numbers, so this is exact.
            let flat = |&f: &usize| {
                let [a, b, c] = mesh.triangle(f);
                (b - a).cross(c - a) == Vec3::ZERO
            };
            (0..faces.len()).filter(flat).map(|f| Place::Face(f as u32)).collect()
        }
        DefectKind::InsideOut | DefectKind::NoVolume => Vec::new(),
    }
}

#[test]
fn random_meshes_agree_with_brute_force() {
    let mut random = Random::new(32);
    let mut seen = BTreeSet::new();
    for round in 0..4000 {
        let is_garbage = round % 2 == 0;
        let mesh = if is_garbage { garbage(&mut random) } else { damaged(&mut random) };
        let report = MeshReport::of(&mesh);
        for kind in DefectKind::ALL {
            if matches!(kind, DefectKind::InsideOut | DefectKind::NoVolume) {
                continue;
            }
            if kind == DefectKind::DegenerateFaces && !is_garbage {
                continue;
            }
            let expected = brute_places(&mesh, kind);
            seen.extend((!expected.is_empty()).then_some(kind));
            assert_eq!(report.places(kind), expected, "{kind:?} of {mesh:?}");
        }
        let edges = brute_edges(&mesh);
        let two_ways = |uses: &Vec<(u32, bool)>| uses.len() == 2 && uses[0].1 != uses[1].1;
        assert_eq!(report.is_watertight(), !edges.is_empty() && edges.values().all(two_ways));
        assert_eq!(report.edges, edges.len());
        let used: BTreeSet<_> = mesh.faces().iter().flatten().collect();
        assert_eq!(report.unused_vertices, mesh.vertices().len() - used.len());
        let repeats = |v: &usize| mesh.vertices()[..*v].contains(&mesh.vertices()[*v]);
        assert_eq!(report.repeated_vertices, (0..mesh.vertices().len()).filter(repeats).count());
        assert_eq!(
            report.holes.iter().map(|h| h.edges).sum::<usize>(),
            report.places(DefectKind::OpenEdges).len()
        );
    }
    assert_eq!(seen.len(), 6, "the random meshes must show every defect: {seen:?}");
}

#[test]
fn holes_are_counted_and_located() {
    let solid = torus(6, 12);
    // A triangle here, and all six faces round a vertex far away.
    let around: Vec<usize> = (0..solid.faces().len()).filter(|&f| solid.faces()[f].contains(&40)).collect();
    assert_eq!(around.len(), 6);
    let report = MeshReport::of(&without(&solid, &[&around[..], &[0]].concat()));
    assert_eq!(report.holes.iter().map(|h| h.edges).collect::<Vec<_>>(), [6, 3]);
    let [a, b, c] = solid.triangle(0);
    assert!((report.holes[1].center - (a + b + c) / 3.0).length() < 1e-12);
    let perimeter = a.distance(b) + b.distance(c) + c.distance(a);
    assert!((report.holes[1].length - perimeter).abs() < 1e-12);
    // Two holes that meet in a vertex are one border: walking along the faces leads from one to the other.
    let at_vertex: Vec<usize> = (0..solid.faces().len()).filter(|&f| solid.faces()[f].contains(&0)).collect();
    let opposite = at_vertex.iter().copied().find(|&f| {
        let shared = |g: usize| solid.faces()[f].iter().filter(|v| solid.faces()[g].contains(v)).count();
        f != at_vertex[0] && shared(at_vertex[0]) == 1
    });
    let report = MeshReport::of(&without(&solid, &[at_vertex[0], opposite.unwrap()]));
    assert_eq!(report.holes.iter().map(|h| h.edges).collect::<Vec<_>>(), [6]);
    assert_eq!(report.places(DefectKind::NonManifoldVertices), [Place::Vertex(0)]);
    assert_eq!(MeshReport::of(&soup(&solid)).holes.len(), solid.faces().len());
}

#[test]
fn flat_and_tiny_things_do_not_confuse() {
    // A closed sheet without volume is neither outside in nor inside out.
    let flat = cuboid(Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0));
    assert!(!defects(&flat).iter().any(|(name, _)| *name == "inside_out"));
    check(turned(&cube(Vec3::splat(1e6), 1e-3)), &[("inside_out", 1)]);
    check(turned(&cube(Vec3::ZERO, 1e-6)), &[("inside_out", 1)]);
    check(turned(&cube(Vec3::ZERO, 1e6)), &[("inside_out", 1)]);
}

#[test]
fn closed_shells_without_volume_are_no_solids() {
    // Closed and without another fault: a tetrahedron pressed flat, and a box of no height.
    let corners = [Vec3::ZERO, 4.0 * Vec3::X, 4.0 * Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
    let pressed = Mesh::new(corners.to_vec(), tetrahedron().faces().to_vec()).unwrap();
    check(pressed.clone(), &[("no_volume", 1)]);
    assert!(MeshReport::of(&pressed).is_watertight());
    let mut random = Random::new(33);
    for _ in 0..50 {
        let pose = Pose::new(random.rotation(), random.in_cube(1e3)).unwrap();
        check(pressed.placed(&pose).unwrap(), &[("no_volume", 1)]);
        // Thin is not flat.
        let plate = cuboid(Vec3::ZERO, Vec3::new(1.0, 1.0, 1e-9)).placed(&pose).unwrap();
        check(plate.clone(), &[]);
        check(joined(&[plate, pressed.clone()]), &[("no_volume", 1)]);
    }
    let sheet = Mesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 1]]).unwrap();
    check(sheet, &[("no_volume", 1), ("duplicate_faces", 1)]);
}

#[test]
fn places_say_where() {
    let open = without(&cube(Vec3::ZERO, 1.0), &[0]);
    let report = MeshReport::of(&open);
    let first = report.places(DefectKind::OpenEdges)[0];
    assert_eq!(first.to_string(), "edge 0-2");
    assert_eq!(first.position(&open), Vec3::new(-1.0, 0.0, -1.0));
    assert_eq!(DefectKind::OpenEdges.describe(1), "1 open edge");
    assert_eq!(DefectKind::OpenEdges.describe(3), "3 open edges");
    let inverted = turned(&cube(Vec3::ZERO, 1.0));
    let report = MeshReport::of(&inverted);
    assert_eq!(report.places(DefectKind::InsideOut), [Place::Shell { first_face: 0, faces: 12 }]);
}
