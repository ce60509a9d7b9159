//! The keys of robots and of what they do.

use super::keys::Keys;

const MODEL: &str = "write `model`, the name of a URDF file, or `dh`, a table";
const POSE: &str = "where its root link stands goes into `pose`";
const START: &str = "write `start_deg`, the joint values at the start";
const TOOL: &str = "write `tool = { pose = …, bodies = [\"…\"] }`";
const SHARE: &str = "write `speed`, a share of the full speed such as 0.5";
const JOINTS: &str =
    "write `joints_deg`, a value for every joint; joints that slide are in the unit of the file";

pub(super) const ROBOT: Keys = Keys {
    what: "a robot",
    known: &[
        "name",
        "model",
        "dh",
        "convention",
        "shape",
        "mesh",
        "mesh_units",
        "shape_pose",
        "srdf",
        "packages",
        "pose",
        "start_deg",
        "start",
        "flange",
        "tool",
        "ignore",
        "solid",
        "acceleration_deg_s2",
        "acceleration",
        "color",
    ],
    instead: &[
        ("urdf", MODEL),
        ("file", MODEL),
        ("path", MODEL),
        ("base", POSE),
        ("position", POSE),
        ("joints", START),
        ("joints_deg", START),
        ("start_joints", START),
        ("start_rad", "write `start_deg`: angles in scene files are in degrees"),
        ("tcp", TOOL),
        ("tools", TOOL),
        ("gripper", TOOL),
        ("end_effector", TOOL),
        ("colour", "write `color`"),
        ("acceleration_deg", "write `acceleration_deg_s2`, in degrees per second squared"),
        ("disabled", "write `ignore = [[\"…\", \"…\"]]`, pairs of links"),
    ],
};

pub(super) const ROW: Keys = Keys {
    what: "a row of a Denavit-Hartenberg table",
    known: &[
        "alpha_deg",
        "l",
        "theta_deg",
        "d",
        "joint",
        "limits_deg",
        "limits",
        "speed_deg",
        "speed",
        "shape",
        "mesh",
        "mesh_units",
        "shape_pose",
    ],
    instead: &[
        ("a", "write `l`, the distance of the axes along x"),
        ("r", "write `l`, the distance of the axes along x"),
        ("alpha", "write `alpha_deg`: angles in scene files are in degrees"),
        ("theta", "write `theta_deg`: angles in scene files are in degrees"),
        ("offset_deg", "write `theta_deg`, the angle at joint value 0"),
        ("kind", "write `joint = \"revolute\"` or the like"),
        ("type", "write `joint = \"revolute\"` or the like"),
        ("velocity", "write `speed_deg`, or `speed` for a joint that slides"),
        ("pose", "write `shape_pose`, where the shape is on the link"),
        ("mesh_pose", "write `shape_pose`, where the mesh is on the link"),
        ("file", "write `mesh`, the name of a mesh file"),
    ],
};

pub(super) const TOOL_TABLE: Keys = Keys {
    what: "a tool",
    known: &["pose", "bodies"],
    instead: &[
        ("tcp", "write `pose`, where the tool centre point is on the flange"),
        ("position", "write `pose`, where the tool centre point is on the flange"),
        ("body", "write `bodies`, a list"),
        ("members", "write `bodies`"),
    ],
};

pub(super) const PTP: Keys = Keys {
    what: "a point-to-point motion",
    known: &["joints_deg", "pose", "configuration", "state", "mode", "speed", "profile"],
    instead: &TARGET_INSTEAD,
};

pub(super) const TARGET: Keys = Keys {
    what: "where a robot goes",
    known: &["joints_deg", "pose", "configuration", "state"],
    instead: &TARGET_INSTEAD,
};

const TARGET_INSTEAD: [(&str, &str); 11] = [
    ("joints", JOINTS),
    ("joint", JOINTS),
    ("to", JOINTS),
    ("joints_rad", "write `joints_deg`: angles in scene files are in degrees"),
    ("position", "write `pose`, where the tool centre point goes"),
    ("tool", "write `pose`, where the tool centre point goes"),
    ("tcp", "write `pose`, where the tool centre point goes"),
    ("velocity", SHARE),
    ("percent", SHARE),
    ("config", "write `configuration`, such as \"front up noflip\""),
    ("ramp", "write `profile = \"ramp\"`"),
];

pub(super) const LIN: Keys = Keys {
    what: "a straight line of the tool",
    known: &["pose", "by", "speed", "profile"],
    instead: &[
        ("to", "write `pose`, where the tool centre point goes"),
        ("translate", "write `by = [x, y, z]`"),
        ("position", "write `pose`, where the tool centre point goes"),
        ("velocity", "write `speed`, in units of the file per second"),
        ("configuration", "a line keeps the configuration that the arm has; choose it by ptp before"),
        ("joints_deg", "a line leads to a `pose` or goes `by = [x, y, z]`; joint values belong to ptp"),
    ],
};

pub(super) const JOINT: Keys = Keys {
    what: "the motion of one joint",
    known: &["name", "to_deg", "by_deg", "to", "by", "speed", "profile"],
    instead: &[
        ("joint", "write `name`, the name of the joint"),
        ("deg", "write `to_deg`, or `by_deg` to go on from where it is"),
        ("angle", "write `to_deg`, or `by_deg` to go on from where it is"),
        ("velocity", SHARE),
    ],
};

pub(super) const GRASP: Keys = Keys {
    what: "a grasp",
    known: &["body", "depth"],
    instead: &[
        ("name", "write `body`"),
        ("part", "write `body`"),
        ("allowance", "write `depth`, how deep gripper and body may overlap"),
    ],
};

pub(super) const ACTION: Keys = Keys {
    what: "an action of a robot",
    known: &["ptp", "lin", "joint", "path", "to", "speed", "grasp", "release", "wait", "sync"],
    instead: &ACTION_INSTEAD,
};

pub(super) const ACTION_INSTEAD: [(&str, &str); 10] = [
    ("movej", "write `ptp`"),
    ("move_j", "write `ptp`"),
    ("movel", "write `lin`"),
    ("move_l", "write `lin`"),
    ("linear", "write `lin`"),
    ("pick", "write `grasp`"),
    ("place", "write `release`"),
    ("sleep", "write `wait`, in seconds"),
    ("robot", "the step or the entry of `parallel` says which robot; an action only what it does"),
    ("do", "write the actions one after the other in one list"),
];

/// Keys of steps that only robots have.
pub(super) const OF_ROBOTS: [&str; 10] =
    ["robot", "ptp", "lin", "joint", "grasp", "release", "wait", "do", "sync", "speed"];

/// Ways to move; a robot does one of them before it grasps, releases or waits.
pub(super) const MOTIONS: [&str; 4] = ["ptp", "lin", "joint", "path"];
