//! The scenarios of the testkit as object sets. Shared by the tests of sets and their bench.

use freiraum_geometry::shape::{Cuboid, Cylinder, HalfSpace, Shape, Sphere};
use freiraum_geometry::{Pose, Vec3};
use freiraum_query::set::{Body, BodyId, Finding, Group, Layers, Link, ObjectSet, Settings};
use freiraum_query::tree::{Counts, Volume};
use freiraum_query::{Prepared, QueryError, distance};
use freiraum_testkit::scenarios::{Scenario, Solid};

/// A scenario in an object set, with its shapes.
pub(crate) struct Stage<V> {
    /// The set.
    pub(crate) set: ObjectSet<V, f64>,
    /// The shape of each body.
    pub(crate) shapes: Vec<Prepared>,
    /// The bodies of each crew.
    crews: Vec<Vec<BodyId>>,
}

impl<V: Volume> Stage<V> {
    /// The scenario at its first step.
    pub(crate) fn new(scenario: &Scenario, settings: Settings) -> Stage<V> {
        let mut stage = Stage { set: ObjectSet::new(settings), shapes: Vec::new(), crews: Vec::new() };
        for (number, crew) in scenario.crews.iter().enumerate() {
            let layers = Layers { member: crew.layers.0, sees: crew.layers.1 };
            let mut bodies = Vec::new();
            for (solid, place) in crew.solids.iter().zip(scenario.places(number, 0)) {
                let shape = shape(solid);
                bodies.push(Body::of_shape(&shape, pose(place)).in_layers(layers));
                stage.shapes.push(Prepared::new(shape));
            }
            let links: Vec<Link> = crew.links.iter().map(|&(parent, body)| Link { parent, body }).collect();
            let links = (!links.is_empty()).then_some(links);
            let group = Group { bodies, is_movable: crew.is_movable, collides_inside: false, links };
            let id = stage.set.add(&group).expect("the scenario is sound");
            stage.crews.push(stage.set.bodies(id).collect());
        }
        stage
    }

    /// Places the bodies of all crews that move.
    pub(crate) fn place(&mut self, scenario: &Scenario, step: usize) {
        for (number, _) in scenario.crews.iter().enumerate().filter(|(_, crew)| crew.is_movable) {
            for (&body, place) in self.crews[number].iter().zip(scenario.places(number, step)) {
                self.set.place(body, pose(place)).expect("the scenario is sound");
            }
        }
    }

    /// One step; contacts carry their signed distance.
    pub(crate) fn step(&mut self) -> Result<(usize, Counts), QueryError> {
        let shapes = &self.shapes;
        let touching = self.set.step(|a, b, a_from_b| find(shapes, a, b, a_from_b))?;
        let count = touching.len();
        Ok((count, self.set.counts()))
    }

    /// The touching pairs by testing all pairs that may meet, through their distance.
    pub(crate) fn brute_force(&self) -> Result<Vec<(BodyId, BodyId)>, QueryError> {
        let mut found = Vec::new();
        for (a, b) in self.set.allowed_pairs() {
            let pose = |body: BodyId| self.set.pose(body).expect("a body of this set");
            let a_from_b = pose(a).inverse() * pose(b);
            if let Finding::Touching(_) = find(&self.shapes, a, b, &a_from_b)? {
                found.push((a, b));
            }
        }
        Ok(found)
    }
}

fn find(shapes: &[Prepared], a: BodyId, b: BodyId, a_from_b: &Pose) -> Result<Finding<f64>, QueryError> {
    let distance = distance(&shapes[a.index()], &shapes[b.index()], a_from_b)?.distance;
    Ok(if distance <= 0.0 { Finding::Touching(distance) } else { Finding::Apart { distance } })
}

fn shape(solid: &Solid) -> Shape {
    let known = "the sizes of the scenarios are sound";
    match *solid {
        Solid::Box(size) => Shape::Cuboid(Cuboid::new(size).expect(known)),
        Solid::Cylinder { radius, height } => Shape::Cylinder(Cylinder::new(radius, height).expect(known)),
        Solid::Ball(radius) => Shape::Sphere(Sphere::new(radius).expect(known)),
        Solid::HalfSpace(normal) => Shape::HalfSpace(HalfSpace::new(normal, 0.0).expect(known)),
    }
}

fn pose((rotation, translation): (freiraum_geometry::Quat, Vec3)) -> Pose {
    Pose::new(rotation, translation).expect("the places of the scenarios are finite")
}
