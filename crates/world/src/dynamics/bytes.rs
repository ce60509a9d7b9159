//! The part of an engine that changes in time, as bytes, bit for bit.
//!
//! What an engine is made of (shapes, masses, settings) is not among them: who resumes builds the same engine again. Every
//! field of a struct is named here, kept or not, so that a new one cannot be forgotten: it does not compile.

use super::body::{Body, BodyId, Motion};
use super::broad::{Broad, Collider};
use super::collider::Material;
use super::engine::{Engine, Statistics};
use super::joint::{Axis, Joint, JointState, Motor, Range, Spring};
use super::narrow::Hint;
use super::pair::{Manifold, Pair, Point};
use freiraum_geometry::{Aabb, Pose, Quat, Vec3};
use freiraum_query::broad_phase::{DynamicTree, DynamicTreeState, Leaf, Node};

/// Bytes that are read from the front.
pub(crate) struct Bytes<'b>(pub(crate) &'b [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }
}

/// What can be written as bytes and read again: the same bits. `None` for bytes that are none of it.
pub(crate) trait State: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn get(from: &mut Bytes) -> Option<Self>;
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl State for $type {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn get(from: &mut Bytes) -> Option<Self> {
                Some(Self::from_le_bytes(from.take()?))
            }
        }
    )*};
}
numbers!(u8, u32, u64, f64);

impl State for bool {
    fn put(&self, out: &mut Vec<u8>) {
        u8::from(*self).put(out);
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        [Some(false), Some(true)].get(usize::from(u8::get(from)?)).copied().flatten()
    }
}

impl State for usize {
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u64).put(out);
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        usize::try_from(u64::get(from)?).ok()
    }
}

impl<T: State> State for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        self.iter().for_each(|some| some.put(out));
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        Some(if bool::get(from)? { Some(T::get(from)?) } else { None })
    }
}

fn put_all<T: State>(items: &[T], out: &mut Vec<u8>) {
    items.len().put(out);
    items.iter().for_each(|item| item.put(out));
}

impl<T: State> State for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        put_all(self, out);
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        let count = usize::get(from)?;
        // Nothing takes less than a byte: no wrong count reserves more than the bytes that are there.
        (count <= from.0.len()).then(|| (0..count).map(|_| T::get(from)).collect())?
    }
}

impl<T: State, const N: usize> State for [T; N] {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|item| item.put(out));
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        let items: Option<Vec<T>> = (0..N).map(|_| T::get(from)).collect();
        items?.try_into().ok()
    }
}

impl State for (u32, u32) {
    fn put(&self, out: &mut Vec<u8>) {
        [self.0, self.1].put(out);
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        <[u32; 2]>::get(from).map(|[a, b]| (a, b))
    }
}

impl State for Vec3 {
    fn put(&self, out: &mut Vec<u8>) {
        self.to_array().put(out);
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        State::get(from).map(Vec3::from_array)
    }
}

impl State for Quat {
    fn put(&self, out: &mut Vec<u8>) {
        self.to_array().put(out);
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        State::get(from).map(Quat::from_array)
    }
}

impl State for Pose {
    fn put(&self, out: &mut Vec<u8>) {
        self.rotation().put(out);
        self.translation().put(out);
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        let (rotation, translation) = (Quat::get(from)?, Vec3::get(from)?);
        Pose::from_parts(rotation, translation)
    }
}

impl State for Hint {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        State::get(from).map(Hint)
    }
}

impl State for BodyId {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        State::get(from).map(BodyId)
    }
}

impl State for Leaf {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        State::get(from).map(Leaf)
    }
}

impl State for DynamicTree {
    fn put(&self, out: &mut Vec<u8>) {
        let DynamicTreeState { nodes, free, root } = self.state();
        put_all(nodes, out);
        put_all(free, out);
        root.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        let (nodes, free, root) = (State::get(from)?, State::get(from)?, u32::get(from)?);
        DynamicTree::resume(DynamicTreeState { nodes, free, root })
    }
}

impl State for Range {
    fn put(&self, out: &mut Vec<u8>) {
        let (kind, ends) = match *self {
            Range::Free => (0_u8, [0.0; 2]),
            Range::Locked => (1, [0.0; 2]),
            Range::Between(low, high) => (2, [low, high]),
        };
        kind.put(out);
        ends.put(out);
    }
    fn get(from: &mut Bytes) -> Option<Self> {
        let (kind, [low, high]) = (u8::get(from)?, <[f64; 2]>::get(from)?);
        [Range::Free, Range::Locked, Range::Between(low, high)].get(usize::from(kind)).copied()
    }
}

/// Structs of which every field is kept.
macro_rules! whole {
    ($($type:ident { $($field:ident),* })*) => {$(
        impl State for $type {
            fn put(&self, out: &mut Vec<u8>) {
                let $type { $($field),* } = self;
                $($field.put(out);)*
            }
            fn get(from: &mut Bytes) -> Option<Self> {
                $(let $field = State::get(from)?;)*
                Some($type { $($field),* })
            }
        }
    )*};
}
whole! {
    Motion { center, rotation, linear, angular }
    Aabb { min, max }
    Node { bounds, parent, children, key }
    Point { from_a, from_b, separation, local_a, local_b, feature, impulse }
    Manifold { normal, local_normal, normal_is_b, count, friction_impulse, twist_impulse, rolling_impulse, slip, points }
    Pair {
        colliders, bodies, friction, restitution, rolling, spinning, stiffness, damping, depth, hint, until, fresh_until,
        is_touching, impact, pressed_at, manifolds
    }
    Material { friction, restitution, rolling_friction, spinning_friction, stiffness, damping }
    Motor { speed, most }
    Spring { rest, stiffness, damping }
    Axis { range, motor, spring }
    Joint { bodies, frames, translation, rotation, bodies_meet }
    JointState { joint, is_removed, impulses }
    Statistics { pairs, contacts, points, interruptions, searches, squeezes }
}

/// Structs of which some fields are kept, and the others stay as they were built.
macro_rules! partly {
    ($($type:ident $put:ident $get:ident { $($field:ident),* } but { $($other:ident),* })*) => {$(
        fn $put(it: &$type, out: &mut Vec<u8>) {
            let $type { $($field,)* $($other: _),* } = it;
            $($field.put(out);)*
        }
        fn $get(it: &mut $type, from: &mut Bytes) -> Option<()> {
            $(it.$field = State::get(from)?;)*
            Some(())
        }
    )*};
}
partly! {
    Body put_body get_body {
        is_removed, local_center, mass, inverse_mass, body_from_principal, moments, is_isotropic, unevenness, is_asleep, quiet,
        force, torque, colliders, reach, round_about, is_joined, is_bouncy
    } but {
        kind, drag, gravity_share, contact, may_sleep, core, is_carried
    }
    Collider put_collider get_collider {
        center_from_shape, is_central, material, fat, fat_until, leaf, pairs, is_removed
    } but {
        body, shape, form, local_box, filter, followed
    }
    Broad put_broad get_broad { endless, pairs, ignored } but { tree, moved, found, changes }
    Engine put_engine get_engine {
        time, motions, joints, last_part, statistics, travel
    } but { settings, bodies, colliders, broad, events, scratch, faults }
}

impl Engine {
    /// The state as bytes. Events that were not taken are not among it.
    pub(crate) fn put_state(&self, out: &mut Vec<u8>) {
        self.bodies.len().put(out);
        self.colliders.len().put(out);
        put_engine(self, out);
        self.bodies.iter().for_each(|body| put_body(body, out));
        self.colliders.iter().for_each(|collider| put_collider(collider, out));
        put_broad(&self.broad, out);
        self.broad.tree.put(out);
    }

    /// Goes on from the state of an engine that was made of the same things; `None` if the bytes are no such state, and then the
    /// engine is of no use any more.
    pub(crate) fn get_state(&mut self, from: &mut Bytes) -> Option<()> {
        if usize::get(from)? != self.bodies.len() || usize::get(from)? != self.colliders.len() {
            return None;
        }
        get_engine(self, from)?;
        if self.motions.len() != self.bodies.len() || self.travel.len() != self.bodies.len() {
            return None;
        }
        for body in &mut self.bodies {
            get_body(body, from)?;
        }
        for collider in &mut self.colliders {
            get_collider(collider, from)?;
        }
        get_broad(&mut self.broad, from)?;
        self.broad.tree = State::get(from)?;
        self.events.clear();
        self.scratch.known = None;
        Some(())
    }
}
