//! Which shapes are near each other.
//!
//! Every shape has a box with room to move; a body that has travelled less than the room cannot have left it, so that most shapes cost one
//! comparison per step. Pairs of boxes that overlap are kept.

use super::body::{Body, ContactModel, Kind, Motion};
use super::collider::{Filter, Material};
use super::continuous::Followed;
use super::narrow::{Form, Hint, Placed};
use super::pair::Pair;
use super::settings::{Rule, Settings};
use super::squeeze::depth_of;
use freiraum_geometry::{Aabb, Mat3, Pose, Vec3};
use freiraum_query::Prepared;
use freiraum_query::broad_phase::{DynamicTree, Leaf};

/// A shape on a body, as the engine keeps it.
#[derive(Clone, Debug)]
pub(crate) struct Collider {
    pub(crate) body: u32,
    pub(crate) shape: Prepared,
    pub(crate) form: Form,
    /// Relative to the centre of mass, axes of the body.
    pub(crate) center_from_shape: Pose,
    /// Centre of the shape at the centre of mass, axes parallel: nothing to add to the motion of the body.
    pub(crate) is_central: bool,
    /// The box of the shape in its own frame: centre and half size; `None` for half spaces.
    pub(crate) local_box: Option<(Vec3, Vec3)>,
    pub(crate) material: Material,
    pub(crate) filter: Filter,
    /// The box with room.
    pub(crate) fat: Aabb,
    /// The box holds until the body has travelled this far.
    pub(crate) fat_until: f64,
    pub(crate) leaf: Option<Leaf>,
    /// Neighbours and the numbers of the pairs with them.
    pub(crate) pairs: Vec<(u32, u32)>,
    pub(crate) is_removed: bool,
    /// For continuous contact.
    pub(crate) followed: Followed,
}

impl Collider {
    pub(crate) fn placed(&self, motion: &Motion) -> Placed {
        if self.is_central {
            return Placed {
                axes: Mat3::from_quat(motion.rotation),
                position: motion.center,
                rotation: motion.rotation,
            };
        }
        let rotation = motion.rotation * self.center_from_shape.rotation();
        Placed {
            axes: Mat3::from_quat(rotation),
            position: motion.center + motion.rotation * self.center_from_shape.translation(),
            rotation,
        }
    }

    /// A box around the shape in the world.
    pub(crate) fn bounds(&self, placed: &Placed) -> Aabb {
        match (&self.form, self.local_box) {
            (Form::Sphere { radius }, _) => {
                widened(&Aabb { min: placed.position, max: placed.position }, *radius)
            }
            (_, Some((center, half))) => {
                let center = placed.position + placed.axes * center;
                let reach = placed.axes.abs() * half;
                Aabb { min: center - reach, max: center + reach }
            }
            (_, None) => Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY },
        }
    }
}

/// What the boxes follow from.
#[derive(Clone, Copy)]
pub(crate) struct Around<'s> {
    pub(crate) placed: &'s [Placed],
    pub(crate) bodies: &'s [Body],
    /// Of the fastest point of each body, and how far it can have travelled in all.
    pub(crate) speeds: &'s [f64],
    pub(crate) travel: &'s [f64],
    /// Length of the step.
    pub(crate) time: f64,
    pub(crate) settings: &'s Settings,
    /// Bodies whose shapes may leave their boxes.
    pub(crate) bodies_to_look_at: &'s [u32],
}

/// The pairs, and what finds them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Broad {
    pub(crate) tree: DynamicTree,
    /// Shapes without end.
    pub(crate) endless: Vec<u32>,
    pub(crate) pairs: Vec<Pair>,
    /// Pairs of bodies that never meet, sorted.
    pub(crate) ignored: Vec<[u32; 2]>,
    pub(crate) moved: Vec<u32>,
    pub(crate) found: Vec<u32>,
    /// How often shapes were taken out, and fixed ones changed or put elsewhere.
    pub(crate) changes: u64,
}

/// Room of a box as a share of the size of its body.
const ROOM_SHARE: f64 = 0.1;

/// Room for so many steps at the present speed, so that a fast body does not get a new box in every step.
const ROOM_STEPS: f64 = 4.0;

/// And at least for a time between these two, in seconds, however short the steps are: the more shapes a body has, the less, for all of them make pairs with others.
const ROOM_TIMES: [f64; 2] = [1.0 / 64.0, 1.0 / 16.0];

impl Broad {
    /// Gives new boxes to shapes that may leave theirs in the time of the step, and finds their new neighbours.
    pub(crate) fn update(&mut self, colliders: &mut [Collider], around: &Around) {
        let Around { placed, bodies, speeds, travel, time, settings, bodies_to_look_at } = *around;
        self.moved.clear();
        for at in bodies_to_look_at.iter().flat_map(|at| &bodies[*at as usize].colliders) {
            let at = *at as usize;
            let collider = &mut colliders[at];
            let body = collider.body as usize;
            let need = travel[body] + speeds[body] * time + margin_of(&bodies[body]);
            if need <= collider.fat_until || collider.is_removed {
                continue;
            }
            let first = collider.fat_until == f64::NEG_INFINITY;
            let fixed = bodies[body].kind == Kind::Fixed;
            // Those that move bring the room: fixed bodies have no thickness that limits it.
            let room = if fixed {
                0.0
            } else {
                let [least, most] = ROOM_TIMES;
                let long = (most / bodies[body].colliders.len() as f64).max(least);
                let ahead = speeds[body] * (ROOM_STEPS * time).max(long);
                ROOM_SHARE * bodies[body].reach + ahead + margin_of(&bodies[body])
            };
            collider.fat_until = if fixed { f64::INFINITY } else { travel[body] + room };
            collider.fat = widened(&collider.bounds(&placed[at]), room);
            match (collider.local_box, collider.leaf) {
                (None, _) if first => self.endless.push(at as u32),
                (None, _) => {}
                (_, Some(leaf)) => self.tree.change(leaf, collider.fat),
                (_, None) => collider.leaf = Some(self.tree.insert(at as u32, collider.fat)),
            }
            self.moved.push(at as u32);
        }
        for k in 0..self.moved.len() {
            let at = self.moved[k];
            self.drop_distant(at, colliders, placed);
            self.add_near(at, colliders, placed, bodies, settings);
        }
    }

    /// Takes a shape out.
    pub(crate) fn remove(&mut self, at: u32, colliders: &mut [Collider]) {
        self.changes += 1;
        while let Some((_, pair)) = colliders[at as usize].pairs.last().copied() {
            self.drop_pair(pair, colliders);
        }
        let collider = &mut colliders[at as usize];
        collider.is_removed = true;
        if let Some(leaf) = collider.leaf.take() {
            self.tree.remove(leaf);
        }
        self.endless.retain(|e| *e != at);
    }

    /// Takes all pairs of a shape out; they are found again in the next step.
    pub(crate) fn forget(&mut self, at: u32, colliders: &mut [Collider]) {
        // Shapes of bodies that move are looked at in every step anyway.
        self.changes += u64::from(colliders[at as usize].fat_until == f64::INFINITY);
        while let Some((_, pair)) = colliders[at as usize].pairs.last().copied() {
            self.drop_pair(pair, colliders);
        }
        let collider = &mut colliders[at as usize];
        // Not the first time: endless shapes stay in their list.
        collider.fat_until =
            if collider.fat_until == f64::NEG_INFINITY { f64::NEG_INFINITY } else { f64::MIN };
    }

    fn drop_distant(&mut self, at: u32, colliders: &mut [Collider], placed: &[Placed]) {
        let mut k = 0;
        while let Some((other, pair)) = colliders[at as usize].pairs.get(k).copied() {
            if are_near(&colliders[at as usize], &colliders[other as usize], [at, other], placed) {
                k += 1;
            } else {
                self.drop_pair(pair, colliders);
            }
        }
    }

    fn drop_pair(&mut self, pair: u32, colliders: &mut [Collider]) {
        let ends = self.pairs[pair as usize].colliders;
        for at in ends {
            colliders[at as usize].pairs.retain(|(_, p)| *p != pair);
        }
        self.pairs.swap_remove(pair as usize);
        let old = self.pairs.len() as u32;
        if let Some(moved) = self.pairs.get(pair as usize) {
            for at in moved.colliders {
                for (_, p) in &mut colliders[at as usize].pairs {
                    if *p == old {
                        *p = pair;
                    }
                }
            }
        }
    }

    fn add_near(
        &mut self,
        at: u32,
        colliders: &mut [Collider],
        placed: &[Placed],
        bodies: &[Body],
        settings: &Settings,
    ) {
        let collider = &colliders[at as usize];
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        if collider.local_box.is_some() {
            self.tree.overlapping(&collider.fat, |other| found.push(other));
            found.extend(self.endless.iter().copied());
        } else {
            // Rare: a new half space meets everything that is near it.
            found.extend((0..colliders.len() as u32).filter(|o| !colliders[*o as usize].is_removed));
        }
        // The order of the pairs must not depend on the shape of the tree alone; it is that of the shapes.
        found.sort_unstable();
        for other in found.iter().copied() {
            let (one, two) = (&colliders[at as usize], &colliders[other as usize]);
            if one.pairs.iter().any(|(o, _)| *o == other)
                || !self.may_meet(at, other, colliders, bodies)
                || !are_near(one, two, [at, other], placed)
            {
                continue;
            }
            let number = self.pairs.len() as u32;
            let in_order = (one.form.rank(), at) <= (two.form.rank(), other);
            let ends = if in_order { [at, other] } else { [other, at] };
            let [a, b] = ends.map(|e| &colliders[e as usize]);
            let rule = |rule: Rule, of: fn(&Material) -> f64| rule.of(of(&a.material), of(&b.material));
            let is_penalty = [a, b].iter().any(|c| bodies[c.body as usize].contact == ContactModel::Penalty);
            // Two springs, one behind the other.
            let series = |x: f64, y: f64| if x + y > 0.0 { x * y / (x + y) } else { 0.0 };
            let spring = |of: fn(&Material) -> f64| {
                if is_penalty { series(of(&a.material), of(&b.material)) } else { 0.0 }
            };
            self.pairs.push(Pair {
                colliders: ends,
                bodies: [a.body, b.body],
                friction: rule(settings.friction_rule, |m| m.friction),
                restitution: rule(settings.restitution_rule, |m| m.restitution),
                rolling: rule(Rule::Maximum, |m| m.rolling_friction),
                spinning: rule(Rule::Maximum, |m| m.spinning_friction),
                stiffness: spring(|m| m.stiffness),
                damping: spring(|m| m.damping),
                hint: Hint::default(),
                until: 0.0,
                fresh_until: f64::NEG_INFINITY,
                is_touching: false,
                impact: 0.0,
                pressed_at: Vec3::ZERO,
                depth: depth_of([a, b].map(|c| &bodies[c.body as usize])),
                manifolds: Vec::new(),
            });
            colliders[at as usize].pairs.push((other, number));
            colliders[other as usize].pairs.push((at, number));
        }
        self.found = found;
    }

    /// Whether two shapes can touch at all.
    pub(crate) fn may_meet(&self, at: u32, other: u32, colliders: &[Collider], bodies: &[Body]) -> bool {
        let (one, two) = (&colliders[at as usize], &colliders[other as usize]);
        one.body != two.body
            && (bodies[one.body as usize].is_dynamic() || bodies[two.body as usize].is_dynamic())
            && one.filter.lets_meet(&two.filter)
            && !self.is_ignored(one.body, two.body)
    }

    /// All shapes whose boxes with room overlap a box, and those without end; sorted.
    pub(crate) fn near(&mut self, bounds: &Aabb, found: &mut Vec<u32>) {
        found.clear();
        self.tree.overlapping(bounds, |key| found.push(key));
        found.extend(&self.endless);
        found.sort_unstable();
    }

    /// A lower bound of the gap between two shapes, from when they were last looked at.
    pub(crate) fn gap_of(&self, [a, b]: [u32; 2], colliders: &[Collider], travel: &[f64]) -> f64 {
        let (one, two) = (&colliders[a as usize], &colliders[b as usize]);
        let Some((_, pair)) = one.pairs.iter().find(|(other, _)| *other == b) else {
            return f64::NEG_INFINITY;
        };
        self.pairs[*pair as usize].until - travel[one.body as usize] - travel[two.body as usize]
    }

    fn is_ignored(&self, a: u32, b: u32) -> bool {
        !self.ignored.is_empty() && self.ignored.binary_search(&[a.min(b), a.max(b)]).is_ok()
    }
}

/// The box grown by a length on every side.
pub(crate) fn widened(b: &Aabb, by: f64) -> Aabb {
    Aabb { min: b.min - Vec3::splat(by), max: b.max + Vec3::splat(by) }
}

/// How far around a body contacts are looked for at least, in metres: a share of its thickness.
pub(crate) fn margin_of(body: &Body) -> f64 {
    MARGIN_SHARE * body.core
}

/// See [`margin_of`]. Contacts at rest move in and out by far less; a larger share only makes more points that do nothing.
const MARGIN_SHARE: f64 = 1.0 / 128.0;

/// Whether the boxes of two shapes overlap; half spaces are held against the box itself.
fn are_near(one: &Collider, two: &Collider, at: [u32; 2], placed: &[Placed]) -> bool {
    match (&one.form, &two.form) {
        (Form::HalfSpace { .. }, Form::HalfSpace { .. }) => false,
        (Form::HalfSpace { normal, offset }, _) => {
            reaches(&placed[at[0] as usize], *normal, *offset, &two.fat)
        }
        (_, Form::HalfSpace { normal, offset }) => {
            reaches(&placed[at[1] as usize], *normal, *offset, &one.fat)
        }
        _ => one.fat.intersects(&two.fat),
    }
}

/// Whether a box reaches into a half space.
fn reaches(placed: &Placed, normal: Vec3, offset: f64, bounds: &Aabb) -> bool {
    let out = placed.axes * normal;
    let lowest = Vec3::select(out.cmpge(Vec3::ZERO), bounds.min, bounds.max);
    (lowest - placed.position).dot(out) <= offset
}
