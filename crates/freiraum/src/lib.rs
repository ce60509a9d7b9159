//! Freiraum as one library: every crate of the engine under one roof.
//!
//! - [`geometry`]: what is it? Poses, meshes, shapes, hulls, enclosing volumes, root solvers
//! - [`query`]: where is it? Touch, distance, depth and rays between shapes
//! - [`motion`]: when does it touch? Contact times and clearances of moving bodies
//! - [`robot`]: how can it move? Robots as trees of links and joints, their kinematics and an audit of their links
//! - [`scene`]: what is there? Bodies, groups, states and steps
//! - [`formats`]: how is it written? Mesh and scene files
//! - [`plan`]: can it be built? Plans checked, found, reported and drawn
//! - [`world`]: what happens? Bodies under gravity, in contact, in time
//! - [`deform`]: does it run into itself? Surfaces that change their form, in layers
//! - [`studio`]: let me see and try, in the browser
//! - [`question`]: questions about shapes as JSON, and their answers
//! - [`demo`]: the parts that the demo shows
//!
//! ```
//! use freiraum::geometry::{Vec3, hull::{Hull, convex_hull}};
//!
//! let corners: Vec<Vec3> = (0..8)
//!     .map(|i| Vec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64))
//!     .collect();
//! let Hull::Solid(cube) = convex_hull(&corners)? else { panic!("a cube is solid") };
//! assert_eq!(cube.faces.len(), 12);
//! # Ok::<(), freiraum::geometry::hull::HullError>(())
//! ```

pub mod demo;
pub mod question;

pub use freiraum_deform as deform;
pub use freiraum_formats as formats;
pub use freiraum_geometry as geometry;
pub use freiraum_motion as motion;
pub use freiraum_plan as plan;
pub use freiraum_query as query;
pub use freiraum_robot as robot;
pub use freiraum_scene as scene;
pub use freiraum_studio as studio;
pub use freiraum_world as world;
