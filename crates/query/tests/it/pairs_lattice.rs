//! Bodies made of boxes with whole-number corners, as one mesh or as compounds: with cavities, shells that overlap or repeat,
//! faces that name a corner twice, loose faces, turned inside out. All that is asked about them is known from the cells of
//! the grid.

use freiraum_geometry::shape::{Compound, Cuboid, Part, Shape};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::intersect::Relation;
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, PointPlace, locate};
use freiraum_query::{Prepared, contact, distance, intersect, intersects};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::sync::Arc;

/// Cells of the grid, and the walls, edges and corners between them: coordinates are even on a plane of the grid and odd between
/// two, from 0 to 2 * SIDE.
const SIDE: usize = 6;
const PLACES: usize = 2 * SIDE + 1;

/// A box between planes of the grid, which adds this to the winding number inside.
#[derive(Clone, Copy, Debug)]
struct Block {
    min: [i32; 3],
    max: [i32; 3],
    winding: i32,
}

impl Block {
    fn random(random: &mut Random, side: usize) -> Block {
        let mut min = [0; 3];
        let mut max = [0; 3];
        for k in 0..3 {
            let (p, q) = (random.below(side + 1), random.below(side + 1));
            (min[k], max[k]) =
                if p == q { (p.min(side - 1), p.min(side - 1) + 1) } else { (p.min(q), p.max(q)) };
        }
        Block { min: min.map(|x| x as i32), max: max.map(|x| x as i32), winding: 1 }
    }

    fn holds(&self, place: [i32; 3]) -> bool {
        (0..3).all(|k| 2 * self.min[k] <= place[k] && place[k] <= 2 * self.max[k])
    }

    fn holds_inside(&self, place: [i32; 3]) -> bool {
        (0..3).all(|k| 2 * self.min[k] < place[k] && place[k] < 2 * self.max[k])
    }

    fn corner(&self, i: usize) -> Vec3 {
        Vec3::from(std::array::from_fn(|k| {
            f64::from(if i >> k & 1 == 1 { self.max[k] } else { self.min[k] })
        }))
    }
}

fn mesh_of(blocks: &[Block], random: &mut Random) -> Mesh {
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for block in blocks {
        let first = vertices.len() as u32;
        vertices.extend((0..8).map(|i| block.corner(i)));
        for [a, b, c, d] in quads.map(|q| q.map(|v| v + first)) {
            for [a, b, c] in [[a, b, c], [a, c, d]] {
                faces.push(if block.winding > 0 { [a, b, c] } else { [a, c, b] });
            }
        }
    }
    // What changes nothing: faces without area, a pair of faces back to back, corners of their own for each face.
    if random.below(3) == 0 {
        for _ in 0..1 + random.below(4) {
            let [a, b, _] = faces[random.below(faces.len())];
            faces.push([a, b, a]);
        }
    }
    if random.below(4) == 0 {
        let [a, b, c] = faces[random.below(faces.len())];
        faces.extend([[a, b, c], [a, c, b]]);
    }
    if random.below(3) == 0 {
        let loose: Vec<Vec3> = faces.iter().flatten().map(|&v| vertices[v as usize]).collect();
        faces = (0..faces.len() as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
        vertices = loose;
    }
    Mesh::new(vertices, faces).unwrap()
}

/// All places of the grid that belong to a body.
struct Filled {
    places: Vec<bool>,
}

fn index(place: [i32; 3]) -> usize {
    let [x, y, z] = place.map(|c| c as usize);
    (z * PLACES + y) * PLACES + x
}

fn all_places() -> impl Iterator<Item = [i32; 3]> {
    (0..PLACES.pow(3)).map(|i| [i % PLACES, i / PLACES % PLACES, i / PLACES / PLACES].map(|c| c as i32))
}

fn is_cell(place: [i32; 3]) -> bool {
    place.iter().all(|c| c % 2 == 1)
}

impl Filled {
    /// Where the winding number is not zero, with the walls round it.
    fn new(blocks: &[Block]) -> Filled {
        let cell = |p: [i32; 3]| {
            is_cell(p) && blocks.iter().filter(|b| b.holds_inside(p)).map(|b| b.winding).sum::<i32>() != 0
        };
        let wall = |p: [i32; 3]| blocks.iter().any(|b| b.holds(p) && !b.holds_inside(p));
        let beside = |p: [i32; 3]| {
            (0..27).any(|i| {
                let d = [i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1];
                (0..3).all(|k| (p[k] % 2 == 0) == (d[k] != 0))
                    && cell([p[0] + d[0], p[1] + d[1], p[2] + d[2]])
            })
        };
        Filled { places: all_places().map(|p| cell(p) || beside(p) || wall(p)).collect() }
    }

    fn relation(&self, other: &Filled) -> Relation {
        let mut counts = [[0usize; 2]; 2];
        let mut shares_cell = false;
        for p in all_places() {
            let (a, b) = (self.places[index(p)], other.places[index(p)]);
            counts[usize::from(a)][usize::from(b)] += 1;
            shares_cell |= a && b && is_cell(p);
        }
        match (counts[1][1] > 0, shares_cell, counts[1][0] == 0, counts[0][1] == 0) {
            (false, ..) => Relation::Separate,
            (true, false, ..) => Relation::Touching,
            (_, _, true, true) => Relation::Same,
            (_, _, true, false) => Relation::AInsideB,
            (_, _, false, true) => Relation::BInsideA,
            _ => Relation::Overlapping,
        }
    }

    /// The least distance of places: right for bodies made of cells.
    fn distance(&self, other: &Filled) -> f64 {
        let corners = |f: &Filled| -> Vec<[i32; 3]> {
            all_places().filter(|p| p.iter().all(|c| c % 2 == 0) && f.places[index(*p)]).collect()
        };
        let (a, b) = (corners(self), corners(other));
        let squares =
            a.iter().flat_map(|p| b.iter().map(move |q| (0..3).map(|k| (p[k] - q[k]).pow(2)).sum::<i32>()));
        squares.min().map_or(f64::INFINITY, |s| 0.5 * f64::from(s).sqrt())
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Make {
    /// Boxes that may overlap, touch and repeat.
    United,
    /// A box with a cavity, and perhaps one in the cavity.
    Hollow,
    /// Windings of either sign that overlap.
    Any,
}

fn blocks(random: &mut Random, make: Make) -> Vec<Block> {
    match make {
        Make::United => {
            let count = 1 + random.below(3);
            let mut list: Vec<Block> = (0..count).map(|_| Block::random(random, SIDE - 2)).collect();
            if random.below(4) == 0 {
                list.push(list[0]);
            }
            if random.below(5) == 0 {
                list.iter_mut().for_each(|b| b.winding = -1);
            }
            list
        }
        Make::Hollow => {
            let outer = Block { min: [0; 3], max: [SIDE as i32 - 1; 3], winding: 1 };
            let inner = Block { min: [1; 3], max: [SIDE as i32 - 2; 3], winding: -1 };
            let core = Block { min: [2; 3], max: [3; 3], winding: 1 };
            if random.below(2) == 0 { vec![outer, inner] } else { vec![outer, inner, core] }
        }
        Make::Any => (0..1 + random.below(3))
            .map(|_| Block {
                winding: if random.below(2) == 0 { 1 } else { -1 },
                ..Block::random(random, SIDE - 2)
            })
            .collect(),
    }
}

fn moved(list: &[Block], by: [i32; 3]) -> Vec<Block> {
    let add = |p: [i32; 3]| [0, 1, 2].map(|k| p[k] + by[k]);
    list.iter().map(|b| Block { min: add(b.min), max: add(b.max), ..*b }).collect()
}

fn compound_of(list: &[Block]) -> Shape {
    let part = |b: &Block| {
        let (min, max) = (b.corner(0), b.corner(7));
        let compound_from_part = Pose::from_translation(0.5 * (min + max));
        Part { compound_from_part, shape: Shape::Cuboid(Cuboid::new(max - min).unwrap()) }
    };
    Shape::Compound(Compound::new(list.iter().map(part).collect()).unwrap())
}

/// Asks everything about two bodies and holds it against the grid.
fn check(a: &Prepared, b: &Prepared, pose: &Pose, [known, other]: [&Filled; 2], is_one: bool, what: &str) {
    let expected = known.relation(other);
    let relation = intersect(a, b, pose).unwrap().relation;
    assert_eq!(relation, intersect(b, a, &pose.inverse()).unwrap().relation.swapped(), "{what}");
    // Walls where windings cancel, and parts that only together hold the other, are a matter of words.
    let is_told = relation == expected || !is_one && relation != Relation::Separate;
    assert!(
        is_told && (expected != Relation::Separate || relation == expected),
        "{relation:?} is {expected:?}: {what}"
    );
    assert_eq!(intersects(a, b, pose).unwrap(), relation != Relation::Separate, "{what}");
    let gap = distance(a, b, pose).unwrap().distance;
    let right = if relation == Relation::Separate { known.distance(other) } else { 0.0 };
    assert!((gap.max(0.0) - right).abs() <= 1e-12, "{gap}, right {right}: {what}");
    let found = contact(a, b, pose).unwrap();
    assert_eq!(found.intersects, relation != Relation::Separate, "{what}");
    assert_eq!(found.intersects, !found.points.is_empty(), "{what}");
    for point in &found.points {
        assert!(point.point.is_finite() && point.normal.is_normalized(), "{point:?}: {what}");
        assert!(point.depth >= 0.0 && point.region < found.regions, "{point:?}: {what}");
    }
    let out = found.translation.expect("bodies with an end come apart");
    assert!((out.length() - found.depth).abs() <= 1e-12, "{what}");
    assert_eq!(found.depth <= 1e-12, is_apart(relation), "{} {relation:?}: {what}", found.depth);
    let left = intersect(a, b, &(Pose::from_translation(-out) * *pose)).unwrap().relation;
    assert!(is_apart(left), "{out} leaves them {left:?}: {what}");
}

fn is_apart(relation: Relation) -> bool {
    matches!(relation, Relation::Separate | Relation::Touching)
}

fn prepared(mesh: &Mesh) -> Prepared {
    Prepared::new(Shape::Mesh(Arc::new(mesh.clone())))
}

fn placed(mesh: &Mesh, pose: &Pose) -> Mesh {
    let vertices = mesh.vertices().iter().map(|v| pose.transform_point(*v)).collect();
    Mesh::new(vertices, mesh.faces().to_vec()).unwrap()
}

#[test]
fn bodies_of_boxes() {
    let mut random = Random::new(31);
    let (mut workspace, mut seen, mut mixed) = (MeshWorkspace::default(), Vec::new(), 0);
    for _ in 0..cases(300) {
        let makes = [Make::United, Make::Hollow, Make::Any];
        let (make_a, make_b) = (makes[random.below(3)], makes[random.below(3)]);
        let (a, b) = (blocks(&mut random, make_a), blocks(&mut random, make_b));
        let room = SIDE as i32 - b.iter().flat_map(|b| b.max).max().unwrap();
        let by = [0; 3].map(|_| random.below(room as usize + 1) as i32);
        let known = [&Filled::new(&a), &Filled::new(&moved(&b, by))];
        let (mesh_a, mesh_b) = (mesh_of(&a, &mut random), mesh_of(&b, &mut random));
        let pose = Pose::from_translation(Vec3::from(by.map(f64::from)));
        let what = format!("{a:?} {b:?} {by:?}");
        let (a_mesh, b_mesh) = (prepared(&mesh_a), prepared(&mesh_b));
        let is_one = make_a != Make::Any && make_b != Make::Any;
        // Shells of opposite winding that cross: what is inside is a matter of opinion where they cancel, and told to be unknown there.
        let is_mixed = |make: Make, list: &[Block]| {
            make == Make::Any && list.iter().any(|b| b.winding != list[0].winding)
        };
        let is_mixed_a = is_mixed(make_a, &a);
        let is_clear = !is_mixed_a && !is_mixed(make_b, &b);
        let mut check =
            |a: &Prepared, b: &Prepared, pose: &Pose, known: [&Filled; 2], is_one: bool, what: &str| {
                if is_clear {
                    check(a, b, pose, known, is_one, what);
                } else if known[0].relation(known[1]) != Relation::Separate {
                    // Unknown perhaps, but not apart.
                    let relation = intersect(a, b, pose).unwrap().relation;
                    assert_ne!(relation, Relation::Separate, "{what}");
                    assert!(
                        distance(a, b, pose).unwrap().distance <= 1e-12 || relation == Relation::Unknown,
                        "{what}"
                    );
                    mixed += 1;
                }
            };
        check(&a_mesh, &b_mesh, &pose, known, is_one, &what);
        // Turned, so that nothing lies exactly where it should.
        let turn = Pose::new(random.rotation(), Vec3::ZERO).unwrap();
        let turned = prepared(&placed(&mesh_a, &turn));
        check(&turned, &b_mesh, &(turn * pose), known, is_one, &format!("turned {what}"));
        if b.iter().all(|b| b.winding == 1) {
            let b_parts = Prepared::new(compound_of(&b));
            check(&a_mesh, &b_parts, &pose, known, false, &format!("parts {what}"));
            if a.iter().all(|a| a.winding == 1) {
                let a_parts = Prepared::new(compound_of(&a));
                check(&a_parts, &b_parts, &pose, known, false, &format!("compounds {what}"));
            }
        }
        let tree = MeshTree::build(mesh_a);
        for p in all_places().filter(|p| is_cell(*p)) {
            let place = if known[0].places[index(p)] { PointPlace::Inside } else { PointPlace::Outside };
            let at = 0.5 * Vec3::from(p.map(f64::from));
            let found = locate(&tree, at, &mut workspace);
            if is_mixed_a {
                let is_in_one = a.iter().any(|b| (at.cmpgt(b.corner(0)) & at.cmplt(b.corner(7))).all());
                assert!(found != PointPlace::Inside || is_in_one, "{p:?} {what}");
                assert!(found != PointPlace::Outside || place == PointPlace::Outside, "{p:?} {what}");
            } else {
                assert_eq!(found, place, "{p:?} {what}");
            }
        }
        seen.push(known[0].relation(known[1]));
    }
    assert!(cases(300) < 300 || mixed > 100, "{mixed}");
    let all = [Relation::Separate, Relation::Touching, Relation::Overlapping, Relation::AInsideB];
    for relation in all.into_iter().chain([Relation::BInsideA, Relation::Same]) {
        assert!(cases(300) < 300 || seen.contains(&relation), "never {relation:?}");
    }
}
