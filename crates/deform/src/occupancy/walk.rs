//! Along one ray: where does the counter have its level?

use super::{Fault, FaultKind, Interval, NOISE};
use crate::image::Fragment;

/// What a ray has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ray {
    /// Steps in intervals.
    pub length: u32,
    /// Largest counter for longer than noise.
    pub largest: u32,
    /// What is wrong with it.
    pub fault: Option<Fault>,
}

/// Follows one ray and appends its intervals. `level` is 1 at least, `first` the number of its first fragment.
#[inline]
pub fn walk(layers: &[Fragment], level: u32, pixel: u32, first: u32, out: &mut Vec<Interval>) -> Ray {
    match hills(layers) {
        Some(fronts) => walk_hills(fronts, layers, level, pixel, first, out),
        None => walk_any(layers, level, pixel, first, out),
    }
}

/// A bit for each layer that is a front, the nearest lowest, if there is no noise to look at: no two layers are so near that it matters, and
/// all that is entered is left again before the next is entered.
#[inline]
fn hills(layers: &[Fragment]) -> Option<u64> {
    if layers.len() > 63 {
        return None;
    }
    // Fragments whose numbers differ by this have depths that differ by more than noise.
    const APART: u64 = ((NOISE + 2) as u64) << 33;
    const HIGHEST: u64 = 1 << 63;
    let (mut fronts, mut close) = (0, 0);
    let mut before = layers.first()?.0.wrapping_sub(APART);
    for f in layers {
        fronts = fronts >> 1 | (f.0 << 31 & HIGHEST);
        close |= f.0.wrapping_sub(before).wrapping_sub(APART);
        before = f.0;
    }
    if close & HIGHEST != 0 {
        return None;
    }
    let fronts: u64 = fronts >> (64 - layers.len());
    let (mut rest, mut left) = (fronts, layers.len() as u32);
    while left > 0 {
        let up = rest.trailing_ones();
        let down = (rest >> up).trailing_zeros().min(left - up);
        if up != down {
            return None;
        }
        (rest, left) = (rest >> (up + down), left - up - down);
    }
    Some(fronts)
}

/// Follows a ray that goes up and down in hills, with these fronts.
#[inline]
fn walk_hills(
    mut fronts: u64,
    layers: &[Fragment],
    level: u32,
    pixel: u32,
    first: u32,
    out: &mut Vec<Interval>,
) -> Ray {
    let mut ray = Ray::default();
    let mut foot = 0;
    while fronts != 0 {
        let height = fronts.trailing_ones();
        ray.largest = ray.largest.max(height);
        if height >= level {
            let (low, high) = (foot + level - 1, foot + 2 * height - level);
            let (start, end) = (layers[low as usize].depth(), layers[high as usize].depth());
            out.push(Interval {
                pixel,
                start,
                end,
                first: first + low,
                last: first + high,
                overlap: height - 1,
            });
            ray.length += end - start;
        }
        fronts >>= 2 * height;
        foot += 2 * height;
    }
    ray
}

/// Follows any ray.
fn walk_any(layers: &[Fragment], level: u32, pixel: u32, first: u32, out: &mut Vec<Interval>) -> Ray {
    let begin = out.len();
    let level = level as i32;
    let mut ray = Ray::default();
    let mut counter = 0_i32;
    // Depth of the last fragment, the largest counter since the interval began, and where the counter went below zero last.
    let (mut before, mut peak, mut below) = (0, 0, [0; 2]);
    // The interval: depths and fragments of its ends. One that has ended stays until the next one begins: that may be right there.
    let (mut start, mut end, mut has_ended) = ([0; 2], [0; 2], false);
    let mut top = 0;
    let mut keep = |start: [u32; 2], end: [u32; 2], top: i32| {
        let length = end[0] - start[0];
        if length > NOISE {
            let overlap = (top.max(level) - 1) as u32;
            out.push(Interval {
                pixel,
                start: start[0],
                end: end[0],
                first: start[1],
                last: end[1],
                overlap,
            });
            ray.length += length;
        }
    };
    for (number, f) in (first..).zip(layers) {
        let depth = f.depth();
        if counter > peak && depth - before > NOISE {
            peak = counter;
        }
        before = depth;
        if f.is_front() {
            counter += 1;
            if counter == level && !(has_ended && end[0] == depth) {
                if has_ended {
                    keep(start, end, top);
                }
                ray.largest = ray.largest.max(peak as u32);
                (start, peak) = ([depth, number], 0);
            }
            has_ended &= counter != level;
            if counter == 0 && depth - below[0] > NOISE && ray.fault.is_none() {
                ray.fault = Some(Fault { pixel, kind: FaultKind::Inverted, fragment: below[1] });
            }
        } else {
            if counter == level {
                (end, top, has_ended) = ([depth, number], peak, true);
            } else if counter == 0 {
                below = [depth, number];
            }
            counter -= 1;
        }
    }
    if has_ended {
        keep(start, end, top);
    }
    ray.largest = ray.largest.max(peak as u32);
    if counter != 0 {
        let fragment = first + layers.len() as u32 - 1;
        ray.fault = Some(Fault { pixel, kind: FaultKind::Open, fragment });
    }
    if ray.fault.is_some() {
        out.truncate(begin);
        ray.length = 0;
    } else {
        let highest = out[begin..].iter().map(|i| i.overlap + 1).max();
        ray.largest = ray.largest.max(highest.unwrap_or(0));
    }
    ray
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn hills_are_walked_like_any_ray() {
        let mut random = Random::new(3);
        let mut short_cuts = 0;
        for round in 0..20_000 {
            // Hills of any height; from time to time something is no hill, or too near.
            let mut fronts = Vec::new();
            for _ in 0..random.below(5) {
                let height = 1 + random.below(if round % 9 == 0 { 16 } else { 4 });
                fronts.extend((0..2 * height).map(|k| k < height));
            }
            if random.below(4) == 0 && !fronts.is_empty() {
                let changed = random.below(fronts.len());
                fronts[changed] = !fronts[changed];
            }
            let near = if random.below(3) == 0 { NOISE } else { NOISE + 3 };
            let mut depth = random.below(3) as u32;
            let layers: Vec<Fragment> = fronts
                .into_iter()
                .map(|front| {
                    let fragment = Fragment::at(depth, front, random.bits() as u32);
                    depth += near + random.below(3) as u32;
                    fragment
                })
                .collect();
            let level = 1 + random.below(4) as u32;
            let [mut found, mut expected] = [Vec::new(), Vec::new()];
            let ray = walk(&layers, level, 5, 9, &mut found);
            assert_eq!(ray, walk_any(&layers, level, 5, 9, &mut expected));
            assert_eq!(found, expected);
            short_cuts += u32::from(hills(&layers).is_some());
        }
        assert!((5_000..18_000).contains(&short_cuts), "{short_cuts}");
    }
}
