//! The set: bodies in groups, and the pairs of them that touch in each step.

use super::body::{Body, BodyId, Bounds, GroupId};
use super::front::{Finding, Front, Memory, Scene};
use super::group::{Group, Member, Outside, Placed};
use super::links::LinksError;
use super::travel::travel;
use crate::broad_phase::{BroadPhase, BroadPhaseKind};
use crate::tree::build::SurfaceArea;
use crate::tree::descend::LargerFirst;
use crate::tree::{Builder, Counts, Rule, Volume};
use freiraum_geometry::{Aabb, Pose};

/// How a set works. No setting changes what it finds.
#[derive(Debug)]
pub struct Settings {
    /// Finds the pairs of groups that are near each other.
    pub broad: BroadPhaseKind,
    /// Builds the trees of groups that bring none along.
    pub builder: Box<dyn Builder>,
    /// Chooses which of two nodes is opened.
    pub rule: Box<dyn Rule>,
    /// When a body is kept outside the tree of its group.
    pub outside: Outside,
    /// Whether pairs are passed over as long as they cannot have come together since their last test.
    pub skips: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            broad: BroadPhaseKind::default(),
            builder: Box::new(SurfaceArea),
            rule: Box::new(LargerFirst),
            outside: Outside::default(),
            skips: true,
        }
    }
}

/// Why a set refuses something.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// The pose of a body has a number that is not finite.
    #[error("the pose of body {0:?} is not finite")]
    BadPose(BodyId),
    /// The bounds of a body are empty or not finite.
    #[error("the bounds of body {0:?} are empty or not finite")]
    BadBounds(BodyId),
    /// The body is not in the set, or no longer.
    #[error("there is no body {0:?}")]
    NoSuchBody(BodyId),
    /// A fixed body was to be moved.
    #[error("body {0:?} is fixed")]
    Fixed(BodyId),
    /// The structure of a group does not fit its bodies.
    #[error(transparent)]
    Links(#[from] LinksError),
}

/// Two bodies that touch, and what the caller's test said about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch<C> {
    /// The body with the smaller number.
    pub a: BodyId,
    /// The other one.
    pub b: BodyId,
    /// What the test of the two said.
    pub contact: C,
}

/// Many bodies, fixed and moving, alone and in groups, and the question which of them touch.
///
/// `V` is the bounding volume of the trees, `C` what is known of a contact. The test of two bodies is the caller's; its
/// answer must depend on the two bodies and their poses alone, because it is kept while neither moves.
///
/// **Frames.** Poses are `world_from_body`; tests get `a_from_b`. **Guarantee.** Every step reports exactly the pairs
/// that the test finds touching among all pairs that may meet ([`ObjectSet::allowed_pairs`]), sorted, provided that the
/// bounds hold their bodies and that the distances the test reports are not too large. **Cost.** Near-linear in the
/// bodies that moved and the pairs that are near each other; no allocation per step once warm.
#[derive(Debug)]
pub struct ObjectSet<V, C = ()> {
    settings: Settings,
    bodies: Vec<Placed>,
    groups: Vec<Option<Member<V>>>,
    broad: Box<dyn BroadPhase>,
    fronts: Vec<Front>,
    ignored: Vec<(u32, u32)>,
    counts: Counts,
    touching: Vec<Touch<C>>,
    memory: Memory<C>,
    /// Pairs of groups that are near each other, and the fronts of the step before.
    near: Vec<(u32, u32)>,
    old_fronts: Vec<Front>,
}

impl<V: Volume, C: Clone> ObjectSet<V, C> {
    /// An empty set.
    pub fn new(settings: Settings) -> ObjectSet<V, C> {
        ObjectSet {
            broad: settings.broad.start(),
            settings,
            bodies: Vec::new(),
            groups: Vec::new(),
            fronts: Vec::new(),
            ignored: Vec::new(),
            counts: Counts::default(),
            touching: Vec::new(),
            memory: Memory::new(),
            near: Vec::new(),
            old_fronts: Vec::new(),
        }
    }

    /// Adds bodies as a group; they get the next numbers, in their order.
    ///
    /// The tree of the group is made here, once: from its links if it has some, else by the builder of the settings.
    pub fn add(&mut self, group: &Group) -> Result<GroupId, SetError> {
        let first = self.bodies.len() as u32;
        let number = self.groups.len() as u32;
        let mut added = Vec::with_capacity(group.bodies.len());
        for (i, body) in (first..).zip(&group.bodies) {
            check(body, BodyId(i))?;
            added.push(Placed {
                bounds: body.bounds,
                world_from_body: body.world_from_body,
                layers: body.layers,
                group: number,
                fresh_travel: 0.0,
                travel: 0.0,
            });
        }
        let builder = &*self.settings.builder;
        let member = Member::new(group, &added, first, builder, &self.settings.outside)?;
        self.bodies.extend(added);
        self.broad.set(number, member.aabb(&self.bodies));
        self.groups.push(Some(member));
        Ok(GroupId(number))
    }

    /// Takes a group out; its bodies keep their numbers but are no longer there.
    pub fn remove(&mut self, group: GroupId) {
        if let Some(place) = self.groups.get_mut(group.0 as usize) {
            *place = None;
            self.broad.remove(group.0);
        }
    }

    /// The bodies of a group, in the order in which they were given; none for a group that is not there.
    pub fn bodies(&self, group: GroupId) -> impl Iterator<Item = BodyId> {
        let is_there = self.groups.get(group.0 as usize).is_some_and(Option::is_some);
        let bodies = (0u32..).zip(&self.bodies);
        bodies.filter(move |(_, b)| is_there && b.group == group.0).map(|(i, _)| BodyId(i))
    }

    /// Places a movable body anew.
    pub fn place(&mut self, body: BodyId, world_from_body: Pose) -> Result<(), SetError> {
        let placed = self.bodies.get_mut(body.index()).ok_or(SetError::NoSuchBody(body))?;
        let member = self.groups[placed.group as usize].as_mut().ok_or(SetError::NoSuchBody(body))?;
        if !member.is_movable {
            return Err(SetError::Fixed(body));
        }
        if !is_finite(&world_from_body) {
            return Err(SetError::BadPose(body));
        }
        let way = travel(&placed.bounds, &placed.world_from_body, &world_from_body);
        placed.world_from_body = world_from_body;
        if way.is_finite() {
            placed.fresh_travel += way;
        } else {
            member.has_jumped = true;
        }
        // Not a number, where coordinates overflow, is a move too.
        member.has_moved |= !(way <= 0.0);
        Ok(())
    }

    /// The pose of a body.
    pub fn pose(&self, body: BodyId) -> Result<Pose, SetError> {
        let placed = self.bodies.get(body.index()).filter(|b| self.groups[b.group as usize].is_some());
        placed.map(|b| b.world_from_body).ok_or(SetError::NoSuchBody(body))
    }

    /// Never tests these two bodies again, such as neighbours on a joint.
    pub fn ignore(&mut self, a: BodyId, b: BodyId) {
        let pair = (a.0.min(b.0), a.0.max(b.0));
        if let Err(place) = self.ignored.binary_search(&pair) {
            self.ignored.insert(place, pair);
            self.forget();
        }
    }

    /// Tests these two bodies again after [`ObjectSet::ignore`].
    pub fn heed(&mut self, a: BodyId, b: BodyId) {
        let pair = (a.0.min(b.0), a.0.max(b.0));
        if let Ok(place) = self.ignored.binary_search(&pair) {
            self.ignored.remove(place);
            self.forget();
        }
    }

    /// All pairs of bodies that may meet by their groups, layers and the ignored pairs, sorted: what a step without
    /// trees would test.
    pub fn allowed_pairs(&self) -> Vec<(BodyId, BodyId)> {
        let scene = self.scene();
        let mut pairs = Vec::new();
        for a in 0..self.bodies.len() as u32 {
            for b in a + 1..self.bodies.len() as u32 {
                let groups = [a, b].map(|body| self.bodies[body as usize].group);
                if may_meet(&self.groups, groups) && scene.may_meet(a, b) {
                    pairs.push((BodyId(a), BodyId(b)));
                }
            }
        }
        pairs
    }

    /// What the last step did.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Finds the pairs that touch at the present poses, sorted by the numbers of their bodies.
    ///
    /// `test(a, b, a_from_b)` looks at two bodies, a having the smaller number. It is asked only where the bounds do
    /// not decide. Its error ends the step and is returned; the next step starts over.
    pub fn step<E>(
        &mut self,
        mut test: impl FnMut(BodyId, BodyId, &Pose) -> Result<Finding<C>, E>,
    ) -> Result<&[Touch<C>], E> {
        self.counts = Counts::default();
        self.touching.clear();
        for (number, member) in (0u32..).zip(&mut self.groups) {
            let Some(member) = member.as_mut().filter(|m| m.has_moved) else { continue };
            member.follow(&mut self.bodies);
            self.broad.set(number, member.aabb(&self.bodies));
        }
        self.match_fronts();
        // Fields are borrowed one by one, so the scene cannot be made by a function of self.
        let scene = Scene {
            groups: &self.groups,
            bodies: &self.bodies,
            rule: &*self.settings.rule,
            ignored: &self.ignored,
            skips: self.settings.skips,
        };
        let (bodies, touching) = (&self.bodies, &mut self.touching);
        for front in &mut self.fronts {
            front.look(
                &scene,
                &mut self.memory,
                &mut self.counts,
                |a, b| {
                    let pose = |body: u32| bodies[body as usize].world_from_body;
                    test(BodyId(a), BodyId(b), &(pose(a).inverse() * pose(b)))
                },
                |a, b, contact| {
                    touching.push(Touch { a: BodyId(a), b: BodyId(b), contact: contact.clone() });
                },
            )?;
        }
        for member in self.groups.iter_mut().flatten() {
            member.has_jumped = false;
        }
        self.touching.sort_unstable_by_key(|touch| (touch.a, touch.b));
        Ok(&self.touching)
    }

    /// Brings the fronts in line with the pairs of groups that are near each other: both lists are sorted.
    fn match_fronts(&mut self) {
        self.broad.pairs(&mut self.near, &mut self.counts);
        for (number, member) in (0u32..).zip(&self.groups) {
            if member.as_ref().is_some_and(|m| m.collides_inside) {
                self.near.push((number, number));
            }
        }
        let groups = &self.groups;
        self.near.retain(|&(a, b)| may_meet(groups, [a, b]));
        self.near.sort_unstable();
        std::mem::swap(&mut self.fronts, &mut self.old_fronts);
        let mut old = self.old_fronts.drain(..).peekable();
        for &(a, b) in &self.near {
            while let Some(front) = old.next_if(|front| front.groups < [a, b]) {
                front.dissolve(&mut self.memory);
            }
            let kept = old.next_if(|front| front.groups == [a, b]);
            self.fronts.push(kept.unwrap_or_else(|| Front::new([a, b])));
        }
        old.for_each(|front| front.dissolve(&mut self.memory));
    }

    /// Lets all fronts start over.
    fn forget(&mut self) {
        for front in &mut self.fronts {
            front.forget();
        }
    }

    fn scene(&self) -> Scene<'_, V> {
        Scene {
            groups: &self.groups,
            bodies: &self.bodies,
            rule: &*self.settings.rule,
            ignored: &self.ignored,
            skips: self.settings.skips,
        }
    }
}

/// True if bodies of these groups may meet: both are there, not both fixed, and in layers that see each other.
fn may_meet<V>(groups: &[Option<Member<V>>], [a, b]: [u32; 2]) -> bool {
    let (Some(first), Some(second)) = (&groups[a as usize], &groups[b as usize]) else { return false };
    let inside = a != b || first.collides_inside;
    inside && (first.is_movable || second.is_movable) && first.layers.meet(&second.layers)
}

fn check(body: &Body, id: BodyId) -> Result<(), SetError> {
    let has_bounds = match &body.bounds {
        Bounds::Limited(extent) => {
            let Aabb { min, max } = extent.bounds;
            let is_box = min.is_finite() && max.is_finite() && !extent.bounds.is_empty();
            is_box && extent.center.is_finite() && extent.radius.is_finite() && extent.radius >= 0.0
        }
        Bounds::HalfSpace(_) | Bounds::Unlimited => true,
    };
    if !has_bounds {
        Err(SetError::BadBounds(id))
    } else if !is_finite(&body.world_from_body) {
        Err(SetError::BadPose(id))
    } else {
        Ok(())
    }
}

fn is_finite(pose: &Pose) -> bool {
    pose.translation().is_finite() && pose.rotation().is_finite()
}
