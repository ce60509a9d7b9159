//! What numbers of a world may be. Within these limits nothing overflows that a step computes; beyond them a file has a slip of the pen.

/// Length of a step, in seconds: a nanosecond.
pub const SHORTEST_STEP: f64 = 1.0 / 1e9;
/// Length of a step, in seconds.
pub const LONGEST_STEP: f64 = 1.0;
/// Gravity, in m/s²: a thousand times that of Earth.
pub const STRONGEST_GRAVITY: f64 = 1e4;
/// Speeds of bodies, in m/s: that of light.
pub const FASTEST: f64 = 299_792_458.0;
/// Spins of bodies, in degrees per second: a million turns.
pub const FASTEST_SPIN_DEG: f64 = 3.6e8;
/// Masses of bodies, in kilograms: a nanogram.
pub const LIGHTEST: f64 = 1.0 / 1e12;
/// Masses of bodies, in kilograms: those of mountains.
pub const HEAVIEST: f64 = 1e15;
/// Densities, in kg/m³: far below that of air.
pub const THINNEST: f64 = 1.0 / 1e6;
/// Densities, in kg/m³: far above that of any metal.
pub const DENSEST: f64 = 1e9;
/// Coefficients of friction: nothing slides at that.
pub const MOST_FRICTION: f64 = 1e6;
/// Stiffness in N/m and damping in N s/m of springs.
pub const STIFFEST: f64 = 1e15;
/// What the air takes off a speed, per second.
pub const MOST_DRAG: f64 = 1e9;
