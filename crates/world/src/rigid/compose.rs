//! Bodies that are made up anew after they were added: other masses, shapes of others on them, other groups. For those who build vehicles of them: what is changed
//! here is part of how an engine is made, not of its state.

use super::body::{BodyError, BodyId, Mass, inertia_of};
use super::collider::{ColliderId, Filter};
use super::engine::Engine;
use freiraum_geometry::Pose;

impl Engine {
    /// Lets a shape meet others. Whoever resumes a world does it again.
    pub fn set_filter(&mut self, collider: ColliderId, filter: Filter) {
        self.colliders[collider.0 as usize].filter = filter;
        self.broad.forget(collider.0, &mut self.colliders);
    }

    /// Gives a dynamic body another mass, centre of mass and inertia: those of [`Mass::Given`]. It stays where it is, with its velocities. Whoever resumes a world does it again.
    ///
    /// **Errors.** Masses that are none; shapes are not looked at, so that only given masses will do.
    pub fn set_mass(&mut self, id: BodyId, mass: Mass) -> Result<(), BodyError> {
        let inertia = inertia_of(&mass, None)?;
        let world_from_body = self.pose(id);
        let body = &mut self.bodies[id.index()];
        if !body.is_dynamic() {
            return Ok(());
        }
        let shift = body.local_center - inertia.center;
        body.local_center = inertia.center;
        body.mass = inertia.mass;
        body.inverse_mass = 1.0 / inertia.mass;
        body.body_from_principal = inertia.body_from_principal;
        body.moments = inertia.moments;
        let (least, most) = (inertia.moments.min_element(), inertia.moments.max_element());
        body.unevenness = most / least - 1.0;
        body.is_isotropic = most - least <= 64.0 * f64::EPSILON * most;
        body.reach += shift.length();
        self.motions[id.index()].center = world_from_body.transform_point(inertia.center);
        for at in self.bodies[id.index()].colliders.clone() {
            let collider = &mut self.colliders[at as usize];
            collider.center_from_shape = Pose::from_translation(shift) * collider.center_from_shape;
            collider.is_central = collider.center_from_shape == Pose::IDENTITY;
            self.broad.forget(at, &mut self.colliders);
        }
        self.wake(id);
        Ok(())
    }

    /// Puts the shapes of one body on another one, where they are now: the first has none any more, touches nothing, and is moved by the caller.
    /// Contacts of the shapes are contacts of the second body. Whoever resumes a world does it again.
    pub fn carry(&mut self, carried: BodyId, by: BodyId) {
        if carried == by {
            return;
        }
        let center = self.motions[by.index()].center;
        let rotation = self.motions[by.index()].rotation;
        let Some(world_from_center) = Pose::new(rotation, center) else { return };
        let shapes = std::mem::take(&mut self.bodies[carried.index()].colliders);
        for at in shapes {
            let (_, world_from_shape) = self.shape(ColliderId(at));
            self.broad.forget(at, &mut self.colliders);
            let collider = &mut self.colliders[at as usize];
            collider.body = by.0;
            collider.center_from_shape = world_from_center.inverse() * world_from_shape;
            collider.is_central = collider.center_from_shape == Pose::IDENTITY;
            let bounds = collider.shape.bounds();
            let body = &mut self.bodies[by.index()];
            if let Some(bounds) = bounds {
                let far = collider.center_from_shape.transform_point(bounds.center()).length();
                body.reach = body.reach.max(far + 0.5 * bounds.size().length());
                body.core = body.core.min(0.5 * bounds.size().min_element());
            }
            body.is_bouncy |= collider.material.restitution > 0.0;
            body.colliders.push(at);
        }
        self.wake(by);
    }
}
