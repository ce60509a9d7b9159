use super::*;
use freiraum_testkit::points;

fn v(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

/// Numbers of hull vertices and faces.
fn check_solid(points: &[Vec3], vertices: usize, faces: usize) {
    match convex_hull(points) {
        Ok(Hull::Solid(hull)) => assert_eq!((hull.vertices.len(), hull.faces.len()), (vertices, faces)),
        other => panic!("not a solid: {other:?}"),
    }
}

fn check(points: &[Vec3], expected: Hull) {
    assert_eq!(convex_hull(points), Ok(expected), "{points:?}");
}

fn flat(outline: &[u32], normal: Vec3) -> Hull {
    Hull::Flat(FlatHull { outline: outline.to_vec(), normal })
}

#[test]
fn few_points() {
    check(&[v(1.0, 2.0, 3.0)], Hull::Point(0));
    check(&[Vec3::ONE; 5], Hull::Point(0));
    check(&[v(0.0, 0.0, 0.0), v(-0.0, 0.0, -0.0)], Hull::Point(0));
    check(&[Vec3::X, Vec3::ONE], Hull::Segment([0, 1]));
    check(&[Vec3::Y, Vec3::X, Vec3::X, Vec3::Y], Hull::Segment([0, 1]));
    check(&[Vec3::ZERO, Vec3::X, Vec3::Y], flat(&[0, 1, 2], Vec3::Z));
    check(&[Vec3::ZERO, Vec3::Y, Vec3::X], flat(&[0, 2, 1], Vec3::Z));
    check_solid(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], 4, 4);
    check_solid(&[Vec3::ZERO, Vec3::X, Vec3::Y, -Vec3::Z], 4, 4);
}

#[test]
fn lines_keep_their_ends() {
    let line: Vec<Vec3> = (0..100).map(|i| (i * 37 % 100) as f64 * v(1.0, -2.0, 3.0)).collect();
    check(&line, Hull::Segment([0, 27]));
}

#[test]
fn grids_keep_their_corners() {
    let grid = points::grid(5, 0.25);
    let Ok(Hull::Solid(hull)) = convex_hull(&grid) else { panic!() };
    assert_eq!(hull.vertices, [0, 4, 20, 24, 100, 104, 120, 124]);
    assert_eq!(hull.faces.len(), 12);
    let square = &grid[..25];
    check(square, flat(&[0, 4, 24, 20], Vec3::Z));
}

#[test]
fn bad_input_is_named() {
    assert_eq!(convex_hull(&[]), Err(HullError::NoPoints));
    for bad in [f64::INFINITY, f64::NEG_INFINITY, 2.0 * MAX_COORDINATE] {
        let answer = convex_hull(&[Vec3::ZERO, v(0.0, bad, 0.0)]);
        assert_eq!(answer, Err(HullError::BadCoordinate { point: 1, value: bad }));
    }
    let answer = convex_hull(&[Vec3::ZERO, Vec3::ONE, Vec3::NAN]);
    assert!(matches!(answer, Err(HullError::BadCoordinate { point: 2, value }) if value.is_nan()));
}
