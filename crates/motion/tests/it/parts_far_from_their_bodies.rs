//! The tip of one body ends some units in the last place deep in the face of another, both parts of compounds
//! that are far from the origins of their bodies: 2 of 999 such pairs were free, for the bodies themselves
//! stand at the origin, and the rounding of the places of their parts was not counted.

use freiraum_geometry::path::UniformMotion;
use freiraum_geometry::shape::{Compound, Convex, Cuboid, HalfSpace, Part, Shape};
use freiraum_geometry::{Mesh, Pose, Quat, Vec3};
use freiraum_motion::{Limits, MotionWorkspace, Movable, Verdict, time_of_contact};
use freiraum_testkit::exact_box::box_holds_placed;
use freiraum_testkit::puzzles::block;
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;

/// The shape as the only part of a body, from whose origin it stands away.
fn far_part(shape: Shape, place: Vec3) -> Movable {
    let part = Part { compound_from_part: Pose::from_translation(place), shape };
    Movable::new(Shape::Compound(Compound::new(vec![part]).unwrap()))
}

/// A body that is the cube from -1 to 1 next to the middle of its face at x = 1.
fn wall(kind: usize) -> Shape {
    match kind {
        0 => Shape::Cuboid(Cuboid::new(Vec3::splat(2.0)).unwrap()),
        1 => {
            let (vertices, faces) = block([-1.0; 3], [1.0; 3]);
            Shape::Mesh(Mesh::new(vertices, faces).unwrap().into())
        }
        _ => Shape::HalfSpace(HalfSpace::new(Vec3::X, 1.0).unwrap()),
    }
}

/// A tetrahedron with a tip at the origin and all else along `away`.
fn tip(kind: usize, away: Vec3, random: &mut Random) -> Shape {
    let across = away.any_orthonormal_vector();
    let corner = |angle: f64| away + 0.3 * (Quat::from_axis_angle(away, angle) * across);
    let start = random.range(0.0, 6.0);
    let points = [Vec3::ZERO, corner(start), corner(start + 2.0), corner(start + 4.0)];
    let convex = Convex::from_points(&points).unwrap();
    match kind {
        0 => Shape::Convex(convex),
        _ => Shape::Mesh(convex.surface().clone().into()),
    }
}

#[test]
fn what_ends_inside_is_never_free() {
    let mut random = Random::new(91);
    let mut memory = MotionWorkspace::default();
    let (mut inside, mut free) = (0, 0);
    for case in 0..cases(3000) {
        let far = [1e3, 1e4, 1e6][case % 3];
        let [wall_kind, tip_kind] = [random.below(3), random.below(2)];
        let turn = random.rotation();
        let offset = Vec3::new(far, 0.0, 0.0);
        // Where the tip ends and where it starts. Both are multiples of the same power of two, so that their
        // difference is exact.
        let depth = f64::EPSILON * far * random.range(-4.0, 4.0);
        let end = turn * (offset + Vec3::new(1.0 - depth, random.range(-0.5, 0.5), random.range(-0.5, 0.5)));
        let grid = 2f64.powi(far.log2().ceil() as i32 - 52);
        let rounded = |p: Vec3| (p / grid).round() * grid;
        let end = rounded(end);
        let away = turn * Vec3::X;
        let start = rounded(end + random.range(0.5, 6.0) * away);
        let by = end - start;
        assert_eq!(start + by, end);
        let a = far_part(wall(wall_kind), offset);
        let b = far_part(tip(tip_kind, away, &mut random), start);
        let at_a = Pose::new(turn, Vec3::ZERO).unwrap();
        let motions = [UniformMotion::still(at_a), UniformMotion::translation(Pose::IDENTITY, by)];
        let [still, moving] = &motions;
        let verdict = time_of_contact(&a, still, &b, moving, &Limits::default(), &mut memory).unwrap();
        // The pose as the body has it; its conjugate turns the tip into the frame of the wall.
        let into_wall = (at_a.rotation().conjugate(), -offset);
        let is_inside = box_holds_placed([Vec3::splat(-1.0), Vec3::ONE], into_wall, end);
        inside += usize::from(is_inside);
        free += usize::from(verdict == Verdict::Free);
        assert!(
            !is_inside || verdict != Verdict::Free,
            "{case}: {far} m away, kinds {wall_kind} {tip_kind}, {depth:e} m deep: {verdict:?}"
        );
    }
    // Both sides of the face were asked, and what is farther than rounding is free.
    assert!(inside > cases(3000) / 3 && inside < cases(3000) * 2 / 3, "{inside}");
    eprintln!("{inside} inside, {free} free");
}
