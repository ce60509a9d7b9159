//! How deep are two shapes in each other, where, and what separates them?
//!
//! - convex pairs: exact depth; where flat sides meet, the corners of the contact polygon
//! - half spaces: every corner below the plane; [`force_point`] makes one point of them
//! - meshes: one contact per region, see [`regions`]
//! - compounds: the contacts of all pairs of parts

mod feature;
mod force_point;
mod half_space;
mod manifold;
pub(crate) mod polygon;
pub mod regions;
mod separation;
mod surface;

pub use force_point::{ForcePoint, force_point};

use crate::dispatch::{PairQuery, ask, ask_checked};
use crate::distance::Distance;
use crate::distance::half_space::face_each_other;
use crate::prepared::{Exactness, PreparedPart, Solid, Surface, touch_slack};
use crate::surface::gap_squared;
use crate::{Closest, Prepared, QueryError};
use freiraum_geometry::shape::{HalfSpace, Shape};
use freiraum_geometry::{Pose, Vec3};

/// One place where two shapes are in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Half way between the two surfaces.
    pub point: Vec3,
    /// Unit vector from a towards b.
    pub normal: Vec3,
    /// How deep the shapes are in each other here, along the normal, in metres; 0 where they touch.
    pub depth: f64,
    /// The number of the connected region of contact, from 0.
    pub region: usize,
}

/// The answer of [`contact`]. Empty (`Contact::default()`) if the shapes are apart.
///
/// **Frames.** The frame of a.
#[derive(Clone, Debug, Default, PartialEq)]
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
}

impl Contact {
    /// Shapes that are apart.
    fn none() -> Contact {
        Contact { translation: Some(Vec3::ZERO), is_exact: true, ..Contact::default() }
    }

    /// A contact in one region, its depth and normal exact.
    fn exact(closest: &Closest, points: Vec<ContactPoint>) -> Contact {
        let depth = (-closest.distance).max(0.0);
        Contact {
            intersects: true,
            depth,
            translation: Some(-depth * closest.normal),
            is_exact: true,
            regions: usize::from(!points.is_empty()),
            points,
        }
    }

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

/// Depth, separating translation and places of contact of two shapes.
///
/// **Frames.** The answer is in the frame of a. **Guarantee.** `intersects` as [`intersects`](crate::intersects). For convex
/// pairs and half spaces the translation is the shortest that separates the shapes. With a mesh, a height field or a compound it
/// separates them (the distance was asked afterwards), and is the best of several searched directions; `is_exact` says which.
/// **Degenerate input.** Concentric shapes have many shortest translations; one of them is given, the same every time.
/// **Errors.** A pose that is not finite, or beyond the largest coordinate. **Cost.** That of the distance for convex pairs;
/// some hundred distances for the others.
pub fn contact(a: &Prepared, b: &Prepared, a_from_b: &Pose) -> Result<Contact, QueryError> {
    ask(&Touch { is_searched: true }, a, b, a_from_b)
}

/// The question.
struct Touch {
    /// Bodies that are not convex: is the way out searched for? Not for a part of a compound, whose way out may lead into
    /// another part; its depth is then infinite unless it only touches.
    is_searched: bool,
}

impl PairQuery for Touch {
    type Answer = Contact;

    fn special(&self, _a: &Shape, _b: &Shape, _a_from_b: &Pose) -> Option<Contact> {
        None
    }

    fn convex_convex(&self, a: &Solid, b: &Solid, a_from_b: &Pose) -> Contact {
        let special = Distance.special(a.shape, b.shape, a_from_b);
        let closest = special.unwrap_or_else(|| Distance.convex_convex(a, b, a_from_b));
        let slack = touch_slack(a.reach(), b.reach(), a_from_b);
        let exactness = match special {
            Some(_) => Exactness::rounding(slack),
            None => Exactness::of_pair(a.body, b.body, a_from_b),
        };
        if closest.distance > exactness.gap {
            return Contact::none();
        }
        Contact::exact(&closest, manifold::contact_points(a.shape, b.shape, a_from_b, &closest, slack))
    }

    fn convex_half_space(&self, a: &Solid, b: &HalfSpace, a_from_b: &Pose) -> Contact {
        let closest = Distance.convex_half_space(a, b, a_from_b);
        let slack = touch_slack(a.reach(), b.offset().abs(), a_from_b);
        if closest.distance > slack {
            return Contact::none();
        }
        Contact::exact(&closest, half_space::contact_points(a, b, a_from_b, slack))
    }

    /// Half spaces that face each other and overlap have a depth, but no place of contact: it is everywhere.
    fn half_spaces(&self, a: &HalfSpace, b: &HalfSpace, a_from_b: &Pose) -> Contact {
        let closest = Distance.half_spaces(a, b, a_from_b);
        if !face_each_other(a, b, a_from_b) {
            return Contact {
                intersects: true,
                depth: f64::INFINITY,
                translation: None,
                is_exact: true,
                ..Contact::default()
            };
        }
        if closest.distance > touch_slack(a.offset().abs(), b.offset().abs(), a_from_b) {
            return Contact::none();
        }
        Contact::exact(&closest, Vec::new())
    }

    fn convex_surface(&self, a: &Solid, b: &Surface, a_from_b: &Pose) -> Contact {
        surface::contact_convex_surface(a, b, a_from_b, self.is_searched)
    }

    fn half_space_surface(&self, a: &HalfSpace, b: &Surface, a_from_b: &Pose) -> Contact {
        surface::contact_half_space_surface(a, b, a_from_b)
    }

    fn surfaces(&self, a: &Surface, b: &Surface, a_from_b: &Pose) -> Contact {
        surface::contact_surfaces(a, b, a_from_b, self.is_searched)
    }

    fn any_compound(&self, a: &Prepared, b: &[PreparedPart], a_from_b: &Pose) -> Contact {
        let bounds = a.shape().axis_box_placed(&a_from_b.inverse());
        let mut all = Contact::none();
        for part in b {
            if bounds.zip(part.bounds).is_some_and(|(a, b)| gap_squared(&a, &b) > 0.0) {
                continue;
            }
            let parts = Touch { is_searched: false };
            let found = ask_checked(&parts, a, &part.part, &(*a_from_b * part.compound_from_part));
            let first = all.regions;
            all.points.extend(found.points.iter().map(|c| ContactPoint { region: c.region + first, ..*c }));
            all.regions += found.regions;
            all.intersects |= found.intersects;
            all.depth = all.depth.max(found.depth);
        }
        let slack = match (a.bounds(), bounds) {
            (Some(own), Some(placed)) => touch_slack(own.reach(), placed.reach(), a_from_b),
            _ => 0.0,
        };
        if !all.intersects || all.depth <= slack {
            return Contact { depth: 0.0, ..all };
        }
        all.is_exact = false;
        all.translation = None;
        all.depth = f64::INFINITY;
        if self.is_searched {
            let hints: Vec<Vec3> = all.points.iter().map(|c| -c.depth * c.normal).collect();
            let gap =
                |shift: Vec3| Distance.any_compound(a, b, &(Pose::from_translation(-shift) * *a_from_b));
            let of_a = |d: Vec3| separation::extent(a, d);
            let of_b =
                |d: Vec3| separation::placed_extent(a_from_b, d, |d| separation::extent_of_parts(b, d));
            all.translation =
                separation::search(&separation::Extents { of_a: &of_a, of_b: &of_b }, &hints, gap);
            all.depth = all.translation.map_or(f64::INFINITY, |t| t.length());
        }
        all
    }

    fn swapped(&self, answer: Contact, a_from_b: &Pose) -> Contact {
        answer.placed(a_from_b).swapped()
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
