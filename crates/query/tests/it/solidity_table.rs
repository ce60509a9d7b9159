//! Forty kinds of bad meshes, each with a probe far away, in the hull but outside, and inside: what a person would call right.
//!
//! The oracle of the good parts is the solid angle of the body that was meant, summed in f64.

use freiraum_geometry::shape::{Compound, HeightField, Part, Shape, Sphere};
use freiraum_geometry::{Mesh, Pose, Vec3};
use freiraum_query::intersect::Relation;
use freiraum_query::mesh_tree::{MeshTree, MeshWorkspace, PointPlace, locate};
use freiraum_query::{Prepared, contact, distance, intersect, intersects};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::sync::Arc;

type Soup = Vec<[Vec3; 3]>;

/// A block as a prism with an L as its outline, so that its hull is larger than itself: 2 by 2 by 2, the quarter with x and y above 1 missing.
fn bracket() -> Soup {
    let outline = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
    let at = |k: usize, z: f64| Vec3::new(outline[k % 6].0, outline[k % 6].1, z);
    let mut soup = Vec::new();
    for k in 0..6 {
        soup.push([at(k, 0.0), at(k + 1, 0.0), at(k + 1, 2.0)]);
        soup.push([at(k, 0.0), at(k + 1, 2.0), at(k, 2.0)]);
    }
    for [i, j, k] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        soup.push([at(i, 2.0), at(j, 2.0), at(k, 2.0)]);
        soup.push([at(i, 0.0), at(k, 0.0), at(j, 0.0)]);
    }
    soup
}

/// The same block with all its faces cut along the other diagonals.
fn bracket_cut_otherwise() -> Soup {
    let outline = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
    let at = |k: usize, z: f64| Vec3::new(outline[k % 6].0, outline[k % 6].1, z);
    let mut soup = Vec::new();
    for k in 0..6 {
        soup.push([at(k, 0.0), at(k + 1, 0.0), at(k, 2.0)]);
        soup.push([at(k + 1, 0.0), at(k + 1, 2.0), at(k, 2.0)]);
    }
    // The reflex corner sees all others.
    for [i, j, k] in [[3, 4, 5], [3, 5, 0], [3, 0, 1], [3, 1, 2]] {
        soup.push([at(i, 2.0), at(j, 2.0), at(k, 2.0)]);
        soup.push([at(i, 0.0), at(k, 0.0), at(j, 0.0)]);
    }
    soup
}

/// Every triangle with corners of its own, off by up to `most`.
fn shaken(soup: &Soup, most: f64, seed: u64) -> Soup {
    let mut random = Random::new(seed);
    soup.iter().map(|t| t.map(|p| p + random.in_cube(most))).collect()
}

fn block(min: Vec3, max: Vec3) -> Soup {
    let corner = |i: usize| {
        Vec3::new(
            if i & 1 == 1 { max.x } else { min.x },
            if i & 2 == 2 { max.y } else { min.y },
            if i & 4 == 4 { max.z } else { min.z },
        )
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).map(|t| t.map(corner)).collect()
}

fn turned(soup: &Soup) -> Soup {
    soup.iter().map(|&[a, b, c]| [a, c, b]).collect()
}

fn and(mut one: Soup, other: Soup) -> Soup {
    one.extend(other);
    one
}

fn moved(soup: Soup, by: Vec3) -> Soup {
    soup.into_iter().map(|t| t.map(|p| p + by)).collect()
}

fn mesh(soup: &Soup) -> Mesh {
    let faces = (0..soup.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(soup.concat(), faces).unwrap()
}

fn prepared(soup: &Soup) -> Prepared {
    Prepared::new(Shape::Mesh(Arc::new(mesh(soup))))
}

/// Far away, in the notch of the bracket, inside of it.
const FAR: Vec3 = Vec3::new(9.0, 9.0, 9.0);
const NOTCH: Vec3 = Vec3::new(1.25, 1.25, 1.1);
const INSIDE: Vec3 = Vec3::new(0.3, 0.6, 1.1);

use Relation::{Separate as Apart, Unknown};
const IN: Relation = Relation::AInsideB;

struct Kind {
    name: &'static str,
    soup: Soup,
    /// In the notch and inside; far away it is apart always.
    expected: [Relation; 2],
}

fn kinds() -> Vec<Kind> {
    let good = bracket();
    let kind = |name: &'static str, soup: Soup, expected: [Relation; 2]| Kind { name, soup, expected };
    let without = |faces: &[usize]| -> Soup {
        good.iter().enumerate().filter(|(i, _)| !faces.contains(i)).map(|(_, t)| *t).collect()
    };
    let shifted = |faces: &[usize], by: Vec3| -> Soup {
        let shift = |(i, t): (usize, &[Vec3; 3])| if faces.contains(&i) { t.map(|p| p + by) } else { *t };
        good.iter().enumerate().map(shift).collect()
    };
    let flipped = |faces: &[usize]| -> Soup {
        let turn =
            |(i, &[a, b, c]): (usize, &[Vec3; 3])| if faces.contains(&i) { [a, c, b] } else { [a, b, c] };
        good.iter().enumerate().map(turn).collect()
    };
    // A face cut in two at a corner that its neighbour does not have, off its edge by a little.
    let junction = |off: f64| -> Soup {
        let [a, b, c] = good[0];
        let middle = 0.5 * (a + b) + off * Vec3::Y;
        and(without(&[0]), vec![[a, middle, c], [middle, b, c]])
    };
    let rounded: Soup =
        good.iter().map(|t| t.map(|p| ((p * 0.1 + 0.3).as_vec3().as_dvec3() - 0.3) * 10.0)).collect();
    let cavity = turned(&block(Vec3::new(0.2, 0.2, 0.8), Vec3::new(0.7, 0.7, 1.4)));
    let loose = vec![[Vec3::splat(20.0), Vec3::new(21.0, 20.0, 20.0), Vec3::new(20.0, 21.0, 20.5)]];
    let small = |at: Vec3| block(at - 0.05, at + 0.05);
    let open_box = |at: Vec3| block(at - 0.5, at + 0.5)[2..].to_vec();
    let partition = {
        // A wall right through, on the edges of the others: three faces at each of its edges.
        let [a, b, c, d] = [
            Vec3::new(0.0, 0.0, 0.0),
            Vec3::new(1.0, 1.0, 0.0),
            Vec3::new(1.0, 1.0, 2.0),
            Vec3::new(0.0, 0.0, 2.0),
        ];
        vec![[a, b, c], [a, c, d]]
    };
    let moebius = {
        let strip = |k: u32, s: f64| {
            let (turn, half) =
                (f64::from(k) * std::f64::consts::TAU / 24.0, f64::from(k) * std::f64::consts::PI / 24.0);
            let radius = 1.0 + s * half.cos();
            Vec3::new(1.0 + radius * turn.cos(), 1.0 + radius * turn.sin(), 1.0 + s * half.sin())
        };
        let row = |k: u32| -> Soup {
            let [p, q, r, s] = [strip(k, -0.5), strip(k + 1, -0.5), strip(k + 1, 0.5), strip(k, 0.5)];
            vec![[p, q, r], [p, r, s]]
        };
        (0..24).flat_map(row).collect::<Soup>()
    };
    vec![
        kind("sound", good.clone(), [Apart, IN]),
        kind("rounded to f32, away from the origin", rounded, [Apart, IN]),
        kind("inside out", turned(&good), [Apart, IN]),
        kind("a face is missing", without(&[3]), [Unknown; 2]),
        kind("the lid is missing", without(&[12, 14, 16, 18]), [Unknown; 2]),
        kind("only one side is there", good[0..2].to_vec(), [Apart, Apart]),
        kind("two-sided export", and(good.clone(), turned(&good)), [Unknown; 2]),
        kind(
            "two-sided export, cut along other diagonals",
            and(good.clone(), turned(&bracket_cut_otherwise())),
            [Unknown; 2],
        ),
        kind(
            "two-sided export of a block without a lid, cut along other diagonals",
            and(without(&[12, 14, 16, 18]), turned(&bracket_cut_otherwise()[..12].to_vec())),
            [Unknown; 2],
        ),
        kind(
            "two-sided export of loose triangles off by 1e-9",
            shaken(&good, 1e-9, 7).iter().flat_map(|&[a, b, c]| [[a, b, c], [a, c, b]]).collect(),
            [Unknown; 2],
        ),
        kind(
            "two-sided export, both sides with a T-junction, off by 1e-9",
            and(
                junction(1e-7),
                turned(&junction(1e-7).iter().map(|t| t.map(|p| p * (1.0 - 1e-9))).collect()),
            ),
            [Unknown; 2],
        ),
        kind(
            "two-sided export, both sides without a face, off by 1e-9",
            and(without(&[3]), turned(&without(&[3]).iter().map(|t| t.map(|p| p * (1.0 - 1e-9))).collect())),
            [Unknown; 2],
        ),
        kind(
            "flush with an inside-out block in it",
            and(good.clone(), turned(&block(Vec3::ZERO, Vec3::new(1.0, 1.0, 2.0)))),
            [Apart, Unknown],
        ),
        kind(
            "the lid is missing, a large block far away",
            and(without(&[12, 14, 16, 18]), block(Vec3::splat(1e5), Vec3::splat(1.001e5))),
            [Unknown; 2],
        ),
        kind(
            "the lid is missing, a large open floor below",
            and(
                without(&[12, 14, 16, 18]),
                block(Vec3::new(-1e6, -1e6, -2.0), Vec3::new(1e6, 1e6, -1.0))[2..4].to_vec(),
            ),
            [Unknown; 2],
        ),
        kind("loose triangles off by 1e-9", shaken(&good, 1e-9, 8), [Apart, IN]),
        kind(
            "loose triangles off by 1e-9, a large block far away",
            and(shaken(&good, 1e-9, 9), block(Vec3::splat(1e5), Vec3::splat(1.001e5))),
            [Apart, IN],
        ),
        kind("every face twice, same winding", and(good.clone(), good.clone()), [Apart, IN]),
        kind("a face twice, same winding", and(good.clone(), vec![good[3]]), [Apart, IN]),
        kind("a face twice, opposite winding", and(good.clone(), turned(&vec![good[3]])), [Unknown; 2]),
        kind("a face is turned", flipped(&[3]), [Apart, IN]),
        kind("half of the faces are turned", flipped(&[0, 2, 4, 6, 8, 10, 12, 14, 16, 18]), [Apart, IN]),
        kind("a crack of 1e-7", shifted(&[4, 5], Vec3::splat(1e-7)), [Apart, IN]),
        kind("a crack of 1e-5", shifted(&[4, 5], Vec3::splat(1e-5)), [Apart, IN]),
        kind("a gap of a hundredth", shifted(&[4, 5], Vec3::splat(0.01)), [Unknown; 2]),
        kind("a T-junction", junction(0.0), [Apart, IN]),
        kind("a T-junction off by 1e-7", junction(1e-7), [Apart, IN]),
        kind("a T-junction off by a hundredth", junction(0.01), [Unknown; 2]),
        kind("a loose triangle beside it", and(good.clone(), loose), [Apart, IN]),
        kind("an open box beside it", and(good.clone(), open_box(Vec3::splat(20.0))), [Apart, IN]),
        kind(
            "an open box around it",
            and(good.clone(), block(Vec3::splat(-1.0), Vec3::splat(3.0))[2..].to_vec()),
            [Unknown, IN],
        ),
        kind(
            "a fin on an edge",
            and(good.clone(), vec![[good[0][0], good[0][1], Vec3::new(1.0, -1.0, 0.0)]]),
            [Apart, IN],
        ),
        kind("a wall right through it", and(good.clone(), partition), [Unknown; 2]),
        kind("a cavity in it", and(good.clone(), cavity.clone()), [Apart, Apart]),
        // As far as anybody can tell it may as well be a solid in a solid that is inside out.
        kind("a cavity in it, all inside out", turned(&and(good.clone(), cavity)), [Apart, Unknown]),
        kind("a solid in it", and(good.clone(), small(Vec3::new(0.2, 0.2, 0.3))), [Apart, IN]),
        kind(
            "overlapping an inside-out block",
            and(good.clone(), turned(&block(Vec3::new(-0.6, -0.6, 0.3), Vec3::new(0.8, 0.8, 1.7)))),
            [Apart, IN],
        ),
        kind(
            "overlapping another block",
            and(good.clone(), block(Vec3::new(-0.6, -0.6, 0.3), Vec3::new(0.8, 0.8, 1.7))),
            [Apart, IN],
        ),
        kind(
            "face to face with another block",
            and(
                block(Vec3::ZERO, Vec3::new(1.0, 2.0, 2.0)),
                block(Vec3::new(1.0, 0.0, 0.0), Vec3::new(2.0, 2.0, 2.0)),
            ),
            [IN, IN],
        ),
        kind(
            "edge to edge with another block",
            and(good.clone(), moved(block(Vec3::ZERO, Vec3::ONE), Vec3::new(2.0, -1.0, 0.0))),
            [Apart, IN],
        ),
        kind(
            "loose triangles",
            good.iter()
                .map(|&[a, b, c]| {
                    let middle = (a + b + c) / 3.0;
                    [a, b, c].map(|p| middle + 0.98 * (p - middle))
                })
                .collect(),
            [Unknown; 2],
        ),
        kind("a strip with one side", moebius, [Unknown; 2]),
    ]
}

fn probe(at: Vec3) -> (Prepared, Pose) {
    (Prepared::new(Shape::Sphere(Sphere::new(0.05).unwrap())), Pose::from_translation(-at))
}

/// The verdicts, through every question and with balls and meshes as probes.
#[test]
fn forty_kinds_of_bad_meshes() {
    let mut wrong = Vec::new();
    for Kind { name, soup, expected } in kinds() {
        let body = prepared(&soup);
        for (at, expected) in [(FAR, Apart), (NOTCH, expected[0]), (INSIDE, expected[1])] {
            let (ball, ball_from_body) = probe(at);
            let cube = prepared(&block(at - 0.05, at + 0.05));
            for (probe, pose) in [(&ball, ball_from_body), (&cube, Pose::IDENTITY)] {
                let found = intersect(probe, &body, &pose).unwrap();
                if found.relation != expected {
                    wrong.push(format!("{name}, {at}: {:?}, not {expected:?}", found.relation));
                    continue;
                }
                assert_eq!(
                    intersect(&body, probe, &pose.inverse()).unwrap().relation.swapped(),
                    expected,
                    "{name}"
                );
                assert_eq!(intersects(probe, &body, &pose).unwrap(), expected == IN, "{name} {at}");
                assert_eq!(
                    distance(probe, &body, &pose).unwrap().distance == 0.0,
                    expected == IN,
                    "{name} {at}"
                );
                let touch = contact(probe, &body, &pose).unwrap();
                assert_eq!(
                    (touch.intersects, touch.is_unknown),
                    (expected == IN, expected == Unknown),
                    "{name} {at}"
                );
                let sheet = body.as_sheet();
                assert_eq!(
                    intersect(probe, &sheet, &pose).unwrap().relation,
                    Apart,
                    "{name} {at} as a sheet"
                );
                assert!(!contact(probe, &sheet, &pose).unwrap().is_unknown, "{name} {at} as a sheet");
            }
        }
        assert!(body.is_doubtful() || !expected.contains(&Unknown), "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Solid angle of the surface as seen from a point, in full spheres.
fn winding(soup: &Soup, p: Vec3) -> f64 {
    let angle = |t: &[Vec3; 3]| {
        let [a, b, c] = t.map(|q| q - p);
        let [x, y, z] = [a.length(), b.length(), c.length()];
        2.0 * a.dot(b.cross(c)).atan2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
    };
    soup.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// Whatever is done to a good mesh: a point that the solid angle of the good one says to be inside is never outside, and
/// no point outside is inside.
#[test]
fn random_damage_never_makes_the_inside_outside() {
    let mut random = Random::new(18);
    let mut memory = MeshWorkspace::default();
    let mut seen = [0; 3];
    for round in 0..cases(400) {
        let other = block(Vec3::new(0.2, -0.5, 0.5), Vec3::new(0.7, 0.6, 1.5));
        let good = if round % 2 == 0 { bracket() } else { and(bracket(), other) };
        let mut bad = good.clone();
        for _ in 0..1 + random.below(3) {
            let face = random.below(bad.len());
            let [a, b, c] = bad[face];
            match random.below(7) {
                0 => drop(bad.remove(face)),
                1 => bad.push([a, b, c]),
                2 => bad.push([a, c, b]),
                3 => bad[face] = [a, c, b],
                4 => bad[face] = [a, b, c].map(|p| p + random.in_cube(1e-6)),
                5 => {
                    let middle = 0.5 * (a + b);
                    bad[face] = [a, middle, c];
                    bad.push([middle, b, c]);
                }
                _ => bad
                    .push([random.in_cube(1.0), random.in_cube(1.0), random.in_cube(1.0)].map(|p| p + 20.0)),
            }
        }
        if random.below(4) == 0 {
            bad = turned(&bad);
        }
        let tree = MeshTree::build(mesh(&bad));
        for _ in 0..20 {
            let p = random.in_cube(1.6) + 1.0;
            let expected = winding(&good, p).round() != 0.0;
            match locate(&tree, p, &mut memory) {
                PointPlace::Inside => assert!(expected, "{round}: {p} is outside, {bad:?}"),
                PointPlace::Outside => assert!(!expected, "{round}: {p} is inside, {bad:?}"),
                PointPlace::Unknown => seen[2] += 1,
                PointPlace::OnSurface => {}
            }
            seen[usize::from(expected)] += 1;
        }
    }
    assert!(seen.iter().all(|n| *n > 100) && seen[2] < seen[0] + seen[1], "{seen:?}");
}

/// Two blocks on a lattice, with faces cut along either diagonal and sides in common, one of them or both inside out: what is inside of one is never outside.
#[test]
fn flush_blocks_wound_against_each_other_do_not_cancel_in_silence() {
    let mut random = Random::new(19);
    let mut memory = MeshWorkspace::default();
    let mut seen = [0; 3];
    for round in 0..cases(600) {
        let mut cell = |from: usize, to: usize| from + random.below(to - from);
        let mut corners = || {
            let min = [cell(0, 3), cell(0, 3), cell(0, 3)];
            (min, [cell(min[0] + 1, 4), cell(min[1] + 1, 4), cell(min[2] + 1, 4)])
        };
        let blocks = [corners(), corners()];
        let is_in = |inner: ([usize; 3], [usize; 3]), outer: ([usize; 3], [usize; 3])| {
            (0..3).all(|k| inner.0[k] >= outer.0[k] && inner.1[k] <= outer.1[k])
        };
        // One in the other is a cavity.
        if is_in(blocks[0], blocks[1]) || is_in(blocks[1], blocks[0]) {
            continue;
        }
        let mut soup = Soup::new();
        for (min, max) in blocks {
            let mut own = Soup::new();
            // Each side in unit squares, so that what is flush has corners and edges in common.
            for axis in 0..3 {
                let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
                for (level, is_top) in [(min[axis], false), (max[axis], true)] {
                    for i in min[u]..max[u] {
                        for j in min[v]..max[v] {
                            let at = |di: usize, dj: usize| {
                                let mut p = [0.0; 3];
                                (p[axis], p[u], p[v]) = (level as f64, (i + di) as f64, (j + dj) as f64);
                                Vec3::from_array(p)
                            };
                            let [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
                            let square = match random.below(2) {
                                0 => vec![[a, b, c], [a, c, d]],
                                _ => vec![[a, b, d], [b, c, d]],
                            };
                            own.extend(if is_top { square } else { turned(&square) });
                        }
                    }
                }
            }
            soup.extend(if random.below(2) == 0 { turned(&own) } else { own });
        }
        let tree = MeshTree::build(mesh(&soup));
        for _ in 0..20 {
            let p = random.in_cube(1.8) + 2.0;
            let holds = |(min, max): ([usize; 3], [usize; 3])| {
                (0..3).all(|k| p[k] > min[k] as f64 && p[k] < max[k] as f64)
            };
            let expected = blocks.into_iter().any(holds);
            match locate(&tree, p, &mut memory) {
                PointPlace::Inside => assert!(expected, "{round}: {p} is outside of {blocks:?}"),
                PointPlace::Outside => assert!(!expected, "{round}: {p} is inside of {blocks:?}"),
                PointPlace::Unknown => seen[2] += 1,
                PointPlace::OnSurface => {}
            }
            seen[usize::from(expected)] += 1;
        }
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "{seen:?}");
}

/// All squares on the border of a set of unit cells of a lattice, wound outwards; lattice lines stand at these coordinates.
fn cells(lines: &[f64], is_in: impl Fn([usize; 3]) -> bool) -> Soup {
    let count = lines.len() - 1;
    let holds = |cell: [isize; 3]| {
        cell.iter().all(|k| (0..count as isize).contains(k)) && is_in(cell.map(|k| k as usize))
    };
    let mut soup = Soup::new();
    for code in 0..count.pow(3) {
        let cell = [code % count, code / count % count, code / count / count];
        if !is_in(cell) {
            continue;
        }
        for axis in 0..3 {
            for is_top in [false, true] {
                let mut next = cell.map(|k| k as isize);
                next[axis] += if is_top { 1 } else { -1 };
                if holds(next) {
                    continue;
                }
                let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
                let at = |i: usize, j: usize| {
                    let mut k = cell;
                    (k[axis], k[u], k[v]) = (cell[axis] + usize::from(is_top), cell[u] + i, cell[v] + j);
                    Vec3::from_array(k.map(|k| lines[k]))
                };
                let [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
                soup.extend(if is_top { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
            }
        }
    }
    soup
}

/// What hides a solid from six lines of sight, or from comparing whole shells: found by an attack on the first mend.
#[test]
fn skins_and_shells_with_something_beside_them_hide_no_solid() {
    let lines = [-4.0, -2.0, -1.0, 1.0, 2.0, 4.0];
    let middle = |k: usize| 0.5 * (lines[k] + lines[k + 1]);
    // Three crossed bars, and a cube the other way round, sewn together where they cross.
    let jack = cells(&lines, |cell| cell.iter().filter(|k| middle(**k).abs() < 1.0).count() >= 2);
    let cube = cells(&lines, |cell| cell.iter().all(|k| middle(*k).abs() < 2.0));
    let room = |e: f64| turned(&block(Vec3::splat(e), Vec3::splat(1.0 - e)));
    let unit = || block(Vec3::ZERO, Vec3::ONE);
    let lump = block(Vec3::X, Vec3::new(2.0, 1.0, 1.0));
    let knob = block(Vec3::new(0.4, 0.4, 1.0), Vec3::new(0.6, 0.6, 1.5));
    let halves = |e: f64| {
        let left = block(Vec3::splat(e), Vec3::new(0.5, 1.0 - e, 1.0 - e));
        let right = block(Vec3::new(0.5, e, e), Vec3::splat(1.0 - e));
        turned(&and(left, right))
    };
    let center = Vec3::new(0.45, 0.52, 0.55);
    for (name, soup, at) in [
        ("a jack and a cube the other way round", and(jack.clone(), turned(&cube)), Vec3::new(0.1, 0.2, 0.3)),
        ("the same turned round", and(turned(&jack), cube), Vec3::new(0.1, 0.2, 0.3)),
        ("a doubled block and a block flush with it", and(and(unit(), room(1e-7)), lump), center),
        ("a doubled block and a knob on it", and(and(unit(), room(1e-6)), knob), center),
        (
            "a doubled block with its inner skin in two pieces",
            and(unit(), halves(1e-7)),
            Vec3::new(0.3, 0.52, 0.55),
        ),
    ] {
        let body = prepared(&soup);
        let (ball, ball_from_body) = probe(at);
        assert_eq!(intersect(&ball, &body, &ball_from_body).unwrap().relation, Unknown, "{name}");
        let cube = prepared(&block(at - 0.05, at + 0.05));
        assert_eq!(intersect(&cube, &body, &Pose::IDENTITY).unwrap().relation, Unknown, "{name}");
    }
}

/// Rooms with walls of solids that lie flush on each other are rooms.
#[test]
fn rooms_between_flush_solids_stay_rooms() {
    // Two cups of a housing, rim on rim, the rims cut along different diagonals.
    let lines = [0.0, 0.1, 0.5, 0.9, 1.0];
    let cup = |low: usize, high: usize| {
        cells(&lines, |[i, j, k]| {
            let is_room = (1..3).contains(&i) && (1..3).contains(&j) && (1..3).contains(&k);
            (low..high).contains(&k) && !is_room
        })
    };
    let shifted = |soup: Soup| soup.into_iter().map(|[a, b, c]| [b, c, a]).collect::<Soup>();
    let upper: Soup = cup(2, 4);
    let room = and(cup(0, 2), shifted(upper));
    let body = prepared(&room);
    for at in [Vec3::splat(0.45), Vec3::new(0.3, 0.6, 0.52), Vec3::new(0.7, 0.33, 0.81)] {
        let (ball, ball_from_body) = probe(at);
        assert_eq!(intersect(&ball, &body, &ball_from_body).unwrap().relation, Apart, "{at}");
    }
}

/// Panels that are parts of a compound are the walls of one body: what is between them may be inside.
#[test]
fn panels_of_a_compound_are_walls_of_one_body() {
    let sides = block(Vec3::splat(-1.0), Vec3::ONE);
    let panel = |faces: &[[Vec3; 3]]| Part {
        compound_from_part: Pose::IDENTITY,
        shape: Shape::Mesh(Arc::new(mesh(&faces.to_vec()))),
    };
    let quads: Vec<Part> = sides.chunks(2).map(panel).collect();
    let triangles: Vec<Part> = sides.chunks(1).map(panel).collect();
    let open: Vec<Part> = sides[2..].chunks(2).map(panel).collect();
    for (name, parts) in [("six squares", quads), ("twelve triangles", triangles), ("no floor", open)] {
        let body = Prepared::new(Shape::Compound(Compound::new(parts).unwrap()));
        assert!(body.is_doubtful(), "{name}");
        let nested = Compound::new(vec![Part {
            compound_from_part: Pose::from_translation(Vec3::X),
            shape: body.shape().clone(),
        }]);
        let nested = Prepared::new(Shape::Compound(nested.unwrap()));
        for (at, expected) in [(Vec3::ZERO, Unknown), (Vec3::new(0.5, -0.6, 0.8), Unknown), (FAR, Apart)] {
            let (ball, ball_from_body) = probe(at);
            let cube = prepared(&block(at - 0.05, at + 0.05));
            for (probe, pose) in [(&ball, ball_from_body), (&cube, Pose::IDENTITY)] {
                assert_eq!(intersect(probe, &body, &pose).unwrap().relation, expected, "{name} {at}");
                assert_eq!(
                    intersect(&body, probe, &pose.inverse()).unwrap().relation,
                    expected,
                    "{name} {at}"
                );
                let shifted = pose * Pose::from_translation(-Vec3::X);
                assert_eq!(intersect(probe, &nested, &shifted).unwrap().relation, expected, "{name} {at}");
                assert_eq!(
                    contact(probe, &body, &pose).unwrap().is_unknown,
                    expected == Unknown,
                    "{name} {at}"
                );
                assert_eq!(intersect(probe, &body.as_sheet(), &pose).unwrap().relation, Apart, "{name} {at}");
            }
        }
    }
}

/// A tube that is bent through itself: where the faces of opposite sides cancel nothing is called outside.
#[test]
fn crossing_shells_do_not_cancel_in_silence() {
    // Two blocks with an edge in common, one of them inside out, so that they are one shell and are wound against each other.
    let one = block(Vec3::ZERO, Vec3::splat(2.0));
    let other = turned(&block(Vec3::new(0.5, 0.5, -1.0), Vec3::new(1.5, 1.5, 3.0)));
    let tree = MeshTree::build(mesh(&and(one.clone(), other.clone())));
    let mut memory = MeshWorkspace::default();
    // Inside of both, of one, of the other, of none.
    for (p, expected) in [
        (Vec3::new(1.01, 1.02, 1.03), [PointPlace::Inside, PointPlace::Unknown]),
        (Vec3::new(0.21, 0.22, 1.03), [PointPlace::Inside; 2]),
        (Vec3::new(1.01, 1.02, 2.53), [PointPlace::Inside; 2]),
        (Vec3::new(5.01, 1.02, 1.03), [PointPlace::Outside; 2]),
    ] {
        let found = locate(&tree, p, &mut memory);
        assert!(expected.contains(&found), "{p}: {found:?}");
    }
}

#[test]
fn height_fields_are_solid_below() {
    let heights = [[0.0, 0.1, 0.0], [0.2, 0.4, 0.1], [0.0, 0.1, 0.0]];
    let field = Prepared::new(Shape::HeightField(HeightField::new([2.0, 2.0], &heights).unwrap()));
    for (at, expected) in [
        (Vec3::new(0.1, 0.2, 1.0), Apart),
        (Vec3::new(0.1, 0.2, -1.0), IN),
        (Vec3::new(0.1, 0.2, -1000.0), IN),
        (Vec3::new(1.2, 0.2, -1.0), Apart),
        (Vec3::new(-0.9, -0.9, -0.2), IN),
    ] {
        let (ball, ball_from_field) = probe(at);
        let cube = prepared(&block(at - 0.05, at + 0.05));
        for (probe, pose) in [(&ball, ball_from_field), (&cube, Pose::IDENTITY)] {
            assert_eq!(intersect(probe, &field, &pose).unwrap().relation, expected, "{at}");
            assert_eq!(intersects(&field, probe, &pose.inverse()).unwrap(), expected == IN, "{at}");
            assert_eq!(distance(probe, &field, &pose).unwrap().distance == 0.0, expected == IN, "{at}");
            let touch = contact(probe, &field, &pose).unwrap();
            assert_eq!(touch.intersects, expected == IN, "{at}");
            assert_eq!(
                intersect(probe, &field.as_sheet(), &pose).unwrap().relation,
                Apart,
                "{at} as a sheet"
            );
        }
    }
}
