//! URDF: links, joints and shapes of a robot.

use super::geometry::shape;
use super::package::Packages;
use super::xml::{
    Problems, check_names, child, document, elements, number, place, place_of, required, vector,
};
use crate::scene::SceneErrors;
use crate::scene::words::nearest;
use freiraum_files as files;
use freiraum_geometry::tolerance::MAX_COORDINATE;
use freiraum_geometry::{Pose, Vec3};
use freiraum_mesh_io::MeshFileCache;
use freiraum_robot::{Joint, JointKind, Limits, Link, LinkShape, Mimic, Robot, RobotError};
use freiraum_scene::{Place, Problem};
use roxmltree::Node;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// How to read a robot file.
#[derive(Clone, Debug, Default)]
pub struct RobotOptions {
    /// Where packages are.
    pub packages: Packages,
    /// Read what the links look like too; what cannot be read of that is told in [`RobotFile::notes`] and left out.
    pub with_visual: bool,
    /// Mesh files that were read before, and will have been.
    pub meshes: MeshFileCache,
}

/// A robot from a file.
#[derive(Clone, Debug)]
pub struct RobotFile {
    /// The robot.
    pub robot: Robot,
    /// Where it was read from.
    pub path: PathBuf,
    /// What was passed over, for people.
    pub notes: Vec<String>,
}

/// Slower joints, in radians or metres per second, never arrive.
const SLOWEST: f64 = f64::EPSILON;

/// More than any robot has links.
const MOST_LINKS: usize = 10_000;

/// More than any robot; a file that is larger is something else.
const LARGEST: u64 = 256 << 20;

/// Reads a URDF file and its meshes.
///
/// **Errors.** All problems of the file at once, with line and column.
pub fn read(path: impl AsRef<Path>, options: &RobotOptions) -> Result<RobotFile, SceneErrors> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let text = read_text(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut found = parse(&name, &text, folder, options)?;
    found.path = path.to_owned();
    Ok(found)
}

/// The text of a robot file.
pub(super) fn read_text(path: &Path) -> Result<String, SceneErrors> {
    let name = path.display().to_string();
    let fail = |message: String, help: &str| {
        SceneErrors::new(name.clone(), "", vec![Problem::new(Place::default(), message).help(help)])
    };
    let bytes = files::read(path, LARGEST).map_err(|error| match error.kind() {
        ErrorKind::IsADirectory => fail("is a folder".to_owned(), "name the .urdf file in it"),
        ErrorKind::FileTooLarge => {
            fail(format!("has more than {LARGEST} bytes, which is no robot file"), "name a .urdf file")
        }
        ErrorKind::InvalidInput => fail(format!("cannot be read: {error}"), "name a .urdf file"),
        _ => fail(format!("cannot be read: {error}"), "check the path of the robot file, and its rights"),
    })?;
    let text = String::from_utf8(bytes)
        .map_err(|_| fail("is not UTF-8 text".to_owned(), "name a URDF file, or save it as UTF-8"))?;
    if text.contains("xmlns:xacro") && text.contains("<xacro:") {
        return Err(fail(
            "is a xacro file, which has to be expanded first".to_owned(),
            "run `xacro FILE > robot.urdf` where ROS is installed, and use that",
        ));
    }
    Ok(text)
}

/// Reads the text of a URDF file whose meshes are named relative to `folder`; `name` is for messages.
pub fn parse(
    name: &str,
    text: &str,
    folder: &Path,
    options: &RobotOptions,
) -> Result<RobotFile, SceneErrors> {
    // A byte order mark is no part of the text, and the reader of XML passes over it.
    let document = document(name, text)?;
    let mut problems = Problems::default();
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        let found = root.tag_name().name();
        problems.add_help(
            place(&root),
            format!("the outermost element is <{found}>; expected <robot>"),
            "this is no URDF file",
        );
        return Err(SceneErrors::new(name, text, problems.0));
    }
    check_names(&root, &["link", "joint", "material", "transmission", "gazebo"], &mut problems);
    let mut reader = Reader {
        folder,
        options,
        problems,
        notes: Vec::new(),
        links: BTreeMap::new(),
        joints: BTreeMap::new(),
    };
    let links: Vec<Node> = elements(&root).filter(|node| node.tag_name().name() == "link").collect();
    let joints: Vec<Node> = elements(&root).filter(|node| node.tag_name().name() == "joint").collect();
    for (nodes, what) in [(&links, "links"), (&joints, "joints")] {
        if nodes.len() > MOST_LINKS {
            let message = format!("found {} {what}, expected at most {MOST_LINKS}", nodes.len());
            reader.problems.add_help(
                place(&root),
                message,
                "this is no robot; make its parts bodies of the scene",
            );
            return Err(SceneErrors::new(name, text, reader.problems.0));
        }
    }
    let mut made_links = Vec::with_capacity(links.len());
    for (number, node) in links.iter().enumerate() {
        let link_name = required(node, "name", &mut reader.problems).unwrap_or_default();
        match reader.links.entry(link_name) {
            Entry::Vacant(free) => {
                free.insert(number);
            }
            Entry::Occupied(other) => {
                let first = document.text_pos_at(links[*other.get()].range().start).row;
                let message =
                    format!("there are two links named '{link_name}'; the first is in line {first}");
                reader.problems.add_help(place_of(node, "name"), message, "give one of them another name");
            }
        }
        made_links.push(reader.link(node, link_name));
    }
    for (number, node) in joints.iter().enumerate() {
        reader.joints.entry(node.attribute("name").unwrap_or_default()).or_insert(number);
    }
    let made_joints: Vec<Option<Joint>> = joints.iter().map(|node| reader.joint(node)).collect();
    let Reader { mut problems, mut notes, .. } = reader;
    if problems.0.is_empty() {
        let made_joints: Vec<Joint> = made_joints.into_iter().flatten().collect();
        let robot_name = root.attribute("name").unwrap_or("robot");
        match Robot::new(robot_name, made_links, made_joints) {
            Ok(robot) => {
                notes.dedup();
                return Ok(RobotFile { robot, path: PathBuf::new(), notes });
            }
            Err(error) => problems.add(to_blame(&error, &root, &links, &joints), error.to_string()),
        }
    }
    problems.0.sort_by_key(|problem| problem.place);
    Err(SceneErrors::new(name, text, problems.0))
}

/// The element that an error of the whole is about.
fn to_blame(error: &RobotError, root: &Node, links: &[Node], joints: &[Node]) -> Place {
    let named = |nodes: &[Node], name: &String| {
        nodes.iter().rev().find(|node| node.attribute("name") == Some(name)).map(place)
    };
    let found = match error {
        RobotError::NoLinks => None,
        RobotError::SameLink(name) | RobotError::Circle(name) | RobotError::TwoRoots(_, name) => {
            named(links, name)
        }
        RobotError::SameJoint(name) | RobotError::NoAxis(name) => named(joints, name),
        RobotError::TwoParents { second, .. } => named(joints, second),
        RobotError::NoSuchLink { joint, .. }
        | RobotError::NoRange { joint, .. }
        | RobotError::FollowsItself { joint, .. }
        | RobotError::NothingToFollow { joint, .. } => named(joints, joint),
        _ => None,
    };
    found.unwrap_or_else(|| place(root))
}

struct Reader<'r> {
    folder: &'r Path,
    options: &'r RobotOptions,
    problems: Problems,
    notes: Vec<String>,
    /// Numbers of links and joints by name; of several the first.
    links: BTreeMap<&'r str, usize>,
    joints: BTreeMap<&'r str, usize>,
}

impl Reader<'_> {
    fn link(&mut self, node: &Node, name: &str) -> Link {
        check_names(node, &["inertial", "visual", "collision"], &mut self.problems);
        let has = |kind: &str| elements(node).any(|child| child.tag_name().name() == kind);
        // Without a shape it would be proven free of everything.
        let is_stand_in = !has("collision") && has("visual");
        let (mut collision, mut visual) = (Vec::new(), Vec::new());
        for child in elements(node) {
            match child.tag_name().name() {
                "collision" => collision.extend(self.link_shape(&child)),
                "visual" if is_stand_in => collision.extend(self.link_shape(&child)),
                "visual" if self.options.with_visual => {
                    let before = self.problems.0.len();
                    visual.extend(self.link_shape(&child));
                    // What a link looks like does not matter for what it touches.
                    for problem in self.problems.0.drain(before..) {
                        self.notes.push(format!("link '{name}': {}", problem.message));
                    }
                }
                _ => {}
            }
        }
        if is_stand_in {
            self.notes.push(format!("link '{name}' has no <collision>: its <visual> is looked at instead"));
            if self.options.with_visual {
                visual.clone_from(&collision);
            }
        }
        Link { name: name.to_owned(), collision, visual }
    }

    fn link_shape(&mut self, node: &Node) -> Option<LinkShape> {
        check_names(node, &["origin", "geometry", "material", "name", "verbose"], &mut self.problems);
        let link_from_shape = self.origin(node);
        let Some(geometry) = child(node, "geometry", &mut self.problems) else {
            let kind = node.tag_name().name();
            self.problems.add(place(node), format!("<{kind}> has no <geometry>"));
            return None;
        };
        let packages = &self.options.packages;
        let shape = shape(&geometry, self.folder, packages, &self.options.meshes, &mut self.problems)?;
        Some(LinkShape { link_from_shape, shape })
    }

    fn origin(&mut self, node: &Node) -> Pose {
        let Some(origin) = child(node, "origin", &mut self.problems) else { return Pose::IDENTITY };
        let position = vector(&origin, "xyz", &mut self.problems).unwrap_or(Vec3::ZERO);
        if position.abs().max_element() > MAX_COORDINATE {
            let message = format!("found a coordinate beyond {MAX_COORDINATE:.0e} m");
            self.problems.add_help(place_of(&origin, "xyz"), message, "lengths in URDF files are in metres");
        }
        let angles = vector(&origin, "rpy", &mut self.problems).unwrap_or(Vec3::ZERO);
        Pose::from_zyx_euler(angles.x, angles.y, angles.z, position).unwrap_or(Pose::IDENTITY)
    }

    fn joint(&mut self, node: &Node) -> Option<Joint> {
        let known = [
            "origin",
            "parent",
            "child",
            "axis",
            "limit",
            "mimic",
            "dynamics",
            "calibration",
            "safety_controller",
            "hardwareInterface",
        ];
        check_names(node, &known, &mut self.problems);
        let name = required(node, "name", &mut self.problems);
        let kind = self.kind(node);
        let parent = self.end(node, "parent");
        let child_link = self.end(node, "child");
        let parent_from_child = self.origin(node);
        let axis = child(node, "axis", &mut self.problems);
        let axis = axis.and_then(|axis| {
            required(&axis, "xyz", &mut self.problems)?;
            let found = vector(&axis, "xyz", &mut self.problems)?;
            if found == Vec3::ZERO && kind != Some(JointKind::Fixed) {
                self.problems.add(place_of(&axis, "xyz"), "the axis has no direction");
            }
            Some(found)
        });
        let limit = child(node, "limit", &mut self.problems);
        let is_limited = matches!(kind, Some(JointKind::Revolute | JointKind::Prismatic));
        if is_limited && limit.is_none() {
            let (kind, upper) = (node.attribute("type").unwrap_or_default(), "upper");
            self.problems.add_help(
                place(node),
                format!("a {kind} joint needs <limit lower=… {upper}=…>"),
                "for a joint that turns without end write type=\"continuous\"",
            );
        }
        let mut of_limit = |attribute: &str| number(limit.as_ref()?, attribute, &mut self.problems);
        let [lower, upper, velocity] = ["lower", "upper", "velocity"].map(&mut of_limit);
        let limits = Limits { lower: lower.unwrap_or(0.0), upper: upper.unwrap_or(0.0) };
        if is_limited && limits.lower > limits.upper {
            let at = limit.as_ref().map_or_else(|| place(node), place);
            let Limits { lower, upper } = limits;
            self.problems.add_help(
                at,
                format!("the lower limit {lower} is above the upper limit {upper}"),
                "swap them",
            );
        }
        if let (Some(name), Some(speed)) = (name, velocity.filter(|v| *v > 0.0 && *v < SLOWEST)) {
            self.notes.push(format!(
                "joint '{name}': at velocity {speed} it would never arrive; taken as not stated"
            ));
        }
        let mimic = self.mimic(node);
        Some(Joint {
            name: name?.to_owned(),
            parent: parent?,
            child: child_link?,
            parent_from_child,
            axis: axis.unwrap_or(Vec3::X),
            kind: kind?,
            limits: if is_limited { limits } else { Limits::NONE },
            velocity: velocity.filter(|v| *v >= SLOWEST),
            mimic,
        })
    }

    fn kind(&mut self, node: &Node) -> Option<JointKind> {
        const KINDS: [&str; 4] = ["revolute", "continuous", "prismatic", "fixed"];
        match required(node, "type", &mut self.problems)? {
            "revolute" => return Some(JointKind::Revolute),
            "continuous" => return Some(JointKind::Continuous),
            "prismatic" => return Some(JointKind::Prismatic),
            "fixed" => return Some(JointKind::Fixed),
            other @ ("floating" | "planar") => self.problems.add_help(
                place_of(node, "type"),
                format!("{other} joints are not supported"),
                "make it fixed and place the robot by the pose of its base, or split it into prismatic and revolute joints",
            ),
            other => {
                let meant = nearest(other, KINDS);
                let help = meant.map_or(format!("use one of {}", KINDS.join(", ")), |m| format!("did you mean '{m}'?"));
                self.problems.add_help(place_of(node, "type"), format!("'{other}' is no type of joint"), help);
            }
        }
        None
    }

    /// The link that a joint names as parent or child.
    fn end(&mut self, node: &Node, which: &str) -> Option<usize> {
        let Some(end) = child(node, which, &mut self.problems) else {
            self.problems.add(place(node), format!("this joint has no <{which} link=…>"));
            return None;
        };
        let name = required(&end, "link", &mut self.problems)?;
        let found = self.links.get(name).copied();
        if found.is_none() {
            let at = place_of(&end, "link");
            let message = format!("there is no link named '{name}'");
            match nearest(name, self.links.keys().copied()) {
                Some(meant) => self.problems.add_help(at, message, format!("did you mean '{meant}'?")),
                None => self.problems.add(at, message),
            }
        }
        found
    }

    fn mimic(&mut self, node: &Node) -> Option<Mimic> {
        let mimic = child(node, "mimic", &mut self.problems)?;
        let name = required(&mimic, "joint", &mut self.problems)?;
        let joint = self.joints.get(name).copied();
        if joint.is_none() {
            let at = place_of(&mimic, "joint");
            let message = format!("there is no joint named '{name}' to follow");
            match nearest(name, self.joints.keys().copied()) {
                Some(meant) => self.problems.add_help(at, message, format!("did you mean '{meant}'?")),
                None => self.problems.add(at, message),
            }
        }
        let factor = number(&mimic, "multiplier", &mut self.problems).unwrap_or(1.0);
        let offset = number(&mimic, "offset", &mut self.problems).unwrap_or(0.0);
        Some(Mimic { joint: joint?, factor, offset })
    }
}
