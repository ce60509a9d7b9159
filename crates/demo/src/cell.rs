//! What stands in the cell of the two arms: table, sockets, fixture, nests and racks, and the parts of the gearbox that are put together.
//!
//! Measures are in millimetres here and in metres outside.

use super::gearbox_parts;
use super::solid::{Surface, bevelled, block, lathe, rounded, saddle};
use freiraum_geometry::{Mesh, MeshError, Vec2, Vec3};

/// Play of parts in their nests.
const PLAY: f64 = 0.5;
/// Corners of round troughs and pins.
const CORNERS: u32 = 32;

/// The parts of the gearbox that the cell uses.
const FROM_GEARBOX: [&str; 7] =
    ["housing", "pinion", "wheel", "input-shaft", "output-shaft", "bearing", "lid"];

/// All that is not the arms, each with the name of its file.
///
/// **Frames.** The table has its top at z = 0; everything else that stands on it begins there. Nests and racks have the axis of what lies in them along x, above the origin. **Units.** Metres.
pub fn cell_parts() -> Result<Vec<(&'static str, Mesh)>, MeshError> {
    let made = [
        ("table", table()),
        ("socket", case([140.0, 140.0], 20.0, [0.0, 20.0], 3.0)),
        ("fixture", fixture()),
        ("pinion-nest", nest(20.0, 60.0)),
        ("wheel-nest", nest(38.0, 60.0)),
        ("shaft-rack", rack()),
        ("lid-stand", stand()),
    ];
    let mut parts: Vec<(&'static str, Mesh)> =
        gearbox_parts()?.into_iter().filter(|(name, _)| FROM_GEARBOX.contains(name)).collect();
    for (name, surface) in made {
        parts.push((name, surface.placed(|p| p / 1000.0).mesh()?));
    }
    Ok(parts)
}

/// A box with round upright edges.
fn case(half: [f64; 2], radius: f64, upright: [f64; 2], edge: f64) -> Surface {
    bevelled(move |inset| rounded(Vec2::from(half) - Vec2::splat(inset), radius - inset, 6), upright, edge)
}

fn moved(surface: Surface, x: f64, y: f64, z: f64) -> Surface {
    surface.placed(|p| p + Vec3::new(x, y, z))
}

/// A plate with slots along x, on a frame.
fn table() -> Surface {
    let plate = block(Vec3::new(-900.0, -560.0, -40.0), Vec3::new(900.0, 560.0, -10.0));
    let slats = (-3..=3).map(|k| {
        let y = 160.0 * f64::from(k);
        block(Vec3::new(-900.0, y - 80.0 + 5.0, -10.0), Vec3::new(900.0, y + 80.0 - 5.0, 0.0))
    });
    let feet = [(-800.0, -460.0), (-800.0, 460.0), (800.0, -460.0), (800.0, 460.0)];
    let feet = feet.map(|(x, y)| moved(case([50.0, 50.0], 12.0, [-120.0, -40.0], 4.0), x, y, 0.0));
    slats.chain(feet).fold(plate, Surface::and)
}

/// Holds the housing, whose floor is 64 mm by 148 mm, 100 mm above the table; four pins keep it in its place.
fn fixture() -> Surface {
    let foot = case([70.0, 110.0], 10.0, [0.0, 14.0], 2.0);
    let pillar = case([26.0, 60.0], 14.0, [13.0, 90.0], 2.0);
    let head = case([42.0, 84.0], 8.0, [88.0, 100.0], 2.0);
    let pin = |x: f64, y: f64| moved(lathe(&[(98.0, 4.0), (104.0, 4.0), (107.0, 2.0)], CORNERS), x, y, 0.0);
    // Outside of the floor, half a millimetre away from it.
    let pins = [(36.5, 60.0), (36.5, -60.0), (-36.5, 60.0), (-36.5, -60.0)];
    let pins = pins.map(|(x, y)| pin(x, y)).into_iter();
    pins.fold(foot.and(pillar).and(head), Surface::and)
}

/// For a gear of this tip radius that stands on its teeth, its axis at this height plus the radius.
fn nest(radius: f64, height: f64) -> Surface {
    let axis = height + radius;
    let trough = saddle(radius + PLAY, radius + 12.0, 10.0, [12.0 - axis, -0.3 * radius], CORNERS);
    case([26.0, radius + 22.0], 8.0, [0.0, 13.0], 2.0).and(moved(trough, 0.0, 0.0, axis))
}

/// For a shaft of radius 6 mm at x = -28 mm and x = 28 mm, its axis 140 mm above the table.
fn rack() -> Surface {
    let fork = |x: f64| moved(saddle(6.0 + PLAY, 14.0, 6.0, [-128.0, 0.0], CORNERS), x, 0.0, 140.0);
    case([48.0, 34.0], 8.0, [0.0, 13.0], 2.0).and(fork(-28.0)).and(fork(28.0))
}

/// Two ribs on which the lid lies, 40 mm above the table.
fn stand() -> Surface {
    let rib = |y: f64| moved(case([24.0, 8.0], 3.0, [11.0, 40.0], 1.0), 0.0, y, 0.0);
    case([34.0, 84.0], 8.0, [0.0, 12.0], 2.0).and(rib(-50.0)).and(rib(50.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arm_links;
    use freiraum_geometry::mesh::MeshReport;

    #[test]
    fn all_meshes_are_closed() {
        for (name, mesh) in arm_links().unwrap().into_iter().chain(cell_parts().unwrap()) {
            let report = MeshReport::of(&mesh);
            assert!(report.is_watertight(), "{name}: {report:?}");
            assert!(mesh.faces().len() < 4_000, "{name}: {}", mesh.faces().len());
        }
    }
}
