//! How deep are two shapes in each other, where, and what separates them?
//!
//! - convex pairs: exact depth; where flat sides meet, the corners of the contact polygon
//! - half spaces: every corner below the plane; [`force_point`] makes one point of them
//! - meshes: one contact per region, see [`regions`]
//! - compounds: the contacts of all pairs of parts

mod feature;
mod force_point;
mod half_space;
mod leaving;
mod manifold;
pub(crate) mod polygon;
pub mod regions;
mod section;
mod separation;
mod surface;

pub(crate) use surface::ContactWorkspace;

pub use force_point::{ForcePoint, force_point};

use crate::dispatch::{PairQuery, ask, ask_checked};
use crate::distance::Distance;
use crate::distance::half_space::face_each_other;
use crate::intersect::is_amid_panels;
use crate::intersect::relate::Relate;
use crate::prepared::{Exactness, PreparedPart, Solid, Surface, touch_slack};
use crate::{Closest, Prepared, QueryError};
use freiraum_geometry::shape::{HalfSpace, Shape};
use freiraum_geometry::{Pose, Vec3};
use std::cell::RefCell;

/// One place where two shapes are in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// On both bodies, within the depth: no farther than that from the surface of either, or inside. Of convex pairs half way between the surfaces.
    pub point: Vec3,
    /// Unit vector from a towards b.
    pub normal: Vec3,
    /// How deep the shapes are in each other here, in metres; 0 where they touch. Of meshes and height fields: the smallest shift of a against the normal
    /// that separates the region ([`regions::Region::depth`]); of a body inside the other, clear of its surface: the depth of the whole
    /// contact, which is an upper bound.
    pub depth: f64,
    /// The number of the connected region of contact, from 0.
    pub region: usize,
}

/// The answer of [`contact`]: no points and a translation of zero if the shapes are apart. `Contact::default()` is an empty one to
/// write into.
///
/// **Frames.** The frame of a.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Contact {
    /// True if the shapes touch or overlap.
    pub intersects: bool,
    /// The length of `translation` in metres; infinite if nothing separates the shapes, 0 if they touch or are apart.
    pub depth: f64,
    /// Moving a by this leaves the shapes touching; `None` if nothing separates them.
    pub translation: Option<Vec3>,
    /// True if no shorter translation separates the shapes: for convex pairs and half spaces. Otherwise the
    /// translation is proven to separate them, but it is the shortest only among those that were tried.
    pub is_exact: bool,
    /// The places of contact, regions in order.
    pub points: Vec<ContactPoint>,
    /// The number of connected regions.
    pub regions: usize,
    /// True if the surfaces do not meet, and it is unknown whether one shape is inside the other
    /// ([`Relation::Unknown`](crate::intersect::Relation::Unknown)): then there is no depth, and they are not proven apart.
    pub is_unknown: bool,
}

impl Contact {
    /// The same answer in another frame.
    #[must_use]
    pub fn placed(mut self, c_from_a: &Pose) -> Contact {
        self.translation = self.translation.map(|t| c_from_a.rotate(t));
        for contact in &mut self.points {
            contact.point = c_from_a.transform_point(contact.point);
            contact.normal = c_from_a.rotate(contact.normal);
        }
        self
    }

    /// The same answer with a and b exchanged, still in the old frame of a: moving a by t or b by -t is the same.
    #[must_use]
    pub fn swapped(mut self) -> Contact {
        self.translation = self.translation.map(|t| -t);
        self.points.iter_mut().for_each(|c| c.normal = -c.normal);
        self
    }
}

/// A contact without its points, which are the last ones of the list they were written to.
struct Found {
    intersects: bool,
    depth: f64,
    translation: Option<Vec3>,
    is_exact: bool,
    regions: usize,
    is_unknown: bool,
    /// Where its points begin in the list.
    first: usize,
}

/// Where points of contact are written to; several questions about parts write to one list.
type Points = RefCell<Vec<ContactPoint>>;

impl Found {
    /// Shapes that are apart.
    fn none(points: &Points) -> Found {
        let first = points.borrow().len();
        let (depth, translation) = (0.0, Some(Vec3::ZERO));
        Found { intersects: false, depth, translation, is_exact: true, regions: 0, is_unknown: false, first }
    }

    /// Shapes whose surfaces do not meet, of which it is unknown whether one is inside the other.
    fn unknown(points: &Points) -> Found {
        Found { depth: 0.0, translation: None, is_exact: false, is_unknown: true, ..Found::none(points) }
    }

    /// A contact in one region, its depth and normal exact; its points from `first` on are written.
    fn exact(closest: &Closest, points: &Points, first: usize) -> Found {
        let depth = (-closest.distance).max(0.0);
        let regions = usize::from(points.borrow().len() > first);
        let translation = Some(-depth * closest.normal);
        Found { intersects: true, depth, translation, is_exact: true, regions, is_unknown: false, first }
    }
}

/// Depth, separating translation and places of contact of two shapes.
///
/// **Frames.** The answer is in the frame of a. **Guarantee.** `intersects` as [`intersects`](crate::intersects). For convex
/// pairs and half spaces the translation is the shortest that separates the shapes. With a mesh, a height field or a compound it
/// separates them (the distance was asked afterwards), and is the best of several searched directions; `is_exact` says which.
/// **Degenerate input.** Concentric shapes have many shortest translations; one of them is given, the same every time.
/// **Errors.** A pose that is not finite, or beyond the largest coordinate. **Cost.** That of the distance for convex pairs;
/// some hundred distances for the others.
pub fn contact(a: &Prepared, b: &Prepared, a_from_b: &Pose) -> Result<Contact, QueryError> {
    let mut answer = Contact::default();
    contact_into(a, b, a_from_b, &mut answer)?;
    Ok(answer)
}

/// The same as [`contact`], in place of what `answer` held: its memory is used again, so that nothing is allocated once
/// warm. After an error the answer is empty.
pub fn contact_into(
    a: &Prepared,
    b: &Prepared,
    a_from_b: &Pose,
    answer: &mut Contact,
) -> Result<(), QueryError> {
    let mut list = std::mem::take(answer).points;
    list.clear();
    let points = RefCell::new(list);
    let found = ask(&Touch { is_searched: true, points: &points }, a, b, a_from_b);
    answer.points = points.into_inner();
    let Found { intersects, depth, translation, is_exact, regions, is_unknown, .. } = found?;
    (answer.intersects, answer.depth, answer.translation) = (intersects, depth, translation);
    (answer.is_exact, answer.regions) = (is_exact, regions);
    let relate = Relate { to_rounding: false };
    answer.is_unknown = !intersects && (is_unknown || is_amid_panels(&relate, a, b, a_from_b));
    Ok(())
}

/// The question.
struct Touch<'p> {
    /// Bodies that are not convex: is the way out searched for? Not for a part of a compound, whose way out may lead into
    /// another part; its depth is then infinite unless it only touches.
    is_searched: bool,
    points: &'p Points,
}

impl PairQuery for Touch<'_> {
    type Answer = Found;

    fn special(&self, _a: &Shape, _b: &Shape, _a_from_b: &Pose) -> Option<Found> {
        None
    }

    fn convex_convex(&self, a: &Solid, b: &Solid, a_from_b: &Pose) -> Found {
        let special = Distance.special(a.shape, b.shape, a_from_b);
        let closest = special.unwrap_or_else(|| Distance.convex_convex(a, b, a_from_b));
        let slack = touch_slack(a.reach(), b.reach(), a_from_b);
        let exactness = match special {
            Some(_) => Exactness::rounding(slack),
            None => Exactness::of_pair(a.body, b.body, a_from_b),
        };
        if closest.distance > exactness.gap {
            return Found::none(self.points);
        }
        let first = self.points.borrow().len();
        let mut points = self.points.borrow_mut();
        manifold::contact_points(a.shape, b.shape, a_from_b, &closest, slack, &mut points);
        drop(points);
        Found::exact(&closest, self.points, first)
    }

    fn convex_half_space(&self, a: &Solid, b: &HalfSpace, a_from_b: &Pose) -> Found {
        let closest = Distance.convex_half_space(a, b, a_from_b);
        let slack = touch_slack(a.reach(), b.offset().abs(), a_from_b);
        if closest.distance > slack {
            return Found::none(self.points);
        }
        let first = self.points.borrow().len();
        half_space::contact_points(a, b, a_from_b, slack, &mut self.points.borrow_mut());
        Found::exact(&closest, self.points, first)
    }

    /// Half spaces that face each other and overlap have a depth, but no place of contact: it is everywhere.
    fn half_spaces(&self, a: &HalfSpace, b: &HalfSpace, a_from_b: &Pose) -> Found {
        let closest = Distance.half_spaces(a, b, a_from_b);
        if !face_each_other(a, b, a_from_b) {
            let none = Found::none(self.points);
            return Found { intersects: true, depth: f64::INFINITY, translation: None, ..none };
        }
        if closest.distance > touch_slack(a.offset().abs(), b.offset().abs(), a_from_b) {
            return Found::none(self.points);
        }
        Found::exact(&closest, self.points, self.points.borrow().len())
    }

    fn convex_surface(&self, a: &Solid, b: &Surface, a_from_b: &Pose) -> Found {
        surface::contact_convex_surface(a, b, a_from_b, self)
    }

    fn half_space_surface(&self, a: &HalfSpace, b: &Surface, a_from_b: &Pose) -> Found {
        surface::contact_half_space_surface(a, b, a_from_b, self.points)
    }

    fn surfaces(&self, a: &Surface, b: &Surface, a_from_b: &Pose) -> Found {
        surface::contact_surfaces(a, b, a_from_b, self)
    }

    fn any_compound(&self, a: &Prepared, b: &[PreparedPart], a_from_b: &Pose) -> Found {
        let bounds = a.shape().aabb_placed(&a_from_b.inverse());
        let mut all = Found::none(self.points);
        for part in b {
            if part.is_apart(bounds, a) {
                continue;
            }
            let parts = Touch { is_searched: false, points: self.points };
            let found = ask_checked(&parts, a, &part.part, &(*a_from_b * part.compound_from_part));
            self.points.borrow_mut()[found.first..].iter_mut().for_each(|c| c.region += all.regions);
            all.regions += found.regions;
            all.intersects |= found.intersects;
            all.is_unknown |= found.is_unknown;
            all.depth = all.depth.max(found.depth);
        }
        let slack = match (a.bounds(), bounds) {
            (Some(own), Some(placed)) => touch_slack(own.reach(), placed.reach(), a_from_b),
            _ => 0.0,
        };
        if all.is_unknown && !all.intersects {
            return Found { first: all.first, ..Found::unknown(self.points) };
        }
        if !all.intersects || all.depth <= slack {
            return Found { depth: 0.0, ..all };
        }
        all.is_exact = false;
        all.translation = None;
        all.depth = f64::INFINITY;
        if self.is_searched {
            let gap =
                |shift: Vec3| Distance.any_compound(a, b, &(Pose::from_translation(-shift) * *a_from_b));
            let of_a = |d: Vec3| separation::extent(a, d);
            let of_b =
                |d: Vec3| separation::placed_extent(a_from_b, d, |d| separation::extent_of_parts(b, d));
            let points = self.points.borrow();
            let hints = points[all.first..].iter().map(|c| -c.depth * c.normal);
            all.translation =
                separation::search(&separation::Extents { a_from_b, of_a: &of_a, of_b: &of_b }, hints, gap);
            all.depth = all.translation.map_or(f64::INFINITY, |t| t.length());
        }
        all
    }

    /// The same answer with a and b exchanged: moving a by t or b by -t is the same.
    fn swapped(&self, answer: Found, a_from_b: &Pose) -> Found {
        for contact in &mut self.points.borrow_mut()[answer.first..] {
            contact.point = a_from_b.transform_point(contact.point);
            contact.normal = -a_from_b.rotate(contact.normal);
        }
        Found { translation: answer.translation.map(|t| -a_from_b.rotate(t)), ..answer }
    }
}

/// A single contact half way between the two points of a signed distance.
fn single(closest: &Closest) -> ContactPoint {
    ContactPoint {
        point: 0.5 * closest.point_on_a + 0.5 * closest.point_on_b,
        normal: closest.normal,
        depth: (-closest.distance).max(0.0),
        region: 0,
    }
}
