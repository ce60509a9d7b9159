//! The narrow phase: points of contact of all pairs that are near enough.

use super::body::{Body, BodyId, Motion};
use super::broad::{Collider, margin_of};
use super::fault::Faults;
use super::narrow::{
    Form, Outcome, Placed, Side, Surfaces, Touch, convex_surface, evaluate, is_cheap, surface_any,
};
use super::pair::{Manifold, Pair};
use freiraum_geometry::{Mat3, Vec3};
use freiraum_query::QueryError;
use rayon::prelude::*;

/// What the narrow phase reads.
pub(crate) struct View<'s> {
    pub(crate) bodies: &'s [Body],
    pub(crate) motions: &'s [Motion],
    pub(crate) axes: &'s [Mat3],
    pub(crate) spins: &'s [f64],
    pub(crate) travel: &'s [f64],
    pub(crate) colliders: &'s [Collider],
    pub(crate) placed: &'s [Placed],
    /// Length of the step.
    pub(crate) time: f64,
    /// Seconds since the start.
    pub(crate) now: f64,
    pub(crate) faults: &'s Faults,
}

impl View<'_> {
    fn failed(&self, pair: &Pair, error: &QueryError) {
        self.faults.tell(self.now, pair.bodies.map(BodyId), error);
    }
}

/// Fewer pairs than this are looked at by one thread: handing them out costs more.
const WORTH_SHARING: usize = 256;

/// Points of contact stay the same until the bodies have travelled this share of the thickness of the thinner one. Positions of points then
/// follow the bodies exactly; what they miss is the curvature of round bodies, of second order: half this share squared.
const FRESH_SHARE: f64 = 1.0 / 128.0;

/// Contacts are looked for ahead of a step by at most this share of the thickness of a body: faster ones are held back by the continuous
/// contact.
pub(crate) const AHEAD_SHARE: f64 = 0.5;

/// Finds or renews the points of contact of all pairs.
pub(crate) fn collide(pairs: &mut [Pair], view: &View, is_parallel: bool) {
    if is_parallel && pairs.len() >= WORTH_SHARING {
        pairs.par_chunks_mut(WORTH_SHARING / 4).for_each(|chunk| {
            for pair in chunk {
                collide_pair(pair, view);
            }
        });
    } else {
        for pair in pairs {
            collide_pair(pair, view);
        }
    }
}

fn collide_pair(pair: &mut Pair, view: &View) {
    let [a, b] = pair.bodies.map(|b| b as usize);
    let (body_a, body_b) = (&view.bodies[a], &view.bodies[b]);
    if (!body_a.is_dynamic() || body_a.is_asleep) && (!body_b.is_dynamic() || body_b.is_asleep) {
        return;
    }
    let (motion_a, motion_b) = (&view.motions[a], &view.motions[b]);
    let travel = view.travel[a] + view.travel[b];
    let approach = (motion_a.linear - motion_b.linear).length() + view.spins[a] + view.spins[b];
    let base = margin_of(body_a).min(margin_of(body_b));
    let thickness = |body: &Body| if body.is_dynamic() { body.core } else { 0.0 };
    let ahead = (approach * view.time).min(AHEAD_SHARE * thickness(body_a).max(thickness(body_b)));
    let margin = base + ahead;
    if travel + margin < pair.until {
        pair.manifolds.clear();
        return;
    }
    if travel + ahead < pair.fresh_until && !pair.manifolds.is_empty() {
        for manifold in &mut pair.manifolds {
            follow(manifold, view.motions, view.axes, a, b);
        }
        return;
    }
    let [ca, cb] = pair.colliders.map(|c| c as usize);
    let side = |c: usize| Side {
        form: &view.colliders[c].form,
        shape: &view.colliders[c].shape,
        placed: &view.placed[c],
    };
    let is_cheap =
        is_cheap(&view.colliders[ca].form, &view.colliders[cb].form, view.colliders[ca].shape.shape());
    let thin = body_a.core.min(body_b.core);
    let fresh = if is_cheap { 0.0 } else { FRESH_SHARE * thin };
    let surfaces = match (&view.colliders[ca].form, &view.colliders[cb].form) {
        (Form::Surface { .. }, _) => Some(surface_any(&side(ca), &side(cb), margin + fresh, thin)),
        (_, Form::Surface { .. }) => Some(convex_surface(&side(ca), &side(cb), margin + fresh, body_a.core)),
        _ => None,
    };
    if let Some(surfaces) = surfaces {
        pair.fresh_until = f64::NEG_INFINITY;
        pair.until = f64::NEG_INFINITY;
        match surfaces {
            Surfaces::Failed(error) => view.failed(pair, &error),
            Surfaces::Apart(gap) => {
                pair.manifolds.clear();
                pair.until = travel + gap;
            }
            Surfaces::Touching(touches) => {
                renew_all(&mut pair.manifolds, &touches, [motion_a.center, motion_b.center], thin);
                pair.fresh_until = travel + ahead + fresh;
                for manifold in &mut pair.manifolds {
                    fix_to_bodies(manifold, true, &view.axes[a], &view.axes[b]);
                }
            }
        }
        return;
    }
    match evaluate(&side(ca), &side(cb), margin + fresh, &mut pair.hint) {
        Outcome::Failed(error) => view.failed(pair, &error),
        Outcome::Apart(gap) => {
            pair.manifolds.clear();
            pair.until = travel + gap;
        }
        Outcome::Touching(touch) => {
            pair.until = f64::NEG_INFINITY;
            if pair.manifolds.is_empty() {
                pair.manifolds.push(Manifold::default());
            }
            let manifold = &mut pair.manifolds[0];
            manifold.renew(&touch, motion_a.center, motion_b.center, thin);
            pair.fresh_until = f64::NEG_INFINITY;
            if !is_cheap && !touch.is_cheap {
                pair.fresh_until = travel + ahead + fresh;
                // The normal belongs to the face that was taken as reference.
                let is_ground = view.colliders[cb].form.rank() > Form::Convex.rank();
                let normal_is_b = is_ground || [4, 5, 6].contains(&pair.hint.0);
                fix_to_bodies(manifold, normal_is_b, &view.axes[a], &view.axes[b]);
            }
        }
    }
}

/// Takes over groups of points; each goes on with the impulses of the old group whose normal is nearest to its own.
fn renew_all(manifolds: &mut Vec<Manifold>, touches: &[Touch], centers: [Vec3; 2], reach: f64) {
    let mut old = std::mem::take(manifolds);
    for touch in touches {
        let alike = |m: &Manifold| m.normal.dot(touch.normal);
        let best = (0..old.len()).max_by(|i, j| alike(&old[*i]).total_cmp(&alike(&old[*j])));
        let mut manifold = match best.filter(|k| alike(&old[*k]) > SAME_GROUP) {
            Some(k) => old.swap_remove(k),
            None => Manifold::default(),
        };
        manifold.renew(touch, centers[0], centers[1], reach);
        manifolds.push(manifold);
    }
}

/// Cosine above which groups of two steps are the same.
const SAME_GROUP: f64 = 0.9;

/// Remembers the points of both surfaces in the frames of their bodies.
fn fix_to_bodies(manifold: &mut Manifold, normal_is_b: bool, axes_a: &Mat3, axes_b: &Mat3) {
    let normal = manifold.normal;
    manifold.normal_is_b = normal_is_b;
    manifold.local_normal = if normal_is_b { axes_b } else { axes_a }.transpose().mul_vec3(normal);
    for point in &mut manifold.points[..manifold.count as usize] {
        let half = 0.5 * point.separation * normal;
        point.local_a = axes_a.transpose() * (point.from_a - half);
        point.local_b = axes_b.transpose() * (point.from_b + half);
    }
}

/// Moves the points with the bodies: each stays on its surface, the separation is what is between them.
fn follow(manifold: &mut Manifold, motions: &[Motion], axes: &[Mat3], a: usize, b: usize) {
    let (axes_a, axes_b) = (&axes[a], &axes[b]);
    manifold.normal = if manifold.normal_is_b { axes_b } else { axes_a }.mul_vec3(manifold.local_normal);
    let between = motions[b].center - motions[a].center;
    for point in &mut manifold.points[..manifold.count as usize] {
        let (on_a, on_b) = (axes_a.mul_vec3(point.local_a), axes_b.mul_vec3(point.local_b));
        point.separation = manifold.normal.dot(between + on_b - on_a);
        let half = 0.5 * point.separation * manifold.normal;
        point.from_a = on_a + half;
        point.from_b = on_b - half;
    }
}
