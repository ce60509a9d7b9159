//! Closed surfaces from outlines: prisms, bodies of revolution, plates with round holes. Axis z, metres.

use freiraum_geometry::{Mesh, MeshError, Vec2, Vec3};
use std::f64::consts::TAU;

/// Triangles that are put together to a closed surface.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    vertices: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
}

impl Surface {
    pub(super) fn mesh(self) -> Result<Mesh, MeshError> {
        Mesh::new(self.vertices, self.faces)
    }

    /// This one and another that it does not share corners with.
    pub(super) fn and(mut self, other: Surface) -> Surface {
        let first = self.vertices.len() as u32;
        self.vertices.extend(other.vertices);
        self.faces.extend(other.faces.into_iter().map(|face| face.map(|corner| first + corner)));
        self
    }

    /// All corners somewhere else; `place` keeps the orientation of space.
    pub(super) fn placed(mut self, place: impl Fn(Vec3) -> Vec3) -> Surface {
        self.vertices.iter_mut().for_each(|p| *p = place(*p));
        self
    }

    /// The axis z becomes the axis y, x becomes z, and y becomes x.
    pub(super) fn along_y(self) -> Surface {
        self.placed(|p| Vec3::new(p.y, p.z, p.x))
    }

    /// The axis z becomes the axis x, and x becomes y.
    pub(super) fn along_x(self) -> Surface {
        self.placed(|p| Vec3::new(p.z, p.x, p.y))
    }

    fn vertex(&mut self, p: Vec3) -> u32 {
        self.vertices.push(p);
        self.vertices.len() as u32 - 1
    }

    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.faces.extend([[a, b, c], [a, c, d]]);
    }

    /// A wall from one closed ring of corners to another one with as many.
    fn wall(&mut self, from: &[u32], to: &[u32]) {
        for i in 0..from.len() {
            let next = (i + 1) % from.len();
            self.quad([from[i], from[next], to[next], to[i]]);
        }
    }

    fn ring(&mut self, outline: &[Vec2], z: f64) -> Vec<u32> {
        outline.iter().map(|p| self.vertex(p.extend(z))).collect()
    }
}

/// A circle as a polygon, counter-clockwise, the first corner at angle 0.
pub(super) fn circle(radius: f64, corners: u32) -> Vec<Vec2> {
    (0..corners).map(|k| polar(radius, f64::from(k) / f64::from(corners))).collect()
}

pub(super) fn polar(radius: f64, turns: f64) -> Vec2 {
    radius * Vec2::from_angle(TAU * turns)
}

/// A prism with a hole: both outlines counter-clockwise with equally many corners, seen from each other.
pub(super) fn tube(outer: &[Vec2], inner: &[Vec2], [bottom, top]: [f64; 2]) -> Surface {
    let mut surface = Surface::default();
    let [outer_bottom, outer_top] = [bottom, top].map(|z| surface.ring(outer, z));
    let [inner_bottom, inner_top] = [bottom, top].map(|z| surface.ring(inner, z));
    surface.wall(&outer_bottom, &outer_top);
    surface.wall(&outer_top, &inner_top);
    surface.wall(&inner_top, &inner_bottom);
    surface.wall(&inner_bottom, &outer_bottom);
    surface
}

/// A prism over an outline that is seen whole from the axis, but for straight ways to it, with a smaller outline as hole. Both run counter-clockwise and
/// begin beside each other; the inner one has corners enough that every tooth of the outer one is wider than its sides.
pub(super) fn bored(outer: &[Vec2], inner: &[Vec2], [bottom, top]: [f64; 2]) -> Surface {
    let mut surface = Surface::default();
    let [outer_bottom, outer_top] = [bottom, top].map(|z| surface.ring(outer, z));
    let [inner_bottom, inner_top] = [bottom, top].map(|z| surface.ring(inner, z));
    surface.wall(&outer_bottom, &outer_top);
    surface.wall(&inner_top, &inner_bottom);
    // Round both outlines: on along the outer one wherever its next side is seen from the corner of the inner one, else along that.
    let next = |k: usize, outline: &[Vec2]| (k + 1) % outline.len();
    let (mut o, mut i) = (0, 0);
    while o < outer.len() || i < inner.len() {
        let (here, there) = (o % outer.len(), i % inner.len());
        let (side, ray) = (outer[next(here, outer)] - outer[here], inner[there] - outer[here]);
        let is_seen = side.perp_dot(ray) > LEAST_SINE * side.length() * ray.length();
        let (out, hole) = ([&outer_bottom, &outer_top], [&inner_bottom, &inner_top]);
        let third = if (o < outer.len() && is_seen) || i == inner.len() {
            o += 1;
            out.map(|ring| ring[next(here, outer)])
        } else {
            i += 1;
            hole.map(|ring| ring[next(there, inner)])
        };
        surface.faces.push([out[0][here], hole[0][there], third[0]]);
        surface.faces.push([out[1][here], third[1], hole[1][there]]);
    }
    surface
}

/// Sides that are seen at a smaller angle are not seen: triangles would be too thin.
const LEAST_SINE: f64 = 1.0 / 256.0;

/// A stepped round bar: cylinders one after the other, each `(radius, top)`, from the height `bottom` on.
pub(super) fn bar(bottom: f64, steps: &[(f64, f64)], corners: u32) -> Surface {
    let mut surface = Surface::default();
    let mut below: Option<Vec<u32>> = None;
    let mut z = bottom;
    for (radius, top) in steps {
        let outline = circle(*radius, corners);
        let [low, high] = [z, *top].map(|z| surface.ring(&outline, z));
        match &below {
            Some(below) => surface.wall(below, &low),
            None => surface.lid(&low, z, false),
        }
        surface.wall(&low, &high);
        (below, z) = (Some(high), *top);
    }
    if let Some(last) = &below {
        surface.lid(last, z, true);
    }
    surface
}

impl Surface {
    /// A fan from the axis to a ring.
    fn lid(&mut self, ring: &[u32], z: f64, is_up: bool) {
        let center = self.vertex(Vec3::new(0.0, 0.0, z));
        for i in 0..ring.len() {
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            self.faces.push(if is_up { [center, a, b] } else { [center, b, a] });
        }
    }
}

/// Round holes through a plate, parallel to z, in a grid: one at every x and every y.
#[derive(Clone, Copy)]
pub(super) struct Holes<'h> {
    pub(super) x: &'h [f64],
    pub(super) y: &'h [f64],
    pub(super) radius: f64,
    pub(super) corners: u32,
}

/// A rectangular plate with round holes whose centres are at least 2.5 radii from each other, and 1.25 from the border.
pub(super) fn plate([min, max]: [Vec2; 2], holes: &Holes, [bottom, top]: [f64; 2]) -> Surface {
    let half = 1.25 * holes.radius;
    let lines = |from: f64, centers: &[f64], to: f64| -> Vec<f64> {
        let between = centers.iter().flat_map(|at| [at - half, at + half]);
        std::iter::once(from).chain(between).chain([to]).collect()
    };
    let (columns, rows) = (lines(min.x, holes.x, max.x), lines(min.y, holes.y, max.y));
    let mut surface = Surface::default();
    let grid = |surface: &mut Surface, z: f64| -> Vec<Vec<u32>> {
        let row = |y: &f64| columns.iter().map(|x| surface.vertex(Vec3::new(*x, *y, z))).collect();
        rows.iter().map(row).collect()
    };
    let [low, high] = [bottom, top].map(|z| grid(&mut surface, z));
    for j in 0..rows.len() - 1 {
        for i in 0..columns.len() - 1 {
            let cell = |grid: &[Vec<u32>]| [grid[j][i], grid[j][i + 1], grid[j + 1][i + 1], grid[j + 1][i]];
            if i % 2 == 0 || j % 2 == 0 {
                surface.quad(cell(&high));
                let [a, b, c, d] = cell(&low);
                surface.quad([a, d, c, b]);
                continue;
            }
            let center = Vec2::new(holes.x[i / 2], holes.y[j / 2]);
            let outline: Vec<Vec2> =
                circle(holes.radius, holes.corners).into_iter().map(|p| center + p).collect();
            let [ring_low, ring_high] = [bottom, top].map(|z| surface.ring(&outline, z));
            surface.square_around(&ring_high, cell(&high), true);
            surface.square_around(&ring_low, cell(&low), false);
            surface.wall(&ring_high, &ring_low);
        }
    }
    let border = |grid: &[Vec<u32>]| {
        let (first, last) = (&grid[0], &grid[grid.len() - 1]);
        let right = grid[1..].iter().map(|row| row[row.len() - 1]);
        let left = grid[1..grid.len() - 1].iter().rev().map(|row| row[0]);
        let back = last[..last.len() - 1].iter().rev().copied();
        first.iter().copied().chain(right).chain(back).chain(left).collect::<Vec<u32>>()
    };
    surface.wall(&border(&low), &border(&high));
    surface
}

impl Surface {
    /// The face between a circle and a square around it; the square is counter-clockwise from its corner at the left below, the circle from
    /// the right. The number of corners of the circle is a multiple of 4.
    fn square_around(&mut self, ring: &[u32], square: [u32; 4], is_up: bool) {
        let count = ring.len();
        let mut face = |a: u32, b: u32, c: u32| self.faces.push(if is_up { [a, b, c] } else { [a, c, b] });
        // Every quarter of the circle sees one corner of the square, from angle 0 on the one at the right above.
        for (quarter, corner) in [square[2], square[3], square[0], square[1]].into_iter().enumerate() {
            let from = quarter * count / 4;
            for k in from..from + count / 4 {
                face(corner, ring[(k + 1) % count], ring[k]);
            }
            let next = [square[3], square[0], square[1], square[2]][quarter];
            face(corner, next, ring[(from + count / 4) % count]);
        }
    }
}

/// A box between two corners.
pub(super) fn block(min: Vec3, max: Vec3) -> Surface {
    let none = Holes { x: &[], y: &[], radius: 0.0, corners: 0 };
    plate([min.truncate(), max.truncate()], &none, [min.z, max.z])
}

/// A surface through closed rings of corners, one after the other, with flat ends. Every ring is counter-clockwise seen from the next one's side, all have as
/// many corners, and the first and the last are convex.
pub(super) fn loft(rings: &[Vec<Vec3>]) -> Surface {
    let mut surface = Surface::default();
    let made: Vec<Vec<u32>> =
        rings.iter().map(|ring| ring.iter().map(|p| surface.vertex(*p)).collect()).collect();
    for pair in made.windows(2) {
        surface.wall(&pair[0], &pair[1]);
    }
    for (ring, corners, is_up) in
        [(&made[0], &rings[0], false), (&made[made.len() - 1], &rings[rings.len() - 1], true)]
    {
        let center = surface.vertex(corners.iter().sum::<Vec3>() / corners.len() as f64);
        for i in 0..ring.len() {
            let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
            surface.faces.push(if is_up { [center, a, b] } else { [center, b, a] });
        }
    }
    surface
}

/// A body of revolution: `(height, radius)` from below to above.
pub(super) fn lathe(profile: &[(f64, f64)], corners: u32) -> Surface {
    let ring = |(z, radius): &(f64, f64)| circle(*radius, corners).iter().map(|p| p.extend(*z)).collect();
    loft(&profile.iter().map(ring).collect::<Vec<_>>())
}

/// A prism with broken edges; `outline` is convex, counter-clockwise, and takes by how much it is drawn in.
pub(super) fn bevelled(outline: impl Fn(f64) -> Vec<Vec2>, [bottom, top]: [f64; 2], edge: f64) -> Surface {
    let ring = |inset: f64, z: f64| outline(inset).iter().map(|p| p.extend(z)).collect();
    loft(&[ring(edge, bottom), ring(0.0, bottom + edge), ring(0.0, top - edge), ring(edge, top)])
}

/// The line around two circles, each `(centre, radius)`; `corners` on each of them.
pub(super) fn around([(a, large), (b, small)]: [(Vec2, f64); 2], corners: u32) -> Vec<Vec2> {
    let way = b - a;
    let (start, half) = (way.to_angle() / TAU, ((large - small) / way.length()).acos() / TAU);
    let arc = |center: Vec2, radius: f64, from: f64, to: f64| {
        (0..corners)
            .map(move |k| center + polar(radius, from + (to - from) * f64::from(k) / f64::from(corners - 1)))
    };
    arc(b, small, start - half, start + half).chain(arc(a, large, start + half, start + 1.0 - half)).collect()
}

/// A rectangle around the origin with round corners of `corners` points each.
pub(super) fn rounded(half: Vec2, radius: f64, corners: u32) -> Vec<Vec2> {
    let center = half - Vec2::splat(radius);
    let signs = [Vec2::ONE, Vec2::new(-1.0, 1.0), -Vec2::ONE, Vec2::new(1.0, -1.0)];
    let corner = |(quarter, sign): (usize, Vec2)| {
        let point = move |k: u32| 0.25 * (quarter as f64 + f64::from(k) / f64::from(corners - 1));
        (0..corners).map(move |k| sign * center + polar(radius, point(k)))
    };
    signs.into_iter().enumerate().flat_map(corner).collect()
}

/// A block with a round trough along x: from `bottom` to `top`, `half` wide to both sides of y = 0, of this thickness around x = 0. The axis of the trough is at
/// z = 0, at least as high as the top.
pub(super) fn saddle(
    radius: f64,
    half: f64,
    thickness: f64,
    [bottom, top]: [f64; 2],
    corners: u32,
) -> Surface {
    let half_angle = (-top / radius).acos();
    let arc = (0..=corners).map(|k| {
        let angle = half_angle * (2.0 * f64::from(k) / f64::from(corners) - 1.0);
        (radius * angle.sin(), -radius * angle.cos())
    });
    let profile: Vec<(f64, f64)> = std::iter::once((-half, top)).chain(arc).chain([(half, top)]).collect();
    let mut surface = Surface::default();
    let mut line = |x: f64, height: Option<f64>| -> Vec<u32> {
        profile.iter().map(|(y, z)| surface.vertex(Vec3::new(x, *y, height.unwrap_or(*z)))).collect()
    };
    let (front, back) = (0.5 * thickness, -0.5 * thickness);
    let (upper, lower) = (line(front, None), line(front, Some(bottom)));
    let (upper_back, lower_back) = (line(back, None), line(back, Some(bottom)));
    for i in 0..profile.len() - 1 {
        surface.quad([lower[i], lower[i + 1], upper[i + 1], upper[i]]);
        surface.quad([lower_back[i + 1], lower_back[i], upper_back[i], upper_back[i + 1]]);
        surface.quad([upper[i], upper[i + 1], upper_back[i + 1], upper_back[i]]);
        surface.quad([lower[i + 1], lower[i], lower_back[i], lower_back[i + 1]]);
    }
    let last = profile.len() - 1;
    surface.quad([lower[0], upper[0], upper_back[0], lower_back[0]]);
    surface.quad([upper[last], lower[last], lower_back[last], upper_back[last]]);
    surface
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_geometry::mesh::MeshReport;
    use std::f64::consts::PI;

    #[track_caller]
    fn check(surface: Surface, volume: f64) {
        let mesh = surface.mesh().unwrap();
        let report = MeshReport::of(&mesh);
        assert!(report.is_watertight() && report.is_sound(), "{report:?}");
        let found = mesh.mass_properties().unwrap().volume;
        assert!((found / volume - 1.0).abs() < 1e-2, "{found} {volume}");
    }

    #[test]
    fn every_surface_is_closed_and_has_its_volume() {
        check(block(Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0)), 6.0);
        check(tube(&circle(2.0, 64), &circle(1.0, 64), [-1.0, 1.0]), 6.0 * PI);
        check(bar(0.0, &[(2.0, 1.0), (1.0, 3.0), (2.0, 4.0)], 64), 10.0 * PI);
        let corners = [Vec2::new(-1.0, -1.0), Vec2::new(4.0, 5.0)];
        let holes = Holes { x: &[0.0, 2.0], y: &[0.5, 3.0, 4.4], radius: 0.5, corners: 64 };
        let volume = 2.0 * (30.0 - 6.0 * 0.25 * PI);
        check(plate(corners, &holes, [0.0, 2.0]), volume);
        check(plate(corners, &holes, [0.0, 2.0]).along_x(), volume);
        check(lathe(&[(0.0, 1.0), (1.0, 2.0), (1.0, 1.0), (3.0, 1.0)], 64), PI * 13.0 / 3.0);
        check(
            bevelled(|inset| rounded(Vec2::new(2.0 - inset, 1.0 - inset), 0.5, 8), [0.0, 3.0], 0.01),
            23.36,
        );
        let two = [(Vec2::ZERO, 1.0), (Vec2::new(0.0, 3.0), 1.0)];
        check(
            bevelled(|inset| around(two.map(|(c, r)| (c, r - inset)), 24), [0.0, 2.0], 0.001).along_y(),
            12.0 + 2.0 * PI,
        );
        check(saddle(1.0, 2.0, 3.0, [-2.0, 0.0], 48), 3.0 * (8.0 - 0.5 * PI));
    }
}
