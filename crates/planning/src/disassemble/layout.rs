//! Places for removed parts: none is in the way of one that is removed later.
//!
//! From the last removal to the first, each goes on in its direction until its box is beside those of all that is moved after it: the assembled parts,
//! their ways and their places. Boxes are bounded, so that this ends.

use super::search::way_out;
use super::{Unit, round};
use crate::path::space::bounds_of;
use crate::path::way::Leg;
use freiraum_assets::ShapeCache;
use freiraum_geometry::math::unit;
use freiraum_geometry::{Aabb, Pose, Vec3};
use freiraum_scene::{Problem, Scene, Travel};

/// The same units, each as far away as it must be. `there` are the bodies among which they are, at their assembled poses.
pub(super) fn spread(
    scene: &Scene,
    parts: &ShapeCache,
    units: Vec<Unit>,
    there: &[usize],
    poses: &[Pose],
) -> Result<Vec<Unit>, Problem> {
    let layout = Layout { scene, parts, poses };
    Ok(layout.spread(units, there)?.0)
}

struct Layout<'l> {
    scene: &'l Scene,
    parts: &'l ShapeCache,
    poses: &'l [Pose],
}

impl Layout<'_> {
    /// The units and the box of all that happens.
    fn spread(&self, units: Vec<Unit>, there: &[usize]) -> Result<(Vec<Unit>, Aabb), Problem> {
        let assembled = self.bounds(there, &Pose::IDENTITY)?;
        let mut taken = vec![assembled];
        let mut out = Vec::with_capacity(units.len());
        for mut unit in units.into_iter().rev() {
            let mut inside = self.bounds(&unit.bodies, &Pose::IDENTITY)?;
            if !unit.inner.is_empty() {
                (unit.inner, inside) = self.spread(unit.inner, &unit.bodies.clone())?;
            }
            // What it passes on its way, and what it needs at the end of it.
            let own = self.bounds(&unit.bodies, &Pose::IDENTITY)?;
            let mut swept = own;
            let start = self.poses[unit.bodies[0]];
            for leg in &unit.legs {
                swept = swept.union(&moved(leg, &start, &own));
            }
            let end = unit.legs.last().map_or(start, |leg| leg.to);
            let parked = inside.transformed(&(end * start.inverse()));
            let direction = match unit.legs.last() {
                Some(Leg { travel: Travel::Translate(by), .. }) => unit_or_up(*by),
                _ => unit_or_up(parked.center() - assembled.center()),
            };
            let margin = 0.1 * parked.size().length() + 2.0 * self.scene.clearance;
            let mut farther = 0.0;
            // The last translation as it is, which is lengthened.
            let before = match unit.legs.last() {
                Some(Leg { travel: Travel::Translate(by), .. }) => by.length(),
                _ => 0.0,
            };
            loop {
                let here = shifted(&parked, farther * direction);
                let more = taken
                    .iter()
                    .map(|other| other.inflated(margin))
                    .filter(|other| other.intersects(&here))
                    .map(|other| way_out(&here, &other, direction))
                    .fold(0.0, f64::max);
                if more <= 0.0 {
                    break;
                }
                // A little more, so that rounding does not leave them touching.
                farther += more * (1.0 + 1.0 / 1024.0) + 0.01 * margin;
                farther = round::up(before + farther, self.scene.units) - before;
            }
            if farther > 0.0 {
                go_on(&mut unit.legs, &start, farther * direction);
            }
            let here = shifted(&parked, farther * direction);
            taken.push(swept.union(&here).union(&parked));
            out.push(unit);
        }
        out.reverse();
        let all = taken.iter().fold(Aabb::EMPTY, |all, next| all.union(next));
        Ok((out, all))
    }

    fn bounds(&self, bodies: &[usize], change: &Pose) -> Result<Aabb, Problem> {
        let mut all = Aabb::EMPTY;
        for &body in bodies {
            let movable = self
                .parts
                .movable(body)
                .map_err(|e| Problem::new(self.scene.bodies[body].place, e.to_string()))?;
            if let Some(bounds) = bounds_of(movable, &(*change * self.poses[body])) {
                all = all.union(&bounds);
            }
        }
        Ok(all)
    }
}

/// Lengthens a way by a translation.
fn go_on(legs: &mut Vec<Leg>, start: &Pose, more: Vec3) {
    if let Some(Leg { from, travel: Travel::Translate(by), .. }) = legs.last() {
        let longer = Leg::new(*from, Travel::Translate(round::cleaned(*by + more)));
        legs.pop();
        legs.push(longer);
        return;
    }
    let from = legs.last().map_or(*start, |leg| leg.to);
    legs.push(Leg::new(from, Travel::Translate(more)));
}

/// Around bodies with this box at the start, during a leg.
fn moved(leg: &Leg, start: &Pose, own: &Aabb) -> Aabb {
    let [from, to] = [&leg.from, &leg.to].map(|pose| *pose * start.inverse());
    let ends = own.transformed(&from).union(&own.transformed(&to));
    match leg.travel {
        Travel::Translate(_) => ends,
        // During a turn they stay within twice the ball around them.
        _ => ends.inflated(2.0 * own.bounding_sphere().radius),
    }
}

fn shifted(bounds: &Aabb, by: Vec3) -> Aabb {
    Aabb { min: bounds.min + by, max: bounds.max + by }
}

fn unit_or_up(direction: Vec3) -> Vec3 {
    unit(direction).unwrap_or(Vec3::Z)
}
