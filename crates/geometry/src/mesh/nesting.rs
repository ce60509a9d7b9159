//! Which closed shells are inside out, taking into account that a shell inside another may bound a cavity.

use super::Mesh;
use super::mass::Surface;
use super::topology::{Topology, starts};
use crate::math::predicates::{side_of_line, side_of_plane};
use crate::math::{Aabb, Vec2, Vec3};
use crate::tolerance::CRACK_RELATIVE;
use std::cmp::Ordering;

/// Points of each shell that are looked up in the other shells, until one of them does not touch.
const SAMPLES: usize = 3;

/// Closed shells that bound no solid as they are.
pub(super) struct ShellFaults {
    /// Those that should be turned, ascending.
    pub(super) inside_out: Vec<u32>,
    /// Those whose volume is not more than their coordinates can resolve, ascending.
    pub(super) without_volume: Vec<u32>,
}

/// What is wrong with the closed shells of a mesh.
pub(super) fn shell_faults(mesh: &Mesh, topology: &Topology) -> ShellFaults {
    let (mut shells, without_volume) = closed_shells(mesh, topology);
    ShellFaults { inside_out: inside_out(mesh, &mut shells).turned, without_volume }
}

/// How closed shells are wound.
pub(super) struct Orientation {
    /// Whether each shell should be turned round.
    pub(super) is_turned: Vec<bool>,
    /// Whether each shell, turned if it should be, is wound as a cavity.
    pub(super) is_cavity: Vec<bool>,
    /// Whether each shell has no volume, is thinner on average than what counts as a crack, or is one side of a wall that is: a surface that was
    /// written twice.
    pub(super) is_doubled: Vec<bool>,
    /// Whether each shell may be a cavity or a solid: inside of a shell that is inside out, or inside of any shell if faces of it were turned.
    pub(super) is_ambiguous: Vec<bool>,
}

/// How closed shells, given by their faces, are wound. `has_turned` says of which shells faces were turned against how they are written.
pub(super) fn orientation(mesh: &Mesh, shells: Vec<Vec<[u32; 3]>>, has_turned: &[bool]) -> Orientation {
    let mut is_cavity = vec![false; shells.len()];
    let mut is_doubled = vec![false; shells.len()];
    let mut with_volume = Vec::new();
    for (faces, number) in shells.into_iter().zip(0..) {
        let surface = Surface { vertices: mesh.vertices(), faces: &faces };
        let bounds = surface.bounds();
        // A sheet has two sides.
        let sheet = 0.5 * crack_width(&bounds) * surface.area();
        match surface.volume().filter(|volume| volume.abs() > sheet) {
            Some(volume) => {
                is_cavity[number as usize] = volume < 0.0;
                with_volume.push(Shell { number, faces, bounds, volume });
            }
            None => is_doubled[number as usize] = true,
        }
    }
    let mut is_turned = vec![false; is_cavity.len()];
    let found = inside_out(mesh, &mut with_volume);
    for number in found.turned {
        is_turned[number as usize] = true;
        is_cavity[number as usize] = !is_cavity[number as usize];
    }
    let mut is_ambiguous = vec![false; is_cavity.len()];
    for number in found.ambiguous {
        is_ambiguous[number as usize] = true;
        is_turned[number as usize] = false;
    }
    let inner = found.inner.into_iter().filter(|number| has_turned[*number as usize]);
    inner.for_each(|number| is_ambiguous[number as usize] = true);
    for number in thin_walls(mesh, &with_volume, &is_cavity) {
        is_doubled[number as usize] = true;
        is_turned[number as usize] = false;
    }
    Orientation { is_turned, is_cavity, is_doubled, is_ambiguous }
}

/// The width in metres up to which two surfaces in a box count as one.
fn crack_width(bounds: &Aabb) -> f64 {
    CRACK_RELATIVE * bounds.size().length()
}

/// The shells of solids that are hollow up to a wall no thicker than a crack, and those of their cavities: the boxes of the two agree
/// to that on all sides, and the volume between them is at most that of a sheet of this thickness.
///
/// **Cost.** O(n log n) in the shells but for those whose boxes begin at the same height.
fn thin_walls(mesh: &Mesh, shells: &[Shell], is_cavity: &[bool]) -> Vec<u32> {
    let (cavities, mut solids): (Vec<&Shell>, Vec<&Shell>) =
        shells.iter().partition(|shell| is_cavity[shell.number as usize]);
    solids.sort_by(|a, b| a.bounds.min.x.total_cmp(&b.bounds.min.x));
    let mut found = Vec::new();
    for cavity in cavities {
        let crack = crack_width(&cavity.bounds);
        let low = cavity.bounds.min.x - crack;
        let from = solids.partition_point(|solid| solid.bounds.min.x < low);
        let near =
            solids[from..].iter().take_while(|solid| solid.bounds.min.x <= cavity.bounds.min.x + crack);
        let is_same = |a: Vec3, b: Vec3| (a - b).abs().max_element() <= crack;
        for solid in near.filter(|solid| {
            is_same(solid.bounds.min, cavity.bounds.min) && is_same(solid.bounds.max, cavity.bounds.max)
        }) {
            let wall = (solid.volume.abs() - cavity.volume.abs()).abs();
            if wall <= crack * solid.area(mesh) {
                found.extend([solid.number, cavity.number]);
            }
        }
    }
    found
}

/// The shells that should be turned; puts the shells in ascending order of size.
///
/// Looked at are closed shells: consistently wound, every edge run along as often forwards as backwards. From the
/// outermost inwards, the winding number of the shells around a shell says whether there is material:
/// - no material around: it must be wound as a solid;
/// - material around: wound as a cavity it is one. Wound as a solid it is taken for a second solid inside the first, unless the
///   shell next around it was inside out too; then the whole body is, and this is one of its cavities.
///
/// Inside of a shell that was inside out, it is ambiguous whichever way it is wound: a solid inside of
/// another one, or a cavity, according to
/// whether that shell alone is inside out or the whole body.
///
/// Wrong answers are possible where shells cross each other, and where a shell touches another in all three of its sampled
/// points. Shells without volume are never turned.
///
/// **Cost.** O(n) if every shell is wound as a solid; else every closed shell is looked up in larger ones with a grid,
/// until the shell next around it is found. Memory in proportion to the mesh, however many shells are around each other.
fn inside_out(mesh: &Mesh, shells: &mut [Shell]) -> InsideOut {
    if shells.iter().all(Shell::is_solid) {
        return InsideOut::default();
    }
    // What is around a shell has no smaller box, and where the boxes are equal the larger volume.
    let extent = |shell: &Shell| shell.bounds.size().element_sum();
    shells.sort_by(|a, b| extent(a).total_cmp(&extent(b)).then(a.volume.abs().total_cmp(&b.volume.abs())));
    let next_around = next_around(mesh, shells);
    let mut winding_around = vec![0; shells.len()];
    let mut turned = vec![false; shells.len()];
    for i in (0..shells.len()).rev() {
        if let Some((j, winding)) = next_around[i] {
            winding_around[i] = winding_around[j] + if turned[j] { -winding } else { winding };
        }
        turned[i] = match (winding_around[i] > 0, shells[i].is_solid()) {
            (false, is_solid) => !is_solid,
            (true, false) => false,
            (true, true) => next_around[i].is_some_and(|(j, _)| turned[j]),
        };
    }
    let is_ambiguous = |i: usize| next_around[i].is_some_and(|(j, _)| turned[j]);
    let numbers = |is_one: &dyn Fn(usize) -> bool| {
        let mut numbers: Vec<u32> =
            (0..shells.len()).filter(|i| is_one(*i)).map(|i| shells[i].number).collect();
        numbers.sort_unstable();
        numbers
    };
    InsideOut {
        turned: numbers(&|i| turned[i]),
        ambiguous: numbers(&is_ambiguous),
        inner: numbers(&|i| next_around[i].is_some()),
    }
}

/// What [`inside_out`] finds, each ascending.
#[derive(Default)]
struct InsideOut {
    turned: Vec<u32>,
    ambiguous: Vec<u32>,
    /// Those with another one around them; not looked for if all are wound as solids.
    inner: Vec<u32>,
}

/// A closed shell that has a volume.
struct Shell {
    number: u32,
    faces: Vec<[u32; 3]>,
    bounds: Aabb,
    /// Negative if it is wound as a cavity.
    volume: f64,
}

impl Shell {
    fn is_solid(&self) -> bool {
        self.volume > 0.0
    }

    fn area(&self, mesh: &Mesh) -> f64 {
        let corners = |face: &[u32; 3]| face.map(|v| mesh.vertices()[v as usize]);
        self.faces.iter().map(corners).map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum()
    }
}

/// The closed shells that have a volume, and the numbers of those that have none.
fn closed_shells(mesh: &Mesh, topology: &Topology) -> (Vec<Shell>, Vec<u32>) {
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
    let (mut shells, mut without_volume) = (Vec::new(), Vec::new());
    for (faces, number) in grouped.into_iter().zip(0..).filter(|(faces, _)| !faces.is_empty()) {
        let surface = Surface { vertices: mesh.vertices(), faces: &faces };
        let bounds = surface.bounds();
        match surface.volume() {
            Some(volume) => shells.push(Shell { number, faces, bounds, volume }),
            None => without_volume.push(number),
        }
    }
    (shells, without_volume)
}

/// For each of the shells, which ascend in size, the first larger one that winds round it and how often (1 for a solid).
fn next_around(mesh: &Mesh, shells: &[Shell]) -> Vec<Option<(usize, i32)>> {
    let bounds = shells.iter().fold(Aabb::EMPTY, |all, s| all.union(&s.bounds));
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
    let grid_of = |shells: &[usize]| {
        let numbers = shells.iter().flat_map(|&i| SAMPLES * i..SAMPLES * (i + 1));
        Grid::new(&samples, numbers.collect(), &view, &bounds)
    };

    let mut found: Vec<Option<(usize, i32)>> = vec![None; shells.len()];
    let mut looking: Vec<usize> = (0..shells.len()).collect();
    let (mut grid, mut left) = (grid_of(&looking), shells.len());
    // What the lines of sight from each shell met in the present one, and which of them met something.
    let mut met = vec![[Sight::default(); SAMPLES]; shells.len()];
    let mut meeting: Vec<usize> = Vec::new();
    for (outer, shell) in shells.iter().enumerate() {
        for face in &shell.faces {
            let triangle = corners(*face);
            let face_bounds = Aabb::of_points(&triangle);
            grid.for_each_near(&view, &face_bounds, |sample| {
                let (p, inner) = (samples[sample], sample / SAMPLES);
                if inner >= outer || found[inner].is_some() || !shell.bounds.contains(p) {
                    return;
                }
                let winding = view.winding_above(p, triangle, &face_bounds);
                let touches = face_bounds.contains(p) && lies_on(p, triangle);
                if winding != 0 || touches {
                    meeting.push(inner);
                    let sight = &mut met[inner][sample % SAMPLES];
                    sight.winding += winding;
                    sight.touches |= touches;
                }
            });
        }
        for inner in meeting.drain(..) {
            // The first sample that does not touch decides; if all touch, the shell counts as outside.
            let sights = std::mem::take(&mut met[inner]);
            let winding = sights.iter().find(|s| !s.touches).map_or(0, |s| s.winding);
            if winding != 0 {
                found[inner] = Some((outer, winding));
                left -= 1;
            }
        }
        if 2 * left < looking.len() {
            looking.retain(|&i| found[i].is_none());
            grid = grid_of(&looking);
        }
    }
    found
}

/// What a line of sight met: how often it left a shell minus how often it entered, and whether it starts on the shell.
#[derive(Clone, Copy, Default)]
struct Sight {
    winding: i32,
    touches: bool,
}

/// Lines of sight along the shortest side of a box, so that as few shells as possible stand behind each other.
struct View {
    /// 0, 1 or 2 for x, y or z.
    axis: usize,
}

impl View {
    fn across(bounds: &Aabb) -> View {
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
    fn winding_above(&self, p: Vec3, triangle: [Vec3; 3], bounds: &Aabb) -> i32 {
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

/// Some of many points, sorted into square cells across the line of sight.
struct Grid {
    cells_per_side: usize,
    low: Vec2,
    cells_per_length: Vec2,
    starts: Vec<u32>,
    /// The number of each point and where it appears.
    points: Vec<(u32, Vec2)>,
}

impl Grid {
    fn new(points: &[Vec3], numbers: Vec<usize>, view: &View, bounds: &Aabb) -> Grid {
        let cells_per_side = ((numbers.len() as f64).sqrt().ceil() as usize).max(1);
        let (low, size) = (view.flat(bounds.min), view.flat(bounds.size()));
        let per_length = |length: f64| if length > 0.0 { cells_per_side as f64 / length } else { 0.0 };
        let mut grid = Grid {
            cells_per_side,
            low,
            cells_per_length: Vec2::new(per_length(size.x), per_length(size.y)),
            starts: Vec::new(),
            points: vec![(0, Vec2::ZERO); numbers.len()],
        };
        let cell = |number: usize| {
            let (column, row) = grid.cell(view.flat(points[number]));
            row * cells_per_side + column
        };
        let cells: Vec<usize> = numbers.iter().map(|&number| cell(number)).collect();
        let mut sizes = vec![0; cells_per_side * cells_per_side];
        cells.iter().for_each(|&c| sizes[c] += 1);
        grid.starts = starts(sizes.into_iter());
        let mut fill = grid.starts.clone();
        for (number, cell) in numbers.into_iter().zip(cells) {
            grid.points[fill[cell] as usize] = (number as u32, view.flat(points[number]));
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

    /// Calls back with the number of each point that appears inside the box when seen along the axis.
    fn for_each_near(&self, view: &View, bounds: &Aabb, mut found: impl FnMut(usize)) {
        let (min, max) = (view.flat(bounds.min), view.flat(bounds.max));
        let ((left, bottom), (right, top)) = (self.cell(min), self.cell(max));
        for row in bottom..=top {
            let row = row * self.cells_per_side;
            // Cells of one row lie one after the other.
            let (from, to) = (self.starts[row + left], self.starts[row + right + 1]);
            for &(number, p) in &self.points[from as usize..to as usize] {
                if min.cmple(p).all() && p.cmple(max).all() {
                    found(number as usize);
                }
            }
        }
    }
}
