//! Where a group can slide to by translations in promising directions, one after the other.

use super::space::Probe;
use super::way::Leg;
use freiraum_geometry::{Pose, Vec3};
use freiraum_scene::Travel;

/// A place that a group can slide to.
#[derive(Clone, Debug)]
pub(crate) struct Slide {
    /// The number of the place before; the first one is its own.
    pub(crate) parent: usize,
    /// The last translation; none for the first place.
    pub(crate) leg: Option<Leg>,
    pub(crate) pose: Pose,
    /// It could go on for the whole reach: it is out.
    pub(crate) is_out: bool,
    depth: usize,
}

/// Places from `from` on, that first, by at most `depth` translations of at most `reach` metres each, at most `most` of them.
pub(crate) fn slides(
    probe: &mut Probe,
    from: &Pose,
    directions: &[Vec3],
    reach: f64,
    depth: usize,
    most: usize,
) -> Vec<Slide> {
    let mut places = vec![Slide { parent: 0, leg: None, pose: *from, is_out: false, depth: 0 }];
    let least = NEAR * probe.space.size();
    let mut next = 0;
    while next < places.len() && !probe.is_spent() {
        let here = places[next].clone();
        if here.depth < depth && !here.is_out {
            for direction in directions {
                let far = Leg::new(here.pose, Travel::Translate(reach * *direction));
                let share = probe.free_until(&far, least / reach).0;
                let is_out = share >= 1.0;
                // Not quite up to the contact, where the next translation would only rub; and half of the way.
                let gap = RETREAT * probe.space.radius;
                let ways = if is_out { [reach, 0.0] } else { [share * reach - gap, 0.5 * share * reach] };
                for way in ways {
                    if way <= least || places.len() >= most {
                        continue;
                    }
                    let leg = Leg::new(here.pose, Travel::Translate(way * *direction));
                    let is_new = places
                        .iter()
                        .all(|known| known.pose.translation().distance(leg.to.translation()) > least);
                    if is_new {
                        let (pose, depth) = (leg.to, here.depth + 1);
                        places.push(Slide { parent: next, leg: Some(leg), pose, is_out, depth });
                    }
                }
            }
        }
        next += 1;
    }
    places
}

/// Places nearer to each other than this share of the size are one.
const NEAR: f64 = 1.0 / 2048.0;

/// How far from a contact a slide ends, as a share of the radius of the group.
const RETREAT: f64 = 1.0 / 512.0;

/// The way to a place.
pub(crate) fn way_to(places: &[Slide], mut place: usize) -> Vec<Leg> {
    let mut legs = Vec::new();
    while let Some(leg) = &places[place].leg {
        legs.push(leg.clone());
        place = places[place].parent;
    }
    legs.reverse();
    legs
}
