//! Surfaces that are made are closed, face outwards, and enclose what their formulas say.

use freiraum_deform::shapes::{
    Ball, Cuboid, Cylinder, MOST_VERTICES, PlaneStack, Solid, SolidError, Spring, Torus,
};
use freiraum_geometry::Vec3;
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::{PI, TAU};

/// Every edge in both directions exactly once, no vertex unused or twice (where `distinct`), no face without area.
fn assert_closed(name: &str, solid: &Solid, distinct: bool) {
    let mut uses: BTreeMap<[u32; 2], [u32; 2]> = BTreeMap::new();
    let mut used = BTreeSet::new();
    for face in &solid.faces {
        for k in 0..3 {
            let (a, b) = (face[k], face[(k + 1) % 3]);
            used.insert(a);
            uses.entry([a.min(b), a.max(b)]).or_default()[usize::from(a > b)] += 1;
        }
        let [a, b, c] = face.map(|v| solid.vertices[v as usize]);
        assert!((b - a).cross(c - a).length() > 0.0, "{name}: {face:?} has no area");
    }
    assert!(uses.values().all(|&u| u == [1, 1]), "{name}: an edge is not used once in each direction");
    assert_eq!(used.len(), solid.vertices.len(), "{name}: a vertex is unused");
    let places: BTreeSet<[u64; 3]> =
        solid.vertices.iter().map(|p| p.to_array().map(|c| (c + 0.0).to_bits())).collect();
    assert!(!distinct || places.len() == solid.vertices.len(), "{name}: a vertex is there twice");
    // Euler's number tells that the parts hang together as they should.
    let euler = solid.vertices.len() as i64 - uses.len() as i64 + solid.faces.len() as i64;
    let expected = if name == "torus" {
        0
    } else if name == "stack" {
        2 * 4
    } else {
        2
    };
    assert_eq!(euler, expected, "{name}");
}

fn spring(along: u32, around: u32) -> Spring {
    Spring { radius: 0.1, end_radius: 0.1, wire: 0.02, pitch: 0.06, windings: 3.5, along, around }
}

#[test]
fn surfaces_are_closed_at_every_resolution() {
    for n in 1..9u32 {
        let size = Vec3::new(0.3, 0.5, 1.7);
        let all = [
            ("box", Cuboid { size, cells: [n, 2 * n, 3] }.solid()),
            ("ball", Ball { radius: 0.3, cells: n }.solid()),
            ("cylinder", Cylinder { radius: 0.2, length: 1.0, around: 2 + 3 * n, along: n }.solid()),
            ("torus", Torus { radius: 0.5, tube: 0.2, along: 3 + n, around: 2 + n }.solid()),
            ("spring", spring(10 * n, 3 * n).solid()),
            ("narrow spring", Spring { end_radius: 0.03, ..spring(7 * n, 4 * n) }.solid()),
            ("stack", PlaneStack { planes: 8, cells: n, side: 1.0, height: 1.25 }.solid()),
        ];
        for (name, solid) in all {
            let solid = solid.expect("good sizes");
            assert_closed(name, &solid, true);
            assert!(solid.volume() > 0.0, "{name} is inside out");
        }
    }
}

#[test]
fn normals_point_outwards_face_by_face() {
    let wide = 0.4;
    let torus = Torus { radius: wide, tube: 0.15, along: 40, around: 17 }.solid().expect("good");
    let ball = Ball { radius: 0.3, cells: 9 }.solid().expect("good");
    let cuboid = Cuboid { size: Vec3::new(0.3, 0.5, 1.7), cells: [2, 3, 4] }.solid().expect("good");
    let bar = Cylinder { radius: 0.2, length: 1.0, around: 15, along: 7 }.solid().expect("good");
    let coil = spring(90, 12);
    let wound = coil.solid().expect("good");
    let ring_point = |p: Vec3| wide * Vec3::new(p.x, p.y, 0.0) / p.truncate().length();
    let inner = |p: Vec3| {
        (0..=coil.along)
            .map(|k| coil.middle(k))
            .min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p)))
            .expect("a middle")
    };
    let checks: [(&Solid, &dyn Fn(Vec3) -> Vec3); 5] = [
        (&torus, &ring_point),
        (&ball, &|_| Vec3::ZERO),
        (&cuboid, &|_| Vec3::ZERO),
        (&bar, &|_| Vec3::ZERO),
        (&wound, &inner),
    ];
    for (k, (solid, inside)) in checks.into_iter().enumerate() {
        for face in &solid.faces {
            let [a, b, c] = face.map(|v| solid.vertices[v as usize]);
            let middle = (a + b + c) / 3.0;
            let outwards = (b - a).cross(c - a).dot(middle - inside(middle));
            // The flat ends of the wire hold the end of the middle line themselves.
            assert!(outwards > -1e-12, "solid {k}, face {face:?}: {outwards}");
        }
    }
}

/// Slope of the logarithms of the errors at n, 2n, 4n.
fn order(errors: &[f64]) -> f64 {
    (errors[0] / errors[errors.len() - 1]).log2() / (errors.len() - 1) as f64
}

#[test]
fn volumes_converge_to_the_formulas_with_the_square_of_the_cells() {
    let long = 3.5 * (TAU * 0.1).hypot(0.06);
    // The length of the narrowing helix by Simpson's rule, fine enough to be exact here.
    let speed = |t: f64| {
        let per_turn: f64 = (0.04 - 0.1) / 3.5;
        (per_turn * per_turn + (TAU * (0.1 + per_turn * t)).powi(2) + 0.06 * 0.06).sqrt()
    };
    let steps = 2000;
    let h = 3.5 / f64::from(steps);
    let narrow_long: f64 = (0..steps)
        .map(|k| {
            let t = f64::from(k) * h;
            h / 6.0 * (speed(t) + 4.0 * speed(t + 0.5 * h) + speed(t + h))
        })
        .sum();
    type Make = dyn Fn(u32) -> Result<Solid, SolidError>;
    let cases: [(&str, f64, &Make); 5] = [
        ("ball", 4.0 / 3.0 * PI * 0.027, &|n| Ball { radius: 0.3, cells: 4 * n }.solid()),
        ("torus", 2.0 * PI * PI * 0.5 * 0.04, &|n| {
            Torus { radius: 0.5, tube: 0.2, along: 30 * n, around: 12 * n }.solid()
        }),
        ("cylinder", PI * 0.04 * 1.5, &|n| {
            Cylinder { radius: 0.2, length: 1.5, around: 12 * n, along: 3 }.solid()
        }),
        ("spring", PI * 0.02 * 0.02 * long, &|n| spring(70 * n, 10 * n).solid()),
        ("narrow spring", PI * 0.02 * 0.02 * narrow_long, &|n| {
            Spring { end_radius: 0.04, ..spring(70 * n, 10 * n) }.solid()
        }),
    ];
    for (name, exact, make) in cases {
        let errors: Vec<f64> =
            [1, 2, 4].map(|n| (make(n).expect("good").volume() / exact - 1.0).abs()).to_vec();
        eprintln!(
            "{name:<14} relative errors {:.1e} {:.1e} {:.1e}, order {:.2}",
            errors[0],
            errors[1],
            errors[2],
            order(&errors)
        );
        assert!((order(&errors) - 2.0).abs() < 0.1, "{name}: {errors:?}");
    }
    let cuboid = Cuboid { size: Vec3::new(0.3, 0.5, 1.7), cells: [3, 4, 5] }.solid().expect("good");
    assert!((cuboid.volume() / (0.3 * 0.5 * 1.7) - 1.0).abs() < 1e-14);
}

#[test]
fn stacks_are_dolls_of_one_width() {
    for planes in [2, 4, 8, 20] {
        let stack = PlaneStack { planes, cells: 5, side: 0.8, height: 2.0 };
        let solid = stack.solid().expect("good");
        assert_eq!(solid.vertices.len() as u32, planes * 36);
        let gap = 2.0 / f64::from(planes - 1);
        let dolls: f64 = (0..planes / 2).map(|k| 0.64 * gap * f64::from(planes - 1 - 2 * k)).sum();
        assert!((solid.volume() / dolls - 1.0).abs() < 1e-13);
        // Over the middle of every square: the lower half faces down.
        let mut levels: BTreeMap<i64, (i32, i32)> = BTreeMap::new();
        for face in &solid.faces {
            let [a, b, c] = face.map(|v| solid.vertices[v as usize]);
            let normal = (b - a).cross(c - a);
            if normal.z != 0.0 {
                let level = levels.entry((a.z / gap).round() as i64).or_default();
                if normal.z < 0.0 { level.0 += 1 } else { level.1 += 1 }
            }
        }
        assert_eq!(levels.len() as u32, planes);
        for (k, (down, up)) in levels {
            assert_eq!((down, up), if k < i64::from(planes / 2) { (50, 0) } else { (0, 50) });
        }
        let second = if planes > 2 { 0.64 * (2.0 - 2.0 * gap) } else { 0.0 };
        assert!((stack.overlap() - second).abs() < 1e-14);
    }
}

#[test]
fn about_as_many_vertices_as_wished() {
    for wished in [500, 5_000, 10_000, 100_000] {
        let size = Vec3::new(0.3, 0.5, 1.7);
        let all = [
            ("box", Cuboid::by_vertices(size, wished).solid()),
            ("ball", Ball::by_vertices(0.3, wished).solid()),
            ("cylinder", Cylinder::by_vertices(0.2, 1.5, wished).solid()),
            ("torus", Torus::by_vertices(0.5, 0.2, wished).solid()),
            ("spring", Spring::by_vertices(0.1, 0.02, 0.06, 3.5, wished).solid()),
            ("stack of 2", PlaneStack::by_vertices(2, wished).solid()),
            ("stack of 8", PlaneStack::by_vertices(8, wished).solid()),
            ("stack of 20", PlaneStack::by_vertices(20, wished).solid()),
        ];
        for (name, solid) in all {
            let share = solid.expect("good").vertices.len() as f64 / f64::from(wished);
            let slack = if wished >= 5_000 { 0.05 } else { 0.2 };
            assert!((share - 1.0).abs() < slack, "{name}: {share} of {wished}");
        }
    }
}

#[test]
fn rings_of_a_spring_are_where_they_are_said_to_be() {
    let coil = Spring { end_radius: 0.06, ..spring(50, 11) };
    let solid = coil.solid().expect("good");
    for k in 0..=coil.along {
        let first = coil.first_of_ring(k) as usize;
        for p in &solid.vertices[first..first + 11] {
            assert!((p.distance(coil.middle(k)) - coil.wire).abs() < 1e-14);
        }
    }
}

#[test]
fn what_is_no_body_is_refused() {
    let bad = f64::NAN;
    assert!(Ball { radius: 0.0, cells: 3 }.solid().is_err());
    assert!(Ball { radius: bad, cells: 3 }.solid().is_err());
    assert!(Ball { radius: 1.0, cells: u32::MAX }.solid().is_err());
    assert!(Cuboid { size: Vec3::new(1.0, -1.0, 1.0), cells: [1; 3] }.solid().is_err());
    assert!(Cuboid { size: Vec3::ONE, cells: [u32::MAX; 3] }.solid().is_err());
    assert!(Cylinder { radius: 1.0, length: f64::INFINITY, around: 8, along: 2 }.solid().is_err());
    assert!(Cylinder { radius: 1.0, length: 1.0, around: u32::MAX, along: 200 }.solid().is_err());
    assert!(Torus { radius: 1.0, tube: -0.1, along: 8, around: 8 }.solid().is_err());
    assert!(Spring { wire: 0.2, ..spring(9, 9) }.solid().is_err());
    assert!(Spring { pitch: bad, ..spring(9, 9) }.solid().is_err());
    assert!(Spring { windings: 0.0, ..spring(9, 9) }.solid().is_err());
    let stack = PlaneStack { planes: 4, cells: 2, side: 1.0, height: 1.0 };
    assert_eq!(PlaneStack { planes: 5, ..stack }.solid(), Err(SolidError::OddPlanes(5)));
    assert_eq!(PlaneStack { planes: 0, ..stack }.solid(), Err(SolidError::OddPlanes(0)));
    let many = PlaneStack { planes: 1 << 20, cells: 1 << 12, ..stack }.solid();
    assert!(matches!(many, Err(SolidError::TooFine(n)) if n > MOST_VERTICES));
    // Counts that are too small are raised.
    assert_eq!(Ball { radius: 1.0, cells: 0 }.solid(), Ball { radius: 1.0, cells: 1 }.solid());
}
