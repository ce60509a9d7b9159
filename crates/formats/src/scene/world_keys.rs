//! The keys of what only a simulation needs: `[world]`, physics of bodies, vehicles, sensors, goals.

use super::keys::Keys;

const PER_SECOND: &str = "write `step`, the length of a step in seconds";
const VELOCITY: &str = "write `velocity = [x, y, z]`, in units of the file per second";
const SPIN: &str = "write `spin_deg = [x, y, z]`, in degrees per second";
const RADIANS: &str = "angles in scene files are in degrees, and their keys end in `_deg`";
const ON: &str = "write `on`, the name of the vehicle or body that it moves with";
const RANGE: &str = "write `range`, the farthest distance";
const POSE: &str = "where it is goes into `pose = { position = [x, y, z], rpy_deg = [roll, pitch, yaw] }`";

pub(super) const WORLD: Keys = Keys {
    what: "[world]",
    known: &["gravity", "step", "drag", "seed"],
    instead: &[
        ("g", "write `gravity`"),
        ("dt", PER_SECOND),
        ("timestep", PER_SECOND),
        ("time_step", PER_SECOND),
        ("step_size", PER_SECOND),
        ("rate", PER_SECOND),
        ("hz", PER_SECOND),
        ("air", "write `drag`, what the air takes off the speed per second"),
        ("air_drag", "write `drag`, what the air takes off the speed per second"),
        ("damping", "write `drag`, what the air takes off the speed per second"),
        ("random", "write `seed`, a whole number"),
        ("duration", "how long is up to the command: `freiraum sim SCENE --duration 10`"),
    ],
};

pub(super) const PHYSICS: Keys = Keys {
    what: "the physics of a body",
    known: &[
        "kind",
        "mass",
        "mass_g",
        "density",
        "friction",
        "restitution",
        "stiffness",
        "damping",
        "active",
        "velocity",
        "spin_deg",
    ],
    instead: &[
        ("weight", "write `mass`, in kilograms, or `mass_g`"),
        ("bounce", "write `restitution`"),
        ("elasticity", "write `restitution`"),
        ("mu", "write `friction`"),
        ("type", "write `kind`"),
        ("speed", VELOCITY),
        ("linear_velocity", VELOCITY),
        ("angular_velocity", SPIN),
        ("spin", SPIN),
        ("rotation", SPIN),
        ("fixed", "write `kind = \"fixed\"`, or `fixed = true` in the body"),
        ("static", "write `kind = \"fixed\"`"),
        ("movable", "write `kind = \"movable\"`"),
        ("enabled", "write `active`"),
    ],
};

pub(super) const VEHICLE: Keys = Keys {
    what: "a vehicle",
    known: &["name", "model", "pose", "drive", "masses", "full_collision", "active", "controller", "color"],
    instead: &[
        ("colour", "write `color`"),
        ("kind", "write `model`, such as \"monster truck\""),
        ("type", "write `model`, such as \"monster truck\""),
        ("vehicle", "write `model`, such as \"monster truck\""),
        ("position", POSE),
        ("rpy_deg", POSE),
        ("dynamics", "write `drive = \"dynamic\"` or `drive = \"kinematic\"`"),
        (
            "mass",
            "the model says how heavy it is; `masses = \"single\"` or \"distributed\" how that is spread",
        ),
        ("driver", "write `controller`"),
        ("program", "write `controller = { program = [\"…\"] }`"),
        ("sensors", "every sensor is a table `[[sensor]]` of its own, with `on = \"…\"`"),
    ],
};

pub(super) const CONTROLLER: Keys = Keys {
    what: "a controller",
    known: &["drive_to", "soccer", "program", "timeout", "rate"],
    instead: &[
        ("command", "write `program = [\"…\", \"…\"]`"),
        ("hz", "write `rate`, how often it is asked per second"),
        ("target", "write `drive_to = [x, y, z]`"),
        ("goto", "write `drive_to = [x, y, z]`"),
        ("wander", "write `controller = \"wander\"`"),
        ("keyboard", "write `controller = \"keyboard\"`"),
        ("collect", "write `controller = \"collect\"`"),
    ],
};

pub(super) const SOCCER: Keys = Keys {
    what: "a soccer player",
    known: &["ball", "goal"],
    instead: &[("body", "write `ball`, the name of a body"), ("to", "write `goal`, the name of a goal")],
};

pub(super) const SENSOR: Keys = Keys {
    what: "a sensor",
    known: &[
        "name",
        "on",
        "pose",
        "kind",
        "rate",
        "range",
        "grid",
        "rows",
        "method",
        "size",
        "field_deg",
        "half_angle_deg",
        "blind_to",
        "sees_itself",
        "noise",
    ],
    instead: &[
        ("type", "write `kind`, such as \"laser\""),
        ("model", "write `kind`, such as \"laser\""),
        ("vehicle", ON),
        ("body", ON),
        ("mount", ON),
        ("parent", ON),
        ("position", POSE),
        ("rpy_deg", POSE),
        ("fps", "write `rate`, measurements per second"),
        ("hz", "write `rate`, measurements per second"),
        ("reach", RANGE),
        ("max", RANGE),
        ("max_range", RANGE),
        ("beams", "write `grid = { … }` or `rows = { … }`"),
        ("resolution", "write `size = [columns, rows]`, for a laser in `grid = { … }`"),
        ("fov_deg", "write `field_deg`"),
        ("fov", RADIANS),
        ("field", RADIANS),
        ("angle_deg", "write `half_angle_deg`, half of it"),
        ("half_angle", RADIANS),
        ("ignore", "write `blind_to`"),
        ("mask", "write `blind_to`"),
    ],
};

pub(super) const GRID: Keys = Keys {
    what: "a grid of beams",
    known: &["size", "field_deg"],
    instead: &[("fov_deg", "write `field_deg`"), ("columns", "write `size = [columns, rows]`")],
};

pub(super) const ROWS: Keys = Keys {
    what: "rows of beams",
    known: &["elevations_deg", "table", "columns", "field_deg"],
    instead: &[
        ("fov_deg", "write `field_deg`"),
        ("elevation_deg", "write `elevations_deg`, a list"),
        ("elevations", RADIANS),
        ("file", "write `table`, the name of a file"),
        ("size", "write `columns`; there is a row for each of `elevations_deg`"),
    ],
};

pub(super) const NOISE: Keys = Keys {
    what: "noise",
    known: &["constant", "relative", "dropout"],
    instead: &[
        ("sigma", "write `constant`, a standard deviation, or `relative`, a share of the measurement"),
        ("stddev", "write `constant`, a standard deviation, or `relative`, a share of the measurement"),
        ("dropouts", "write `dropout`"),
        ("seed", "one `seed` in `[world]` is for all"),
    ],
};

pub(super) const GOAL: Keys = Keys {
    what: "a goal",
    known: &["name", "body", "ball", "resets"],
    instead: &[
        ("area", "write `body`, the body whose shape is the goal"),
        ("shape", "write `body`, the body whose shape is the goal"),
        ("of", "write `ball`, the body that has to get there"),
        ("reset", "write `resets`"),
    ],
};
