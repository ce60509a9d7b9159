//! Which closed shells are inside out, taking into account that a shell inside another may bound a cavity.

use super::Mesh;
use super::mass::Surface;
use super::topology::{Topology, starts};
use crate::math::predicates::{side_of_line, side_of_plane};
use crate::math::{AxisBox, Vec2, Vec3};
use std::cmp::Ordering;

/// Points of each shell that are looked up in the other shells, until one of them does not touch.
const SAMPLES: usize = 3;

/// The shells that should be turned, ascending.
///
/// Looked at are closed shells: consistently wound, every edge run along as often forwards as backwards. From the
/// outermost inwards, the winding number of the shells around a shell says whether there is material:
/// - no material around: it must be wound as a solid;
/// - material around: wound as a cavity it is one. Wound as a solid it is taken for a second solid inside the first, unless the
///   shell next around it was inside out too; then the whole body is, and this is one of its cavities.
///
/// Wrong answers are possible where shells cross each other, and where a shell touches another in all three of its sampled
/// points. Shells without volume are never turned.
///
/// **Cost.** O(n) if every shell is wound as a solid; else every closed shell is looked up in all others with a grid.
pub(super) fn inside_out(mesh: &Mesh, topology: &Topology) -> Vec<u32> {
    let shells = closed_shells(mesh, topology);
    if shells.iter().all(|shell| shell.is_solid) {
        return Vec::new();
    }
    let around = enclosing(mesh, &shells);
    let mut order: Vec<usize> = (0..shells.len()).collect();
    order.sort_by_key(|&i| around[i].len());
    let mut turned = vec![false; shells.len()];
    for i in order {
        let winding = |(j, winding): &(usize, i32)| if turned[*j] { -winding } else { *winding };
        let has_material = around[i].iter().map(winding).sum::<i32>() > 0;
        // The shell next around is the one that is itself inside the most others.
        let next_around = around[i].iter().map(|(j, _)| *j).max_by_key(|&j| (around[j].len(), j));
        turned[i] = match (has_material, shells[i].is_solid) {
            (false, is_solid) => !is_solid,
            (true, false) => false,
            (true, true) => next_around.is_some_and(|j| turned[j]),
        };
    }
    (0..shells.len()).filter(|&i| turned[i]).map(|i| shells[i].number).collect()
}

/// A closed shell that has a volume.
struct Shell {
    number: u32,
    faces: Vec<[u32; 3]>,
    bounds: AxisBox,
    is_solid: bool,
}

fn closed_shells(mesh: &Mesh, topology: &Topology) -> Vec<Shell> {
    let mut is_closed = vec![true; topology.shell_count()];
    for edge in 0..topology.edges().len() {
        let mut balance: Vec<(u32, i32)> = Vec::new();
        let uses = topology.edge_uses(edge);
        let shell = |face: u32| topology.shell(face as usize);
        if let [f, g] = uses {
            // By far the most frequent case; the two faces are of one shell.
            if let (true, Some(s)) = (f.is_forward() == g.is_forward(), shell(f.face())) {
                is_closed[s as usize] = false;
            }
            continue;
        }
        balance.extend(
            uses.iter().filter_map(|u| Some((shell(u.face())?, if u.is_forward() { 1 } else { -1 }))),
        );
        balance.sort_unstable();
        for group in balance.chunk_by(|a, b| a.0 == b.0) {
            is_closed[group[0].0 as usize] &= group.iter().map(|(_, sign)| sign).sum::<i32>() == 0;
        }
    }

    let of_face = |face: usize| topology.shell(face).filter(|&s| is_closed[s as usize]);
    let mut sizes = vec![0; topology.shell_count()];
    (0..mesh.faces().len()).filter_map(of_face).for_each(|s| sizes[s as usize] += 1);
    let mut grouped: Vec<Vec<[u32; 3]>> = sizes.into_iter().map(Vec::with_capacity).collect();
    for (face, corners) in mesh.faces().iter().enumerate() {
        if let Some(s) = of_face(face) {
            grouped[s as usize].push(*corners);
        }
    }
    let shell = |(faces, number): (Vec<[u32; 3]>, u32)| {
        if faces.is_empty() {
            return None;
        }
        let surface = Surface { vertices: mesh.vertices(), faces: &faces };
        let (volume, bounds) = (surface.volume()?, surface.bounds());
        Some(Shell { number, faces, bounds, is_solid: volume > 0.0 })
    };
    grouped.into_iter().zip(0..).filter_map(shell).collect()
}

/// What a line of sight from a sample met: which shell, how often outwards minus inwards, and whether the sample lies on it.
struct Meeting {
    sample: usize,
    shell: usize,
    winding: i32,
    touches: bool,
}

/// For each shell the others that wind round it, with their winding numbers (1 for a solid), ascending.
fn enclosing(mesh: &Mesh, shells: &[Shell]) -> Vec<Vec<(usize, i32)>> {
    let bounds = shells.iter().fold(AxisBox::EMPTY, |all, s| all.union(&s.bounds));
    let view = View::across(&bounds);
    let corners = |face: [u32; 3]| face.map(|v| mesh.vertices()[v as usize]);
    let samples: Vec<Vec3> = shells
        .iter()
        .flat_map(|shell| {
            let first = corners(shell.faces[0]);
            let middle = corners(shell.faces[shell.faces.len() / 2]);
            [first[0], middle[1], (first[0] + first[1] + first[2]) / 3.0]
        })
        .collect();
    let grid = Grid::new(&samples, &view, &bounds);

    let mut meetings = Vec::new();
    for (number, shell) in shells.iter().enumerate() {
        for face in &shell.faces {
            let triangle = corners(*face);
            let face_bounds = AxisBox::of_points(&triangle);
            grid.for_each_near(&view, &face_bounds, |sample| {
                let p = samples[sample];
                if sample / SAMPLES == number || !shell.bounds.contains(p) {
                    return;
                }
                let winding = view.winding_above(p, triangle, &face_bounds);
                let touches = face_bounds.contains(p) && lies_on(p, triangle);
                if winding != 0 || touches {
                    meetings.push(Meeting { sample, shell: number, winding, touches });
                }
            });
        }
    }

    meetings.sort_by_key(|m| (m.sample / SAMPLES, m.shell));
    let mut around = vec![Vec::new(); shells.len()];
    for pair in meetings.chunk_by(|a, b| (a.sample / SAMPLES, a.shell) == (b.sample / SAMPLES, b.shell)) {
        let inner = pair[0].sample / SAMPLES;
        let of_sample = |k: usize| pair.iter().filter(move |m| m.sample == inner * SAMPLES + k);
        // The first sample that does not touch decides; if all touch, the shell counts as outside.
        let clear = (0..SAMPLES).find(|&k| !of_sample(k).any(|m| m.touches));
        let winding = clear.map_or(0, |k| of_sample(k).map(|m| m.winding).sum());
        if winding != 0 {
            around[inner].push((pair[0].shell, winding));
        }
    }
    around
}

/// Lines of sight along the shortest side of a box, so that as few shells as possible stand behind each other.
struct View {
    /// 0, 1 or 2 for x, y or z.
    axis: usize,
}

impl View {
    fn across(bounds: &AxisBox) -> View {
        let size = bounds.size();
        View { axis: (0..3).min_by(|&i, &j| size[i].total_cmp(&size[j])).unwrap_or(0) }
    }

    /// The two coordinates across the line of sight, such that a face looking along it appears counter-clockwise.
    fn flat(&self, p: Vec3) -> Vec2 {
        Vec2::new(p[(self.axis + 1) % 3], p[(self.axis + 2) % 3])
    }

    /// What a triangle adds to the winding number at `p`: 1 or -1 if the line of sight from `p` leaves or enters through it.
    ///
    /// Exact for a point infinitely little beside `p` (further along the axis most of all), which never lies on the border
    /// of a triangle; so the sum over a closed shell is right however the line runs through edges and vertices.
    fn winding_above(&self, p: Vec3, triangle: [Vec3; 3], bounds: &AxisBox) -> i32 {
        if bounds.max[self.axis] < p[self.axis] {
            return 0;
        }
        let at = self.flat(p);
        let [a, b, c] = triangle.map(|corner| self.flat(corner));
        let crossing = |from: Vec2, to: Vec2| match (from.y <= at.y, to.y <= at.y) {
            (true, false) => i32::from(side_of_line(from, to, at) == Ordering::Greater),
            (false, true) => -i32::from(side_of_line(from, to, at) == Ordering::Less),
            _ => 0,
        };
        let winding = crossing(a, b) + crossing(b, c) + crossing(c, a);
        let is_above = bounds.min[self.axis] > p[self.axis] || {
            let [a, b, c] = triangle;
            let below = if winding > 0 { Ordering::Less } else { Ordering::Greater };
            winding != 0 && side_of_plane(a, b, c, p) == below
        };
        if is_above { winding } else { 0 }
    }
}

/// True if `p` lies exactly on a triangle or its border; false for triangles without area.
fn lies_on(p: Vec3, [a, b, c]: [Vec3; 3]) -> bool {
    if side_of_plane(a, b, c, p) != Ordering::Equal {
        return false;
    }
    let view = (0..3).map(|axis| View { axis }).find(|view| {
        let [a, b, c] = [a, b, c].map(|q| view.flat(q));
        side_of_line(a, b, c) != Ordering::Equal
    });
    view.is_some_and(|view| {
        let [a, b, c, p] = [a, b, c, p].map(|q| view.flat(q));
        let sides = [side_of_line(a, b, p), side_of_line(b, c, p), side_of_line(c, a, p)];
        !(sides.contains(&Ordering::Less) && sides.contains(&Ordering::Greater))
    })
}

/// Points sorted into square cells across the line of sight.
struct Grid {
    cells_per_side: usize,
    low: Vec2,
    cells_per_length: Vec2,
    starts: Vec<u32>,
    points: Vec<u32>,
    flat: Vec<Vec2>,
}

impl Grid {
    fn new(points: &[Vec3], view: &View, bounds: &AxisBox) -> Grid {
        let cells_per_side = (points.len() as f64).sqrt().ceil() as usize;
        let (low, size) = (view.flat(bounds.min), view.flat(bounds.size()));
        let per_length = |length: f64| if length > 0.0 { cells_per_side as f64 / length } else { 0.0 };
        let mut grid = Grid {
            cells_per_side,
            low,
            cells_per_length: Vec2::new(per_length(size.x), per_length(size.y)),
            starts: Vec::new(),
            points: vec![0; points.len()],
            flat: points.iter().map(|&p| view.flat(p)).collect(),
        };
        let cell = |p: Vec2| {
            let (column, row) = grid.cell(p);
            row * cells_per_side + column
        };
        let cells: Vec<usize> = grid.flat.iter().map(|&p| cell(p)).collect();
        let mut sizes = vec![0; cells_per_side * cells_per_side];
        cells.iter().for_each(|&c| sizes[c] += 1);
        grid.starts = starts(sizes.into_iter());
        let mut fill = grid.starts.clone();
        for (point, &cell) in cells.iter().enumerate() {
            grid.points[fill[cell] as usize] = point as u32;
            fill[cell] += 1;
        }
        grid
    }

    /// The column and row of a point; monotonic in both coordinates, which makes the search below complete.
    fn cell(&self, p: Vec2) -> (usize, usize) {
        let scaled = (p - self.low) * self.cells_per_length;
        let clamp = |x: f64| (x as usize).min(self.cells_per_side - 1);
        (clamp(scaled.x), clamp(scaled.y))
    }

    /// Calls back with each point that appears inside the box when seen along the axis.
    fn for_each_near(&self, view: &View, bounds: &AxisBox, mut found: impl FnMut(usize)) {
        let (min, max) = (view.flat(bounds.min), view.flat(bounds.max));
        let ((left, bottom), (right, top)) = (self.cell(min), self.cell(max));
        for row in bottom..=top {
            let row = row * self.cells_per_side;
            // Cells of one row lie one after the other.
            let (from, to) = (self.starts[row + left], self.starts[row + right + 1]);
            for &point in &self.points[from as usize..to as usize] {
                let p = self.flat[point as usize];
                if min.cmple(p).all() && p.cmple(max).all() {
                    found(point as usize);
                }
            }
        }
    }
}
