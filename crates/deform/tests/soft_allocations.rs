//! Deformations and soft bodies allocate nothing once warm.

use freiraum_deform::deformation::{Deformation, Frame};
use freiraum_deform::shapes::Spring;
use freiraum_deform::soft::{Material, Resistance, SelfContact, SoftBody, Surroundings};
use freiraum_geometry::Vec3;
use freiraum_testkit::counting::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Windings that lie in each other from the start.
fn pressed() -> SoftBody {
    let coil = Spring::by_vertices(0.1, 0.03, 0.05, 3.0, 500).solid().expect("good");
    SoftBody::of_solid(&coil, &Material::default()).expect("a body")
}

const SPACE: Surroundings = Surroundings { gravity: Vec3::ZERO, drag: 0.0, floor: None, friction: 0.0 };

#[test]
fn warm_bodies_allocate_nothing() {
    let mut start = pressed();
    // A first step makes what depends on its length; both clones have it then.
    start.step(0.001, &SPACE);
    let frame = Frame::of(start.positions(), None).expect("a frame");
    let mut out = vec![Vec3::ZERO; start.positions().len()];
    let mut contact = SelfContact::new(Resistance { steps: 2, ..Resistance::default() });
    let around = Surroundings { floor: Some(-0.2), ..Surroundings::default() };
    let (mut first, mut second) = (start.clone(), start.clone());
    let mut ask = |body: &mut SoftBody| {
        for deformation in [
            Deformation::Twist { angle: 1.0 },
            Deformation::Bend { angle: 1.0 },
            Deformation::Wobble { angle: 1.0, waves: 1.0, phase: 0.0 },
            Deformation::Inflate { distance: 0.01 },
        ] {
            deformation.apply(&frame, start.positions(), start.faces(), &mut out);
        }
        let mut most = 0;
        for _ in 0..40 {
            contact.step(body, 0.001, &around).expect("good");
            most = most.max(contact.within().contacts.len());
        }
        most
    };
    assert!(ask(&mut first) > 0, "nothing was in contact");
    let before = allocations();
    ask(&mut second);
    assert_eq!(allocations() - before, 0);
}

#[test]
fn what_a_body_does_to_itself_does_not_move_it() {
    let mut body = pressed();
    let mut contact = SelfContact::new(Resistance::default());
    let sum = |body: &SoftBody| -> (Vec3, f64) {
        let all = || body.masses().iter().zip(body.velocities());
        (all().map(|(m, v)| *m * *v).sum(), all().map(|(m, v)| m * v.length()).sum())
    };
    let before = contact.last.is_none();
    for _ in 0..100 {
        contact.step(&mut body, 0.001, &SPACE).expect("good");
    }
    let (momentum, motion) = sum(&body);
    assert!(before && contact.last.is_some());
    assert!(motion > 0.01, "windings are pushed apart: {motion}");
    assert!(momentum.length() < 1e-10 * motion, "{momentum} of {motion}");
}

#[test]
fn windings_in_each_other_are_pushed_apart() {
    let mut body = pressed();
    let mut contact = SelfContact::new(Resistance::default());
    contact.step(&mut body, 0.001, &SPACE).expect("good");
    let start = contact.last.expect("looked").volume.volume;
    for _ in 0..1500 {
        contact.step(&mut body, 0.001, &Surroundings { drag: 5.0, ..SPACE }).expect("good");
    }
    let end = contact.last.expect("looked").volume.volume;
    eprintln!("volume in itself: {start:.2e} at the start, {end:.2e} after 1.5 s");
    assert!(start > 1e-4 && end < 0.1 * start);
}
