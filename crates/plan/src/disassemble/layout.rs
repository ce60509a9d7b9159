//! Places for removed parts: none is in the way of one that is removed later.
//!
//! From the last removal to the first, each goes on in its direction until its box is beside those of all that is moved after it: the assembled parts,
//! their ways and their places. Boxes are bounded, so that this ends.

use super::search::way_out;
use super::{Unit, round};
use crate::parts::Parts;
use crate::path::space::{bounds_of, meet};
use crate::path::way::Leg;
use freiraum_geometry::math::unit;
use freiraum_geometry::{AxisBox, Pose, Vec3};
use freiraum_scene::{Problem, Scene, Travel};

/// The same units, each as far away as it must be. `there` are the bodies among which they are, at their assembled poses.
pub(super) fn spread(
    scene: &Scene,
    parts: &Parts,
    units: Vec<Unit>,
    there: &[usize],
    poses: &[Pose],
) -> Result<Vec<Unit>, Problem> {
    let layout = Layout { scene, parts, poses };
    Ok(layout.spread(units, there)?.0)
}

struct Layout<'l> {
    scene: &'l Scene,
    parts: &'l Parts,
    poses: &'l [Pose],
}

impl Layout<'_> {
    /// The units and the box of all that happens.
    fn spread(&self, units: Vec<Unit>, there: &[usize]) -> Result<(Vec<Unit>, AxisBox), Problem> {
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
            let parked = placed(&inside, &(end * start.inverse()));
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
                    .map(|other| grown(other, margin))
                    .filter(|other| meet(other, &here))
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
        let all = taken.iter().fold(AxisBox::EMPTY, |all, next| all.union(next));
        Ok((out, all))
    }

    fn bounds(&self, bodies: &[usize], change: &Pose) -> Result<AxisBox, Problem> {
        let mut all = AxisBox::EMPTY;
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
fn moved(leg: &Leg, start: &Pose, own: &AxisBox) -> AxisBox {
    let [from, to] = [&leg.from, &leg.to].map(|pose| *pose * start.inverse());
    let ends = placed(own, &from).union(&placed(own, &to));
    match leg.travel {
        Travel::Translate(_) => ends,
        // During a turn they stay within twice the ball around them.
        _ => grown(&ends, own.size().length()),
    }
}

fn placed(bounds: &AxisBox, change: &Pose) -> AxisBox {
    let matrix = change.rotation_matrix();
    let half = 0.5 * bounds.size();
    let half = matrix.x_axis.abs() * half.x + matrix.y_axis.abs() * half.y + matrix.z_axis.abs() * half.z;
    let middle = change.transform_point(bounds.center());
    AxisBox { min: middle - half, max: middle + half }
}

fn shifted(bounds: &AxisBox, by: Vec3) -> AxisBox {
    AxisBox { min: bounds.min + by, max: bounds.max + by }
}

fn grown(bounds: &AxisBox, by: f64) -> AxisBox {
    AxisBox { min: bounds.min - by, max: bounds.max + by }
}

fn unit_or_up(direction: Vec3) -> Vec3 {
    unit(direction).unwrap_or(Vec3::Z)
}
