//! The parts of a small gearbox: housing, two shafts, two gears, bearings, caps, lid and screws.
//!
//! The shafts lie along x; the pinion turns about y = 0, the wheel about y = 54 mm. Measures are in millimetres here and in metres outside.

use super::gear::{SpurGear, spur_gear};
use super::solid::{Holes, Surface, bar, block, circle, plate, tube};
use freiraum_geometry::{Mesh, MeshError, Vec2, Vec3};

/// Corners of circles that fit into each other.
const FINE: u32 = 96;
/// Corners of all others.
const COARSE: u32 = 48;

/// Where the screws of the lid are.
const SCREWS_X: [f64; 2] = [-16.0, 16.0];
const SCREWS_Y: [f64; 2] = [-33.0, 105.0];

/// Where the axis of the wheel is.
const DISTANCE: f64 = 54.0;

/// The parts, each with the name of its file: one file for all bearings, caps of a kind and screws.
///
/// **Frames.** Housing, lid and both shafts as they are when assembled; the others with their axis on x, from x = 0 on; screws hang down
/// from z = 0, below their heads. **Units.** Metres.
pub fn gearbox_parts() -> Result<Vec<(&'static str, Mesh)>, MeshError> {
    let parts = [
        ("housing", housing()),
        ("pinion", gear(18)),
        ("wheel", gear(36)),
        (
            "input-shaft",
            bar(
                -64.0,
                &[(5.0, -32.0), (6.0, -24.0), (10.0, -16.0), (8.0, -2.0), (7.5, 24.0), (6.0, 32.0)],
                FINE,
            )
            .along_x(),
        ),
        (
            "output-shaft",
            bar(
                -32.0,
                &[(6.0, -24.0), (7.5, -16.0), (8.0, -2.0), (10.0, 24.0), (6.0, 32.0), (5.0, 64.0)],
                FINE,
            )
            .along_x()
            .placed(|p| p + DISTANCE * Vec3::Y),
        ),
        ("bearing", tube(&circle(14.0, FINE), &circle(6.0, FINE), [0.0, 8.0]).along_x()),
        ("cap", bar(0.0, &[(18.0, 4.0)], COARSE).along_x()),
        ("seal-cap", tube(&circle(18.0, COARSE), &circle(5.5, COARSE), [0.0, 4.0]).along_x()),
        ("lid", lid()),
        ("screw", bar(-20.0, &[(2.5, 0.0), (4.5, 5.0)], COARSE)),
    ];
    parts.into_iter().map(|(name, surface)| Ok((name, surface.placed(|p| p / 1000.0).mesh()?))).collect()
}

fn gear(teeth: u32) -> Surface {
    let gear = SpurGear { teeth, module: 2.0, backlash: 0.3, bore: 8.0, width: 14.0 };
    spur_gear(&gear).along_x()
}

/// A floor, two walls with bores across the shafts, and two drilled walls along them.
fn housing() -> Surface {
    let floor = block(Vec3::new(-32.0, -38.0, -54.0), Vec3::new(32.0, 110.0, -46.0));
    let bores = Holes { x: &[0.0, DISTANCE], y: &[0.0], radius: 14.0, corners: FINE };
    let across = |x: f64| {
        let corners = [Vec2::new(-38.0, -46.0), Vec2::new(110.0, 46.0)];
        plate(corners, &bores, [x, x + 8.0]).along_x()
    };
    let along = |y: f64| {
        let corners = [Vec2::new(-24.0, y - 5.0), Vec2::new(24.0, y + 5.0)];
        let drilled = Holes { x: &SCREWS_X, y: &[y], radius: 2.6, corners: COARSE };
        plate(corners, &drilled, [-46.0, 46.0])
    };
    floor.and(across(-32.0)).and(across(24.0)).and(along(SCREWS_Y[0])).and(along(SCREWS_Y[1]))
}

fn lid() -> Surface {
    let drilled = Holes { x: &SCREWS_X, y: &SCREWS_Y, radius: 3.0, corners: COARSE };
    plate([Vec2::new(-32.0, -38.0), Vec2::new(32.0, 110.0)], &drilled, [46.0, 52.0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::mesh::MeshReport;

    #[test]
    fn all_parts_are_closed() {
        let mut triangles = 0;
        for (name, mesh) in gearbox_parts().unwrap() {
            let report = MeshReport::of(&mesh);
            assert!(report.is_watertight(), "{name}: {report:?}");
            triangles += mesh.faces().len();
        }
        assert!(triangles < 20_000, "{triangles}");
    }
}
