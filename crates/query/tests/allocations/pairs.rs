//! Once warm, asking does not allocate.

use crate::pairs_common::{random_pose, sample};
use freiraum_geometry::shape::Kind;
use freiraum_query::contact::{Contact, contact_into};
use freiraum_query::{Prepared, distance, intersect, intersects};
use freiraum_testkit::counting::allocations;
use freiraum_testkit::random::Random;

#[test]
fn no_question_allocates_once_warm() {
    let answer = std::cell::RefCell::new(Contact::default());
    for ka in Kind::ALL {
        for kb in Kind::ALL {
            let (a, b) = (Prepared::new(sample(ka, 1.0)), Prepared::new(sample(kb, 1.0)));
            let ask = || {
                let mut random = Random::new(21);
                for i in 0..8 {
                    let pose = random_pose(&mut random, [1.3, 0.4][i % 2]);
                    distance(&a, &b, &pose).unwrap();
                    intersects(&a, &b, &pose).unwrap();
                    intersect(&a, &b, &pose).unwrap();
                    contact_into(&a, &b, &pose, &mut answer.borrow_mut()).unwrap();
                }
            };
            ask();
            let before = allocations();
            ask();
            assert_eq!(allocations() - before, 0, "{ka} {kb}");
        }
    }
    // The count counts.
    let before = allocations();
    drop(std::hint::black_box(vec![1, 2, 3]));
    assert!(allocations() > before);
}
