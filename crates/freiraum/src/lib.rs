//! Freiraum proves that things move freely: distances, contacts, times of contact and clearances of rigid bodies, plans of
//! assemblies and robots checked as continuous motions, paths found, worlds simulated.
//!
//! It never guesses. Where an answer says "free", that is proven for the given numbers; where the arithmetic or the budget
//! does not suffice, the answer is "undecided", with the place and the reason. The same input gives the same answer, on any
//! number of threads.
//!
//! Lengths are in metres, angles in radians, frames right-handed with z up. A pose is named for what it does: `a_from_b`
//! takes coordinates in b to coordinates in a. Functions of two bodies take `(a, b, a_from_b)` and answer in the frame of
//! a; normals are unit vectors from a towards b; `point_on_b = point_on_a + distance * normal`.
//!
//! The questions below are the entry points, ten with all features; each example is compiled and run with the tests.
//!
//! # How far apart are two shapes?
//!
//! [`query::distance()`] takes any two of ten kinds of shapes: spheres, boxes, cylinders, capsules, cones, half spaces,
//! convex bodies, meshes, height fields, and compounds of them; [`query::distance_of_piece()`] takes points, lines,
//! triangles, arcs and the like. It is right to rounding; in overlap the distance of convex bodies is minus the depth. [`query::Prepared`] holds what a shape needs for fast answers, and is cheap to clone.
//!
//! ```
//! use freiraum::geometry::shape::{Cuboid, Shape, Sphere};
//! use freiraum::geometry::{Pose, Vec3};
//! use freiraum::query::{Prepared, distance};
//!
//! let cube = Prepared::new(Shape::Cuboid(Cuboid::new(Vec3::splat(2.0))?));
//! let ball = Prepared::new(Shape::Sphere(Sphere::new(1.0)?));
//! let cube_from_ball = Pose::from_translation(Vec3::new(4.0, 0.5, 0.0));
//!
//! let closest = distance(&cube, &ball, &cube_from_ball)?;
//! assert_eq!(closest.distance, 2.0);
//! assert_eq!(closest.point_on_a, Vec3::new(1.0, 0.5, 0.0));
//! assert_eq!(closest.normal, Vec3::X);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where do they touch, and what separates them?
//!
//! [`query::contact()`] answers with points, depths, normals and regions of contact, and with a translation that is proven
//! to separate the shapes; it is the shortest one where `is_exact` says so. [`query::intersects`] only decides: touching
//! counts as intersecting.
//!
//! ```
//! use freiraum::geometry::shape::{Cuboid, Shape, Sphere};
//! use freiraum::geometry::{Pose, Vec3};
//! use freiraum::query::{Prepared, contact};
//!
//! let ball = Prepared::new(Shape::Sphere(Sphere::new(1.0)?));
//! let cube = Prepared::new(Shape::Cuboid(Cuboid::new(Vec3::splat(2.0))?));
//! let ball_from_cube = Pose::from_translation(Vec3::new(1.5, 0.0, 0.0));
//!
//! let found = contact(&ball, &cube, &ball_from_cube)?;
//! assert!(found.intersects && found.is_exact);
//! assert_eq!(found.depth, 0.5);
//! assert_eq!(found.translation, Some(Vec3::new(-0.5, 0.0, 0.0)));
//! assert_eq!((found.points.len(), found.regions), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What does a ray hit first?
//!
//! [`query::Prepared::ray_cast`] asks one shape, [`query::ray::RayScene`] a scene of many. Rays are checked when they are
//! made; distances along them are in metres.
//!
//! ```
//! use freiraum::geometry::Vec3;
//! use freiraum::geometry::shape::{Shape, Sphere};
//! use freiraum::query::Prepared;
//! use freiraum::query::ray::Ray;
//!
//! let ball = Prepared::new(Shape::Sphere(Sphere::new(1.0)?));
//! let ray = Ray::new(Vec3::new(-3.0, 0.0, 0.0), Vec3::X, f64::INFINITY)?;
//! let hit = ball.ray_cast(&ray).expect("the ray meets the centre");
//! assert_eq!(hit.distance, 2.0);
//! assert_eq!(hit.normal, Vec3::NEG_X);
//! assert!(!hit.from_inside);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # When do two moving bodies first touch?
//!
//! [`motion::time_of_contact`] takes two bodies, each with a motion over t in [0, 1]: translations, rotations, screws,
//! paths, links of robots, or any type that implements [`geometry::path::Motion`]. Nothing is sampled:
//! [`motion::Verdict::Free`] is a proof for every instant, and a contact comes with a bound of its error.
//!
//! ```
//! use freiraum::geometry::path::UniformMotion;
//! use freiraum::geometry::shape::{Cuboid, Shape};
//! use freiraum::geometry::{Pose, Vec3};
//! use freiraum::motion::{Limits, MotionWorkspace, Movable, Verdict, time_of_contact};
//! use std::f64::consts::{FRAC_PI_4, SQRT_2};
//!
//! // A cube flies 10 m along x, towards the edge of a cube that is turned by 45 degrees.
//! let cube = Movable::new(Shape::Cuboid(Cuboid::new(Vec3::splat(2.0))?));
//! let flight = UniformMotion::translation(Pose::IDENTITY, Vec3::new(10.0, 0.0, 0.0));
//! let turned = Pose::from_translation(Vec3::new(5.0, 0.0, 0.0))
//!     * Pose::from_axis_angle(Vec3::Z, FRAC_PI_4).expect("the axis is not zero");
//! let still = UniformMotion::still(turned);
//!
//! let limits = Limits::default();
//! let verdict = time_of_contact(&cube, &flight, &cube, &still, &limits, &mut MotionWorkspace::default())?;
//! let Verdict::Contact(first) = verdict else { panic!("the cube is in the way") };
//! let expected = (5.0 - 1.0 - SQRT_2) / 10.0;
//! assert!((first.time - expected).abs() <= first.time_error);
//! assert!(first.time_error < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How close do they come?
//!
//! [`motion::clearance`] finds the least distance during two motions, with a proven bound of its error;
//! [`motion::distance_curve`] the distance over time. Asked whether a distance is kept, it ends as soon as that is known.
//!
//! ```
//! use freiraum::geometry::path::UniformMotion;
//! use freiraum::geometry::shape::{Shape, Sphere};
//! use freiraum::geometry::{Pose, Vec3};
//! use freiraum::motion::{ClearanceRequest, MotionWorkspace, Movable, clearance};
//!
//! // A ball passes another one: the centres are 3 m apart half way.
//! let ball = Movable::new(Shape::Sphere(Sphere::new(1.0)?));
//! let start = Pose::from_translation(Vec3::new(-5.0, 3.0, 0.0));
//! let passing = UniformMotion::translation(start, Vec3::new(10.0, 0.0, 0.0));
//! let still = UniformMotion::still(Pose::IDENTITY);
//!
//! let request = ClearanceRequest::default();
//! let found = clearance(&ball, &passing, &ball, &still, &request, &mut MotionWorkspace::default())?;
//! assert!(found.lower() <= 1.0 && 1.0 - found.lower() < 1e-8);
//! assert!((found.time - 0.5).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where are the links of a robot, and how does it reach a pose?
//!
//! A [`robot::Robot`] is a tree of links and joints, from a Denavit–Hartenberg table ([`robot::dh`]) or a URDF file.
//! [`robot::Robot::place`] is forward kinematics. [`robot::inverse()`] returns every solution where a closed form exists, and says
//! so; otherwise it searches numerically, and every solution states where the tool really is.
//!
//! ```
//! use freiraum::geometry::{Pose, Vec3};
//! use freiraum::robot::dh::{Convention, Row, robot};
//! use freiraum::robot::inverse::{Options, inverse};
//! use freiraum::robot::JointKind;
//! use std::f64::consts::FRAC_PI_2;
//!
//! // A SCARA arm: two links of 1 m, a turning hand, and a slide along z.
//! let slide = Row { kind: JointKind::Prismatic, ..Row::default() };
//! let arm = Row { l: 1.0, ..Row::default() };
//! let scara = robot("scara", &[Row::default(), arm, arm, slide], Convention::Modified)?;
//! let hand = scara.links().len() - 1;
//!
//! let values = [0.0, FRAC_PI_2, -FRAC_PI_2, 0.25];
//! let world_from_hand = scara.place(&Pose::IDENTITY, &values).links[hand];
//! assert!((world_from_hand.translation() - Vec3::new(1.0, 1.0, 0.25)).length() < 1e-15);
//!
//! // The same pose with the elbow on either side.
//! let (tool, base, current) = (Pose::IDENTITY, Pose::IDENTITY, [0.0; 4]);
//! let found = inverse(&scara, hand, &tool, &world_from_hand, &base, &current, &Options::default());
//! assert!(found.method.is_complete());
//! assert_eq!(found.solutions.len(), 2);
//! for expected in [values, [FRAC_PI_2, -FRAC_PI_2, 0.0, 0.25]] {
//!     let is_it = |values: &[f64]| values.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
//!     assert!(found.solutions.iter().any(|solution| is_it(&solution.values)));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(feature = "check", doc = include_str!("guide/check.md"))]
#![cfg_attr(feature = "planning", doc = include_str!("guide/plan.md"))]
#![cfg_attr(all(feature = "world", feature = "check"), doc = include_str!("guide/simulate.md"))]
#![cfg_attr(feature = "deform", doc = include_str!("guide/layers.md"))]
//!
//! # Crates and features
//!
//! Always there:
//! - [`geometry`]: what is it? Poses, meshes, shapes, hulls, enclosing volumes, motions, root solvers
//! - [`query`]: where is it? Touch, distance, depth and rays between shapes
//! - [`motion`]: when does it touch? Contact times and clearances of moving bodies
//! - [`robot`]: how can it move? Robots as trees of links and joints, and their kinematics
//! - [`scene`]: what is there? Bodies, groups, states and steps
//!
//! Behind features of the same names, on by default but for `studio` and `gpu`:
#![cfg_attr(
    feature = "files",
    doc = "- `files`: [`mesh_io`], [`formats`], [`files`]: mesh, robot and scene files; [`question`]: questions and answers as JSON"
)]
#![cfg_attr(feature = "check", doc = "- `check`: [`check`], [`assets`]: is every step of a plan free?")]
#![cfg_attr(feature = "planning", doc = "- `planning`: [`planning`]: paths and orders of disassembly")]
#![cfg_attr(feature = "render", doc = "- `render`: [`render`]: pictures, drawings and reports")]
#![cfg_attr(
    feature = "world",
    doc = "- `world`: [`world`]: what happens? Bodies under gravity, in contact, in time"
)]
#![cfg_attr(
    feature = "deform",
    doc = "- `deform`: [`deform`]: does it run into itself? Deforming meshes as layered depth images"
)]
//! - `studio`: the web server and page of the studio; the only feature that runs npm when it is built
//! - `gpu`: depth pictures and layers on a graphics processor where there is one

#[cfg(feature = "files")]
pub mod question;

pub use freiraum_geometry as geometry;
pub use freiraum_motion as motion;
pub use freiraum_query as query;
pub use freiraum_robot as robot;
pub use freiraum_scene as scene;

#[cfg(feature = "deform")]
pub use freiraum_deform as deform;
#[cfg(feature = "planning")]
pub use freiraum_planning as planning;
#[cfg(feature = "render")]
pub use freiraum_render as render;
#[cfg(feature = "studio")]
pub use freiraum_studio as studio;
#[cfg(feature = "world")]
pub use freiraum_world as world;
#[cfg(feature = "check")]
pub use {freiraum_assets as assets, freiraum_check as check};
#[cfg(feature = "files")]
pub use {freiraum_files as files, freiraum_formats as formats, freiraum_mesh_io as mesh_io};
