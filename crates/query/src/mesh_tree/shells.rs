//! Which parts of a mesh bound a solid, and the parts it is made of.

use super::MeshTree;
use super::locate::crossings;
use super::self_intersect::some_self_intersections;
use super::workspace::MeshWorkspace;
use freiraum_geometry::math::UnionFind;
use freiraum_geometry::mesh::{Solidity, SoundSurface, weld};
use freiraum_geometry::shape::Convex;
use freiraum_geometry::tolerance::CRACK_RELATIVE;
use freiraum_geometry::{Aabb, Mesh, Vec3};
use std::sync::OnceLock;

/// Whether a mesh has an inside, all of it taken together; [`MeshTree::solidity`] tells shell by shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closure {
    /// Every shell is closed and consistently wound: the mesh bounds a solid.
    Solid,
    /// The same after faces that are turned against their neighbours were turned: the mesh bounds a solid, though its
    /// normals do not tell on which side.
    Unoriented,
    /// Some piece of it bounds no solid.
    Open,
}

/// What [`MeshTree`] finds out when it is first asked about the inside.
#[derive(Clone, Debug)]
pub(super) struct Shells {
    pub(super) solidity: Solidity,
    /// The tree of the sound surface, where that is not the mesh itself.
    pub(super) part: Option<Box<MeshTree>>,
    /// Found when a point is enclosed by a sound surface that does not wind round it.
    crossing: OnceLock<Crossing>,
    /// A vertex of each part of the mesh, ascending.
    pub(super) samples: Vec<u32>,
}

/// What is known of the sound shells when a point is enclosed.
#[derive(Clone, Debug, Default)]
pub(super) struct Crossing {
    /// The box of each.
    pub(super) bounds: Vec<Aabb>,
    /// Those that touch or cross themselves, or have edges of more than two faces, and the cavities that touch or cross other shells.
    pub(super) doubtful: Vec<CrossingShell>,
}

/// A sound shell in which a winding number of 0 does not prove that a point is outside, because faces meet so that
/// contributions of opposite sign may cancel.
#[derive(Clone, Debug)]
pub(super) struct CrossingShell {
    pub(super) bounds: Aabb,
    pub(super) hull: Option<Convex>,
    pub(super) doubt: Doubt,
}

/// How the faces of a doubtful shell meet; the worst of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doubt {
    /// They fold or graze, by no more than a crack.
    Grazes,
    /// More than two have an edge in common.
    Joined,
    /// They go through each other by more than a crack, the surface is wound the wrong way round somewhere beside it, or a cavity touches another shell.
    Crosses,
}

impl MeshTree {
    /// Whether the mesh has an inside.
    ///
    /// Vertices with equal coordinates count as one, so the loose triangles of an STL file can be closed too. Faces that
    /// name a corner twice do not count. **Cost.** O(n log n) the first time.
    pub fn closure(&self) -> Closure {
        let solidity = self.solidity();
        match (solidity.is_sound(), solidity.turned_faces()) {
            (true, 0) => Closure::Solid,
            (true, _) => Closure::Unoriented,
            (false, _) => Closure::Open,
        }
    }

    /// What the mesh bounds, shell by shell. **Cost.** O(n log n) the first time.
    pub fn solidity(&self) -> &Solidity {
        &self.shells().solidity
    }

    /// True if there are points of which [`locate`](super::locate) cannot tell whether they are inside.
    pub fn has_unknown_places(&self) -> bool {
        self.solidity().pieces().iter().any(|piece| piece.hull.is_some())
            || !self.crossing().doubtful.is_empty()
    }

    /// True if shells wound against each other may hide a solid with some room in it: they cross by more than a crack, have edges of more than two faces, or are
    /// cavities that touch other shells. Faces that merely fold or graze do not count. **Cost.** That of [`MeshTree::has_unknown_places`].
    pub fn crosses_itself(&self) -> bool {
        self.crossing().doubtful.iter().any(|shell| shell.doubt >= Doubt::Joined)
    }

    pub(super) fn shells(&self) -> &Shells {
        self.shells.get_or_init(|| Shells::of(&self.mesh))
    }

    /// The tree of the faces that bound solids; `None` if there are none.
    pub(super) fn sound(&self) -> Option<&MeshTree> {
        let shells = self.shells();
        match shells.solidity.surface() {
            SoundSurface::Whole => Some(self),
            SoundSurface::Part(_) => shells.part.as_deref(),
            SoundSurface::None => None,
        }
    }

    /// The sound shells and which of them are doubtful.
    ///
    /// **Cost.** That of [`self_intersections`] the first time.
    pub(super) fn crossing(&self) -> &Crossing {
        let shells = self.shells();
        shells
            .crossing
            .get_or_init(|| self.sound().map_or(Crossing::default(), |tree| crossing(tree, &shells.solidity)))
    }
}

/// 1, or -1 if all shells of a mesh are inside out: its sound surface is then the mesh as it is.
pub(super) fn sense(solidity: &Solidity) -> i32 {
    let is_backwards = *solidity.surface() == SoundSurface::Whole && solidity.turned_shells() > 0;
    if is_backwards { -1 } else { 1 }
}

impl Shells {
    fn of(mesh: &Mesh) -> Shells {
        let solidity = Solidity::of(mesh);
        let part = match solidity.surface() {
            SoundSurface::Part(part) => Some(Box::new(MeshTree::build((**part).clone()))),
            _ => None,
        };
        Shells { solidity, part, crossing: OnceLock::new(), samples: samples(mesh) }
    }
}

/// How many crossings of faces are listed, if the mesh does not have more faces.
const MOST_CROSSINGS: usize = 1 << 20;

fn crossing(tree: &MeshTree, solidity: &Solidity) -> Crossing {
    let (mut pairs, mut workspace) = (Vec::new(), MeshWorkspace::default());
    let enough = MOST_CROSSINGS.max(tree.mesh.faces().len());
    let are_all = some_self_intersections(tree, enough, &mut workspace, &mut pairs);
    let mut boxes = vec![Aabb::EMPTY; solidity.shell_count()];
    for (triangle, face) in tree.mesh.triangles().zip(0..) {
        if let Some(shell) = solidity.shell(face) {
            boxes[shell as usize] = boxes[shell as usize].union(&Aabb::of_points(&triangle));
        }
    }
    let doubt_of = |shell: u32| match solidity.is_manifold(shell) {
        // Where faces meet more often than they are many, nothing is known.
        _ if !are_all => Some(Doubt::Crosses),
        true => None,
        false => Some(Doubt::Joined),
    };
    let mut doubts: Vec<Option<Doubt>> = (0..solidity.shell_count() as u32).map(doubt_of).collect();
    for [f, g] in pairs {
        let (Some(s), Some(t)) = (solidity.shell(f), solidity.shell(g)) else { continue };
        // Solids that overlap are wound round twice: nothing cancels.
        // A cavity that touches the shell around it may be the other side of the same wall.
        let least = if s == t { Doubt::Grazes } else { Doubt::Crosses };
        for shell in [s, t].into_iter().filter(|shell| s == t || solidity.is_cavity(*shell)) {
            let doubt = &mut doubts[shell as usize];
            if *doubt < Some(Doubt::Crosses) {
                let slack = CRACK_RELATIVE * boxes[shell as usize].size().length();
                let triangle = |face: u32| tree.mesh.triangle(face as usize);
                let is_through = cross(triangle(f), triangle(g), slack);
                *doubt = (*doubt).max(Some(if is_through { Doubt::Crosses } else { least }));
            }
        }
    }
    for shell in touching_cavities(&tree.mesh, solidity) {
        doubts[shell as usize] = Some(Doubt::Crosses);
    }
    for face in 0..tree.mesh.faces().len() as u32 {
        let Some(shell) = solidity.shell(face).filter(|s| doubts[*s as usize] == Some(Doubt::Joined)) else {
            continue;
        };
        let step = CRACK_RELATIVE * boxes[shell as usize].size().length();
        if is_wrong_beside(tree, face, step, sense(solidity), &mut workspace) {
            doubts[shell as usize] = Some(Doubt::Crosses);
        }
    }
    let mut corners: Vec<Vec<Vec3>> = vec![Vec::new(); doubts.len()];
    for (triangle, face) in tree.mesh.triangles().zip(0..) {
        if let Some(shell) = solidity.shell(face).filter(|s| doubts[*s as usize].is_some()) {
            corners[shell as usize].extend(triangle);
        }
    }
    let shells = corners.into_iter().zip(doubts).filter(|(corners, _)| !corners.is_empty());
    let doubtful = shells
        .filter_map(|(corners, doubt)| {
            let (bounds, hull) = (Aabb::of_points(&corners), Convex::from_points(&corners).ok());
            Some(CrossingShell { bounds, hull, doubt: doubt? })
        })
        .collect();
    Crossing { bounds: boxes, doubtful }
}

/// True if the surface winds the wrong way round a point beside the middle of a face, `step` metres off it on either side.
fn is_wrong_beside(tree: &MeshTree, face: u32, step: f64, sense: i32, workspace: &mut MeshWorkspace) -> bool {
    let [a, b, c] = tree.mesh.triangle(face as usize);
    let Some(normal) = (b - a).cross(c - a).try_normalize() else { return false };
    let middle = (a + b + c) / 3.0;
    [step, -step].into_iter().any(|step| {
        crossings(tree, middle + step * normal, workspace).is_some_and(|met| sense * met.winding < 0)
    })
}

/// True if each of two faces that have a point in common reaches through the plane of the other by more than `slack` on both sides.
fn cross(t: [Vec3; 3], u: [Vec3; 3], slack: f64) -> bool {
    let is_through = |t: [Vec3; 3], u: [Vec3; 3]| {
        let Some(normal) = (u[1] - u[0]).cross(u[2] - u[0]).try_normalize() else { return false };
        let heights = t.map(|p| normal.dot(p - u[0]));
        heights.iter().any(|h| *h > slack) && heights.iter().any(|h| *h < -slack)
    };
    is_through(t, u) && is_through(u, t)
}

/// The cavities that have a corner in common with a shell that is none: faces with a common corner do not count as crossing.
fn touching_cavities(mesh: &Mesh, solidity: &Solidity) -> Vec<u32> {
    if (0..solidity.shell_count() as u32).all(|shell| !solidity.is_cavity(shell)) {
        return Vec::new();
    }
    let welded = weld::exact(mesh.vertices(), |_| true);
    // Whether a solid shell has each corner.
    let mut is_of_solid = vec![false; mesh.vertices().len()];
    let shell_of = |face: usize| solidity.shell(face as u32);
    for (number, face) in mesh.faces().iter().enumerate() {
        if shell_of(number).is_some_and(|shell| !solidity.is_cavity(shell)) {
            face.iter().for_each(|corner| is_of_solid[welded[*corner as usize] as usize] = true);
        }
    }
    let mut found: Vec<u32> = Vec::new();
    for (number, face) in mesh.faces().iter().enumerate() {
        let cavity = shell_of(number).filter(|shell| solidity.is_cavity(*shell));
        let touches = face.iter().any(|corner| is_of_solid[welded[*corner as usize] as usize]);
        found.extend(cavity.filter(|_| touches));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A vertex of each part that hangs together through vertices, ascending.
fn samples(mesh: &Mesh) -> Vec<u32> {
    let welded = weld::exact(mesh.vertices(), |_| true);
    let mut sets = UnionFind::new(mesh.vertices().len());
    let mut is_used = vec![false; mesh.vertices().len()];
    for face in mesh.faces() {
        let [a, b, c] = face.map(|v| welded[v as usize]);
        [a, b, c].iter().for_each(|&v| is_used[v as usize] = true);
        sets.join(a, b);
        sets.join(b, c);
    }
    let vertices = 0..mesh.vertices().len() as u32;
    vertices.filter(|&v| is_used[v as usize] && sets.root(v) == v).collect()
}
