use super::*;
use crate::shape::{Cuboid, Shape, Sphere};

fn diagonal(x: f64, y: f64, z: f64) -> MassProperties {
    let inertia = Mat3::from_diagonal(Vec3::new(x, y, z));
    MassProperties { volume: 1.0, centroid: Vec3::ZERO, inertia }
}

#[test]
fn principal_axes_of_a_diagonal_tensor_are_sorted() {
    let found = diagonal(3.0, 1.0, 2.0).principal_axes();
    assert_eq!(found.moments, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(found.axes, Mat3::from_cols(Vec3::Y, Vec3::Z, Vec3::X));
    // An order that is a reflection becomes right-handed.
    assert_eq!(diagonal(2.0, 1.0, 3.0).principal_axes().axes.determinant(), 1.0);
}

#[test]
fn principal_axes_of_nothing_are_the_frame() {
    let found = diagonal(0.0, 0.0, 0.0).principal_axes();
    assert_eq!((found.moments, found.axes), (Vec3::ZERO, Mat3::IDENTITY));
}

#[test]
fn combining_nothing_or_opposites_gives_nothing() {
    let nothing = MassProperties { volume: 0.0, centroid: Vec3::ZERO, inertia: Mat3::ZERO };
    assert_eq!(MassProperties::combined(&[]), nothing);
    let ball = Sphere::new(1.0).unwrap().mass_properties();
    let hole = MassProperties { volume: -ball.volume, inertia: -1.0 * ball.inertia, ..ball };
    assert_eq!(MassProperties::combined(&[ball, hole]), nothing);
}

#[test]
fn two_halves_of_a_box_are_the_box() {
    let whole = Shape::Cuboid(Cuboid::new(Vec3::new(2.0, 3.0, 4.0)).unwrap()).mass_properties().unwrap();
    let half = Cuboid::new(Vec3::new(1.0, 3.0, 4.0)).unwrap().mass_properties();
    // Far from the origin the same, to the digits that the coordinates have.
    for (origin, error) in [(Vec3::ZERO, 1e-15), (Vec3::new(1e6, -2e6, 3e6), 1e-9)] {
        let at = |x: f64| half.placed(&Pose::from_translation(origin + Vec3::new(x, 0.0, 0.0)));
        let found = MassProperties::combined(&[at(-0.5), at(0.5)]);
        assert_eq!(found.volume, 24.0);
        assert!((found.centroid - origin).length() <= error);
        let off = (found.inertia - whole.inertia).to_cols_array().iter().fold(0.0f64, |m, x| m.max(x.abs()));
        assert!(off <= 100.0 * error, "{off}");
    }
}

#[test]
fn a_point_mass_turns_about_the_other_axes() {
    let found = point_mass_inertia(2.0, Vec3::new(0.0, 0.0, 3.0));
    assert_eq!(found, Mat3::from_diagonal(Vec3::new(18.0, 18.0, 0.0)));
}
