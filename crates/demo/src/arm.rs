//! A six-axis arm with a parallel gripper: meshes of its links, and its description as URDF and SRDF.
//!
//! At joint values 0 the upper arm stands upright and the forearm points along x. The axes of the wrist meet in a point, so that its inverse kinematics has a
//! closed form. Measures are in millimetres here and in metres outside.

use super::solid::{Surface, around, bevelled, lathe, rounded};
use freiraum_geometry::{Mesh, MeshError, Vec2, Vec3};
use std::fmt::Write;

/// Corners of circles.
const ROUND: u32 = 48;
/// Points on each half of a rounded plate.
const HALF: u32 = 24;

/// From the table to the shoulder.
const TURRET: f64 = 170.0;
/// Where the axis of the shoulder is on the turret.
const SHOULDER: [f64; 2] = [50.0, 210.0];
/// Shoulder to elbow.
const UPPER: f64 = 380.0;
/// Where the forearm begins, seen from the elbow.
const ELBOW: [f64; 2] = [160.0, 30.0];
/// From there to the centre of the wrist.
const FOREARM: f64 = 220.0;
/// Centre of the wrist to the flange.
const WRIST: f64 = 85.0;
/// Flange to the tips of the fingers.
const HAND: f64 = 165.0;
/// How far each finger opens.
const OPENING: f64 = 36.0;

/// The links with shapes, each with the name of its link and, with a dash for the underscore, of its file.
///
/// **Frames.** Those of the links in [`arm_urdf`]. **Units.** Metres.
pub fn arm_links() -> Result<Vec<(&'static str, Mesh)>, MeshError> {
    let links = [
        ("base", base()),
        ("shoulder", shoulder()),
        ("upper_arm", upper_arm()),
        ("elbow", elbow()),
        ("forearm", forearm()),
        ("wrist", wrist()),
        ("flange", flange()),
        ("hand", hand()),
        ("left_finger", finger()),
        ("right_finger", finger().placed(|p| Vec3::new(-p.x, -p.y, p.z))),
    ];
    links.into_iter().map(|(name, surface)| Ok((name, surface.placed(|p| p / 1000.0).mesh()?))).collect()
}

/// A disc with broken edges.
fn disc(radius: f64, [bottom, top]: [f64; 2], edge: f64) -> Surface {
    lathe(
        &[(bottom, radius - edge), (bottom + edge, radius), (top - edge, radius), (top, radius - edge)],
        ROUND,
    )
}

/// A plate across y, around two circles `(x, z, radius)`.
fn cheek(circles: [[f64; 3]; 2], across: [f64; 2], edge: f64) -> Surface {
    // Along y means x comes from the second and z from the first coordinate.
    let outline = move |inset: f64| around(circles.map(|[x, z, r]| (Vec2::new(z, x), r - inset)), HALF);
    bevelled(outline, across, edge).along_y()
}

/// A box with round edges along z.
fn case(half: [f64; 2], radius: f64, upright: [f64; 2], edge: f64) -> Surface {
    bevelled(move |inset| rounded(Vec2::from(half) - Vec2::splat(inset), radius - inset, 6), upright, edge)
}

fn moved(surface: Surface, x: f64, y: f64, z: f64) -> Surface {
    surface.placed(|p| p + Vec3::new(x, y, z))
}

fn base() -> Surface {
    let foot = case([110.0, 110.0], 26.0, [0.0, 18.0], 3.0);
    let column = lathe(
        &[
            (17.0, 100.0),
            (40.0, 92.0),
            (120.0, 84.0),
            (150.0, 84.0),
            (154.0, 88.0),
            (164.0, 88.0),
            (TURRET - 2.0, 84.0),
        ],
        ROUND,
    );
    // Cables come in at the back.
    let socket = moved(case([30.0, 34.0], 6.0, [17.0, 92.0], 3.0), -88.0, 0.0, 0.0);
    let bolt = |x: f64, y: f64| moved(disc(8.0, [17.0, 25.0], 1.5), x, y, 0.0);
    let bolts = [(88.0, 88.0), (-88.0, 88.0), (-88.0, -88.0), (88.0, -88.0)];
    bolts.into_iter().fold(foot.and(column).and(socket), |all, (x, y)| all.and(bolt(x, y)))
}

fn shoulder() -> Surface {
    let [x, z] = SHOULDER;
    let ring = lathe(&[(2.0, 84.0), (6.0, 90.0), (52.0, 90.0), (66.0, 76.0)], ROUND);
    let neck = cheek([[-6.0, 78.0, 72.0], [x, z, 82.0]], [-54.0, 54.0], 6.0);
    // The motor of the first axis stands behind the neck.
    let motor = moved(disc(40.0, [50.0, 165.0], 5.0), -58.0, 0.0, 0.0);
    let drum = moved(disc(74.0, [-57.0, 57.0], 3.0).along_y(), x, 0.0, z);
    ring.and(neck).and(motor).and(drum)
}

fn upper_arm() -> Surface {
    let side = |from: f64, to: f64| cheek([[0.0, 0.0, 80.0], [0.0, UPPER, 66.0]], [from, to], 5.0);
    let cap =
        |radius: f64, z: f64, from: f64, to: f64| moved(disc(radius, [from, to], 4.0).along_y(), 0.0, 0.0, z);
    let beam = case([34.0, 62.0], 14.0, [108.0, 278.0], 4.0);
    side(60.0, 94.0)
        .and(side(-94.0, -60.0))
        .and(beam)
        .and(cap(56.0, 0.0, 93.0, 108.0))
        .and(cap(56.0, 0.0, -108.0, -93.0))
        .and(cap(46.0, UPPER, 93.0, 106.0))
        .and(cap(46.0, UPPER, -106.0, -93.0))
}

fn elbow() -> Surface {
    let [x, z] = ELBOW;
    let drum = disc(64.0, [-57.0, 57.0], 3.0).along_y();
    let tube = lathe(
        &[
            (-92.0, 40.0),
            (-86.0, 48.0),
            (-40.0, 54.0),
            (60.0, 60.0),
            (x - 16.0, 60.0),
            (x - 10.0, 64.0),
            (x - 2.0, 64.0),
        ],
        ROUND,
    );
    drum.and(moved(tube.along_x(), 0.0, 0.0, z))
}

fn forearm() -> Surface {
    let tube = lathe(
        &[(0.0, 56.0), (4.0, 60.0), (12.0, 60.0), (18.0, 54.0), (96.0, 50.0), (128.0, 44.0), (134.0, 38.0)],
        ROUND,
    );
    let side = |from: f64, to: f64| cheek([[96.0, 0.0, 46.0], [FOREARM, 0.0, 40.0]], [from, to], 4.0);
    let cap = |from: f64, to: f64| moved(disc(28.0, [from, to], 3.0).along_y(), FOREARM, 0.0, 0.0);
    tube.along_x().and(side(38.0, 56.0)).and(side(-56.0, -38.0)).and(cap(55.0, 63.0)).and(cap(-63.0, -55.0))
}

fn wrist() -> Surface {
    let drum = disc(38.0, [-35.0, 35.0], 3.0).along_y();
    let nose = lathe(&[(0.0, 30.0), (30.0, 34.0), (66.0, 34.0), (WRIST - 14.0, 30.0)], ROUND);
    drum.and(nose.along_x())
}

/// From the flange backwards: its frame has z outwards.
fn flange() -> Surface {
    lathe(&[(-13.0, 28.0), (-9.0, 31.5), (-2.0, 31.5), (0.0, 29.5)], ROUND)
}

fn hand() -> Surface {
    let adapter = lathe(&[(0.0, 34.0), (3.0, 36.0), (14.0, 36.0), (20.0, 30.0)], ROUND);
    let body = case([29.0, 62.0], 9.0, [18.0, 82.0], 3.0);
    let rail = |x: f64| moved(case([5.0, 58.0], 3.0, [81.0, 86.0], 1.0), x, 0.0, 0.0);
    adapter.and(body).and(rail(-16.0)).and(rail(16.0))
}

/// The finger that opens along y: a sledge on the rails and a blade; what it holds touches it at y = 0.
fn finger() -> Surface {
    let sledge = moved(case([24.0, 11.0], 4.0, [88.0, 102.0], 2.0), 0.0, 11.5, 0.0);
    let blade = moved(case([9.0, 2.5], 1.5, [100.0, HAND], 1.0), 0.0, 2.5, 0.0);
    let rib = moved(case([4.0, 7.0], 2.0, [100.0, 122.0], 1.5), 0.0, 11.0, 0.0);
    sledge.and(blade).and(rib)
}

/// Name, parent, child, place of the child on the parent, axis, limits and speed in degrees.
type Turn = (&'static str, &'static str, &'static str, [f64; 3], &'static str, [f64; 2], f64);

/// The arm as a URDF file whose meshes lie in `folder`.
pub fn arm_urdf(folder: &str) -> String {
    let [shoulder_x, shoulder_z] = SHOULDER;
    let [elbow_x, elbow_z] = ELBOW;
    let turns: [Turn; 6] = [
        ("joint1", "base", "shoulder", [0.0, 0.0, TURRET], "0 0 1", [-175.0, 175.0], 180.0),
        ("joint2", "shoulder", "upper_arm", [shoulder_x, 0.0, shoulder_z], "0 1 0", [-85.0, 125.0], 150.0),
        ("joint3", "upper_arm", "elbow", [0.0, 0.0, UPPER], "0 1 0", [-100.0, 45.0], 180.0),
        ("joint4", "elbow", "forearm", [elbow_x, 0.0, elbow_z], "1 0 0", [-190.0, 190.0], 300.0),
        ("joint5", "forearm", "wrist", [FOREARM, 0.0, 0.0], "0 1 0", [-118.0, 118.0], 300.0),
        ("joint6", "wrist", "flange", [WRIST, 0.0, 0.0], "0 0 1", [-350.0, 350.0], 450.0),
    ];
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n\
         <!-- A six-axis arm with a parallel gripper, made by crates/demo. Metres and radians.\n\
         \x20    At joint values 0 the upper arm stands upright and the forearm points along x; the flange has z outwards. -->\n\
         <robot name=\"arm\">\n",
    );
    for name in [
        "base",
        "shoulder",
        "upper_arm",
        "elbow",
        "forearm",
        "wrist",
        "flange",
        "hand",
        "left_finger",
        "right_finger",
    ] {
        let file = format!("{folder}/{}.stl", name.replace('_', "-"));
        let geometry = format!("<geometry><mesh filename=\"{file}\"/></geometry>");
        let _ = write!(
            text,
            "  <link name=\"{name}\">\n    <visual>{geometry}</visual>\n    <collision>{geometry}</collision>\n  </link>\n"
        );
    }
    for (name, parent, child, at, axis, limits, speed) in turns {
        let [x, y, z] = at.map(|x| x / 1000.0);
        // The last one turns its frame so that z points outwards.
        let turned = if child == "flange" { " rpy=\"0 1.570796326794897 0\"" } else { "" };
        let [lower, upper] = limits.map(f64::to_radians);
        let _ = write!(
            text,
            "  <joint name=\"{name}\" type=\"revolute\">  <!-- {} to {} degrees -->\n    <parent link=\"{parent}\"/>\n    <child link=\"{child}\"/>\n    \
             <origin xyz=\"{x} {y} {z}\"{turned}/>\n    <axis xyz=\"{axis}\"/>\n    \
             <limit lower=\"{lower:.6}\" upper=\"{upper:.6}\" velocity=\"{:.6}\" effort=\"200\"/>\n  </joint>\n",
            limits[0],
            limits[1],
            speed.to_radians()
        );
    }
    text.push_str(
        "  <joint name=\"gripper\" type=\"fixed\">\n    <parent link=\"flange\"/>\n    <child link=\"hand\"/>\n  </joint>\n",
    );
    for (name, child, axis, follows) in [
        ("fingers", "left_finger", "0 1 0", ""),
        ("fingers_mirrored", "right_finger", "0 -1 0", "    <mimic joint=\"fingers\"/>\n"),
    ] {
        let upper = OPENING / 1000.0;
        let _ = write!(
            text,
            "  <joint name=\"{name}\" type=\"prismatic\">\n    <parent link=\"hand\"/>\n    <child link=\"{child}\"/>\n    <axis xyz=\"{axis}\"/>\n    \
             <limit lower=\"0.001\" upper=\"{upper}\" velocity=\"0.1\" effort=\"60\"/>\n{follows}  </joint>\n"
        );
    }
    text.push_str("</robot>\n");
    text
}
