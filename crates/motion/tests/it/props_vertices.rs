//! Contact times of moving vertices against exact arithmetic, and against contacts made by construction.

use freiraum_geometry::Vec3;
use freiraum_motion::vertices::{VertexContact, edge_edge_time, vertex_face_time};
use freiraum_testkit::exact::{ExactPolynomial, Sturm};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale;
use std::cmp::Ordering;

/// Four points at the start and at the end: a vertex and a face, or two edges.
#[derive(Clone, Copy, Debug)]
struct Case {
    is_edges: bool,
    points: [[Vec3; 4]; 2],
}

impl Case {
    fn ask(&self, separation: f64) -> Option<VertexContact> {
        let [s, e] = self.points;
        if self.is_edges {
            edge_edge_time([[s[0], s[1]], [e[0], e[1]]], [[s[2], s[3]], [e[2], e[3]]], separation)
        } else {
            vertex_face_time([s[0], e[0]], [[s[1], s[2], s[3]], [e[1], e[2], e[3]]], separation)
        }
    }

    /// Corners of the polygon of differences.
    fn corners(&self, at: usize) -> Vec<Vec3> {
        let [p, q, r, s] = self.points[at];
        if self.is_edges { vec![p - r, q - r, q - s, p - s] } else { vec![q - p, r - p, s - p] }
    }
}

/// A polynomial with whole coefficients below 2^53, lowest power first.
type Polynomial = Vec<f64>;

fn times(a: &[f64], b: &[f64]) -> Polynomial {
    let mut out = vec![0.0; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            out[i + j] += x * y;
            assert!(out[i + j].abs() < 2f64.powi(53), "too large to be exact");
        }
    }
    out
}

fn plus(a: &[f64], b: &[f64], sign: f64) -> Polynomial {
    (0..a.len().max(b.len())).map(|i| a.get(i).unwrap_or(&0.0) + sign * b.get(i).unwrap_or(&0.0)).collect()
}

fn cross(a: &[Polynomial; 3], b: &[Polynomial; 3]) -> [Polynomial; 3] {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        plus(&times(&a[j], &b[k]), &times(&a[k], &b[j]), -1.0)
    })
}

fn dot(a: &[Polynomial; 3], b: &[Polynomial; 3]) -> Polynomial {
    (0..3).map(|i| times(&a[i], &b[i])).reduce(|x, y| plus(&x, &y, 1.0)).expect("three")
}

fn exact(p: &[f64]) -> ExactPolynomial {
    ExactPolynomial::from_f64(&p.iter().rev().copied().collect::<Vec<_>>())
}

/// The first time of contact by exact arithmetic, for whole coordinates: `None` if there is none. `Err` where the case is too
/// degenerate for this.
fn first_contact(case: &Case) -> Result<Option<f64>, ()> {
    let (start, end) = (case.corners(0), case.corners(1));
    let n = start.len();
    let corner = |k: usize| -> [Polynomial; 3] {
        std::array::from_fn(|i| vec![start[k % n][i], end[k % n][i] - start[k % n][i]])
    };
    let minus = |a: [Polynomial; 3], b: [Polynomial; 3]| -> [Polynomial; 3] {
        std::array::from_fn(|i| plus(&a[i], &b[i], -1.0))
    };
    let normal = cross(&minus(corner(1), corner(0)), &minus(corner(n - 1), corner(0)));
    let height = exact(&dot(&normal, &corner(0)));
    if height.is_zero() {
        return Err(());
    }
    let sides: Vec<ExactPolynomial> =
        (0..n).map(|k| exact(&dot(&normal, &cross(&corner(k), &corner(k + 1))))).collect();
    let sturm = Sturm::new(&height);
    let side_counts: Vec<Option<Sturm>> =
        sides.iter().map(|s| (!s.is_zero()).then(|| Sturm::new(s))).collect();
    // Zeros of the height in ascending order, each in an interval of its own.
    let mut zeros = Vec::new();
    if height.sign(0.0) == Ordering::Equal {
        zeros.push([0.0, 0.0]);
    }
    let mut open = vec![[0.0, 1.0]];
    while let Some([low, high]) = open.pop() {
        match sturm.count_in(low, high) {
            0 => {}
            1 if high - low < 2f64.powi(-40) => zeros.push([low, high]),
            _ => {
                let middle = 0.5 * (low + high);
                open.extend([[middle, high], [low, middle]]);
            }
        }
    }
    for [low, high] in zeros {
        let mut signs = Vec::new();
        for (side, count) in sides.iter().zip(&side_counts) {
            let Some(count) = count else {
                signs.push(Ordering::Equal);
                continue;
            };
            let is_settled = low == high || (count.count_in(low, high) == 0 && side.sign(low).is_ne());
            if !is_settled {
                return Err(());
            }
            signs.push(side.sign(low));
        }
        if signs.iter().all(|s| s.is_eq()) {
            return Err(());
        }
        if signs.iter().all(|s| s.is_ge()) {
            return Ok(Some(high));
        }
    }
    Ok(None)
}

fn whole(random: &mut Random, half: usize) -> Vec3 {
    let mut one = || random.below(2 * half + 1) as f64 - half as f64;
    Vec3::new(one(), one(), one())
}

#[test]
fn whole_numbers_agree_with_exact_arithmetic() {
    let mut random = Random::new(1);
    let (mut contacts, mut free, mut alarms, mut skipped) = (0, 0, 0, 0);
    for case in 0..scale::cases(10_000) {
        let half = [2, 6, 30][case % 3];
        let points = std::array::from_fn(|_| std::array::from_fn(|_| whole(&mut random, half)));
        let case = Case { is_edges: random.below(2) == 0, points };
        let answer = case.ask(0.0);
        match first_contact(&case) {
            Err(()) => skipped += 1,
            Ok(Some(time)) => {
                contacts += 1;
                let found = answer.unwrap_or_else(|| panic!("missed at {time}: {case:?}"));
                assert!(found.decided && found.time <= time + 1e-12, "{found:?} {time} {case:?}");
                // Twofold zeros are known to half the digits.
                assert!((found.time - time).abs() < 1e-6, "{found:?} {time} {case:?}");
            }
            Ok(None) => {
                free += 1;
                if let Some(found) = answer {
                    alarms += 1;
                    eprintln!("false alarm: {found:?} {case:?}");
                }
            }
        }
    }
    eprintln!(
        "{contacts} contacts, none missed; {free} free, {alarms} false alarms; {skipped} too degenerate"
    );
    assert!(contacts > scale::cases(500) && free > scale::cases(4000));
    assert!(alarms * 1000 <= free, "{alarms} of {free}");
}

/// A multiple of 2^-20 in [-1, 1].
fn fine(random: &mut Random) -> f64 {
    (random.below(1 << 21) as f64 - f64::from(1 << 20)) * 2f64.powi(-20)
}

#[test]
fn contacts_by_construction_are_never_missed() {
    let mut random = Random::new(2);
    let mut undecided = 0;
    for round in 0..scale::cases(10_000) {
        // Far from the origin, flat in a plane, or at rest.
        let offset = Vec3::splat([0.0, 4096.0, -65_536.0][round % 3]);
        let (is_flat, is_resting, is_line) = (round % 5 == 0, round % 7 == 0, round % 11 == 0);
        let mut point = || {
            let p = Vec3::new(fine(&mut random), fine(&mut random), fine(&mut random));
            offset
                + if is_line {
                    p.with_y(0.0).with_z(0.0)
                } else if is_flat {
                    p.with_z(0.0)
                } else {
                    p
                }
        };
        let start: [Vec3; 4] = std::array::from_fn(|_| point());
        let end: [Vec3; 4] = if is_resting { start } else { std::array::from_fn(|_| point()) };
        let is_edges = random.below(2) == 0;
        let mut case = Case { is_edges, points: [start, end] };
        // At t = 1/2, where the first point is moved so that a quarter, a half or an end meets.
        let half = |k: usize| 0.5 * (start[k] + end[k]);
        let weights =
            [[0.25, 0.25, 0.5], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0], [0.25, 0.75, 0.0]][random.below(4)];
        let target = if is_edges {
            // The first edge meets with its middle: half of the first point is what the other leaves.
            let on_b = half(2) + weights[0] * (half(3) - half(2));
            2.0 * on_b - half(1)
        } else {
            weights[0] * half(1) + weights[1] * half(2) + weights[2] * half(3)
        };
        case.points[1][0] = 2.0 * target - start[0];
        let found = case.ask(0.0).unwrap_or_else(|| panic!("missed: {case:?}"));
        assert!(found.time <= 0.5, "{found:?} {case:?}");
        assert!(found.gap < 1e-10, "{found:?} {case:?}");
        // With room around them they meet sooner, and stop at that distance.
        let early = case.ask(0.125).unwrap_or_else(|| panic!("missed: {case:?}"));
        assert!(early.time <= found.time, "{early:?} {found:?} {case:?}");
        let room = if early.decided { 1e-5 } else { 1e-2 };
        assert!(early.time == 0.0 || (early.gap - 0.125).abs() < room, "{early:?} {case:?}");
        undecided += usize::from(!early.decided);
    }
    // Features that turn fast come close to a separation slowly.
    assert!(undecided * 1000 <= scale::cases(10_000), "{undecided}");
}

#[test]
fn numbers_that_are_not_finite_meet_at_once() {
    let face = [Vec3::X, Vec3::Y, Vec3::Z];
    for bad in [f64::NAN, f64::INFINITY, f64::MAX] {
        let p = Vec3::splat(bad);
        let found = vertex_face_time([p, p], [face, face], 0.0);
        assert!(bad == f64::MAX || found.is_some_and(|found| found.time == 0.0), "{bad} {found:?}");
        assert!(edge_edge_time([[p, Vec3::X]; 2], [[Vec3::Y, Vec3::Z]; 2], f64::NAN).is_some());
    }
}

#[test]
fn tiny_and_huge_are_alike() {
    for size in [2f64.powi(-900), 1.0, 2f64.powi(300)] {
        let face = [Vec3::X, Vec3::Y, Vec3::Z].map(|p| size * p);
        let hit =
            vertex_face_time([Vec3::ZERO, size * Vec3::ONE], [face, face], 0.0).expect("through the face");
        assert!((hit.time - 1.0 / 3.0).abs() < 1e-14, "{size} {hit:?}");
        assert_eq!(vertex_face_time([Vec3::ZERO, size * Vec3::new(1.0, 1.0, -1.5)], [face, face], 0.0), None);
    }
}
