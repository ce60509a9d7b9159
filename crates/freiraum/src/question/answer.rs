//! Answers, and the keys under which programs find them.

use freiraum_geometry::Vec3;
use freiraum_query::Closest;
use freiraum_query::contact::Contact;
use freiraum_query::intersect::{Intersection, Relation};
use freiraum_query::ray::RayHit;
use serde_json::{Map, Value, json};

/// The answer of a question. **Frames.** World.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// How the shapes stand to each other.
    Intersect(Intersection),
    /// How far apart they are.
    Distance {
        /// The nearest points.
        closest: Closest,
        /// True if they touch or overlap: the distance is 0 then, and there is no normal.
        intersects: bool,
    },
    /// How deep they are in each other.
    Contact(Contact),
    /// What a ray hit, if anything.
    Ray(Option<RayHit>),
}

impl Answer {
    /// True if two shapes touch or overlap; a ray collides with nothing.
    pub fn is_collision(&self) -> bool {
        match self {
            Answer::Intersect(found) => found.intersects(),
            Answer::Distance { intersects, .. } => *intersects,
            Answer::Contact(found) => found.intersects,
            Answer::Ray(_) => false,
        }
    }

    /// The keys of the command line, which are public API. Values that are not there, and infinite ones, are null.
    pub fn keys(&self) -> Map<String, Value> {
        let keys = match self {
            Answer::Intersect(found) => intersect(found),
            Answer::Distance { closest, intersects } => distance(closest, *intersects),
            Answer::Contact(found) => contact(found),
            Answer::Ray(hit) => ray(hit.as_ref()),
        };
        match keys {
            Value::Object(map) => map,
            // Every one of them is an object.
            _ => Map::new(),
        }
    }
}

fn intersect(found: &Intersection) -> Value {
    let contained = match found.relation {
        // Each is inside the other: the contract has no word for it, and this one is true.
        Relation::AInsideB | Relation::Same => json!("a_in_b"),
        Relation::BInsideA => json!("b_in_a"),
        Relation::Separate | Relation::Touching | Relation::Overlapping => Value::Null,
    };
    let open = [("a", found.a_is_open), ("b", found.b_is_open)];
    let open: Vec<&str> = open.iter().filter(|(_, open)| *open).map(|(name, _)| *name).collect();
    json!({
        "intersects": found.intersects(), "contained": contained, "relation": found.relation.name(),
        "open_surfaces": open,
    })
}

fn distance(closest: &Closest, intersects: bool) -> Value {
    json!({
        "distance": if intersects { 0.0 } else { closest.distance }, "intersects": intersects,
        "point_a": vector(closest.point_on_a), "point_b": vector(closest.point_on_b),
        "normal": if intersects { Value::Null } else { vector(closest.normal) },
    })
}

fn contact(found: &Contact) -> Value {
    let contacts = found.points.iter().map(|c| {
        json!({ "point": vector(c.point), "normal": vector(c.normal), "depth": c.depth, "region": c.region })
    });
    json!({
        "intersects": found.intersects, "depth": found.depth, "mtd": found.translation.map_or(Value::Null, vector),
        "depth_is_exact": found.is_exact, "contacts": contacts.collect::<Vec<_>>(), "regions": found.regions,
    })
}

fn ray(hit: Option<&RayHit>) -> Value {
    match hit {
        Some(hit) => json!({
            "hit": true, "distance": hit.distance, "point": vector(hit.point), "normal": vector(hit.normal),
            "face": hit.face, "from_inside": hit.from_inside,
        }),
        None => json!({
            "hit": false, "distance": null, "point": null, "normal": null, "face": null, "from_inside": null,
        }),
    }
}

fn vector(v: Vec3) -> Value {
    // Minus zero is a zero that makes people wonder.
    json!(v.to_array().map(|x| x + 0.0))
}
