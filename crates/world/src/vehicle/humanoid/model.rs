//! What HR18 is made of: 22 bodies in a tree, 21 links between them with 24 joints.
//!
//! **Frames.** In the zero position all bodies are upright: their frames are parallel to that of the vehicle, x forward, y left, z up, with the origin in the middle of
//! the shape. A link is a place on its parent, one or two axes through it, and a place on its child.

use freiraum_geometry::shape::{Capsule, Cuboid, Sphere};
use freiraum_geometry::{Pose, Shape, Vec3};

/// How many bodies there are.
pub const BODIES: usize = 22;
/// How many joints there are.
pub const JOINTS: usize = 24;

/// Hip to knee, and knee to ankle.
pub(super) const SHIN: f64 = 0.11;
/// Height of the ankle above the sole.
pub(super) const ANKLE: f64 = 0.045;
/// Half the distance between the hips, and between the feet.
pub(super) const HIP_SIDE: f64 = 0.045;
/// Height of the hips above the ground when it stands: knees a little bent.
pub(super) const HIP_HEIGHT: f64 = 0.24;
/// Middle of the pelvis above the hips.
pub(super) const PELVIS_ABOVE_HIP: f64 = 0.04;
/// Size of a foot.
pub(super) const FOOT: Vec3 = Vec3::new(0.13, 0.075, 0.02);
/// The middle of a foot, seen from the ankle; x is the same for the sole.
pub(super) const FOOT_FROM_ANKLE: Vec3 = Vec3::new(0.01, 0.0, -0.035);

/// The number of the torso: the main body.
pub(super) const TORSO: usize = 0;
/// Of the pelvis.
pub(super) const PELVIS: usize = 1;
/// Of the bodies of the left leg from the hip to the foot; those of the right leg come next.
pub(super) const LEGS: [usize; 2] = [6, 11];
/// How many bodies a leg has.
pub(super) const LEG: usize = 5;
/// Of the feet.
pub(super) const FEET: [usize; 2] = [LEGS[0] + LEG - 1, LEGS[1] + LEG - 1];
/// The first of the six joints of the left leg; those of the right leg come next.
pub(super) const LEG_JOINTS: [usize; 2] = [6, 12];

/// One of the bodies.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    /// In kilograms.
    pub(super) mass: f64,
    /// Coulomb's coefficient.
    pub(super) friction: f64,
    pub(super) color: [u8; 3],
}

/// What holds a body to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The body that it is fixed on, of a smaller number than the child or 0.
    pub(super) parent: usize,
    /// The body that moves.
    pub(super) child: usize,
    /// Where its axes meet, on the parent.
    pub(super) on_parent: Vec3,
    /// The middle of the child, seen from there.
    pub(super) to_child: Vec3,
    /// The number of its first joint.
    pub(super) first: usize,
    /// How many joints it has: one or two.
    pub(super) count: usize,
}

/// A joint: an axis of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hinge {
    pub(super) name: &'static str,
    /// 0, 1, 2: about x, y or z.
    pub(super) axis: usize,
    /// In radians.
    pub(super) limits: [f64; 2],
}

/// The whole robot.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) parts: Vec<Part>,
    pub(super) links: Vec<Link>,
    pub(super) hinges: Vec<Hinge>,
}

const GRAY: [u8; 3] = [70, 74, 82];
const SILVER: [u8; 3] = [190, 194, 200];
const BLUE: [u8; 3] = [52, 96, 168];
const BLACK: [u8; 3] = [24, 24, 28];

impl Model {
    /// The robot; always the same.
    pub(super) fn new() -> Model {
        let mut m = Model { parts: Vec::new(), links: Vec::new(), hinges: Vec::new() };
        m.part("torso", cuboid(0.09, 0.15, 0.13), 0.9, BLUE);
        m.part("pelvis", cuboid(0.07, 0.12, 0.05), 0.4, GRAY);
        m.part("neck", cuboid(0.03, 0.03, 0.03), 0.05, GRAY);
        m.part("head", sphere(0.0425), 0.2, SILVER);
        m.part("head camera", cuboid(0.02, 0.03, 0.02), 0.02, BLACK);
        m.part("chest camera", cuboid(0.02, 0.03, 0.03), 0.03, BLACK);
        let v = Vec3::new;
        m.link([0, 1], v(0.0, 0.0, -0.065), v(0.0, 0.0, -0.025), &[("waist", 2, -1.0, 1.0)]);
        m.link([0, 2], v(0.0, 0.0, 0.065), v(0.0, 0.0, 0.015), &[("neck pan", 2, -2.0, 2.0)]);
        m.link([2, 3], v(0.0, 0.0, 0.015), v(0.0, 0.0, 0.0425), &[("neck tilt", 1, -0.7, 0.7)]);
        m.link([3, 4], v(0.0425, 0.0, 0.005), v(0.01, 0.0, 0.0), &[("head camera tilt", 1, -0.5, 0.5)]);
        m.link(
            [0, 5],
            v(0.045, 0.0, 0.03),
            v(0.01, 0.0, 0.0),
            &[("chest camera pan", 2, -1.0, 1.0), ("chest camera tilt", 1, -0.7, 0.7)],
        );
        m.leg(LEFT_LEG, 1.0);
        m.leg(RIGHT_LEG, -1.0);
        m.arm(LEFT_ARM, 1.0);
        m.arm(RIGHT_ARM, -1.0);
        m
    }

    fn part(&mut self, name: &'static str, shape: Shape, mass: f64, color: [u8; 3]) {
        let friction = if name.ends_with("foot") { 1.0 } else { 0.5 };
        self.parts.push(Part { name, shape, mass, friction, color });
    }

    fn link(
        &mut self,
        [parent, child]: [usize; 2],
        on_parent: Vec3,
        to_child: Vec3,
        axes: &[(&'static str, usize, f64, f64)],
    ) {
        let first = self.hinges.len();
        self.links.push(Link { parent, child, on_parent, to_child, first, count: axes.len() });
        let hinge = |&(name, axis, low, high)| Hinge { name, axis, limits: [low, high] };
        self.hinges.extend(axes.iter().map(hinge));
    }

    /// `side` is 1 for the left and -1 for the right.
    fn leg(&mut self, [bodies, joints]: [[&'static str; 6]; 2], side: f64) {
        let at = self.parts.len();
        self.part(bodies[0], cuboid(0.05, 0.05, 0.04), 0.1, GRAY);
        self.part(bodies[1], capsule(0.022, 0.07), 0.2, SILVER);
        self.part(bodies[2], capsule(0.02, 0.07), 0.18, SILVER);
        self.part(bodies[3], cuboid(0.04, 0.04, 0.03), 0.06, GRAY);
        self.part(bodies[4], cuboid(FOOT.x, FOOT.y, FOOT.z), 0.12, BLACK);
        let half = Vec3::new(0.0, 0.0, -0.5 * SHIN);
        let hip = Vec3::new(0.0, side * HIP_SIDE, -PELVIS_ABOVE_HIP);
        self.link([PELVIS, at], hip, Vec3::ZERO, &[(joints[0], 2, -0.8, 0.8)]);
        let roll_and_pitch = [(joints[1], 0, -0.8, 0.8), (joints[2], 1, -1.6, 0.8)];
        self.link([at, at + 1], Vec3::ZERO, half, &roll_and_pitch);
        self.link([at + 1, at + 2], half, half, &[(joints[3], 1, 0.0, 2.3)]);
        self.link([at + 2, at + 3], half, Vec3::ZERO, &[(joints[4], 1, -1.3, 1.0)]);
        self.link([at + 3, at + 4], Vec3::ZERO, FOOT_FROM_ANKLE, &[(joints[5], 0, -0.8, 0.8)]);
    }

    fn arm(&mut self, [bodies, joints]: [[&'static str; 3]; 2], side: f64) {
        let at = self.parts.len();
        self.part(bodies[0], sphere(0.02), 0.05, GRAY);
        self.part(bodies[1], capsule(0.016, 0.05), 0.08, SILVER);
        self.part(bodies[2], capsule(0.015, 0.07), 0.06, SILVER);
        let v = Vec3::new;
        let roll = if side > 0.0 { [0.0, 1.5] } else { [-1.5, 0.0] };
        let shoulder = v(0.0, side * 0.075, 0.045);
        self.link([TORSO, at], shoulder, v(0.0, side * 0.02, 0.0), &[(joints[0], 1, -2.5, 2.5)]);
        self.link([at, at + 1], Vec3::ZERO, v(0.0, 0.0, -0.045), &[(joints[1], 0, roll[0], roll[1])]);
        self.link([at + 1, at + 2], v(0.0, 0.0, -0.04), v(0.0, 0.0, -0.05), &[(joints[2], 1, -2.3, 0.0)]);
    }

    /// Where all bodies are for these positions of the joints, seen from the torso.
    pub(super) fn torso_from_parts(&self, angles: &[f64; JOINTS]) -> [Pose; BODIES] {
        let mut found = [Pose::IDENTITY; BODIES];
        for link in &self.links {
            let joint = found[link.parent].shifted(link.on_parent);
            found[link.child] = self.turned(&joint, link, angles).shifted(link.to_child);
        }
        found
    }

    /// A frame on the parent of a link, turned as the link turns.
    pub(super) fn turned(&self, frame: &Pose, link: &Link, angles: &[f64; JOINTS]) -> Pose {
        (link.first..link.first + link.count)
            .filter(|joint| angles[*joint] != 0.0)
            .fold(*frame, |pose, joint| pose.turned(Vec3::AXES[self.hinges[joint].axis], angles[joint]))
    }

    /// The joint of that name.
    pub(super) fn joint(&self, name: &str) -> Option<usize> {
        self.hinges.iter().position(|hinge| hinge.name == name)
    }

    /// Kilograms of all bodies together.
    pub(super) fn mass(&self) -> f64 {
        self.parts.iter().map(|part| part.mass).sum()
    }
}

const LEFT_LEG: [[&str; 6]; 2] = [
    ["left hip", "left thigh", "left shank", "left ankle", "left foot", ""],
    ["left hip yaw", "left hip roll", "left hip pitch", "left knee", "left ankle pitch", "left ankle roll"],
];
const RIGHT_LEG: [[&str; 6]; 2] = [
    ["right hip", "right thigh", "right shank", "right ankle", "right foot", ""],
    [
        "right hip yaw",
        "right hip roll",
        "right hip pitch",
        "right knee",
        "right ankle pitch",
        "right ankle roll",
    ],
];
const LEFT_ARM: [[&str; 3]; 2] = [
    ["left shoulder", "left upper arm", "left forearm"],
    ["left shoulder pitch", "left shoulder roll", "left elbow"],
];
const RIGHT_ARM: [[&str; 3]; 2] = [
    ["right shoulder", "right upper arm", "right forearm"],
    ["right shoulder pitch", "right shoulder roll", "right elbow"],
];

// The sizes above are those of shapes.
fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap_or_else(|_| unreachable!("a size")))
}

fn sphere(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap_or_else(|_| unreachable!("a size")))
}

fn capsule(radius: f64, height: f64) -> Shape {
    Shape::Capsule(Capsule::new(radius, height).unwrap_or_else(|_| unreachable!("a size")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_text() {
        let model = Model::new();
        assert_eq!((model.parts.len(), model.hinges.len(), model.links.len()), (BODIES, JOINTS, BODIES - 1));
        assert!((model.mass() - 3.3).abs() < 1e-12);
        for side in 0..2 {
            assert!(model.parts[FEET[side]].name.ends_with("foot"));
            assert!(model.hinges[LEG_JOINTS[side]].name.ends_with("hip yaw"));
        }
    }

    #[test]
    fn it_is_a_tree() {
        let model = Model::new();
        let mut has_parent = [false; BODIES];
        for link in &model.links {
            assert!(link.parent == TORSO || has_parent[link.parent], "{link:?}");
            assert!(!std::mem::replace(&mut has_parent[link.child], true));
        }
        assert!(!has_parent[TORSO]);
        let mut names: Vec<&str> =
            model.hinges.iter().map(|h| h.name).chain(model.parts.iter().map(|p| p.name)).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), BODIES + JOINTS);
    }
}
