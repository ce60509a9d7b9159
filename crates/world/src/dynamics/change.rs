//! Bodies that become something else while the world runs.

use super::body::{BodyError, BodyId, Kind, Mass, inertia_of};
use super::continuous::{Followed, round_about};
use super::engine::{Engine, THINNEST};
use super::narrow::Form;
use freiraum_geometry::{MassProperties, Pose, Quat, Vec3};

impl Engine {
    /// Makes a body one of this kind and mass from now on. It stays where it is and keeps its velocities, unless it becomes fixed; contacts of it are found anew.
    /// On an error nothing has changed.
    pub fn set_kind(&mut self, id: BodyId, kind: Kind, mass: &Mass) -> Result<(), BodyError> {
        let at = id.index();
        let world_from_body = self.pose(id);
        let velocity = self.velocity_at(id, world_from_body.translation());
        let old_center = self.bodies[at].local_center;
        let colliders = self.bodies[at].colliders.clone();
        let body_from_shape =
            |center_from_shape: &Pose| Pose::from_translation(old_center) * *center_from_shape;
        let mut center = Vec3::ZERO;
        if kind == Kind::Dynamic {
            let properties: Option<Vec<MassProperties>> = colliders
                .iter()
                .map(|c| &self.colliders[*c as usize])
                .map(|c| {
                    Some(c.shape.shape().mass_properties()?.placed(&body_from_shape(&c.center_from_shape)))
                })
                .collect();
            let shapes = properties.filter(|p| !p.is_empty()).map(|p| MassProperties::combined(&p));
            let inertia = inertia_of(mass, shapes)?;
            center = inertia.center;
            let body = &mut self.bodies[at];
            body.mass = inertia.mass;
            body.inverse_mass = 1.0 / inertia.mass;
            body.body_from_principal = inertia.body_from_principal;
            body.moments = inertia.moments;
            body.unevenness = inertia.moments.max_element() / inertia.moments.min_element() - 1.0;
            let spread = inertia.moments.max_element() - inertia.moments.min_element();
            body.is_isotropic = spread <= 64.0 * f64::EPSILON * inertia.moments.max_element();
        } else {
            let body = &mut self.bodies[at];
            (body.mass, body.inverse_mass) = (0.0, 0.0);
            (body.body_from_principal, body.moments) = (Quat::IDENTITY, Vec3::ONE);
            (body.unevenness, body.is_isotropic) = (0.0, true);
        }
        // Also if it was not fixed before.
        self.broad.changes += 1;
        let (mut core, mut reach) = (f64::INFINITY, 0.0_f64);
        let first = colliders.first().map_or(0, |number| *number as usize);
        let shapes = first..first + colliders.len();
        for number in colliders {
            self.wake_neighbours(number);
            self.broad.forget(number, &mut self.colliders);
            let collider = &mut self.colliders[number as usize];
            collider.center_from_shape =
                Pose::from_translation(-center) * body_from_shape(&collider.center_from_shape);
            collider.is_central = collider.center_from_shape == Pose::IDENTITY;
            collider.followed = Followed::default();
            if let Some((middle, half)) = collider.local_box {
                core = core.min(half.min_element());
                let own = match collider.form {
                    Form::Sphere { radius } => radius,
                    _ => half.length(),
                };
                reach = reach.max(collider.center_from_shape.transform_point(middle).length() + own);
            }
        }
        let body = &mut self.bodies[at];
        (body.kind, body.local_center, body.reach) = (kind, center, reach);
        body.round_about = round_about(&self.colliders[shapes]);
        // As in `add`.
        body.core = if kind == Kind::Fixed { f64::INFINITY } else { core.max(THINNEST * reach) };
        let motion = &mut self.motions[at];
        motion.center = world_from_body.transform_point(center);
        if kind == Kind::Fixed {
            (motion.linear, motion.angular) = (Vec3::ZERO, Vec3::ZERO);
        } else {
            motion.linear = velocity + motion.angular.cross(motion.center - world_from_body.translation());
        }
        self.wake(id);
        Ok(())
    }
}
