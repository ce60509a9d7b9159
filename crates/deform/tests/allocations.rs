//! Frame after frame allocates nothing once the storage has grown.

#[path = "it/common/mod.rs"]
mod common;

use common::{ball, crumpled, together};
use freiraum_deform::bodies::Bodies;
use freiraum_deform::looker::Looker;
use freiraum_deform::response::{Between, Within, penalty_forces};
use freiraum_deform::thin::{Look, Rays};
use freiraum_deform::{Layers, Surface, View};
use freiraum_geometry::Vec3;
use freiraum_testkit::counting::{Counting, allocations};
use freiraum_testkit::random::Random;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn warm_frames_allocate_nothing() {
    let mut random = Random::new(61);
    // Frames: two balls that go through each other, and one that is crumpled.
    let frames: Vec<_> = (0..6)
        .map(|k| {
            let offset = Vec3::new(0.3 * f64::from(k), 0.2, 0.1);
            let balls = [ball(Vec3::ZERO, 1.0, 8), ball(offset, 1.0, 8)];
            (together(&balls), balls, crumpled(&mut random, 6, 0.1))
        })
        .collect();
    let (mut layers, mut within, mut looker) = (Layers::default(), Within::default(), Looker::default());
    let (mut bodies, mut between) = (Bodies::default(), Between::default());
    let mut forces = vec![Vec3::ZERO; frames[0].0.0.len()];
    let mut contacts = 0;
    let mut play = || {
        for (one, [a, b], crumpled) in &frames {
            let surface = Surface { vertices: &one.0, faces: &one.1 };
            layers.self_collision(surface, &View::new(48)).unwrap();
            layers.involved(surface);
            within.find(surface, &layers);
            penalty_forces(&within.contacts, &[surface], 1.0, &mut [&mut forces]);
            let look = Look::all_around(Rays::Count([40, 30]));
            looker.self_collision(surface, &look).unwrap();
            let pair = [a, b].map(|s| Surface { vertices: &s.0, faces: &s.1 });
            looker.pair(pair, &look).unwrap();
            for found in bodies.pairs(&pair, &View::new(32)).unwrap() {
                between.find(found, pair);
                contacts += between.contacts.len();
            }
            contacts += within.contacts.len();
            let surface = Surface { vertices: &crumpled.0, faces: &crumpled.1 };
            layers.self_collision(surface, &View::new(48)).unwrap();
        }
    };
    play();
    let before = allocations();
    play();
    assert_eq!(allocations() - before, 0);
    assert!(before > 100 && contacts > 500);
}
