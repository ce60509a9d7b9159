//! One question about two placed shapes, and its answer as the contract words it: in world coordinates.

use super::super::{Answer, Failure};
use freiraum::geometry::{Pose, Vec3};
use freiraum::query::intersect::Relation;
use freiraum::query::{self, Closest, Prepared, QueryError};
use serde_json::{Map, Value, json};

/// What can be asked.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
pub(super) enum Kind {
    Intersect,
    Distance,
    Contact,
    Ray,
    Toc,
    Clearance,
    Turn,
}

impl Kind {
    pub(super) const ALL: [Kind; 7] =
        [Kind::Intersect, Kind::Distance, Kind::Contact, Kind::Ray, Kind::Toc, Kind::Clearance, Kind::Turn];

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Intersect => "intersect",
            Kind::Distance => "distance",
            Kind::Contact => "contact",
            Kind::Ray => "ray",
            Kind::Toc => "toc",
            Kind::Clearance => "clearance",
            Kind::Turn => "turn",
        }
    }
}

/// A shape and where it is.
pub(super) struct Placed {
    pub(super) shape: Prepared,
    pub(super) world_from_shape: Pose,
}

/// The answer of a question: its keys, and whether it is good.
pub(super) struct Found {
    pub(super) keys: Map<String, Value>,
    pub(super) verdict: Answer,
}

/// Asks one of the questions about two shapes.
pub(super) fn ask_pair(kind: Kind, a: &Placed, b: &Placed) -> Result<Found, Failure> {
    let a_from_b = a.world_from_shape.inverse() * b.world_from_shape;
    let keys = match kind {
        Kind::Intersect => intersect(a, b, &a_from_b),
        Kind::Distance => distance(a, b, &a_from_b),
        Kind::Contact => contact(a, b, &a_from_b),
        Kind::Ray | Kind::Toc | Kind::Clearance | Kind::Turn => return Err(not_there(kind)),
    };
    let Value::Object(keys) = keys.map_err(|e| Failure::new("query", e))? else {
        return Err(Failure::new("internal", "an answer without keys"));
    };
    let is_collision = keys.get("intersects") == Some(&Value::Bool(true));
    Ok(Found { keys, verdict: if is_collision { Answer::Bad } else { Answer::Good } })
}

/// The failure for questions that are in the contract but not answered yet.
pub(super) fn not_there(kind: Kind) -> Failure {
    let message = format!(
        "the query `{}` is not there yet; expected intersect, distance, contact or ray",
        kind.name()
    );
    Failure::new("not_implemented", message)
}

fn intersect(a: &Placed, b: &Placed, a_from_b: &Pose) -> Result<Value, QueryError> {
    let found = query::intersect(&a.shape, &b.shape, a_from_b)?;
    let contained = match found.relation {
        // Each is inside the other: the contract has no word for it, and this one is true.
        Relation::AInsideB | Relation::Same => json!("a_in_b"),
        Relation::BInsideA => json!("b_in_a"),
        Relation::Separate | Relation::Touching | Relation::Overlapping => Value::Null,
    };
    let open: Vec<&str> =
        [("a", found.a_is_open), ("b", found.b_is_open)].iter().filter(|(_, open)| *open).map(|(n, _)| *n).collect();
    Ok(json!({
        "intersects": found.intersects(), "contained": contained, "relation": found.relation.name(),
        "open_surfaces": open,
    }))
}

fn distance(a: &Placed, b: &Placed, a_from_b: &Pose) -> Result<Value, QueryError> {
    let found = query::distance(&a.shape, &b.shape, a_from_b)?.placed(&a.world_from_shape);
    let intersects = query::intersects(&a.shape, &b.shape, a_from_b)?;
    let Closest { distance, point_on_a, point_on_b, normal } = found;
    let is_apart = !intersects && distance > 0.0;
    Ok(json!({
        "distance": if is_apart { distance } else { 0.0 }, "intersects": !is_apart,
        "point_a": vector(point_on_a), "point_b": vector(point_on_b),
        "normal": if is_apart { vector(normal) } else { Value::Null },
    }))
}

fn contact(a: &Placed, b: &Placed, a_from_b: &Pose) -> Result<Value, QueryError> {
    let found = query::contact(&a.shape, &b.shape, a_from_b)?.placed(&a.world_from_shape);
    let contacts: Vec<Value> = found
        .points
        .iter()
        .map(|c| {
            json!({
                "point": vector(c.point), "normal": vector(c.normal), "depth": c.depth, "region": c.region,
            })
        })
        .collect();
    Ok(json!({
        "intersects": found.intersects, "depth": found.depth, "mtd": found.translation.map_or(Value::Null, vector),
        "depth_is_exact": found.is_exact, "contacts": contacts, "regions": found.regions,
    }))
}

pub(super) fn vector(v: Vec3) -> Value {
    // Minus zero is a zero that makes people wonder.
    json!(v.to_array().map(|x| x + 0.0))
}
