//! A set reports exactly the pairs that testing all pairs reports, with every setting and however its bodies move.

use freiraum_geometry::shape::HalfSpace;
use freiraum_geometry::{Aabb, Pose, Vec3};
use freiraum_query::broad_phase::BroadPhaseKind;
use freiraum_query::set::{
    Body, BodyId, Bounds, Finding, Group, Layers, Link, ObjectSet, SetError, Settings,
};
use freiraum_query::tree::build::{BottomUp, Builder, Insertion, Median, SurfaceArea};
use freiraum_query::tree::descend::{Alternate, Both, LargerFirst, OneFully, Rule};
use freiraum_query::tree::volume::{Ball, Dop, SweptRectangle, TurnedBox};
use freiraum_query::tree::{Extent, Volume};
use freiraum_testkit::random::Random;
use freiraum_testkit::scale::cases;
use std::convert::Infallible;

/// A body with a distance in closed form: some balls, or a half space.
#[derive(Clone)]
enum Solid {
    Balls(Vec<(Vec3, f64)>),
    Plane(HalfSpace),
}

impl Solid {
    fn bounds(&self) -> Bounds {
        match self {
            Solid::Plane(plane) => Bounds::HalfSpace(*plane),
            Solid::Balls(balls) => {
                let around = balls.iter().fold(Aabb::EMPTY, |b, &(c, r)| b.grown(c - r).grown(c + r));
                let extent = Extent::of_box(around).unwrap();
                let extent = if let [(c, r)] = balls[..] { extent.with_sphere(c, r) } else { extent };
                Bounds::Limited(extent)
            }
        }
    }

    /// Distance in the world; negative or zero when they touch.
    fn distance(&self, pose: &Pose, other: &Solid, other_pose: &Pose) -> f64 {
        match (self, other) {
            (Solid::Balls(a), Solid::Balls(b)) => {
                let between = |x: &(Vec3, f64), y: &(Vec3, f64)| {
                    pose.transform_point(x.0).distance(other_pose.transform_point(y.0)) - x.1 - y.1
                };
                a.iter().flat_map(|x| b.iter().map(move |y| between(x, y))).fold(f64::INFINITY, f64::min)
            }
            (Solid::Balls(a), Solid::Plane(plane)) => {
                let (n, o) = (other_pose.rotate(plane.normal()), other_pose.translation());
                let above = |x: &(Vec3, f64)| n.dot(pose.transform_point(x.0) - o) - plane.offset() - x.1;
                a.iter().map(above).fold(f64::INFINITY, f64::min)
            }
            (Solid::Plane(_), Solid::Balls(_)) => other.distance(other_pose, self, pose),
            (Solid::Plane(_), Solid::Plane(_)) => -1.0,
        }
    }
}

/// One body as the test sees it.
#[derive(Clone)]
struct Actor {
    solid: Solid,
    pose: Pose,
    layers: Layers,
    group: usize,
}

struct World {
    actors: Vec<Actor>,
    /// For each group: movable, colliding inside.
    groups: Vec<(bool, bool)>,
    links: Vec<Option<Vec<Link>>>,
    ignored: Vec<(usize, usize)>,
}

impl World {
    fn random(random: &mut Random) -> World {
        let mut world =
            World { actors: Vec::new(), groups: Vec::new(), links: Vec::new(), ignored: Vec::new() };
        for group in 0..4 + random.below(8) {
            let count = [1, 1, 1, 2, 5, 12][random.below(6)];
            let home = random.in_cube(6.0);
            let has_links = random.below(3) == 0;
            for _ in 0..count {
                let solid = match random.below(12) {
                    0 => Solid::Plane(HalfSpace::new(random.direction(), random.range(-9.0, -4.0)).unwrap()),
                    // A long thin rail.
                    1 => Solid::Balls((-20..=20).map(|i| (Vec3::X * 0.4 * f64::from(i), 0.1)).collect()),
                    2 => Solid::Balls(vec![(Vec3::ZERO, 0.0)]),
                    _ => Solid::Balls(
                        (0..1 + random.below(4))
                            .map(|_| (random.in_cube(0.7), random.range(0.0, 0.5)))
                            .collect(),
                    ),
                };
                let pose = Pose::new(random.rotation(), home + random.in_cube(2.0)).unwrap();
                let layers = match random.below(4) {
                    0 => Layers { member: 1, sees: 2 },
                    1 => Layers { member: 3, sees: 3 },
                    _ => Layers::ALL,
                };
                world.actors.push(Actor { solid, pose, layers, group });
            }
            world.groups.push((random.below(3) > 0, random.below(2) == 0));
            world.links.push(has_links.then(|| random_links(random, count)));
        }
        for _ in 0..6 {
            let pair = (random.below(world.actors.len()), random.below(world.actors.len()));
            if pair.0 != pair.1 {
                world.ignored.push((pair.0.min(pair.1), pair.0.max(pair.1)));
            }
        }
        world
    }

    /// The set of this world; its bodies have the numbers of the actors.
    fn set<V: Volume>(&self, settings: Settings) -> (ObjectSet<V, u32>, Vec<BodyId>) {
        let mut set = ObjectSet::new(settings);
        let mut ids = Vec::new();
        for (group, &(is_movable, collides_inside)) in self.groups.iter().enumerate() {
            let members = self.actors.iter().filter(|a| a.group == group);
            let bodies = members
                .map(|a| Body { bounds: a.solid.bounds(), world_from_body: a.pose, layers: a.layers })
                .collect();
            let links = self.links[group].clone();
            let id = set.add(&Group { bodies, is_movable, collides_inside, links }).unwrap();
            ids.extend(set.bodies(id));
        }
        assert!(ids.iter().enumerate().all(|(i, id)| i == id.index()));
        for &(a, b) in &self.ignored {
            set.ignore(ids[a], ids[b]);
        }
        (set, ids)
    }

    fn may_meet(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.actors[i], &self.actors[j]);
        let (group_a, group_b) = (self.groups[a.group], self.groups[b.group]);
        (group_a.0 || group_b.0)
            && (a.group != b.group || group_a.1)
            && a.layers.member & b.layers.sees != 0
            && b.layers.member & a.layers.sees != 0
            && !self.ignored.contains(&(i, j))
    }

    fn touches(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.actors[i], &self.actors[j]);
        a.solid.distance(&a.pose, &b.solid, &b.pose) <= 0.0
    }

    fn expected(&self) -> Vec<(usize, usize)> {
        let n = self.actors.len();
        let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        all.filter(|&(i, j)| self.may_meet(i, j) && self.touches(i, j)).collect()
    }

    /// Moves some bodies: mostly a little, sometimes far, sometimes there and back.
    fn stir<V: Volume>(&mut self, random: &mut Random, sets: &mut [ObjectSet<V, u32>], ids: &[BodyId]) {
        let share = [0, 1, 3, 30][random.below(4)];
        for (i, actor) in self.actors.iter_mut().enumerate() {
            if !self.groups[actor.group].0 || random.below(30) >= share {
                continue;
            }
            let far = if random.below(20) == 0 { 5.0 } else { 0.1 * random.unit() };
            let turn = Pose::from_axis_angle(random.direction(), 0.3 * far).unwrap();
            let keeps_turn = random.below(3) == 0;
            let rotation =
                if keeps_turn { actor.pose.rotation() } else { turn.rotation() * actor.pose.rotation() };
            // Home again, so that scenes stay crowded.
            let pull = -0.02 * actor.pose.translation();
            actor.pose = Pose::new(rotation, actor.pose.translation() + pull + random.in_cube(far)).unwrap();
            for set in &mut *sets {
                if random.below(4) == 0 {
                    set.place(ids[i], Pose::IDENTITY).unwrap();
                }
                set.place(ids[i], actor.pose).unwrap();
                assert_eq!(set.pose(ids[i]).unwrap(), actor.pose);
            }
        }
    }
}

/// A random tree over bodies, with empty nodes in between.
fn random_links(random: &mut Random, bodies: usize) -> Vec<Link> {
    let mut links = vec![Link { parent: None, body: None }];
    for body in 0..bodies as u32 {
        for _ in 0..random.below(3) {
            let parent = Some(random.below(links.len()) as u32);
            links.push(Link { parent, body: None });
        }
        let parent = Some(random.below(links.len()) as u32);
        links.push(Link { parent, body: Some(body) });
    }
    links
}

/// All broad phases once, with changing builders and rules, with and without skipping.
fn settings() -> Vec<Settings> {
    let builders: [fn() -> Box<dyn Builder>; 4] =
        [|| Box::new(Median), || Box::new(SurfaceArea), || Box::new(BottomUp), || Box::new(Insertion)];
    let rules: [fn() -> Box<dyn Rule>; 4] =
        [|| Box::new(LargerFirst), || Box::new(Both), || Box::new(Alternate), || Box::new(OneFully)];
    (0..12)
        .map(|i| Settings {
            broad: BroadPhaseKind::ALL[i % 6],
            builder: builders[i % 4](),
            rule: rules[i / 2 % 4](),
            skips: i >= 4,
            ..Settings::default()
        })
        .collect()
}

fn check<V: Volume>(seed: u64) {
    let (mut contacts, mut skipped) = (0, 0);
    for round in 0..cases(3) as u64 {
        let mut random = Random::new(seed + 1000 * round);
        let mut world = World::random(&mut random);
        let (mut sets, ids): (Vec<ObjectSet<V, u32>>, Vec<_>) =
            settings().into_iter().map(|s| world.set(s)).unzip();
        let ids = &ids[0];
        let n = world.actors.len();
        let allowed: Vec<(usize, usize)> = (0..n)
            .flat_map(|i| (i + 1..n).map(move |j| (i, j)))
            .filter(|&(i, j)| world.may_meet(i, j))
            .collect();
        for step in 0..60 {
            let expected = world.expected();
            contacts += expected.len();
            for (which, set) in sets.iter_mut().enumerate() {
                let listed: Vec<_> =
                    set.allowed_pairs().iter().map(|(a, b)| (a.index(), b.index())).collect();
                assert_eq!(listed, allowed);
                let mut tests = 0;
                let touching = set
                    .step(|a, b, a_from_b| {
                        tests += 1;
                        let (x, y) = (&world.actors[a.index()], &world.actors[b.index()]);
                        let between = x.pose.inverse() * y.pose;
                        assert_eq!(*a_from_b, between);
                        let distance = x.solid.distance(&x.pose, &y.solid, &y.pose);
                        // Some callers know the distance, some do not.
                        let told = if which % 2 == 0 { 0.0 } else { distance };
                        let id = (a.index() * n + b.index()) as u32;
                        Ok::<_, Infallible>(if distance <= 0.0 {
                            Finding::Touching(id)
                        } else {
                            Finding::Apart { distance: told }
                        })
                    })
                    .unwrap();
                let found: Vec<_> = touching.iter().map(|t| (t.a.index(), t.b.index())).collect();
                assert_eq!(found, expected, "seed {seed}, round {round}, step {step}, set {which}");
                for t in touching {
                    assert_eq!(t.contact as usize, t.a.index() * n + t.b.index());
                }
                assert_eq!(set.counts().object_tests, tests);
                skipped += set.counts().skipped;
                if which < 4 {
                    assert_eq!(set.counts().skipped, 0);
                }
            }
            world.stir(&mut random, &mut sets, ids);
        }
    }
    assert!(contacts > 100 && skipped > 1000, "{contacts} contacts, {skipped} skipped");
}

#[test]
fn sets_of_balls_find_all_contacts() {
    check::<Ball>(1);
}

#[test]
fn sets_of_aabbs_find_all_contacts() {
    check::<Aabb>(2);
}

#[test]
fn sets_of_turned_boxes_find_all_contacts() {
    check::<TurnedBox>(3);
}

#[test]
fn sets_of_dops_find_all_contacts() {
    check::<Dop>(4);
}

#[test]
fn sets_of_swept_rectangles_find_all_contacts() {
    check::<SweptRectangle>(5);
}

fn ball(x: f64) -> Body {
    let bounds = Solid::Balls(vec![(Vec3::ZERO, 1.0)]).bounds();
    Body { bounds, world_from_body: at(x), layers: Layers::ALL }
}

fn at(x: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, 0.0, 0.0))
}

/// The test of balls of radius 1.
fn balls(_: BodyId, _: BodyId, a_from_b: &Pose) -> Result<Finding<()>, Infallible> {
    let distance = a_from_b.translation().length() - 2.0;
    Ok(if distance <= 0.0 { Finding::Touching(()) } else { Finding::Apart { distance } })
}

fn found(set: &mut ObjectSet<Ball>) -> Vec<(usize, usize)> {
    set.step(balls).unwrap().iter().map(|t| (t.a.index(), t.b.index())).collect()
}

#[test]
fn a_pair_is_looked_at_again_only_when_it_may_have_closed_its_gap() {
    let mut set =
        ObjectSet::<Ball>::new(Settings { broad: BroadPhaseKind::BruteForce, ..Settings::default() });
    // Two groups whose boxes overlap all the time, at a distance of 8 m.
    let group = set.add(&Group::movable(vec![ball(0.0), ball(100.0)]).colliding_inside()).unwrap();
    let body = set.bodies(group).next().unwrap();
    assert_eq!(found(&mut set), []);
    let mut looks = Vec::new();
    for step in 1..=20 {
        set.place(body, at(f64::from(step) * 5.0)).unwrap();
        let touching = found(&mut set);
        assert_eq!(touching.len(), usize::from(step * 5 >= 98));
        looks.push(set.counts().volume_tests + set.counts().object_tests);
    }
    // 98 m apart, 5 m a step: looked at when the gap is used up, then ever more often.
    assert!(looks[..19].iter().sum::<u64>() <= 8, "{looks:?}");
    assert_eq!(looks[0], 0);
    assert_eq!(looks[19], 2);
}

#[test]
fn there_and_back_adds_up() {
    let mut set = ObjectSet::<Ball>::new(Settings::default());
    let pair = set.add(&Group::movable(vec![ball(0.0), ball(3.0)]).colliding_inside()).unwrap();
    let moved = set.bodies(pair).nth(1).unwrap();
    assert_eq!(found(&mut set), []);
    // Placed twice between two steps: the way there and back counts, wherever it ends.
    set.place(moved, at(10.0)).unwrap();
    set.place(moved, at(1.5)).unwrap();
    assert_eq!(found(&mut set), [(0, 1)]);
    assert_eq!(found(&mut set), [(0, 1)], "nobody moved: the contact is still reported");
    assert_eq!((set.counts().object_tests, set.counts().volume_tests), (0, 0));
}

#[test]
fn errors_name_what_is_wrong() {
    let mut set = ObjectSet::<Ball>::new(Settings::default());
    let fixed = set.add(&Group::fixed(vec![ball(0.0)])).unwrap();
    let movable = set.add(&Group::movable(vec![ball(1.0)])).unwrap();
    let (still, moving) = (set.bodies(fixed).next().unwrap(), set.bodies(movable).next().unwrap());
    assert_eq!(set.place(still, at(1.0)), Err(SetError::Fixed(still)));
    let nowhere = Pose::from_translation(Vec3::new(f64::NAN, 0.0, 0.0));
    assert_eq!(set.place(moving, nowhere), Err(SetError::BadPose(moving)));
    assert!(matches!(
        set.add(&Group::fixed(vec![Body { world_from_body: nowhere, ..ball(0.0) }])),
        Err(SetError::BadPose(_))
    ));
    let empty = Extent { bounds: Aabb::EMPTY, center: Vec3::ZERO, radius: 1.0 };
    let body = Body { bounds: Bounds::Limited(empty), ..ball(0.0) };
    assert!(matches!(set.add(&Group::fixed(vec![body])), Err(SetError::BadBounds(_))));
    let links = vec![Link { parent: Some(4), body: None }];
    assert!(matches!(set.add(&Group::movable(vec![ball(0.0)]).with_links(links)), Err(SetError::Links(_))));
    assert_eq!(found(&mut set), [(0, 1)], "what was refused left no trace");
    set.remove(fixed);
    set.remove(fixed);
    assert_eq!(found(&mut set), []);
    assert_eq!(set.bodies(fixed).count(), 0);
    assert_eq!(set.place(still, at(1.0)), Err(SetError::NoSuchBody(still)));
    let late = set.add(&Group::fixed(vec![ball(1.5)])).unwrap();
    assert_eq!(set.bodies(late).next().unwrap().index(), 2);
    assert_eq!(found(&mut set), [(1, 2)]);
}

#[test]
fn a_failing_test_ends_the_step_and_the_next_one_starts_over() {
    let mut set = ObjectSet::<Ball>::new(Settings::default());
    set.add(&Group::movable(vec![ball(0.0), ball(1.0), ball(2.0)]).colliding_inside()).unwrap();
    assert_eq!(found(&mut set), [(0, 1), (0, 2), (1, 2)]);
    set.add(&Group::movable(vec![ball(1.0)])).unwrap();
    let mut left = 1;
    let failed = set.step(|a, b, pose| {
        left -= 1;
        if left < 0 { Err("no") } else { Ok(balls(a, b, pose).unwrap()) }
    });
    assert_eq!(failed, Err("no"));
    assert_eq!(found(&mut set).len(), 6);
}

#[test]
fn ignored_pairs_can_be_heeded_again() {
    let mut set = ObjectSet::<Ball>::new(Settings::default());
    let group = set.add(&Group::movable(vec![ball(0.0), ball(1.0)]).colliding_inside()).unwrap();
    let ids: Vec<BodyId> = set.bodies(group).collect();
    assert_eq!(found(&mut set), [(0, 1)]);
    set.ignore(ids[1], ids[0]);
    set.ignore(ids[0], ids[1]);
    assert_eq!(found(&mut set), []);
    set.heed(ids[0], ids[1]);
    assert_eq!(found(&mut set), [(0, 1)]);
}

#[test]
fn an_empty_set_and_empty_groups_touch_nothing() {
    let mut set = ObjectSet::<Ball>::new(Settings::default());
    assert_eq!(found(&mut set), []);
    set.add(&Group::movable(vec![]).colliding_inside()).unwrap();
    set.add(&Group::fixed(vec![])).unwrap();
    assert_eq!(found(&mut set), []);
    assert!(set.allowed_pairs().is_empty());
}

/// A plane that turns moves some of its points any distance: nothing found before may be relied on.
#[test]
fn a_turning_plane_is_followed() {
    let plane = Solid::Plane(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    let tilted = |angle: f64| Pose::from_axis_angle(Vec3::Y, angle).unwrap();
    let mut set = ObjectSet::<Ball>::new(Settings::default());
    let bounds = plane.bounds();
    let body = Body { bounds, world_from_body: Pose::IDENTITY, layers: Layers::ALL };
    let floor = set.add(&Group::movable(vec![body])).unwrap();
    let floor = set.bodies(floor).next().unwrap();
    let high = Pose::from_translation(Vec3::new(1000.0, 0.0, 10.0));
    set.add(&Group::fixed(vec![Body { world_from_body: high, ..ball(0.0) }])).unwrap();
    let solid = Solid::Balls(vec![(Vec3::ZERO, 1.0)]);
    for (angle, touches) in [(0.0, false), (-0.02, true), (0.02, false), (-0.02, true), (-0.001, false)] {
        set.place(floor, tilted(angle)).unwrap();
        let touching = set
            .step(|_, _, _| {
                let distance = solid.distance(&high, &plane, &tilted(angle));
                let apart = Finding::Apart { distance };
                Ok::<_, Infallible>(if distance <= 0.0 { Finding::Touching(()) } else { apart })
            })
            .unwrap();
        assert_eq!(touching.len(), usize::from(touches), "{angle}");
    }
}
