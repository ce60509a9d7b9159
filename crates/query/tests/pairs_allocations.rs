//! Once warm, asking does not allocate.
#![allow(unsafe_code)] // counting allocations takes a global allocator, which is unsafe by its nature

mod pairs_common;

use freiraum_geometry::shape::Kind;
use freiraum_query::contact::{Contact, contact_into};
use freiraum_query::{Prepared, distance, intersect, intersects};
use freiraum_testkit::random::Random;
use pairs_common::{random_pose, sample};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator; counting touches no memory that it hands out.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise about the layout is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc`, which is the system's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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
            let before = COUNT.get();
            ask();
            assert_eq!(COUNT.get() - before, 0, "{ka} {kb}");
        }
    }
    // The count counts.
    let before = COUNT.get();
    drop(std::hint::black_box(vec![1, 2, 3]));
    assert!(COUNT.get() > before);
}
