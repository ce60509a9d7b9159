//! Random bodies with random motions: bad meshes of every kind, and pairs that begin or end in contact, as degenerate as they come in practice.

use crate::bad_mesh::{DEFECTS, Defect};
use crate::bumpy::{Surface, geodesic};
use crate::encounter::{Common, Encounter};
use crate::models::{prism, torus};
use crate::nasty::{needle, plate, star};
use crate::puzzles::{block, profile};
use crate::random::Random;
use crate::solid::Solid;
use crate::way::{Place, Way};
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Two bodies on their way, and what is wrong with them.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// The bodies and their motions.
    pub encounter: Encounter,
    /// What is wrong with each.
    pub defects: [Defect; 2],
    /// How it was made, for messages.
    pub name: String,
}

fn scaled(surface: Surface, to: f64) -> Surface {
    let (mut vertices, faces) = surface;
    let low = vertices.iter().fold(DVec3::INFINITY, |low, p| low.min(*p));
    let high = vertices.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p));
    let factor = to / (high - low).max_element();
    vertices.iter_mut().for_each(|p| *p = (*p - 0.5 * (low + high)) * factor);
    (vertices, faces)
}

/// A closed surface about the origin that is wound outwards, convex or not, of the given largest side.
pub fn closed_surface(random: &mut Random, size: f64) -> Surface {
    let surface = match random.below(9) {
        0 => block([-0.5; 3], [0.5; 3]),
        1 => block([-0.5, -0.25, -0.125], [0.5, 0.25, 0.125]),
        2 => {
            let n = 3 + random.below(10);
            let corner = |k: usize| (TAU * k as f64 / n as f64).sin_cos();
            let outline: Vec<(f64, f64)> = (0..n).map(corner).map(|(sin, cos)| (cos, sin)).collect();
            prism(&outline, random.range(0.2, 3.0))
        }
        3 => torus(1.0, random.range(0.1, 0.6), 10, 6),
        4 => star(random, 1, 0.3),
        5 => plate(1.0, 0.7, 0.02),
        6 => needle(1.0, 0.03),
        7 => profile(&["#..", "###"], 1.0),
        _ => profile(&["#.#", "###"], 1.0),
    };
    scaled(surface, size)
}

/// A convex polyhedron about the origin whose faces are known: an affine image of a regular one.
fn convex_surface(random: &mut Random, size: f64) -> Surface {
    let (vertices, faces) = match random.below(3) {
        0 => block([-0.5; 3], [0.5; 3]),
        1 => geodesic(1),
        _ => {
            let corners = [DVec3::ONE, DVec3::new(1.0, -1.0, -1.0), DVec3::new(-1.0, 1.0, -1.0)];
            let last = DVec3::new(-1.0, -1.0, 1.0);
            ([&corners[..], &[last]].concat(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
        }
    };
    let (vertices, mut faces) = (vertices, faces);
    let volume: f64 =
        faces.iter().map(|f| f.map(|i| vertices[i as usize])).map(|[a, b, c]| a.dot(b.cross(c))).sum();
    if volume < 0.0 {
        faces.iter_mut().for_each(|face| face.swap(1, 2));
    }
    let stretch = DMat3::from_diagonal(DVec3::new(1.0, random.range(0.3, 1.0), random.range(0.1, 1.0)));
    scaled((vertices.into_iter().map(|p| stretch * p).collect(), faces), size)
}

/// A body of any kind but a plane, about as large as `size`.
pub fn any_solid(random: &mut Random, size: f64) -> Solid {
    let (radius, height) = (0.5 * size * random.range(0.2, 1.0), size * random.range(0.2, 1.0));
    match random.below(9) {
        0 => Solid::Sphere { radius },
        1 => Solid::Box { size: size * DVec3::new(1.0, random.range(0.1, 1.0), random.range(0.1, 1.0)) },
        2 => Solid::Cylinder { radius, height },
        3 => Solid::Capsule { radius: 0.5 * radius, height },
        4 => Solid::Cone { radius, height },
        5 => Solid::Convex(convex_surface(random, size)),
        6 => {
            let place = |random: &mut Random| Place::at(0.4 * random.in_cube(size));
            let parts = [
                (place(random), Solid::Box { size: 0.4 * size * DVec3::new(1.0, 0.5, 0.75) }),
                (place(random), Solid::Sphere { radius: 0.3 * radius }),
                (place(random), Solid::Cylinder { radius: 0.3 * radius, height: 0.4 * height }),
            ];
            Solid::Compound(parts[..2 + random.below(2)].to_vec())
        }
        _ => Solid::mesh(closed_surface(random, size)),
    }
}

/// A length from a very wide range around `typical`, often that itself.
fn length(random: &mut Random, typical: f64) -> f64 {
    match random.below(8) {
        0 => typical * 1e-6,
        1 => typical * 1e-3,
        2 => typical * 1e2,
        3 => typical * random.range(0.01, 1.0),
        _ => typical,
    }
}

/// A rotation that is often a straight one.
fn rotation(random: &mut Random) -> DQuat {
    match random.below(3) {
        0 => DQuat::IDENTITY,
        1 => DQuat::from_axis_angle([DVec3::X, DVec3::Y, DVec3::Z][random.below(3)], FRAC_PI_2),
        _ => random.rotation(),
    }
}

/// A motion that goes about as far as `size`.
fn way(random: &mut Random, from: &Place, size: f64) -> Way {
    let direction = match random.below(3) {
        0 => random.direction(),
        _ => [DVec3::X, DVec3::Y, DVec3::Z][random.below(3)],
    };
    let far = size * [0.01, 0.3, 1.0, 3.0][random.below(4)];
    let axis = [random.direction(), DVec3::X, DVec3::Y, DVec3::Z][random.below(4)];
    let point = from.at + size * [DVec3::ZERO, random.in_cube(1.0)][random.below(2)];
    let turns = [0.1, 0.25, 1.0, 3.3][random.below(4)];
    match random.below(7) {
        0..3 => Way::Translate(far * direction),
        3 => Way::Screw { point, axis, degrees: 360.0 * turns, advance: 0.0 },
        4 => Way::Screw { point, axis, degrees: 360.0 * turns, advance: far },
        5 => Way::To(Place { turn: rotation(random), at: from.at + far * direction }),
        _ => Way::Path(vec![Way::Translate(far * direction), Way::Translate(-far * axis)]),
    }
}

/// A bad mesh and something else, which is often a bad mesh too: far, near, touching, inside; with any motion.
pub fn bad_meeting(random: &mut Random) -> Meeting {
    let size = [1.0, 1.0, 0.1, 1e-3][random.below(4)];
    let defect = DEFECTS[random.below(DEFECTS.len())];
    let meant = closed_surface(random, size);
    let first = defect.applied(&meant, random);
    let small = size * [1.0, 0.5, 0.2, 0.05, 0.01][random.below(5)];
    let (second, other) = match random.below(3) {
        0 => {
            let other = DEFECTS[random.below(DEFECTS.len())];
            let meant = if random.below(6) == 0 { meant.clone() } else { closed_surface(random, small) };
            (other.applied(&meant, random), other)
        }
        _ => (any_solid(random, small), Defect::None),
    };
    // About what is inside of the surface, or about its corners.
    let corner = meant.0[random.below(meant.0.len())];
    let next = meant.0[random.below(meant.0.len())];
    let at = match random.below(6) {
        0 => DVec3::ZERO,
        1 => 0.5 * corner,
        2 => corner,
        3 => 0.5 * (corner + next),
        4 => corner + small * random.in_cube(1.0),
        _ => 2.0 * size * random.in_cube(1.0),
    };
    let home = match random.below(4) {
        0 => DVec3::ZERO,
        _ => [1.0, 10.0, 1e3][random.below(3)] * random.in_cube(1.0),
    };
    let places =
        [Place { turn: rotation(random), at: home }, Place { turn: rotation(random), at: home + at }];
    let both = [way(random, &places[0], size), way(random, &places[1], size)];
    let ways = match random.below(5) {
        0 => [both[0].clone(), Way::Still],
        1 => both,
        2 => [Way::Still, Way::Translate(DVec3::splat(1e-3 * small))],
        _ => [Way::Still, both[1].clone()],
    };
    let name = format!("{defect:?} of {size} m, {other:?} {} of {small} m", second.kind());
    Meeting { encounter: Encounter { bodies: [first, second], places, ways }, defects: [defect, other], name }
}

/// Two bodies that are in contact at the start or at the end, or nearly, at any place up to 1e6 m from the origin, one of which slides, rises, presses, tilts or
/// turns up to a million times. The plane z = 0 of their own world parts them where the gap is not negative and they keep to it.
pub fn contact_meeting(random: &mut Random) -> Meeting {
    let size = [1.0, 1.0, 0.1, 0.01][random.below(4)];
    let other = length(random, size);
    let (mut a, mut b) = (any_solid(random, size), any_solid(random, other));
    if random.below(8) == 0 {
        a = Solid::Plane { normal: DVec3::Z, offset: 0.0 };
    }
    if random.below(8) == 0 && !matches!(a, Solid::Plane { .. }) {
        b = a.clone();
    }
    let turns = [rotation(random), rotation(random)];
    let turn_a = if matches!(a, Solid::Plane { .. }) { DQuat::IDENTITY } else { turns[0] };
    let smaller = size.min(other);
    let gap = match random.below(4) {
        0 => 0.0,
        1 => smaller * [1e-13, 1e-10, 1e-8, 1e-6, 1e-3][random.below(5)],
        _ => -smaller * [1e-13, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1][random.below(10)],
    };
    // The highest point of a and the lowest of b meet over the origin.
    let top = turn_a * a.farthest(turn_a.conjugate() * DVec3::Z);
    let bottom = turns[1] * b.farthest(turns[1].conjugate() * -DVec3::Z);
    let aside = match random.below(3) {
        0 => 0.3 * smaller * random.in_cube(1.0) * DVec3::new(1.0, 1.0, 0.0),
        _ => DVec3::ZERO,
    };
    let places =
        [Place { turn: turn_a, at: -top }, Place { turn: turns[1], at: aside + gap * DVec3::Z - bottom }];
    let far = smaller * [1e-3, 0.1, 1.0, 10.0][random.below(4)];
    let count = 10f64.powi(random.below(7) as i32) * [1.0, 0.3][random.below(2)];
    let flat = random.direction() * DVec3::new(1.0, 1.0, 0.0);
    let point = [places[1].at, aside, DVec3::ZERO][random.below(3)];
    let (kind, way) = match random.below(7) {
        0 => ("slides", Way::Translate(far * flat)),
        1 => ("rises", Way::Translate(far * DVec3::Z)),
        2 => ("rises and slides", Way::Translate(far * (DVec3::Z + flat))),
        3 => ("presses", Way::Translate(-far * DVec3::Z)),
        4 => ("turns", Way::Screw { point, axis: DVec3::Z, degrees: 360.0 * count, advance: 0.0 }),
        5 => {
            let advance = far * [1.0, -1.0][random.below(2)];
            ("screws", Way::Screw { point, axis: DVec3::Z, degrees: 360.0 * count, advance })
        }
        _ => {
            let axis = flat.normalize_or(DVec3::X);
            (
                "tilts",
                Way::Screw {
                    point,
                    axis,
                    degrees: 360.0 * [count, 0.01, 1e-6][random.below(3)],
                    advance: 0.0,
                },
            )
        }
    };
    let mut encounter = Encounter { bodies: [a, b], places, ways: [Way::Still, way] };
    // The same backwards: it ends in contact.
    let is_backwards = random.below(2) == 0;
    if is_backwards {
        let end = encounter.ways[1].place(&encounter.places[1], 1.0);
        let back = match &encounter.ways[1] {
            Way::Translate(by) => Way::Translate(-*by),
            Way::Screw { point, axis, degrees, advance } => {
                Way::Screw { point: *point, axis: *axis, degrees: -degrees, advance: -advance }
            }
            other => other.clone(),
        };
        encounter.places[1] = end;
        encounter.ways[1] = back;
    }
    // The lower one moves instead, which is the same for translations.
    if random.below(4) == 0
        && let Way::Translate(by) = encounter.ways[1]
    {
        encounter.ways = [Way::Translate(-by), Way::Still];
    }
    let offset = [0.0, 1.0, 10.0, 500.0, 1e3, 1e4, 1e6][random.below(7)];
    let offset = match random.below(3) {
        0 => offset * DVec3::X,
        _ => offset * random.direction(),
    };
    let offset = if matches!(encounter.bodies[0], Solid::Plane { .. }) {
        offset * DVec3::new(1.0, 1.0, 0.0)
    } else {
        offset
    };
    let mut encounter = encounter.shifted(offset);
    if let Solid::Plane { .. } = encounter.bodies[0] {
        // A plane stays where it is: it has no place of its own.
        encounter.places[0].at.x = 0.0;
        encounter.places[0].at.y = 0.0;
    }
    let backwards = if is_backwards { ", backwards" } else { "" };
    let kinds = [0, 1].map(|k| encounter.bodies[k].kind());
    let name = format!(
        "{} of {other} m {kind}{backwards} on {} of {size} m, gap {gap:e}, {:.3} turns, at {:.1} m",
        kinds[1],
        kinds[0],
        encounter.ways[1].degrees() / 360.0,
        offset.length()
    );
    Meeting { encounter, defects: [Defect::None; 2], name }
}

/// The step of the grid of [`grid_meeting`], in metres: up to a million metres from the origin nothing on it is rounded.
pub const GRID: f64 = 1.0 / 1_048_576.0;

/// Two bodies with sizes, places and motions on a grid, not turned at the start: boxes, balls, cylinders, meshes, compounds, often in touch, in line or
/// identical, which slide, rise, press, pass each other or turn.
pub fn grid_meeting(random: &mut Random) -> Meeting {
    let side = |random: &mut Random| [0.125, 0.25, 0.5, 1.0][random.below(4)];
    let solid = |random: &mut Random| {
        let (x, y, z) = (side(random), side(random), side(random));
        let half = [0.5 * x, 0.5 * y, 0.5 * z];
        match random.below(9) {
            0 => Solid::Sphere { radius: x },
            1 => Solid::Cylinder { radius: x, height: z },
            2 => Solid::Capsule { radius: 0.5 * x, height: z },
            3 => Solid::Cone { radius: x, height: z },
            4 => Solid::mesh(block(half.map(|x| -x), half)),
            5 => Solid::Convex(block(half.map(|x| -x), half)),
            6 => Solid::mesh(profile(&["#..", "###"], z)),
            7 => Solid::Compound(vec![
                (Place::ORIGIN, Solid::Box { size: DVec3::new(x, y, z) }),
                (Place::at(DVec3::new(x, 0.0, 0.0)), Solid::Sphere { radius: 0.25 * z }),
            ]),
            _ => Solid::Box { size: DVec3::new(x, y, z) },
        }
    };
    let (a, b) = (solid(random), solid(random));
    let b = if random.below(6) == 0 { a.clone() } else { b };
    // b on a, or beside it, with a gap or an overlap of some steps of the grid.
    let gap = GRID * [0.0, 0.0, 0.0, 1.0, -1.0, 16.0, -16.0, 4096.0, -4096.0, 131_072.0][random.below(10)];
    let axis = [DVec3::X, DVec3::Y, DVec3::Z][random.below(3)];
    let aside = (random.in_cube(8.0)).round() * 0.0625 * (DVec3::ONE - axis);
    let apart = a.farthest(axis).dot(axis) - b.farthest(-axis).dot(axis) + gap;
    let place = aside + apart * axis;
    let across = [DVec3::X, DVec3::Y, DVec3::Z][random.below(3)];
    let far = [0.125, 0.5, 2.0, GRID][random.below(4)];
    let turn = |point: DVec3, degrees: f64, advance: f64| Way::Screw { point, axis, degrees, advance };
    let degrees = [90.0, 360.0, 36_000.0, 30.0][random.below(4)];
    let (kind, way) = match random.below(7) {
        0 => ("slides", Way::Translate(far * across)),
        1 => ("rises", Way::Translate(far * axis)),
        2 => ("presses", Way::Translate(-far * axis)),
        3 => ("goes through", Way::Translate(-4.0 * axis)),
        4 => ("slides there and back", {
            Way::Path(vec![Way::Translate(far * across), Way::Translate(-far * across)])
        }),
        5 => ("turns", turn(place, degrees, 0.0)),
        _ => ("turns beside", turn(DVec3::ZERO, degrees, 0.0)),
    };
    let mut encounter =
        Encounter { bodies: [a, b], places: [Place::ORIGIN, Place::at(place)], ways: [Way::Still, way] };
    // The same backwards.
    if random.below(3) == 0
        && let Way::Translate(by) = encounter.ways[1]
    {
        encounter.places[1].at += by;
        encounter.ways[1] = Way::Translate(-by);
    }
    let name =
        format!("{} {kind} on {}, gap {gap:e}", encounter.bodies[1].kind(), encounter.bodies[0].kind());
    Meeting { encounter, defects: [Defect::None; 2], name }
}

impl Meeting {
    /// What makes "free" wrong, if a sample shows it: a ball that lies in both bodies and is larger than what bodies that touch at the start or the end may
    /// overlap, surfaces that cross, or a body that stays inside of another one.
    pub fn evidence(&self, samples: usize) -> Option<String> {
        let case = &self.encounter;
        let rounding = case.rounding();
        let ends = [0.0, 1.0].map(|t| case.common(t, 400));
        let is_bent = case.bodies.iter().any(|body| matches!(body, Solid::Mesh { .. } | Solid::Compound(_)));
        // Bodies lose half of the allowance each; in inner corners of meshes up to all of it.
        let share = if is_bent { 1.0 } else { 0.5 };
        let touches = |end: &Common| end.depth >= -case.resting(end.piece);
        let allowed = |piece: f64| {
            let rests = ends.iter().any(touches);
            rounding + if rests { share * case.resting(piece) } else { 0.0 }
        };
        let deepest = case.deepest(samples);
        let is_complete = self.defects.iter().all(|defect| defect.is_complete());
        if deepest.depth > allowed(deepest.piece) {
            if is_complete {
                return Some(format!("a ball in both: {deepest:?}, allowed {:e}", allowed(deepest.piece)));
            }
            if self.stays_inside(samples) {
                return Some(format!("it stays inside: {deepest:?}"));
            }
        }
        let piece = deepest.piece;
        (0..samples).map(|k| k as f64 / (samples - 1) as f64).find_map(|t| {
            let depth = case.crossing(t);
            (depth > 4.0 * allowed(piece)).then(|| format!("surfaces cross by {depth:e} at {t}"))
        })
    }

    /// Whether one of the bodies is plainly in the hull of the other at all samples.
    fn stays_inside(&self, samples: usize) -> bool {
        let case = &self.encounter;
        let mut random = Random::new(7);
        let directions: Vec<DVec3> = (0..200).map(|_| random.direction()).collect();
        let is_in = |inner: usize, t: f64| {
            let places = case.at(t);
            let (small, large) = (&case.bodies[inner], &case.bodies[1 - inner]);
            let seen = places[inner].seen_from(&places[1 - inner]);
            let slack = 0.02 * large.size().length();
            directions.iter().all(|d| {
                let own = seen.point(small.farthest(seen.turn.conjugate() * *d)).dot(*d);
                own < large.farthest(*d).dot(*d) - slack
            })
        };
        (0..2).any(|inner| (0..samples).all(|k| is_in(inner, k as f64 / (samples - 1) as f64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both kinds hold pairs that meet and pairs that do not.
    #[test]
    fn meetings_are_of_both_kinds() {
        for generate in [bad_meeting, contact_meeting] {
            let (mut apart, mut deep) = (0, 0);
            for seed in 0..60 {
                let meeting = generate(&mut Random::new(seed));
                match meeting.evidence(9) {
                    Some(_) => deep += 1,
                    None => apart += 1,
                }
            }
            assert!(apart > 5 && deep > 5, "{apart} {deep}");
        }
    }
}
