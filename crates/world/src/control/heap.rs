//! Things that fit into a gripper, the heap of them, and who takes which.

use super::Seen;
use super::fleet::{Fleet, circle};
use super::ground::{Circle, Vec2, flat};
use freiraum_geometry::Aabb;
use freiraum_scene as scene;

/// Things that can be collected. It follows from the scene alone.
#[derive(Debug)]
pub(super) struct Heap {
    things: Vec<(usize, Aabb)>,
    /// The thing that all others were nearest to at the start: the heap is where it lies.
    anchor: usize,
    /// How far the hands open.
    opening: f64,
}

impl Heap {
    pub(super) fn of(seen: &Seen, fleet: &Fleet, opening: f64) -> Heap {
        let fits = |around: &Aabb| {
            let size = around.size();
            size.x.min(size.y) < 0.9 * opening && size.x.hypot(size.y) < 1.4 * opening
        };
        let things: Vec<(usize, Aabb)> =
            fleet.things.iter().copied().filter(|(_, around)| fits(around)).collect();
        let start: Vec<Vec2> = things
            .iter()
            .map(|(body, around)| flat(seen.scene.bodies[*body].pose.transform_point(around.center())))
            .collect();
        let total = |thing: &usize| start.iter().map(|other| other.distance(start[*thing])).sum::<f64>();
        let anchor = (0..things.len()).min_by(|a, b| total(a).total_cmp(&total(b))).unwrap_or(0);
        Heap { things, anchor, opening }
    }

    pub(super) fn len(&self) -> usize {
        self.things.len()
    }

    /// The thing that a body is.
    pub(super) fn number(&self, body: usize) -> Option<usize> {
        self.things.iter().position(|(of, _)| *of == body)
    }

    /// Where all things are now.
    pub(super) fn circles(&self, seen: &Seen) -> Vec<Circle> {
        self.things.iter().map(|(body, around)| circle(seen, *body, around)).collect()
    }

    /// The things that lie in the heap: from the anchor on, each near one of the others; without those that `is_away` says.
    pub(super) fn members(&self, circles: &[Circle], is_away: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut rest: Vec<usize> = (0..circles.len()).filter(|thing| !is_away(*thing)).collect();
        let mut members: Vec<usize> = Vec::new();
        let first = rest.iter().position(|thing| *thing == self.anchor);
        members.extend(first.map(|at| rest.remove(at)));
        let mut looked = 0;
        while looked < members.len() {
            let from = circles[members[looked]];
            let is_near = |thing: &mut usize| {
                let other = circles[*thing];
                from.at.distance(other.at) < from.radius + other.radius + 0.6 * self.opening
            };
            members.extend(rest.extract_if(.., is_near));
            looked += 1;
        }
        members
    }

    /// The middle of the heap; where the anchor is if there is none yet.
    pub(super) fn middle(&self, circles: &[Circle], members: &[usize]) -> Vec2 {
        if members.is_empty() {
            return circles.get(self.anchor).map_or(Vec2::ZERO, |circle| circle.at);
        }
        members.iter().map(|thing| circles[*thing].at).sum::<Vec2>() / members.len() as f64
    }

    /// Whether a thing is between the hands of another vehicle.
    pub(super) fn is_held(&self, seen: &Seen, fleet: &Fleet, circles: &[Circle], thing: usize) -> bool {
        collectors(seen)
            .any(|vehicle| vehicle != seen.vehicle && self.has(seen, fleet, circles, vehicle, thing))
    }

    fn has(&self, seen: &Seen, fleet: &Fleet, circles: &[Circle], vehicle: usize, thing: usize) -> bool {
        let Some([hands, opening]) = fleet.bodies[vehicle].gripper else { return false };
        let place = fleet.place(seen, vehicle);
        circles[thing].at.distance(place.at + hands * place.ahead()) < 0.5 * opening
    }

    /// The thing that belongs to this vehicle: of all pairs of free vehicles and loose things the nearest one belongs together, then the
    /// nearest one of the rest, and so on.
    pub(super) fn assigned(
        &self,
        seen: &Seen,
        fleet: &Fleet,
        circles: &[Circle],
        is_wanted: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let members = self.members(circles, |_| false);
        let is_loose = |thing: &usize| {
            !members.contains(thing) && is_wanted(*thing) && !self.is_held(seen, fleet, circles, *thing)
        };
        let loose: Vec<usize> = (0..circles.len()).filter(is_loose).collect();
        let has_any = |vehicle: usize| {
            vehicle != seen.vehicle
                && (0..circles.len())
                    .any(|thing| !members.contains(&thing) && self.has(seen, fleet, circles, vehicle, thing))
        };
        let free: Vec<usize> = collectors(seen).filter(|vehicle| !has_any(*vehicle)).collect();
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for vehicle in &free {
            let at = fleet.place(seen, *vehicle).at;
            pairs.extend(loose.iter().map(|thing| (circles[*thing].at.distance(at), *vehicle, *thing)));
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        while let Some((_, vehicle, thing)) = pairs.first().copied() {
            if vehicle == seen.vehicle {
                return Some(thing);
            }
            pairs.retain(|pair| pair.1 != vehicle && pair.2 != thing);
        }
        None
    }
}

/// Vehicles that collect, by their numbers.
fn collectors<'s>(seen: &'s Seen) -> impl Iterator<Item = usize> + 's {
    let vehicles = seen.scene.world.vehicles.iter().enumerate();
    vehicles
        .filter(|(number, vehicle)| {
            *number == seen.vehicle || matches!(vehicle.controller, Some(scene::Controller::Collect))
        })
        .map(|(number, _)| number)
}
