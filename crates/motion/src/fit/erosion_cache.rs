//! Eroded bodies, each made once.

use super::error::ShrinkError;
use super::joints::shares;
use crate::movable::Movable;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A body eroded by the first thread that needs it; threads that need the same one meanwhile wait for it.
type Slot = Arc<OnceLock<Result<Movable, ShrinkError>>>;

/// By the content of the body and the bits of the depth.
type Slots = HashMap<([u8; 32], u64), Slot>;

/// Keeps eroded bodies by the content of the body and the depth.
///
/// Bodies with equal content share their eroded copies, wherever they are in memory. Copies of a cache share
/// what they keep. No lock is held while a body is eroded. **Cost.** The first question about a body digests
/// its content, at about a gigabyte per second.
#[derive(Clone, Default)]
pub struct ErosionCache {
    known: Arc<Mutex<Slots>>,
}

impl fmt::Debug for ErosionCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ErosionCache").field("len", &self.len()).finish()
    }
}

impl ErosionCache {
    /// A body eroded by `depth` metres on all sides; see [`Movable::shrunk`].
    pub fn eroded(&self, body: &Movable, depth: f64) -> Result<Movable, ShrinkError> {
        let slot = self.lock().entry((*body.content(), depth.to_bits())).or_default().clone();
        slot.get_or_init(|| body.shrunk(depth)).clone()
    }

    /// Both bodies of a pair eroded by their [`shares`] of an allowance, which is that of resting contact or a
    /// stated one.
    pub fn pair(
        &self,
        bodies: [&Movable; 2],
        allowance: f64,
        is_resting: bool,
    ) -> Result<[Movable; 2], ShrinkError> {
        let share = shares(bodies, allowance, is_resting)?;
        let eroded = |side: usize| {
            let depth = share[side] * allowance;
            if depth == 0.0 {
                return Ok(bodies[side].clone());
            }
            self.eroded(bodies[side], depth).map_err(|error| error.of_allowance(allowance))
        };
        Ok([eroded(0)?, eroded(1)?])
    }

    /// How many bodies and depths are kept.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// True if nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops everything if more than `count` bodies and depths are kept.
    pub fn keep_at_most(&self, count: usize) {
        let mut known = self.lock();
        if known.len() > count {
            known.clear();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::shape::{Cuboid, Shape};
    use freiraum_geometry::{Mesh, Vec3};

    fn cube(size: f64) -> Movable {
        Movable::new(Shape::Cuboid(Cuboid::new(Vec3::splat(size)).unwrap()))
    }

    #[test]
    fn equal_bodies_share_what_is_eroded_and_others_do_not() {
        let cache = ErosionCache::default();
        let (a, b) = (cube(1.0), cube(1.0));
        let size = |body: &Movable| body.prepared().bounds().unwrap().size().x;
        assert_eq!(size(&cache.eroded(&a, 0.125).unwrap()), 0.75);
        assert_eq!(size(&cache.eroded(&b, 0.125).unwrap()), 0.75);
        assert_eq!(cache.len(), 1);
        assert_eq!(size(&cache.eroded(&b, 0.25).unwrap()), 0.5);
        assert_eq!(size(&cache.eroded(&cube(2.0), 0.25).unwrap()), 1.5);
        assert_eq!(cache.len(), 3);
        cache.keep_at_most(3);
        assert_eq!(cache.clone().len(), 3);
        cache.keep_at_most(2);
        assert!(cache.is_empty());
    }

    /// Bodies that come and go at the same address are told apart: the content is the key.
    #[test]
    fn an_address_that_is_used_again_is_no_other_body() {
        let cache = ErosionCache::default();
        for k in 1..100 {
            let size = f64::from(k);
            let body = Box::new(cube(size));
            let eroded = cache.eroded(&body, 0.25).unwrap();
            assert_eq!(eroded.prepared().bounds().unwrap().size().x, size - 0.5);
        }
        assert_eq!(cache.len(), 99);
    }

    /// The same faces as a solid and as a declared sheet: a sheet stays as it is.
    #[test]
    fn a_sheet_is_another_body_than_the_solid() {
        let corners = [0u32, 1, 2, 3, 4, 5, 6, 7]
            .map(|k| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)));
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
        let mesh: Arc<Mesh> = Arc::new(Mesh::new(corners.to_vec(), faces).unwrap());
        let solid = Movable::new(Shape::Mesh(mesh));
        let sheet = Movable::from_prepared(solid.prepared().clone().as_sheet());
        let cache = ErosionCache::default();
        let size = |body: &Movable| body.prepared().bounds().unwrap().size().x;
        assert_eq!(size(&cache.eroded(&solid, 0.125).unwrap()), 0.75);
        assert_eq!(size(&cache.eroded(&sheet, 0.125).unwrap()), 1.0);
    }

    #[test]
    fn many_threads_get_the_same() {
        let cache = ErosionCache::default();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let cache = &cache;
                scope.spawn(move || {
                    for k in 0..50 {
                        let size = 1.0 + f64::from((k + thread) % 10);
                        let eroded = cache.eroded(&cube(size), 0.125).unwrap();
                        assert_eq!(eroded.prepared().bounds().unwrap().size().x, size - 0.25);
                    }
                });
            }
        });
        assert_eq!(cache.len(), 10);
    }
}
