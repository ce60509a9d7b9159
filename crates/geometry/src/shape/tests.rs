use super::*;
use crate::tolerance::{MAX_COORDINATE, MIN_SIZE};

fn sphere(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap())
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

fn at(translation: Vec3, shape: Shape) -> Part {
    Part { compound_from_part: Pose::from_translation(translation), shape }
}

fn ground() -> Shape {
    Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap())
}

/// One of each kind, in the order of `Kind`.
fn samples() -> [Shape; 10] {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    [
        sphere(1.0),
        cuboid(1.0, 2.0, 3.0),
        Shape::Cylinder(Cylinder::new(1.0, 2.0).unwrap()),
        Shape::Capsule(Capsule::new(1.0, 2.0).unwrap()),
        Shape::Cone(Cone::new(1.0, 2.0).unwrap()),
        Shape::Convex(Convex::from_points(&corners).unwrap()),
        ground(),
        Shape::Mesh(Arc::new(Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap())),
        Shape::HeightField(HeightField::new([1.0, 1.0], &[[0.0, 0.0], [0.0, 1.0]]).unwrap()),
        Shape::Compound(Compound::new(vec![at(Vec3::X, sphere(1.0))]).unwrap()),
    ]
}

#[test]
fn kinds_are_in_the_order_of_pairs() {
    assert_eq!(samples().map(|s| s.kind()), Kind::ALL);
    assert!(Kind::ALL.is_sorted());
    // Convex kinds before the half space, parts after it.
    for shape in samples() {
        assert_eq!(shape.as_convex().is_some(), shape.kind() < Kind::HalfSpace, "{}", shape.kind());
    }
    let names = Kind::ALL.map(|k| k.to_string()).join(" ");
    assert_eq!(names, "sphere box cylinder capsule cone convex plane mesh heightfield compound");
}

#[test]
fn sizes_that_are_none_are_refused_by_name() {
    let nan = f64::NAN;
    for bad in [0.0, -0.0, -1.0, nan, f64::INFINITY, f64::NEG_INFINITY, 1e51, 1e-51] {
        let one = Vec3::ONE;
        let cases = [
            (Sphere::new(bad).err(), "sphere radius"),
            (Cuboid::new(one.with_x(bad)).err(), "box size along x"),
            (Cuboid::new(one.with_y(bad)).err(), "box size along y"),
            (Cuboid::new(one.with_z(bad)).err(), "box size along z"),
            (Cylinder::new(bad, 1.0).err(), "cylinder radius"),
            (Cylinder::new(1.0, bad).err(), "cylinder height"),
            (Capsule::new(bad, 1.0).err(), "capsule radius"),
            (Cone::new(bad, 1.0).err(), "cone radius"),
            (Cone::new(1.0, bad).err(), "cone height"),
            (HeightField::new([bad, 1.0], &[[0.0; 2]; 2]).err(), "height field size along x"),
            (HeightField::new([1.0, bad], &[[0.0; 2]; 2]).err(), "height field size along y"),
        ];
        for (found, name) in cases {
            let Some(ShapeError::BadSize { what, value, .. }) = found else {
                panic!("{name} {bad}: {found:?}")
            };
            assert_eq!((what, value.to_bits()), (name, bad.to_bits()));
        }
    }
    for bad in [-1.0, nan, 1e51] {
        assert!(matches!(Capsule::new(1.0, bad), Err(ShapeError::BadSize { what: "capsule height", .. })));
    }
    assert!(Capsule::new(0.4 * MAX_COORDINATE, 0.5 * MAX_COORDINATE).is_err());
    let message = Sphere::new(-2.5).unwrap_err().to_string();
    assert_eq!(message, "sphere radius is -2.5 m; expected a length from 1e-50 to 5e49 m");
}

#[test]
fn the_largest_and_smallest_shapes_work() {
    for size in [MIN_SIZE, MAX_COORDINATE] {
        let all = [
            sphere(0.5 * size.max(2.0 * MIN_SIZE)),
            cuboid(size, size, size),
            Shape::Cylinder(Cylinder::new((0.5 * size).max(MIN_SIZE), size).unwrap()),
            Shape::Cone(Cone::new((0.5 * size).max(MIN_SIZE), size).unwrap()),
            Shape::Capsule(Capsule::new((0.25 * size).max(MIN_SIZE), 0.5 * size).unwrap()),
        ];
        for shape in all {
            let mass = shape.mass_properties().unwrap();
            let moments = mass.principal_axes().moments;
            assert!(mass.volume > 0.0 && moments.x > 0.0 && moments.z.is_finite(), "{shape:?}: {mass:?}");
            assert!(shape.tessellate(0.01 * size).is_ok());
        }
    }
}

#[test]
fn planes_need_a_normal_and_an_offset() {
    for bad in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY] {
        assert!(matches!(HalfSpace::new(bad, 0.0), Err(ShapeError::BadNormal(_))));
    }
    for bad in [f64::NAN, f64::INFINITY, -1e51] {
        assert!(matches!(HalfSpace::new(Vec3::Z, bad), Err(ShapeError::BadCoordinate { .. })));
    }
    let floor = HalfSpace::new(Vec3::new(0.0, 0.0, 1e-200), 2.0).unwrap();
    assert_eq!((floor.normal(), floor.offset()), (Vec3::Z, 2.0));
    assert!(floor.contains(Vec3::new(5.0, 5.0, 2.0)) && !floor.contains(Vec3::new(0.0, 0.0, 2.1)));
    let floor = Shape::HalfSpace(floor);
    assert_eq!((floor.aabb(), floor.area(), floor.mass_properties()), (None, None, None));
    assert_eq!(floor.tessellate(1.0), Err(TessellationError::Unbounded));
}

#[test]
fn closed_forms_of_unit_shapes() {
    use std::f64::consts::PI;
    let check = |shape: &Shape, volume: f64, area: f64| {
        let found = (shape.mass_properties().unwrap().volume, shape.area().unwrap());
        assert!((found.0 / volume - 1.0).abs() < 1e-15 && (found.1 / area - 1.0).abs() < 1e-15, "{found:?}");
    };
    let [sphere, cuboid, cylinder, capsule, cone, ..] = samples();
    check(&sphere, 4.0 / 3.0 * PI, 4.0 * PI);
    check(&cuboid, 6.0, 22.0);
    check(&cylinder, 2.0 * PI, 6.0 * PI);
    check(&capsule, 2.0 * PI + 4.0 / 3.0 * PI, 8.0 * PI);
    check(&cone, 2.0 / 3.0 * PI, PI + PI * 5f64.sqrt());
    assert_eq!(cone.mass_properties().unwrap().centroid, Vec3::new(0.0, 0.0, -0.5));
}

#[test]
fn cones_stand_on_their_base() {
    let cone = Cone::new(1.0, 2.0).unwrap();
    assert_eq!(cone.support(Vec3::Z), Vec3::new(0.0, 0.0, 1.0));
    assert_eq!(cone.support(Vec3::X), Vec3::new(1.0, 0.0, -1.0));
    assert_eq!(cone.support(Vec3::NEG_Z).z, -1.0);
    assert!(cone.contains(Vec3::new(0.5, 0.0, 0.0)) && !cone.contains(Vec3::new(0.6, 0.0, 0.0)));
    assert!(cone.contains(Vec3::new(0.0, 0.0, 1.0)) && cone.contains(Vec3::new(1.0, 0.0, -1.0)));
    assert!(!cone.contains(Vec3::new(0.0, 0.0, 1.1)) && !cone.contains(Vec3::new(0.0, 0.0, -1.1)));
}

#[test]
fn points_without_a_solid_are_refused() {
    let check = |points: &[Vec3], message: &str| {
        assert_eq!(Convex::from_points(points).unwrap_err().to_string(), message);
    };
    let end = "; expected points that span a solid";
    check(&[], "convex: there are no points to make a convex hull of");
    check(&[Vec3::ONE; 5], &format!("convex: all 5 points coincide{end}"));
    check(&[Vec3::ZERO, Vec3::X, 3.0 * Vec3::X], &format!("convex: all 3 points lie on one line{end}"));
    let square = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y];
    check(&square, &format!("convex: all 4 points lie in one plane{end}"));
    let error = Convex::from_points(&[Vec3::ZERO, Vec3::X, Vec3::new(0.0, f64::NAN, 0.0)]).unwrap_err();
    assert!(error.to_string().starts_with("convex: point 2 has the coordinate NaN"), "{error}");
}

#[test]
fn convex_bodies_are_exact_at_their_surface() {
    let mut points: Vec<Vec3> = Cuboid::new(Vec3::splat(0.2)).unwrap().mesh().vertices().to_vec();
    points.extend([Vec3::ZERO, points[3], Vec3::splat(0.05)]);
    let convex = Convex::from_points(&points).unwrap();
    assert_eq!((convex.vertices().len(), convex.surface().faces().len()), (8, 12));
    assert!(convex.contains(Vec3::splat(0.1)) && !convex.contains(Vec3::splat(0.1f64.next_up())));
    assert_eq!(convex.aabb(), Aabb { min: Vec3::splat(-0.1), max: Vec3::splat(0.1) });
    assert!((convex.area() - 0.24).abs() < 1e-15);
}

#[test]
fn height_fields_lie_as_documented() {
    let rows = vec![vec![0.0, 1.0, 2.0], vec![10.0, 11.0, 12.0]];
    let field = HeightField::new([4.0, 6.0], &rows).unwrap();
    assert_eq!((field.rows(), field.columns(), field.size()), (2, 3, [4.0, 6.0]));
    assert_eq!(field.vertex(0, 0), Vec3::new(-2.0, -3.0, 0.0));
    assert_eq!(field.vertex(0, 2), Vec3::new(2.0, -3.0, 2.0));
    assert_eq!(field.vertex(1, 1), Vec3::new(0.0, 3.0, 11.0));
    assert_eq!(field.aabb(), Aabb { min: Vec3::new(-2.0, -3.0, 0.0), max: Vec3::new(2.0, 3.0, 12.0) });
    let mesh = field.mesh();
    assert_eq!((mesh.vertices().len(), mesh.faces().len()), (6, 4));
    for [a, b, c] in mesh.triangles() {
        assert!((b - a).cross(c - a).z > 0.0);
    }
    // The diagonal of the first cell goes from least to greatest x and y.
    assert_eq!(mesh.faces()[..2], [[0, 1, 4], [0, 4, 3]]);
    let flat = HeightField::new([4.0, 6.0], &[[5.0; 7]; 3]).unwrap();
    assert!((flat.area() - 24.0).abs() < 1e-14);
    assert_eq!(Shape::HeightField(flat).mass_properties(), None);
}

#[test]
fn heights_that_make_no_grid_are_refused() {
    let check = |rows: &[Vec<f64>], message: &str| {
        assert_eq!(HeightField::new([1.0, 1.0], rows).unwrap_err().to_string(), message);
    };
    check(&[], "height field has 0 x 0 heights; expected at least 2 x 2");
    check(&[vec![1.0, 2.0]], "height field has 1 x 2 heights; expected at least 2 x 2");
    check(&[vec![], vec![]], "height field has 2 x 0 heights; expected at least 2 x 2");
    check(&[vec![0.0; 3], vec![0.0; 2]], "height field row 1 has 2 heights; expected 3 like row 0");
    let bad = "height in row 1, column 0 is NaN; expected a finite number of magnitude at most 1e50";
    check(&[vec![0.0; 2], vec![f64::NAN, 0.0]], bad);
    // Two triangles for each of some 800 million cells are more than a mesh can number.
    let row = [0.0; 20_000];
    let error = HeightField::new([1.0, 1.0], &vec![&row[..]; 40_000]).unwrap_err();
    assert!(matches!(error, ShapeError::TooManyHeights { rows: 40_000, columns: 20_000 }), "{error}");
}

#[test]
fn placed_where_they_are_boxes_stay_the_same() {
    // The mesh among them has a vertex that belongs to no face.
    for shape in samples() {
        let (Some(own), Some(placed)) = (shape.aabb(), shape.aabb_placed(&Pose::IDENTITY)) else {
            assert_eq!(shape.kind(), Kind::HalfSpace);
            continue;
        };
        let grown = (own.min - placed.min).max(placed.max - own.max);
        assert!(grown.min_element() >= 0.0 && grown.max_element() <= 1e-13, "{}: {placed:?}", shape.kind());
    }
}

#[test]
fn compounds_are_limited() {
    assert_eq!(Compound::new(vec![]), Err(ShapeError::NoParts));
    let mut shape = sphere(1.0);
    for _ in 0..MAX_DEPTH {
        shape = Shape::Compound(Compound::new(vec![at(Vec3::ZERO, shape)]).unwrap());
    }
    assert!(shape.mass_properties().is_some() && shape.tessellate(0.1).is_ok());
    let error = Compound::new(vec![at(Vec3::ZERO, shape)]).unwrap_err();
    assert_eq!(error, ShapeError::TooDeep { depth: MAX_DEPTH + 1, limit: MAX_DEPTH });
    // Ten times ten times ten … shared parts cost nothing to write down, and would never end.
    let mut shape = sphere(1.0);
    for _ in 0..6 {
        shape = Shape::Compound(Compound::new(vec![at(Vec3::ZERO, shape); 10]).unwrap());
    }
    assert!(matches!(
        Compound::new(vec![at(Vec3::ZERO, shape.clone()); 10]),
        Err(ShapeError::TooManyParts { parts: 10_000_000, .. })
    ));
    assert!(matches!(shape.tessellate(0.1), Err(TessellationError::TooManyTriangles { .. })));
    let far = Compound::new(vec![at(Vec3::ZERO, sphere(1.0)), at(Vec3::splat(2e50), sphere(1.0))]);
    assert!(matches!(far, Err(ShapeError::TooFar { part: 1, .. })));
    assert!(matches!(Compound::new(vec![at(Vec3::splat(1e300), ground())]), Err(ShapeError::TooFar { .. })));
}

#[test]
fn compounds_know_what_their_parts_know() {
    let pair = vec![at(Vec3::X, sphere(1.0)), at(-Vec3::X, cuboid(1.0, 1.0, 1.0))];
    let compound = Shape::Compound(Compound::new(pair.clone()).unwrap());
    assert_eq!(compound.contains(Vec3::X), Some(true));
    assert_eq!(compound.contains(Vec3::new(-1.5, 0.0, 0.0)), Some(true));
    assert_eq!(compound.contains(Vec3::new(0.0, 0.5, 0.0)), Some(false));
    let mesh = compound.tessellate(0.1).unwrap();
    assert_eq!(mesh.faces().len(), sphere(1.0).tessellate(0.1).unwrap().faces().len() + 12);
    // A part that cannot tell leaves the question open, unless another part says yes.
    let surface = samples()[7].clone();
    let open = Shape::Compound(Compound::new([pair, vec![at(Vec3::ZERO, surface)]].concat()).unwrap());
    assert_eq!((open.contains(Vec3::X), open.contains(Vec3::Y)), (Some(true), None));
    // With a half space there is no end.
    let endless = Compound::new(vec![at(Vec3::X, sphere(1.0)), at(Vec3::Z, ground())]).unwrap();
    let endless = Shape::Compound(endless);
    assert_eq!((endless.aabb(), endless.area(), endless.mass_properties()), (None, None, None));
    assert_eq!(endless.aabb_placed(&Pose::IDENTITY), None);
    assert_eq!(endless.tessellate(0.1), Err(TessellationError::Unbounded));
    assert_eq!(endless.contains(Vec3::new(0.0, 0.0, 0.5)), Some(true));
}

#[test]
fn deviations_that_are_none_are_refused() {
    for shape in samples() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(shape.tessellate(bad), Err(TessellationError::BadDeviation(_))), "{bad}");
        }
    }
    let error = sphere(1.0).tessellate(1e-9).unwrap_err().to_string();
    assert_eq!(error, "maximal deviation of 1e-9 m needs more than 10000000 triangles; allow a larger one");
    let error = sphere(1.0).tessellate(1e-15).unwrap_err();
    assert!(matches!(error, TessellationError::BelowRounding { .. }), "{error}");
}

#[test]
fn triangles_are_not_wasted() {
    let count = |shape: &Shape, max_deviation: f64| shape.tessellate(max_deviation).unwrap().faces().len();
    let [sphere, cuboid, cylinder, capsule, cone, convex, _, mesh, field, _] = samples();
    // The coarsest: an icosahedron, prisms and a pyramid over a triangle.
    assert_eq!([&sphere, &cylinder, &capsule, &cone].map(|s| count(s, 100.0)), [20, 8, 100, 4]);
    // A circle within 1 % has 23 chords (1 - cos(pi/22) = 0.0102), a sphere of 20 n² triangles n = 6.
    assert_eq!([&sphere, &cylinder, &capsule, &cone].map(|s| count(s, 0.01)), [720, 88, 780, 44]);
    // What is flat is exact.
    assert_eq!([&cuboid, &convex, &mesh, &field].map(|s| count(s, 1e-30)), [12, 4, 1, 2]);
}
