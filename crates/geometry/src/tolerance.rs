//! Every number that means "small enough" or "too large" in Freiraum, with unit and reason.
//!
//! Four things are kept apart: rounding bounds are computed ([`crate::math::rounding`]); stopping rules are
//! arguments of the query; clearances belong to the user; only what is left stands here. Lengths are relative
//! to the size of the model, so the same part in metres and in millimetres gets the same answer.

use crate::math::power_of_two;

/// Largest coordinate magnitude a body may have, in metres. Inertia integrals grow with the fifth power of
/// a coordinate and must stay finite: (1e50)^5 = 1e250. Larger values are refused where they enter.
pub const MAX_COORDINATE: f64 = 1e50;

/// Fold angle in radians up to which two faces count as coplanar when feature edges are sought: one milliradian.
/// A larger value would hide real edges of finely tessellated cylinders, a smaller one would turn the f32
/// rounding of STL files into features.
pub const COPLANAR_FOLD_ANGLE: f64 = 1e-3;

/// Welding distance that `repair` uses unless told otherwise, relative to the diagonal of the mesh's box.
/// Ten times the resolution of f32, which most mesh files store.
pub const WELD_RELATIVE: f64 = 1e-6;

/// Cracks and T-junctions at open edges of a mesh up to this share of the diagonal of its box are closed when it is asked what is inside: fifty times
/// the resolution of f32, which most mesh files store, so that a part may stand a few times its size away from the origin; a hundredth
/// of a millimetre on a part of a metre. What is open wider bounds no solid. A wall no thicker than this is a surface that was written twice.
pub const CRACK_RELATIVE: f64 = 1e-5;

/// No crack at the rim of a connected piece of surface is closed that is wider than this share of the diagonal of its box, however large the pieces near it
/// are: a small open box beside a large floor stays open, and patches of a thousandth of a part are still sewn.
pub const LOCAL_CRACK_RELATIVE: f64 = 1e-3;

/// A convex body given by planes counts as unbounded when it reaches this many times as far from the origin as the
/// farthest of its planes. Bodies between nearly parallel planes are that long only when they are meant to be endless;
/// a larger ratio would cost digits of the inscribed sphere.
pub const UNBOUNDED_RATIO: f64 = 1e6;

/// Smallest size a shape may have, in metres: the counterpart of [`MAX_COORDINATE`]. Inertia goes with the fifth
/// power of a size and must not vanish: (1e-50)^5 = 1e-250. Smaller values are refused where they enter.
pub const MIN_SIZE: f64 = 1e-50;

/// Angles in radians less than this below a full turn are taken for 0. It must exceed the error of an angle that
/// is computed at the start of a rotation (some 1e-15, times the condition of its equation), or a contact at the start
/// is found after a full turn instead; a true contact so shortly before the end of a full turn is found at its start.
pub const FULL_TURN_SLACK: f64 = 1e-12;

/// Cylinders and cones at rest that are nearer than this touch, relative to the largest coordinate: depths, to which a touch is the border, are
/// iterated, and end within 1e-10 of it where the bodies nearly touch. A smaller value would tell a cylinder that lies
/// on a box to be apart from it, a larger one would hide gaps that can be measured.
pub const ROUND_TOUCH_RELATIVE: f64 = 1e-9;

/// Depths between cylinders or cones and other bodies are off by up to this, relative to the largest coordinate (1e-7 was seen):
/// overlaps that are not deeper are told as touching.
pub const ROUND_DEPTH_RELATIVE: f64 = 1e-6;

/// By how much of the size of two bodies their distance may be overestimated when it decides for how long they need
/// not be looked at: first guesses for round bodies stop within a millionth. A larger share would only cost tests, a
/// smaller one could pass over a contact.
pub const DISTANCE_RELATIVE: f64 = 1e-6;

/// Motions without a closed form are followed until the gap is this share of the size of the smaller body, unless the caller says
/// otherwise. It lies well above the rounding of coordinates and well below what a machine can be made to.
pub const ADVANCE_RELATIVE: f64 = 1e-9;

/// How deep bodies that touch before or after a motion may get into each other while they slide, as a share of the size of the smaller of the two
/// pieces that touch: 2⁻²⁴, the resolution of the numbers in a binary STL file. It lies far above the rounding of coordinates and far below what a machine
/// can measure: 0.6 nm for a pin of 10 mm.
pub const RESTING_RELATIVE: f64 = power_of_two(-24);

/// The share of the least distance of two moving bodies by which it may be missed unless told otherwise. The work to prove a
/// minimum grows with the logarithm of it, and faster where bodies keep one distance for a while; rounding of coordinates alone
/// takes more where bodies are a millionth of their size apart.
pub const NEAREST_RELATIVE: f64 = 1e-9;

/// The share of the least distance by which the proven bound beside a "free" may be below it.
pub const FREE_BOUND_RELATIVE: f64 = 1e-6;

/// The same for bodies with more triangles than [`FREE_BOUND_FACES`] together. Where large bodies keep one distance for a while, as
/// a shaft in its bearing, each digit more costs several times as much, and whoever wants them asks for the clearance.
pub const FREE_BOUND_RELATIVE_LARGE: f64 = 1e-2;

/// See [`FREE_BOUND_RELATIVE_LARGE`].
pub const FREE_BOUND_FACES: usize = 20_000;

/// Two placements of a body in a scene count as the same if no point of it is farther apart than this share of the scene's size, and
/// their orientations differ by no more than this many radians: poses in files are rounded to some digits, and steps add rounding of their own.
pub const SAME_POSE: f64 = 1e-9;

/// In drawings, what is nearer to a plane than this share of the size of the scene lies in it: above the rounding of f32 mesh files,
/// and on a sheet of paper a hundredth of what a printer can show. A larger value would put thin sheets in the wrong order.
pub const DRAWING_RELATIVE: f64 = 1e-6;

/// Faces seen at less than this angle in radians are seen edge-on in a drawing and not drawn: their area on paper is nothing, and their
/// normals say by rounding alone whether they face the eye.
pub const EDGE_ON_ANGLE: f64 = 1e-6;

/// How far the length of a quaternion in a scene file may be from 1: people write three digits. What is farther off is a slip.
pub const UNIT_QUATERNION: f64 = 1e-3;

/// The half edges of a rectangle in a question may be off the right angle by this, as a cosine; they are made perpendicular.
/// Larger: skewed input passes without a word. Smaller: decimal digits of turned rectangles are refused.
pub const SQUARE_COSINE: f64 = 1e-9;

/// How far a planned path keeps away from what it goes round where it can, as a share of the size of what moves, beside the required
/// clearance: far above rounding, so that a checker agrees that nothing is touched, and too little to make the path noticeably longer.
pub const ROUTE_MARGIN_RELATIVE: f64 = 1e-4;

/// How far axes of a robot may miss each other (as a share of the arm's size), or be from parallel (in radians), and still count as meeting or
/// parallel when its closed form is chosen. Files round right angles to 1.5708, off by 4e-6; what a wrist misses by is made up for by Newton's
/// method on the true axes. A larger value would put arms into a form that has solutions which theirs has not.
pub const AXES_RELATIVE: f64 = 1e-5;

/// Joint values put the tool where it should be if it is off by at most this share of the arm's size, and by at most this many radians: what rounding
/// leaves of a solution near a singularity, and a thousandth of what robots can repeat.
pub const REACHED_RELATIVE: f64 = 1e-9;

/// Two solutions whose joint values differ by less than this (radians, or shares of the arm's size) are one: near the edge of the reach, where two
/// solutions fall together, rounding of the target alone moves them by the square root of 1e-16.
pub const SAME_JOINTS: f64 = 1e-6;

/// The sine of the angle between directions of motion below which an arm counts as singular. Joint values that belong to a pose there are good to the square root of
/// what the pose is good to, some 1e-8 to 1e-5; a larger value would call arms singular that can be moved well.
pub const SINGULAR_SINE: f64 = 1e-4;

/// A wrist whose outer axes are in line to within this angle in radians, or a wrist centre that is on an axis to within this share of the
/// arm's size, leaves a joint undetermined: any value of it keeps the tool within [`REACHED_RELATIVE`].
pub const UNDETERMINED: f64 = 1e-10;

/// How far the tool of a robot may be off the straight line that it is told to go, in metres: what a good arm repeats.
pub const LINE_DEVIATION: f64 = 1e-4;

/// How far the tool of a robot may be turned from what it is told on a straight line, in radians: a twentieth of a degree, a tenth of a millimetre at
/// the end of a tool of ten centimetres.
pub const LINE_TURN_DEVIATION: f64 = 1e-3;

/// A piece of a straight line below this share of it that still cannot be followed is where the joints would have to jump: some 0.1 µm of a line of a decimetre.
pub const LINE_SHORTEST_RELATIVE: f64 = 1e-6;

/// How far a turning joint of a robot may be from its smooth law of speed at any time, in radians, because paths are linear from knot to knot: a twentieth of a degree. The way is not
/// changed by it, only when the joint is where.
pub const PROFILE_TURN_DEVIATION: f64 = 1e-3;

/// The same for a sliding joint, in metres.
pub const PROFILE_SLIDE_DEVIATION: f64 = 1e-4;

/// Bodies in a simulation touch if they are nearer than this share of the thickness of the thinner one: far above what the search for a first contact leaves
/// of the gap, far below what makes a bounce come too early by a length that matters.
pub const SIMULATED_TOUCH_RELATIVE: f64 = 1e-6;

/// A part that moves and is longer than this, in metres, is hardly meant: a plan of parts whose unit was read as metres in place of millimetres is. It is
/// told, and changes no verdict.
pub const LARGEST_PART: f64 = 50.0;

/// A part that moves and is smaller than this in all directions, in metres, is hardly meant unless the scene is in micrometres: half a hair. Told only.
pub const SMALLEST_PART: f64 = 5e-5;

/// A clearance or an allowance that is smaller than this, in metres, is finer than measuring machines resolve on a part, and hardly meant. Told only.
pub const FINEST_CLEARANCE: f64 = 1e-7;
