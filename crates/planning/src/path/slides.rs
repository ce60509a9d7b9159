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

/// What places are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    All,
    /// Up to the first one that is out, which is the last of the list then.
    WayOut,
}

/// Places from `from` on, that first, by at most `depth` translations of at most `reach` metres each, at most `most` of them.
pub(crate) fn slides(
    probe: &mut Probe,
    from: &Pose,
    directions: &[Vec3],
    reach: f64,
    depth: usize,
    most: usize,
    wanted: Wanted,
) -> Vec<Slide> {
    let mut places = vec![Slide { parent: 0, leg: None, pose: *from, is_out: false, depth: 0 }];
    let near = NEAR * probe.space.size();
    let (least, least_share) = match wanted {
        Wanted::All => (near, 0.0),
        Wanted::WayOut => {
            let play = near.max(PLAY * probe.space.radius);
            (play, play / reach)
        }
    };
    let mut open = vec![0];
    while !open.is_empty() && !probe.is_spent() {
        let next = open.remove(best(&places, &open, wanted));
        let here = places[next].clone();
        if here.depth < depth && !here.is_out {
            for direction in directions {
                let far = Leg::new(here.pose, Travel::Translate(reach * *direction));
                let share = probe.free_until(&far, least_share).0;
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
                        open.push(places.len());
                        places.push(Slide { parent: next, leg: Some(leg), pose, is_out, depth });
                        if is_out && wanted == Wanted::WayOut {
                            return places;
                        }
                    }
                }
            }
        }
    }
    places
}

/// From which of the open places to go on: the first; on the way out, of those with the fewest translations the one that the longest led to.
fn best(places: &[Slide], open: &[usize], wanted: Wanted) -> usize {
    if wanted == Wanted::All {
        return 0;
    }
    let length = |place: &Slide| {
        place.leg.as_ref().map_or(0.0, |leg| leg.to.translation().distance(leg.from.translation()))
    };
    let rank = |&k: &usize| (places[open[k]].depth, -length(&places[open[k]]));
    let is_before = |a: &usize, b: &usize| rank(a).0.cmp(&rank(b).0).then(rank(a).1.total_cmp(&rank(b).1));
    (0..open.len()).min_by(is_before).unwrap_or(0)
}

/// Places nearer to each other than this share of the size are one.
const NEAR: f64 = 1.0 / 2048.0;

/// On the way out shorter slides than this share of the radius are nothing but play.
const PLAY: f64 = 1.0 / 64.0;

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
