//! Contact of two meshes, region by region.
//!
//! All crossing pairs of faces are chained through the mesh topology into rings: two pairs belong together if they share a
//! face of one mesh and their faces of the other mesh are neighbours across an edge that meets the shared face. The surface
//! inside the partner is then reached from the rings; rings that bound the same piece of surface are one region.
//!
//! The normal of a region is that of its vector area, which the rings determine: the integral of the normal over the
//! piece of a inside b. The depth is the smallest shift of a against the normal that separates the region: from there on the rings are
//! gone, into which those of the region change while a is shifted (`leaving.rs`). Where a ring encloses no net area (a pipe through a plate), the region has no normal of
//! its own and takes the way out of the whole contact. Surfaces that only touch have the area in which their faces
//! lie on each other.
//!
//! **Cost.** Near-linear: crossing pairs times the logarithm of their number, one point-in-solid test per vertex of a
//! crossing face, and the surface inside; the rest of the meshes is not looked at.

mod groups;
mod leaving;
mod measure;
mod rings;

pub(crate) use groups::Seen;
pub(crate) use measure::Measured;

use crate::dispatch::check_pose;
use crate::prepared::{Class, Surface, touch_slack};
use crate::workspace::with_contacts;
use crate::{Prepared, QueryError, Unsupported};
use freiraum_geometry::{Pose, Vec3};
use leaving::Leaving;
use measure::Piece;
use rings::{Rings, Side};

/// A connected region of contact.
///
/// **Frames.** The frame of a.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// The centroid of the area that the rings enclose, or the middle of the crossing where there is no such area. Forces on the
    /// region act there. Where the region runs round a hole it lies beside both bodies; the points of [`contact`](crate::contact())
    /// lie on both.
    pub point: Vec3,
    /// Unit normal of that area, from a towards b; `None` if the rings enclose none.
    pub normal: Option<Vec3>,
    /// Size of the vector area in square metres; 0 if the rings enclose none.
    pub area: f64,
    /// The smallest shift of a against the normal that separates this region, in metres; 0 where the surfaces only touch, and without
    /// a normal. No smaller shift against the normal separates the bodies, and this one does if the region is the only one and the
    /// shift leads into no other part.
    pub depth: f64,
    /// That shift of a; zero without a normal. Other regions, and parts of the bodies outside the region, may be in the way:
    /// [`contact`](crate::contact()) finds a way out for the whole bodies.
    pub translation: Vec3,
    /// The crossing faces of a, ascending.
    pub faces_a: Vec<u32>,
    /// The crossing faces of b, ascending.
    pub faces_b: Vec<u32>,
    /// The faces of a wholly inside b, ascending; none if b is open.
    pub inner_faces_a: Vec<u32>,
    /// The faces of b wholly inside a, ascending; none if a is open.
    pub inner_faces_b: Vec<u32>,
}

impl Region {
    /// The force on a that a bed of springs on this region suggests: pressure `stiffness` (N/m³) times depth over the
    /// area, against the normal. In newtons, to be applied at `point`; zero without a normal.
    pub fn spring_force(&self, stiffness: f64) -> Vec3 {
        -stiffness * self.depth * self.area * self.normal.unwrap_or(Vec3::ZERO)
    }
}

/// The regions in which two meshes or height fields cross or touch, in the order of their first pair of faces.
///
/// A shell inside the other body, clear of its surface, is a region without rings, after the others: all its faces are inner
/// faces, and there is neither area nor normal. Empty if the bodies are apart. **Errors.** Kinds that are no surfaces, and bad poses.
pub fn contact_regions(a: &Prepared, b: &Prepared, a_from_b: &Pose) -> Result<Vec<Region>, QueryError> {
    check_pose(a_from_b)?;
    match (a.class(), b.class()) {
        (Class::Surface(a), Class::Surface(b)) => {
            Ok(with_contacts(|w| w.regions.find(a, b, a_from_b).listed(a, b)))
        }
        _ => Err(Unsupported { query: "contact_regions", a: a.shape().kind(), b: b.shape().kind() }.into()),
    }
}

/// The regions of two surfaces; memory is reused.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    rings: Rings,
    piece: Piece,
    leaving: Leaving,
    /// Pairs by their regions.
    order: Vec<(u32, u32)>,
    pub(crate) found: Vec<Measured>,
}

impl Regions {
    /// Finds and measures the regions with rings.
    pub(crate) fn find(&mut self, a: &Surface, b: &Surface, a_from_b: &Pose) -> &mut Regions {
        let Regions { rings, piece, leaving, order, found } = self;
        found.clear();
        let count = rings.find(a, b, a_from_b);
        let sides = [Side::new(a, &Pose::IDENTITY), Side::new(b, a_from_b)];
        let slack = touch_slack(a.bounds().reach(), b.bounds().reach(), a_from_b);
        order.clear();
        order.extend(rings.region_of.iter().copied().zip(0..));
        order.sort_unstable();
        for region in 0..count {
            piece.clear();
            piece.pairs.extend(of_region(order, region).map(|i| rings.pairs[i as usize]));
            for which in [0, 1] {
                let inside = of_region(&rings.vertices[which], region);
                piece.points[which].extend(inside.map(|v| sides[which].vertex(v)));
            }
            let (mut measured, is_touching) = piece.measure(&sides, slack);
            if let Some(n) = measured.normal.filter(|_| !is_touching) {
                // Where the surfaces are no deeper in each other than rounding, nothing is found.
                let shift = leaving.shift(&sides, &piece.pairs, n, slack);
                measured.depth = shift.unwrap_or(measured.hint.length());
            }
            found.push(measured);
        }
        self
    }

    /// The smallest shift of a against a direction that separates a region; `None` if its surfaces only touch.
    pub(crate) fn depth_along(
        &mut self,
        region: usize,
        normal: Vec3,
        [a, b]: [&Surface; 2],
        a_from_b: &Pose,
    ) -> Option<f64> {
        let sides = [Side::new(a, &Pose::IDENTITY), Side::new(b, a_from_b)];
        let slack = touch_slack(a.bounds().reach(), b.bounds().reach(), a_from_b);
        let pairs = of_region(&self.order, region as u32).map(|i| self.rings.pairs[i as usize]);
        self.piece.clear();
        self.piece.pairs.extend(pairs);
        self.leaving.shift(&sides, &self.piece.pairs, normal, slack)
    }

    /// The regions as the caller gets them.
    fn listed(&self, a: &Surface, b: &Surface) -> Vec<Region> {
        let rings = &self.rings;
        let crossing = |which: usize, region: u32| {
            let mut list: Vec<u32> =
                of_region(&self.order, region).map(|i| rings.pairs[i as usize][which]).collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        let inner = |which: usize, region: u32| of_region(&rings.faces[which], region).collect();
        let with_rings = self.found.iter().zip(0..).map(|(found, region)| Region {
            point: found.point,
            normal: found.normal,
            area: found.area,
            depth: found.depth,
            translation: found.normal.map_or(Vec3::ZERO, |n| -found.depth * n),
            faces_a: crossing(0, region),
            faces_b: crossing(1, region),
            inner_faces_a: inner(0, region),
            inner_faces_b: inner(1, region),
        });
        let held = [(0, a), (1, b)].into_iter().flat_map(|(which, surface)| {
            rings.held[which].iter().map(move |&(component, point)| {
                let topology = surface.topology();
                let faces = 0..surface.mesh().faces().len() as u32;
                let mine: Vec<u32> =
                    faces.filter(|&f| topology.component(f as usize) == Some(component)).collect();
                let [inner_faces_a, inner_faces_b] =
                    if which == 0 { [mine, Vec::new()] } else { [Vec::new(), mine] };
                Region { point, inner_faces_a, inner_faces_b, ..Region::default() }
            })
        });
        with_rings.chain(held).collect()
    }

    /// Corners of the shells that are held inside the partner, in the frame of a.
    pub(crate) fn held(&self) -> impl Iterator<Item = Vec3> {
        self.rings.held.iter().flatten().map(|(_, corner)| *corner)
    }
}

/// What belongs to a region, of a list ascending by region.
fn of_region(list: &[(u32, u32)], region: u32) -> impl Iterator<Item = u32> {
    let first = list.partition_point(|(r, _)| *r < region);
    list[first..].iter().take_while(move |(r, _)| *r == region).map(|(_, thing)| *thing)
}
