//! Bodies that belong together: one tree, and what does not fit into it.

use super::body::{Body, Bounds, Layers};
use super::links::{self, Link, LinksError};
use super::travel::since;
use crate::tree::volume::TurnedBox;
use crate::tree::{Builder, Extent, Tree, Volume};
use freiraum_geometry::math::rounding::add_up;
use freiraum_geometry::{Aabb, Pose, Vec3};

/// Bodies to be added to a set together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The bodies.
    pub bodies: Vec<Body>,
    /// Whether they may be placed anew. Fixed bodies are never tested against each other.
    pub is_movable: bool,
    /// Whether they are tested against each other.
    pub collides_inside: bool,
    /// The tree that the bodies form by nature, such as the links of a robot; without, one is built.
    pub links: Option<Vec<Link>>,
}

impl Group {
    /// Bodies that never move, and are not tested against each other.
    pub fn fixed(bodies: Vec<Body>) -> Group {
        Group { bodies, is_movable: false, collides_inside: false, links: None }
    }

    /// Bodies that move, not tested against each other.
    pub fn movable(bodies: Vec<Body>) -> Group {
        Group { bodies, is_movable: true, collides_inside: false, links: None }
    }

    /// The same with tests between its own bodies.
    #[must_use]
    pub fn colliding_inside(self) -> Group {
        Group { collides_inside: true, ..self }
    }

    /// The same with the tree that the bodies form by nature.
    #[must_use]
    pub fn with_links(self, links: Vec<Link>) -> Group {
        Group { links: Some(links), ..self }
    }
}

/// A body inside a set.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) bounds: Bounds,
    pub(super) world_from_body: Pose,
    pub(super) layers: Layers,
    pub(super) group: u32,
    /// How far it came since the last step, and in all steps before.
    pub(super) fresh_travel: f64,
    pub(super) travel: f64,
}

impl Placed {
    fn aabb(&self) -> Aabb {
        match &self.bounds {
            Bounds::Limited(extent) => extent.aabb_placed(&self.world_from_body),
            Bounds::HalfSpace(_) | Bounds::Unlimited => Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY },
        }
    }
}

/// A group inside a set. Bodies are known by their number in the set.
#[derive(Clone, Debug)]
pub(super) struct Member<V> {
    pub(super) tree: Tree<V>,
    /// Body of each object of the tree.
    pub(super) inside: Vec<u32>,
    /// Bodies outside the tree.
    pub(super) outside: Vec<u32>,
    pub(super) is_movable: bool,
    pub(super) collides_inside: bool,
    pub(super) layers: Layers,
    /// How far any body below each node of the tree came, in all steps.
    pub(super) node_travel: Vec<f64>,
    /// How far any body came, in all steps.
    pub(super) travel: f64,
    /// Whether a body was placed since the last step.
    pub(super) has_moved: bool,
    /// Whether an endless body was turned since the last step: no distance is left to rely on.
    pub(super) has_jumped: bool,
    scratch: Vec<f64>,
}

/// When a body is kept outside the tree of its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outside {
    /// Its volume has a surface at least so many times that of the box in its own frame.
    pub surface_ratio: f64,
    /// Its sphere has at least this share of the radius of the whole group.
    pub size_share: f64,
}

impl Default for Outside {
    /// Eight times the surface (a sphere around a bar of 10 : 1) and half of the group.
    fn default() -> Outside {
        Outside { surface_ratio: 8.0, size_share: 0.5 }
    }
}

impl<V: Volume> Member<V> {
    /// Builds the tree of a group whose bodies have the numbers from `first` on.
    pub(super) fn new(
        group: &Group,
        bodies: &[Placed],
        first: u32,
        builder: &dyn Builder,
        rule: &Outside,
    ) -> Result<Member<V>, LinksError> {
        if let Some(links) = &group.links {
            links::check(links, bodies.len())?;
        }
        let whole = bodies.iter().filter_map(|b| match b.bounds {
            Bounds::Limited(_) => Some(b.aabb()),
            _ => None,
        });
        let whole = whole.fold(Aabb::EMPTY, |sum, b| sum.union(&b));
        let radius = whole.bounding_sphere().radius;
        let (mut inside, mut outside, mut volumes) = (Vec::new(), Vec::new(), Vec::new());
        let mut object_of = vec![None; bodies.len()];
        for (i, body) in bodies.iter().enumerate() {
            let number = first + i as u32;
            match &body.bounds {
                Bounds::Limited(extent) if !is_absurd::<V>(extent, body, radius, rule) => {
                    object_of[i] = Some(inside.len() as u32);
                    inside.push(number);
                    volumes.push(V::of_extent(extent, &body.world_from_body));
                }
                _ => outside.push(number),
            }
        }
        let form = match &group.links {
            Some(links) => links::form(links, inside.len(), |body| object_of[body as usize]),
            None => builder.form(&volumes.iter().map(Volume::aabb).collect::<Vec<_>>()),
        };
        let tree = Tree::of_volumes(&form, &volumes).expect("the form has one leaf for each volume");
        let nodes = tree.nodes().len();
        let layers = bodies.iter().fold(Layers { member: 0, sees: 0 }, |sum, body| sum.joined(&body.layers));
        Ok(Member {
            tree,
            inside,
            outside,
            is_movable: group.is_movable,
            collides_inside: group.collides_inside,
            layers,
            node_travel: vec![0.0; nodes],
            travel: 0.0,
            has_moved: false,
            has_jumped: false,
            scratch: vec![0.0; nodes],
        })
    }

    /// Fits the tree to the new places of the bodies and books their travels.
    pub(super) fn follow(&mut self, bodies: &mut [Placed]) {
        self.tree.refit(|object| {
            let body = &bodies[self.inside[object as usize] as usize];
            match &body.bounds {
                Bounds::Limited(extent) => V::of_extent(extent, &body.world_from_body),
                _ => unreachable!("bodies without end are kept outside"),
            }
        });
        let mut farthest = 0.0f64;
        for (i, node) in self.tree.nodes().iter().enumerate().rev() {
            let moved = match node.object() {
                Some(object) => bodies[self.inside[object as usize] as usize].fresh_travel,
                None => node.children().map(|c| self.scratch[c as usize]).fold(0.0, f64::max),
            };
            self.scratch[i] = moved;
            self.node_travel[i] = booked(self.node_travel[i], moved);
            farthest = farthest.max(moved);
        }
        for &number in self.outside.iter().chain(&self.inside) {
            let body = &mut bodies[number as usize];
            farthest = farthest.max(body.fresh_travel);
            body.travel = booked(body.travel, body.fresh_travel);
            body.fresh_travel = 0.0;
        }
        self.travel = booked(self.travel, farthest);
        self.has_moved = false;
    }

    /// A box around the whole group in the world.
    pub(super) fn aabb(&self, bodies: &[Placed]) -> Aabb {
        let tree = self.tree.root().map_or(Aabb::EMPTY, |root| root.volume.aabb());
        self.outside.iter().fold(tree, |sum, &body| sum.union(&bodies[body as usize].aabb()))
    }
}

/// A sum of travels, strictly larger than before whenever something moved.
fn booked(sum: f64, travel: f64) -> f64 {
    if travel > 0.0 { add_up(sum, travel).max(sum.next_up()) } else { sum }
}

/// True if the volume of a body says next to nothing about it and spoils that of its group: a rail around a field.
fn is_absurd<V: Volume>(extent: &Extent, body: &Placed, group_radius: f64, rule: &Outside) -> bool {
    let volume = V::of_extent(extent, &body.world_from_body);
    let own = TurnedBox::of_extent(extent, &body.world_from_body);
    extent.radius >= rule.size_share * group_radius && volume.area() > rule.surface_ratio * own.area()
}

/// How far two things came together since they were marked.
pub(super) fn moved(marks: [f64; 2], now: [f64; 2]) -> f64 {
    add_up(since(marks[0], now[0]), since(marks[1], now[1]))
}
