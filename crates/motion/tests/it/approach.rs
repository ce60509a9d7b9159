//! Clearance outside of contact and approach, against dense samples of distances and of the paths of points, and against closed forms.

use freiraum_geometry::path::{Axis, Motion, Sequence, Straight, UniformMotion};
use freiraum_geometry::shape::{Cone, Cuboid, Cylinder, Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_motion::approach::{Approach, ApproachRequest, Kept};
use freiraum_motion::{Limits, MotionWorkspace, Movable};
use freiraum_testkit::random::Random;
use std::sync::Arc;

fn cuboid(size: [f64; 3]) -> Movable {
    Movable::new(Shape::Cuboid(Cuboid::new(Vec3::from_array(size)).unwrap()))
}

fn request(clearance: f64, approach: f64) -> ApproachRequest {
    ApproachRequest {
        clearance,
        contact: clearance / 100.0,
        approach,
        left: [None; 2],
        is_fit: true,
        accuracy: 1e-9,
        limits: Limits::default(),
    }
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn keeps(
    a: &Movable,
    motion: &dyn Motion,
    b: &Movable,
    other: &dyn Motion,
    request: &ApproachRequest,
) -> Kept {
    Approach::new([a, b], [motion, other]).keeps(request, &mut MotionWorkspace::default()).unwrap()
}

/// A lid comes down on a box: it closes the last millimetres at will.
#[test]
fn a_lid_is_put_down() {
    let (lid, body) = (cuboid([1.0, 1.0, 0.1]), cuboid([1.0, 1.0, 1.0]));
    let down = UniformMotion::translation(at(0.0, 0.0, 1.55), Vec3::new(0.0, 0.0, -1.0));
    let still = UniformMotion::still(Pose::IDENTITY);
    assert_eq!(keeps(&lid, &down, &body, &still, &request(0.01, 0.1)), Kept::Yes);
    // The gap is the travel: an approach of 0.99 clearances and the hundredth of the contact are just enough, and a little less is not.
    assert_eq!(keeps(&lid, &down, &body, &still, &request(0.01, 0.0099)), Kept::Yes);
    let Kept::No(found) = keeps(&lid, &down, &body, &still, &request(0.01, 0.0098)) else { panic!() };
    assert!((found.distance - 0.0099).abs() < 1e-12, "{found:?}");
    assert!((found.time - (1.0 - 0.0099)).abs() < 1e-12, "{found:?}");
    // Without contact nothing is exempt.
    let not_fit = ApproachRequest { is_fit: false, ..request(0.01, 0.1) };
    let Kept::No(found) = keeps(&lid, &down, &body, &still, &not_fit) else { panic!() };
    assert_eq!(found.distance, 0.0);
    // What is left over of a contact after the motion counts at its end.
    let left = ApproachRequest { left: [None, Some(0.01)], ..not_fit };
    assert_eq!(keeps(&lid, &down, &body, &still, &left), Kept::Yes);
    let left = ApproachRequest { left: [Some(0.5), Some(0.009)], ..not_fit };
    let Kept::No(found) = keeps(&lid, &down, &body, &still, &left) else { panic!() };
    assert!((found.distance - 0.009).abs() < 1e-12, "{found:?}");
}

/// A block slides along its table, then is lifted; with no approach at all the slide is still contact.
#[test]
fn a_block_slides() {
    let (block, table) = (cuboid([0.1, 0.1, 0.1]), cuboid([4.0, 4.0, 1.0]));
    let start = at(-1.0, 0.0, 0.55);
    let slide: Arc<dyn Motion> = Arc::new(UniformMotion::translation(start, Vec3::new(2.0, 0.3, 0.0)));
    let lift: Arc<dyn Motion> =
        Arc::new(UniformMotion::translation(slide.pose(1.0), Vec3::new(0.0, 0.0, 0.3)));
    let still = UniformMotion::still(Pose::IDENTITY);
    for approach in [0.0, 0.0005, 0.01, 0.1] {
        assert_eq!(keeps(&block, &*slide, &table, &still, &request(0.01, approach)), Kept::Yes, "{approach}");
    }
    let both = Sequence::new(vec![(2.0, slide), (1.0, lift)]).unwrap();
    assert_eq!(keeps(&block, &both, &table, &still, &request(0.01, 0.01)), Kept::Yes);
    let Kept::No(found) = keeps(&block, &both, &table, &still, &request(0.01, 0.005)) else { panic!() };
    assert!((found.distance - 0.0051).abs() < 1e-9, "{found:?}");
}

/// Beside the rail the gap stays below what is required but far above contact.
#[test]
fn a_drawer_runs_beside_its_rail_and_ends_at_a_stop() {
    let (drawer, rail) = (cuboid([1.0, 0.2, 0.1]), cuboid([3.0, 0.1, 0.1]));
    let gap = 0.00001;
    let stop = Pose::from_translation(Vec3::new(0.0, 0.15 + gap, 0.0));
    // The rail ends in a stop: one body.
    let parts = vec![
        freiraum_geometry::shape::Part { compound_from_part: stop, shape: rail.prepared().shape().clone() },
        freiraum_geometry::shape::Part {
            compound_from_part: at(1.55, 0.0, 0.0),
            shape: cuboid([0.1, 0.4, 0.1]).prepared().shape().clone(),
        },
    ];
    let frame = Movable::new(Shape::Compound(freiraum_geometry::shape::Compound::new(parts).unwrap()));
    let push = UniformMotion::translation(at(0.0, 0.0, 0.0), Vec3::X);
    let still = UniformMotion::still(Pose::IDENTITY);
    let asked = request(0.0003, 0.003);
    let Kept::No(found) = keeps(&drawer, &push, &frame, &still, &asked) else { panic!() };
    assert!((found.distance - gap).abs() < 1e-12 && found.time < 0.997, "{found:?}");
    // What may be closer is said: an approach as long as the way, or less clearance.
    assert_eq!(keeps(&drawer, &push, &frame, &still, &ApproachRequest { approach: 1.0, ..asked }), Kept::Yes);
    assert_eq!(keeps(&drawer, &push, &frame, &still, &request(0.000_009_9, 0.0001)), Kept::Yes);
}

/// A plug with a taper of 1:20 loses a fortieth of its way on each side: the gap is a clearance after 40 of them.
#[test]
fn a_taper_needs_a_longer_approach() {
    let (radius, height) = (0.05, 2.0);
    let cone = Movable::new(Shape::Cone(Cone::new(radius, height).unwrap()));
    // A wall that leans like the cone and touches it along a line.
    let slope = (radius / height).atan();
    let wall = cuboid([0.02, 4.0, 4.0]);
    let normal_offset = 0.01 + 0.5 * radius * slope.cos();
    let lean = Pose::from_rotation_about(Vec3::ZERO, Vec3::Y, -slope).unwrap() * at(normal_offset, 0.0, 0.0);
    // Drawn out against its tip, the gap is the way times the sine of the slope.
    let way = 0.5;
    let out = UniformMotion::translation(Pose::IDENTITY, Vec3::new(0.0, 0.0, -way));
    let still = UniformMotion::still(lean);
    let c = 0.001;
    let needed = c / slope.sin();
    assert!((needed / c - 40.0).abs() < 0.02);
    let contact = c / 100.0;
    let enough = request(c, needed * 1.0001);
    assert_eq!(keeps(&cone, &out, &wall, &still, &enough), Kept::Yes);
    let short = request(c, 0.5 * needed);
    let Kept::No(found) = keeps(&cone, &out, &wall, &still, &short) else { panic!() };
    let expected = (0.5 * needed + contact / slope.sin()) * slope.sin();
    assert!((found.distance - expected).abs() < 1e-6, "{found:?} {expected}");
}

/// The oracle: distances at many times, and the lengths of the paths of the corners of the moving body.
struct Samples {
    gaps: Vec<f64>,
    /// Of every corner the length of its path, seen from the other body.
    paths: Vec<Vec<f64>>,
}

const COUNT: usize = 600;

impl Samples {
    fn new(a: &Movable, motion_a: &dyn Motion, b: &Movable, motion_b: &dyn Motion) -> Samples {
        let corners = a.prepared().shape().tessellate(1e-3).unwrap().vertices().to_vec();
        let time = |i: usize| i as f64 / COUNT as f64;
        let b_from_a = |t: f64| motion_b.pose(t).inverse() * motion_a.pose(t);
        let gap = |i: usize| {
            let place = b_from_a(time(i)).inverse();
            freiraum_query::distance(a.prepared(), b.prepared(), &place).unwrap().distance.max(0.0)
        };
        let paths = corners.iter().map(|p| {
            let mut sum = 0.0;
            let mut last = b_from_a(0.0).transform_point(*p);
            (0..=COUNT)
                .map(|i| {
                    let next = b_from_a(time(i)).transform_point(*p);
                    sum += next.distance(last);
                    last = next;
                    sum
                })
                .collect()
        });
        Samples { gaps: (0..=COUNT).map(gap).collect(), paths: paths.collect() }
    }

    fn travel(&self, i: usize, k: usize) -> f64 {
        self.paths.iter().map(|path| (path[i] - path[k]).abs()).fold(0.0, f64::max)
    }

    /// The longest way between two samples.
    fn step(&self) -> f64 {
        (0..COUNT).map(|i| self.travel(i, i + 1)).fold(0.0, f64::max)
    }

    /// The least gap of the samples that are farther than `approach` from all samples with a gap of at most `contact`.
    fn least(&self, contact: f64, approach: f64) -> f64 {
        let touching: Vec<usize> = (0..=COUNT).filter(|i| self.gaps[*i] <= contact).collect();
        let outside = (0..=COUNT).filter(|i| touching.iter().all(|k| self.travel(*i, *k) > approach));
        outside.map(|i| self.gaps[i]).fold(f64::INFINITY, f64::min)
    }
}

/// Random bodies that begin or end in contact. Where the answer is yes, no sample outside of the approach is too close; where it is no, one is, and for translations with
/// an approach as long as was asked.
#[test]
fn random_motions_agree_with_samples() {
    let mut random = Random::new(18);
    let mut seen = [0; 2];
    for round in 0..96 {
        let size = |random: &mut Random| [0; 3].map(|_| random.range(0.2, 1.0));
        let shape = |random: &mut Random| match round % 3 {
            0 => cuboid(size(random)),
            1 => Movable::new(Shape::Sphere(Sphere::new(random.range(0.1, 0.5)).unwrap())),
            _ => Movable::new(Shape::Cylinder(
                Cylinder::new(random.range(0.1, 0.4), random.range(0.2, 1.0)).unwrap(),
            )),
        };
        let (a, b) = (shape(&mut random), cuboid(size(&mut random)));
        // Brought together along a line until they touch.
        let turned = Pose::new(random.rotation(), Vec3::ZERO).unwrap();
        let away = random.direction();
        let place = |far: f64| Pose::from_translation(far * away) * turned;
        let (mut near, mut far) = (0.0, 3.0);
        for _ in 0..60 {
            let middle = 0.5 * (near + far);
            let b_from_a = place(middle);
            let apart = freiraum_query::distance(b.prepared(), a.prepared(), &b_from_a).unwrap().distance;
            if apart > 0.0 { far = middle } else { near = middle }
        }
        let touching = place(far);
        let direction = (away + 0.9 * random.direction()).normalize_or_zero();
        let axis = Axis::new(random.in_cube(1.0), random.direction()).unwrap();
        let motion: Box<dyn Motion> = match round / 3 % 4 {
            0 => Box::new(UniformMotion::translation(touching, 0.6 * direction)),
            1 => Box::new(UniformMotion::rotation(touching, axis, random.range(0.2, 1.2))),
            2 => Box::new(UniformMotion::screw(touching, axis, random.range(0.2, 1.2), 0.4)),
            _ => Box::new(Straight::new(touching, Pose::new(random.rotation(), 1.5 * direction).unwrap())),
        };
        let is_translation = round / 3 % 4 == 0;
        let still = UniformMotion::still(Pose::IDENTITY);
        let samples = Samples::new(&a, &*motion, &b, &still);
        let step = samples.step();
        let clearance = random.range(0.02, 0.1);
        let asked = request(clearance, random.range(0.0, 4.0) * clearance);
        match keeps(&a, &*motion, &b, &still, &asked) {
            Kept::Yes => {
                seen[0] += 1;
                let least = samples.least(asked.contact, asked.approach + step);
                assert!(least >= clearance * (1.0 - 1e-6), "{round}: {least} {asked:?}");
            }
            Kept::No(found) => {
                seen[1] += 1;
                assert!(found.distance < clearance);
                let i = (found.time * COUNT as f64).round() as usize;
                assert!((samples.gaps[i] - found.distance).abs() <= 2.0 * step, "{round}: {found:?}");
                if is_translation {
                    // Samples a little inside of the border have nearly the same gap.
                    let least = samples.least(asked.contact + step, asked.approach - 2.0 * step);
                    assert!(least <= found.distance + 4.0 * step, "{round}: {least} {found:?}");
                    let strict = samples.least(asked.contact, asked.approach + step);
                    assert!(strict >= found.distance - found.error - 1e-9, "{round}: {strict} {found:?}");
                }
            }
            Kept::Unknown { open } => panic!("{round}: {open:?}"),
        }
    }
    assert!(seen.iter().all(|count| *count > 12), "{seen:?}");
}

/// What is left over at the ends: the approach less the travel since the last contact.
#[test]
fn what_is_left_at_the_ends() {
    let (lid, body) = (cuboid([1.0, 1.0, 0.1]), cuboid([1.0, 1.0, 1.0]));
    let up = UniformMotion::translation(at(0.0, 0.0, 0.55), Vec3::new(0.0, 0.0, 0.02));
    let still = UniformMotion::still(Pose::IDENTITY);
    let approach = Approach::new([&lid, &body], [&up, &still]);
    let mut memory = MotionWorkspace::default();
    let asked = request(0.01, 0.1);
    let end = approach.left(true, &asked, &mut memory).unwrap().unwrap();
    assert!((end - (0.1 + 0.0001 - 0.02)).abs() < 1e-12, "{end}");
    let start = approach.left(false, &asked, &mut memory).unwrap().unwrap();
    assert!((start - 0.1001).abs() < 1e-12, "{start}");
    assert!((approach.travel() - 0.02).abs() < 1e-15);
    assert_eq!(approach.left(true, &request(0.01, 0.019), &mut memory).unwrap(), None);
}

/// Both move: only what they do against each other counts.
#[test]
fn both_move() {
    let (lid, body) = (cuboid([1.0, 1.0, 0.1]), cuboid([1.0, 1.0, 1.0]));
    let base = UniformMotion::translation(Pose::IDENTITY, Vec3::new(5.0, 0.0, 0.0));
    let together = UniformMotion::translation(at(0.0, 0.0, 0.55), Vec3::new(5.0, 0.0, 0.0));
    let lifted = UniformMotion::translation(at(0.0, 0.0, 0.55), Vec3::new(5.0, 0.0, 0.5));
    assert_eq!(keeps(&lid, &together, &body, &base, &request(0.01, 0.0)), Kept::Yes);
    assert_eq!(Approach::new([&lid, &body], [&together, &base]).travel(), 0.0);
    assert!((Approach::new([&lid, &body], [&lifted, &base]).travel() - 0.5).abs() < 1e-12);
    assert_eq!(keeps(&lid, &lifted, &body, &base, &request(0.01, 0.01)), Kept::Yes);
    let Kept::No(found) = keeps(&lid, &lifted, &body, &base, &request(0.01, 0.005)) else { panic!() };
    assert!((found.distance - 0.0051).abs() < 1e-9);
    // One turns, the other goes its way: the bound of what is seen is above the true path, and not far.
    let axis = Axis::new(Vec3::new(0.3, 0.0, 0.0), Vec3::Z).unwrap();
    let turning = UniformMotion::rotation(Pose::IDENTITY, axis, 0.8);
    let found = Approach::new([&lid, &body], [&lifted, &turning]).travel();
    let samples = Samples::new(&lid, &lifted, &body, &turning);
    let reversed = Samples::new(&body, &turning, &lid, &lifted);
    let (true_one, true_other) = (samples.travel(0, COUNT), reversed.travel(0, COUNT));
    assert!(found >= true_one.max(true_other), "{found} {true_one} {true_other}");
    assert!(found <= 2.0 * true_one.max(true_other), "{found} {true_one} {true_other}");
}
