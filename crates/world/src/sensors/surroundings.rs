//! What is there for sensors to see.

use freiraum_geometry::{Pose, Shape, Vec3};
use freiraum_query::ray::{Ray, RayError, RayScene};

/// One shape in its place.
#[derive(Clone, Debug)]
pub struct Thing {
    /// The number of the body that it belongs to: masks and answers speak of these.
    pub body: u32,
    /// Where it is.
    pub world_from_thing: Pose,
    /// What it is.
    pub shape: Shape,
}

/// Placed shapes, ready for rays.
#[derive(Clone, Debug)]
pub struct Surroundings {
    things: Vec<Thing>,
    rays: RayScene,
}

impl Surroundings {
    /// Of these things. **Cost.** That of a [`RayScene`].
    pub fn new(things: Vec<Thing>) -> Surroundings {
        let rays = RayScene::new(things.iter().map(|t| (t.world_from_thing, t.shape.clone())));
        Surroundings { things, rays }
    }

    /// The things, in the order that they were given in.
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// The things as a scene for rays; its items are the numbers of the things.
    pub fn rays(&self) -> &RayScene {
        &self.rays
    }

    /// Puts things elsewhere: `world_from_thing` has the new pose for the number of each thing that moved, `None` for others.
    ///
    /// **Guarantee.** The same as new surroundings of the moved things. **Cost.** A new tree over the things if one
    /// moved; trees of meshes stay.
    pub fn place(&mut self, world_from_thing: impl Fn(usize) -> Option<Pose>) {
        let mut has_moved = false;
        for (i, thing) in self.things.iter_mut().enumerate() {
            if let Some(pose) = world_from_thing(i) {
                has_moved |= pose != thing.world_from_thing;
                thing.world_from_thing = pose;
            }
        }
        if has_moved {
            let things = &self.things;
            self.rays.place(|item| {
                world_from_thing(item as usize).map(|_| things[item as usize].world_from_thing)
            });
        }
    }

    /// The body of a thing.
    pub(super) fn body(&self, thing: u32) -> u32 {
        self.things[thing as usize].body
    }

    /// The body of a seen solid that a point lies in or on; of several the one of the first thing.
    pub(super) fn body_at(&self, point: Vec3, mask: &Mask) -> Result<Option<u32>, RayError> {
        // Rays that start in a solid hit it at distance 0, wherever they go.
        let ray = Ray::new(point, Vec3::X, 0.0)?;
        Ok(self.rays.cast_where(&ray, |t| mask.sees(self.body(t))).map(|hit| self.body(hit.item)))
    }
}

/// What a sensor sees: every body but those that are hidden from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mask {
    hidden: Vec<bool>,
}

impl Mask {
    /// Sees everything.
    pub const EVERYTHING: Mask = Mask { hidden: Vec::new() };

    /// Sees all bodies but these.
    pub fn hiding(bodies: impl IntoIterator<Item = u32>) -> Mask {
        let mut hidden = Vec::new();
        for body in bodies {
            let body = body as usize;
            if hidden.len() <= body {
                hidden.resize(body + 1, false);
            }
            hidden[body] = true;
        }
        Mask { hidden }
    }

    /// True if a body is seen.
    #[inline]
    pub fn sees(&self, body: u32) -> bool {
        !self.hidden.get(body as usize).is_some_and(|h| *h)
    }
}
