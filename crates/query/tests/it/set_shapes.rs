//! Sets of shapes report the pairs that `intersects` reports, those that touch within its tolerance too.

use freiraum_geometry::shape::{Cone, Cuboid, Cylinder, Shape};
use freiraum_geometry::{Aabb, Pose, Vec3};
use freiraum_query::set::{Body, Group, ObjectSet, SetError, Settings, contacts_of};
use freiraum_query::tree::Volume;
use freiraum_query::tree::volume::{Ball, Dop, SweptRectangle, TurnedBox};
use freiraum_query::{Prepared, intersects};
use freiraum_testkit::random::Random;

fn check<V: Volume>() {
    let mut random = Random::new(5);
    let box_shape = Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap());
    let tops = [
        box_shape.clone(),
        Shape::Cylinder(Cylinder::new(0.5, 1.0).unwrap()),
        Shape::Cone(Cone::new(0.5, 1.0).unwrap()),
    ];
    let mut touching = 0;
    for case in 0..600 {
        let top = &tops[case % 3];
        // One on the other with a gap about as wide as the tolerance, turned anyhow.
        let gap = [0.0, 1e-16, 5e-10, 2e-9, 1e-8][random.below(5)];
        let up = Pose::from_translation(Vec3::new(0.1, 0.2, 1.0 + gap));
        let world = Pose::new(random.rotation(), random.in_cube(10.0)).unwrap();
        let mut set: ObjectSet<V, _> = ObjectSet::new(Settings::default());
        set.add(&Group::fixed(vec![Body::of_shape(&box_shape, world)])).unwrap();
        set.add(&Group::movable(vec![Body::of_shape(top, world * up)])).unwrap();
        let shapes = [Prepared::new(box_shape.clone()), Prepared::new(top.clone())];
        let found = set.step(contacts_of(&shapes)).unwrap();
        let expected = intersects(&shapes[0], &shapes[1], &(world.inverse() * (world * up))).unwrap();
        assert_eq!(found.len(), usize::from(expected), "{top:?} {gap} {world:?}");
        assert!(found.iter().all(|touch| touch.contact.intersects));
        touching += found.len();
    }
    assert!((200..500).contains(&touching), "{touching}");
}

#[test]
fn what_touches_within_the_tolerance_is_reported() {
    check::<Aabb>();
    check::<Ball>();
    check::<TurnedBox>();
    check::<Dop>();
    check::<SweptRectangle>();
}

#[test]
fn bodies_that_are_gone_have_no_pose() {
    let shape = Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap());
    let mut set: ObjectSet<Aabb> = ObjectSet::new(Settings::default());
    let group = set.add(&Group::movable(vec![Body::of_shape(&shape, Pose::IDENTITY)])).unwrap();
    let body = set.bodies(group).next().unwrap();
    assert_eq!(set.pose(body), Ok(Pose::IDENTITY));
    set.remove(group);
    assert_eq!(set.pose(body), Err(SetError::NoSuchBody(body)));
}
