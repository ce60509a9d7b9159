//! What allocates nothing once it is warm. Apart from the other tests: this program counts the allocations of each thread.

mod convex;
mod meshes;
mod pairs;
#[path = "../it/pairs_common/mod.rs"]
mod pairs_common;
mod rays;

use freiraum_testkit::counting::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
