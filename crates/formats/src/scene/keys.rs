//! Every key of a scene file, and what people write instead.

/// The keys of a kind of table.
pub(super) struct Keys {
    /// What it is called in messages.
    pub(super) what: &'static str,
    /// Those that are read.
    pub(super) known: &'static [&'static str],
    /// What people write, and what to tell them.
    pub(super) instead: &'static [(&'static str, &'static str)],
}

const IN_POSE: &str = "where it is goes into `pose = { position = [x, y, z], rpy_deg = [roll, pitch, yaw] }`";
const IN_SHAPE: &str = "sizes go into the shape, such as `shape = { box = { size = [x, y, z] } }`";
const IN_PHYSICS: &str = "this belongs into `physics = { … }`";
const DEG: &str = "write `deg`, an angle in degrees";
const RADIANS: &str = "write `deg`: angles in scene files are in degrees";
const WORLD: &str = "this belongs into the table `[world]`";
const CHECK: &str = "this belongs into the table `[check]`";
const STEP_MOVE: &str = "write `move`, the name of a body or of a group";
const SECONDS: &str = "write `seconds`";

pub(super) const TOP: Keys = Keys {
    what: "a scene",
    known: &[
        "units",
        "name",
        "description",
        "check",
        "body",
        "group",
        "pair",
        "state",
        "step",
        "robot",
        "world",
        "vehicle",
        "sensor",
        "goal",
    ],
    instead: &[
        ("bodies", "every body is a table `[[body]]` of its own"),
        ("part", "write `[[body]]`"),
        ("parts", "every part is a table `[[body]]` of its own"),
        ("groups", "every group is a table `[[group]]` of its own"),
        ("pairs", "every pair is a table `[[pair]]` of its own"),
        ("states", "every state is a table `[[state]]` of its own"),
        ("steps", "every step is a table `[[step]]` of its own"),
        ("robots", "every robot is a table `[[robot]]` of its own"),
        ("clearance", CHECK),
        ("allowance", CHECK),
        ("approach", CHECK),
        ("title", "write `name`"),
        ("vehicles", "every vehicle is a table `[[vehicle]]` of its own"),
        ("sensors", "every sensor is a table `[[sensor]]` of its own"),
        ("goals", "every goal is a table `[[goal]]` of its own"),
        ("physics", "`physics = { … }` belongs into a body; what holds for all of them into `[world]`"),
        ("simulation", "write `[world]`"),
        ("gravity", WORLD),
        ("seed", WORLD),
    ],
};

pub(super) const CHECK_TABLE: Keys = Keys {
    what: "[check]",
    known: &["clearance", "allowance", "approach"],
    instead: &[
        ("tolerance", "`allowance` is how deep bodies may overlap, `clearance` how far apart they must be"),
        ("distance", "write `clearance`, the distance that bodies must keep"),
        ("margin", "write `clearance`, the distance that bodies must keep"),
        ("overlap", "write `allowance`, how deep bodies may overlap"),
    ],
};

pub(super) const BODY: Keys = Keys {
    what: "a body",
    known: &["name", "mesh", "mesh_units", "shape", "fixed", "pose", "goal", "color", "physics"],
    instead: &[
        ("file", "write `mesh`, the name of a mesh file"),
        ("model", "write `mesh`, the name of a mesh file"),
        ("path", "write `mesh`, the name of a mesh file"),
        ("stl", "write `mesh`, the name of a mesh file"),
        ("geometry", "write `mesh`, the name of a mesh file, or `shape`"),
        ("units", "write `mesh_units`, the unit of the numbers in the mesh file"),
        ("scale", "write `mesh_units`, the unit of the numbers in the mesh file"),
        ("static", "write `fixed`"),
        ("is_fixed", "write `fixed`"),
        ("movable", "write `fixed`; bodies that are not fixed can be moved"),
        ("position", IN_POSE),
        ("translation", IN_POSE),
        ("rotation", IN_POSE),
        ("orientation", IN_POSE),
        ("rpy", IN_POSE),
        ("rpy_deg", IN_POSE),
        ("quaternion", IN_POSE),
        ("placement", IN_POSE),
        ("at", IN_POSE),
        ("start", "write `pose`, where the body is at the start"),
        ("end", "write `goal`, where the body should be in the end"),
        ("target", "write `goal`, where the body should be in the end"),
        ("colour", "write `color`"),
        ("size", IN_SHAPE),
        ("radius", IN_SHAPE),
        ("diameter", IN_SHAPE),
        ("height", IN_SHAPE),
        ("box", IN_SHAPE),
        ("sphere", IN_SHAPE),
        ("cylinder", IN_SHAPE),
        ("mass", IN_PHYSICS),
        ("density", IN_PHYSICS),
        ("friction", IN_PHYSICS),
        ("restitution", IN_PHYSICS),
        ("velocity", IN_PHYSICS),
    ],
};

pub(super) const GROUP: Keys = Keys {
    what: "a group",
    known: &["name", "members"],
    instead: &[
        ("bodies", "write `members`"),
        ("parts", "write `members`"),
        ("groups", "write `members`; groups may stand beside bodies there"),
        ("member", "write `members`, a list"),
    ],
};

pub(super) const PAIR: Keys = Keys {
    what: "a pair",
    known: &["bodies", "clearance", "allowance", "approach", "ignore"],
    instead: &[
        ("a", "write `bodies = [\"…\", \"…\"]`"),
        ("b", "write `bodies = [\"…\", \"…\"]`"),
        ("pair", "write `bodies = [\"…\", \"…\"]`"),
        ("between", "write `bodies = [\"…\", \"…\"]`"),
        ("members", "write `bodies = [\"…\", \"…\"]`"),
        ("reason", "the reason is the value of `ignore`"),
        ("overlap", "write `allowance`, how deep the two may overlap"),
        ("tolerance", "`allowance` is how deep the two may overlap, `clearance` how far apart they must be"),
    ],
};

pub(super) const STATE: Keys = Keys {
    what: "a state",
    known: &["name", "poses"],
    instead: &[
        ("pose", "write `poses = { body = pose, … }`"),
        ("bodies", "write `poses = { body = pose, … }`"),
    ],
};

pub(super) const STEP: Keys = Keys {
    what: "a step",
    known: &[
        "name",
        "seconds",
        "move",
        "translate",
        "rotate",
        "screw",
        "to",
        "path",
        "planner",
        "parallel",
        "robot",
        "ptp",
        "lin",
        "joint",
        "grasp",
        "release",
        "wait",
        "sync",
        "speed",
        "do",
    ],
    instead: &STEP_INSTEAD,
};

pub(super) const MOVE: Keys = Keys {
    what: "a move",
    known: &["move", "translate", "rotate", "screw", "to", "path", "planner"],
    instead: &STEP_INSTEAD,
};

pub(super) const TASK: Keys = Keys {
    what: "what a robot does",
    known: &["robot", "ptp", "lin", "joint", "path", "to", "speed", "grasp", "release", "wait", "sync", "do"],
    instead: &STEP_INSTEAD,
};

const STEP_INSTEAD: [(&str, &str); 24] = [
    ("body", STEP_MOVE),
    ("part", STEP_MOVE),
    ("group", STEP_MOVE),
    ("moves", STEP_MOVE),
    ("moving", STEP_MOVE),
    ("subject", STEP_MOVE),
    ("translation", "write `translate = [x, y, z]`"),
    ("rotation", "write `rotate = { point = […], axis = […], deg = … }`"),
    ("turn", "write `rotate = { point = […], axis = […], deg = … }`"),
    ("goal", "write `to`, where the body goes"),
    ("target", "write `to`, where the body goes"),
    ("pose", "write `to`, where the body goes"),
    ("duration", SECONDS),
    ("time", SECONDS),
    ("duration_s", SECONDS),
    ("simultaneous", "write `parallel = [ { move = …, … }, … ]`"),
    ("plan", "write `path = \"plan\"`"),
    ("actions", "write `do = [ { ptp = … }, … ]`"),
    ("program", "write `do = [ { ptp = … }, … ]`"),
    ("movej", "write `ptp`"),
    ("movel", "write `lin`"),
    ("linear", "write `lin`"),
    ("sleep", "write `wait`, in seconds"),
    ("robots", "write `parallel = [ { robot = …, do = […] }, … ]`"),
];

pub(super) const PIECE: Keys = Keys {
    what: "a piece of a path",
    known: &["translate", "rotate", "screw", "to", "share"],
    instead: &[
        ("path", "a path has no paths in it; write its pieces here, such as `translate = [x, y, z]`"),
        ("move", "the step says what moves; a piece of its path only how"),
        ("seconds", "write `share`, the part of the time of the step"),
        ("translation", "write `translate = [x, y, z]`"),
        ("rotation", "write `rotate = { point = […], axis = […], deg = … }`"),
        ("pose", "write `to`, where the body goes"),
    ],
};

const TURN_INSTEAD: [(&str, &str); 17] = [
    ("degrees", DEG),
    ("degree", DEG),
    ("angle_deg", DEG),
    ("angle_degrees", DEG),
    ("deg_angle", DEG),
    ("angle", DEG),
    ("by", DEG),
    ("turns", "write `deg`, an angle in degrees; a turn has 360"),
    ("rad", RADIANS),
    ("radians", RADIANS),
    ("angle_rad", RADIANS),
    ("center", "write `point`, a point on the axis"),
    ("centre", "write `point`, a point on the axis"),
    ("origin", "write `point`, a point on the axis"),
    ("about", "write `point` and `axis`"),
    ("direction", "write `axis`"),
    ("pitch", "write `advance`, the whole shift along the axis"),
];

pub(super) const ROTATE: Keys =
    Keys { what: "a rotation", known: &["point", "axis", "deg"], instead: &TURN_INSTEAD };

pub(super) const SCREW: Keys =
    Keys { what: "a screw", known: &["point", "axis", "deg", "advance"], instead: &TURN_INSTEAD };

/// Keys that people write in shapes and in poses.
pub(super) const VALUE_INSTEAD: [(&str, &str); 34] = [
    ("r", "write `radius`"),
    ("d", HALF),
    ("dia", HALF),
    ("diameter", HALF),
    ("h", "write `height`"),
    ("length", "write `height`, along z"),
    ("depth", "write `height`, along z"),
    ("sizes", SIZE),
    ("dimensions", SIZE),
    ("extents", SIZE),
    ("lengths", SIZE),
    ("edges", SIZE),
    ("width", SIZE),
    ("side", SIZE),
    ("half_extents", "write `size = [x, y, z]`, the full edge lengths: twice these"),
    ("center", PLACED),
    ("centre", PLACED),
    ("axis", PLACED),
    ("distance", "write `offset`, how far the plane is from the origin along its normal"),
    ("triangles", "write `faces`"),
    ("indices", "write `faces`, a list of three numbers each"),
    ("translation", "write `position = [x, y, z]`"),
    ("xyz", "write `position = [x, y, z]`"),
    ("rotation", TURNED),
    ("orientation", TURNED),
    ("euler", TURNED),
    ("euler_deg", TURNED),
    ("angles", TURNED),
    ("rpy_rad", "write `rpy_deg`: angles in scene files are in degrees"),
    ("yaw", TURNED),
    ("quat", "write `quaternion = [x, y, z, w]`"),
    ("cube", "write `box = { size = [x, y, z] }`"),
    ("cuboid", "write `box = { size = [x, y, z] }`"),
    ("ball", "write `sphere = { radius = … }`"),
];

const HALF: &str = "write `radius`, half of it";
const SIZE: &str = "write `size = [x, y, z]`, the full edge lengths";
const PLACED: &str =
    "a shape is centred at the origin of its body, its axis along z; where the body is goes into `pose`";
const TURNED: &str = "write `rpy_deg = [roll, pitch, yaw]` or `quaternion = [x, y, z, w]`";
