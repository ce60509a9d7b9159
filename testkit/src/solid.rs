//! Bodies as plain numbers: how questions and scene files write them, and how deep a point is in them, from closed forms and winding numbers.

use crate::bumpy::Surface;
use crate::way::{Place, vector};
use crate::winding::{nearest_on_surface, winding_number};
use glam::DVec3;

/// A body in its own frame.
#[derive(Clone, Debug)]
pub enum Solid {
    /// About the origin.
    Sphere {
        /// In metres.
        radius: f64,
    },
    /// About the origin, along the axes.
    Box {
        /// Full edge lengths, in metres.
        size: DVec3,
    },
    /// About z, centred.
    Cylinder {
        /// In metres.
        radius: f64,
        /// In metres.
        height: f64,
    },
    /// About z, centred.
    Capsule {
        /// In metres.
        radius: f64,
        /// Of the straight part, in metres.
        height: f64,
    },
    /// About z, its base at half the height below the origin.
    Cone {
        /// In metres.
        radius: f64,
        /// In metres.
        height: f64,
    },
    /// Everything below a plane.
    Plane {
        /// Unit vector.
        normal: DVec3,
        /// How far the plane is from the origin along the normal, in metres.
        offset: f64,
    },
    /// A convex polyhedron: its surface, wound outwards.
    Convex(Surface),
    /// A mesh: the surface as it is written, and the closed one that was meant, wound outwards.
    Mesh {
        /// As it is written.
        written: Surface,
        /// What a person who looks at it takes it for.
        meant: Surface,
    },
    /// Several bodies as one.
    Compound(Vec<(Place, Solid)>),
}

/// Where a point is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// How far below the surface, in metres; negative outside. Inside of compounds it may be deeper than this.
    pub depth: f64,
    /// The direction in which it gets deeper.
    pub deeper: DVec3,
    /// The size of the piece that it is in or next to: the diagonal of its box, in metres.
    pub piece: f64,
}

impl Solid {
    /// A closed mesh that is what it is written as.
    pub fn mesh(surface: Surface) -> Solid {
        Solid::Mesh { written: surface.clone(), meant: surface }
    }

    /// How deep a point is.
    pub fn depth(&self, p: DVec3) -> Depth {
        let piece = || self.size().length();
        match self {
            Solid::Sphere { radius } => {
                Depth { depth: radius - p.length(), deeper: -p.normalize_or(DVec3::X), piece: piece() }
            }
            Solid::Box { size } => {
                let over = p.abs() - 0.5 * *size;
                let side = DVec3::new(p.x.signum(), p.y.signum(), p.z.signum());
                let outside = over.max(DVec3::ZERO);
                if outside != DVec3::ZERO {
                    let deeper = -(outside * side).normalize_or_zero();
                    return Depth { depth: -outside.length(), deeper, piece: piece() };
                }
                let most = over.max_element();
                let axis = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().find(|a| a.dot(over) == most);
                Depth { depth: -most, deeper: -axis.unwrap_or(DVec3::X) * side, piece: piece() }
            }
            Solid::Cylinder { radius, height } => {
                let rho = p.truncate().length();
                let (outward, up) =
                    (p.truncate().extend(0.0).normalize_or(DVec3::X), DVec3::Z * p.z.signum());
                let [r, z] = [rho - radius, p.z.abs() - 0.5 * height];
                if r > 0.0 && z > 0.0 {
                    let away = r * outward + z * up;
                    return Depth { depth: -r.hypot(z), deeper: -away.normalize_or_zero(), piece: piece() };
                }
                let deeper = if r > z { -outward } else { -up };
                Depth { depth: -r.max(z), deeper, piece: piece() }
            }
            Solid::Capsule { radius, height } => {
                let on_axis = DVec3::Z * p.z.clamp(-0.5 * height, 0.5 * height);
                let away = p - on_axis;
                Depth { depth: radius - away.length(), deeper: -away.normalize_or(DVec3::X), piece: piece() }
            }
            Solid::Cone { radius, height } => {
                let rho = p.truncate().length();
                let outward = p.truncate().extend(0.0).normalize_or(DVec3::X);
                let slant = radius.hypot(*height);
                // The mantle as a line from (radius, -height / 2) to (0, height / 2), with its normal.
                let (nr, nz) = (height / slant, radius / slant);
                let mantle = nr * rho + nz * (p.z - 0.5 * height);
                let base = -p.z - 0.5 * height;
                if mantle <= 0.0 && base <= 0.0 {
                    let deeper = if mantle > base { -(nr * outward + nz * DVec3::Z) } else { DVec3::Z };
                    return Depth { depth: -mantle.max(base), deeper, piece: piece() };
                }
                // Outside: the nearest point of the profile.
                let segment = |[r0, z0]: [f64; 2], [r1, z1]: [f64; 2]| {
                    let (dr, dz) = (r1 - r0, z1 - z0);
                    let share = ((rho - r0) * dr + (p.z - z0) * dz) / (dr * dr + dz * dz);
                    let share = share.clamp(0.0, 1.0);
                    [rho - r0 - share * dr, p.z - z0 - share * dz]
                };
                let rim = [*radius, -0.5 * height];
                let [one, two] = [segment(rim, [0.0, 0.5 * height]), segment(rim, [0.0, -0.5 * height])];
                let [r, z] = if one[0].hypot(one[1]) < two[0].hypot(two[1]) { one } else { two };
                let away = r * outward + z * DVec3::Z;
                Depth { depth: -r.hypot(z), deeper: -away.normalize_or(DVec3::Z), piece: piece() }
            }
            Solid::Plane { normal, offset } => {
                Depth { depth: offset - normal.dot(p), deeper: -*normal, piece: f64::INFINITY }
            }
            Solid::Convex((vertices, faces)) => {
                let mut best = Depth { depth: f64::INFINITY, deeper: DVec3::X, piece: piece() };
                for face in faces {
                    let [a, b, c] = face.map(|i| vertices[i as usize]);
                    let normal = (b - a).cross(c - a).normalize_or_zero();
                    let depth = normal.dot(a - p);
                    if depth < best.depth {
                        best = Depth { depth, deeper: -normal, ..best };
                    }
                }
                best
            }
            Solid::Mesh { meant, .. } => {
                let near = nearest_on_surface(meant, p);
                let away = p - near;
                let [low, high] = self.bounds();
                let is_near = low.cmple(p).all() && p.cmple(high).all();
                let is_inside = is_near && winding_number(meant, p).abs() > 0.5;
                let depth = if is_inside { away.length() } else { -away.length() };
                let away = away.normalize_or(DVec3::X);
                Depth { depth, deeper: if is_inside { away } else { -away }, piece: piece() }
            }
            Solid::Compound(parts) => {
                let in_part = |(place, part): &(Place, Solid)| {
                    let found = part.depth(place.turn.conjugate() * (p - place.at));
                    Depth { deeper: place.turn * found.deeper, ..found }
                };
                let deepest = parts.iter().map(in_part).max_by(|x, y| x.depth.total_cmp(&y.depth));
                deepest.unwrap_or(Depth { depth: f64::NEG_INFINITY, deeper: DVec3::X, piece: 0.0 })
            }
        }
    }

    /// A box around it in its own frame, not too large; planes have none.
    pub fn bounds(&self) -> [DVec3; 2] {
        let about = |half: DVec3| [-half, half];
        match self {
            Solid::Sphere { radius } => about(DVec3::splat(*radius)),
            Solid::Box { size } => about(0.5 * *size),
            Solid::Cylinder { radius, height } | Solid::Cone { radius, height } => {
                about(DVec3::new(*radius, *radius, 0.5 * height))
            }
            Solid::Capsule { radius, height } => about(DVec3::new(*radius, *radius, radius + 0.5 * height)),
            Solid::Plane { .. } => about(DVec3::INFINITY),
            Solid::Convex((vertices, _)) | Solid::Mesh { meant: (vertices, _), .. } => {
                let start = [DVec3::INFINITY, DVec3::NEG_INFINITY];
                vertices.iter().fold(start, |[low, high], p| [low.min(*p), high.max(*p)])
            }
            Solid::Compound(parts) => {
                let start = [DVec3::INFINITY, DVec3::NEG_INFINITY];
                parts.iter().fold(start, |[low, high], (place, part)| {
                    let [l, h] = part.bounds();
                    let corners = (0..8).map(|k| {
                        let pick =
                            |bit: usize, axis: usize| if k >> bit & 1 == 0 { l[axis] } else { h[axis] };
                        place.point(DVec3::new(pick(0, 0), pick(1, 1), pick(2, 2)))
                    });
                    corners.fold([low, high], |[low, high], p| [low.min(p), high.max(p)])
                })
            }
        }
    }

    /// A point of it that is farthest in a direction, which is a unit vector; of a plane a point of its surface.
    pub fn farthest(&self, direction: DVec3) -> DVec3 {
        let d = direction;
        let across = d.truncate().extend(0.0).normalize_or_zero();
        match self {
            Solid::Sphere { radius } => *radius * d,
            Solid::Box { size } => 0.5 * *size * DVec3::new(d.x.signum(), d.y.signum(), d.z.signum()),
            Solid::Cylinder { radius, height } => *radius * across + 0.5 * height * d.z.signum() * DVec3::Z,
            Solid::Capsule { radius, height } => *radius * d + 0.5 * height * d.z.signum() * DVec3::Z,
            Solid::Cone { radius, height } => {
                let (rim, tip) = (*radius * across - 0.5 * height * DVec3::Z, 0.5 * height * DVec3::Z);
                if rim.dot(d) > tip.dot(d) { rim } else { tip }
            }
            Solid::Plane { normal, offset } => *offset * *normal,
            Solid::Convex((vertices, _)) | Solid::Mesh { meant: (vertices, _), .. } => {
                let mut best = vertices[0];
                for p in vertices {
                    if p.dot(d) > best.dot(d) {
                        best = *p;
                    }
                }
                best
            }
            Solid::Compound(parts) => {
                let of_part =
                    |(place, part): &(Place, Solid)| place.point(part.farthest(place.turn.conjugate() * d));
                let farthest = parts.iter().map(of_part).max_by(|p, q| p.dot(d).total_cmp(&q.dot(d)));
                farthest.unwrap_or(DVec3::ZERO)
            }
        }
    }

    /// The sides of its box, in metres.
    pub fn size(&self) -> DVec3 {
        let [low, high] = self.bounds();
        high - low
    }

    /// Its surface as it is written, in its own frame; `None` for what has round faces or no end, and for compounds.
    pub fn surface(&self) -> Option<Surface> {
        match self {
            Solid::Box { size } => {
                Some(crate::puzzles::block((-0.5 * *size).to_array(), (0.5 * *size).to_array()))
            }
            Solid::Convex(surface) | Solid::Mesh { written: surface, .. } => Some(surface.clone()),
            _ => None,
        }
    }

    /// As questions write it, with lengths in units of which a metre has `per_metre`.
    pub fn json(&self, per_metre: f64) -> String {
        let s = |x: f64| format!("{:?}", x * per_metre);
        let round = |kind: &str, radius: f64, height: f64| {
            format!(r#"{{"{kind}":{{"radius":{},"height":{}}}}}"#, s(radius), s(height))
        };
        let list = |points: &[DVec3]| {
            let points: Vec<String> = points.iter().map(|p| vector(*p * per_metre)).collect();
            format!("[{}]", points.join(","))
        };
        match self {
            Solid::Sphere { radius } => format!(r#"{{"sphere":{{"radius":{}}}}}"#, s(*radius)),
            Solid::Box { size } => format!(r#"{{"box":{{"size":{}}}}}"#, vector(*size * per_metre)),
            Solid::Cylinder { radius, height } => round("cylinder", *radius, *height),
            Solid::Capsule { radius, height } => round("capsule", *radius, *height),
            Solid::Cone { radius, height } => round("cone", *radius, *height),
            Solid::Plane { normal, offset } => {
                format!(r#"{{"plane":{{"normal":{},"offset":{}}}}}"#, vector(*normal), s(*offset))
            }
            Solid::Convex((vertices, _)) => format!(r#"{{"convex":{{"points":{}}}}}"#, list(vertices)),
            Solid::Mesh { written: (vertices, faces), .. } => {
                format!(r#"{{"mesh":{{"vertices":{},"faces":{faces:?}}}}}"#, list(vertices))
            }
            Solid::Compound(parts) => {
                let part = |(place, part): &(Place, Solid)| {
                    format!(r#"{{"shape":{},"pose":{}}}"#, part.json(per_metre), place.text(per_metre))
                };
                let parts: Vec<String> = parts.iter().map(part).collect();
                format!(r#"{{"compound":[{}]}}"#, parts.join(","))
            }
        }
    }

    /// As scene files write it, with lengths in units of which a metre has `per_metre`.
    pub fn toml(&self, per_metre: f64) -> String {
        // Only keys stand in quotes.
        let json = self.json(per_metre);
        let mut text = String::with_capacity(json.len());
        for (k, piece) in json.split('"').enumerate() {
            match k % 2 {
                0 => text += piece.strip_prefix(':').unwrap_or(piece),
                _ => {
                    text += piece;
                    text += " = ";
                }
            }
        }
        text
    }

    /// The name of its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Solid::Sphere { .. } => "sphere",
            Solid::Box { .. } => "box",
            Solid::Cylinder { .. } => "cylinder",
            Solid::Capsule { .. } => "capsule",
            Solid::Cone { .. } => "cone",
            Solid::Plane { .. } => "plane",
            Solid::Convex(_) => "convex",
            Solid::Mesh { .. } => "mesh",
            Solid::Compound(_) => "compound",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use glam::DQuat;

    fn all() -> Vec<Solid> {
        let block = crate::puzzles::block([-0.5, -0.25, -1.0], [0.5, 0.25, 1.0]);
        vec![
            Solid::Sphere { radius: 0.7 },
            Solid::Box { size: DVec3::new(1.0, 0.5, 2.0) },
            Solid::Cylinder { radius: 0.5, height: 1.5 },
            Solid::Capsule { radius: 0.4, height: 1.0 },
            Solid::Cone { radius: 0.8, height: 1.2 },
            Solid::Plane { normal: DVec3::Z, offset: 0.2 },
            Solid::Convex(block.clone()),
            Solid::mesh(block),
            Solid::Compound(vec![(
                Place { turn: DQuat::from_rotation_x(0.4), at: DVec3::X },
                Solid::Cone { radius: 0.8, height: 1.2 },
            )]),
        ]
    }

    /// A ball as large as the depth is inside, and going the way that is told changes the depth as told.
    #[test]
    fn depths_are_radii_of_balls() {
        let mut random = Random::new(1);
        for solid in all() {
            let mut inside = 0;
            for _ in 0..500 {
                let p = random.in_cube(1.2);
                let found = solid.depth(p);
                let step = 1e-6;
                let there = solid.depth(p + step * found.deeper).depth;
                // Beyond an edge of a convex polyhedron planes tell less than the distance.
                assert!((there - found.depth - step).abs() < 1e-7 || there > found.depth, "{solid:?} {p}");
                if found.depth > 0.0 {
                    inside += 1;
                    let q = p + 0.999 * found.depth * random.direction();
                    assert!(solid.depth(q).depth > 0.0, "{solid:?} {p} {q}");
                } else {
                    let q = p + 0.999 * found.depth * random.direction();
                    assert!(solid.depth(q).depth < 0.0, "{solid:?} {p} {q}");
                }
            }
            assert!(inside > 5, "{solid:?}");
        }
    }

    #[test]
    fn scene_files_have_keys_without_quotes() {
        let solid = Solid::Compound(vec![(Place::at(DVec3::X), Solid::Sphere { radius: 0.5 })]);
        assert_eq!(
            solid.json(1.0),
            r#"{"compound":[{"shape":{"sphere":{"radius":0.5}},"pose":[1.0,0.0,0.0]}]}"#
        );
        assert_eq!(
            solid.toml(1000.0),
            "{compound = [{shape = {sphere = {radius = 500.0}},pose = [1000.0,0.0,0.0]}]}"
        );
    }
}
