//! Bodies that are made up anew after they were added: other masses, shapes of others on them, other groups. For those who build vehicles of them: what is changed
//! here is part of how an engine is made, not of its state.

use super::body::{BodyError, BodyId, Mass, inertia_of};
use super::collider::{ColliderId, Filter};
use super::engine::Engine;
use freiraum_geometry::{Pose, Vec3};

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
        body.set_inertia(&inertia);
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
        self.bodies[carried.index()].is_carried = true;
        self.scratch.known = None;
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
                // Not rounded outward: speeds are compared with it, and states of worlds follow to the last bit.
                let far = collider.center_from_shape.transform_point(bounds.center()).length();
                body.reach = body.reach.max(far + 0.5 * bounds.size().length());
                body.core = body.core.min(0.5 * bounds.size().min_element());
            }
            body.is_bouncy |= collider.material.restitution > 0.0;
            body.colliders.push(at);
        }
        self.wake(by);
    }

    /// Between steps: the shapes of a dynamic body are elsewhere on it (`body_from_shape`), and so is its mass: that of [`Mass::Given`]. The body stays where it is; contacts
    /// keep their impulses. Shapes that are not named stay. This is part of the state of the engine.
    ///
    /// **Errors.** Masses that are none; then nothing has changed.
    pub(crate) fn rearrange(
        &mut self,
        id: BodyId,
        mass: Mass,
        places: &[(ColliderId, Pose)],
    ) -> Result<(), BodyError> {
        let inertia = inertia_of(&mass, None)?;
        let world_from_body = self.pose(id);
        let at = id.index();
        let body = &mut self.bodies[at];
        let shift = inertia.center - body.local_center;
        let arm = world_from_body.rotate(shift);
        body.local_center = inertia.center;
        body.set_inertia(&inertia);
        let motion = &mut self.motions[at];
        motion.linear += motion.angular.cross(arm);
        motion.center += arm;
        let center_from_body = Pose::from_translation(-inertia.center);
        let mut farthest: f64 = 0.0;
        for (collider, body_from_shape) in places {
            let collider = &mut self.colliders[collider.0 as usize];
            let before = Pose::from_translation(inertia.center - shift) * collider.center_from_shape;
            collider.center_from_shape = center_from_body * *body_from_shape;
            collider.is_central = collider.center_from_shape == Pose::IDENTITY;
            if let Some((center, half)) = collider.local_box {
                // No point of the box moves farther than its middle and its corners about it.
                let apart = before.transform_point(center).distance(body_from_shape.transform_point(center));
                let turn = (before.rotation().conjugate() * body_from_shape.rotation()).xyz().length();
                farthest = farthest.max(apart + 2.0 * turn * half.length());
                let far = collider.center_from_shape.transform_point(center).length() + half.length();
                body.reach = body.reach.max(far);
            }
        }
        // As if it had travelled that far, and a little so that contacts are found anew.
        self.travel[at] += farthest + body.core;
        self.wake(id);
        Ok(())
    }

    /// Between steps: puts a driven body without shapes somewhere, with velocities. It sleeps: steps do not move it.
    pub(crate) fn place_along(&mut self, id: BodyId, world_from_body: Pose, linear: Vec3, angular: Vec3) {
        let motion = &mut self.motions[id.index()];
        motion.rotation = world_from_body.rotation();
        motion.center = world_from_body.transform_point(self.bodies[id.index()].local_center);
        (motion.linear, motion.angular) = (linear, angular);
        self.bodies[id.index()].is_asleep = true;
    }

    /// Between steps: two bodies that [`Engine::ignore_pair`] kept apart meet again. This is part of the state of the engine.
    pub(crate) fn meet_pair(&mut self, a: BodyId, b: BodyId) {
        if let Ok(at) = self.broad.ignored.binary_search(&[a.0.min(b.0), a.0.max(b.0)]) {
            self.broad.ignored.remove(at);
        }
        for at in self.bodies[a.index()].colliders.clone() {
            self.broad.forget(at, &mut self.colliders);
        }
    }
}
