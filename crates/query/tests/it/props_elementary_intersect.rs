//! Triangles that meet or not, against whole-number arithmetic: two triangles meet exactly if the origin lies in the
//! hull of the nine differences of their corners, that is in one of the simplices these span (Carathéodory).

use freiraum_geometry::Vec3;
use freiraum_query::elementary::{segment_triangle_intersect, triangle_triangle, triangles_intersect};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

type Whole = [i128; 3];

fn minus(a: Whole, b: Whole) -> Whole {
    std::array::from_fn(|k| a[k] - b[k])
}

fn cross(a: Whole, b: Whole) -> Whole {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Whole, b: Whole) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn meet(a: &[Whole], b: &[Whole]) -> bool {
    let d: Vec<Whole> = a.iter().flat_map(|&p| b.iter().map(move |&q| minus(p, q))).collect();
    let n = d.len();
    for i in 0..n {
        if d[i] == [0; 3] {
            return true;
        }
        for j in 0..i {
            let c = cross(d[i], d[j]);
            if c == [0; 3] && dot(d[i], d[j]) < 0 {
                return true;
            }
            for k in 0..j {
                let (e, f) = (cross(d[j], d[k]), cross(d[k], d[i]));
                let sum: Whole = std::array::from_fn(|m| c[m] + e[m] + f[m]);
                // In the triangle: the three part areas add up to an area that is not zero, none points against it.
                if dot(d[k], c) == 0 && sum != [0; 3] && [c, e, f].iter().all(|&x| dot(x, sum) >= 0) {
                    return true;
                }
                for m in 0..k {
                    // In the tetrahedron: each face sees the origin and the opposite corner on the same side.
                    let parts = [dot(d[m], cross(d[j], d[i])), dot(d[m], e), dot(d[m], f), dot(d[k], c)];
                    let [p, q, r, s] = [parts[0], -parts[1], -parts[2], parts[3]];
                    let whole = p + q + r + s;
                    if whole != 0 && [p, q, r, s].iter().all(|&x| x * whole.signum() >= 0) {
                        return true;
                    }
                }
            }
        }
    }
    false
}

#[test]
fn the_oracle_knows_simple_cases() {
    let t = [[0, 0, 0], [4, 0, 0], [0, 4, 0]];
    assert!(meet(&t, &[[1, 1, -1], [1, 1, 1], [9, 9, 9]]));
    assert!(meet(&t, &[[1, 1, 0]]));
    assert!(meet(&t, &[[2, 2, 0], [9, 9, 0]]));
    assert!(!meet(&t, &[[3, 2, 0], [9, 9, 0], [8, 9, 1]]));
    assert!(!meet(&t, &[[1, 1, 1], [2, 1, 1], [1, 2, 5]]));
    assert!(!meet(&t, &[[3, 3, -1], [3, 3, 1], [9, 9, 9]]));
    assert!(meet(&[[0, 0, 0], [2, 2, 2]], &[[1, 1, 1], [3, 3, 3]]));
    assert!(!meet(&[[0, 0, 0], [2, 2, 2]], &[[3, 3, 3], [4, 4, 4]]));
    // The origin inside a tetrahedron, and next to it.
    let tetrahedron = [[1, 1, 1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1]];
    assert!(meet(&tetrahedron, &[[0, 0, 0]]));
    assert!(!meet(&tetrahedron.map(|p| [p[0] + 1, p[1] + 1, p[2] + 1]), &[[0, 0, 0]]));
}

fn check(a: [Whole; 3], b: [Whole; 3], seen: &mut [usize; 2]) {
    let expected = meet(&a, &b);
    seen[usize::from(expected)] += 1;
    let float = |t: [Whole; 3]| t.map(|p| Vec3::from(p.map(|x| x as f64)));
    let (s, t) = (float(a), float(b));
    let turns = [[0, 1, 2], [1, 2, 0], [2, 1, 0]];
    for i in turns {
        for j in turns {
            let (s, t) = (i.map(|k| s[k]), j.map(|k| t[k]));
            assert_eq!(triangles_intersect(s, t), expected, "{s:?} {t:?}");
            assert_eq!(triangles_intersect(t, s), expected, "{t:?} {s:?}");
        }
    }
    // Powers of two change nothing.
    for power in [-180, -60, 7, 150] {
        let scale = f64::powi(2.0, power);
        assert_eq!(triangles_intersect(s.map(|p| p * scale), t.map(|p| p * scale)), expected, "{s:?} {t:?}");
    }
    let distance = triangle_triangle(s, t).distance_squared;
    assert_eq!(distance == 0.0, expected, "{s:?} {t:?}: {distance}");
    let segment = meet(&a[..2], &b);
    assert_eq!(segment_triangle_intersect([s[0], s[1]], t), segment, "{:?} {t:?}", &s[..2]);
    assert_eq!(segment_triangle_intersect([s[1], s[0]], [t[2], t[1], t[0]]), segment, "{:?} {t:?}", &s[..2]);
}

#[test]
fn on_small_grids_full_of_degenerate_cases() {
    let mut random = Random::new(31);
    for (size, flat) in [(2, 1), (3, 1), (5, 1), (9, 1), (2, 2), (3, 2), (3, 3), (4, 4), (7, 7), (40, 40)] {
        let mut seen = [0; 2];
        for _ in 0..cases(1500) {
            let mut corner = || -> Whole { [size, size, flat].map(|n| random.below(n) as i128) };
            let [a, b] = [[corner(), corner(), corner()], [corner(), corner(), corner()]];
            check(a, b, &mut seen);
        }
        assert!(seen.iter().all(|&n| n > 20) || size == 2, "both answers occur: {size} {flat} {seen:?}");
    }
}

/// Triangles with large whole coordinates where one differs by at most one unit from touching, coplanar or shared.
#[test]
fn one_unit_from_touching() {
    let mut random = Random::new(32);
    let mut seen = [0; 2];
    for _ in 0..cases(4000) {
        let mut corner =
            |size: i128| -> Whole { [0; 3].map(|_| (random.bits() as i128).rem_euclid(2 * size) - size) };
        let a = [corner(1 << 20), corner(1 << 20), corner(1 << 20)];
        let free = [corner(1 << 21), corner(1 << 21)];
        let mut near = |p: Whole| p.map(|x| x + random.below(3) as i128 - 1);
        // A point of a (on a corner, an edge or the face), perhaps one unit off.
        let towards =
            |p: Whole, q: Whole, n: i128| -> Whole { std::array::from_fn(|k| p[k] + (q[k] - p[k]) / n) };
        let on_edge = towards(a[0], a[1], 3);
        let on_face = towards(on_edge, a[2], 2);
        let corners = [near(a[0]), near(on_edge), near(on_face), near(a[1])];
        let beyond = |p: Whole| -> Whole { std::array::from_fn(|k| 2 * a[2][k] - p[k]) };
        for touching in corners {
            check(a, [touching, free[0], free[1]], &mut seen);
        }
        check(a, [corners[0], corners[3], free[0]], &mut seen);
        check(a, [corners[0], corners[1], corners[2]], &mut seen);
        check(a, [beyond(a[0]), beyond(a[1]), near(a[2])], &mut seen);
        check([a[0], a[1], near(on_edge)], [corners[1], free[0], free[1]], &mut seen);
        check([a[0], a[1], a[1]], [near(on_edge), near(on_edge), free[1]], &mut seen);
    }
    assert!(seen.iter().all(|&n| n > 1000), "both answers occur: {seen:?}");
}
