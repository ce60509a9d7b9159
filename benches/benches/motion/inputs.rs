//! The motions, the same for everybody.

use freiraum_geometry::path::{Axis, Motion, UniformMotion};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::mesh_tree::{
    MeshDistanceCache, MeshTree, MeshWorkspace, any_intersection, surface_distance,
};
use freiraum_testkit::random::Random;

/// What the moving body does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Translation,
    Rotation,
    Screw,
}

/// A motion about or along an axis, with its true time of contact (2: none).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(crate) start: Pose,
    pub(crate) axis: Axis,
    pub(crate) angle: f64,
    pub(crate) advance: f64,
    pub(crate) truth: f64,
}

impl Input {
    pub(crate) fn motion(&self) -> UniformMotion {
        UniformMotion::screw(self.start, self.axis, self.angle, self.advance)
    }

    /// As the C++ peer reads it.
    pub(crate) fn row(&self) -> [f64; 15] {
        let (q, t) = (self.start.rotation(), self.start.translation());
        let (d, p) = (self.axis.direction, self.axis.point);
        [q.w, q.x, q.y, q.z, t.x, t.y, t.z, d.x, d.y, d.z, p.x, p.y, p.z, self.angle, self.advance]
    }
}

/// Random motions of b next to a that start apart: three of four lead to a contact.
pub(crate) fn random(kind: Kind, a: &MeshTree, b: &MeshTree, count: usize, seed: u64) -> Vec<Input> {
    let mut random = Random::new(seed);
    let mut workspace = MeshWorkspace::default();
    let (mut hits, mut passes) = (Vec::new(), Vec::new());
    while hits.len() + passes.len() < count {
        let way = random.direction();
        let start = Pose::new(random.rotation(), way * random.range(2.0, 3.2));
        let Some(start) = start else { continue };
        if any_intersection(a, b, &start, &mut workspace).is_some() {
            continue;
        }
        let (axis, angle, advance) = match kind {
            Kind::Translation => {
                let by = -3.0 * way + 1.5 * random.direction();
                (Axis::new(Vec3::ZERO, by), 0.0, by.length())
            }
            Kind::Rotation => (around(way, start.translation(), &mut random), 1.5, 0.0),
            Kind::Screw => (around(way, start.translation(), &mut random), 1.5, random.range(-1.0, 1.0)),
        };
        let Some(axis) = axis else { continue };
        let mut input = Input { start, axis, angle, advance, truth: 2.0 };
        input.truth = truth(a, b, &input, &mut workspace);
        let list = if input.truth <= 1.0 { &mut hits } else { &mut passes };
        let most = if input.truth <= 1.0 { count - count / 4 } else { count / 4 };
        if list.len() < most {
            list.push(input);
        }
    }
    hits.extend(passes);
    hits
}

/// An axis beside the way from the start to the origin, so that a quarter of a turn leads about there.
fn around(way: Vec3, start: Vec3, random: &mut Random) -> Option<Axis> {
    let side = way.cross(random.direction()).try_normalize()?;
    let point = 0.5 * start + random.range(0.8, 2.0) * side;
    // Tilted axes lead past it.
    Axis::new(point, (start - point).cross(-start - side) + random.range(0.0, 4.0) * random.direction())
}

/// Motions that pass the other body at a gap of a millionth of its size, or cut into it by as much.
pub(crate) fn grazing(kind: Kind, a: &MeshTree, b: &MeshTree, count: usize, seed: u64) -> Vec<Input> {
    let mut random = Random::new(seed);
    let mut workspace = MeshWorkspace::default();
    let farthest = |tree: &MeshTree, n: Vec3| {
        let points = tree.mesh().vertices().iter();
        points.copied().max_by(|p, q| n.dot(*p).total_cmp(&n.dot(*q))).unwrap_or(Vec3::ZERO)
    };
    let mut found = Vec::new();
    while found.len() < count {
        let (n, turn) = (random.direction(), random.rotation());
        let Some(along) = n.cross(random.direction()).try_normalize() else { continue };
        let (on_a, on_b) = (farthest(a, n), turn * farthest(b, turn.inverse() * -n));
        let gap = if found.len() % 2 == 0 { 2e-6 } else { -2e-6 };
        let Some(meeting) = Pose::new(turn, on_a - on_b + gap * n) else { continue };
        let (axis, angle, advance) = match kind {
            Kind::Translation => (Axis::new(Vec3::ZERO, along), 0.0, 3.0),
            // About an axis on the line of the normal, with a and b on its two sides.
            Kind::Rotation => (Axis::new(on_a + 2.0 * n, -n.cross(along)), 1.5, 0.0),
            Kind::Screw => (Axis::new(on_a + 2.0 * n, -n.cross(along)), 1.5, 0.5),
        };
        let Some(axis) = axis else { continue };
        let when = random.range(0.3, 0.9);
        let start = UniformMotion::screw(meeting, axis, -when * angle, -when * advance).pose(1.0);
        if any_intersection(a, b, &start, &mut workspace).is_some() {
            continue;
        }
        let mut input = Input { start, axis, angle, advance, truth: 2.0 };
        input.truth = truth(a, b, &input, &mut workspace);
        found.push(input);
    }
    found
}

/// Advancement over distances with a proven bound of the speed, down to a gap of a billionth of a metre: slow, and shares nothing
/// with what is measured but the distance.
fn truth(a: &MeshTree, b: &MeshTree, input: &Input, workspace: &mut MeshWorkspace) -> f64 {
    let motion = input.motion();
    let radius = b.mesh().vertices().iter().map(|p| p.length()).fold(0.0, f64::max);
    let ball = freiraum_geometry::path::Ball { center: Vec3::ZERO, radius };
    let speed = motion.travel(&ball, 0.0, 1.0);
    let mut cache = MeshDistanceCache::default();
    let mut t = 0.0;
    while t <= 1.0 {
        let distance = surface_distance(a, b, &motion.pose(t), workspace, &mut cache).closest.distance;
        if distance <= 1e-9 {
            return t;
        }
        t += distance / speed;
    }
    2.0
}
